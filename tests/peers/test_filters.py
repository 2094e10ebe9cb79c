"""Compares filters of textures, lightmap pages, light grids and ambient cubes with a second implementation. It follows
graphics cards, Quake III (tr_light.c R_SetupEntityLightingGrid) and Source, and takes nothing from the library.

Usage: test_filters.py SAMPLE_FILTERS"""
import itertools
import json
import math
import subprocess
import sys
from collections import Counter
from typing import Any

Case = dict[str, Any]
Level = tuple[int, int, list[list[float]]]


def mean(parts: list[list[float]], weights: list[float]) -> list[float]:
    total = sum(weights)
    return [sum(part[i] * weight for part, weight in zip(parts, weights)) / total for i in range(len(parts[0]))]


def halved(level: Level) -> Level:
    """Returns the next mip level: each texel is the mean of four, rounded down."""
    width, height, texels = level
    half = max(1, width // 2), max(1, height // 2)
    out = []
    for y, x in itertools.product(range(half[1]), range(half[0])):
        columns = (2 * x, 2 * x + 1) if width > 1 else (0, 0)
        rows = (2 * y, 2 * y + 1) if height > 1 else (0, 0)
        four = [texels[row * width + column] for row in rows for column in columns]
        out.append([float(math.floor(value)) for value in mean(four, [1.0] * 4)])
    return *half, out


def bilinear(level: Level, uv: list[float], clamp: bool) -> list[float]:
    """Samples a level with bilinear filtering. The center of the first texel is at 0.5."""
    width, height, texels = level
    spots = []
    for value, size in zip(uv, (width, height)):
        at = value * size - 0.5
        low = math.floor(at)
        ends = [min(max(i, 0), size - 1) if clamp else i % size for i in (low, low + 1)]
        spots.append((ends, (1 - (at - low), at - low)))
    (xs, x_shares), (ys, y_shares) = spots
    four = [texels[y * width + x] for y in ys for x in xs]
    return mean(four, [a * b for a in y_shares for b in x_shares])


def texture(case: Case) -> tuple[list[float], list[float]]:
    width, height = case["size"]
    channels = len(case["texels"]) // (width * height)
    texels = [case["texels"][i:i + channels] for i in range(0, len(case["texels"]), channels)]
    levels: list[Level] = [(width, height, texels)]
    while levels[-1][:2] != (1, 1):
        levels.append(halved(levels[-1]))
    clamp = case["kind"] == "page" or bool(case["clamp"])
    lod = min(max(case.get("lod", 0), 0), len(levels) - 1)
    first = min(int(lod), len(levels) - 1)
    two = [bilinear(levels[i], case["uv"], clamp) for i in (first, min(first + 1, len(levels) - 1))]
    return [value / 255 for value in mean(two, [1 - (lod - first), lod - first])], case["result"]


def grid(case: Case) -> tuple[list[float], list[float]]:
    """Interpolates between the eight grid points around a position, without those in walls. The result is at least 32
    of 255."""
    place = [min(max((p - o) / s, 0), n - 1)
             for p, o, s, n in zip(case["point"], case["origin"], case["step"], case["counts"])]
    low = [int(value) for value in place]
    ambient, directed, direction, total = [0.0] * 3, [0.0] * 3, [0.0] * 3, 0.0
    for corner in itertools.product((0, 1), repeat=3):
        weight = math.prod(value - least if up else 1 - (value - least) for up, value, least in zip(corner, place, low))
        at = [min(least + up, count - 1) for up, least, count in zip(corner, low, case["counts"])]
        index = (at[2] * case["counts"][1] + at[1]) * case["counts"][0] + at[0]
        own, other = (case[name][3 * index:3 * index + 3] for name in ("ambient", "directed_bytes"))
        if weight <= 0 or not any(own + other):
            continue
        zenith, azimuth = (value * math.tau / 256 for value in case["directions"][2 * index:2 * index + 2])
        unit = math.cos(azimuth) * math.sin(zenith), math.sin(azimuth) * math.sin(zenith), math.cos(zenith)
        for i in range(3):
            ambient[i] += own[i] / 255 * weight
            directed[i] += other[i] / 255 * weight
            direction[i] += unit[i] * weight
        total += weight
    if not case["known"]:
        return [total], [0.0]
    length = math.sqrt(sum(value * value for value in direction))
    wanted = [min(value / total + 32 / 255, 1) for value in ambient] * 6
    return (wanted + [value / total for value in directed] + [value / length for value in direction],
            case["sides"] + case["directed"] + case["direction"])


def display(light: float) -> float:
    """Converts linear light by the curve of sRGB."""
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def cubes(case: Case) -> tuple[list[float], list[float]]:
    """Interpolates the ambient cubes of the leaf in linear light; nearer cubes count more. The light on a surface is
    the sum over three sides of the cube, each times the square of the normal's component."""
    near = [cube for cube in case["cubes"] if cube["leaf"] == case["leaf"]]
    weights = [1 / (math.dist(cube["origin"], case["point"]) ** 2 + 1) for cube in near]
    sides = [display(max(value, 0)) for value in mean([cube["cube"] for cube in near], weights)]
    normal = case["normal"]
    toward = max(sum(a * b for a, b in zip(normal, case["direction"])), 0)
    on = [case["directed"][i] * toward + sum(sides[3 * (2 * axis + (normal[axis] < 0)) + i] * normal[axis] ** 2
                                             for axis in range(3)) for i in range(3)]
    return sides + on, case["sides"] + case["on"]


def main() -> int:
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
    counts: Counter[str] = Counter()
    failures = 0
    for line in lines:
        case = json.loads(line)
        wanted, got = {"texture": texture, "page": texture, "grid": grid, "cubes": cubes}[case["kind"]](case)
        counts[case["kind"]] += 1
        worst = max(abs(a - b) for a, b in zip(wanted, got))
        if worst > 2e-3:
            failures += 1
            print(f"{case['kind']}: {got}, not {wanted}")
    print(", ".join(f"{count} of {kind}" for kind, count in counts.items()), f"and {failures} differ")
    return 1 if failures or len(counts) != 4 or min(counts.values()) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
