"""Finds installed real maps in the folders that the environment names."""
from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path


def find_folder(variable: str) -> Path | None:
    folder = Path(os.environ.get(variable, "/nowhere"))
    return folder if folder.is_dir() else None


def find_loose(folder: Path) -> Iterator[tuple[Path, str]]:
    """Finds maps that are files of their own. Each is returned as (path, "")."""
    return ((path, "") for path in sorted(folder.rglob("*.bsp")))


def find_packed(folder: Path) -> Iterator[tuple[Path, str]]:
    """Finds maps in packages. Each is returned as (package, path inside)."""
    for package in sorted(folder.glob("*.pk3")):
        with zipfile.ZipFile(package) as archive:
            for name in sorted(archive.namelist()):
                if name.lower().startswith("maps/") and name.lower().endswith(".bsp"):
                    yield package, name


def find_maps() -> list[tuple[Path, str]]:
    maps: list[tuple[Path, str]] = []
    data = find_folder("BSPSCENE_SHARED_DATA")
    for folder in (data / "maps", data / "atrium") if data else ():
        maps += find_loose(folder)
    for variable in ("BSPSCENE_OPENARENA", "BSPSCENE_NEXUIZ"):
        game = find_folder(variable)
        maps += find_packed(game) if game else []
    return maps
