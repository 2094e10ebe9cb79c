#!/usr/bin/env python3
"""Compares Source maps with a small independent parser: counts, luxels that fill the light lump without gap or overlap,
and positions of displacement vertices.

    check_source.py --bspscene BUILD/bspscene [--data DATA]

DATA (default: $BSPSCENE_SHARED_DATA) holds maps/source/*.bsp. Exits 77 without it."""

import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
FACES, LIGHTING, LEAFS, MODELS, TEXINFO, GAME_LUMP, LIGHTING_HDR, FACES_HDR, MAP_FLAGS = 7, 8, 10, 14, 6, 35, 53, 58, 59
VERTICES, EDGES, SURFEDGES, DISPINFO, DISP_VERTICES, OVERLAYS, CUBEMAPS = 3, 12, 13, 26, 33, 45, 42
BUMPED, UNLIT_FLAGS = 0x800, 0x404
TOLERANCE = 0.01  # largest error in game units
EXTRA_BYTES = {0x4: 1, 0x7E: 4}


class Map:
    """Parses the lumps of a map, independently of the library."""

    def __init__(self, path):
        self.data = path.read_bytes()
        self.version = struct.unpack_from("<i", self.data, 4)[0]
        entries = [struct.unpack_from("<4i", self.data, 8 + 16 * i) for i in range(64)]
        swapped = [(e[1], e[2], e[0], e[3]) for e in entries]
        self.entries = max(entries, swapped, key=self.plausible) if self.version == 21 else entries
        self.wide = self.version == 25
        self.face_size = 72 if self.wide else 56

    def plausible(self, entries):
        return sum(not size or (offset >= 1036 and offset + size <= len(self.data)) for offset, size, _, _ in entries)

    def lump(self, index):
        offset, size = self.entries[index][:2]
        return self.data[offset:offset + size]

    def faces(self, lump):
        for at in range(0, len(lump), self.face_size):
            if self.wide:
                texinfo, dispinfo, _, styles, light = struct.unpack_from("<3i4si", lump, at + 16)
                mins_and_size = struct.unpack_from("<4i", lump, at + 40)
            else:
                texinfo, dispinfo, _, styles, light = struct.unpack_from("<hhh4si", lump, at + 10)
                mins_and_size = struct.unpack_from("<4i", lump, at + 28)
            flags = struct.unpack_from("<I", self.lump(TEXINFO), 72 * texinfo + 64)[0] if texinfo >= 0 else 0
            yield {"dispinfo": dispinfo, "flags": flags, "styles": [s for s in styles if s != 255], "light": light,
                   "luxels": (mins_and_size[2] + 1) * (mins_and_size[3] + 1)}

    def lit(self):
        """Returns the lit faces and the lump with their luxels."""
        plain = self.lump(LIGHTING)
        light = plain or self.lump(LIGHTING_HDR)
        faces = self.lump(FACES) if plain or not self.lump(FACES_HDR) else self.lump(FACES_HDR)
        lit = [f for f in self.faces(faces) if light and f["light"] >= 0 and f["styles"]]
        return lit, light

    def static_props(self):
        """Returns the number of static props. It comes after names and leafs in the part "sprp" of the game lump."""
        lump = self.lump(GAME_LUMP)
        for i in range(struct.unpack_from("<i", lump)[0] if lump else 0):
            name, _, version, at = struct.unpack_from("<4sHHi", lump, 4 + 16 * i)
            if name == b"prps":
                at += 4 + 128 * struct.unpack_from("<i", self.data, at)[0]
                at += 4 + (4 if version >= 12 else 2) * struct.unpack_from("<i", self.data, at)[0]
                return struct.unpack_from("<i", self.data, at)[0]
        return 0

    def corners(self, record):
        """Yields the corners of a face's polygon, in order."""
        first, count = struct.unpack_from("<2i", record, 8) if self.wide else struct.unpack_from("<ih", record, 4)
        for i in range(first, first + count):
            edge = struct.unpack_from("<i", self.lump(SURFEDGES), 4 * i)[0]
            form, size = ("<2I", 8) if self.wide else ("<2H", 4)
            pair = struct.unpack_from(form, self.lump(EDGES), abs(edge) * size)
            yield struct.unpack_from("<3f", self.lump(VERTICES), 12 * pair[edge < 0])

    def displaced(self):
        """Yields the positions of all displacement vertices. The face's quad, beginning with the corner nearest to the
        start position, is subdivided and displaced."""
        size = 232 if self.wide else 176
        for at, face in zip(range(0, len(self.lump(FACES)), self.face_size), self.faces(self.lump(FACES))):
            if face["dispinfo"] < 0:
                continue
            x, y, z, first, _, power = struct.unpack_from("<3f3i", self.lump(DISPINFO), size * face["dispinfo"])
            quad = list(self.corners(self.lump(FACES)[at:at + self.face_size]))
            start = min(range(4), key=lambda k: sum((a - b) ** 2 for a, b in zip(quad[k], (x, y, z))))
            quad = quad[start:] + quad[:start]
            cells = 1 << power
            for i in range(cells + 1):
                for j in range(cells + 1):
                    move = struct.unpack_from("<4f", self.lump(DISP_VERTICES), 20 * (first + i * (cells + 1) + j))
                    yield tuple(
                        (quad[0][k] * (1 - i / cells) + quad[1][k] * i / cells) * (1 - j / cells)
                        + (quad[3][k] * (1 - i / cells) + quad[2][k] * i / cells) * j / cells + move[k] * move[3]
                        for k in range(3))

    def tiles(self):
        """Yields the offsets in the lump where the light of each face begins and ends. The light consists of average
        colors, luxels and, from newer compilers, further bytes. The last pair is the size of the lump, and None."""
        lit, light = self.lit()
        flags = struct.unpack("<I", self.lump(MAP_FLAGS)[:4])[0] if len(self.lump(MAP_FLAGS)) >= 4 else 0
        extra = EXTRA_BYTES.get(flags, 0)
        for face in lit:
            styles, sets = len(face["styles"]), 4 if face["flags"] & BUMPED else 1
            size = 4 * face["luxels"] * styles * sets + extra * face["luxels"]
            yield face["light"] - 4 * styles, face["light"] + size
        yield len(light), None


