#!/usr/bin/env python3
"""wheel.py INSTALLED TAG OUT_DIRECTORY [--render]: makes a wheel of the Python package that contains the library of an
installed tree.

ctypes calls the C library, so a wheel fits every Python 3 of its platform. TAG is the part of the wheel's name after
"py3-none-"; several tags are joined by dots: manylinux_2_28_x86_64, manylinux_2_17_aarch64.manylinux2014_aarch64,
win_amd64, macosx_11_0_arm64, macosx_11_0_universal2. If the library is universal, a wheel for one processor gets only
the part for that processor. INSTALLED is a folder that `cmake --install` made for any system. With --render the wheel
also contains the renderer's library. The same input gives the same bytes.
"""
import argparse
import base64
import hashlib
import re
import struct
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python/bspscene"
# From a platform's name in Blender's manifests to the platform tag of its wheel. The libraries for Linux need glibc
# 2.17.
TAGS = {"linux-x64": "manylinux_2_17_x86_64.manylinux2014_x86_64",
        "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64",
        "windows-x64": "win_amd64",
        "macos-arm64": "macosx_11_0_arm64",
        "macos-x64": "macosx_11_0_x86_64"}
UNIVERSAL = 0xcafebabe   # the first four bytes of a universal library
MACHINES = {"arm64": 0x0100000c, "x86_64": 0x01000007}
README = ROOT / "packaging/wheel.md"   # the wheel's description, for users; the README in PACKAGE is also for
                                       # developers
TAG = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
MADE = (1980, 1, 1, 0, 0, 0)   # the earliest time that zip can store
METADATA = """\
Metadata-Version: 2.4
Name: bspscene
Version: {version}
Summary: Compiled game maps (BSP) of Quake, Half-Life, Source and their relatives as scenes
License-Expression: MIT
{licenses}Requires-Python: >=3.10
Requires-Dist: numpy
Keywords: BSP,Quake,Half-Life,Source,GoldSrc,lightmap,glTF,FBX,USD,game maps
Project-URL: Homepage, https://example.org/bspscene
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Games/Entertainment :: First Person Shooters
Classifier: Topic :: Multimedia :: Graphics :: 3D Modeling
Classifier: Topic :: Multimedia :: Graphics :: Graphics Conversion
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{description}"""


def find_library(installed: Path, name: str) -> Path:
    """Returns the library file in an installed tree, for any system."""
    patterns = (f"bin/{name}.dll", f"bin/lib{name}.dll", f"lib/{name}.dll", f"lib*/lib{name}.dylib",
                f"lib*/lib{name}.so", f"lib/*/lib{name}.so")
    for pattern in patterns:
        for path in sorted(installed.glob(pattern)):
            return path.resolve()
    raise SystemExit(f"{installed}: has no library {name}")


def name_in_package(library: Path, name: str) -> str:
    """Returns the file name by which the package looks for a library on the system for which `library` was built."""
    suffix = next(part for part in (".dll", ".dylib", ".so") if part in library.name)
    return f"{name}.dll" if suffix == ".dll" else f"lib{name}{suffix}"


def licenses(installed: Path) -> dict[str, bytes]:
    """Returns the license texts of bspscene and of everything inside the library. They are read from the installed
    tree, or from the checkout if the tree has none."""
    papers = installed / "share/doc/bspscene"
    own, further = papers / "LICENSE", papers / "licenses"
    if not own.is_file():
        own, further = ROOT / "LICENSE", ROOT / "native/licenses"
    found = {"LICENSE": own.read_bytes()}
    for path in sorted(further.rglob("*")):
        if path.is_file():
            found[f"licenses/{path.relative_to(further).as_posix()}"] = path.read_bytes()
    return found


def version_of(installed: Path) -> str:
    header = (installed / "include/bspscene/common.h").read_text(encoding="utf-8")
    found = re.search(r'BSPSCENE_VERSION_STRING "([^"]+)"', header)
    if not found:
        raise SystemExit(f"{installed}: common.h says no version")
    return found[1]


def part_for(tag: str, library: bytes) -> bytes:
    """Returns the part of a universal library for the wheel's processor. Other libraries are returned unchanged."""
    machine = next((number for name, number in MACHINES.items() if tag.startswith("macosx") and tag.endswith(name)), 0)
    if not machine or struct.unpack_from(">I", library)[0] != UNIVERSAL:
        return library
    for i in range(struct.unpack_from(">I", library, 4)[0]):
        found, _, offset, size, _ = struct.unpack_from(">5I", library, 8 + 20 * i)
        if found == machine:
            return library[offset:offset + size]
    raise SystemExit(f"{tag}: the library has no part for that processor")


def contents(version: str, tag: str, libraries: dict[str, bytes], papers: dict[str, bytes]) -> dict[str, bytes]:
    """Returns all files of the wheel except RECORD, in order."""
    info = f"bspscene-{version}.dist-info"
    files = {f"bspscene/{path.name}": path.read_bytes()
             for path in sorted(PACKAGE.iterdir()) if path.suffix == ".py" or path.name == "py.typed"}
    files.update({f"bspscene/{name}": content for name, content in libraries.items()})
    files[f"{info}/METADATA"] = METADATA.format(
        version=version, licenses="".join(f"License-File: {name}\n" for name in papers),
        description=README.read_text(encoding="utf-8")).encode()
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in tag.split("."))
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: bspscene\nRoot-Is-Purelib: false\n{tags}".encode()
    files.update({f"{info}/licenses/{name}": content for name, content in papers.items()})
    return files


def record(files: dict[str, bytes], own: str) -> bytes:
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    return "".join([*lines, f"{own},,\n"]).encode()


def file_name(version: str, tag: str) -> str:
    return f"bspscene-{version}-py3-none-{tag}.whl"


def pack(version: str, tag: str, libraries: dict[str, bytes], papers: dict[str, bytes], out: Path) -> Path:
    """Writes a wheel of the package into the folder `out` and returns the wheel's path. `libraries` and `papers` (the
    licenses) have the contents of files by file name."""
    if not TAG.fullmatch(tag):
        raise SystemExit(f"{tag!r} is no platform tag")
    files = contents(version, tag, libraries, papers)
    own = f"bspscene-{version}.dist-info/RECORD"
    files[own] = record(files, own)
    out.mkdir(parents=True, exist_ok=True)
    target = out / file_name(version, tag)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, MADE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3   # Unix, so the next line sets Unix permissions
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content)
    return target


def write_wheel(installed: Path, tag: str, out: Path, render: bool = False,
                further: dict[str, bytes] | None = None) -> Path:
    """Writes the wheel of an installed tree. `further`: licenses of other parts of the library, by name."""
    found = {name: find_library(installed, name) for name in (("bspscene", "bspscene_render") if render
                                                             else ("bspscene",))}
    libraries = {name_in_package(path, name): part_for(tag, path.read_bytes()) for name, path in found.items()}
    return pack(version_of(installed), tag, libraries, {**licenses(installed), **(further or {})}, out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("installed", type=Path)
    parser.add_argument("tag")
    parser.add_argument("out", type=Path)
    parser.add_argument("--render", action="store_true")
    arguments = parser.parse_args()
    target = write_wheel(arguments.installed, arguments.tag, arguments.out, arguments.render)
    print(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
