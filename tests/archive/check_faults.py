#!/usr/bin/env python3
"""Promise: a fault of the machine is never recorded as one of the map. If a file is missing or changed, another copy of
the map is read. If no copy can be read, the disk is full, the run's limits are too small or memory is short, the map
stays to do: the run prints one line and ends with status 1. The next run then completes the store as an undisturbed run
does. A new version of the program tries quarantined maps again."""
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from common import FIXTURES, Checks, arguments, run, skip
from stores import HOSTILE, STEPS, content, hostile_lines, results

FAMILIES = ["quake", "goldsrc", "quake2_q2map"]
ROOM = "400k"           # size of a disk that is soon full
LARGEST_FILE = 20_000
LITTLE_MEMORY = 3 << 20


class Test(Checks):
    def __init__(self, program: Path, top: Path):
        super().__init__(program, top)
        for folder in ("first", "second"):
            for family in FAMILIES:
                (top / folder).mkdir(exist_ok=True)
                [source, *_] = (FIXTURES / "atrium" / family / "maps").glob("*.bsp")
                shutil.copyfile(source, top / folder / f"{family}.bsp")
        self.catalog = self.catalog_of("first", hostile_lines())
        self.both = self.catalog_of("first", "", "second")
        self.process("calm", self.catalog)
        self.calm = content(top / "calm")

    def catalog_of(self, folder: str, more: str, *others: str) -> Path:
        path = self.top / f"{folder}{len(others)}.jsonl"
        path.write_bytes(run(self.program, "catalog", *(self.top / name for name in (folder, *others))) + more.encode())
        return path

    def command(self, store: Path, catalog: Path) -> list[str]:
        return [str(word) for word in (self.program, "process", store, "--catalog", catalog, "--steps", STEPS,
                                       "--quiet")]

    def process(self, store: str, catalog: Path, limits=None) -> tuple[int, list[str]]:
        done = subprocess.run(self.command(self.top / store, catalog), capture_output=True, preexec_fn=limits)
        return done.returncode, done.stderr.decode().splitlines()

    def refused(self, store: str) -> set[str]:
        return {one["name"] for one in results(self.top / store) if one["status"] == "quarantined"}

    def check_left(self, what: str, status: int, lines: list[str], store: str, *words: str):
        hostile = {Path(name).stem for name in HOSTILE}
        said = len(lines) == 1 and all(word in lines[0] for word in words)
        self.expect(status == 1 and said, f"{what}: ended with {status}: {lines}")
        self.expect(self.refused(store) <= hostile, f"{what}: quarantined {self.refused(store) - hostile}")

    def check_whole(self, what: str, store: str):
        status, lines = self.process(store, self.catalog)
        self.expect(status == 0 and not lines, f"{what}, again: ended with {status}: {lines}")
        self.expect(content(self.top / store) == self.calm, f"{what}: the next run makes another store")

    def unmounted(self):
        (self.top / "first").rename(self.top / "away")
        status, lines = self.process("unmounted", self.catalog)
        self.check_left("a folder that is not there", status, lines, "unmounted", "3 maps", "no such file")
        status, lines = self.process("elsewhere", self.both)
        names = {one["name"]: one["status"] for one in results(self.top / "elsewhere")}
        self.expect(status == 0 and not lines and list(names.values()) == ["done"] * 3,
                    f"maps in a second place: {status}, {lines}, {names}")
        (self.top / "away").rename(self.top / "first")
        self.check_whole("a folder that is there again", "unmounted")

    def changed(self):
        path = self.top / "first" / "quake.bsp"
        data = path.read_bytes()
        for what, other in (("another map", (self.top / "first" / "goldsrc.bsp").read_bytes()), ("no map", b"x" * 99),
                            ("half of the map", data[:len(data) // 2])):
            path.write_bytes(other)
            status, lines = self.process("changed", self.catalog)
            self.check_left(f"{what} instead of it", status, lines, "changed", "1 map was", "quake")
        path.write_bytes(data)
        self.check_whole("a map that is what it was", "changed")

    def limited(self):
        def few_bytes():
            resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))

        def little_memory():
            resource.setrlimit(resource.RLIMIT_DATA, (LITTLE_MEMORY, LITTLE_MEMORY))

        status, lines = self.process("short", self.catalog, few_bytes)
        self.check_left("a limit of files", status, lines, "short", "cannot be written")
        self.check_whole("no limit of files", "short")
        started = subprocess.run([self.program, "--version"], capture_output=True, preexec_fn=little_memory)
        if started.returncode:
            # A sanitized program cannot even start with so little memory.
            print("not tried: a limit of memory, with which this build does not start")
            return
        status, lines = self.process("hungry", self.catalog, little_memory)
        self.check_left("a limit of memory", status, lines, "hungry", "memory")
        self.check_whole("no limit of memory", "hungry")

    def full_disk(self):
        """Makes a small disk, which needs a user namespace."""
        disk = self.top / "disk"
        disk.mkdir()
        command = self.command(disk / "store", self.catalog)
        (self.top / "run.sh").write_text(
            f"mount -t tmpfs -o size={ROOM} none {disk} || exit 77\n"
            f'"$@" 2>{self.top}/words\necho $? >{self.top}/status\n'
            f"mkdir {self.top}/full\ncp -r {disk}/store {self.top}/full/store\n"
            f"mount -o remount,size=64m {disk}\n\"$@\" || exit 1\ncp -r {disk}/store {self.top}/roomy\n")
        done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", self.top / "run.sh", *command],
                              capture_output=True)
        if not (self.top / "status").exists():
            print(f"no disk of our own: {done.stderr.decode()}")
            return
        status = int((self.top / "status").read_text())
        lines = (self.top / "words").read_text().splitlines()
        self.check_left("a full disk", status, lines, "full/store", "No space left")
        self.expect(content(self.top / "roomy") == self.calm, f"with room again another store: {done.stderr.decode()}")

    def other_version(self):
        store = self.top / "versions"
        self.process("versions", self.catalog)
        for path in store.glob("??/*/result.json"):
            result = json.loads(path.read_text())
            if result["status"] == "quarantined":
                self.expect(bool(result["version"]), "a quarantined map does not say which version refused it")
                path.write_text(json.dumps(result | {"version": "0.1"}))
        self.check_whole("another version", "versions")

    def no_game(self):
        done = subprocess.run([*self.command(self.top / "game", self.catalog), "--game", self.top / "absent"],
                              capture_output=True)
        self.check_left("a game that is not there", done.returncode, done.stderr.decode().splitlines(), "game",
                        "absent")
        self.expect(not results(self.top / "game"), "without its game maps were made or refused")


def main() -> int:
    program = arguments(__doc__).program
    if not sys.platform.startswith("linux"):
        skip("needs Linux's limits and mounts")
    with tempfile.TemporaryDirectory() as name:
        test = Test(program, Path(name))
        for part in (test.unmounted, test.changed, test.limited, test.full_disk, test.other_version, test.no_game):
            part()
    print("\n".join(test.problems))
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
