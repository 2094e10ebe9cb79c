"""Completes an imported map from a game's files: missing textures and their materials, models and the sky."""
import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import bpy

from . import importer
from .build.baked import daylight
from .build.data.again import MADE_AS, NODE
from .build.data.blocks import KEY, Made, by_key
from .build.data.image import Images
from .build.materials import sky
from .build.materials.facts import FACTS, is_in_mode
from .build.materials.material import MODES, Materials
from .build.materials.uses import image_numbers, missing_images
from .build.objects import node
from .native import abi
from .native.scene import Scene
from .options import complete


class Lack(NamedTuple):
    """What a map lacks files for."""
    textures: set[str]
    models: set[str]
    materials: dict[str, frozenset[str]]   # materials by name, and the images that each lacks


class Found(NamedTuple):
    """A game directory and how many of the missing files it has; "" if none has any."""
    place: str
    textures: int
    models: int


def find_missing(root: bpy.types.Collection, places: Iterable[str | Path]) -> Found:
    """Looks in these game directories for the textures and models that an imported map lacks, takes the one with the
    most of them, and makes what became possible: materials that show them, models in the places of their empties, the
    map's sky. What has nothing to do with them stays, and objects stay where they were moved to.

    Raises MapError and ValueError."""
    if "map_file" not in root:
        raise ValueError(f"{root.name}: not the collection of an imported map")
    values = importer.values_of(root)
    before, best = _lack(root, values), Found("", 0, 0)
    for place in map(str, places) if before.textures or before.models else ():
        after = _lack(root, _with(values, place))
        found = Found(place, len(before.textures - after.textures), len(before.models - after.models))
        if found.textures + found.models > best.textures + best.models:
            best = found
    if best.place:
        root["import_options"] = json.dumps(_with(values, best.place))
        _renew_materials(root, before)
        _make_the_rest(root, before)
    return best


def _with(values: dict, place: str) -> dict:
    return complete(dict(values, game_paths=";".join(part for part in (values["game_paths"], place) if part)))


def _lack(root: bpy.types.Collection, values: dict) -> Lack:
    report = importer.Report()
    scene = importer.load_scene(bpy.path.abspath(root["map_file"]), values, report, None)
    return Lack(set(report.missing_textures), set(report.models), missing_images(scene))


def _materials_of(root: bpy.types.Collection, mode: str) -> list[bpy.types.Material]:
    used = {m for made in root.all_objects if made.type == "MESH" for m in made.data.materials if m and FACTS in m}
    return sorted((material for material in used if is_in_mode(material, mode)), key=lambda material: material.name)


class _Again:
    """Reads the map's file again, in one of the modes of its materials. What this makes stays after `finish`."""

    def __init__(self, root: bpy.types.Collection, mode: str) -> None:
        self.root, self.mode, self.made = root, mode, Made()
        self.images = Images("", self.made, [], bpy.data.filepath)
        self.scene: Scene = importer.scene_again(root, mode, self.images)

    def materials(self, keep: bool) -> Materials:
        return importer.materials_again(self.scene, self.root, self.mode, self.made, self.images, keep)

    def __enter__(self) -> "_Again":
        return self

    def __exit__(self, failure: type | None, *_) -> None:
        if failure:
            self.made.take_back()
            return
        self.images.finish()
        self.made.finish()


def _renew_materials(root: bpy.types.Collection, before: Lack) -> None:
    """Makes the materials again whose missing images are found, in their present mode. Changes of others stay."""
    for mode in MODES:
        old = [m for m in _materials_of(root, mode) if m["game_name"] in before.materials]
        if not old:
            continue
        with _Again(root, mode) as again:
            materials, still = again.materials(False), missing_images(again.scene)
            for material in old:
                name = material["game_name"]
                if still.get(name) != before.materials[name]:
                    new = materials.counterpart(material)
                    if new != material:
                        again.made.replace(material, new)


def _make_the_rest(root: bpy.types.Collection, before: Lack) -> None:
    """Models, and the sky."""
    mode = max(MODES, key=lambda mode: len(_materials_of(root, mode)))
    with _Again(root, mode) as again:
        values = importer.values_of(root)
        rigging = importer.rigging_of(again.scene, values, again.images.map_key, again.made, bpy.context.scene)
        objects = node.Objects(again.scene, root, again.materials(True), values, again.made, rigging)
        empties = {made[NODE]: made for made in root.all_objects
                   if made.type == "EMPTY" and made.get(MADE_AS) == made.name and made.get("model") in before.models}
        pairs = list(objects.with_models(empties))
        for empty, made in pairs:
            _take_place(empty, made)
            again.made.replace(empty, made)
        world = _sky(again) if values["sky_world"] else None
        day = daylight.measure(again.scene) if world and mode == "RELIGHT" else None
    node.exclude(bpy.context.view_layer, root, ("Armatures",), True)
    if world and KEY not in (bpy.context.scene.world or {}):
        bpy.context.scene.world = world
    if day:
        importer.set_daylight(root, day, world)


def _take_place(empty: bpy.types.Object, made: bpy.types.Object) -> None:
    """Applies the empty's transform to the object."""
    made.parent, made.parent_type, made.parent_bone = empty.parent, empty.parent_type, empty.parent_bone
    made.matrix_parent_inverse, made.matrix_basis = empty.matrix_parent_inverse, empty.matrix_basis
    made.hide_render, made.hide_viewport = empty.hide_render, empty.hide_viewport
    for constraint in empty.constraints:
        made.constraints.copy(constraint)
    for key in empty.keys():
        if key not in made:
            made[key] = empty[key]
    made[MADE_AS] = empty[MADE_AS]


def _shown_by(world: bpy.types.World) -> set[str]:
    images = [node.image for node in world.node_tree.nodes if node.type == "TEX_IMAGE"]
    return {image.get("game_name", "") for image in images if image}


def _sky_images(scene: Scene) -> set[str]:
    images = scene.images()
    return {images[n].name for n in image_numbers(scene, scene.data.materials[scene.data.sky_material].contents)}


def _sky(again: _Again) -> bpy.types.World | None:
    """The map's world, when there was none or it shows other images, as stand-ins for the sky's."""
    number = again.scene.data.sky_material
    if number == abi.NO_INDEX:
        return None
    key = importer.map_key_of(again.scene, bpy.path.abspath(again.root["map_file"]))
    old = by_key(bpy.data.worlds).get(f"{key}/sky")
    if old is not None and _shown_by(old) == _sky_images(again.scene):
        return None
    materials = again.materials(False)
    world = sky.build(again.scene, key, materials.textures, materials, again.made)
    if world is not None and old is not None:
        again.made.replace(old, world)
    return world
