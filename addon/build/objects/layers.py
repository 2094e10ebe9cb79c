"""Which kinds of a map's objects are shown. What is hidden is hidden on the objects, which linked and appended maps,
instances and exporters keep, and excluded from the view layer, which Blender's FBX exporter asks."""
from collections.abc import Sequence

import bpy

from ..data.again import KIND
from ..materials.mode import LIT_BY_GAME
from .hiding import EXCLUDED, SKY, SKYBOX, hide, unhide


def show(view_layer: bpy.types.ViewLayer, scene: bpy.types.Scene, root: bpy.types.Collection, mode: str,
         shown: Sequence[str] = ()) -> None:
    """Puts the map into the scene; hidden kinds, but those that are `shown`, are in the file but not in the picture."""
    scene.collection.children.link(root)
    show_kinds(view_layer, root, [kind for kind in EXCLUDED if kind not in shown], False)
    show_kinds(view_layer, root, shown, True)
    show_sky(view_layer, root, mode)


def show_kinds(view_layer: bpy.types.ViewLayer, root: bpy.types.Collection, kinds: Sequence[str],
               shown: bool) -> None:
    """Shows or hides kinds of a map's objects. What somebody hid before stays hidden."""
    for kind in root.children:
        if kind.get(KIND) not in kinds:
            continue
        for made in list(kind.all_objects):   # hiding one makes Blender collect them anew
            (unhide if shown else hide)(made)
        layer = layer_of(view_layer, kind)
        if layer is not None:
            layer.exclude = not shown


def are_shown(view_layer: bpy.types.ViewLayer, root: bpy.types.Collection, kind: str) -> bool:
    """False for a kind that the map does not have."""
    layers = [layer_of(view_layer, child) for child in root.children if child.get(KIND) == kind]
    return any(layer is not None and not layer.exclude for layer in layers)


def show_sky(view_layer: bpy.types.ViewLayer, root: bpy.types.Collection, mode: str) -> None:
    """Surfaces of sky stand where the game's light is shown, unless the 3D skybox is to be seen through them. New light
    comes from the world behind them, and exporters know no sky."""
    has_skybox = are_shown(view_layer, root, SKYBOX)
    show_kinds(view_layer, root, (SKY,), mode in LIT_BY_GAME and not has_skybox)


def layer_of(view_layer: bpy.types.ViewLayer, collection: bpy.types.Collection) -> bpy.types.LayerCollection | None:
    pending = [view_layer.layer_collection]
    while pending:
        layer = pending.pop()
        if layer.collection == collection:
            return layer
        pending.extend(layer.children)
    return None
