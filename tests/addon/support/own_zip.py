"""Makes the add-on's zip for tests of installation in a temporary folder, with the library under test; or takes the zip
of BSPSCENE_ADDON_ZIP, which scripts/package made."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def make_zip(folder: str) -> Path:
    """Returns the zip; index.json is next to it. BSPSCENE_LIBRARY is unset, so that the zip's own library will be
    loaded."""
    library = os.environ.pop("BSPSCENE_LIBRARY")
    ready = os.environ.get("BSPSCENE_ADDON_ZIP")
    if not ready:
        subprocess.run([sys.executable, str(ROOT / "scripts/lib/addon_zip.py"), library, folder], check=True)
        return next(Path(folder).glob("*.zip"))
    shutil.copy(Path(ready).with_name("index.json"), folder)
    return Path(shutil.copy(ready, folder))


def loaded_libraries() -> list[str]:
    return [line for line in Path("/proc/self/maps").read_text().splitlines() if "libbspscene" in line]
