"""Tests in Blender of models alone: the menu's operator, the mesh with its picture, and nothing else."""
import unittest

import bpy
from blender_support import ATRIUM, METRES, QUAKE3, bspscene, reset

MODEL = QUAKE3 / "models/sample/obelisk.md3"


class ModelAlone(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        bspscene.register()
        self.addCleanup(bspscene.unregister)

    def test_it_is_imported_with_its_picture(self) -> None:
        self.assertEqual(bpy.ops.import_scene.bspscene_model(filepath=str(MODEL)), {"FINISHED"})
        shown = [thing for thing in bpy.data.objects if thing.type == "MESH"]
        self.assertEqual(len(shown), 1)
        self.assertEqual(len(shown[0].data.polygons), 12)
        self.assertAlmostEqual(shown[0].dimensions.z, 120 * METRES, places=4)
        self.assertEqual([image.name.split("/")[-1].split(".")[0] for image in bpy.data.images if image.size[0]],
                         ["obelisk"])
        self.assertIn("obelisk", bpy.data.collections)

    def test_maps_are_imported_after_it(self) -> None:
        """An operator made from the other's class took that out of Blender."""
        for _ in range(2):
            bspscene.unregister()
            bspscene.register()
            self.assertEqual(bpy.ops.import_scene.bspscene_model(filepath=str(MODEL)), {"FINISHED"})
            self.assertEqual(bpy.ops.import_scene.bspscene(filepath=str(ATRIUM)), {"FINISHED"})
        self.assertIn("atrium", bpy.data.collections)
