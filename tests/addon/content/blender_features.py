"""Tests in Blender of the look of maps: light styles, the sky, surfaces, layers, baking, lightmaps."""
import os
import struct
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy
from blender_support import (
    ATRIUM,
    FIXTURES,
    QUAKE3,
    addon,
    get,
    load,
    material_of,
    objects_of,
    pages,
    reset,
    scene,
    uvs_of,
)
from bspscene import abi
from bspscene.picture import has_light
from io_scene_bspscene import pace
from io_scene_bspscene.build.materials.page import from_mean

STYLES = QUAKE3 / "maps/atrium_styles.bsp"
LIGHTMAPS, FACES = 14, 13        # numbers of Quake III's lumps


class Animation(unittest.TestCase):
    """Drivers make light styles and moving textures follow the frame. Blender runs these drivers without the user's
    permission for scripts."""

    def setUp(self) -> None:
        reset()

    def styles(self) -> bpy.types.NodeTree:
        return next(g for g in bpy.data.node_groups if g.name.endswith("light styles"))

    def test_patterns_play_at_ten_letters_per_second(self) -> None:
        addon.import_map(str(STYLES))
        loaded = load(STYLES)
        records = [r for r in loaded.items("light_styles") if r.style and len(r.pattern) > 1]
        self.assertTrue(records)
        rate = bpy.context.scene.render.fps
        for record in records:
            node = self.styles().nodes[f"Style {record.style}"]
            pattern = from_mean(scene.text(record.pattern))
            for frame in (0, 7, 31, 200):
                bpy.context.scene.frame_set(frame)
                tree = self.styles().evaluated_get(bpy.context.evaluated_depsgraph_get())
                letter = pattern[int(frame / rate * 10 + 1e-6) % len(pattern)]
                value = tree.nodes[node.name].outputs[0].default_value
                self.assertAlmostEqual(value, (ord(letter) - ord("a")) / 12, places=5, msg=f"frame {frame}")

    def test_another_rate_is_followed(self) -> None:
        """If the frames per second change after the import, a second stays a second."""
        addon.import_map(str(STYLES))
        self.assertEqual(pace.keep_pace(bpy.context.scene), 0)
        bpy.context.scene.render.fps = 60
        self.assertGreater(pace.keep_pace(bpy.context.scene), 1)
        self.test_patterns_play_at_ten_letters_per_second()

    def test_patterns_begin_at_their_mean(self) -> None:
        """A pattern is shifted to begin at a letter near its mean, so that a map lit by a pulsing style does not begin
        dark."""
        self.assertEqual(from_mean("azaz"[:2] + "m"), "maz")
        for pattern in ("jklmnopqrstuvwxyzyxwvutsrqponmlkj", "aaaaaaaaaaaaaaamzzzzzzzzzzzzzzz"):
            values = [ord(letter) for letter in pattern]
            self.assertLess(abs(ord(from_mean(pattern)[0]) - sum(values) / len(values)), 2)
            self.assertIn(from_mean(pattern), pattern * 2)

    def test_each_style_with_light_is_added(self) -> None:
        path = FIXTURES / "atrium/quake/maps/atrium.bsp"
        root = addon.import_map(str(path))
        group = bpy.data.node_groups[f"{root.name} light 0"]
        lit = [record for record in load(path).items("lightmap_sets")
               if record.kind == abi.LIGHTMAP_SET_LIGHT and has_light(record.pages[0])]
        self.assertGreater(len(lit), 1)
        self.assertEqual(len([node for node in group.nodes if node.type == "TEX_IMAGE"]), len(lit))

    def drivers(self) -> list:
        return [curve.driver for group in bpy.data.node_groups if group.animation_data
                for curve in group.animation_data.drivers]

    def test_drivers_need_no_trust(self) -> None:
        addon.import_map(str(STYLES))
        self.assertTrue(self.drivers())
        for driver in self.drivers():
            self.assertTrue(driver.is_simple_expression, driver.expression)

    def test_everything_can_stand_still(self) -> None:
        addon.import_map(str(STYLES), animate=False)
        self.assertFalse(self.drivers())
        for record in load(STYLES).items("light_styles"):
            if record.style:   # the value is the brightness at the map's start, not at the pattern's first letter
                value = self.styles().nodes[f"Style {record.style}"].outputs[0].default_value
                self.assertEqual(value, record.start)

    def test_water_moves_with_the_one_clock(self) -> None:
        addon.import_map(str(ATRIUM))
        bpy.context.scene.frame_set(48)
        group = bpy.data.node_groups["bspscene time"].evaluated_get(bpy.context.evaluated_depsgraph_get())
        self.assertAlmostEqual(group.nodes["Seconds"].outputs[0].default_value, 48 / bpy.context.scene.render.fps)
        users = [m for m in bpy.data.materials if any(
            n.type == "GROUP" and n.node_tree == bpy.data.node_groups["bspscene time"] for n in m.node_tree.nodes)]
        self.assertTrue(users)


