#!/usr/bin/env python3
"""Unpacks a release's archive, and builds a program in C with it: by CMake and by pkg-config, each with the shared and
the static library. Packing the same build twice gives the same bytes.

Usage: check_release.py --build DIRECTORY --cmake CMAKE --cc CC [--archive FILE]
The archive is one of scripts/package for this machine. Without --archive, one is made in the same way, compiled by CC,
without the dependencies that few maps need. Skipped without the sources that scripts/lib/bundle.sh fetches.
"""
import argparse
import os
import re
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from check_package import ATRIUM, ROOT, SKIPPED, run, write_sample

BUNDLE = ROOT / "scripts/bundle"
SOURCES = ROOT / "build/bundle/sources"
PLATFORM = "linux-x64"
# Functions that the program defines itself, with the names of functions of zlib, libpng and the C++ runtime. The
# library must not use these.
OWN_NAMES = """
#include <stdlib.h>
int inflate(void *stream, int flush) { (void)stream; (void)flush; abort(); }
int png_read_info(void) { abort(); }
void _ZdlPv(void *data) { (void)data; abort(); }
"""


def build_stage(arguments: argparse.Namespace) -> Path:
    """Builds the contents of out/stage for a platform, without the documents."""
    folder, stage = arguments.build, arguments.build / "stage" / PLATFORM
    launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
    run(arguments.cmake, "-S", BUNDLE, "-B", folder, "-G", "Ninja", f"-DBUNDLE_SOURCES={SOURCES}", "-DBUNDLE_SMALL=ON",
        "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O0", f"-DCMAKE_C_COMPILER={arguments.cc}",
        f"-DCMAKE_INSTALL_PREFIX={stage}", *(launcher if shutil.which("ccache") else []))
    run(arguments.cmake, "--build", folder, "--parallel", "2")
    shutil.rmtree(stage, ignore_errors=True)
    run(arguments.cmake, "--install", folder)
    return stage.parent


def pack(stage: Path, out: Path) -> Path:
    run(sys.executable, ROOT / "scripts/package.d/10-command-line", stage, out, PLATFORM,
        env=dict(os.environ, SOURCE_DATE_EPOCH="1577836800"))
    return next(out.iterdir())


def make_archive(arguments: argparse.Namespace, folder: Path) -> Path:
    stage = build_stage(arguments)
    first, second = pack(stage, folder / "first"), pack(stage, folder / "second")
    if first.read_bytes() != second.read_bytes():
        sys.exit(f"{first.name}: packed twice it differs")
    return first


def unpack(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as packed:
        packed.extractall(folder)
    tree = next(folder.iterdir())
    for path in tree.rglob("*"):
        if path.suffix in {".cmake", ".pc"} and re.search(r'"/\w|=/\w', path.read_text(encoding="utf-8")):
            sys.exit(f"{path.name}: names a folder of the machine it was built on")
    return tree


def check_names(tree: Path) -> None:
    """Checks that the shared library's file name contains its version. Its soname and links must have the names that
    the loader and the linker expect. The static library must define only names that begin with bspscene_."""
    text = (tree / "include/bspscene/common.h").read_text(encoding="utf-8")
    version = re.findall(r'BSPSCENE_VERSION_STRING "([^"]+)"', text)[0]
    series = ".".join(version.split(".")[: 2 if version.startswith("0.") else 1])
    links = {path.name: os.readlink(path) for path in (tree / "lib").iterdir() if path.is_symlink()}
    real = f"libbspscene.so.{version}"
    if links != {f"libbspscene.so.{series}": real, "libbspscene.so": f"libbspscene.so.{series}"}:
        sys.exit(f"links: {links}")
    if f"[libbspscene.so.{series}]" not in run("readelf", "-d", tree / "lib" / real):
        sys.exit(f"{real}: its soname is not libbspscene.so.{series}")
    named = run("nm", "-g", "--defined-only", tree / "lib/libbspscene.a")
    foreign = [line for line in re.findall(r"^[0-9a-f]+ \w (\S+)$", named, re.MULTILINE)
               if not line.startswith("bspscene_")]
    if foreign or "bspscene_load_file" not in named:
        sys.exit(f"libbspscene.a: {len(foreign)} names of others, {foreign[:5]} among them")
    groups = run("readelf", "-g", tree / "lib/libbspscene.a")
    if "group section" in groups:
        sys.exit(f"libbspscene.a has groups, which a program's take the place of: {groups[:500]}")


def check_run(program: Path, folder: Path, shared: bool, tree: Path) -> None:
    written = folder / "atrium.glb"
    written.unlink(missing_ok=True)
    found = dict(os.environ, LD_LIBRARY_PATH=str(tree / "lib")) if shared else None
    output = run(program, ATRIUM / "maps/atrium.bsp", written, env=found)
    if "worldspawn" not in output or b"image/" not in written.read_bytes():
        sys.exit(f"{program}: the sample did not do its work: {output}")
    needed = re.findall(r"NEEDED.*\[(\S+)\]", run("readelf", "-d", program))
    foreign = [name for name in needed if not re.match(r"lib(c|m|pthread|bspscene)\.so|ld-linux", name)]
    if foreign or any("bspscene" in name for name in needed) != shared:
        sys.exit(f"{program} needs {needed}")


def use_cmake(arguments: argparse.Namespace, folder: Path, tree: Path, shared: bool) -> Path:
    build = folder / ("cmake-shared" if shared else "cmake-static")
    run(arguments.cmake, "-S", ROOT / "tests/package/consumer", "-B", build, "-G", "Ninja",
        f"-DCMAKE_C_COMPILER={arguments.cc}", f"-DCMAKE_PREFIX_PATH={tree}", f"-DSTATIC={'OFF' if shared else 'ON'}",
        f"-DSAMPLE={folder / 'sample.c'};{folder / 'own.c'}")
    run(arguments.cmake, "--build", build, "--target", "consumer")
    return build / "consumer"


def use_pkg_config(arguments: argparse.Namespace, folder: Path, tree: Path, shared: bool) -> Path:
    environment = dict(os.environ, PKG_CONFIG_PATH=str(tree / "lib/pkgconfig"))
    flags = run("pkg-config", "--define-prefix", *([] if shared else ["--static"]), "--cflags", "--libs",
                "bspscene >= 0.9", env=environment).split()
    if not shared:
        flags = ["-l:libbspscene.a" if flag == "-lbspscene" else flag for flag in flags]
    program = folder / ("pkg-shared" if shared else "pkg-static")
    run(arguments.cc, "-std=c11", folder / "sample.c", folder / "own.c", "-o", program, *flags)
    return program


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--archive", type=Path)
    arguments = parser.parse_args()
    if not arguments.archive and not (SOURCES / "unpacked").is_file():
        print(f"skipped: {SOURCES}: the sources of the dependencies are not there")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="bspscene-release-") as name:
        folder = Path(name)
        archive = arguments.archive or make_archive(arguments, folder)
        tree = unpack(archive, folder / "unpacked")
        check_names(tree)
        write_sample(folder)
        (folder / "own.c").write_text(OWN_NAMES, encoding="utf-8")
        ways = [use_cmake] + ([use_pkg_config] if shutil.which("pkg-config") else [])
        for use in ways:
            for shared in (True, False):
                check_run(use(arguments, folder, tree, shared), folder, shared, tree)
    return 0


if __name__ == "__main__":
    sys.exit(main())
