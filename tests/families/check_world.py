#!/usr/bin/env python3
"""Compares trees, visibility and collision of real maps with an independent reader.

    check_world.py LIBRARY [--data DATA] [MAP]...

For every map below DATA (default: $BSPSCENE_SHARED_DATA), or those named:
  - the leaf that bspscene_find_leaf finds in front of a face lists that face;
  - bspscene_cluster_visible equals the bit in the row that is decoded here;
  - a body of a hull contains points of its own leaf only;
  - the box of a Quake III brush is that of its first six planes, and no brush with contents is lost.
Needs numpy; exits 77 without data."""

import argparse
import ctypes
import os
import pathlib
import random
import struct
import subprocess
import sys

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]
NUDGE = 1.0
# The least share of faces that must be listed in the leaf in front of them. Merged surfaces and curves of Quake III may
# have their center in another leaf. Around detail brushes (many in e3m4), current Quake compilers split leafs but do
# not split the leafs' lists of faces.
LEAST_MERGED, LEAST_ATRIUM, LEAST_WITH_DETAILS = 0.90, 0.999, 0.85
PAIRS = 400


class Format:
    """Where a family stores its leafs, the faces of leafs, and visibility."""

    def __init__(self, directory, entry, leafs, stride, faces_at, number, lists, list_number, vis, first_leaf, coded):
        self.directory, self.entry, self.leafs, self.stride = directory, entry, leafs, stride
        self.faces_at, self.number, self.lists, self.list_number = faces_at, number, lists, list_number
        self.vis, self.first_leaf, self.coded = vis, first_leaf, coded


QUAKE = Format(4, 8, 10, 28, 20, "<HH", 11, "<H", 4, 1, "leafs")
FORMATS = {
    b"\x1d\0\0\0": QUAKE, b"\x1e\0\0\0": QUAKE,
    b"BSP2": Format(4, 8, 10, 44, 32, "<II", 11, "<I", 4, 1, "leafs"),
    b"2PSB": Format(4, 8, 10, 32, 20, "<II", 11, "<I", 4, 1, "leafs"),
    b"IBSP\x26": Format(8, 8, 8, 28, 20, "<HH", 9, "<H", 3, 0, "clusters"),
    b"QBSP\x26": Format(8, 8, 8, 52, 36, "<II", 9, "<I", 3, 0, "clusters"),
    b"IBSP\x2e": Format(8, 8, 4, 48, 32, "<ii", 5, "<i", 16, 0, "plain"),
    b"IBSP\x2f": Format(8, 8, 4, 48, 32, "<ii", 5, "<i", 16, 0, "plain"),
    b"RBSP\x01": Format(8, 8, 4, 48, 32, "<ii", 5, "<i", 16, 0, "plain"),
    b"FBSP\x01": Format(8, 8, 4, 48, 32, "<ii", 5, "<i", 16, 0, "plain"),
}


class Map:
    def __init__(self, path):
        self.data = path.read_bytes()
        self.lumps = {}
        self.format = FORMATS.get(self.data[:4]) or FORMATS.get(self.data[:5])

    def lump(self, number):
        if number not in self.lumps:
            at = self.format.directory + self.format.entry * number
            offset, size = struct.unpack_from("<ii", self.data, at)
            self.lumps[number] = self.data[offset:offset + size]
        return self.lumps[number]

    def listed(self, leaf):
        """Returns the faces that a leaf lists."""
        f = self.format
        first, count = struct.unpack_from(f.number, self.lump(f.leafs), leaf * f.stride + f.faces_at)
        size = struct.calcsize(f.list_number)
        lists = self.lump(f.lists)
        return {struct.unpack_from(f.list_number, lists, size * (first + i))[0] for i in range(count)}

    def row(self, cluster, clusters):
        """Returns which clusters are visible from `cluster`, as a list of bits. Returns None if all clusters are
        visible."""
        vis = self.lump(self.format.vis)
        if not vis:
            return None
        if self.format.coded == "plain":
            size = struct.unpack_from("<i", vis, 4)[0]
            return bits(vis[8 + size * cluster:8 + size * (cluster + 1)], clusters)
        if self.format.coded == "clusters":
            offset = struct.unpack_from("<i", vis, 4 + 8 * cluster)[0]
        else:
            leaf = (cluster + self.format.first_leaf) * self.format.stride
            offset = struct.unpack_from("<i", self.lump(self.format.leafs), leaf + 4)[0]
        if offset < 0:
            return None
        out = bytearray()
        while len(out) < (clusters + 7) // 8:
            if vis[offset]:
                out.append(vis[offset])
                offset += 1
            else:
                out.extend(bytes(vis[offset + 1]))
                offset += 2
        return bits(out, clusters)


