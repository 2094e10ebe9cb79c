"""Writes the user's changes to objects of an imported map into the entities of a copy of the map. Part of the script
API; the operators call it too."""
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import bpy
from bspscene import abi
from bspscene.files import GameFiles
from bspscene.library import MapError
from bspscene.rewrite import EntityChange, NewCorner, NewEntity, Rewritten, rewrite
from bspscene.scene import Scene, load, text
from mathutils import Matrix, Vector

from . import importer
from .build.data.again import MADE_AS, MAP_FILE
from .build.objects.light import kind_of
from .build.objects.node import CAMERA_AXES
from .build.baked.vertex_light import LIST
from .build.rewriting import lamps, places
from .build.rewriting.corners import changed_corners
from .build.rewriting.goals import Goal, Place, Size, Turn, light_of, place_of, prefers_angles, turn_of
from .build.rewriting.keys import Changes, changes_of, number_text, own_pairs
from .build.rewriting.record import Record, Told
from .build.rewriting.things import CLASS, Part, Things, is_plain_lamp, moved_part, sort_things
from .loading import present_search_paths
from .options import WITHOUT_PAGES

MOST_TRIALS = 24
ORIGIN = "origin"
FACING = ("LIGHT", "CAMERA")   # types of objects that look along -Z in Blender


class Written(NamedTuple):
    """What was written or would be written, and messages about changes that no entity can store."""
    rewritten: Rewritten
    told: list[Told]

    def summary(self) -> str:
        counts = [(kind, sum(change.kind == kind for change in self.rewritten.changes))
                  for kind in ("changed", "added", "removed")]
        said = ", ".join(f"{count} {kind}" for kind, count in counts if count)
        corners = self.rewritten.corners_changed
        lines = [f"entities: {said}"] if said else []
        return "; ".join(lines + [f"{corners} vertices of faces changed"] * bool(corners)) or "No entity changed"

    def lines(self) -> list[str]:
        """Returns the totals, each change, changes that were not written, and warnings about engines."""
        lines = [self.summary(), *(line for change in self.rewritten.changes for line in lines_of(change))]
        if self.told:
            lines += ["Not written:", *(f"  {told.line()}" for told in self.told)]
        return lines + self.rewritten.warnings + [f"wrote {file}" for file in self.rewritten.files]


def lines_of(change: EntityChange) -> list[str]:
    """Returns the lines of a report about a change. Added and removed entities are listed with their position."""
    first, *others = change.lines()
    where = [key.old if change.kind == "removed" else key.new for key in change.keys if key.key.lower() == ORIGIN]
    return [first + (f" at {where[0]}" if where and change.kind != "changed" else ""), *others]


def write_entities(root: bpy.types.Collection, target: str | None) -> Written:
    """Writes a copy of an imported map with the present state of its objects. Objects that were moved, turned, copied,
    added or deleted, or that have other keys or other light, change the entities. Corners of faces get the texture
    coordinates, normals and colors of the meshes. If faces have no vertices of their own, they get only the texture
    coordinates. If `target` is None, nothing is written; the result tells what would change. The ending of `target`
    selects the kind of file, as in bspscene.rewrite. Raises MapError, ValueError and OSError; then nothing was
    written."""
    if MAP_FILE not in root:
        raise ValueError(f"{root.name}: not the collection of an imported map")
    source = _Source(root)
    wanted = _Wanted(root, source)
    told = wanted.told + _settle(source, wanted.records, wanted.goals)
    surfaces = source.surfaces()
    corners, unclear = changed_corners(root, *surfaces) if surfaces else ([], [])
    told += unclear
    if corners and target and not target.lower().endswith(".bsp"):
        told.append(Told(root.name, "its faces have changed corners, which can only be written into a .bsp file"))
        corners = []
    target = target and bpy.path.abspath(target)
    try:
        return Written(source.rewrite(wanted.records, target, corners), told)
    except MapError as error:
        if not corners:
            raise
        # The format may store only entities, so write without the corners.
        told.append(Told(root.name, f"corners of its faces are not written: {str(error).split(': ', 1)[-1]}"))
        return Written(source.rewrite(wanted.records, target), told)


