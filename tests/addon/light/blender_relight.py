"""Tests in Blender of relit maps. A lamp lights a wall, and sky and lamps light a room, about as brightly as the game's
compiler did."""
import math
import os
import tempfile
import unittest

import bpy
import numpy
from blender_support import FIXTURES, FURTHER, METERS, addon, load, reset
from io_scene_bspscene.build.baked import daylight
from io_scene_bspscene.build.data.blocks import Made
from io_scene_bspscene.build.objects import light as light_module
from bspscene import abi

ATRIA = FIXTURES / "atrium"
GAMMA = 2.2


def inverse_square(overbright: float):
    """Returns the law by which q3map's lamps light a surface: the display byte is 7500 times the key "light" divided by
    the square of the distance."""
    return lambda light, distance: light.intensity * overbright / 255 * 7500 / distance ** 2


def hlrad(light, distance):
    """Returns the display value (1: white) of a surface at this distance from a lamp of hlrad. It is a power of the
    lamp's linear light. The formula was measured on single lamps of three maps."""
    return 1.375 * (2 * light.intensity ** 3 / 10 / distance ** 2 / 255) ** 0.55


def source(light, distance):
    """Returns the display value (1: white) of a surface at this distance from a lamp of Source, computed from the
    light's record."""
    return (light.illuminance_at_100_units * (100 / distance) ** 2) ** (1 / GAMMA)


def linear(overbright: float):
    """Returns the law by which lamps of Quake light a surface, and those of q3map2 in games after Wolfenstein. Their
    light becomes zero at a distance equal to the key "light"."""
    return lambda light, distance: light.intensity * overbright / 255 * (1 - distance / light.intensity)


GAMES = {"quake/maps/atrium.bsp": linear(1), "hexen2/maps/atrium.bsp": linear(1),
         "quake2_q2map/maps/atrium.bsp": linear(1), "quake3/maps/atrium.bsp": inverse_square(4),
         "eliteforce/maps/atrium.bsp": inverse_square(4), "jediacademy/maps/atrium.bsp": inverse_square(1),
         "rtcw/maps/atrium.bsp": linear(4), "goldsrc/maps/atrium_wad.bsp": hlrad}


