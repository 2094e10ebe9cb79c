#!/usr/bin/env python3
"""Calculates the light of lamps on Source's models a second time, and compares it with the library's.

    second_light.py LIGHT_FACTS MODELS ROOM

This script was written from the published SDK alone (bspfile.h dworldlight_t; mathlib/lightdesc.cpp; vrad's
leaf_ambient_lighting.cpp). It reads the lumps itself. It tests a ray against every brush, but the library walks the
tree. ROOM is the tests' room, which gets lamps of all kinds. MODELS are those of write_models, which become its props.
Every vertex must be within 2 of 255.
"""
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PLANES, NODES, TEXINFO, LEAFS, LIGHTS, LEAF_BRUSHES, BRUSHES, SIDES = 1, 5, 6, 10, 15, 17, 18, 19
CUBES, CUBE_INDEX = 56, 52
OPAQUE, SKY = 0x4081, 0x6
SURFACE, POINT, SPOT, SUN = range(4)
MOST_DIRECT = 4


class Map:
    def __init__(self, path):
        self.data = path.read_bytes()
        assert self.data[:4] == b"VBSP"
        self.planes = self.lump(PLANES, "4f4x")
        self.nodes = self.lump(NODES, "3i20x")
        self.texinfos = [record[0] for record in self.lump(TEXINFO, "64xi4x")]
        self.leafs = self.lump(LEAFS, "ihh12s4Hh2x" if self.version(LEAFS) else "ihh12s4Hh26x")
        self.leaf_brushes = [record[0] for record in self.lump(LEAF_BRUSHES, "H")]
        self.brushes, self.sides = self.lump(BRUSHES, "3i"), self.lump(SIDES, "Hhhh")
        newer = self.version(LIGHTS) == 1
        shape = "9f12x3i7fi8x" if newer else "9f3i7fi8x"
        self.lights = [Light(*record) for record in self.lump(LIGHTS, shape)]
        self.solids = self.world_brushes()

    def place(self, number):
        return struct.unpack_from("<3i", self.data, 8 + 16 * number)

    def version(self, number):
        return self.place(number)[2]

    def lump(self, number, shape):
        offset, size, _ = self.place(number)
        step = struct.calcsize("<" + shape)
        return [struct.unpack_from("<" + shape, self.data, offset + at) for at in range(0, size - step + 1, step)]

    def leaf_of(self, point):
        child = 0
        while child >= 0:
            plane, front, back = self.nodes[child]
            normal, distance = self.planes[plane][:3], self.planes[plane][3]
            child = front if np.dot(normal, point) - distance >= 0 else back
        return -1 - child

    def world_brushes(self):
        """Returns the brushes of all leafs of the world, each as an array of planes and the flags of their surfaces."""
        left, numbers = [0], set()
        while left:
            child = left.pop()
            if child >= 0:
                left += self.nodes[child][1:]
                continue
            leaf = self.leafs[-1 - child]
            numbers.update(self.leaf_brushes[leaf[6]:leaf[6] + leaf[7]])
        found = []
        for number in sorted(numbers):
            first, count, contents = self.brushes[number]
            if contents & OPAQUE:
                sides = [side for side in self.sides[first:first + count] if not side[3]]
                flags = [self.texinfos[side[1]] if 0 <= side[1] < len(self.texinfos) else 0 for side in sides]
                found.append((np.array([self.planes[side[0]] for side in sides]), flags))
        return found

    def trace(self, start, end):
        """Follows a ray from start to end. Returns the share of the way before it hits a surface, and the flags of this
        surface."""
        free, flags = 1.0, 0
        for planes, surfaces in self.solids:
            a, b = planes[:, :3] @ start - planes[:, 3], planes[:, :3] @ end - planes[:, 3]
            if (a <= 0).all() or ((a > 0) & (b >= 0)).any():
                continue
            entering, leaving = (a > 0) & (b < 0), (a <= 0) & (b > 0)
            where = np.where(entering, a / np.where(a == b, 1, a - b), -1.0)
            out = (a[leaving] / (a[leaving] - b[leaving])).min() if leaving.any() else 1.0
            if where.max() < out and where.max() < free:
                free, flags = where.max(), surfaces[int(where.argmax())]
        return free, flags

    def cube(self, point):
        """Returns the ambient cube at a point: the leaf's samples, weighted by nearness. A leaf without samples uses
        another leaf's."""
        leaf = self.leaf_of(point)
        offset, size, _ = self.place(CUBES)
        count, first = struct.unpack_from("<2H", self.data, self.place(CUBE_INDEX)[0] + 4 * leaf)
        if not count:
            leaf = first
            count, first = struct.unpack_from("<2H", self.data, self.place(CUBE_INDEX)[0] + 4 * leaf)
        total, found = 0.0, np.zeros((6, 3))
        box = np.array(struct.unpack("<6h", self.leafs[leaf][3]), float).reshape(2, 3)
        for number in range(first, first + count):
            sample = struct.unpack_from("<" + "3Bb" * 6 + "4B", self.data, offset + 28 * number)
            cube = np.array([[sample[4 * s + k] * 2.0**sample[4 * s + 3] for k in range(3)] for s in range(6)])
            at = box[0] + (box[1] - box[0]) * np.array(sample[24:27]) / 255
            weight = 1 / (((at - point)**2).sum() + 1)
            total += weight
            found += cube * weight
        return found / total if total else found


