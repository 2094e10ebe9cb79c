"""Makes nodes that blend the passes of a material as the engine does, in display space.

The color of the background is not known. So the picture after each pass is written as A + B x background, and every
blendFunc keeps this form. A becomes emission, and B the color of a transparent shader.
"""
import math
from collections.abc import Callable
from typing import NamedTuple

import bpy
from bspscene import abi

from .coordinates import coordinates_group, inputs_of, is_moving, upside_down
from .formulas import WAVE_NAMES, environment_group, specular_group, still_wave, wave_group
from .shading import Color, Tree, in_turn, is_socket, lookup, rgb

MANY_STAGES = 4   # with this many passes or more, all but the first use the shared group for their coordinates
MAX_FRAMES = 16   # largest number of an animation's images; more would make the material slow
MEAN_DIRT = 0.40625   # mean weight of ALPHA_GEN_DIRT: used at all points, though games vary the weight by vertex
ADDING = (abi.BLEND_ONE, abi.BLEND_ONE)
OPAQUE = (abi.BLEND_ONE, abi.BLEND_ZERO)
MODULATING = ((abi.BLEND_DST_COLOR, abi.BLEND_ZERO), (abi.BLEND_ZERO, abi.BLEND_SRC_COLOR))
# Sources of coordinates that depend on the view. TC_GEN_SURROUND has six pictures, of which only the first is used.
REFLECTING = (abi.TC_GEN_ENVIRONMENT, abi.TC_GEN_REFLECTION, abi.TC_GEN_SURROUND)
MOVED = (abi.TC_GEN_TEXTURE, *REFLECTING)   # sources of coordinates that coordinates_group supports
IDENTITY = (abi.COLOR_GEN_IDENTITY, abi.COLOR_GEN_IDENTITY_LIGHTING)


class Surface(NamedTuple):
    """Values of the surface that its passes use."""
    images: Callable                 # takes the index of a scene image; returns a Blender image, None if it is missing
    frames: list[int]                # indexes of scene images; each pass uses a range of this list as its animation
    light: Callable                  # returns the display color of the section's light in one light style, or in all
                                     # styles for -1
    vertex: Callable                 # returns display color and alpha of the vertices
    is_lightmapped: bool
    meters: float
    filtering: str
    animated: bool
    uv: object = None                # coordinates of a sky, v downward; None: the mesh's coordinates
    position: object = None          # position of the point in game units
    page: object = None              # the whole lightmap page as the map stores it (map_page_image), for passes that
                                     # sample it elsewhere than at the surface's luxels; None: no such image


def blends(stage: abi.MaterialPass) -> tuple[int, int]:
    return stage.src_blend, stage.dst_blend


def looks_elsewhere(stage: abi.MaterialPass) -> bool:
    """True if the pass samples another part of the lightmap page than the surface's own. See bspscene_pass_input."""
    return stage.input == abi.PASS_INPUT_LIGHTMAP and (stage.tc_gen != abi.TC_GEN_LIGHTMAP or stage.tc_mod_count > 0)


def is_moved(stage: abi.MaterialPass) -> bool:
    """True if modifiers or the view change the coordinates."""
    return bool(stage.tc_mod_count) or stage.tc_gen in REFLECTING


def in_one_order(passes: list[abi.MaterialPass]) -> tuple[list[abi.MaterialPass], list[abi.MaterialPass]]:
    """Returns two lists: the passes in drawing order, and for each the pass whose blendFunc it is drawn with. If the
    first pass is the lightmap and the second a texture that multiplies it, the two change places but not their
    blendFuncs. The product is the same, and more materials share a shader program."""
    drawn = list(passes)
    if len(drawn) > 1 and drawn[0].input in (abi.PASS_INPUT_LIGHT, abi.PASS_INPUT_LIGHTMAP) and \
            drawn[1].input == abi.PASS_INPUT_IMAGE and blends(drawn[0]) == OPAQUE and \
            blends(drawn[1]) in MODULATING and \
            not any(looks_elsewhere(s) or s.alpha_test or s.depth_equal or s.light_style for s in drawn[:2]):
        drawn[:2] = reversed(drawn[:2])
    return drawn, passes


