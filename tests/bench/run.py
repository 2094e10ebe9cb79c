#!/usr/bin/env python3
"""Runs a benchmark over all OpenArena maps, or over the fixtures without OpenArena: run.py BENCH [--rounds N]
The first argument may choose other maps:
--source: the Source maps below $BSPSCENE_SHARED_DATA, if there are any.
--textured: one large map of Quake and one of Quake II in BSPSCENE_SHARED_DATA, or else the fixtures of these games.
--models: four maps of OpenArena with many items, by their names in the game."""
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


def find_textured_maps() -> list:
    shared = Path(os.environ.get("BSPSCENE_SHARED_DATA", "nowhere"))
    maps = [shared / "maps/quake/librequake/maps/e3m4.bsp", shared / "maps/quake2/base1-test.bsp"]
    fixtures = [HERE.parent / f"fixtures/atrium/{game}/maps/atrium.bsp" for game in ("quake", "quake2_q2map")]
    return [path for path in maps if path.is_file()] or fixtures


def find_furnished_maps() -> list:
    game = game_data.fetch_game()
    return [game, "oa_minia", "kaos2", "ps37ctf", "oa_dm1"] if game else []


FINDERS = {"--models": find_furnished_maps, "--source": find_source_maps, "--textured": find_textured_maps}


def main() -> int:
    chosen = sys.argv[1] if sys.argv[1] in FINDERS else ""
    maps = FINDERS[chosen]() if chosen else find_maps()
    if not maps:
        print(f"{chosen or 'maps'}: none that could be had, not measured")
        return 0
    return subprocess.run(sys.argv[2 if chosen else 1:] + [str(path) for path in maps]).returncode


if __name__ == "__main__":
    sys.exit(main())
