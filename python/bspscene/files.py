"""Opens a map, an archive or a game directory as a source of the library (source.h), which has maps and the files that
a load may need. This module does not use bpy."""
# SPDX-License-Identifier: MIT
import ctypes
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias, Union

from . import abi, library
from .library import MapError
from .owner import OwnsHandle
from .text import text

AnyPath: TypeAlias = Union[str, "os.PathLike[str]"]     # noqa: UP007  (a string is no operand of |)
OpenFile = Callable[[str], "bytes | None"]             # game path -> content of the file, or None
ListFiles = Callable[[str, str], Iterable[str]]        # (beginning, end) -> file names in the game's order

# Extensions of archives that file browsers show.
ARCHIVES = (".pk3", ".pk4", ".iwd", ".pkz", ".dpk", ".kpf", ".pak", ".vpk", ".gma", ".zip")
PACKED = (".gz", ".bz2", ".xz", ".zst")               # endings of compressed maps on download servers


def maps_in(path: AnyPath) -> list[str]:
    """Returns names of the maps in an archive or a game directory; empty for any other path."""
    try:
        place = Place(path, alone=True)
    except MapError:
        return []
    return [] if place.is_map() else place.maps()


def installed_games() -> list[str]:
    """Returns directories of games on this machine: in Steam's libraries, GOG's folders and the system's usual
    places."""
    found: list[str] = []
    take = abi.FoundGameFn(lambda _user, path: found.append(os.fsdecode(path)))
    with library.in_use() as native:
        if not native.bspscene_find_games(take, None):
            raise MemoryError
    return found


def path_array(paths: AnyPath | Iterable[AnyPath]) -> Any:
    """Returns paths for the library. A single string is one path, not a list of its letters."""
    named = [paths] if isinstance(paths, str | bytes | os.PathLike) else paths
    encoded = [os.fsencode(path) for path in named]
    return (ctypes.c_char_p * len(encoded))(*encoded)


def source_options(search_paths: AnyPath | Iterable[AnyPath], alone: bool = False, skip_bad_games: bool = False,
                   data: bytes | None = None) -> abi.SourceOptions:
    """Returns the options for opening a source. They keep the strings of the paths and the data alive."""
    games = path_array(search_paths)
    content = None if data is None else ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p)
    return abi.SourceOptions(struct_size=ctypes.sizeof(abi.SourceOptions), isolated=alone,
                             skip_bad_games=skip_bad_games, games=games, game_count=len(games),
                             data=content, size=len(data or b""))


class Place(OwnsHandle):
    """A file, archive or game directory `path` that is open, together with its game (unless it is `alone`) and the
    places in `search_paths`. A place of `search_paths` that cannot be opened is an error, unless `skip_bad_games` is
    set. With `data`, the content of a file, `path` is only its name. Raises MapError.
    """

    def __init__(self, path: AnyPath, search_paths: AnyPath | Iterable[AnyPath] = (), alone: bool = False,
                 skip_bad_games: bool = False, data: bytes | None = None) -> None:
        options, error = source_options(search_paths, alone, skip_bad_games, data), abi.Error()
        self._data = data   # the source reads it as long as it is open
        with library.in_use() as self.library:
            self.handle = self.library.bspscene_source_open(os.fsencode(path), ctypes.byref(options),
                                                           ctypes.byref(error))
            if not self.handle:
                raise MapError.of(error)
            library.count_user(1)

    @classmethod
    def adopted(cls, native: ctypes.CDLL, handle: int) -> "Place":
        """Returns a place for the source that a job has opened."""
        place = cls.__new__(cls)
        place.library, place.handle = native, handle
        library.count_user(1)
        return place

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.library.bspscene_source_free(self.handle)
            library.count_user(-1)

    def is_map(self) -> bool:
        """True for a map file, false for an archive or a directory."""
        return bool(self.library.bspscene_source_kind_of(self.handle) == abi.SOURCE_MAP)

    def maps(self) -> list[str]:
        """Returns names of all maps, sorted."""
        count = self.library.bspscene_source_map_count(self.handle)
        return [self.library.bspscene_source_map_name(self.handle, i).decode("utf-8", "replace") for i in range(count)]

    def find(self, name: str) -> int:
        """Returns the map with this name, or the only map. Raises MapError, whose message lists the maps that exist."""
        error = abi.Error()
        found: int = self.library.bspscene_source_find_map(self.handle, os.fsencode(name), ctypes.byref(error))
        if found == abi.NO_INDEX:
            raise MapError.of(error)
        return found


