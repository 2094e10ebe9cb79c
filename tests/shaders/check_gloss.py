#!/usr/bin/env python3
"""Draws models with specular highlights of lamps, and compares the pictures with a second implementation of the
published shader.

    check_gloss.py --bspscene BUILD/bspscene --models MADE --out DIRECTORY [--table FILE]

The model stands in the tests' room among lamps of all kinds (tests/models/second_light.py computes their light), with
one material after the other. Every pixel inside a triangle is traced here, and must be within 2 of 255 of
second_gloss.py. Needs numpy and Pillow."""

import argparse
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "families"), str(HERE.parent / "models")]
import check_shaders as walls  # noqa: E402
import numpy as np  # noqa: E402
import second_gloss  # noqa: E402
import second_light  # noqa: E402
import second_shaders  # noqa: E402
import source_forms as s  # noqa: E402
from PIL import Image  # noqa: E402

WIDTH, HEIGHT, FOV = 96, 72, 40
MARGIN = 0.06
# For each prop, the point where the map measures its light (None without one), and cameras.
PROPS = [("prop_static:0", (32, 32, 48), [(62, 50, 34, 43, 215), (10, 10, 30, 37, 40)]),
         ("prop_dynamic:7", None, [(66, 76, 30, 36, 146)])]


# ---- The map's triangles ----------------------------------------------------------------------------------------

def placed(nodes, number, parent, out):
    node = nodes[number]
    local = np.array(node.get("matrix", np.eye(4).T.ravel())).reshape(4, 4).T
    if "translation" in node or "rotation" in node or "scale" in node:
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
        local = np.eye(4)
        local[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)))
        local[:3, 3] = node.get("translation", (0, 0, 0))
    world = parent @ local
    out.append((node, world))
    for child in node.get("children", ()):
        placed(nodes, child, world, out)


KINDS = {5126: "f4", 5125: "u4", 5123: "u2"}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}


