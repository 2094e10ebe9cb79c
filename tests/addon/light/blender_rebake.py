"""Tests in Blender of rebaked light: baked by Cycles, compared, and written into a copy of the map."""
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy
from blender_support import ATRIUM, FIXTURES, QUAKE3, addon, counts, reset
from io_scene_bspscene import relighting
from io_scene_bspscene.build.baked import vertex_light
from io_scene_bspscene.build.data.blocks import KEY
from io_scene_bspscene.build.data.mesh import COLOR, read
from io_scene_bspscene.build.rebaking import compare, rebake
from io_scene_bspscene.build.rebaking.luxels import Rectangle
from io_scene_bspscene.build.rebaking.planes import joins
from bspscene import abi
from bspscene.library import MapError
from bspscene.picture import luxels

GOLDSRC = FIXTURES / "atrium/goldsrc/maps/atrium_wad.bsp"
STYLES = QUAKE3 / "maps/atrium_styles.bsp"
FEW = {"samples": 2, "factor": 2, "probes": False}   # probes are tested in blender_probes.py
LIGHT_LUMPS = {ATRIUM: (17, 14, 8), GOLDSRC: (15, 8, 4)}   # number of lumps, lump of the light, offset of the directory
VERTICES, VERTEX, VERTEX_LIGHT = 10, 44, slice(40, 43)      # number of the lump, size of a vertex, bytes of its light


def lumps(path: Path, kind: Path) -> list[bytes]:
    """Returns the lumps of a map, without the light lump and without the light of vertices."""
    count, light, start = LIGHT_LUMPS[kind]
    content = bytearray(path.read_bytes())
    directory = numpy.frombuffer(bytes(content), "<u4", 2 * count, start).reshape(-1, 2).tolist()
    if kind == ATRIUM:
        at, size = directory[VERTICES]
        numpy.frombuffer(content, numpy.uint8, size, at).reshape(-1, VERTEX)[:, VERTEX_LIGHT] = 0
    return [bytes(content[at:at + size]) for number, (at, size) in enumerate(directory) if number != light]


def pages_of(path: Path) -> tuple:
    """Returns the scene of a map, loaded with HDR pages, and the luxels of the first page."""
    root = addon.import_map(str(path))
    scene = relighting._load(root, True)
    return scene, luxels(scene.items("lightmap_sets")[0].pages[0]).astype(numpy.float32)


def rectangles(scene) -> list[Rectangle]:
    faces = scene.faces()
    return [Rectangle(*(int(face["lightmap_" + name]) for name in ("x", "y", "width", "height"))) for face in faces
            if face["lightmap_page"] == 0]


def darken(root: bpy.types.Collection) -> None:
    """Switches the map to the mode for relighting by lamps, and turns off glowing surfaces."""
    addon.switch_materials(root, "RELIGHT")
    for material in bpy.data.materials:
        for node in material.node_tree.nodes:
            if node.type == "BSDF_PRINCIPLED":
                node.inputs["Emission Strength"].default_value = 0
            elif node.type == "EMISSION":
                node.inputs["Strength"].default_value = 0


