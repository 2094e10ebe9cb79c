"""Tests in Blender of textures and of the view after an import. first_sight.py looks at the window itself."""
import os
import shutil
import tempfile
import unittest
from pathlib import Path

import bpy
from blender_session import STYLES
from blender_support import (
    ATRIUM,
    DATA,
    FIXTURES,
    METERS,
    QUAKE3,
    addon,
    counts,
    load,
    material_of,
    objects_of,
    reset,
)
from io_scene_bspscene import jobs, options, view
from io_scene_bspscene.build.data import blocks
from io_scene_bspscene.build.data import image as image_module
from io_scene_bspscene.build.objects import layers, node
from bspscene import abi, picture


class Textures(unittest.TestCase):
    """Images are shared by all maps that use them, and do not depend on the game's path."""

    def setUp(self) -> None:
        reset()

    def textures(self) -> list:
        return [image for image in bpy.data.images if "game_name" in image]

    def test_two_imports_share_every_image(self) -> None:
        addon.import_map(str(ATRIUM))
        before = set(bpy.data.images)
        addon.import_map(str(ATRIUM), keep_materials=False)
        self.assertEqual(set(bpy.data.images), before)

    def test_two_maps_share_their_textures(self) -> None:
        addon.import_map(str(ATRIUM))
        before = set(self.textures())
        addon.import_map(str(STYLES))
        names = [image["game_name"] for image in self.textures()]
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue(before <= set(self.textures()))

    def test_another_content_is_another_image(self) -> None:
        """If two games have different textures of the same name, Blender gets two images."""
        made = blocks.Made()
        images = image_module.Images("", made, [], "")
        content = png()
        first, again = (images.shared("wall", content, None, "sRGB") for _ in range(2))
        other = images.shared("wall", content + b" ", None, "sRGB")
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        made.take_back()

    def test_as_files_they_lie_beside_the_blend(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            game = Path(folder) / "game"
            shutil.copytree(QUAKE3, game)
            bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "a.blend"))
            addon.import_map(str(game / "maps/atrium.bsp"), texture_files="FILES", lightmaps="FILES")
            bpy.ops.wm.save_mainfile()
            for image in self.textures():
                self.assertTrue(image.filepath.replace("\\", "/").startswith("//textures/"), image.filepath)
                self.assertFalse(image.packed_file)
            shutil.rmtree(game)
            moved = os.path.join(folder, "elsewhere")
            os.mkdir(moved)
            for name in ("a.blend", "textures", "lightmaps"):
                os.rename(os.path.join(folder, name), os.path.join(moved, name))
            bpy.ops.wm.open_mainfile(filepath=os.path.join(moved, "a.blend"))
            self.assertGreater(len(self.textures()), 5)
            for image in self.textures():
                self.assertGreater(image.size[0], 1, image.filepath)
            reset()

    def test_names_of_files_stay_in_their_folder(self) -> None:
        for name in ("../../etc/passwd", "/abs/x", "C:\\x\\..\\y", "...", "", "a:b*c"):
            written = image_module._file_name(name, b"", "0123456789")
            self.assertFalse({"..", ".", ""} & set(written.split("/")), written)
            self.assertFalse(set(":*\\") & set(written), written)


def png() -> bytes:
    """Returns the first texture of the atrium as a file."""
    record = next(image for image in load(ATRIUM).items("images") if image.format != abi.IMAGE_MISSING)
    return picture.image_bytes(record)


