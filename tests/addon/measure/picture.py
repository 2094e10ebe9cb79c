"""Runs inside Blender: renders maps with Cycles from a camera of the map, and compares them with `bspscene render`.

    blender -b --factory-startup --python-exit-code 1 --python picture.py -- BSPSCENE MAP LEAST [MAP LEAST]...

LEAST is the share of pixels that must be within 8 of 255, with both pictures reduced to half size, so that filtering
matters little.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from blender_support import addon  # noqa: E402
from eye import FOV, HEIGHT, WIDTH, averaged, pixels, set_up_picture, turned, within8  # noqa: E402

# The camera's position in game units, its pitch (downward) and its yaw (from +X) in degrees.
ORIGIN, PITCH, YAW = (32.0, -480.0, 378.0), 20.0, 135.0


def closeness(map_path: str, program: str, folder: str) -> float:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    root = addon.import_map(map_path)
    for layer in bpy.context.view_layer.layer_collection.children[root.name].children:
        if layer.name == "Brush entities":
            layer.exclude = True   # as `render --world-only` does
    set_up_picture("CYCLES", ORIGIN, turned(PITCH, YAW), samples=16)
    ours, wanted = os.path.join(folder, "ours.png"), os.path.join(folder, "wanted.png")
    bpy.context.scene.render.filepath = ours
    bpy.ops.render.render(write_still=True)
    camera = ",".join(str(number) for number in (*ORIGIN, PITCH, YAW))
    subprocess.run([program, "render", map_path, wanted, "--size", f"{WIDTH}x{HEIGHT}", "--fov", str(FOV),
                    "--camera", camera, "--world-only", "--quiet"], check=True)
    return within8(averaged(pixels(ours)), averaged(pixels(wanted)))


def main() -> int:
    program, *pairs = sys.argv[sys.argv.index("--") + 1:]
    failed = 0
    folder = os.environ.get("BSPSCENE_PICTURES") or tempfile.mkdtemp()
    for path, least in zip(pairs[::2], pairs[1::2]):
        share = closeness(path, program, folder)
        print(f"within8 {share:.4f} (at least {least}): {path}")
        failed += share < float(least)
    return failed


if __name__ == "__main__":
    if main():
        raise SystemExit(1)
