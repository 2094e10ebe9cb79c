"""Writes scenes as files for other programs, in memory or on disk. Also bakes scenes for programs that cannot change
light over time."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import itertools
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import abi, library
from .arguments import options_of
from .files import AnyPath
from .library import MapError
from .scene import Calling, Memory, Progress, Scene
from .text import text

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .option_types import BakeOptions, WriteOptions


def write(scene: Scene, writer: str, *, progress: Progress | None = None,
          light_styles: Mapping[int, float] | None = None, file_name: str | None = None,
          **options: Unpack[WriteOptions]) -> dict[str, bytes]:
    """Returns the files that a writer makes, by name, the main file first. `writer` is one of `writers`, such as "glb"
    or "atlas". `file_name` is the name of the main file; if it is None, the name is taken from the scene. `options` are
    fields of bspscene_write_options (writer.h): lighting="lightmap", compress="webp". `light_styles` has the brightness
    of light styles by number; other styles have the brightness of the map's start.

    Raises MapError.
    """
    files: dict[str, bytearray] = {}

    def begin(name: str) -> Callable[[bytes], object]:
        return files.setdefault(name, bytearray()).extend

    _run(scene, writer, begin, lambda: None, progress, light_styles, dict(options, file_name=file_name))
    return {name: bytes(content) for name, content in files.items()}


def convert(scene: Scene, path: AnyPath, *, progress: Progress | None = None,
            light_styles: Mapping[int, float] | None = None, **options: Unpack[WriteOptions]) -> list[Path]:
    """Writes a scene to `path`, whose ending names the format, and to further files next to it if the format needs
    them. `options`: see write. Returns the paths of the files, the main file first.

    The files appear only when all are complete. A failure leaves existing files as they were. Raises MapError and
    OSError.
    """
    target = Path(path)
    writer = target.suffix[1:].lower()
    endings = {ending: name for name, ending in _rows() if ending}
    if writer not in endings:
        raise MapError(f"{target}: no format with this ending is written; use one of .{', .'.join(endings)}",
                       abi.ERROR_UNSUPPORTED_FORMAT)
    return _write_into(target, scene, endings[writer], progress, light_styles, options)


def write_atlas(scene: Scene, directory: AnyPath, *, progress: Progress | None = None,
                light_styles: Mapping[int, float] | None = None, **options: Unpack[WriteOptions]) -> list[Path]:
    """Writes the lightmap pages and atlas.json, which says where each face is on the pages. `directory` is created if
    it is missing. `options`: see write. Raises MapError and OSError."""
    Path(directory).mkdir(parents=True, exist_ok=True)
    return _write_into(Path(directory) / "atlas.json", scene, "atlas", progress, light_styles, options)


def bake(scene: Scene, *, progress: Progress | None = None, light_styles: Mapping[int, float] | None = None,
         **options: Unpack[BakeOptions]) -> Scene:
    """Returns the scene as a game shows it at one moment, with all light styles added up. With vertices=True all light
    is in the vertices (`MeshView.baked_light`). `options` are fields of bspscene_bake_options (bake.h). Raises
    MapError."""
    request, error = options_of(abi.BakeOptions, options), abi.Error()
    scene.set_styles(request, light_styles)
    with Calling(request, progress):
        pointer = library.get().bspscene_bake_light(scene.memory.pointer, ctypes.byref(request), ctypes.byref(error))
        if not pointer:
            raise MapError.of(error, scene.name)
    return Scene(Memory(pointer, scene.memory))


def bake_textures(scene: Scene, *, progress: Progress | None = None, **options: Unpack[WriteOptions]) -> Scene:
    """Returns the scene with unlit materials, and with one picture for each group of surfaces that has both texture and
    light. `scene` must be a scene that `bake` returned. `options` are fields of bspscene_write_options (writer.h), such
    as baked_size. Raises MapError."""
    request, error = options_of(abi.WriteOptions, options), abi.Error()
    with Calling(request, progress):
        pointer = library.get().bspscene_bake_textures(scene.memory.pointer, ctypes.byref(request),
                                                       ctypes.byref(error))
        if not pointer:
            raise MapError.of(error, scene.name)
    return Scene(Memory(pointer, scene.memory))


def writers() -> list[str]:
    """Returns names of the library's writers."""
    return [name for name, _ in _rows()]


