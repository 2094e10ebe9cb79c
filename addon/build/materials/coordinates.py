"""Computes the texture coordinates of a pass with one node. Its node group is the same for all passes, whatever
modifiers they have. So materials differ only in numbers, and EEVEE compiles one shader program for many of them.

The group applies these steps in this order: it turns v downward, applies an affine map, stretches and rotates about the
middle, adds turbulence, and applies a second affine map. Modifiers in another order get nodes of their own (stage.py).
"""
import math
from typing import NamedTuple

import bpy
from bspscene import abi

from ..data.blocks import Made
from .formulas import WAVE_NAMES, environment_group, still_wave, wave_group
from .shading import FLOAT, VECTOR, Tree, new_group

GROUP = "bspscene coordinates"
MIDDLE = (0.5, 0.5, 0.0)
TURBULENCE_SCALE = 0.125 / 128   # periods of the wave per game unit, from tr_shade_calc.c
PLACINGS = ("", "2nd ")           # prefixes of input names: the affine maps before and after the turbulence

Pair = tuple[float, float]


class Placing(NamedTuple):
    """An affine map of texture coordinates: (u, v) -> u * `u` + v * `v` + offset + seconds * scroll."""
    u: Pair = (1.0, 0.0)
    v: Pair = (0.0, 1.0)
    offset: Pair = (0.0, 0.0)
    scroll: Pair = (0.0, 0.0)

    def turned(self, pair: Pair) -> Pair:
        return (pair[0] * self.u[0] + pair[1] * self.v[0], pair[0] * self.u[1] + pair[1] * self.v[1])

    def then(self, other: "Placing") -> "Placing":
        moved, scrolled = other.turned(self.offset), other.turned(self.scroll)
        return Placing(other.turned(self.u), other.turned(self.v),
                       (moved[0] + other.offset[0], moved[1] + other.offset[1]),
                       (scrolled[0] + other.scroll[0], scrolled[1] + other.scroll[1]))

    def only_moves(self) -> bool:
        return (self.u, self.v) == ((1.0, 0.0), (0.0, 1.0))


def is_moving(wave: abi.Wave, animated: bool) -> bool:
    return animated and wave.frequency != 0 and wave.func in WAVE_NAMES


def _placing(mod, animated: bool) -> Placing | None:
    """Returns a modifier as an affine map, or None if it is not one."""
    v = mod.values
    if mod.kind == abi.TC_MOD_SCALE:
        return Placing((v[0], 0.0), (0.0, v[1]))
    if mod.kind == abi.TC_MOD_OFFSET:
        return Placing(offset=(v[0], v[1]))
    if mod.kind == abi.TC_MOD_SCROLL:
        return Placing(scroll=(v[0], v[1]) if animated else (0.0, 0.0))
    if mod.kind == abi.TC_MOD_TRANSFORM:
        return Placing((v[0], v[1]), (v[2], v[3]), (v[4], v[5]))
    if mod.kind == abi.TC_MOD_STRETCH and not is_moving(mod.wave, animated):
        wave = still_wave(mod.wave)
        scale = 1 / wave if abs(wave) > 1e-6 else 1.0
        return Placing((scale, 0.0), (0.0, scale), (0.5 - scale / 2, 0.5 - scale / 2))
    if mod.kind in (abi.TC_MOD_ROTATE, abi.TC_MOD_STRETCH, abi.TC_MOD_TURBULENCE):
        return Placing() if mod.kind == abi.TC_MOD_ROTATE and not animated else None
    return Placing()


def inputs_of(mods: list, animated: bool) -> dict | None:
    """Returns the group's inputs for these modifiers; None if their order differs from the group's."""
    before, behind = Placing(), Placing()
    given: dict[str, float | tuple[float, float, float]] = {}
    for mod in mods:
        placing = _placing(mod, animated)
        if placing is not None and not given:
            before = before.then(placing)
        elif placing is not None:
            behind = behind.then(placing)
        else:
            one = _turning(mod, animated)
            late = "Swing" in given or behind != Placing()
            if set(one) & set(given) or (late if "Swing" not in one else not behind.only_moves()):
                return None
            given.update(one)
    for prefix, placing in zip(PLACINGS, (before, behind)):
        for name, value, usual in zip(("U", "V", "Offset", "Scroll"), placing, Placing()):
            if value != usual:
                given[prefix + name] = (*value, 0.0)
    return given