class Light:
    def __init__(self, *record):
        self.origin, self.color, self.normal = (np.array(record[3 * i:3 * i + 3], float) for i in range(3))
        _, self.kind, self.style, self.stop, self.stop2, self.exponent, self.radius, *self.fade, self.flags = record[9:]

    def arriving(self, point):
        """Returns the light's color at a point and its direction. The color is not yet multiplied by the cosine at the
        surface."""
        if self.kind == SUN:
            return self.color, -self.normal / np.linalg.norm(self.normal)
        delta = self.origin - point
        square = max(float(delta @ delta), 1.0)
        toward = delta / max(float(np.linalg.norm(delta)), 1e-9)
        cosine, share = float(-(toward @ self.normal)), 1.0
        if self.radius > 0 and square >= self.radius**2:
            return self.color * 0, toward
        if self.kind == SURFACE:
            return self.color * max(cosine, 0) / square, toward
        if self.kind == SPOT:
            width = self.stop - self.stop2
            share = min((cosine - self.stop2) / (width if width > 1e-10 else 1), 1) if cosine > self.stop2 else 0.0
            share = share**self.exponent if self.exponent not in (0, 1) else share
        constant, linear, quadratic = self.fade
        return self.color * share / max(constant + linear * square**.5 + quadratic * square, 1e-9), toward


def reaching(world, styles, place):
    """Returns the ambient cube at a position with the light of all weaker lamps added, the strongest lamps, and how
    many lamps reach the position."""
    cube, found = world.cube(place), []
    for light in world.lights:
        color, _ = light.arriving(place)
        strength = max(color) * styles.get(light.style, 1)
        if light.kind > SUN or light.flags & 1 or strength < 0.0002:
            continue
        target = place - light.normal * 65536 if light.kind == SUN else light.origin + light.normal / 32
        free, flags = world.trace(place, target)
        if (free < 1 and flags & SKY) if light.kind == SUN else free > 0.999:
            found.append((strength, light))
    found.sort(key=lambda pair: -pair[0])
    for _, light in found[MOST_DIRECT:]:
        color, toward = light.arriving(place)
        for side in range(6):
            amount = toward[side // 2] * (-1 if side % 2 else 1)
            cube[side] += color * styles.get(light.style, 1) * max(amount, 0)
    return cube, [light for _, light in found[:MOST_DIRECT]], len(found)


def lit(world, styles, place, points, normals, soft):
    cube, lights, count = reaching(world, styles, place)
    out = []
    for point, normal in zip(points, normals):
        value = sum(cube[2 * axis + (normal[axis] < 0)] * normal[axis]**2 for axis in range(3))
        for light in lights:
            color, toward = light.arriving(point)
            cosine = float(toward @ normal)
            angle = max(cosine * 0.5 + 0.5, 0)**2 if soft else max(cosine, 0)
            value = value + color * styles.get(light.style, 1) * angle
        out.append(value)
    return np.array(out), count


# Lamps for the room: one of each kind, one weaker than four others, one around a corner, and one that the cubes already
# include.
ROOM_LIGHTS = [
    # The columns are: origin, intensity, normal, kind, style, cosines, exponent, radius, constant, linear, quadratic,
    # flags.
    ((64, 64, 96), (250, 120, 20), (0, 0, 0), POINT, 0, 0, 0, 0, 0, 0, 0, 1, 0),
    ((16, 16, 96), (0.3, 0.3, 0.9), (0.6, 0.6, -0.5292), SPOT, 0, 0.95, 0.5, 3, 0, 1, 0, 0, 0),
    ((120, 16, 60), (8, 9, 2), (-0.8, 0.6, 0), SPOT, 0, 0.8, 0.2, 1, 0, 0, 1, 0, 0),
    ((16, 120, 127), (700, 600, 500), (0, 0, -1), SURFACE, 0, 0, 0, 0, 0, 0, 0, 1, 0),
    ((100, 100, 30), (2, 1, 1), (0, 0, 0), POINT, 0, 0, 0, 0, 0, 1, 0.1, 0, 0),
    ((100, 20, 110), (0.03, 0.02, 0.05), (0, 0, 0), POINT, 0, 0, 0, 0, 0, 1, 0, 0, 0),
    ((8, 8, 8), (0.05, 0.2, 0.02), (0, 0, 0), POINT, 0, 0, 0, 0, 0, 1, 0, 0, 0),
    ((64, 100, 127), (4000, 0, 0), (0, 0, -1), SURFACE, 0, 0, 0, 0, 0, 0, 0, 1, 1),
    ((48, 64, 90), (9, 9, 9), (0, 0, 0), POINT, 0, 0, 0, 0, 20, 1, 0, 0, 0),
    ((30, 30, -300), (0.2, 0, 0.2), (0, 0, 0), POINT, 0, 0, 0, 0, 0, 1, 0, 0, 0),
    ((0, 0, 0), (0.15, 0.12, 0.2), (0.1, 0.2, 0.9747), SUN, 0, 0, 0, 0, 0, 0, 0, 0, 0),
]


def with_lights(path, sky):
    """Adds the lamps to the room. Each leaf gets its own ambient cube, and lists the brush that crosses all leafs. With
    `sky`, all surfaces are marked as sky, so the sun shines up through the floor."""
    data = bytearray(path.read_bytes())
    records = b"".join(struct.pack("<9f3i7fi8x", *origin, *color, *normal, 0, *rest)
                       for origin, color, normal, *rest in ROOM_LIGHTS)
    struct.pack_into("<3i", data, 8 + 16 * LIGHTS, len(data), len(records), 0)
    index, = struct.unpack_from("<i", data, 8 + 16 * CUBE_INDEX)
    struct.pack_into("<4H", data, index + 8, 1, 2, 0, 2)
    leafs, size = struct.unpack_from("<2i", data, 8 + 16 * LEAFS)
    for at in range(leafs + 24, leafs + size, 32):
        struct.pack_into("<2H", data, at, 0, 1)
    texinfos, size = struct.unpack_from("<2i", data, 8 + 16 * TEXINFO)
    for at in range(texinfos + 64, texinfos + size, 72) if sky else ():
        struct.pack_into("<i", data, at, 4)
    path.write_bytes(data + records)


def shown(linear):
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 0.0031308)**(1 / 2.4) - 0.055)


