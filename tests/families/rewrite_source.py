#!/usr/bin/env python3
"""Source maps written again as other versions of the format: whatever the records look like, the scene stays the same.

    rewrite_source.py --bspscene BUILD/bspscene [--data DATA]

Each map of version 20 in DATA (default: $BSPSCENE_SHARED_DATA) below maps/source becomes one of Bloodlines (17), of the betas
(18), of Half-Life 2 (19, with both kinds of leafs), of Counter-Strike: GO and Left 4 Dead 2 (21), of Strata (25), and one
with compressed lumps. The records are packed by this file's own tables. Exits 77 without DATA."""

import argparse
import json
import lzma
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
HEADER, LUMPS, ENTRY, REVISION_AT = 1036, 64, 16, 1032
NODES, FACES, LEAFS, EDGES, LEAF_FACES, LEAF_BRUSHES, BRUSH_SIDES, AREA_PORTALS = 5, 7, 10, 12, 16, 17, 19, 21
WORLD_LIGHTS, DISPINFO, ORIGINAL_FACES, NORMAL_INDICES, GAME_LUMP, PRIMITIVES, PRIMITIVE_INDICES = 15, 26, 27, 31, 35, 37, 39
PAKFILE, OVERLAYS, AMBIENT_INDEX_HDR, AMBIENT_INDEX, WORLD_LIGHTS_HDR, FACES_HDR = 40, 45, 51, 52, 54, 58
LEAF_CUBE = bytes(24)


class Lump:
    def __init__(self, data, version):
        self.data, self.version, self.unpacked = data, version, 0


def read(path):
    """The lumps of a map of version 20, the game lump's places counted from its own beginning."""
    data = path.read_bytes()
    lumps = []
    for i in range(LUMPS):
        offset, size, version, _ = struct.unpack_from("<4i", data, 8 + ENTRY * i)
        lumps.append(Lump(data[offset:offset + size], version))
        if i == GAME_LUMP:
            lumps[i].data = move_game_lump(lumps[i].data, -offset)
    return lumps, data[REVISION_AT:HEADER]


def move_game_lump(data, by):
    """Its directory counts from the file's beginning."""
    out = bytearray(data)
    for i in range(struct.unpack_from("<i", data)[0] if data else 0):
        at = 4 + ENTRY * i + 8
        struct.pack_into("<i", out, at, struct.unpack_from("<i", data, at)[0] + by)
    return bytes(out)


def write(path, lumps, revision, version, swapped=False):
    directory, body = bytearray(), bytearray()
    for i, lump in enumerate(lumps):
        body += bytes(-len(body) % 4)
        offset = HEADER + len(body) if lump.data else 0
        data = move_game_lump(lump.data, offset) if i == GAME_LUMP else lump.data
        place = (lump.version, offset, len(data)) if swapped else (offset, len(data), lump.version)
        directory += struct.pack("<3iI", *place, lump.unpacked)
        body += data
    path.write_bytes(b"VBSP" + struct.pack("<i", version) + directory + revision + body)


# ---- Records ----------------------------------------------------------------------------------------------------

def repack(data, layout, make):
    return b"".join(make(*record) for record in struct.iter_unpack("<" + layout, data))


FACE = "HBBihhhh4sif2i2iiHHI"


def face17(plane, side, node, edge, edges, info, disp, fog, styles, light, area, s, t, w, h, original, prims, first, _):
    unused = b"\xff" * 4
    return (bytes(32) + struct.pack("<HBBihhhh", plane, side, node, edge, edges, info, disp, fog) + styles + unused + bytes(16)
            + struct.pack("<if4iiHH", light, area, s, t, w, h, original, prims, first))


def face18(*fields):
    return bytes(16) + struct.pack("<" + FACE, *fields)


def face25(plane, side, node, edge, edges, info, disp, _, styles, light, area, s, t, w, h, original, prims, first, smoothing):
    packed = (prims & 0x7FFF) << 1 | (0 if prims & 0x8000 else 1)
    return (struct.pack("<IBBHiiiiI", plane, side, node, 0, edge, edges, info, disp, 0xFFFFFFFF) + styles
            + struct.pack("<if4iiIII", light, area, s, t, w, h, original, packed, first, smoothing))