def is_plain(passes: list[abi.MaterialPass], base_image: int, frames: list[int]) -> bool:
    """True if the passes are only a texture multiplied by light, which needs no nodes for passes."""
    if len(passes) != 2:
        return False
    image = next((s for s in passes if s.input == abi.PASS_INPUT_IMAGE), None)
    light = next((s for s in passes if s.input in (abi.PASS_INPUT_LIGHT, abi.PASS_INPUT_LIGHTMAP)), None)
    if image is None or light is None or blends(passes[0]) != OPAQUE or blends(passes[1]) not in MODULATING:
        return False
    if image.frame_image_count != 1 or frames[image.first_frame_image] != base_image:
        return False
    if looks_elsewhere(light):
        return False
    return not (image.tc_mod_count or image.tc_gen != abi.TC_GEN_TEXTURE or light.light_style or any(
        s.color_gen not in IDENTITY or s.alpha_gen != abi.ALPHA_GEN_IDENTITY or s.alpha_test != abi.ALPHA_MODE_OPAQUE
        for s in passes))


class Stages:
    """Draws passes one after the other."""

    def __init__(self, tree: Tree, surface: Surface, styled: bool) -> None:
        self.tree, self.surface, self.styled = tree, surface, styled
        self.color: Color = 0.0           # color of the passes so far: the picture is color + behind * background
        self.behind: Color = 1.0          # the factor by which the background shows through
        self._depth = 0.0                 # where earlier passes wrote depth: 0 to 1, a number or a socket
        self._coordinates = self._time = self._position = None
        self._all_shared = False          # True: coordinates without modifiers are taken from the shared group too

    # ---- Order

    def draw(self, passes: list[abi.MaterialPass]) -> None:
        are_many = len(passes) >= MANY_STAGES and any(map(is_moved, passes))
        for number, (stage, blended_as) in enumerate(zip(*in_one_order(passes))):
            self._all_shared = are_many and number > 0
            if stage.input != abi.PASS_INPUT_VIDEO or stage.frame_image_count:
                self._blend(blended_as, *self._value(stage))

    def draw_light_alone(self, passes: list[abi.MaterialPass]) -> None:
        """Draws only the passes up to the first that uses the lightmap page, as the engines do for their lightmap-only
        picture. A pass with both texture and page shows only the page."""
        if len(passes) > 1 and _share_a_pass(passes[0], passes[1]) and not any(map(self._is_vertex_light, passes[:2])):
            one = passes[0] if self._is_page(passes[0]) and not self._is_page(passes[1]) else passes[1]
            color, alpha = self._source(one)
            self._blend(passes[0], color, alpha)
            if any(map(self._is_page, passes[:2])):
                return
            passes = passes[2:]
        for stage in passes:
            color, alpha = self._value(stage)
            if self._is_page(stage) and stage.color_gen == abi.COLOR_GEN_LIGHT:
                color = self.surface.light(-1)
            self._blend(stage, color, alpha)
            if self._is_page(stage):
                return

    def _is_page(self, stage: abi.MaterialPass) -> bool:
        lit = stage.input == abi.PASS_INPUT_LIGHT or stage.color_gen == abi.COLOR_GEN_LIGHT
        return stage.input == abi.PASS_INPUT_LIGHTMAP or (lit and self.surface.is_lightmapped)

    def _is_vertex_light(self, stage: abi.MaterialPass) -> bool:
        return stage.input == abi.PASS_INPUT_LIGHT and not self.surface.is_lightmapped

    # ---- Blending

    def _blend(self, stage: abi.MaterialPass, color: Color, alpha) -> None:
        tree = self.tree
        src, dst = blends(stage)
        kept = self._factor(dst, color, alpha)
        new_color, new_behind = tree.times(self.color, kept), tree.times(self.behind, kept)
        if src == abi.BLEND_DST_COLOR:
            new_color = tree.plus(tree.times(color, self.color), new_color)
            new_behind = tree.plus(tree.times(color, self.behind), new_behind)
        elif src == abi.BLEND_ONE_MINUS_DST_COLOR:
            new_color = tree.plus(tree.times(color, tree.one_minus(self.color)), new_color)
            new_behind = tree.plus(tree.times(tree.times(color, -1.0), self.behind), new_behind)
        else:
            new_color = tree.plus(tree.times(color, self._factor(src, color, alpha)), new_color)
        where = self._where(stage, alpha)
        self.color = self._choose(where, self.color, new_color)
        self.behind = self._choose(where, self.behind, new_behind)
        if stage.depth_write:
            self._depth = where if where == 1.0 or self._depth == 0.0 else self._depth

    def _factor(self, blend: int, color: Color, alpha) -> Color:
        """Returns the part of a blend factor that does not depend on the background's color. The frame buffer's alpha
        counts as 1."""
        if blend in (abi.BLEND_ONE, abi.BLEND_DST_ALPHA):
            return 1.0
        if blend == abi.BLEND_SRC_COLOR:
            return color
        if blend == abi.BLEND_ONE_MINUS_SRC_COLOR:
            return self.tree.one_minus(color)
        if blend == abi.BLEND_SRC_ALPHA:
            return alpha
        if blend == abi.BLEND_ONE_MINUS_SRC_ALPHA:
            return self.tree.one_minus(alpha)
        return 0.0

    def _where(self, stage: abi.MaterialPass, alpha):
        """Returns where the pass is drawn, 0 to 1: where its alpha test succeeds and, with depth_equal, where earlier
        passes wrote depth."""
        where = 1.0
        if stage.alpha_test != abi.ALPHA_MODE_OPAQUE:
            # The game draws alpha >= cutoff. Blender has only ">", which gives the same with a cutoff that is half a
            # byte smaller.
            where = self.tree.math("GREATER_THAN", alpha, stage.alpha_cutoff - 0.5 / 255)
            if stage.alpha_test_less:
                where = self.tree.math("SUBTRACT", 1.0, where)
        if not stage.depth_equal:
            return where
        return self._depth if where == 1.0 else self.tree.math("MULTIPLY", where, self._depth)

    def _choose(self, where, old: Color, new: Color) -> Color:
        if not is_socket(where):
            return new if where else old
        return old if old is new else self.tree.mix(where, old, new)

    # ---- Values

    def _value(self, stage: abi.MaterialPass) -> tuple[Color, Color]:
        color, alpha = self._source(stage)
        alpha = self.tree.times(alpha, self._alpha(stage))
        color = self._tinted(stage, color)
        if stage.color_gen == abi.COLOR_GEN_LIGHT and is_socket(color):
            color = self.tree.vector("MINIMUM", color, 1.0)
        alpha = alpha if is_socket(alpha) else rgb(alpha)[0]
        if stage.alpha_gen == abi.ALPHA_GEN_TERRAIN:
            alpha = self._clamped(self._multiplied_and_added(alpha, 2.0, -0.5))
        return color, alpha

    def _tinted(self, stage: abi.MaterialPass, color: Color) -> Color:
        """Multiplies by the pass's color. If the shared group computes the coordinates, multiplies even by white, so
        that passes with and without a color share a shader program."""
        tint = self._color(stage)
        is_white = not is_socket(tint) and rgb(tint) == (1, 1, 1)
        if is_white and is_socket(color) and self._is_shared(stage):
            return self.tree.vector("MULTIPLY", color, 1.0)
        return self.tree.times(color, tint)

    def _multiplied_and_added(self, value, factor: float, term: float):
        return self.tree.math("MULTIPLY_ADD", value, factor, term) if is_socket(value) else value * factor + term

    def _clamped(self, value):
        if not is_socket(value):
            return min(max(value, 0.0), 1.0)
        return self.tree.math("MINIMUM", 1.0, self.tree.math("MAXIMUM", 0.0, value))

    def _source(self, stage: abi.MaterialPass) -> tuple[Color, Color]:
        if looks_elsewhere(stage):
            return self._whole_page(stage)
        if stage.input in (abi.PASS_INPUT_LIGHT, abi.PASS_INPUT_LIGHTMAP):
            if stage.input == abi.PASS_INPUT_LIGHTMAP and not self.surface.is_lightmapped:
                return 1.0, 1.0
            return self.surface.light(stage.light_style if self.styled else -1), 1.0
        if stage.input == abi.PASS_INPUT_WHITE:
            return 1.0, 1.0
        return self._image(stage)

    def _image(self, stage: abi.MaterialPass) -> tuple[Color, Color]:
        """Returns the image of the pass, or the current frame of its animation."""
        first = stage.first_frame_image
        numbers = self.surface.frames[first:first + min(stage.frame_image_count, MAX_FRAMES)]
        if not (self.surface.animated and stage.frames_per_second > 0):
            numbers = numbers[:1]
        images = [image for image in map(self.surface.images, numbers) if image]
        if not images:
            return 1.0, 1.0
        uv, extension = self._uv(stage), "EXTEND" if stage.clamp else "REPEAT"
        nodes = [lookup(self.tree, image, uv, "Texture", extension, self.surface.filtering) for image in images]
        color, alpha = in_turn(self.tree, nodes, self.time, stage.frames_per_second)
        return self.tree.to_display(color), alpha

    def _whole_page(self, stage: abi.MaterialPass) -> tuple[Color, Color]:
        if self.surface.page is None:
            return 1.0, 1.0
        node = lookup(self.tree, self.surface.page, self._uv(stage), "Texture", "EXTEND", self.surface.filtering)
        return self.tree.to_display(node.outputs["Color"]), 1.0

    def _color(self, stage: abi.MaterialPass) -> Color:
        kind = stage.color_gen
        if kind == abi.COLOR_GEN_CONST:
            return tuple(stage.color)
        if kind == abi.COLOR_GEN_WAVE:
            return self._wave(stage.color_wave)
        if kind == abi.COLOR_GEN_LIGHT:
            return self.surface.light(-1)
        if kind == abi.COLOR_GEN_VERTEX:
            return self.surface.vertex()[0]
        if kind == abi.COLOR_GEN_ONE_MINUS_VERTEX:
            return self.tree.one_minus(self.surface.vertex()[0])
        return 1.0

    def _alpha(self, stage: abi.MaterialPass) -> Color:
        kind = stage.alpha_gen
        if kind == abi.ALPHA_GEN_CONST:
            return stage.alpha
        if kind == abi.ALPHA_GEN_DIRT:
            return stage.alpha * MEAN_DIRT
        if kind == abi.ALPHA_GEN_WAVE:
            return self._wave(stage.alpha_wave)
        if kind in (abi.ALPHA_GEN_VERTEX, abi.ALPHA_GEN_TERRAIN):
            return self.surface.vertex()[1]
        if kind == abi.ALPHA_GEN_ONE_MINUS_VERTEX:
            return self.tree.one_minus(self.surface.vertex()[1])
        if kind == abi.ALPHA_GEN_SPECULAR:
            return self._specular()
        if kind == abi.ALPHA_GEN_HEIGHT and stage.alpha_range > 0:
            height = self.tree.separate(self.position())[2]
            range_ = stage.alpha_range
            return self._clamped(self._multiplied_and_added(height, 1 / range_, -stage.alpha / range_))
        if kind == abi.ALPHA_GEN_PORTAL and stage.alpha_range > 0:
            distance = self.tree.add("ShaderNodeCameraData").outputs["View Distance"]
            return self.tree.math("MINIMUM", 1.0, self.tree.math("DIVIDE", distance,
                                                                 stage.alpha_range * self.surface.meters))
        return 1.0

    def _specular(self):
        node = self.tree.add("ShaderNodeGroup", node_tree=specular_group(self.tree.made))
        self.tree.link(self.position(), node.inputs["Position"])
        return node.outputs["Alpha"]

    # ---- Time

    def time(self):
        if self._time is None:
            self._time = self.tree.time() if self.surface.animated else 0.0
        return self._time

    def _wave(self, wave: abi.Wave):
        """Returns the value of a wave: base + amplitude * func(phase + time * frequency), clamped to 0..1."""
        node = self._moving_wave(wave)
        return node.outputs["Cut"] if node else self._clamped(still_wave(wave))

    def raw_wave(self, wave: abi.Wave):
        node = self._moving_wave(wave)
        return node.outputs["Value"] if node else still_wave(wave)

    def _moving_wave(self, wave: abi.Wave) -> bpy.types.Node | None:
        time = self.time()
        if not is_moving(wave, is_socket(time)):
            return None
        node = self.tree.add("ShaderNodeGroup", node_tree=wave_group(self.tree.made))
        for name, value in (("Time", time), ("Frequency", wave.frequency), ("Phase", wave.phase),
                            (WAVE_NAMES[wave.func], wave.amplitude), ("Base", wave.base)):
            self.tree.link(value, node.inputs[name])
        return node

    # ---- Texture coordinates: v grows downward until the image is looked up

    def position(self):
        """Returns the position in game units."""
        if self._position is None:
            self._position = self.surface.position
        if self._position is None:
            place = self.tree.add("ShaderNodeTexCoord").outputs["Object"]
            self._position = self.tree.scaled(place, 1 / self.surface.meters)
        return self._position

    def _uv(self, stage: abi.MaterialPass):
        if self.surface.uv is not None:
            return upside_down(self.tree, self._modified(stage, self.surface.uv))
        shared = self._shared_coordinates(stage)
        if shared is not None:
            return shared
        if stage.tc_gen in (abi.TC_GEN_TEXTURE, abi.TC_GEN_LIGHTMAP):
            layer = "UVMap" if stage.tc_gen == abi.TC_GEN_TEXTURE else "Page" if looks_elsewhere(stage) else "Lightmap"
            uv = self.tree.add("ShaderNodeUVMap", uv_map=layer).outputs[0]
            if not stage.tc_mod_count:
                return uv
            return upside_down(self.tree, self._modified(stage, upside_down(self.tree, uv)))
        uv = self._environment() if stage.tc_gen in REFLECTING else self._projected(stage)
        return upside_down(self.tree, self._modified(stage, uv))

    def _is_shared(self, stage: abi.MaterialPass) -> bool:
        """True if the pass shows a texture whose coordinates the shared group can compute."""
        is_texture = stage.input != abi.PASS_INPUT_LIGHT and stage.tc_gen in MOVED and self.surface.uv is None
        return is_texture and (self._all_shared or is_moved(stage))

    def _shared_coordinates(self, stage: abi.MaterialPass):
        """Returns coordinates from the shared group, which computes those of textures and reflections."""
        if not self._is_shared(stage):
            return None
        inputs = inputs_of(stage.tc_mods[:stage.tc_mod_count], self.surface.animated)
        if inputs is None:
            return None
        node = self.tree.add("ShaderNodeGroup", node_tree=coordinates_group(self.tree.made))
        inputs["Reflected"] = float(stage.tc_gen in REFLECTING)
        inputs["Units"] = 1 / self.surface.meters
        for name, value in inputs.items():
            node.inputs[name].default_value = value
        return node.outputs["UV"]

    def _projected(self, stage: abi.MaterialPass):
        parts = []
        for vector in stage.tc_vectors:
            part = self.tree.vector("DOT_PRODUCT", self.position(), tuple(vector)[:3])
            parts.append(self.tree.math("ADD", part, vector[3]))
        return self.tree.combine(parts[0], parts[1], 0.0)

    def _environment(self):
        node = self.tree.add("ShaderNodeGroup", node_tree=environment_group(self.tree.made))
        return node.outputs["UV"]

    def _modified(self, stage: abi.MaterialPass, uv):
        return modified(self, stage, uv)


