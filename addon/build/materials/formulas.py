"""Node groups for what the engine computes from the view and the time. All materials share them: a group is one node in
each material, and Blender gets slower with every node."""
import math
from collections.abc import Callable

import bpy
from bspscene import abi

from ..data.blocks import Made
from .shading import FLOAT, VECTOR, Tree, new_group

ENVIRONMENT_GROUP = "bspscene reflection"
SPECULAR_GROUP = "bspscene specular"
WAVE_GROUP = "bspscene wave"
LIGHT = (-960.0, 1980.0, 96.0)   # position of the light for all specular highlights


def environment_group(made: Made) -> bpy.types.NodeTree:
    """Makes the group for coordinates of environment maps (RB_CalcEnvironmentTexCoords): y and z of the reflected view,
    with v downward."""
    group = bpy.data.node_groups.get(ENVIRONMENT_GROUP)
    if group is None:
        group, tree, _, result = new_group(ENVIRONMENT_GROUP, made, [], [("UV", VECTOR)])
        geometry = tree.add("ShaderNodeNewGeometry").outputs
        viewer, normal = geometry["Incoming"], geometry["Normal"]
        both = tree.math("MULTIPLY", tree.vector("DOT_PRODUCT", normal, viewer), 2.0)
        reflected = tree.separate(tree.vector("SUBTRACT", tree.scaled(normal, both), viewer))
        tree.link(tree.combine(tree.math("MULTIPLY_ADD", reflected[1], 0.5, 0.5),
                               tree.math("MULTIPLY_ADD", reflected[2], -0.5, 0.5), 0.0), result["UV"])
    return group


def specular_group(made: Made) -> bpy.types.NodeTree:
    """Makes the group for specular alpha (RB_CalcSpecularAlpha), with a fixed light position for all surfaces, in game
    units."""
    group = bpy.data.node_groups.get(SPECULAR_GROUP)
    if group is None:
        group, tree, given, result = new_group(SPECULAR_GROUP, made, [("Position", VECTOR)], [("Alpha", FLOAT)])
        geometry = tree.add("ShaderNodeNewGeometry").outputs
        to_light = tree.vector("NORMALIZE", tree.vector("SUBTRACT", LIGHT, given["Position"]))
        normal = geometry["Normal"]
        both = tree.vector("DOT_PRODUCT", normal, to_light)
        reflected = tree.vector("SUBTRACT", tree.scaled(normal, tree.math("MULTIPLY", both, 2.0)), to_light)
        seen = tree.math("MAXIMUM", 0.0, tree.vector("DOT_PRODUCT", reflected, geometry["Incoming"]))
        tree.link(tree.math("MINIMUM", 1.0, tree.math("POWER", seen, 4.0)), result["Alpha"])
    return group


# ---- Waves -----------------------------------------------------------------------------------------------------------

def _sine(tree: Tree, at):
    return tree.math("SINE", tree.math("MULTIPLY", at, math.tau))


def _square(tree: Tree, at):
    return tree.math("MULTIPLY_ADD", tree.math("LESS_THAN", at, 0.5), 2.0, -1.0)


def _triangle(tree: Tree, at):
    """Adds nodes for a triangle wave: 1 - 4 |fract(at + 1/4) - 1/2|."""
    moved = tree.math("SUBTRACT", tree.math("FRACT", tree.math("ADD", at, 0.25)), 0.5)
    return tree.math("MULTIPLY_ADD", tree.math("ABSOLUTE", moved), -4.0, 1.0)


def _sawtooth(_tree: Tree, at):
    return at


def _inverse_sawtooth(tree: Tree, at):
    return tree.math("SUBTRACT", 1.0, at)


WAVE_NAMES = {abi.WAVE_SIN: "Sine", abi.WAVE_SQUARE: "Square", abi.WAVE_TRIANGLE: "Triangle",
              abi.WAVE_SAWTOOTH: "Sawtooth", abi.WAVE_INVERSE_SAWTOOTH: "Falling sawtooth"}
# Functions that add the nodes of a wave. The nodes compute the wave's value from the position in its period, 0 to 1.
WAVES: dict[int, Callable] = {abi.WAVE_SIN: _sine, abi.WAVE_SQUARE: _square, abi.WAVE_TRIANGLE: _triangle,
                              abi.WAVE_SAWTOOTH: _sawtooth, abi.WAVE_INVERSE_SAWTOOTH: _inverse_sawtooth}


def wave_group(made: Made) -> bpy.types.NodeTree:
    """Makes the group for base + amplitude * func(phase + time * frequency), unclamped and clamped to 0..1. It adds all
    functions, each times an amplitude. A material sets one amplitude and leaves the others at 0. So materials differ
    only in numbers, and EEVEE compiles one shader for all of them."""
    group = bpy.data.node_groups.get(WAVE_GROUP)
    if group is None:
        inputs = [*((given, FLOAT) for given in ("Time", "Frequency", "Phase")), ("Base", FLOAT, 0.0),
                  *((name, FLOAT, 0.0) for name in WAVE_NAMES.values())]
        group, tree, given, result = new_group(WAVE_GROUP, made, inputs, [("Value", FLOAT), ("Cut", FLOAT)])
        at = tree.math("FRACT", tree.math("MULTIPLY_ADD", given["Time"], given["Frequency"], given["Phase"]))
        value = given["Base"]
        for func, formula in WAVES.items():
            value = tree.math("MULTIPLY_ADD", formula(tree, at), given[WAVE_NAMES[func]], value)
        tree.link(value, result["Value"])
        tree.link(tree.math("MINIMUM", 1.0, tree.math("MAXIMUM", 0.0, value)), result["Cut"])
    return group


def still_wave(wave: abi.Wave) -> float:
    """Returns the unclamped value of a wave at time 0."""
    return float(wave.base + wave.amplitude * _value_at(wave.func, wave.phase))


def _value_at(func: int, phase: float) -> float:
    at = phase - math.floor(phase)
    if func == abi.WAVE_SIN:
        return math.sin(at * math.tau)
    if func == abi.WAVE_SQUARE:
        return 1.0 if at < 0.5 else -1.0
    if func == abi.WAVE_TRIANGLE:
        return 1 - 4 * abs((at + 0.25) % 1 - 0.5)
    return {abi.WAVE_SAWTOOTH: at, abi.WAVE_INVERSE_SAWTOOTH: 1 - at}.get(func, 0.0)
