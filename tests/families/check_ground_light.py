#!/usr/bin/env python3
"""Compares luxels of Source's displacements with lump 34, where the compiler stores the triangle of each luxel and the
position on it. At that position, the lightmap coordinates must be those of the luxel's center.

    check_ground_light.py LIBRARY [--data DATA]

DATA (default: $BSPSCENE_SHARED_DATA) holds maps/source/*.bsp. Needs numpy; exits 77 without data."""

import argparse
import os
import pathlib
import struct
import sys

from check_source import DISPINFO, SKIPPED, Map
from check_world import with_sanitizers

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES, FACES = 34, 7
# The points around the center of two by two cells, beginning at the lower right, each as (column, row) relative to the
# center.
RING = ((1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0))
# The order of child nodes is upper right, upper left, lower left, lower right.
CHILDREN = ((1, 1), (-1, 1), (-1, -1), (1, -1))
# The largest error of a position, as a share of the displacement's longer side. Positions are stored as weights of a
# triangle's corners, in bytes; the largest error is a little more than one step of a byte.
STEP = 1.05 / 255


def nodes(column, row, half):
    """Returns the centers of the smallest nodes, in the order of the compiler's tree."""
    if half == 1:
        return [(column, row)]
    half //= 2
    return [node for x, y in CHILDREN for node in nodes(column + x * half, row + y * half, half)]


def triangles(power):
    """Yields the corners of all triangles. The triangles are in the order of their numbers, and their corners in the
    order of the stored weights."""
    half = 1 << power >> 1
    for column, row in nodes(half, half, half):
        around = [(column + x, row + y) for x, y in RING]
        for first, second in zip(around, around[1:] + around[:1]):
            yield first, second, (column, row)


def places(samples, count, power):
    """Returns, for each of `count` luxels, the corners of its triangle and its weights. Also returns how many bytes of
    `samples` these use."""
    cut, at, found = list(triangles(power)), 0, []
    for _ in range(count):
        number = samples[at]
        at += 1
        if number == 255:
            number += samples[at]
            at += 1
        found.append((cut[number], [byte / 255 for byte in samples[at:at + 3]]))
        at += 3
    return found, at


def displacements(source):
    """Yields for each displacement face: its number, the numbers of luxels along both sides, its power, and its bytes
    in the lump."""
    faces, infos = source.lump(FACES), source.lump(DISPINFO)
    size_at, stride, start_at = (48, 232, 44) if source.wide else (36, 176, 44)
    for number, face in enumerate(source.faces(faces)):
        if face["dispinfo"] < 0:
            continue
        width, height = struct.unpack_from("<2i", faces, source.face_size * number + size_at)
        info = infos[stride * face["dispinfo"]:][:stride]
        power, = struct.unpack_from("<i", info, 20)
        start, = struct.unpack_from("<i", info, start_at)
        yield number, width + 1, height + 1, power, source.lump(SAMPLES)[start:]


def check(numpy, native, files, path):
    """Checks the displacements of a map. Returns a list of problems, and the number of luxels that were compared."""
    source = Map(path)
    scene = native.load(files.GameFiles(str(path)))
    faces, problems, luxels, used = scene.faces(), [], 0, 0
    for number, width, height, power, samples in displacements(source):
        found, size = places(samples, width * height, power)
        used += size
        face = faces[faces["record"] == number][0]
        side = (1 << power) + 1
        page = scene.data.lightmap_sets[0].pages[int(face["lightmap_page"])]
        uvs = scene.mesh(int(face["mesh"])).lightmap_uvs.reshape(-1, 2)[int(face["first_vertex"]):][:side * side]
        own = uvs * (page.width, page.height) - (float(face["lightmap_x"]) + 0.5, float(face["lightmap_y"]) + 0.5)
        if (int(face["lightmap_width"]), int(face["lightmap_height"])) != (width, height):
            problems.append(f"{path.name}: face {number} has not {width} x {height} luxels")
            continue
        for index, (corners, weights) in enumerate(found):
            at = sum(weight * own[row * side + column] for (column, row), weight in zip(corners, weights))
            far = numpy.abs(at - (index % width, index // width)).max()
            if far > STEP * max(width, height):
                problems.append(f"{path.name}: face {number}, luxel {index} is {far:.3f} luxels away")
        luxels += len(found)
    if used != len(source.lump(SAMPLES)):
        problems.append(f"{path.name}: {used} bytes of {len(source.lump(SAMPLES))} were read")
    return problems, luxels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--data", default=os.environ.get("BSPSCENE_SHARED_DATA"))
    arguments = parser.parse_args()
    with_sanitizers(arguments.library)
    try:
        import numpy
    except ImportError:
        print("skipped: numpy is not there (Debian: python3-numpy)")
        return SKIPPED
    maps = sorted(pathlib.Path(arguments.data or "nowhere").glob("maps/source/*.bsp"))
    maps = [path for path in maps if Map(path).lump(SAMPLES)]
    if not maps:
        print("skipped: no Source maps with displacements below BSPSCENE_SHARED_DATA")
        return SKIPPED
    os.environ["BSPSCENE_LIBRARY"] = arguments.library
    sys.path.insert(0, str(ROOT / "python"))
    from bspscene import files, scene as native
    results = [check(numpy, native, files, path) for path in maps]
    problems = [problem for found, _ in results for problem in found]
    print("\n".join(problems[:20]) or f"{len(maps)} maps, {sum(luxels for _, luxels in results)} luxels agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
