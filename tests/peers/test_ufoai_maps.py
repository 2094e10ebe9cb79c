#!/usr/bin/env python3
"""Promise: UFO: Alien Invasion's maps have the contents that an independent reader finds.

    run.py LIBRARY test_ufoai_maps.py [--maps PATTERN]

For every map of the game ($BSPSCENE_UFOAI, its directory base): compares the numbers of faces, brush models and
entities, the faces of each set of levels, the area of every face, and the entities' keys in order. Prints warnings.
Exits 77 without the game."""
from __future__ import annotations

import argparse
import fnmatch
import sys
import zipfile
from collections import Counter
from pathlib import Path

import numpy

SKIPPED = 77
ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests/support"), str(ROOT / "tests/python")]
from package import bspscene  # noqa: E402
from real_maps import find_folder, find_packed  # noqa: E402
from ufoai_map import UfoaiMap  # noqa: E402

abi = bspscene.abi

# Smaller faces may be left out: they have no area, or are too thin to be triangulated.
LEAST_AREA = 1.0
CLOSE, LEAST_DIFFERENCE = 1e-3, 0.05


def areas_by_source(scene) -> dict[int, float]:
    """Returns the area of each face in the scene, by its record."""
    areas: dict[int, float] = {}
    faces = scene.faces()
    for number, mesh in enumerate(scene.meshes()):
        corners = mesh.positions[mesh.triangles].astype(float)
        spokes = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        sums = numpy.concatenate((numpy.zeros((1, 3)), numpy.cumsum(spokes, axis=0)))
        own = faces[faces["mesh"] == number]
        first = own["first_index"] // 3
        vectors = sums[first + own["index_count"] // 3] - sums[first]
        areas.update(zip(own["record"].tolist(), (numpy.linalg.norm(vectors, axis=1) / 2).tolist()))
    return areas


def compare_areas(file: UfoaiMap, scene, problems: list[str]) -> Counter:
    """Compares the faces of the world and of brush models. Models 256 to 258, which are between them, belong to no
    entity and are left out."""
    wanted = file.areas()
    drawn = set()
    for part in (range(256), range(259, len(file.models))):
        for model in part:
            faces = file.faces_of(model)
            drawn |= set(range(faces.start, faces.stop))
    areas = areas_by_source(scene)
    missing = [number for number in drawn - set(areas) if wanted[number] > LEAST_AREA]
    if missing or set(areas) - drawn:
        problems.append(f"{len(missing)} faces are missing, {len(set(areas) - drawn)} are too many")
    off = [number for number, area in areas.items()
           if abs(area - wanted[number]) > max(LEAST_DIFFERENCE, CLOSE * wanted[number])]
    torn = [number for number in off if file.is_no_polygon(number)]
    if len(off) > len(torn):
        number = next(number for number in off if number not in torn)
        problems.append(f"{len(off) - len(torn)} faces have another area: {number} {areas[number]:.3f}, "
                        f"not {wanted[number]:.3f}")
    return Counter({"faces": len(areas), "of them whose outline is no polygon, with another area": len(torn),
                    "faces without area that are left out": len(drawn - set(areas))})


def compare_levels(file: UfoaiMap, scene, problems: list[str]) -> None:
    levels = {node.mesh: node.levels for node in scene.items("nodes") if node.kind == abi.NODE_WORLD}
    faces = scene.faces()
    masks = {int(face["record"]): levels[int(face["mesh"])] for face in faces if int(face["mesh"]) in levels}
    wrong = sum(masks.get(number, mask) != mask for mask, part in file.by_levels().items()
                for number in range(part.start, part.stop))
    if wrong:
        problems.append(f"{wrong} faces are shown at other levels")


def compare_entities(file: UfoaiMap, scene, problems: list[str]) -> None:
    ours = [[(key.encode("utf-8"), value.encode("utf-8")) for key, value in scene.keys(number)]
            for number in range(scene.data.entity_count)]
    theirs = [[(key.strip(), value) for key, value in entity] for entity in file.entities]
    if len(ours) != len(theirs):
        problems.append(f"{len(ours)} entities, not {len(theirs)}")
    else:
        differing = sum(a != b for a, b in zip(ours, theirs))
        if differing:
            problems.append(f"{differing} entities have other keys")


def check(package: Path, name: str, data: bytes, totals: Counter) -> list[str]:
    problems: list[str] = []
    file = UfoaiMap(data)
    scene = bspscene.load(str(package), name, textures="none", models="none", lightmap_encoding="none",
                          include_mask=("sky", "nodraw", "hint", "skip", "clip", "trigger", "caulk", "tool"))
    counts = scene.data.counts.contents
    if counts.models != 1 + file.brush_models():
        problems.append(f"{counts.models} models, not 1 and {file.brush_models()}")
    if counts.faces != len(file.faces):
        problems.append(f"{counts.faces} faces, not {len(file.faces)}")
    totals += compare_areas(file, scene, problems)
    totals["brush models"] += file.brush_models()
    totals["entities"] += len(file.entities)
    compare_levels(file, scene, problems)
    compare_entities(file, scene, problems)
    for warning in scene.items("warnings"):
        totals[f"warnings of {warning.code}: {warning.message[:60]}"] += warning.count
    return problems


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--maps", default="*")
    arguments = parser.parse_args()
    game = find_folder("BSPSCENE_UFOAI")
    if not game:
        print("skipped: BSPSCENE_UFOAI names no game")
        return SKIPPED
    totals: Counter = Counter()
    failed = 0
    for package, name in find_packed(game):
        if not fnmatch.fnmatch(name, arguments.maps):
            continue
        with zipfile.ZipFile(package) as archive:
            data = archive.read(name)
        problems = check(package, name, data, totals)
        totals["maps"] += 1
        failed += bool(problems)
        for problem in problems:
            print(f"{name}: {problem}")
    for what, count in sorted(totals.items()):
        print(f"{count} {what}")
    print(f"{failed} of {totals['maps']} maps differ")
    return 1 if failed or not totals["maps"] else 0


if __name__ == "__main__":
    sys.exit(main())
