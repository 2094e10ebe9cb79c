"""Lights of the map -> Blender lights.

Blender shows white where a white surface gets pi watts per square metre, and a lamp of P watts gives
P / (4 pi distance^2). So P = 4 pi * pi * light_at_100 * (100 game units)^2; suns have pi times their light
(bspscene.h).
"""
import math

import bpy

from ..native import abi
from .blocks import Made
from .mesh import LINEAR

REFERENCE = 100.0   # game units


def energy(light: abi.Light, metres: float) -> float:
    """Watts of a lamp, watts per square metre of a sun. Negative for lights that take light away. `metres` are those of
    a game unit where the lamp is: more in the 3D skybox, whose enlarged lamps Blender leaves as bright as they are."""
    if light.kind == abi.LIGHT_SUN:
        return math.pi * light.light_at_100
    return 4 * math.pi ** 2 * light.light_at_100 * (REFERENCE * metres) ** 2


def build(made: Made, name: str, record: abi.Light, metres: float) -> bpy.types.Light:
    kind = {abi.LIGHT_SPOT: "SPOT", abi.LIGHT_SUN: "SUN"}.get(record.kind, "POINT")
    light = made.new("lights", name, kind)
    light.color = [float(LINEAR[round(min(max(channel, 0.0), 1.0) * 255)]) for channel in record.color]
    light.energy = energy(record, metres)
    if kind == "SPOT":
        outer = min(max(record.outer_angle_degrees, 0.5), 90.0)
        light.spot_size = math.radians(2 * outer)
        light.spot_blend = 1 - min(max(record.inner_angle_degrees / outer, 0.0), 1.0)
    if record.radius > 0 and kind != "SUN":
        light.use_custom_distance = True
        light.cutoff_distance = record.radius * metres
    light["intensity"] = record.intensity
    light["style"] = record.style
    return light
