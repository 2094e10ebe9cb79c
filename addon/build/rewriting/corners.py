"""Finds what the user changed at corners of an imported map's faces. In families whose faces have vertices of their own
(Quake III and its relatives), it finds changed texture coordinates, normals and colors. In other families, it finds
only changed texture coordinates."""
from collections.abc import Callable, Iterator
from typing import NamedTuple

import bpy
import numpy
from bspscene import abi
from bspscene.rewrite import NewCorner
from bspscene.scene import MeshView, Scene, text

from ..baked import vertex_light
from ..baked.bake import face_numbers, pair_triangles
from ..data.again import NODE
from ..data.display import LINEAR
from ..data.mesh import COLOR, corner_normals, read
from .record import Told

SAME_NORMAL = 0.9995   # smallest cosine between normals that count as equal, because Blender rounds normals
SAME_COLOR = 1e-6
WHY_NOT = "has different {what} at corners that share a vertex, but the map stores one value for each vertex"


class _Corners(NamedTuple):
    """Corners of a Blender mesh whose vertices the map's file has. Arrays have a row for each corner."""
    loops: numpy.ndarray
    vertices: numpy.ndarray   # indexes of the vertices in the map's mesh
    faces: numpy.ndarray      # number of each corner's face in the file
    corners: numpy.ndarray    # number of the corner in its face


def changed_corners(root: bpy.types.Collection, scene: Scene,
                    shown: Scene | None) -> tuple[list[NewCorner], list[Told]]:
    """Returns the corners whose values the user changed, and messages about changes that cannot be written. `scene` is
    the map with the colors of the file, and `shown` is the map as it was imported. Both are loaded with keep_map_light.
    `shown` is None if faces have no vertices of their own."""
    found: dict[tuple[int, int], dict[str, tuple]] = {}
    told: list[Told] = []
    seen: set[bpy.types.Mesh] = set()
    numbers = {text(node.name): node.mesh for node in scene.items("nodes")
               if node.kind in (abi.NODE_WORLD, abi.NODE_BRUSH_ENTITY) and node.mesh != abi.NO_INDEX}
    for made in root.all_objects:
        if made.type != "MESH" or made.get(NODE) not in numbers or made.data in seen:
            continue
        seen.add(made.data)
        number = numbers[made[NODE]]
        corners = _corners_of(scene, made.data, number)
        if corners is None or (scene.mesh(number).vertex_records is None) != (shown is None):
            continue
        for what, name, values in _changes(made.data, scene.mesh(number), (shown or scene).mesh(number), corners):
            if not _collect(found, what, corners, values):
                told.append(Told(made.name, WHY_NOT.format(what=name)))
    return [NewCorner(face, corner, **parts) for (face, corner), parts in sorted(found.items())], told


def _corners_of(scene: Scene, mesh: bpy.types.Mesh, number: int) -> _Corners | None:
    """Returns the corners of faces whose vertices are in the file's order: polygons and triangle lists, but no curves
    or terrain."""
    view, numbers = scene.mesh(number), face_numbers(mesh)
    if numbers is None:
        return None
    ours, theirs, rows = pair_triangles(scene, numbers, number)
    faces = scene.faces()[rows]
    first = faces["first_vertex"].astype(numpy.int64)
    vertices = view.triangles[theirs].astype(numpy.int64)
    if view.vertex_records is None:
        # A map may not store the size of a texture. Coordinates on such a texture depend on whether its file was found,
        # so they are left out.
        is_sized = numpy.array([bool(record.width and record.height) for record in scene.items("materials")])
        materials = numpy.array([section.material for section in view.sections])
        flat = faces["index_count"] == 3 * (faces["vertex_count"].astype(numpy.int64) - 2)
        whole = flat & is_sized[materials[faces["section"]]]
    else:
        whole = _are_whole(scene, number, view.vertex_records.astype(numpy.int64))[rows]
    loops = read(mesh.polygons, "loop_start", 1, numpy.int32)[ours] + numpy.arange(3)
    return _Corners(loops[whole].ravel(), vertices[whole].ravel(), numpy.repeat(faces["record"][whole], 3),
                    (vertices - first[:, None])[whole].ravel())


