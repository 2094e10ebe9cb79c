#!/usr/bin/env python3
"""Promise: OpenArena's items stand where its engine puts them.

    items.py --bspscene BUILD/bspscene

`items.json` has positions of items in pictures that OpenArena 0.8.8 drew from the maps' intermission cameras (ioquake3,
960 x 720, field of view 90). An item's position is the center of the box around the pixels that it changes, a mean of
eight pictures during its rotation. Only items that are visible alone are measured. This test rotates the vertices of
the GLB about the entity and projects them. Exits 77 without OpenArena."""
from __future__ import annotations

import argparse
import json
import math
import statistics
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import game_data

WIDTH, HEIGHT = 960, 720
FOCUS = WIDTH / 2              # focal length in pixels for a field of view of 90 degrees
UNIT = 0.0254                  # meters in a game unit
TURNS = 8
# Tolerances in game units. In the pictures, an item hovers at any height between 0 and 8 units above the floor, and
# pixels are as large as 4 units.
FARTHEST, MEDIAN = 6.0, 1.5


class Model:
    """Reads a GLB with its nodes and buffer."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        size = struct.unpack_from("<I", data, 12)[0]
        self.tree, self.buffer = json.loads(data[20:20 + size]), data[28 + size:]
        self.nodes = {node["name"]: node for node in self.tree["nodes"]}

    def vertices(self, mesh: int) -> Iterator[tuple[float, float, float]]:
        for primitive in self.tree["meshes"][mesh]["primitives"]:
            accessor = self.tree["accessors"][primitive["attributes"]["POSITION"]]
            view = self.tree["bufferViews"][accessor["bufferView"]]
            begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            stride = view.get("byteStride", 12)
            for i in range(accessor["count"]):
                yield struct.unpack_from("<3f", self.buffer, begin + i * stride)

    def places(self, name: str) -> Iterator[tuple[float, float, float]]:
        """Yields the vertices of a node and its children, in game units and axes."""
        node = self.nodes[name]
        x, y, z = node["translation"]
        scale = node.get("scale", [1, 1, 1])[0]
        parts = [(node, (0.0, 0.0, 0.0))]
        parts += [(child, tuple(child.get("translation", (0.0, 0.0, 0.0))))
                  for child in (self.tree["nodes"][i] for i in node.get("children", []))]
        for part, (dx, dy, dz) in parts:
            if "mesh" not in part:
                continue
            for vx, vy, vz in self.vertices(part["mesh"]):
                yield ((x + scale * (vx + dx)) / UNIT, -(z + scale * (vz + dz)) / UNIT, (y + scale * (vy + dy)) / UNIT)

    def origin(self, name: str) -> list[float]:
        return [float(word) for word in self.nodes[name]["extras"]["origin"].split()]


def turned(places: list, origin: list[float], degrees: float) -> Iterator[tuple[float, float, float]]:
    """Rotates positions about the vertical axis through the entity's origin, as items rotate."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    for x, y, z in places:
        x, y = x - origin[0], y - origin[1]
        yield c * x - s * y + origin[0], s * x + c * y + origin[1], z


def project(camera: list[float], place: tuple) -> tuple[float, float, float]:
    """Returns the pixel of a point and its depth. `camera` is position, pitch (down) and yaw."""
    pitch, yaw = math.radians(camera[3]), math.radians(camera[4])
    x, y, z = (place[i] - camera[i] for i in range(3))
    ahead, left = math.cos(yaw) * x + math.sin(yaw) * y, -math.sin(yaw) * x + math.cos(yaw) * y
    depth, up = math.cos(pitch) * ahead - math.sin(pitch) * z, math.sin(pitch) * ahead + math.cos(pitch) * z
    return WIDTH / 2 - left / depth * FOCUS, HEIGHT / 2 - up / depth * FOCUS, depth


def middle_of(model: Model, name: str, camera: list[float]) -> tuple[float, float, float]:
    """Returns the center of the box around the item in the picture, as a mean over its rotation, and the item's
    distance."""
    places, origin = list(model.places(name)), model.origin(name)
    middles = []
    for turn in range(TURNS):
        xs, ys, depths = zip(*(project(camera, place) for place in turned(places, origin, 360 * turn / TURNS)))
        middles.append(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, statistics.mean(depths)))
    return tuple(statistics.mean(column) for column in zip(*middles))


def check_map(bspscene: str, game: Path, name: str, measured: dict, work: Path) -> Iterator[tuple[str, float, float]]:
    """Yields each item with its errors in game units: how far right and how far up it is from the measured position."""
    path = work / f"{name}.glb"
    subprocess.run([bspscene, "convert", game, path, "--map", name, "--quiet"], check=True)
    model = Model(path)
    for item, (x, y) in measured["items"].items():
        ours = middle_of(model, item, measured["camera"])
        pixel = ours[2] / FOCUS
        yield f"{name}: {item}", (ours[0] - x) * pixel, (y - ours[1]) * pixel


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    arguments = parser.parse_args()
    game = game_data.find_game() or game_data.skip("BSPSCENE_OPENARENA names no game")
    frames = json.loads(Path(__file__).with_name("items.json").read_text())
    with tempfile.TemporaryDirectory() as work:
        found = [row for name, measured in frames.items()
                 for row in check_map(arguments.bspscene, game, name, measured, Path(work))]
    problems = [f"{item} is {right:+.1f} units to the right and {up:+.1f} up from the engine's"
                for item, right, up in found if max(abs(right), abs(up)) > FARTHEST]
    aside = statistics.median(abs(right) for _, right, _ in found)
    high = statistics.median(abs(up) for _, _, up in found)
    if max(aside, high) > MEDIAN:
        problems.append(f"the median item is {aside:.2f} units aside and {high:.2f} units too high or low")
    mean = statistics.mean(up for _, _, up in found)
    print("\n".join(problems) or f"{len(found)} items in {len(frames)} maps: median {aside:.2f} units aside and "
          f"{high:.2f} in height, on average {mean:+.2f} up")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
