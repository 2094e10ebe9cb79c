"""Tests the importer with the Assimp of a Python wheel. The wheel is below BSPSCENE_ASSIMP_WHEEL, where scripts/test
puts it. The importer compiles with the wheel's headers and passes its tests with the wheel's library. The wheel's
`assimp` reads and exports maps of five families. Imported scenes are the same as in the distribution's `assimp`;
differences of exports are printed."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import stock_host  # noqa: E402
import versions  # noqa: E402

GAMES = HERE.parent / "fixtures/atrium"
MAPS = [GAMES / name for name in ("quake/maps/atrium.bsp", "quake2_qbism/maps/atrium.bsp", "quake3/maps/atrium.bsp",
                                  "goldsrc/maps/atrium_wad.bsp", "hexen2/maps/atrium.bsp")]
FORMATS = {"glb": "glb2", "obj": "obj", "dae": "collada"}
# Matches lines in the output of `assimp info` that depend on the run time or on the size of Assimp's structs.
PASSING = re.compile(r"^.*(seconds|Memory consumption|%).*\n", re.M)


class Wheel(versions.Version):
    """An Assimp in an unpacked wheel. Its programs run with this system's loader and C library."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = next(root.glob("*.prefix"))
        self.package = next(self.root.glob("lib/cmake/assimp*"))
        self.libraries = self.root / "lib"
        self.shared = sorted(self.libraries.glob("libassimp.so.?"))[0]
        self.name = self.shared.resolve().name
        self.loader = []
        self.link = f"-Wl,-rpath,{self.libraries}"


class Host:
    """Runs a version of the program `assimp` through the launcher that was built for it."""

    def __init__(self, launcher: pathlib.Path, program: str, env: dict[str, str]) -> None:
        self.launcher, self.program, self.env = launcher, program, env

    def info(self, source: pathlib.Path, launched: bool = True) -> str:
        """Returns the output of `assimp info` for a file, without postprocessing steps."""
        command = [self.launcher, self.program] if launched else [self.program]
        said = stock_host.run([*command, "info", source, "--raw"], self.env)
        return PASSING.sub("", said[said.find("Importing file"):].partition("\n")[2])

    def export(self, source: pathlib.Path, target: pathlib.Path) -> str:
        writer = f"-f{FORMATS[target.suffix[1:]]}"
        stock_host.run([self.launcher, self.program, "export", source, target, writer], self.env)
        return self.info(target, launched=False)


def told(what: str, old: str, new: str) -> int:
    """Prints the first lines that differ, and returns the number of differing lines."""
    differing = [(a, b) for a, b in zip(old.splitlines(), new.splitlines()) if a != b]
    for a, b in differing[:3]:
        print(f"    {what}: {' '.join(a.split())} -> {' '.join(b.split())}")
    return len(differing) + abs(old.count("\n") - new.count("\n"))


def compare(old: Host, new: Host, folder: pathlib.Path) -> None:
    for number, source in enumerate(MAPS):
        print(source.relative_to(GAMES), flush=True)
        if told("read", old.info(source), new.info(source)):
            sys.exit("the scene is another one")
        for ending in FORMATS:
            texts = []
            for name, host in (("old", old), ("new", new)):
                (folder / f"{number}{name}").mkdir(exist_ok=True)
                texts.append(host.export(source, folder / f"{number}{name}" / f"out.{ending}"))
            for text in texts:
                if not re.search(r"^Meshes: +[1-9]", text, re.M):
                    sys.exit(f"{ending}: {text}")
            told(ending, *texts)


def check_refusal(old: Host, new: Host) -> None:
    """If the importer that was built for Assimp 5 is used in a host with version 6, the error says why it cannot
    read."""
    done = subprocess.run([str(old.launcher), new.program, "info", str(MAPS[0])], env=new.env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if not done.returncode or "this importer is built for Assimp 5, but the program uses Assimp 6" not in done.stdout:
        sys.exit(f"an importer for 5 in 6: {done.stdout}")


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("build", "version", "generator", "cc", "cxx", "sanitize", "compiler-launcher", "assimp"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path if name == "build" else str)
    arguments = parser.parse_args()
    arguments.compiler = arguments.cc
    root = os.environ.get("BSPSCENE_ASSIMP_WHEEL")
    if not root:
        print("skipped: BSPSCENE_ASSIMP_WHEEL names no unpacked wheel of Assimp; scripts/test fetches one")
        return versions.SKIPPED
    wheel = Wheel(pathlib.Path(root))
    with tempfile.TemporaryDirectory(prefix="bspscene-assimp-") as name:
        programs = pathlib.Path(name) / "build"
        wheel.build(arguments, programs)
        for test in ("test_importer", "test_host_files", "test_export"):
            print(f"{wheel.name}: {test}\n{versions.run(programs / test)}", flush=True)
        env = stock_host.environment(arguments)
        new = Host(programs / "assimp_importer/bspscene-assimp", str(wheel.root / "bin/assimp"),
                   dict(env, LD_LIBRARY_PATH=str(wheel.libraries)))
        old = Host(arguments.build / "assimp_importer/bspscene-assimp", arguments.assimp, env)
        compare(old, new, pathlib.Path(name))
        check_refusal(old, new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