class _Source:
    """The map's file. `scene` has its entities and their positions, without geometry."""

    def __init__(self, root: bpy.types.Collection) -> None:
        values = importer.values_of(root)
        self._path, self._map = bpy.path.abspath(root[MAP_FILE]), values["map"]
        self._games = present_search_paths(values)
        self._engine = "darkplaces" if root.get("variant") == "darkplaces" else "original"
        self._divides = values["lightmaps"] in WITHOUT_PAGES
        self._meters, self._patch_error = values["meters_per_unit"], values["patch_error"]
        self._entity_source = getattr(abi, f"ENTITY_SOURCE_{values['entity_source']}")
        self.scene = self._load(GameFiles(self._path, self._games, self._map))

    def _load(self, files: GameFiles) -> Scene:
        return load(files, parts="no_geometry", textures="none", models="none", lightmap_encoding="none",
                    engine=self._engine, meters_per_unit=self._meters, entity_source=self._entity_source)

    def surfaces(self) -> tuple[Scene, Scene | None] | None:
        """Loads the map's geometry with the colors of the file. If vertices store light, also loads a second scene with
        the colors that the import shows. Returns None if the import subdivided faces."""
        files = GameFiles(self._path, self._games, self._map)

        def get(encoding: str) -> Scene:
            return load(files, textures="names", models="none", lightmap_encoding=encoding, keep_map_light=True,
                        include_mask=abi.SURFACE_ALL, patch_error=self._patch_error, engine=self._engine)

        raw = get("raw")
        if LIST in raw.light_lists():
            return raw, get("display")
        return None if self._divides else (raw, None)

    def rewrite(self, records: Sequence[Record], target: str | None, corners: Sequence[NewCorner] = ()) -> Rewritten:
        # If entities came from a file next to the map, their numbers are not those of the map's own entities.
        beside = bool(self.scene.data.entity_file)
        entities = [NewEntity(record.pairs, None if beside else record.source) for record in records]
        try:
            return rewrite(self._path, entities, target, corners=corners, map=self._map, games=self._games)
        except MapError as error:
            if not corners:   # without corners, every record in the library's message is an entity
                error.args = (re.sub(r"\brecord (\d+)", lambda found: records[int(found[1])].name, str(error)),)
            raise

    def trial(self, records: Sequence[Record]) -> Scene:
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "trial.bsp")
            self.rewrite(records, target)
            return self._load(GameFiles(target))


def _settle(source: _Source, records: list[Record], goals: list[Goal]) -> list[Told]:
    """Writes trial versions of the map until all goals are reached or have failed. Returns messages about goals that
    failed."""
    pending = list(goals)
    for _ in range(MOST_TRIALS):
        if not pending:
            break
        trial = source.trial(records)
        numbers = {id(record): number for number, record in enumerate(records)}
        pending = [goal for goal in pending if not goal.step(trial, numbers[id(goal.record)])]
    for goal in pending:
        goal.fail()
    return [goal.told for goal in goals if goal.told]


