"""Loads the packages of requirements.txt, or skips the test with a message."""

import importlib
import sys

SKIPPED = 77


def load(name):
    """Returns the module of that name. If its package is missing, the program ends as a skipped test."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"skipped: {error}; tests/peers/requirements.txt has what to install, and scripts/test installs it")
        sys.exit(SKIPPED)