class Rebaking(unittest.TestCase):
    """These tests bake with few rays, which is cheap but noisy, so they compare only mean values."""

    def setUp(self) -> None:
        reset()
        if not hasattr(bpy.context.scene, "cycles"):
            self.skipTest("this Blender has no Cycles")
        scene = bpy.context.scene
        scene.render.threads_mode, scene.render.threads = "FIXED", 2
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.target = Path(self._folder.name) / "relit.bsp"

    def test_there_and_back(self) -> None:
        """After light was baked and written, no rectangle is black or has a seam around it, and nothing but light
        changes in the file."""
        for path in (ATRIUM, GOLDSRC):
            with self.subTest(path.name):
                reset()
                root = addon.import_map(str(path))
                done = addon.rebake_light(root, **FEW).result
                print(path.name, relighting.Rebaked(done, 0).lines())
                self.assertGreater(done.covered, 0.6 * done.luxels)
                self.assertLessEqual(done.kept, 0.01 * done.luxels)
                self.assertTrue(1 / 1.5 <= done.after / done.before <= 1.5, f"{done.after / done.before:.2f}")
                written = addon.write_light(root, str(self.target))
                self.assertGreater(written.numbers["changed"], 0.9 * done.luxels)
                self.assertEqual(lumps(self.target, path), lumps(path, path))
                self.look(path)
                self.assertLess(self.step_at_cuts(root, done.pages[0, 0]), 0.5)

    def step_at_cuts(self, root: bpy.types.Collection, page: numpy.ndarray) -> float:
        """Returns how much neighboring luxels differ where coplanar faces touch and share luxels, relative to the
        differences inside faces."""
        scene = relighting._load(root, True)
        names = [f"lightmap_{name}" for name in ("x", "y", "width", "height")]
        boxes = {int(face["record"]): Rectangle(*(int(face[name]) for name in names))
                 for face in scene.faces()}
        triangles = rebake.gather(scene, root)
        faces = triangles.faces
        spots = (triangles.uvs * (1, -1) + (0, 1)) * page.shape[1::-1]
        bright = numpy.minimum(page, 1).mean(axis=2)
        steps, insides = [], []
        for face, other, dx, dy in joins(triangles.places, triangles.normals, spots, faces):
            both = boxes[face].shared(boxes[other].moved(-dx, -dy))
            steps.append(numpy.abs(both.of(bright) - both.moved(dx, dy).of(bright)).ravel())
            insides.append(numpy.abs(numpy.diff(boxes[face].of(bright))).ravel())
        step, inside = numpy.concatenate(steps).mean(), numpy.concatenate(insides).mean()
        print(f"{len(steps)} cuts: {step:.4f}, inside {inside:.4f}")
        return float(step / inside)

    def look(self, path: Path) -> None:
        old_scene, old = pages_of(path)
        scene, new = pages_of(self.target)
        self.assertEqual(old.shape, new.shape)
        there = numpy.zeros(new.shape[:2], bool)
        edges, insides = [], []
        for rectangle in rectangles(scene):
            rectangle.of(there)[:] = True
            part = numpy.minimum(rectangle.of(new).mean(axis=2), 1)
            if min(part.shape) >= 6:
                edges += [part[0, 1:-1], part[-1, 1:-1], part[1:-1, 0], part[1:-1, -1]]
                insides += [part[1, 1:-1], part[-2, 1:-1], part[1:-1, 1], part[1:-1, -2]]
        black = there & (new.max(axis=2) <= 0)
        self.assertLess(black.sum(), 0.02 * there.sum())     # with so few rays, some corners get no light
        ratio = numpy.concatenate(edges).mean() / numpy.concatenate(insides).mean()
        self.assertTrue(0.9 < ratio < 1.1, f"edges are {ratio:.3f} times as bright as what is beside them")

    def test_leaves_the_scene_as_it_was(self) -> None:
        root = addon.import_map(str(ATRIUM))
        scene = bpy.context.scene
        picked = next(made for made in root.all_objects if made.type == "MESH")
        picked.select_set(True)
        bpy.context.view_layer.objects.active = picked

        def facts() -> tuple:
            return (scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising, scene.world,
                    [made.hide_render for made in scene.objects if made.type != "LIGHT"],
                    list(bpy.context.selected_objects),
                    bpy.context.view_layer.objects.active, len(bpy.data.objects), len(bpy.data.meshes))

        before = facts()
        addon.rebake_light(root, samples=1, factor=1)
        self.assertEqual(facts(), before)
        self.assertTrue(all(material.get(KEY, "/GAME/").find("/GAME/") > 0 for made in root.all_objects
                            if made.type == "MESH" for material in made.data.materials))

    def test_compare(self) -> None:
        root = addon.import_map(str(ATRIUM))
        addon.rebake_light(root, samples=1, factor=1)
        self.assertTrue(compare.shows_new_light(root))
        shown = [image for _, image in compare._lookups(root) if "/after/" in image[KEY]]
        self.assertTrue(shown)
        self.assertGreater(addon.show_light(root, False), 0)
        self.assertFalse(compare.shows_new_light(root))
        self.assertGreater(addon.show_light(root, True), 0)
        self.assertEqual([image for _, image in compare._lookups(root) if "/after/" in image[KEY]], shown)
        addon.bake_lightmap(root, lightmap_page_size=128)
        self.assertFalse(compare.has_new_light(root))

    def test_a_style_has_its_own_lamps(self) -> None:
        """The light of a style is baked only from the lamps with that style, and only onto faces that have the
        style."""
        root = addon.import_map(str(STYLES))
        scene = relighting._load(root, True)
        styles = {number: record.style for number, record in enumerate(scene.items("lightmap_sets"))
                  if record.kind == abi.LIGHTMAP_SET_LIGHT}
        wanted = next(style for style in styles.values() if style)
        for made in root.all_objects:   # disables all lamps except those of one style
            if made.type == "LIGHT" and made.data.get("style") != wanted:
                made.data.energy = 0
        darken(root)
        bpy.context.scene.world = None
        done = addon.rebake_light(root, samples=1, factor=1, map_sky=False).result
        # A luxel without a sample keeps its light, so the 90th percentile is compared, not the mean.
        bright = {style: max(float(numpy.percentile(light, 90)) for (number, _), light in done.pages.items()
                             if number == at) for at, style in styles.items()}
        self.assertGreater(bright[wanted], 0)
        self.assertLess(bright[0], 0.01 * bright[wanted])

    def lit_model(self) -> tuple[bpy.types.Collection, numpy.ndarray]:
        """Imports the atrium with only one lamp, in front of a side of its vertex-lit crystal. Also returns the
        expected light of that side's vertices, by the lamp's law."""
        root = addon.import_map(str(ATRIUM), lights=False)
        darken(root)
        bpy.context.scene.world = None
        meters, power = 0.0254, 400.0
        side = numpy.array([(-452, 219, 40), (-429, 260, 40), (-464, 240, 96)]) * meters
        normal = numpy.array((0.8207, -0.4556, 0.3449))
        place = side.mean(axis=0) + 100 * meters * normal
        lamp = bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", "POINT"))
        lamp.data.energy, lamp.data.shadow_soft_size, lamp.location = power, 0, place
        bpy.context.scene.collection.objects.link(lamp)
        ways = place - side
        distances = numpy.linalg.norm(ways, axis=1)
        return root, power * (ways @ normal / distances) / (4 * numpy.pi ** 2 * distances ** 2)

    def test_light_of_vertices(self) -> None:
        """A vertex-lit model gets the light of its position, in Blender and in the map."""
        root, wanted = self.lit_model()
        lit = vertex_light.page_of(relighting._load(root, True))
        before = luxels(lit).reshape(-1, 3).astype(numpy.float32)
        done = addon.rebake_light(root, samples=1, factor=2, map_sky=False, probes=False).result
        self.assertEqual(done.vertices.luxels, 24 + 6 * 4)      # 24 vertices of the crystal, six faces of a glass box
        written = addon.write_light(root, str(self.target))
        self.assertEqual(written.numbers["points_changed"], 48)
        dimmed = addon.write_light(root, None, factor=0.5)
        self.assertEqual(dimmed.numbers["points_changed"], 48)      # the factor changes the same vertices
        scene = relighting._load(addon.import_map(str(self.target)), True)
        after = luxels(vertex_light.page_of(scene)).reshape(-1, 3).astype(numpy.float32)
        crystal = numpy.nonzero((after != before).any(axis=1))[0][:24]
        new = after[crystal].mean(axis=1)
        self.assertEqual((after != before).any(axis=1).sum(), 48)
        print("crystal:", new.round(2).tolist(), "wanted", wanted.round(2).tolist())
        for level in wanted:
            self.assertLess(numpy.abs(new / level - 1).min(), 0.15)
        self.assertGreater((new < 0.2 * wanted.min()).sum(), 8)     # vertices on sides that face away are dark

    def test_vertices_are_compared(self) -> None:
        """The user can switch from the new light to the old and back. A later bake without vertex light removes the new
        vertex light."""
        root = addon.import_map(str(ATRIUM))
        mesh = next(made.data for made in root.all_objects if made.type == "MESH" and made.data.color_attributes)

        def colors() -> numpy.ndarray:
            return read(mesh.color_attributes[COLOR].data, "color", 4)

        old, names = colors(), [layer.name for layer in mesh.color_attributes]
        addon.rebake_light(root, samples=1, factor=1)
        new = colors()
        self.assertEqual((new != old).any(axis=1).sum(), 48)
        self.assertTrue((new[:, 3] == old[:, 3]).all())
        addon.show_light(root, False)
        self.assertTrue((colors() == old).all())
        addon.show_light(root, True)
        self.assertTrue((colors() == new).all())
        addon.rebake_light(root, samples=1, factor=1)
        addon.show_light(root, False)
        self.assertTrue((colors() == old).all())
        addon.show_light(root, True)
        addon.bake_lightmap(root, lightmap_page_size=128)
        self.assertTrue((colors() == old).all())
        self.assertEqual([layer.name for layer in mesh.color_attributes], names)

    def test_black_is_explained(self) -> None:
        root = addon.import_map(str(ATRIUM), lights=False)
        world = bpy.data.worlds.new("dark")
        world.color = (0, 0, 0)
        if world.node_tree:   # in Blender 5 every world has a node tree
            world.node_tree.nodes["Background"].inputs["Color"].default_value = (0, 0, 0, 1)
        bpy.context.scene.world = world
        darken(root)
        before = counts()["images"]
        with self.assertRaises(relighting.BlackBake) as caught:
            addon.rebake_light(root, samples=1, factor=1, map_sky=False)
        self.assertIn("no lamp is in the view layer and the world 'dark' gives no light", str(caught.exception))
        self.assertEqual(counts()["images"], before)
        self.assertFalse(compare.has_new_light(root))

    def test_ending_it_takes_everything_back(self) -> None:
        root = addon.import_map(str(ATRIUM))
        before, engine = counts(), bpy.context.scene.render.engine
        run = relighting.RebakeRun(root, rebake.Settings(1, 1, True, True), True, relighting.bake_at_once)
        steps = run.steps()
        next(steps)
        steps.close()
        after = counts()
        self.assertEqual((after["objects"], after["meshes"], after["images"], after["worlds"]),
                         (before["objects"], before["meshes"], before["images"], before["worlds"]))
        self.assertEqual(bpy.context.scene.render.engine, engine)
        self.assertIsNone(run.done)