def bits(row, count):
    return [row[i >> 3] >> (i & 7) & 1 for i in range(count)]


def point(values):
    return (ctypes.c_float * 3)(*values)


def largest_triangle(numpy, view, face):
    """Returns the center and the normal of a face's largest triangle."""
    corners = view.indices[face["first_index"]:face["first_index"] + face["index_count"]].reshape(-1, 3)
    p = view.positions.reshape(-1, 3)[corners].astype(float)
    normals = numpy.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    areas = numpy.linalg.norm(normals, axis=1)
    best = int(areas.argmax())
    return p[best].mean(0), normals[best] / max(areas[best], 1e-9)


def check_leafs(numpy, abi, library, scene, source, least, complain):
    found = looked = 0
    views = {}
    for face in scene.faces():
        if face["mesh"] not in views:
            views[face["mesh"]] = scene.mesh(int(face["mesh"]))
        view = views[face["mesh"]]
        if view.record.model != 0 or view.sections[face["section"]].surface_kind == abi.SURFACE_COLLISION:
            continue
        middle, normal = largest_triangle(numpy, view, face)
        leaf = library.bspscene_find_leaf(ctypes.byref(scene.data), point(middle + normal * NUDGE))
        looked += 1
        found += leaf != abi.NO_INDEX and int(face["record"]) in source.listed(leaf)
    if looked and found / looked < least:
        complain(f"{found} of {looked} faces are listed by the leaf before them")
    return found, looked


def check_vis(library, scene, source, complain):
    clusters = scene.data.vis.contents.cluster_count
    chance = random.Random(1)
    for _ in range(PAIRS if clusters else 0):
        a, b = chance.randrange(clusters), chance.randrange(clusters)
        row = source.row(a, clusters)
        wanted = row is None or bool(row[b])
        if bool(library.bspscene_cluster_visible(ctypes.byref(scene.data), a, b)) != wanted:
            complain(f"cluster {b} from {a}: should be {wanted}")
            return 0
    return clusters


def bodies(abi, scene):
    """Yields for each collision face: the suffix of its mesh's name, the number of its model, the face, and the
    positions of its vertices."""
    faces = scene.faces()
    for index in range(scene.data.mesh_count):
        view = scene.mesh(index)
        if not view.sections or view.sections[0].surface_kind != abi.SURFACE_COLLISION:
            continue
        positions = view.positions.reshape(-1, 3)
        for section in view.sections:
            for face in faces[section.first_face:section.first_face + section.face_count]:
                first = face["first_vertex"]
                corners = positions[first:first + face["vertex_count"]]
                yield view.name.rsplit(":", 1)[1], view.record.model, face, corners