def check(bspscene, path):
    own = Map(path)
    run = subprocess.run([bspscene, "info", "--json", str(path)], capture_output=True, text=True)
    if run.returncode:
        return [f"{path.name}: {run.stderr.strip()}"]
    info = json.loads(run.stdout)
    counts = info["counts"]
    lit = [f for f in own.lit()[0] if not f["flags"] & UNLIT_FLAGS]
    faces = list(own.faces(own.lump(FACES)))
    expected = {
        "models": len(own.lump(MODELS)) // 48, "faces": len(faces),
        "displacements": sum(f["dispinfo"] >= 0 for f in faces), "lightmap_faces": len(lit),
        "static_props": own.static_props(), "overlays": len(own.lump(OVERLAYS)) // (356 if own.wide else 352),
        "cubemaps": len(own.lump(CUBEMAPS)) // 16,
    }
    problems = [f"{path.name}: {key} is {counts[key]}, expected {value}"
                for key, value in expected.items() if counts[key] != value]
    if info["lightmaps"]["hdr"] != bool(own.lit()[1]):
        problems.append(f"{path.name}: lightmaps.hdr is {info['lightmaps']['hdr']}")
    end = 0
    for start, stop in sorted(own.tiles(), key=lambda tile: tile[0]):
        if start != end:
            problems.append(f"{path.name}: luxels end at {end}, the next begin at {start}")
            break
        end = stop
    return problems + check_displacements(bspscene, path, own)


def check_displacements(bspscene, path, own):
    """Returns problems if the OBJ lacks expected positions. The OBJ is in meters with Y up."""
    wanted = list(own.displaced())
    if not wanted:
        return []
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work) / "map.obj"
        command = [bspscene, "convert", str(path), str(out), "--quiet", "--scale", "1"]
        subprocess.run(command, check=True, capture_output=True)
        lines = [line.split()[1:4] for line in out.read_text().splitlines() if line.startswith("v ")]
    cell = 1.0
    found = {}
    for x, y, z in (map(float, line) for line in lines):
        found.setdefault(tuple(round(v / cell) for v in (x, -z, y)), []).append((x, -z, y))
    def is_there(p):
        at = [round(v / cell) for v in p]
        around = (-1, 0, 1)
        cells = ((at[0] + i, at[1] + j, at[2] + k) for i in around for j in around for k in around)
        near = (found.get(place, ()) for place in cells)
        return any(max(abs(a - b) for a, b in zip(p, q)) <= TOLERANCE for points in near for q in points)
    missing = sum(not is_there(p) for p in wanted)
    if not missing:
        return []
    return [f"{path.name}: {missing} of {len(wanted)} displaced vertices are not where they should be"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--data", default=os.environ.get("BSPSCENE_SHARED_DATA"))
    arguments = parser.parse_args()
    maps = sorted(pathlib.Path(arguments.data or "nowhere").glob("maps/source/*.bsp"))
    if not maps:
        print("skipped: no Source maps below BSPSCENE_SHARED_DATA")
        return SKIPPED
    problems = [problem for path in maps for problem in check(arguments.bspscene, path)]
    print("\n".join(problems) or f"{len(maps)} maps agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
