#!/usr/bin/env python3
"""A file that `convert` writes without options looks in three.js like the game, seen from one of the map's cameras.

    compare_light.py --bspscene BUILD/bspscene [--real] [--out DIR]

The picture is compared pixel by pixel with two others. One shows the same map with lightmaps in three.js, with the
games' arithmetic and the viewers' filtering (page.mjs). The other is the picture of `render`, whose mean brightness
must be similar. `render` also shows where the sky is: only there may the picture be empty.

The maps are fixtures. With --real they are maps of OpenArena (from $BSPSCENE_OPENARENA), LibreQuake and GoldSrc (from
$BSPSCENE_SHARED_DATA), and fixtures of further families. A table shows the result, the triangles and the sizes of the
files. Needs numpy, Pillow, and node with three.js and Chromium; exits 77 without."""

import argparse
import json
import os
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
FIXTURES = HERE.parents[1] / "fixtures"
WIDTH, HEIGHT = 320, 240
# LEAST_NEAR is the least share of pixels that differ by at most NEAR of 255 from three.js's picture with lightmaps.
# MOST_EMPTY is the largest share of pixels that may be empty although `render` draws something there.
NEAR, LEAST_NEAR, MOST_EMPTY = 8, 0.98, 0.002
# The largest mean difference from `render`. It filters as games do, so distant fine patterns are darker there than in
# viewers.
MOST_DIFFERENCE = 10
# Limits for games whose light is brighter than white: the least share and the largest difference, as above. They are
# the measured values with a small margin. The vertex color COLOR_0 cannot exceed white, so the file has brightened
# textures. Even so, some light is lost at borders between bright and dark texels (gltf_gain.c).
LIMITS = {"goldsrc": (0.95, 6), "quake": (0.84, 9), "quake2_q2map": (0.69, 14), "quake3": (0.97, 9)}
# Limits for maps with reflections. The ceiling of this map reflects its surroundings (tcGen environment), which no
# texture can show, and fills the upper quarter of the view. The difference is 18.0 there, and 6.9 in the rest of the
# picture.
MIRRORING = {"oa_dm2": (LEAST_NEAR, 20)}
ATRIUM_EYE = (32, -480, 378, 20, 135)
STYLES = [option for style in range(64) for option in ("--lightstyle", f"{style}=0")]


class Map:
    def __init__(self, path, eye, *options):
        self.path, self.eye, self.options = path, eye, options

    @property
    def name(self):
        return self.options[1] if self.options else f"{self.path.parents[1].name}_{self.path.stem}"


def atrium(family, name):
    return Map(FIXTURES / "atrium" / family / "maps" / name, ATRIUM_EYE)


def fixtures():
    yield atrium("quake3", "atrium.bsp")
    yield atrium("goldsrc", "atrium_wad.bsp")
    yield atrium("quake", "atrium.bsp")
    yield atrium("quake2_q2map", "atrium.bsp")


def real_maps():
    shared = pathlib.Path(os.environ.get("BSPSCENE_SHARED_DATA") or "/nowhere")
    openarena = pathlib.Path(os.environ.get("BSPSCENE_OPENARENA") or "/nowhere")
    for name, camera in cameras_of(shared, "quake3", ("aggressor", "kaos2", "oa_dm2", "oa_minia", "pul1ctf")):
        if (openarena / camera["pk3"]).exists():
            yield Map(openarena / camera["pk3"], eye_of(camera), "--map", name)
    for game, names in (("quake", ("e0m8", "e4m3", "lq_e2m4")), ("goldsrc", ("Alleyways.a", "kino.a"))):
        for _, camera in cameras_of(shared, game, names):
            if (shared / camera["map"]).exists():
                yield Map(shared / camera["map"], eye_of(camera))
    yield atrium("eliteforce", "atrium.bsp")
    yield atrium("xonotic", "atrium.bsp")
    if (shared / "atrium/qfusion/maps/atrium.bsp").exists():
        yield Map(shared / "atrium/qfusion/maps/atrium.bsp", ATRIUM_EYE)


def cameras_of(shared, game, names):
    cameras = shared / "engine_frames" / game / "cameras.json"
    if cameras.exists():
        known = json.loads(cameras.read_text())
        yield from ((name, known[name]) for name in names if name in known)


