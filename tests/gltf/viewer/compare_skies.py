#!/usr/bin/env python3
"""Makes a table of how three.js shows the sky of files, compared with `render`, from up to five positions in each map.

    compare_skies.py --bspscene BUILD/bspscene [--out DIR] [--maps NAME,...] [--skies KIND,...]
                     [--also MAP.bsp,X,Y,Z,PITCH,YAW]...

Places are player starts and items far from each other; the eye looks a little up, to where it sees the most sky.
Pictures are compared by the mean colors of blocks of 8x8 pixels. A cell has the share of blocks that differ from
`render` by at most 16 of 255: in the sky and elsewhere. Two columns come before these: the distance of the position
from the center of all positions, in game units, and the share of sky in the picture. --out keeps all pictures, and for
each map a sheet of them that begins with `render`'s. The script never fails."""

import argparse
import pathlib
import sys
import tempfile

SKIPPED = 77
try:
    import numpy as np
    from PIL import Image
    from compare_blender import meters_per_unit
    from compare_light import HEIGHT, STYLES, WIDTH, Comparison, Map, fixtures, real_maps
    from compare_programs import NEAR, blocks, browser, chosen, one_more, shown
    from first_looks import document_of
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

PLACES, PITCH, YAWS, LEAST_SKY, APART = 5, -12, (0, 90, 180, 270), 0.02, 64
ITEMS = ("item_", "weapon_", "ammo_", "monster_")
EYE_HEIGHT = 40  # height of the eye over an item, in game units


def positions_of(glb):
    """Yields the positions of player starts, cameras and items, in game units."""
    meters = meters_per_unit(glb)
    for node in document_of(glb)["nodes"]:
        x, y, z = (value / meters for value in node.get("translation", (0, 0, 0)))
        if "camera" in node:
            yield (x, -z, y)
        elif str(node.get("extras", {}).get("classname", "")).startswith(ITEMS):
            yield (x, -z, y + EYE_HEIGHT)


def spread(points):
    """Returns the indices of chosen points. The first is nearest to the center; each next one is farthest from all
    chosen ones."""
    nearest = np.linalg.norm(points - points.mean(axis=0), axis=1)
    order = [int(nearest.argmin())]
    nearest = np.full(len(points), np.inf)
    while len(order) < len(points):
        nearest = np.minimum(nearest, np.linalg.norm(points - points[order[-1]], axis=1))
        if nearest.max() < APART:
            break
        order.append(int(nearest.argmax()))
    return order


def sky_of(comparison, one):
    """Returns a mask of pixels that stay visible with all light styles off: the sky and glowing surfaces."""
    return comparison.render(one, one.name + "_dark.png", *STYLES).max(axis=2, keepdims=True) > 0


def looks(comparison, one, glb):
    points = np.array(list(positions_of(glb)))
    if not len(points):
        return
    found = 0
    for place in spread(points)[:3 * PLACES]:
        eyes = [Map(one.path, (*(round(value) + 0.5 for value in points[place]), PITCH, yaw), *one.options)
                for yaw in YAWS]
        skies = [sky_of(comparison, eye) for eye in eyes]
        best = max(range(len(eyes)), key=lambda index: skies[index].mean())
        if skies[best].mean() < LEAST_SKY:
            continue
        yield eyes[best], blocks(skies[best].astype(float))[:, :, 0] > 0.5, np.linalg.norm(
            points[place] - points.mean(axis=0))
        found += 1
        if found == PLACES:
            return


def compare(comparison, kinds, one):
    files = {kind: comparison.convert(one, f"{one.name}_{kind}.glb", "--sky", kind) for kind in kinds}
    draw, rows = browser(), []
    for number, (eye, sky, distance) in enumerate(looks(comparison, one, files[kinds[0]])):
        game = comparison.render(eye, f"{one.name}_{number}_game.png")
        cells, pictures = [], [game]
        for kind, glb in files.items():
            seen = shown(draw(glb, comparison.out / f"{one.name}_{number}_{kind}.png", eye.eye), comparison.out /
                         f"{one.name}_{number}_{kind}.png")
            pictures.append(np.zeros((HEIGHT, WIDTH, 3), int) if seen is None else seen)
            near = np.abs(blocks(pictures[-1]) - blocks(game)).max(axis=2) <= NEAR
            cells.append("-" if seen is None else f"{near[sky].mean():.2f}, {near[~sky].mean():.2f}")
        rows.append(np.hstack(pictures))
        print(f"| {one.name} | {distance:.0f} | {sky.mean():.2f} | {' | '.join(cells)} |", flush=True)
    if rows:
        Image.fromarray(np.vstack(rows).astype(np.uint8)).save(comparison.out / f"{one.name}_skies.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True, type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--maps", type=lambda text: text.split(","))
    parser.add_argument("--skies", type=lambda text: text.split(","), default=["cube", "surfaces"])
    parser.add_argument("--also", action="append", default=[], type=one_more)
    arguments = parser.parse_args()
    print(f"| map | from the middle | sky | {' | '.join(arguments.skies)} |")
    print("|---|---|---|" + "---|" * len(arguments.skies))
    with tempfile.TemporaryDirectory() as work:
        out = arguments.out or pathlib.Path(work)
        out.mkdir(parents=True, exist_ok=True)
        for one in chosen([*fixtures(), *real_maps()], arguments):
            compare(Comparison(arguments.bspscene, out), arguments.skies, one)
    return 0


if __name__ == "__main__":
    sys.exit(main())
