#!/usr/bin/env python3
"""Compares facts of the atrium in every family with the output of `bspscene convert`.

    check_families.py --bspscene BUILD/bspscene [--shared]

The compiled maps are in fixtures/atrium. With --shared they are in $BSPSCENE_SHARED_DATA/atrium, which has more.
expected.json has facts computed from the map's text. Every map is converted to glTF, which is read here. Areas by
material may differ by 0.01 %, and texture coordinates by 0.05 texel. Origins and bounds of brush models, spawns and
lights are compared too. Needs numpy; without data the exit code is 77."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from packages import need  # noqa: E402

np, = need("numpy")
SKIPPED = 77
FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures/atrium"
AREA_TOLERANCE = 1e-4
TEXEL_TOLERANCE = 0.05
# For a map without textures: the fixture that has its textures. Texture coordinates depend on the sizes of Quake II's
# textures.
GAMES = {"quake2_qbism": "quake2_q2map"}
# For each of these maps, the reason why areas are not compared.
NO_AREAS = {"atrium_styles": "materials are renamed", "atrium_patchmeta": "patches are stored twice"}
TYPES = {5126: ("<f4", 4), 5123: ("<u2", 2), 5125: ("<u4", 4), 5121: ("u1", 1)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Scene:
    """Reads a written glTF as triangles in game space."""

    def __init__(self, path):
        self.gltf = json.loads(path.read_text())
        self.buffer = (path.parent / self.gltf["buffers"][0]["uri"]).read_bytes()
        self.scale = self.gltf["asset"]["extras"]["metersPerUnit"]
        names = (material["name"] for material in self.gltf["materials"])
        self.names = [name.split("/")[-1].lstrip("*!+{0#~") for name in names]

    def accessor(self, index):
        accessor = self.gltf["accessors"][index]
        view = self.gltf["bufferViews"][accessor["bufferView"]]
        kind, size = TYPES[accessor["componentType"]]
        width = WIDTHS[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", size * width)
        return np.ndarray((accessor["count"], width), kind, self.buffer, start, (stride, size))

    def game(self, positions):
        """Converts meters with Y up to game units with Z up."""
        p = positions.astype(np.float64) / self.scale
        return np.stack([p[:, 0], -p[:, 2], p[:, 1]], 1)

    def triangles(self, mesh):
        """Yields for each primitive the material name, corners (n, 3, 3) and uvs (n, 3, 2)."""
        for primitive in self.gltf["meshes"][mesh]["primitives"]:
            indices = self.accessor(primitive["indices"])[:, 0].reshape(-1, 3)
            positions = self.game(self.accessor(primitive["attributes"]["POSITION"]))
            stored = primitive["attributes"].get("TEXCOORD_0")
            uvs = np.zeros((len(positions), 2)) if stored is None else self.accessor(stored).astype(np.float64)
            yield self.names[primitive["material"]], positions[indices], uvs[indices]

    def nodes(self, kind):
        return [node for node in self.gltf["nodes"] if node.get("extras", {}).get("bspscene", {}).get("kind") == kind]


def area(corners):
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.linalg.norm(sides, axis=1).sum() / 2)


def areas_of(scene, node):
    out = {}
    for name, corners, _ in scene.triangles(node["mesh"]):
        out[name] = out.get(name, 0) + area(corners)
    return out


def check_areas(expected, family, scene, complaints):
    world = areas_of(scene, scene.nodes("world")[0])
    # Areas of curves are not compared: their materials are also those of walls, and the map's text does not state the
    # areas of curves.
    curved = {patch["material"].split("/")[-1] for patch in expected.get("patches", [])}
    for name, wanted in expected[family["area_key"]].items():
        if name in curved:
            continue
        if name == "water":
            wanted *= family["water_area_factor"]
        matching = [key for key in world if key.startswith(name)]
        measured = sum(world[key] for key in matching)
        if abs(measured - wanted) > AREA_TOLERANCE * wanted:
            complaints.append(f"area of {name}: {measured:.1f}, expected {wanted:.1f}")


def weights_at(corners, point):
    """Returns the barycentric weights of a point in each triangle, and the normals of the triangles (not of length 1).
    The weights are nan if the point is outside of the triangle or off its plane."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    to = np.asarray(point, np.float64) - a
    normal = np.cross(ab, ac)
    double = (normal**2).sum(1)
    with np.errstate(all="ignore"):
        v = (np.cross(to, ac) * normal).sum(1) / double
        w = (np.cross(ab, to) * normal).sum(1) / double
        off = np.abs((to * normal).sum(1)) / np.sqrt(double)
    weights = np.stack([1 - v - w, v, w], 1)
    weights[(weights < -1e-6).any(1) | ~(off < 0.1)] = np.nan
    return weights, normal


def drawn(scene):
    """Yields, for each primitive of the scene, the material name, and the corners (in world space) and uvs of its
    triangles."""
    for node in scene.nodes("world") + scene.nodes("brush-entity"):
        if "mesh" in node:
            origin = scene.game(np.array([node.get("translation", [0, 0, 0])], np.float64))[0]
            for name, corners, uvs in scene.triangles(node["mesh"]):
                yield name, corners + origin, uvs


