#!/usr/bin/env python3
"""Builds a Windows program and runs it by wine. It must convert a map to the same bytes as the native program. A set of
files must appear completely or not at all. The README's sample in C is built with the DLL, its import libraries and the
static library, and must convert the map, too. The build is fast enough for every test run, because it has no optional
dependencies and no optimization. The tier windows and scripts/test-machines test the output of scripts/package.

Usage: check_smoke.py --program BSPSCENE --build DIRECTORY --cmake CMAKE
Skipped without the cross compiler, the sources that scripts/lib/bundle.sh fetches, or wine.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from check_windows import ATRIUM, FIXTURES, SKIPPED, Programs, contents, same

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/package"))
from readme import code_blocks  # noqa: E402

COMPILER = "x86_64-w64-mingw32-gcc-posix"
BUNDLE = ROOT / "scripts/bundle"
SOURCES = ROOT / "build/bundle/sources"


def lacks() -> str:
    for program, package in ((COMPILER, "gcc-mingw-w64-x86-64-posix"),
                             ("x86_64-w64-mingw32-g++-posix", "g++-mingw-w64-x86-64-posix"), ("ninja", "ninja-build")):
        if not shutil.which(program):
            return f"{program} is not there (Debian: {package})"
    return "" if (SOURCES / "unpacked").is_file() else f"{SOURCES}: the sources of the dependencies are not there"


def run(*command: str, **options) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        raise SystemExit(f"$ {' '.join(command)}\n{done.stdout[-4000:]}")
    return done.stdout


def build(cmake: str, folder: Path) -> None:
    launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX") if shutil.which("ccache")]
    configure = [cmake, "-S", str(BUNDLE), "-B", str(folder), "-G", "Ninja", "--toolchain",
                 str(BUNDLE / "toolchains/mingw.cmake"), f"-DBUNDLE_SOURCES={SOURCES}", "-DBUNDLE_SMALL=ON",
                 "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O0", f"-DCMAKE_INSTALL_PREFIX={folder / 'stage'}",
                 *launcher]
    for command in (configure, [cmake, "--build", str(folder)], [cmake, "--install", str(folder)]):
        run(*command)


def check(programs: Programs, problems: list[str]) -> None:
    rejected = sorted((FIXTURES / "rejected").glob("unsupported*"))[0]
    for command in (["convert", str(ATRIUM), "out.glb"], ["entities", str(ATRIUM)], ["info", str(rejected), "--quiet"]):
        same(problems, " ".join(command), programs.folder / "smoke", lambda at, c=command: programs.windows(*c, cwd=at),
             lambda at, c=command: programs.native(*c, cwd=at))


# A program that keeps a file open until its standard input ends. No other program can open, rename or replace the file.
HOLD = """#include <windows.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	HANDLE file = CreateFileA(argv[argc - 1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
	puts(file == INVALID_HANDLE_VALUE ? "failed" : "held");
	fflush(stdout);
	return getchar() == EOF && file == INVALID_HANDLE_VALUE;
}
"""
# The options of two runs. The sets of files that they write have some names in common.
SETS: tuple[list[str], list[str]] = ([], ["--lighting", "lightmap", "--merge", "none"])


def check_sets(programs: Programs, problems: list[str]) -> None:
    """A set whose last file cannot be replaced keeps the old one. If two programs write at once, the result is one
    complete set."""
    folder = programs.folder / "sets"
    folder.mkdir()
    (folder / "hold.c").write_text(HOLD, encoding="utf-8")
    run(COMPILER, str(folder / "hold.c"), "-o", str(folder / "hold.exe"))
    wholes = []
    for number, options in enumerate(SETS):
        whole = folder / f"whole-{number}"
        whole.mkdir()
        programs.native("convert", str(ATRIUM), "a.gltf", *options, cwd=whole)
        wholes.append(contents(whole))
    place = folder / "place"
    place.mkdir()
    programs.windows("convert", str(ATRIUM), "a.gltf", cwd=place)
    for held in ("a.gltf", "a.bin"):
        with subprocess.Popen([programs.wine, str(folder / "hold.exe"), held], cwd=place, env=programs.environment,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdin and holder.stdout
            said = holder.stdout.readline().strip()
            done = programs.windows("convert", str(ATRIUM), "a.gltf", *SETS[1], cwd=place)
            holder.stdin.close()
        if said != "held" or done.returncode != 1 or contents(place) != wholes[0]:
            problems.append(f"{held} {said}: ended with {done.returncode}, {sorted(contents(place))}: {done.stderr!r}")
    (place / "a.bin").chmod(0o444)
    done = programs.windows("convert", str(ATRIUM), "a.gltf", *SETS[1], cwd=place)
    if done.returncode != 1 or contents(place) != wholes[0]:
        problems.append(f"a.bin is read-only: ended with {done.returncode}, {sorted(contents(place))}")
    (place / "a.bin").chmod(0o644)
    writing = [subprocess.Popen([programs.wine, str(programs.stage / "bin/bspscene.exe"), "convert", str(ATRIUM),
                                 "a.gltf", "--quiet", *options], cwd=place, env=programs.environment,
                                stdin=subprocess.DEVNULL) for options in SETS]
    ends = [process.wait() for process in writing]
    found = contents(place)
    # Files that belong to neither complete set must not be left.
    left = [name for name in found if not any(name in whole for whole in wholes)]
    if ends != [0, 0] or left or not any(whole.items() <= found.items() for whole in wholes):
        problems.append(f"two programs at once: ended with {ends}, {sorted(found)}")


def check_library(programs: Programs, cmake: str) -> None:
    """Builds a program with the library, by CMake and by hand. With the static library and MinGW's static runtime, the
    program needs no further DLL."""
    lib, folder = programs.stage / "lib", programs.folder / "library"
    (folder / "static").mkdir(parents=True)
    shutil.copy(programs.stage / "bin/bspscene.dll", folder)
    sample = folder / "sample.c"
    sample.write_text(code_blocks("c", "README.md")[0], encoding="utf-8")
    compiling = [COMPILER, "-std=c11", f"-I{programs.stage / 'include'}", str(sample), "-o"]
    run(*compiling, str(folder / "implib.exe"), f"-L{lib}", "-lbspscene")
    run(*compiling, str(folder / "static/by_hand.exe"), str(lib / "libbspscene.a"), "-ladvapi32", "-lshell32",
        "-static")
    made = [folder / "implib.exe", folder / "static/by_hand.exe"]
    if (lib / "bspscene.lib").is_file():
        run(*compiling, str(folder / "microsoft.exe"), str(lib / "bspscene.lib"))
        made.append(folder / "microsoft.exe")
    for static in (False, True):
        build = folder / f"build-{static}"
        run(cmake, "-S", str(ROOT / "tests/package/consumer"), "-B", str(build), "-G", "Ninja", "--toolchain",
            str(BUNDLE / "toolchains/mingw.cmake"), f"-Dbspscene_DIR={lib / 'cmake/bspscene'}", f"-DSAMPLE={sample}",
            f"-DSTATIC={'ON' if static else 'OFF'}", f"-DCMAKE_EXE_LINKER_FLAGS={'-static' if static else ''}")
        run(cmake, "--build", str(build), "--target", "consumer")
        made.append(Path(shutil.move(build / "consumer.exe", folder / ("static" if static else "") / "by_cmake.exe")))
    for program in made:
        written = program.with_suffix(".glb")
        said = run(programs.wine, str(program), str(ATRIUM), str(written), env=dict(os.environ, **programs.environment))
        if "worldspawn" not in said or b"image/" not in written.read_bytes():
            raise SystemExit(f"{program.name}: the sample did not do its work: {said}")


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
        check_sets(programs, problems)
        check_library(programs, arguments.cmake)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
