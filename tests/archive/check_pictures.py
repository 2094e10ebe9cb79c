#!/usr/bin/env python3
"""Promise: process's pictures say of which map they are and from where they were taken, and they are, byte for byte,
what `render` makes of the same map."""
import json
import struct
import sys
import tempfile
from pathlib import Path

from common import FIXTURES, arguments, run
from stores import results

MAP = FIXTURES / "atrium" / "quake3" / "maps" / "atrium.bsp"
SPAWNS = 4
VIEWS = {"start.png": 1, "tile.png": 1, "sheet.png": SPAWNS, "overview.png": 1, "roofs.png": 1, "plan.png": 1}
AS_RENDERED = {
    "start.png": ["--size", "640x480"],
    "overview.png": ["--size", "800x600", "--overview", "--samples", "4"],
    "roofs.png": ["--size", "800x600", "--overview", "--roofs", "--samples", "4"],
    "plan.png": ["--size", "800x800", "--plan", "--samples", "4"],
}


def facts(path: Path) -> dict[str, str]:
    data, at, found = path.read_bytes(), 8, {}
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"iTXt":
            keyword, text = data[at + 8:at + 8 + size].split(b"\0\0\0\0\0", 1)
            found[keyword.decode("latin-1")] = text.decode("utf-8")
        at += 12 + size
    return found


def check_facts(folder: Path, identifier: str) -> list[str]:
    problems = []
    for name, views in VIEWS.items():
        found = facts(folder / name)
        if (found["Map"], found["Identifier"]) != ("atrium", identifier):
            problems.append(f"{name}: is of {found['Map']}, {found['Identifier']}")
        lines = found["Camera"].split("\n")
        if len(set(lines)) != views or not all(line.startswith("--camera=") for line in lines):
            problems.append(f"{name}: taken from {lines}")
        above = name in ("overview.png", "roofs.png", "plan.png")
        if found["Exposure"] != "1" and not (above and float(found["Exposure"]) > 0):
            problems.append(f"{name}: has an exposure of {found['Exposure']}")
    if "the white bar 5 m" not in facts(folder / "plan.png")["Description"]:
        problems.append(f"plan.png: {facts(folder / 'plan.png')['Description']}")
    return problems


def main() -> int:
    program = arguments(__doc__).program
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        catalog = run(program, "catalog", MAP)
        run(program, "process", top / "store", "--steps", "pictures", "--quiet", stdin=catalog)
        (result,) = results(top / "store")
        if "no renderer" in result.get("message", ""):
            sys.exit(77)
        identifier = json.loads(catalog)["id"]
        folder = top / "store" / identifier[:2] / identifier
        problems = check_facts(folder, identifier)
        for picture, words in AS_RENDERED.items():
            run(program, "render", MAP, top / picture, "--quiet", *words)
            if (top / picture).read_bytes() != (folder / picture).read_bytes():
                problems.append(f"{picture}: render makes another one")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
