"""Images and lightmap pages of a scene: as arrays, and as files."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import numpy

from . import abi, library
from .arrays import Array, Picture, Row
from .files import AnyPath
from .library import MapError
from .owner import Owner
from .text import text

# For each format of a page: the number of channels and the type of a luxel.
_LUXELS: dict[int, tuple[int, Any]] = {
    abi.LIGHTMAP_PAGE_RGB8: (3, numpy.uint8), abi.LIGHTMAP_PAGE_RGB16F: (3, numpy.float16),
    abi.LIGHTMAP_PAGE_RAW32: (4, numpy.uint8)}


class Page:
    """One lightmap page of one light style. `record` is bspscene_lightmap_page."""

    def __init__(self, scene: Owner, record: abi.LightmapPage) -> None:
        self.scene, self.record = scene, record
        self.width, self.height = record.width, record.height

    def luxels(self) -> Picture[Any]:
        """An array of height x width x channels, the top row first. It is a view of the scene's memory, or a copy if
        the page is sparse. A luxel has three bytes (RGB), or with lightmap_encoding="hdr" three half floats of linear
        light. With "raw", a luxel of HDR light has the file's own four bytes. A page that the map leaves black is an
        array of zeroes."""
        return luxels(self.record)

    def encoded(self) -> tuple[bytes, str]:
        """Returns the page as the bytes of a file, and the ending of its name: "png" or "exr"."""
        return page_bytes(self.record)

    def write_file(self, path: AnyPath) -> None:
        """Writes the page to a PNG or EXR file, as its format requires. The file appears only when it is complete.
        Raises MapError."""
        write_file("bspscene_write_lightmap_page_file", ctypes.byref(self.record), os.fsencode(path))


class Image:
    """A texture. `record` is bspscene_image, `name` the game's name, `path` the file that was found."""

    def __init__(self, scene: Owner, record: abi.Image) -> None:
        self.scene, self.record = scene, record
        self.name, self.path = text(record.name), text(record.path)

    @property
    def is_missing(self) -> bool:
        return self.record.format == abi.IMAGE_MISSING

    def pixels(self) -> Picture[numpy.uint8]:
        """Returns height x width x 4 bytes of RGBA, the top row first. Missing images have a generated placeholder.
        Raises MapError."""
        return image_pixels(self.record)

    def encoded(self) -> bytes:
        """Returns the image as the bytes of a PNG or JPEG file. Raises MapError."""
        return image_bytes(self.record)

    def write_file(self, path: AnyPath) -> None:
        """Writes the image to a PNG file, which appears only when it is complete. Raises MapError."""
        write_file("bspscene_write_image_file", ctypes.byref(self.record), os.fsencode(path))


def luxels(page: abi.LightmapPage) -> Picture[Any]:
    """Returns the array of Page.luxels. The scene of `page` must not have been freed."""
    shape, kind = stored_as(page)
    if not page.data:
        copy = numpy.zeros(shape, kind)
        if page.blocks:
            with library.in_use() as native:
                native.bspscene_lightmap_page_read(ctypes.byref(page), 0, 0, page.width, page.height, copy.ctypes.data)
        return copy
    size = numpy.prod(shape) * numpy.dtype(kind).itemsize
    return memory_view((ctypes.c_uint8 * int(size)).from_address(page.data), kind, page).reshape(shape)


def has_light(page: abi.LightmapPage) -> bool:
    """True if a page is not black, whole or sparse."""
    return bool(page.data or page.blocks)


def stored_as(page: abi.LightmapPage) -> tuple[tuple[int, int, int], Any]:
    """Returns the shape and number type of a page's array."""
    channels, kind = _LUXELS[page.format]
    return (page.height, page.width, channels), kind


def memory_view(values: Any, kind: Any, owner: object) -> Row[Any]:
    """Returns a flat read-only view of the ctypes array `values`. The view keeps `owner` alive, which owns that
    memory."""
    values.owner = owner
    view: Row[Any] = numpy.frombuffer(values, numpy.dtype(kind))
    view.flags.writeable = False
    return view