class Triangles:
    """The vertices of a file in game units with z up: corners, normals and texture coordinates, with the names of
    nodes."""

    def __init__(self, path):
        data = path.read_bytes()
        size, = struct.unpack_from("<I", data, 12)
        self.json, self.binary = json.loads(data[20:20 + size]), data[28 + size:]
        found = []
        for root in self.json["scenes"][0]["nodes"]:
            placed(self.json["nodes"], root, np.eye(4), found)
        parts = [part for node, world in found if "mesh" in node for part in self.of_node(node, world)]
        self.names = [name for part in parts for name in part[0]]
        self.places, self.normals, self.uvs = (np.concatenate([part[k] for part in parts]) for k in (1, 2, 3))

    def array(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind, size = KINDS[accessor["componentType"]], SIZES[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride", size * np.dtype(kind).itemsize)
        rows = [np.frombuffer(self.binary, "<" + kind, size, start + step * i) for i in range(accessor["count"])]
        return np.array(rows).reshape(accessor["count"], size)

    def of_node(self, node, world):
        for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
            have = primitive["attributes"]
            corners = self.array(primitive["indices"]).reshape(-1, 3)
            places = self.array(have["POSITION"]) @ world[:3, :3].T + world[:3, 3]
            normals = self.array(have["NORMAL"]) @ world[:3, :3].T
            uvs = self.array(have["TEXCOORD_0"]) if "TEXCOORD_0" in have else np.zeros((len(places), 2))
            up = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
            yield [node.get("name", "")] * len(corners), (places @ up.T / 0.0254)[corners], \
                (normals @ up.T)[corners], uvs[corners]

    def meet(self, eye, direction):
        """Returns the nearest triangle along a ray that shows its front, and the barycentric weights of the point where
        they meet."""
        a, b, c = (self.places[:, k] for k in range(3))
        across = np.cross(direction, c - a)
        falls = (across * (b - a)).sum(1)
        with np.errstate(all="ignore"):
            v = (across * (eye - a)).sum(1) / falls
            turned = np.cross(eye - a, b - a)
            w = (turned @ direction) / falls
            distance = (turned * (c - a)).sum(1) / falls
        met = (falls > 1e-9) & (v >= 0) & (w >= 0) & (v + w <= 1) & (distance > 0)
        if not met.any():
            return None, None
        best = int(np.where(met, distance, math.inf).argmin())
        return best, np.array([1 - v[best] - w[best], v[best], w[best]])


def has_axes(uvs):
    u, v = uvs[1:] - uvs[0]
    return abs(u[0] * v[1] - u[1] * v[0]) > 1e-6


def axes(triangles, number, normals):
    """Returns the tangent space as studiomdl computes it from the coordinates, perpendicular to the normals."""
    corners, uvs = triangles.places[number], triangles.uvs[number]
    edges, grows = corners[1:] - corners[0], uvs[1:] - uvs[0]
    gradients = np.linalg.pinv(edges) @ grows  # gradients of u and of v
    tangents = gradients[:, 0] - normals * (normals @ gradients[:, 0])[:, None]
    tangents = second_gloss.unit(tangents)
    binormals = np.cross(normals, tangents)
    return tangents, binormals * np.sign(binormals @ gradients[:, 1])[:, None]


# ---- Light ------------------------------------------------------------------------------------------------------

def arriving(light, corners, weights, points):
    """Returns the light that reaches points. The amount is computed at corners and interpolated; the direction is
    computed for each pixel."""
    color = weights @ np.array([light.arriving(corner)[0] for corner in corners])
    return color, np.array([light.arriving(point)[1] for point in points])


def points_of(triangles, world, prop, measured, camera):
    """Returns the pixels inside the prop's triangles, and the shader's inputs there."""
    mine = np.array([name == prop for name in triangles.names])
    corners = triangles.places[mine].reshape(-1, 3)
    place = np.array(measured, float) if measured else (corners.min(0) + corners.max(0)) / 2
    cube, lights, _ = second_light.reaching(world, {}, place)
    found = {}
    walls.WIDTH, walls.HEIGHT, walls.FOV = WIDTH, HEIGHT, FOV
    for row, column, eye, direction in walls.rays(camera):
        number, weights = triangles.meet(eye, direction)
        if number is not None and mine[number] and weights.min() > MARGIN and has_axes(triangles.uvs[number]):
            found.setdefault(number, []).append((row, column, *weights))
    for number, rows in found.items():
        pixels, weights = np.array(rows)[:, :2].astype(int), np.array(rows)[:, 2:]
        points, normals = weights @ triangles.places[number], weights @ triangles.normals[number]
        normals = second_gloss.unit(normals)
        lit = [arriving(light, triangles.places[number], weights, points) for light in lights]
        yield pixels, second_gloss.Point(points, eye, normals, *axes(triangles, number, normals), lit, cube)


# ---- Materials --------------------------------------------------------------------------------------------------

PICTURES = dict(walls.PICTURES, exponents=(60, 180, 0, 150))
SHINES = {"phongboost": 2, "phongfresnelranges": (.3, .6, 1.5), "phongexponent": 6}
BUMPED = {"bumpmap": "normals"}


def ramp(at):
    """Samples the picture `gradient` at coordinates that are clamped to it, so that it does not repeat."""
    edge = 0.5 / walls.SIDE
    return walls.gradient(np.clip(at, edge, 1 - edge))


def cases():
    one = {"phong": 1, **BUMPED, **SHINES}
    yield "light alone", "plain", {"phong": 1, **BUMPED}
    yield "$phongexponent $phongboost $phongfresnelranges", "plain", one
    yield "$phong without $bumpmap (none)", "plain", None
    yield "$basemapalphaphongmask", "holed", {"phong": 1, **SHINES, "basemapalphaphongmask": 1}
    yield "$basemapalphaphongmask $bumpmap", "holed", {**one, "basemapalphaphongmask": 1}
    yield "$phongexponenttexture", "plain", {**one, "phongexponent": 0, "phongexponenttexture": "exponents"}
    yield "$phongexponentfactor", "plain", {**one, "phongexponentfactor": 40, "phongexponenttexture": "exponents"}
    yield "$phongtint", "plain", {**one, "phongtint": (1, .5, .2)}
    yield "$phongalbedotint", "plain", {**one, "phongtint": (0, 0, 0), "phongalbedotint": 1,
                                        "phongexponenttexture": "exponents"}
    yield "$rimlight", "plain", {**one, "rimlight": 1, "rimlightexponent": 3, "rimlightboost": 2}
    yield "$rimlight alone", "plain", {"phong": 1, **BUMPED, "rimlight": 1, "rimlightboost": 4}
    yield "$rimmask", "plain", {**one, "rimlight": 1, "rimlightexponent": 3, "rimlightboost": 2, "rimmask": 1,
                                "phongexponenttexture": "exponents"}
    yield "$lightwarptexture", "plain", {"phong": 1, **SHINES, "lightwarptexture": "gradient"}
    yield "$phongwarptexture", "plain", {**one, "phongwarptexture": "gradient"}
    yield "$selfillum", "holed", {**one, "selfillum": 1}
    around = {**one, "envmap": walls.around}
    yield "$envmap", "holed", around
    yield "$envmaptint $envmapfresnel", "holed", {**around, "envmaptint": (.8, .4, .2), "envmapfresnel": .7}
    yield "$normalmapalphaenvmapmask", "plain", {**around, "normalmapalphaenvmapmask": 1}
    yield "$normalmapalphaenvmapmask $invertphongmask", "plain", {**around, "normalmapalphaenvmapmask": 1,
                                                                  "invertphongmask": 1}


def text_of(base, keys):
    walls.TEXTS["envmap"][walls.around] = "test/cube"
    return walls.text_of("VertexLitGeneric", base, keys)


def keys_of(base, keys):
    pictures = {name: walls.color(*value) for name, value in PICTURES.items()}
    pictures["gradient"] = ramp
    known = {key: pictures[value] if isinstance(value, str) else value for key, value in keys.items()}
    return second_shaders.Keys("VertexLitGeneric", pictures[base], **known)


# ---- Comparison -------------------------------------------------------------------------------------------------

def drain(path):
    """Removes the map's own materials, and hides the water around the models."""
    data = bytearray(path.read_bytes())
    struct.pack_into("<2i", data, 8 + 16 * s.PAKFILE, 0, 0)
    path.write_bytes(data)
    (path.parent.parent / "materials/test/water.vmt").write_text("Water { %compilenodraw 1 }")


def make_game(game, models):
    shutil.rmtree(game, ignore_errors=True)
    for folder in ("maps", "models/test", "materials/test", "materials/models/test"):
        (game / folder).mkdir(parents=True)
    for file in models.glob("source_mdl-*"):
        for name in ("crate", "barrel", "rock", "lamp"):
            shutil.copy(file, game / "models/test" / f"{name}.{file.name.split('.', 1)[1]}")
    path = game / "maps/room.bsp"
    shutil.copy(walls.ROOM, path)
    second_light.with_lights(path, False)
    drain(path)
    for name, pixel in PICTURES.items():
        (game / f"materials/test/{name}.vtf").write_bytes(s.vtf(2, 2, s.RGBA8888, bytes(pixel) * 4))
    (game / "materials/test/gradient.vtf").write_bytes(walls.gradient_picture())
    (game / "materials/test/cube.vtf").write_bytes(walls.cube(walls.around))
    return path


def draw(bspscene, path, camera):
    picture = path.parent / "picture.png"
    subprocess.run([bspscene, "render", path, picture, "--size", f"{WIDTH}x{HEIGHT}", "--fov", str(FOV), "--samples",
                    "1", "--camera", ",".join(map(str, camera)), "--quiet"], check=True, capture_output=True)
    return np.asarray(Image.open(picture).convert("RGB"), float)


def compare(bspscene, path, views, base, keys):
    """Returns the largest and the mean difference of all pixels, in 255ths. Without keys, compares with the picture
    without $phong."""
    material = path.parent.parent / "materials/models/test/crate.vmt"
    found = []
    for camera, parts in views:
        material.write_text(text_of(base, keys if keys else {"phong": 1, **SHINES}))
        got = draw(bspscene, path, camera)
        if keys is None:
            material.write_text(text_of(base, {}))
            found.append(np.abs(got - draw(bspscene, path, camera)).ravel())
            continue
        for pixels, points in parts:
            want = second_gloss.skin(keys_of(base, keys), points)
            found.append(np.abs(got[pixels[:, 0], pixels[:, 1]] - want * 255).max(1))
    return np.concatenate(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--table", type=pathlib.Path, help="write the table there, too")
    arguments = parser.parse_args()
    path = make_game(arguments.out / "game", arguments.models)
    subprocess.run([arguments.bspscene, "convert", path, arguments.out / "room.glb", "--lighting", "none", "--quiet"],
                   check=True, capture_output=True)
    triangles, world = Triangles(arguments.out / "room.glb"), second_light.Map(path)
    views = [(camera, list(points_of(triangles, world, prop, measured, camera)))
             for prop, measured, cameras in PROPS for camera in cameras]
    counts = [sum(len(pixels) for pixels, _ in parts) for _, parts in views]
    if min(counts) < 100:
        print(f"too few pixels show the models: {counts}")
        return 1
    rows, bad = [f"{sum(counts)} pixels each{'':32}  largest   mean"], 0
    for what, base, keys in cases():
        found = compare(arguments.bspscene, path, views, base, keys)
        bad += found.max() > walls.MOST
        rows.append(f"{what:50} {found.max():7.2f} {found.mean():6.2f}"
                    + ("  <- too far" if found.max() > walls.MOST else ""))
    print("\n".join(rows))
    if arguments.table:
        arguments.table.write_text("\n".join(rows) + "\n")
    print(f"{bad} materials are not what the shader makes" if bad else "All are what the shader makes.")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
