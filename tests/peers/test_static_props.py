#!/usr/bin/env python3
"""srctools writes static props into our rooms in every version that it knows, and our glTF must have them.

    test_static_props.py --bspscene BSPSCENE --rooms ROOMS

BSPSCENE is the command line, ROOMS the program that writes the rooms (tests/golden/rooms.c)."""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import peers

bsp = peers.load("srctools.bsp")
from srctools import Angle, Matrix, Vec  # noqa: E402

METERS = 0.0254
TOLERANCE = 1e-3
VERSIONS = [version for version in bsp.StaticPropVersion if version is not bsp.StaticPropVersion.UNKNOWN]
# Rooms that srctools can read, by version of props. srctools writes props in the version that belongs to the map's
# version.
ROOMS = {"V9": "left4dead2", "V8": "source21", "V10": "source21", "V11": "source21", "V_STRATA_V12": "strata",
         "V_STRATA_V13": "strata"}
OTHERS = "source20"


def some_props(version, leafs):
    """Yields a few props that differ in all fields of any version; whole numbers avoid rounding."""
    numbers = random.Random(version.name)
    scale = numbers.choice((0.5, 1.0, 3.0))
    for i in range(7):
        flags = numbers.randrange(0x100) | numbers.choice((0, 0x100, 0x500))
        yield bsp.StaticProp(
            model=f"models/peer/m{i % 3}.mdl", origin=Vec(numbers.randrange(-900, 900), 2 * i, numbers.randrange(300)),
            angles=Angle(numbers.randrange(90), numbers.randrange(360), numbers.randrange(90)),
            scaling=Vec(scale, scale + i, scale), visleafs=set(numbers.sample(leafs, 1 + i % 3)),
            solidity=numbers.choice((0, 2, 6)), flags=bsp.StaticPropFlags(flags), skin=numbers.randrange(9),
            min_fade=numbers.choice((-1, 100)), max_fade=numbers.choice((0, 200)), lighting=Vec(i, 5, 6),
            fade_scale=numbers.choice((0.0, 0.5, 1.0)), min_dx_level=numbers.choice((0, 80)), max_dx_level=95,
            min_cpu_level=numbers.randrange(4), max_cpu_level=numbers.randrange(4),
            min_gpu_level=numbers.randrange(4), max_gpu_level=numbers.randrange(4),
            tint=Vec(255, numbers.randrange(256), 0), renderfx=numbers.randrange(256),
            lightmap_x=numbers.choice((0, 16)), lightmap_y=32)


def write(room, version, out):
    """Writes the map again by srctools. srctools 2.7.0 fails to write Strata's color variables. So for Strata's version
    13 only the props are written by srctools."""
    other = bsp.BSP(room)
    other.static_prop_version = version
    other.game_lumps[b"sprp"].version = version.version
    other.props = list(some_props(version, other.visleafs))
    if version.name == "V_STRATA_V13":
        part, other = other._lmp_write_props(other.props), bsp.BSP(room)
        other.game_lumps[b"sprp"].version = version.version
        other.game_lumps[b"sprp"].data = part
    other.save(out)


def read_by_peer(path, version):
    other = bsp.BSP(path)
    if version.name == "V_LIGHTMAP_MESA":
        other.static_prop_version = version   # set by hand, because srctools detects it by an entity of the game
    return list(other.props)


