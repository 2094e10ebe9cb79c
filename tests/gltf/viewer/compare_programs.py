#!/usr/bin/env python3
"""Makes a table of how all installed programs show maps: the files of `convert --sky cube`, from the same cameras as
`render`.

    compare_programs.py --bspscene BUILD/bspscene [--out DIR] [--maps NAME,...] [--programs NAME,...]
                        [--python NAME=PYTHON]... [--also MAP.bsp,X,Y,Z,PITCH,YAW]...

Pictures are compared by the mean colors of blocks of 8x8 pixels. A cell has the share of blocks that differ from
`render` by at most 16 of 255: in the whole picture, and in the part without sky. The sky is separate because files
contain it as a box at a finite distance. PYTHON has the module bpy and adds one more program. Maps are those of
compare_light.py --real, and those of --also, with position and direction of the camera in the game's units. --out keeps
all pictures, and for each map a sheet of them that begins with `render`'s. The script never fails; a program that is
not installed, or draws nothing, has "-" in the table."""

import argparse
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
try:
    import numpy as np
    from PIL import Image
    from compare_blender import meters_per_unit
    from compare_light import HEIGHT, STYLES, WIDTH, Comparison, Map, real_maps
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

HERE = pathlib.Path(__file__).resolve().parent
BLOCK, NEAR, SECONDS = 8, 16, 240
VERTICAL_FOV = math.degrees(2 * math.atan(0.75))


def browser(*options):
    def command(glb, out, eye):
        return ["node", HERE / "view.mjs", glb, out, "--size", f"{WIDTH}x{HEIGHT}", "--eye=" + " ".join(map(str, eye)),
                *options]
    return command


def blender(*start):
    def command(glb, out, eye):
        return [*start, "--", glb, out, f"{WIDTH}x{HEIGHT}", str(meters_per_unit(glb)), " ".join(map(str, eye))]
    return command


def f3d(glb, out, eye):
    x, y, z, pitch, yaw = eye
    meters = meters_per_unit(glb)
    pitch, yaw = math.radians(pitch), math.radians(yaw)
    position = np.array([x, z, -y]) * meters
    ahead = np.array([math.cos(pitch) * math.cos(yaw), -math.sin(pitch), -math.cos(pitch) * math.sin(yaw)])
    places = [f"--camera-{name}=" + ",".join(f"{value:.6f}" for value in place) for name, place in
              (("position", position), ("focal-point", position + ahead), ("view-up", np.array([0, 1, 0])))]
    return ["xvfb-run", "-a", "f3d", glb, f"--output={out}", f"--resolution={WIDTH},{HEIGHT}", *places,
            f"--camera-view-angle={VERTICAL_FOV}"]


def programs_of(pythons):
    yield "three.js", browser()
    yield "Babylon.js", browser("--in", "babylon")
    yield "Babylon.js exact", browser("--in", "babylon", "--exact-srgb")
    yield "model-viewer", browser("--in", "model-viewer")
    yield "PlayCanvas", browser("--in", "playcanvas")
    yield "Filament", browser("--in", "filament")
    yield "Online3DViewer", browser("--in", "online-3d-viewer")
    if shutil.which("f3d") and shutil.which("xvfb-run"):
        yield "F3D", f3d
    executable = shutil.which(os.environ.get("BSPSCENE_BLENDER", "blender"))
    if executable:
        yield "Blender", blender(executable, "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                                 HERE / "compare_blender.py")
    for name, python in pythons:
        yield name, blender(python, HERE / "compare_blender.py")


def shown(command, out):
    """Returns the program's picture, or None. Some programs crash at their end, after they have written the picture."""
    out.unlink(missing_ok=True)
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    if not out.exists():
        return None
    return np.asarray(Image.open(out).convert("RGB").resize((WIDTH, HEIGHT))).astype(int)


def blocks(pixels):
    return pixels.reshape(HEIGHT // BLOCK, BLOCK, WIDTH // BLOCK, BLOCK, -1).mean(axis=(1, 3))


def compare(comparison, programs, one):
    glb = comparison.convert(one, one.name + ".glb", "--sky", "cube")
    game = comparison.render(one, one.name + "_game.png")
    sky = comparison.render(one, one.name + "_dark.png", *STYLES).max(axis=2, keepdims=True) > 0
    solid = blocks(sky.astype(float))[:, :, 0] == 0
    cells, pictures = [], [game]
    for name, command in programs:
        out = comparison.out / f"{one.name}_{name.replace(' ', '_')}.png"
        seen = shown(command(glb, out, one.eye), out)
        pictures.append(np.zeros_like(game) if seen is None else seen)
        if seen is None:
            cells.append("-")
            continue
        near = np.abs(blocks(seen) - blocks(game)).max(axis=2) <= NEAR
        cells.append(f"{near.mean():.2f}, {near[solid].mean() if solid.any() else 1:.2f}")
    Image.fromarray(np.hstack(pictures).astype(np.uint8)).save(comparison.out / f"{one.name}_sheet.png")
    print(f"| {one.name} | {' | '.join(cells)} |", flush=True)


def one_more(text):
    path, *eye = text.rsplit(",", 5)
    return Map(pathlib.Path(path).resolve(), tuple(map(float, eye)))


def command_line(description):
    """Reads the options of scripts that draw maps in many programs. Returns them and the chosen programs."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True, type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--maps", type=lambda text: text.split(","))
    parser.add_argument("--also", action="append", default=[], type=one_more)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--programs", type=lambda text: text.split(","))
    parser.add_argument("--python", action="append", default=[], type=lambda text: text.split("=", 1))
    arguments = parser.parse_args()
    programs = [(name, command) for name, command in programs_of(arguments.python)
                if not arguments.programs or name in arguments.programs]
    return arguments, programs


def chosen(maps, arguments):
    known = [one for one in maps if not arguments.maps or one.name in arguments.maps]
    return [*known, *arguments.also]


def main():
    arguments, programs = command_line(__doc__)
    print(f"| map | {' | '.join(name for name, _ in programs)} |\n|---|{'---|' * len(programs)}")
    with tempfile.TemporaryDirectory() as work:
        out = arguments.out or pathlib.Path(work)
        out.mkdir(parents=True, exist_ok=True)
        for one in chosen(real_maps(), arguments):
            compare(Comparison(arguments.bspscene, out), programs, one)
    return 0


if __name__ == "__main__":
    sys.exit(main())