class Frames(unittest.TestCase):
    """Animated textures, whose names begin with +0, +1 and so on, play in maps of Quake and GoldSrc."""

    def test_chains_play(self) -> None:
        for path in ("goldsrc/maps/atrium_wad.bsp", "quake/maps/atrium.bsp"):
            with self.subTest(path):
                reset()
                addon.import_map(str(FIXTURES / "atrium" / path))
                screen = material_of("+0screen")
                shown = {n.image["game_name"] for n in screen.node_tree.nodes if n.type == "TEX_IMAGE"}
                self.assertTrue({"+0screen", "+1screen"} <= shown, shown)
                groups = {n.node_tree.name for n in screen.node_tree.nodes if n.type == "GROUP"}
                self.assertIn("bspscene time", groups)


class Sky(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def test_becomes_the_world_only_when_asked(self) -> None:
        addon.import_map(str(ATRIUM))
        self.assertIsNone(bpy.context.scene.world)
        addon.import_map(str(ATRIUM), sky_world=True)
        world = bpy.context.scene.world
        group = next(n.node_tree for n in world.node_tree.nodes if n.type == "GROUP")
        sides = {n.image["game_name"] for n in group.nodes if n.type == "TEX_IMAGE"}
        self.assertEqual(len([side for side in sides if side.startswith("env/sample_")]), 6)
        self.assertTrue(any(n.type == "OUTPUT_WORLD" and n.inputs["Surface"].is_linked for n in world.node_tree.nodes))

    def test_comes_once(self) -> None:
        for _ in range(2):
            addon.import_map(str(ATRIUM), sky_world=True)
        self.assertEqual(len(bpy.data.worlds), 1)


class Surfaces(unittest.TestCase):
    """Tests effects of materials other than texture and light."""

    def setUp(self) -> None:
        reset()

    def light_groups(self) -> list:
        return [g for g in bpy.data.node_groups if " light " in g.name and "styles" not in g.name]

    def test_direction_of_light_is_at_hand(self) -> None:
        addon.import_map(str(QUAKE3 / "maps/atrium_deluxe.bsp"))
        for group in self.light_groups():
            end = next(n for n in group.nodes if n.type == "GROUP_OUTPUT")
            image = end.inputs["Direction"].links[0].from_node.image
            self.assertEqual(image.colorspace_settings.name, "Non-Color")
            self.assertTrue(end.inputs["Light"].is_linked)
        self.assertTrue(self.light_groups())

    def shader(self, material: bpy.types.Material):
        end = next(n for n in material.node_tree.nodes if n.type == "OUTPUT_MATERIAL")
        return end.inputs["Surface"].links[0].from_node

    def test_solid_ones_are_emission_alone(self) -> None:
        addon.import_map(str(ATRIUM))
        self.assertEqual(self.shader(material_of("textures/sample/brick")).type, "EMISSION")

    def test_glass_and_grates_let_light_through(self) -> None:
        addon.import_map(str(ATRIUM))
        for name in ("glass", "grate", "water"):
            found = [m for m in bpy.data.materials if name in m["game_name"]]
            self.assertTrue(found, name)
            for material in found:
                kinds = {n.type for n in material.node_tree.nodes}
                self.assertIn("BSDF_TRANSPARENT", kinds, material.name)

    def test_a_displacement_blends_two_textures(self) -> None:
        """The weights of the mesh blend two textures. No free map has such a material, so this test gives two images to
        another material."""
        from io_scene_bspscene.build.materials import material as module
        loaded = load(ATRIUM)
        records = loaded.items("materials")
        record = next(r for r in records if r.name == "textures/sample/brick")
        other = next(r for r in records if r.name == "textures/sample/floor")
        record.second_image = other.base_image
        made = module.Made()
        images = addon.importer.Images("x", made, [], "")
        pages_ = addon.importer.Pages(loaded, None, images)
        lights = addon.importer.PageLights(loaded, "x", pages_, made, "", 0.0)
        textures = addon.importer.Textures(loaded, images)
        options = module.MaterialOptions("GAME", "Linear", False, False)
        owner = module.Materials(loaded, "x", textures, lights, options, made)
        blended = owner._find_or_make(records.index(record), 0, abi.NO_INDEX, 0, True, True, False, ())
        mix = next(n for n in blended.node_tree.nodes if n.type == "MIX")
        self.assertEqual(mix.inputs[0].links[0].from_node.attribute_name, "blend")
        shown = [mix.inputs[i].links[0].from_node.image["game_name"] for i in (6, 7)]
        self.assertEqual(shown, ["textures/sample/brick", "textures/sample/floor"])


class Layers(unittest.TestCase):
    """Source's terrain blends up to four textures. The test uses the map "room" of the Source tests."""

    @classmethod
    def setUpClass(cls) -> None:
        reset()
        addon.import_map(str(FIXTURES / "source/maps/room.bsp"))
        cls.material = next(m for m in bpy.data.materials if m["game_name"] == "test/grass")

    def test_weights_are_an_attribute(self) -> None:
        blends = [o.data.attributes["blend_weights"] for o in bpy.data.objects
                  if o.type == "MESH" and "blend_weights" in o.data.attributes]
        values = numpy.concatenate([get(blend.data, "color", 4) for blend in blends])
        numpy.testing.assert_allclose(values.max(axis=0), (1, 1, 1, 1))
        sums = values.sum(axis=1)
        numpy.testing.assert_allclose(sums[sums > 0], 1, atol=1e-6)

    def test_tags_are_an_attribute(self) -> None:
        tagged = [o.data for o in bpy.data.objects if o.type == "MESH" and "triangle_tags" in o.data.attributes]
        for mesh in tagged:
            tags = get(mesh.attributes["triangle_tags"].data, "value", 1, numpy.int32).ravel()
            source = get(mesh.attributes["record"].data, "value", 1, numpy.int32).ravel()
            expected = numpy.where(numpy.arange((source == 4).sum()) % 3, 2, 6)
            numpy.testing.assert_array_equal(tags[source == 4], expected)
            self.assertFalse(tags[source != 4].any())
        self.assertTrue(tagged)

    def test_each_texture_is_mixed_over_those_below(self) -> None:
        tree = self.material.node_tree
        mixes = [n for n in tree.nodes if n.type == "MIX"]
        self.assertEqual(len(mixes), 3)
        names = [mix.inputs[7].links[0].from_node.image["game_name"] for mix in mixes]
        self.assertEqual(names, ["materials/test/sand", "materials/test/rock", "materials/test/snow"])
        lowest = mixes[0].inputs[6].links[0].from_node.image["game_name"]
        self.assertEqual(lowest, "materials/test/grass")
        for below, above in zip(mixes, mixes[1:]):
            self.assertEqual(above.inputs[6].links[0].from_node, below)
        for mix in mixes:
            self.assertEqual(mix.inputs[0].links[0].from_node.type, "MAP_RANGE")

    def test_the_picture_is_the_renderers(self) -> None:
        """The values of the material's nodes equal the formula in the library's header. The test computes them as
        Blender would."""
        mixes = [n for n in self.material.node_tree.nodes if n.type == "MIX"]
        weights = {"Green": 0.5, "Blue": 0.25, "Alpha": 0.75}
        colors = [(0.05, 0.25, 0.02), (0.6, 0.45, 0.2), (0.15, 0.15, 0.18), (0.8, 0.8, 0.9)]
        color, bright = numpy.array(colors[0]), _step(_luminance(colors[0]), 0, 1)
        ranges = (None, (0, 1), (0.25, 0.75), (0, 1))
        shares, order = (None, 1, 1, 0.5), (None, "Green", "Blue", "Alpha")
        for number in range(1, 4):
            own = _step(_luminance(colors[number]), 0, 1)
            weight, share = weights[order[number]], shares[number]
            amount = _step(weight * (1 + (1 - bright) * (1 - share) + own * share), *ranges[number])
            seen = _evaluate(mixes[number - 1].inputs[0], weights, colors)
            self.assertAlmostEqual(seen, amount, places=5)
            color = color + (numpy.array(colors[number]) - color) * amount
            bright += (own - bright) * amount


def _luminance(color) -> float:
    return float(numpy.dot(color, (0.2126, 0.7152, 0.0722)))


def _step(value: float, start: float, end: float) -> float:
    t = min(max((value - start) / (end - start), 0.0), 1.0)
    return t * t * (3 - 2 * t)


def _evaluate(target: bpy.types.NodeSocket, weights: dict, colors: list):
    """Evaluates an input for these vertex weights and layer textures."""
    if not target.is_linked:
        return target.default_value
    link = target.links[0]
    node = link.from_node
    if node.type == "TEX_IMAGE":
        names = [f"materials/test/{name}" for name in ("grass", "sand", "rock", "snow")]
        return numpy.array(colors[names.index(node.image["game_name"])])
    if node.type == "SEPARATE_COLOR":
        return weights[link.from_socket.name]
    if node.type == "ATTRIBUTE":
        return weights.get(link.from_socket.name)
    given = [_evaluate(i, weights, colors) if i.enabled else None for i in node.inputs]
    if node.type == "RGBTOBW":
        return _luminance(given[0])
    if node.type == "MAP_RANGE":
        return _step(given[0], given[1], given[2])
    if node.type == "MIX":
        return given[6] + (given[7] - given[6]) * given[0]
    operations = {"MULTIPLY": lambda a, b, c: a * b, "SUBTRACT": lambda a, b, c: a - b,
                  "MULTIPLY_ADD": lambda a, b, c: a * b + c}
    return operations[node.operation](*given[:3])


def page_of(material: bpy.types.Material):
    node = next((n for n in material.node_tree.nodes if n.type == "GROUP" and n.label == "Lightmap"), None)
    image = node and next(n.image for n in node.node_tree.nodes if n.type == "TEX_IMAGE")
    return image


class Bake(unittest.TestCase):
    """The atlas of an existing import is baked again."""

    def setUp(self) -> None:
        reset()
        addon.register()

    def tearDown(self) -> None:
        addon.unregister()

    def luxels(self) -> dict:
        """Returns the luxels at the centers of the first triangles, by face and triangle number. Baking pages anew must
        not change them."""
        world = next(o for o in bpy.data.objects if o.get("bspscene_node") == "worldspawn").data
        sources = get(world.attributes["record"].data, "value", 1, numpy.int32).ravel()
        slots = get(world.polygons, "material_index", 1, numpy.int32).ravel()
        uvs = uvs_of(world, "Lightmap").reshape(-1, 3, 2).mean(axis=1)
        images = [page_of(m) for m in world.materials]
        pixels = {image: numpy.array(image.pixels[:]).reshape(image.size[1], image.size[0], 4)
                  for image in set(images) if image}
        found = {}
        for number, (source, slot, uv) in enumerate(zip(sources, slots, uvs)):
            if images[slot]:
                picture = pixels[images[slot]]
                row, column = int(uv[1] * picture.shape[0]), int(uv[0] * picture.shape[1])
                found[number, source] = picture[row, column, :3]
        return found

    def test_small_pages_show_the_same_light(self) -> None:
        addon.import_map(str(ATRIUM))
        before = self.luxels()
        self.assertEqual(len(pages()), 1)
        self.assertEqual(bpy.ops.object.bspscene_bake_lightmap(lightmap_page_size=64), {"FINISHED"})
        self.assertGreater(len(pages()), 2)
        after = self.luxels()
        self.assertEqual(set(before), set(after))
        off = [numpy.abs(before[key] - after[key]).max() for key in before]
        self.assertLess(float(numpy.quantile(off, 0.97)), 0.03)   # rounding may move a center into the next luxel
        self.assertEqual(bpy.ops.object.bspscene_bake_lightmap(lightmap_page_size=4096), {"FINISHED"})
        self.assertEqual(len(pages()), 1)   # pages of the old size are gone
        again = self.luxels()
        self.assertLess(max(numpy.abs(before[key] - again[key]).max() for key in before), 1e-6)

    def test_hdr_pages_are_linear_and_not_cut_off(self) -> None:
        addon.import_map(str(ATRIUM))
        self.assertEqual(bpy.ops.object.bspscene_bake_lightmap(encoding="HDR"), {"FINISHED"})
        self.assertTrue(pages()[0].is_float)
        self.assertIn("Linear", pages()[0].colorspace_settings.name)
        groups = {n.node_tree.name for n in material_of("textures/sample/floor").node_tree.nodes if n.type == "GROUP"}
        self.assertIn("bspscene picture of HDR light", groups)

    def test_styles_become_one_page(self) -> None:
        addon.import_map(str(STYLES), animate=False)
        self.assertEqual(len(pages()), 2)
        styled = {i.name: numpy.array(i.pixels[:]) for i in pages()}
        self.assertEqual(bpy.ops.object.bspscene_bake_lightmap(styles="MERGED"), {"FINISHED"})
        group = bpy.data.node_groups["atrium_styles light 0"]
        lookups = [n for n in group.nodes if n.type == "TEX_IMAGE"]
        self.assertEqual(len(lookups), 1)
        merged = numpy.array(lookups[0].image.pixels[:])
        wanted = numpy.minimum(sum(styled.values()), 1)
        self.assertLess(numpy.abs(merged - wanted).max(), 2 / 255)
        self.assertGreater(numpy.abs(merged - styled["atrium_styles_lightmap_0"]).max(), 0.05)

    def test_goes_beside_a_saved_file_or_into_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "a.blend"))
            addon.import_map(str(ATRIUM), lightmaps="PACK")
            bpy.ops.object.bspscene_bake_lightmap(encoding="HDR", lightmaps="FILES")
            self.assertEqual(os.listdir(os.path.join(folder, "lightmaps")), ["atrium_lightmap_0.exr"])
            self.assertEqual(pages()[0].filepath.replace("\\", "/"), "//lightmaps/atrium_lightmap_0.exr")
            self.assertFalse(pages()[0].packed_file)
            self.assertTrue(pages()[0].is_float)
            bpy.ops.object.bspscene_bake_lightmap(lightmaps="PACK")
            self.assertTrue(pages()[0].packed_file)
            self.assertFalse(pages()[0].is_float)
            reset()

    def test_what_the_user_changed_stays(self) -> None:
        import bmesh
        root = addon.import_map(str(ATRIUM))
        brick = material_of("textures/sample/brick")
        brick["mine"] = 1
        world = objects_of(root, "worldspawn")[0].data
        edit = bmesh.new()
        edit.from_mesh(world)
        edit.faces.ensure_lookup_table()
        bmesh.ops.delete(edit, geom=[edit.faces[0]], context="FACES_ONLY")
        edit.to_mesh(world)
        edit.free()
        with self.subTest("told"):
            report = addon.importer.Report()
            baked = addon.bake_lightmap(root, lightmap_page_size=64, report=report)
            self.assertGreater(baked.skipped, 0)
            self.assertLess(baked.skipped, 40)
        self.assertIn(brick, list(world.materials))
        self.assertTrue(all(m.get("mine") for m in bpy.data.materials if m["game_name"] == "textures/sample/brick"
                            and m.name in world.materials))

    def test_a_map_that_is_gone_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "atrium.bsp")
            Path(path).write_bytes(ATRIUM.read_bytes())
            addon.import_map(path)
        with self.assertRaises(RuntimeError) as caught:
            bpy.ops.object.bspscene_bake_lightmap()
        self.assertIn("atrium.bsp", str(caught.exception))


