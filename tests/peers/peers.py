"""The packages of requirements.txt, or a test that says why it is skipped."""

import importlib
import sys

SKIPPED = 77


def load(name):
    """The module of that name. Without its package the program ends as a skipped test."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"skipped: {error}; tests/peers/requirements.txt has what to install, and scripts/test installs it")
        sys.exit(SKIPPED)
