"""Tests of the sidebar's panels: layers, light styles, keys of entities and warnings about them."""
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import bpy
from blender_support import ATRIUM, addon, objects_of, reset
from io_scene_bspscene.build.objects.layers import are_shown
from io_scene_bspscene import definitions
from io_scene_bspscene.ui import entity_fields, face_panel, sidebar

STYLES = ATRIUM.with_name("atrium_styles.bsp")
DEF = '/*QUAKED light (0 1 0) (-8 -8 -8) (8 8 8) LINEAR\nA lamp.\n"light" brightness\n*/\n'


class Sidebar(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        addon.register()
        self.addCleanup(addon.unregister)

    def test_layers_are_shown_and_hidden(self) -> None:
        root = addon.import_map(str(ATRIUM))
        for shown in (True, False):
            bpy.ops.object.bspscene_layer(kind="Collision", shown=shown)
            self.assertEqual(are_shown(bpy.context.view_layer, root, "Collision"), shown)
            shells = [made for kind in root.children if kind["bspscene_kind"] == "Collision" for made in kind.objects]
            self.assertEqual({made.hide_viewport for made in shells}, {not shown})

    def test_light_styles_are_values(self) -> None:
        self.assertEqual(len(sidebar.styles_of(addon.import_map(str(STYLES)))), 1)
        self.assertFalse(sidebar.styles_of(addon.import_map(str(ATRIUM))))

    def test_a_face_is_told(self) -> None:
        root = addon.import_map(str(ATRIUM), lightmaps="PACK")
        floor = next(made for made in root.all_objects if made.type == "MESH" and made.name.startswith("worldspawn"))
        # Clicks on the middle of the floor's largest face.
        polygon = max((p for p in floor.data.polygons
                       if floor.data.materials[p.material_index]["game_name"].endswith("floor")), key=lambda p: p.area)
        place = tuple(floor.matrix_world @ polygon.center)
        self.assertEqual(bpy.ops.object.bspscene_face(location=place), {"FINISHED"})
        face = face_panel._shown[0]
        self.assertEqual(face.texture, "textures/sample/floor")
        self.assertEqual(face.page, 0)
        self.assertGreater(max(face.light), 0)
        self.assertTrue(any("luxel" in line for line in face.lines()))
        self.assertEqual(bpy.ops.object.bspscene_face(location=(1000, 0, 0)), {"CANCELLED"})
        self.assertFalse(face_panel._shown)

    def assert_fields(self, lamp: bpy.types.Object, known) -> None:
        """Checks that the panel draws the flags of a key as buttons that change the key's text."""
        drawn = mock.MagicMock()
        entity_fields.draw(drawn, lamp, "spawnflags", definitions.keys_of(known, "light")["spawnflags"])
        (call,) = drawn.grid_flow.return_value.operator.call_args_list
        self.assertEqual((call.kwargs["text"], call.kwargs["depress"]), ("LINEAR", False))
        self.assertEqual(drawn.grid_flow.return_value.operator.return_value.value, "7")
        bpy.context.view_layer.objects.active = lamp
        bpy.ops.object.bspscene_key(key="spawnflags", value="7")
        bpy.ops.object.bspscene_choose(key="light", choices="100\nDim\n300\nBright", chosen="300")
        self.assertEqual((lamp["spawnflags"], lamp["light"]), ("7", "300"))
        # A flag that is set is shown as pressed, and its button clears it.
        drawn = mock.MagicMock()
        entity_fields.draw(drawn, lamp, "spawnflags", definitions.keys_of(known, "light")["spawnflags"])
        self.assertTrue(drawn.grid_flow.return_value.operator.call_args.kwargs["depress"])
        self.assertEqual(drawn.grid_flow.return_value.operator.return_value.value, "6")
        self.assertEqual(bpy.ops.object.bspscene_key(key="no such key", value="1"), {"CANCELLED"})

    def test_keys_are_described(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            game = Path(folder) / "baseq3"
            (game / "maps").mkdir(parents=True)
            (game / "scripts").mkdir()
            (game / "scripts/entities.def").write_text(DEF)
            shutil.copy(ATRIUM, game / "maps")
            root = addon.import_map(str(game / "maps/atrium.bsp"))
            lamp = next(made for made in root.all_objects if made.get("classname") == "light")
            lamp["spawnflags"], lamp["lihgt"] = "6", "300"
            known = sidebar.definitions_for(lamp, bpy.context)
            self.assertEqual(known["light"].text, "A lamp.")
            rows = {name: (told, wrong) for name, told, wrong in sidebar.rows_of(lamp, known)}
            self.assertEqual(rows["light"], ("brightness", False))
            self.assertTrue(rows["spawnflags"][1] and rows["lihgt"][1])
            self.assertFalse(rows["origin"][1])
            self.assert_fields(lamp, known)
            self.assertTrue(objects_of(root, "worldspawn"))
