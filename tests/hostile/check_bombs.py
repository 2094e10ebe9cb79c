#!/usr/bin/env python3
"""Lets the command line meet files of a few hundred KB that ask for gigabytes and minutes (bombs.py).

Each command must come to an end below 256 MB and 64 bytes for each byte of the file, in memory and in what it writes:
done, or refused by one line that names the limit and the option that raises it, with nothing left behind. With --times
the processor's seconds are shown too: they are for people to read, no machine's are a test."""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bombs

BASE, PER_BYTE = 256_000_000, 64
LIMITS = ("--memory-limit", "--output-limit")
# Cases that no option limits: rays through thousands of surfaces.
DEEP = "too many surfaces lie behind each other"
GLB, FBX, OBJ, USD = (("convert", f"out.{ending}") for ending in ("glb", "fbx", "obj", "usdz"))
BAKE, RENDER, INFO = ("bake", "out"), ("render", "out.png"), ("info",)
ALL = (INFO, GLB, FBX, USD, RENDER)
COMMANDS = {"fewer_patches": (GLB, FBX, OBJ, USD, RENDER), "one_model": (GLB, FBX, OBJ, USD, RENDER),
            "styles": (GLB, FBX, BAKE, RENDER), "luxels": (GLB, FBX, USD, OBJ, BAKE, RENDER),
            "sequences": (INFO, *((*command, "--animate") for command in (GLB, FBX))),
            "packed_map": (INFO,), "source": (INFO,)}


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class Run:
    """One command with one bomb, in an empty folder."""

    def __init__(self, program: str, command: tuple[str, ...], bomb: Path, limit: int):
        with tempfile.TemporaryDirectory() as folder:
            arguments = [program, command[0], str(bomb), *(word if word.startswith("--") else str(Path(folder) / word)
                                                           for word in command[1:])]
            if command == RENDER:
                arguments += ["--size", "32x32", "--samples", "1"]
            process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            assert process.stderr
            self.lines = process.stderr.read().splitlines()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.status = process.returncode
            self.memory, self.seconds = usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime
            self.output, self.limit = size_of(Path(folder)), limit

    def faults(self, measure_memory: bool) -> list[str]:
        errors = [line for line in self.lines if line.startswith("bspscene: ")]
        found = []
        if self.status not in (0, 1):
            found.append(f"ended with {self.status}")
        if self.status == 1 and (len(errors) != 1 or not any(word in errors[0] for word in (*LIMITS, DEEP))):
            found.append(f"said {errors}")
        if self.status == 1 and self.output:
            found.append(f"left {self.output} bytes behind")
        if self.output > self.limit:
            found.append(f"wrote {self.output} bytes")
        if measure_memory and self.memory > self.limit:
            found.append(f"held {self.memory} bytes")
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("bombs", nargs="*", help="names; all without any")
    parser.add_argument("--sanitized", action="store_true", help="its memory says nothing")
    parser.add_argument("--times", action="store_true")
    args = parser.parse_intermixed_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in args.bombs or bombs.BOMBS:
            made = subprocess.run([sys.executable, bombs.__file__, name, folder], check=True, stdout=subprocess.PIPE,
                                  text=True)
            bomb = Path(made.stdout.strip())
            limit = BASE + PER_BYTE * bomb.stat().st_size
            for command in COMMANDS.get(name, ALL):
                run = Run(args.program, command, bomb, limit)
                faults = run.faults(not args.sanitized)
                failures += bool(faults)
                seconds = f", {run.seconds:.1f} s" if args.times else ""
                print(f"{name} ({bomb.stat().st_size // 1000} KB), {' '.join(command)}: status {run.status}, "
                      f"{run.memory // 1_000_000} MB, wrote {run.output // 1_000_000} MB{seconds}"
                      + "".join(f"\n    WRONG: {fault}" for fault in faults), flush=True)
            bomb.unlink()
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
