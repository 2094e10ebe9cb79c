"""Tests in Blender of node groups that compute the same as the engine. They are compared through pictures of Cycles."""
import math
import os
import tempfile
import unittest
from types import SimpleNamespace

import bpy
import numpy
from blender_support import addon, reset  # noqa: F401  (the package must be there before its modules)
from io_scene_bspscene.build.data.blocks import Made
from io_scene_bspscene.build.materials import coordinates, detail, formulas, shading, stage
from io_scene_bspscene.build.materials.shading import Tree, node_tree
from bspscene import abi
from eye import pixels, set_up_picture, turned
from mathutils import Matrix, Vector

TILT = Matrix.Rotation(math.radians(25), 4, "X") @ Matrix.Rotation(math.radians(-35), 4, "Y")
VIEWER = Vector((0, 0, 1))


def mirrored(direction: Vector) -> Vector:
    """Mirrors a direction about the plane's normal."""
    normal = (TILT @ Vector((0, 0, 1))).normalized()
    return 2 * normal.dot(direction) * normal - direction


class Formulas(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.material = bpy.data.materials.new("formula")
        self.tree = Tree(node_tree(self.material), Made())

    def group(self, tree: bpy.types.NodeTree, **inputs) -> bpy.types.Node:
        node = self.tree.add("ShaderNodeGroup", node_tree=tree)
        for name, value in inputs.items():
            node.inputs[name].default_value = value
        return node

    def seen(self, color: bpy.types.NodeSocket) -> numpy.ndarray:
        """Returns the color that a viewer straight above sees on a tilted plane."""
        emission = self.tree.add("ShaderNodeEmission")
        self.tree.link(color, emission.inputs["Color"])
        self.tree.link(emission.outputs[0], self.tree.add("ShaderNodeOutputMaterial").inputs["Surface"])
        mesh = bpy.data.meshes.new("plane")
        mesh.from_pydata([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [], [(0, 1, 2, 3)])
        mesh.materials.append(self.material)
        plane = bpy.data.objects.new("plane", mesh)
        plane.matrix_world = TILT
        scene = bpy.context.scene
        scene.collection.objects.link(plane)
        set_up_picture("CYCLES", (0, 0, 500), turned(90, 0), samples=1)
        scene.view_settings.view_transform = "Raw"
        scene.camera.data.angle = math.radians(0.1)
        scene.render.resolution_x = scene.render.resolution_y = 4
        scene.render.filepath = os.path.join(self._folder.name, "seen.png")
        bpy.ops.render.render(write_still=True)
        return pixels(scene.render.filepath).mean((0, 1)) / 255

    def test_reflections_are_the_engines(self) -> None:
        reflected = mirrored(VIEWER)
        got = self.seen(self.group(formulas.environment_group(self.tree.made)).outputs["UV"])
        wanted = (0.5 + reflected.y / 2, 0.5 - reflected.z / 2, 0)
        self.assertLess(numpy.abs(got - wanted).max(), 0.01, f"{got} instead of {wanted}")

    def test_highlights_are_the_engines(self) -> None:
        place = Vector(formulas.LIGHT) - 1000 * mirrored(VIEWER) - Vector((500, 0, 0))
        to_light = (Vector(formulas.LIGHT) - place).normalized()
        wanted = max(mirrored(to_light).dot(VIEWER), 0) ** 4
        self.assertTrue(0.2 < wanted < 0.9, wanted)
        group = formulas.specular_group(self.tree.made)
        got = self.seen(self.group(group, Position=place).outputs["Alpha"])
        self.assertLess(numpy.abs(got - wanted).max(), 0.01, f"{got} instead of {wanted}")

    def test_waves_are_the_engines(self) -> None:
        """Waves at two times agree with the engine's formula."""
        for time in (0.0, 1.25):
            for number, func in enumerate(formulas.WAVES):
                self.setUp()
                settings = {"Frequency": 0.4, "Phase": 0.15, formulas.WAVE_NAMES[func]: 0.3, "Base": 0.45}
                node = self.group(formulas.wave_group(self.tree.made), Time=time, **settings)
                got = self.seen(node.outputs["Value" if number % 2 else "Cut"])[0]
                moved = SimpleNamespace(func=func, base=0.45, amplitude=0.3, phase=0.15 + 0.4 * time, frequency=0)
                self.assertAlmostEqual(got, formulas.still_wave(moved), delta=0.01, msg=f"{func} at {time}")

    def test_still_waves_of_negative_phases(self) -> None:
        """The phase -0.25 is three quarters of a period: 0.5 + 2 * wave(0.75)."""
        for func, wanted in ((abi.WAVE_SIN, -1.5), (abi.WAVE_SQUARE, -1.5), (abi.WAVE_TRIANGLE, -1.5),
                             (abi.WAVE_SAWTOOTH, 2.0), (abi.WAVE_INVERSE_SAWTOOTH, 1.0)):
            for phase in (-0.25, -2.25, 0.75):
                wave = SimpleNamespace(func=func, base=0.5, amplitude=2.0, phase=phase)
                self.assertAlmostEqual(formulas.still_wave(wave), wanted, places=6, msg=f"{func} at {phase}")

    def test_patterns_of_a_detail_texture(self) -> None:
        """The base alpha 0.25 goes from the red 0.2 to the alpha 0.6, so the pattern is 0.3. The factor 0.5 is halfway
        from 1 to twice the pattern: the color is multiplied by 0.8."""
        record = abi.DetailTexture(mode=abi.DETAIL_TEXTURE_PATTERNS, factor=0.5, keeps_alpha=True, color=(1, 1, 1))
        texture = {"Color": self.tree.combine(0.2, 0.9, 0.5), "Alpha": 0.6}
        color, alpha = detail.applied(self.tree, record, texture, self.tree.combine(0.5, 1.0, 0.25), 0.25)
        self.assertEqual(alpha, 0.25)
        got = self.seen(color)
        self.assertLess(numpy.abs(got - (0.4, 0.8, 0.2)).max(), 0.01, got)

    def test_coordinates_are_those_of_single_modifiers(self) -> None:
        """The group that all modifiers share gives the same coordinates as separate nodes for each modifier. Separate
        nodes are used for an order of modifiers that the group cannot express."""
        wave = SimpleNamespace(func=abi.WAVE_TRIANGLE, base=0.8, amplitude=0.3, phase=0.1, frequency=0.4)
        scale, scroll, rotate, stretch, turbulence, transform = (
            SimpleNamespace(kind=kind, values=values, wave=wave) for kind, values in (
                (abi.TC_MOD_SCALE, (0.5, 2.0)), (abi.TC_MOD_SCROLL, (0.1, -0.3)), (abi.TC_MOD_ROTATE, (30.0,)),
                (abi.TC_MOD_STRETCH, ()), (abi.TC_MOD_TURBULENCE, ()),
                (abi.TC_MOD_TRANSFORM, (0.5, 0.2, -0.3, 0.9, 0.1, 0.2))))
        for mods in ([scroll, scale], [scale, scroll], [transform, scroll], [rotate, stretch], [scroll, stretch],
                     [scale, rotate, turbulence], [turbulence, scroll], [rotate, scale, scroll]):
            one, other = (self.modified(mods, 1.3, shared) for shared in (False, True))
            self.assertLess(numpy.abs(one - other).max(), 0.01, [mod.kind for mod in mods])
        for mods in ([turbulence, rotate], [rotate, scroll, rotate], [rotate, scale, turbulence]):
            self.assertIsNone(coordinates.inputs_of(mods, True))

    def modified(self, mods: list, time: float, shared: bool) -> numpy.ndarray:
        self.setUp()
        shading.time_group(self.tree.made).nodes["Seconds"].outputs[0].default_value = time
        surface = stage.Surface(None, [], None, None, False, 0.0254, "Linear", True)
        drawn = SimpleNamespace(tc_gen=abi.TC_GEN_TEXTURE, tc_mods=mods, tc_mod_count=len(mods),
                                input=abi.PASS_INPUT_IMAGE)
        material_passes = stage.Stages(self.tree, surface, False)
        if not shared:
            material_passes._shared_coordinates = lambda _stage: None
        uv = material_passes._uv(drawn)
        self.assertEqual(uv.node.type == "GROUP", shared)
        return self.seen(self.tree.vector("MULTIPLY_ADD", uv, (0.2, 0.2, 0), (0.5, 0.5, 0)))

    def test_what_is_too_large_is_cut(self) -> None:
        for base, wanted in ((-0.5, 0.25), (1.5, 0.75)):   # values are clamped to the range of a picture
            self.setUp()
            node = self.group(formulas.wave_group(self.tree.made), Sine=0.1, Base=base, Time=0, Phase=0)
            got = self.seen(self.tree.math("MULTIPLY_ADD", node.outputs["Cut"], 0.5, 0.25))[0]
            self.assertAlmostEqual(got, wanted, delta=0.01)

    def test_groups_are_made_once(self) -> None:
        made = self.tree.made
        for group in (formulas.environment_group, formulas.specular_group, formulas.wave_group,
                      coordinates.coordinates_group):
            self.assertEqual(group(made), group(made))
