"""Objects of an imported map -> the same with materials of another mode. Those they had stay in the file, edits and
all, and come back when it is switched back."""
from collections.abc import Callable, Iterable

import bpy

from ..data.blocks import KEY, by_key
from .facts import FACTS, is_in_mode, key_of, page_of
from .material import Materials

KEPT = "bspscene_kept"   # custom property: its fake user is ours


def switch(objects: Iterable[bpy.types.Object], mode: str, materials: Callable[[], Materials]) -> int:
    """How many materials took the place of others. `materials` loads the map, and is asked only when something is to be
    made that was not there before."""
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
