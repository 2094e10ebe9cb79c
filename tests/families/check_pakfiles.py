#!/usr/bin/env python3
"""Checks that `bspscene` reads every file in the archives of real Source maps, byte for byte, and can decode every
texture.

    check_pakfiles.py --bspscene BUILD/bspscene --decoder BUILD/decode_textures

The maps are those below maps/source of BSPSCENE_SHARED_DATA; without them the test is skipped."""

import argparse
import io
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

import source_forms as s

SKIPPED = 77
LARGEST, DIRECTORY = 8192, 8


def members_of(path):
    """Returns the files of the map's archive by their names in lowercase, as Python's zipfile reads them. Returns
    nothing if the map has no archive."""
    content = path.read_bytes()
    numbers = struct.unpack_from("<3i", content, DIRECTORY + s.ENTRY * s.PAKFILE)
    # In Left 4 Dead 2, the version comes before offset and size, so both orders are tried.
    places = [(at, size) for at, size in (numbers[:2], numbers[1:]) if at >= s.HEADER and size > 0]
    lumps = [io.BytesIO(content[at:at + size]) for at, size in places]
    lump = next((lump for lump in lumps if zipfile.is_zipfile(lump)), None)
    if lump is None:
        return {}
    with zipfile.ZipFile(lump) as archive:
        return {name.replace("\\", "/").lower(): archive.read(name) for name in archive.namelist()}


def sizes_of(decoder, paths):
    """Yields the width and height of each texture, or the decoder's error."""
    lines = "".join(f"{LARGEST} {path}\n" for path in paths)
    out = io.BytesIO(subprocess.run([decoder], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout)
    for _path in paths:
        width, height = struct.unpack("<2I", out.read(8))
        yield (width, height) if width else out.read(height).decode()
        out.read(4 * width * height)


def check(arguments, path, folder):
    members = members_of(path)
    subprocess.run([arguments.bspscene, "extract", path, folder, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    found = {file.relative_to(folder).as_posix().lower(): file for file in folder.rglob("*") if file.is_file()}
    if set(members) - set(found):
        yield f"{path.name}: not found: {sorted(set(members) - set(found))}"
    for name in sorted(set(members) & set(found)):
        if found[name].read_bytes() != members[name]:
            yield f"{path.name}: {name} has other bytes"
    textures = [found[name] for name in sorted(members) if name.endswith(".vtf") and name in found]
    for file, size in zip(textures, sizes_of(arguments.decoder, textures)):
        stored = struct.unpack_from("<2H", file.read_bytes(), 16)
        if size != stored:
            yield f"{path.name}: {file.name} is {size}, not {stored}"
    print(f"{path.name}: {len(members)} files, {len(textures)} textures")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--decoder", required=True)
    arguments = parser.parse_args()
    shared = pathlib.Path(os.environ.get("BSPSCENE_SHARED_DATA", "/nowhere")) / "maps/source"
    if not shared.is_dir():
        print("skipped: BSPSCENE_SHARED_DATA has no maps/source")
        return SKIPPED
    problems = []
    for path in sorted(shared.glob("*.bsp")):
        with tempfile.TemporaryDirectory() as folder:
            problems += check(arguments, path, pathlib.Path(folder))
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
