"""Builds a copy of the tree with a change in it and lets the tests that run the changed function judge it."""
import json
import os
import re
import resource
import shutil
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mutant_points import Point

# What these look at is not what the code does.
NO_JUDGES = re.compile(r"^(lint|package|header|bindings|abi)\.")
MOST_MEMORY = 8 << 30        # of a program under test: a change may ask for all there is
STEPS = (1.0, 10.0, 1e9)     # quick tests first; seconds that one of a step takes at most


@dataclass(frozen=True)
class Verdict:
    kind: str                # "killed", "survived", "not run by a test", "does not build"
    by: str = ""
    seconds: float = 0.0


@dataclass
class Test:
    name: str
    programs: set[str]       # files of the build that must be there, of its fixtures too
    seconds: float = 0.0


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


class Tree:
    """A copy of the tracked files and its build, which no user's work is in."""

    def __init__(self, place: Path):
        self.source = place / "tree"
        self.build = place / "build"
        self.profiles = place / "profiles"

    def copy(self, root: Path) -> None:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
        wanted = set(filter(None, listed.split("\0")))
        for name in wanted:
            here, there = root / name, self.source / name
            if here.is_file() and not (there.is_file() and here.read_bytes() == there.read_bytes()):
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(here, there)
        for path in list(self.source.rglob("*")):
            if path.is_file() and path.relative_to(self.source).as_posix() not in wanted:
                path.unlink()

    def configure(self) -> None:
        options = ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_BUILD_TYPE=Debug",
                   "-DCMAKE_C_FLAGS_DEBUG=-O1 -fprofile-instr-generate -fcoverage-mapping -w",
                   "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -w"]
        link = "-fprofile-instr-generate" + (" -fuse-ld=lld" if shutil.which("ld.lld") else "")
        options += [f"-DCMAKE_{kind}_LINKER_FLAGS={link}" for kind in ("EXE", "SHARED", "MODULE")]
        if shutil.which("ccache"):
            options += [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")]
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.build, *options],
                       check=True, stdout=subprocess.DEVNULL)

    def make(self, targets: list[str]) -> bool:
        """All of it for no targets. What a change makes is not kept for later builds."""
        environment = {**os.environ, "CCACHE_READONLY": "1"} if targets else None
        done = subprocess.run(["ninja", "-C", self.build, *targets], env=environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def ctest(self, names: list[str], profile: str, timeout: float) -> subprocess.CompletedProcess[str]:
        chosen = "^(" + "|".join(map(re.escape, names)) + ")$"
        return subprocess.run(["ctest", "--test-dir", self.build, "-R", chosen, "--stop-on-failure", "--timeout",
                               str(int(timeout))], capture_output=True, text=True, preexec_fn=limit_memory,
                              env={**os.environ, "LLVM_PROFILE_FILE": profile})


def tests_of(tree: Tree) -> list[Test]:
    """The quick tier, each with the programs that it and its fixtures start."""
    shown = subprocess.run(["ctest", "--test-dir", tree.build, "--show-only=json-v1", "-L", "quick"],
                           check=True, capture_output=True, text=True).stdout
    properties, programs, makers = {}, {}, defaultdict(set)
    build = f"{tree.build.resolve()}/"
    for test in json.loads(shown)["tests"]:
        name = test["name"]
        properties[name] = {one["name"]: one["value"] for one in test["properties"]}
        words = " ".join(test.get("command", []))
        programs[name] = {part for part in re.findall(re.escape(build) + r"([^\s:=]+)", words)
                          if (tree.build / part).is_file()}
        for fixture in properties[name].get("FIXTURES_SETUP", []):
            makers[fixture].add(name)

    def every_program(name: str, seen: set[str]) -> set[str]:
        own = set(programs[name])
        for fixture in properties[name].get("FIXTURES_REQUIRED", []):
            for maker in makers[fixture] - seen:
                own |= every_program(maker, seen | {name})
        return own

    return [Test(name, every_program(name, set())) for name in properties if not NO_JUDGES.match(name)]


def functions_run(tree: Tree, test: Test) -> set[str]:
    """Runs a test; the functions that it came to, "file.c:name" where they are static."""
    shutil.rmtree(tree.profiles, ignore_errors=True)
    tree.profiles.mkdir(parents=True)
    started = time.monotonic()
    tree.ctest([test.name], str(tree.profiles / "%4m.profraw"), 1800)
    test.seconds = time.monotonic() - started
    raw = list(tree.profiles.glob("*.profraw"))
    if not raw:
        return set()
    merged = tree.profiles / "all.profdata"
    # Programs that a test kills leave none, or half of one.
    done = subprocess.run(["llvm-profdata", "merge", "-sparse", "-failure-mode=all", *raw, "-o", merged],
                          capture_output=True)
    if done.returncode:
        return set()
    shown = subprocess.run(["llvm-profdata", "show", "-all-functions", "-text", merged],
                           check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^([^\s#:][^\n]*)\n# Func Hash:", shown, re.MULTILINE))


class Judge:
    """Knows which tests run which function: measured once for each test, kept in the file `kept`."""

    def __init__(self, tree: Tree, kept: Path, all_steps: bool, say: Callable[[str], None]):
        self.tree = tree
        self.steps = STEPS if all_steps else STEPS[:-1]
        self.tests = {test.name: test for test in tests_of(tree)}
        measured = json.loads(kept.read_text()) if kept.exists() else {}
        new = [test for name, test in self.tests.items() if name not in measured]
        for i, test in enumerate(new):
            run = functions_run(tree, test)
            measured[test.name] = {"seconds": test.seconds, "functions": sorted(run)}
            say(f"{i + 1} of {len(new)} tests measured: {test.name}, {test.seconds:.1f} s, {len(run)} functions")
            kept.write_text(json.dumps(measured))
        self.runners: dict[str, list[Test]] = defaultdict(list)
        for name, facts in measured.items():
            if name in self.tests:
                self.tests[name].seconds = facts["seconds"]
                for function in facts["functions"]:
                    self.runners[function].append(self.tests[name])

    def runners_of(self, point: Point) -> list[Test]:
        static = f"{Path(point.file).name}:{point.function}"
        by_path = [name for name in self.runners if name.endswith("/" + static)]
        found = {test.name: test for name in (point.function, static, *by_path) for test in self.runners.get(name, [])}
        return sorted(found.values(), key=lambda test: test.seconds)

    def judge(self, point: Point) -> Verdict:
        """The copy is as it was afterwards, but for its programs, which the next change builds anew."""
        runners = self.runners_of(point)
        if not runners:
            return Verdict("not run by a test")
        path = self.tree.source / point.file
        source = path.read_text()
        started = time.monotonic()
        path.write_text(point.changed(source))
        try:
            kind, by = self.verdict_of(runners)
        finally:
            path.write_text(source)
        return Verdict(kind, by, time.monotonic() - started)

    def verdict_of(self, runners: list[Test]) -> tuple[str, str]:
        least = 0.0
        for most in self.steps:
            step = [test for test in runners if least <= test.seconds < most]
            least = most
            if not step:
                continue
            if not self.tree.make(sorted(set().union(*(test.programs for test in step)))):
                return "does not build", ""
            done = self.tree.ctest([test.name for test in step], os.devnull, 20 + 10 * step[-1].seconds)
            if done.returncode:
                failed = re.findall(r"^\s*\d+ - (\S+) \((?:Failed|Timeout|[^)]*)\)", done.stdout, re.MULTILINE)
                return "killed", failed[0] if failed else "?"
        return "survived", ""
