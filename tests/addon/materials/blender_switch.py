"""Tests in Blender of switching an imported map between its materials, and of Blender's own exporters."""
import json
import os
import re
import tempfile
import unittest
from pathlib import Path

import addon_utils
import bpy
from blender_support import ATRIUM, OPENARENA, QUAKE3, addon, counts, material_of, objects_of, reset
from io_scene_bspscene import finding
from io_scene_bspscene.build.materials.facts import is_in_mode
from io_scene_bspscene.build.materials.mode import MODES


def shaders(root: bpy.types.Collection) -> set:
    """Returns the types of the shader nodes that are linked to the outputs of the map's visible materials."""
    used = {m for made in root.all_objects if made.type == "MESH" for m in made.data.materials}
    ends = [next(n for n in m.node_tree.nodes if n.type == "OUTPUT_MATERIAL") for m in used]
    return {end.inputs["Surface"].links[0].from_node.type for end in ends}


class Switch(unittest.TestCase):
    """The user can switch between the modes for the game's look, light only, relighting and export. Edits of materials
    are kept."""

    def setUp(self) -> None:
        reset()
        addon.register()

    def tearDown(self) -> None:
        addon.unregister()

    def used(self, root: bpy.types.Collection) -> list:
        return [m for made in root.all_objects if made.type == "MESH" for m in made.data.materials]

    def test_every_way_there_and_back(self) -> None:
        root = addon.import_map(str(ATRIUM))
        first = self.used(root)
        for mode in MODES[1:]:
            self.assertEqual(bpy.ops.object.bspscene_switch(shading=mode), {"FINISHED"})
            self.assertTrue(all(is_in_mode(m, mode) for m in self.used(root)), mode)
            self.assertEqual(bpy.ops.object.bspscene_switch(shading=mode), {"CANCELLED"})
        bpy.ops.object.bspscene_switch(shading="GAME")
        self.assertEqual(self.used(root), first)

    def test_it_is_what_an_import_in_that_mode_makes(self) -> None:
        for mode in MODES:
            reset()
            wanted = addon.import_map(str(ATRIUM), shading=mode)
            kinds = shaders(wanted)
            names = [m["game_name"] for m in self.used(wanted)]
            reset()
            root = addon.import_map(str(ATRIUM), shading="LIGHT" if mode == "GAME" else "GAME")
            addon.switch_materials(root, mode)
            self.assertEqual(shaders(root), kinds, mode)
            self.assertEqual([m["game_name"] for m in self.used(root)], names, mode)

    def test_edits_survive_and_are_saved(self) -> None:
        root = addon.import_map(str(ATRIUM))
        brick = material_of("textures/sample/brick")
        brick["mine"] = 1
        addon.switch_materials(root, "RELIGHT")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.blend")
            bpy.ops.wm.save_as_mainfile(filepath=path)
            bpy.ops.wm.open_mainfile(filepath=path)
            root = bpy.data.collections["atrium"]
            addon.switch_materials(root, "GAME")
            self.assertTrue(any(m.get("mine") for m in self.used(root)))
            reset()

    def test_the_map_is_asked_only_for_what_is_new(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "atrium.bsp"
            path.write_bytes(ATRIUM.read_bytes())
            root = addon.import_map(str(path), textures=False)
            addon.switch_materials(root, "LIGHT")
        self.assertGreater(addon.switch_materials(root, "GAME"), 5)
        before, used = counts(), self.used(root)
        with self.assertRaises(RuntimeError) as caught:
            bpy.ops.object.bspscene_switch(shading="RELIGHT")
        self.assertIn("atrium.bsp", str(caught.exception))
        self.assertEqual((counts(), self.used(root)), (before, used))

    def test_only_the_selected_objects(self) -> None:
        root = addon.import_map(str(ATRIUM))
        meshes = [made for made in root.all_objects if made.type == "MESH"]
        world = objects_of(root, "worldspawn")[0]
        for made in meshes:
            made.select_set(False)
        world.select_set(True)
        bpy.ops.object.bspscene_switch(shading="RELIGHT", only_selected=True)
        self.assertTrue(all(is_in_mode(m, "RELIGHT") for m in world.data.materials))
        others = [m for made in meshes if made.data != world.data for m in made.data.materials]
        self.assertTrue(others)
        self.assertTrue(all(is_in_mode(m, "GAME") for m in others))

    def test_lamps_light_what_is_made_for_them(self) -> None:
        root = addon.import_map(str(ATRIUM))
        lights = next(c for c in bpy.context.view_layer.layer_collection.children[root.name].children
                      if c.collection["bspscene_kind"] == "Lights")
        for mode, hidden in (("RELIGHT", False), ("GAME", True), ("LIGHT", True)):
            addon.switch_materials(root, mode)
            self.assertEqual(lights.exclude, hidden, mode)

    def test_baked_pages_stay(self) -> None:
        """If the user chooses a mode after rebaking, the mode shows the new lightmap."""
        root = addon.import_map(str(ATRIUM))
        addon.bake_lightmap(root, lightmap_page_size=64)
        groups = {g for g in bpy.data.node_groups if " light " in g.name}
        addon.switch_materials(root, "LIGHT")
        self.assertEqual({g for g in bpy.data.node_groups if " light " in g.name}, groups)


class FindTextures(unittest.TestCase):
    """Missing textures are loaded later, from the game's folder."""

    def setUp(self) -> None:
        reset()
        addon.register()

    def tearDown(self) -> None:
        addon.unregister()

    def lonely(self, folder: str) -> bpy.types.Collection:
        path = Path(folder) / "atrium.bsp"
        path.write_bytes(ATRIUM.read_bytes())
        report = addon.importer.Report()
        root = addon.import_map(str(path), report)
        self.assertTrue(report.missing_textures)
        return root

    def test_in_the_folder_that_is_given(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = self.lonely(folder)
            before = len(bpy.data.materials)
            self.assertEqual(bpy.ops.object.bspscene_find_textures(directory=str(QUAKE3)), {"FINISHED"})
            brick = material_of("textures/sample/brick")
            image = next(n.image for n in brick.node_tree.nodes if n.type == "TEX_IMAGE" and n.label == "Texture")
            self.assertTrue(image["game_path"])
            self.assertIn(brick, list(objects_of(root, "worldspawn")[0].data.materials))
            self.assertEqual(len(bpy.data.materials), before)
            self.assertEqual(bpy.ops.object.bspscene_find_textures(directory=str(QUAKE3)), {"CANCELLED"})

    def test_the_best_of_several(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = self.lonely(folder)
            found = finding.find_missing(root, [folder, QUAKE3, folder])
            self.assertEqual(found.place, str(QUAKE3))
            self.assertGreater(found.textures, 5)


class Exporters(unittest.TestCase):
    """Blender's exporters keep the textures of a map that is switched to "For export"."""

    def export(self, folder: str, write, **given) -> set:
        """Exports the map with `write`, a function that gets a path without extension. Returns the names of the
        textures on visible materials."""
        reset()
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "a.blend"))
        if OPENARENA.is_dir():
            root = addon.import_map(str(OPENARENA), map="oa_minia", lights=False, cameras=False, hidden=False)
        else:
            root = addon.import_map(str(ATRIUM), lights=False, cameras=False, hidden=False)
        addon.switch_materials(root, "EXPORT")
        shown = [made for made in root.all_objects if made.type == "MESH" and not made.hide_viewport]
        used = {m for made in shown for m in made.data.materials}
        found = {n.image for m in used for n in m.node_tree.nodes if n.type == "TEX_IMAGE" and n.label == "Texture"}
        self.assertGreater(len(found), 5)
        write(os.path.join(folder, "out"))
        return {os.path.basename(image.filepath).rsplit(".", 1)[0] for image in found}

    def files_in(self, folder: str) -> set:
        return {file.stem for file in Path(folder).rglob("*") if file.suffix in (".png", ".jpg")}

    def test_fbx(self) -> None:
        if addon_utils.enable("io_scene_fbx") is None:
            self.skipTest("this Blender has no FBX exporter")
        with tempfile.TemporaryDirectory() as folder:
            wanted = self.export(folder, lambda path: bpy.ops.export_scene.fbx(
                filepath=path + ".fbx", path_mode="COPY", embed_textures=True))
            reset()
            bpy.ops.import_scene.fbx(filepath=os.path.join(folder, "out.fbx"))
            kept = {os.path.basename(i.filepath).rsplit(".", 1)[0] for i in bpy.data.images if min(i.size) > 0}
            self.assertEqual(wanted - kept, set())
            reset()

    def test_obj(self) -> None:
        if "obj_export" not in dir(bpy.ops.wm):
            self.skipTest("this Blender has no OBJ exporter")
        with tempfile.TemporaryDirectory() as folder:
            wanted = self.export(folder, lambda path: bpy.ops.wm.obj_export(
                filepath=path + ".obj", path_mode="ABSOLUTE"))
            told = (Path(folder) / "out.mtl").read_text(encoding="utf-8")
            paths = re.findall(r"^map_Kd .*?(/.*)$", told, re.MULTILINE)
            self.assertEqual(wanted - {Path(path).stem for path in paths}, set())
            for path in paths:
                self.assertTrue(os.path.isfile(path), path)
            reset()

    def test_usd(self) -> None:
        if "usd_export" not in dir(bpy.ops.wm):
            self.skipTest("this Blender has no USD exporter")
        with tempfile.TemporaryDirectory() as folder:
            wanted = self.export(folder, lambda path: bpy.ops.wm.usd_export(
                filepath=path + ".usda", export_materials=True, generate_preview_surface=True))
            told = (Path(folder) / "out.usda").read_text(encoding="utf-8")
            kept = {Path(path).stem for path in re.findall(r"@([^@]*)@", told)}
            self.assertEqual(wanted - kept, set())
            reset()

    def test_gltf(self) -> None:
        if addon_utils.enable("io_scene_gltf2") is None:
            self.skipTest("this Blender has no glTF exporter")
        with tempfile.TemporaryDirectory() as folder:
            wanted = self.export(folder, lambda path: bpy.ops.export_scene.gltf(filepath=path + ".glb"))
            content = (Path(folder) / "out.glb").read_bytes()
            gltf = json.loads(content[20:20 + int.from_bytes(content[12:16], "little")])
            based = [m for m in gltf["materials"] if "baseColorTexture" in m["pbrMetallicRoughness"]]
            images = {m["pbrMetallicRoughness"]["baseColorTexture"]["index"] for m in based}
            self.assertGreaterEqual(len(images), len(wanted))
            self.assertGreater(len([m for m in gltf["materials"] if "occlusionTexture" in m]), 5)
            reset()
