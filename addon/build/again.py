"""An imported map in the place of an earlier import of the same: what somebody added to that stays."""
import bpy

MAP_FILE, MAP_NAME = "map_file", "map_name"   # custom properties of a map's collection
MADE_AS = "bspscene_object"                   # of an object: the name it was made with, which copies do not have


def mark(root: bpy.types.Collection) -> None:
    """Tells what an import made from what is added later."""
    for made in root.all_objects:
        made[MADE_AS] = made.name


def replace_earlier(scene: bpy.types.Scene, root: bpy.types.Collection) -> None:
    """Removes the imports of the same map that were there before `root`. Objects that were added to them, copied or
    renamed move to it."""
    for old in [child for child in scene.collection.children_recursive if child != root and _same_map(child, root)]:
        name, everything = old.name, list(old.all_objects)
        gone = [made for made in everything if made.get(MADE_AS) == made.name]
        for added in everything:
            if added not in gone and added.name not in root.objects:
                root.objects.link(added)
        data = {made.data for made in gone if made.data}
        bpy.data.batch_remove([*gone, old, *old.children_recursive])
        bpy.data.batch_remove([block for block in data if block.users == 0])
        root.name = name


def _same_map(one: bpy.types.Collection, other: bpy.types.Collection) -> bool:
    return all(key in one and one[key] == other.get(key) for key in (MAP_FILE, MAP_NAME))
