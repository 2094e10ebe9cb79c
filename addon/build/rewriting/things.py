"""Sorts an imported map's objects: those of each entity, copies of them, added objects, and objects that are not
entities."""
import hashlib
import json
from collections.abc import Iterable
from typing import NamedTuple

import bpy
from bspscene import abi
from bspscene.scene import Scene, text

from ..data.again import ENTITIES, ENTITY, MADE_AS, MAP_FILE, NODE, PLACES, RIG
from .places import Move, move_of
from .record import Told

CLASS = "classname"


class Part(NamedTuple):
    """An object that belongs to an entity: the object of the entity's own node (`is_own`), or another one, such as a
    camera at its eyes."""
    made: bpy.types.Object
    is_own: bool
    move: Move


class Things(NamedTuple):
    entities: dict[int, list[Part]]        # by the entity's number: its original objects, its own object first
    gone: list[int]
    copies: list[tuple[int, list[Part]]]   # for each new entity that is a copy: the number of the copied entity, and
                                           # the copied objects
    added: list[bpy.types.Object]          # objects that a user added and gave the custom property "classname"
    told: list[Told]


def digest_of(scene: Scene) -> str:
    """Returns a hash of all entities, by which changes of the file are detected."""
    pairs = [(text(pair.key).encode(), text(pair.value).encode()) for pair in scene.data.pairs[:scene.data.pair_count]]
    counts = [record.pair_count for record in scene.items("entities")]
    return hashlib.sha256(repr([counts, pairs]).encode()).hexdigest()


def note_entities(root: bpy.types.Collection, scene: Scene) -> None:
    """Stores which entities the import made objects of, so that deleted ones can be detected."""
    own = {text(scene.data.nodes[record.node].contents.name) for record in scene.items("entities")}
    numbers = sorted({made[ENTITY] for made in root.all_objects if ENTITY in made and made.get(NODE) in own})
    root[ENTITIES] = json.dumps({"digest": digest_of(scene), "numbers": numbers})


def sort_things(root: bpy.types.Collection, scene: Scene) -> Things:
    """Sorts the objects of a map. `scene` is the map's file as it is now. Raises ValueError if the file or the
    collection belongs to another map."""
    if ENTITIES not in root:
        raise ValueError(f"{root.name}: was imported by an earlier version, which did not store the entity of each "
                         "object; import it again, with \"Keep my edits\"")
    noted = json.loads(root[ENTITIES])
    if noted["digest"] != digest_of(scene):
        raise ValueError(f"{root.name}: the map's file has other entities than those that were imported; import it "
                         "again, with \"Keep my edits\"")
    return _Sorting(root, scene, set(noted["numbers"])).run()


