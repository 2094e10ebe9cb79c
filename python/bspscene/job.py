"""Opens, loads and bakes while the caller does something else. The library runs each job in a separate thread; a timer
or an event loop asks for its progress. This module does not use bpy.

    job = bspscene.begin("maps/atrium.bsp")
    while not job.ended():
        show(job.fraction())
    scene = job.result()
"""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import abi, library
from .arguments import options_of
from .files import AnyPath, GameFiles, Place, source_options
from .library import MapError
from .owner import OwnsHandle
from .scene import Memory, Scene

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .option_types import LoadOptions

Made = TypeVar("Made")


class Job(OwnsHandle, Generic[Made]):
    """A call that runs in a thread of the library. Use the object in one thread only. When it is deleted, the call is
    canceled, and the deletion waits for its end.

    begin(library, error) starts the library's job and returns it. take(library, job, error) returns the result of a
    finished job. `kept` is an object that the call needs; it is held until the job is closed.
    """

    def __init__(self, begin: Callable[[Any, Any], int | None], take: Callable[[Any, int, Any], Made],
                 kept: object) -> None:
        error = abi.Error()
        self._handle: int | None = None
        with library.in_use() as self._library:
            self._handle = begin(self._library, ctypes.byref(error))
            if not self._handle:
                raise MapError.of(error)
            library.count_user(1)
        self._rest: tuple[Callable[[Any, int, Any], Made], object] | None = (take, kept)

    def _get(self) -> int:
        if not self._handle:
            raise ValueError("the job's result was taken already, or the job was closed")
        return self._handle

    def ended(self) -> bool:
        """True if the work has ended, well or not. Does not wait."""
        return bool(self._library.bspscene_job_ended(self._get()))

    def fraction(self) -> float:
        """Returns the share of the work that is done, from 0 to 1."""
        return float(self._library.bspscene_job_fraction(self._get()))

    def cancel(self) -> None:
        """Asks the job to stop soon. Does not wait. The `result` of a canceled job raises MapError."""
        self._library.bspscene_job_cancel(self._get())

    def result(self) -> Made:
        """Waits for the end and returns the result. It can be called only once. Raises MapError."""
        error, handle = abi.Error(), self._get()
        assert self._rest
        try:
            return self._rest[0](self._library, handle, error)
        finally:
            self.close()

    def close(self) -> None:
        """Cancels the work, waits for its end and frees it."""
        if self._handle:
            self._library.bspscene_job_free(self._handle)
            self._handle = self._rest = None   # also releases the map's files
            library.count_user(-1)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()


def begin(path: AnyPath, map: str = "", *, games: AnyPath | Iterable[AnyPath] = (),
          **options: Unpack[LoadOptions]) -> Job[Scene]:
    """Begins to load a map. The archive or game around the map is opened before this returns. Takes the arguments of
    load except `data`, `open_file`, `list_files` and `progress`; the job itself reports its progress. Raises MapError,
    TypeError and ValueError."""
    return begin_load(GameFiles(path, games, map), **options)


def begin_open(path: AnyPath, search_paths: AnyPath | Iterable[AnyPath] = (), wanted: str = "",
               skip_bad_games: bool = False) -> Job[GameFiles]:
    """Begins to open a place and find a map in it, as GameFiles(...) does with the same arguments. The job has no
    progress and cannot be canceled."""
    options = source_options(search_paths, skip_bad_games=skip_bad_games)
    encoded = os.fsencode(path)

    def take(native: Any, job: int, error: abi.Error) -> GameFiles:
        handle = native.bspscene_job_take_source(job, ctypes.byref(error))
        if not handle:
            raise MapError.of(error)
        return GameFiles(path, wanted=wanted, place=Place.adopted(native, handle))

    return Job(lambda native, error: native.bspscene_job_open(encoded, ctypes.byref(options), error), take,
               (options, encoded))


def begin_load(files: GameFiles, **options: Unpack[LoadOptions]) -> Job[Scene]:
    """Begins to load the map that `files` names. `options`: see bspscene.load."""
    request = options_of(abi.LoadOptions, options)
    return Job(lambda native, error: native.bspscene_job_load(files.place.handle, files.map, ctypes.byref(request),
                                                              error),
               lambda native, job, error: _scene(native, job, error, "", None), (files, request))


def begin_bake(scene: Scene, *, light_styles: Mapping[int, float] | None = None, **options: Any) -> Job[Scene]:
    """Begins bake(...) with the same arguments."""
    request = options_of(abi.BakeOptions, options)
    scene.set_styles(request, light_styles)
    return Job(lambda native, error: native.bspscene_job_bake_light(scene.memory.pointer, ctypes.byref(request), error),
               lambda native, job, error: _scene(native, job, error, scene.name, scene.memory), (scene, request))


def begin_bake_textures(scene: Scene, **options: Any) -> Job[Scene]:
    """Begins bake_textures(...) with the same arguments."""
    request = options_of(abi.WriteOptions, options)
    return Job(lambda native, error: native.bspscene_job_bake_textures(scene.memory.pointer, ctypes.byref(request),
                                                                       error),
               lambda native, job, error: _scene(native, job, error, scene.name, scene.memory), (scene, request))


def _scene(native: Any, job: int, error: abi.Error, what: str, source: Memory | None) -> Scene:
    pointer = native.bspscene_job_take_scene(job, ctypes.byref(error))
    if not pointer:
        raise MapError.of(error, what)
    return Scene(Memory(pointer, source))
