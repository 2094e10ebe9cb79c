#!/usr/bin/env python3
"""Counts the instructions of loading and writing eight fixtures and compares them with history.txt. Unlike times,
counts do not depend on the load of the machine, so a writer cannot become slower unnoticed.

    counted_work.py --build DIRECTORY [--compiler CC] [--launcher CCACHE]
    counted_work.py --build DIRECTORY --record "why"

Builds the library as for a release, because sanitizers and debug code change the counts. Runs it in valgrind. A line of
history.txt is: date, toolchain, fixture and work, millions of instructions, why. The last line for each work is valid.
A count that is more than 10 percent higher fails until --record has written a reason; a lower one is reported, so that
it can be recorded too. Another compiler or C library gives other instructions: then all counts are divided by the
median of their ratios to the last recorded toolchain, and may differ by 25 percent. The processor's own counters are
not used: they are missing on many machines, and count string instructions and system calls differently."""
from __future__ import annotations

import argparse
import datetime
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support/builds"))
import own_build  # noqa: E402

HISTORY = HERE / "history.txt"
FIXTURES = HERE.parent.parent / "fixtures"
GROWTH, FOREIGN_GROWTH = 1.10, 1.25
WORTH_RECORDING = 0.03
SKIPPED = 77


def toolchain(directory: Path) -> str:
    compiler, version, processor = (directory / "toolchain.txt").read_text().split()
    return f"{compiler}-{version.split('.')[0]}/{processor}/{'-'.join(platform.libc_ver())}"


def count(program: Path) -> dict[str, float]:
    """Returns millions of instructions for each "FIXTURE.WORK", such as "quake.load". Callgrind writes a file each time
    the function counted_cell ends."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", "--collect-atstart=no",
             "--toggle-collect=counted_cell", "--dump-after=counted_cell", str(program), str(FIXTURES)],
            capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{program} failed in valgrind:\n{done.stderr}")
        counts = {}
        for number, cell in enumerate(done.stdout.splitlines(), 1):
            lines = Path(f"{folder}/counts.{number}").read_text().splitlines()
            total = next(line for line in lines if line.startswith("totals:"))
            counts[cell.replace(" ", ".")] = int(total.split()[1]) / 1e6
    return counts


def read_history() -> dict[str, dict[str, float]]:
    """Returns, for each toolchain, the last count for each "FIXTURE.WORK". The toolchain of the file's last line comes
    last."""
    history: dict[str, dict[str, float]] = {}
    for line in HISTORY.read_text().splitlines():
        if line and not line.startswith("#"):
            _, chain, cell, millions, _ = line.split(None, 4)
            known = history.pop(chain, {})
            known[cell] = float(millions)
            history[chain] = known
    return history


def record(counts: dict[str, float], known: dict[str, float], chain: str, why: str) -> None:
    today = datetime.date.today().isoformat()
    with HISTORY.open("a") as file:
        for cell, millions in counts.items():
            if cell not in known or abs(millions / known[cell] - 1) > WORTH_RECORDING:
                file.write(f"{today} {chain} {cell} {millions:.2f} {why}\n")


def compare(counts: dict[str, float], history: dict[str, dict[str, float]], chain: str) -> int:
    foreign = chain not in history
    known = history[chain] if not foreign else list(history.values())[-1]
    shared = [cell for cell in counts if cell in known]
    common = statistics.median(counts[cell] / known[cell] for cell in shared) if foreign else 1.0
    allowed = FOREIGN_GROWTH if foreign else GROWTH
    if foreign:
        print(f"{chain} has no history: compared with {list(history)[-1]}, times {common:.2f}")
    grown = missing = 0
    print(f"{'cell':<26}{'recorded':>10}{'now':>10}{'ratio':>8}")
    for cell, millions in counts.items():
        if cell not in known:
            print(f"{cell:<26}{'-':>10}{millions:>10.2f}{'':>8} not recorded")
            missing += 1
            continue
        ratio = millions / known[cell] / common
        note = " GREW" if ratio > allowed else " less: record it" if ratio < 1 / allowed and not foreign else ""
        grown += ratio > allowed
        print(f"{cell:<26}{known[cell]:>10.2f}{millions:>10.2f}{ratio:>8.3f}{note}")
    if grown or missing:
        print(f"{grown} cells take more than {100 * allowed - 100:.0f} percent more, {missing} are not recorded. If"
              " that is meant: counted_work.py --build DIRECTORY --record 'why', which adds lines to history.txt")
    return 1 if grown or missing else 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--compiler", default="")
    parser.add_argument("--launcher", default="")
    parser.add_argument("--record", metavar="WHY")
    arguments = parser.parse_args()
    lacking = [program for program in ("cmake", "valgrind") if not shutil.which(program)]
    if lacking:
        print(f"skipped: {', '.join(lacking)} not here")
        return SKIPPED
    own_build.make(HERE, arguments.build, "counted_work", ["-DCMAKE_BUILD_TYPE=Release"], arguments.compiler,
                   arguments.launcher)
    program = arguments.build / "counted_work"
    chain = toolchain(arguments.build)
    counts = count(program)
    history = read_history()
    if arguments.record:
        record(counts, history.get(chain, {}), chain, arguments.record)
        return 0
    return compare(counts, history, chain)


if __name__ == "__main__":
    sys.exit(main())
