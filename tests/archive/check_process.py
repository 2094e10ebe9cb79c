#!/usr/bin/env python3
"""Promise: `process` makes a folder for each map of a catalog, and later runs skip it. Duplicates are one map with two
places. Maps that are refused, crash or hang are quarantined, and the run continues. Shards and several runs at once
make the same store. A run that is asked to end leaves no unfinished map."""
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from common import FIXTURES, Checks, arguments, run, skip
from stores import HOSTILE, STEPS, content, hostile_lines, results, start, stop_worker

FAMILIES = ["quake", "goldsrc", "quake2_q2map"]
TIMEOUT = 10 # in seconds; only a map that hangs reaches it


def nodes_of(glb: Path) -> list[dict]:
    data = glb.read_bytes()
    return json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])["nodes"]


class Test(Checks):
    def __init__(self, program: Path, top: Path):
        super().__init__(program, top)
        self.catalog = top / "catalog.jsonl"
        maps = [FIXTURES / "atrium" / family / "maps" for family in FAMILIES]
        self.again = top / "again.bsp"
        shutil.copyfile(maps[0] / "atrium.lit", top / "again.lit")
        shutil.copyfile(maps[0] / "atrium.bsp", self.again)
        self.catalog.write_bytes(run(program, "catalog", *maps, self.again) + hostile_lines().encode())

    def process(self, store: str, *more, status: int | None = 0, steps: str = STEPS) -> str:
        return run(self.program, "process", self.top / store, "--catalog", self.catalog, "--steps", steps, *more,
                   status=status).decode()

    def whole(self):
        said = self.process("whole", "--jobs", 2)
        found = results(self.top / "whole")
        names = {result["name"] for result in found if result["status"] == "quarantined"}
        self.expect(names == {Path(name).stem for name in HOSTILE}, f"quarantined: {names}")
        self.expect(f"{len(HOSTILE)} quarantined" in said, f"the summary says {said}")
        for result in found:
            name = result["name"]
            if name in names:
                words = result["last_words"]
                self.expect(result["reason"] == "refused" and result["message"] in words, f"{name}: {words}")
            folder = self.top / "whole" / result["id"][:2] / result["id"]
            made = {path.name for path in folder.iterdir()}
            done = {"result.json", "run.json", "info.json", "entities.json", "lightmaps", "map.glb"}
            self.expect(made == (done if result["status"] == "done" else {"result.json"}), f"{name}: {made}")
            if result["status"] == "done":
                info = json.loads((folder / "info.json").read_text())
                own = result["catalog"].get("bytes", result["id"])
                self.expect(info["hashes"]["bytes"] == own, f"{name}: the folder is another map's")
                skies = [node["mesh"] for node in nodes_of(folder / "map.glb") if node["name"] == "sky"]
                self.expect(len(skies) == 1, f"{name} of {info['family']} has {len(skies)} skies")
        twice = [result["catalog"]["path"] for result in found if len(result["places"]) == 1]
        first = min(str(self.again), str(FIXTURES))
        self.expect(len(twice) == 1 and twice[0].startswith(first), f"in two places: {twice}")
        before = content(self.top / "whole")
        again = self.process("whole")
        self.expect(": 0 done, 0 quarantined" in again, f"a second run says {again}")
        self.expect(content(self.top / "whole") == before, "a second run changed something")
        self.expect(not (self.top / "whole" / ".work").exists(), "folders for work are left")

    def shards(self):
        for part in (1, 2, 3):
            self.process("parts", "--shard", f"{part}/3", "--quiet")
        self.expect(content(self.top / "parts") == content(self.top / "whole"), "three shards are another store")
        runs = [start(self.program, self.top / "both", self.catalog) for _ in range(2)]
        errors = [one.communicate()[1].decode() for one in runs]
        self.expect(not any(errors), f"two runs at once say {errors}")
        self.expect(content(self.top / "both") == content(self.top / "whole"), "two runs at once are another store")

    def taken_away(self):
        """While this run continues, another run may end and remove empty folders."""
        store = self.top / "taken"
        one = start(self.program, store, self.catalog)
        while one.poll() is None:
            for folder in (".work", ".claims"):
                with contextlib.suppress(OSError):
                    (store / folder).rmdir()
            time.sleep(0.0005)
        errors = one.communicate()[1].decode()
        self.expect(one.returncode == 0 and not errors, f"without its folders, {one.returncode}: {errors}")
        self.expect(content(store) == content(self.top / "whole"), "folders that went make another store")

    def more_steps(self):
        """If further steps are requested, a map gets them and keeps its earlier results. A quarantined map lists only
        the steps of its last run."""
        refused = {result["id"] for result in results(self.top / "whole") if result["status"] == "quarantined"}

        def complete(store: Path) -> dict[str, bytes]:
            return {name: data for name, data in content(store).items() if Path(name).parts[1] not in refused}

        store = self.top / "steps"
        for steps in ("info", "entities,lightmaps,glb"):
            self.expect(": 0 done" not in self.process("steps", steps=steps), "further steps are not made")
        self.expect(complete(store) == complete(self.top / "whole"), "steps one by one are another store")
        self.expect(": 0 done" in self.process("steps", steps="entities"), "less than there is was made again")

    def crash(self):
        store = self.top / "crashed"
        one = start(self.program, store, self.catalog)
        worker = stop_worker(one)
        self.expect(worker != 0, "no worker was at work")
        os.kill(worker, signal.SIGABRT) # a signal that no sanitizer catches
        os.kill(worker, signal.SIGCONT)
        one.communicate()
        reasons = [result["reason"] for result in results(store) if "reason" in result]
        self.expect(one.returncode == 0 and reasons.count("crashed") == 1, f"crash: {one.returncode}, {reasons}")
        self.process("crashed", "--retry", "--quiet")
        self.expect(content(store) == content(self.top / "whole"), "--retry makes another store")

    def scheduler_ends_all(self):
        """If a scheduler ends a run to requeue it, it also signals the workers. So if a signal ends a worker, that is
        no fault of the worker's map."""
        store = self.top / "requeued"
        one = start(self.program, store, self.catalog)
        worker = stop_worker(one)
        self.expect(worker != 0, "no worker was at work")
        os.kill(worker, signal.SIGTERM)
        os.kill(worker, signal.SIGCONT)
        errors = one.communicate()[1].decode()
        self.expect(one.returncode == 0 and not errors, f"after a worker's SIGTERM: {one.returncode}, {errors}")
        self.expect(content(store) == content(self.top / "whole"), "a worker's SIGTERM makes another store")

    def hang(self):
        store = self.top / "hung"
        one = start(self.program, store, self.catalog, "--timeout", str(TIMEOUT))
        worker = stop_worker(one)
        one.communicate()
        reasons = [result["reason"] for result in results(store) if "reason" in result]
        self.expect(worker != 0 and one.returncode == 0 and "timeout" in reasons, f"{one.returncode}, {reasons}")

    def told_to_end(self):
        store = self.top / "ended"
        one = start(self.program, store, self.catalog)
        stop_worker(one)
        one.send_signal(signal.SIGTERM)
        errors = one.communicate()[1].decode()
        self.expect(one.returncode == 1 and "run the same command again" in errors,
                    f"ended with {one.returncode}: {errors}")
        self.expect(not (store / ".work").exists() and not (store / ".claims").exists(), "work is left")
        self.process("ended", "--quiet")
        self.expect(content(store) == content(self.top / "whole"), "going on makes another store")


def main() -> int:
    program = arguments(__doc__).program
    if not sys.platform.startswith("linux"):
        skip("needs Linux's list of a process's children")
    with tempfile.TemporaryDirectory() as name:
        test = Test(program, Path(name))
        for part in (test.whole, test.shards, test.taken_away, test.more_steps, test.crash,
                     test.scheduler_ends_all, test.hang, test.told_to_end):
            part()
    print("\n".join(test.problems))
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
