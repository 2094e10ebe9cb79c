"""Tests of the sidebar's panels: layers, light styles, keys of entities and what is wrong with them."""
import shutil
import tempfile
import unittest
from pathlib import Path

import bpy
from blender_support import ATRIUM, bspscene, objects_of, reset
from bspscene.build.objects.layers import are_shown
from bspscene.ui import sidebar

STYLES = ATRIUM.with_name("atrium_styles.bsp")
DEF = '/*QUAKED light (0 1 0) (-8 -8 -8) (8 8 8) LINEAR\nA lamp.\n"light" brightness\n*/\n'


class Sidebar(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        bspscene.register()
        self.addCleanup(bspscene.unregister)

    def test_layers_are_shown_and_hidden(self) -> None:
        root = bspscene.import_map(str(ATRIUM))
        for shown in (True, False):
            bpy.ops.object.bspscene_layer(kind="Collision", shown=shown)
            self.assertEqual(are_shown(bpy.context.view_layer, root, "Collision"), shown)
            shells = [made for kind in root.children if kind["bspscene_kind"] == "Collision" for made in kind.objects]
            self.assertEqual({made.hide_viewport for made in shells}, {not shown})

    def test_light_styles_are_values(self) -> None:
        self.assertEqual(len(sidebar.styles_of(bspscene.import_map(str(STYLES)))), 1)
        self.assertFalse(sidebar.styles_of(bspscene.import_map(str(ATRIUM))))

    def test_keys_are_described(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            game = Path(folder) / "baseq3"
            (game / "maps").mkdir(parents=True)
            (game / "scripts").mkdir()
            (game / "scripts/entities.def").write_text(DEF)
            shutil.copy(ATRIUM, game / "maps")
            root = bspscene.import_map(str(game / "maps/atrium.bsp"))
            lamp = next(made for made in root.all_objects if made.get("classname") == "light")
            lamp["spawnflags"], lamp["lihgt"] = "6", "300"
            known = sidebar.definitions_for(lamp, bpy.context)
            self.assertEqual(known["light"].text, "A lamp.")
            rows = {name: (told, wrong) for name, told, wrong in sidebar.rows_of(lamp, known)}
            self.assertEqual(rows["light"], ("brightness", False))
            self.assertTrue(rows["spawnflags"][1] and rows["lihgt"][1])
            self.assertFalse(rows["origin"][1])
            self.assertTrue(objects_of(root, "worldspawn"))
