"""Converts lights of the map to Blender lights.

Blender shows white where a white surface gets pi watts per square meter, and a lamp of P watts gives
P / (4 pi distance^2). So P = 4 pi * pi * light * (100 game units)^2, where `light` is the light on a wall 100 game
units away. Suns have pi times their light (lighting.h).

If the scene has no linear_lights, the game's light is display light, clamped at white. Converted to linear light, it
fades with distance faster than a Blender lamp. So the two can be equally bright at only one distance: where the wall in
the game has the display value MATCHED.
"""
import math

import bpy
from bspscene import abi

from ..data.blocks import Made
from ..data.display import LINEAR

REFERENCE = 100.0   # distance in game units at which wall_light gives the light of a lamp
MATCHED = 0.7       # display value at which the game's lamp and Blender's are equally bright; from half white to white,
                    # they differ by at most a factor of 1.5
GAMMA = 2.2


def wall_light(light: abi.Light, is_linear: bool) -> float:
    """Returns the linear light of a lamp on a wall at the distance REFERENCE. The result is negative for lamps that
    darken."""
    given = abs(light.illuminance_at_100_units)
    if is_linear or given == 0 or light.falloff == abi.FALLOFF_NONE:
        return light.illuminance_at_100_units
    matched = MATCHED ** GAMMA
    if light.falloff == abi.FALLOFF_INVERSE_SQUARE:
        # illuminance_at_100_units is display light, in which white is 1 as in linear light.
        light_then = matched * given / MATCHED
    elif light.falloff == abi.FALLOFF_INVERSE:
        light_then = matched * (given ** (1 / GAMMA) / MATCHED) ** 2
    else:
        # Here illuminance_at_100_units is that of an inverse-square lamp that is as bright as this lamp at half of this
        # lamp's range.
        end = abs(light.intensity)
        full = 2 * (given * (2 * REFERENCE / end) ** 2) ** (1 / GAMMA)
        level = min(MATCHED, full / 2)
        light_then = level ** GAMMA * (end * (1 - level / full) / REFERENCE) ** 2
    return math.copysign(light_then, light.illuminance_at_100_units)


def energy(light: abi.Light, meters: float, is_linear: bool) -> float:
    """Returns the watts of a lamp, or the watts per square meter of a sun. `meters` is meters per game unit. It is
    larger in the 3D skybox, because Blender does not make a lamp brighter when its object is scaled up."""
    if light.kind == abi.LIGHT_SUN:
        return math.pi * light.illuminance_at_100_units
    return 4 * math.pi ** 2 * wall_light(light, is_linear) * (REFERENCE * meters) ** 2


def light_color(light: abi.Light) -> list[float]:
    """Returns the linear color of a lamp."""
    return [float(LINEAR[round(min(max(channel, 0.0), 1.0) * 255)]) for channel in light.color]


def kind_of(record: abi.Light) -> str:
    """Returns Blender's type of the lamp."""
    return {abi.LIGHT_SPOT: "SPOT", abi.LIGHT_SUN: "SUN"}.get(record.kind, "POINT")


def cone_of(record: abi.Light) -> tuple[float, float]:
    """Returns the angle and blend of a spot."""
    outer = min(max(record.outer_angle_degrees, 0.5), 90.0)
    return math.radians(2 * outer), 1 - min(max(record.inner_angle_degrees / outer, 0.0), 1.0)


def build(made: Made, name: str, record: abi.Light, meters: float, is_linear: bool) -> bpy.types.Light:
    kind = kind_of(record)
    light = made.new("lights", name, kind)
    light.color = light_color(record)
    light.energy = energy(record, meters, is_linear)
    if kind == "SPOT":
        light.spot_size, light.spot_blend = cone_of(record)
    if record.radius > 0 and kind != "SUN":
        light.use_custom_distance = True
        light.cutoff_distance = record.radius * meters
    light["intensity"] = record.intensity
    light["style"] = record.style
    return light
