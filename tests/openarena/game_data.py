"""Real Quake III maps for the long tier: OpenArena's packages (GPL-2+). They are not part of this repository.

BSPSCENE_OPENARENA names the baseoa directory; scripts/test fetches the packages and sets it.
"""
from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77


def skip(reason: str) -> NoReturn:
    print("skipped: " + reason)
    sys.exit(SKIPPED)


def find_game() -> Path | None:
    """Returns the directory with OpenArena's pk3 files, if it exists."""
    named = os.environ.get("BSPSCENE_OPENARENA")
    return Path(named) if named and any(Path(named).glob("*.pk3")) else None


def fetch_game() -> Path | None:
    """Returns the directory as find_game does, but downloads the packages into build/openarena if needed and
    possible."""
    if find_game():
        return find_game()
    done = subprocess.run(["bash", "-c", "source scripts/lib/openarena.sh && fetch_openarena"], cwd=ROOT,
                          stdout=subprocess.PIPE, text=True)
    return None if done.returncode else Path(done.stdout.strip())


def find_maps(game: Path) -> dict[str, tuple[Path, str]]:
    """Finds every IBSP map. Returns its pk3 and its path inside the pk3, by the map's name. As in the engine, pk3 files
    are read in alphabetical order without case; if several have the map, the last one is used."""
    maps: dict[str, tuple[Path, str]] = {}
    for pk3 in sorted(game.glob("*.pk3"), key=lambda path: path.name.lower()):
        with zipfile.ZipFile(pk3) as archive:
            for entry in archive.namelist():
                folded = entry.lower()
                if folded.startswith("maps/") and folded.endswith(".bsp") and folded.count("/") == 1:
                    with archive.open(entry) as file:
                        if file.read(4) == b"IBSP":
                            maps[folded[5:-4]] = (pk3, entry)
    return dict(sorted(maps.items()))


def read_map(place: tuple[Path, str]) -> bytes:
    with zipfile.ZipFile(place[0]) as archive:
        return archive.read(place[1])


def extract_maps(game: Path, directory: Path) -> list[Path]:
    """Extracts all maps as loose files."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, place in find_maps(game).items():
        path = directory / (name + ".bsp")
        data = read_map(place)
        if not path.exists() or path.stat().st_size != len(data):
            path.write_bytes(data)
        paths.append(path)
    return paths