def _are_whole(scene: Scene, number: int, sources: numpy.ndarray) -> numpy.ndarray:
    """Returns, for each face, whether the file stores its vertices one after the other."""
    whole = numpy.zeros(scene.data.face_count, bool)
    for row, face in enumerate(scene.faces()):
        if face["mesh"] == number:
            own = sources[face["first_vertex"]:face["first_vertex"] + face["vertex_count"]]
            whole[row] = len(own) > 0 and own[0] != abi.NO_INDEX and (numpy.diff(own) == 1).all()
    return whole


# ---- What differs

_Rows = dict[int, tuple]   # row in _Corners -> the new value of that corner


def _changes(mesh: bpy.types.Mesh, view: MeshView, shown: MeshView,
             corners: _Corners) -> Iterator[tuple[str, str, _Rows]]:
    kinds: list[tuple[str, str, Callable[..., _Rows]]] = [
        ("uv", "texture coordinates", _uvs), ("normal", "normals", _normals), ("color", "colors", _colors)]
    # Faces without vertices of their own have only texture coordinates, which a projection gives.
    for what, name, differ in kinds if view.vertex_records is not None else kinds[:1]:
        yield what, name, differ(mesh, view, shown, corners)


def _uvs(mesh: bpy.types.Mesh, view: MeshView, _shown: MeshView, corners: _Corners) -> _Rows:
    layer = mesh.uv_layers.get("UVMap")
    if layer is None or view.uvs is None:
        return {}
    now, old = read(layer.data, "uv", 2)[corners.loops], view.uvs.reshape(-1, 2)[corners.vertices].copy()
    old[:, 1] = 1 - old[:, 1]
    rows = numpy.nonzero((now != old).any(axis=1))[0]
    new = numpy.where(now != old, now.astype(float) * (1, -1) + (0, 1), view.uvs.reshape(-1, 2)[corners.vertices])[rows]
    return {row: tuple(value) for row, value in zip(rows.tolist(), new.tolist())}


def _normals(mesh: bpy.types.Mesh, view: MeshView, _shown: MeshView, corners: _Corners) -> _Rows:
    """Returns nothing for meshes without custom normals. Blender computes their normals, so the user did not set
    them."""
    if not mesh.has_custom_normals:
        return {}
    now, old = corner_normals(mesh)[corners.loops], view.normals.reshape(-1, 3)[corners.vertices]
    rows = numpy.nonzero((now * old).sum(axis=1) < SAME_NORMAL)[0]
    return {row: tuple(value) for row, value in zip(rows.tolist(), now[rows].tolist())}


def _colors(mesh: bpy.types.Mesh, view: MeshView, shown: MeshView, corners: _Corners) -> _Rows:
    """Returns changed colors, but none for rebaked maps, whose colors are written as light (relighting.py)."""
    layers = mesh.color_attributes
    if COLOR not in layers or vertex_light.NEW in layers or vertex_light.OLD in layers:
        return {}
    if view.colors is None or shown.colors is None:
        return {}
    layer = layers[COLOR]
    values = read(layer.data, "color", 4)
    at = read(mesh.loops, "vertex_index", 1, numpy.int32)[:, 0][corners.loops]
    now = values[at if layer.domain == "POINT" else corners.loops]
    stored, raw = (colors.reshape(-1, 4)[corners.vertices] for colors in (shown.colors, view.colors))
    old = LINEAR[stored]
    old[:, 3] = stored[:, 3] / numpy.float32(255)
    differs = numpy.abs(now - old) > SAME_COLOR
    rows = numpy.nonzero(differs.any(axis=1))[0]
    new = numpy.searchsorted((LINEAR[1:] + LINEAR[:-1]) / 2, now) / view.scene.data.overbright
    new[:, 3] = numpy.clip(now[:, 3], 0, 1) * 255
    new = numpy.where(differs, numpy.rint(new), raw).astype(int)
    return {row: tuple(new[row].tolist()) for row in rows.tolist()}


def _collect(found: dict, what: str, corners: _Corners, values: _Rows) -> bool:
    """Adds the new values to `found`. Leaves out vertices whose corners have different values, and returns False if
    there are any."""
    if not values:
        return True
    keys = list(zip(corners.faces.tolist(), corners.corners.tolist()))
    said: dict[tuple[int, int], set] = {keys[row]: set() for row in values}
    for row, key in enumerate(keys):
        if key in said:
            said[key].add(values.get(row))   # None: the user did not change this corner
    agreed = {key: next(iter(new)) for key, new in said.items() if len(new) == 1}
    for key, value in agreed.items():
        found.setdefault(key, {})[what] = value
    return len(agreed) == len(said)
