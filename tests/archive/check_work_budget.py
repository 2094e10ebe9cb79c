#!/usr/bin/env python3
"""Promise: a small archive causes little work and few lines in `catalog` and `diff`, which say where they stopped.
Members that are left out because of their names are counted, and valid nested archives are read completely.
hostile/archive_bombs.py makes the archives; test_work_budget counts the work."""
import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from common import FIXTURES, SOURCE, run

sys.path.insert(0, str(SOURCE / "tests" / "hostile"))
import archive_bombs  # noqa: E402

MAP = FIXTURES / "atrium" / "quake3" / "maps" / "atrium.bsp"


def check_names(program: Path, top: Path) -> list[str]:
    data = MAP.read_bytes()
    names = ["maps/good.bsp", "maps/a\x1b[31mb.bsp", "../maps/out.bsp", "maps/c:d.bsp", f"maps/{'x' * 300}.bsp"]
    inner = archive_bombs.pack({name: data for name in names})
    path = top / "names.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("in.pk3", inner)
        out.writestr("maps/\x01.bsp", data)
        out.writestr("folder/" + "x" * 300 + "/", b"")
    lines = [json.loads(line) for line in run(program, "catalog", path).splitlines()]
    found = [(line["members"], line.get("error", "").split(":")[0]) for line in lines]
    wanted = [([], "1 file is left out"), (["in.pk3"], "4 files are left out"), (["in.pk3", "maps/good.bsp"], "")]
    return [] if found == wanted else [f"names: {found}"]


def check_diff(program: Path, top: Path) -> list[str]:
    """`diff` loads maps of both archives until the budget of one archive is spent."""
    one = archive_bombs.better_packed(top)
    other = shutil.copy(one, top / "copy.pk3")
    done = subprocess.run([program, "diff", one, other, "--json"], capture_output=True, text=True)
    maps = json.loads(done.stdout)["maps"]
    compared = len(maps["same"])
    told = [line["error"] for line in maps["unread"]]
    stopped = len(told) == 1 and told[0].startswith("stopped at maps/a0000")
    if done.returncode == 1 and 1 <= compared <= 8 and stopped and done.stderr.count("stopped at") == 1:
        return []
    return [f"diff: {done.returncode}, {compared} maps compared, {told}, {done.stderr[-300:]}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counter", type=Path)
    parser.add_argument("--program", type=Path, required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        program = args.program.resolve()
        problems = check_names(program, top) + check_diff(program, top)
        for make in (*archive_bombs.BOMBS.values(), archive_bombs.nested):
            path = make(top)
            if path.stat().st_size > 1_000_000:
                problems.append(f"{path.name} is no small file")
        if subprocess.run([args.counter, name]).returncode:
            problems.append("test_work_budget failed")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
