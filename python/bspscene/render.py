"""Draws scenes as their engines do. Needs the renderer, which is a separate library."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy

from . import abi, library
from .arguments import options_of
from .arrays import Array, Picture, Table
from .library import LibraryError, MapError
from .owner import OwnsHandle
from .scene import Calling, Progress, Scene, checked

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .option_types import RenderOptions

View = abi.View   # a camera with origin, pitch, yaw, roll and fov_degrees; see render.h
SIZE = 640, 480

_loaded: ctypes.CDLL | None = None


def _library() -> ctypes.CDLL:
    """Loads the renderer after the library, because it links to the library by name. It stays loaded."""
    global _loaded
    if _loaded is None:
        library.get()
        file = library.find("bspscene_render", "BSPSCENE_RENDER_LIBRARY")
        try:
            _loaded = library.open_library(file, abi.RENDER_FUNCTIONS)
        except LibraryError as error:
            reason = error if os.path.isfile(file) else f"{file} is not part of it."
            raise LibraryError(f"This bspscene has no renderer: {reason} Pictures need a build with Embree, as the "
                               "archives for Linux x64 and Windows and the Debian packages have.") from None
        library.count_user(1)
    return _loaded


def is_available() -> bool:
    try:
        return bool(_library())
    except LibraryError:
        return False


class Renderer(OwnsHandle):
    """Draws pictures of a scene. `options` are fields of bspscene_render_options (render.h): width, height, samples,
    mode="lightmap", time, world_only, ... For the same pictures as the command line's, load the scene with
    for_pictures=True.

    Raises LibraryError if the renderer is not installed, and MapError.
    """

    def __init__(self, scene: Scene, *, progress: Progress | None = None,
                 light_styles: Mapping[int, float] | None = None, **options: Unpack[RenderOptions]) -> None:
        self._library = _library()
        self._scene = scene   # keeps the scene alive as long as the renderer
        self._options = options_of(abi.RenderOptions, options)
        scene.set_styles(self._options, light_styles)
        self._options.width = self._options.width or SIZE[0]
        self._options.height = self._options.height or SIZE[1]
        self._progress = Calling(self._options, progress)
        error = abi.Error()
        with self._progress:
            self._handle = self._library.bspscene_renderer_create(
                scene.memory.pointer, ctypes.byref(self._options), ctypes.byref(error))
            if not self._handle:
                raise MapError.of(error, scene.name)

    def picture(self, view: View | None = None) -> Picture[numpy.uint8]:
        """Returns height x width x 3 bytes of RGB, the top row first. Without a view, the picture is drawn from where
        players first see the map. Raises MapError."""
        picture = numpy.zeros((self._options.height, self._options.width, 3), numpy.uint8)
        self._take(self._library.bspscene_render, view, picture, ctypes.c_uint8)
        return picture

    def distances(self, view: View | None = None) -> Table[numpy.float32]:
        """Returns for each pixel the distance from the eye to the first solid surface in game units, as an array of
        height x width. The distance is inf where there is no surface or only sky. See bspscene_render_distances. Raises
        MapError."""
        distances = numpy.zeros((self._options.height, self._options.width), numpy.float32)
        self._take(self._library.bspscene_render_distances, view, distances, ctypes.c_float)
        return distances

    def _take(self, function: Any, view: View | None, out: Array, kind: Any) -> None:
        error = abi.Error()
        if view is None:
            view = camera_view(self._scene) or overview(self._scene, self._options.width, self._options.height)
        with self._progress:
            if not function(self._handle, ctypes.byref(view), ctypes.byref(self._options),
                            out.ctypes.data_as(ctypes.POINTER(kind)), ctypes.byref(error)):
                raise MapError.of(error, self._scene.name)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.bspscene_renderer_free(self._handle)


def camera_view(scene: Scene, index: int | None = None) -> View | None:
    """Returns the view of the scene's camera with this number. Without a number, it is the camera from which players
    first see the map (bspscene_start_camera), or None if the map has no such camera. Raises IndexError if the number is
    too large."""
    cameras = scene.items("cameras")
    if index is None:
        index = scene.start_camera()
        if index is None:
            return None
    view: View = _library().bspscene_view_of_camera(scene.memory.pointer, checked(index, len(cameras), "camera"))
    return view


def overview(scene: Scene, width: int = SIZE[0], height: int = SIZE[1]) -> View:
    """Returns a bird's-eye view of the whole map for a picture with this aspect ratio; see bspscene_view_overview."""
    view: View = _library().bspscene_view_overview(scene.memory.pointer, width, height)
    return view
