"""Tests in Blender of writing entities into a map: an unchanged import gives the map byte by byte. An independent
reader finds the user's changes in the new map, and no others."""
import math
import os
import shutil
import struct
import sys
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy
from blender_support import ATRIUM, FIXTURES, METERS, ROOT, bspscene, objects_of, reset
from bspscene import rewriting
from bspscene.build.data.again import ENTITY, NODE
from bspscene.native.library import MapError
from mathutils import Matrix, Vector

sys.path.insert(0, str(ROOT / "tests/rewrite"))
from map_lumps import read_entities, read_lumps  # noqa: E402

ALL = sorted(FIXTURES.glob("atrium/*/maps/*.bsp")) + sorted(FIXTURES.glob("*/maps/room.bsp"))
FAMILIES = {path.parts[-3]: path for path in ALL}   # one of each
# Families whose entities the library does not write.
REFUSED = [FAMILIES.pop(name) for name in ("callofduty4", "genesis3d", "respawn")]
SPAWNS = ("info_player", "info_human", "mp_deathmatch_spawn")
DOORS = ("func_door", "script_brushmodel")
WAY = Vector((8, -16, 4))


def read(path: str | Path) -> list[dict[str, str]]:
    """Entities as the independent reader sees them."""
    text = read_lumps(Path(path).read_bytes())["entities"]
    return [{key.decode("latin-1"): value.decode("latin-1") for key, value in entity} for entity in read_entities(text)]


def others(path: str | Path) -> dict[str, bytes]:
    lumps = read_lumps(Path(path).read_bytes())
    del lumps["entities"]
    return lumps


def numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def said(values) -> str:
    return " ".join(f"{value:g}" for value in values)


def own(root: bpy.types.Collection, number: int) -> bpy.types.Object:
    """The object that is the entity, not one that belongs to it."""
    found = [made for made in root.all_objects if made.get(ENTITY) == number]
    return min(found, key=lambda made: (len(made[NODE]), len(made.name)))


def moved(made: bpy.types.Object, way: Vector = WAY) -> None:
    made.location += way * METERS


def turned(made: bpy.types.Object, degrees: float, axis: str = "Z") -> None:
    """Rotates about the world's axis, in its own place."""
    place = made.matrix_basis.copy()
    turn = Matrix.Rotation(math.radians(degrees), 4, axis)
    made.matrix_basis = Matrix.Translation(place.translation) @ turn @ place.to_3x3().to_4x4()


def copied(made: bpy.types.Object) -> bpy.types.Object:
    copy = made.copy()
    if made.type == "LIGHT":
        copy.data = made.data.copy()
    made.users_collection[0].objects.link(copy)
    return copy


class Case(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, path: Path, **options) -> bpy.types.Collection:
        self.path, self.before = path, read(path)
        self.root = bspscene.import_map(str(path), **options)
        return self.root

    def write(self, name: str = "new.bsp") -> list[dict[str, str]]:
        """Writes, and reads with the independent reader; only the entity lump may differ."""
        target = self.folder / name
        self.written = bspscene.write_entities(self.root, str(target))
        self.assertEqual(others(target), others(self.path))
        return read(target)

    def told(self) -> str:
        return "\n".join(told.line() for told in self.written.told)

    def find(self, classname: str | tuple[str, ...], which: int = 0) -> int:
        return [n for n, entity in enumerate(self.before) if entity["classname"].startswith(classname)][which]


