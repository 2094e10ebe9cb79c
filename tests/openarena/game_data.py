"""Real Quake III maps for the slower tiers: OpenArena's packages (GPL-2+), fetched once into a cache directory.

Nothing of them is part of this repository. BSPSCENE_OPENARENA names a baseoa directory that is there already;
BSPSCENE_CACHE the directory to keep downloads in (default: ~/.cache/bspscene).
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Dict, NoReturn, Tuple

SKIPPED = 77

# Maps, and the textures and shaders they use.
PACKAGES = [
    "openarena-data", "openarena-081-maps", "openarena-081-textures", "openarena-081-misc", "openarena-081-players",
    "openarena-081-players-mature", "openarena-085-data", "openarena-088-data", "openarena-oacmp1",
]


def skip(reason: str) -> NoReturn:
    print("skipped: " + reason)
    sys.exit(SKIPPED)


def cache_directory() -> Path:
    named = os.environ.get("BSPSCENE_CACHE")
    return Path(named) if named else Path.home() / ".cache" / "bspscene"


def fetch_package(name: str, cache: Path, unpacked: Path) -> None:
    """Downloads and unpacks one package; the marker file says that both went well."""
    marker = unpacked / ("." + name)
    if marker.exists():
        return
    for old in cache.glob(name + "_*.deb"):
        old.unlink()
    done = subprocess.run(["apt-get", "download", "--quiet", name], cwd=cache, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    packages = sorted(cache.glob(name + "_*.deb"))
    if done.returncode or not packages:
        reason = done.stdout.strip().splitlines()[-1:] or ["no output"]
        skip(f"package {name} cannot be fetched ({reason[0]})")
    subprocess.run(["dpkg-deb", "-x", str(packages[0]), str(unpacked)], check=True)
    packages[0].unlink()
    marker.touch()


def find_game() -> Path:
    """The directory with OpenArena's pk3 files; ends the program as skipped when there is none."""
    named = os.environ.get("BSPSCENE_OPENARENA")
    if named:
        game = Path(named)
        if not any(game.glob("*.pk3")):
            skip(f"BSPSCENE_OPENARENA={named} holds no pk3 files")
        return game
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        skip("OpenArena's packages need apt-get, or BSPSCENE_OPENARENA naming a baseoa directory")
    cache = cache_directory()
    unpacked = cache / "openarena"
    unpacked.mkdir(parents=True, exist_ok=True)
    for name in PACKAGES:
        fetch_package(name, cache, unpacked)
    return unpacked / "usr/share/games/openarena/baseoa"


def find_maps(game: Path) -> Dict[str, Tuple[Path, str]]:
    """Every IBSP map as the engine finds it: name -> (pk3, path inside). Archives are read in alphabetical order,
    ignoring case, and what comes later wins."""
    maps: Dict[str, Tuple[Path, str]] = {}
    for pk3 in sorted(game.glob("*.pk3"), key=lambda path: path.name.lower()):
        with zipfile.ZipFile(pk3) as archive:
            for entry in archive.namelist():
                folded = entry.lower()
                if folded.startswith("maps/") and folded.endswith(".bsp") and folded.count("/") == 1:
                    with archive.open(entry) as file:
                        if file.read(4) == b"IBSP":
                            maps[folded[5:-4]] = (pk3, entry)
    return dict(sorted(maps.items()))


def read_map(place: Tuple[Path, str]) -> bytes:
    with zipfile.ZipFile(place[0]) as archive:
        return archive.read(place[1])


def extract_maps(game: Path, directory: Path) -> list:
    """All maps as loose files, for tools that read one file each."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, place in find_maps(game).items():
        path = directory / (name + ".bsp")
        data = read_map(place)
        if not path.exists() or path.stat().st_size != len(data):
            path.write_bytes(data)
        paths.append(path)
    return paths
