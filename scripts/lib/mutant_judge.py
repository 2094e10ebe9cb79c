"""Builds a copy of the tree with all mutants of a sample, and lets the tests that run a changed function judge them."""
import json
import os
import re
import shlex
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mutant_points import Point
from mutant_switch import MARKS, PROGRAM, function_of, switched

# Tests that do not check what the code does, and so judge no mutants.
NO_JUDGES = re.compile(r"^(lint|package|header|bindings|abi|mutants)\.")
# Tests run in steps, quick tests first. For each step: the longest time in seconds that one of its tests needs.
STEPS = (0.5, 2.0, 20.0, 1e9)
LONGEST = 3600
# Limits memory, because a mutant may try to take all of it.
LIMITS = {"ASAN_OPTIONS": "hard_rss_limit_mb=6000", "UBSAN_OPTIONS": "print_stacktrace=0"}


@dataclass(frozen=True)
class Verdict:
    kind: str                # "killed", "survived", "not run by a test", "does not build", "accepted"
    by: str = ""
    seconds: float = 0.0


@dataclass
class Test:
    name: str
    seconds: float = 0.0


class Tree:
    """A copy of the tracked files and its build, with mutants that are switched on at run time. It is configured like
    the build of scripts/test, so that the compiler cache already has most object files."""

    def __init__(self, place: Path, jobs: int, plain: bool):
        self.plain = plain
        self.jobs = os.environ.get("BSPT_BUILD_JOBS", str(jobs))    # jobs of the build, during which nothing else runs
        self.source = place / "tree"
        self.build = self.source / "build/test"
        self.reached = place / "reached"
        self.switch = place / "switch"

    def copy(self, root: Path, chosen: list[Point], left_out: set[str]) -> None:
        """Copies the tracked files. Unchanged files keep their times, so that they are not built again."""
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
        wanted = {name for name in listed.split("\0") if name and (root / name).is_file()}
        of_file: dict[str, list[tuple[int, Point]]] = defaultdict(list)
        for number, point in enumerate(chosen, 1):
            if point.name not in left_out:
                of_file[point.file].append((number, point))
        marks = {function: mark for mark, function in enumerate(sorted(set(map(function_of, chosen))))}
        for name in wanted:
            here, there = root / name, self.source / name
            content = here.read_bytes()
            if name in of_file:
                content = switched(content.decode(), of_file[name], marks).encode()
            elif name == "CMakeLists.txt":
                content += self.options(of_file).encode()
            if not (there.is_file() and there.read_bytes() == content):
                there.parent.mkdir(parents=True, exist_ok=True)
                there.write_bytes(content)
                there.chmod(here.stat().st_mode)
        for path in list(self.source.rglob("*")):
            name = path.relative_to(self.source).as_posix()
            if path.is_file() and name not in wanted and not name.startswith("build/"):
                path.unlink()

    @staticmethod
    def options(files: dict[str, list[tuple[int, Point]]]) -> str:
        """Returns CMake settings for the files with mutants. Warnings are off, because mutants cause them. Optimization
        is low, because these files are compiled again for every sample."""
        names = "\n\t".join(f"${{CMAKE_CURRENT_SOURCE_DIR}}/{name}" for name in sorted(files))
        return ("\nfunction(bspt_switched_below directory)\n"
                f"\tset_source_files_properties(\n\t{names}\n"
                "\t\tDIRECTORY ${directory} PROPERTIES COMPILE_OPTIONS \"-w;-O1;-g0\")\n"
                "\tget_property(inner DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)\n"
                "\tforeach(one ${inner})\n\t\tbspt_switched_below(${one})\n\tendforeach()\nendfunction()\n"
                "bspt_switched_below(${CMAKE_CURRENT_SOURCE_DIR})\n")

    def configure(self) -> None:
        self.switch.mkdir(parents=True, exist_ok=True)
        (self.switch / "switch.c").write_text(PROGRAM)
        for command in (["cc", "-O1", "-fPIC", "-c", "switch.c"], ["ar", "rcs", "libswitch.a", "switch.o"]):
            subprocess.run(command, cwd=self.switch, check=True)
        linked = self.switch.resolve() / "libswitch.a"
        version = subprocess.run(["gcc", "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()
        strict = "ON" if version == "12" and not self.plain else "OFF"
        kind = (["-DCMAKE_BUILD_TYPE=Release"] if self.plain else
                ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DBSPSCENE_SANITIZE=address,undefined"])
        subprocess.run(["cmake", "-G", "Ninja", "-S", ".", "-B", "build/test", *kind, f"-DBSPSCENE_WERROR={strict}",
                        *(f"-DCMAKE_{language}_STANDARD_LIBRARIES={linked}" for language in ("C", "CXX"))],
                       cwd=self.source, env=self.environment(), check=True, stdout=subprocess.DEVNULL)

    def environment(self) -> dict[str, str]:
        return {**os.environ, "CCACHE_BASEDIR": str(self.source.resolve()), "CCACHE_NOHASHDIR": "1"}

    def make(self) -> bool:
        return subprocess.run(["ninja", "-C", self.build, "-k", "0", f"-j{self.jobs}"],
                              env=self.environment(), stdout=subprocess.DEVNULL).returncode == 0

    def compiles(self, file: str) -> bool:
        """True if the files in the copy compile."""
        commands = json.loads((self.build / "compile_commands.json").read_text())
        path = str((self.source / file).resolve())
        for one in commands:
            if one["file"] == path:
                words = shlex.split(one["command"])
                words = words[1:words.index("-o")] if "ccache" in words[0] else words[:words.index("-o")]
                return subprocess.run([*words, "-fsyntax-only", path], cwd=one["directory"],
                                      capture_output=True).returncode == 0
        return True

    def broken(self, root: Path, chosen: list[Point]) -> set[str]:
        """Returns the mutants that do not compile; each is tried separately."""
        of_file: dict[str, list[Point]] = defaultdict(list)
        for point in chosen:
            of_file[point.file].append(point)
        found = set()
        for file, changes in of_file.items():
            if self.compiles(file):
                continue
            source = (root / file).read_text()
            for point in changes:
                (self.source / file).write_text(switched(source, [(1, point)], {function_of(point): 0}))
                if not self.compiles(file):
                    found.add(point.name)
        return found

    def ctest(self, names: list[str], timeout: float, **variables: str) -> subprocess.CompletedProcess[str]:
        chosen = "^(" + "|".join(map(re.escape, names)) + ")$"
        return subprocess.run(["ctest", "--test-dir", self.build, "-R", chosen, "--stop-on-failure", "--timeout",
                               str(int(timeout))], capture_output=True, text=True,
                              env={**self.environment(), **LIMITS, **variables})


def tests_of(tree: Tree) -> list[str]:
    """Returns the names of the quick tier's tests."""
    shown = subprocess.run(["ctest", "--test-dir", tree.build, "--show-only=json-v1", "-L", "quick"],
                           check=True, capture_output=True, text=True).stdout
    return [test["name"] for test in json.loads(shown)["tests"] if not NO_JUDGES.match(test["name"])]


class Judge:
    """Finds which tests run which function: measured once for each test, and stored in the file `kept`."""

    def __init__(self, tree: Tree, chosen: list[Point], kept: Path, all_steps: bool, say: Callable[[str], None]):
        self.tree = tree
        self.numbers = {point.name: number for number, point in enumerate(chosen, 1)}
        self.steps = STEPS if all_steps else STEPS[:-1]
        functions = sorted(set(map(function_of, chosen)))
        measured = json.loads(kept.read_text()) if kept.exists() else {}
        if not set(functions) <= set(measured.get("functions", [])):
            measured = {"functions": functions, "tests": {}}
        told = measured["tests"]
        names = tests_of(tree)
        new = [name for name in names if name not in told]
        for i, name in enumerate(new):
            told[name] = self.measure(name, functions, LONGEST if all_steps else 3 * self.steps[-1])
            no_judge = "" if told[name]["passes"] else ", no judge: it fails or goes on"
            say(f"{i + 1} of {len(new)} tests measured: {name}, {told[name]['seconds']:.1f} s, "
                f"{len(told[name]['functions'])} functions{no_judge}")
            kept.write_text(json.dumps(measured))
        self.runners: dict[str, list[Test]] = defaultdict(list)
        for name in names:
            if told[name]["passes"]:
                for function in told[name]["functions"]:
                    self.runners[function].append(Test(name, told[name]["seconds"]))

    def measure(self, name: str, functions: list[str], most: float) -> dict[str, object]:
        """Runs a test without mutants, and records the functions that it runs."""
        self.tree.reached.write_bytes(bytes(MARKS))
        started = time.monotonic()
        done = self.tree.ctest([name], most, BSPT_REACHED=str(self.tree.reached.resolve()))
        seconds = time.monotonic() - started
        reached = self.tree.reached.read_bytes()
        return {"seconds": seconds, "passes": done.returncode == 0,
                "functions": [function for mark, function in enumerate(functions) if reached[mark]]}

    def judge(self, point: Point) -> Verdict:
        runners = sorted(self.runners.get(function_of(point), []), key=lambda test: test.seconds)
        if not runners:
            return Verdict("not run by a test")
        started = time.monotonic()
        kind, by = self.verdict_of(runners, self.numbers[point.name])
        return Verdict(kind, by, time.monotonic() - started)

    def passes_slowly(self, name: str, seconds: float, number: int) -> bool:
        """True if the test passes with the mutant. The time limit is very long, so that only an endless loop exceeds
        it, not a slow test on a busy machine."""
        return not self.tree.ctest([name], 200 + 50 * seconds, BSPT_MUTANT=str(number)).returncode

    @staticmethod
    def seconds_of(step: list[Test], name: str) -> float:
        return next((test.seconds for test in step if test.name == name), 0.0)

    def verdict_of(self, runners: list[Test], number: int) -> tuple[str, str]:
        least = 0.0
        for most in self.steps:
            step = [test for test in runners if least <= test.seconds < most]
            least = most
            if not step:
                continue
            done = self.tree.ctest([test.name for test in step], 20 + 5 * step[-1].seconds, BSPT_MUTANT=str(number))
            if done.returncode:
                failed = re.findall(r"^\s*\d+ - (\S+) \(([^)]*)\)", done.stdout, re.MULTILINE)
                name, how = failed[0] if failed else ("?", "")
                if how != "Timeout" or not self.passes_slowly(name, step[-1].seconds, number):
                    return "killed", name
                # Runs the tests of this step that did not run because the machine was too busy.
                later = [test.name for test in step if test.seconds > self.seconds_of(step, name)]
                if later and self.tree.ctest(later, 10 * LONGEST, BSPT_MUTANT=str(number)).returncode:
                    return "killed", "?"
        return "survived", ""
