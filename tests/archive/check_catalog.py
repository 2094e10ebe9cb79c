#!/usr/bin/env python3
"""Promise: a catalog has a line for each map in folders, archives, archives in archives and packed files, with the same
id for any packing. A broken file gives a line with an error, and the rest continues. Links are not followed. The lines
do not depend on the number of processes."""
import bz2
import gzip
import hashlib
import io
import json
import os
import sys
import tempfile
import zipfile
from pathlib import Path

from common import FIXTURES, arguments, run

MAP = FIXTURES / "atrium" / "quake3" / "maps" / "atrium.bsp"
OTHER = FIXTURES / "source" / "maps" / "room.bsp"
TOO_DEEP = 5


def archive(**members: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in members.items():
            opened.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return data.getvalue()


def make_folder(top: Path):
    data, other = MAP.read_bytes(), OTHER.read_bytes()
    (top / "deeper").mkdir()
    (top / "maps").mkdir()
    (top / "levelshots").mkdir()
    (top / "plain.bsp").write_bytes(data)
    (top / "plain.txt").write_text("read me")
    (top / "maps" / "m.bsp").write_bytes(other)
    (top / "levelshots" / "m.jpg").write_bytes(b"jpeg")
    (top / "packed.bsp.gz").write_bytes(gzip.compress(data))
    (top / "packed.bsp.bz2").write_bytes(bz2.compress(data))
    (top / "cut.bsp").write_bytes(data[:100])
    (top / "broken.zip").write_bytes(b"this is no archive")
    (top / "empty.pk3").write_bytes(b"")
    (top / "left.rar").write_bytes(b"Rar!\x1a\x07\x01\x00")
    (top / "truly.zip.7z").write_bytes(archive(maps__named_dot_bsp=data))
    inner = archive(maps__in_dot_bsp=data, scripts__in_dot_arena=b"{}")
    cut = archive(maps__late_dot_bsp=other)[:-30]
    (top / "deeper" / "outer.zip").write_bytes(
        archive(a_dot_pk3=inner, b_dot_pk3=cut, maps__x_dot_bsp=other, notes_dot_txt=b"no map", c_dot_tgz=b""))
    deep = archive(maps__deepest_dot_bsp=data)
    for _ in range(TOO_DEEP):
        deep = archive(in_dot_zip=deep)
    (top / "deeper" / "deep.zip").write_bytes(deep)
    (top / "link.bsp").symlink_to(MAP)
    (top / "loop").symlink_to(top)


def main() -> int:
    program = arguments(__doc__).program
    problems = []
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        make_folder(top)
        output = run(program, "catalog", "--recursive", top)
        if run(program, "catalog", "--recursive", top, "--jobs", 3) != output:
            problems.append("three processes read something else")
        lines = [json.loads(line) for line in output.splitlines()]
        found = {str(Path(line["path"]).relative_to(top)) + "".join(":" + m for m in line["members"]): line
                 for line in lines}
        ids = {key: line["id"] for key, line in found.items() if "id" in line}
        of_map, of_other = (hashlib.sha256(path.read_bytes()).hexdigest() for path in (MAP, OTHER))
        if ids != {"plain.bsp": of_map, "maps/m.bsp": of_other, "packed.bsp.gz": of_map, "packed.bsp.bz2": of_map,
                   "truly.zip.7z:maps/named.bsp": of_map,
                   "deeper/outer.zip:a.pk3:maps/in.bsp": of_map, "deeper/outer.zip:maps/x.bsp": of_other}:
            problems.append(f"maps: {ids}")
        errors = {key for key, line in found.items() if "error" in line}
        if errors != {"left.rar", "deeper/outer.zip:c.tgz", "cut.bsp", "broken.zip", "empty.pk3",
                      "deeper/outer.zip:b.pk3", "deeper/deep.zip:in.zip:in.zip:in.zip:in.zip"}:
            problems.append(f"errors: {errors}")
        beside = {key: [str(Path(path).name) for path in line["companions"]]
                  for key, line in found.items() if line.get("companions")}
        if beside != {"plain.bsp": ["plain.txt"], "maps/m.bsp": ["m.jpg"],
                      "deeper/outer.zip:maps/x.bsp": ["notes.txt"],
                      "deeper/outer.zip:a.pk3:maps/in.bsp": ["in.arena"]}:
            problems.append(f"companions: {beside}")
        flat = run(program, "catalog", top).splitlines()
        if len(flat) != 8:
            problems.append(f"{len(flat)} lines without --recursive")
        os.utime(top / "plain.bsp", (0, 86400 * 365.5))
        if json.loads(run(program, "catalog", top / "plain.bsp"))["modified"] != "1971-01-01":
            problems.append("the day of a file is another one")
        data = (FIXTURES / "atrium" / "quake" / "maps" / "atrium.bsp").read_bytes()
        (top / "titled.bsp").write_bytes(data.replace(b"Atrium sample (CC0)", b"The Old\\n  Atrium  \\n"))
        title = json.loads(run(program, "catalog", top / "titled.bsp"))["title"]
        if title != "The Old Atrium":
            problems.append(f"the title's line breaks: {title}")
        named = json.loads(run(program, "catalog", top / "link.bsp"))
        if named.get("id") != of_map:
            problems.append("a link that was named is not read")
        run(program, "catalog", top / "absent", status=1)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
