"""Draws small pictures of objects for Blender's asset browser. Blender's own previews need a window, and show unlit
materials of games as black."""
from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy
from mathutils import Matrix

SIZE = 128
MOST_TRIANGLES = 20000                                      # largest number of triangles that a preview draws; most
                                                            # models have fewer
VIEW = Matrix.Rotation(-1.1, 4, "X") @ Matrix.Rotation(-2.5, 4, "Z")   # the view direction: from the front, from one
                                                                       # side and from above
LIGHT = numpy.array((0.3, 0.5, 0.8)) / numpy.linalg.norm((0.3, 0.5, 0.8))
DARKEST = 0.45                                              # brightness of surfaces that face away from the light
CLEAR = 0.5                                                 # texels with less alpha are left out


class _Part(NamedTuple):
    """Triangles of one material, projected to the preview's view."""
    corners: numpy.ndarray   # n x 3 x 3: x, y and depth of the corners of each triangle
    uvs: numpy.ndarray       # n x 3 x 2: texture coordinates of these corners
    texels: numpy.ndarray    # array of height x width x 4


def draw(objects: Sequence[bpy.types.Object]) -> numpy.ndarray:
    """Returns a picture of SIZE x SIZE x 4 floats, the lowest row first, with a transparent background."""
    parts = [part for made in objects if made.type == "MESH" for part in _parts_of(made)]
    picture = numpy.zeros((SIZE, SIZE, 4), numpy.float32)
    if not parts:
        return picture
    points = numpy.concatenate([part.corners.reshape(-1, 3) for part in parts])
    low, high = points.min(axis=0), points.max(axis=0)
    scale = 0.9 * SIZE / max(float((high - low)[:2].max()), 1e-6)
    nearest = numpy.full((SIZE, SIZE), -numpy.inf, numpy.float32)
    left = MOST_TRIANGLES
    for part in parts:
        on_picture = (part.corners - (low + high) / 2) * scale + (SIZE / 2, SIZE / 2, 0)
        for corners, uvs in zip(on_picture[:left], part.uvs):
            _fill(picture, nearest, corners, uvs, part.texels)
        left -= min(left, len(on_picture))
    return picture


def _parts_of(made: bpy.types.Object) -> list[_Part]:
    mesh = made.data
    mesh.calc_loop_triangles()
    count = len(mesh.loop_triangles)
    vertices, loops, slots = (numpy.empty(count * width, numpy.int32) for width in (3, 3, 1))
    mesh.loop_triangles.foreach_get("vertices", vertices)
    mesh.loop_triangles.foreach_get("loops", loops)
    mesh.loop_triangles.foreach_get("material_index", slots)
    points = numpy.empty(len(mesh.vertices) * 3, numpy.float32)
    mesh.vertices.foreach_get("co", points)
    matrix = numpy.array(VIEW @ made.matrix_world)
    seen = (points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])[vertices.reshape(-1, 3)]
    uvs: numpy.ndarray = numpy.zeros((len(mesh.loops), 2), numpy.float32)
    if mesh.uv_layers:
        flat = numpy.empty(len(mesh.loops) * 2, numpy.float32)
        mesh.uv_layers[0].data.foreach_get("uv", flat)
        uvs = flat.reshape(-1, 2)
    uvs = uvs[loops.reshape(-1, 3)]
    return [_Part(seen[slots == slot], uvs[slots == slot],
                  _texels_of(mesh.materials[slot] if slot < len(mesh.materials) else None))
            for slot in numpy.unique(slots)]


def _texels_of(material: bpy.types.Material | None) -> numpy.ndarray:
    """Returns the first game texture in a material, or its plain color if it has none."""
    tree = material.node_tree if material else None
    for node in tree.nodes if tree else ():
        image = node.image if node.type == "TEX_IMAGE" else None
        if image and "game_name" in image and image.size[0] and image.size[1]:
            flat = numpy.empty(image.size[0] * image.size[1] * image.channels, numpy.float32)
            image.pixels.foreach_get(flat)
            texels = flat.reshape(image.size[1], image.size[0], image.channels)
            if image.channels == 4:
                return texels
    color = tuple(material.diffuse_color) if material else (0.8, 0.8, 0.8, 1.0)
    return numpy.array(color, numpy.float32).reshape(1, 1, 4)


def _fill(picture: numpy.ndarray, nearest: numpy.ndarray, corners: numpy.ndarray, uvs: numpy.ndarray,
          texels: numpy.ndarray) -> None:
    """Draws a triangle with a depth test, by barycentric coordinates."""
    (x0, y0, _), (x1, y1, _), (x2, y2, _) = corners
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    low = numpy.clip(numpy.floor(corners[:, :2].min(axis=0)), 0, SIZE - 1).astype(int)
    high = numpy.clip(numpy.ceil(corners[:, :2].max(axis=0)) + 1, 0, SIZE).astype(int)
    if abs(area) < 1e-9 or (high <= low).any():
        return
    x, y = numpy.meshgrid(numpy.arange(low[0], high[0]) + 0.5, numpy.arange(low[1], high[1]) + 0.5)
    second = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
    third = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
    weights = numpy.stack([1 - second - third, second, third], axis=-1)
    depth = weights @ corners[:, 2]
    place = (slice(low[1], high[1]), slice(low[0], high[0]))
    uv = weights @ uvs
    rows = (uv[..., 1] % 1 * texels.shape[0]).astype(int) % texels.shape[0]
    columns = (uv[..., 0] % 1 * texels.shape[1]).astype(int) % texels.shape[1]
    colors = texels[rows, columns]
    shown = (weights >= 0).all(axis=-1) & (depth > nearest[place]) & (colors[..., 3] >= CLEAR)
    normal = numpy.cross(corners[1] - corners[0], corners[2] - corners[0])
    facing = abs(float(normal @ LIGHT)) / max(float(numpy.linalg.norm(normal)), 1e-12)
    picture[place][shown, :3] = colors[shown, :3] * (DARKEST + (1 - DARKEST) * facing)
    picture[place][shown, 3] = 1
    nearest[place][shown] = depth[shown]
