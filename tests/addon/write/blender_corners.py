"""Tests in Blender of writing corners of faces into a map: an independent reader finds exactly the changes in the new
map's vertices."""
import tempfile
import unittest
from pathlib import Path

import bpy
import numpy
from blender_support import ATRIUM, FIXTURES, addon, reset
from io_scene_bspscene.build.baked.bake import face_numbers
from io_scene_bspscene.build.data.again import KIND, NODE
from io_scene_bspscene.build.data.mesh import COLOR, corner_normals, read

RAVEN = FIXTURES / "atrium/jediacademy/maps/atrium.bsp"
QUAKE = FIXTURES / "atrium/quake/maps/atrium.bsp"
SOURCE = FIXTURES / "source/maps/room.bsp"
VERTICES, SURFACES, POLYGON = 10, 13, 1
# The sizes of a vertex and of a surface in bytes, and the offsets of values in a vertex.
QUAKE3 = {"vertex": 44, "surface": 104, "uv": 12, "normal": 28, "color": 40}
JEDI = {"vertex": 80, "surface": 148, "uv": 12, "normal": 52, "color": 64}


class Vertices:
    """Reads Quake III's vertices, independently of the library."""

    def __init__(self, path: Path, kind: dict[str, int]) -> None:
        self.content = path.read_bytes()
        at, size = self._lump(VERTICES)
        self.records = numpy.frombuffer(self.content, numpy.uint8, size, at).reshape(-1, kind["vertex"])
        self.others = self.content[:at] + self.content[at + size:]
        self._kind = kind
        at, size = self._lump(SURFACES)
        self.surfaces = numpy.frombuffer(self.content, numpy.uint8, size, at).reshape(-1, kind["surface"])

    def _lump(self, number: int) -> list[int]:
        return numpy.frombuffer(self.content, "<u4", 2, 8 + 8 * number).tolist()

    def floats(self, what: str, count: int) -> numpy.ndarray:
        at = self._kind[what]
        return numpy.ascontiguousarray(self.records[:, at:at + 4 * count]).view("<f4")

    def of(self, face: int) -> numpy.ndarray:
        """Returns the indices of a face's vertices."""
        first, count = numpy.ascontiguousarray(self.surfaces[face, 12:20]).view("<u4").tolist()
        return numpy.arange(first, first + count)

    def polygons(self) -> list[int]:
        kinds = numpy.ascontiguousarray(self.surfaces[:, 8:12]).view("<u4")[:, 0]
        return numpy.nonzero(kinds == POLYGON)[0].tolist()


class Corners(unittest.TestCase):
    def setUp(self) -> None:
        reset()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.target = Path(folder.name) / "new.bsp"

    def start(self, path: Path, kind: dict[str, int]) -> None:
        self.root, self.old, self._kind = addon.import_map(str(path)), Vertices(path, kind), kind

    def pick(self, which: int = 0) -> tuple[bpy.types.Mesh, int, numpy.ndarray]:
        """Returns a mesh, the number of a polygon of the map that has several triangles in this mesh, and the corners
        of these triangles."""
        found = []
        kinds = [kind for kind in self.root.children if kind[KIND] != "Collision"]
        drawn = [made for kind in kinds for made in kind.all_objects if made.type == "MESH"]
        for mesh in {made.data for made in drawn}:
            numbers = face_numbers(mesh)
            starts = read(mesh.polygons, "loop_start", 1, numpy.int32)[:, 0]
            for face in self.old.polygons() if numbers is not None else []:
                own = starts[numbers == face]
                if len(own) > 1 and len(self.old.of(face)) == 4:
                    found.append((face, mesh, (own[:, None] + numpy.arange(3)).ravel()))
        face, mesh, loops = sorted(found, key=lambda one: one[0])[which]
        return mesh, face, loops

    def write(self) -> Vertices:
        self.written = addon.write_entities(self.root, str(self.target))
        new = Vertices(self.target, self._kind)
        self.assertEqual(new.others, self.old.others)
        self.assertEqual(new.records.shape, self.old.records.shape)
        return new

    def assert_changed(self, new: Vertices, what: str, size: int, vertices: numpy.ndarray) -> None:
        differs = new.records != self.old.records
        rows = numpy.nonzero(differs.any(axis=1))[0]
        self.assertEqual(rows.tolist(), vertices.tolist())
        columns = numpy.nonzero(differs.any(axis=0))[0]
        at = self._kind[what]
        self.assertTrue(at <= columns.min() and columns.max() < at + size, columns)
        self.assertEqual(self.written.rewritten.corners_changed, len(rows))
        self.assertEqual(self.written.told, [])

    def test_texture_coordinates(self) -> None:
        for path, kind in ((ATRIUM, QUAKE3), (RAVEN, JEDI)):
            with self.subTest(path):
                reset()
                self.start(path, kind)
                mesh, face, loops = self.pick(3)
                values = read(mesh.uv_layers["UVMap"].data, "uv", 2)
                values[loops] = values[loops] * (1, 2) + (0.25, 0)
                mesh.uv_layers["UVMap"].data.foreach_set("uv", values.ravel())
                new = self.write()
                self.assert_changed(new, "uv", 8, self.old.of(face))
                before, after = (one.floats("uv", 2)[self.old.of(face)] for one in (self.old, new))
                self.assertLess(abs(after[:, 0] - before[:, 0] - 0.25).max(), 1e-5)
                self.assertLess(abs((1 - after[:, 1]) - 2 * (1 - before[:, 1])).max(), 1e-4)

    def test_normals(self) -> None:
        self.start(ATRIUM, QUAKE3)
        mesh, face, loops = self.pick(5)
        normals = corner_normals(mesh)
        normals[loops] = normals[loops] + (0.5, 0.5, 0.5)
        normals[loops] /= numpy.linalg.norm(normals[loops], axis=1, keepdims=True)
        if hasattr(mesh, "use_auto_smooth"):
            mesh.use_auto_smooth = True
        mesh.polygons.foreach_set("use_smooth", numpy.ones(len(mesh.polygons), bool))
        mesh.normals_split_custom_set(normals.tolist())
        new = self.write()
        self.assert_changed(new, "normal", 12, self.old.of(face))
        at = read(mesh.loops, "vertex_index", 1, numpy.int32)[:, 0][loops]
        wanted = {tuple(normal.round(2)) for normal, _ in zip(normals[loops], at)}
        there = {tuple(normal.round(2)) for normal in new.floats("normal", 3)[self.old.of(face)]}
        self.assertEqual({tuple(abs(numpy.array(one)).round(1)) for one in wanted},
                         {tuple(abs(numpy.array(one)).round(1)) for one in there})

    def test_colors(self) -> None:
        self.start(ATRIUM, QUAKE3)
        mesh, face, loops = self.pick(2)
        at = read(mesh.loops, "vertex_index", 1, numpy.int32)[:, 0][loops]
        values = read(mesh.color_attributes[COLOR].data, "color", 4)
        values[at, 3] = 0.5
        mesh.color_attributes[COLOR].data.foreach_set("color", values.ravel())
        new = self.write()
        self.assert_changed(new, "color", 4, self.old.of(face))
        before, after = (one.records[self.old.of(face)][:, 40:44] for one in (self.old, new))
        self.assertTrue((before[:, :3] == after[:, :3]).all() and (after[:, 3] == 128).all())
        # This is the display value 128. The file has a quarter of it, because the game multiplies by four.
        values[at] = (0.2159, 0, 0, 1)
        mesh.color_attributes[COLOR].data.foreach_set("color", values.ravel())
        self.assertTrue((self.write().records[self.old.of(face)][:, 40:44] == (32, 0, 0, 255)).all())

    def test_what_no_vertex_can_be_is_told(self) -> None:
        """If two corners share a vertex of the file but have different values, this is reported."""
        self.start(ATRIUM, QUAKE3)
        mesh, _, loops = self.pick()
        values = read(mesh.uv_layers["UVMap"].data, "uv", 2)
        at = read(mesh.loops, "vertex_index", 1, numpy.int32)[:, 0][loops]
        shared = next(loop for loop, vertex in zip(loops, at) if (at == vertex).sum() > 1)
        values[shared] += 0.5
        mesh.uv_layers["UVMap"].data.foreach_set("uv", values.ravel())
        new = self.write()
        self.assertEqual(new.content, self.old.content)
        self.assertIn("different texture coordinates", "\n".join(told.line() for told in self.written.told))


