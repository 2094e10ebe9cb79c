#!/usr/bin/env python3
"""Makes sheets of pictures for choosing the default of --sky. Many programs first show a file so that all of it fits
into the view. The pictures show each map in this way, without a sky and with each kind of sky that adds a node.

    first_looks.py --bspscene BUILD/bspscene --out DIR [--maps NAME,...] [--programs NAME,...] [--python NAME=PYTHON]...
                   [--also MAP.bsp,X,Y,Z,PITCH,YAW]...

For each map a picture OUT/NAME_first_looks.png: a row for each sky, a column for each program of compare_programs.py.
The camera is in front, right and above, looks at the center of the file's bounds, and sees all of them; model-viewer
chooses its own camera. The share of pixels that the map covers is printed. The script never fails."""

import json
import math
import sys

SKIPPED = 77
try:
    import numpy as np
    from PIL import Image
    from compare_blender import meters_per_unit
    from compare_light import HEIGHT, WIDTH, Comparison, fixtures, real_maps
    from compare_programs import browser, chosen, command_line, shown
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

PITCH, YAW = 25, 150  # direction of the view in the game's degrees, pitch down


def document_of(glb):
    data = glb.read_bytes()
    return json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])


def eye_of(glb):
    """Returns X Y Z PITCH YAW in game units of a camera that sees all bounds of the file."""
    document, low, high = document_of(glb), np.full(3, np.inf), np.full(3, -np.inf)
    for node in document["nodes"]:
        moved = {"translation", "rotation", "scale", "matrix"} & set(node)
        if "mesh" not in node or moved:
            continue
        for primitive in document["meshes"][node["mesh"]]["primitives"]:
            accessor = document["accessors"][primitive["attributes"]["POSITION"]]
            low, high = np.minimum(low, accessor["min"]), np.maximum(high, accessor["max"])
    middle, radius = (low + high) / 2, np.linalg.norm(high - low) / 2
    distance = radius / math.sin(math.atan(0.75))
    pitch, yaw = math.radians(PITCH), math.radians(YAW)
    ahead = np.array([math.cos(pitch) * math.cos(yaw), -math.sin(pitch), -math.cos(pitch) * math.sin(yaw)])
    x, y, z = (middle - distance * ahead) / meters_per_unit(glb)
    return (x, -z, y, PITCH, YAW)


def look(comparison, programs, one):
    rows = []
    for sky in ("none", "cube", "surfaces"):
        glb = comparison.convert(one, f"{one.name}_{sky}.glb", "--sky", sky)
        eye, cells = eye_of(glb), []
        for name, command in programs:
            own = browser("--in", "model-viewer", "--own-look")
            out = comparison.out / f"{one.name}_{sky}_{name.replace(' ', '_')}.png"
            seen = shown((own if name == "model-viewer" else command)(glb, out, eye), out)
            cells.append(np.zeros((HEIGHT, WIDTH, 3), int) if seen is None else seen)
            background = cells[-1][0, 0]
            covered = (np.abs(cells[-1] - background).max(axis=2) > 8).mean()
            told = "nothing" if seen is None else f"{covered:.2f} is not background"
            print(f"{one.name:24} {sky:8} {name:18} {told}", flush=True)
        rows.append(np.hstack(cells))
    Image.fromarray(np.vstack(rows).astype(np.uint8)).save(comparison.out / f"{one.name}_first_looks.png")


def main():
    arguments, programs = command_line(__doc__)
    if not arguments.out:
        sys.exit("--out DIR is wanted: the sheets are all there is")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for one in chosen([*fixtures(), *real_maps()], arguments):
        look(Comparison(arguments.bspscene, arguments.out), programs, one)
    return 0


if __name__ == "__main__":
    sys.exit(main())