def _rows() -> list[tuple[str, str]]:
    """Returns the library's writers: the name of each, and the file ending that selects it, or "" if none does."""
    with library.in_use() as native:
        table = native.bspscene_writers()   # an array whose last element is NULL
        rows = (row.contents for row in itertools.takewhile(bool, (table[i] for i in itertools.count())))
        return [(text(row.name), text(row.extension) if row.chosen_by_extension else "") for row in rows]


def _write_into(target: Path, scene: Scene, writer: str, progress: Progress | None,
                light_styles: Mapping[int, float] | None, options: Mapping[str, Any]) -> list[Path]:
    if "file_name" in options:
        raise TypeError(f"there is no option 'file_name' here: the file is called {target.name}")
    named = dict(options, file_name=target.name)
    return into_files(target.parent, lambda begin, end: _run(scene, writer, begin, end, progress, light_styles, named))


Begin = Callable[[str], Callable[[bytes], object]]   # opens a file by name; returns a function for its bytes


def into_files(directory: Path, run: Callable[[Begin, Callable[[], None]], object]) -> list[Path]:
    """Calls run(begin, end), which writes files into `directory` or its folders. The files appear when all are
    complete. Returns their paths."""
    written: list[tuple[str, Path]] = []   # temporary file, final name
    made: list[Path] = []
    try:
        file = None

        def begin(name: str) -> Callable[[bytes], object]:
            nonlocal file
            target = _below(directory, name)
            if target.parent != directory and not target.parent.is_dir():
                target.parent.mkdir()
                made.append(target.parent)
            number, temporary = tempfile.mkstemp(prefix=f".{target.name[:32]}.", dir=target.parent)
            written.append((temporary, target))
            file = os.fdopen(number, "wb")
            return file.write

        def end() -> None:
            nonlocal file
            if file:
                file.close()
                file = None

        try:
            run(begin, end)
        finally:
            end()
        for temporary, target in written:
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target)
        return [target for _, target in written]
    finally:
        for temporary, _ in written:
            if os.path.exists(temporary):
                os.unlink(temporary)
        for folder in made:
            if not any(folder.iterdir()):
                folder.rmdir()


def _below(directory: Path, name: str) -> Path:
    """Returns the path of a written file. Its name must be a plain name, or a name in a single folder (for lightmap
    pictures next to a map)."""
    parts = name.split("/")
    if len(parts) > 2 or any(Path(part).name != part or part == ".." for part in parts):
        raise OSError(f"{name!r} is not a valid file name")
    return directory.joinpath(*parts)


def _umask() -> int:
    """Returns the process's umask, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _run(scene: Scene, writer: str, begin: Begin, end: Callable[[], None], progress: Progress | None,
         light_styles: Mapping[int, float] | None, options: Mapping[str, Any]) -> None:
    """Runs a writer."""
    request = options_of(abi.WriteOptions, options)
    scene.set_styles(request, light_styles)
    with Calling(request, progress):
        run_output((begin, end), scene.name, lambda output, error: library.get().bspscene_write(
            scene.memory.pointer, writer.encode(), ctypes.byref(request), output, error))


def run_output(files: tuple[Begin, Callable[[], None]] | None, what: str, call: Callable[[Any, Any], bool]) -> None:
    """Makes call(output, error), where `output` is the library's output struct with the functions `files` (or none),
    and `error` is its error struct. If the call fails, raises MapError about `what`. Exceptions of the functions are
    raised in the caller."""
    failure: list[BaseException] = []
    take: Callable[[bytes], object] = bytearray().extend
    error = abi.Error()

    def guarded(act: Callable[[], object]) -> bool:
        try:
            act()
            return True
        except BaseException as caught:   # noqa: B036  (must not pass through C: it is raised again after the call)
            failure.append(caught)
            return False

    def output_of(begin: Begin, end: Callable[[], None]) -> abi.Output:
        def open_next(name: bytes) -> None:
            nonlocal take
            take = begin(name.decode())

        output = abi.Output(struct_size=ctypes.sizeof(abi.Output))
        kinds: dict[str, Any] = {field[0]: field[1] for field in abi.Output._fields_}
        output.begin = kinds["begin"](lambda _, name: guarded(lambda: open_next(name)))
        output.write = kinds["write"](lambda _, data, size: guarded(lambda: take(ctypes.string_at(data, size))))
        output.end = kinds["end"](lambda _: guarded(end))
        return output

    output = output_of(*files) if files else None
    done = call(ctypes.byref(output) if output else None, ctypes.byref(error))
    if failure:
        raise failure[0]
    if not done:
        raise MapError.of(error, what)
