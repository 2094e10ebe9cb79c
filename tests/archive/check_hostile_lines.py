#!/usr/bin/env python3
"""Promise: whatever a line of a catalog contains, `process` ends with status 0 or 1 and a message, writes nothing
outside of its store, and makes the valid map of another line."""
import copy
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from common import FIXTURES, Checks, arguments, run

MAP = FIXTURES / "atrium" / "quake" / "maps" / "atrium.bsp"
OTHER = FIXTURES / "source" / "maps" / "room.bsp"
# In a valid catalog line, the value of each key is replaced by each of these values.
VALUES: list[object] = [
    None, -1, 1e308, "", "../../../outside", "\0", "a\x1b[2Jb", "x" * 70_000, [], ["../../outside.txt"], [[]] * 3,
    {"path": "/dev/zero", "members": []}, [{"path": "/dev/zero", "members": ["a"]}]]
# Lines that are not JSON, or not an object as in a catalog.
LINES = [b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe\xfd", b'"' + b"x" * 1_000_000, b"{}", b"null", b"1" * 400,
         b'{"path":"a","path":"b","id":"' + b"0" * 64 + b'"}']
DAMAGE = (b"Sanitizer", b"runtime error", b"Assertion")


class Test(Checks):
    def __init__(self, program: Path, top: Path):
        super().__init__(program, top)
        archive = top / "maps.zip"
        with zipfile.ZipFile(archive, "w") as out:
            out.write(MAP, "maps/atrium.bsp")
            out.write(MAP.with_suffix(".lit"), "maps/atrium.lit")
            out.writestr("maps/atrium.txt", "a text")
        self.honest = json.loads(run(program, "catalog", OTHER))
        self.line = json.loads(run(program, "catalog", archive))

    def made_maps(self, store: Path) -> set[str]:
        results = [json.loads(path.read_text()) for path in store.glob("??/*/result.json")]
        return {result["id"] for result in results if result["status"] == "done"}

    def process(self, lines: list[bytes], what: str):
        """Runs `process` with these lines and a valid one, in a new store. Checks that nothing is written to `outside`,
        where hostile names lead."""
        room = self.top / "room"
        store = room / "a" / "store"
        store.parent.mkdir(parents=True)
        text = b"\n".join([*lines, json.dumps(self.honest).encode()]) + b"\n"
        done = subprocess.run([self.program, "process", store, "--steps", "info,companions", "--timeout", "60"],
                              input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = done.stdout
        self.expect(done.returncode in (0, 1), f"{what}: ended with {done.returncode}")
        self.expect(not any(word in said for word in DAMAGE), f"{what}: {said[-400:]!r}")
        self.expect(b"\x1b" not in said, f"{what}: the terminal is told what to do")
        made = store / self.honest["id"][:2] / self.honest["id"] / "info.json"
        self.expect(made.is_file(), f"{what}: the honest map is not made")
        known = {self.honest["id"], self.line["id"], self.line["bytes"]}
        self.expect(self.made_maps(store) <= known, f"{what}: a map stands under another's id")
        strange = [path for path in room.rglob("*") if store not in (path, *path.parents) and path != store.parent]
        self.expect(not strange, f"{what}: {strange} outside of the store")
        shutil.rmtree(room)

    def keys(self):
        for value in VALUES:
            lines = []
            for number, key in enumerate(self.line):
                line = copy.deepcopy(self.line)
                line[key] = value
                # Half of the lines get ids of their own, so that each of these is read as another map.
                if key not in ("id", "bytes", "light") and number % 2:
                    line["id"] = f"{number:064x}"
                lines.append(json.dumps(line).encode())
            self.process(lines, f"{str(value)[:40]!r} in place of each value")

    def lines(self):
        self.process(LINES, "lines of no objects")


def main() -> int:
    program = arguments(__doc__).program
    with tempfile.TemporaryDirectory() as name:
        test = Test(program, Path(name))
        test.keys()
        test.lines()
    print("\n".join(test.problems))
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
