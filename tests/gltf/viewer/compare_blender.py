#!/usr/bin/env python3
"""Blender shows a GLB that `convert` writes without options as three.js and `render` show it, from the same camera.
Blender's own importer reads the file, and Cycles draws it. (tests/fbx/fbx_light.py tests FBX, and uses this script for
drawing.)

    compare_blender.py --bspscene BUILD/bspscene [--real] [--out DIR] [--python PYTHON]
    blender -b --factory-startup --python compare_blender.py -- FILE OUT.png WIDTHxHEIGHT METERS "X Y Z PITCH YAW"

PYTHON has the module bpy and is started instead of Blender. The map is the atrium, or with --real those of
compare_light.py. Means of blocks of pixels are compared, because Cycles has no mipmaps. Needs numpy, Pillow, Blender,
node
with three.js and Chromium; exits 77 without."""

import argparse
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
BLOCK, NEAR, SAMPLES = 8, 8, 16
# The least share of blocks that look as in three.js. At least 0.977 was measured, and 0.941 where a grating is far
# away.
LEAST_NEAR = 0.93


def load(path):
    import bpy
    if path.endswith(".obj"):
        (bpy.ops.wm.obj_import if hasattr(bpy.ops.wm,"obj_import") else bpy.ops.import_scene.obj)(filepath=path)
    elif not path.endswith(".fbx"):
        bpy.ops.import_scene.gltf(filepath=path)
    elif bpy.app.version >= (5, 0):
        bpy.ops.wm.fbx_import(filepath=path)
    else:
        bpy.ops.import_scene.fbx(filepath=path)


def draw(path, out, size, meters, eye):
    """Runs inside Blender, and draws the file as imported. Only the tone curve is changed, as the manual explains."""
    import bpy
    import numpy
    from mathutils import Euler, Matrix
    numpy.bool = bool  # type: ignore  # Debian's glTF importer is older than its numpy
    bpy.ops.wm.read_factory_settings(use_empty=True)
    load(path)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.pixel_filter_type = SAMPLES, False, "BOX"
    scene.cycles.transparent_max_bounces = 16
    scene.render.resolution_x, scene.render.resolution_y = map(int, size.split("x"))
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGB"
    scene.render.dither_intensity = 0
    scene.view_settings.view_transform = "Standard"
    meters = float(meters)
    x, y, z, pitch, yaw = (float(value) for value in eye.split())
    data = bpy.data.cameras.new("eye")
    data.sensor_fit, data.angle = "HORIZONTAL", math.radians(90)
    data.clip_start, data.clip_end = 4 * meters, 1e5 * meters
    camera = bpy.data.objects.new("eye", data)
    turn = Euler((math.radians(90 - pitch), 0, math.radians(yaw - 90))).to_matrix().to_4x4()
    camera.matrix_world = Matrix.Translation([value * meters for value in (x, y, z)]) @ turn
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.filepath = out
    bpy.ops.render.render(write_still=True)


def meters_per_unit(glb):
    import json
    import struct
    with open(glb, "rb") as file:
        length, = struct.unpack("<12xI4x", file.read(20))
        return json.loads(file.read(length))["asset"]["extras"]["metersPerUnit"]


def command_of(python):
    if python:
        return [python, __file__]
    blender = shutil.which(os.environ.get("BSPSCENE_BLENDER", "blender"))
    if not blender:
        print("skipped: Blender is not there (Debian: blender)")
        sys.exit(SKIPPED)
    return [blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python", __file__]


def compare(comparison, command, one):
    """Returns the share of blocks of Blender's picture that agree with three.js and with `render`. Prints the
    table's row."""
    import numpy
    from compare_light import HEIGHT, STYLES, WIDTH, picture
    glb = comparison.convert(one, one.name + ".glb")

    def blocks(pixels):
        return pixels.reshape(HEIGHT // BLOCK, BLOCK, WIDTH // BLOCK, BLOCK, -1).mean(axis=(1, 3))

    # Only `render` draws the sky. Without any light, its picture shows nothing but the sky.
    game = comparison.render(one, one.name + "_game.png")
    sky = comparison.render(one, one.name + "_dark.png", *STYLES).max(axis=2, keepdims=True) > 0
    three, _ = comparison.view(one, glb)
    path = comparison.out / (glb.name + "_blender.png")
    arguments = ["--", glb, path, f"{WIDTH}x{HEIGHT}", str(meters_per_unit(glb)), " ".join(map(str, one.eye))]
    subprocess.run([*command, *arguments], check=True, stdout=subprocess.DEVNULL)
    seen = picture(path)
    drawn = ~(sky & (three.max(axis=2, keepdims=True) == 0))
    whole = blocks(drawn.astype(float))[:, :, 0] == 1

    def near(a, b):
        return float((numpy.abs(blocks(a) - blocks(b)).max(axis=2)[whole] <= NEAR).mean())

    share = near(seen, three)
    print(f"{one.name:24} {share:.3f} of blocks as in three.js, {near(seen, game):.3f} as in render "
          f"(three.js itself {near(three, game):.3f})", flush=True)
    if share < LEAST_NEAR:
        yield f"{one.name}: {share:.3f} of the blocks are within {NEAR} of three.js's"


def main():
    from compare_light import Comparison, fixtures, real_maps
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True, type=pathlib.Path)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--python")
    arguments = parser.parse_args()
    command = command_of(arguments.python)
    problems = []
    with tempfile.TemporaryDirectory() as work:
        out = arguments.out or pathlib.Path(work)
        out.mkdir(parents=True, exist_ok=True)
        comparison = Comparison(arguments.bspscene, out)
        for one in real_maps() if arguments.real else [next(fixtures())]:
            problems += compare(comparison, command, one)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    if "--" in sys.argv:
        draw(*sys.argv[sys.argv.index("--") + 1:])
    else:
        sys.exit(main())
