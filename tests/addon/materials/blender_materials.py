"""Tests in Blender of Source's materials: nodes and pictures of the room in tests/families/source_materials.py."""
import math
import os
import sys
import tempfile
import unittest
from pathlib import Path

import bpy
from blender_support import ROOT, addon, reset
from eye import pixels, set_up_picture, turned
from mathutils import Vector

sys.path.insert(0, str(ROOT / "tests/families"))
import source_materials as room  # noqa: E402


def materials_of(name: str) -> list:
    return [m for m in bpy.data.materials if m.get("game_name", "").lower() == name]


def feeding(socket: bpy.types.NodeSocket) -> bpy.types.Node:
    return socket.links[0].from_node


def texture(material: bpy.types.Material, label: str) -> bpy.types.Node:
    return next(n for n in material.node_tree.nodes if n.label == label)


def picture(folder: str, origin, pitch: float, yaw: float, samples: int = 4):
    """Draws the view from this position and direction. Returns the mean color in its middle, from 0 to 255."""
    set_up_picture("CYCLES", origin, turned(pitch, yaw), samples)
    scene = bpy.context.scene
    scene.render.resolution_x = scene.render.resolution_y = 16
    scene.camera.data.angle = math.radians(10)
    scene.render.filepath = os.path.join(folder, "picture.png")
    bpy.ops.render.render(write_still=True)
    return pixels(scene.render.filepath)[6:10, 6:10].mean((0, 1))


class SourceMaterials(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name

    def put(self, shading: str, animate: bool = True, **changes) -> None:
        addon.import_map(str(room.write_room(Path(self.folder), **changes)), shading=shading, lightmaps="NONE",
                            animate=animate)

    def test_normals_are_turned_over_as_numbers(self) -> None:
        self.put("RELIGHT")
        wall = materials_of("test/wall")[0]
        surface = next(n for n in wall.node_tree.nodes if n.type == "BSDF_PRINCIPLED")
        normals = feeding(surface.inputs["Normal"])
        self.assertEqual((normals.type, normals.uv_map), ("NORMAL_MAP", "UVMap"))
        turn = feeding(normals.inputs["Color"])
        self.assertEqual([tuple(turn.inputs[i].default_value) for i in (1, 2)], [(1, -1, 1), (0, 1, 0)])
        image = feeding(turn.inputs[0]).image
        self.assertEqual(image.colorspace_settings.name, "Non-Color")
        self.assertEqual(image["game_name"], "materials/test/normals")
        self.assertEqual(feeding(surface.inputs["Base Color"]).image.colorspace_settings.name, "sRGB")
        self.assertTrue((surface.inputs.get("Emission Color") or surface.inputs["Emission"]).is_linked)

    def test_normals_are_left_out_where_nothing_is_lit(self) -> None:
        self.put("GAME")
        self.assertNotIn("materials/test/normals", {image.get("game_name") for image in bpy.data.images})

    def test_textures_turn(self) -> None:
        """Rotations are reversed, because the game's v grows downward. The game has u' = -2 v + 0.25, so in Blender the
        point (0, V) goes to (2 V - 1.75, 1)."""
        self.put("GAME")
        mapping = feeding(texture(materials_of("test/wall")[0], "Texture").inputs["Vector"])
        location, turn, scale = (Vector(mapping.inputs[name].default_value)
                                 for name in ("Location", "Rotation", "Scale"))
        for v in (0, 0.5, 1):
            x, y = 0, v * scale.y
            sine, cosine = math.sin(turn.z), math.cos(turn.z)
            moved = cosine * x - sine * y + location.x, sine * x + cosine * y + location.y
            self.assertAlmostEqual(moved[0], 2 * v - 1.75, 5)
            self.assertAlmostEqual(moved[1], 1, 5)

    def test_holes_and_glass(self) -> None:
        self.put("GAME")
        for name in ("test/decal", "test/water"):
            self.assertTrue(materials_of(name), name)
            for material in materials_of(name):
                self.assertIn("BSDF_TRANSPARENT", {n.type for n in material.node_tree.nodes}, name)

    def test_masks_and_detail_are_the_engines(self) -> None:
        """If the border (the mask's green) is below all weights, only the second texture is visible. If it is above all
        weights, only the first one is."""
        for mask, color in (((0, 0, 0, 255), room.SAND), ((0, 255, 0, 255), (0, 128, 0, 255))):
            reset()
            self.put("GAME", mask=mask)
            got = picture(self.folder, (192, 64, 200), 90, 0)
            for ours, wanted in zip(got, room.detailed(color)):
                self.assertLess(abs(ours - wanted), 4, f"mask {mask[1]}: {got} instead of {room.detailed(color)}")

    def test_frames_play(self) -> None:
        """A screen in a wall shows the frame of the current time. Without animation it shows the first frame."""
        for animate, shown in ((True, (0, 1, 2, 0)), (False, (0, 0, 0, 0))):
            reset()
            self.put("GAME", wall=room.PLAYED, animate=animate)
            scene = bpy.context.scene
            for half_seconds, frame in enumerate(shown):
                scene.frame_set(round((half_seconds + 0.5) / 2 * scene.render.fps))
                got = picture(self.folder, (20, 64, 110), 0, 180)
                for ours, wanted in zip(got, room.SCREEN[frame]):
                    self.assertLess(abs(ours - wanted), 4, f"{half_seconds} half seconds, {animate}: {got}")

    def test_slopes_look_the_right_way(self) -> None:
        """Where the normal map has much green, Source's normals point down in the picture. On this wall, that is down
        in the room, so light from above does not reach it."""
        brightness = {}
        for green in (220, 128, 36):
            reset()
            self.put("RELIGHT", wall="LightmappedGeneric { $basetexture test/sand $bumpmap test/normals }",
                     normals=(128, green, 210, 255))
            for light in [o for o in bpy.data.objects if o.type == "LIGHT"]:
                bpy.data.objects.remove(light)
            sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
            sun.data.energy = 0.5
            sun.rotation_euler = Vector((-1, 0, -1)).to_track_quat("-Z", "Y").to_euler()
            bpy.context.scene.collection.objects.link(sun)
            brightness[green] = picture(self.folder, (20, 64, 110), 0, 180, 8).mean()
        self.assertGreater(brightness[128], brightness[220] + 20, brightness)
        self.assertGreater(brightness[36], brightness[128] + 5, brightness)