def _turning(mod, animated: bool) -> dict:
    if mod.kind == abi.TC_MOD_ROTATE:
        return {"Turn": -math.radians(mod.values[0])}
    wave = mod.wave
    if mod.kind == abi.TC_MOD_TURBULENCE:
        return {"Swing": wave.amplitude, "Swing phase": wave.phase,
                "Swing frequency": wave.frequency if animated else 0.0}
    return {"Stretch base": wave.base, "Stretch phase": wave.phase, "Stretch frequency": wave.frequency,
            f"Stretch {WAVE_NAMES[wave.func].lower()}": wave.amplitude}


def coordinates_group(made: Made) -> bpy.types.NodeTree:
    group = bpy.data.node_groups.get(GROUP)
    if group is None:
        inputs: list[tuple] = [("Reflected", FLOAT, 0.0), ("Units", FLOAT)]
        for prefix in PLACINGS:
            inputs += [(prefix + "U", VECTOR, (1, 0, 0)), (prefix + "V", VECTOR, (0, 1, 0)),
                       (prefix + "Offset", VECTOR), (prefix + "Scroll", VECTOR)]
        inputs += [("Stretch base", FLOAT), *((f"Stretch {name.lower()}", FLOAT, 0.0) for name in
                                              ("Frequency", "Phase", *WAVE_NAMES.values()))]
        inputs += [(name, FLOAT, 0.0) for name in ("Turn", "Swing", "Swing phase", "Swing frequency")]
        group, tree, given, result = new_group(GROUP, made, inputs, [("UV", VECTOR)])
        time = tree.time()
        mesh = upside_down(tree, tree.add("ShaderNodeUVMap", uv_map="UVMap").outputs[0])
        mirror = tree.add("ShaderNodeGroup", node_tree=environment_group(made)).outputs["UV"]
        uv = _placed(tree, given, "", tree.mix(given["Reflected"], mesh, mirror), time)
        uv = _swung(tree, given, _turned(tree, given, _stretched(tree, given, uv, time), time), time)
        tree.link(upside_down(tree, _placed(tree, given, PLACINGS[1], uv, time)), result["UV"])
    return group


def _placed(tree: Tree, given, prefix: str, uv, time):
    u, v, _ = tree.separate(uv)
    turned = tree.vector("ADD", tree.scaled(given[prefix + "U"], u), tree.scaled(given[prefix + "V"], v))
    moved = tree.vector("ADD", given[prefix + "Offset"], tree.scaled(given[prefix + "Scroll"], time))
    return tree.vector("ADD", turned, moved)


def _stretched(tree: Tree, given, uv, time):
    wave = tree.add("ShaderNodeGroup", node_tree=wave_group(tree.made))
    tree.link(time, wave.inputs["Time"])
    for name in ("Frequency", "Phase", "Base", *WAVE_NAMES.values()):
        tree.link(given[f"Stretch {name.lower()}"], wave.inputs[name])
    scale = tree.math("DIVIDE", 1.0, wave.outputs["Value"])
    return tree.vector("ADD", tree.scaled(tree.vector("SUBTRACT", uv, MIDDLE), scale), MIDDLE)


def _turned(tree: Tree, given, uv, time):
    node = tree.add("ShaderNodeVectorRotate", rotation_type="Z_AXIS")
    tree.link(uv, node.inputs["Vector"])
    node.inputs["Center"].default_value = MIDDLE
    tree.link(tree.math("MULTIPLY", time, given["Turn"]), node.inputs["Angle"])
    return node.outputs[0]


def _swung(tree: Tree, given, uv, time):
    place = tree.scaled(tree.add("ShaderNodeTexCoord").outputs["Object"], given["Units"])
    now = tree.math("MULTIPLY_ADD", time, given["Swing frequency"], given["Swing phase"])
    moves = []
    for direction in ((1.0, 0.0, 1.0), (0.0, 1.0, 0.0)):
        at = tree.math("MULTIPLY_ADD", tree.vector("DOT_PRODUCT", place, direction), TURBULENCE_SCALE, now)
        moves.append(tree.math("MULTIPLY", tree.math("SINE", tree.math("MULTIPLY", at, math.tau)), given["Swing"]))
    return tree.vector("ADD", uv, tree.combine(moves[0], moves[1], 0.0))


def upside_down(tree: Tree, uv):
    return tree.vector("MULTIPLY_ADD", uv, (1.0, -1.0, 1.0), (0.0, 1.0, 0.0))
