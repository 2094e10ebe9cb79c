"""A map file -> a Scene: the library's structs, with numpy views over its memory. No bpy here.

A view or a record keeps the scene alive, so nothing dangles; the memory goes with the last of them.
"""
import ctypes
import os
from collections.abc import Callable, Iterator, Sequence

import numpy

from . import abi, library
from .files import GameFiles
from .library import MapError

Progress = Callable[[str, float], bool]   # the stage, and how much of the load is done, 0..1


def text(value: bytes | None) -> str:
    return value.decode("utf-8", "replace") if value else ""


class _Memory:
    """Owns the library's scene and frees it exactly once."""

    def __init__(self, pointer) -> None:
        self.pointer = pointer
        self.library = library.get()
        library.count_user(1)

    def __del__(self) -> None:
        self.library.bspscene_scene_free(self.pointer)
        library.count_user(-1)


class Scene:
    """A loaded map. `data` is bspscene_scene; the methods give its arrays."""

    def __init__(self, memory: _Memory) -> None:
        self._memory = memory
        self.data: abi.Scene = memory.pointer.contents

    def items(self, name: str) -> list:
        """One of the scene's arrays of structs ("nodes", "materials", ...) with its own count."""
        singular = {"meshes": "mesh", "entities": "entity"}.get(name, name[:-1])
        records = getattr(self.data, name)[:getattr(self.data, singular + "_count")]
        for record in records:
            record.owner = self._memory
        return records

    def array(self, pointer, count: int, kind=ctypes.c_float) -> numpy.ndarray:
        """A flat numpy view over `count` values of the library's memory."""
        if not pointer or count == 0:
            return numpy.empty(0, numpy.dtype(kind))
        values = (kind * count).from_address(ctypes.addressof(pointer.contents))
        values.owner = self._memory
        return numpy.frombuffer(values, numpy.dtype(kind))

    def array_or_none(self, pointer, count: int, kind=ctypes.c_float) -> numpy.ndarray | None:
        """The same for what not every map has; None for a NULL pointer."""
        return self.array(pointer, count, kind) if pointer else None

    def faces(self) -> numpy.ndarray:
        """All faces as a structured array with the fields of bspscene_face."""
        return self.array(self.data.faces, self.data.face_count, abi.Face)

    def mesh(self, index: int) -> "MeshView":
        return MeshView(self, self.data.meshes[index])

    def keys(self, entity: int) -> list[tuple[str, str]]:
        """All key/values of an entity in file order."""
        record = self.data.entities[entity]
        pairs = self.data.pairs[record.first_pair:record.first_pair + record.pair_count]
        return [(text(pair.key), text(pair.value)) for pair in pairs]

    def value(self, entity: int, key: str) -> str | None:
        """What the game reads for a key, or None."""
        found = library.get().bspscene_entity_value(self._memory.pointer, entity, key.encode())
        return None if found is None else text(found)

    def world_transform(self, node: int) -> tuple[float, ...]:
        """Row-major 3x4, lengths in game units."""
        out = (ctypes.c_float * 12)()
        library.get().bspscene_node_world_transform(self._memory.pointer, node, out)
        return tuple(out)

    def warnings(self) -> list[str]:
        return [text(item.message) + (f" (first of {item.count})" if item.count > 1 else "")
                for item in self.items("warnings")]

    def missing_textures(self) -> list[str]:
        return [text(image.name) for image in self.items("images") if image.format == abi.IMAGE_MISSING]


