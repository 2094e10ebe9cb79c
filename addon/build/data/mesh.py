"""Converts sections of a mesh to one Blender mesh. Passes whole numpy arrays to foreach_set, because Python loops over
vertices are slow."""
from collections.abc import Sequence

import bpy
import numpy
from bspscene import abi
from bspscene.scene import MeshView

from .again import OUTLINE
from .blocks import Made
from .display import LINEAR

COLOR = "Color"   # color attribute: the light that the game stores in the vertices
LIGHT = "Light"   # color attribute: all light of a scene, baked into its vertices
FACE_NUMBERS = ("record", "leaf", "cluster", "area", "surface_flags", "content_flags")
# A triangle counts as flat if the cosine of the angle between its own normal and the normal of each corner is larger
# than this. Blender computes the normals of flat triangles.
FLAT = 0.9999


def read(collection: bpy.types.bpy_prop_collection, name: str, width: int, kind=numpy.float32) -> numpy.ndarray:
    """Returns an attribute of a mesh, with a row for each element of `collection`."""
    values = numpy.empty(len(collection) * width, kind)
    collection.foreach_get(name, values)
    return values.reshape(-1, width)


def corner_normals(mesh: bpy.types.Mesh) -> numpy.ndarray:
    """Returns the normals of the corners. Blender before 4.1 must be told to compute them first."""
    if hasattr(mesh, "corner_normals"):
        return read(mesh.corner_normals, "vector", 3)
    mesh.calc_normals_split()
    return read(mesh.loops, "normal", 3)


class _Part:
    """The vertices and triangles of some sections, renumbered from 0."""

    def __init__(self, view: MeshView, sections: Sequence[abi.Section]) -> None:
        self.rows = numpy.concatenate([numpy.arange(s.first_vertex, s.first_vertex + s.vertex_count) for s in sections])
        corners, base = [], 0
        for section in sections:
            run = view.indices[section.first_index:section.first_index + section.index_count].astype(numpy.int64)
            corners.append(run - section.first_vertex + base)
            base += section.vertex_count
        self.corners = numpy.concatenate(corners).astype(numpy.int32)
        numbers = [numpy.arange(s.first_face, s.first_face + s.face_count) for s in sections]
        self.faces = view.scene.faces()[numpy.concatenate(numbers)]
        self.triangles_per_face = self.faces["index_count"] // 3
        self.triangle_count = len(self.corners) // 3
        self.triangles = numpy.concatenate([numpy.arange(s.first_index, s.first_index + s.index_count, 3) // 3
                                            for s in sections])

    def vertices(self, values: numpy.ndarray, width: int) -> numpy.ndarray:
        return values.reshape(-1, width)[self.rows]

    def per_triangle(self, values: numpy.ndarray) -> numpy.ndarray:
        return numpy.repeat(values, self.triangles_per_face)