class Lightmaps(unittest.TestCase):
    """Maps without lightmaps, with pages in files, and with pages of different sizes get the right light."""

    def setUp(self) -> None:
        reset()

    def test_none(self) -> None:
        content = bytearray(ATRIUM.read_bytes())
        content[8 + LIGHTMAPS * 8 + 4:8 + LIGHTMAPS * 8 + 8] = bytes(4)
        offset, size = struct.unpack_from("<II", content, 8 + FACES * 8)
        for face in range(offset, offset + size, 104):
            struct.pack_into("<i", content, face + 28, -3)    # -3: the face is lit by its vertices
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "atrium.bsp")
            Path(path).write_bytes(content)
            root = addon.import_map(path)
        self.assertFalse(pages())
        world = objects_of(root, "worldspawn")[0].data
        self.assertEqual([layer.name for layer in world.uv_layers], ["UVMap", "Lightmap"])

    def test_outside(self) -> None:
        addon.import_map(str(QUAKE3 / "maps/atrium_external.bsp"))
        self.assertEqual(len(pages()), 1)
        self.assertGreater(float(numpy.array(pages()[0].pixels[:]).reshape(-1, 4)[:, :3].max()), 0.2)

    def test_of_mixed_sizes(self) -> None:
        """Two pages of the map are in files. One of these pictures is halved."""
        source = QUAKE3 / "maps/atrium_styles"
        with tempfile.TemporaryDirectory() as folder:
            for name in ("lm_0000.tga", "lm_0001.tga", "lm_0002.tga", "lm_0003.tga"):
                content = (source / name).read_bytes()
                target = Path(folder) / "maps/atrium_styles" / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(halved(content) if name == "lm_0001.tga" else content)
            path = Path(folder) / "maps/atrium_styles.bsp"
            path.write_bytes(STYLES.read_bytes())
            report = addon.importer.Report()
            root = addon.import_map(str(path), report)
        self.assertTrue(pages())
        self.assertTrue(objects_of(root, "worldspawn"))


def halved(tga: bytes) -> bytes:
    """Halves an uncompressed TGA by keeping every second pixel of every second row."""
    width, height, bits = struct.unpack_from("<HHB", tga, 12)
    start = 18 + tga[0]
    rows = numpy.frombuffer(tga, numpy.uint8, width * height * bits // 8, start).reshape(height, width, -1)
    head = bytearray(tga[:start])
    struct.pack_into("<HH", head, 12, width // 2, height // 2)
    return bytes(head) + rows[::2, ::2].tobytes()
