"""Tests in Blender of light probes: baked at the map's points and written into a copy of the map."""
import struct
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import bpy
import numpy
from blender_rebake import darken
from blender_support import ATRIUM, FIXTURES, addon, reset
from io_scene_bspscene import relighting
from io_scene_bspscene.build.baked import light_probes
from io_scene_bspscene.build.rebaking.rebake import Settings
from bspscene.picture import luxels
from io_scene_bspscene.ui import light_operators
from io_scene_bspscene.ui.light_operators import RebakeLight

RAVEN = FIXTURES / "atrium/jediacademy/maps/atrium.bsp"
ROOM = FIXTURES / "source/maps/room.bsp"
METERS = 0.0254
POWER = 400.0
LIGHT_GRID, LIGHT_ARRAY, MODELS, OVERBRIGHT = 15, 17, 7, 4
SAMPLE = 8


def lump(content: bytes, number: int) -> bytes:
    at, size = struct.unpack_from("<2I", content, 8 + 8 * number)
    return content[at:at + size]


class Grid:
    """Reads Quake III's light grid, independently of the library."""

    def __init__(self, path: Path, step=(64, 64, 128)) -> None:
        content = path.read_bytes()
        bounds = numpy.frombuffer(lump(content, MODELS), "<f4", 6).reshape(2, 3)
        self.step = numpy.array(step, float)
        self.origin = numpy.ceil(bounds[0] / self.step) * self.step
        self.counts = ((numpy.floor(bounds[1] / self.step) * self.step - self.origin) / self.step + 1).astype(int)
        self.samples = numpy.frombuffer(lump(content, LIGHT_GRID), numpy.uint8).reshape(-1, SAMPLE)
        assert len(self.samples) == self.counts.prod()

    def places(self) -> numpy.ndarray:
        x, y, z = (numpy.arange(count) for count in self.counts)
        z, y, x = numpy.meshgrid(z, y, x, indexing="ij")
        return self.origin + numpy.stack([x, y, z], -1).reshape(-1, 3) * self.step

    def linear(self, part: slice) -> numpy.ndarray:
        return (self.samples[:, part].astype(float) / 255 * OVERBRIGHT) ** 2.2

    def facing(self) -> numpy.ndarray:
        """Returns the light on surfaces that face the source of the light: ambient plus directed light."""
        both = self.samples[:, 0:3].astype(float) + self.samples[:, 3:6]
        return (both / 255 * OVERBRIGHT) ** 2.2

    def directions(self) -> numpy.ndarray:
        zenith, azimuth = (self.samples[:, 6:8].astype(float) * (2 * numpy.pi / 256)).T
        return numpy.stack([numpy.cos(azimuth) * numpy.sin(zenith), numpy.sin(azimuth) * numpy.sin(zenith),
                            numpy.cos(zenith)], -1)