def expected(prop, version):
    """Returns what our glTF should contain; members with default values are left out."""
    lightmapped, number = version.is_lightmap, version.version
    has_levels = number >= 8 and not lightmapped
    flags = prop.flags.value if lightmapped else prop.flags.value & 0xFF
    ex = prop.flags.value >> 8 if (number >= 10 and not lightmapped) or version.name == "V_LIGHTMAP_MESA" else 0
    facts = {"model": prop.model, "static": True}
    numbers = {"skin": prop.skin, "solid": prop.solidity, "flags": flags, "flagsEx": ex}
    facts.update({key: value for key, value in numbers.items() if value})
    if prop.min_fade >= 0 and prop.max_fade > 0:
        facts["fade"] = [prop.min_fade, prop.max_fade]
    if number >= 5 and prop.fade_scale != 1:
        facts["fadeScale"] = prop.fade_scale
    if flags & bsp.StaticPropFlags.HAS_LIGHTING_ORIGIN.value:
        facts["lightingOrigin"] = list(prop.lighting)
    color = [*prop.tint, prop.renderfx]
    if color != [255] * 4:
        facts["color"] = [value / 255 for value in color]
    pairs = {"dxLevels": (prop.min_dx_level, prop.max_dx_level)} if number in (6, 7) or lightmapped else {}
    if has_levels:
        pairs = {"cpuLevels": (prop.min_cpu_level, prop.max_cpu_level),
                 "gpuLevels": (prop.min_gpu_level, prop.max_gpu_level)}
    if lightmapped:
        pairs["lightmapSize"] = (prop.lightmap_x, prop.lightmap_y)
    facts.update({key: list(pair) for key, pair in pairs.items() if any(pair)})
    return facts


def in_gltf(vector):
    return (vector[0], vector[2], -vector[1])


def turned(rotation, axis):
    """Rotates an axis by a quaternion x, y, z, w."""
    x, y, z, w = rotation
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))
    return [sum(a * b for a, b in zip(row, axis)) for row in rows]


def is_near(one, other):
    """True if lists and objects have the same shape, with numbers that differ by rounding only."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_near(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_near, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= TOLERANCE
    return one == other


def check_place(node, prop):
    turn = Matrix.from_angle(prop.angles)
    scale = prop.scaling if isinstance(prop.scaling, Vec) else Vec(prop.scaling, prop.scaling, prop.scaling)
    rotation = node.get("rotation", (0, 0, 0, 1))
    wanted = [in_gltf(prop.origin * METERS), (scale.x, scale.z, scale.y), in_gltf(turn.forward()), in_gltf(turn.up()),
              in_gltf(turn.left())]
    found = [node.get("translation", (0, 0, 0)), node.get("scale", (1, 1, 1)), turned(rotation, (1, 0, 0)),
             turned(rotation, (0, 1, 0)), turned(rotation, (0, 0, -1))]
    return [f"{name} is {b}, expected {a}" for name, a, b in zip(("place", "size", "+X", "+Z", "+Y"), wanted, found)
            if not is_near(list(a), list(b))]


def check(bspscene, path, version):
    props, out = read_by_peer(path, version), path.with_suffix(".gltf")
    subprocess.run([bspscene, "convert", str(path), str(out), "--quiet"], check=True)
    written = json.loads(out.read_text())["nodes"]
    nodes = {node["name"]: node for node in written if node["name"].startswith("prop_static:")}
    problems = [] if len(nodes) == len(props) else [f"{len(nodes)} props, expected {len(props)}"]
    for i, prop in enumerate(props):
        node = nodes.get(f"prop_static:{i}", {"extras": {"bspscene": {"prop": None}}})
        found, wanted = node["extras"]["bspscene"]["prop"], expected(prop, version)
        if not is_near(found, wanted):
            problems.append(f"prop {i} is {found}, expected {wanted}")
        problems += [f"prop {i}: {problem}" for problem in check_place(node, prop)]
    return [f"{version.name}: {problem}" for problem in problems]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--rooms", required=True)
    arguments = parser.parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        subprocess.run([arguments.rooms, work, "--family", "source"], check=True)
        for version in VERSIONS:
            path = work / f"{version.name}.bsp"
            write(work / f"{ROOMS.get(version.name, OTHERS)}.bsp", version, path)
            problems += check(arguments.bspscene, path, version)
    print("\n".join(problems) or f"{len(VERSIONS)} versions of static props agree with srctools")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
