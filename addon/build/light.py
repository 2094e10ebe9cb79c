"""Lights of the map -> Blender lights.

The games' compilers add `7500 * intensity / distance^2` to luxels of 0..255 at `distance` game units; a white surface
at 255 is white in the picture. Blender shows white where a white surface gets pi watts per square metre, and a lamp of
P watts gives P / (4 pi distance^2). So P = 4 pi * pi * d^2, d being the distance where the light is full white; suns
have pi times their light. Lights with a linear falloff are compared half way to where they end.
"""
import math

import bpy

from ..native import abi
from .blocks import Made
from .mesh import LINEAR

POINT_SCALE = 7500.0
GAMMA = 2.2


def _white_distance(light: abi.Light, overbright: float, metres: float) -> float:
    """Where the light on a white surface is 1, in metres."""
    stored = abs(light.intensity) * overbright
    if light.falloff == abi.FALLOFF_INVERSE_SQUARE:
        return math.sqrt(POINT_SCALE * stored / 255) * metres
    half_way = abs(light.intensity) / 2 * metres
    return half_way * math.sqrt((stored / 2 / 255) ** GAMMA)


def energy(light: abi.Light, overbright: float, metres: float) -> float:
    """Watts of a lamp, watts per square metre of a sun. Negative for lights that take light away."""
    overbright = overbright if overbright > 0 else 1.0
    if light.kind == abi.LIGHT_SUN or light.falloff == abi.FALLOFF_NONE:
        value = math.pi * (abs(light.intensity) * overbright / 255) ** GAMMA
    else:
        value = 4 * math.pi ** 2 * _white_distance(light, overbright, metres) ** 2
    return math.copysign(value, light.intensity)


def build(made: Made, name: str, record: abi.Light, overbright: float, metres: float) -> bpy.types.Light:
    kind = {abi.LIGHT_SPOT: "SPOT", abi.LIGHT_SUN: "SUN"}.get(record.kind, "POINT")
    light = made.new("lights", name, kind)
    light.color = [float(LINEAR[round(min(max(channel, 0.0), 1.0) * 255)]) for channel in record.color]
    light.energy = energy(record, overbright, metres)
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