def build(made: Made, name: str, view: MeshView, sections: Sequence[abi.Section],
          materials: Sequence[bpy.types.Material], slots: Sequence[int], meters: float) -> bpy.types.Mesh:
    """Makes a mesh. `slots` has the index in `materials` for each section."""
    part = _Part(view, sections)
    mesh = made.new("meshes", name)
    positions = part.vertices(view.positions, 3) * numpy.float32(meters)
    mesh.vertices.add(len(positions))
    if "position" in mesh.attributes:
        mesh.attributes["position"].data.foreach_set("vector", positions.ravel())
    else:
        mesh.vertices.foreach_set("co", positions.ravel())
    _set_polygons(mesh, part)
    for material in materials:
        mesh.materials.append(material)
    counts = [section.index_count // 3 for section in sections]
    mesh.polygons.foreach_set("material_index", numpy.repeat(numpy.array(slots, numpy.int32), counts))
    _set_uvs(mesh, "UVMap", part, view.uvs)
    _set_uvs(mesh, "Lightmap", part, view.lightmap_uvs)
    if view.map_page_uvs is not None:
        _set_uvs(mesh, "Page", part, view.map_page_uvs)
    _set_colors(mesh, part, view)
    _set_face_numbers(mesh, part, view)
    _set_normals(mesh, part, positions, part.vertices(view.normals, 3))
    mesh[OUTLINE] = outline(mesh)
    return mesh


def outline(mesh: bpy.types.Mesh) -> list[float]:
    """Returns positions of some vertices, from which a later comparison detects an edited shape or a moved origin."""
    count = len(mesh.vertices)
    picked = [mesh.vertices[number].co for number in (0, count // 2, count - 1)] if count else []
    return [float(count), *(part for corner in picked for part in corner)]


def _set_polygons(mesh: bpy.types.Mesh, part: _Part) -> None:
    mesh.loops.add(len(part.corners))
    mesh.loops.foreach_set("vertex_index", part.corners)
    mesh.polygons.add(part.triangle_count)
    mesh.polygons.foreach_set("loop_start", numpy.arange(0, len(part.corners), 3, dtype=numpy.int32))
    # Newer versions of Blender compute loop_total from loop_start, and do not allow setting it.
    if not bpy.types.MeshPolygon.bl_rna.properties["loop_total"].is_readonly:
        mesh.polygons.foreach_set("loop_total", numpy.full(part.triangle_count, 3, numpy.int32))
    mesh.update(calc_edges=True)


def _set_uvs(mesh: bpy.types.Mesh, name: str, part: _Part, uvs) -> None:
    """Adds a uv layer. Blender's v grows upward, the game's downward. Every mesh gets a layer even without coordinates,
    so that exporters always write layers in the same order."""
    layer = mesh.uv_layers.new(name=name, do_init=False)
    values: numpy.ndarray = numpy.zeros((len(part.corners), 2), numpy.float32)
    if uvs is not None:
        values = part.vertices(uvs, 2)[part.corners]
        values[:, 1] = 1 - values[:, 1]
    if hasattr(layer, "uv"):
        layer.uv.foreach_set("vector", values.ravel())
    else:
        layer.data.foreach_set("uv", values.ravel())


def _set_colors(mesh: bpy.types.Mesh, part: _Part, view: MeshView) -> None:
    """Stores the vertex light as linear colors, with one more attribute for each further light style."""
    def put(name: str, colors: numpy.ndarray) -> None:
        stored = part.vertices(colors, 4)
        values = LINEAR[stored]
        values[:, 3] = stored[:, 3] / numpy.float32(255)
        attribute = mesh.color_attributes.new(name=name, type="FLOAT_COLOR", domain="POINT")
        attribute.data.foreach_set("color", values.ravel())

    if view.baked_light is not None:
        light: numpy.ndarray = numpy.ones((len(part.rows), 4), numpy.float32)
        light[:, :3] = part.vertices(view.baked_light, 3)
        attribute = mesh.color_attributes.new(name=LIGHT, type="FLOAT_COLOR", domain="POINT")
        attribute.data.foreach_set("color", light.ravel())
        mesh.color_attributes.active_color_index = 0   # the layer that exporters use
    if view.colors is not None:
        put(COLOR, view.colors)
    for style, colors in view.vertex_color_sets():
        put(f"Color style {style}", colors)
    if view.blend_alphas is not None:
        attribute = mesh.attributes.new("blend", "FLOAT", "POINT")
        attribute.data.foreach_set("value", view.blend_alphas[part.rows])
    if view.blend_weights is not None:
        attribute = mesh.attributes.new("blend_weights", "FLOAT_COLOR", "POINT")
        attribute.data.foreach_set("color", part.vertices(view.blend_weights, 4).ravel())


def whiten_unused_colors(mesh: bpy.types.Mesh) -> None:
    """Makes colors white where no material shows them. Blender's glTF exporter before 4.2 writes them for all surfaces,
    and viewers multiply them with pictures that have the light already."""
    shows = numpy.array([_shows_colors(material) for material in mesh.materials] or [False])
    attribute = mesh.color_attributes.get(COLOR)
    if attribute is None:
        return
    slots = read(mesh.polygons, "material_index", 1, numpy.int32).ravel()
    totals = read(mesh.polygons, "loop_total", 1, numpy.int32).ravel()
    points = read(mesh.loops, "vertex_index", 1, numpy.int32).ravel()
    is_shown: numpy.ndarray = numpy.zeros(len(mesh.vertices), bool)
    is_shown[points[numpy.repeat(shows[slots], totals)]] = True
    colors = read(attribute.data, "color", 4)
    colors[~is_shown] = 1
    attribute.data.foreach_set("color", colors.ravel())


def _shows_colors(material: bpy.types.Material | None) -> bool:
    nodes = material.node_tree.nodes if material and material.node_tree else ()
    return any(node.type == "VERTEX_COLOR" and node.layer_name == COLOR for node in nodes)


def _set_face_numbers(mesh: bpy.types.Mesh, part: _Part, view: MeshView) -> None:
    """Adds custom attributes for geometry nodes and scripts: the game's data of each face, and of each triangle of
    Source's displacements. -1 means "none"."""
    def put(name: str, values: numpy.ndarray) -> None:
        attribute = mesh.attributes.new(name, "INT", "FACE")
        attribute.data.foreach_set("value", part.per_triangle(values))

    for name in FACE_NUMBERS:
        put(name, part.faces[name].astype(numpy.uint32).view(numpy.int32))
    styles = part.faces["styles"].astype(numpy.int32)
    styles[styles == 255] = -1
    for number in range(4):
        if number == 0 or (styles[:, number] >= 0).any():
            put(f"style_{number}", numpy.ascontiguousarray(styles[:, number]))
    if view.triangle_tags is not None:
        attribute = mesh.attributes.new("triangle_tags", "INT", "FACE")
        attribute.data.foreach_set("value", view.triangle_tags[part.triangles].astype(numpy.int32))


def _set_normals(mesh: bpy.types.Mesh, part: _Part, positions: numpy.ndarray, normals: numpy.ndarray) -> None:
    """Sets custom normals, only if the mesh has smooth triangles. Blender computes those of flat triangles."""
    corners = part.corners.reshape(-1, 3)
    a, b, c = (positions[corners[:, i]] for i in range(3))
    own = numpy.cross(b - a, c - a)
    lengths = numpy.linalg.norm(own, axis=1, keepdims=True)
    own /= numpy.where(lengths > 0, lengths, 1)
    flat = numpy.ones(len(corners), bool)
    for i in range(3):
        flat &= numpy.einsum("ij,ij->i", own, normals[corners[:, i]]) > FLAT
    mesh.polygons.foreach_set("use_smooth", ~flat)
    if flat.all():
        return
    if hasattr(mesh, "use_auto_smooth"):
        mesh.use_auto_smooth = True
    mesh.normals_split_custom_set_from_vertices(normals)

