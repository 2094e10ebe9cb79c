#!/usr/bin/env python3
"""A bot that walks as the viewer does (walk_bot.mjs) stays inside the map.

    check_walks.py PACKAGE VIEWER OUT FIXTURES

The bot walks for ten seconds from up to eight spawn points of each map. An independent tracer checks each position. The
player's box must never be in a solid, no move may go through a solid, and no position may be below the map. Solids are
the polygons and half-spaces of the C library's scene. Curved patches are recognized by the faces in the file. Real maps
are tested, too, if BSPSCENE_OPENARENA and BSPSCENE_SHARED_DATA name their folders. The test is run by
tests/addon/run.py. Exits 77 if the package was not built (scripts/package-web).
"""
import json
import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
from package import bspscene  # noqa: E402

SKIPPED = 77
FIXTURES = ["atrium/quake3/maps/atrium.bsp", "atrium/quake/maps/atrium.bsp", "atrium/quake/maps/atrium_bspx.bsp",
            "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/quake2_q2map/maps/atrium.bsp", "atrium/rtcw/maps/atrium.bsp",
            "atrium/jediacademy/maps/atrium.bsp", "atrium/hexen2/maps/atrium.bsp"]
OPENARENA = ["oa_dm1", "oa_ctf2", "aggressor", "oa_rpg3dm2", "oa_minia"]
FURTHER = ["quake/librequake/maps/e0m8", "quake/librequake/maps/lqdm3", "quake/librequake/maps/lqdm10",
           "quake/librequake/maps/lq_e2m4", "bsp2/librequake_lq1m1", "goldsrc/nzp_kino", "quake2/base1-test",
           "source/v20_tf2_test2"]
LEAST_MAPS, LEAST_WAY = 8, 200.0
# The depth in game units from which a point counts as inside a solid. The walker keeps a distance of 1/32.
DEPTH = 0.01
STEP = 18.0
# Half the size of the player's box in each game. For collision with clip hulls, which are enlarged by the box, it is a
# point.
HALVES = {"quake": (16, 16, 28), "quake2": (16, 16, 28), "quake3": (15, 15, 28), "rtcw": (18, 18, 36),
          "raven": (15, 15, 32), "source": (16, 16, 36)}
OPEN = ("trigger_", "func_door", "func_illusionary", "func_areaportal", "func_water", "func_ladder", "func_group")
# Numbers of Quake III's format: the lump of faces, the size of a face by the magic, and the type of a patch.
FACES, FACE_SIZES, PATCH = 13, {b"IBSP": 104, b"RBSP": 148}, 2


def is_solid(scene: Any, contents: int) -> bool:
    if scene.family in ("quake", "goldsrc"):
        return contents in (0xfffffffe, 0xfffffff8)
    bits = {"raven": 0x11, "quake2": 0x10003, "source": 0x1400b}
    return bool(contents & (bits.get(scene.variant) or bits.get(scene.family, 0x10001)))


