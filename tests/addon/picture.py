"""Runs inside Blender: renders maps with Cycles from a camera of the map and compares with `bspscene render`.

    blender -b --factory-startup --python-exit-code 1 --python picture.py -- BSPSCENE MAP LEAST [MAP LEAST]...

LEAST is the share of pixels that must be within 8 of 255, both pictures averaged down by 2 so that filtering weighs
little.
"""
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bpy
import numpy
from mathutils import Matrix

ROOT = Path(__file__).resolve().parents[2]
_links = tempfile.TemporaryDirectory()
os.symlink(ROOT / "addon", Path(_links.name) / "bspscene")
sys.path.insert(0, _links.name)
os.environ.setdefault("BSPSCENE_LIBRARY", str(ROOT / "build/native/libbspscene.so"))

import bspscene  # noqa: E402
from bspscene.build.node import LOOK  # noqa: E402

WIDTH, HEIGHT, FOV = 640, 480, 90.0
ORIGIN, PITCH, YAW = (32.0, -480.0, 378.0), 20.0, 135.0   # eye in game units; degrees, pitch down, yaw from +X
METRES = 0.0254


def set_up(engine: str) -> None:
    """A picture like the engine's: no light but the materials' own, no tone curve, one sample filter a pixel wide."""
    scene = bpy.context.scene
    scene.render.engine = engine
    if engine == "CYCLES":
        scene.cycles.samples, scene.cycles.max_bounces, scene.cycles.use_denoising = 16, 0, False
        scene.cycles.pixel_filter_type = "BOX"
        scene.cycles.transparent_max_bounces = 16
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = WIDTH, HEIGHT, 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.dither_intensity = 0
    scene.view_settings.view_transform = "Standard"
    data = bpy.data.cameras.new("eye")
    data.sensor_fit = "HORIZONTAL"
    data.angle, data.clip_start, data.clip_end = math.radians(FOV), 0.05, 1000
    eye = bpy.data.objects.new("eye", data)
    turn = Matrix.Rotation(math.radians(YAW), 4, "Z") @ Matrix.Rotation(math.radians(PITCH), 4, "Y")
    eye.matrix_world = Matrix.Translation([c * METRES for c in ORIGIN]) @ turn @ LOOK
    scene.collection.objects.link(eye)
    scene.camera = eye


def pixels(path: str) -> numpy.ndarray:
    """Display values 0..255 of a PNG, averaged down by 2."""
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    values = numpy.empty(image.size[0] * image.size[1] * 4, numpy.float32)
    image.pixels.foreach_get(values)
    rows = values.reshape(image.size[1], image.size[0], 4)[:, :, :3] * 255
    bpy.data.images.remove(image)
    return rows.reshape(HEIGHT // 2, 2, WIDTH // 2, 2, 3).mean((1, 3))


def within8(map_path: str, program: str, folder: str) -> float:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    root = bspscene.import_map(map_path)
    for layer in bpy.context.view_layer.layer_collection.children[root.name].children:
        if layer.name == "Brush entities":
            layer.exclude = True   # --world-only
    set_up("CYCLES")
    ours, wanted = os.path.join(folder, "ours.png"), os.path.join(folder, "wanted.png")
    bpy.context.scene.render.filepath = ours
    bpy.ops.render.render(write_still=True)
    camera = ",".join(str(number) for number in (*ORIGIN, PITCH, YAW))
    subprocess.run([program, "render", map_path, wanted, "--size", f"{WIDTH}x{HEIGHT}", "--fov", str(FOV),
                    "--camera", camera, "--world-only", "--quiet"], check=True)
    return float((numpy.abs(pixels(ours) - pixels(wanted)).max(axis=2) <= 8).mean())


def main() -> int:
    program, *pairs = sys.argv[sys.argv.index("--") + 1:]
    failed = 0
    folder = os.environ.get("BSPSCENE_PICTURES") or tempfile.mkdtemp()
    for path, least in zip(pairs[::2], pairs[1::2]):
        share = within8(path, program, folder)
        print(f"within8 {share:.4f} (at least {least}): {path}")
        failed += share < float(least)
    return failed


if __name__ == "__main__":
    if main():
        raise SystemExit(1)