def _share_a_pass(a: abi.MaterialPass, b: abi.MaterialPass) -> bool:
    """True if the engine draws both passes at once (tr_shader.c, CollapseMultitexture)."""
    def generators(s: abi.MaterialPass) -> tuple:
        return (s.color_gen, s.alpha_gen, tuple(s.color), bytes(s.color_wave), s.alpha_test, s.alpha_cutoff,
                s.depth_equal)
    first, second = blends(a), blends(b)
    fits = (second in MODULATING and (first == OPAQUE or first in MODULATING)) or (
        second == ADDING and first in (OPAQUE, ADDING))
    return fits and generators(a) == generators(b)


# ---- tcMod ----------------------------------------------------------------------------------------------------------

def modified(passes: Stages, stage: abi.MaterialPass, uv):
    """Returns the coordinates after the pass's modifiers, as in the engine's tr_shade_calc.c."""
    for mod in stage.tc_mods[:stage.tc_mod_count]:
        change: Callable | None = CHANGES.get(mod.kind)
        if change:
            uv = change(passes, mod, uv)
    return uv


def _scale(passes: Stages, mod, uv):
    return passes.tree.vector("MULTIPLY", uv, (mod.values[0], mod.values[1], 1.0))


def _offset(passes: Stages, mod, uv):
    return passes.tree.vector("ADD", uv, (mod.values[0], mod.values[1], 0.0))


