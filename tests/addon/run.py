#!/usr/bin/env python3
"""Runs the add-on's tests against a built library.

    run.py LIBRARY native|install
    run.py LIBRARY blender [PATTERN]...
    run.py LIBRARY SCRIPT.py [ARGUMENT]...
    run.py LIBRARY BPY_DIRECTORY [SCRIPT | PATTERN...]
    run.py LIBRARY picture BSPSCENE MAP LEAST [MAP LEAST]...
    run.py LIBRARY frames|window|bench [ARGUMENT]...
    run.py LIBRARY first_sight BSPSCENE MAP LEAST

`native` and scripts need numpy; `blender` needs the program Blender. BPY_DIRECTORY has an unpacked bpy module for this
Python, or is a virtual environment with one. `window` and EEVEE need xvfb-run. If something is missing, a message says
what, and the exit code is 77.
"""
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
SCRIPTS = {"blender": "in_blender.py", "install": "install/install.py", "picture": "measure/picture.py",
           "frames": "measure/frames.py", "bench": "measure/bench.py", "window": "window/in_window.py",
           "first_sight": "window/first_sight.py"}
SMALL, FOR_DOCS = ("800", "600"), ("960", "600")
WITH_WINDOW = {"window", "first_sight", "EEVEE"}


def skip(reason: str) -> int:
    print(f"skipped: {reason}")
    return SKIPPED


def environment(library: str) -> dict:
    """Returns the environment for the tests. If the library was built with sanitizers, their runtime must be loaded
    first, because Python and Blender are not built with them."""
    settings = dict(os.environ, BSPSCENE_LIBRARY=library)
    settings.pop("BLENDER_USER_SCRIPTS", None)
    needed = subprocess.run(["ldd", library], stdout=subprocess.PIPE, text=True).stdout
    preload = [line.split()[2] for line in needed.splitlines() if "libasan" in line or "libubsan" in line]
    if preload:
        settings["LD_PRELOAD"] = ":".join(preload)
        settings["ASAN_OPTIONS"] = ("detect_leaks=0:alloc_dealloc_mismatch=0:detect_odr_violation=0:"
                                    "allocator_may_return_null=1:"   # makes large arrays fail instead of aborting
                                    f"suppressions={HERE / 'support/sanitizer.txt'}")
    return settings


def main() -> int:
    library, what, *rest = sys.argv[1:]
    if importlib.util.find_spec("numpy") is None:
        return skip("numpy is not there (Debian: python3-numpy)")
    settings = environment(library)
    if what == "native":
        command = [sys.executable, str(HERE / "test_addon_native.py")]
    elif what.endswith(".py"):
        command = [sys.executable, what, *rest]
    elif what in SCRIPTS:
        blender = shutil.which(os.environ.get("BSPSCENE_BLENDER", "blender"))
        if not blender:
            return skip("Blender is not there (Debian: blender)")
        command = [blender, "-b"]
        if WITH_WINDOW.intersection([what, *rest]):
            if not shutil.which("xvfb-run"):
                return skip("xvfb-run is not there (Debian: xvfb)")
            command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", blender, "--enable-event-simulate"]
            if what == "window":   # a small window, because software rendering is slow
                command += ["--window-geometry", "0", "0", *(FOR_DOCS if "--pictures" in rest else SMALL)]
        command += ["--factory-startup", "--python-exit-code", "1", "--python", str(HERE / SCRIPTS[what]), "--", *rest]
    else:
        own = Path(what) / "bin/python"   # a virtual environment has the Python version that its bpy needs
        if not own.is_file():
            settings["PYTHONPATH"] = what
        script = rest.pop(0) if rest and rest[0].endswith(".py") else "in_blender.py"
        command = [str(own) if own.is_file() else sys.executable, str(HERE / script), *rest]
    return subprocess.run(command, env=settings).returncode


if __name__ == "__main__":
    sys.exit(main())
