#!/usr/bin/env python3
"""Runs OpenUSD's compliance checker (the package usd-core) on the files of write_scene_samples. Each file must open
without findings. In files with deliberate errors, the errors must be found. Exits 77 without usd-core.

    compliance.py DIRECTORY
"""
from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

try:
    from pxr import Usd, UsdGeom, UsdShade, UsdUtils
except ImportError:
    print("skipped: the package usd-core is not there")
    sys.exit(77)

# The package does not find its own definitions of shaders. So this rule would report every shader, and is left out.
BROKEN_RULE = "ShaderPropertyTypeConformanceChecker"


def findings(path: Path) -> list[str]:
    checker = UsdUtils.ComplianceChecker(arkit=path.suffix == ".usdz")  # for packages, also the rules of ARKit
    checker._rules = [rule for rule in checker._rules if type(rule).__name__ != BROKEN_RULE]
    checker.CheckCompliance(str(path))
    return checker.GetErrors() + checker.GetFailedChecks() + checker.GetWarnings()


def faults_of(path: Path) -> list[str]:
    stage = Usd.Stage.Open(str(path))
    found = findings(path)
    meshes = [prim for prim in stage.TraverseAll() if prim.IsA(UsdGeom.Mesh)]
    for prim in meshes:
        subsets = UsdGeom.Subset.GetGeomSubsets(UsdGeom.Imageable(prim))
        bound = [UsdShade.MaterialBindingAPI(p.GetPrim()).ComputeBoundMaterial()[0] for p in subsets or [prim]]
        if not all(bound):
            found.append(f"{prim.GetPath()} has faces without material")
        if subsets and not UsdGeom.Subset.ValidateFamily(UsdGeom.Imageable(prim), "face", "materialBind")[0]:
            found.append(f"{prim.GetPath()}: its subsets overlap")
    return [f"{path.name}: {text}" for text in found]


def unnoticed(sample: Path) -> list[str]:
    """Returns the deliberate errors that are not found."""
    text = sample.read_text(encoding="utf-8")
    broken = {"no axis": text.replace('upAxis = "Y"', "", 1), "no unit": text.replace("metersPerUnit = 1", "", 1),
              "no default prim": re.sub('defaultPrim = "[^"]*"', "", text, count=1),
              "no schema": text.replace('prepend apiSchemas = ["MaterialBindingAPI"]', ""),
              "a picture that is not there": text.replace("_lightmap_0.png@", "_nothing.png@")}
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for picture in sample.parent.glob("sample*.[pj][np]g"):
            (Path(folder) / picture.name).write_bytes(picture.read_bytes())
        for number, (what, bad) in enumerate(broken.items()):
            path = Path(folder) / f"broken{number}.usda"
            path.write_text(bad, encoding="utf-8")
            if not findings(path):
                missed.append(f"{what} is not noticed")
    return missed


def main() -> int:
    folder = Path(sys.argv[1])
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in (".usda", ".usdz")]
    found = [text for path in paths for text in faults_of(path)] + unnoticed(folder / "sample.usda")
    print("\n".join(found) or f"{len(paths)} files comply, OpenUSD {'.'.join(map(str, Usd.GetVersion()[1:]))}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
