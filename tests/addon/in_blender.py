"""Runs the tests in the files blender_*.py below this folder, or only those in files whose names contain one of the
patterns. It runs inside Blender, or in any Python with the bpy module.

    blender -b --factory-startup --python-exit-code 1 --python in_blender.py [-- PATTERN...]
"""
import os
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(room) for room in sorted(HERE.iterdir()) if room.is_dir()]

import blender_support  # noqa: E402,F401  (before all others: it makes the add-on known)
import bpy  # noqa: E402


def own_arguments() -> list[str]:
    if bpy.app.binary_path:
        return sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    return sys.argv[1:]


def chosen(patterns: list[str]) -> unittest.TestSuite:
    loader = unittest.TestLoader()
    if patterns:
        loader.testNamePatterns = [f"*{pattern}*" for pattern in patterns]
    names = sorted(file.stem for file in HERE.glob("*/blender_*.py") if file.stem != "blender_support")
    tests = unittest.TestSuite(loader.loadTestsFromName(name) for name in names)
    if not tests.countTestCases():
        raise SystemExit(f"no test has {patterns} in its name")
    return tests


if __name__ == "__main__":
    print(f"Blender {bpy.app.version_string}")
    failed = not unittest.TextTestRunner().run(chosen(own_arguments())).wasSuccessful()
    if not bpy.app.binary_path:
        # The bpy module 4.2 crashes at exit if a class was registered, because it frees the class after Python has
        # ended.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(failed)
    if failed:
        raise SystemExit(1)
