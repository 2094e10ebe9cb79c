#!/usr/bin/env python3
"""Checks that every fixture becomes the same files on every machine. The program of this build, made by gcc, is
compared with programs for big-endian s390x (run by qemu) and 32-bit i686, and with one that clang compiled with full
optimization. Each command's status, output and files are compared by their SHA-256.

Usage: check_same_bytes.py --program BSPSCENE --build DIRECTORY --cmake CMAKE [--machine NAME]... [--map PART] The
machines' programs are built in DIRECTORY, without the libraries that only few maps need. A machine whose compiler or
emulator is missing is named and left out; if all are missing the test is skipped. Pictures of `render` are only
compared between gcc and clang, because Embree does not support the others.
"""
import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests/fixtures"
SOURCES = ROOT / "build/bundle/sources"
BUNDLE = ROOT / "scripts/bundle"
SKIPPED = 77
MODELS = (".md3", ".md2", ".iqm", ".mdl", ".spr")


class Machine(NamedTuple):
    """A machine: its compiler, the emulator of its programs, and the Debian packages with both."""

    compiler: str
    emulator: str
    packages: str


MACHINES = {
    "s390x": Machine("s390x-linux-gnu-gcc", "qemu-s390x-static",
                     "gcc-s390x-linux-gnu g++-s390x-linux-gnu qemu-user-static"),
    "i686": Machine("i686-linux-gnu-gcc", "", "gcc-i686-linux-gnu g++-i686-linux-gnu"),
    "clang": Machine("clang", "", "clang"),
}
# Commands that read or write a map. The output of some names the folder they run in, so paths are relative.
COMMANDS = [["convert", "MAP", f"out.{kind}"] for kind in ("glb", "fbx", "usda", "usdz", "obj")]
COMMANDS += [["convert", "MAP", "out.gltf", "--lighting", "lightmap", "--sky", "cube", "--lights", "all"],
             ["convert", "MAP", "out.glb", "--lighting", "baked", "--baked-size", "512", "--merge", "material"],
             ["bake", "MAP", "atlas", "--every-style"], ["extract", "MAP", "files"], ["entities", "MAP", "--json"],
             ["info", "MAP", "--json"]]
MODEL_COMMANDS = [["convert", "MAP", f"out.{kind}", "--animate"] for kind in ("glb", "fbx")]
MODEL_COMMANDS += [["convert", "MAP", "out.usda"], ["convert", "MAP", "out.obj"]]
PICTURES = [["render", "MAP", "out.png", "--size", "96x72"],
            ["render", "MAP", "out.png", "--size", "96x72", "--overview"]]


def lacks(name: str) -> str:
    machine = MACHINES[name]
    missing = [program for program in (machine.compiler, machine.emulator, "ninja")
               if program and not shutil.which(program)]
    if missing:
        return f"{', '.join(missing)} (Debian: {machine.packages})"
    if name != "clang" and not (SOURCES / "unpacked").is_file():
        return f"{SOURCES}, which scripts/test-machines fetches"
    return ""


def build(cmake: str, name: str, folder: Path) -> Path:
    options = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX") if shutil.which("ccache")]
    if name == "clang":
        options += ["-S", str(ROOT), "-DCMAKE_BUILD_TYPE=Release", "-DBSPSCENE_TESTS=OFF", "-DCMAKE_C_COMPILER=clang",
                    "-DCMAKE_CXX_COMPILER=clang++"]
    else:
        options += ["-S", str(BUNDLE), "--toolchain", str(BUNDLE / "toolchains/debian.cmake"),
                    f"-DBUNDLE_MACHINE={name}", f"-DBUNDLE_SOURCES={SOURCES}", "-DBUNDLE_SMALL=ON"]
    for command in ([cmake, "-B", str(folder), "-G", "Ninja", *options],
                    [cmake, "--build", str(folder), "--target", "bspscene_cli"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"$ {' '.join(command)}\n{done.stdout[-4000:]}")
    return folder / ("native/cli/bspscene" if name == "clang" else "bspscene")


def hashes(program: list[str], command: list[str], file: Path) -> dict[str, str]:
    """Returns a command's status, output and files, each with its hash. Warnings are not compared, because they name
    formats that a smaller build cannot read."""
    with tempfile.TemporaryDirectory(prefix="bspscene-machines-") as folder:
        words = [str(file) if word == "MAP" else word for word in command]
        done = subprocess.run([*program, *words, "--quiet"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)
        found = {"status": str(done.returncode), "output": hashlib.sha256(done.stdout).hexdigest()}
        if done.returncode:
            found["error"] = done.stderr.decode(errors="replace").strip()[-200:]
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found


def inputs(part: str) -> list[tuple[Path, list[list[str]]]]:
    found: list[tuple[Path, list[list[str]]]] = []
    for path in sorted(FIXTURES.rglob("*")):
        if "rejected" in path.parts or part not in str(path):
            continue
        if path.suffix in (".bsp", ".ump"):
            found.append((path, COMMANDS))
        elif path.suffix in MODELS:
            found.append((path, MODEL_COMMANDS))
    return found


def compare(here: list[str], there: list[str], work: list[tuple[Path, list[str]]], label: str) -> int:
    """Prints a line for each command whose results differ, and returns how many do."""
    def one(item: tuple[Path, list[str]]) -> str:
        file, command = item
        left, right = (hashes(program, command, file) for program in (here, there))
        differing = [key for key in sorted({*left, *right}) if left.get(key) != right.get(key)]
        if not differing:
            return ""
        said = f": ended with {right['status']}: {right.get('error')}" if right['status'] != left['status'] else ""
        return f"{file.relative_to(FIXTURES)}, {' '.join(command)}: differs in {', '.join(differing[:5])}{said}"

    differing = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for number, line in enumerate(pool.map(one, work), 1):
            differing += bool(line)
            if line:
                print(f"{label}: {line}", flush=True)
            elif number % 50 == 0:
                print(f"{label}: {number} of {len(work)} compared", flush=True)
    print(f"{label}: {differing} of {len(work)} differ", flush=True)
    return differing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--machine", action="append", choices=sorted(MACHINES))
    parser.add_argument("--map", default="", help="only files whose path has this in it")
    arguments = parser.parse_args()
    work = [(file, command) for file, commands in inputs(arguments.map) for command in commands]
    drawn = [(file, command) for file, commands in inputs(arguments.map) for command in PICTURES]
    here = [str(Path(arguments.program).resolve())]
    tried, failed = 0, 0
    for name in arguments.machine or MACHINES:
        reason = lacks(name)
        if reason:
            print(f"{name}: not compared: {reason}")
            continue
        program = build(arguments.cmake, name, arguments.build.resolve() / name)
        emulator = [MACHINES[name].emulator] if MACHINES[name].emulator else []
        asked = work + drawn if name == "clang" else work
        tried, failed = tried + 1, failed + compare(here, [*emulator, str(program)], asked, name)
    if not tried:
        return SKIPPED
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
