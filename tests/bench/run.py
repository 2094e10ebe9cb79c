#!/usr/bin/env python3
"""Runs the bench over all OpenArena maps, or over the fixtures when those cannot be had: run.py BENCH [--rounds N]
With --source first: over the Source maps below $BSPSCENE_SHARED_DATA, if there are any."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "openarena"))
import game_data  # noqa: E402


def find_maps() -> list:
    game = game_data.fetch_game()
    if game:
        return game_data.extract_maps(game, game_data.ROOT / "build/openarena/maps")
    print("measuring the fixtures alone")
    return sorted((HERE.parent / "fixtures/atrium").glob("*/maps/*.bsp"))


def find_source_maps() -> list:
    return sorted(Path(os.environ.get("BSPSCENE_SHARED_DATA", "nowhere")).glob("maps/source/*.bsp"))


def main() -> int:
    source = "--source" in sys.argv[1:]
    maps = find_source_maps() if source else find_maps()
    if not maps:
        print("no Source maps below BSPSCENE_SHARED_DATA: not measured")
        return 0
    return subprocess.run([a for a in sys.argv[1:] if a != "--source"] + [str(path) for path in maps]).returncode


if __name__ == "__main__":
    sys.exit(main())
