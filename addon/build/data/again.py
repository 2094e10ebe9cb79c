"""Replaces an earlier import of the same map. Objects that somebody added to it are kept. With "update" the objects of
the earlier import are kept too, with the user's changes."""
import json
import re
from collections.abc import Iterable

import bpy

from .blocks import Numbered, is_alive, remove

MAP_FILE, MAP_NAME = "map_file", "map_name"   # custom properties of a map's collection
PLACES = "bspscene_places"                    # on a map's collection: the transform of each object, by the object's
                                              # original name
MADE_AS = "bspscene_object"                   # on an object: its original name; copies do not have it
NODE = "bspscene_node"                        # on an object: the name of its node in the scene, which is the same in
                                              # every import
DELETED = "bspscene_deleted"                  # on a map's collection: names of its objects that a user deleted
ENTITY = "bspscene_entity"                    # on an object: the number of its entity in the map
ENTITIES = "bspscene_entities"                # on a map's collection: the numbers of the entities that its objects were
                                              # made from, see note_entities
RIG = "bspscene_rig"                          # on an object: true if it exists only to move another object
OUTLINE = "bspscene_outline"                  # on a mesh: positions of some of its vertices, as they were imported
KIND = "bspscene_kind"                        # on a map's sub-collection: its kind, which stays when a user renames the
                                              # collection


def mark(root: bpy.types.Collection) -> None:
    """Marks the objects that an import made, so that they can be distinguished from later ones, and stores their
    positions."""
    for made in root.all_objects:
        made[MADE_AS] = made.name
    root[PLACES] = json.dumps({made.name: _place(made) for made in root.all_objects if RIG not in made})


def mark_added(root: bpy.types.Collection, added: Iterable[bpy.types.Object]) -> None:
    """Marks objects that a later step of the add-on made."""
    places = json.loads(root[PLACES])
    for made in added:
        made[MADE_AS] = made.name
        places[made.name] = _place(made)
    root[PLACES] = json.dumps(places)


def take_names(root: bpy.types.Collection, numbered: Iterable[Numbered]) -> None:
    """Gives new objects their intended names, except names that an earlier import uses."""
    places = json.loads(root[PLACES])
    for kind, block, wanted in numbered:
        if not is_alive(block) or wanted in getattr(bpy.data, kind):
            continue
        before, block.name = block.name, wanted
        if block.get(MADE_AS) == before:
            block[MADE_AS] = block.name
            if before in places:
                places[block.name] = places.pop(before)
    root[PLACES] = json.dumps(places)


def replace_earlier(scene: bpy.types.Scene, root: bpy.types.Collection) -> None:
    """Removes earlier imports of the map that existed before `root`. Objects that a user added, copied or renamed in
    them move to `root`."""
    for old in _earlier(scene, root):
        name, ours = old.name, _own_collections(old)
        everything = {made for collection in ours for made in collection.objects}
        gone = [made for made in everything if made.get(MADE_AS) == made.name]
        for added in everything.difference(gone):
            if added.name not in root.objects:
                root.objects.link(added)
        for own in [child for child in old.children if child not in ours]:
            root.children.link(own)
        _remove(gone, list(ours))
        root.name = name


def update_earlier(scene: bpy.types.Scene, root: bpy.types.Collection) -> dict[str, bpy.types.Object]:
    """Keeps objects of the earlier import in place of the objects of `root` that represent the same thing in the game.
    Kept objects get the new meshes, keys and original positions. They keep the user's edits, their modifiers, their
    children, and the collections that a user put them into. Then replaces the earlier imports, as replace_earlier does.
    If there are several earlier imports, only the last is updated. Returns a dictionary from the name of each new
    object to the kept object that took its place."""
    earlier = _earlier(scene, root)
    if not earlier:
        return {}
    old = earlier[-1]
    places = json.loads(old.get(PLACES, "{}"))
    kept = _by_thing(old, [made for made in old.all_objects if made.get(MADE_AS) == made.name])
    pairs = [(before, made) for thing, made_of in _by_thing(root, root.all_objects).items()
             for before, made in zip(kept.get(thing, ()), made_of) if before.type == made.type]
    pairs += _taken_away(root, places, pairs)
    _leave_out_deleted(old, root, places, {made for _, made in pairs})
    inside = _own_collections(old)
    for before, made in pairs:
        _move(before, made, inside)
        _renew(before, made, places.get(before.name))
    _keep_rigs({made: before for before, made in pairs})
    replaced = {made.name: before for before, made in pairs}
    now = json.loads(root[PLACES])
    root[PLACES] = json.dumps({replaced[name].name if name in replaced else name: place for name, place in now.items()})
    _remove([made for _, made in pairs], [])
    replace_earlier(scene, root)
    return replaced


