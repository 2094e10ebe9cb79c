#!/usr/bin/env python3
"""Babylon.js, model-viewer and PlayCanvas show a file that `convert` writes without options as three.js shows it, from
the same camera. A compressed file looks like an uncompressed one, in each viewer that can read it without a network.

    compare_viewers.py --bspscene BUILD/bspscene [--out DIR] VIEWER...

Means of blocks of pixels are compared, because viewers filter textures differently. model-viewer chooses its own near
plane, which hides surfaces close to the camera; such blocks are not compared. Needs numpy, Pillow, node
and Chromium with the viewers; exits 77 without."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    import numpy as np
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

HERE = pathlib.Path(__file__).resolve().parent
MAP = HERE.parents[1] / "fixtures/atrium/quake3/maps/atrium.bsp"
EYE, SIZE, BLOCK = "32 -480 378 20 135", (320, 240), 8
NEAR = 8             # blocks are alike if no channel differs by more than this, of 255
LEAST_NEAR = 0.95    # this share of the drawn blocks must be as in three.js; 0.992, 0.981 and 1.0 were measured
LEAST_DRAWN = 0.75   # a viewer must draw this share of all blocks; model-viewer draws 0.80
LEAST_KEPT = 0.99    # this share of the drawn blocks must be alike before and after compression; 1.0 was measured
THREE = "three"
# With --lighting baked, textures are less sharp. At least the share LEAST_LIT of the blocks must differ by at most
# LIT_NEAR of 255.
LIT, LIT_NEAR, LEAST_LIT = "lit", 16, 0.95
# Kinds of compressed files, with the viewers that show them. None means all viewers.
KINDS = {"webp": None, "jpeg": (THREE,), "meshopt": (THREE,)}


def view(glb, path, viewer):
    """Draws the file in a viewer. Returns the mean color of each block of pixels."""
    options = [] if viewer == THREE else ["--in", viewer]
    done = subprocess.run(["node", HERE / "view.mjs", glb, path, "--size", "{}x{}".format(*SIZE), "--eye=" + EYE,
                           *options], stdout=subprocess.PIPE, text=True)
    if done.returncode == SKIPPED:
        print(done.stdout.strip())
        sys.exit(SKIPPED)
    done.check_returncode()
    pixels = np.asarray(Image.open(path).convert("RGB").resize(SIZE)).astype(float)
    return pixels.reshape(SIZE[1] // BLOCK, BLOCK, SIZE[0] // BLOCK, BLOCK, 3).mean(axis=(1, 3))


def nearness(seen, wanted, within=NEAR):
    """Returns the share of blocks that are drawn, and the share of these that are near the expected color."""
    drawn = seen.max(axis=2) > 1
    near = float((np.abs(seen - wanted).max(axis=2)[drawn] <= within).mean()) if drawn.any() else 0.0
    return float(drawn.mean()), near


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True, type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("viewers", nargs="+")
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as work:
        out = arguments.out or pathlib.Path(work)
        out.mkdir(parents=True, exist_ok=True)
        glb = out / "atrium.glb"
        subprocess.run([arguments.bspscene, "convert", MAP, glb, "--quiet"], check=True)
        plain = {viewer: view(glb, out / f"{viewer}.png", viewer) for viewer in (THREE, *arguments.viewers)}
        for viewer in arguments.viewers:
            drawn, near = nearness(plain[viewer], plain[THREE])
            print(f"{viewer}: {drawn:.3f} is drawn, {near:.3f} of that as in three.js")
            failed |= near < LEAST_NEAR or drawn < LEAST_DRAWN
        lit = out / "atrium_lit.glb"
        subprocess.run([arguments.bspscene, "convert", MAP, lit, "--quiet", "--lighting", "baked", "--sky", "none"],
                       check=True)
        for viewer in (THREE, arguments.viewers[0]):
            _, near = nearness(view(lit, out / f"{viewer}_{LIT}.png", viewer), plain[viewer], LIT_NEAR)
            print(f"{LIT}: {near:.3f} in {viewer} as with light in vertices")
            failed |= near < LEAST_LIT
        for kind, viewers in KINDS.items():
            small = out / f"atrium_{kind}.glb"
            subprocess.run([arguments.bspscene, "convert", MAP, small, "--quiet", "--compress-with", kind], check=True)
            for viewer in viewers or plain:
                _, kept = nearness(view(small, out / f"{viewer}_{kind}.png", viewer), plain[viewer])
                print(f"{kind}: {kept:.3f} in {viewer} as uncompressed")
                failed |= kept < LEAST_KEPT
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
