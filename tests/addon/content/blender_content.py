"""Tests in Blender of imported contents: every fixture, and maps of games, compared with the library's scene."""
import shutil
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy
from blender_support import (
    ATRIUM,
    FIXTURES,
    FURTHER,
    MAPS,
    METERS,
    OPENARENA,
    addon,
    get,
    load,
    objects_of,
    pages,
    reset,
    uvs_of,
)
from io_scene_bspscene.build.objects import node as node_module
from bspscene import abi, scene


def normals_of(mesh: bpy.types.Mesh) -> numpy.ndarray:
    if hasattr(mesh, "calc_normals_split"):
        mesh.calc_normals_split()
        return get(mesh.loops, "normal", 3)
    return get(mesh.corner_normals, "vector", 3)


class Corners:
    """The corners of those sections of a library mesh that one object shows, in the order of the sections."""

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
    """Every fixture is imported completely."""

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
                root = addon.import_map(str(path))
                self.compare_nodes(loaded, root)
                self.compare_meshes(loaded, root)
                self.compare_images(loaded)

    @unittest.skipUnless(OPENARENA.is_dir(), "BSPSCENE_OPENARENA names no directory")
    def test_five_maps_of_openarena(self) -> None:
        for name in ("aggressor", "czest1dm", "oa_dm5", "oa_pvomit", "ps9ctf"):
            with self.subTest(map=name):
                reset()
                report = addon.importer.Report()
                root = addon.import_map(str(OPENARENA), report, map=name)
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
                root = addon.import_map(str(path))
                self.compare_nodes(loaded, root)
                self.compare_meshes(loaded, root)
                self.compare_source(loaded, root)

    def test_props_say_what_a_loader_needs(self) -> None:
        """A static prop has the values that the map states as properties, and no others."""
        root = addon.import_map(str(FIXTURES / "source/maps/room.bsp"))
        barrel, plain = (objects_of(root, f"prop_static:{i}")[0] for i in range(2))
        self.assertEqual([o["model"] for o in (barrel, plain)], ["models/test/barrel.mdl"] * 2)
        wanted = {"skin": 1, "solid": 6, "flags": 3, "fade_near": 300, "fade_far": 400, "fade_scale": 0.5}
        self.assertEqual({key: barrel[key] for key in wanted}, wanted)
        self.assertEqual(list(barrel["lighting_origin"]), [32, 32, 48])
        self.assertEqual(list(barrel["dx_levels"]), [80, 95])
        for key in (*wanted, "color", "flags_ex", "lightmap_size", "cpu_levels"):
            self.assertNotIn(key, plain)

    def test_props_without_models_are_in_the_report(self) -> None:
        report = addon.importer.Report()
        addon.import_map(str(FIXTURES / "source/maps/room.bsp"), report)
        self.assertIn("  models/test/barrel.mdl", report.lines())

    def test_props_with_models_are_not(self) -> None:
        with tempfile.TemporaryDirectory() as game:
            maps = Path(game) / "maps"
            maps.mkdir()
            shutil.copy(FIXTURES / "source/maps/room.bsp", maps)
            model = (FIXTURES.parent / "fuzz/models/corpus/md3").read_bytes()[14:]
            target = Path(game) / "models/test/barrel.mdl"   # an MD3: the format is known by the first bytes
            target.parent.mkdir(parents=True)
            target.write_bytes(model)
            report = addon.importer.Report()
            addon.import_map(str(maps / "room.bsp"), report)
        self.assertNotIn("  models/test/barrel.mdl", report.lines())

    def compare_source(self, loaded: scene.Scene, root: bpy.types.Collection) -> None:
        """Checks that the mesh has the blend weights of displacements and the light of the three bump directions."""
        for index in range(loaded.data.mesh_count):
            view = loaded.mesh(index)
            if view.blend_alphas is not None and view.blend_alphas.any():
                blends = [o.data.attributes["blend"] for o in root.all_objects
                          if o.type == "MESH" and "blend" in o.data.attributes]
                most = max(float(get(blend.data, "value", 1).max()) for blend in blends)
                self.assertAlmostEqual(most, float(view.blend_alphas.max()), places=5)
        bumps = [record for record in loaded.items("lightmap_sets") if record.kind == abi.LIGHTMAP_SET_BUMP_0]
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
                place = numpy.array(loaded.world_transform(entity.node)).reshape(3, 4)[:, 3] * METERS
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
        shells = [kind for kind in root.children if kind[node_module.KIND] == "Collision"]
        triangles += sum(len(made.data.polygons) for kind in shells for made in kind.objects)
        shown = [n.mesh for n in loaded.items("nodes") if n.mesh != abi.NO_INDEX]
        drawn = [loaded.data.meshes[mesh].contents.index_count for mesh in shown]
        self.assertEqual(triangles, sum(drawn) // 3)

    def compare_mesh(self, made: bpy.types.Object, view: scene.MeshView, record: abi.Node) -> int:
        mesh, name = made.data, made.users_collection[0].name
        own = {abi.NODE_BRUSH_ENTITY: "Brush entities", abi.NODE_PROP: "Props"}.get(record.kind, "World")
        if record.kind == abi.NODE_PROP:
            name = own   # the object is in a collection named like its model, which is inside "Props"
        sections = [s for s in view.sections if node_module.Objects._collection_of(s.surface_kind, own) == name]
        corners = Corners(view, sections)
        self.assertFalse(mesh.validate(), "Blender found something to repair")
        self.assertEqual(len(mesh.loops), len(corners.index))
        self.assertEqual([layer.name for layer in mesh.uv_layers], ["UVMap", "Lightmap"])
        flip = numpy.array([1, -1], numpy.float32)
        numpy.testing.assert_allclose(uvs_of(mesh, "UVMap"), corners.uvs * flip + [0, 1], atol=1e-5)
        if corners.lightmap_uvs is not None:
            numpy.testing.assert_allclose(uvs_of(mesh, "Lightmap"), corners.lightmap_uvs * flip + [0, 1], atol=1e-6)
        areas = get(mesh.polygons, "area", 1).ravel()
        self.assertAlmostEqual(float(areas.sum(dtype=numpy.float64)) / METERS ** 2 / corners.area(), 1, places=4)
        # In Blender, a triangle without area has no normal.
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
        if not loaded.data.lightmap_set_count:
            self.assertFalse(pages())
            return
        page = loaded.items("lightmap_sets")[0].pages[0]
        made = next(i for i in pages() if "_lightmap_0" in i.name)
        self.assertEqual(tuple(made.size), (page.width, page.height))

    def test_hidden_surfaces_are_there_but_excluded(self) -> None:
        """With the game's look, the collection "Sky" is shown. "Collision" is excluded from the view layer."""
        root = addon.import_map(str(ATRIUM))
        layer = bpy.context.view_layer.layer_collection.children[root.name]
        excluded = {child.name: child.exclude for child in layer.children}
        self.assertTrue(excluded["Collision"])
        self.assertFalse(excluded["Sky"])
        self.assertFalse(excluded["World"])
        self.assertGreater(len(root.children["Sky"].objects), 0)

    def test_faces_carry_the_games_numbers(self) -> None:
        loaded = load(ATRIUM)
        world = objects_of(addon.import_map(str(ATRIUM)), "worldspawn")[0].data
        faces = loaded.faces()[loaded.faces()["mesh"] == 0]
        wanted = {int(f["record"]): f for f in faces}
        sources = get(world.attributes["record"].data, "value", 1, numpy.int32).ravel()
        clusters = get(world.attributes["cluster"].data, "value", 1, numpy.int32).ravel()
        flags = get(world.attributes["surface_flags"].data, "value", 1, numpy.int32).ravel()
        self.assertGreater(len(set(clusters)), 10)
        for source, cluster, flag in zip(sources, clusters, flags):
            self.assertEqual(cluster, numpy.uint32(wanted[source]["cluster"]).astype(numpy.int32))
            self.assertEqual(flag, numpy.uint32(wanted[source]["surface_flags"]).astype(numpy.int32))

    def test_colors_are_the_stored_ones(self) -> None:
        view = load(ATRIUM).mesh(0)
        sections = [s for s in view.sections if s.surface_kind == abi.SURFACE_VISIBLE]
        rows = numpy.concatenate([numpy.arange(s.first_vertex, s.first_vertex + s.vertex_count) for s in sections])
        world = objects_of(addon.import_map(str(ATRIUM)), "worldspawn")[0].data
        colors = get(world.color_attributes["Color"].data, "color", 4)
        stored = view.colors.reshape(-1, 4)[rows] / 255.0
        linear = numpy.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)
        numpy.testing.assert_allclose(colors[:, :3], linear[:, :3], atol=1e-5)