def _scroll(passes: Stages, mod, uv):
    time = passes.time()
    if not is_socket(time):
        return uv
    return passes.tree.vector("ADD", uv, passes.tree.scaled((mod.values[0], mod.values[1], 0.0), time))


def _rotate(passes: Stages, mod, uv):
    time = passes.time()
    if not is_socket(time):
        return uv
    node = passes.tree.add("ShaderNodeVectorRotate", rotation_type="Z_AXIS")
    passes.tree.link(uv, node.inputs["Vector"])
    node.inputs["Center"].default_value = (0.5, 0.5, 0)
    passes.tree.link(passes.tree.math("MULTIPLY", time, -math.radians(mod.values[0])), node.inputs["Angle"])
    return node.outputs[0]


def _stretch(passes: Stages, mod, uv):
    tree, wave = passes.tree, passes.raw_wave(mod.wave)
    if not is_socket(wave):
        scale = 1 / wave if abs(wave) > 1e-6 else 1.0
        return tree.vector("MULTIPLY_ADD", uv, (scale, scale, 1.0), (0.5 - scale / 2, 0.5 - scale / 2, 0.0))
    scale = tree.math("DIVIDE", 1.0, wave)
    return tree.vector("ADD", tree.scaled(tree.vector("SUBTRACT", uv, (0.5, 0.5, 0.0)), scale), (0.5, 0.5, 0.0))


