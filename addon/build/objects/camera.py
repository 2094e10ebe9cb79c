"""Makes Blender cameras of the map's cameras."""
import math

import bpy
from bspscene import abi

from ..data.blocks import Made

NEAR = 4.0   # near plane of the engines in game units


def build(made: Made, name: str, record: abi.Camera, meters: float, far: float) -> bpy.types.Camera:
    """Makes a camera. The field of view is horizontal for 4:3 pictures; wider pictures show more at the sides, as in
    today's engines."""
    camera = made.new("cameras", name)
    camera.sensor_fit = "VERTICAL"
    horizontal = math.radians(min(max(record.fov_degrees, 1.0), 170.0))
    camera.angle_y = 2 * math.atan(math.tan(horizontal / 2) * 3 / 4)
    camera.clip_start = NEAR * meters
    camera.clip_end = max(far, 100 * camera.clip_start)
    return camera
