"""Tests in Blender of models. The menu's operator imports a model alone, with the pictures of that model only. In a
map, each model has the light of its position."""
import shutil
import struct
import tempfile
import unittest
from pathlib import Path

import bpy
from blender_support import ATRIUM, METERS, QUAKE3, addon, reset

MODEL = QUAKE3 / "models/sample/obelisk.md3"


class ModelAlone(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        addon.register()
        self.addCleanup(addon.unregister)

    def test_it_is_imported_with_its_picture(self) -> None:
        self.assertEqual(bpy.ops.import_scene.bspscene_model(filepath=str(MODEL)), {"FINISHED"})
        shown = [thing for thing in bpy.data.objects if thing.type == "MESH"]
        self.assertEqual(len(shown), 1)
        self.assertEqual(len(shown[0].data.polygons), 12)
        self.assertAlmostEqual(shown[0].dimensions.z, 120 * METERS, places=4)
        self.assertEqual([image.name.split("/")[-1].split(".")[0] for image in bpy.data.images if image.size[0]],
                         ["obelisk"])
        self.assertIn("obelisk", bpy.data.collections)

    def test_maps_are_imported_after_it(self) -> None:
        """Maps can be imported after a model was imported. If one operator class inherited from the other, Blender
        would unregister the other."""
        for _ in range(2):
            addon.unregister()
            addon.register()
            self.assertEqual(bpy.ops.import_scene.bspscene_model(filepath=str(MODEL)), {"FINISHED"})
            self.assertEqual(bpy.ops.import_scene.bspscene(filepath=str(ATRIUM)), {"FINISHED"})
        self.assertIn("atrium", bpy.data.collections)


class ModelsInMaps(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def import_three(self, lightmaps: str) -> list[bpy.types.Object]:
        """Imports two obelisks next to each other in the atrium's light, and one in the dark."""
        with tempfile.TemporaryDirectory() as folder:
            for kind in ("models", "textures"):
                shutil.copytree(QUAKE3 / kind, Path(folder) / kind)
            path = Path(folder) / "maps/three.bsp"
            path.parent.mkdir()
            data = bytearray(ATRIUM.read_bytes())
            offset, size = struct.unpack_from("<2i", data, 8)
            text = data[offset:offset + size].rstrip(b"\0") + b"".join(
                b'{"classname" "obelisk" "model" "models/sample/obelisk.md3" "origin" "%s"}\n' % place
                for place in (b"-241 9 268", b"324 -215 52", b"-241 9 269"))
            struct.pack_into("<2i", data, 8, len(data), len(text) + 1)
            path.write_bytes(bytes(data + text + b"\0"))
            root = addon.import_map(str(path), lightmaps=lightmaps)
            return [thing for thing in root.all_objects if thing.get("classname") == "obelisk"]

    def test_they_are_lit_where_they_stand(self) -> None:
        """Without model_light_error, the two neighbors share a mesh, which has the mean of their light."""
        for lightmaps in ("PACK", "VERTICES"):
            bright, dark, beside = self.import_three(lightmaps)
            self.assertEqual(bright.data, beside.data)
            self.assertNotEqual(bright.data, dark.data)
            self.assertEqual(len(bright.data.vertices), len(dark.data.vertices))