class Lamps(unittest.TestCase):
    """Where the game's light is 0.6 to 0.8 of white, rendered light is within a factor of 1.5 of it. Nearer to the
    lamp, the game's light is clamped. Farther away, the game's light fades faster than the light of any lamp in
    Blender."""

    def rendered(self, record: abi.Light, distance: float, is_linear: bool) -> float:
        """Returns the linear brightness of a white wall at this distance from the lamp, in game units."""
        reset()
        scene, made = bpy.context.scene, Made()
        lamp = bpy.data.objects.new("lamp", light_module.build(made, "lamp", record, METERS, is_linear))
        lamp.data.color = (1, 1, 1)
        lamp.location.z = distance * METERS
        scene.collection.objects.link(lamp)
        mesh = bpy.data.meshes.new("wall")
        mesh.from_pydata([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [], [(0, 1, 2, 3)])
        wall = bpy.data.materials.new("wall")
        if wall.node_tree is None:
            wall.use_nodes = True
        wall.node_tree.nodes.clear()
        shader, end = (wall.node_tree.nodes.new(kind) for kind in ("ShaderNodeBsdfDiffuse", "ShaderNodeOutputMaterial"))
        shader.inputs["Color"].default_value = (1, 1, 1, 1)
        wall.node_tree.links.new(shader.outputs[0], end.inputs["Surface"])
        mesh.materials.append(wall)
        scene.collection.objects.link(bpy.data.objects.new("wall", mesh))
        camera = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
        camera.data.type, camera.data.ortho_scale, camera.location.z = "ORTHO", 0.05, 1
        scene.collection.objects.link(camera)
        scene.camera = camera
        return self.picture(scene)

    def picture(self, scene: bpy.types.Scene) -> float:
        scene.render.engine = "CYCLES"
        scene.cycles.samples, scene.cycles.max_bounces, scene.cycles.use_denoising = 16, 0, False
        scene.render.threads_mode, scene.render.threads = "FIXED", 1
        scene.render.resolution_x = scene.render.resolution_y = 8
        scene.render.image_settings.file_format = "OPEN_EXR"
        with tempfile.TemporaryDirectory() as folder:
            scene.render.filepath = os.path.join(folder, "wall.exr")
            bpy.ops.render.render(write_still=True)
            image = bpy.data.images.load(scene.render.filepath)
            values = image.pixels[:]
        return sum(values[0::4]) / (len(values) / 4)

    def check(self, name: str, record: abi.Light, game, is_linear: bool, levels=(0.6, 0.7, 0.8)) -> None:
        for level in levels:
            near, far = 1.0, 1e5
            while far / near > 1.0001:      # finds the distance at which the game's light has this level
                middle = math.sqrt(near * far)
                near, far = (middle, far) if game(record, middle) > level else (near, middle)
            ratio = self.rendered(record, near, is_linear) / level ** GAMMA
            told = f"{name}: {ratio:.2f} times the game's light where that is {level}"
            print(told)
            self.assertTrue(1 / 1.5 <= ratio <= 1.5, told)

    def test_of_every_family(self) -> None:
        if not hasattr(bpy.types, "CyclesRenderSettings") and not hasattr(bpy.context.scene, "cycles"):
            self.skipTest("this Blender has no Cycles")
        for name, game in GAMES.items():
            with self.subTest(name):
                scene = load(ATRIA / name)
                record = next(r for r in scene.items("lights") if r.kind == abi.LIGHT_POINT)
                self.check(name, record, game, scene.data.linear_lights)

    def test_of_linear_light(self) -> None:
        """If the game's lamps have linear light, darker walls are compared too: down to a display value of 0.35 of
        white, which is about a tenth of white in linear light."""
        record = abi.Light()
        record.kind, record.illuminance_at_100_units, record.intensity = abi.LIGHT_POINT, 2.0, 510.0
        self.check("source", record, source, True, (0.35, 0.5, 0.95))
        record = next(r for r in load(ATRIA / "goldsrc/maps/atrium_wad.bsp").items("lights"))
        self.check("goldsrc", record, hlrad, True, (0.5, 0.95))


class Suns(unittest.TestCase):
    @unittest.skipUnless(FURTHER.is_dir(), "BSPSCENE_SHARED_DATA names no directory")
    def test_of_a_map_of_hlrad(self) -> None:
        """This map has one lamp, and a sun that lights the walls at the map's edge from below. The factors by which
        their strengths are adapted to the luxels are near 1."""
        day = daylight.measure(load(FURTHER / "maps/goldsrc/nzp_Alleyways.bsp"))
        for factor in (day.suns, day.lamps):
            self.assertTrue(1 / 1.5 <= factor <= 1.5, day)


WIDTH, HEIGHT = 40, 30


def brightness(root: bpy.types.Collection) -> float:
    """Returns the mean linear luminance of the first camera's view, clamped at white as in the game."""
    scene = bpy.context.scene
    scene.camera = next(made for made in root.all_objects if made.type == "CAMERA")
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 16, False
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "OPEN_EXR"
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = os.path.join(folder, "room.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        pixels = numpy.array(image.pixels[:]).reshape(-1, 4)[:, :3]
        bpy.data.images.remove(image)
    return float((pixels.clip(0, 1) @ (0.2126, 0.7152, 0.0722)).mean())


class Rooms(unittest.TestCase):
    """A room under an open sky, relit with the sky and lamps of its map, is about as bright as in the game."""

    def setUp(self) -> None:
        reset()
        if not hasattr(bpy.context.scene, "cycles"):
            self.skipTest("this Blender has no Cycles")

    def test_of_every_family(self) -> None:
        for name in GAMES:
            with self.subTest(name):
                reset()
                root = addon.import_map(str(ATRIA / name), sky_world=True)
                wanted = brightness(root)
                addon.switch_materials(root, "RELIGHT")
                ratio = brightness(root) / wanted
                print(f"{name}: {ratio:.2f} times the game's light")
                self.assertTrue(1 / 1.5 <= ratio <= 1.5, f"{name}: {ratio:.2f} times the game's light")

    def test_is_done_once(self) -> None:
        """If the user changes the strength of the sky, the change is still there after switching to another mode and
        back."""
        root = addon.import_map(str(ATRIA / "quake3/maps/atrium.bsp"), sky_world=True, shading="RELIGHT")
        light = bpy.context.scene.world.node_tree.nodes[daylight.SKY_LIGHT].inputs["Strength"]
        self.assertGreater(light.default_value, 0)
        light.default_value = 0.25
        lamps = {made.name: made.data.energy for made in root.all_objects if made.type == "LIGHT"}
        addon.switch_materials(root, "GAME")
        addon.switch_materials(root, "RELIGHT")
        self.assertEqual(light.default_value, 0.25)
        self.assertEqual(lamps, {made.name: made.data.energy for made in root.all_objects if made.type == "LIGHT"})

    def test_another_world_stays(self) -> None:
        world = bpy.data.worlds.new("mine")
        bpy.context.scene.world = world
        addon.import_map(str(ATRIA / "quake3/maps/atrium.bsp"), shading="RELIGHT")
        self.assertNotIn(daylight.APPLIED, world)


class VertexLight(unittest.TestCase):
    def test_is_the_lightmaps(self) -> None:
        """If the light is in vertices, meshes are subdivided and there are no lightmap pages. The picture is nearly the
        same. It is a little brighter between vertices, because Blender interpolates in linear light."""
        for name in ("quake3/maps/atrium.bsp", "goldsrc/maps/atrium_wad.bsp"):
            with self.subTest(name):
                reset()
                if not hasattr(bpy.context.scene, "cycles"):
                    self.skipTest("this Blender has no Cycles")
                root = addon.import_map(str(ATRIA / name))
                wanted, triangles = brightness(root), self.triangles(root)
                reset()
                root = addon.import_map(str(ATRIA / name), lightmaps="VERTICES")
                self.assertEqual([image.name for image in bpy.data.images if "lightmap" in image.name], [])
                self.assertGreater(self.triangles(root), triangles)
                self.assertAlmostEqual(brightness(root) / wanted, 1, delta=0.1)
                with self.assertRaises(ValueError):
                    addon.bake_lightmap(root)

    @staticmethod
    def triangles(root: bpy.types.Collection) -> int:
        return sum(len(made.data.polygons) for made in root.all_objects if made.type == "MESH")
