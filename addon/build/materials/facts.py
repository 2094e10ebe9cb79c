"""Custom properties of imported materials. One kind tells a material's source, mode and page. A later import, a change
of modes and a bake find materials by these. The other kind has facts of the game that Blender has no place for."""
import json
from collections.abc import Iterable

import bpy
from bspscene import abi
from bspscene.scene import text

from ..data.blocks import KEY, Numbered, is_alive

MAP_MODE = "bspscene_mode"   # custom property of a map's collection: the mode that its materials were switched to last
FACTS = "bspscene_facts"   # custom property: the source of a material, without its mode and page


def key_of(facts: str, mode: str, page: int) -> str:
    """Returns the key of a material in a mode and on a page. The page is last, because baking moves materials to other
    pages."""
    map_key, name, *numbers, styles = json.loads(facts)
    return "/".join(map(str, (map_key, mode, name, *map(int, numbers), *styles, page)))


def page_of(material: bpy.types.Material) -> int:
    return int(material[KEY].rsplit("/", 1)[1])


def is_in_mode(material: bpy.types.Material, mode: str) -> bool:
    return material[KEY] == key_of(material[FACTS], mode, page_of(material))


def mode_of_map(root: bpy.types.Collection) -> str:
    """Returns the mode that all materials of a map's collection were switched to last."""
    return str(root.get(MAP_MODE) or json.loads(root["import_options"])["shading"])


def set_game_facts(material: bpy.types.Material, record: abi.Material) -> None:
    """Stores facts that Blender has no place for, and the full name, because Blender truncates long names."""
    material["game_name"] = text(record.name)
    for name in ("surface_flags", "content_flags"):
        material[name] = _signed(getattr(record, name))
    for name in ("script_file", "script_text"):
        value = text(getattr(record, name))
        if value:
            material[name] = value


def remove_unused(numbered: Iterable[Numbered]) -> None:
    """Removes materials, worlds and skies that nothing uses any more because new ones replaced them. Only those are
    removed that have the same source in the game as a datablock in `numbered`."""
    made = [block for _, block, _ in numbered if is_alive(block)]
    replaced = {_thing(block) for block in made} - {""}
    for blocks in (bpy.data.materials, bpy.data.worlds, bpy.data.node_groups):
        bpy.data.batch_remove([block for block in blocks
                               if not block.users and block not in made and _thing(block) in replaced])


def _thing(block: bpy.types.ID) -> str:
    """Returns the key of a material's source in the game, which is the same in every mode."""
    return str(block.get(FACTS, block.get(KEY, "")))


def _signed(value: int) -> int:
    """Returns 32 unsigned bits as a signed number, as custom properties need."""
    return value - (1 << 32) if value & 0x80000000 else value
