"""Bakes the vertex light of surfaces without lightmaps (Quake III and its relatives). At each corner of a triangle, a
small piece of the surface is baked to a luxel of its own."""
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import bpy
import numpy
from bspscene import abi
from bspscene.picture import luxels
from bspscene.scene import Scene, text

from ..data.again import NODE
from ..data.display import LINEAR
from ..data.mesh import COLOR, corner_normals, read
from .bake import face_numbers, pair_triangles

LIST = "vertices"    # name of the map's list with vertex light (bspscene_light_list)
KEPT = -1.0          # value in a list of new light: this vertex keeps its old light
WIDTH = 256          # width of the page in luxels
REACH = 8.0          # longest side, in game units, of the piece that is baked at a corner
SHARE = 1 / 3        # longest side of that piece, as a share of the length of the triangle's edge
BLACK = 1e-6
NEW, OLD = "Color rebaked", "Color of the map"   # name of the color attribute that is not shown: NEW while the
                                                 # map's light is shown, OLD while the new light is


class Corners(NamedTuple):
    """Triangles that are lit by their vertices. Arrays have a row for each corner of a triangle."""
    places: numpy.ndarray     # the two triangles of each corner's piece: n x 2 x 3 x 3
    normals: numpy.ndarray    # one normal for each corner: n x 3
    meshes: Sequence[bpy.types.Mesh]
    mesh: numpy.ndarray       # index into `meshes`
    vertex: numpy.ndarray     # index of the vertex in its mesh
    source: numpy.ndarray     # index in the map's list of vertex light; NO_INDEX: the list has no entry for it

    def spots(self) -> numpy.ndarray:
        """Returns where the pieces of all corners are on the page, in luxels."""
        number = numpy.arange(len(self.vertex))
        corner = numpy.stack([number % WIDTH, number // WIDTH], axis=-1)[:, None, None]
        return corner + numpy.array([[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]], float)


class VertexLight(NamedTuple):
    """New light: for each mesh the linear light of its vertices, and which vertices have a value."""
    meshes: list[tuple[bpy.types.Mesh, numpy.ndarray, numpy.ndarray]]
    page: numpy.ndarray       # the map's list of vertex light, in the layout of the map's own page; KEPT where nothing
                              # is new
    luxels: int               # number of entries in `page` that are new


def gather(scene: Scene, root: bpy.types.Collection, meters: float) -> Corners | None:
    """Returns the triangles that still exist, at their current positions. None if the map stores no vertex light."""
    if LIST not in scene.light_lists():
        return None
    nodes = {text(n.name): n for n in scene.items("nodes") if n.kind in (abi.NODE_WORLD, abi.NODE_BRUSH_ENTITY)}
    meshes: list[bpy.types.Mesh] = []
    parts = []
    for made in root.all_objects:
        known = nodes.get(made.get(NODE)) if made.type == "MESH" else None
        if known is None or known.mesh == abi.NO_INDEX or made.data in meshes:
            continue
        part = _of_object(scene, made, known.mesh, len(meshes), meters)
        if part is not None:
            meshes.append(made.data)
            parts.append(part)
    if not parts:
        return None
    places, normals, mesh, vertex, source = (numpy.concatenate(values) for values in zip(*parts))
    return Corners(places, normals, meshes, mesh, vertex, source)


def page_of(scene: Scene) -> abi.LightmapPage:
    """Returns the map's page of vertex light. The map must have one."""
    return scene.light_lists()[LIST].record


def _of_object(scene: Scene, made: bpy.types.Object, number: int, index: int, meters: float) -> tuple | None:
    """Returns the rows of an object, in the order of the fields of Corners. Takes only faces whose first light style is
    0, because vertex light is baked only for that style. Further styles in vertices exist only in Raven's games and
    QFusion."""
    mesh, view = made.data, scene.mesh(number)
    numbers = face_numbers(mesh)
    if numbers is None or view.vertex_records is None or COLOR not in mesh.color_attributes:
        return None
    ours, theirs, rows = pair_triangles(scene, numbers, number)
    by_vertex = numpy.array([section.lighting == abi.LIGHTING_VERTEX for section in view.sections])
    faces = scene.faces()[rows]
    lit = by_vertex[faces["section"]] & (faces["styles"][:, 0] == 0)
    if not lit.any():
        return None
    loops = read(mesh.polygons, "loop_start", 1, numpy.int32)[ours[lit]] + numpy.arange(3)
    vertices = read(mesh.loops, "vertex_index", 1, numpy.int32)[:, 0][loops]
    sources = view.vertex_records[view.triangles[theirs[lit]]]
    matrix = numpy.array(made.matrix_world)
    corners = read(mesh.vertices, "co", 3)[vertices] @ matrix[:3, :3].T + matrix[:3, 3]
    normals = corner_normals(mesh)[loops] @ numpy.linalg.inv(matrix[:3, :3])
    normals /= numpy.maximum(numpy.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)
    return (_pieces(corners, REACH * meters), normals.reshape(-1, 3), numpy.full(vertices.size, index),
            vertices.ravel(), sources.ravel())


def _pieces(triangles: numpy.ndarray, reach: float) -> numpy.ndarray:
    """Makes a parallelogram of two triangles at each corner of the given triangles."""
    edges = [numpy.roll(triangles, -step, axis=1) - triangles for step in (1, 2)]
    lengths = [numpy.maximum(numpy.linalg.norm(edge, axis=2, keepdims=True), 1e-9) for edge in edges]
    one, other = (edge * numpy.minimum(SHARE, reach / length) for edge, length in zip(edges, lengths))
    ends = [triangles, triangles + one, triangles + one + other, triangles + other]
    return numpy.stack([ends[i] for i in (0, 1, 2, 0, 2, 3)], axis=2).reshape(-1, 2, 3, 3)


# ---- Converting the luxels of corners to the light of vertices

def settle(scene: Scene, corners: Corners, light: numpy.ndarray, known: numpy.ndarray) -> VertexLight:
    """Turns the `light` of corners into the light of vertices: each vertex gets the mean of its corners. `known` is
    false for corners that were not baked. Vertices that are black because they are inside a solid get the mean of the
    other corners of their triangles."""
    meshes = []
    for index, mesh in enumerate(corners.meshes):
        these = corners.mesh == index
        vertex, used = corners.vertex[these], known[these]
        own, has = _mean(vertex[used], light[these][used], len(mesh.vertices))
        _fill_black(own, has, vertex.reshape(-1, 3))
        meshes.append((mesh, own, has))
    own_page = page_of(scene)
    there = numpy.nonzero(corners.source != abi.NO_INDEX)[0]
    values = numpy.empty((len(there), 3), numpy.float32)
    for index, (_, own, has) in enumerate(meshes):
        these = corners.mesh[there] == index
        vertex = corners.vertex[there[these]]
        values[these] = numpy.where(has[vertex, None], own[vertex], KEPT)
    new = values[:, 0] >= 0
    stored, has = _mean(corners.source[there[new]], values[new], own_page.width * own_page.height)
    page = numpy.where(has[:, None], stored, numpy.float32(KEPT)).reshape(own_page.height, own_page.width, 3)
    return VertexLight(meshes, page, int(has.sum()))


def _mean(numbers: numpy.ndarray, values: numpy.ndarray, count: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Returns, for each number below `count`, the mean of the values with this number, and whether there are any."""
    total = numpy.stack([numpy.bincount(numbers, values[:, channel], count) for channel in range(3)], axis=1)
    often = numpy.bincount(numbers, minlength=count)
    return (total / numpy.maximum(often, 1)[:, None]).astype(numpy.float32), often > 0


def _fill_black(light: numpy.ndarray, known: numpy.ndarray, triangles: numpy.ndarray) -> None:
    """Gives black vertices the mean of the other corners of their triangles. Changes `light` and `known`."""
    lit = known & (light.max(axis=1) > BLACK)
    while True:
        gives = lit[triangles]
        waiting = ~gives & gives.any(axis=1, keepdims=True)
        if not waiting.any():
            break
        means = (light[triangles] * gives[..., None]).sum(axis=1) / numpy.maximum(gives.sum(axis=1), 1)[:, None]
        new, reached = _mean(triangles[waiting], numpy.repeat(means[:, None], 3, axis=1)[waiting], len(light))
        light[reached] = new[reached]
        known |= reached
        lit |= reached


def written(scene: Scene, page: numpy.ndarray) -> numpy.ndarray:
    """Returns `page`, the new light, with the map's old light in entries that were not baked."""
    return numpy.where(page < 0, luxels(page_of(scene)), page)


# ---- What meshes show

def put(mesh: bpy.types.Mesh, colors: numpy.ndarray, known: numpy.ndarray) -> None:
    """Stores the new light of a mesh, given as display bytes, in the color attribute NEW. Does not change which light
    is shown."""
    forget(mesh)
    shown = mesh.color_attributes[COLOR]
    values = read(shown.data, "color", 4)
    values[known, :3] = LINEAR[colors[known]]
    mesh.color_attributes.new(name=NEW, type="FLOAT_COLOR", domain="POINT").data.foreach_set("color", values.ravel())


def show(meshes: Iterator[bpy.types.Mesh], new: bool) -> int:
    """Shows the new light if `new`, else the map's own light. Returns how many meshes changed."""
    beside, away = (NEW, OLD) if new else (OLD, NEW)
    changed = 0
    for mesh in meshes:
        layers = mesh.color_attributes
        if beside in layers and COLOR in layers:
            layers[COLOR].name = away
            layers[beside].name = COLOR
            changed += 1
    return changed


def forget(mesh: bpy.types.Mesh) -> None:
    show(iter((mesh,)), False)
    if NEW in mesh.color_attributes:
        mesh.color_attributes.remove(mesh.color_attributes[NEW])


def meshes_of(root: bpy.types.Collection) -> Iterator[bpy.types.Mesh]:
    """Returns each mesh of the map once."""
    return iter({made.data for made in root.all_objects if made.type == "MESH"})
