"""Tests copies of a map for programs without lightmaps. In the file of every exporter, texture and light are one
picture."""
import json
import os
import struct
import tempfile
import unittest
from pathlib import Path

import addon_utils
import bpy
from blender_support import ATRIUM, addon, objects_of, reset
from io_scene_bspscene import importer


class LitCopy(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(self.folder.name, "a.blend"))
        self.root = addon.import_map(str(ATRIUM), lights=False)
        self.copy = importer.copy_with_light(self.root)

    def target(self, ending: str) -> str:
        return os.path.join(self.folder.name, "out" + ending)

    def test_the_map_itself_is_away(self) -> None:
        self.assertFalse(any(made.visible_get() for made in self.root.all_objects))
        self.assertTrue(objects_of(self.copy, "worldspawn")[0].visible_get())
        with self.assertRaises(ValueError):
            addon.bake_lightmap(self.copy)

    def test_gltf_is_unlit(self) -> None:
        addon_utils.enable("io_scene_gltf2")
        keys = bpy.context.preferences.addons
        keys.new().module = "io_scene_bspscene"
        self.addCleanup(lambda: keys.remove(keys["io_scene_bspscene"]))
        bpy.ops.export_scene.gltf(filepath=self.target(".glb"))
        content = Path(self.target(".glb")).read_bytes()
        length, = struct.unpack_from("<I", content, 12)
        gltf = json.loads(content[20:20 + length])
        shown = [node["name"] for node in gltf["nodes"] if "mesh" in node]
        self.assertEqual(len([name for name in shown if name.startswith("worldspawn")]), 1, shown)
        for material in gltf["materials"]:
            self.assertIn("KHR_materials_unlit", material.get("extensions", {}), material["name"])
        wall = next(m for m in gltf["materials"] if m["name"].startswith("textures/sample/brick"))
        texture = gltf["textures"][wall["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
        self.assertTrue(gltf["images"][texture["source"]]["name"].startswith("lit"))

    def test_colors_do_not_light_it_twice(self) -> None:
        """Blender's glTF exporter before 4.2 writes the vertex colors of all surfaces, so these must be white in the
        copy. Once they were not white, and only a tenth of a picture by three.js had the right colors."""
        kept = objects_of(self.root, "worldspawn")[0].data.color_attributes["Color"].data
        self.assertTrue(any(tuple(value.color[:3]) != (1, 1, 1) for value in kept))
        mesh = objects_of(self.copy, "worldspawn")[0].data
        shown = {number for number, material in enumerate(mesh.materials)
                 if any(node.type == "VERTEX_COLOR" for node in material.node_tree.nodes)}
        left = {point for face in mesh.polygons if face.material_index not in shown for point in face.vertices}
        self.assertTrue(left)
        self.assertEqual({tuple(mesh.color_attributes["Color"].data[point].color) for point in left}, {(1, 1, 1, 1)})

    def test_emission_has_a_factor(self) -> None:
        """The emission of materials has a white factor. Once it had none; FBX then multiplied the picture by black, and
        three.js showed no light."""
        mesh = objects_of(self.copy, "worldspawn")[0].data
        wall = next(m for m in mesh.materials if m.name.startswith("textures/sample/brick"))
        node = next(node for node in wall.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        emission = node.inputs.get("Emission Color") or node.inputs["Emission"]
        self.assertTrue(emission.is_linked)
        self.assertEqual(tuple(emission.default_value), (1, 1, 1, 1))

    def test_fbx_has_the_picture(self) -> None:
        addon_utils.enable("io_scene_fbx")
        bpy.ops.export_scene.fbx(filepath=self.target(".fbx"), path_mode="COPY", embed_textures=True)
        reset()
        bpy.ops.import_scene.fbx(filepath=self.target(".fbx"))
        wall = next(m for m in bpy.data.materials if m.name.startswith("textures/sample/brick"))
        images = [node.image for node in wall.node_tree.nodes if node.type == "TEX_IMAGE"]
        self.assertTrue(images and all(image.name.startswith("lit") and min(image.size) > 64 for image in images))
