#!/usr/bin/env python3
"""Promise: before its first map, a run prints how many maps there are to do. From the twentieth on, it estimates the
time and size of the rest. --dry-run prints the number and changes nothing."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from common import arguments, fixture_maps, run, skip
from stores import content

MAPS, FIRST = 30, 4
FACT = re.compile(r"after (\d+) maps: the other (\d+) will take about (\d+\.\d\d) hours and (\d+\.\d\d) GB")
# The unused text in each map in bytes. It is so long that the estimate, which has hundredths of a gigabyte, is not
# zero.
WEIGHT = 24 << 20


def process(program: Path, store: Path, lines: list[str], *more: str) -> tuple[str, list[str]]:
    done = subprocess.run([str(program), "process", str(store), "--steps", "info,entities", *more],
                          input="".join(lines).encode(), capture_output=True)
    if done.returncode:
        sys.exit(f"process {more}: ended with {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode(), done.stderr.decode().splitlines()


def copies(top: Path) -> None:
    """Makes maps with different ids. Their entity text is large and has the map's number; it is written after the last
    lump."""
    data = next(path for path in fixture_maps() if "quake3" in path.parts).read_bytes()
    entities = int.from_bytes(data[8:12], "little"), int.from_bytes(data[12:16], "little")
    text = data[entities[0]:sum(entities)].rstrip(b"\0\n")
    for number in range(MAPS):
        more = f'\n{{\n"classname" "info_null"\n"number" "{number}"\n}}\n'.encode()
        more += b'{\n"classname" "info_null"\n"note" "' + b"n" * 1000 + b'"\n}\n'
        grown = data + text + more * (WEIGHT // 4096) + b"\0"
        size = len(grown) - len(data)
        (top / f"m{number:02}.bsp").write_bytes(
            grown[:8] + len(data).to_bytes(4, "little") + size.to_bytes(4, "little") + grown[16:])


def main() -> int:
    program = arguments(__doc__).program
    if sys.platform == "win32":
        skip("process does not run there")
    problems = []

    def expect(ok: bool, what: object):
        if not ok:
            problems.append(str(what))

    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        (top / "maps").mkdir()
        copies(top / "maps")
        lines = run(program, "catalog", top / "maps").decode().splitlines(keepends=True)
        expect(len({json.loads(line)["id"] for line in lines}) == MAPS, "the maps are not different")
        store = top / "store"
        said, _ = process(program, store, lines, "--dry-run")
        expect(said == f"{MAPS} maps: {MAPS} to do, 0 there already\n", said)
        expect(not store.exists(), "--dry-run made the store")
        _, words = process(program, store, lines[:FIRST])
        expect(words == [f"{FIRST} maps: {FIRST} to do, 0 there already"], words)
        before = content(store)
        said, _ = process(program, store, lines, "--dry-run")
        expect(said == f"{MAPS} maps: {MAPS - FIRST} to do, {FIRST} there already\n", said)
        expect(content(store) == before, "--dry-run changed the store")
        _, words = process(program, store, lines)
        expect(words[0] == f"{MAPS} maps: {MAPS - FIRST} to do, {FIRST} there already", words)
        facts = [match.groups() for line in words if (match := FACT.fullmatch(line))]
        size = sum(path.stat().st_size for path in store.rglob("*") if path.is_file()) / MAPS / 1e9
        expect(len(facts) == 1 and facts[0][:2] == ("20", str(MAPS - FIRST - 20)), words)
        expect(size * 6 > 0.005, f"maps of {size} GB are too small to be told")
        expect(all(abs(float(fact[3]) - size * 6) < 0.006 for fact in facts), f"{facts}, but {size * 6} GB")
        _, words = process(program, store, lines, "--quiet")
        expect(not words, f"--quiet: {words}")
        said, words = process(program, store, lines)
        expect(words == [f"{MAPS} maps: 0 to do, {MAPS} there already"] and f" {MAPS} there already;" in said, said)
        other = [line.replace('"modified":"', '"modified":"1') for line in lines[:FIRST]] + lines[FIRST:]
        said, _ = process(program, store, other, "--dry-run")
        expect(said.splitlines()[1:] == [f"{FIRST} of these are in other places now"], said)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