class Projected(unittest.TestCase):
    """Maps in which each face has a texture projection instead of coordinates at its vertices."""

    def setUp(self) -> None:
        reset()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.target = Path(folder.name) / "new.bsp"

    def turn(self, path: Path, matrix: numpy.ndarray) -> tuple[bpy.types.Collection, bpy.types.Mesh, numpy.ndarray]:
        """Imports a map, and rotates the texture of a square face in Blender."""
        root = addon.import_map(str(path))
        mesh = next(made.data for made in root.all_objects if made.type == "MESH" and made[NODE] == "worldspawn")
        numbers = face_numbers(mesh)
        face = next(face for face in numpy.unique(numbers) if (numbers == face).sum() == 2)
        starts = read(mesh.polygons, "loop_start", 1, numpy.int32)[:, 0]
        loops = (starts[numbers == face][:, None] + numpy.arange(3)).ravel()
        values = read(mesh.uv_layers["UVMap"].data, "uv", 2)
        values[loops] = values[loops] @ matrix[:, :2].T + matrix[:, 2]
        mesh.uv_layers["UVMap"].data.foreach_set("uv", values.ravel())
        return root, values, numbers == face

    def test_a_wall_of_source(self) -> None:
        """The new map looks like the edited import, on that wall and on all others."""
        root, wanted, _ = self.turn(SOURCE, numpy.array([[0.5, 1, 0.125], [-1, 0.5, 2]]))
        written = addon.write_entities(root, str(self.target))
        self.assertEqual((written.told, written.rewritten.corners_changed), ([], 4))
        reset()
        again = addon.import_map(str(self.target))
        mesh = next(made.data for made in again.all_objects if made.type == "MESH" and made[NODE] == "worldspawn")
        self.assertLess(abs(read(mesh.uv_layers["UVMap"].data, "uv", 2) - wanted).max(), 1e-4)

    def test_light_that_would_move_is_told(self) -> None:
        """In Quake's maps, the texture axes also place the light. So a changed texture is refused, but entities are
        still written."""
        root, _, _ = self.turn(QUAKE, numpy.array([[0.5, 1, 0.125], [-1, 0.5, 2]]))
        made = next(made for made in root.all_objects if made.get("classname") == "info_player_start")
        made.location.x += 1
        written = addon.write_entities(root, str(self.target))
        self.assertIn("its lightmap follows the projection of its texture",
                      "\n".join(told.line() for told in written.told))
        self.assertEqual((written.rewritten.corners_changed, len(written.rewritten.changes)), (0, 1))


if __name__ == "__main__":
    unittest.main(argv=["blender_corners"])