def check(facts, path, soft):
    text = subprocess.run([facts, str(path)], check=True, capture_output=True, text=True).stdout.splitlines()
    world, styles, worst, count, lamps, at = Map(path), {}, 0.0, 0, 0, 0
    while at < len(text):
        word, *rest = text[at].split()
        at += 1
        if word == "style":
            styles[int(rest[0])] = float(rest[1])
            continue
        number, told = int(rest[1]), rest[2] == "1"
        rows = np.array([line.split() for line in text[at:at + number]], float)
        at += number
        if rest[0].startswith("prop_detail"):
            continue  # detail props are skipped, because the compiler stored the light of their vertices
        points, normals, ours = rows[:, :3], rows[:, 3:6], rows[:, 6:]
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        place = np.array(rest[3:6], float) if told else (points.min(0) + points.max(0)) / 2
        theirs, reached = lit(world, styles, place, points, normals, soft)
        difference = np.abs(np.minimum(shown(theirs), float(rest[6])) - ours)
        worst, count, lamps = max(worst, float(difference.max())), count + number, lamps + reached
        print(f"{path.name} {rest[0]}: {number} vertices, {reached} lamps, worst {difference.max() * 255:.2f} of 255, "
              f"brightest {ours.max() * 255:.0f}")
    return worst, count, lamps


def put_soft_material(game):
    """Writes the models' material. $halflambert makes light fall softly around them, as in common_vs_fxc.h."""
    (game / "materials/models/test").mkdir(parents=True)
    (game / "materials/models/test/crate.vmt").write_text(
        '"VertexLitGeneric"\n{\n\t"$basetexture" "models/test/crate"\n\t"$halflambert" "1"\n}\n')


def main():
    facts, models, *paths = sys.argv[1:]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder)
        (game / "maps").mkdir()
        (game / "models/test").mkdir(parents=True)
        for file in Path(models).glob("source_mdl-*"):
            ending = file.name.split(".", 1)[1]
            for name in ("crate", "barrel", "rock", "lamp"):
                shutil.copy(file, game / "models/test" / f"{name}.{ending}")
        for given, name in [(given, name) for given in paths for name in ("lamps", "sky", "soft")]:
            if name == "soft":
                put_soft_material(game)
            path = game / "maps" / f"{name}.bsp"
            shutil.copy(given, path)
            with_lights(path, name == "sky")
            worst, count, lamps = check(facts, path, name == "soft")
            print(f"{name}: {count} vertices, worst {worst * 255:.2f} of 255")
            failed |= worst > 2 / 255 or not count or not lamps
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
