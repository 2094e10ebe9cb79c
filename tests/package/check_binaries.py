#!/usr/bin/env python3
"""Checks the search paths and the hardening of programs and libraries.

Usage: check_binaries.py built|installed|addon --build DIR --cmake CMAKE [--fortified]
built: everything in the build directory; installed: what `cmake --install` gives; addon: what scripts/package-addon
packs.
- RPATH and RUNPATH have no empty element, which would mean the current directory, and installed files find libraries
  relative to themselves;
- our files have a stack protector, and are bound and made read-only when loaded; with --fortified they call the C
  library's checked functions.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77
# The folders of a build directory that contain our files. Its other folders may be virtual environments or package
# managers', with binaries of others.
FOLDERS = ("native", "assimp_importer", "tests")
OURS = re.compile(r"bspscene")


def is_of_earlier_version(path: Path) -> bool:
    """True if a later version of the same library has been built since. An old file such as libbspscene.so.0.1.0 stays
    in the build directory. The link libbspscene.so leads to the current file."""
    present = path.with_name(path.name.split(".so.")[0] + ".so")
    return ".so." in path.name and present.exists() and present.resolve() != path.resolve()


def elf_files(folder: Path):
    """Yields programs and shared libraries. Symbolic links to them do not count."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.suffix in {".o", ".a"}:
            continue
        if folder.name in FOLDERS and is_of_earlier_version(path):
            continue
        with path.open("rb") as file:
            head = file.read(18)
        if head[:4] == b"\x7fELF" and head[16:18] in (b"\x02\x00", b"\x03\x00"):
            yield path


def read_elf(path: Path, *options: str) -> str:
    return subprocess.run(["readelf", "-W", *options, str(path)], check=True, stdout=subprocess.PIPE,
                          text=True, env=dict(os.environ, LC_ALL="C")).stdout


def path_problems(path: Path, dynamic: str, leaves_the_build: bool):
    for kind, value in re.findall(r"\((RPATH|RUNPATH)\)\s+Library \w+: \[(.*)\]", dynamic):
        for element in value.split(":"):
            if not element:
                yield f"{path}: {kind} \"{value}\" has an empty element: the current directory"
            elif not element.startswith(("/", "$ORIGIN")):
                yield f"{path}: {kind} \"{value}\": \"{element}\" depends on the current directory"
            elif leaves_the_build and str(ROOT) in element:
                yield f"{path}: {kind} \"{value}\" names the checkout"


def hardening_problems(path: Path, dynamic: str, fortified: bool):
    symbols = read_elf(path, "--dyn-syms")
    if "__stack_chk_fail" not in symbols:
        yield f"{path}: no function of it has a stack protector"
    if fortified and not re.search(r"\b__\w+_chk\b", symbols.replace("__stack_chk", "")):
        yield f"{path}: calls none of the C library's checked functions"
    if "GNU_RELRO" not in read_elf(path, "--program-headers"):
        yield f"{path}: no part is made read-only (RELRO)"
    if not re.search(r"BIND_NOW|\(FLAGS_1\).*\bNOW\b", dynamic):
        yield f"{path}: functions are bound late, so their table stays writable"


def check(folder: Path, leaves_the_build: bool, fortified: bool):
    problems, ours = [], 0
    for path in elf_files(folder):
        dynamic = read_elf(path, "--dynamic")
        problems += path_problems(path, dynamic, leaves_the_build)
        if OURS.search(path.name):
            ours += 1
            problems += hardening_problems(path, dynamic, fortified)
    return problems, ours


def install(arguments, folder: Path) -> Path:
    subprocess.run([arguments.cmake, "--install", arguments.build, "--prefix", str(folder)], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def package_addon(folder: Path) -> Path:
    subprocess.run([str(ROOT / "scripts/package-addon"), str(folder / "out")], check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, BSPSCENE_NO_INSTALL="1"))
    with zipfile.ZipFile(next((folder / "out").glob("*.zip"))) as package:
        package.extractall(folder / "unpacked")
    for wheel in list((folder / "unpacked").rglob("*.whl")):
        with zipfile.ZipFile(wheel) as package:
            package.extractall(wheel.with_suffix(""))
    return folder / "unpacked"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("built", "installed", "addon"))
    parser.add_argument("--build", required=True)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--fortified", action="store_true")
    arguments = parser.parse_args()
    if not shutil.which("readelf"):
        print("skipped: readelf is not installed (binutils)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="bspscene-binaries-") as name:
        if arguments.what == "built":
            folders = [Path(arguments.build) / folder for folder in FOLDERS]
        elif arguments.what == "installed":
            folders = [install(arguments, Path(name))]
        else:
            folders = [package_addon(Path(name))]
        results = [check(folder, arguments.what != "built", arguments.fortified) for folder in folders]
    problems = [problem for found, _ in results for problem in found]
    if not sum(ours for _, ours in results):
        problems.append("none of our programs or libraries found; this check is broken")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
