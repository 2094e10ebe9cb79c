"""Switches an imported map between rebaked light and the light of its file. There are three images for each page, which
are found by their keys: the imported page, the rebaked page as it is shown, and the rebaked page as HDR. Meshes keep
the old and the new vertex light."""
from pathlib import Path

import bpy

from ..baked import vertex_light
from ..data.again import MAP_FILE, MAP_NAME
from ..data.blocks import KEY, by_key

BEFORE, AFTER, LIGHT = "page", "after", "light"


def key_of(root: bpy.types.Collection) -> str:
    """Returns the prefix that the keys of all datablocks of the map begin with."""
    return f"{root['family']}:{Path(bpy.path.abspath(root[MAP_FILE])).resolve()}:{root[MAP_NAME]}"


def has_new_light(root: bpy.types.Collection) -> bool:
    start = f"{key_of(root)}/{AFTER}/"
    return any(image.get(KEY, "").startswith(start) for image in bpy.data.images)


def shows_new_light(root: bpy.types.Collection) -> bool:
    start = f"{key_of(root)}/{AFTER}/"
    return any(image.get(KEY, "").startswith(start) for _, image in _lookups(root))


def show_light(root: bpy.types.Collection, new: bool) -> int:
    """Shows a rebaked map with its new light if `new`, else with the old light. Returns how many image nodes and meshes
    changed."""
    key, known = key_of(root), by_key(bpy.data.images)
    here, there = (BEFORE, AFTER) if new else (AFTER, BEFORE)
    changed = 0
    for lookup, image in _lookups(root):
        other = known.get(image[KEY].replace(f"{key}/{here}/", f"{key}/{there}/", 1))
        if other is not None and other != image:
            image.use_fake_user = True
            lookup.image = other
            changed += 1
    return changed + vertex_light.show(vertex_light.meshes_of(root), new)


def _lookups(root: bpy.types.Collection) -> list[tuple[bpy.types.Node, bpy.types.Image]]:
    """Returns all nodes that use an image of the map, in the node groups of its pages and in materials for export."""
    key = f"{key_of(root)}/"
    trees = [group for group in bpy.data.node_groups if group.get(KEY, "").startswith(key)]
    trees += [material.node_tree for material in bpy.data.materials
              if material.get(KEY, "").startswith(key) and material.node_tree]
    return [(node, node.image) for tree in trees for node in tree.nodes
            if node.type == "TEX_IMAGE" and node.image and node.image.get(KEY, "").startswith(key)]


def forget_light(root: bpy.types.Collection) -> None:
    """Removes the rebaked light. Call this when the map gets other pages, which the rebaked light does not fit."""
    show_light(root, False)
    for mesh in vertex_light.meshes_of(root):
        vertex_light.forget(mesh)
    starts = tuple(f"{key_of(root)}/{what}/" for what in (AFTER, LIGHT))
    bpy.data.batch_remove([image for image in bpy.data.images if image.get(KEY, "").startswith(starts)])
