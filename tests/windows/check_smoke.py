#!/usr/bin/env python3
"""The sources still make a Windows program, and by wine it converts a map to the same bytes as the one that is built
here. The dependencies that few maps need are left out, and nothing is optimized: this is for every run of the tests;
tier windows and scripts/test-machines try what scripts/package makes.

Usage: check_smoke.py --program BSPSCENE --build DIRECTORY --cmake CMAKE
Skipped without the cross compiler, the sources that scripts/lib/bundle.sh fetches, or wine.
"""
import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from check_windows import ATRIUM, FIXTURES, SKIPPED, Programs, same

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "scripts/bundle"
SOURCES = ROOT / "build/bundle/sources"


def lacks() -> str:
    for program, package in (("x86_64-w64-mingw32-gcc-posix", "gcc-mingw-w64-x86-64-posix"),
                             ("x86_64-w64-mingw32-g++-posix", "g++-mingw-w64-x86-64-posix"), ("ninja", "ninja-build")):
        if not shutil.which(program):
            return f"{program} is not there (Debian: {package})"
    return "" if (SOURCES / "unpacked").is_file() else f"{SOURCES}: the sources of the dependencies are not there"


def build(cmake: str, folder: Path) -> None:
    launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX") if shutil.which("ccache")]
    configure = [cmake, "-S", str(BUNDLE), "-B", str(folder), "-G", "Ninja", "--toolchain",
                 str(BUNDLE / "toolchains/mingw.cmake"), f"-DBUNDLE_SOURCES={SOURCES}", "-DBUNDLE_SMALL=ON",
                 "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O0", f"-DCMAKE_INSTALL_PREFIX={folder / 'stage'}",
                 *launcher]
    for command in (configure, [cmake, "--build", str(folder)], [cmake, "--install", str(folder)]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"$ {' '.join(command)}\n{done.stdout[-4000:]}")


def check(programs: Programs, problems: list[str]) -> None:
    rejected = sorted((FIXTURES / "rejected").glob("unsupported*"))[0]
    for command in (["convert", str(ATRIUM), "out.glb"], ["entities", str(ATRIUM)], ["info", str(rejected), "--quiet"]):
        same(problems, " ".join(command), programs.folder / "smoke", lambda at, c=command: programs.windows(*c, cwd=at),
             lambda at, c=command: programs.native(*c, cwd=at))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--cmake", required=True)
    arguments = parser.parse_args()
    reason = lacks()
    if reason:
        print(reason)
        return SKIPPED
    build(arguments.cmake, arguments.build)
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bspscene-windows-", ignore_cleanup_errors=True) as name:
        programs = Programs(arguments.program, str(arguments.build / "stage"), str(arguments.build / "wine"),
                            Path(name).resolve())
        if programs.lacks():
            print(f"built; not run: {programs.lacks()}")
            return SKIPPED
        check(programs, problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
