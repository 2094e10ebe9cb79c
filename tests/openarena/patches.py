#!/usr/bin/env python3
"""Checks the triangles of curved patches in every OpenArena map. Patches that share a border must have no cracks
between them, and triangles must be close to the curved surface.

patches.py PATH/TO/test_patch_maps; exit code 77: skipped, with the reason.
"""
from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import game_data  # noqa: E402


def main() -> int:
    game = game_data.find_game()
    if not game:
        game_data.skip("BSPSCENE_OPENARENA names no directory with pk3 files; scripts/test fetches the packages")
    with tempfile.TemporaryDirectory(prefix="bspscene-") as work:
        maps = game_data.extract_maps(game, Path(work))
        return subprocess.run([sys.argv[1], *map(str, maps)]).returncode


if __name__ == "__main__":
    sys.exit(main())
