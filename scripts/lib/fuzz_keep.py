#!/usr/bin/env python3
"""Keeps the inputs of a fuzzer that reach code which its corpus does not reach, while corpus and kept inputs stay
small.

Usage: fuzz_keep.py FUZZER CORPUS KEPT FOUND KILOBYTES

Inputs that were kept before compete with new ones. Those that reach the most new edges per byte are kept, until CORPUS
and KEPT have KILOBYTES together.
"""
import heapq
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path


def edges_of(fuzzer: Path, folders: list[Path]) -> dict[Path, set[int]]:
    """Returns the edges that each input reaches. They are read from libFuzzer's control file of a merge, which exists
    even if inputs crash."""
    with tempfile.TemporaryDirectory() as empty:
        control = Path(empty) / "control"
        (Path(empty) / "out").mkdir()
        subprocess.run([fuzzer, "-merge=1", "-set_cover_merge=1", "-use_counters=0", f"-merge_control_file={control}",
                        "-rss_limit_mb=2048", Path(empty) / "out", *folders], capture_output=True, check=False)
        lines = control.read_text().splitlines()
    count = int(lines[0])
    names = [Path(line) for line in lines[2:2 + count]]
    edges: dict[Path, set[int]] = {}
    for line in lines[2 + count:]:
        kind, number, *features = line.split()
        if kind == "FT":
            edges[names[int(number)]] = {int(feature) for feature in features}
    return edges


def choose(edges: dict[Path, set[int]], known: set[int], room: int) -> list[Path]:
    """Chooses inputs greedily by new edges per byte, until `room` bytes are full."""
    known = set(known)
    sizes = {path: path.stat().st_size for path in edges}

    def worth_of(path: Path) -> float:
        return -len(edges[path] - known) / max(sizes[path], 1)

    heap = [(worth_of(path), path) for path in edges]
    heapq.heapify(heap)
    chosen = []
    while heap:
        worth, path = heapq.heappop(heap)
        now = worth_of(path)
        if not now or sizes[path] > room:
            continue
        if now > worth:  # inputs chosen since then already reach some of its edges
            heapq.heappush(heap, (now, path))
            continue
        chosen.append(path)
        known |= edges[path]
        room -= sizes[path]
    return chosen


def size_of(paths: Iterable[Path]) -> int:
    return sum(path.stat().st_size for path in paths)


def main() -> int:
    fuzzer, corpus, kept, found = (Path(argument) for argument in sys.argv[1:5])
    kept.mkdir(exist_ok=True)
    edges = edges_of(fuzzer, [corpus, kept, found])
    known = set[int]().union(*(reached for path, reached in edges.items() if path.parent == corpus))
    room = int(sys.argv[5]) * 1024 - size_of(corpus.iterdir())
    chosen = choose({path: reached for path, reached in edges.items() if path.parent != corpus}, known, room)
    for path in chosen:
        (kept / path.name).write_bytes(path.read_bytes())
    names = {path.name for path in chosen}
    for path in kept.iterdir():
        if path.name not in names:
            path.unlink()
    reached = known.union(*(edges[path] for path in chosen))
    size = (size_of(corpus.iterdir()) + size_of(kept.iterdir()) + 512) // 1024
    print(f"{corpus.parent.name:12} {len(chosen):5} inputs kept, {size} KB, {len(known)} edges in the corpus, "
          f"{len(reached)} of the {len(set[int]().union(*edges.values()))} that were found with them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
