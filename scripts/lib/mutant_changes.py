"""Mutants that people wrote. They change axes, channels, orders and boundaries, which random changes of operators do
not reach.

A file of mutants is a list of entries, separated by empty lines:

    native/src/relight/probe_fit.c keep_out_of_walls
    the darkest channel instead of the brightest
    -light[i] > light[brightest]
    +light[i] < light[brightest]

The first line of an entry has the file (of C, C++ or Python) and the function. The second line says what the change
means. Then follow the old lines with '-' and the new lines with '+'. The old lines must occur once in the function.
scripts/mutants judges C and C++; a change of the add-on is judged by hand, with tests/addon/run.py."""
import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutant_points import Point, bodies, point_at


@dataclass(frozen=True)
class Change:
    file: str
    function: str
    meaning: str
    before: str
    after: str


class Stale(Exception):
    """The function no longer contains the old lines of a change."""


def read_changes(path: Path) -> Iterator[Change]:
    for entry in path.read_text().split("\n\n"):
        lines = [line for line in entry.splitlines() if line and line[0] != "#"]
        if not lines:
            continue
        file, function = lines[0].split(" ")
        before, after = ("\n".join(line[1:] for line in lines[2:] if line[0] == sign) for sign in "-+")
        yield Change(file, function, lines[1], before, after)


def functions_of(source: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Returns each function's name and the range of its text, in Python."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            yield node.name, (starts[node.lineno - 1], starts[node.end_lineno or node.lineno])


def point_of(change: Change, root: Path) -> Point:
    """Finds the place of a change. Raises Stale if the function has the old lines not at all, or twice."""
    path = root / change.file
    source = path.read_text() if path.is_file() else ""
    for function, body in functions_of(source) if path.suffix == ".py" else bodies(source):
        text = source[slice(*body)]
        if function == change.function and text.count(change.before) == 1:
            at = body[0] + text.index(change.before)
            return point_at(change.file, source, function, body, at, change.before, change.after)
    raise Stale(f"{change.file}, {change.function}: {change.before!r} is not there once: {change.meaning}")
