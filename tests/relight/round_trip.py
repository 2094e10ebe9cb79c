#!/usr/bin/env python3
"""Bakes and relights real maps. If pages and light probes are not changed, the new map and the files next to it must be
the same, byte by byte. This is tested in every encoding. Maps are those of BSPSCENE_SHARED_DATA, BSPSCENE_OPENARENA and
BSPSCENE_NEXUIZ, and the fixtures' atriums.

round_trip.py PATH/TO/bspscene [--every N] [--encodings NAME,...]; exit code 77: skipped, with the reason.
"""
from __future__ import annotations

import argparse
import collections
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from real_maps import find_loose, find_maps  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
ENCODINGS = ["raw", "display", "hdr"]
# Messages of expected failures, which are those of relight for maps without luxels, and of bake for unsupported maps
# (Xbox 360).
UNLIT = ("never lit", "names no light of a map")
UNREAD = "big-endian Source map"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)


def read_map(place: tuple[Path, str]) -> bytes:
    path, inside = place
    if not inside:
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return archive.read(inside)


def read_beside(place: tuple[Path, str], ending: str) -> bytes | None:
    """Reads a file next to the map. `ending` follows the map's name: ".lit", "/lm_0000.tga"."""
    path, inside = place
    if not inside:
        return Path(str(path.with_suffix("")) + ending).read_bytes()
    with zipfile.ZipFile(path) as archive:
        wanted = inside[:-len(".bsp")] + ending
        return next((archive.read(name) for name in archive.namelist() if name.lower() == wanted.lower()), None)


def check_map(program: str, place: tuple[Path, str], encoding: str, work: Path) -> str:
    """Returns "identical", "unlit", "unread", or what is wrong."""
    path, inside = place
    chosen = ["--map", Path(inside).stem] if inside else []
    atlas, out = work / "atlas", work / "out" / "relit.bsp"
    for folder in (atlas, out.parent):
        shutil.rmtree(folder, ignore_errors=True)
    out.parent.mkdir()
    probes = ["--light-probes"] if encoding != "raw" else []
    baked = run(program, "bake", "--quiet", "--every-style", "--lightmap-encoding", encoding, *probes, *chosen, path,
                atlas)
    if baked.returncode:
        return "unread" if UNREAD in baked.stderr else "bake: " + " ".join(baked.stderr.split())
    relit = run(program, "relight", "--quiet", *chosen, path, atlas, out)
    if relit.returncode:
        words = " ".join(relit.stderr.split())
        return "unlit" if any(unlit in words for unlit in UNLIT) else "relight: " + words
    if out.read_bytes() != read_map(place):
        return "the map has other bytes"
    for beside in out.parent.rglob("*.*"):
        ending = str(beside.relative_to(out.parent))[len(out.stem):]
        if beside != out and beside.read_bytes() != read_beside(place, ending):
            return ending + " has other bytes"
    return "identical" if "nothing changed" in relit.stdout else "identical, but not said so"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--every", type=int, default=1, help="one of this many maps")
    parser.add_argument("--encodings", default=",".join(ENCODINGS))
    options = parser.parse_args()
    maps = find_maps()
    if not maps:
        print("skipped: neither BSPSCENE_SHARED_DATA, BSPSCENE_OPENARENA nor BSPSCENE_NEXUIZ has maps")
        return 77
    maps = (maps + list(find_loose(FIXTURES / "atrium")))[::options.every]
    results: collections.Counter[str] = collections.Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        for encoding in options.encodings.split(","):
            for place in maps:
                result = check_map(options.program, place, encoding, Path(work))
                known = result in ("identical", "unlit", "unread")
                results[f"{encoding}: {result if known else 'wrong'}"] += 1
                failed += not known
                if not known:
                    print(f"{place[0]} {place[1]}, {encoding}: {result}", flush=True)
    for result, count in sorted(results.items()):
        print(f"{result}: {count} of {len(maps)} maps")
    if not any(count for result, count in results.items() if result.endswith("identical")):
        print("no map came back: nothing was tested")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