class Beside(Case):
    """Entities of a file next to the map are what was imported, so they are what is written."""

    def beside(self, wanted: list[dict[str, str]]) -> Path:
        map_file = self.folder / "hall.bsp"
        shutil.copyfile(FAMILIES["quake"], map_file)
        text = "".join("{\n" + "".join(f'"{key}" "{value}"\n' for key, value in entity.items()) + "}\n"
                       for entity in wanted)
        (self.folder / "hall.ent").write_text(text, encoding="latin-1")
        return map_file

    def test_what_was_moved_and_nothing_else_changes(self) -> None:
        """The file has an entity at another place than the map, and twice, so that it has more of them."""
        self.before = read(FAMILIES["quake"])
        first = self.find("light")
        wanted = self.before[:first] + self.before[first + 1:] + 2 * [self.before[first]]
        wanted[0] = {**wanted[0], "message": "beside"}
        self.start(self.beside(wanted))
        lamp = [number for number, entity in enumerate(wanted) if entity["classname"] == "light"][0]
        moved(own(self.root, lamp))
        found = self.write()
        there = said([a + b for a, b in zip(numbers(wanted[lamp]["origin"]), WAY)])
        self.assertEqual([entity for entity in found if entity not in wanted], [{**wanted[lamp], "origin": there}])
        self.assertEqual([entity for entity in wanted if entity not in found], [wanted[lamp]])
        self.write_text("new.ent", found)

    def write_text(self, name: str, wanted: list[dict[str, str]]) -> None:
        bspscene.write_entities(self.root, str(self.folder / name))
        text = read_entities((self.folder / name).read_bytes())
        self.assertEqual([{key.decode(): value.decode() for key, value in entity} for entity in text], wanted)

    def test_the_maps_own_are_written_when_they_were_imported(self) -> None:
        self.before = read(FAMILIES["quake"])
        self.start(self.beside(self.before[:1]), entity_source="MAP")
        self.assertEqual(self.write(), self.before)
        self.assertEqual((self.folder / "new.bsp").read_bytes(), self.path.read_bytes())


class Unchanged(Case):
    def assert_same(self, name: str) -> None:
        self.write()
        self.assertEqual((self.folder / "new.bsp").read_bytes(), self.path.read_bytes(), name)
        self.assertEqual(self.written.told, [], name)

    def test_all_maps_are_the_same_byte_by_byte(self) -> None:
        for path in ALL:
            with self.subTest(path):
                reset()
                self.start(path)
                self.assert_same(str(path))

    def test_whatever_was_imported(self) -> None:
        for options in ({"hidden": False}, {"lights": False, "cameras": False, "entities": False}, {"models": "NONE"},
                        {"shading": "RELIGHT", "sky_world": True}, {"meters_per_unit": 1.0}, {"one_collision": True},
                        {"lightmaps": "VERTICES"}):
            for family in ("quake3", "source", "goldsrc"):
                with self.subTest(family, **options):
                    reset()
                    self.start(FAMILIES[family], **options)
                    self.assert_same(f"{family} {options}")

    def test_after_what_changes_no_entity(self) -> None:
        """Changes that write nothing: other materials, other strengths of lamps by the import, a saved file, names, an
        update, another origin of a mesh, parents."""
        self.start(ATRIUM)
        self.start(ATRIUM, again="UPDATE")
        self.assert_same("updated")
        bspscene.switch_materials(self.root, "RELIGHT")
        for made in list(self.root.all_objects)[::3]:
            made.name = "mine"
        self.assert_same("renamed")
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "map.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(self.folder / "map.blend"))
        self.root = next(c for c in bpy.data.collections if "map_file" in c)
        self.assert_same("saved")
        door = own(self.root, self.find("func_door"))
        bpy.ops.object.select_all(action="DESELECT")
        door.select_set(True)
        bpy.context.view_layer.objects.active = door
        bpy.ops.object.origin_set(type="ORIGIN_GEOMETRY", center="BOUNDS")
        self.assertGreater(door.location.length, 1)
        self.assert_same("origin")
        parent = bpy.data.objects.new("parent", None)
        bpy.context.scene.collection.objects.link(parent)
        parent.location = (1, 2, 3)
        bpy.context.view_layer.update()
        door.parent, door.matrix_parent_inverse = parent, parent.matrix_world.inverted()
        self.assert_same("parent")
        parent.location.z += 32 * METERS
        after = self.write()
        self.assertEqual(after[self.find("func_door")]["origin"], "0 0 32")