class MeshView:
    """One mesh as flat numpy views: positions, normals, uvs, lightmap_uvs, colors, blend_alphas, blend_weights,
    triangle_tags, indices."""

    def __init__(self, scene: Scene, data: abi.Mesh) -> None:
        self.scene, self.data = scene, data
        self.name = text(data.name)
        self.sections: Sequence[abi.Section] = data.sections[:data.section_count]
        vertices = data.vertex_count
        self.positions = scene.array(data.positions, vertices * 3)
        self.normals = scene.array(data.normals, vertices * 3)
        self.uvs = scene.array(data.uvs, vertices * 2)
        self.lightmap_uvs = scene.array_or_none(data.lightmap_uvs, vertices * 2)
        self.colors = scene.array_or_none(data.colors, vertices * 4, ctypes.c_uint8)
        self.blend_alphas = scene.array_or_none(data.blend_alphas, vertices)
        self.blend_weights = scene.array_or_none(data.blend_weights, vertices * 4)
        self.triangle_tags = scene.array_or_none(data.triangle_tags, data.index_count // 3, ctypes.c_uint8)
        self.indices = scene.array(data.indices, data.index_count, ctypes.c_uint32)

    def color_sets(self) -> Iterator[tuple[int, numpy.ndarray]]:
        for item in self.data.color_sets[:self.data.color_set_count]:
            yield item.style, self.scene.array(item.colors, self.data.vertex_count * 4, ctypes.c_uint8)


def load(path: str, files: GameFiles | None = None, progress: Progress | None = None, **options) -> Scene:
    """Loads a map. `options` are fields of bspscene_load_options; `progress` returns False to cancel.

    Raises MapError.
    """
    native = library.get()
    request = abi.LoadOptions(struct_size=ctypes.sizeof(abi.LoadOptions))
    for name, value in options.items():
        setattr(request, name, value)
    if progress:
        request.progress = abi.ProgressFn(_guarded(progress))
    error = abi.Error()
    to = ctypes.byref(request), ctypes.byref(error)
    if files:
        pointer = native.bspscene_place_load_as(abi.LAYOUT, files.place.handle, files.map, *to)
    else:
        pointer = native.bspscene_load_file_as(abi.LAYOUT, os.fsencode(path), *to)
    if not pointer:
        raise MapError(text(error.message), error.status)
    return Scene(_Memory(pointer))


def _guarded(progress: Progress):
    """An exception cannot pass through C: it cancels the load."""
    def call(_user, stage, fraction):
        try:
            return abi.CONTINUE if progress(text(stage), fraction) else abi.CANCEL
        except Exception:   # noqa: BLE001  (whatever it is)
            return abi.CANCEL
    return call


def _collect(write: Callable[[object, object, object], bool], what: str) -> bytes:
    """Bytes of one of the library's writers."""
    parts: list[bytes] = []

    def take(_user, data, size) -> bool:
        parts.append(ctypes.string_at(data, size))
        return True

    error = abi.Error()
    if not write(abi.WriteFn(take), None, ctypes.byref(error)):
        raise MapError(f"{what}: {text(error.message)}", error.status)
    return b"".join(parts)


def page_bytes(page: abi.Page) -> tuple[bytes, str]:
    """A lightmap page as a file, and the ending of its name: "png" or "exr"."""
    native = library.get()
    ending = text(native.bspscene_page_extension(ctypes.byref(page)))
    return _collect(lambda *to: native.bspscene_write_page(ctypes.byref(page), *to), "lightmap page"), ending


def encode_page(page: abi.Page, luxels: numpy.ndarray) -> tuple[bytes, str]:
    """Other luxels of the same size and format as page_bytes gives them."""
    other = abi.Page()
    other.width, other.height, other.format = page.width, page.height, page.format
    other.data = luxels.ctypes.data
    return page_bytes(other)


def image_bytes(image: abi.Image) -> bytes:
    """An image as PNG or JPEG: the file's own bytes where they are that, else decoded and written as PNG."""
    if image.format in (abi.IMAGE_PNG, abi.IMAGE_JPEG):
        return ctypes.string_at(image.data, image.size)
    native, pixels, error = library.get(), abi.Pixels(), abi.Error()
    if not native.bspscene_image_decode(ctypes.byref(image), ctypes.byref(pixels), ctypes.byref(error)):
        raise MapError(f"{text(image.name)}: {text(error.message)}", error.status)
    try:
        return _collect(lambda *to: native.bspscene_write_png(
            pixels.width, pixels.height, 4, ctypes.cast(pixels.data, ctypes.c_void_p), *to), text(image.name))
    finally:
        native.bspscene_pixels_free(ctypes.byref(pixels))