def leaf19(*fields):
    return struct.pack("<ihH3h3h4Hh", *fields[:-1]) + LEAF_CUBE + bytes(2)


def leaf25(contents, cluster, area, x0, y0, z0, x1, y1, z1, face, faces, brush, brushes, water, _):
    bits = (area & 0x1FF) | (area >> 9) << 17
    return struct.pack("<iiI6f4Ii", contents, cluster, bits, x0, y0, z0, x1, y1, z1, face, faces, brush, brushes, water)


def node25(plane, front, back, x0, y0, z0, x1, y1, z1, face, faces, area, _):
    return struct.pack("<3i6fIIhH", plane, front, back, x0, y0, z0, x1, y1, z1, face, faces, area, 0)


def dispinfo25(*fields):
    start, rest = fields[:9], fields[9:]
    face, _, alpha, samples = rest[:4]
    neighbors, corners, allowed = rest[4:36], rest[36:56], rest[56:]
    out = struct.pack("<3f3iIfi", *start) + struct.pack("<Iii", face, alpha, samples)
    for i in range(8):
        index, orientation, span, theirs = neighbors[4 * i:4 * i + 4]
        out += struct.pack("<IBBBx", 0xFFFFFFFF if index == 0xFFFF else index, orientation, span, theirs)
    for i in range(4):
        indices, count = corners[5 * i:5 * i + 4], corners[5 * i + 4]
        out += struct.pack("<4IB3x", *(0xFFFFFFFF if index == 0xFFFF else index for index in indices), count)
    return out + struct.pack("<10I", *allowed)


def world_light_100(before, after):
    return before + bytes(12) + after


WIDE = {
    NODES: ("3i3h3hHHhH", node25),
    FACES: (FACE, face25), ORIGINAL_FACES: (FACE, face25), FACES_HDR: (FACE, face25),
    LEAFS: ("ihH3h3h4HhH", leaf25),
    EDGES: ("HH", lambda a, b: struct.pack("<II", a, b)),
    LEAF_FACES: ("H", lambda i: struct.pack("<I", i)), LEAF_BRUSHES: ("H", lambda i: struct.pack("<I", i)),
    NORMAL_INDICES: ("H", lambda i: struct.pack("<I", i)), PRIMITIVE_INDICES: ("H", lambda i: struct.pack("<I", i)),
    BRUSH_SIDES: ("HhhBB", lambda p, t, d, bevel, thin: struct.pack("<IiiBBH", p, t, d, bevel, thin, 0)),
    AREA_PORTALS: ("4Hi", lambda *fields: struct.pack("<4Ii", *fields)),
    DISPINFO: ("3f3iIfiHHii" + "HBBBx" * 8 + "4HBx" * 4 + "10I", dispinfo25),
    PRIMITIVES: ("BxHHHH", lambda *fields: struct.pack("<B3x4I", *fields)),
    OVERLAYS: ("ihH256s88s", lambda i, t, n, faces, rest: struct.pack("<iiHH256s88s", i, t, n, 0, faces, rest)),
    AMBIENT_INDEX: ("HH", lambda n, first: struct.pack("<II", n, first)),
    AMBIENT_INDEX_HDR: ("HH", lambda n, first: struct.pack("<II", n, first)),
    WORLD_LIGHTS: ("36s52s", world_light_100), WORLD_LIGHTS_HDR: ("36s52s", world_light_100),
}
FACE_LUMPS = (FACES, ORIGINAL_FACES, FACES_HDR)
SOME_LIGHTS = {WORLD_LIGHTS: WIDE[WORLD_LIGHTS], WORLD_LIGHTS_HDR: WIDE[WORLD_LIGHTS_HDR]}


def with_records(lumps, table, version=None):
    """The lumps named by the table are packed anew; `version` goes into their entries."""
    out = list(lumps)
    for i, (layout, make) in table.items():
        out[i] = Lump(repack(lumps[i].data, layout, make), lumps[i].version if version is None else version)
    return out


