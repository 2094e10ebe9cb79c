"""Loads a map whose files come from the program's own file system (here: the current folder): own_files.py
maps/atrium.bsp"""
import sys
from pathlib import Path

import bspscene


def open_file(path: str) -> bytes | None:
    """A game path is relative, never contains "..", and uses "/" on every system."""
    return Path(path).read_bytes() if Path(path).is_file() else None


scene = bspscene.load(sys.argv[1], open_file=open_file)
counts = scene.data.counts.contents
print(f"{counts.textures_found} textures, {counts.textures_missing} missing")
