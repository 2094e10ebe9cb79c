#!/usr/bin/env python3
"""Promise: a store with hostile contents cannot make a command hang or crash. Any file may be replaced by a named pipe,
a link to a device or in a circle, a folder, a huge file, or JSON with other types: the command succeeds or prints one
line."""
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from common import FIXTURES, Checks, arguments, run

MAPS = [FIXTURES / family / "maps/room.bsp" for family in ("nightfire", "genesis3d")]
PATIENCE = 120   # seconds; a program that waits for a pipe would never end


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def holding(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


def grow(path: Path) -> None:
    path.touch()
    os.truncate(path, 4 << 30)


TRAPS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo, "link to a device": link_to("/dev/zero"), "link to itself": lambda path: path.symlink_to(path),
    "folder": lambda path: path.mkdir(), "link up": link_to(".."), "zeroes": grow, "brackets": holding("[" * 1_000_000),
    "a number": holding("7"), "a list": holding('[1, {"id": []}]'), "other types": holding(
        '{"id": 1, "name": [], "status": {}, "catalog": "x", "places": [[]], "counts": -1, "needs": {}, "steps": 7}'),
    "a name that leads out": holding('{"id": "../../..", "name": "../../../x", "status": "done", "catalog": '
                                     '{"id": "../..", "name": "../x", "path": "../../y", "members": ["../z"]}}'),
}
FILES = ("result.json", "info.json", "entities.json", "run.json", "companions.json", "start.png", "map.glb")


def attempt(checks: Checks, what: str, *words: object) -> None:
    try:
        done = subprocess.run([checks.program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True,
                              cwd=checks.top, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        checks.expect(False, f"{what}: {words[0]} waits for ever")
        return
    said = done.stderr.decode(errors="replace")
    checks.expect(done.returncode in (0, 1), f"{what}: {words[0]} ended with {done.returncode}: {said[-300:]}")
    checks.expect("Sanitizer" not in said, f"{what}: {words[0]}: {said[-300:]}")


def check(checks: Checks, store: Path, catalog: Path) -> None:
    filled, out = checks.top / "filled", checks.top / "out"
    for name in FILES:
        for trap, make in TRAPS.items():
            shutil.copytree(store, filled)
            target = sorted(filled.glob("??/*"))[0] / name
            target.unlink(missing_ok=True)
            make(target)
            what = f"{name}, {trap}"
            attempt(checks, what, "gallery", filled, out)
            attempt(checks, what, "process", filled, "--catalog", catalog, "--steps", "info,entities", "--quiet")
            attempt(checks, what, "process", filled, "--catalog", catalog, "--prune", "--quiet")
            for folder in (filled, out):
                shutil.rmtree(folder, ignore_errors=True)
    outside = sorted(path.name for path in checks.top.iterdir())
    checks.expect(outside == ["catalog.jsonl", "store"], f"was written beside the store: {outside}")


def main() -> int:
    args = arguments(__doc__)
    with tempfile.TemporaryDirectory(prefix="bspscene-filled-") as folder:
        top = Path(folder).resolve()
        store, catalog = top / "store", top / "catalog.jsonl"
        catalog.write_bytes(run(args.program, "catalog", *MAPS))
        run(args.program, "process", store, "--catalog", catalog, "--steps", "info,entities", "--quiet")
        checks = Checks(args.program, top)
        check(checks, store, catalog)
    print("\n".join(checks.problems) or f"{3 * len(FILES) * len(TRAPS)} commands")
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
