"""Sky surfaces hide what is behind them and show the sky by direction, for camera rays only."""
import os
import tempfile
import unittest

import bpy
import numpy
from blender_support import ATRIUM, METERS, addon, reset
from io_scene_bspscene.build.objects import layers
from io_scene_bspscene.importer import switch_materials
from eye import HEIGHT, WIDTH, pixels, set_up_picture, turned

EYE = (0.0, 0.0, 150.0)   # in the room, below the skylight


def sky_of(root: bpy.types.Collection) -> list[bpy.types.Object]:
    return [made for kind in root.children if kind["bspscene_kind"] == "Sky" for made in kind.objects]


def is_hidden(made: bpy.types.Object) -> bool:
    return made.hide_viewport and made.hide_render


class Sky(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def picture(self, pitch: float, yaw: float) -> numpy.ndarray:
        set_up_picture("CYCLES", EYE, turned(pitch, yaw))
        scene = bpy.context.scene
        scene.render.resolution_percentage = 25
        with tempfile.TemporaryDirectory() as folder:
            scene.render.filepath = os.path.join(folder, "sky.png")
            bpy.ops.render.render(write_still=True)
            return pixels(scene.render.filepath)

    def test_it_hides_what_is_behind_and_shows_the_world(self) -> None:
        """The view of the sky is the same with and without the sky's surfaces, but these surfaces hide a wall that is
        behind them."""
        root = addon.import_map(str(ATRIUM), sky_world=True)
        stands = self.picture(-75, 45)
        layers.show_kinds(bpy.context.view_layer, root, ("Sky",), False)
        numpy.testing.assert_allclose(self.picture(-75, 45), stands, atol=3)
        bpy.ops.mesh.primitive_cube_add(size=100, location=(0, 0, 3000 * METERS + 50))
        self.assertGreater(numpy.abs(self.picture(-75, 45) - stands).max(), 50)
        layers.show_kinds(bpy.context.view_layer, root, ("Sky",), True)
        numpy.testing.assert_allclose(self.picture(-75, 45), stands, atol=3)

    def test_without_a_world_it_is_the_same(self) -> None:
        addon.import_map(str(ATRIUM))
        self.assertIsNone(bpy.context.scene.world)
        middle = self.picture(-89, 45)[HEIGHT // 12:-HEIGHT // 12, WIDTH // 12:-WIDTH // 12]
        self.assertGreater(middle.mean(), 40)
        self.assertGreater(middle.min(), 0)

    def test_no_light_meets_it(self) -> None:
        for made in sky_of(addon.import_map(str(ATRIUM))):
            self.assertTrue(made.visible_camera)
            self.assertFalse(made.visible_shadow or made.visible_diffuse or made.visible_glossy
                             or made.visible_transmission or made.visible_volume_scatter)

    def test_new_light_comes_through_where_it_stood(self) -> None:
        root = addon.import_map(str(ATRIUM))
        self.assertFalse(any(map(is_hidden, sky_of(root))))
        for mode, hidden in (("RELIGHT", True), ("LIGHT", False), ("EXPORT", True), ("GAME", False)):
            switch_materials(root, mode)
            self.assertEqual([is_hidden(made) for made in sky_of(root)], [hidden], mode)
        reset()
        self.assertTrue(all(map(is_hidden, sky_of(addon.import_map(str(ATRIUM), shading="RELIGHT")))))

    def test_what_somebody_hid_stays_hidden(self) -> None:
        root = addon.import_map(str(ATRIUM))
        sky_of(root)[0].hide_render = True
        for mode in ("RELIGHT", "GAME"):
            switch_materials(root, mode)
        self.assertTrue(sky_of(root)[0].hide_render)
        self.assertFalse(sky_of(root)[0].hide_viewport)


class OneSide(unittest.TestCase):
    def test_cycles_sees_through_backs(self) -> None:
        """A camera above the map sees through the backs of surfaces into the rooms, as in the game and in EEVEE."""
        reset()
        root = addon.import_map(str(ATRIUM), sky_world=True)
        outside = (0.0, 0.0, 1000.0)
        set_up_picture("CYCLES", outside, turned(90, 0))
        scene = bpy.context.scene
        scene.render.resolution_percentage = 25
        with tempfile.TemporaryDirectory() as folder:
            scene.render.filepath = os.path.join(folder, "above.png")
            bpy.ops.render.render(write_still=True)
            culled = pixels(scene.render.filepath)
            for material in {m for made in root.all_objects if made.type == "MESH" for m in made.data.materials if m}:
                for node in material.node_tree.nodes:
                    if node.type == "OUTPUT_MATERIAL" and node.target == "CYCLES":
                        material.node_tree.nodes.remove(node)
            bpy.ops.render.render(write_still=True)
            both = pixels(scene.render.filepath)
        self.assertGreater((numpy.abs(culled - both).max(axis=2) > 16).mean(), 0.05)

    def test_light_does_not_pass_backs(self) -> None:
        reset()
        addon.import_map(str(ATRIUM), shading="RELIGHT")
        opaque = [m for m in bpy.data.materials if m.get("game_name") == "textures/sample/brick"]
        for material in opaque or self.fail("no wall is culled"):
            owner = material if hasattr(material, "use_transparent_shadow") else material.cycles
            self.assertFalse(owner.use_transparent_shadow, material.name)
