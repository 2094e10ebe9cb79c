"""Runs inside Blender: makes the zip, installs it as users do, imports a map, and updates the add-on while it is in
use."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from own_zip import loaded_libraries, make_zip  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
ATRIUM = ROOT / "tests/fixtures/atrium/quake3/maps/atrium.bsp"


def install_and_import(package: str) -> None:
    bpy.ops.preferences.addon_install(filepath=package, overwrite=True)
    bpy.ops.preferences.addon_enable(module="io_scene_bspscene")
    before = len(bpy.context.scene.collection.children)
    assert bpy.ops.import_scene.bspscene(filepath=str(ATRIUM)) == {"FINISHED"}
    assert len(bpy.context.scene.collection.children) == before + 1


def run_in_own_folder() -> int:
    """Blender reads the folder of add-ons at its start, so a second Blender gets a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [bpy.app.binary_path, "-b", "--factory-startup", "--python-exit-code", "1", "--python", __file__]
        return subprocess.run(command, env=dict(os.environ, BLENDER_USER_SCRIPTS=folder)).returncode


def main() -> None:
    folder = os.environ["BLENDER_USER_SCRIPTS"]
    (Path(folder) / "addons").mkdir()
    package = str(make_zip(folder, extension=False))
    install_and_import(package)
    install_and_import(package)
    own = str(Path(folder) / "addons/io_scene_bspscene/bspscene")
    loaded = loaded_libraries()
    assert loaded and all(own in line for line in loaded), "another library is in use"
    bpy.ops.preferences.addon_disable(module="io_scene_bspscene")
    assert not loaded_libraries(), "the library is still open"
    print("installed, updated and released")


if "BLENDER_USER_SCRIPTS" in os.environ:
    main()
else:
    raise SystemExit(run_in_own_folder())
