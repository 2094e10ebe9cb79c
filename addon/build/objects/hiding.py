"""Hides objects of an imported map. Their own flags are set, because linked and appended maps, instances and exporters
ignore whether a collection is hidden."""
import bpy

# Names of a map's collections: first those that are hidden by default, then two others that the add-on can hide.
EXCLUDED = ("Collision", "Tool surfaces", "Armatures")
SKY, SKYBOX = "Sky", "3D skybox"
HIDDEN = "bspscene_hidden"   # custom property: what an object's hide_viewport and hide_render were before


def hide(made: bpy.types.Object) -> None:
    if HIDDEN not in made:
        made[HIDDEN] = [made.hide_viewport, made.hide_render]
    for name in ("hide_viewport", "hide_render"):
        if not getattr(made, name):
            setattr(made, name, True)   # only if needed: Blender updates the whole scene at each change


def unhide(made: bpy.types.Object) -> None:
    """Shows an object again, unless a user had hidden it."""
    if HIDDEN not in made:
        return
    for name, before in zip(("hide_viewport", "hide_render"), made[HIDDEN]):
        if getattr(made, name) != bool(before):
            setattr(made, name, bool(before))
    del made[HIDDEN]


def show_to_eyes_alone(made: bpy.types.Object) -> None:
    """Shows an object only to the camera: light passes through it."""
    for ray in ("diffuse", "glossy", "transmission", "volume_scatter", "shadow"):
        setattr(made, f"visible_{ray}", False)
