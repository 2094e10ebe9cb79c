#!/usr/bin/env python3
"""Runs the tests of the command line: shell scripts, each next to its expected output.

Usage: run.py --program BSPSCENE [--needs FILE] [--update] [NAME...]

NAME.sh runs in an empty directory with `bspscene` in the PATH, $FIXTURES and the functions of common.sh. Its standard
output must be NAME.stdout.exact. Its standard error must match NAME.stderr.glob line by line (* matches anything). If
one of these files is missing, there must be no such output. --update records the output unless the script fails; read
the difference before committing it. If FILE does not exist, no test is run.
"""
import argparse
import difflib
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIXTURES = HERE.parent / "fixtures"
SKIPPED = 77
# Matches a message of coverage builds that cannot write their own files.
COVERAGE = re.compile(r"^(libgcov )?profiling( error)?:.*\n", re.MULTILINE)


def run_script(script: Path, program: Path):
    with tempfile.TemporaryDirectory(prefix="bspscene-cli-") as name:
        folder = Path(name).resolve()
        (folder / "bin").mkdir()
        (folder / "work").mkdir()
        (folder / "bin" / "bspscene").symlink_to(program)
        environment = dict(os.environ, FIXTURES=str(FIXTURES), LC_ALL="C.UTF-8",
                           PATH=f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
        command = f". '{HERE}/common.sh'; . '{script}'"
        done = subprocess.run(["sh", "-eu", "-c", command], cwd=str(folder / "work"), env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True)
        texts = [text.decode("utf-8", "replace").replace(str(FIXTURES), "$FIXTURES")
                 .replace(str(folder / "work"), "$WORK") for text in (done.stdout, done.stderr)]
    return done.returncode, texts[0], COVERAGE.sub("", texts[1])


def expected(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def store(path: Path, text: str):
    if text:
        path.write_text(text, encoding="utf-8")
    elif path.exists():
        path.unlink()


def escape(line: str) -> str:
    """Escapes a line so that the pattern matches only itself."""
    return line.replace("[", "[[]").replace("*", "[*]").replace("?", "[?]")


def matches(text: str, patterns: str) -> bool:
    lines, wanted = text.splitlines(), patterns.splitlines()
    return len(lines) == len(wanted) and all(fnmatch.fnmatchcase(a, b) for a, b in zip(lines, wanted))


def difference(recorded: Path, text: str, equal) -> str:
    """Returns the difference between the recorded file and the text as a unified diff. `equal` compares a line with a
    recorded one."""
    wanted, lines = expected(recorded).splitlines(), text.splitlines()
    # In the diff, replaces each recorded pattern by a line that matches it, preferably the line at the same position.
    # So only real differences are shown.
    shown = [next((line for line in [*lines[i:i + 1], *lines] if equal(line, pattern)), pattern)
             for i, pattern in enumerate(wanted)]
    diff = list(difflib.unified_diff(shown, lines, f"recorded {recorded.name}", "what the program says now", n=1,
                                     lineterm=""))
    return "\n".join(diff or ["only spaces or line ends differ"])


def build_folder(program: Path) -> str:
    """Returns the build directory of the program as a user would type it."""
    found = next((folder for folder in program.parents if (folder / "CMakeCache.txt").exists()), Path("build/dev"))
    return os.path.relpath(found, ROOT) if ROOT in found.parents else str(found)


def run_test(name: str, program: Path, update: bool) -> int:
    script = HERE / f"{name}.sh"
    exact, glob = HERE / f"{name}.stdout.exact", HERE / f"{name}.stderr.glob"
    status, output, errors = run_script(script, program)
    if status == SKIPPED:
        print(output + errors)
        return SKIPPED
    if update and status:
        print(f"{name}: the script ended with {status}, so nothing is recorded; mend {script.name} or the program. "
              f"It said\n{errors}")
        return 1
    if update:
        store(exact, output)
        if not matches(errors, expected(glob)):
            store(glob, "".join(escape(line) + "\n" for line in errors.splitlines()))
        return 0
    problems = []
    if status:
        problems.append(f"a command of tests/cli/{script.name} failed: it ended with {status}; its last lines are\n"
                        + "\n".join((output + errors).splitlines()[-10:]))
    if output != expected(exact):
        problems.append("standard output is not what was recorded:\n"
                        + difference(exact, output, lambda line, wanted: line == wanted))
    if not matches(errors, expected(glob)):
        problems.append("standard error is not what was recorded:\n"
                        + difference(glob, errors, fnmatch.fnmatchcase))
    for problem in problems:
        print(f"{name}: {problem}")
    if problems and not status:
        print(f"If the new output is right, record it with `cmake --build {build_folder(program)} --target golden_cli` "
              f"and commit the difference of tests/cli; else mend the program.")
    return 1 if problems else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--needs", type=Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.needs and not arguments.needs.exists():
        print(f"{arguments.needs} is not there")
        return SKIPPED
    names = arguments.names or sorted(path.stem for path in HERE.glob("*.sh") if path.stem != "common")
    results = [run_test(name, Path(arguments.program).resolve(), arguments.update) for name in names]
    if any(result not in (0, SKIPPED) for result in results):
        return 1
    return SKIPPED if results == [SKIPPED] else 0


if __name__ == "__main__":
    sys.exit(main())
