"""Imports several maps step by step: loads in another thread, and builds between two redraws of the window."""
import os
import threading
import weakref
from collections.abc import Generator, MutableSet, Sequence

import bpy

from .importer import Build, Report, load_scene
from .native.library import LibraryError, MapError
from .native.scene import Scene, text

LOADING = 0.5   # share of the progress bar for loading a map
PAUSE = 0.02    # seconds between checks of the thread

Steps = Generator[tuple[float, str], None, None]   # the finished share, and what is being done


def is_map_file(path: str) -> bool:
    """For a map in an archive or a game directory, adds the map's own name."""
    return path.lower().endswith(".bsp")


class _Load(threading.Thread):
    """One load; the library runs without Python's lock."""

    def __init__(self, path: str, values: dict, report: Report) -> None:
        super().__init__(daemon=True)
        self._arguments = (path, values, report)
        self.scene: Scene | None = None
        self.error: Exception | None = None
        self.share = 0.0
        self.is_canceled = False

    def run(self) -> None:
        try:
            self.scene = load_scene(*self._arguments, self._step)
        except Exception as error:   # noqa: BLE001  (it is raised again where somebody listens)
            self.error = error

    def _step(self, _stage: str, fraction: float) -> bool:
        self.share = fraction
        return not self.is_canceled

    def end(self) -> Exception | None:
        """Cancels the rest and returns its exception. That refers to this thread by its traceback. If this thread kept
        it too, the cycle would keep the game's files open."""
        self.is_canceled = True
        self.join()
        error, self.error = self.error, None
        return error


class Job:
    """Imports `paths` into the present scene. `failures` has a line for each map that could not be, `done` what it is
    and a report for each that could, which are then in `roots`. `blend`: see import_map. With `all_or_none` one failure
    is that of all."""

    def __init__(self, paths: Sequence[str], values: dict, context: bpy.types.Context, threaded: bool,
                 blend: str | None = None, all_or_none: bool = False) -> None:
        self.failures: list[str] = []
        self.done: list[tuple[str, Report]] = []
        self.roots: list[bpy.types.Collection] = []
        self.cameras: list[bpy.types.Object | None] = []   # of each, the one of the picture to begin with
        self._paths = [bpy.path.abspath(path) for path in paths]
        self._values, self._context, self._threaded = values, context, threaded
        self._all_or_none = all_or_none
        self._blend = bpy.data.filepath if blend is None else blend
        self._builds: list[Build] = []

    def steps(self) -> Steps:
        """Yields the share that is done and what is going on. Closing it before the end takes everything back."""
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
        del scene   # so that the build can free it early
        for done, total in build.steps():
            yield LOADING + (1 - LOADING) * done / max(total, 1), "building"
        self._builds.append(build)
        self.done.append((path if is_map_file(path) else f"{path}: {name}", report))

    def _load(self, path: str, report: Report) -> Generator[tuple[float, str], None, Scene]:
        if not self._threaded:
            return load_scene(path, self._values, report, None)
        load = _Load(path, self._values, report)
        load.start()
        try:
            while load.is_alive():
                load.join(PAUSE)
                yield LOADING * load.share, "loading"
        finally:
            error = load.end()
        if error:
            try:
                raise error
            finally:
                del error   # its traceback refers to this frame
        assert load.scene
        return load.scene


class Run:
    """A job that runs while the window is used. Events that remove its datablocks end it first: undo, redo, another
    file."""

    def __init__(self, job: Job) -> None:
        self._steps = job.steps()
        self.was_ended = False
        _runs.add(self)

    def step(self) -> tuple[float, str]:
        """Returns the finished share and what is being done; StopIteration at the end."""
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