class _Sorting:
    def __init__(self, root: bpy.types.Collection, scene: Scene, numbers: set[int]) -> None:
        self._root, self._scene, self._numbers = root, scene, numbers
        self._places = json.loads(root.get(PLACES, "{}"))
        self._nodes = {text(node.name): node for node in scene.items("nodes")}
        self._own = [text(scene.data.nodes[record.node].contents.name) for record in scene.items("entities")]
        self._told: list[Told] = []

    def run(self) -> Things:
        objects = sorted([*self._root.all_objects, *self._find_loose()], key=lambda made: made.name)
        groups: dict[str, list[bpy.types.Object]] = {}
        added = []
        for made in objects:
            if RIG in made:
                continue
            if made.get(MADE_AS) in self._places and self._is_ours(made):
                groups.setdefault(made[MADE_AS], []).append(made)
            else:
                added.append(made)
        originals, copies = self._split(groups)
        entities = self._by_entity(originals)
        gone = self._find_gone(entities)
        self._tell_of_others(groups, originals, copies, gone)
        return Things({number: entities[number] for number in sorted(entities) if number not in gone}, gone,
                      self._group_copies(copies), self._with_class(added), self._told)

    def _find_loose(self) -> list[bpy.types.Object]:
        """Finds objects with a class that are in no map's collection, because Blender adds and pastes objects into the
        active collection. If the scene has only one map, they belong to it."""
        found: list[bpy.types.Object] = []
        for scene in bpy.data.scenes:
            maps = [child for child in scene.collection.children_recursive if MAP_FILE in child]
            if self._root not in maps:
                continue
            held = {made for child in maps for made in child.all_objects}
            loose = [made for made in scene.objects if made not in held and isinstance(made.get(CLASS), str)]
            if len(maps) == 1:
                found += [made for made in loose if made not in found]
            else:
                self._told += [Told(made.name, "is in the collection of no map: move it into that of its map")
                               for made in loose]
        return found

    def _is_ours(self, made: bpy.types.Object) -> bool:
        """True if the object is new, or if this map has the node that the object was made of, and that node has the
        object's entity."""
        number = made.get(ENTITY, abi.NO_INDEX)
        if number == abi.NO_INDEX:
            return True
        node = self._nodes.get(made.get(NODE))
        return node is not None and node.entity == number

    def _split(self, groups: dict[str, list[bpy.types.Object]]) -> tuple[list[bpy.types.Object],
                                                                         list[bpy.types.Object]]:
        """Separates originals from copies. Of several objects made from one object of the import, the original is the
        one that kept its name, or else one that did not move."""
        originals, copies = [], []
        for name, candidates in groups.items():
            best = min(candidates, key=lambda made: (made.name != name, not self._part(made).move.is_none()))
            originals.append(best)
            copies += [made for made in candidates if made != best]
        return originals, copies

    def _part(self, made: bpy.types.Object) -> Part:
        number = made.get(ENTITY, abi.NO_INDEX)
        move = move_of(made, self._places[made[MADE_AS]], self._scene.meters_per_unit)
        return Part(made, number != abi.NO_INDEX and made[NODE] == self._own[number], move)

    def _by_entity(self, objects: Iterable[bpy.types.Object]) -> dict[int, list[Part]]:
        found: dict[int, list[Part]] = {}
        for made in objects:
            if ENTITY in made:
                found.setdefault(made[ENTITY], []).append(self._part(made))
        return {number: sorted(parts, key=lambda part: (not part.is_own, part.made.name))
                for number, parts in found.items()}

    def _find_gone(self, entities: dict[int, list[Part]]) -> list[int]:
        gone = [number for number in sorted(self._numbers) if not any(p.is_own for p in entities.get(number, ()))]
        world = [number for number in gone if self._scene.data.entities[number].contents.model == 0]
        self._told += [Told(self._own[number], "was deleted, but is kept: maps need a world") for number in world]
        return [number for number in gone if number not in world]

    def _group_copies(self, copies: list[bpy.types.Object]) -> list[tuple[int, list[Part]]]:
        """Groups copied objects into new entities. Copies of objects of one entity that moved alike become one new
        entity."""
        made: list[tuple[int, list[Part]]] = []
        parts = [self._part(copy) for copy in copies if ENTITY in copy]
        for part in sorted(parts, key=lambda part: (not part.is_own, part.made.name)):
            number, like = part.made[ENTITY], part.made[MADE_AS]
            for of, others in made:
                is_like = of == number and _is_alike(part.move, others[0].move)
                if is_like and like not in [other.made[MADE_AS] for other in others]:
                    others.append(part)
                    break
            else:
                made.append((number, [part]))
        return sorted(made, key=lambda one: one[1][0].made.name)

    def _with_class(self, added: list[bpy.types.Object]) -> list[bpy.types.Object]:
        found = [made for made in added if isinstance(made.get(CLASS), str) or is_plain_lamp(made)]
        self._told += [Told(made.name, "is not written, because it has no custom property \"classname\"")
                       for made in added if made not in found]
        return found

    def _tell_of_others(self, groups: dict[str, list[bpy.types.Object]], originals: list[bpy.types.Object],
                        copies: list[bpy.types.Object], gone: list[int]) -> None:
        """Reports objects that were moved, copied or deleted but are not entities: objects that the compiler made from
        other data, and parts of entities."""
        for made in originals:
            if ENTITY not in made and not self._part(made).move.is_none():
                self._told.append(Told(made.name, "was moved, but is not an entity: the map keeps its position"))
        self._told += [Told(made.name, "is a copy of an object that is not an entity") for made in copies
                       if ENTITY not in made]
        of = {name: number for number, name in enumerate(self._own)}
        for name in sorted(set(self._places) - set(groups)):
            ends = [i for i, letter in enumerate(name + ".") if letter in ".:"]
            whole = next((name[:end] for end in reversed(ends) if name[:end] in of), None)
            if whole is None:
                self._told.append(Told(name, "was deleted, but is not an entity: the map keeps it"))
            elif of[whole] not in gone and of[whole] in self._numbers and whole != name:
                self._told.append(Told(name, "was deleted, but is only a part of its entity, which the map keeps"))


def _is_alike(one: Move, other: Move) -> bool:
    return (one.way - other.way).length < 1e-4 and (one.turn is None) == (other.turn is None) and \
        (one.turn is None or other.turn is None or one.turn.rotation_difference(other.turn).angle < 1e-3)


def is_plain_lamp(made: bpy.types.Object) -> bool:
    """True for a lamp that can be written as the class "light", which every game has."""
    return made.type == "LIGHT" and made.data.type == "POINT"


def moved_part(parts: list[Part]) -> tuple[Part | None, list[Part]]:
    """Returns the object that tells how the entity was moved, and objects of the entity that moved in another way."""
    moved = [part for part in parts if not part.move.is_none()]
    first = moved[0] if moved else None
    return first, [part for part in moved[1:] if first and not _is_alike(part.move, first.move)]
