"""Completes an imported map from a game's files: missing textures and their materials, models and the sky."""
import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import bpy
from bspscene import abi
from bspscene.scene import Scene, text

from . import importer
from .build.baked import daylight
from .build.data.again import MADE_AS, NODE, mark_added
from .build.data.blocks import KEY, Made, by_key
from .build.data.image import Images
from .build.data.orphans import Orphans
from .build.materials import sky
from .build.materials.facts import FACTS, is_in_mode, mode_of_map
from .build.materials.material import Materials
from .build.materials.mode import MODES
from .build.materials.uses import image_numbers, looks_of
from .build.objects import layers, node
from .build.objects.hiding import EXCLUDED, SKYBOX
from .loading import load_scene
from .options import complete
from .report import Report


class Lack(NamedTuple):
    """The materials and nodes of a map that lack files."""
    textures: set[str]
    models: set[str]
    looks: dict[str, str]                  # facts about each material, by the material's name
    nodes: set[str]                        # names of its nodes; more files may add nodes, such as suns of sky shaders


class Found(NamedTuple):
    """A game directory and how many of the missing files it has; "" if none has any."""
    place: str
    textures: int
    models: int


def find_missing(root: bpy.types.Collection, places: Iterable[str | Path]) -> Found:
    """Looks in these game directories for the textures and models that an imported map lacks. Uses the directory that
    has most of them. Makes materials that show the textures, puts models in place of empties, and makes the map's sky.
    Everything else stays, and moved objects keep their positions.

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
        stand_ins = Orphans()
        root["import_options"] = json.dumps(_with(values, best.place))
        _renew_materials(root, before)
        _make_the_rest(root, before)
        stand_ins.remove()
    return best


def _with(values: dict, place: str) -> dict:
    return complete(dict(values, game_paths=";".join(part for part in (values["game_paths"], place) if part)))


def _lack(root: bpy.types.Collection, values: dict) -> Lack:
    report = Report()
    scene = load_scene(bpy.path.abspath(root["map_file"]), values, report, None)
    return Lack(set(report.missing_textures), set(report.models), looks_of(scene),
                {text(record.name) for record in scene.items("nodes")})


def _materials_of(root: bpy.types.Collection, mode: str) -> list[bpy.types.Material]:
    used = {m for made in root.all_objects if made.type == "MESH" for m in made.data.materials if m and FACTS in m}
    return sorted((material for material in used if is_in_mode(material, mode)), key=lambda material: material.name)


class _Again:
    """Reads the map's file again, for the materials of one mode. Leaving the `with` block keeps what was made in it, or
    removes it after an exception."""

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
    """Makes materials again if the new files changed what the game says about them. Each new material has the mode of
    the old one. Other materials keep the user's edits."""
    for mode in MODES:
        old = _materials_of(root, mode)
        if not old:
            continue
        with _Again(root, mode) as again:
            materials, now = again.materials(False), looks_of(again.scene)
            for material in old:
                name = material["game_name"]
                if now.get(name) != before.looks.get(name):
                    new = materials.anew(again.scene, material)
                    if new != material:
                        again.made.replace(material, new)


def _make_the_rest(root: bpy.types.Collection, before: Lack) -> None:
    """Adds models and the sky that were found."""
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
        shown = {kind: layers.are_shown(bpy.context.view_layer, root, kind) for kind in ("Lights", SKYBOX)}
        added = _add_nodes(root, objects, before)
        world = _sky(again) if values["sky_world"] else None
        day = daylight.measure(again.scene) if mode == "RELIGHT" and (world or added) else None
    mark_added(root, added)
    layers.show_kinds(bpy.context.view_layer, root, EXCLUDED, False)
    for kind, is_shown in shown.items():
        layers.show_kinds(bpy.context.view_layer, root, (kind,), is_shown)
    layers.show_sky(bpy.context.view_layer, root, mode_of_map(root))
    if world and KEY not in (bpy.context.scene.world or {}):
        bpy.context.scene.world = world
    if day:
        daylight.forget(root.all_objects)
        importer.set_daylight(root, day, world or bpy.context.scene.world)


def _add_nodes(root: bpy.types.Collection, objects: node.Objects, before: Lack) -> list[bpy.types.Object]:
    """Adds objects that the map has only with the new files: suns and other lamps of shaders. Objects that a user
    deleted stay deleted."""
    names = {text(record.name) for record in objects.nodes} - before.nodes
    earlier = set(root.all_objects)
    objects.build_more(names)
    return [made for made in root.all_objects if made not in earlier and made.get(NODE) in names]


def _take_place(empty: bpy.types.Object, made: bpy.types.Object) -> None:
    """Gives the object the empty's transform, parent, visibility, constraints and custom properties."""
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
    trees = [world.node_tree, *(node.node_tree for node in world.node_tree.nodes if node.type == "GROUP")]
    images = [node.image for tree in trees for node in tree.nodes if node.type == "TEX_IMAGE"]
    return {image.get("game_name", "") for image in images if image}


def _sky_images(scene: Scene) -> set[str]:
    images = scene.images()
    return {images[n].name for n in image_numbers(scene, scene.data.materials[scene.data.sky_material].contents)}


def _sky(again: _Again) -> bpy.types.World | None:
    """Makes the map's world if the map had none, or if its world showed placeholders for missing images."""
    number = again.scene.data.sky_material
    if number == abi.NO_INDEX:
        return None
    key = importer.map_key_of(again.scene, bpy.path.abspath(again.root["map_file"]))
    old = by_key(bpy.data.worlds).get(f"{key}/sky")
    if old is not None and _shown_by(old) == _sky_images(again.scene):
        return None
    materials = again.materials(False)
    world = sky.build(again.scene, key, materials, again.made)
    if world is not None and old is not None:
        again.made.replace(old, world)
    return world