class Changed(Case):
    """Entities of every family: moved, rotated, copied, added, deleted, with other keys, and with other light."""

    def change_all(self) -> list[dict[str, str]]:
        """Changes objects; returns what the other reader must find, except for the lamp."""
        wanted = [dict(entity) for entity in self.before]
        start, door, light = self.find(SPAWNS), self.find(DOORS), self.find("light")
        gone = max(n for n in range(len(wanted)) if n not in (start, door, light))
        moved(own(self.root, start))
        turned(own(self.root, start), 90)
        wanted[start]["origin"] = said(Vector(numbers(wanted[start]["origin"])) + WAY)
        if "angles" in wanted[start]:
            pitch, yaw, roll = numbers(wanted[start]["angles"])
            wanted[start]["angles"] = said((pitch, (yaw + 90) % 360, roll))
        else:
            wanted[start]["angle"] = said([(float(wanted[start]["angle"]) + 90) % 360])
        own(self.root, start)["netname"] = "put here"
        wanted[start]["netname"] = "put here"
        moved(own(self.root, door), Vector((0, 0, 32)))
        wanted[door]["origin"] = said(Vector(numbers(wanted[door].get("origin", "0 0 0"))) + Vector((0, 0, 32)))
        if "angle" in wanted[door]:
            del own(self.root, door)["angle"], wanted[door]["angle"]
        world = own(self.root, 0)
        world["message"] = 12
        wanted[0]["message"] = "12"
        moved(copied(own(self.root, light)))
        copy = dict(wanted[light], origin=said(Vector(numbers(wanted[light]["origin"])) + WAY))
        for made in [o for o in self.root.all_objects if o.get(ENTITY) == gone]:
            bpy.data.objects.remove(made)
        del wanted[gone]
        new = bpy.data.objects.new("new", None)
        new["classname"], new["delay"] = "info_null", 0.5
        new.location = Vector((1, 2, 3)) * METERS
        self.root.objects.link(new)
        return [*wanted, copy, {"classname": "info_null", "delay": "0.5", "origin": "1 2 3"}]

    def test_of_every_family(self) -> None:
        for family, path in FAMILIES.items():
            with self.subTest(family):
                reset()
                self.start(path)
                wanted = self.change_all()
                self.assertEqual(self.write(), wanted, family)
                self.assertEqual(self.told(), "", family)
                self.assertFalse(self.written.rewritten.is_identical)
                lines = self.written.lines()
                self.assertEqual(lines[0], "entities: 3 changed, 2 added, 1 removed")
                self.assertIn("+ info_null at 1 2 3", lines)

    def test_looks_so_when_imported(self) -> None:
        """Compares the position and rotation of every object in the new map."""
        for family, path in FAMILIES.items():
            with self.subTest(family):
                reset()
                self.start(path)
                for number in range(1, len(self.before)):
                    made = own(self.root, number)
                    moved(made)
                    if "model" not in self.before[number] and "target" not in self.before[number]:
                        turned(made, 30)
                places = {own(self.root, number)[NODE]: own(self.root, number).matrix_basis.copy()
                          for number in range(1, len(self.before))}
                self.write()
                # The whole skybox moves with its camera.
                told = [line for line in self.told().splitlines() if "shines to all sides" not in line]
                self.assertEqual([line for line in told if "sky_camera" not in line], [], family)
                places.pop("sky_camera:1", None)
                reset()
                again = bspscene.import_map(str(self.folder / "new.bsp"))
                for name, place in places.items():
                    made = objects_of(again, name)[0]
                    self.assertLess((made.matrix_basis.translation - place.translation).length, 0.02 * METERS, name)
                    axes = (0, 1, 2) if made.type != "LIGHT" else (2,) if made.data.type != "POINT" else ()
                    for axis in axes:   # a spot has no roll
                        turn = made.matrix_basis.col[axis].normalized().dot(place.col[axis].normalized())
                        self.assertGreater(turn, 1 - 1e-5, f"{family} {name}")

    def test_lamps(self) -> None:
        """Strength and color are the same when the new map is imported; no other key changes."""
        for family, path in FAMILIES.items():
            if family == "ufoai":
                continue   # the light of the day does not belong to one lamp
            with self.subTest(family):
                reset()
                self.start(path)
                number = self.find("light", 0)
                lamp = own(self.root, number).data
                lamp.energy *= 3
                lamp.color = (0.2, 1.0, 0.5)
                energy, color, name = lamp.energy, tuple(lamp.color), own(self.root, number)[NODE]
                after = self.write()
                self.assertEqual(self.told(), "", family)
                changed = {key for key in {**after[number], **self.before[number]}
                           if after[number].get(key) != self.before[number].get(key)}
                self.assertLessEqual(changed, {"light", "_light", "_color"})
                self.assertEqual(after[:number] + after[number + 1:], self.before[:number] + self.before[number + 1:])
                reset()
                again = objects_of(bspscene.import_map(str(self.folder / "new.bsp")), name)[0].data
                print(f"{family}: {after[number]}")
                self.assertLess(abs(again.energy / energy - 1), 0.03, family)
                self.assertLess(max(abs(one - two) for one, two in zip(again.color, color)), 0.03, family)


