#!/usr/bin/env python3
"""Promise: the programs of docs/examples do what they say, and fail in words.

    check_examples.py FOLDER-OF-PROGRAMS GAME WORK [LIBRARY]

With the library, the Python example too, where numpy is.
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"


def run(*command: object, status: int = 0, **options: Any) -> str:
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, **options)
    if result.returncode != status or (status and not result.stdout):
        sys.exit(f"{command} ended with {result.returncode}: {result.stdout}")
    return result.stdout


def main() -> int:
    programs, game, work = (Path(word).resolve() for word in sys.argv[1:4])
    map_file = game / "maps/atrium.bsp"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for name in ("textured_glb", "own_files", "atlas_pngs"):
        run(programs / name, status=2)
    run(programs / "textured_glb", work / "none.bsp", work / "none.glb", status=1)
    run(programs / "textured_glb", map_file, work / "atrium.glb")
    glb = (work / "atrium.glb").read_bytes()
    if glb[:4] != b"glTF" or glb.count(b'"bufferView"') < 5 or b'"image/' not in glb:
        sys.exit("textured_glb wrote no textures")
    told = run(programs / "own_files", map_file, game)
    if not re.fullmatch(r"[1-9]\d* textures, \d+ missing\n", told):
        sys.exit(f"own_files: {told}")
    pages = run(programs / "atlas_pngs", map_file, cwd=work).splitlines()
    for line in pages:
        if not (work / line.split(":")[0]).read_bytes().startswith(b"\x89PNG"):
            sys.exit(f"atlas_pngs: {line}")
    if not pages:
        sys.exit("atlas_pngs wrote nothing")
    if len(sys.argv) > 4 and importlib.util.find_spec("numpy"):
        (work / "python").mkdir()
        (work / "python/bspscene").symlink_to(EXAMPLES.parents[1] / "addon/native")
        environment = {**os.environ, "PYTHONPATH": str(work / "python"), "BSPSCENE_LIBRARY": sys.argv[4],
                       "PYTHONDONTWRITEBYTECODE": "1"}
        run(sys.executable, EXAMPLES / "textured_glb.py", map_file, work / "python.glb", env=environment)
        if (work / "python.glb").read_bytes() != glb:
            sys.exit("textured_glb.py wrote something else")
    print(told, *pages, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
