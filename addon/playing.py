"""Plays sequences of models that were imported with their movement, and changes their skins."""
import math
from collections.abc import Iterable

import bpy

from .build.data.again import MAP_FILE
from .build.data.blocks import KEY
from .build.rigs.rigging import ACTIONS
from .importer import import_map, values_of

MOST_SKINS = 255


def is_model(root: bpy.types.Collection) -> bool:
    """True if the collection is a model that was imported by itself. Only such models can change their skin."""
    return root.get("family") == "model"


def skin_count(root: bpy.types.Collection) -> int:
    """Returns how many skins a model has. Returns MOST_SKINS + 1 if an older version of the add-on imported the model,
    because it did not store the number."""
    return root.get("skin_count", MOST_SKINS + 1)


def movable(objects: Iterable[bpy.types.Object]) -> list[bpy.types.ID]:
    """Returns datablocks that can play sequences: armatures and shape keys of these objects, of their children and of
    their parents."""
    found: dict[bpy.types.ID, None] = {}
    for chosen in objects:
        for made in (chosen, *chosen.children, *filter(None, [chosen.parent])):
            if made.type == "ARMATURE" and ACTIONS in made:
                found[made] = None
            if made.type == "MESH" and made.data.shape_keys and ACTIONS in made.data.shape_keys:
                found[made.data.shape_keys] = None
    return list(found)


def sequences_of(animated: bpy.types.ID) -> dict[str, bpy.types.Action]:
    """Returns the actions of a model by the names of their sequences, in the model's order."""
    start = f"{animated[ACTIONS]}/"
    actions = {str(action[KEY])[len(start):]: action for action in bpy.data.actions
               if str(action.get(KEY, "")).startswith(start)}
    numbered = sorted((int(number), title, actions[f"{number}:{title}"])
                      for number, _, title in (name.partition(":") for name in actions))
    return {title: action for _, title, action in numbered}


def playing(animated: bpy.types.ID) -> bpy.types.Action | None:
    return animated.animation_data.action if animated.animation_data else None


def play(scene: bpy.types.Scene, animated: Iterable[bpy.types.ID], sequence: str) -> int:
    """Lets models play a sequence, and sets the scene's frame range to its length. Returns how many of the models have
    the sequence."""
    count, end = 0, 0.0
    for made in animated:
        action = sequences_of(made).get(sequence)
        if action:
            made.animation_data_create().action = action
            count, end = count + 1, max(end, action.frame_end)
    if count:
        scene.frame_start, scene.frame_end = 1, max(1, math.ceil(end))
        scene.frame_set(1)
    return count


def show_skin(root: bpy.types.Collection, skin: int) -> bpy.types.Collection:
    """Shows a model with another of its skins. The user's changes stay. Raises MapError and ValueError."""
    values = dict(values_of(root), skin=skin, again="UPDATE", keep_materials=False)
    return import_map(root[MAP_FILE], **values)
