#!/usr/bin/env python3
"""Promise: if a worker on any machine was killed, a later run removes the worker's stale claims and temporary folders,
even of maps that are finished. Claims of workers that may still run stay, and so do files that are not claims."""
import os
import sys
import tempfile
import time
from pathlib import Path

from common import FIXTURES, Checks, arguments, run
from stores import content, results

# ELSEWHERE is the text of a claim by a worker on another machine, so a run cannot know whether the worker still runs.
# LONG_AGO is a time in seconds since a worker touched its claim. Claims are stale after five minutes.
ELSEWHERE = "ffffffff 1 1\n"
LONG_AGO = 1000


class Test(Checks):
    def process(self, *more: str):
        run(self.program, "process", self.top / "store", "--catalog", self.top / "catalog.jsonl", "--steps", "info",
            "--quiet", *more)

    def claim(self, name: str, age: int) -> list[Path]:
        """Makes the files that a worker on another machine leaves if it is killed while it replaces a result."""
        claim, work = self.top / "store" / ".claims" / name, self.top / "store" / ".work" / name
        old, words = work.with_name(f"{name}.old"), work.with_name(f"{name}.txt")
        for folder in (claim.parent, work, old):
            folder.mkdir(parents=True, exist_ok=True)
        for file in (claim, words, work / "info.json", old / "info.json"):
            file.write_text(ELSEWHERE)
        os.utime(claim, (time.time() - age,) * 2)
        return [claim, work, old, words]

    def same(self, before: dict[str, bytes]):
        after = {name: data for name, data in content(self.top / "store").items() if not name.startswith(".")}
        self.expect(after == before, "the results are others")

    def stays(self, paths: list[Path]):
        gone = [path.name for path in paths if not path.exists()]
        self.expect(not gone, f"taken away: {gone}")

    def remains(self) -> list[Path]:
        """Makes stale files and recent ones. Returns those that must stay."""
        maps = [FIXTURES / "atrium" / name / "maps" for name in ("quake", "goldsrc")]
        (self.top / "catalog.jsonl").write_bytes(run(self.program, "catalog", *maps))
        self.process()
        before = content(self.top / "store")
        dead, alive, *_ = [one["id"] for one in results(self.top / "store")]
        remains = [path for number in (0, 1) for path in self.claim(f"{dead}.{number}", LONG_AGO)]
        # Two workers had this map. The first is dead, but the second is alive, so all files of the map stay.
        kept = self.claim(f"{alive}.0", LONG_AGO) + self.claim(f"{alive}.1", 0)
        self.process()
        left = [path.name for path in remains if path.exists()]
        self.expect(not left, f"left: {left}")
        self.stays(kept)
        self.same(before)
        return kept

    def others(self, kept: list[Path]):
        dead, *_ = [one["id"] for one in results(self.top / "store")]
        before = {name: data for name, data in content(self.top / "store").items() if not name.startswith(".")}
        for name in ("notes.txt", f"{dead}.old", f"{dead[:-1]}.0"):
            kept.append(self.top / "store" / ".claims" / name)
            kept[-1].write_text("somebody's")
        self.process()
        self.stays(kept)
        self.same(before)


def main() -> int:
    program = arguments(__doc__).program
    with tempfile.TemporaryDirectory() as name:
        test = Test(program, Path(name))
        kept = test.remains()
        if not test.problems:
            test.others(kept)
    print("\n".join(test.problems))
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
