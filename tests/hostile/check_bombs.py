#!/usr/bin/env python3
"""Runs the command line with files of a few hundred KB that ask for gigabytes of memory and minutes of time (bombs.py
and, for commands that read archives, archive_bombs.py).

Each command may use 256 MB plus 64 bytes for each byte of the file, in memory and in its output. It must succeed, or
refuse the file with one line that names the limit and the option that raises it, and leave no files. Commands print
less than 10 MB about an archive. With --by-turns each bomb is tried with the first command of its list and with one
other command, which changes from bomb to bomb. With --every-command all bombs are tried with all commands that read a
map. With --times the processor seconds of each command are printed, and the longest time at the end. Times never fail
the test, because they depend on the machine."""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import archive_bombs
import bombs

PRINTED = 10_000_000
BASE, PER_BYTE = 256_000_000, 64
# In a command, this word stands for the bomb's path as a second argument.
SAME = "SAME"
LIMITS = ("--memory-limit", "--output-limit")
# The only error message that need not name an option: no option raises the limit on surfaces along a ray.
DEEP = "rays meet too many surfaces one after the other; draw a smaller picture"
GLB, FBX, OBJ, USD = (("convert", f"out.{ending}") for ending in ("glb", "fbx", "obj", "usdz"))
BAKE, RENDER, INFO = ("bake", "out"), ("render", "out.png"), ("info",)
ALL = (INFO, GLB, FBX, USD, RENDER)
BAKED = (*GLB, "--lighting", "baked", "--baked-size", "16384")
PANORAMA = ("render", "out.png", "--panorama")
MAP_OF = {"overlap": "a00000", "better_packed": "a00000", "packed_maps": "0", "texts": "0"}
COMMANDS = {"fewer_patches": (GLB, FBX, OBJ, USD, RENDER), "one_model": (GLB, FBX, OBJ, USD, RENDER),
            "styles": (GLB, FBX, BAKE, RENDER), "luxels": (GLB, FBX, USD, OBJ, BAKE, RENDER),
            "sequences": (INFO, *((*command, "--animate") for command in (GLB, FBX))),
            "sky": (*ALL, PANORAMA, (*GLB, "--sky", "cube")), "packed_map": (INFO,), "source": (INFO,)}
for _name in ("fewer_patches", "luxels", "small_tga", "wide_faces"):
    COMMANDS[_name] = (*COMMANDS.get(_name, ALL), BAKED)
EVERY = (INFO, GLB, FBX, OBJ, USD, ("convert", "out.gltf", "--merge", "material", "--lighting", "lightmap"), BAKED,
         ("convert", "out.usda"), (*GLB, "--compress-with", "meshopt"),
         ("bake", "out", "--every-style", "--light-probes"),
         ("entities", "--json"), ("extract", "out"), RENDER, PANORAMA, ("render", "out.png", "--overview"),
         ("render", "out.png", "--plan"), ("diff", SAME), ("catalog",))


def of_archive(name: str) -> tuple[tuple[str, ...], ...]:
    one = [("--map", MAP_OF[name])] if name in MAP_OF else []
    return (("list",), ("catalog",), ("diff", SAME), *((*command, *words) for words in one
                                                       for command in (INFO, GLB, ("extract", "out"))))


def by_turns(commands: tuple[tuple[str, ...], ...], number: int) -> list[tuple[str, ...]]:
    first, *others = commands
    return [first, others[number % len(others)]] if others else [first]


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class Run:
    """Runs one command with one bomb, in an empty folder."""

    def __init__(self, program: str, command: tuple[str, ...], bomb: Path, limit: int):
        with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile() as printed:
            folder = Path(name)
            arguments = [program, command[0], str(bomb), *(str(bomb) if word == SAME else str(folder / word)
                                                           if word.startswith("out") else word
                                                           for word in command[1:])]
            if command == RENDER:
                arguments += ["--size", "32x32", "--samples", "1"]
            process = subprocess.Popen(arguments, stdout=printed, stderr=subprocess.PIPE, text=True)
            assert process.stderr
            self.lines = process.stderr.read().splitlines()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.status = process.returncode
            self.memory, self.seconds = usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime
            self.output, self.limit = size_of(folder), limit
            self.printed = os.fstat(printed.fileno()).st_size

    def faults(self, measure_memory: bool, is_archive: bool) -> list[str]:
        errors = [line for line in self.lines if line.startswith("bspscene: ")]
        found = []
        if self.status not in (0, 1):
            found.append(f"ended with {self.status}")
        if self.status == 1 and not is_archive and (
                len(errors) != 1 or not any(word in errors[0] for word in (*LIMITS, DEEP))):
            found.append(f"said {errors}")
        if self.status == 1 and not (self.lines or self.printed):
            found.append("said nothing")
        if self.status == 1 and self.output:
            found.append(f"left {self.output} bytes behind")
        if self.output > self.limit:
            found.append(f"wrote {self.output} bytes")
        if self.printed > PRINTED:
            found.append(f"printed {self.printed} bytes")
        if measure_memory and self.memory > self.limit:
            found.append(f"held {self.memory} bytes")
        return found


def make(name: str, folder: str) -> Path:
    script = str((bombs if name in bombs.BOMBS else archive_bombs).__file__)
    made = subprocess.run([sys.executable, script, name, folder], check=True, stdout=subprocess.PIPE, text=True)
    return Path(made.stdout.strip())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("bombs", nargs="*", help="names; all without any")
    parser.add_argument("--sanitized", action="store_true", help="its memory says nothing")
    parser.add_argument("--by-turns", action="store_true")
    parser.add_argument("--every-command", action="store_true")
    parser.add_argument("--times", action="store_true")
    args = parser.parse_intermixed_args()
    failures, longest = 0, 0.0
    for number, name in enumerate(args.bombs or (*bombs.BOMBS, *archive_bombs.BOMBS)):
        with tempfile.TemporaryDirectory() as folder:
            bomb = make(name, folder)
            size = bomb.stat().st_size
            is_archive = name in archive_bombs.BOMBS
            commands = of_archive(name) if is_archive else EVERY if args.every_command else COMMANDS.get(name, ALL)
            for command in by_turns(commands, number) if args.by_turns else commands:
                run = Run(args.program, command, bomb, BASE + PER_BYTE * size)
                faults = run.faults(not args.sanitized, is_archive or args.every_command)
                failures += bool(faults)
                longest = max(longest, run.seconds)
                seconds = f", {run.seconds:.1f} s" if args.times else ""
                print(f"{name} ({size // 1000} KB), {' '.join(command)}: status {run.status}, "
                      f"{run.memory // 1_000_000} MB, wrote {run.output // 1000} KB, printed {run.printed // 1000} KB"
                      + seconds + "".join(f"\n    WRONG: {fault}" for fault in faults), flush=True)
    if args.times:
        print(f"longest {longest:.1f} s")
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
