"""Tests of baked luxels that need only numpy: pages filled with rectangles of luxels, and light of triangles' corners
that becomes vertex light."""
import unittest
import unittest.mock
from typing import NamedTuple

import blender_support  # noqa: F401  (makes the add-on known)
import numpy
from io_scene_bspscene.build.baked import vertex_light
from io_scene_bspscene.build.rebaking import luxels as build_luxels
from io_scene_bspscene.build.rebaking.luxels import NO_RECTANGLE, Light, Rectangle, denoised, layers
from io_scene_bspscene.build.rebaking.planes import Join, joins


class Piece(NamedTuple):
    """A rectangular piece of a wall. It has a rectangle of luxels on the page, and the position of that rectangle on
    the wall. `low` and `high` are the piece's corners on the wall, all in luxels."""
    rectangle: Rectangle
    at: tuple[float, float]
    low: tuple[float, float]
    high: tuple[float, float]

    def luxels(self) -> numpy.ndarray:
        """Returns the corners of the piece's two triangles as luxel coordinates on the page."""
        (left, top), (right, bottom) = self.low, self.high
        corners = numpy.array([[[left, top], [right, top], [right, bottom]],
                               [[left, top], [right, bottom], [left, bottom]]], float)
        return corners - self.at + (self.rectangle.x, self.rectangle.y)

    def samples(self, light: Light, values: numpy.ndarray, factor: int) -> None:
        """Adds samples to `light` where the piece covers the rectangle. `values` (height x width) are those of the
        whole rectangle."""
        y, x = ((numpy.arange(n * factor) + 0.5) / factor for n in (self.rectangle.height, self.rectangle.width))
        x, y = x + self.at[0], y + self.at[1]
        there = (((x > self.low[0]) & (x < self.high[0]))[None]
                 & ((y > self.low[1]) & (y < self.high[1]))[:, None])
        light.sums.add(self.rectangle.x, self.rectangle.y, numpy.dstack([values, values, values, there]), factor)


def joined(pieces: list[Piece], rooms: list[numpy.ndarray] | None = None) -> list[Join]:
    """Finds where pieces of the wall continue each other (planes.Join). `rooms` has a matrix for each piece, which
    takes positions (x, y) on the wall to the room. By default all pieces lie in one plane."""
    size = 0.4   # size of a luxel, in units of the room
    spots = numpy.concatenate([piece.luxels() for piece in pieces])
    walls = [piece.luxels() + piece.at - (piece.rectangle.x, piece.rectangle.y) for piece in pieces]
    turns = rooms or [numpy.eye(2, 3)] * len(pieces)
    places = numpy.concatenate([size * wall @ turn for wall, turn in zip(walls, turns)])
    normals = numpy.concatenate([numpy.broadcast_to(numpy.cross(*turn), (2, 3, 3)) for turn in turns])
    return joins(places, normals, spots, numpy.repeat(numpy.arange(len(pieces)), 2))


def cut_wall(gap: int = 0) -> list[Piece]:
    """Makes a wall that is cut as GoldSrc's compiler cuts it. Both parts have the luxels along the cut, and each covers
    one half of them."""
    return [Piece(Rectangle(1, 2, 13, 200), (0, 0), (0.5, 0.5), (12.5, 199.5)),
            Piece(Rectangle(20, 3, 13, 200), (12 + gap, 0), (12.5 + gap, 0.5), (24.5 + gap, 199.5))]


def noisy(pieces: list[Piece]) -> Light:
    light, chance = Light(256, 64, [piece.rectangle for piece in pieces]), numpy.random.default_rng(7)
    for piece in pieces:
        piece.samples(light, chance.normal(1, 0.3, (2 * piece.rectangle.height, 2 * piece.rectangle.width)), 2)
    return light


