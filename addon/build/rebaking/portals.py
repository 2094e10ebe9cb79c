"""Makes a portal for each opening to the sky, so that Cycles samples the sky's light through the openings. Without
portals, most rays to the sky hit walls, and a room under a skylight is full of noise."""
from contextlib import contextmanager

import bpy
import numpy
from bspscene import abi
from bspscene.scene import Scene
from mathutils import Matrix


MOST = 24         # largest number of planes with sky; a map with more is an open landscape, where rays find the sky
                  # without portals
ANGLE, DISTANCE = 50.0, 0.25   # triangles are in one plane if two things are equal after rounding: the normal times
                               # ANGLE, and the plane's distance from the origin in game units times DISTANCE
LEAST = 1.0       # smallest width and height of a portal in game units


def rectangles(scene: Scene) -> list[tuple[numpy.ndarray, float, float]]:
    """Returns a rectangle around the sky surfaces of each plane: a matrix whose -Z points into the room, the width and
    the height in game units."""
    found = []
    for node in scene.items("nodes"):
        if node.kind != abi.NODE_WORLD or node.mesh == abi.NO_INDEX:
            continue
        view = scene.mesh(node.mesh)
        runs = [view.indices[s.first_index:s.first_index + s.index_count] for s in view.sections
                if s.surface_kind == abi.SURFACE_SKY]
        if not runs:
            continue
        corners = numpy.concatenate(runs).reshape(-1, 3).astype(numpy.int64)
        normals = view.normals[corners[:, 0]]
        away = (view.positions[corners[:, 0]] * normals).sum(axis=1)
        planes = numpy.round(numpy.column_stack([normals * ANGLE, away * DISTANCE])).astype(numpy.int64)
        _, which = numpy.unique(planes, axis=0, return_inverse=True)
        which = which.reshape(-1)
        for plane in range(int(which.max()) + 1):
            chosen = corners[which == plane]
            found.append(_around(view.positions[chosen].reshape(-1, 3), normals[which == plane][0]))
    found = [one for one in found if min(one[1:]) >= LEAST]
    return found if len(found) <= MOST else []


def _around(places: numpy.ndarray, normal: numpy.ndarray) -> tuple[numpy.ndarray, float, float]:
    across = numpy.cross(normal, (1.0, 0.0, 0.0) if abs(normal[0]) < 0.7 else (0.0, 1.0, 0.0))
    across /= numpy.linalg.norm(across)
    up = numpy.cross(-normal, across)
    x, y = places @ across, places @ up
    matrix = numpy.identity(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2] = across, up, -normal
    matrix[:3, 3] = (across * (x.min() + x.max()) + up * (y.min() + y.max())) / 2 + normal * (places[0] @ normal)
    return matrix, float(numpy.ptp(x)), float(numpy.ptp(y))


@contextmanager
def portals(scene: Scene, into: bpy.types.Scene):
    """Adds the portals to the scene while the `with` block runs. Does nothing if the scene has no world: there is no
    sky to sample, and Cycles in Blender 4.2 would crash."""
    made: list[bpy.types.ID] = []
    meters = scene.data.meters_per_unit
    try:
        for matrix, width, height in rectangles(scene) if into.world else ():
            lamp = bpy.data.lights.new("bspscene portal", "AREA")
            made.append(lamp)
            if not hasattr(getattr(lamp, "cycles", None), "is_portal"):
                break
            lamp.shape, lamp.size, lamp.size_y = "RECTANGLE", width * meters, height * meters
            lamp.cycles.is_portal, lamp.energy = True, 0
            holder = bpy.data.objects.new("bspscene portal", lamp)
            made.append(holder)
            matrix[:3, 3] *= meters
            holder.matrix_world = Matrix(matrix.tolist())
            into.collection.objects.link(holder)
        yield
    finally:
        bpy.data.batch_remove(made)
