"""Shows or hides kinds of a map's objects. Hidden objects have their own flags set, which linked and appended maps,
instances and exporters respect. Their collections are excluded from the view layer too, which Blender's FBX exporter
respects."""
from collections.abc import Sequence

import bpy

from ..data.again import KIND
from ..materials.mode import LIT_BY_GAME
from .hiding import EXCLUDED, SKY, SKYBOX, hide, unhide


def show(view_layer: bpy.types.ViewLayer, scene: bpy.types.Scene, root: bpy.types.Collection, mode: str,
         shown: Sequence[str] = ()) -> None:
    """Links the map into the scene. Kinds that are hidden by default stay hidden unless they are in `shown`."""
    scene.collection.children.link(root)
    show_kinds(view_layer, root, [kind for kind in EXCLUDED if kind not in shown], False)
    show_kinds(view_layer, root, shown, True)
    show_sky(view_layer, root, mode)


def show_kinds(view_layer: bpy.types.ViewLayer, root: bpy.types.Collection, kinds: Sequence[str],
               shown: bool) -> None:
    """Shows or hides kinds of a map's objects. An object that a user hid before stays hidden."""
    for kind in root.children:
        if kind.get(KIND) not in kinds:
            continue
        for made in list(kind.all_objects):   # a copy, because hiding an object makes Blender build all_objects again
            (unhide if shown else hide)(made)
        layer = layer_of(view_layer, kind)
        if layer is not None:
            layer.exclude = not shown


def are_shown(view_layer: bpy.types.ViewLayer, root: bpy.types.Collection, kind: str) -> bool:
    """True if the map has this kind and its collection is in the view layer."""
    layers = [layer_of(view_layer, child) for child in root.children if child.get(KIND) == kind]
    return any(layer is not None and not layer.exclude for layer in layers)


def show_sky(view_layer: bpy.types.ViewLayer, root: bpy.types.Collection, mode: str) -> None:
    """Shows or hides the surfaces of the sky. They are shown only in modes that show the game's light, and only while
    the 3D skybox is hidden, because they would cover it. In the mode for new light they are hidden, because light comes
    from the world. In the mode for exporters they are hidden, because exporters write no sky."""
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
