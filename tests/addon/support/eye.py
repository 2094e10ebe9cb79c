"""Code that tests of rendering in Blender share: drawing pictures like those of an engine, and measuring how similar
two pictures are."""
import math
from collections.abc import Sequence

import bpy
import numpy
from blender_support import METERS
from io_scene_bspscene.build.objects.node import CAMERA_AXES
from mathutils import Matrix

WIDTH, HEIGHT, FOV = 640, 480, 90.0


def turned(pitch: float, yaw: float, roll: float = 0.0) -> Matrix:
    """Returns the rotation for angles in degrees as in games: pitch down, yaw from +X."""
    turn = Matrix()
    for degrees, axis in ((yaw, "Z"), (pitch, "Y"), (roll, "X")):
        turn = turn @ Matrix.Rotation(math.radians(degrees), 4, axis)
    return turn


def set_up_picture(engine: str, origin: Sequence[float], turn: Matrix, samples: int = 4) -> None:
    """Sets up rendering like that of an engine: only the light of materials, no tone curve, and a pixel filter as wide
    as one pixel."""
    scene = bpy.context.scene
    scene.render.engine = engine
    if engine == "CYCLES":
        scene.cycles.samples, scene.cycles.max_bounces, scene.cycles.use_denoising = samples, 1, False
        scene.cycles.pixel_filter_type = "BOX"
        scene.cycles.transparent_max_bounces = 16
    else:
        scene.eevee.taa_render_samples = samples
        scene.render.filter_size = 0.8
        if hasattr(scene.eevee, "gi_cubemap_resolution"):
            scene.eevee.gi_cubemap_resolution = "64"   # the least quality, because the sky must not light anything here
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = WIDTH, HEIGHT, 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.dither_intensity = 0
    scene.view_settings.view_transform = "Standard"
    data = bpy.data.cameras.new("eye")
    data.sensor_fit = "HORIZONTAL"
    data.angle, data.clip_start, data.clip_end = math.radians(FOV), 4 * METERS, 1000
    eye = bpy.data.objects.new("eye", data)
    eye.matrix_world = Matrix.Translation([c * METERS for c in origin]) @ turn @ CAMERA_AXES
    scene.collection.objects.link(eye)
    scene.camera = eye


def pixels(path: str) -> numpy.ndarray:
    """Returns the display values 0..255 of a PNG, bottom row first."""
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    values = numpy.empty(image.size[0] * image.size[1] * 4, numpy.float32)
    image.pixels.foreach_get(values)
    rows = values.reshape(image.size[1], image.size[0], 4)[:, :, :3] * 255
    bpy.data.images.remove(image)
    return rows


def averaged(rows: numpy.ndarray) -> numpy.ndarray:
    """Halves the size, so that filtering and edges matter little."""
    return rows.reshape(HEIGHT // 2, 2, WIDTH // 2, 2, 3).mean((1, 3))


def within8(ours: numpy.ndarray, wanted: numpy.ndarray) -> float:
    """Returns the share of pixels in which no channel differs by more than 8 of 255."""
    return float((numpy.abs(ours - wanted).max(axis=2) <= 8).mean())