def compressed(lumps):
    """As bspzip does: all but the game lump and the pakfile."""
    out = []
    for i, lump in enumerate(lumps):
        packed = Lump(lump.data, lump.version)
        if lump.data and i not in (GAME_LUMP, PAKFILE):
            properties = {"id": lzma.FILTER_LZMA1, "lc": 3, "lp": 0, "pb": 2, "dict_size": 1 << 26}
            stream = lzma.compress(lump.data, lzma.FORMAT_RAW, filters=[properties])
            packed.data = struct.pack("<4sII", b"LZMA", len(lump.data), len(stream)) + b"\x5d" + struct.pack("<I", 1 << 26) + stream
            packed.unpacked = len(lump.data)
        out.append(packed)
    return out


def rewritten(lumps):
    """(name, version, lumps, is the directory's order Left 4 Dead 2's), the original first."""
    yield "20", 20, lumps, False
    faces = {i: (FACE, face18) for i in FACE_LUMPS}
    yield "17", 17, with_records(lumps, {i: (FACE, face17) for i in FACE_LUMPS}, 0), False
    betas = with_records(with_records(lumps, faces), {LEAFS: ("ihH3h3h4HhH", leaf19)}, 0)
    yield "18", 18, betas, False
    yield "19", 19, with_records(lumps, {LEAFS: ("ihH3h3h4HhH", leaf19)}, 0), False
    yield "19_short", 19, lumps, False
    yield "20_lzma", 20, compressed(lumps), False
    yield "21", 21, with_records(lumps, SOME_LIGHTS, 1), False
    yield "left4dead2", 21, with_records(lumps, SOME_LIGHTS, 1), True
    strata = with_records(lumps, WIDE)
    for i in (*FACE_LUMPS, LEAFS):
        strata[i].version = 2
    for i in SOME_LIGHTS:
        strata[i].version = 1
    yield "25", 25, strata, False


# ---- Scenes -----------------------------------------------------------------------------------------------------

def run(bspscene, *arguments):
    done = subprocess.run([bspscene, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def scene_of(bspscene, path, folder):
    """All that can be told of a scene without its format's name, and without the light in leafs, which has moved."""
    facts = json.loads(run(bspscene, "info", "--json", path))
    for key in ("file", "family", "variant", "version"):
        del facts[key]
    del facts["counts"]["ambients"]
    run(bspscene, "convert", path, folder / "scene.gltf", "--include", "all")
    run(bspscene, "bake", path, folder / "atlas", "--lightmap-encoding", "hdr")
    path.unlink()
    scene = json.loads(folder.joinpath("scene.gltf").read_text())
    del scene["asset"]["extras"]
    folder.joinpath("scene.gltf").write_text(json.dumps(scene))
    files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    return {"info": facts, **files}


def check(bspscene, source):
    lumps, revision = read(source)
    expected, problems = None, []
    for name, version, new, swapped in rewritten(lumps):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "map.bsp")
            write(path, new, revision, version, swapped)
            try:
                scene = scene_of(bspscene, path, pathlib.Path(folder))
            except RuntimeError as error:
                problems.append(f"{source.name} as {name}: {error}")
                continue
        expected = expected or scene
        differing = [what for what in {*expected, *scene} if expected.get(what) != scene.get(what)]
        problems += [f"{source.name} as {name}: {what} differs" for what in sorted(differing)]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--data", default=os.environ.get("BSPSCENE_SHARED_DATA"))
    arguments = parser.parse_args()
    maps = sorted(pathlib.Path(arguments.data or "/nonexistent", "maps/source").glob("v20_*.bsp"))
    if not maps:
        print("Skipped: no maps below maps/source of --data or BSPSCENE_SHARED_DATA.")
        return SKIPPED
    problems = [problem for path in maps for problem in check(arguments.bspscene, path)]
    print("\n".join(problems) or f"{len(maps)} maps: the same scenes in {len(list(rewritten(read(maps[0])[0])))} forms")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
