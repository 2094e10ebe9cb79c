"""The add-on's zips for tests of installation, in a temporary folder. They are made with the library under test. If
BSPSCENE_ADDON_ZIP names a zip of scripts/package, that is used instead."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def make_zip(folder: str, extension: bool) -> Path:
    """Returns the zip for Blender 4.2 and later, with index.json next to it, or the zip for older versions.
    BSPSCENE_LIBRARY is removed from the environment, so that the library in the zip is loaded later."""
    library = os.environ.pop("BSPSCENE_LIBRARY")
    ready = os.environ.get("BSPSCENE_ADDON_ZIP")
    if not ready:
        subprocess.run([sys.executable, str(ROOT / "scripts/lib/addon_zip.py"), library, folder], check=True)
        older = next(Path(folder).glob("*-before-4.2.zip"))
        if not extension:
            return older
        older.unlink()
        return next(Path(folder).glob("*.zip"))
    shutil.copy(Path(ready).with_name("index.json"), folder)
    return Path(shutil.copy(ready, folder))


def loaded_libraries() -> list[str]:
    return [line for line in Path("/proc/self/maps").read_text().splitlines() if "libbspscene" in line]
