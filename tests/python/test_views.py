"""Arrays and entities of the Python package: views of the scene's memory that cannot dangle or be changed."""
import gc
import importlib
import unittest
from typing import Any

import numpy
from package import ATRIUM, GAME, bspscene, load

library: Any = importlib.import_module("bspscene.library")


class Views(unittest.TestCase):
    def test_have_a_row_for_each_vertex_and_triangle(self) -> None:
        for mesh in load().meshes():
            vertices, triangles = mesh.record.vertex_count, mesh.record.index_count // 3
            self.assertEqual((mesh.positions.shape, mesh.uvs.shape), ((vertices, 3), (vertices, 2)))
            self.assertEqual(mesh.triangles.shape, (triangles, 3))
            self.assertLess(int(mesh.triangles.max()), vertices)
            numpy.testing.assert_allclose(numpy.linalg.norm(mesh.normals, axis=1), 1, atol=1e-4)

    def test_stand_in_the_world_where_its_bounds_are(self) -> None:
        scene = load(models="none")
        self.assertGreater(len(scene.meshes()), 1)
        least, most = numpy.full(3, numpy.inf), numpy.full(3, -numpy.inf)
        for node, mesh, matrix in scene.instances():
            if not node.hidden and len(mesh.positions):
                points = mesh.positions @ matrix[:, :3].T + matrix[:, 3]
                least, most = numpy.minimum(least, points.min(axis=0)), numpy.maximum(most, points.max(axis=0))
        numpy.testing.assert_allclose(least, list(scene.data.bounds.min), atol=0.01)
        numpy.testing.assert_allclose(most, list(scene.data.bounds.max), atol=0.01)

    def test_move_with_their_parents(self) -> None:
        """A wheel at (368, 0, 160) hangs from a node that is turned by 180 degrees about Z, at (0, 0, 32)."""
        scene = load()
        nodes = {node.name: number for number, node in enumerate(scene.items("nodes"))}
        wheel = scene.items("nodes")[nodes["func_rotating:2"]]
        wheel.parent = nodes["info_player_start:4"]
        (matrix,) = [matrix for node, _, matrix in scene.instances() if node.name == wheel.name]
        numpy.testing.assert_allclose(matrix, [[-1, 0, 0, -368], [0, -1, 0, 0], [0, 0, 1, 192]], atol=1e-3)

    def test_cannot_be_written_to(self) -> None:
        """Arrays are read-only, because the library trusts a scene's indices and could otherwise read outside of
        arrays."""
        scene = load()
        mesh = scene.mesh(0)
        for view in (mesh.positions, mesh.triangles, mesh.indices, scene.faces(), scene.pages()[0].luxels()):
            with self.assertRaises(ValueError):
                view[0] = 0

    def test_outlive_everything_else(self) -> None:
        kept = load().mesh(0).positions, load().pages()[0].luxels(), load().items("lightmap_sets")[0].pages[0], \
            load().entities("func_door")[0], bspscene.bake(load(), vertices=True).mesh(0).baked_light
        copies = kept[0].copy(), kept[1].copy(), kept[4].copy()
        gc.collect()
        load()   # reuses freed memory, if any was freed
        self.assertTrue((kept[0] == copies[0]).all() and (kept[1] == copies[1]).all())
        self.assertTrue((kept[4] == copies[2]).all())
        self.assertEqual(bspscene.Page(None, kept[2]).luxels().shape, copies[1].shape)
        self.assertEqual(kept[3]["classname"], "func_door")
        self.assertFalse(library.release())
        del kept
        gc.collect()

    def test_numbers_out_of_range_are_errors(self) -> None:
        scene = load()
        for number in (-1, scene.data.mesh_count):
            with self.assertRaises(IndexError):
                scene.mesh(number)


class Entities(unittest.TestCase):
    def test_are_mappings_of_what_the_game_reads(self) -> None:
        door = load().entities("func_door")[0]
        self.assertEqual((door["LIP"], door.get("nothing"), "lip" in door, 3 in door), ("8", None, True, False))
        self.assertEqual(list(door)[:2], ["classname", "targetname"])
        self.assertEqual(len(door), len(dict(door)))
        with self.assertRaises(KeyError):
            door["nothing"]

    def test_list_repeated_keys_as_first_spelled(self) -> None:
        content = ATRIUM.read_bytes().replace(b'"speed" "100"', b'"LIP"   "100"', 1)
        door = bspscene.load("maps/atrium.bsp", data=content, games=GAME).entities("func_door")[0]
        self.assertEqual([key for key, _ in door.pairs],
                         ["classname", "targetname", "angle", "lip", "LIP", "wait", "model"])
        self.assertEqual(list(door), ["classname", "targetname", "angle", "lip", "wait", "model"])
        self.assertEqual(len(door), 6)

    def test_know_their_place_and_target(self) -> None:
        scene = load()
        lights = scene.entities("light")
        self.assertEqual([list(light.origin) for light in lights],
                         [[float(word) for word in light["origin"].split()] for light in lights])
        targets = [(entity, entity.target) for entity in scene.entities() if entity.target]
        self.assertTrue(targets)
        for entity, target in targets:
            self.assertEqual(entity["target"], target.targetname)


if __name__ == "__main__":
    unittest.main()