class Again(unittest.TestCase):
    """Tests importing the same map again, either next to the earlier import or in its place."""

    def setUp(self) -> None:
        reset()

    def test_in_its_place_nothing_of_it_is_left(self) -> None:
        addon.import_map(str(ATRIUM))
        addon.import_map(str(STYLES))
        before = counts()
        names = sorted(c.name for c in bpy.context.scene.collection.children)
        root = addon.import_map(str(ATRIUM), again="REPLACE")
        self.assertEqual(counts(), before)
        self.assertEqual(sorted(c.name for c in bpy.context.scene.collection.children), names)
        self.assertEqual(root.name, "atrium")

    def names(self) -> dict:
        kinds = (*DATA, "armatures", "actions")
        return {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in kinds}

    def test_an_update_keeps_what_people_did(self) -> None:
        """An update does not duplicate objects that the user put into other collections, and does not bring back
        deleted ones. The user's own objects and collections stay."""
        root = addon.import_map(str(ATRIUM))
        mine, outside = (bpy.data.collections.new(name) for name in ("mine", "outside"))
        root.children.link(mine)
        bpy.context.scene.collection.children.link(outside)
        spawns = [made for made in root.all_objects if made.get("classname", "").startswith("info_player")]
        for made, own in ((spawns[0], mine), (spawns[1], outside)):
            for collection in made.users_collection:
                collection.objects.unlink(made)
            own.objects.link(made)
        kept, gone = [made.name for made in spawns[:2]], spawns[2].name
        own = bpy.data.objects.new("my mark", None)
        mine.objects.link(own)
        bpy.data.objects.remove(spawns[2])
        wanted = sorted(made.name for made in bpy.data.objects)
        for _ in range(2):
            root = addon.import_map(str(ATRIUM), again="UPDATE")
            self.assertEqual(sorted(made.name for made in bpy.data.objects), wanted)
            self.assertNotIn(gone, bpy.data.objects)
            self.assertEqual([bpy.data.objects[name].users_collection for name in kept], [(mine,), (outside,)])
            self.assertEqual(own.users_collection, (mine,))
            self.assertIn(mine, list(root.children))

    def test_names_stay(self) -> None:
        """Replacing or updating an import never gives a datablock a name like "name.001". This also holds for
        datablocks that every import makes anew."""
        for given in ({}, {"keep_materials": False, "sky_world": True}):
            reset()
            addon.import_map(str(ATRIUM), **given)
            wanted = self.names()
            for again in ("REPLACE", "UPDATE", "REPLACE"):
                root = addon.import_map(str(ATRIUM), again=again, **given)
                self.assertEqual(self.names(), wanted, (again, given))
                self.assertEqual({made["bspscene_object"] for made in root.all_objects},
                                 {made.name for made in root.all_objects}, again)

    def test_long_names_are_no_numbered_ones(self) -> None:
        made, long = blocks.Made(), "ü" * 200
        for name in ("a", long):
            self.assertNotIn(made.new("meshes", name), [block for _, block, _ in made.numbered()])
        again = made.new("meshes", long)
        self.assertEqual([block for _, block, _ in made.numbered()], [again])

    def test_materials_of_another_mode_get_the_names(self) -> None:
        """Replacing an import with keep_materials=False gives its materials' names to new materials. An old material
        that the user has given to another object stays."""
        first = addon.import_map(str(ATRIUM))
        mine = bpy.data.objects.new("mine", bpy.data.meshes.new("mine"))
        first.objects.link(mine)
        brick = material_of("textures/sample/brick")
        mine.data.materials.append(brick)
        wanted = self.names()["materials"]
        addon.import_map(str(ATRIUM), again="REPLACE", shading="RELIGHT", keep_materials=False)
        self.assertEqual(mine.data.materials[0], brick)
        self.assertEqual(self.names()["materials"], sorted([*wanted, "textures/sample/brick.001"]))

    def test_what_was_added_stays(self) -> None:
        first = addon.import_map(str(ATRIUM))
        mine = bpy.data.objects.new("mine", None)
        first.objects.link(mine)
        crate = objects_of(first, "worldspawn")[0].copy()
        first.objects.link(crate)
        brick = material_of("textures/sample/brick")
        brick["mine"] = 1
        root = addon.import_map(str(ATRIUM), again="REPLACE")
        self.assertIn(mine, list(root.objects))
        self.assertIn(crate, list(root.objects))
        self.assertGreater(len(crate.data.polygons), 0)
        worlds = [made for made in objects_of(root, "worldspawn")
                  if made.users_collection[0].get(node.KIND) == "World"]
        self.assertEqual(len(worlds), 1)
        self.assertIn(brick, list(worlds[0].data.materials))

    def test_an_update_keeps_what_was_done_to_objects(self) -> None:
        first = addon.import_map(str(ATRIUM))
        names = sorted(made.name for made in first.all_objects)
        before = counts()
        moved, still = [made for made in first.all_objects if made.type == "EMPTY" and "origin" in made][:2]
        moved.location.x += 5
        still["note"] = "mine"
        world = next(o for o in objects_of(first, "worldspawn") if o.users_collection[0].get(node.KIND) == "World")
        world.modifiers.new("mine", "DECIMATE")
        shelf = bpy.data.collections.new("shelf")
        shelf.objects.link(still)
        place = moved.matrix_world.copy()
        still["origin"] = "not the map's any more"
        gone = next(made for made in first.all_objects if made.type == "LIGHT")
        gone["bspscene_node"] = "what the new map has not"
        root = addon.import_map(str(ATRIUM), again="UPDATE")
        everything = list(root.all_objects)
        for kept in (moved, still, world):
            self.assertIn(kept, everything)
        self.assertEqual(moved.matrix_world, place)
        self.assertEqual(still["note"], "mine")
        self.assertNotEqual(still["origin"], "not the map's any more")
        self.assertIn(still, list(shelf.objects))
        self.assertEqual([modifier.name for modifier in world.modifiers], ["mine"])
        self.assertGreater(len(world.data.polygons), 0)
        self.assertEqual(len(bpy.context.scene.collection.children), 1)
        self.assertEqual(len(everything), len(names))
        self.assertEqual({kind: count for kind, count in counts().items() if kind != "collections"},
                         {kind: count for kind, count in before.items() if kind != "collections"})

    def test_an_update_moves_what_nobody_moved(self) -> None:
        first = addon.import_map(str(ATRIUM))
        empty = next(made for made in first.all_objects if made.type == "EMPTY" and "origin" in made)
        addon.import_map(str(ATRIUM), again="UPDATE", meters_per_unit=2 * METERS)
        wanted = [2 * METERS * float(part) for part in empty["origin"].split()]
        for there, value in zip(empty.location, wanted):
            self.assertAlmostEqual(there, value, 4)

    def test_beside_it_is_what_happens_unasked(self) -> None:
        for _ in range(2):
            addon.import_map(str(ATRIUM))
        self.assertEqual(len(bpy.context.scene.collection.children), 2)


