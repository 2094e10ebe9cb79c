"""Tests in Blender of the sidebar's panel of models, which plays sequences and changes skins of the imported model.
Also tests dropping files into Blender."""
import os
import struct
import tempfile
import types
import unittest
from pathlib import Path

import bpy
from blender_support import addon, reset
from io_scene_bspscene import playing
from io_scene_bspscene.ui import model_panel, operators

MOVING = Path(os.environ.get("BSPSCENE_MOVING_MODELS", "/nowhere"))


class Layout:
    """Stands for a panel's layout, and records which buttons can be pressed."""

    def __init__(self, above: "Layout | None" = None) -> None:
        self.above, self.enabled, self.buttons = above, True, []

    def row(self, align: bool) -> "Layout":
        return Layout(self)

    def label(self, text: str, translate: bool) -> None:
        pass

    def operator(self, name: str, text: str, icon: str) -> types.SimpleNamespace:
        self.above.above.buttons.append(self.enabled)
        return types.SimpleNamespace()


@unittest.skipUnless(MOVING.is_dir(), "BSPSCENE_MOVING_MODELS names no folder")
class Playing(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        addon.register()
        self.addCleanup(addon.unregister)

    def test_sequences_of_bones_and_of_shape_keys(self) -> None:
        for name, kind in (("moving.mdl", bpy.types.Object), ("moving.iqm", bpy.types.Object),
                           ("moving.md2", bpy.types.Key)):
            reset()
            addon.import_map(str(MOVING / name), rigs="RIGGED", textures=False)
            models = model_panel.shown_models(bpy.context)
            self.assertTrue(models and all(isinstance(made, kind) for made in models), name)
            titles = list(playing.sequences_of(models[0]))
            self.assertGreater(len(titles), 1, name)
            for title in reversed(titles):
                self.assertEqual(bpy.ops.object.bspscene_play(sequence=title), {"FINISHED"})
                action = playing.playing(models[0])
                self.assertEqual(action, playing.sequences_of(models[0])[title])
                self.assertGreaterEqual(bpy.context.scene.frame_end, action.frame_end)
            self.assertEqual(bpy.ops.object.bspscene_play(sequence="none"), {"CANCELLED"})

    def test_a_pose_follows_the_sequence(self) -> None:
        addon.import_map(str(MOVING / "moving.mdl"), rigs="RIGGED", textures=False)
        holder = model_panel.shown_models(bpy.context)[0]
        bpy.ops.object.bspscene_play(sequence="walk")
        poses = []
        for frame in (1, 3):
            bpy.context.scene.frame_set(frame)
            poses.append([tuple(map(tuple, bone.matrix)) for bone in holder.pose.bones])
        self.assertNotEqual(*poses)

    def test_a_skin_changes_in_place(self) -> None:
        root = addon.import_map(str(MOVING / "moving.mdl"), rigs="RIGGED")
        holder = next(made for made in root.all_objects if made.type == "MESH")
        holder.location.x, objects = 3, len(bpy.data.objects)
        self.assertEqual(bpy.ops.object.bspscene_skin(skin=1), {"FINISHED"})
        now = next(c for c in bpy.data.collections if "map_file" in c)
        self.assertEqual(addon.importer.values_of(now)["skin"], 1)
        self.assertEqual((holder.location.x, len(bpy.data.objects)), (3, objects))
        self.assertTrue(model_panel.shown_models(bpy.context))

    def test_the_panel_offers_the_skins_that_there_are(self) -> None:
        """The panel offers skins if the model has several. The test adds a skin to an MD2, whose header has the number
        of skins at byte 20 and their offset at byte 44."""
        one = (MOVING / "moving.md2").read_bytes()
        skins = b"".join(name.ljust(64, b"\0") for name in (b"models/one.pcx", b"models/two.pcx"))
        two = one[:20] + struct.pack("<I", 2) + one[24:44] + struct.pack("<I", len(one)) + one[48:] + skins
        for content, count in ((one, 1), (two, 2)):
            reset()
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "moving.md2")
                path.write_bytes(content)
                root = addon.import_map(str(path))
                self.assertEqual(playing.skin_count(root), count)
                layout = Layout()
                panel = types.SimpleNamespace(layout=layout)
                model_panel.ModelPanel.draw_skin(panel, 0, count)
                self.assertEqual(layout.buttons, [] if count == 1 else [False, True])


class Dropped(unittest.TestCase):
    @unittest.skipUnless(hasattr(bpy.types, "FileHandler"), "this Blender has no file handlers")
    def test_maps_archives_and_models(self) -> None:
        handlers = {kind.bl_import_operator: kind.bl_file_extensions.split(";") for kind in operators.CLASSES
                    if hasattr(kind, "bl_file_extensions")}
        self.assertTrue({".bsp", ".pk3", ".pak", ".vpk"} <= set(handlers["import_scene.bspscene"]))
        self.assertTrue({".mdl", ".md2", ".md3", ".iqm"} <= set(handlers["import_scene.bspscene_model"]))
        addon.register()
        addon.unregister()


if __name__ == "__main__":
    unittest.main()
