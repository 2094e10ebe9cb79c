"""Imports python/bspscene under the name that it has in wheels: `from package import bspscene`. Also has code that the
package's tests share."""
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ATRIUM = ROOT / "tests/fixtures/atrium/quake3/maps/atrium.bsp"
GAME = ATRIUM.parents[1]


def _import() -> Any:
    """Imports the module "bspscene": an installed one, else that of the source tree."""
    home = ROOT / "python/bspscene"
    spec = importlib.util.spec_from_file_location("bspscene", home / "__init__.py",
                                                  submodule_search_locations=[str(home)])
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["bspscene"] = module
    spec.loader.exec_module(module)
    return module


bspscene = _import()


def load(path: Path = ATRIUM, **options):
    return bspscene.load(str(path), **options)


class Folder(unittest.TestCase):
    """Base class for tests that write files. Each test has an empty folder."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