class Kinds(Case):
    """Details of some changes."""

    def test_brush_models_of_source_turn(self) -> None:
        self.start(FAMILIES["source"])
        number = self.find("func_door")
        turned(own(self.root, number), 30)
        self.assertEqual(self.write()[number], dict(self.before[number], angles="0 75 0"))

    def test_others_do_not(self) -> None:
        self.start(ATRIUM)
        number = self.find("func_door")
        turned(own(self.root, number), 30)
        self.assertEqual(self.write(), self.before)
        self.assertIn("func_door:1: was turned, and no key of its game turns it", self.told())

    def test_spots_by_their_pitch(self) -> None:
        self.start(FAMILIES["source"])
        number = self.find("light_spot")
        turned(own(self.root, number), 60, "Y")
        after = self.write()[number]
        self.assertEqual(numbers(after["pitch"]), [-30])
        self.assertEqual(self.told(), "")

    def test_up_and_down(self) -> None:
        """The angles of a camera by its keys; a yaw of 359 must not become -1, which means up."""
        self.start(FAMILIES["quake2_q2map"])
        number = self.find("info_player_intermission")
        camera = own(self.root, number)
        camera.matrix_basis = Matrix.Translation(camera.location) @ Matrix(((0, 1, 0, 0), (1, 0, 0, 0), (0, 0, -1, 0),
                                                                           (0, 0, 0, 1)))
        self.assertEqual(numbers(self.write()[number]["angles"])[0], -90)
        start = self.find("info_player_start")
        turned(own(self.root, start), 179)
        self.assertEqual(self.write()[start]["angle"], "359")

    def test_a_lamp_that_looks_at_its_target(self) -> None:
        self.start(ATRIUM)
        number = next(n for n, entity in enumerate(self.before) if entity.get("_name") == "spot")
        turned(own(self.root, number), 30, "X")
        self.assertEqual(self.write(), self.before)
        self.assertIn("looks at its target", self.told())

    def test_cameras_stand_for_who_looks(self) -> None:
        """A start is also moved by the camera at its eyes; if both were moved, its own position counts."""
        self.start(ATRIUM)
        number = self.find("info_player_start")
        moved(objects_of(self.root, f"info_player_start:{number}:camera")[0])
        self.assertEqual(self.write()[number]["origin"], "8 -16 36")
        moved(own(self.root, number), Vector((100, 0, 0)))
        self.assertEqual(self.write()[number]["origin"], "100 0 32")
        self.assertIn("camera: was moved otherwise", self.told())

    def test_things_in_the_3d_skybox(self) -> None:
        """They are enlarged and placed where players see them."""
        self.start(FAMILIES["source"])
        number = self.find("sky_camera")
        moved(own(self.root, number), WAY * 16)
        self.assertEqual(self.write()[number]["origin"], "1024 0 20")

    def test_repeated_keys(self) -> None:
        self.start(FAMILIES["source"])
        number = self.find("func_door")
        door = own(self.root, number)
        names = [name for name in door.keys() if name.startswith("OnOpen")]
        self.assertEqual(names, ["OnOpen", "OnOpen 2"])
        door["OnOpen 2"] = "lamp,Toggle,,2,-1"
        door["OnOpen 3"] = "fan,Start,,0,-1"
        self.write()
        text = read_lumps((self.folder / "new.bsp").read_bytes())["entities"]
        values = [value for key, value in read_entities(text)[number] if key == b"OnOpen"]
        self.assertEqual(values, [b"lamp,TurnOn,,0,-1", b"lamp,Toggle,,2,-1", b"fan,Start,,0,-1"])

    def test_copies_of_brush_models_keep_the_number(self) -> None:
        self.start(ATRIUM)
        number = self.find("func_door")
        copy = copied(own(self.root, number))
        moved(copy)
        copy["targetname"] = "door2"
        after = self.write()
        self.assertEqual(after[-1], dict(self.before[number], origin=said(WAY), targetname="door2"))
        bpy.data.objects.remove(own(self.root, number))   # the copy takes its place
        self.assertEqual(self.write(), [*self.before[:number], after[-1], *self.before[number + 1:]])

    def test_what_is_added_outside_of_the_maps_collections(self) -> None:
        """Placed where Blender puts it, unless the map's collection is the active one."""
        self.start(ATRIUM)
        made = bpy.data.objects.new("new", None)
        made["classname"], made.location = "info_null", Vector((1, 2, 3)) * METERS
        copy = own(self.root, self.find("light")).copy()
        for loose in (made, copy, bpy.data.objects.new("mine", None)):
            bpy.context.scene.collection.objects.link(loose)
        moved(copy)
        light = dict(self.before[self.find("light")], origin="-216 -208 324")
        self.assertEqual(self.write(), [*self.before, light, {"classname": "info_null", "origin": "1 2 3"}])
        self.assertEqual(self.told(), "")
        bspscene.import_map(str(FAMILIES["quake"]))
        self.assertEqual(self.write(), self.before)
        self.assertIn("new: is in the collection of no map, and there are several", self.told())

    def test_new_lamps(self) -> None:
        self.start(ATRIUM)
        for kind in ("POINT", "SPOT"):
            made = bpy.data.objects.new(kind.lower(), bpy.data.lights.new(kind.lower(), kind))
            made.data.energy, made.data.color = 500, (1, 0, 0)
            self.root.objects.link(made)
        after = self.write()
        self.assertEqual(len(after), len(self.before) + 1)
        self.assertEqual((after[-1]["classname"], after[-1]["_color"]), ("light", "1 0 0"))
        self.assertIn("spot: is no entity without the custom property \"classname\"", self.told())
        again = bspscene.import_map(str(self.folder / "new.bsp"))
        lamp = objects_of(again, f"light:{len(self.before)}")[0].data
        self.assertLess(abs(lamp.energy / 500 - 1), 0.02)

    def test_what_is_no_entity_is_named(self) -> None:
        self.start(ATRIUM)
        moved(next(made for made in self.root.all_objects if made[NODE].startswith("sun")))
        for made in objects_of(self.root, "worldspawn"):
            bpy.data.objects.remove(made)
        thing = bpy.data.objects.new("thing", bpy.data.meshes.new("thing"))
        self.root.objects.link(thing)
        door = own(self.root, self.find("func_door"))
        door.data.vertices[0].co.x += 1
        self.assertEqual(self.write(), self.before)
        told = self.told()
        for line in ("sun:0: was moved, but is no entity of the map", "worldspawn: was deleted, and cannot go",
                     "thing: is no entity without", "func_door:1: has another shape now"):
            self.assertIn(line, told)