class Writing(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.target = Path(self._folder.name) / "relit.bsp"

    def page(self) -> bpy.types.Image:
        return next(image for image in bpy.data.images if "/page/0/" in image.get(KEY, ""))

    def test_untouched_pages_give_the_same_file(self) -> None:
        for path in (ATRIUM, GOLDSRC):
            for hdr in (False, True):
                with self.subTest(path=path.name, hdr=hdr):
                    reset()
                    root = addon.import_map(str(path), hdr=hdr)
                    written = addon.write_light(root, str(self.target), rebaked=False)
                    self.assertTrue(written.is_identical)
                    self.assertEqual(self.target.read_bytes(), path.read_bytes())

    def test_a_painted_luxel(self) -> None:
        root = addon.import_map(str(ATRIUM))
        scene = relighting._load(root, False)
        face = next(face for face in scene.faces() if face["lightmap_page"] == 0 and face["lightmap_width"] > 4)
        image = self.page()
        row, column = image.size[1] - 1 - int(face["lightmap_y"]) - 1, int(face["lightmap_x"]) + 1
        pixels = list(image.pixels)
        at = 4 * (row * image.size[0] + column)
        pixels[at:at + 3] = (0, 1, 0)
        image.pixels = pixels
        written = addon.write_light(root, str(self.target), rebaked=False)
        self.assertEqual(written.numbers["changed"], 1)
        self.assertEqual(lumps(self.target, ATRIUM), lumps(ATRIUM, ATRIUM))
        old, new = ATRIUM.read_bytes(), self.target.read_bytes()
        self.assertLessEqual(sum(a != b for a, b in zip(old, new)), 3)
        self.assertTrue(addon.write_light(root, None, rebaked=False).numbers["changed"])

    def test_what_is_refused(self) -> None:
        root = addon.import_map(str(ATRIUM))
        with self.assertRaisesRegex(MapError, "choose another name"):
            addon.write_light(root, str(ATRIUM), rebaked=False)
        with self.assertRaisesRegex(MapError, "ending .bsp"):
            addon.write_light(root, str(self.target.with_suffix(".map")), rebaked=False)
        with self.assertRaisesRegex(ValueError, "has no new light"):
            addon.write_light(root, str(self.target))
        self.page().scale(16, 16)
        with self.assertRaisesRegex(ValueError, "are needed"):
            addon.write_light(root, str(self.target), rebaked=False)
        reset()
        root = addon.import_map(str(ATRIUM), lightmaps="NONE")
        with self.assertRaisesRegex(ValueError, "without lightmap pages"):
            addon.write_light(root, str(self.target), rebaked=False)
        self.assertFalse(self.target.exists())

    def test_operators(self) -> None:
        """Operators of the menu report their results in a text that the user sees."""
        addon.register()
        self.addCleanup(addon.unregister)
        addon.import_map(str(ATRIUM))
        result = bpy.ops.export_scene.bspscene_light(filepath=str(self.target), light="PAGES", check_existing=False)
        self.assertEqual(result, {"FINISHED"})
        self.assertIn("Nothing changed", bpy.data.texts["Light report"].as_string())
        with self.assertRaises(RuntimeError):
            bpy.ops.export_scene.bspscene_light(filepath=str(ATRIUM), light="PAGES", check_existing=False)
        self.assertFalse(bpy.ops.object.bspscene_compare_light.poll())
        if hasattr(bpy.context.scene, "cycles"):
            self.assertEqual(bpy.ops.object.bspscene_rebake(samples=1, factor=1), {"FINISHED"})
            self.assertIn("luxels:", bpy.data.texts["Light report"].as_string())
            self.assertEqual(bpy.ops.object.bspscene_compare_light(), {"FINISHED"})
            self.assertFalse(compare.shows_new_light(bpy.data.collections["atrium"]))


if __name__ == "__main__":
    unittest.main(argv=["blender_rebake"])
