"""Imported materials -> what Blender's glTF exporter keeps: a Principled surface with the texture, and the lightmap in
the "Occlusion" socket of its settings group, which becomes `occlusionTexture` on TEXCOORD_1.

The exporter knows neither emission of a product nor MOZ_lightmap; a viewer has to be told that occlusion is light here.
"""
from collections.abc import Iterable

import bpy

from .blocks import KEY, Made
from .shading import Tree, add_socket, lookup

SETTINGS_GROUP = "glTF Material Output"   # the name the exporter looks for since 3.4


def prepare(materials: Iterable[bpy.types.Material]) -> int:
    """Rewires the imported ones among the materials; returns how many. A second time changes nothing."""
    changed = 0
    for material in materials:
        if KEY in material and material.node_tree and not _is_prepared(material.node_tree):
            changed += _rewire(material.node_tree)
    return changed


def _is_prepared(tree: bpy.types.NodeTree) -> bool:
    return any(node.type == "GROUP" and node.node_tree and node.node_tree.name == SETTINGS_GROUP for node in tree.nodes)


def _find(tree: bpy.types.NodeTree, kind: str, label: str = "") -> bpy.types.Node | None:
    return next((node for node in tree.nodes if node.type == kind and (not label or node.label == label)), None)


def _page_image(tree: bpy.types.NodeTree) -> bpy.types.Image | None:
    """The page of style 0 in the material's light group."""
    for node in tree.nodes:
        if node.type == "GROUP" and node.node_tree and KEY in node.node_tree:
            page = _find(node.node_tree, "TEX_IMAGE", "Lightmap")
            if page is not None:
                return page.image
    return None


def _rewire(node_tree: bpy.types.NodeTree) -> bool:
    texture, page = _find(node_tree, "TEX_IMAGE", "Texture"), _page_image(node_tree)
    end = _find(node_tree, "OUTPUT_MATERIAL")
    if texture is None or page is None or end is None:
        return False
    tree = Tree(node_tree, Made())
    surface = _find(node_tree, "BSDF_PRINCIPLED") or tree.add("ShaderNodeBsdfPrincipled")
    surface.inputs["Roughness"].default_value = 1.0
    tree.link(texture.outputs["Color"], surface.inputs["Base Color"])
    if _find(node_tree, "BSDF_TRANSPARENT"):
        tree.link(texture.outputs["Alpha"], surface.inputs["Alpha"])
    tree.link(surface.outputs[0], end.inputs["Surface"])
    settings = tree.add("ShaderNodeGroup", node_tree=_settings_group())
    uv = tree.add("ShaderNodeUVMap", uv_map="Lightmap").outputs[0]
    tree.link(lookup(tree, page, uv, "Lightmap", "EXTEND", "Linear").outputs["Color"], settings.inputs["Occlusion"])
    return True


def _settings_group() -> bpy.types.NodeTree:
    group = bpy.data.node_groups.get(SETTINGS_GROUP)
    if group is None:
        group = bpy.data.node_groups.new(SETTINGS_GROUP, "ShaderNodeTree")
        add_socket(group, "Occlusion", "INPUT", "NodeSocketFloat")
    return group