def patches_of(path: Path, name: str | None) -> set[int]:
    """Returns the numbers of faces that are patches, in Quake III's files."""
    if name:
        data = b""
        for archive in sorted(path.glob("*.pk3")):
            with zipfile.ZipFile(archive) as opened:
                if f"maps/{name}.bsp" in opened.namelist():
                    data = opened.read(f"maps/{name}.bsp")
    else:
        data = path.read_bytes()
    magic, version = struct.unpack_from("<4si", data)
    if magic not in FACE_SIZES or version not in (1, 46, 47):
        return set()
    each = FACE_SIZES[magic]
    offset, size = struct.unpack_from("<ii", data, 8 + 8 * FACES)
    return {i for i in range(size // each) if struct.unpack_from("<i", data, offset + i * each + 8)[0] == PATCH}


def clip(polygon: np.ndarray, normal: np.ndarray, distance: float) -> np.ndarray:
    """Returns the part of a polygon on the back side of a plane."""
    heights = polygon @ normal - distance
    kept = []
    for i, (point, height) in enumerate(zip(polygon, heights, strict=True)):
        k = (i + 1) % len(polygon)
        if height < 0:
            kept.append(point)
        if (height < 0) != (heights[k] < 0):
            kept.append(point + (polygon[k] - point) * (height / (height - heights[k])))
    return np.array(kept).reshape(-1, 3)


def is_cut(polygon: np.ndarray, planes: np.ndarray) -> bool:
    for plane in planes:
        polygon = clip(polygon, plane[:3], plane[3])
        if len(polygon) < 3:
            return False
    return True


def box_planes(middle: np.ndarray, half: np.ndarray) -> np.ndarray:
    axes = np.eye(3)
    return np.vstack([np.column_stack([axes, middle + half]), np.column_stack([-axes, half - middle])])


def box_faces(middle: np.ndarray, half: np.ndarray) -> list[np.ndarray]:
    faces = []
    for axis in range(3):
        u, v = np.eye(3)[(axis + 1) % 3] * half, np.eye(3)[(axis + 2) % 3] * half
        for side in (-1, 1):
            at = middle + np.eye(3)[axis] * half * side
            faces.append(np.array([at - u - v, at + u - v, at + u + v, at - u + v]))
    return faces


class World:
    """The solids of a map. Each has bounds and planes (rows of normal and distance, negative inside); flat ones are
    triangles."""

    def __init__(self, scene: Any, patches: set[int]) -> None:
        self.planes: list[np.ndarray] = []
        self.points: list[np.ndarray] = []
        faces = scene.faces()
        entities = scene.items("entities")
        nodes = scene.items("nodes")
        abi = bspscene.abi
        for node, mesh, matrix in scene.instances():
            of_world = node.kind == abi.NODE_WORLD
            if not of_world and node.kind != abi.NODE_COLLISION or mesh.name.endswith(":hull0"):
                continue
            owner = nodes[node.parent]
            if not of_world and owner.kind != abi.NODE_WORLD:
                classname = entities[owner.entity].classname
                if owner.hidden or classname.startswith(OPEN):
                    continue
            placed = mesh.positions @ matrix[:, :3].T + matrix[:, 3]
            normals = mesh.normals @ matrix[:, :3].T
            corners = mesh.triangles.reshape(-1)
            for face in faces[faces["mesh"] == node.mesh]:
                if not is_solid(scene, int(face["content_flags"])):
                    continue
                first, count = int(face["first_vertex"]), int(face["vertex_count"])
                if not of_world:
                    self.add_solid(placed[first:first + count], normals[first:first + count])
                elif int(face["record"]) in patches:
                    index = int(face["first_index"])
                    used = corners[index:index + int(face["index_count"])]
                    for triangle in placed[used].reshape(-1, 3, 3):
                        self.planes.append(np.zeros((0, 4)))
                        self.points.append(triangle.astype(float))
        self.low = np.array([points.min(axis=0) for points in self.points])
        self.high = np.array([points.max(axis=0) for points in self.points])

    def add_solid(self, points: np.ndarray, normals: np.ndarray) -> None:
        different = np.unique(normals.round(6), axis=0).astype(float)
        self.planes.append(np.column_stack([different, (points @ different.T).max(axis=0)]))
        self.points.append(points.astype(float))

    def holds(self, middle: np.ndarray, half: np.ndarray) -> bool:
        """Returns whether the box is inside a solid."""
        near = ((self.low < middle + half) & (self.high > middle - half)).all(axis=1)
        return any(self.overlaps(i, middle, half) for i in np.flatnonzero(near))

    def overlaps(self, i: int, middle: np.ndarray, half: np.ndarray) -> bool:
        planes, points = self.planes[i], self.points[i]
        if not len(planes):
            return is_cut(points, box_planes(middle, half))
        reach = np.abs(planes[:, :3]) @ half
        if (planes[:, :3] @ middle - planes[:, 3] >= reach).any():
            return False
        if (np.abs(points - middle) < half).all(axis=1).any():
            return True
        return any(is_cut(face, planes) for face in box_faces(middle, half))

    def stops(self, a: np.ndarray, b: np.ndarray) -> bool:
        """Returns whether the move from a to b passes through a solid."""
        near = ((self.low < np.maximum(a, b)) & (self.high > np.minimum(a, b))).all(axis=1)
        return any(self.crosses(i, a, b) for i in np.flatnonzero(near))

    def crosses(self, i: int, a: np.ndarray, b: np.ndarray) -> bool:
        planes, points = self.planes[i], self.points[i]
        if not len(planes):
            return crosses_triangle(points, a, b)
        start, end = planes[:, :3] @ a - planes[:, 3], planes[:, :3] @ b - planes[:, 3]
        enter, leave = 0.0, 1.0
        for s, e in zip(start + DEPTH, end + DEPTH, strict=True):
            if s >= 0 and e >= 0:
                return False
            if (s >= 0) != (e >= 0):
                share = s / (s - e)
                enter, leave = (max(enter, share), leave) if s >= 0 else (enter, min(leave, share))
        return enter < leave


def crosses_triangle(points: np.ndarray, a: np.ndarray, b: np.ndarray) -> bool:
    normal = np.cross(points[1] - points[0], points[2] - points[0])
    start, end = (a - points[0]) @ normal, (b - points[0]) @ normal
    if start * end >= 0:
        return False
    at = a + (b - a) * (start / (start - end))
    sides = [np.cross(points[(k + 1) % 3] - points[k], at - points[k]) @ normal for k in range(3)]
    return bool(min(sides) > 0)


def passes(world: World, a: np.ndarray, b: np.ndarray) -> bool:
    """Returns whether the move is free: straight, or up, ahead and down as on steps."""
    levels = [max(a[2], b[2]), min(a[2], b[2]), max(a[2], b[2]) + STEP]
    ways = [[a, b]] + [[a, np.array([a[0], a[1], z]), np.array([b[0], b[1], z]), b] for z in levels]
    return any(not any(world.stops(p, q) for p, q in zip(way, way[1:], strict=False)) for way in ways)


def check(name: str, scene: Any, patches: set[int], walks: list[dict[str, Any]]) -> list[str]:
    world = World(scene, patches)
    hulls = any(mesh.name.endswith(":hull1") for mesh in scene.meshes())
    half = np.zeros(3) if hulls else np.array(HALVES.get(scene.variant) or HALVES[scene.family]) - DEPTH
    floor = min(scene.data.bounds.min[2], float(world.low[:, 2].min()))
    failures, ways = [], []
    for walk in walks:
        if walk["way"] is None:
            failures.append(f"{name}: no room at {walk['spawn']}")
            continue
        way = np.array(walk["way"])
        where = f"{name}, from {walk['spawn']}"
        inside = [i for i, at in enumerate(way) if world.holds(at, half)]
        through = [i for i in range(1, len(way)) if not passes(world, way[i - 1], way[i])]
        for numbers, what in ((inside, "in something"), (through, "through something")):
            if numbers:
                failures.append(f"{where}: {len(numbers)} times {what}, first {numbers[0]} at {way[numbers[0]]}")
        if (way[:, 2] < floor).any():
            failures.append(f"{where}: out of the world")
        ways.append(float(np.linalg.norm(np.diff(way[:, :2], axis=0), axis=1).sum()))
    print(f"{name}: {len(world.points)} solids, {len(ways)} walks of {min(ways):.0f} to {max(ways):.0f} units")
    if np.median(ways) < LEAST_WAY:
        failures.append(f"{name}: the bot hardly moves")
    return failures


def jobs(fixtures: Path) -> list[tuple[str, Path, str | None]]:
    found: list[tuple[str, Path, str | None]] = [(name.split("/")[1] + " " + Path(name).stem, fixtures / name, None)
                                                 for name in FIXTURES]
    arena = Path(os.environ.get("BSPSCENE_OPENARENA", "/nowhere"))
    further = Path(os.environ.get("BSPSCENE_SHARED_DATA", "/nowhere")) / "maps"
    found += [(name, arena, name) for name in OPENARENA if arena.is_dir()]
    return found + [(name, further / f"{name}.bsp", None) for name in FURTHER if (further / f"{name}.bsp").is_file()]


def main(package: str, viewer: str, out: str, fixtures: str) -> int:
    if not (Path(package) / "bspscene_core.wasm").exists():
        print(f"skipped: {package} is not there, scripts/package-web makes it")
        return SKIPPED
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    todo = jobs(Path(fixtures))
    (folder / "jobs.json").write_text(json.dumps([{"name": name, "file": str(path), "map": map_name}
                                                  for name, path, map_name in todo]))
    subprocess.run(["node", HERE / "walk_bot.mjs", package, viewer, folder / "modules", folder / "jobs.json",
                    folder / "walks.json"], check=True)
    walks = json.loads((folder / "walks.json").read_text())
    failures = []
    for name, path, map_name in todo:
        options = {"map": map_name} if map_name else {}
        scene = bspscene.load(str(path), **options, textures="none", models="none",
                              include_mask=("collision", "nodraw", "clip", "caulk", "tool"))
        failures += check(name, scene, patches_of(path, map_name), walks[name])
    print("\n".join(failures) or f"{len(todo)} maps passed")
    return 1 if failures or len(todo) < LEAST_MAPS else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
