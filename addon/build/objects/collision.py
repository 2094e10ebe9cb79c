"""Makes meshes of everything that stops players and shots, for physics engines: only triangles, in world space, as one
object for each hull and material or as a single object."""
from collections.abc import Callable, Sequence

import bpy
import numpy
from bspscene import abi
from bspscene.scene import MeshView
from mathutils import Matrix

from ..data.again import NODE
from ..data.blocks import Made
from .hiding import hide

NAME = "collision"


class Collisions:
    """Collects the collision surfaces of a map: one mesh for each hull and material, or one mesh for all if `together`.
    `material` returns the material of a section."""

    def __init__(self, together: bool, material: Callable[[abi.Section, MeshView], bpy.types.Material]) -> None:
        self._together, self._material = together, material
        self._parts: dict[str, _Collision] = {}

    def add(self, node: str, view: MeshView, sections: Sequence[abi.Section], place: Matrix, meters: float) -> None:
        """Adds collision sections of a node. `node` is the node's name, and `place` is its transform in meters.
        Positions of the mesh are in game units."""
        hull = node.rpartition(":")[2] if ":" in node else NAME
        apart: dict[str, list[abi.Section]] = {}
        for section in sections:
            material = self._material(section, view)
            name = NAME if self._together else f"{hull} {material['game_name'].removeprefix(NAME).strip()}"
            self._parts.setdefault(name, _Collision(None if self._together else material))
            apart.setdefault(name, []).append(section)
        for name, own in apart.items():
            self._parts[name].add(view, own, place, meters)

    def build(self, made: Made, into: bpy.types.Collection) -> None:
        for name, part in self._parts.items():
            part.build(made, name, into)


class _Collision:
    """Collects the collision surfaces of meshes, and makes one mesh of them."""

    def __init__(self, material: bpy.types.Material | None) -> None:
        self._material = material
        self._points: list[numpy.ndarray] = []
        self._corners: list[numpy.ndarray] = []
        self._count = 0

    def add(self, view: MeshView, sections: Sequence[abi.Section], place: Matrix, meters: float) -> None:
        """Adds sections of a mesh. `place` is in meters; positions of the mesh are in game units."""
        indices = numpy.concatenate([view.indices[s.first_index:s.first_index + s.index_count] for s in sections])
        rows, corners = numpy.unique(indices, return_inverse=True)
        turn = numpy.array(place, numpy.float32)
        self._points.append(view.positions.reshape(-1, 3)[rows] * numpy.float32(meters) @ turn[:3, :3].T + turn[:3, 3])
        self._corners.append(corners.ravel() + self._count)
        self._count += len(rows)

    def build(self, made: Made, name: str, into: bpy.types.Collection) -> None:
        if not self._count:
            return
        points, corners = numpy.concatenate(self._points), numpy.concatenate(self._corners)
        mesh = made.new("meshes", name)
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
        if self._material:
            mesh.materials.append(self._material)
        shown = made.new("objects", name, mesh)
        shown[NODE] = name
        shown.display_type = "WIRE"
        hide(shown)
        into.objects.link(shown)