class Refused(Case):
    def test_the_original(self) -> None:
        path = Path(shutil.copy(ATRIUM, self.folder / "own.bsp"))
        root = bspscene.import_map(str(path))
        moved(own(root, 4))
        with self.assertRaises(MapError):
            bspscene.write_entities(root, str(path))
        self.assertEqual(path.read_bytes(), ATRIUM.read_bytes())

    def test_a_format_that_is_read_alone(self) -> None:
        for path in REFUSED:
            self.start(path)
            moved(own(self.root, 1))
            with self.subTest(path.parts[-3]), self.assertRaises(MapError) as caught:
                self.write()
            self.assertIn("entities are not written into maps of this format", str(caught.exception))
            self.assertEqual(os.listdir(self.folder), [])

    def test_a_quote(self) -> None:
        self.start(ATRIUM)
        own(self.root, 0)["message"] = 'say "no"'
        with self.assertRaises(MapError) as caught:
            self.write()
        self.assertIn("worldspawn: \"message\": ", str(caught.exception))
        self.assertEqual(str(caught.exception).count(str(ATRIUM)), 1)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_file_with_other_entities(self) -> None:
        path = Path(shutil.copy(ATRIUM, self.folder / "own.bsp"))
        root = bspscene.import_map(str(path))
        moved(own(root, 4))
        bspscene.write_entities(root, str(self.folder / "new.bsp"))
        shutil.move(self.folder / "new.bsp", path)
        with self.assertRaises(ValueError) as caught:
            bspscene.write_entities(root, None)
        self.assertIn("other entities than those that were imported", str(caught.exception))

    def test_an_import_that_noted_nothing(self) -> None:
        root = bspscene.import_map(str(ATRIUM))
        del root["bspscene_entities"]
        with self.assertRaises(ValueError):
            bspscene.write_entities(root, None)


