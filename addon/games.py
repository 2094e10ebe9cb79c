"""Games that are installed: in Steam's libraries and in the usual places. No bpy here; only names of files are read,
and Steam's list of libraries."""
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

MARKS = {"gameinfo.txt", "liblist.gam", "pak0.pak", "pak0.pk3"}
ENDINGS = (".pk3", "_dir.vpk")
DEEPEST = 3          # "Jedi Academy/GameData/base" is a game in a library
MOST_FOLDERS = 5000  # looked at, whatever is there
LARGEST_LIST = 1 << 20
PATH = re.compile(r'^\s*"(?:path|\d+)"[ \t]+"((?:[^"\\\n]|\\.)*)"', re.MULTILINE)


def installed(home: Path | None = None, environ: Mapping[str, str] | None = None,
              platform: str = sys.platform) -> list[Path]:
    """Directories with a game's files, each once."""
    home, environ = home or Path.home(), os.environ if environ is None else environ
    places = [library / "steamapps/common" for steam in steam_folders(home, environ, platform)
              for library in steam_libraries(steam)]
    return list(games_below([*places, *usual_places(home, environ, platform)]))


def steam_folders(home: Path, environ: Mapping[str, str], platform: str) -> list[Path]:
    if platform == "win32":
        programs = [environ.get(name) for name in ("ProgramFiles(x86)", "ProgramFiles")]
        return [Path(folder) / "Steam" for folder in programs if folder]
    if platform == "darwin":
        return [home / "Library/Application Support/Steam"]
    return [home / ".local/share/Steam", home / ".steam/steam",
            home / ".var/app/com.valvesoftware.Steam/.local/share/Steam",
            home / "snap/steam/common/.local/share/Steam"]


def usual_places(home: Path, environ: Mapping[str, str], platform: str) -> list[Path]:
    if platform == "win32":
        drive = Path(environ.get("SystemDrive", "C:") + "/")
        programs = [environ.get(name) for name in ("ProgramFiles(x86)", "ProgramFiles")]
        return [drive / "GOG Games", drive / "Games", *(Path(p) / "GOG Galaxy/Games" for p in programs if p)]
    if platform == "darwin":
        return [home / "Library/Application Support", Path("/Applications")]
    return [Path("/usr/share/games"), Path("/usr/local/share/games"), Path("/usr/local/games"), home / "GOG Games",
            home / "Games"]


def steam_libraries(steam: Path) -> list[Path]:
    """Steam's own folder and those that its list of libraries names, in the form of before 2021 or after."""
    libraries = [steam]
    try:
        with (steam / "steamapps/libraryfolders.vdf").open("rb") as file:
            told = file.read(LARGEST_LIST).decode("utf-8", "replace")
    except OSError:
        return libraries
    for value in PATH.findall(told):
        path = Path(re.sub(r"\\(.)", r"\1", value))
        if path.is_absolute() or re.match(r"[A-Za-z]:", str(path)):
            libraries.append(path)
    return libraries


def games_below(places: Iterable[Path]) -> Iterator[Path]:
    """Nothing below a game is looked at, unless it is a game too: Source's and Quake's lie beside each other."""
    waiting = [(place, 0) for place in places]
    seen: set[str] = set()
    while waiting and len(seen) < MOST_FOLDERS:
        folder, depth = waiting.pop(0)
        real = os.path.realpath(folder)
        if real in seen:
            continue
        seen.add(real)
        names, folders = _content(folder)
        if any(name in MARKS or name.endswith(ENDINGS) for name in names):
            yield folder
        elif depth < DEEPEST:
            waiting += [(child, depth + 1) for child in folders]


def _content(folder: Path) -> tuple[list[str], list[Path]]:
    """Names of files in lower case, and folders, ordered."""
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries if not entry.name.startswith("."))
    except OSError:
        return [], []
    return [name.lower() for name, is_folder in found if not is_folder], [folder / n for n, is_f in found if is_f]
