"""Where a map and its textures and scripts are: a file or an archive, the game they belong to, and the places the user
named. No bpy here."""
import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from . import abi, library
from .library import MapError

ARCHIVES = (".pk3", ".pk4", ".pak", ".vpk", ".zip")   # what file browsers offer; what a file is, its content says
PROBED_SIZE = 4096
NAMED_MAPS = 8


def game_of(map_path: str) -> Path | None:
    """<game> of <game>/maps/x.bsp and <game>/maps/sub/x.bsp."""
    for parent in Path(map_path).resolve().parents:
        if parent.name.lower() == "maps":
            return parent.parent
    return None


def map_name(game_path: str) -> str:
    """The name players know: "atrium" of "maps/atrium.bsp"."""
    name = game_path[:-len(".bsp")] if game_path.lower().endswith(".bsp") else game_path
    return name[len("maps/"):] if name.lower().startswith("maps/") else name


def maps_in(path: str) -> list[str]:
    """Names of the maps in an archive or a game directory; none for anything else."""
    place = Path(path)
    if not _may_hold_maps(place):
        return []
    return [map_name(found) for found in _Mounts([place]).maps()]


def _may_hold_maps(place: Path) -> bool:
    """A directory, or a file that is no map itself: mounting it shows whether it is an archive."""
    if not place.is_file():
        return place.is_dir()
    try:
        with place.open("rb") as file:
            head = file.read(PROBED_SIZE)
    except OSError:
        return False
    return not library.get().bspscene_probe_as(head, len(head), None, 0)


class _Mounts:
    """Directories and archives; of equal names the one mounted last counts."""

    def __init__(self, places: Iterable[Path]) -> None:
        self.library = library.get()
        self.handle = self.library.bspscene_files_create()
        if not self.handle:
            raise MemoryError("no memory for the list of game files")
        library.count_user(1)
        self.problems: list[str] = []
        for place in places:
            self._mount(place)

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.library.bspscene_files_free(self.handle)
            library.count_user(-1)

    def _mount(self, place: Path) -> None:
        error = abi.Error()
        mount = self.library.bspscene_files_mount_game if place.is_dir() else self.library.bspscene_files_mount
        mount(self.handle, os.fsencode(place), ctypes.byref(error))
        if error.status != abi.OK:
            self.problems.append(error.message.decode("utf-8", "replace"))

    def maps(self) -> list[str]:
        """Game paths of all maps, ordered by name."""
        found: dict[str, str] = {}

        def take(_user, path: bytes) -> None:
            name = path.decode("utf-8", "surrogateescape")
            found.setdefault(name.lower(), name)

        listing = abi.ListFilesFn(("bspscene_files_list", self.library))
        listing(self.handle, b"", b".bsp", abi.FoundFileFn(take), None)
        return [found[key] for key in sorted(found)]


class GameFiles:
    """The files of one load: the map named by `path`, or the one called `wanted` in the archive or game directory
    `path`, and what it may need. What is mounted later wins, so the map's own place comes last.

    Raises MapError when there is no such map in the place.
    """

    def __init__(self, path: str, search_paths: Iterable[str] = (), wanted: str = "") -> None:
        self.path = path
        self.map_path = ""   # in the archive; "" for a map that is a file
        place = Path(path)
        if _may_hold_maps(place):
            self.map_path = self._choose(_Mounts([place]), wanted)
        self._mounts = _Mounts([*map(Path, search_paths), *self._own_places(place)])
        self.problems = self._mounts.problems

    def _choose(self, place: _Mounts, wanted: str) -> str:
        if place.problems and not Path(self.path).is_dir():
            return ""   # neither map nor archive: loading it as a map says what it is
        names = {map_name(found).lower(): found for found in place.maps()}
        chosen = names.get(map_name(wanted).lower()) if wanted or len(names) != 1 else next(iter(names.values()))
        if chosen:
            return chosen
        shown = ", ".join([map_name(found) for found in names.values()][:NAMED_MAPS])
        shown += ", ..." if len(names) > NAMED_MAPS else ""
        if not names:
            raise MapError(f"{self.path}: no maps (*.bsp) in it", abi.ERROR_NOT_FOUND)
        if wanted:
            raise MapError(f"{self.path}: no map \"{wanted}\" in it; there is {shown}", abi.ERROR_NOT_FOUND)
        raise MapError(f"{self.path}: holds {len(names)} maps, choose one: {shown}", abi.ERROR_BAD_OPTIONS)

    def _own_places(self, place: Path) -> list[Path]:
        """The game of a map file; an archive and the game directory it lies in."""
        if not self.map_path:
            game = game_of(self.path)
            return [game] if game else []
        if place.is_dir():
            return [place]
        folder = place.resolve().parent
        others = [other for other in folder.iterdir() if other.suffix.lower() in ARCHIVES and other.name != place.name]
        return [folder, place] if others else [place]

    def name(self) -> str:
        """What the map is called: its file name without the ending."""
        return Path(self.map_path or self.path).stem

    def places(self) -> list[str]:
        """Searched directories and archives, best first."""
        found: list[str] = []
        while True:
            place = self._mounts.library.bspscene_files_place(self._mounts.handle, len(found))
            if place is None:
                return found
            found.append(place.decode("utf-8", "replace"))

    def answer(self, options: abi.LoadOptions) -> None:
        """Lets a load ask these files."""
        options.open_file = abi.OpenFileFn(("bspscene_files_open", self._mounts.library))
        options.list_files = abi.ListFilesFn(("bspscene_files_list", self._mounts.library))
        options.file_user = self._mounts.handle

    def open_map(self) -> abi.Stream:
        """The map in the archive; the load closes it."""
        stream = abi.Stream(struct_size=ctypes.sizeof(abi.Stream))
        opening = abi.OpenFileFn(("bspscene_files_open", self._mounts.library))
        if not opening(self._mounts.handle, ctypes.byref(stream), os.fsencode(self.map_path), abi.FILE_MAP):
            raise MapError(f"{self.path}: {self.map_path} cannot be read from the archive", abi.ERROR_IO)
        return stream
