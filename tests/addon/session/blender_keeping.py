"""Tests in Blender of .blend files. What was imported stays in a saved file, and a failed import leaves nothing
behind."""
import os
import tempfile
import unittest

import bpy
from blender_support import ATRIUM, FIXTURES, addon, counts, objects_of, pages, reset
from io_scene_bspscene.build.objects import node as node_module
from bspscene import scene


class Keeping(unittest.TestCase):
    """After saving and loading, everything that was imported is still there, and so are the user's changes."""

    def setUp(self) -> None:
        reset()

    def test_saved_files_open_again(self) -> None:
        addon.import_map(str(ATRIUM))
        before, faces = counts(), sum(len(m.polygons) for m in bpy.data.meshes)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "atrium.blend")
            bpy.ops.wm.save_as_mainfile(filepath=path)
            bpy.ops.wm.open_mainfile(filepath=path)
            self.assertEqual({k: v for k, v in counts().items() if k != "texts"},
                             {k: v for k, v in before.items() if k != "texts"})
            self.assertEqual(sum(len(m.polygons) for m in bpy.data.meshes), faces)
            self.assertTrue(all(image.packed_file and min(image.size) for image in bpy.data.images))
            reset()

    def test_pages_go_beside_a_saved_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "atrium.blend"))
            addon.import_map(str(ATRIUM))
            written = os.listdir(os.path.join(folder, "lightmaps"))
            self.assertEqual(written, ["atrium_lightmap_0.png"])
            image = next(i for i in bpy.data.images if i in pages())
            self.assertEqual(image.filepath.replace("\\", "/"), "//lightmaps/atrium_lightmap_0.png")
            self.assertGreater(min(image.size), 1)
            reset()

    def test_edited_materials_survive_another_import(self) -> None:
        addon.import_map(str(ATRIUM))
        material = next(m for m in bpy.data.materials if m["game_name"] == "textures/sample/brick")
        material["mine"] = 1
        before = counts()
        root = addon.import_map(str(ATRIUM))
        self.assertIn(material, list(objects_of(root, "worldspawn")[0].data.materials))
        for name in ("materials", "images", "node_groups"):
            self.assertEqual(counts()[name], before[name], name)

    def test_nothing_else_of_the_scene_changes(self) -> None:
        def settings():
            s = bpy.context.scene
            return (s.render.engine, s.view_settings.view_transform, s.world, s.camera, s.unit_settings.scale_length,
                    s.render.resolution_x, s.frame_current)
        before = settings()
        addon.import_map(str(ATRIUM))
        self.assertEqual(settings(), before)


class BadInput(unittest.TestCase):
    """An import of any invalid file gives one report and no traceback, and leaves nothing in the .blend file."""

    def setUp(self) -> None:
        reset()

    def test_refused_files_leave_nothing(self) -> None:
        before = counts()
        refused = 0
        for path in sorted((FIXTURES / "rejected").iterdir()):
            try:
                addon.import_map(str(path))
            except scene.MapError:
                self.assertEqual(counts(), before, path.name)
                refused += 1
            else:
                reset()
        self.assertGreater(refused, 10)

    def test_a_failure_half_way_is_rolled_back(self) -> None:
        before, real, calls = counts(), node_module.Objects._set_keys, []

        def fail_at_the_tenth(objects, made, entity) -> None:
            calls.append(entity)
            if len(calls) == 10:
                raise ZeroDivisionError
            real(objects, made, entity)

        node_module.Objects._set_keys = fail_at_the_tenth
        try:
            with self.assertRaises(ZeroDivisionError):
                addon.import_map(str(ATRIUM))
        finally:
            node_module.Objects._set_keys = real
        self.assertEqual(counts(), before)

    def test_cancel_leaves_nothing(self) -> None:
        before = counts()
        with self.assertRaises(scene.MapError):
            addon.import_map(str(ATRIUM), progress=lambda *_: False)
        self.assertEqual(counts(), before)
