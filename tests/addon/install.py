"""Runs inside Blender: makes the zip, installs it as a user does, imports with it and updates it while it is in use."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bpy

ROOT = Path(__file__).resolve().parents[2]
ATRIUM = ROOT / "tests/fixtures/atrium/quake3/maps/atrium.bsp"


def make_zip(folder: str) -> str:
    """The zip of the library under test; its own copy is what must be loaded later."""
    library = os.environ.pop("BSPSCENE_LIBRARY")
    subprocess.run([sys.executable, str(ROOT / "scripts/lib/addon_zip.py"), library, folder], check=True)
    return str(next(Path(folder).glob("*.zip")))


def install_and_import(package: str) -> None:
    bpy.ops.preferences.addon_install(filepath=package, overwrite=True)
    bpy.ops.preferences.addon_enable(module="bspscene")
    before = len(bpy.context.scene.collection.children)
    assert bpy.ops.import_scene.bspscene(filepath=str(ATRIUM)) == {"FINISHED"}
    assert len(bpy.context.scene.collection.children) == before + 1


def run_in_own_folder() -> int:
    """Where add-ons go is decided when Blender starts: a second Blender gets a folder that goes away afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        command = [bpy.app.binary_path, "-b", "--factory-startup", "--python-exit-code", "1", "--python", __file__]
        return subprocess.run(command, env=dict(os.environ, BLENDER_USER_SCRIPTS=folder)).returncode


def main() -> None:
    folder = os.environ["BLENDER_USER_SCRIPTS"]
    (Path(folder) / "addons").mkdir()
    package = make_zip(folder)
    install_and_import(package)
    install_and_import(package)
    loaded = str(Path(folder) / "addons/bspscene/native/libbspscene.so")
    assert loaded in Path("/proc/self/maps").read_text(), "another library is in use"
    bpy.ops.preferences.addon_disable(module="bspscene")
    assert loaded not in Path("/proc/self/maps").read_text(), "the library is still open"
    print("installed, updated and released")


if "BLENDER_USER_SCRIPTS" in os.environ:
    main()
else:
    raise SystemExit(run_in_own_folder())
