"""Imports Python packages that a test needs, or skips the test with a message."""
import importlib
import sys

SKIPPED = 77


def need(*names: str) -> list:
    """Returns the modules of these names. If a package is missing, the test is skipped with a message."""
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError as error:
        package = {"PIL": "Pillow"}.get((error.name or "").split(".")[0], error.name)
        print(f"skipped: needs the Python package {package} ({error})")
        sys.exit(SKIPPED)
