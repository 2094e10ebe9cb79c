"""Makes images of textures and lightmap pages: encoded bytes that are packed into the .blend or written as files."""
import hashlib
import os
import re
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import bpy
from bspscene import abi
from bspscene.library import MapError
from bspscene.picture import Array, has_light, image_bytes, image_pixels, is_file, page_bytes, png_bytes
from bspscene.scene import Scene, text

from .blendable import blendable, blending_of, needs_other_blending
from .blocks import KEY, Made, by_key
from .display import LINEAR

SRGB, DATA = "sRGB", "Non-Color"
LINEAR_SPACES = ("Linear Rec.709", "Linear")   # the color space's name since Blender 4.0, and before
UNPACKED = "bspscene_unpacked"   # custom property of an image that unpack_for_export has written to a file
GRAY = (0.8, 0.8, 0.8)   # the color of new materials in Blender
MEAN_SIDE = 64           # a mean color is computed from about this many texels of each row and column
CHECK = "bspscene_check"   # custom property: digest of an image's contents, by which a later import finds unchanged
                           # images


class Images:
    """Makes images. If an earlier import made an image with the same key, its datablock is used again, so that edited
    materials still show the image. Images of earlier imports change only in `finish`, which cannot fail. `blend` is the
    path of the .blend that the images will be saved in, or "" if unknown. Paths of image files are relative to it."""

    def __init__(self, map_key: str, made: Made, problems: list[str], blend: str) -> None:
        self.problems, self._blend = problems, blend
        self.map_key, self._made = map_key, made
        self._images = by_key(bpy.data.images)
        self._waiting: list[tuple] = []

    def get(self, name: str, content: bytes, file: Path | None, spaces: Sequence[str], *what) -> bpy.types.Image:
        """Returns the image with this content, packed or written as `file`, in the first of these color spaces that
        this Blender version has. `what` identifies it among the map's images."""
        return self._get("/".join(str(part) for part in (self.map_key, *what)), name, content, file, spaces)

    def shared(self, name: str, content: bytes, directory: Path | None, space: str) -> bpy.types.Image:
        """Returns an image that several maps can share, because its key contains a hash of its content and not the
        map's name."""
        digest = hashlib.sha1(content).hexdigest()
        path = _file_name(name, content, digest)
        file = directory / path if directory else None
        image = self._get(f"texture/{space}/{name}/{digest}", name, content, file, (space,))
        if not image.filepath:
            image.filepath_raw = f"//textures/{path}"   # path that exporters write, and to which Blender unpacks
                                                        # the image
        return image

    def _get(self, key: str, name: str, content: bytes, file: Path | None, spaces: Sequence[str]) -> bpy.types.Image:
        image = self._images.get(key)
        if image is None:
            image = self._images[key] = self._made.new("images", name, 1, 1)
            image[KEY] = key
        elif image.get(CHECK) == check_of(content) and bool(image.packed_file) == (file is None):
            return image
        if file or image.get(CHECK):
            self._waiting.append((image, content, file, spaces))
        else:
            _pack(image, content)
            _set_space(image, spaces)
        return image

    def finish(self) -> None:
        """Writes the files, and updates the images of earlier imports."""
        for image, content, file, spaces in self._waiting:
            if file is None or not self._write(image, content, file):
                _pack(image, content)
            _set_space(image, spaces)
        self._waiting = []

    def _write(self, image: bpy.types.Image, content: bytes, path: Path) -> bool:
        """Writes an image file. If that fails, adds a message to the problems and returns False, so that the image is
        packed into the .blend."""
        half = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            half.write_bytes(content)
            os.replace(half, path)
        except OSError as error:
            self.problems.append(f"{path}: {error.strerror}; the image is packed into the .blend instead")
            return False
        if image.packed_file:
            image.unpack(method="REMOVE")
        image.source = "FILE"
        image.filepath = str(path)
        image.reload()
        if self._blend:
            image.filepath_raw = bpy.path.relpath(str(path), start=os.path.dirname(self._blend))
        image[CHECK] = check_of(content)
        return True


def unpack_for_export(images: Iterable[bpy.types.Image]) -> None:
    """Turns packed images into the files that they are named after, for exporters that copy image files."""
    for image in images:
        if image.packed_file and image.filepath:
            Path(bpy.path.abspath(image.filepath)).parent.mkdir(parents=True, exist_ok=True)
            image.unpack(method="WRITE_ORIGINAL")
            image[UNPACKED] = True


def pack_again(images: Iterable[bpy.types.Image]) -> None:
    """Packs the images again after an export. Images that were edited or lost in between stay as they are."""
    for image in images:
        if UNPACKED in image and not image.packed_file and os.path.isfile(bpy.path.abspath(image.filepath)):
            image.pack()
            del image[UNPACKED]


def check_of(content: bytes) -> str:
    return f"{len(content)} {zlib.crc32(content):08x}"


def _file_name(name: str, content: bytes, digest: str) -> str:
    """Makes a file name from a texture's name in the game. A part of the digest is appended, because different textures
    may otherwise get the same file name."""
    parts = [re.sub(r"[^\w.+-]", "_", part) for part in re.split(r"[/\\]+", name)]
    ending = "jpg" if content.startswith(b"\xff\xd8") else "png"
    return "/".join([part for part in parts if part.strip(".")] or ["texture"]) + f".{digest[:8]}.{ending}"


def _pack(image: bpy.types.Image, content: bytes) -> None:
    image.pack(data=content, data_len=len(content))
    image.source = "FILE"
    image[CHECK] = check_of(content)


