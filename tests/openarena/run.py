#!/usr/bin/env python3
"""Tests every IBSP map of OpenArena. `info --json` and `convert` must succeed, the Khronos validator must find nothing,
and counts must equal those of count_lumps.py.

run.py PATH/TO/bspscene [--maps N] [--every N]; exit code 77: skipped, with the reason.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import count_lumps  # noqa: E402
import game_data  # noqa: E402
import suns  # noqa: E402

COUNTED = ["models", "faces", "polygons", "patches", "meshes", "billboards", "entities", "brush_entities", "lights"]
GLTF_TESTS = Path(__file__).resolve().parents[1] / "gltf"


def run(command: list[str], **options) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, **options)


def has_validator() -> bool:
    """True if the Khronos validator is installed or could be installed."""
    if not shutil.which("node"):
        return False
    if (GLTF_TESTS / "node_modules/gltf-validator").is_dir():
        return True
    return bool(shutil.which("npm")) and not run(["npm", "install", "--silent", "--no-fund", "--no-audit",
                                                  "--prefix", str(GLTF_TESTS)]).returncode


def validate(glb: Path) -> list[str]:
    done = run(["node", str(GLTF_TESTS / "validate.mjs"), str(glb)])
    if not done.returncode:
        return []
    return ["validator: " + " ".join((done.stdout + done.stderr).split())[:300]]


def compare(info: dict, counted: dict) -> list[str]:
    problems = [f"{key}: {info['counts'][key]}, counted {counted[key]}" for key in COUNTED
                if info["counts"][key] != counted[key]]
    if info["vis"]["clusters"] != counted["clusters"]:
        problems.append(f"clusters: {info['vis']['clusters']}, counted {counted['clusters']}")
    if info["family"] != "quake3" or info["version"] != counted["version"]:
        problems.append(f"family {info['family']} version {info['version']}")
    return problems


def check_map(program: str, game: Path, name: str, counted: dict, validated: bool, work: Path) -> list[str]:
    """Returns everything that is wrong with a map, in words."""
    info = run([program, "info", str(game), "--map", name, "--json"])
    if info.returncode:
        return ["info: " + info.stderr.strip()[-300:]]
    problems = compare(json.loads(info.stdout), counted)
    glb = work / (name + ".glb")
    convert = run([program, "convert", str(game), str(glb), "--map", name, "--quiet"])
    if convert.returncode:
        return problems + ["convert: " + convert.stderr.strip()[-300:]]
    if validated:
        problems += validate(glb)
    glb.unlink()
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the bspscene command")
    parser.add_argument("--maps", type=int, help="only the first N")
    parser.add_argument("--every", type=int, default=1, help="one of this many maps")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    options = parser.parse_args()

    game = game_data.find_game()
    if not game:
        game_data.skip("BSPSCENE_OPENARENA names no directory with pk3 files; scripts/test fetches the packages")
    maps = game_data.find_maps(game)
    names = list(maps)[:options.maps:options.every]
    validated = has_validator()
    if not validated:
        print("the Khronos validator is not at hand (node and npm install it): outputs are not validated")

    started = time.monotonic()
    known_suns = suns.read_suns(game)
    failed: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="bspscene-") as work, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {}
        for name in names:
            data = game_data.read_map(maps[name])
            counted = count_lumps.count(data)
            counted["lights"] += suns.count_suns(data, known_suns)
            jobs[pool.submit(check_map, options.program, game, name, counted, validated, Path(work))] = name
        for job in concurrent.futures.as_completed(jobs):
            if job.result():
                failed[jobs[job]] = job.result()
    for name, problems in sorted(failed.items()):
        for problem in problems:
            print(f"{name}: {problem}")
    print(f"{len(names)} maps, {len(names) - len(failed)} as they should be, {time.monotonic() - started:.0f} s")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
