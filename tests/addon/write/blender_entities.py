"""Tests in Blender of writing entities into a map: an unchanged import gives the same bytes. An independent reader
finds exactly the user's changes in the new map."""
import shutil
import unittest
from pathlib import Path

import bpy
from blender_support import ATRIUM, METERS, addon, objects_of, reset
from io_scene_bspscene.build.data.again import ENTITY, NODE
from io_scene_bspscene.build.rewriting import lamps
from io_scene_bspscene.build.rewriting.record import Record
from entity_case import ALL, DOORS, FAMILIES, SPAWNS, WAY, Case, copied, moved, numbers, own, read, said, turned
from map_lumps import read_entities
from mathutils import Vector


class Strengths(unittest.TestCase):
    def test_are_found_from_two_trials(self) -> None:
        """The lamp's strength is the square of its key. The first step assumes a proportion, and makes 4 * 100 of 100.
        Its trial is four times too strong, so the second step halves the key."""
        record = Record(0, [("classname", "light"), ("light", "100")], "lamp", True)
        shine = lamps.Shine(record, lamps.Look(200.0 ** 2, (1, 1, 1)))
        for before, after in ((100, 400), (400, 200)):
            self.assertEqual(record.numbers("light"), [before])
            shine._strengthen(before ** 2)
            self.assertEqual(record.numbers("light"), [after])


class Beside(Case):
    """Entities in a file next to the map replace those in the map. They are imported, and changes are written."""

    def beside(self, wanted: list[dict[str, str]]) -> Path:
        map_file = self.folder / "hall.bsp"
        shutil.copyfile(FAMILIES["quake"], map_file)
        text = "".join("{\n" + "".join(f'"{key}" "{value}"\n' for key, value in entity.items()) + "}\n"
                       for entity in wanted)
        (self.folder / "hall.ent").write_text(text, encoding="latin-1")
        return map_file

    def test_what_was_moved_and_nothing_else_changes(self) -> None:
        """The file next to the map has one entity more than the map: the map's first light is removed from its place in
        the list, and is listed twice at the end."""
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
        addon.write_entities(self.root, str(self.folder / name))
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
        """These actions change no entity: updating the import, switching the materials to relighting, renaming objects,
        saving and loading, moving the origin of a mesh, setting a parent that does not move the object."""
        self.start(ATRIUM)
        self.start(ATRIUM, again="UPDATE")
        self.assert_same("updated")
        addon.switch_materials(self.root, "RELIGHT")
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
    """In maps of every family, entities are moved, rotated, copied, added and deleted. Others get other keys and other
    light."""

    def change_all(self) -> list[dict[str, str]]:
        """Changes, copies, adds and deletes objects. Returns the entities that the new map must have, in order."""
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
        """If the new map is imported, every object has its changed position and rotation."""
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
                # The 3D skybox moves with its camera. This is reported, and the camera is not compared.
                told = [line for line in self.told().splitlines() if "shines equally in all directions" not in line]
                self.assertEqual([line for line in told if "sky_camera" not in line], [], family)
                places.pop("sky_camera:1", None)
                reset()
                again = addon.import_map(str(self.folder / "new.bsp"))
                for name, place in places.items():
                    made = objects_of(again, name)[0]
                    self.assertLess((made.matrix_basis.translation - place.translation).length, 0.02 * METERS, name)
                    axes = (0, 1, 2) if made.type != "LIGHT" else (2,) if made.data.type != "POINT" else ()
                    for axis in axes:   # a lamp's rotation about its own axis has no effect, so it is not compared
                        turn = made.matrix_basis.col[axis].normalized().dot(place.col[axis].normalized())
                        self.assertGreater(turn, 1 - 1e-5, f"{family} {name}")

    def test_lamps(self) -> None:
        """If the new map is imported, the strength and color of lamps are those that were written. No other key
        changes."""
        for family, path in FAMILIES.items():
            if family == "ufoai":
                continue   # daylight does not come from a single lamp
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
                again = objects_of(addon.import_map(str(self.folder / "new.bsp")), name)[0].data
                print(f"{family}: {after[number]}")
                self.assertLess(abs(again.energy / energy - 1), 0.03, family)
                self.assertLess(max(abs(one - two) for one, two in zip(again.color, color)), 0.03, family)