class _Wanted:
    """The records of all entities of the new map. `goals` has what the trials must find keys for."""

    def __init__(self, root: bpy.types.Collection, source: _Source) -> None:
        self.scene = source.scene
        self._meters = self.scene.meters_per_unit
        self._angles = prefers_angles(self.scene)
        self._props = {text(node.name): text(self.scene.data.props[node.prop].contents.model)
                       for node in self.scene.items("nodes") if node.prop != abi.NO_INDEX}
        self.records: list[Record] = []
        self.goals: list[Goal] = []
        things = sort_things(root, self.scene)
        self.told = list(things.told)
        self._keep_and_change(things)
        for number, parts in things.copies:
            record = Record(None, self.scene.keys(number), parts[0].made.name, self.scene.data.first_key_wins)
            self.records.append(record)
            self._change(record, number, parts)
        for made in things.added:
            self._add(made)

    def _keep_and_change(self, things: Things) -> None:
        gone = set(things.gone)
        for number in range(self.scene.data.entity_count):
            if number in gone:
                continue
            node = self.scene.data.entities[number].contents.node
            record = Record(number, self.scene.keys(number), text(self.scene.data.nodes[node].contents.name),
                            self.scene.data.first_key_wins)
            self.records.append(record)
            if number in things.entities:
                self._change(record, number, things.entities[number])

    def _tell(self, name: str, why: str) -> None:
        self.told.append(Told(name, why))

    # ---- One entity and its objects

    def _change(self, record: Record, number: int, parts: list[Part]) -> None:
        self._change_keys(record, number, parts)
        if any(places.shift_of(part.made) is None for part in parts):
            self._tell(record.name, "has another shape now, but keys cannot describe a shape")
        part, others = moved_part(parts)
        if part is not None:
            self._move(record, number, part)
            for other in others:
                self._tell(other.made.name, f"was moved differently than {part.made.name}, whose move is written")
        self._light(record, number, parts)

    def _change_keys(self, record: Record, number: int, parts: list[Part]) -> None:
        """Applies changed custom properties to a record. If an entity has several objects with different changes, the
        first object's change is used."""
        found: dict[int, str | None] = {}
        added: dict[str, str] = {}
        for part in parts:
            model = self._props.get(part.made.get("bspscene_node"), "")
            changes: Changes = changes_of(self.scene, number, part.made, model)
            for pair, value in changes.pairs.items():
                if found.setdefault(pair, value) != value:
                    self._tell(part.made.name, f"has another \"{record.pairs[pair][0]}\" than {parts[0].made.name}, "
                                               "whose value is written")
            for key, value in changes.added:
                added.setdefault(key, value)
        pairs = [(key, found.get(place, value)) for place, (key, value) in enumerate(record.pairs)]
        record.pairs = [(key, value) for key, value in pairs if value is not None] + list(added.items())

    def _move(self, record: Record, number: int, part: Part) -> None:
        entity = self.scene.data.entities[number].contents
        if entity.model == 0:
            self._tell(record.name, "was moved, but the world of a map cannot move")
            return
        place, move = place_of(self.scene, number), part.move
        parent = self.scene.data.nodes[entity.node].contents.parent
        t = self.scene.world_transform(parent)
        outer = Matrix((t[0:3], t[4:7], t[8:11]))
        way = move.way / self._meters
        if way.length:
            self._put_origin(record, entity.origin, outer.inverted() @ way)
            self.goals.append(Place(record, place.translation + way))
        light = light_of(self.scene, number)
        if move.turn is not None and light is not None and light.kind == abi.LIGHT_POINT:
            self._tell(record.name, "was turned, but it shines equally in all directions")
        elif move.turn is not None:
            wanted = move.turn.to_matrix() @ turn_of(place)
            self.goals.append(Turn(record, wanted, light is not None, self._angles))
        if move.size is not None:
            wanted_size = Vector([size * factor for size, factor in zip(place.to_scale(), move.size)])
            self.goals.append(Size(record, wanted_size, move.size))

    @staticmethod
    def _put_origin(record: Record, before: Iterable[float], way: Iterable[float]) -> None:
        """Writes a new origin. Keeps the old text of coordinates that did not change."""
        words = (record.get(ORIGIN) or "").split()
        words = words if len(words) == 3 else []
        texts = [words[axis] if words and abs(far) < places.STILL else number_text(start + far, places.DECIMALS)
                 for axis, (start, far) in enumerate(zip(before, way))]
        record.put(ORIGIN, " ".join(texts))

    def _light(self, record: Record, number: int, parts: list[Part]) -> None:
        lamp = next((part.made.data for part in parts if part.made.type == "LIGHT"), None)
        light, before = light_of(self.scene, number), lamps.look_in(self.scene, number)
        if lamp is None or light is None or before is None:
            return
        if lamps.shape_is_changed(lamp, light):
            self._tell(record.name, "has another type or cone of light now: edit the keys of the entity instead")
        if lamp.type == kind_of(light) and lamps.is_changed(lamp, before):
            self.goals.append(lamps.Shine(record, lamps.look_of(lamp)))

    # ---- What is new

    def _add(self, made: bpy.types.Object) -> None:
        pairs = [(key, value) for _, key, value in own_pairs(made)]
        if not any(key == CLASS for key, _ in pairs):
            pairs.insert(0, (CLASS, "light"))
        record = Record(None, pairs, made.name, self.scene.data.first_key_wins)
        self.records.append(record)
        matrix = places.world_matrix(made)
        if made.type in FACING:
            matrix = matrix @ CAMERA_AXES.inverted()
        at = matrix.translation / self._meters
        self._put_origin(record, (0, 0, 0), at)
        self.goals.append(Place(record, at))
        turn = turn_of(matrix)
        if not is_plain_lamp(made) and turn.to_quaternion().angle > places.STRAIGHT:
            self.goals.append(Turn(record, turn, made.type == "LIGHT", self._angles))
        if made.type == "LIGHT" and MADE_AS not in made:
            self.goals.append(lamps.Shine(record, lamps.look_of(made.data)))