class Sheets(unittest.TestCase):
    """Tests of luxels from samples, with numpy only."""

    def test_the_mean_of_what_is_covered(self) -> None:
        light = Light(2, 2, [Rectangle(0, 0, 2, 2)])
        samples = numpy.zeros((4, 4, 4), numpy.float32)
        samples[0, 0], samples[0, 1] = (1, 2, 3, 1), (3, 2, 1, 1)   # two of four samples of the first luxel
        samples[2:, 2:] = (5, 5, 5, 1)
        samples[3, 3, :3] = numpy.nan
        light.sums.add(0, 0, samples, 2)
        self.assertEqual(light.settle(False), 2)
        self.assertEqual(light.light[0, 0].tolist(), [2, 2, 2])
        self.assertEqual(light.light[1, 1].tolist(), [3.75] * 3)
        self.assertGreater(light.light[0, 1].min(), 0)

    def test_filling_ends_at_rectangles(self) -> None:
        light = Light(1, 6, [Rectangle(0, 0, 3, 1), Rectangle(3, 0, 3, 1)])
        samples = numpy.zeros((1, 6, 4), numpy.float32)
        samples[0, 0], samples[0, 5] = (1, 1, 1, 1), (9, 9, 9, 1)
        light.sums.add(0, 0, samples, 1)
        self.assertEqual(light.settle(False), 4)
        self.assertEqual(light.light[0, :, 0].tolist(), [1, 1, 1, 9, 9, 9])

    def test_small_rectangles_own_their_luxels(self) -> None:
        """Light of a rectangle inside a larger one fills that rectangle only, in whatever order they are given."""
        both = [Rectangle(0, 0, 4, 4), Rectangle(1, 1, 2, 2)]
        samples = numpy.zeros((4, 4, 4), numpy.float32)
        samples[0, 0], samples[1, 1] = (1, 1, 1, 1), (9, 9, 9, 1)
        for rectangles in (both, both[::-1]):
            light = Light(4, 4, rectangles)
            light.sums.add(0, 0, samples, 1)
            self.assertEqual(light.settle(False), 14)
            self.assertEqual(light.light[..., 0].tolist(), [[1, 1, 1, 1], [1, 9, 9, 1], [1, 9, 9, 1], [1, 1, 1, 1]])

    def test_a_rectangle_without_samples_stays(self) -> None:
        light = Light(1, 4, [Rectangle(0, 0, 2, 1), Rectangle(2, 0, 2, 1)])
        light.sums.add(0, 0, numpy.array([[[1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]], numpy.float32), 1)
        self.assertEqual(light.settle(True), 1)
        self.assertEqual(light.known.tolist(), [[True, True, False, False]])

    def test_denoising_keeps_edges_and_rectangles(self) -> None:
        chance = numpy.random.default_rng(3)
        light = numpy.ones((16, 32, 3), numpy.float32) + chance.normal(0, 0.1, (16, 32, 1)).astype(numpy.float32)
        light[:, 8:] += 4       # makes an edge inside the first rectangle
        owner = numpy.zeros((16, 32), numpy.int32)
        owner[:, 16:] = 1
        light[:, 16:] -= 3.9    # the second rectangle is nearly as dark as the part before that edge
        noise = numpy.full((16, 32), 0.01, numpy.float32)
        result = denoised(light, noise, owner)
        self.assertLess(result[:, :8].std(), 0.5 * light[:, :8].std())
        self.assertAlmostEqual(float(result[:, 8:16].mean()), 5, delta=0.1)
        alone = denoised(light, noise, numpy.where(owner == 0, 0, NO_RECTANGLE))
        self.assertTrue((alone[:, :16] == result[:, :16]).all())

    def test_faces_on_each_other_are_apart(self) -> None:
        square = numpy.array([[[0, 0], [4, 0], [4, 4]], [[0, 0], [4, 4], [0, 4]]], numpy.float32)
        uvs = numpy.concatenate([square, square, square + (4, 0)])
        faces = numpy.array([0, 0, 1, 1, 2, 2])
        shared = Rectangle(0, 0, 8, 4)
        found = layers(uvs, faces, {0: shared, 1: shared, 2: shared}, 4, 8)
        self.assertEqual(found.tolist(), [0, 0, 1, 1, 0, 0])


    def test_noise_goes_across_a_cut(self) -> None:
        """The step between two pieces of a wall is no larger than steps inside the pieces."""
        pieces = cut_wall()
        light = noisy(pieces)
        own = (light.sums.count > 0).sum()
        found = joined(pieces)
        self.assertEqual(sorted(found), [Join(0, 1, 7, 1), Join(1, 0, -7, -1)])
        filled = light.settle(True, found)
        self.assertEqual(own + filled, 2 * 13 * 200)
        one, other = (piece.rectangle.of(light.light)[..., 0] for piece in pieces)
        self.assertTrue((one[:, -1] == other[:, 0]).all())
        inside = numpy.concatenate([numpy.abs(numpy.diff(part[:, 1:-1])).ravel() for part in (one, other)]).mean()
        self.assertLess(numpy.abs(other[:, 1] - one[:, -1]).mean(), 1.2 * inside)
        self.assertLess(numpy.abs(one[:, -2] - other[:, 0]).mean(), 1.2 * inside)

    def unchanged(self, pieces: list[Piece], rooms: list[numpy.ndarray] | None = None) -> None:
        self.assertEqual(joined(pieces, rooms), [])
        alone, light = noisy(pieces), noisy(pieces)
        alone.settle(True)
        light.settle(True, joined(pieces, rooms))
        self.assertTrue((alone.light == light.light).all())

    def test_noise_stays_at_corners(self) -> None:
        """Two pieces that meet at the line x = 12.5 are not joined if there is an edge of the room, or if their luxels
        do not match."""
        flat = numpy.eye(2, 3)
        for upward in (1, -1):
            turned = numpy.array([[0, 0, upward], [0, 1, 0]], float)
            pieces = [Piece(Rectangle(1, 2, 13, 40), (-12, 0), (-12, 0.5), (0, 39.5)),
                      Piece(Rectangle(20, 3, 13, 40), (0, 0), (0, 0.5), (12, 39.5))]
            self.unchanged(pieces, [flat, turned])
        seen_from_behind = numpy.array([[1, 0, 0], [0, -1, 0]], float)
        self.unchanged(pieces, [flat, seen_from_behind])
        self.unchanged(pieces, [flat, flat * (1, 0.9, 1)])    # luxels of the second piece are less high
        self.assertEqual(len(joined(pieces, [flat, flat])), 2)

    def test_noise_stays_where_pieces_do_not_touch(self) -> None:
        self.unchanged(cut_wall(1))
        one, other = cut_wall()
        # This piece touches the other one, but its luxels are offset by a part of a luxel.
        aside = other._replace(at=(12.4, 0), low=(12.5, 0.5), high=(24.4, 199.5))
        self.unchanged([one, aside])
        # These two pieces touch at one point only.
        self.unchanged([one, other._replace(at=(12, 199), low=(12.5, 199.5), high=(24.5, 398.5))])

    def test_pieces_around_a_point(self) -> None:
        """Four pieces of a wall meet at a point. Pieces that touch only there are joined too. Luxels at that point use
        the samples of all four pieces."""
        pieces = [Piece(Rectangle(8 * x, 8 * y, 5, 5), (4 * x, 4 * y), (4 * x + 0.5, 4 * y + 0.5),
                        (4 * x + 4.5, 4 * y + 4.5)) for y in range(2) for x in range(2)]
        found = joined(pieces)
        self.assertEqual(len(found), 12)
        self.assertIn(Join(0, 3, 4, 4), found)
        light = noisy(pieces[:2])   # the other two pieces have no samples
        settled = Light(256, 64, [piece.rectangle for piece in pieces])
        settled.sums = light.sums
        settled.settle(True, found)
        self.assertLess(numpy.ptp([settled.light[y, x, 0] for y in (4, 8) for x in (4, 8)]), 1e-5)
        self.assertGreater(settled.light[8, 8, 0], 0)

    def test_a_point_between_rooms(self) -> None:
        """Two pieces that touch only at a point are not joined if a third piece is beside one of them only."""
        pieces = [Piece(Rectangle(8 * number, 0, 5, 5), (4 * x, 4 * y), (4 * x + 0.5, 4 * y + 0.5),
                        (4 * x + 4.5, 4 * y + 4.5)) for number, (x, y) in enumerate(((1, 0), (2, 1), (0, 0)))]
        self.assertEqual(sorted((join.rectangle, join.other) for join in joined(pieces)), [(0, 2), (2, 0)])

    def test_joining_in_parts(self) -> None:
        """Joining in several parts, which limits memory, gives the same light as joining at once. It leaves luxels
        outside of all rectangles black."""
        pieces = cut_wall()
        whole, parts = noisy(pieces), noisy(pieces)
        whole.settle(True, joined(pieces))
        with unittest.mock.patch.object(build_luxels, "MOST_AT_ONCE", 1):
            parts.settle(True, joined(pieces))
        self.assertTrue((whole.light == parts.light).all())
        self.assertFalse(whole.light[whole.owner == NO_RECTANGLE].any())


class Vertices(unittest.TestCase):
    """Tests of vertex light from light of corners, with numpy only."""

    def test_pieces_are_within_their_triangles(self) -> None:
        triangle = numpy.array([[[0, 0, 0], [90, 0, 0], [0, 6, 0]]], float)
        pieces = vertex_light._pieces(triangle, 8.0)
        self.assertEqual(pieces.shape, (3, 2, 3, 3))
        x, y = pieces[..., 0], pieces[..., 1]
        self.assertTrue(((x >= -1e-9) & (y >= -1e-9) & (x / 90 + y / 6 <= 1 + 1e-9)).all())
        self.assertAlmostEqual(float(x[0].max()), 8)     # along the long edge: the reach that was requested
        self.assertAlmostEqual(float(y[0].max()), 2)     # along the short edge: a third of its length, which is less
        for corner in range(3):
            self.assertEqual(pieces[corner, 0, 0].tolist(), triangle[0, corner].tolist())
            first, second, third = (pieces[corner, :, k] for k in range(3))
            self.assertGreater(numpy.cross(second - first, third - first)[:, 2].min(), 0)

    def test_black_ones_get_light_of_their_triangles(self) -> None:
        light = numpy.array([[2, 4, 6], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [8, 8, 8]], numpy.float32)
        known = numpy.array([True, True, False, False, True, True])
        vertex_light._fill_black(light, known, numpy.array([[0, 1, 2], [1, 2, 3]]))
        self.assertEqual(light[:4].tolist(), [[2, 4, 6]] * 4)
        self.assertEqual(known.tolist(), [True] * 6)
        self.assertEqual(light[4:].tolist(), [[0, 0, 0], [8, 8, 8]])


if __name__ == "__main__":
    unittest.main(argv=["blender_luxels"])
