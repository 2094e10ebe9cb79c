#!/usr/bin/env python3
"""Compares the triangles, normals, coordinates, skins and pose of Source's models as the library and vmdl read them.
vmdl is a reader in Rust by other authors.

    second_source_reader.py SOURCE_FACTS MADE BUILD

MADE is the folder with the models of write_models, BUILD a folder in which vmdl may be compiled. If
BSPSCENE_SOURCE_MODELS names a folder, its models are compared too. vmdl rotates a whole model by its first bone, so for
models of several bones only the stored vertices are compared. It is compiled by cargo, without the network:
scripts/test fetches it. With exit code 77, a message says what is missing."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support.crates import build_reader  # noqa: E402

SKIPPED = 77
REFUSED = 3
CORNER, PLACE = 8, 3       # number of values of a corner as stored, and of its position in the pose
ROUNDING = 1e-3            # largest error in game units; models are some hundred units large


class Facts:
    """A reader's output. Each triangle begins with its smallest corner, so equal triangles with the same winding have
    equal lists of corners."""

    def __init__(self, text: str) -> None:
        self.folders, self.skins = [], {}
        self.triangles: dict[int, list] = {}
        for line in text.splitlines():
            word, rest = line.split(" ", 1)
            if word == "folder":
                self.folders.append(rest)
            elif word == "skin":
                family, slot, name = rest.split(" ", 2)
                self.skins[int(family), int(slot)] = name.replace("\\", "/").lower()
            else:
                slot, *numbers = rest.split()
                self.add_triangle(int(slot), list(map(float, numbers)))

    def add_triangle(self, slot: int, numbers: list) -> None:
        stored = [numbers[i * CORNER:(i + 1) * CORNER] for i in range(3)]
        posed = [numbers[3 * CORNER + i * PLACE:3 * CORNER + (i + 1) * PLACE] for i in range(3)]
        corners = list(zip(stored, posed))
        if len({tuple(place[:3]) for place in stored}) < 3:
            return   # the library leaves out degenerate triangles
        first = min(range(3), key=lambda i: without_normal(corners[i]))
        self.triangles.setdefault(slot, []).append(corners[first:] + corners[:first])

    def sorted(self, slot: int) -> list:
        """Returns the triangles of a material in a fixed order, because readers may reorder them."""
        return sorted(self.triangles.get(slot, []), key=lambda corners: list(map(without_normal, corners)))


def without_normal(corner: tuple) -> list:
    return [round(number, 3) + 0.0 for number in corner[0][:3] + corner[0][6:]]


def differ(ours: list, theirs: list) -> bool:
    """True if corners differ. If a file has no normals, they are not compared, because the library computes them."""
    has_normal = len(theirs) == PLACE or any(theirs[3:6])
    return any(abs(a - b) > ROUNDING for i, (a, b) in enumerate(zip(ours, theirs)) if has_normal or not 3 <= i < 6)


def compare(ours: Facts, theirs: Facts, with_pose: bool) -> list[str]:
    faults = []
    for place in sorted(ours.skins.keys() | theirs.skins.keys()):
        name, choices = ours.skins.get(place), [folder + theirs.skins.get(place, "") for folder in theirs.folders]
        if name not in [choice.lower() for choice in choices]:
            faults.append(f"skin {place} is {name}, none of {choices}")
    for slot in sorted(ours.triangles.keys() | theirs.triangles.keys()):
        mine, other = ours.sorted(slot), theirs.sorted(slot)
        if len(mine) != len(other):
            faults.append(f"slot {slot}: {len(mine)} triangles instead of {len(other)}")
            continue
        for what, part in (("stored", 0), ("posed", 1))[:1 + with_pose]:
            wrong = sum(any(differ(a[part], b[part]) for a, b in zip(one, two)) for one, two in zip(mine, other))
            if wrong:
                faults.append(f"slot {slot}: {wrong} of {len(mine)} triangles differ as {what}")
    return faults


def is_of_one_bone(path: Path) -> bool:
    return int.from_bytes(path.read_bytes()[156:160], "little") == 1


def main() -> int:
    program, made, build = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if not shutil.which("cargo"):
        print("skipped: cargo is not there")
        return SKIPPED
    vmdl = build_reader(HERE / "vmdl", build)
    if not vmdl:
        print("skipped: the crate vmdl is not there (cargo fetch --manifest-path tests/models/vmdl/Cargo.toml)")
        return SKIPPED
    folders = [made] + [Path(folder) for folder in [os.environ.get("BSPSCENE_SOURCE_MODELS")] if folder]
    faults, compared, alone = [], 0, {"vmdl": 0, "the library": 0}
    for path in [file for folder in folders for file in sorted(folder.rglob("*.mdl"))]:
        if path.read_bytes()[:4] != b"IDST" or not path.with_suffix(".vvd").is_file():
            continue
        ours = subprocess.run([program, str(path.parent), path.name], capture_output=True, text=True)
        theirs = subprocess.run([str(vmdl), str(path)], capture_output=True, text=True)
        if ours.returncode not in (0, REFUSED):
            faults.append(f"{path}: {ours.stderr.strip()}")
        elif ours.returncode or theirs.returncode:
            alone["the library"] += not theirs.returncode
            alone["vmdl"] += not ours.returncode
            print((ours.stderr or theirs.stderr).strip())
        else:
            compared += 1
            faults += [f"{path}: {fault}" for fault in compare(Facts(ours.stdout), Facts(theirs.stdout),
                                                               is_of_one_bone(path))]
    print("\n".join([*faults, f"{compared} models compared, {len(faults)} differences; alone refuse: {alone}"]))
    return bool(faults) or not compared


if __name__ == "__main__":
    sys.exit(main())