class GameFiles:
    """What one load needs: an open place and one of its maps. The map is the file `path`, or the map called `wanted` in
    the archive or game directory `path`. With `skip_bad_games`, places of `search_paths` that cannot be opened are
    listed in `problems`. `place` is given if `path` is already open.

    Raises MapError when there is no such map.
    """

    def __init__(self, path: AnyPath, search_paths: AnyPath | Iterable[AnyPath] = (), wanted: str = "",
                 skip_bad_games: bool = False, place: Place | None = None) -> None:
        self.place = place or Place(path, search_paths, skip_bad_games=skip_bad_games)
        self.map = self.place.find("" if self.place.is_map() else wanted)
        self.problems = self._texts(self.place.library.bspscene_source_problem, self.place.handle)

    def name(self) -> str:
        """Returns the map's name: its file name without the ending."""
        name = Path(self.place.maps()[self.map]).name
        for packing in PACKED:
            name = name.removesuffix(".bsp" + packing)
        return name.removesuffix(".bsp")

    def places(self) -> list[str]:
        """Returns the directories and archives that are searched, those that take precedence first."""
        native = self.place.library
        return self._texts(native.bspscene_file_system_search_path,
                           native.bspscene_source_file_system(self.place.handle))

    @staticmethod
    def _texts(ask: Callable[[int, int], bytes | None], handle: int) -> list[str]:
        found: list[str] = []
        while (text := ask(handle, len(found))) is not None:
            found.append(text.decode("utf-8", "replace"))
        return found


class OwnFiles:
    """Lets Python functions provide the files that a load reads. It is a context manager: exceptions of the functions
    are raised in the caller."""

    def __init__(self, options: abi.LoadOptions, open_file: OpenFile | None, list_files: ListFiles | None) -> None:
        self._find, self._list = open_file, list_files
        self._open_files: dict[int, bytes] = {}
        self._opened = 0
        self._close = abi.CloseFn(self._forget)
        self._failure: BaseException | None = None
        if open_file:
            options.open_file = abi.OpenFileFn(self._answer)
        if list_files:
            options.list_files = abi.ListFilesFn(self._name)

    def _answer(self, _user: int | None, stream: Any, path: bytes | None, _kind: int) -> bool:
        assert self._find
        try:
            found = None if self._failure else self._find(text(path))
            content = None if found is None else bytes(memoryview(found))
        except BaseException as error:   # noqa: B036  (must not pass through C: it is raised again after the load)
            content, self._failure = None, error
        if content is None:
            return False
        self._opened += 1
        self._open_files[self._opened] = content
        stream.contents.data = ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p).value
        stream.contents.size, stream.contents.user, stream.contents.close = len(content), self._opened, self._close
        return True

    def _forget(self, number: int | None) -> None:
        self._open_files.pop(number or 0, None)

    def _name(self, _user: int | None, prefix: bytes | None, suffix: bytes | None, found: Any,
              found_user: int | None) -> None:
        assert self._list
        try:
            for name in () if self._failure else self._list(text(prefix), text(suffix)):
                found(found_user, name.encode())
        except BaseException as error:   # noqa: B036
            self._failure = error

    def __enter__(self) -> None:
        self._failure = None

    def __exit__(self, *_: object) -> None:
        if self._failure:
            raise self._failure from None
