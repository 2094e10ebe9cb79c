"""A separate build of the project, for tests that need other flags than the main build."""
from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path


def make(source: Path, directory: Path, target: str, options: list[str], compiler: str, launcher: str) -> None:
    """Configures and builds a target. Empty strings mean CMake's default compiler and no compiler launcher. Ends the
    program with the output if that fails."""
    options = options + ([f"-DCMAKE_C_COMPILER={compiler}"] if compiler else [])
    options += [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX") if launcher]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    for command in (["cmake", "-S", str(source), "-B", str(directory), *generator, *options],
                    ["cmake", "--build", str(directory), "--target", target]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stdout}")
