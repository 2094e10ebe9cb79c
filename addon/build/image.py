"""Textures and lightmap pages -> images: encoded bytes, packed into the .blend or written as files."""
import os
from pathlib import Path
from typing import Dict, List, Optional

import bpy

from ..native import abi
from ..native.scene import MapError, Scene, image_bytes, page_bytes, text

KEY = "bspscene_key"


class Earlier:
    """The images of earlier imports: the same thing again takes its datablock, so that edited materials stay right."""

    def __init__(self, map_key: str) -> None:
        self._map_key = map_key
        self._images = {image[KEY]: image for image in bpy.data.images if KEY in image}

    def get_or_new(self, name: str, *what) -> bpy.types.Image:
        key = "/".join(str(part) for part in (self._map_key, *what))
        image = self._images.get(key)
        if image is None:
            image = self._images[key] = bpy.data.images.new(name, 1, 1)
            image[KEY] = key
        return image


def _pack(image: bpy.types.Image, content: bytes) -> None:
    image.pack(data=content, data_len=len(content))
    image.source = "FILE"


class Textures:
    """The scene's images, each made when it is first asked for."""

    def __init__(self, scene: Scene, earlier: Earlier, problems: List[str]) -> None:
        self._images = scene.items("images")
        self._made: Dict[int, Optional[bpy.types.Image]] = {}
        self._earlier = earlier
        self._problems = problems

    def get(self, index: int) -> Optional[bpy.types.Image]:
        if index == abi.NO_INDEX:
            return None
        if index not in self._made:
            self._made[index] = self._make(self._images[index], index)
        return self._made[index]

    def _make(self, record: abi.Image, index: int) -> Optional[bpy.types.Image]:
        try:
            content = image_bytes(record)
        except MapError as error:
            self._problems.append(str(error))
            return None
        name = text(record.name)
        image = self._earlier.get_or_new(name, "image", name, index)
        _pack(image, content)
        # Else Blender multiplies the colour with the alpha, and what an opaque material shows turns black.
        image.alpha_mode = "CHANNEL_PACKED"
        image["game_name"] = name
        image["game_path"] = text(record.path)
        image["archive"] = text(record.archive)
        return image


class Pages:
    """The pages of all sets. `place` is "PACK", or "FILES" to write them into `directory`."""

    def __init__(self, scene: Scene, place: str, directory: Optional[Path], earlier: Earlier,
                 problems: List[str]) -> None:
        self.sets = scene.items("page_sets")
        self._made: Dict[tuple, Optional[bpy.types.Image]] = {}
        self._map = text(scene.data.name)
        self._earlier = earlier
        self._directory = directory if place == "FILES" else None
        self._problems = problems

    def get(self, number: int, page: int) -> Optional[bpy.types.Image]:
        """The image of a page in set `number`; None where the set has no light on that page."""
        if not self.sets[number].pages[page].data:
            return None
        if (number, page) not in self._made:
            self._made[number, page] = self._make(number, page)
        return self._made[number, page]

    def _make(self, number: int, page: int) -> bpy.types.Image:
        record = self.sets[number]
        content, ending = page_bytes(record.pages[page])
        name = f"{self._map}_lightmap_{page}" + self._suffix(record)
        image = self._earlier.get_or_new(name, "page", number, page)
        if not self._write(image, content, f"{name}.{ending}"):
            _pack(image, content)
        if record.kind == abi.PAGES_DIRECTION:
            image.colorspace_settings.name = "Non-Color"
        return image

    @staticmethod
    def _suffix(record: abi.PageSet) -> str:
        kind = {abi.PAGES_DIRECTION: "_direction", abi.PAGES_BUMP_0: "_bump0", abi.PAGES_BUMP_1: "_bump1",
                abi.PAGES_BUMP_2: "_bump2"}.get(record.kind, "")
        return kind + (f"_style{record.style}" if record.style else "")

    def _write(self, image: bpy.types.Image, content: bytes, name: str) -> bool:
        """Writes a page beside the .blend; what cannot be written is packed instead, and said."""
        if self._directory is None:
            return False
        path = self._directory / name
        half = path.with_name(name + ".part")
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            half.write_bytes(content)
            os.replace(half, path)
        except OSError as error:
            self._problems.append(f"{path}: {error.strerror}; the lightmap is packed into the .blend instead")
            return False
        if image.packed_file:
            image.unpack(method="REMOVE")
        image.source = "FILE"
        image.filepath = bpy.path.relpath(str(path)) if bpy.data.filepath else str(path)
        image.reload()
        return True
