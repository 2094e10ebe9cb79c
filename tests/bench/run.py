#!/usr/bin/env python3
"""Runs the bench over all OpenArena maps, or over the fixtures when those cannot be had: run.py BENCH [--rounds N]"""
from __future__ import annotations

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


if __name__ == "__main__":
    sys.exit(subprocess.run(sys.argv[1:] + [str(path) for path in find_maps()]).returncode)
