#!/usr/bin/env python3
"""Promise: the programs of docs/examples do what they say, and fail in words; those in Python, by the package and by
ctypes alone, make the same.

    check_examples.py FOLDER-OF-PROGRAMS GAME WORK [LIBRARY]

With the library those in Python too: of the package, where numpy is.
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"


def run(*command: object, status: int = 0, **options: Any) -> str:
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, **options)
    if result.returncode != status or (status and not result.stdout):
        sys.exit(f"{command} ended with {result.returncode}: {result.stdout}")
    return result.stdout


def look(told: str, pages: str, folder: Path) -> bytes:
    """What a language's three programs said and made; returns the glTF."""
    glb = (folder / "atrium.glb").read_bytes()
    if glb[:4] != b"glTF" or glb.count(b'"bufferView"') < 5 or b'"image/' not in glb:
        sys.exit("textured_glb wrote no textures")
    if not re.fullmatch(r"[1-9]\d* textures, \d+ missing\n", told):
        sys.exit(f"own_files: {told}")
    for line in pages.splitlines():
        if not (folder / line.split(":")[0]).read_bytes().startswith(b"\x89PNG"):
            sys.exit(f"atlas_pngs: {line}")
    if not pages:
        sys.exit("atlas_pngs wrote nothing")
    return glb


def main() -> int:
    programs, game, work = (Path(word).resolve() for word in sys.argv[1:4])
    map_file = game / "maps/atrium.bsp"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for name in ("textured_glb", "own_files", "atlas_pngs"):
        run(programs / name, status=2)
    run(programs / "textured_glb", work / "none.bsp", work / "none.glb", status=1)
    languages: dict[str, tuple[Callable[[str], list[object]], dict[str, str]]] = {
        "c": (lambda name: [programs / name], {})}
    if len(sys.argv) > 4:
        library = sys.argv[4]
        languages["ctypes"] = (lambda name: [sys.executable, EXAMPLES / "plain_ctypes.py", library, name], {})
        if importlib.util.find_spec("numpy"):
            (work / "package").mkdir()
            (work / "package/bspscene").symlink_to(EXAMPLES.parents[1] / "addon/native")
            languages["python"] = (lambda name: [sys.executable, EXAMPLES / f"{name}.py"],
                                   {"PYTHONPATH": str(work / "package"), "BSPSCENE_LIBRARY": library})
    results = {}
    for language, (program, settings) in languages.items():
        folder = work / language
        folder.mkdir()
        how: dict[str, Any] = {"env": {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **settings}, "cwd": folder}
        run(*program("textured_glb"), map_file, "atrium.glb", **how)
        told = run(*program("own_files"), map_file, game, **how)
        pages = run(*program("atlas_pngs"), map_file, **how)
        results[language] = (look(told, pages, folder), told, pages)
    for language, result in results.items():
        if result != results["c"]:
            sys.exit(f"the programs in {language} make something else than those in C")
    print(*results, results["c"][1], results["c"][2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
