"""Hidden kinds of surfaces stay hidden when the map is linked, appended, instanced or exported by Blender."""
import json
import os
import struct
import sys
import tempfile
import unittest
from pathlib import Path

import addon_utils
import bpy
import numpy
from blender_support import ATRIUM, FIXTURES, addon, reset
from io_scene_bspscene import exporting
from io_scene_bspscene.build.objects.layers import show_kinds
from eye import pixels, set_up_picture, turned

MAPS = (ATRIUM, FIXTURES / "atrium/quake/maps/atrium.bsp", FIXTURES / "source/maps/room.bsp")
NAMES = ("collision", "trigger", "sky")


def is_hidden_kind(name: str) -> bool:
    return any(part in name.lower() for part in NAMES)


class Hidden(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def picture(self, folder: str) -> numpy.ndarray:
        set_up_picture("CYCLES", (0.0, 0.0, 150.0), turned(10, 45))
        bpy.context.scene.render.resolution_percentage = 25
        bpy.context.scene.render.filepath = os.path.join(folder, "map.png")
        bpy.ops.render.render(write_still=True)
        return pixels(bpy.context.scene.render.filepath)

    def bring(self, file: str, how: str) -> None:
        """Brings the map's collection into an empty file, as Blender's dialog for linking and appending does."""
        reset()
        with bpy.data.libraries.load(file, link=how != "append") as (have, wanted):
            wanted.collections = [name for name in have.collections if name == "the map"]
        found = bpy.data.collections["the map"]
        if how != "instance":
            bpy.context.scene.collection.children.link(found)
            return
        holder = bpy.data.objects.new("holder", None)
        holder.instance_type, holder.instance_collection = "COLLECTION", found
        bpy.context.scene.collection.objects.link(holder)

    def test_other_files_show_the_same(self) -> None:
        for path in MAPS:
            with tempfile.TemporaryDirectory() as folder:
                reset()
                root = addon.import_map(str(path))
                root.name = "the map"
                seen = self.picture(folder)
                file = os.path.join(folder, "map.blend")
                bpy.ops.wm.save_as_mainfile(filepath=file)
                for how in ("link", "append", "instance"):
                    self.bring(file, how)
                    off = numpy.abs(self.picture(folder) - seen).max(axis=2)
                    self.assertEqual(int((off > 0).sum()), 0, f"{path}: {how}")

    def test_they_come_back(self) -> None:
        root = addon.import_map(str(ATRIUM))
        shells = [made for kind in root.children if kind["bspscene_kind"] == "Collision" for made in kind.all_objects]
        self.assertTrue(shells and all(made.hide_viewport and made.hide_render for made in shells))
        show_kinds(bpy.context.view_layer, root, ("Collision",), True)
        self.assertTrue(all(made.visible_get() for made in shells))


class Exporters(unittest.TestCase):
    """With their default settings, Blender's exporters leave out hidden surfaces."""

    def setUp(self) -> None:
        reset()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        addon.import_map(str(ATRIUM), shading="EXPORT", lights=False)   # Blender 5.0 cannot read lamps in its FBX files

    def target(self, ending: str) -> str:
        return os.path.join(self.folder.name, "map" + ending)

    def check(self, names: list[str]) -> None:
        self.assertIn("worldspawn", [name.replace(" ", "") for name in names])
        self.assertEqual([name for name in names if is_hidden_kind(name)], [])

    def test_gltf(self) -> None:
        addon_utils.enable("io_scene_gltf2")
        keys = bpy.context.preferences.addons
        keys.new().module = "io_scene_bspscene"   # makes the exporter see the add-on as enabled
        self.addCleanup(lambda: keys.remove(keys["io_scene_bspscene"]))
        self.assertIs(sys.modules["io_scene_bspscene"].glTF2ExportUserExtension, exporting.glTF2ExportUserExtension)
        bpy.ops.export_scene.gltf(filepath=self.target(".glb"))
        content = Path(self.target(".glb")).read_bytes()
        length, = struct.unpack_from("<I", content, 12)
        self.check([node["name"] for node in json.loads(content[20:20 + length])["nodes"] if "mesh" in node])

    def test_obj(self) -> None:
        bpy.ops.wm.obj_export(filepath=self.target(".obj"))
        lines = Path(self.target(".obj")).read_text().splitlines()
        self.check([line[2:].split("_worldspawn")[0] for line in lines if line.startswith("o ")])

    def test_fbx(self) -> None:
        addon_utils.enable("io_scene_fbx")
        bpy.ops.export_scene.fbx(filepath=self.target(".fbx"))
        reset()
        bpy.ops.import_scene.fbx(filepath=self.target(".fbx"))
        self.check([made.name for made in bpy.data.objects if made.type == "MESH"])

    def test_usd(self) -> None:
        if "usd_export" not in dir(bpy.ops.wm):
            self.skipTest("this Blender was built without USD")
        bpy.ops.wm.usd_export(filepath=self.target(".usdc"))
        reset()
        bpy.ops.wm.usd_import(filepath=self.target(".usdc"))
        self.check([made.name for made in bpy.data.objects if made.type == "MESH"])
