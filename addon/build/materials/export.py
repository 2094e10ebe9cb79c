"""Makes materials for Blender's own exporters. These read one Principled shader with images linked directly to its
inputs.

FBX, OBJ and USD take the texture, alpha and normals. glTF takes the lightmap too, from the "Occlusion" socket of its
settings group: `occlusionTexture` on TEXCOORD_1. The glTF exporter writes neither a product as emission nor
MOZ_lightmap. So users must tell viewers that the occlusion texture is light. The other exporters write the second uv
layer, but no lightmap; its page is a file next to the .blend. Surfaces whose light is in their textures or vertices
have one more output for glTF: a color without a shader, which glTF writes as an unlit material.
"""
from collections.abc import Sequence

import bpy

from .blending import background, mix_shaders
from .shading import Tree, add_socket, lookup, socket

SETTINGS_GROUP = "glTF Material Output"   # name by which Blender's glTF exporter finds the group, since 3.4


class Exported:
    """`shader` is the surface's shader; `texture` is an image node, or None to show `color`."""

    def __init__(self, tree: Tree, texture, color: Sequence[float]) -> None:
        self._tree, self._texture, self._color = tree, texture, tuple(color[:3])
        self._node = tree.add("ShaderNodeBsdfPrincipled")
        self._node.inputs["Roughness"].default_value = 1.0
        socket(self._node.inputs, "Specular IOR Level", "Specular").default_value = 0.0
        self._node.inputs["Base Color"].default_value = (*self._color, 1.0)
        if texture is not None:
            tree.link(texture.outputs["Color"], self._node.inputs["Base Color"])
        self.shader = self._node.outputs[0]

    def see_through(self) -> None:
        if self._texture is not None:
            self._tree.link(self._texture.outputs["Alpha"], self._node.inputs["Alpha"])

    def bend(self, normals: bpy.types.Node) -> None:
        node = self._tree.add("ShaderNodeNormalMap", uv_map="UVMap")
        self._tree.link(normals.outputs["Color"], node.inputs["Color"])
        self._tree.link(node.outputs[0], self._node.inputs["Normal"])

    def shine(self, alpha: bool, vertex_color: str) -> bpy.types.NodeSocket:
        """Returns the surface as a color that needs no light. If `vertex_color` names a color attribute, the color is
        multiplied by it."""
        tree = self._tree
        color = self._texture.outputs["Color"] if self._texture is not None else tree.constant(self._color)
        if vertex_color:
            product = tree.add("ShaderNodeMix", data_type="RGBA", blend_type="MULTIPLY")
            product.inputs[0].default_value = 1.0
            tree.link(color, product.inputs[6])
            tree.link(tree.add("ShaderNodeVertexColor", layer_name=vertex_color).outputs["Color"], product.inputs[7])
            color = product.outputs[2]
        emission = socket(self._node.inputs, "Emission Color", "Emission")
        # The FBX exporter multiplies a linked picture by this color, or writes the color alone. It cannot multiply by
        # vertex colors.
        factor = (0.0, 0.0, 0.0) if vertex_color else (1.0, 1.0, 1.0) if self._texture is not None else self._color
        emission.default_value = (*factor, 1.0)
        tree.link(color, emission)
        self._node.inputs["Emission Strength"].default_value = 1.0
        if not alpha or self._texture is None:
            return color
        return mix_shaders(tree, self._texture.outputs["Alpha"], background(tree), color)

    def carry_lightmap(self, page: bpy.types.Image) -> None:
        tree = self._tree
        settings = tree.add("ShaderNodeGroup", node_tree=_settings_group(tree))
        uv = tree.add("ShaderNodeUVMap", uv_map="Lightmap").outputs[0]
        light = lookup(tree, page, uv, "Lightmap", "EXTEND", "Linear")
        tree.link(light.outputs["Color"], settings.inputs["Occlusion"])


def _settings_group(tree: Tree) -> bpy.types.NodeTree:
    group = bpy.data.node_groups.get(SETTINGS_GROUP)
    if group is None:
        group = tree.made.new("node_groups", SETTINGS_GROUP, "ShaderNodeTree")
        add_socket(group, "Occlusion", "INPUT", "NodeSocketFloat")
    return group