class FirstSight(unittest.TestCase):
    """The effects of the option "Set up the view" on the scene."""

    def imported(self, path, **given) -> jobs.Job:
        job = jobs.Job([str(path)], options.complete(given), bpy.context, False)
        for _ in job.steps():
            pass
        return job

    def set_up(self, path, lit_by_game: bool = True) -> bpy.types.Collection:
        job = self.imported(path)
        view.set_up(bpy.context, job.roots, job.cameras, lit_by_game)
        return job.roots[0]

    def excluded(self, root: bpy.types.Collection) -> set:
        layer = layers.layer_of(bpy.context.view_layer, root)
        return {child.collection[node.KIND] for child in layer.children if child.exclude}

    def test_untouched_defaults_are_put_away(self) -> None:
        bpy.ops.wm.read_factory_settings()
        self.set_up(ATRIUM)
        for name in ("Cube", "Light", "Camera"):
            self.assertTrue(bpy.data.objects[name].hide_get(), name)
            self.assertTrue(bpy.data.objects[name].hide_render, name)

    def test_what_somebody_moved_stays(self) -> None:
        changes = (lambda: setattr(bpy.data.objects["Cube"], "location", (0, 0, 1)),
                   lambda: bpy.data.objects["Cube"].modifiers.new("mine", "BEVEL"),
                   lambda: bpy.data.objects["Cube"].data.vertices.add(1))
        for change in changes:
            bpy.ops.wm.read_factory_settings()
            change()
            self.set_up(ATRIUM)
            self.assertFalse(bpy.data.objects["Cube"].hide_get())
            self.assertTrue(bpy.data.objects["Light"].hide_get())

    def test_the_scene_is_the_games(self) -> None:
        reset()
        root = self.set_up(ATRIUM)
        scene = bpy.context.scene
        self.assertEqual(scene.view_settings.view_transform, "Standard")
        self.assertEqual(scene.camera["classname"], "info_player_intermission")
        self.assertEqual([o.name for o in bpy.context.selected_objects], ["worldspawn"])
        self.assertEqual(bpy.context.view_layer.active_layer_collection.collection, root)
        self.assertEqual(self.excluded(root), {"Collision", "Lights"})

    def test_lamps_light_what_is_made_for_them(self) -> None:
        reset()
        self.assertNotIn("Lights", self.excluded(self.set_up(ATRIUM, lit_by_game=False)))

    def test_the_3d_skybox_can_be_shown(self) -> None:
        root = self.imported(ATRIUM).roots[0]
        far = next(made for made in root.all_objects if made.type == "CAMERA").data
        made = bpy.data.collections.new("3D skybox")
        made[node.KIND] = "3D skybox"
        root.children.link(made)
        hill = objects_of(root, "worldspawn")[0].copy()
        hill.location.x = 5000
        made.objects.link(hill)
        bpy.context.view_layer.update()
        view.set_up(bpy.context, [root], [None], True)
        self.assertEqual(self.excluded(root), {"Collision", "Lights"} | {"Sky"})   # not the 3D skybox
        self.assertGreater(far.clip_end, 5000)
        addon.register()
        self.addCleanup(addon.unregister)
        bpy.ops.object.bspscene_skybox()
        self.assertEqual(self.excluded(root), {"Collision", "Lights", "3D skybox"})
        self.assertTrue(hill.hide_viewport and hill.hide_render)
        bpy.ops.object.bspscene_skybox()
        self.assertIn("Sky", self.excluded(root))
        self.assertFalse(hill.hide_viewport or hill.hide_render)

    def test_an_empty_3d_skybox_does_not_blow_up_the_view(self) -> None:
        reset()
        root = self.imported(FIXTURES / "source/maps/room.bsp").roots[0]
        if "3D skybox" not in [child[node.KIND] for child in root.children]:
            made = bpy.data.collections.new("3D skybox")
            made[node.KIND] = "3D skybox"
            root.children.link(made)
        view.set_up(bpy.context, [root], [None], True)
        far = max(made.data.clip_end for made in root.all_objects if made.type == "CAMERA")
        self.assertLess(far, 1000)

    def test_without_a_window_the_operator_changes_nothing_else(self) -> None:
        bpy.ops.wm.read_factory_settings()
        scene = bpy.context.scene
        before = (scene.view_settings.view_transform, scene.world, scene.camera)
        addon.register()
        try:
            bpy.ops.import_scene.bspscene(filepath=str(ATRIUM))
        finally:
            addon.unregister()
        self.assertEqual((scene.view_settings.view_transform, scene.world, scene.camera), before)
        self.assertFalse(bpy.data.objects["Cube"].hide_get())