def check_collision(numpy, abi, library, scene, source, complain):
    seen, count = set(), 0
    quake3 = source.format.coded == "plain"
    planes = source.lump(2) if quake3 else b""
    sides, brushes = (source.lump(9), source.lump(8)) if quake3 else (b"", b"")
    side_size = 12 if source.data[:4] in (b"RBSP", b"FBSP") else 8
    for suffix, model, face, positions in bodies(abi, scene):
        count += 1
        middle = positions.astype(float).mean(0)
        if suffix == "hull0" and model == 0:
            if library.bspscene_find_leaf(ctypes.byref(scene.data), point(middle)) != face["leaf"]:
                complain(f"the middle of leaf {face['leaf']}'s body lies elsewhere")
        if quake3:
            seen.add(int(face["record"]))
            first_side = struct.unpack_from("<i", brushes, 12 * int(face["record"]))[0]
            for axis in range(3):
                for end in range(2):
                    plane = struct.unpack_from("<i", sides, side_size * (first_side + 2 * axis + end))[0]
                    distance = struct.unpack_from("<f", planes, 16 * plane + 12)[0] * (1 if end else -1)
                    own = positions[:, axis].max() if end else positions[:, axis].min()
                    # Only the first six planes are checked. Further planes are bevels, which may be outside of the
                    # brush.
                    if (own - distance) * (1 if end else -1) > 0.05:
                        complain(f"brush {face['source']}: {own} beyond its plane at {distance}")
    if quake3:
        shaders = source.lump(1)
        for number in range(len(brushes) // 12):
            shader = struct.unpack_from("<i", brushes, 12 * number + 8)[0]
            contents = struct.unpack_from("<i", shaders, 72 * shader + 68)[0]
            if contents and number not in seen:
                complain(f"brush {number} is lost")
    return count


def check(numpy, abi, native, files, library, path):
    complaints = []

    def complain(text):
        complaints.append(text)

    source = Map(path)
    if not source.format:
        return None
    scene = native.load(files.GameFiles(str(path)), include_mask=abi.SURFACE_ALL, textures=abi.TEXTURES_NONE)
    if source.format is QUAKE and scene.data.variant == "blueshift":
        return None
    merged = scene.data.family == "quake3"
    least = LEAST_MERGED if merged else LEAST_ATRIUM if path.name.startswith("atrium") else LEAST_WITH_DETAILS
    found, looked = check_leafs(numpy, abi, library, scene, source, least, complain)
    clusters = check_vis(library, scene, source, complain)
    count = check_collision(numpy, abi, library, scene, source, complain)
    print(f"{path.parent.parent.name}/{path.name}: {found} of {looked} faces, {clusters} clusters, {count} bodies")
    for text in complaints[:5]:
        print(f"{path}: {text}", file=sys.stderr)
    return len(complaints)


def with_sanitizers(library):
    """Restarts with the sanitizers' runtime loaded first, if the library needs it."""
    if "LD_PRELOAD" in os.environ:
        return
    needed = subprocess.run(["ldd", library], stdout=subprocess.PIPE, text=True).stdout
    preload = [line.split()[2] for line in needed.splitlines() if "libasan" in line or "libubsan" in line]
    if preload:
        settings = dict(os.environ, LD_PRELOAD=":".join(preload),
                        ASAN_OPTIONS="detect_leaks=0:alloc_dealloc_mismatch=0:detect_odr_violation=0")
        sys.exit(subprocess.run([sys.executable] + sys.argv, env=settings).returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("maps", nargs="*", type=pathlib.Path)
    parser.add_argument("--data", default=os.environ.get("BSPSCENE_SHARED_DATA", ""))
    args = parser.parse_args()
    with_sanitizers(args.library)
    try:
        import numpy
    except ImportError:
        print("skipped: numpy is not there (Debian: python3-numpy)")
        return SKIPPED
    maps = args.maps or sorted(pathlib.Path(args.data).glob("**/*.bsp") if args.data else [])
    if not maps:
        print("skipped: BSPSCENE_SHARED_DATA names no folder with maps")
        return SKIPPED
    os.environ["BSPSCENE_LIBRARY"] = args.library
    sys.path.insert(0, str(ROOT / "python"))
    from bspscene import abi, files, library, scene as native
    results = []
    for path in maps:
        try:
            results.append(check(numpy, abi, native, files, library.get(), path))
        except native.MapError as error:
            print(f"{path.name}: not read: {error}")
    results = [r for r in results if r is not None]
    print(f"{len(results)} maps, {sum(1 for r in results if r)} with complaints")
    return 1 if not results or any(results) else 0


if __name__ == "__main__":
    sys.exit(main())
