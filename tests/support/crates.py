"""Readers in Rust for comparisons: small programs around a crate, compiled by cargo without the network. scripts/test
fetches the crates."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def build_reader(folder: Path, build: Path) -> Path | None:
    """Builds the program NAME-facts of the folder NAME below `build`, and returns it, or None if its crates were not
    fetched."""
    environment = dict(os.environ, CARGO_TARGET_DIR=str(build / folder.name))
    done = subprocess.run(["cargo", "build", "--quiet", "--offline", "--locked", "--manifest-path",
                           str(folder / "Cargo.toml")],
                          env=environment, stderr=subprocess.PIPE, text=True)
    if done.returncode and "offline" not in done.stderr:
        sys.exit(done.stderr)
    return None if done.returncode else build / f"{folder.name}/debug/{folder.name}-facts"