class OneCollision(unittest.TestCase):
    def test_is_one_for_each_hull_and_material(self) -> None:
        """In the collection "Collision", there is one object for each hull and material, not one for each hull of each
        model."""
        reset()
        parts = self.of(addon.import_map(str(FIXTURES / "atrium/quake/maps/atrium.bsp")))
        names = [made.name for made in parts]
        self.assertEqual(len(names), len({(name.split()[0], made.data.materials[0]) for name, made in
                                          zip(names, parts)}))
        self.assertEqual({name.split()[0] for name in names}, {"hull0", "hull1"})

    def test_has_the_triangles_of_all(self) -> None:
        reset()
        apart = addon.import_map(str(ATRIUM))
        parts = [made for made in self.of(apart) if made.type == "MESH"]
        corners = sorted(self.corner(made, vertex) for made in parts for vertex in made.data.vertices)
        one = self.of(addon.import_map(str(ATRIUM), one_collision=True))
        self.assertEqual(len(one), 1)
        self.assertEqual(len(one[0].data.polygons), sum(len(made.data.polygons) for made in parts))
        self.assertEqual(set(corners), {self.corner(one[0], vertex) for vertex in one[0].data.vertices})

    @staticmethod
    def of(root: bpy.types.Collection) -> list[bpy.types.Object]:
        return next(list(kind.objects) for kind in root.children if kind[node.KIND] == "Collision")

    @staticmethod
    def corner(made: bpy.types.Object, vertex) -> tuple[float, ...]:
        return tuple(round(value, 3) for value in made.matrix_world @ vertex.co)
