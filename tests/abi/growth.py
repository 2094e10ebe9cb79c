#!/usr/bin/env python3
"""Promise: a program compiled before a field was added to a mesh, a light and a material runs after it, with the
library that has the field, and libabigail finds nothing.

    growth.py CMAKE OLD_PROGRAM OLD_LIBRARY MAP FOLDER

Builds the library of a copy of the tree whose headers have the fields.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from check_abi import SKIPPED, differs

ROOT = Path(__file__).resolve().parents[2]
GROWN = {"mesh.h": "bspscene_mesh", "lighting.h": "bspscene_light", "material.h": "bspscene_material"}


def copy_tree(folder: Path) -> None:
    for name in ("native", "assimp_importer/LICENSE", "LICENSE", "CMakeLists.txt", "README.md", "docs"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, copy_function=shutil.copyfile)
        elif (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)


def grow(folder: Path) -> None:
    for header, struct in GROWN.items():
        path = folder / "native/include/bspscene" / header
        text = path.read_text(encoding="utf-8")
        grown, count = re.subn(rf"^}} {struct};", f"\tdouble grown[3];\n}} {struct};", text, flags=re.M)
        if count != 1:
            sys.exit(f"{header}: no end of {struct}")
        path.write_text(grown, encoding="utf-8")


def run(command: list[object], **options: Any) -> str:
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, **options)
    if result.returncode:
        sys.exit(f"{' '.join(str(part) for part in command)} ended with {result.returncode}\n{result.stdout[-3000:]}")
    return result.stdout


def main() -> int:
    if not shutil.which("abidiff"):
        print("skipped: there is no abidiff (Debian: abigail-tools)")
        return SKIPPED
    cmake, program, old = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).resolve()
    map_file, folder = sys.argv[4], Path(sys.argv[5])
    shutil.rmtree(folder, ignore_errors=True)
    tree, build = folder / "tree", folder / "build"
    copy_tree(tree)
    grow(tree)
    parts = [f"-DBSPSCENE_{part}=OFF" for part in ("TESTS", "ASSIMP", "CLI", "RENDER", "INSTALL")]
    if launcher := shutil.which("ccache"):
        parts.append(f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}")
    run([cmake, "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS=-O0 -g1",
         *parts])
    run([cmake, "--build", build, "--target", "bspscene"])
    new = next((build / "native").glob("libbspscene.so.*.*.*"))
    before = run([program, map_file], env={**os.environ, "LD_LIBRARY_PATH": str(old.parent)})
    after = run([program, map_file], env={**os.environ, "LD_LIBRARY_PATH": str(new.parent)})
    if before != after or "mesh worldspawn" not in before:
        sys.exit(f"the program says something else:\n{before}\n---\n{after}")
    found = differs(old, new, tree / "native/include")
    print(found or f"{before.count(chr(10))} lines are the same with a library whose records have grown")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
