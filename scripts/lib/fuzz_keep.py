#!/usr/bin/env python3
"""Of what a fuzzer found, what reaches further than its corpus, into the corpus, while that stays small.

Usage: fuzz_keep.py FUZZER CORPUS FOUND KILOBYTES
Inputs that reach the most edges for their size come first; what the corpus has stays.
"""
import heapq
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def edges_of(fuzzer: Path, folders: list[Path]) -> dict[Path, set[int]]:
    """The edges that each input runs through, from the control file of a merge, which survives inputs that crash."""
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
    """As many new edges for a byte as there are, until `room` bytes are full."""
    sizes = {path: path.stat().st_size for path in edges}
    heap = [(-len(found - known) / max(sizes[path], 1), path) for path, found in edges.items()]
    heapq.heapify(heap)
    chosen = []
    while heap:
        worth, path = heapq.heappop(heap)
        now = -len(edges[path] - known) / max(sizes[path], 1)
        if not now or sizes[path] > room:
            continue
        if now > worth:  # others have taken some of it
            heapq.heappush(heap, (now, path))
            continue
        chosen.append(path)
        known = known | edges[path]
        room -= sizes[path]
    return chosen


def main() -> int:
    fuzzer, corpus, found, kilobytes = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    edges = edges_of(fuzzer, [corpus, found])
    known: set[int] = set()
    for path, reached in edges.items():
        if path.parent == corpus:
            known |= reached
    room = kilobytes * 1024 - sum(path.stat().st_size for path in corpus.iterdir())
    chosen = choose({path: reached for path, reached in edges.items() if path.parent == found}, known, room)
    everything = set().union(*edges.values())
    for path in chosen:
        (corpus / path.name).write_bytes(path.read_bytes())
        known |= edges[path]
    size = sum(path.stat().st_size for path in corpus.iterdir())
    print(f"{corpus.parent.name:12} {len(chosen):5} inputs more, {(size + 512) // 1024} KB, "
          f"{len(known)} of the {len(everything)} edges that were found")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("TMPDIR", "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir())
    sys.exit(main())
