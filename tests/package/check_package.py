#!/usr/bin/env python3
"""Builds the README's C sample, the Assimp importer's C++ sample or a program that takes pictures with bspscene as a
user would, and runs it on the atrium.

Usage: check_package.py KIND --build DIR [--sanitize LIST]
KIND: find_package, static, pkg_config, examples, assimp, assimp_static, assimp_pkg_config, render, render_pkg_config,
without_embree, add_subdirectory or no_build_system
All but the last three install the build and move it elsewhere before use, so no file may contain the prefix.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from readme import code_blocks  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
ATRIUM = ROOT / "tests" / "fixtures" / "atrium" / "quake3"
SKIPPED = 77


def run(*command, **options):
    command = [str(word) for word in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        print("$ " + " ".join(command))
        print(done.stdout)
        sys.exit(1)
    return done.stdout


def write_sample(folder: Path, language: str = "c", readme: str = "README.md") -> Path:
    samples = code_blocks(language, readme)
    if len(samples) != 1:
        sys.exit(f"{readme}: expected one sample in {language}")
    path = folder / f"sample.{language}"
    path.write_text(samples[0], encoding="utf-8")
    return path


def install_and_move(arguments, folder: Path) -> Path:
    first, moved = folder / "first", folder / "moved"
    run(arguments.cmake, "--install", arguments.build, "--prefix", first)
    for path in first.rglob("*"):
        if path.suffix in {".cmake", ".pc"} and str(first) in path.read_text(encoding="utf-8"):
            sys.exit(f"{path.name}: names the prefix it was installed to")
    first.rename(moved)
    check_papers(moved)
    return moved


def check_papers(prefix: Path) -> None:
    """Checks that license and README are installed, and that every command has a manual page and completions."""
    for name in ("LICENSE", "README.md", "docs/abi.md", "docs/examples/textured_glb.c"):
        if not list(prefix.glob(f"share/doc/*/{name}")):
            sys.exit(f"{name} is not installed")
    program = prefix / "bin/bspscene"
    if not program.exists():
        return
    commands = re.findall(r"^  (\w+)  +[a-z]", run(program, "--help"), re.MULTILINE)
    if "convert" not in commands:
        sys.exit("--help lists no command as this check reads it")
    for command in commands:
        if not (prefix / f"share/man/man1/bspscene-{command}.1").exists():
            sys.exit(f"{command} has no manual page")
    for path in ("share/man/man1/bspscene.1", "share/bash-completion/completions/bspscene",
                 "share/zsh/site-functions/_bspscene", "share/fish/vendor_completions.d/bspscene.fish"):
        if not (prefix / path).exists():
            sys.exit(f"{path} is not installed")


def instrumentation(arguments):
    """Returns the flags that a program needs to link our static library if its objects are instrumented (sanitizers,
    coverage)."""
    flags = [f"-fsanitize={arguments.sanitize}"] if arguments.sanitize else []
    return flags + [flag for flag in arguments.flags.split() if flag == "--coverage"]


def write_assimp_sample(folder: Path) -> Path:
    return write_sample(folder, "cpp", "assimp_importer/README.md")


def build_with_cmake(arguments, folder: Path, *definitions, sample: Path | None = None) -> Path:
    build = folder / "build"
    flags = " ".join(instrumentation(arguments))
    run(arguments.cmake, "-S", ROOT / "tests/package/consumer", "-B", build, "-G", arguments.generator,
        "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_C_COMPILER={arguments.cc}", f"-DCMAKE_CXX_COMPILER={arguments.cxx}",
        f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}", f"-DSAMPLE={sample or write_sample(folder)}",
        *definitions)
    run(arguments.cmake, "--build", build, "--parallel", "2", "--target", "consumer")
    return build / "consumer"


def find_package(arguments, folder: Path) -> Path:
    return build_with_cmake(arguments, folder, f"-DCMAKE_PREFIX_PATH={install_and_move(arguments, folder)}")


def static(arguments, folder: Path) -> Path:
    prefix = install_and_move(arguments, folder)
    return build_with_cmake(arguments, folder, f"-DCMAKE_PREFIX_PATH={prefix}", "-DSTATIC=ON")


def build_with_pkg_config(arguments, folder: Path, package: str, *command) -> Path:
    moved = install_and_move(arguments, folder)
    description = next(moved.rglob(f"{package}.pc"), None)
    if not description:
        sys.exit(f"{package}.pc is not installed")
    environment = dict(os.environ, PKG_CONFIG_PATH=str(description.parent))
    flags = run("pkg-config", "--cflags", "--libs", f"{package} >= 0.9", env=environment).split()
    program = folder / "consumer"
    run(*command, "-o", program, *flags, *instrumentation(arguments), f"-Wl,-rpath,{description.parents[1]}")
    return program


def pkg_config(arguments, folder: Path) -> Path:
    """Builds a program with pkg-config. It must not need the development files of the libraries that bspscene uses.
    This holds for the static bspscene too if those libraries are shared."""
    program = build_with_pkg_config(arguments, folder, "bspscene", arguments.cc, "-std=c11", write_sample(folder))
    libraries = next((folder / "moved").rglob("bspscene.pc")).parent
    alone = dict(os.environ, PKG_CONFIG_LIBDIR=str(libraries), PKG_CONFIG_PATH="")
    run("pkg-config", "--cflags", "--libs", "bspscene", env=alone)
    flags = run("pkg-config", "--static", "--cflags", "--libs", "bspscene", env=alone).split()
    flags[flags.index("-lbspscene")] = "-l:libbspscene.a"
    run(arguments.cc, "-std=c11", write_sample(folder), "-o", folder / "static", *flags, *instrumentation(arguments))
    return program


def assimp(arguments, folder: Path) -> Path:
    prefix = install_and_move(arguments, folder)
    return build_with_cmake(arguments, folder, f"-DCMAKE_PREFIX_PATH={prefix}", "-DASSIMP=assimp",
                            sample=write_assimp_sample(folder))


def assimp_static(arguments, folder: Path) -> Path:
    return build_with_cmake(arguments, folder, f"-DCMAKE_PREFIX_PATH={install_and_move(arguments, folder)}",
                            "-DASSIMP=assimp_static", sample=write_assimp_sample(folder))


def assimp_pkg_config(arguments, folder: Path) -> Path:
    sample = write_assimp_sample(folder)
    return build_with_pkg_config(arguments, folder, "bspscene_assimp", arguments.cxx, "-std=c++17", sample)


def examples(arguments, folder: Path) -> Path | None:
    """Builds each program of docs/examples with one command, and runs them as check_examples.py does."""
    moved, programs = install_and_move(arguments, folder), folder / "programs"
    description = next(moved.rglob("bspscene.pc"))
    package = "bspscene_render" if list(moved.rglob("bspscene_render.pc")) else "bspscene"
    flags = run("pkg-config", "--cflags", "--libs", package,
                env=dict(os.environ, PKG_CONFIG_PATH=str(description.parent))).split()
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    for language, compiler in (("c", [arguments.cc, "-std=c11"]), ("cpp", [arguments.cxx, "-std=c++17"])):
        (programs / language).mkdir(parents=True)
        for source in sorted((ROOT / "docs/examples").glob(f"*.{language}")):
            if source.stem != "sky_picture" or package == "bspscene_render":
                run(*compiler, *warnings, source, "-o", programs / language / source.stem, *flags,
                    *instrumentation(arguments), f"-Wl,-rpath,{description.parents[1]}")
    print(run(sys.executable, ROOT / "tests/package/check_examples.py", programs, ATRIUM, folder / "work",
              next(moved.rglob("libbspscene.so"))))
    return None


PICTURE = ROOT / "tests/package/consumer/picture.c"


def render(arguments, folder: Path) -> Path:
    prefix = install_and_move(arguments, folder)
    return build_with_cmake(arguments, folder, f"-DCMAKE_PREFIX_PATH={prefix}", "-DRENDER=ON", sample=PICTURE)


def built_without_embree(arguments, folder: Path) -> Path:
    """Builds and installs bspscene without Embree. Returns the prefix."""
    build, prefix = folder / "without", folder / "prefix"
    options = ["-DCMAKE_DISABLE_FIND_PACKAGE_embree=ON", "-DBSPSCENE_TESTS=OFF", "-DBSPSCENE_ASSIMP=OFF",
               "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_INSTALL_PREFIX={prefix}", f"-DCMAKE_C_COMPILER={arguments.cc}",
               f"-DCMAKE_CXX_COMPILER={arguments.cxx}"]
    if launcher := shutil.which("ccache"):
        options += [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX")]
    told = run(arguments.cmake, "-S", ROOT, "-B", build, "-G", arguments.generator, *options)
    if "Embree not found: bspscene is built and installed without pictures" not in told:
        sys.exit(f"CMake does not say what is left out: {told}")
    run(arguments.cmake, "--build", build, "--parallel", "2")
    run(arguments.cmake, "--install", build)
    left = [path for folder in ("include", "lib*") for path in prefix.glob(f"{folder}/**/*render*")]
    if left:
        sys.exit(f"parts of the renderer are installed: {left}")
    return prefix


def check_render_is_refused(program: Path, folder: Path) -> None:
    """Checks that a command line without the renderer still has its other commands. `render` must fail with a message
    that says why."""
    atrium, picture = ATRIUM / "maps" / "atrium.bsp", folder / "atrium.png"
    run(program, "info", atrium)
    told = subprocess.run([program, "render", atrium, picture], capture_output=True, text=True, check=False)
    if told.returncode != 1 or "this build of bspscene has no renderer (it needs Embree)" not in told.stderr:
        sys.exit(f"render is not refused in words: {told.returncode}, {told.stderr}")
    if picture.exists() or told.stdout:
        sys.exit("render left something behind")


def without_embree(arguments, folder: Path) -> Path:
    """Without Embree everything but the renderer is built. A program that needs the renderer gets a message from
    CMake."""
    prefix = built_without_embree(arguments, folder)
    check_render_is_refused(prefix / "bin" / "bspscene", folder)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(sample C)\n"
                                           "find_package(bspscene REQUIRED COMPONENTS render)\n", encoding="utf-8")
    told = subprocess.run([arguments.cmake, "-S", str(folder), "-B", str(folder / "refused"), "-G",
                           arguments.generator, f"-DCMAKE_C_COMPILER={arguments.cc}",
                           f"-DCMAKE_PREFIX_PATH={prefix}"], capture_output=True, text=True)
    words = " ".join(told.stderr.split())
    if told.returncode == 0 or "this bspscene was built without pictures (Embree)" not in words:
        sys.exit(f"not refused in words: {told.returncode}, {told.stderr}")
    arguments.sanitize = arguments.flags = ""
    return build_with_cmake(arguments, folder, f"-DCMAKE_PREFIX_PATH={prefix}")


def render_pkg_config(arguments, folder: Path) -> Path:
    return build_with_pkg_config(arguments, folder, "bspscene_render", arguments.cc, "-std=c11", PICTURE)


def add_subdirectory(arguments, folder: Path) -> Path:
    arguments.sanitize = arguments.flags = ""
    return build_with_cmake(arguments, folder, f"-DBSPSCENE_SOURCE={ROOT}")


def no_build_system(arguments, folder: Path) -> Path:
    """Tests that the library can be used without a build system: its sources, except those for other operating systems,
    are copied and compiled with the program."""
    files = [*(ROOT / "native/src").rglob("*.c"), *(ROOT / "native/system").glob("file_set*.c")]
    sources = sorted(path for path in files if not path.stem.endswith("_windows"))
    packages = ["libpng", "zlib", "liblzma", "jansson", "libturbojpeg", "libdeflate"]
    flags = run("pkg-config", "--cflags", "--libs", *packages).split()
    program = folder / "consumer"
    run(arguments.cc, "-std=c11", "-O0", f"-I{ROOT}/native/include", f"-I{ROOT}/native/src", f"-I{ROOT}/native",
        write_sample(folder),
        *sources, "-o", program, *flags, "-lm")
    return program


def main() -> int:
    ways = {way.__name__: way for way in (find_package, static, pkg_config, assimp, assimp_static, assimp_pkg_config,
                                         render, render_pkg_config, examples, without_embree,
                                         add_subdirectory, no_build_system)}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("way", choices=sorted(ways))
    parser.add_argument("--build", required=True)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--generator", default="Unix Makefiles")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--sanitize", default="")
    parser.add_argument("--flags", default="")
    arguments = parser.parse_args()
    if ("pkg_config" in arguments.way or arguments.way == "examples") and not shutil.which("pkg-config"):
        print("skipped: pkg-config is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="bspscene-package-") as folder:
        program, written = ways[arguments.way](arguments, Path(folder)), Path(folder) / "atrium.glb"
        if not program:
            return 0
        of_assimp, of_render = (arguments.way.startswith(word) for word in ("assimp", "render"))
        output = run(program, ATRIUM / "maps/atrium.bsp", *([] if of_assimp or of_render else [written]))
        print(output)
        wanted = ("19 meshes, 9 lights" if of_assimp else "a picture of atrium, brightness above 0" if of_render
                  else "worldspawn")
        if wanted not in output:
            print(f"the sample did not print {wanted!r}")
            return 1
        if not of_assimp and not of_render and b"image/" not in written.read_bytes():
            print("the sample wrote no textures")
            return 1
        if arguments.way == "assimp" and shutil.which("assimp") and not arguments.sanitize:
            run(Path(folder) / "moved/bin/bspscene-assimp", "assimp", "info", ATRIUM / "maps/atrium.bsp")
    return 0


if __name__ == "__main__":
    sys.exit(main())
