#!/usr/bin/env python3
"""Finds files of the library that use each other's functions, directly or in a circle. Such files should be joined, or
share a third file.

Usage: check_circles.py STATIC_LIBRARY
Tables (of families, kinds of archives, writers) are data and do not count.
"""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# Matches lines of nm such as "libbspscene.a:text.c.o: bspi_text_copy T 0 17" or "libbspscene.a[text.c.o]:
# bspi_text_copy T 0 17".
LINE = re.compile(r"^.*[:\[/](?P<file>\w+)\.c\.o(?:bj)?\]?: (?P<name>\S+) (?P<kind>\w)")


def read_uses(library: str) -> dict[str, set[str]]:
    """Returns for each file the files whose functions it uses."""
    listing = subprocess.run(["nm", "-A", "--format=posix", "--extern-only", library], check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    made: dict[str, str] = {}
    wanted = defaultdict(set)
    for found in filter(None, map(LINE.match, listing.splitlines())):
        if found["kind"] == "T":
            made[found["name"]] = found["file"]
        elif found["kind"] == "U":
            wanted[found["file"]].add(found["name"])
    return {file: {made[name] for name in names if name in made} - {file} for file, names in wanted.items()}


def reach(uses: dict[str, set[str]], start: str) -> set[str]:
    """Returns all files that a file uses, directly or indirectly."""
    seen: set[str] = set()
    ahead = list(uses.get(start, ()))
    while ahead:
        file = ahead.pop()
        if file not in seen:
            seen.add(file)
            ahead.extend(uses.get(file, ()))
    return seen


def find_circles(uses: dict[str, set[str]]) -> list[set[str]]:
    reached = {file: reach(uses, file) for file in uses}
    circles: list[set[str]] = []
    for file in sorted(uses):
        if file in reached[file] and not any(file in circle for circle in circles):
            circles.append({other for other in reached[file] if file in reached.get(other, ())})
    return circles


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    uses = read_uses(sys.argv[1])
    if len(uses) < 100:
        print(f"{Path(sys.argv[1]).name}: no symbols of its files; built for linking with the whole program?")
        return 77
    circles = find_circles(uses)
    for circle in circles:
        pairs = "; ".join(f"{a} uses {' '.join(sorted(uses[a] & circle))}" for a in sorted(circle))
        print(f"{len(circle)} files use each other in a circle: {pairs}. Move what both ends need into one of the "
              "files, or into a new one that uses none of them")
    return bool(circles)


if __name__ == "__main__":
    sys.exit(main())