def collect(write: Callable[..., bool], what: str) -> bytes:
    """Calls one of the library's writers with an output, and returns all bytes that it writes."""
    parts: list[bytes] = []

    def take(_user: int | None, data: int, size: int) -> bool:
        parts.append(ctypes.string_at(data, size))
        return True

    error = abi.Error()
    if not write(abi.WriteFn(take), None, ctypes.byref(error)):
        raise MapError.of(error, what)
    return b"".join(parts)


def page_bytes(page: abi.LightmapPage) -> tuple[bytes, str]:
    """Returns a lightmap page as a file, and the ending of its name: "png" or "exr"."""
    with library.in_use() as native:
        ending = text(native.bspscene_lightmap_page_extension(ctypes.byref(page)))
        content = collect(lambda *to: native.bspscene_write_lightmap_page(ctypes.byref(page), *to), "lightmap page")
        return content, ending


def encode_page(page: abi.LightmapPage, values: Array) -> tuple[bytes, str]:
    """Converts luxels to the page's format, broadcasts them to its size, and encodes them as page_bytes does."""
    shape, kind = stored_as(page)
    stored = numpy.ascontiguousarray(numpy.broadcast_to(values, shape), kind)
    return page_bytes(abi.LightmapPage(page.width, page.height, page.format, stored.ctypes.data))


def png_bytes(pixels: Array, what: str = "picture") -> bytes:
    """Returns an array of height x width x 3 or 4 bytes as a PNG file. Raises MapError, whose message says that `what`
    could not be written."""
    height, width, channels = pixels.shape
    rows = numpy.ascontiguousarray(pixels, numpy.uint8)
    with library.in_use() as native:
        return collect(lambda *to: native.bspscene_write_png(width, height, channels, rows.ctypes.data, *to), what)


def write_png(pixels: Array, path: AnyPath) -> None:
    """Writes height x width x 3 or 4 bytes, such as a result of Renderer.picture, to a PNG file. Raises MapError."""
    height, width, channels = pixels.shape
    rows = numpy.ascontiguousarray(pixels, numpy.uint8)
    write_file("bspscene_write_png_file", width, height, channels, rows.ctypes.data, os.fsencode(path))


def write_file(function: str, *arguments: Any) -> None:
    """Calls a function of the library that writes a picture to a path. `function` is its name. Raises MapError."""
    error = abi.Error()
    with library.in_use() as native:
        if not getattr(native, function)(*arguments, ctypes.byref(error)):
            raise MapError.of(error)


def image_pixels(image: abi.Image) -> Picture[numpy.uint8]:
    """Returns the array of Image.pixels."""
    native, pixels, error = library.get(), abi.Pixels(), abi.Error()
    if not native.bspscene_image_decode(ctypes.byref(image), ctypes.byref(pixels), ctypes.byref(error)):
        raise MapError.of(error, text(image.name))
    try:
        content = ctypes.string_at(pixels.data, pixels.width * pixels.height * 4)
        return numpy.frombuffer(content, numpy.uint8).reshape(pixels.height, pixels.width, 4)
    finally:
        native.bspscene_pixels_free(ctypes.byref(pixels))


def is_file(image: abi.Image) -> bool:
    """True if the image in memory is a PNG or JPEG file."""
    return image.format in (abi.IMAGE_PNG, abi.IMAGE_JPEG) and bool(image.data)


def image_bytes(image: abi.Image, decoded: Array | None = None) -> bytes:
    """Returns an image as a PNG or JPEG file. If the game's file has one of these formats, its bytes are returned.
    Otherwise the decoded image is written as PNG."""
    if is_file(image) and image.data:
        return ctypes.string_at(image.data, image.size)
    pixels = image_pixels(image) if decoded is None else decoded
    is_opaque = bool((pixels[..., 3] == 255).all())   # three channels are written faster
    return png_bytes(pixels[..., :3] if is_opaque else pixels, text(image.name))
