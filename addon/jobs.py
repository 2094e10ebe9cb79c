"""Imports several maps step by step. Each step runs between two redraws of the window."""
import os
import weakref
from collections.abc import Generator, MutableSet, Sequence

import bpy
from bspscene.library import LibraryError, MapError
from bspscene.scene import Scene, text

from .importer import Build
from .loading import load_steps
from .report import Report

LOADING = 0.5   # share of the progress bar for loading a map

Steps = Generator[tuple[float, str], None, None]   # yields the finished share and what is being done


def is_map_file(path: str) -> bool:
    """True if the file is a single map (.bsp). Archives and game directories may contain several maps, so texts about
    them must also name the map."""
    return path.lower().endswith(".bsp")


class Job:
    """Imports the files `paths` into the current scene. `failures` has a line for each map that failed. `done` has a
    title and a report for each imported map, and `roots` has their collections. For `blend`, see import_map. With
    `all_or_none`, the whole job fails if one map fails."""

    def __init__(self, paths: Sequence[str], values: dict, context: bpy.types.Context, in_window: bool,
                 blend: str | None = None, all_or_none: bool = False) -> None:
        self.failures: list[str] = []
        self.done: list[tuple[str, Report]] = []
        self.roots: list[bpy.types.Collection] = []
        self.cameras: list[bpy.types.Object | None] = []   # the camera of the first view of each map
        self._paths = [bpy.path.abspath(path) for path in paths]
        self._values, self._context, self._in_window = values, context, in_window
        self._all_or_none = all_or_none
        self._blend = bpy.data.filepath if blend is None else blend
        self._builds: list[Build] = []

    def steps(self) -> Steps:
        """Yields the finished share and what is being done. Closing it before the end removes everything again."""
        try:
            for number, path in enumerate(self._paths):
                for share, doing in self._import(path):
                    yield (number + share) / len(self._paths), f"{os.path.basename(path)}: {doing}"
            if self.failures and self._all_or_none:
                self._take_back()
                return
            for build in self._builds:
                build.finish()
                self.roots.append(build.root)
                self.cameras.append(build.camera)
        except BaseException:
            self._take_back()
            raise

    def _take_back(self) -> None:
        for build in self._builds:
            build.take_back()
        self._builds, self.done = [], []

    def _import(self, path: str) -> Steps:
        report = Report()
        try:
            scene = yield from self._load(path, report)
        except (MapError, LibraryError, OSError) as error:
            self.failures.append(str(error))
            return
        name = text(scene.data.name)
        build = Build(scene, path, self._values, report, self._context, self._blend)
        del scene   # the build then holds the only reference, and can free the scene early
        for done, total in build.steps():
            yield LOADING + (1 - LOADING) * done / max(total, 1), "building"
        self._builds.append(build)
        self.done.append((path if is_map_file(path) else f"{path}: {name}", report))

    def _load(self, path: str, report: Report) -> Generator[tuple[float, str], None, Scene]:
        load = load_steps(path, self._values, report, self._in_window)
        try:
            while True:
                yield LOADING * next(load), "loading"
        except StopIteration as end:
            return end.value
        finally:
            load.close()


class Run:
    """A job that runs while the window stays usable. It is ended before events that remove its datablocks: undo, redo,
    or opening another file."""

    def __init__(self, job: Job) -> None:
        self._steps = job.steps()
        self.was_ended = False
        _runs.add(self)

    def step(self) -> tuple[float, str]:
        """Runs one step. Returns the finished share and what is being done. Raises StopIteration at the end."""
        return next(self._steps)

    def end(self) -> None:
        """Takes back what was made, unless the job is done."""
        self._steps.close()
        _runs.discard(self)


_runs: MutableSet[Run] = weakref.WeakSet()
_ENDING = (bpy.app.handlers.undo_pre, bpy.app.handlers.redo_pre, bpy.app.handlers.load_pre)


@bpy.app.handlers.persistent
def _end_all(*_) -> None:
    for run in list(_runs):
        run.was_ended = True
        run.end()


def register() -> None:
    for handlers in _ENDING:
        handlers.append(_end_all)


def unregister() -> None:
    _end_all()
    for handlers in _ENDING:
        handlers.remove(_end_all)
