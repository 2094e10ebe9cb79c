#!/usr/bin/env python3
"""Compares the light of models in a written GLB, at each position, with an independent calculation.

    light_of_places.py BSPSCENE MODELS MAP

MAP is a Quake III map with a light grid, in which one model has many instances, in bright and dark positions. The scene
has one mesh for all of them, with their mean light. In the file each vertex of each instance must be within
--light-error of the grid's light there (tr_light.c R_SetupEntityLightingGrid, read here from the map's own lumps).
Instances in the same light must share a mesh.
"""
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ENTITIES, MODELS, GRID, CELL = 0, 7, 15, (64, 64, 128)
LEAST = 32 / 255
ROUNDING = 2.0
SHIFT = 4   # a left shift by two bits multiplies by 4 (R_ColorShiftLightingBytes of tr_bsp.c)


def shifted(colors):
    """Brightens colors up to white, without a change of hue."""
    return colors * SHIFT * np.minimum(255 / np.maximum(colors.max(1) * SHIFT, 1), 1)[:, None]


class Grid:
    def __init__(self, data):
        offset, size = struct.unpack_from("<2i", data, 8 + 8 * GRID)
        box = np.array(struct.unpack_from("<6f", data, struct.unpack_from("<i", data, 8 + 8 * MODELS)[0])).reshape(2, 3)
        self.cell = np.array(CELL, float)
        self.origin = self.cell * np.ceil(box[0] / self.cell)
        self.counts = (np.floor(box[1] / self.cell) - self.origin / self.cell + 1).astype(int)
        self.samples = np.frombuffer(data, np.uint8, size, offset).reshape(-1, 8).astype(float)
        assert len(self.samples) == self.counts.prod(), (len(self.samples), self.counts)
        self.samples[:, :3], self.samples[:, 3:6] = shifted(self.samples[:, :3]), shifted(self.samples[:, 3:6])

    def at(self, point):
        """Returns ambient and directed light in display space, and the direction of the latter, or None in a wall."""
        where = np.clip((point - self.origin) / self.cell, 0, self.counts - 1)
        low = where.astype(int)
        share, total, light, toward = where - low, 0.0, np.zeros(6), np.zeros(3)
        for corner in np.ndindex(2, 2, 2):
            weight = np.prod(np.where(corner, share, 1 - share))
            x, y, z = np.minimum(low + corner, self.counts - 1)
            sample = self.samples[(z * self.counts[1] + y) * self.counts[0] + x]
            if weight <= 0 or not sample[:6].any():
                continue
            zenith, azimuth = sample[6:] * 2 * np.pi / 256
            toward += weight * np.array([np.cos(azimuth) * np.sin(zenith), np.sin(azimuth) * np.sin(zenith),
                                         np.cos(zenith)])
            light += weight * sample[:6] / 255
            total += weight
        if not total:
            return None   # all samples around the point are in walls
        light /= total
        return np.minimum(light[:3] + LEAST, 1), light[3:], toward / np.linalg.norm(toward)


def crowd(data, count):
    """Returns `count` lit positions, spread over the map at three heights, then the first two positions again."""
    grid = Grid(data)
    offset, = struct.unpack_from("<i", data, 8 + 8 * MODELS)
    low, high = np.array(struct.unpack_from("<6f", data, offset)).reshape(2, 3)
    spread = [((i * 0.6180339) % 1, (i * 0.7548777) % 1, (0.25, 0.5, 0.75)[i % 3]) for i in range(1, 10 * count)]
    places = [np.round(low + (high - low) * (0.08 + 0.84 * np.array(at))) for at in spread]
    lit = [place for place in places if grid.at(place)][:count]
    assert len(lit) == count, len(lit)
    return lit + lit[:2]


def with_models(data, places):
    offset, size = struct.unpack_from("<2i", data, 8 + 8 * ENTITIES)
    text = data[offset:offset + size].rstrip(b"\0") + b"".join(
        b'{\n"classname" "crate"\n"model" "models/crate.md3"\n"origin" "%d %d %d"\n"angle" "%d"\n}\n'
        % (*at, 0 if i % 2 else 90) for i, at in enumerate(places))
    out = bytearray(data)
    struct.pack_into("<2i", out, 8 + 8 * ENTITIES, len(out), len(text) + 1)
    return bytes(out) + text + b"\0"


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        length, = struct.unpack_from("<I", data, 12)
        self.document, self.binary = json.loads(data[20:20 + length]), data[20 + length + 8:]

    def values(self, number):
        accessor = self.document["accessors"][number]
        view = self.document["bufferViews"][accessor["bufferView"]]
        kind, scale = {5126: ("<f4", 1), 5121: ("u1", 255), 5123: ("<u2", 65535)}[accessor["componentType"]]
        width, size = {"VEC3": 3, "VEC4": 4}[accessor["type"]], np.dtype(kind).itemsize
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride", 0) or width * size
        rows = [np.frombuffer(self.binary, kind, width, start + i * step) for i in range(accessor["count"])]
        return np.array(rows, float) / scale

    def turned(self, node, vectors):
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        matrix = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                           [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                           [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
        out = vectors @ matrix.T
        return np.stack([out[:, 0], -out[:, 2], out[:, 1]], 1)   # converts the file's axes back to Z up


def displayed(linear):
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 0.0031308)**(1 / 2.4) - 0.055)


def shown(glb, grid, places):
    """Yields for each instance its mesh, the light that its vertices show, and the expected light, in steps of
    1/255."""
    nodes = [n for n in glb.document["nodes"] if "mesh" in n and n.get("name", "").startswith("crate:")]
    assert len(nodes) == len(places), (len(nodes), len(places))
    for node, place in zip(nodes, places):
        ambient, directed, toward = grid.at(place)
        mesh = glb.document["meshes"][node["mesh"]]
        for primitive in mesh["primitives"]:
            parts = primitive["attributes"]
            normals = glb.turned(node, glb.values(parts["NORMAL"]))
            theirs = ambient + directed * np.maximum(normals @ toward, 0)[:, None]
            yield node["mesh"], displayed(glb.values(parts["COLOR_0"])[:, :3]) * 255, np.minimum(theirs, 1) * 255


def main():
    program, models, given = sys.argv[1:]
    data = Path(given).read_bytes()
    places, failed = crowd(data, 24), False
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder)
        (game / "maps").mkdir()
        (game / "models").mkdir()
        (game / "models/crate.md3").write_bytes((Path(models) / "md3-crate.md3").read_bytes())
        (game / "maps/crowd.bsp").write_bytes(with_models(data, places))
        for error in (14, 60, 200):
            out = game / f"crowd{error}.glb"
            subprocess.run([program, "convert", str(game / "maps/crowd.bsp"), str(out), "--lighting", "lightmap",
                            "--quiet", "--light-error", str(error)], check=True)
            glb = Glb(out)
            rows = list(shown(glb, Grid(data), places))
            worst = max(np.abs(ours - theirs).max() for _, ours, theirs in rows)
            meshes = {mesh for mesh, _, _ in rows}
            spread = max(theirs.max() for *_, theirs in rows) - min(theirs.min() for *_, theirs in rows)
            print(f"--light-error {error}: {len(places)} places, {spread:.0f} steps between their light, {len(meshes)} "
                  f"meshes, worst {worst:.1f}, {out.stat().st_size} bytes")
            alike = rows[0][0] == rows[len(rows) - 2][0]
            fine = worst <= error + ROUNDING and alike if error < 200 else len(meshes) <= 2
            failed |= not fine or (error == 14 and not 2 < len(meshes) < len(places))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
