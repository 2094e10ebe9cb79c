"""Makes a Blender world of the map's sky."""

import bpy
from bspscene import abi
from bspscene.scene import Scene, text

from ..data.blocks import KEY, Made, by_key
from .material import Materials
from .shading import Tree, node_tree

LIGHT_MAP_SIZE = 64            # pixels along a side of the picture by which Cycles samples the sky's light


def build(scene: Scene, map_key: str, materials: Materials, made: Made) -> bpy.types.World | None:
    """Returns the world, or None if the map shows no sky or the sky's images were not found."""
    if scene.data.sky_material == abi.NO_INDEX:
        return None
    record = scene.items("materials")[scene.data.sky_material]
    key = f"{map_key}/sky"
    world = by_key(bpy.data.worlds).get(key)
    if world is not None and materials.options.keep:
        return world
    group = materials.skies.group(record)
    if group is None:
        return None
    world = made.new("worlds", f"{text(scene.data.name)} sky")
    tree = Tree(node_tree(world), made)
    shown = tree.add("ShaderNodeGroup", label="Sky", node_tree=group)
    tree.link(tree.add("ShaderNodeTexCoord").outputs["Generated"], shown.inputs["Direction"])
    background = tree.add("ShaderNodeBackground")
    tree.link(shown.outputs["Color"], background.inputs["Color"])
    tree.link(background.outputs[0], tree.add("ShaderNodeOutputWorld").inputs["Surface"])
    world[KEY] = key
    if hasattr(world, "cycles"):
        # By default, Cycles first renders skies with images as a picture some thousand pixels wide, which takes
        # seconds.
        world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", LIGHT_MAP_SIZE
    return world