def _own_collections(root: bpy.types.Collection) -> set[bpy.types.Collection]:
    """Returns the collections that an import made, with everything that a user may have added to them."""
    kinds = [kind for kind in root.children if KIND in kind]
    return {root, *kinds, *(group for kind in kinds for group in kind.children_recursive)}


def _move(before: bpy.types.Object, made: bpy.types.Object, inside: set[bpy.types.Collection]) -> None:
    """Moves an object of the earlier import to the collections of its new counterpart. If a user had moved the object
    out of all collections of the map, it stays where it is."""
    ours = [collection for collection in before.users_collection if collection in inside]
    for collection in ours:
        collection.objects.unlink(before)
    if ours or not before.users_collection:
        for collection in made.users_collection:
            collection.objects.link(before)


def _leave_out_deleted(old: bpy.types.Collection, root: bpy.types.Collection, places: dict,
                       paired: set[bpy.types.Object]) -> None:
    """Removes new objects that a user had deleted from the earlier import. Stores the names of deleted objects for the
    next import."""
    gone = set(json.loads(old.get(DELETED, "[]")))
    new = set(root.all_objects)
    there = {made[MADE_AS] for made in bpy.data.objects if MADE_AS in made and made not in new}
    gone |= {_without_number(name) for name in places if name not in there}
    again = [made for made in new if made not in paired and _without_number(made[MADE_AS]) in gone]
    root[DELETED] = json.dumps(sorted(gone))
    _remove(again, [])


def _taken_away(root: bpy.types.Collection, places: dict, pairs: list[tuple[bpy.types.Object, bpy.types.Object]],
                ) -> list[tuple[bpy.types.Object, bpy.types.Object]]:
    """Pairs objects that a user moved out of the map's collections with their new counterparts."""
    known, new = {before for before, _ in pairs}, set(root.all_objects)
    away = {(_without_number(made.name), made.type): made for made in bpy.data.objects
            if made.name in places and made.get(MADE_AS) == made.name and made not in known and made not in new}
    found = [(away.get((_without_number(made[MADE_AS]), made.type)), made)
             for made in new.difference(made for _, made in pairs)]
    return [(before, made) for before, made in found if before is not None]


def _without_number(name: str) -> str:
    """Returns the name without the number that Blender appends to a taken name."""
    return re.sub(r"\.\d{3,}$", "", name)


def _renew(before: bpy.types.Object, made: bpy.types.Object, place: list[float] | None) -> None:
    data, name = before.data, before[MADE_AS]
    if place is None or _place(before) == place:
        before.matrix_world = made.matrix_world
    before.data = made.data
    for key in made.keys():
        before[key] = made[key]
    before[MADE_AS] = name
    if data is not None and data.users == 0:
        remove([data])


def _keep_rigs(replaced: dict[bpy.types.Object, bpy.types.Object]) -> None:
    """Gives kept objects the armatures of the objects that they replace. A kept object that has an armature already
    keeps it."""
    for made, before in replaced.items():
        new = {modifier.name: modifier.object for modifier in made.modifiers if modifier.type == "ARMATURE"}
        for modifier in [modifier for modifier in before.modifiers if modifier.type == "ARMATURE"]:
            is_ours = modifier.object is not None and RIG in modifier.object
            if is_ours and modifier.name not in new:
                before.modifiers.remove(modifier)
        for name, holder in new.items():
            modifier = before.modifiers.get(name) or before.modifiers.new(name, "ARMATURE")
            modifier.object = replaced.get(holder, holder)
        for child in made.children:
            if child not in replaced:
                basis = child.matrix_basis.copy()
                child.parent = before
                child.matrix_basis = basis


def _place(made: bpy.types.Object) -> list[float]:
    return [value for row in made.matrix_basis for value in row]


def _by_thing(root: bpy.types.Collection, objects: Iterable[bpy.types.Object]) -> dict[tuple, list[bpy.types.Object]]:
    """Groups objects. Each key is the kind of the objects' collection, and the name of the scene node that they were
    made from. Objects of one node keep their order."""
    kind_of = {made: kind[KIND] for kind in root.children if KIND in kind for made in kind.all_objects}
    things: dict[tuple, list[bpy.types.Object]] = {}
    for made in objects:
        if made in kind_of:
            things.setdefault((kind_of[made], made.get(NODE)), []).append(made)
    return things


def _remove(objects: list[bpy.types.Object], collections: list[bpy.types.Collection]) -> None:
    data = {made.data for made in objects if made.data}
    bpy.data.batch_remove([*objects, *collections])
    remove([block for block in data if block.users == 0])


def _earlier(scene: bpy.types.Scene, root: bpy.types.Collection) -> list[bpy.types.Collection]:
    return [child for child in scene.collection.children_recursive if child != root and _same_map(child, root)]


def _same_map(one: bpy.types.Collection, other: bpy.types.Collection) -> bool:
    return all(key in one and one[key] == other.get(key) for key in (MAP_FILE, MAP_NAME))
