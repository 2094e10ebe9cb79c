"""Gives the objects of an imported map materials of another mode. The former materials stay in the file with the user's
changes, and are used again after switching back."""
from collections.abc import Callable, Iterable

import bpy

from ..data.blocks import KEY, by_key
from .facts import FACTS, is_in_mode, key_of, page_of
from .material import Materials

KEPT = "bspscene_kept"   # custom property of a material: the add-on gave it a fake user


def switch(objects: Iterable[bpy.types.Object], mode: str, materials: Callable[[], Materials]) -> int:
    """Switches the materials of objects to another mode, and returns how many were replaced. `materials` loads the map,
    so it is called only if a material is missing."""
    meshes = {made.data for made in objects if made.type == "MESH"}
    used = {m for mesh in meshes for m in mesh.materials if m and KEY in m and FACTS in m and not is_in_mode(m, mode)}
    known = by_key(bpy.data.materials)
    wanted = {m: known.get(key_of(m[FACTS], mode, page_of(m))) for m in used}
    if None in wanted.values():
        maker = materials()
        wanted = {m: found or maker.counterpart(m) for m, found in wanted.items()}
    for mesh in meshes:
        for slot, material in enumerate(mesh.materials):
            if material in wanted:
                mesh.materials[slot] = wanted[material]
    for old, new in wanted.items():
        _keep(old)
        _release(new)
    return len(wanted)


def _keep(material: bpy.types.Material) -> None:
    if not material.use_fake_user:
        material.use_fake_user = True
        material[KEPT] = True


def _release(material: bpy.types.Material) -> None:
    if KEPT in material:
        material.use_fake_user = False
        del material[KEPT]