class Probing(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        if not hasattr(bpy.context.scene, "cycles"):
            self.skipTest("this Blender has no Cycles")
        bpy.context.scene.render.threads_mode, bpy.context.scene.render.threads = "FIXED", 2
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.target = Path(self._folder.name) / "relit.bsp"

    def dark(self, path: Path, place) -> bpy.types.Collection:
        """Imports a map and gives it only one lamp. All surfaces are black, so that no wall lights another."""
        root = addon.import_map(str(path), lights=False)
        darken(root)
        for material in bpy.data.materials:
            for node in material.node_tree.nodes:
                if node.type in ("BSDF_PRINCIPLED", "BSDF_DIFFUSE"):
                    color = node.inputs["Base Color" if node.type == "BSDF_PRINCIPLED" else "Color"]
                    for link in list(color.links):
                        material.node_tree.links.remove(link)
                    color.default_value = (0, 0, 0, 1)
                for name in ("Specular", "Specular IOR Level", "Transmission", "Transmission Weight"):
                    if node.type == "BSDF_PRINCIPLED" and name in node.inputs:
                        node.inputs[name].default_value = 0
        bpy.context.scene.world = None
        lamp = bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", "POINT"))
        lamp.data.energy, lamp.data.shadow_soft_size = POWER, 0
        lamp.data.color = (1, 0.5, 0.25)
        lamp.location = numpy.array(place, float) * METERS
        bpy.context.scene.collection.objects.link(lamp)
        return root

    def test_law_of_a_lamp(self) -> None:
        """Points that see the lamp get its light from the right direction, and as bright as the law of its falloff
        says. Points in walls keep their light."""
        place = (0, 0, 150)
        root = self.dark(ATRIUM, place)
        done = addon.rebake_light(root, samples=1, factor=2, map_sky=False).result
        written = addon.write_light(root, str(self.target))
        old, new = Grid(ATRIUM), Grid(self.target)
        self.assertEqual(old.samples.shape, new.samples.shape)
        scene = relighting._load(root, True, True)
        print(f"{len(scene.light_probes())} probes of {len(old.samples)} points; {done.probes.points} baked, "
              f"{written.numbers['points_changed']} changed")
        points = self.points(old, scene)
        ways = numpy.array(place) - scene.light_probes()["origin"]
        distances = numpy.linalg.norm(ways, axis=1) * METERS
        law = POWER / (4 * numpy.pi ** 2 * distances ** 2)
        brightest = new.samples[points, 3:6].max(axis=1)
        seen = (brightest > 30) & (brightest < 255)     # points whose brightness has enough precision as a byte
        self.assertGreater(seen.sum(), 40)
        ratio = new.facing()[points[seen], 0] / law[seen]
        angle = numpy.degrees(numpy.arccos(numpy.clip((new.directions()[points[seen]] * ways[seen]).sum(axis=1) * METERS
                                                      / distances[seen], -1, 1)))
        print(f"{seen.sum()} see the lamp: {numpy.percentile(ratio, (5, 50, 95)).round(3)} times its law; "
              f"{numpy.percentile(angle, (50, 95)).round(2)} degrees off")
        self.assertTrue((numpy.abs(numpy.percentile(ratio, (5, 50, 95)) - 1) < (0.1, 0.02, 0.1)).all())
        self.assertLess(numpy.percentile(angle, 95), 2)
        colors = new.facing()[points[seen]] / new.facing()[points[seen], :1]
        self.assertLess(numpy.abs(numpy.median(colors, axis=0) - (1, 0.5, 0.25)).max(), 0.03)
        solid = ~numpy.isin(numpy.arange(len(old.samples)), points)
        self.assertTrue((old.samples[solid] == new.samples[solid]).all())
        self.assertGreater(solid.sum(), 0)

    @staticmethod
    def points(grid: Grid, scene) -> numpy.ndarray:
        """Returns the index of each probe's point in the light grid, in the order of the scene's probes."""
        x, y, z = numpy.rint((scene.light_probes()["origin"] - grid.origin) / grid.step).astype(int).T
        return (z * grid.counts[1] + y) * grid.counts[0] + x

    def test_a_long_bake_is_asked_for(self) -> None:
        """The cost of a bake with many probes is known before the bake. If it is long, the probes are left out unless
        the user requests them."""
        root = addon.import_map(str(ATRIUM))
        work = relighting.work_of(root)
        self.assertEqual(work.points, len(relighting._load(root, True, True).light_probes()))
        run = relighting.RebakeRun(root, Settings(1, 1, False, True), True, relighting.bake_at_once)
        shares = list(run.steps())
        # The estimate is a little higher than the number of baked luxels, because it includes invisible surfaces.
        self.assertLess(abs(work.luxels / run.done.result.luxels - 1), 0.1)
        self.assertEqual(shares, sorted(shares))
        self.assertLess(shares[-1], 1)
        self.assertFalse(work.is_long)
        for few, long in ((work.points, False), (work.points - 1, True)):
            dialog = mock.Mock(probes=True)
            with mock.patch.multiple(relighting, LONG_POINTS=few, LONG_TIMES=0), \
                    mock.patch.object(light_operators, "maps_of", return_value=[root]):
                RebakeLight.invoke(dialog, mock.Mock(), None)
                self.assertEqual(dialog.probes, not long)
                self.assertEqual([f"{work.points:,} points" in line for line in RebakeLight.warnings(dialog)],
                                 [True] * long)
            dialog = mock.Mock(probes=False)
            with mock.patch.object(light_operators, "maps_of", return_value=[root]):
                RebakeLight.invoke(dialog, mock.Mock(), None)
            self.assertFalse(dialog.probes)

    def test_nothing_but_probes(self) -> None:
        """A bake without probes does not change the probes in the map, and discards those of an earlier bake."""
        root = addon.import_map(str(ATRIUM))
        addon.rebake_light(root, samples=1, factor=1)
        addon.rebake_light(root, samples=1, factor=1, probes=False)
        addon.write_light(root, str(self.target))
        self.assertTrue((Grid(ATRIUM).samples == Grid(self.target).samples).all())

    def test_shared_records(self) -> None:
        """In maps of Raven's games, several probes share a record in the file. After a room was painted red, each probe
        gets its own light."""
        root = self.dark(RAVEN, (0, 0, 150))
        addon.rebake_light(root, samples=1, factor=2, map_sky=False)
        addon.write_light(root, str(self.target))
        scene = relighting._load(addon.import_map(str(self.target)), True, True)
        light = luxels(light_probes.page_of(scene)).reshape(-1, 3)[:6 * len(scene.light_probes())].astype(float)
        lit = light[light[:, 0] > 0.05]
        print(len(numpy.unique(light.round(3), axis=0)), "sides of", len(light), "differ;", len(lit), "are lit")
        self.assertGreater(len(lit), 100)
        self.assertLess(abs(numpy.median(lit[:, 1] / lit[:, 0]) - 0.5), 0.1)

    def sides(self, root: bpy.types.Collection) -> numpy.ndarray:
        """Bakes and returns the light of the six sides of all probes."""
        scene = relighting._load(root, True, True)
        done = addon.rebake_light(root, samples=4, factor=2, map_sky=False).result
        return light_probes.written(scene, done.probes.page).reshape(-1, 3)[:6 * len(scene.light_probes())]

    def test_cubes_leave_lamps_to_the_game(self) -> None:
        """Source's engine adds the light of lamps to ambient cubes itself. So cubes contain only the light of emissive
        surfaces and reflected light."""
        place = relighting._load(addon.import_map(str(ROOM)), True, True).light_probes()["origin"][0].copy()
        reset()
        root = self.dark(ROOM, place + (5, 0, 1))     # the lamp and the probe are both below the water
        self.assertLess(self.sides(root).max(), 0.01)       # black walls reflect nothing
        bpy.ops.mesh.primitive_plane_add(size=0.1, location=(place + (0, 0, 2)) * METERS)
        glow = bpy.data.materials.new("glow")
        glow.use_nodes = True
        glow.node_tree.nodes.clear()
        shader, end = (glow.node_tree.nodes.new(kind) for kind in ("ShaderNodeEmission", "ShaderNodeOutputMaterial"))
        shader.inputs["Strength"].default_value = 50
        glow.node_tree.links.new(shader.outputs[0], end.inputs["Surface"])
        bpy.context.object.data.materials.append(glow)
        lit = self.sides(root).reshape(-1, 6, 3).max(axis=2)
        print("glow from above:", lit.round(3).tolist())
        self.assertGreater(lit[0, 4], 0.5)
        self.assertLess(lit[0, 5], 0.1 * lit[0, 4])
        addon.write_light(root, str(self.target))
        self.assertEqual(len(self.target.read_bytes()), len(ROOM.read_bytes()))


if __name__ == "__main__":
    unittest.main()
