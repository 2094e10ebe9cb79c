#!/usr/bin/env python3
"""Tests that need numpy or Pillow are skipped without these, with a message, and do not fail.

    check_skips.py --bspscene BUILD/bspscene"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
SCRIPTS = ("check_families.py", "compare_pictures.py", "source_atrium.py", "source_materials.py")
# A program that runs a script as if these packages were not installed.
WITHOUT = """
import runpy, sys
for name in ("PIL", "PIL.Image", "numpy"):
    sys.modules[name] = None
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bspscene", required=True)
    arguments = parser.parse_args()
    problems = []
    for script in SCRIPTS:
        with tempfile.TemporaryDirectory() as folder:
            out = ["--out", folder] if script == "source_materials.py" else []
            command = [sys.executable, "-c", WITHOUT, str(HERE / script), "--bspscene", arguments.bspscene, *out]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != SKIPPED or "skipped: needs the Python package" not in done.stdout:
            problems.append(f"{script}: ended with {done.returncode}:\n{done.stdout}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
