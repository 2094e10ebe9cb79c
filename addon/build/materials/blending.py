"""Wraps the shader of a surface in one that shows the background through it, blended as in the game."""
from collections.abc import Sequence

import bpy
from bspscene import abi

from .shading import Tree, as_input


class Blending:
    """`passes` are the material's passes; `alpha` is a socket or a number."""

    def __init__(self, tree: Tree, record: abi.Material, passes: Sequence[abi.MaterialPass], alpha) -> None:
        self.tree, self.record, self.passes, self.alpha = tree, record, passes, alpha

    def applied(self, shader: bpy.types.NodeSocket, color) -> bpy.types.NodeSocket:
        """Returns the shader with the background visible through it. `color` is the color that `shader` shows."""
        mode, tree = self.record.alpha_mode, self.tree
        if mode == abi.ALPHA_MODE_OPAQUE:
            return shader
        if mode == abi.ALPHA_MODE_MODULATE:
            return background(tree, self._factor_of_what_is_behind(color))
        if mode == abi.ALPHA_MODE_ADD:
            return add_shaders(tree, background(tree), self._faded(shader) if self.record.added_by_alpha else shader)
        if self._tints_what_is_behind():
            return add_shaders(tree, background(tree, color), shader)
        alpha = self.alpha
        if mode == abi.ALPHA_MODE_MASK:
            # The game draws alpha >= cutoff. Blender's "greater than" gives the same with a cutoff that is half a byte
            # smaller.
            alpha = tree.math("GREATER_THAN", alpha, self.record.alpha_cutoff - 0.5 / 255)
        return mix_shaders(tree, alpha, background(tree), shader)

    def _factor_of_what_is_behind(self, color):
        """Returns the color that multiplies the background. If `modulated_twice`, the game multiplies the background by
        twice the display value; twice is 2 ** 2.2 in linear light."""
        unchanged = 2.0**-2.2 if self.record.modulated_twice else 1.0
        if self.record.whitened_by_alpha:
            color = self.tree.mix(self.alpha, (unchanged,) * 3, color)
        return self.tree.scaled(color, 1 / unchanged) if self.record.modulated_twice else color

    def _faded(self, shader: bpy.types.NodeSocket) -> bpy.types.NodeSocket:
        return mix_shaders(self.tree, self.alpha, None, shader)

    def _tints_what_is_behind(self) -> bool:
        """True for blendFunc GL_ONE GL_SRC_COLOR, as in Quake III's water: the texture is added to the background and
        also multiplies it."""
        first = self.passes[0] if self.passes else None
        return bool(first and first.src_blend == abi.BLEND_ONE and first.dst_blend == abi.BLEND_SRC_COLOR)


def background(tree: Tree, factor=None) -> bpy.types.NodeSocket:
    """Returns a shader that shows the background, multiplied by a color if there is one."""
    node = tree.add("ShaderNodeBsdfTransparent")
    if factor is not None:
        tree.link(as_input(factor), node.inputs["Color"])
    return node.outputs[0]


def add_shaders(tree: Tree, first: bpy.types.NodeSocket, second: bpy.types.NodeSocket) -> bpy.types.NodeSocket:
    both = tree.add("ShaderNodeAddShader")
    for shader, target in zip((first, second), both.inputs):
        tree.link(shader, target)
    return both.outputs[0]


def mix_shaders(tree: Tree, alpha, below: bpy.types.NodeSocket | None,
                above: bpy.types.NodeSocket) -> bpy.types.NodeSocket:
    """Mixes two shaders: `above` where alpha is 1, `below` where it is 0. `below` may be None, which draws nothing
    there."""
    both = tree.add("ShaderNodeMixShader")
    tree.link(alpha, both.inputs[0])
    if below is not None:
        tree.link(below, both.inputs[1])
    tree.link(above, both.inputs[2])
    return both.outputs[0]
