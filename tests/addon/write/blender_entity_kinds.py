"""Tests in Blender of how certain kinds of entities are written: what rotates, what is added, what is not an entity."""
import bpy
from blender_support import ATRIUM, METERS, addon, objects_of
from io_scene_bspscene.build.data.again import NODE
from entity_case import FAMILIES, WAY, Case, copied, moved, numbers, own, said, turned
from map_lumps import read_entities, read_lumps
from mathutils import Matrix, Vector


class Kinds(Case):
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
        self.assertIn("func_door:1: was turned, but no key of the game gives it this rotation", self.told())

    def test_spots_by_their_pitch(self) -> None:
        self.start(FAMILIES["source"])
        number = self.find("light_spot")
        turned(own(self.root, number), 60, "Y")
        after = self.write()[number]
        self.assertEqual(numbers(after["pitch"]), [-30])
        self.assertEqual(self.told(), "")

    def test_up_and_down(self) -> None:
        """The angles of a camera become keys. A yaw of 359 must not become -1, which means up."""
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
        self.assertIn("points at its target", self.told())

    def test_cameras_stand_for_who_looks(self) -> None:
        """If the user moves the camera at a player start's eyes, the start moves. If the user has moved both, the
        position of the start counts."""
        self.start(ATRIUM)
        number = self.find("info_player_start")
        moved(objects_of(self.root, f"info_player_start:{number}:camera")[0])
        self.assertEqual(self.write()[number]["origin"], "8 -16 36")
        moved(own(self.root, number), Vector((100, 0, 0)))
        self.assertEqual(self.write()[number]["origin"], "100 0 32")
        self.assertIn("camera: was moved differently", self.told())

    def test_things_in_the_3d_skybox(self) -> None:
        """Objects in the 3D skybox appear enlarged, where players see them. Their entities get the position in the
        small skybox."""
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
        bpy.data.objects.remove(own(self.root, number))   # now the copy replaces the original
        self.assertEqual(self.write(), [*self.before[:number], after[-1], *self.before[number + 1:]])

    def test_what_is_added_outside_of_the_maps_collections(self) -> None:
        """An object that the user adds stays in the collection into which Blender puts it, unless the map's collection
        is active."""
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
        addon.import_map(str(FAMILIES["quake"]))
        self.assertEqual(self.write(), self.before)
        self.assertIn("new: is in the collection of no map: move it", self.told())

    def test_new_lamps(self) -> None:
        self.start(ATRIUM)
        for kind in ("POINT", "SPOT"):
            made = bpy.data.objects.new(kind.lower(), bpy.data.lights.new(kind.lower(), kind))
            made.data.energy, made.data.color = 500, (1, 0, 0)
            self.root.objects.link(made)
        after = self.write()
        self.assertEqual(len(after), len(self.before) + 1)
        self.assertEqual((after[-1]["classname"], after[-1]["_color"]), ("light", "1 0 0"))
        self.assertIn("spot: is not written, because it has no custom property \"classname\"", self.told())
        again = addon.import_map(str(self.folder / "new.bsp"))
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
        for line in ("sun:0: was moved, but is not an entity", "worldspawn: was deleted, but is kept",
                     "thing: is not written, because it has no custom property", "func_door:1: has another shape now"):
            self.assertIn(line, told)
