#!/usr/bin/env python3
"""Promise: a program that was compiled before fields were added to a mesh, a light and a material runs with a library
whose structs have these fields, and libabigail reports no incompatible change.

    growth.py CMAKE COMPILER MAP FOLDER

Builds two copies of the tree, one with the new fields and one without. A program is compiled with the headers without
the fields. Sanitizers are off, because libabigail would compare their symbols.
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


def build(cmake: str, tree: Path, folder: Path) -> Path:
    """Builds the shared library of a tree, without optimization and with debugging information for libabigail."""
    parts = [f"-DBSPSCENE_{part}=OFF" for part in ("TESTS", "ASSIMP", "CLI", "RENDER", "INSTALL")]
    if launcher := shutil.which("ccache"):
        parts.append(f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}")
    run([cmake, "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS=-O0 -g1", *parts])
    run([cmake, "--build", folder, "--target", "bspscene"])
    return next((folder / "native").glob("libbspscene.so.*.*.*"))


def main() -> int:
    if not shutil.which("abidiff"):
        print("skipped: there is no abidiff (Debian: abigail-tools)")
        return SKIPPED
    cmake, compiler, map_file, folder = sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4])
    shutil.rmtree(folder, ignore_errors=True)
    libraries = {}
    for name in ("old", "new"):
        copy_tree(folder / name)
        if name == "new":
            grow(folder / name)
        libraries[name] = build(cmake, folder / name, folder / f"build_{name}")
    program = folder / "old_program"
    run([compiler, "-std=c11", f"-I{folder / 'old/native/include'}", ROOT / "tests/abi/old_program.c", "-o", program,
         f"-L{libraries['old'].parent}", "-lbspscene"])
    said = {name: run([program, map_file], env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)})
            for name, library in libraries.items()}
    if said["old"] != said["new"] or "mesh worldspawn" not in said["old"]:
        sys.exit(f"the program says something else:\n{said['old']}\n---\n{said['new']}")
    found = differs(libraries["old"], libraries["new"], folder / "new/native/include")
    lines = said["old"].count("\n")
    print(found or f"{lines} lines are the same with a library whose records have grown")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
