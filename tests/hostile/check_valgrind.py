#!/usr/bin/env python3
"""Runs the command line in valgrind. It reads, writes and draws every fixture, including those that it refuses.
Valgrind detects uninitialized bits, which gcc's sanitizers do not.

    check_valgrind.py --build DIRECTORY [--compiler CC] [--launcher CCACHE] [MAP...]

Builds the program without sanitizers, which valgrind cannot run. Known reports about other libraries are in
valgrind.supp."""
from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support/builds"))
import own_build  # noqa: E402

FIXTURES = ROOT / "tests/fixtures"
SUPPRESSED = ROOT / "tests/hostile/valgrind.supp"
SKIPPED, REPORTED = 77, 99
COMMANDS = [["info"], ["entities"], ["convert", "map.glb"], ["convert", "map.fbx"], ["convert", "map.usdz"],
            ["convert", "map.obj"], ["bake", "atlas"],
            ["render", "map.png", "--size", "48x48", "--samples", "1"]]
# Commands for files that are refused. The other commands would fail in the same way, before they write anything.
REFUSED = COMMANDS[:3]


def watch(program: Path, path: Path, command: list[str]) -> str:
    """Returns valgrind's report, or "" if there is none. An error message of the program itself is not a report."""
    with tempfile.TemporaryDirectory() as folder:
        words = [command[0], str(path), *command[1:]]
        done = subprocess.run(["valgrind", "--quiet", f"--error-exitcode={REPORTED}", f"--suppressions={SUPPRESSED}",
                               program, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = done.stderr.decode(errors="replace")
    if done.returncode in (0, 1):
        return ""
    return f"{path.relative_to(ROOT)}: {command[0]} ended with {done.returncode}\n{said}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("maps", nargs="*", type=Path)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--compiler", default="")
    parser.add_argument("--launcher", default="")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed; scripts/test installs it")
        return SKIPPED
    options = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DBSPSCENE_TESTS=OFF", "-DBSPSCENE_ASSIMP=OFF"]
    own_build.make(ROOT, arguments.build, "bspscene_cli", options, arguments.compiler, arguments.launcher)
    program = arguments.build / "native/cli/bspscene"
    maps = arguments.maps or sorted(FIXTURES.rglob("*.bsp"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(watch, program, path.resolve(), command) for path in maps
                for command in (REFUSED if "rejected" in path.parts else COMMANDS)]
        reports = [report for report in (run.result() for run in runs) if report]
    print("\n".join(reports))
    print(f"{len(runs)} runs, {len(reports)} reports")
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main())
