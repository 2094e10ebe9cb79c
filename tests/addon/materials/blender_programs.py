"""Tests in Blender of what materials cost: how many programs EEVEE compiles for a map, what is blended, and what views
without textures show."""
import unittest

import bpy
import numpy
from blender_support import ATRIUM, FURTHER, OPENARENA, bspscene, material_of, reset
from bspscene.build.materials.shading import node_tree
from programs import programs, shape_of

MOST = 40
LIBREQUAKE = FURTHER / "maps/quake/librequake/maps"
# Those with the most of them, and one of each kind of sky.
MAPS = ("hydronex2", "ctf_compromise", "oacmpctf1", "oasago2", "delta", "oacmpdm10", "aggressor")


class Programs(unittest.TestCase):
    """Shaders are equal but for their textures and numbers, and so are few."""

    def setUp(self) -> None:
        reset()

    def of_material(self, operation: str, value: float, image: str) -> str:
        material = bpy.data.materials.new("m")
        tree = node_tree(material)
        end = tree.nodes.new("ShaderNodeOutputMaterial")
        shader, math = tree.nodes.new("ShaderNodeEmission"), tree.nodes.new("ShaderNodeMath")
        texture = tree.nodes.new("ShaderNodeTexImage")
        texture.image = bpy.data.images.new(image, 1, 1)
        math.operation = operation
        math.inputs[1].default_value = value
        tree.links.new(texture.outputs["Color"], math.inputs[0])
        tree.links.new(math.outputs[0], shader.inputs["Color"])
        tree.links.new(shader.outputs[0], end.inputs["Surface"])
        return shape_of(material)

    def test_the_counter_counts(self) -> None:
        one = self.of_material("ADD", 1, "a")
        self.assertEqual(self.of_material("ADD", 2, "b"), one)
        self.assertNotEqual(self.of_material("MULTIPLY", 1, "a"), one)

    @unittest.skipUnless(OPENARENA.is_dir(), "BSPSCENE_OPENARENA names no directory")
    def test_maps_of_openarena(self) -> None:
        for name in MAPS:
            reset()
            bspscene.import_map(str(OPENARENA), map=name)
            self.assertLessEqual(len(programs()), MOST, name)

    @unittest.skipUnless(LIBREQUAKE.is_dir(), "BSPSCENE_SHARED_DATA has no maps of LibreQuake")
    def test_maps_of_quake(self) -> None:
        for path in sorted(LIBREQUAKE.glob("*.bsp")):
            reset()
            bspscene.import_map(str(path))
            self.assertLessEqual(len(programs()), MOST, path.name)


class Drawing(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def is_blended(self, material: bpy.types.Material) -> bool:
        if hasattr(material, "surface_render_method"):
            return material.surface_render_method == "BLENDED"
        return material.blend_method == "BLEND"

    @unittest.skipUnless(OPENARENA.is_dir(), "BSPSCENE_OPENARENA names no directory")
    def test_what_covers_is_not_blended(self) -> None:
        """A wall of several stages, of which the first covers what is behind it."""
        bspscene.import_map(str(OPENARENA), map="aggressor")
        walls = [material_of(name) for name in ("textures/base_trim/tinfx", "textures/liquids/tele")]
        for wall in walls:
            self.assertFalse(self.is_blended(wall), wall.name)
            self.assertNotIn("BSDF_TRANSPARENT", {node.type for node in wall.node_tree.nodes}, wall.name)
        self.assertTrue(self.is_blended(material_of("textures/e7/e7beam01")) or
                        any(self.is_blended(material) for material in bpy.data.materials))

    def test_views_without_textures_show_their_colours(self) -> None:
        bspscene.import_map(str(ATRIUM))
        materials = [m for m in bpy.data.materials if any(n.type == "TEX_IMAGE" for n in m.node_tree.nodes)]
        self.assertGreater(len({tuple(material.diffuse_color) for material in materials}), 5)
        brick = material_of("textures/sample/brick")
        image = next(n.image for n in brick.node_tree.nodes if n.type == "TEX_IMAGE" and n.label == "Texture")
        texels = numpy.empty(image.size[0] * image.size[1] * 4, numpy.float32)
        image.pixels.foreach_get(texels)
        shown = texels.reshape(-1, 4)[:, :3]
        linear = numpy.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4).mean(0)
        numpy.testing.assert_allclose(brick.diffuse_color[:3], linear, atol=0.02)
