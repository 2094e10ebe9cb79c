"""Where a map's textures and scripts are: its own game directory and those the user named. No bpy here."""
import ctypes
from pathlib import Path
from typing import Iterable, List, Optional

from . import abi, library


def game_of(map_path: str) -> Optional[Path]:
    """<game> of <game>/maps/x.bsp and <game>/maps/sub/x.bsp."""
    for parent in Path(map_path).resolve().parents:
        if parent.name.lower() == "maps":
            return parent.parent
    return None


class GameFiles:
    """The directories and archives of one load. What is mounted later wins, so the map's own game comes last."""

    def __init__(self, map_path: str, search_paths: Iterable[str] = ()) -> None:
        self._library = library.get()
        self._files = self._library.bspscene_files_create()
        if not self._files:
            raise MemoryError("no memory for the list of game files")
        library.count_user(1)
        self.problems: List[str] = []
        for place in search_paths:
            self._mount(Path(place))
        own = game_of(map_path)
        if own:
            self._mount(own)

    def __del__(self) -> None:
        if getattr(self, "_files", None):
            self._library.bspscene_files_free(self._files)
            library.count_user(-1)

    def _mount(self, place: Path) -> None:
        error = abi.Error()
        mount = self._library.bspscene_files_mount_game if place.is_dir() else self._library.bspscene_files_mount
        mount(self._files, str(place).encode("utf-8", "surrogateescape"), ctypes.byref(error))
        if error.status != abi.OK:
            self.problems.append(error.message.decode("utf-8", "replace"))

    def places(self) -> List[str]:
        """Searched directories and archives, best first."""
        found: List[str] = []
        while True:
            place = self._library.bspscene_files_place(self._files, len(found))
            if place is None:
                return found
            found.append(place.decode("utf-8", "replace"))

    def answer(self, options: abi.LoadOptions) -> None:
        """Lets a load ask these files."""
        options.open_file = abi.OpenFileFn(("bspscene_files_open", self._library))
        options.list_files = abi.ListFilesFn(("bspscene_files_list", self._library))
        options.file_user = self._files