def _transform(passes: Stages, mod, uv):
    tree, v = passes.tree, mod.values
    u = tree.math("ADD", tree.vector("DOT_PRODUCT", uv, (v[0], v[2], 0.0)), v[4])
    return tree.combine(u, tree.math("ADD", tree.vector("DOT_PRODUCT", uv, (v[1], v[3], 0.0)), v[5]), 0.0)


def _turbulence(passes: Stages, mod, uv):
    tree, wave, time = passes.tree, mod.wave, passes.time()
    now = tree.math("MULTIPLY_ADD", time, wave.frequency, wave.phase) if is_socket(time) else wave.phase
    moves = []
    for direction in ((1.0, 0.0, 1.0), (0.0, 1.0, 0.0)):
        at = tree.math("MULTIPLY_ADD", tree.vector("DOT_PRODUCT", passes.position(), direction), 0.125 / 128, now)
        moves.append(tree.math("MULTIPLY", tree.math("SINE", tree.math("MULTIPLY", at, math.tau)), wave.amplitude))
    return tree.vector("ADD", uv, tree.combine(moves[0], moves[1], 0.0))


def _warp(passes: Stages, mod, uv):
    """Warps liquids of Quake and its relatives."""
    tree, time = passes.tree, passes.time()
    far, frequency, speed = mod.values[:3]
    other = tree.combine(tree.vector("DOT_PRODUCT", uv, (0.0, 1.0, 0.0)),
                         tree.vector("DOT_PRODUCT", uv, (1.0, 0.0, 0.0)), 0.0)
    at = tree.vector("MULTIPLY", other, (frequency, frequency, 0.0))
    if is_socket(time):
        at = tree.vector("ADD", at, tree.scaled((speed, speed, 0.0), time))
    return tree.vector("MULTIPLY_ADD", tree.vector("SINE", at), (far, far, 0.0), uv)


CHANGES = {abi.TC_MOD_SCALE: _scale, abi.TC_MOD_SCROLL: _scroll, abi.TC_MOD_ROTATE: _rotate,
           abi.TC_MOD_STRETCH: _stretch, abi.TC_MOD_TURBULENCE: _turbulence, abi.TC_MOD_TRANSFORM: _transform,
           abi.TC_MOD_OFFSET: _offset, abi.TC_MOD_WARP: _warp}
