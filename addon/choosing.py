"""Recognizes a chosen file before the import: its format and its game. No bpy here."""
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bspscene import library
from bspscene.files import GameFiles, Place
from bspscene.library import LibraryError, MapError
from bspscene.scene import Scene, load, text


class Taken(NamedTuple):
    """Facts about a chosen file. `title` is the title of its format, or "" if it has several maps. `game` is the
    directory of its game, or "". `maps` is the number of its maps. `refused` is the reason why it cannot be imported,
    or ""."""
    title: str = ""
    game: str = ""
    maps: int = 0
    refused: str = ""

    def game_name(self) -> str:
        """Returns the last two directories of the game's path, because the last one alone is often only "base"."""
        path = Path(self.game)
        return "/".join([part for part in path.parts if part != path.anchor][-2:])


def taken_for(path: str, wanted: str = "") -> Taken:
    """Recognizes an existing file; caches the last answer."""
    file = Path(path)
    try:
        stamp = file.stat()
    except OSError:
        return Taken(refused="no such file")
    return _taken(str(file), wanted, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=32)
def _taken(path: str, wanted: str, _time: int, _size: int) -> Taken:
    try:
        place = Place(path)
        count = len(place.maps())
        game = _game_of(place)
        if count > 1 and not wanted:
            return Taken(game=game, maps=count)
        scene = load(GameFiles(path, (), wanted), parts="entities")
    except (MapError, LibraryError) as error:
        return Taken(refused=str(error).removeprefix(f"{path}: "))
    return Taken(_title_of(scene), game, count)


def _game_of(place: Place) -> str:
    found = library.get().bspscene_source_game(place.handle)
    return text(found) if found else ""


def _title_of(scene: Scene) -> str:
    """Returns the title of a map's format, such as "Quake III Arena (IBSP 46)"."""
    native = library.get()
    families, number = native.bspscene_families(), 0
    while families[number]:
        family = families[number]
        index = 0
        while text(family.contents.name) == scene.family:
            name = native.bspscene_variant_name(family, index)
            if name is None:
                return text(family.contents.title)
            if text(name) == scene.variant:
                return text(native.bspscene_variant_title(family, index))
            index += 1
        number += 1
    return scene.variant
