#!/usr/bin/env python3
"""Writes texture coordinates of faces into real maps of Source. Unchanged ones give the same bytes. After rotating all
faces at once, and twenty of them one by one, the library reads the new coordinates, and those of other faces are
unchanged.

    turned_faces.py LIBRARY [MAP]... without maps, those that are installed"""
from __future__ import annotations

import importlib.util
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/addon"), str(ROOT / "tests")]
MAGIC = b"VBSP"
ONE_BY_ONE = 20
NEAR = 1 / 512     # tolerance, where 1 is a texture's size: an eighth of a texel if a texture has 64 texels


def faces_of(path: Path) -> dict[int, Any]:
    """Returns the texture coordinates at the corners of all flat faces, by their numbers."""
    from bspscene import abi, scene
    from bspscene.files import GameFiles
    loaded = scene.load(GameFiles(str(path)), include_mask=abi.SURFACE_ALL, models="none", textures="none")
    drawn = {node.mesh for node in loaded.items("nodes") if node.kind in (abi.NODE_WORLD, abi.NODE_BRUSH_ENTITY)}
    found = {}
    for face in loaded.faces():
        first, count = int(face["first_vertex"]), int(face["vertex_count"])
        if face["mesh"] in drawn and face["index_count"] == 3 * (count - 2):
            uvs = loaded.mesh(int(face["mesh"])).uvs.reshape(-1, 2)
            found[int(face["record"])] = uvs[first:first + count].astype(float)
    return found


def write(path: Path, target: Path, uvs: dict[int, Any]) -> Any:
    from bspscene import NewCorner, rewrite
    corners = [NewCorner(face, number, uv=tuple(map(float, uv)))
               for face, values in uvs.items() for number, uv in enumerate(values)]
    return rewrite(str(path), None, str(target), corners=corners)


def check(path: Path, target: Path) -> list[str]:
    import numpy
    old = faces_of(path)
    turn = 1.5 * numpy.array([[math.cos(0.5), -math.sin(0.5)], [math.sin(0.5), math.cos(0.5)]])
    new = {face: uvs @ turn + (0.25, 0.125) for face, uvs in old.items()}
    faults = []
    if not write(path, target, old).is_identical or target.read_bytes() != path.read_bytes():
        faults.append("as they are, corners change the map")
    some = sorted(old)[::max(len(old) // ONE_BY_ONE, 1)]
    for chosen in [sorted(old), *([face] for face in some)]:
        write(path, target, {face: new[face] for face in chosen})
        found, wanted = faces_of(target), {**old, **{face: new[face] for face in chosen}}
        aside = max(abs(found[face] - wanted[face]).max() for face in old)
        if aside > NEAR:
            faults.append(f"{len(chosen)} faces turned, {chosen[0]} first: {aside:.4f} textures aside")
    print(f"{path.name}: {len(old)} faces at once, {len(some)} one by one, {len(faults)} faults")
    return [f"{path.name}: {fault}" for fault in faults]


def main() -> int:
    import run
    if importlib.util.find_spec("numpy") is None:
        return run.skip("numpy is not there (Debian: python3-numpy)")
    if "BSPSCENE_LIBRARY" not in os.environ:   # restarts in an environment for a sanitized library
        return subprocess.run([sys.executable, *sys.argv], env=run.environment(sys.argv[1])).returncode
    from support.real_maps import find_maps
    loose = (path for path, inside in find_maps() if not inside)
    maps = [Path(name) for name in sys.argv[2:]] or [path for path in loose if path.read_bytes()[:4] == MAGIC]
    if not maps:
        return run.skip("there are no maps of Source")
    with tempfile.TemporaryDirectory() as folder:
        faults = [fault for path in maps for fault in check(path, Path(folder) / "new.bsp")]
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
