"""Tests the importer with versions of Assimp other than the one that the build uses. They are below
BSPSCENE_ASSIMP_ROOTS, where scripts/test puts them. The importer compiles with their headers and passes its tests with
their libraries. Their `assimp` reads and exports maps through the launcher. Programs that were built with the installed
headers run with a newer library of the same SONAME."""

import argparse
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import stock_host  # noqa: E402

SKIPPED = 77


class Version:
    """A version of Assimp. Its Debian packages, and those that it needs, are unpacked into one folder. Its programs run
    with the loader and the C library of that folder."""

    link = ""   # further flags for the linker

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.package = next(root.glob("usr/lib/*/cmake/assimp*"))
        self.libraries = self.package.parents[1]
        self.shared = sorted(self.libraries.glob("libassimp.so.?"))[0]
        self.name = self.shared.resolve().name
        self.loader = [next(root.glob("usr/lib64/ld-linux*")), "--library-path", self.libraries]

    def build(self, arguments: argparse.Namespace, directory: pathlib.Path) -> None:
        link = f"-L{self.libraries} -Wl,--allow-shlib-undefined {self.link}"
        launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={arguments.compiler_launcher}" for language in ("C", "CXX")]
        run("cmake", "-S", HERE / "versions", "-B", directory, "-G", arguments.generator, f"-DBUILD={arguments.build}",
            f"-DBSPSCENE_VERSION={arguments.version}", f"-Dassimp_DIR={self.package}",
            "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DBSPSCENE_WERROR=ON", f"-DBSPSCENE_SANITIZE={arguments.sanitize}",
            f"-DCMAKE_C_COMPILER={arguments.cc}", f"-DCMAKE_CXX_COMPILER={arguments.cxx}", *launcher,
            *(f"-DCMAKE_{kind}_LINKER_FLAGS={link}" for kind in ("EXE", "SHARED", "MODULE")))
        run("cmake", "--build", directory, "--parallel", "2")


def run(*command) -> str:
    return stock_host.run(list(command), dict(os.environ))


def installed_library(program: pathlib.Path) -> str:
    return next(line.split()[0] for line in run("ldd", program).splitlines() if "libassimp" in line)


def check_build(version: Version, programs: pathlib.Path, launcher: pathlib.Path,
                arguments: argparse.Namespace) -> None:
    """Runs the tests of the importer that was built for a version of Assimp, and then that version's `assimp`."""
    for test in ("test_importer", "test_host_files", "test_export"):
        print(f"{version.name}: {test}\n{run(*version.loader, programs / test)}", flush=True)
    host = argparse.Namespace(launcher=launcher, sanitize=arguments.sanitize, compiler=arguments.cc,
                              host=version.loader + [version.root / "usr/bin/assimp"])
    # The program `assimp` loads the C++ runtime of its own system, so ours is not loaded first.
    env = stock_host.environment(host, ("libasan.so",))
    with tempfile.TemporaryDirectory() as outputs:
        source = HERE.parent / "fixtures/atrium/quake3/maps/atrium.bsp"
        stock_host.check_export(source, host, env, pathlib.Path(outputs))
    print(f"{version.name}: assimp info, assimp export", flush=True)


def check(version: Version, arguments: argparse.Namespace, directory: pathlib.Path) -> None:
    version.build(arguments, directory)
    check_build(version, directory, directory / "assimp_importer/bspscene-assimp", arguments)
    if version.shared.name == installed_library(arguments.tests / "test_importer"):
        print("The same with what was built with the installed headers:")
        check_build(version, arguments.tests, arguments.build / "assimp_importer/bspscene-assimp", arguments)


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("build", "tests", "version", "generator", "cc", "cxx", "sanitize", "compiler-launcher"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path if name in ("build", "tests") else str)
    parser.add_argument("--first", action="store_true", help="only the first of them")
    arguments = parser.parse_args()
    roots = [pathlib.Path(root) for root in os.environ.get("BSPSCENE_ASSIMP_ROOTS", "").split(":") if root]
    if not roots:
        print("skipped: BSPSCENE_ASSIMP_ROOTS names no further versions of Assimp; scripts/test fetches them")
        return SKIPPED
    for root in roots[:1] if arguments.first else roots:
        with tempfile.TemporaryDirectory(prefix="bspscene-assimp-") as directory:
            check(Version(root), arguments, pathlib.Path(directory))
    return 0


if __name__ == "__main__":
    sys.exit(main())
