#!/usr/bin/env python3
"""Compares our pictures with the engines'.

    parity.py --bspscene BUILD/bspscene [--data DATA] [--openarena BASEOA] [--nexuiz DATA] [--ufoai BASE] [--out DIR]
              [--set SET] [--only NAME] [--kinds KIND,...]

The folder of --data (default: $BSPSCENE_SHARED_DATA) holds `engine_frames/<set>/cameras.json`, and next to it
NAME.<kind>.png or NAME.png: pictures of free maps that real engines drew. Their horizontal field of view is 90 degrees
unless the camera states another. The folders of the games are, by default, $BSPSCENE_OPENARENA, $BSPSCENE_NEXUIZ and
$BSPSCENE_UFOAI. For each kind of picture, KINDS has the options with which `bspscene render` shows the same. It uses
`--samples 1`, because the engines drew without antialiasing. Both pictures are reduced to half size, so that filtering
and edges matter little. `within8` is the share of pixels whose largest channel difference is at most 8 of 255.

Prints a table and writes difference pictures to --out. Fails if a set misses its bounds (BOUNDS below), or if
`within8` of a picture is below 0.90 and causes.json has no cause for that.
Needs numpy and Pillow."""

import argparse
import json
import os
import pathlib
import re
import statistics
import struct
import subprocess
import sys

import numpy as np
from PIL import Image

# The kinds of frames, with the options of `bspscene render` that draw the same.
KINDS = {
    "full": ["--world-only"],
    "lightmap": ["--world-only", "--mode", "lightmap"],
    "entities": [],               # shows brush entities as at the start of the map
    "light": ["--world-only"],    # drawn from a copy of the map with white textures
    "game": [],                   # in NAME.png; shows everything that the game shows
}
# The least allowed median and the least allowed minimum of the shares, by set and kind.
BOUNDS = {
    "goldsrc": {"lightmap": (0.99, 0.93), "full": (0.99, 0.93), "entities": (0.95, 0.95), "light": (0.99, 0.93)},
    "quake3": {"lightmap": (0.99, 0.94), "full": (0.99, 0.96)},
    "quake3_atrium": {"lightmap": (0.98, 0.0), "full": (0.95, 0.0)},
    "quake": {"lightmap": (0.97, 0.90), "full": (0.975, 0.90)},
    "quake2": {"lightmap": (0.97, 0.0), "full": (0.90, 0.0)},
    "nexuiz": {"lightmap": (0.99, 0.98), "full": (0.99, 0.93)},
    "id3_atrium": {"lightmap": (0.99, 0.99), "full": (0.99, 0.99)},
    "ufoai": {"game": (0.93, 0.93)},
}
# Options for sets whose engine ran with settings other than our defaults. GoldSrc had no pictures for the skies of two
# maps, so it drew them black; by default, we would draw a plain sky.
OPTIONS = {"quake2": ["--intensity", "1"], "goldsrc": ["--missing", "checker"], "id3_atrium": ["--pvs"]}
# The engine's time when it took the pictures, in seconds. It was not recorded. It was found by trial, as the time at
# which scrolling skies agree best. It is the same for all maps but one, which took longer to load. The lightmap
# pictures were taken after a restart of the renderer. In Quake's worst map, e1m8, clouds cover 0.40 of the pixels.
# 0.989 of the other pixels are within 8 of 255.
MOMENTS = {
    "quake": {"full": 3.15, "lq_e2m4.full": 4.05},
    "quake3": {"full": 2.1, "lightmap": 3.27},
    "quake3_atrium": {"full": 2.1, "lightmap": 3.27},
}
EXPLAIN_BELOW = 0.90
# The camera level that is requested from UFO:AI's engine. It shows no level above the highest one of the map.
LEVEL = 8
# Differences between the position of UFO:AI's camera and the intended one: x, y and z in game units. They were found
# by trial. The camera is half a pixel farther to the right, and in village also 90 units nearer to the map.
MOVED = {
    "bunker.a": (0.91, -0.525, 0), "harbour.a": (1.02, -0.59, 0), "dam.a": (1.57, -0.9, 0),
    "village.a": (32.8, 47.7, -64), "mine.a": (0.9, -0.52, 0), "office.a": (1.02, -0.59, 0),
}
# The corner where the engine writes its version on the picture. The part from this x and y on is left out.
CORNERS = {"goldsrc": (340, 460)}
SKIPPED = 77


