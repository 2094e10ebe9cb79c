#!/usr/bin/env python3
"""Runs every bspscene command of README.md as it is written there, in a copy of the atrium's game directory.

Usage: check_readme.py BSPSCENE
"""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from readme import ROOT, code_blocks  # noqa: E402

ATRIUM = ROOT / "tests" / "fixtures" / "atrium" / "quake3"


def commands():
    for block in code_blocks("sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0] == "bspscene":
                yield words[1:]


def make_archive(folder: Path):
    """pak0.pk3, which the README's archive samples name."""
    shutil.make_archive(str(folder / "pak0"), "zip", str(ATRIUM))
    (folder / "pak0.zip").rename(folder / "pak0.pk3")


def main() -> int:
    program = os.path.abspath(sys.argv[1])
    failed = tried = 0
    with tempfile.TemporaryDirectory(prefix="bspscene-readme-") as name:
        folder = Path(name) / "game"
        shutil.copytree(str(ATRIUM), str(folder))
        make_archive(folder)
        # The entities that somebody has changed.
        entities = subprocess.check_output([program, "entities", "maps/atrium.bsp"], cwd=str(folder))
        (folder / "changed.ent").write_bytes(entities)
        for words in commands():
            tried += 1
            done = subprocess.run([program, *words], cwd=str(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True)
            print("$ bspscene " + " ".join(words) + "\n" + done.stdout[:2000])
            failed += done.returncode != 0
    if tried == 0:
        print("README.md: no command found; this check is broken")
    return 1 if failed or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
