"""Tests in Blender of cones of spots, openings to the sky, rays to the sky, and directions of bones."""
import math
import types
import unittest

import numpy
from bspscene import abi
from io_scene_bspscene.build.baked import daylight
from io_scene_bspscene.build.objects import light
from io_scene_bspscene.build.rebaking import portals
from io_scene_bspscene.build.rigs import armature
from mathutils import Vector

AXES = [sign * numpy.eye(3)[axis] for axis in range(3) for sign in (1, -1)]


def spot(inner: float, outer: float) -> abi.Light:
    record = abi.Light()
    record.kind, record.illuminance_at_100_units, record.intensity = abi.LIGHT_SPOT, 1.0, 300.0
    record.inner_angle_degrees, record.outer_angle_degrees = inner, outer
    return record


class Spots(unittest.TestCase):
    def test_cones(self) -> None:
        """The cone of a spot has a soft edge if it has no inner part, and a sharp edge if the inner part fills it."""
        for inner, outer, blend in ((0, 40, 1), (10, 40, 0.75), (40, 40, 0), (50, 40, 0)):
            size, found = light.cone_of(spot(inner, outer))
            self.assertAlmostEqual(size, math.radians(2 * outer), places=6)
            self.assertAlmostEqual(found, blend, places=6)

    def test_light_what_is_ahead(self) -> None:
        """A spot shines along its X axis, in whatever direction that points. It lights a wall there, but no wall behind
        it or beside it."""
        for ahead in AXES:
            aside = numpy.roll(ahead, 1)
            turned = numpy.zeros((3, 4))
            turned[:, 0] = ahead
            places = numpy.array([100 * ahead, -100 * ahead, 100 * aside, 100 * ahead + 90 * aside])
            points = types.SimpleNamespace(places=places, normals=-places / numpy.linalg.norm(places, axis=1)[:, None])
            _, away, given = daylight._given(spot(20, 45), turned.ravel().tolist(), True, points)
            self.assertAlmostEqual(float(away[0]), 100, places=3)
            self.assertEqual((given > 0).tolist(), [True, False, False, True])


def planes_of_sky(sizes: list[tuple[float, float]]) -> types.SimpleNamespace:
    """Returns a scene whose sky is one rectangle of each size, all of them level and 64 game units apart."""
    places = numpy.array([[(0, 0, 64 * plane), (x, 0, 64 * plane), (x, y, 64 * plane), (0, y, 64 * plane)]
                          for plane, (x, y) in enumerate(sizes)], numpy.float32).reshape(-1, 3)
    indices = numpy.array([[corner, corner + 1, corner + 2, corner, corner + 2, corner + 3]
                           for corner in range(0, len(places), 4)], numpy.uint32).ravel()
    sky = abi.Section(surface_kind=abi.SURFACE_SKY, first_index=0, index_count=len(indices))
    view = types.SimpleNamespace(sections=[sky], indices=indices, positions=places,
                                 normals=numpy.broadcast_to(numpy.array((0, 0, -1), numpy.float32), places.shape))
    world = abi.Node(kind=abi.NODE_WORLD, mesh=0)
    return types.SimpleNamespace(items=lambda _name: [world], mesh=lambda _number: view)


class Openings(unittest.TestCase):
    def test_cover_their_faces(self) -> None:
        """A portal is as wide and as high as the faces that it replaces, is in their middle, and faces the room."""
        chance = numpy.random.default_rng(1)
        for normal in (*AXES, numpy.array([0.6, 0, 0.8]), numpy.array([0.36, 0.48, -0.8])):
            across = numpy.cross(normal, (0.3, 0.7, 0.2))
            across /= numpy.linalg.norm(across)
            up = numpy.cross(normal, across)
            spread = chance.uniform(-1, 1, (20, 2)) * (200, 30)
            places = spread[:, :1] * across + spread[:, 1:] * up + 64 * normal
            matrix, width, height = portals._around(places, normal)
            own = (numpy.linalg.inv(matrix) @ numpy.c_[places, numpy.ones(len(places))].T).T[:, :3]
            for axis, size in ((0, width), (1, height)):
                self.assertAlmostEqual(own[:, axis].max(), size / 2, places=3)
                self.assertAlmostEqual(own[:, axis].min(), -size / 2, places=3)
            self.assertLess(abs(own[:, 2]).max(), 1e-3)
            self.assertLess(abs(-matrix[:3, 2] - normal).max(), 1e-6)


    def test_leave_slivers_out(self) -> None:
        """Strips narrower than a game unit get no portal, and do not count toward the limit."""
        scene = planes_of_sky([(100.0, 50.0)] * portals.MOST + [(100.0, 0.5), (0.5, 50.0)])
        found = portals.rectangles(scene)
        self.assertEqual(len(found), portals.MOST)
        for _, *sides in found:
            self.assertEqual(sorted(sides), [50.0, 100.0])
        self.assertEqual(portals.rectangles(planes_of_sky([(100.0, 50.0)] * (portals.MOST + 1))), [])


class Rays(unittest.TestCase):
    def test_reach_the_sky(self) -> None:
        """A ray reaches the sky at a sky surface or outside of the map, but not at a wall."""
        wall, sky = [[9, -9, -9], [9, 9, -9], [9, 0, 9]], [[-9, -9, 9], [9, -9, 9], [0, 9, 9]]
        sections = [abi.Section(surface_kind=abi.SURFACE_VISIBLE, first_index=0, index_count=3, material=0),
                    abi.Section(surface_kind=abi.SURFACE_SKY, first_index=3, index_count=3, material=0)]
        view = types.SimpleNamespace(sections=sections, indices=numpy.arange(6, dtype=numpy.uint32),
                                     positions=numpy.array(wall + sky, numpy.float32))
        solid = abi.Material(alpha_mode=abi.ALPHA_MODE_OPAQUE)
        rays = daylight._Rays(types.SimpleNamespace(items=lambda _name: [solid]), view)
        for direction, wanted in (((1, 0, 0), False), ((0, 0, 1), True), ((0, -1, 0), True)):
            self.assertEqual(rays.reach_sky(Vector((0, 0, 0)), Vector(direction)), wanted, direction)


class Bones(unittest.TestCase):
    def test_point_at_their_child(self) -> None:
        """A bone points at its child, in whichever direction along an axis the child is. A bone without a child points
        in the direction of its parent."""
        for way in AXES:
            rest = numpy.tile(numpy.eye(4), (3, 1, 1))
            for bone in (1, 2):
                rest[bone, :3, 3] = bone * way
            pointed, lengths = armature._pointed(rest, [-1, 0, 1], 0.0254)
            for bone in range(3):
                self.assertLess(abs(pointed[bone, :3, 1] - way).max(), 1e-6, (way, bone))
                self.assertAlmostEqual(numpy.linalg.det(pointed[bone, :3, :3]), 1, places=6)
            self.assertEqual([round(length, 6) for length in lengths], [1.0, 1.0, armature.LEAF])
