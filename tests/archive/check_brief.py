#!/usr/bin/env python3
"""Promise: all commands for stores work for two small maps, in seconds: process twice, GLBs that share pictures,
pictures of given sizes, a gallery, and pruning of a removed map. Other tests check these commands more thoroughly."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from check_shared import parts
from common import FIXTURES, Checks, arguments, run
from stores import content, results

sys.path.insert(0, str(FIXTURES.parent / "support"))
from png_rows import read_png # noqa: E402

SIZES = {"start": (32, 24), "tile": (40, 24), "overview": (48, 40), "roofs": (24, 48), "plan": (56, 32)}


class Test(Checks):
    def __init__(self, program: Path, top: Path):
        super().__init__(program, top)
        shutil.copytree(FIXTURES / "atrium" / "quake", top / "game")
        self.other = top / "game" / "second" / "atrium_bspx.bsp"
        self.other.parent.mkdir()
        shutil.move(top / "game" / "maps" / "atrium_bspx.bsp", self.other)
        self.other.with_suffix(".txt").write_text("of one map alone")
        self.store, self.catalog = top / "store", top / "catalog.jsonl"
        self.find()

    def find(self):
        self.catalog.write_bytes(run(self.program, "catalog", "--recursive", self.top / "game"))

    def run(self, *words) -> list[str]:
        """Runs a command and returns its output; it must give no warnings."""
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True)
        complaints = re.sub(r"^\d+ maps: \d+ to do, \d+ there already\n", "", done.stderr)
        self.expect(done.returncode == 0 and not complaints, f"{words[0]}: {done.returncode}, {complaints}")
        return done.stdout.splitlines()

    def process(self, *more, store: str = "store") -> list[str]:
        said = self.run("process", self.top / store, "--catalog", self.catalog, *more)
        counted = re.match(r"\d+ maps: (\d+) done, 0 quarantined.*; (.*) s, (.*) maps a second$", said[-1])
        if counted:
            done, seconds, rate = map(float, counted.groups())
            # The printed seconds have one decimal and the rate has two, so their product may differ from the number of
            # maps.
            self.expect(abs(seconds * rate - done) <= 0.051 * rate + 0.005 * seconds, f"says {said[-1]}")
        return said

    def made(self):
        said = self.process("--steps", "info,entities,glb,companions,files", "--textures", "shared")
        self.expect(said[-1].startswith("2 maps: 2 done, 0 quarantined, 0 there already; "), f"says {said}")
        self.process("--steps", "glb", store="embedded")
        for path in sorted((self.top / "embedded").glob("??/*/map.glb")):
            other = self.store / path.relative_to(self.top / "embedded")
            self.expect(parts(path) == parts(other), f"{other}: holds something else")
        self.expect(any(self.store.glob("textures/??/*")), "no picture is shared")
        before = content(self.store)
        again = self.process("--steps", "info,entities,glb,companions,files", "--textures", "shared")
        self.expect("2 there already" in again[-1] and content(self.store) == before, f"made anew: {again}")

    def shown(self):
        wanted = ",".join(f"{name}={width}x{height}" for name, (width, height) in SIZES.items())
        self.process("--steps", "pictures", "--pictures", wanted)
        for folder in self.store.glob("[0-9a-f][0-9a-f]/*"):
            for name, size in SIZES.items():
                if (folder / f"{name}.png").exists():
                    width, height, _ = read_png(folder / f"{name}.png")
                    self.expect((width, height) == size, f"{name}.png is {width}x{height}")
                else:
                    self.expect(len(folder.name) != 64, f"{folder}: no {name}.png")

    def listed(self):
        """Checks that `gallery` prints what it made, and no warnings."""
        gallery = self.top / "gallery"
        self.run("gallery", self.store, gallery)
        lines = (gallery / "manifest.jsonl").read_text().splitlines()
        formats = [json.loads(line)["format"] for line in lines]
        self.expect(formats == ["Quake (29)"] * 2, f"formats are {formats}")

    def pruned(self):
        """A map is found in a second place, whose path sorts first, and gets the readme from there. Then the map is
        removed from both places."""
        first, old = self.top / "game" / "first", self.other.with_suffix(".txt").read_bytes()
        first.mkdir()
        shutil.copyfile(self.other, first / "atrium_bspx.bsp")
        (first / "atrium_bspx.txt").write_text("of the same map")
        self.find()
        self.process("--steps", "companions")
        self.prune("1 file that no map uses any more, moved to removed/")
        [taken] = self.store.glob("removed/files/??/*")
        self.expect(taken.read_bytes() == old, f"{taken}: is not the read-me that went")
        self.other.unlink()
        shutil.rmtree(first)
        self.find()
        self.prune("2 maps: 1 gone or changed, moved to removed/, 0 in fewer places")
        self.expect(len(results(self.store)) == 1, "not one map is left")

    def prune(self, wanted: str):
        """Checks that pruning loses no map. A dry run prints the same lines but changes nothing."""
        before = content(self.store)
        said = self.process("--prune", "--dry-run")
        self.expect(content(self.store) == before, "a dry run changes the store")
        done, after = self.process("--prune"), content(self.store)
        self.expect([line.replace("to be moved", "moved") for line in said] == done, f"says {said}, then {done}")
        self.expect(wanted in done, f"says {done}, not {wanted}")
        there = {name: data for name, data in after.items() if not name.startswith("removed/")}
        taken = {name: data for name, data in before.items() if name not in after}
        self.expect(bool(taken) and all(after.get(f"removed/{name}") == data for name, data in taken.items()),
                    f"not in removed/: {sorted(taken)}")
        self.expect(all(before.get(name) == data for name, data in there.items()), "what stays is changed")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        test = Test(arguments(__doc__).program, Path(name))
        for part in (test.made, test.shown, test.listed, test.pruned):
            part()
    print("\n".join(test.problems[:20]))
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
