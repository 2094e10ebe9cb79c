#!/usr/bin/env python3
"""Checks the recipes of packaging/ and CITATION.cff: they must have the version of the headers and be valid files of
their kind. Ruby, bash and Nix parse the recipes that are written for them, if they are installed.
"""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = {
    "CITATION.cff": r"^version: (\S+)$",
    "packaging/arch/PKGBUILD": r"^pkgver=(\S+)$",
    "packaging/conan/conanfile.py": r'^    version = "([^"]+)"$',
    "packaging/homebrew/bspscene.rb": r"bspscene-([0-9.]+)\.tar",
    "packaging/nix/flake.nix": r'version = "([^"]+)";',
    "packaging/vcpkg/vcpkg.json": r'"version": "([^"]+)"',
}
READERS = {
    "packaging/arch/PKGBUILD": ["bash", "-n"],
    "packaging/homebrew/bspscene.rb": ["ruby", "-c"],
    "packaging/nix/flake.nix": ["nix-instantiate", "--parse"],
}


def main() -> int:
    header = (ROOT / "native/include/bspscene/common.h").read_text(encoding="utf-8")
    found = re.search(r'define BSPSCENE_VERSION_STRING "([^"]+)"', header)
    version = found[1] if found else ""
    failed = 0
    for name, pattern in VERSIONS.items():
        told = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.M)
        if not told or told[1] != version:
            print(f"{name}: says version {told[1] if told else '(none)'}, and the headers say {version}")
            failed = 1
    json.loads((ROOT / "packaging/vcpkg/vcpkg.json").read_text(encoding="utf-8"))
    compile((ROOT / "packaging/conan/conanfile.py").read_text(encoding="utf-8"), "conanfile.py", "exec")
    for name, reader in READERS.items():
        if not shutil.which(reader[0]):
            continue
        done = subprocess.run([*reader, str(ROOT / name)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            print(f"{name}: {reader[0]} does not read it: {done.stderr.strip()}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
