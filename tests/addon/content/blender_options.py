"""Tests in Blender of the options of an import."""
import unittest

import bpy
from blender_support import ATRIUM, FIXTURES, addon, pages, reset
from bspscene import scene


class Options(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def test_relight_uses_no_lightmap(self) -> None:
        addon.import_map(str(ATRIUM), shading="RELIGHT")
        brick = next(m for m in bpy.data.materials if m["game_name"] == "textures/sample/brick")
        kinds = {node.type for node in brick.node_tree.nodes}
        self.assertIn("BSDF_PRINCIPLED", kinds)
        self.assertFalse([i for i in bpy.data.images if i in pages()])

    def test_parts_can_be_left_out(self) -> None:
        root = addon.import_map(str(ATRIUM), lights=False, cameras=False, entities=False, hidden=False,
                                   textures=False)
        self.assertEqual({c.name for c in root.children}, {"World", "Brush entities", "Sky"})

    def test_entities_are_grouped_by_class(self) -> None:
        root = addon.import_map(str(ATRIUM), models="NONE")
        entities = next(c for c in root.children if c["bspscene_kind"] == "Entities")
        self.assertFalse([made.name for made in entities.objects if "classname" in made])
        self.assertGreater(len(entities.children), 2)
        for group in entities.children:
            self.assertEqual({group.name.split(".")[0]}, {made["classname"] for made in group.objects})
        everything = {made["bspscene_node"] for made in entities.all_objects}
        reset()
        root = addon.import_map(str(ATRIUM), models="NONE", from_classname=False)
        entities = next(c for c in root.children if c["bspscene_kind"] == "Entities")
        self.assertEqual({made["bspscene_node"] for made in entities.objects}, everything)
        self.assertFalse(list(entities.children))

    def test_props_are_grouped_by_model(self) -> None:
        """There is a collection of props for each model, even if the model's file is missing or only the game's code
        names the model."""
        root = addon.import_map(str(FIXTURES / "source/maps/room.bsp"))
        props = next(c for c in root.children if c["bspscene_kind"] == "Props")
        self.assertFalse(list(props.objects))
        for group in props.children:
            self.assertEqual({group.name.split(".mdl")[0]}, {made["model"][:-4] for made in group.objects})
        self.assertIn("models/test/barrel.mdl", [group.name for group in props.children])

    def test_size_is_chosen(self) -> None:
        addon.import_map(str(ATRIUM), meters_per_unit=1.0)
        world = next(o for o in bpy.data.objects if o.name == "worldspawn")
        self.assertAlmostEqual(world.dimensions.x, 1024, places=2)

    def test_hdr_pages_are_linear(self) -> None:
        try:
            addon.import_map(str(ATRIUM), hdr=True)
        except scene.MapError as error:
            self.skipTest(str(error))
        image = next(i for i in bpy.data.images if i in pages())
        self.assertTrue(image.is_float)
