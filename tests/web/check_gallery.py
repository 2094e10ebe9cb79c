#!/usr/bin/env python3
"""Tests a gallery with a viewer on a static server. `process --steps files` and `gallery --viewer` make the gallery.

    check_gallery.py VIEWER PROGRAM FIXTURES OUT

Each map of the store opens in the viewer by its id, and looks as in `bspscene render`. In the list of tiles and on the
page of a map, the picture can be replaced by the live map, and back. Names with markup are shown as text. No other
server is contacted, no policy is violated, and axe-core finds nothing serious. Exits 77 if the viewer was not built or
Chromium is missing.
"""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from check_viewer import HERE, LEAST, SKIPPED, compare, draw, fixtures

HOSTILE = "<img src=x onerror=document.title='pwned'> %2e%2e.bsp"
MAPS = ["quake3", "quake-id1", "goldsrc", "source"]


def main() -> int:
    viewer, program, folder, out = (Path(word).resolve() for word in sys.argv[1:5])
    if not (viewer / "main.js").exists():
        print(f"skipped: {viewer} is not there, scripts/package-web makes it")
        return SKIPPED
    shutil.rmtree(out, ignore_errors=True)
    games = out / "games"
    chosen = [file for name, file in fixtures(folder) if any(name.startswith(one) for one in MAPS)]
    for file in chosen:
        game = file.parents[1] if file.parent.name == "maps" else file.parent
        shutil.copytree(game, games / game.relative_to(folder), dirs_exist_ok=True)
    # Adds a second copy of a map, whose file name is hostile. An added byte makes it another map for the store.
    quake3 = next(file for file in (games / "atrium").rglob("atrium.bsp") if "quake3" in file.parts)
    quake3.with_name(HOSTILE).write_bytes(quake3.read_bytes() + b"\0")
    store = out / "store"
    catalog = subprocess.run([program, "catalog", "--recursive", games], check=True, capture_output=True).stdout
    subprocess.run([program, "process", store, "--steps", "info,entities,pictures,files", "--pictures", "start=320x240",
                    "--jobs", "2", "--quiet"], input=catalog, check=True)
    subprocess.run([program, "gallery", store, "--viewer", viewer, "--quiet"], check=True)
    jobs, problems = [], []
    taken = {path.name for path in (store / "gallery/viewer").iterdir()} - {"store.json"}
    if taken != {path.name for path in viewer.iterdir()}:
        problems.append(f"of the viewer the gallery has {sorted(taken)}")
    for line in catalog.decode().splitlines():
        entry = json.loads(line)
        if "id" not in entry:
            continue
        job = {"id": entry["id"], "name": entry["id"][:12], "times": [0], "title": entry["name"]}
        job["camera"] = draw(program, job, Path(entry["path"]), out)
        jobs.append(job)
    (out / "jobs.json").write_text(json.dumps(jobs))
    done = subprocess.run(["node", HERE / "gallery_page.mjs", store, out / "jobs.json", out], env=os.environ)
    if done.returncode:
        return done.returncode
    facts = json.loads((out / "facts.json").read_text())
    for job in jobs:
        said = facts["maps"][job["id"]]
        if not (out / f"{job['name']}.png").exists():
            problems.append(f"{job['title']}: {said['said']}")
            continue
        share, mean = compare(out / f"{job['name']}.0.render.png", out / f"{job['name']}.png")
        print(f"{job['title']}: {share:.3f}, {said['said']}")
        if share < LEAST or mean < 1 or not said["title"].startswith(job["title"].removesuffix(".bsp")):
            problems.append(f"{job['title']}: {share:.3f}, titled {said['title']}")
    expected = {"buttons": facts["tiles"], "left": 0, "fromFolder": [0, True], "problems": [], "serious": 0}
    problems += [f"{name}: {facts[name]}, not {value}" for name, value in expected.items() if facts[name] != value]
    if [one[:2] for one in facts["live"]] != [[1, 1], [1, 1]]:
        problems.append(f"tiles: {facts['live']}")
    if len(jobs) < 5:
        problems.append(f"only {len(jobs)} maps")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