def check_uvs(expected, scene, modulo, renamed, complaints):
    for fact in expected["uv_points"]:
        size, found = np.array(fact["texture_size"], np.float64), False
        wanted = fact["material"].split("/")[-1].lstrip("*!+{0~")
        for name, corners, uvs in drawn(scene):
            weights, normal = weights_at(corners, fact["point"])
            facing = normal @ np.array(fact["face_normal"]) > 0
            hit = np.flatnonzero(~np.isnan(weights[:, 0]) & facing)
            if not len(hit) or (not renamed and not name.startswith(wanted[:4])):
                continue
            found = True
            texel = (weights[hit[0]] @ uvs[hit[0]]) * size
            difference = texel - np.array(fact["texel_st"])
            if modulo:
                difference -= np.round(difference / size) * size
            if np.abs(difference).max() > TEXEL_TOLERANCE:
                complaints.append(f"uv at {fact['name']}: {texel}, expected {fact['texel_st']}")
        if not found:
            complaints.append(f"uv at {fact['name']}: no face there")


def check_models(expected, family, scene, complaints):
    nodes = {node["extras"]["bspscene"]["model"]: node for node in scene.nodes("brush-entity")}
    for fact in expected["brush_models"]:
        number = int(fact["model"][1:])
        node = nodes.get(number)
        if node is None:
            complaints.append(f"no node for {fact['model']}")
            continue
        moved = np.array(node.get("translation", [0, 0, 0]), np.float64)[None]
        origin = scene.game(moved)[0]
        if np.abs(origin - fact["origin"]).max() > 0.01:
            complaints.append(f"{fact['model']}: origin {origin}, expected {fact['origin']}")
        if "mesh" not in node or not family["trigger_model_has_faces"] and fact["classname"].startswith("trigger"):
            continue
        corners = np.concatenate([corners.reshape(-1, 3) for _, corners, _ in scene.triangles(node["mesh"])])
        bounds = np.array([corners.min(0), corners.max(0)]) + origin
        if np.abs(bounds - np.array(fact["bounds_world"])).max() > 0.1:
            complaints.append(f"{fact['model']}: bounds {bounds.tolist()}, expected {fact['bounds_world']}")


def check_entities(expected, family, lights_expected, scene, info, complaints):
    if lights_expected is not None and info["counts"]["lights"] != lights_expected:
        complaints.append(f"{info['counts']['lights']} lights, expected {lights_expected}")
    for fact in expected["spawns"]:
        nodes = (node for node in scene.gltf["nodes"]
                 if node.get("extras", {}).get("classname") == fact["classname"])
        places = [scene.game(np.array([node.get("translation", [0, 0, 0])], np.float64))[0] for node in nodes]
        if not any(np.abs(place - fact["origin"]).max() < 0.01 for place in places):
            complaints.append(f"{fact['classname']} is not at {fact['origin']}")


def suns_of(game):
    """Counts the suns that sky shaders define, which are not entities."""
    return sum(shader.read_text(encoding="utf-8").count("q3map_sun") for shader in game.glob("*/*.shader"))


def check_file(arguments, expected, folder, path, work):
    family = expected["bsp_families"][folder]
    facts = expected["families"][family["facts"].split("/")[-1]]
    out = work / "atrium.gltf"
    game = ["--game", path.parent.parent.parent / GAMES[folder]] if folder in GAMES else []
    convert = ["convert", path, out, "--include", "sky,trigger,nodraw", "--lighting", "lightmap", "--quiet",
               *game]
    for command in (convert, ["info", path, "--json", "--quiet"]):
        run = subprocess.run([arguments.bspscene, *map(str, command)], capture_output=True, text=True, check=False)
        if run.returncode:
            return [run.stderr.strip()]
    scene, info, complaints = Scene(out), json.loads(run.stdout), []
    lights = family["point_lights_in_entity_lump"]
    if isinstance(lights, dict):
        lights = lights.get(path.stem)
    if lights is not None:
        lights += suns_of(path.parent.parent)
    if path.stem not in NO_AREAS:
        check_areas(facts, family, scene, complaints)
    check_uvs(facts, scene, "modulo" in family["uv_rule"], path.stem in NO_AREAS, complaints)
    check_models(facts, family, scene, complaints)
    check_entities(facts, family, lights, scene, info, complaints)
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--shared", action="store_true")
    arguments = parser.parse_args()
    atrium = pathlib.Path(os.environ.get("BSPSCENE_SHARED_DATA", ""), "atrium") if arguments.shared else FIXTURES
    if not atrium.is_dir():
        print("skipped: BSPSCENE_SHARED_DATA names no folder that holds atrium/")
        return SKIPPED
    expected, failed, count = json.loads((FIXTURES / "expected.json").read_text()), 0, 0
    with tempfile.TemporaryDirectory() as work:
        for folder in expected["bsp_families"]:
            for path in sorted((atrium / folder / "maps").glob("*.bsp")):
                complaints = check_file(arguments, expected, folder, path, pathlib.Path(work))
                count += 1
                failed += bool(complaints)
                print(f"{folder}/{path.name}: {'; '.join(complaints) if complaints else 'as expected'}")
    print(f"{count} maps, {failed} not as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
