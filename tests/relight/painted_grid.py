#!/usr/bin/env python3
"""Paints the atrium's light grid green. OpenArena's engine then shows an item in green light, and nothing else changes.

painted_grid.py PATH/TO/bspscene [--out DIR]; exit code 77: skipped, with the reason. repaint.py lists what the engine
needs.
"""
from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "rewrite"), str(Path(__file__).resolve().parent)]
import engines  # noqa: E402
import repaint  # noqa: E402
from repaint import Checks, Picture, np  # noqa: E402

PROBES = "atlas_probes.png"


def paint_grid(program: str, game: Path, work: Path) -> None:
    """Makes all light of the map's grid green."""
    path, before, atlas = game / "maps" / "atrium.bsp", work / "before" / "atrium.bsp", work / "atlas"
    before.parent.mkdir()
    shutil.copyfile(path, before)
    repaint.run(program, "bake", "--quiet", "--light-probes", "--lightmap-encoding", "display", path, atlas)
    picture = atlas / PROBES
    luxels = np.asarray(repaint.Image.open(picture).convert("RGB"), np.float32)
    repaint.Image.fromarray(np.clip(repaint.green(luxels) + 0.5, 0, 255).astype(np.uint8)).save(picture)
    path.unlink()
    print(repaint.run(program, "relight", before, atlas, path).strip().splitlines()[-1])


def greenness(seen: dict[str, Picture], name: str) -> float:
    """Returns the share of green in the light of the item's pixels."""
    pixels = repaint.averaged(seen[name])[engines.changed(seen["empty"], seen[name])]
    return float(pixels[:, 1].sum() / max(pixels.sum(), 1))


def check(checks: Checks, seen: dict[str, Picture]) -> None:
    # The item rotates, so it covers other pixels in each picture. The pixels of both pictures count.
    item = engines.changed(seen["empty"], seen["gray"]) | engines.changed(seen["empty"], seen["green"])
    painted = engines.changed(seen["gray"], seen["green"])
    checks.check("pixels of the item", float(item.mean()), 0.003)
    checks.check("of them are lit otherwise", float((painted & item).sum() / max(item.sum(), 1)), 0.5)
    checks.check("all else is as it was", float(1 - (painted & ~item).mean()), 0.998)
    checks.check("green's share grows", greenness(seen, "green") - greenness(seen, "gray"), 0.15)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--out", type=Path, help="where pictures are left, to be looked at")
    options = parser.parse_args()
    packages = repaint.find_engine()
    if isinstance(packages, str):
        print(f"skipped: {packages}")
        return 77
    checks, seen = Checks(), {}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        base = work / "base" / "baseoa"
        missing = repaint.prepare_engine(packages, base)
        if missing:
            print(f"skipped: {missing}")
            return 77
        for name, place in (("empty", "empty"), ("gray", "new"), ("green", "new")):
            room = work / name
            room.mkdir()
            game = engines.rewrite(options.program, "quake3", place, [("classname", engines.ITEM)], room)
            if name == "green":
                paint_grid(options.program, game, room)
            seen[name] = repaint.take_engine(base, game, room / "home", True)["full"]
            if options.out:
                options.out.mkdir(parents=True, exist_ok=True)
                repaint.Image.fromarray(seen[name].astype("uint8")).save(options.out / f"grid.{name}.png")
        check(checks, seen)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