def averaged(path):
    pixels = np.asarray(Image.open(path).convert("RGB"), np.float32)
    height, width = pixels.shape[0] // 2 * 2, pixels.shape[1] // 2 * 2
    return pixels[:height, :width].reshape(height // 2, 2, width // 2, 2, 3).mean((1, 3))


def compare(engine, ours, difference, corner):
    a, b = averaged(engine), averaged(ours)
    if a.shape != b.shape:
        raise SystemExit(f"{engine}: sizes differ: {a.shape} and {b.shape}")
    delta = np.abs(a - b)
    counted = np.ones(delta.shape[:2], bool)
    if corner:
        counted[corner[1] // 2:, corner[0] // 2:] = False
        delta[~counted] = 0
    worst = delta.max(2)[counted]
    Image.fromarray(np.clip(delta * 4, 0, 255).astype(np.uint8)).save(difference)
    return float(np.mean(worst <= 8)), float(np.mean(worst <= 16)), float(delta[counted].mean())


def with_white_textures(path, folder):
    """Copies a GoldSrc map with all colors of its textures' palettes white."""
    data = bytearray(path.read_bytes())
    textures, = struct.unpack_from("<i", data, 4 + 2 * 8)
    count, = struct.unpack_from("<i", data, textures)
    for offset in struct.unpack_from(f"<{count}i", data, textures + 4):
        if offset < 0:
            continue
        miptex = textures + offset
        name = data[miptex:miptex + 16].split(b"\0")[0].lower()
        width, height, pixels = struct.unpack_from("<IIi", data, miptex + 16)
        if pixels > 0 and not name.startswith(b"sky"):
            palette = miptex + 40 + width * height * 85 // 64 + 2
            shown = 255 if name.startswith(b"{") else 256
            data[palette:palette + shown * 3] = b"\xff" * shown * 3
    copy = folder / "white" / "maps" / path.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(data)
    return [str(copy), "--game", str(path.parent.parent)]


def render(arguments, source, camera, kind, picture, options, moved):
    origin = [value + more for value, more in zip(camera["origin"], moved)]
    view = [*origin, camera["pitch"], camera["yaw"], camera.get("roll", 0)]
    if kind == "light":
        source = with_white_textures(pathlib.Path(source[0]), arguments.out)
    command = [arguments.bspscene, "render", *source, str(picture), "--quiet", *KINDS[kind],
               "--size", "640x480", "--samples", "1", "--fov", str(camera.get("fov", 90)),
               "--camera=" + ",".join(str(value) for value in view), *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.returncode == 0, run.stderr.strip()


def highest_level(arguments, name):
    run = subprocess.run([arguments.bspscene, "entities", str(arguments.ufoai), "--map", name, "--quiet"],
                         capture_output=True, text=True, check=True)
    found = re.search(r'"maxlevel"\s+"(\d+)"', run.stdout)
    return min(int(found[1]), LEVEL) if found else LEVEL


def source_of(arguments, folder, name, camera):
    """Returns the command line arguments that name the map, or None if its data is missing."""
    if folder.name == "ufoai":
        if not arguments.ufoai or not (arguments.ufoai / "0maps.pk3").is_file():
            return None
        return [str(arguments.ufoai), "--map", camera["map"], "--level", str(highest_level(arguments, camera["map"]))]
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
        for kind in BOUNDS[folder.name]:
            if arguments.kinds and kind not in arguments.kinds:
                continue
            engine = folder / (f"{name}.png" if kind == "game" else f"{name}.{kind}.png")
            if not engine.is_file():
                continue
            ours = arguments.out / f"{folder.name}.{name}.{kind}.png"
            moments = MOMENTS.get(folder.name, {})
            moment = camera.get("time", moments.get(f"{name}.{kind}", moments.get(kind, 0)))
            options = [*OPTIONS.get(folder.name, []), "--time", str(moment)]
            for style in camera.get("lightstyles", []):
                options += ["--lightstyle", style]
            done, message = render(arguments, source, camera, kind, ours, options, MOVED.get(name, (0, 0, 0)))
            drawn = done and ours.is_file()
            scores = compare(engine, ours, ours.with_suffix(".diff.png"), CORNERS.get(folder.name)) \
                if drawn else (0.0, 0.0, 255.0)
            cause = causes.get(folder.name, {}).get(f"{name}.{kind}", "" if done else message)
            rows.append((name, kind, *scores, cause))
    return rows, skipped


def report(name, rows, skipped):
    failures = []
    print(f"\n## {name}\n\n{'frame':36} {'kind':9} within8 within16    mae  cause")
    for frame, kind, within8, within16, error, cause in sorted(rows, key=lambda row: (row[1], row[2])):
        print(f"{frame:36} {kind:9} {within8:7.4f}  {within16:7.4f} {error:6.2f}  {cause}")
        if within8 < EXPLAIN_BELOW and not cause:
            failures.append(f"{name}: {frame}.{kind}: {within8:.4f} and no cause known")
    for kind, (median, minimum) in BOUNDS[name].items():
        scores = [row[2] for row in rows if row[1] == kind]
        if not scores:
            continue
        print(f"{kind}: median {statistics.median(scores):.4f}, minimum {min(scores):.4f} of {len(scores)} frames")
        if statistics.median(scores) < median:
            failures.append(f"{name}: {kind}: median {statistics.median(scores):.4f} is below {median}")
        if min(scores) < minimum:
            failures.append(f"{name}: {kind}: minimum {min(scores):.4f} is below {minimum}")
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
    parser.add_argument("--ufoai", type=pathlib.Path, default=environment_path("BSPSCENE_UFOAI"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("parity"))
    parser.add_argument("--only", default="")
    parser.add_argument("--set", default="")
    parser.add_argument("--kinds", default=[], type=lambda text: text.split(","), help="of KINDS, all without it")
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
