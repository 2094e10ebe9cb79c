#!/usr/bin/env python3
"""check_first_picture.py VIEWER PROGRAM: measures how long the viewer's page takes to show OpenArena's heaviest map,
with all archives of the game. The processor time, with that of compiling the module, may be at most MOST times that of
`bspscene convert`. BSPSCENE_OPENARENA must name the game's folder. Exits 77 without this folder, without the page
(scripts/package-web), or without Chromium."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

SKIPPED = 77
MOST = 4
MAP = "oacmpctf3"
HERE = pathlib.Path(__file__).resolve().parent


def spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    viewer, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    game = pathlib.Path(os.environ.get("BSPSCENE_OPENARENA", "/nowhere"))
    for path, why in ((viewer / "main.js", "scripts/package-web makes it"), (game, "BSPSCENE_OPENARENA names it")):
        if not path.exists():
            print(f"skipped: {path} is not there, {why}")
            return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        before = spent()
        subprocess.run([program, "convert", game, "--map", MAP, f"{folder}/{MAP}.glb", "--quiet"], check=True)
        native = spent() - before
    words = ["node", str(HERE / "first_picture.mjs"), str(viewer), str(game), MAP]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        print(done.stdout)
        return done.returncode
    facts = json.loads(done.stdout)
    print(f"{MAP}: {native:.2f} s to load and convert it; the page {facts['first']:.2f} s to its first picture, "
          f"{facts['whole']:.2f} s with all textures, {facts['whole'] / native:.2f} times; {facts['loaded']:.2f} s "
          f"of it before files were chosen; drawing without a graphics card {facts['drawing']:.2f} s; "
          f"{facts['memory'] >> 20} MB of the module's memory; \"{facts['said']}\"")
    return 1 if facts["whole"] > MOST * native else 0


if __name__ == "__main__":
    sys.exit(main())
