"""A map whose files come from a file system of the program's own (here: a folder): own_files.py atrium.bsp baseq3"""
import sys
from pathlib import Path

import bspscene

folder = Path(sys.argv[2])


def open_file(path: str) -> bytes | None:
    """A game path has no ".." in it, and "/" everywhere."""
    return (folder / path).read_bytes() if (folder / path).is_file() else None


scene = bspscene.load(sys.argv[1], open_file=open_file)
counts = scene.data.counts.contents
print(f"{counts.textures_found} textures, {counts.textures_missing} missing")
