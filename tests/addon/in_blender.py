"""Runs inside Blender, or any Python with the bpy module: imports the fixtures and compares with the library.

    blender -b --factory-startup --python-exit-code 1 --python in_blender.py
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import addon_utils  # comes with bpy
import bpy
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
from blender_features import *  # noqa: E402,F401,F403  (further tests)
from blender_formulas import *  # noqa: E402,F401,F403
from blender_luxels import *  # noqa: E402,F401,F403
from blender_materials import *  # noqa: E402,F401,F403
from blender_rebake import *  # noqa: E402,F401,F403
from blender_relight import *  # noqa: E402,F401,F403
from blender_session import *  # noqa: E402,F401,F403
from blender_support import (  # noqa: E402
    ATRIUM,
    FIXTURES,
    FURTHER,
    MAPS,
    METRES,
    OPENARENA,
    bspscene,
    counts,
    get,
    load,
    objects_of,
    pages,
    reset,
    uvs_of,
)
from blender_switch import *  # noqa: E402,F401,F403
from blender_view import *  # noqa: E402,F401,F403
from bspscene.build.objects import node as node_module  # noqa: E402
from bspscene.native import abi, library, scene  # noqa: E402
from bspscene.ui import operators  # noqa: E402


def normals_of(mesh: bpy.types.Mesh) -> numpy.ndarray:
    if hasattr(mesh, "calc_normals_split"):
        mesh.calc_normals_split()
        return get(mesh.loops, "normal", 3)
    return get(mesh.corner_normals, "vector", 3)


class Corners:
    """All corners of a mesh of the library that one object shows, in the order of its sections."""

    def __init__(self, view: scene.MeshView, sections) -> None:
        self.index = numpy.concatenate([view.indices[s.first_index:s.first_index + s.index_count] for s in sections])
        self.positions = view.positions.reshape(-1, 3)[self.index]
        self.normals = view.normals.reshape(-1, 3)[self.index]
        self.uvs = view.uvs.reshape(-1, 2)[self.index]
        self.lightmap_uvs = None if view.lightmap_uvs is None else view.lightmap_uvs.reshape(-1, 2)[self.index]

    def area(self) -> float:
        a, b, c = (self.positions[i::3].astype(numpy.float64) for i in range(3))
        return float(numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1).sum() / 2)


class Content(unittest.TestCase):
    """Every fixture arrives whole."""

    def setUp(self) -> None:
        reset()

    def test_every_map_is_what_the_library_says(self) -> None:
        self.assertGreater(len(MAPS), 8)
        for path in MAPS:
            with self.subTest(path=str(path)):
                reset()
                try:
                    loaded = load(path)
                except scene.MapError as error:
                    self.assertEqual(error.status, abi.ERROR_UNSUPPORTED_FORMAT, str(error))
                    self.assertNotIn(FIXTURES, path.parents)
                    continue
                root = bspscene.import_map(str(path))
                self.compare_nodes(loaded, root)
                self.compare_meshes(loaded, root)
                self.compare_images(loaded)

    @unittest.skipUnless(OPENARENA.is_dir(), "BSPSCENE_OPENARENA names no directory")
    def test_five_maps_of_openarena(self) -> None:
        for name in ("aggressor", "czest1dm", "oa_dm5", "oa_pvomit", "ps9ctf"):
            with self.subTest(map=name):
                reset()
                report = bspscene.importer.Report()
                root = bspscene.import_map(str(OPENARENA), report, map=name)
                loaded = load(OPENARENA, name)
                self.compare_nodes(loaded, root)
                self.compare_meshes(loaded, root)
                self.assertEqual(len(report.missing_textures), loaded.data.counts.contents.textures_missing)
                textures = [i for i in bpy.data.images if "game_path" in i and i["game_path"]]
                self.assertGreater(len(textures), 10)
                self.assertTrue(all(min(image.size) > 0 for image in textures))

    @unittest.skipUnless((FURTHER / "maps/source").is_dir(), "BSPSCENE_SHARED_DATA has no maps of Source")
    def test_maps_of_source(self) -> None:
        for name in ("v20_tf2_mp_lobby", "v20_tf2_test2", "v20_tf2_test_displacement_decompile",
                     "v21_csgo_tooltextures"):
            with self.subTest(map=name):
                reset()
                path = FURTHER / f"maps/source/{name}.bsp"
                loaded = load(path)
                root = bspscene.import_map(str(path))
                self.compare_nodes(loaded, root)
                self.compare_meshes(loaded, root)
                self.compare_source(loaded, root)

    def test_props_say_what_a_loader_needs(self) -> None:
        """Beside its model, a static prop has what the map says and nothing where it says nothing."""
        root = bspscene.import_map(str(FIXTURES / "source/maps/room.bsp"))
        barrel, plain = (objects_of(root, f"prop_static:{i}")[0] for i in range(2))
        self.assertEqual([o["model"] for o in (barrel, plain)], ["models/test/barrel.mdl"] * 2)
        wanted = {"skin": 1, "solid": 6, "flags": 3, "fade_near": 300, "fade_far": 400, "fade_scale": 0.5}
        self.assertEqual({key: barrel[key] for key in wanted}, wanted)
        self.assertEqual(list(barrel["lighting_origin"]), [32, 32, 48])
        self.assertEqual(list(barrel["dx_levels"]), [80, 95])
        for key in (*wanted, "color", "flags_ex", "lightmap_size", "cpu_levels"):
            self.assertNotIn(key, plain)

    def test_props_without_models_are_in_the_report(self) -> None:
        report = bspscene.importer.Report()
        bspscene.import_map(str(FIXTURES / "source/maps/room.bsp"), report)
        self.assertIn("  models/test/barrel.mdl", report.lines())

    def test_props_with_models_are_not(self) -> None:
        with tempfile.TemporaryDirectory() as game:
            maps = Path(game) / "maps"
            maps.mkdir()
            shutil.copy(FIXTURES / "source/maps/room.bsp", maps)
            model = (FIXTURES.parent / "fuzz/models/corpus/md3").read_bytes()[14:]
            target = Path(game) / "models/test/barrel.mdl"   # its first bytes tell what it is
            target.parent.mkdir(parents=True)
            target.write_bytes(model)
            report = bspscene.importer.Report()
            bspscene.import_map(str(maps / "room.bsp"), report)
        self.assertNotIn("  models/test/barrel.mdl", report.lines())

    def compare_source(self, loaded: scene.Scene, root: bpy.types.Collection) -> None:
        """Blends of displacements, and the light of the three bump directions."""
        for index in range(loaded.data.mesh_count):
            view = loaded.mesh(index)
            if view.blend_alphas is not None and view.blend_alphas.any():
                blends = [o.data.attributes["blend"] for o in root.all_objects
                          if o.type == "MESH" and "blend" in o.data.attributes]
                most = max(float(get(blend.data, "value", 1).max()) for blend in blends)
                self.assertAlmostEqual(most, float(view.blend_alphas.max()), places=5)
        bumps = [record for record in loaded.items("page_sets") if record.kind == abi.PAGES_BUMP_0]
        group = bpy.data.node_groups.get(f"{root.name} light 0")
        end = next((n for n in group.nodes if n.type == "GROUP_OUTPUT"), None) if group else None
        for name in ("Bump 0", "Bump 1", "Bump 2") if bumps else ():
            self.assertTrue(end.inputs[name].is_linked, name)

    def compare_nodes(self, loaded: scene.Scene, root: bpy.types.Collection) -> None:
        kinds = [o.type for o in root.all_objects]
        self.assertEqual(kinds.count("LIGHT"), loaded.data.light_count)
        self.assertEqual(kinds.count("CAMERA"), loaded.data.camera_count)
        self.assertGreater(loaded.data.entity_count, 0)
        for index, entity in enumerate(loaded.items("entities")):
            name = scene.text(loaded.data.nodes[entity.node].contents.name)
            found = objects_of(root, name)
            self.assertTrue(found, name)
            for made in found:
                for key, _ in loaded.keys(index):
                    self.assertEqual(made[node_module.property_name(key, made)], loaded.value(index, key))
                place = numpy.array(loaded.world_transform(entity.node)).reshape(3, 4)[:, 3] * METRES
                self.assertLess(numpy.abs(numpy.array(made.matrix_world.translation) - place).max(), 1e-4)

    def compare_meshes(self, loaded: scene.Scene, root: bpy.types.Collection) -> None:
        triangles = 0
        for record in loaded.items("nodes"):
            if record.mesh == abi.NO_INDEX:
                continue
            view = loaded.mesh(record.mesh)
            for made in objects_of(root, scene.text(record.name)):
                if made.type == "MESH":
                    triangles += self.compare_mesh(made, view, record)
        shown = [n.mesh for n in loaded.items("nodes") if n.mesh != abi.NO_INDEX]
        drawn = [loaded.data.meshes[mesh].contents.index_count for mesh in shown]
        self.assertEqual(triangles, sum(drawn) // 3)

    def compare_mesh(self, made: bpy.types.Object, view: scene.MeshView, record: abi.Node) -> int:
        mesh, name = made.data, made.users_collection[0].name
        own = {abi.NODE_BRUSH_ENTITY: "Brush entities", abi.NODE_PROP: "Props"}.get(record.kind, "World")
        if record.kind == abi.NODE_PROP:
            name = own   # and there in the collection of its model
        sections = [s for s in view.sections if node_module.Objects._collection_of(s.kind, own) == name]
        corners = Corners(view, sections)
        self.assertFalse(mesh.validate(), "Blender found something to repair")
        self.assertEqual(len(mesh.loops), len(corners.index))
        self.assertEqual([layer.name for layer in mesh.uv_layers], ["UVMap", "Lightmap"])
        flip = numpy.array([1, -1], numpy.float32)
        numpy.testing.assert_allclose(uvs_of(mesh, "UVMap"), corners.uvs * flip + [0, 1], atol=1e-5)
        if corners.lightmap_uvs is not None:
            numpy.testing.assert_allclose(uvs_of(mesh, "Lightmap"), corners.lightmap_uvs * flip + [0, 1], atol=1e-6)
        areas = get(mesh.polygons, "area", 1).ravel()
        self.assertAlmostEqual(float(areas.sum(dtype=numpy.float64)) / METRES ** 2 / corners.area(), 1, places=4)
        # A triangle without an area has no normal in Blender.
        seen = numpy.repeat(areas > 1e-8, 3)
        self.assertGreater((normals_of(mesh) * corners.normals).sum(axis=1)[seen].min(), 0.999)
        for number, section in enumerate(sections):
            first = sum(s.index_count for s in sections[:number]) // 3
            material = mesh.materials[mesh.polygons[first].material_index]
            wanted = view.scene.data.materials[section.material].contents
            self.assertEqual(material["game_name"], scene.text(wanted.name))
        return len(mesh.polygons)

    def compare_images(self, loaded: scene.Scene) -> None:
        for image in bpy.data.images:
            self.assertTrue(image.packed_file, image.name)
            self.assertGreater(min(image.size), 0, image.name)
        if not loaded.data.page_set_count:
            self.assertFalse(pages())
            return
        page = loaded.items("page_sets")[0].pages[0]
        made = next(i for i in pages() if "_lightmap_0" in i.name)
        self.assertEqual(tuple(made.size), (page.width, page.height))

    def test_hidden_surfaces_are_there_but_excluded(self) -> None:
        root = bspscene.import_map(str(ATRIUM))
        layer = bpy.context.view_layer.layer_collection.children[root.name]
        excluded = {child.name: child.exclude for child in layer.children}
        self.assertTrue(excluded["Sky"])
        self.assertFalse(excluded["World"])
        self.assertGreater(len(root.children["Sky"].objects), 0)

    def test_faces_carry_the_games_numbers(self) -> None:
        loaded = load(ATRIUM)
        world = objects_of(bspscene.import_map(str(ATRIUM)), "worldspawn")[0].data
        faces = loaded.faces()[loaded.faces()["mesh"] == 0]
        wanted = {int(f["source"]): f for f in faces}
        sources = get(world.attributes["source"].data, "value", 1, numpy.int32).ravel()
        clusters = get(world.attributes["cluster"].data, "value", 1, numpy.int32).ravel()
        flags = get(world.attributes["surface_flags"].data, "value", 1, numpy.int32).ravel()
        self.assertGreater(len(set(clusters)), 10)
        for source, cluster, flag in zip(sources, clusters, flags):
            self.assertEqual(cluster, numpy.uint32(wanted[source]["cluster"]).astype(numpy.int32))
            self.assertEqual(flag, numpy.uint32(wanted[source]["surface_flags"]).astype(numpy.int32))

    def test_colors_are_the_stored_ones(self) -> None:
        view = load(ATRIUM).mesh(0)
        sections = [s for s in view.sections if s.kind == abi.VISIBLE]
        rows = numpy.concatenate([numpy.arange(s.first_vertex, s.first_vertex + s.vertex_count) for s in sections])
        world = objects_of(bspscene.import_map(str(ATRIUM)), "worldspawn")[0].data
        colors = get(world.color_attributes["Color"].data, "color", 4)
        stored = view.colors.reshape(-1, 4)[rows] / 255.0
        linear = numpy.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)
        numpy.testing.assert_allclose(colors[:, :3], linear[:, :3], atol=1e-5)


class Keeping(unittest.TestCase):
    """What was imported stays, and what the user did stays too."""

    def setUp(self) -> None:
        reset()

    def test_saved_files_open_again(self) -> None:
        bspscene.import_map(str(ATRIUM))
        before, faces = counts(), sum(len(m.polygons) for m in bpy.data.meshes)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "atrium.blend")
            bpy.ops.wm.save_as_mainfile(filepath=path)
            bpy.ops.wm.open_mainfile(filepath=path)
            self.assertEqual({k: v for k, v in counts().items() if k != "texts"},
                             {k: v for k, v in before.items() if k != "texts"})
            self.assertEqual(sum(len(m.polygons) for m in bpy.data.meshes), faces)
            self.assertTrue(all(image.packed_file and min(image.size) for image in bpy.data.images))
            reset()

    def test_pages_go_beside_a_saved_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "atrium.blend"))
            bspscene.import_map(str(ATRIUM))
            written = os.listdir(os.path.join(folder, "lightmaps"))
            self.assertEqual(written, ["atrium_lightmap_0.png"])
            image = next(i for i in bpy.data.images if i in pages())
            self.assertEqual(image.filepath.replace("\\", "/"), "//lightmaps/atrium_lightmap_0.png")
            self.assertGreater(min(image.size), 1)
            reset()

    def test_edited_materials_survive_another_import(self) -> None:
        bspscene.import_map(str(ATRIUM))
        material = next(m for m in bpy.data.materials if m["game_name"] == "textures/sample/brick")
        material["mine"] = 1
        before = counts()
        root = bspscene.import_map(str(ATRIUM))
        self.assertIn(material, list(objects_of(root, "worldspawn")[0].data.materials))
        for name in ("materials", "images", "node_groups"):
            self.assertEqual(counts()[name], before[name], name)

    def test_nothing_else_of_the_scene_changes(self) -> None:
        def settings():
            s = bpy.context.scene
            return (s.render.engine, s.view_settings.view_transform, s.world, s.camera, s.unit_settings.scale_length,
                    s.render.resolution_x, s.frame_current)
        before = settings()
        bspscene.import_map(str(ATRIUM))
        self.assertEqual(settings(), before)


class Options(unittest.TestCase):
    def setUp(self) -> None:
        reset()

    def test_relight_uses_no_lightmap(self) -> None:
        bspscene.import_map(str(ATRIUM), shading="RELIGHT")
        brick = next(m for m in bpy.data.materials if m["game_name"] == "textures/sample/brick")
        kinds = {node.type for node in brick.node_tree.nodes}
        self.assertIn("BSDF_PRINCIPLED", kinds)
        self.assertFalse([i for i in bpy.data.images if i in pages()])

    def test_parts_can_be_left_out(self) -> None:
        root = bspscene.import_map(str(ATRIUM), lights=False, cameras=False, entities=False, hidden=False,
                                   textures=False)
        self.assertEqual({c.name for c in root.children}, {"World", "Brush entities"})

    def test_entities_are_grouped_by_class(self) -> None:
        root = bspscene.import_map(str(ATRIUM), models="NONE")
        entities = next(c for c in root.children if c["bspscene_kind"] == "Entities")
        self.assertFalse([made.name for made in entities.objects if "classname" in made])
        self.assertGreater(len(entities.children), 2)
        for group in entities.children:
            self.assertEqual({group.name.split(".")[0]}, {made["classname"] for made in group.objects})
        everything = {made["bspscene_node"] for made in entities.all_objects}
        reset()
        root = bspscene.import_map(str(ATRIUM), models="NONE", by_class=False)
        entities = next(c for c in root.children if c["bspscene_kind"] == "Entities")
        self.assertEqual({made["bspscene_node"] for made in entities.objects}, everything)
        self.assertFalse(list(entities.children))

    def test_props_are_grouped_by_model(self) -> None:
        """Also those whose model is missing; what a game's code shows for an item has its model's collection."""
        root = bspscene.import_map(str(FIXTURES / "source/maps/room.bsp"))
        props = next(c for c in root.children if c["bspscene_kind"] == "Props")
        self.assertFalse(list(props.objects))
        for group in props.children:
            self.assertEqual({group.name.split(".mdl")[0]}, {made["model"][:-4] for made in group.objects})
        self.assertIn("models/test/barrel.mdl", [group.name for group in props.children])

    def test_size_is_chosen(self) -> None:
        bspscene.import_map(str(ATRIUM), metres_per_unit=1.0)
        world = next(o for o in bpy.data.objects if o.name == "worldspawn")
        self.assertAlmostEqual(world.dimensions.x, 1024, places=2)

    def test_hdr_pages_are_linear(self) -> None:
        try:
            bspscene.import_map(str(ATRIUM), hdr=True)
        except scene.MapError as error:
            self.skipTest(str(error))
        image = next(i for i in bpy.data.images if i in pages())
        self.assertTrue(image.is_float)


class BadInput(unittest.TestCase):
    """Whatever the file is: one report, no traceback, nothing left behind."""

    def setUp(self) -> None:
        reset()

    def test_refused_files_leave_nothing(self) -> None:
        before = counts()
        refused = 0
        for path in sorted((FIXTURES / "rejected").iterdir()):
            try:
                bspscene.import_map(str(path))
            except scene.MapError:
                self.assertEqual(counts(), before, path.name)
                refused += 1
            else:
                reset()
        self.assertGreater(refused, 10)

    def test_a_failure_half_way_is_rolled_back(self) -> None:
        before, real, calls = counts(), node_module.Objects._set_keys, []

        def fail_at_the_tenth(objects, made, entity) -> None:
            calls.append(entity)
            if len(calls) == 10:
                raise ZeroDivisionError
            real(objects, made, entity)

        node_module.Objects._set_keys = fail_at_the_tenth
        try:
            with self.assertRaises(ZeroDivisionError):
                bspscene.import_map(str(ATRIUM))
        finally:
            node_module.Objects._set_keys = real
        self.assertEqual(counts(), before)

    def test_cancel_leaves_nothing(self) -> None:
        before = counts()
        with self.assertRaises(scene.MapError):
            bspscene.import_map(str(ATRIUM), progress=lambda *_: False)
        self.assertEqual(counts(), before)


class Operator(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        bspscene.register()

    def tearDown(self) -> None:
        bspscene.unregister()

    def test_imports_several_maps(self) -> None:
        names = [{"name": "atrium.bsp"}, {"name": "atrium_deluxe.bsp"}]
        done = bpy.ops.import_scene.bspscene(directory=str(ATRIUM.parent), files=names)
        self.assertEqual(done, {"FINISHED"})
        self.assertEqual({c.name for c in bpy.context.scene.collection.children}, {"atrium", "atrium_deluxe"})

    def test_reports_a_file_that_is_no_map(self) -> None:
        before = counts()
        with self.assertRaises(RuntimeError) as caught:
            bpy.ops.import_scene.bspscene(filepath=str(FIXTURES / "rejected/unknown-format_zip.bsp"))
        self.assertIn("unknown-format_zip.bsp", str(caught.exception))
        self.assertEqual(counts(), before)

    def test_reports_every_bad_file_in_one_line(self) -> None:
        before, refused = counts(), 0
        for path in sorted((FIXTURES / "rejected").iterdir()):
            if path.name.startswith("bad-data"):
                continue
            with self.assertRaises(RuntimeError, msg=path.name) as caught:
                bpy.ops.import_scene.bspscene(filepath=str(path))
            said = str(caught.exception).strip()
            self.assertIn(path.name, said)
            self.assertNotIn("Traceback", said)
            self.assertNotIn("\n", said)
            self.assertEqual(counts(), before, path.name)
            refused += 1
        self.assertGreater(refused, 10)

    @unittest.skipUnless(bpy.app.binary_path, "the bpy module is no program")
    def test_a_bad_file_is_the_exit_code_of_a_script(self) -> None:
        script = (f"import sys; sys.path.insert(0, {str(Path(bspscene.__file__).parents[1])!r}); import bpy, bspscene; "
                  f"bspscene.register(); bpy.ops.import_scene.bspscene(filepath=sys.argv[-1])")
        for path, code in ((ATRIUM, 0), (FIXTURES / "rejected/unknown-format_zip.bsp", 3)):
            run = subprocess.run([bpy.app.binary_path, "-b", "--factory-startup", "--python-exit-code", "3",
                                  "--python-expr", script, "--", str(path)],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(run.returncode, code, run.stdout.decode("utf-8", "replace"))

    def test_tells_where_textures_were_looked_for(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            lonely = os.path.join(folder, "atrium.bsp")
            Path(lonely).write_bytes(ATRIUM.read_bytes())
            self.assertEqual(bpy.ops.import_scene.bspscene(filepath=lonely, game_paths="/nowhere"), {"FINISHED"})
        told = bpy.data.texts[operators.REPORT_NAME].as_string()
        for words in ("textures/sample/brick", "/nowhere", "Searched in:"):
            self.assertIn(words, told)

    def test_lightmaps_survive_blenders_gltf_exporter(self) -> None:
        if addon_utils.enable("io_scene_gltf2") is None:
            self.skipTest("this Blender has no glTF exporter")
        self.assertFalse(bpy.ops.object.bspscene_prepare_gltf.poll(), "there is no map yet")
        bspscene.import_map(str(ATRIUM), lights=False, cameras=False, hidden=False)
        self.assertEqual(bpy.ops.object.bspscene_prepare_gltf(), {"FINISHED"})
        self.assertEqual(bpy.ops.object.bspscene_prepare_gltf(), {"CANCELLED"})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "atrium.glb")
            bpy.ops.export_scene.gltf(filepath=path)
            content = Path(path).read_bytes()
            self.validate(path)
        gltf = json.loads(content[20:20 + int.from_bytes(content[12:16], "little")])
        lit = [m for m in gltf["materials"] if "occlusionTexture" in m]
        self.assertGreater(len(lit), 5)
        for material in lit:
            self.assertEqual(material["occlusionTexture"]["texCoord"], 1, material["name"])
            self.assertIn("baseColorTexture", material["pbrMetallicRoughness"], material["name"])
        for mesh in gltf["meshes"]:
            for primitive in mesh["primitives"]:
                self.assertIn("TEXCOORD_1", primitive["attributes"], mesh["name"])

    def validate(self, path: str) -> None:
        """The Khronos validator's word, where it is installed. Its remarks are the exporter's affair."""
        node = shutil.which("node")
        if node is None:
            return
        script = Path(__file__).resolve().parents[1] / "gltf/validate.mjs"
        run = subprocess.run([node, str(script), path], stdout=subprocess.PIPE, text=True)
        if run.returncode != 77:
            self.assertIn(" 0 errors, 0 warnings, ", run.stdout)

    def test_can_be_taken_away_and_brought_back(self) -> None:
        for _ in range(2):
            bspscene.unregister()
            self.assertIsNone(library._loaded)
            self.assertFalse(hasattr(bpy.types, "IMPORT_SCENE_OT_bspscene"))
            bspscene.register()
            self.assertEqual(bpy.ops.import_scene.bspscene(filepath=str(ATRIUM)), {"FINISHED"})


if __name__ == "__main__":
    print(f"Blender {bpy.app.version_string}")
    failed = not unittest.main(argv=[__file__], exit=False).result.wasSuccessful()
    if not bpy.app.binary_path:
        # The bpy module 4.2 crashes at exit when anybody registered a class: it lets go of it after Python has ended.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(failed)
    if failed:
        raise SystemExit(1)