class Operators(Case):
    def test_say_first_and_write_then(self) -> None:
        bspscene.register()
        try:
            self.start(ATRIUM)
            self.assertEqual(bpy.ops.object.bspscene_changes(), {"CANCELLED"})
            moved(own(self.root, self.find("info_player_start")))
            self.assertEqual(bpy.ops.object.bspscene_changes(), {"FINISHED"})
            report = bpy.data.texts["Change report"].as_string()
            self.assertIn("    origin: 0 0 32 -> 8 -16 36", report)
            for ending, wanted in ((".bsp", b"IBSP"), (".ent", b"{\n")):
                target = self.folder / f"new{ending}"
                bpy.ops.export_scene.bspscene_entities(filepath=str(target))
                self.assertTrue(target.read_bytes().startswith(wanted))
                self.assertIn(b"8 -16 36", target.read_bytes())
        finally:
            bspscene.unregister()

    def test_entities_and_light_in_one_file(self) -> None:
        """One dialog with two ticks; each alone, and both, are in the copy."""
        bspscene.register()
        try:
            self.start(ATRIUM)
            moved(own(self.root, self.find("info_player_start")))
            page = next(image for image in bpy.data.images if "_lightmap_0" in image.name)
            values = numpy.array(page.pixels[:], numpy.float32)
            page.pixels.foreach_set(numpy.where(numpy.arange(len(values)) % 4 == 0, 1, values).astype(numpy.float32))
            page.pack()
            before, sizes = ATRIUM.read_bytes(), {}
            for entities, light in ((True, False), (False, True), (True, True)):
                target = self.folder / f"new_{entities}_{light}.bsp"
                self.assertEqual(bpy.ops.export_scene.bspscene_entities(
                    filepath=str(target), entities=entities, light=light), {"FINISHED"})
                written = target.read_bytes()
                self.assertEqual(b"8 -16 36" in written, entities)
                offset, length = struct.unpack_from("<2I", written, 8 + 14 * 8)   # the lightmaps
                old_offset, old_length = struct.unpack_from("<2I", before, 8 + 14 * 8)
                changed = written[offset:offset + length] != before[old_offset:old_offset + old_length]
                self.assertEqual(changed, light, (entities, light))
                sizes[entities, light] = length
            self.assertEqual(len(set(sizes.values())), 1)
        finally:
            bspscene.unregister()

    def test_offers_a_new_name(self) -> None:
        from bspscene.ui.entity_operators import target_of
        self.start(ATRIUM)
        self.assertEqual(target_of(self.root), str(ATRIUM.with_name("atrium_new.bsp")))
        self.root["map_file"] = "/games/pak0.pk3"
        self.assertEqual(target_of(self.root), "/games/atrium_new.bsp")
        self.assertEqual(rewriting.Written.__name__, "Written")
