"""Tests in Blender of the cost of materials: how many shader programs EEVEE compiles for a map, which materials are
blended, and the colors of views without textures."""
import shutil
import struct
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy
from blender_support import ATRIUM, FURTHER, OPENARENA, QUAKE3, addon, material_of, reset
from io_scene_bspscene.build.materials.shading import node_tree
from programs import programs, shape_of

MOST = 40
LIBREQUAKE = FURTHER / "maps/quake/librequake/maps"
# The maps of OpenArena with the most passes, and one map for each kind of sky.
MAPS = ("oa_bases3p3ta", "hydronex2", "ctf_compromise", "oacmpctf1", "oasago2", "delta", "oacmpdm10", "aggressor")


class Programs(unittest.TestCase):
    """Materials that differ only in textures and numbers share shader programs, so there are few."""

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
            addon.import_map(str(OPENARENA), map=name)
            self.assertLessEqual(len(programs()), MOST, name)

    @unittest.skipUnless(LIBREQUAKE.is_dir(), "BSPSCENE_SHARED_DATA has no maps of LibreQuake")
    def test_maps_of_quake(self) -> None:
        for path in sorted(LIBREQUAKE.glob("*.bsp")):
            reset()
            addon.import_map(str(path))
            self.assertLessEqual(len(programs()), MOST, path.name)


SHADER_NAMES, SURFACES = 1, 13   # numbers of lumps in IBSP 46
NAME_SIZE, SURFACE_SIZE = 72, 104
MOTIONS = ("tcMod scale 0.5 0.5", "tcMod scroll 0.1 0", "tcMod rotate 30", "tcMod turb 0 0.1 0 0.5")
TEXTURES = ("metal", "brick", "glass", "grate", "water")   # textures with and without alpha, of several sizes


def with_shaders_of_its_own(data: bytes, every: bytes) -> tuple[bytes, list[str]]:
    """Returns the map in which each surface with the shader `every` has a new shader of its own. Also returns the names
    of the new shaders."""
    lumps = [list(struct.unpack_from("<ii", data, 8 + 8 * i)) for i in range(17)]
    names, surfaces = (bytearray(data[at:at + size]) for at, size in (lumps[SHADER_NAMES], lumps[SURFACES]))
    one = names.index(every.ljust(NAME_SIZE - 8, b"\0")) // NAME_SIZE
    record, made = names[one * NAME_SIZE + NAME_SIZE - 8:][:8], []
    for at in range(0, len(surfaces), SURFACE_SIZE):
        if struct.unpack_from("<i", surfaces, at)[0] == one:
            struct.pack_into("<i", surfaces, at, len(names) // NAME_SIZE)
            made.append(f"{every.decode()}_{len(made)}")
            names += made[-1].encode().ljust(NAME_SIZE - 8, b"\0") + record
    for lump, content in ((SHADER_NAMES, names), (SURFACES, surfaces)):
        data += bytes(-len(data) % 4)
        lumps[lump] = [len(data), len(content)]
        data += content
    return data[:8] + b"".join(struct.pack("<ii", *lump) for lump in lumps) + data[8 + 8 * 17:], made


def shader(name: str, number: int) -> str:
    """Returns a shader like textures/sample/metal with other textures, colors and motions."""
    first, second = (TEXTURES[(number + step) % len(TEXTURES)] for step in (0, 1 + number % 3))
    gray = 0.1 + number % 7 / 10
    return (f"{name}\n{{\n{{\nmap textures/sample/{first}.tga\nrgbGen identity\n}}\n"
            f"{{\nmap textures/sample/{second}.tga\nblendFunc GL_ONE GL_ONE\nrgbGen const ( {gray} {gray} {gray} )\n"
            f"tcGen environment\n{MOTIONS[number % len(MOTIONS)]}\n}}\n"
            "{\nmap $lightmap\nblendFunc filter\n}\n}\n")


class ManyMaterials(unittest.TestCase):
    """Imports a map with many materials that differ only in textures and numbers."""

    def setUp(self) -> None:
        reset()

    def imported(self, every: str, write: str = "") -> list:
        """Imports a map in which many shaders replace the shader `every`. Returns descriptions of their node trees."""
        with tempfile.TemporaryDirectory() as folder:
            game = Path(folder) / "game"
            for part in ("textures", "scripts", "env", "models"):
                shutil.copytree(QUAKE3 / part, game / part)
            data, names = with_shaders_of_its_own(ATRIUM.read_bytes(), every.encode())
            (game / "maps").mkdir()
            (game / "maps/many.bsp").write_bytes(data)
            if write == "scripts":
                text = "".join(shader(name, number) for number, name in enumerate(names))
                (game / "scripts/many.shader").write_text(text)
            for number, name in enumerate(names if write == "textures" else ()):
                shutil.copy(QUAKE3 / f"textures/sample/{TEXTURES[number % len(TEXTURES)]}.tga", game / f"{name}.tga")
            report = addon.importer.Report()
            addon.import_map(str(game / "maps/many.bsp"), report)
        self.assertFalse([name for name in report.missing_textures if name in names])
        self.assertGreater(len(names), 50)
        return [shape_of(material_of(name)) for name in names]

    def test_of_a_texture(self) -> None:
        before = len(self.shapes_of_the_atrium())
        self.assertEqual(len(set(self.imported("textures/sample/brick", "textures"))), 1)
        self.assertLessEqual(len(programs()), before)

    def test_of_three_stages(self) -> None:
        before = len(self.shapes_of_the_atrium())
        self.assertEqual(len(set(self.imported("textures/sample/metal", "scripts"))), 1)
        self.assertLessEqual(len(programs()), before)

    def shapes_of_the_atrium(self) -> dict:
        addon.import_map(str(ATRIUM))
        found = programs()
        reset()
        return found


class Drawing(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def is_blended(self, material: bpy.types.Material) -> bool:
        if hasattr(material, "surface_render_method"):
            return material.surface_render_method == "BLENDED"
        return material.blend_method == "BLEND"

    @unittest.skipUnless(OPENARENA.is_dir(), "BSPSCENE_OPENARENA names no directory")
    def test_what_covers_is_not_blended(self) -> None:
        """A wall with several passes is opaque if its first pass is."""
        addon.import_map(str(OPENARENA), map="aggressor")
        walls = [material_of(name) for name in ("textures/base_trim/tinfx", "textures/liquids/tele")]
        for wall in walls:
            self.assertFalse(self.is_blended(wall), wall.name)
            self.assertNotIn("BSDF_TRANSPARENT", {node.type for node in wall.node_tree.nodes}, wall.name)
        self.assertTrue(self.is_blended(material_of("textures/e7/e7beam01")) or
                        any(self.is_blended(material) for material in bpy.data.materials))

    def test_views_without_textures_show_their_colors(self) -> None:
        addon.import_map(str(ATRIUM))
        materials = [m for m in bpy.data.materials if any(n.type == "TEX_IMAGE" for n in m.node_tree.nodes)]
        self.assertGreater(len({tuple(material.diffuse_color) for material in materials}), 5)
        brick = material_of("textures/sample/brick")
        image = next(n.image for n in brick.node_tree.nodes if n.type == "TEX_IMAGE" and n.label == "Texture")
        texels = numpy.empty(image.size[0] * image.size[1] * 4, numpy.float32)
        image.pixels.foreach_get(texels)
        shown = texels.reshape(-1, 4)[:, :3]
        linear = numpy.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4).mean(0)
        numpy.testing.assert_allclose(brick.diffuse_color[:3], linear, atol=0.02)
