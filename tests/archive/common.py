"""Shared code of tests of archives: the program, fixtures, and skipping a test."""
import argparse
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

SOURCE = Path(__file__).resolve().parents[2]
FIXTURES = SOURCE / "tests" / "fixtures"
SKIPPED = 77


def skip(why: str) -> NoReturn:
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def arguments(description: str | None, *operands: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    for name in operands:
        parser.add_argument(name)
    parser.add_argument("--program", required=True, type=lambda text: Path(text).resolve())
    return parser.parse_args()


class Checks:
    """Runs a program in a temporary folder, and collects problems."""

    def __init__(self, program: Path, top: Path):
        self.program, self.top = program, top
        self.problems: list[str] = []

    def expect(self, ok: bool, what: str):
        if not ok:
            self.problems.append(what)


def fixture_maps() -> list[Path]:
    return sorted(path for path in FIXTURES.glob("**/maps/*.bsp") if "rejected" not in path.parts)


def run(program: Path, *words, stdin: bytes = b"", status: int | None = 0, cwd: Path | None = None) -> bytes:
    """Runs the program and returns its standard output. Fails the test if it ends with another status, unless the
    status is None."""
    done = subprocess.run([program, *map(str, words)], input=stdin, capture_output=True, cwd=cwd)
    if status is not None and done.returncode != status:
        command = " ".join(map(str, words))
        sys.exit(f"{command}: ended with {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout
