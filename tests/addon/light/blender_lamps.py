"""Tests in Blender of three conversions: cones of spots, openings to the sky, and directions of bones."""
import math
import types
import unittest

import numpy
from bspscene import abi
from io_scene_bspscene.build.baked import daylight
from io_scene_bspscene.build.objects import light
from io_scene_bspscene.build.rebaking import portals
from io_scene_bspscene.build.rigs import armature

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
