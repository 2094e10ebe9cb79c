#!/usr/bin/env python3
"""Attacks the maps below BSPSCENE_SHARED_DATA: shared_maps.py ATTACK [--seconds N]; exit code 77: skipped."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
LARGEST = 1 << 20  # one load of a larger map takes long with sanitizers; name it to the program to attack it


def main() -> int:
    folder = os.environ.get("BSPSCENE_SHARED_DATA", "")
    maps = sorted(path for path in Path(folder).rglob("*.bsp") if path.stat().st_size <= LARGEST) if folder else []
    if not maps:
        print("skipped: BSPSCENE_SHARED_DATA names no folder with maps")
        return SKIPPED
    return subprocess.run([*sys.argv[1:], *map(str, maps)]).returncode


if __name__ == "__main__":
    sys.exit(main())
