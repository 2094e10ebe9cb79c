#!/usr/bin/env python3
"""Compare our pictures with the engines' own.

    parity.py --bspscene BUILD/bspscene [--data DATA] [--openarena BASEOA] [--nexuiz DATA] [--out DIR] [--set SET]
              [--only NAME]

DATA (default: $BSPSCENE_SHARED_DATA; the games': $BSPSCENE_OPENARENA, $BSPSCENE_NEXUIZ) holds
`engine_frames/<set>/cameras.json` with NAME.full.png and NAME.lightmap.png beside it: pictures that real engines took
of free maps, brush entities hidden, horizontal field of view 90. For every frame the same view is rendered with
`bspscene render --world-only --samples 1` (the engines drew without antialiasing) and compared: both pictures are
averaged down by 2 (filtering and edges weigh little), and `within8` is the share of pixels whose largest channel
difference is at most 8 of 255.

Prints a table, writes difference pictures to --out and fails when a set misses its bounds (BOUNDS below). A map that
stays under 0.90 needs its cause in causes.json: an unexplained one fails.
Needs numpy and Pillow."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

import numpy as np
from PIL import Image

# set -> mode -> (median, minimum)
BOUNDS = {
    "quake3": {"lightmap": (0.99, 0.85), "full": (0.99, 0.93)},
    "quake3_atrium": {"lightmap": (0.98, 0.0), "full": (0.95, 0.0)},
    "quake": {"lightmap": (0.97, 0.0), "full": (0.90, 0.0)},
    "quake2": {"lightmap": (0.97, 0.0), "full": (0.90, 0.0)},
    "nexuiz": {"lightmap": (0.99, 0.85), "full": (0.99, 0.93)},
}
# What the engine was told when the pictures were taken, where it is not our default.
OPTIONS = {"quake2": ["--intensity", "1"]}
# The engine's clock when it took the pictures, in seconds: not recorded, found by trying (scrolling skies fit best
# there, the same for all maps). The lightmap picture was taken after the renderer had been restarted.
MOMENTS = {"quake3": {"full": 2.1, "lightmap": 3.27}, "quake3_atrium": {"full": 2.1, "lightmap": 3.27}}
EXPLAIN_BELOW = 0.90
SKIPPED = 77


def averaged(path):
    pixels = np.asarray(Image.open(path).convert("RGB"), np.float32)
    height, width = pixels.shape[0] // 2 * 2, pixels.shape[1] // 2 * 2
    return pixels[:height, :width].reshape(height // 2, 2, width // 2, 2, 3).mean((1, 3))


def compare(engine, ours, difference):
    a, b = averaged(engine), averaged(ours)
    if a.shape != b.shape:
        raise SystemExit(f"{engine}: sizes differ: {a.shape} and {b.shape}")
    delta = np.abs(a - b)
    worst = delta.max(2)
    Image.fromarray(np.clip(delta * 4, 0, 255).astype(np.uint8)).save(difference)
    return float(np.mean(worst <= 8)), float(np.mean(worst <= 16)), float(delta.mean())


def render(arguments, source, camera, mode, picture, options):
    view = [*camera["origin"], camera["pitch"], camera["yaw"], camera.get("roll", 0)]
    command = [arguments.bspscene, "render", *source, str(picture), "--quiet", "--world-only", "--mode", mode,
               "--size", "640x480", "--samples", "1", "--fov", "90",
               "--camera=" + ",".join(str(value) for value in view), *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.returncode == 0, run.stderr.strip()


def source_of(arguments, folder, name, camera):
    """Command line words that name the map, or None when its data are not here."""
    if "map" in camera:
        path = arguments.data / camera["map"]
        return [str(path)] if path.is_file() else None
    game = arguments.games.get(folder.name)
    return [str(game), "--map", camera.get("name", name)] if game else None


def run_set(arguments, folder, causes):
    rows, skipped = [], []
    for name, camera in json.loads((folder / "cameras.json").read_text()).items():
        source = source_of(arguments, folder, name, camera)
        if source is None:
            skipped.append(name)
            continue
        if arguments.only and arguments.only not in name:
            continue
        for mode in BOUNDS[folder.name]:
            engine = folder / f"{name}.{mode}.png"
            if not engine.is_file():
                continue
            ours = arguments.out / f"{folder.name}.{name}.{mode}.png"
            moment = MOMENTS.get(folder.name, {}).get(mode, 0)
            options = [*OPTIONS.get(folder.name, []), "--time", str(moment)]
            done, message = render(arguments, source, camera, mode, ours, options)
            drawn = done and ours.is_file()
            scores = compare(engine, ours, ours.with_suffix(".diff.png")) if drawn else (0.0, 0.0, 255.0)
            cause = causes.get(folder.name, {}).get(f"{name}.{mode}", "" if done else message)
            rows.append((name, mode, *scores, cause))
    return rows, skipped


def report(name, rows, skipped):
    failures = []
    print(f"\n## {name}\n\n{'frame':36} {'mode':9} within8 within16    mae  cause")
    for frame, mode, within8, within16, error, cause in sorted(rows, key=lambda row: (row[1], row[2])):
        print(f"{frame:36} {mode:9} {within8:7.4f}  {within16:7.4f} {error:6.2f}  {cause}")
        if within8 < EXPLAIN_BELOW and not cause:
            failures.append(f"{name}: {frame}.{mode}: {within8:.4f} and no cause known")
    for mode, (median, minimum) in BOUNDS[name].items():
        scores = [row[2] for row in rows if row[1] == mode]
        if not scores:
            continue
        print(f"{mode}: median {statistics.median(scores):.4f}, minimum {min(scores):.4f} of {len(scores)} frames")
        if statistics.median(scores) < median:
            failures.append(f"{name}: {mode}: median {statistics.median(scores):.4f} is below {median}")
        if min(scores) < minimum:
            failures.append(f"{name}: {mode}: minimum {min(scores):.4f} is below {minimum}")
    if skipped:
        print(f"skipped, maps not here: {', '.join(skipped)}")
    return failures


def environment_path(name):
    return pathlib.Path(os.environ[name]) if os.environ.get(name) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=environment_path("BSPSCENE_SHARED_DATA"))
    parser.add_argument("--openarena", type=pathlib.Path, default=environment_path("BSPSCENE_OPENARENA"))
    parser.add_argument("--nexuiz", type=pathlib.Path, default=environment_path("BSPSCENE_NEXUIZ"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("parity"))
    parser.add_argument("--only", default="")
    parser.add_argument("--set", default="")
    arguments = parser.parse_args()
    if not arguments.data or not (arguments.data / "engine_frames").is_dir():
        print("skipped: the engines' pictures are not here "
              "(BSPSCENE_SHARED_DATA names the folder that holds engine_frames)")
        return SKIPPED
    arguments.games = {"quake3": arguments.openarena, "nexuiz": arguments.nexuiz}
    arguments.out.mkdir(parents=True, exist_ok=True)
    causes = json.loads((pathlib.Path(__file__).parent / "causes.json").read_text())
    failures, count = [], 0
    for folder in sorted((arguments.data / "engine_frames").glob("*/")):
        if folder.name not in BOUNDS or (arguments.set and arguments.set != folder.name):
            continue
        rows, skipped = run_set(arguments, folder, causes)
        count += len(rows)
        failures += report(folder.name, rows, skipped)
    print()
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{count} pictures compared, {len(failures)} bounds missed; differences (times 4) in {arguments.out}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
