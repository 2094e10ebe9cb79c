"""Joins everything that blocks players and shots in one object for physics, with triangles only, in the world's
space."""
from collections.abc import Sequence

import bpy
import numpy
from mathutils import Matrix

from ...native import abi
from ...native.scene import MeshView
from ..data.again import NODE
from ..data.blocks import Made

NAME = "collision"


class Collision:
    """Takes the collision surfaces of meshes, and makes one mesh of them."""

    def __init__(self) -> None:
        self._points: list[numpy.ndarray] = []
        self._corners: list[numpy.ndarray] = []
        self._count = 0

    def add(self, view: MeshView, sections: Sequence[abi.Section], place: Matrix, meters: float) -> None:
        """`place` is in meters, the mesh in game units."""
        indices = numpy.concatenate([view.indices[s.first_index:s.first_index + s.index_count] for s in sections])
        rows, corners = numpy.unique(indices, return_inverse=True)
        turn = numpy.array(place, numpy.float32)
        self._points.append(view.positions.reshape(-1, 3)[rows] * numpy.float32(meters) @ turn[:3, :3].T + turn[:3, 3])
        self._corners.append(corners.ravel() + self._count)
        self._count += len(rows)

    def build(self, made: Made, into: bpy.types.Collection) -> None:
        if not self._count:
            return
        points, corners = numpy.concatenate(self._points), numpy.concatenate(self._corners)
        mesh = made.new("meshes", NAME)
        mesh.vertices.add(len(points))
        mesh.vertices.foreach_set("co", points.astype(numpy.float32).ravel())
        mesh.loops.add(len(corners))
        mesh.loops.foreach_set("vertex_index", corners.astype(numpy.uint32))
        mesh.polygons.add(len(corners) // 3)
        mesh.polygons.foreach_set("loop_start", numpy.arange(0, len(corners), 3, numpy.int32))
        if not mesh.polygons[0].bl_rna.properties["loop_total"].is_readonly:
            mesh.polygons.foreach_set("loop_total", numpy.full(len(corners) // 3, 3, numpy.int32))
        mesh.update(calc_edges=True)
        mesh.validate()
        shown = made.new("objects", NAME, mesh)
        shown[NODE] = NAME
        shown.hide_render, shown.display_type = True, "WIRE"
        into.objects.link(shown)