def _set_space(image: bpy.types.Image, spaces: Sequence[str]) -> None:
    known = image.colorspace_settings.bl_rna.properties["name"].enum_items.keys()
    image.colorspace_settings.name = next(space for space in spaces if space in known)


class Textures:
    """The scene's images. Each is made when it is first requested: packed into the .blend, or as a file in
    `directory`."""

    def __init__(self, scene: Scene, images: Images, directory: Path | None = None) -> None:
        self.records = scene.items("images")
        self._images, self._directory = images, directory
        self._made: dict[tuple, bpy.types.Image | None] = {}
        self._means: dict[int, tuple[float, float, float]] = {abi.NO_INDEX: GRAY}

    def mean(self, index: int) -> tuple[float, float, float]:
        """Returns the mean color of the image's opaque texels, as linear light."""
        if index not in self._means:
            try:
                self._means[index] = _mean(image_pixels(self.records[index]))
            except MapError:   # not reported here: making the image's node reports the error
                self._means[index] = GRAY
        return self._means[index]

    def get(self, index: int, space: str = SRGB) -> bpy.types.Image | None:
        """Returns an image in the color space `space`: SRGB for colors, DATA for numbers. An image with both uses
        becomes two datablocks."""
        if index == abi.NO_INDEX:
            return None
        if (index, space) not in self._made:
            self._made[index, space] = self._make(index, space)
        return self._made[index, space]

    def base(self, record: abi.Material) -> bpy.types.Image | None:
        """Returns the base image of a material for programs that can blend only by alpha."""
        index = record.base_image
        if index == abi.NO_INDEX or not needs_other_blending(record) or self.records[index].format == abi.IMAGE_MISSING:
            return self.get(index)
        key = (index, *blending_of(record))
        if key not in self._made:
            self._made[key] = self._make_blendable(self.records[index], record)
        return self._made[key]

    def _make_blendable(self, image: abi.Image, record: abi.Material) -> bpy.types.Image | None:
        try:
            content = png_bytes(blendable(image_pixels(image), record), text(image.name))
        except MapError as error:
            self._images.problems.append(str(error))
            return None
        return self._named(image, content, SRGB)

    def _content(self, index: int) -> bytes:
        """Loads an image. If it must be decoded, its mean color is computed too."""
        record = self.records[index]
        if is_file(record) or index in self._means:
            return image_bytes(record)
        pixels = image_pixels(record)
        self._means[index] = _mean(pixels)
        return image_bytes(record, pixels)

    def _make(self, index: int, space: str) -> bpy.types.Image | None:
        record = self.records[index]
        try:
            content = self._content(index)
        except MapError as error:
            self._images.problems.append(str(error))
            return None
        return self._named(record, content, space)

    def _named(self, record: abi.Image, content: bytes, space: str) -> bpy.types.Image:
        name = text(record.name)
        image = self._images.shared(name, content, self._directory, space)
        # Without this, Blender multiplies colors by alpha. Opaque materials whose image has an alpha of 0 would then be
        # black.
        image.alpha_mode = "CHANNEL_PACKED"
        image["game_name"] = name
        image["game_path"] = text(record.path)
        image["archive"] = text(record.archive)
        return image


def _mean(pixels: Array) -> tuple[float, float, float]:
    # The steps are odd. Even steps could meet the same texel in every period of a regular pattern.
    down, right = (max(size // MEAN_SIDE, 1) | 1 for size in pixels.shape[:2])
    texels = pixels[::down, ::right].reshape(-1, 4)
    seen = texels[texels[:, 3] >= 128]
    red, green, blue = LINEAR[(seen if len(seen) else texels)[:, :3]].mean(0).tolist()
    return red, green, blue


SUFFIXES = {abi.LIGHTMAP_SET_DIRECTION: "_direction", abi.LIGHTMAP_SET_BUMP_0: "_bump0",
            abi.LIGHTMAP_SET_BUMP_1: "_bump1",
            abi.LIGHTMAP_SET_BUMP_2: "_bump2"}


class Pages:
    """The pages of all lightmap sets as images: files in `directory`, or packed if there is none."""

    def __init__(self, scene: Scene, directory: Path | None, images: Images) -> None:
        self.sets = scene.items("lightmap_sets")
        self.is_linear = scene.data.lightmap_encoding == abi.LIGHTMAP_ENCODING_HDR
        self._map = text(scene.data.name)
        self._directory, self._images = directory, images
        self._made: dict[tuple, bpy.types.Image] = {}

    def get(self, number: int, page: int) -> bpy.types.Image | None:
        """Returns the image of a page in set `number`; None if the set has no light on that page."""
        if not has_light(self.sets[number].pages[page]):
            return None
        if (number, page) not in self._made:
            self._made[number, page] = self._make(number, page)
        return self._made[number, page]

    def _make(self, number: int, page: int) -> bpy.types.Image:
        record = self.sets[number]
        content, ending = page_bytes(record.pages[page])
        suffix = SUFFIXES.get(record.kind, "") + (f"_style{record.style}" if record.style else "")
        return self.put(page, suffix, content, ending)

    def put(self, page: int, suffix: str, content: bytes, ending: str) -> bpy.types.Image:
        """Makes or updates the image of a page. Display values are marked as data, so that Blender does not convert
        them: games interpolate display values between luxels. The page's node group converts the interpolated value to
        linear light."""
        spaces = LINEAR_SPACES if ending == "exr" else ("Non-Color",)
        name = f"{self._map}_lightmap_{page}{suffix}"
        file = self._directory / f"{name}.{ending}" if self._directory else None
        image = self._images.get(name, content, file, spaces, "page", page, suffix)
        if not image.filepath:
            image.filepath_raw = f"//lightmaps/{name}.{ending}"
        return image
