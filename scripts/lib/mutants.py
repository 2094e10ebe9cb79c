#!/usr/bin/env python3
"""Mutation testing of the tests: samples mutants over the sources, and lets the quick tier judge each.

Usage: mutants.py [--count N] [--seed N] [--jobs N] [--area PREFIX]... [--written] [--plain] [--again]
                  [--slow] [--measure]
See scripts/mutants."""
import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from mutant_changes import point_of, read_changes
from mutant_judge import Judge, Tree, Verdict
from mutant_points import Point, points

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "build/mutants"
VERDICTS = ROOT / "tests/mutants/verdicts.tsv"
WRITTEN = ROOT / "tests/mutants/changes"
TABLE = ROOT / "tests/mutants/written.tsv"
AREAS = ["native/", "assimp_importer/"]
UNNOTICED = ("survived", "not run by a test")
SHARE = 90    # percentage of the sample's mutants that tests must notice


def tracked(areas: list[str]) -> list[str]:
    listed = subprocess.run(["git", "ls-files", "*.c"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    elsewhere = r"_posix\.c$" if os.name == "nt" else r"_windows\.c$|/windows_\w+\.c$"   # not compiled on this machine
    return [name for name in listed.split() if name.startswith(tuple(areas)) and not re.search(elsewhere, name)]


def sample(areas: list[str], seed: int, count: int) -> list[Point]:
    """Returns the first `count` points in the order of their hashes. So a larger sample contains a smaller one, and an
    edit of the sources changes few points of the sample."""
    every = [point for name in tracked(areas) for point in points(name, (ROOT / name).read_text())]
    once = {point.name: point for point in reversed(every)}
    return sorted(once.values(), key=lambda point: hashlib.sha1(f"{seed} {point.name}".encode()).digest())[:count]


def written(areas: list[str]) -> list[Point]:
    """Mutants that people wrote, in the order of the files."""
    changes = (change for path in sorted(WRITTEN.glob("*.txt")) for change in read_changes(path))
    return [point_of(change, ROOT) for change in changes if change.file.startswith(tuple(areas))]


def accepted() -> dict[str, str]:
    """Returns, by name, the accepted surviving mutants, with the reason why no test can or should notice each."""
    rows = [line.split("\t") for line in VERDICTS.read_text().splitlines() if line and line[0] != "#"]
    return {name: why for name, *_, why in rows}


def row_of(point: Point) -> str:
    before = " ".join(point.before.split())
    return "\t".join((point.name, f"{point.file}:{point.line}:{point.column + 1}", point.function, point.context,
                      f"{before} -> {' '.join(point.after.split()) or 'nothing'}"))


class Run:
    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.place = PLACE / "plain" if arguments.plain else PLACE
        self.results = PLACE / "results.jsonl"
        self.known: dict[str, Verdict] = {}
        self.lock = threading.Lock()
        if self.results.exists():
            for line in self.results.read_text().splitlines():
                told = json.loads(line)
                if told["kind"] not in UNNOTICED or not arguments.again:
                    self.known[told["name"]] = Verdict(told["kind"], told["by"], told["seconds"])
        if not arguments.again:    # accepted mutants are not judged, because each would run all tests of its function
            self.known = {**dict.fromkeys(accepted(), Verdict("accepted")), **self.known}

    @property
    def broken(self) -> set[str]:
        return {name for name, verdict in self.known.items() if verdict.kind == "does not build"}

    def judges(self, chosen: list[Point]) -> SimpleQueue[Judge]:
        free: SimpleQueue[Judge] = SimpleQueue()
        kept = self.place / "runs.json"
        if self.arguments.measure:
            kept.unlink(missing_ok=True)
        for number in range(self.arguments.jobs):
            tree = Tree(self.place / str(number), self.arguments.jobs, self.arguments.plain)
            tree.copy(ROOT, chosen, self.broken)
            tree.configure()
            if not tree.make():
                broken = tree.broken(ROOT, chosen)
                for point in (point for point in chosen if point.name in broken):
                    self.tell(point, Verdict("does not build"))
                tree.copy(ROOT, chosen, self.broken)
                if not tree.make():
                    sys.exit(f"{tree.build} cannot be built")
            free.put(Judge(tree, chosen, kept, self.arguments.slow, lambda text: print(text, flush=True)))
        return free

    def tell(self, point: Point, verdict: Verdict) -> None:
        with self.lock:
            self.known[point.name] = verdict
            with self.results.open("a") as file:
                print(json.dumps({"name": point.name, "kind": verdict.kind, "by": verdict.by,
                                  "seconds": round(verdict.seconds, 2), "row": row_of(point)}), file=file)
            print(f"{verdict.kind:18} {verdict.by:28} {verdict.seconds:6.1f} s  {row_of(point)}", flush=True)

    def judge_all(self, chosen: list[Point]) -> None:
        left = [point for point in chosen if point.name not in self.known]
        if not left:
            return
        free = self.judges(chosen)

        def judge_one(point: Point) -> None:
            judge = free.get()
            try:
                self.tell(point, judge.judge(point))
            finally:
                free.put(judge)

        with ThreadPoolExecutor(self.arguments.jobs) as pool:
            list(pool.map(judge_one, (point for point in left if point.name not in self.broken)))


def record_written(known: dict[str, Verdict]) -> None:
    """Writes the verdict of each written change into a table for people. Changes that are not judged in this run keep
    their earlier verdict."""
    head, *before = TABLE.read_text().splitlines()
    rows = {tuple(line.split("\t")[:3]): line for line in before}
    for path in sorted(WRITTEN.glob("*.txt")):
        for change in read_changes(path):
            verdict = known.get(point_of(change, ROOT).name)
            key = change.file, change.function, change.meaning
            if verdict:
                rows[key] = "\t".join((*key, verdict.kind, verdict.by))
    TABLE.write_text("\n".join([head, *sorted(rows.values())]) + "\n")


def summary(chosen: list[Point], known: dict[str, Verdict]) -> int:
    """Prints the mutants that no test noticed and for which no reason is recorded. Returns the exit status."""
    reasons = accepted()
    counts = Counter(known[point.name].kind for point in chosen)
    unexplained = [point for point in chosen
                   if known[point.name].kind in UNNOTICED and point.name not in reasons]
    print("\nNobody noticed, and nobody said why:")
    for point in unexplained:
        print(f"{known[point.name].kind}\t{row_of(point)}")
    meant = len(chosen) - counts["does not build"]
    explained = counts["accepted"] + counts["survived"] + counts["not run by a test"] - len(unexplained)
    share = 100 * counts["killed"] / (meant - explained) if meant > explained else 100.0
    print(f"{len(chosen)} changes, {meant} of them build: {counts['killed']} noticed, {counts['survived']} survived, "
          f"{counts['not run by a test']} run by no test; {explained} are accepted, for reasons in {VERDICTS.name}. "
          f"Noticed of those without: {share:.1f} %")
    return 0 if share >= SHARE else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--area", action="append", help="beginning of a path, default all of native/ and the importer")
    parser.add_argument("--written", action="store_true", help="those in tests/mutants/changes, no sample")
    parser.add_argument("--plain", action="store_true", help="builds and judges without sanitizers, in half the time")
    parser.add_argument("--again", action="store_true", help="what nobody noticed earlier is judged once more")
    parser.add_argument("--slow", action="store_true", help="tests of more than ten seconds judge too")
    parser.add_argument("--measure", action="store_true", help="what each test runs is measured anew")
    arguments = parser.parse_args()
    (PLACE / "plain" if arguments.plain else PLACE).mkdir(parents=True, exist_ok=True)
    areas = arguments.area or AREAS
    chosen = written(areas) if arguments.written else sample(areas, arguments.seed, arguments.count)
    run = Run(arguments)
    run.judge_all(chosen)
    if arguments.written:
        record_written(run.known)
    return summary(chosen, run.known)


if __name__ == "__main__":
    sys.exit(main())
