#!/usr/bin/env python3
"""Promise: if workers or the whole run are killed at any moment, the next run continues. In the end the store equals
that of an undisturbed run byte for byte, and ten hostile files are quarantined by name. With the argument "openarena",
the maps include all maps of that game, from its archives in the folder that BSPSCENE_OPENARENA names. With "pictures",
there are few maps, and pictures are made of them. With "more-pictures", processes are killed as often as without
pictures."""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from common import FIXTURES, arguments, run, skip
from stores import HOSTILE, STEPS, content, hostile_lines, results, signal_worker, start

KILLS = {"pictures": 8}   # fewer than usual, because with pictures each kill takes five seconds
USUAL_KILLS = 20
LONGEST = 0.6 # longest time until the next kill, in seconds
FOLDERS = ["atrium", "source", "mohaa", "nightfire"]
# The pictures are so small that every map is finished before the latest possible kill.
PICTURES = ["--pictures", "start=320x240,tile,sheet=160x120,overview=400x300,plan=400x400"]


def disturb(begin: Callable[[str], subprocess.Popen], wanted: int, chance: random.Random) -> int:
    """Starts runs again and again, and kills a run or its first worker at random times. Ends when `wanted` kills hit a
    running process. Returns the number of these kills, which is smaller if too many attempts failed."""
    kills = 0
    one = None
    for attempt in range(20 * wanted):
        if kills == wanted:
            break
        if one is None or one.poll() is not None:
            if one is not None:
                one.communicate()
            one = begin("killed")
        time.sleep(chance.uniform(0, LONGEST))
        if attempt % 2:
            kills += signal_worker(one, signal.SIGKILL)
        elif one.poll() is None:
            one.kill()
            one.communicate()
            kills += 1
    if one is not None:
        one.kill()
        one.communicate()
    return kills


def main() -> int:
    given = arguments(__doc__, "maps")
    program, pictures = given.program, given.maps.endswith("pictures")
    if not sys.platform.startswith("linux"):
        skip("needs Linux's list of a process's children")
    seed = random.SystemRandom().randrange(1 << 32)
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        catalog = top / "catalog.jsonl"
        folders = [FIXTURES / name for name in (FOLDERS[:1] if pictures else FOLDERS)]
        if given.maps == "openarena":
            folders.append(Path(os.environ.get("BSPSCENE_OPENARENA") or skip("BSPSCENE_OPENARENA is not set")))
        catalog.write_bytes(run(program, "catalog", "--recursive", *folders) + hostile_lines().encode())

        def begin(store: str) -> subprocess.Popen:
            more = PICTURES if pictures else []
            steps = "info,pictures" if pictures else STEPS
            return start(program, top / store, catalog, "--jobs", "2", *more, steps=steps)

        begin("calm").communicate()
        if pictures and any("no renderer" in one.get("message", "") for one in results(top / "calm")):
            skip("this build has no renderer")
        kills = disturb(begin, KILLS.get(given.maps, USUAL_KILLS), random.Random(seed))
        last = begin("killed")
        errors = last.communicate()[1].decode()
        calm, killed = content(top / "calm"), content(top / "killed")
        made = results(top / "killed")
    refused = {one["name"] for one in made if one["status"] == "quarantined"}
    print(f"{kills} kills, seed {seed}, {len(made)} maps, {len(refused)} quarantined, {len(calm)} files")
    problems = [f"{name} is another or missing" for name in calm if killed.get(name) != calm[name]]
    problems += [f"{name} is too much" for name in killed if name not in calm]
    if last.returncode or errors:
        problems.append(f"the last run ended with {last.returncode}: {errors}")
    if refused != {Path(name).stem for name in HOSTILE}:
        problems.append(f"quarantined: {refused}")
    if not calm or pictures != any(name.endswith("/tile.png") for name in calm):
        problems.append(f"the undisturbed store has {len(calm)} files")
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
