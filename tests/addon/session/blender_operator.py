"""Tests in Blender of File > Import, of Blender's exporters on imported maps, and of enabling the add-on."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import addon_utils  # bpy makes it available
import bpy
from blender_support import ATRIUM, FIXTURES, ROOT, addon, counts, reset
from io_scene_bspscene import importer, options
from bspscene import library
from io_scene_bspscene.ui import map_operators, operators


class Operator(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        addon.register()

    def tearDown(self) -> None:
        addon.unregister()

    def test_imports_several_maps(self) -> None:
        names = [{"name": "atrium.bsp"}, {"name": "atrium_deluxe.bsp"}]
        done = bpy.ops.import_scene.bspscene(directory=str(ATRIUM.parent), files=names)
        self.assertEqual(done, {"FINISHED"})
        self.assertEqual({c.name for c in bpy.context.scene.collection.children}, {"atrium", "atrium_deluxe"})

    def test_reports_a_file_that_is_no_map(self) -> None:
        before = counts()
        with self.assertRaises(RuntimeError) as caught:
            bpy.ops.import_scene.bspscene(filepath=str(FIXTURES / "rejected/unknown-format_zip.bsp"))
        self.assertIn("unknown-format_zip.bsp", str(caught.exception))
        self.assertEqual(counts(), before)

    def test_reports_every_bad_file_in_one_line(self) -> None:
        before, refused = counts(), 0
        for path in sorted((FIXTURES / "rejected").iterdir()):
            if path.name.startswith("bad-data"):
                continue
            with self.assertRaises(RuntimeError, msg=path.name) as caught:
                bpy.ops.import_scene.bspscene(filepath=str(path))
            said = str(caught.exception).strip()
            self.assertIn(path.name, said)
            self.assertNotIn("Traceback", said)
            self.assertNotIn("\n", said)
            self.assertEqual(counts(), before, path.name)
            refused += 1
        self.assertGreater(refused, 10)

    @unittest.skipUnless(bpy.app.binary_path, "the bpy module is no program")
    def test_a_bad_file_is_the_exit_code_of_a_script(self) -> None:
        script = (f"import sys; sys.path[:0] = {[str(Path(addon.__file__).parents[1]), str(ROOT / 'python')]!r}; "
                  f"import bpy, io_scene_bspscene; io_scene_bspscene.register(); "
                  f"bpy.ops.import_scene.bspscene(filepath=sys.argv[-1])")
        for path, code in ((ATRIUM, 0), (FIXTURES / "rejected/unknown-format_zip.bsp", 3)):
            run = subprocess.run([bpy.app.binary_path, "-b", "--factory-startup", "--python-exit-code", "3",
                                  "--python-expr", script, "--", str(path)],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(run.returncode, code, run.stdout.decode("utf-8", "replace"))

    def test_tells_where_textures_were_looked_for(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            lonely = os.path.join(folder, "atrium.bsp")
            Path(lonely).write_bytes(ATRIUM.read_bytes())
            self.assertEqual(bpy.ops.import_scene.bspscene(filepath=lonely, game_paths="/nowhere"), {"FINISHED"})
        told = bpy.data.texts[operators.REPORT_NAME].as_string()
        first = told.splitlines()[1]   # the line that the status bar shows
        self.assertIn("13 textures", first)
        names = ("Object", map_operators.GameMapMenu.bl_label, map_operators.FindTextures.bl_label)
        self.assertTrue(first.endswith(f" missing; find them with {' > '.join(names)}"), first)
        for words in ("textures/sample/brick", "/nowhere", "Searched in:"):
            self.assertIn(words, told)

    def test_the_factor_of_light_is_a_choice(self) -> None:
        """A script can set the factor of light. If it does not, the game's factor is used."""
        def factors() -> set:
            names = {"bspscene picture", "bspscene picture of HDR light"}
            return {node.inputs["Intensity"].default_value for material in bpy.data.materials
                    for node in material.node_tree.nodes if node.type == "GROUP" and node.node_tree.name in names}

        for given, wanted in (({}, {1.0}), ({"intensity": 1.5}, {1.5}),
                              ({"brightness": "GAME", "intensity": 1.5}, {1.0}),
                              ({"brightness": "FACTOR"}, {1.0}), ({"brightness": "FACTOR", "intensity": 3.0}, {3.0})):
            reset()
            self.assertEqual(bpy.ops.import_scene.bspscene(filepath=str(ATRIUM), **given), {"FINISHED"})
            self.assertEqual(factors(), wanted, given)
        self.assertEqual(options.light_factor(options.complete({"intensity": 0.0})), 0, "as files of before have it")
        self.assertEqual(options.light_factor(options.complete({"intensity": 2.0})), 2)

    def test_the_first_line_counts_what_is_missing(self) -> None:
        for textures, models, wanted in ((1, 0, "1 texture"), (0, 1, "1 model"), (2, 3, "2 textures and 3 models")):
            report = importer.Report()
            report.warnings = ["something that was repaired"]
            report.missing_textures, report.models = ["a"] * textures, ["b"] * models
            self.assertTrue(report.lines()[0].startswith(f"{wanted} missing; "), report.lines()[0])
            report.missing_textures, report.models = [], []
            self.assertEqual(report.lines(), report.warnings)

    def test_every_property_says_what_it_is(self) -> None:
        """All properties of operators, dialogs, "Adjust last operation" and preferences have a description, and so have
        their choices."""
        known = {p.identifier for kind in (bpy.types.Operator, bpy.types.PropertyGroup, bpy.types.AddonPreferences)
                 for p in kind.bl_rna.properties}
        seen = 0
        for kind in addon.CLASSES:
            if not issubclass(kind, (bpy.types.Operator, bpy.types.PropertyGroup)):
                continue
            rna = kind.bl_rna
            if issubclass(kind, bpy.types.Operator):
                room, name = kind.bl_idname.split(".")
                rna = getattr(getattr(bpy.ops, room), name).get_rna_type()
                self.assertTrue(rna.description, kind.__name__)
            for made in rna.properties:
                if made.identifier in known or made.is_hidden:
                    continue
                seen += 1
                self.assertTrue(made.description, f"{kind.__name__}.{made.identifier}")
                for item in made.enum_items if made.type == "ENUM" else ():
                    self.assertTrue(item.description, f"{kind.__name__}.{made.identifier}: {item.identifier}")
        self.assertGreater(seen, 3 * len(options.OPTIONS))

    def test_lightmaps_survive_blenders_gltf_exporter(self) -> None:
        if addon_utils.enable("io_scene_gltf2") is None:
            self.skipTest("this Blender has no glTF exporter")
        self.assertFalse(bpy.ops.object.bspscene_prepare_gltf.poll(), "there is no map yet")
        addon.import_map(str(ATRIUM), lights=False, cameras=False, hidden=False)
        self.assertEqual(bpy.ops.object.bspscene_prepare_gltf(), {"FINISHED"})
        self.assertEqual(bpy.ops.object.bspscene_prepare_gltf(), {"CANCELLED"})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "atrium.glb")
            bpy.ops.export_scene.gltf(filepath=path)
            content = Path(path).read_bytes()
            self.validate(path)
        gltf = json.loads(content[20:20 + int.from_bytes(content[12:16], "little")])
        lit = [m for m in gltf["materials"] if "occlusionTexture" in m]
        self.assertGreater(len(lit), 5)
        for material in lit:
            self.assertEqual(material["occlusionTexture"]["texCoord"], 1, material["name"])
            self.assertIn("baseColorTexture", material["pbrMetallicRoughness"], material["name"])
        for mesh in gltf["meshes"]:
            for primitive in mesh["primitives"]:
                self.assertIn("TEXCOORD_1", primitive["attributes"], mesh["name"])

    def validate(self, path: str) -> None:
        """Runs the Khronos validator on a file, if the validator is installed. Its infos and hints about Blender's
        exporter are ignored."""
        node = shutil.which("node")
        if node is None:
            return
        script = ROOT / "tests/gltf/validate.mjs"
        run = subprocess.run([node, str(script), path], stdout=subprocess.PIPE, text=True)
        if run.returncode != 77:
            self.assertIn(" 0 errors, 0 warnings, ", run.stdout)

    def test_can_be_taken_away_and_brought_back(self) -> None:
        for _ in range(2):
            addon.unregister()
            self.assertIsNone(library._loaded)
            self.assertFalse(hasattr(bpy.types, "IMPORT_SCENE_OT_bspscene"))
            addon.register()
            self.assertEqual(bpy.ops.import_scene.bspscene(filepath=str(ATRIUM)), {"FINISHED"})