def eye_of(camera):
    return (*camera["origin"], camera["pitch"], camera["yaw"])


def picture(path):
    return np.asarray(Image.open(path).convert("RGB")).astype(int)


class Comparison:
    def __init__(self, bspscene, out):
        self.bspscene, self.out = bspscene, out

    def convert(self, one, name, *options):
        path = self.out / name
        subprocess.run([self.bspscene, "convert", one.path, path, *one.options, *options, "--quiet"], check=True)
        return path

    def render(self, one, name, *options):
        path = self.out / name
        subprocess.run([self.bspscene, "render", one.path, path, *one.options, "--fov", "90", "--size",
                        f"{WIDTH}x{HEIGHT}", "--camera=" + ",".join(map(str, one.eye)), *options, "--quiet"],
                       check=True)
        return picture(path)

    def view(self, one, glb, *options):
        """Returns the picture, and the page's facts about the scene."""
        path = glb.with_suffix(".png")
        done = subprocess.run(["node", HERE / "view.mjs", glb, path, "--size", f"{WIDTH}x{HEIGHT}",
                               "--eye=" + " ".join(map(str, one.eye)), *options], stdout=subprocess.PIPE, text=True)
        if done.returncode == SKIPPED:
            print(done.stdout.strip())
            sys.exit(SKIPPED)
        done.check_returncode()
        facts = dict(pair.rsplit(" ", 1) for pair in done.stdout.strip().split(": ", 1)[1].split(", ") if
                     not pair.startswith("center"))
        return picture(path), facts

    def compare(self, one):
        """Prints the row of a map in the table, and yields its problems."""
        glb = self.convert(one, one.name + ".glb")
        seen, facts = self.view(one, glb)
        mapped_glb = self.convert(one, one.name + "_lightmap.glb", "--lighting", "lightmap")
        mapped, mapped_facts = self.view(one, mapped_glb, "--game", "linear")
        game = self.render(one, one.name + "_game.png")
        sky = self.render(one, one.name + "_dark.png", *STYLES).max(axis=2) > 0
        empty = seen.max(axis=2) == 0
        drawn = ~(empty & sky)
        near = float((np.abs(seen - mapped).max(axis=2)[drawn] <= NEAR).mean()) if drawn.any() else 0.0
        lost = float((empty & ~sky & (game.max(axis=2) > NEAR)).mean())
        off = float(np.abs(seen - game).max(axis=2)[drawn].mean()) if drawn.any() else 255.0
        print(f"{one.name:24} {near:.4f} near the game's in three.js, {off:4.1f} from render's; "
              f"{mapped_facts['triangles']} triangles become {facts['triangles']}, "
              f"{mapped_glb.stat().st_size / 1e6:.2f} MB {glb.stat().st_size / 1e6:.2f} MB", flush=True)
        if drawn.mean() < 0.2:
            yield f"{one.name}: {drawn.mean():.2f} of the picture is drawn"
        limits = [limit for game, limit in LIMITS.items() if one.path.parts[-4:-2] == ("atrium", game)]
        least_near, most_difference = limits[0] if limits else MIRRORING.get(one.name, (LEAST_NEAR, MOST_DIFFERENCE))
        if near < least_near:
            yield f"{one.name}: {near:.4f} of the pixels are within {NEAR} of the game's in three.js"
        if lost > MOST_EMPTY:
            yield f"{one.name}: {lost:.4f} of the picture is empty"
        if off > most_difference:
            yield f"{one.name}: differs from the game's picture by {off:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True, type=pathlib.Path)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    maps = list(real_maps() if arguments.real else fixtures())
    if not maps:
        print("skipped: neither BSPSCENE_OPENARENA nor BSPSCENE_SHARED_DATA has maps with cameras")
        return SKIPPED
    problems = []
    with tempfile.TemporaryDirectory() as work:
        out = arguments.out or pathlib.Path(work)
        out.mkdir(parents=True, exist_ok=True)
        comparison = Comparison(arguments.bspscene, out)
        for one in maps:
            problems += comparison.compare(one)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
