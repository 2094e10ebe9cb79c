#!/usr/bin/env python3
"""Checks that two materials with the same picture keep separate light: shared_light.py DIRECTORY. write_scene_samples
has written shared.fbx or shared.usda, and shared.obj, into the folder."""

import pathlib
import re
import sys

import fbx_file

HEIGHT = 8 * 0.0254
# The light of the five squares as display values (1: white). In C, bspt_light_of_square(0, square) returns it.
WANTED = [2 * color / 255 for color in (150, 200, 255, 255, 60)]


def display(linear):
    """Converts linear light to a display value by sRGB's curve, which is continued for values beyond white."""
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def of_fbx(path):
    geometry = next(g for g in fbx_file.read(path.read_bytes()).objects("Geometry") if g.find("LayerElementColor"))
    heights = geometry.one("Vertices").properties[0][1::3]
    layer = geometry.one("LayerElementColor")
    colors, numbers = layer.one("Colors").properties[0], layer.one("ColorIndex").properties[0]
    for corner, number in zip(geometry.one("PolygonVertexIndex").properties[0], numbers, strict=True):
        yield heights[corner if corner >= 0 else ~corner], colors[4 * number:4 * number + 3]


def triples(text, declaration):
    values = re.search(re.escape(declaration) + r" = \[(.*?)\]", text).group(1)
    return [tuple(map(float, triple.split(","))) for triple in re.findall(r"\(([^)]*)\)", values)]


def of_usda(path):
    text = path.read_text()
    points, colors = triples(text, "point3f[] points"), triples(text, "color3f[] primvars:displayColor")
    for point, color in zip(points, colors, strict=True):
        yield point[1], [display(value) for value in color]


def of_obj(path):
    for line in path.read_text().splitlines():
        if line.startswith("v "):
            numbers = list(map(float, line.split()[1:]))
            yield numbers[1], numbers[3:]


def check(path, read, most):
    found = [0] * len(WANTED)
    for height, color in read(path):
        square = round(height / HEIGHT)
        found[square] += 1
        for value in color:
            wanted = min(WANTED[square], most)
            if abs(value - wanted) > 0.01:
                raise SystemExit(f"{path.name}: square {square} has {value:g} instead of {wanted:g}")
    if min(found) < 4:
        raise SystemExit(f"{path.name}: vertices of the squares: {found}")
    print(f"{path.name}: {sum(found)} colors")


def main():
    directory = pathlib.Path(sys.argv[1])
    found = 0
    # In OBJ, no color is brighter than white.
    for ending, read, most in (("fbx", of_fbx, 4), ("usda", of_usda, 4), ("obj", of_obj, 1)):
        path = directory / f"shared.{ending}"
        if path.exists():
            found += 1
            check(path, read, most)
    return 0 if found == 2 else 1


if __name__ == "__main__":
    sys.exit(main())
