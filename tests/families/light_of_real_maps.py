#!/usr/bin/env python3
"""Vertex light of real maps agrees with the light on lightmap pages. With the filter of tests/support/light, 999 of
1000 half luxels differ by at most 14.5 of 255, and all by at most 30. Real maps are needed, because fixtures are too
small to show some errors. Once, half luxels between close vertices were not corrected, and this test found it.

    light_of_real_maps.py BENCH_LIGHT [--every N]"""
from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from real_maps import find_maps  # noqa: E402

USUAL, LARGEST, SKIPPED = 14.5, 30.0, 77
LINE = re.compile(r" p99\.9 +([\d.]+), most +([\d.]+),")


def measure(program: str, place: Path, inside: str, folder: Path) -> str:
    """Returns bench_light's line for a map, or its error message. If `inside` is set, it names the map in the archive
    `place`."""
    path = place
    if inside:
        path = folder / Path(inside).name
        with zipfile.ZipFile(place) as archive:
            path.write_bytes(archive.read(inside))
    done = subprocess.run([program, str(path)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{path}: bench_light ended with {done.returncode}: {done.stderr}")
    return done.stdout.strip()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    maps = find_maps()[::options.every]
    if not maps:
        print("BSPSCENE_SHARED_DATA, BSPSCENE_OPENARENA and BSPSCENE_NEXUIZ name no maps")
        return SKIPPED
    divided = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for place, inside in maps:
            line = measure(options.program, place, inside, Path(folder))
            found = LINE.search(line)
            if not found:
                print(line)
                continue
            usual, largest = float(found[1]), float(found[2])
            divided += usual > 0
            if usual > USUAL or largest > LARGEST:
                failures += 1
                print(line)
    print(f"{len(maps)} maps, {divided} with light on pages, {failures} further off than is promised")
    return 1 if failures or not divided else 0


if __name__ == "__main__":
    sys.exit(main())
