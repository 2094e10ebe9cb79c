#!/usr/bin/env python3
"""Lets engines draw the atrium with changed entities. A model that was moved must be visible only at its new position,
and a door that was removed must not be visible. OpenArena's engine draws Quake III's atrium with an item of the game,
QuakeSpasm draws Quake's with a sprite.

engines.py PATH/TO/bspscene openarena|quakespasm [--out DIR]; exit code 77: skipped, with the reason.
tests/relight/repaint.py and repaint_quake.py list what the engines need.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "relight"), str(Path(__file__).resolve().parent)]
import repaint  # noqa: E402
import repaint_quake  # noqa: E402
from map_lumps import read_entities, read_lumps, write_entities  # noqa: E402
from repaint import Checks, Picture, np  # noqa: E402

# The camera sees the door and the objects in front of it. Its angles are multiples of 360 / 256 degrees, because
# Quake's protocol has 256 angles to a turn.
EYES, EYE_HEIGHT = (20, -12, 90), 26
ANGLES = "11.25,0,0"
CAMERA = f"{EYES[0]},{EYES[1]},{EYES[2]},{ANGLES}"
PLACES = {"old": "150 30 40", "new": "150 -20 40", "empty": ""}
LAMP = "progs/lamp.spr"
ITEM = "item_armor_body"
SIZE_OF_LAMP = 32
NEAR = 5                                 # largest distance between positions, in pixels at half size
Entity = list[tuple[bytes, bytes]]


def entities_of(text: bytes, name: str, thing: Sequence[tuple[str, str]]) -> bytes:
    """Returns the entity text with another camera and the model to look at. All brush models are removed,
    except the door for the picture `old`."""
    kept: list[Entity] = []
    for entity in read_entities(text):
        keys = dict(entity)
        if keys.get(b"classname") == b"info_player_intermission":
            x, y, z = EYES
            entity = [(b"classname", b"info_player_intermission"),
                      (b"origin", f"{x} {y} {z - EYE_HEIGHT}".encode()), (b"angles", ANGLES.replace(",", " ").encode())]
        if b"model" not in keys or (name == "old" and keys[b"classname"] == b"func_door"):
            kept.append(entity)
    if PLACES[name]:
        kept.append([*((key.encode(), value.encode()) for key, value in thing), (b"origin", PLACES[name].encode())])
    return write_entities(kept)


def rewrite(program: str, family: str, name: str, thing: Sequence[tuple[str, str]], work: Path) -> Path:
    """Makes a game whose map has the entities that entities_of returns. Returns its path."""
    game = repaint.copy_game(family, work / name, "atrium")
    path, before, text = game / "maps" / "atrium.bsp", work / f"{name}.bsp", work / f"{name}.ent"
    path.rename(before)
    text.write_bytes(entities_of(read_lumps(before.read_bytes())["entities"], name, thing))
    print(repaint.run(program, "rewrite", before, path, "--entities", text).strip().splitlines()[-1])
    return game


def changed(old: Picture, new: Picture) -> Picture:
    return np.abs(repaint.averaged(new) - repaint.averaged(old)).max(2) > repaint.CLOSE


def middle(mask: Picture) -> Picture:
    rows, columns = np.nonzero(mask)
    return np.array([rows.mean(), columns.mean()]) if len(rows) else np.array([-1e3, -1e3])


def check(checks: Checks, ours: dict[str, Picture], theirs: dict[str, Picture]) -> None:
    """Compares our pictures with the engine's: directly, then where the pictures before and after the change differ.
    The same pixels must differ in ours and in the engine's."""
    for name, picture in theirs.items():
        checks.check(f"{name}: our picture and the engine's", repaint.share_close(ours[name], picture), 0.95)
    mine, engines = changed(ours["old"], ours["new"]), changed(theirs["old"], theirs["new"])
    checks.check("the engine's pictures differ", float(engines.mean()), 0.05)
    checks.check("outside of what ours differ by they are alike", float(1 - (engines & ~mine).mean()), 0.98)
    checks.check("where ours differ they differ", float((engines & mine).sum() / max(mine.sum(), 1)), 0.85)
    # Items rotate and hover, so the engine's model only has to be near the one in our picture, and of a similar size.
    mine, engines = changed(ours["empty"], ours["new"]), changed(theirs["empty"], theirs["new"])
    checks.check("the moved model's pixels, of ours", float(engines.sum() / max(mine.sum(), 1)), 0.6)
    checks.check("how near it is, of pixels", -float(np.linalg.norm(middle(engines) - middle(mine))), -NEAR)


def brightest(palette: bytes) -> int:
    return max(range(255), key=lambda color: sum(palette[3 * color:3 * color + 3]))


def look_with_openarena(program: str, work: Path, out: Path) -> tuple[dict[str, Picture], dict[str, Picture]] | str:
    packages = repaint.find_engine()
    if isinstance(packages, str):
        return packages
    base = work / "base" / "baseoa"
    missing = repaint.prepare_engine(packages, base)
    if missing:
        return missing
    ours, theirs = {}, {}
    for name in PLACES:
        game = rewrite(program, "quake3", name, [("classname", ITEM)], work)
        ours[name] = repaint.take_ours(program, game, "full", out / f"quake3.{name}.png", CAMERA, ["--game", packages])
        theirs[name] = repaint.take_engine(base, game, work / f"home.{name}", True)["full"]
    return ours, theirs


def look_with_quakespasm(program: str, work: Path, out: Path) -> tuple[dict[str, Picture], dict[str, Picture]] | str:
    missing = repaint_quake.find_missing()
    if missing:
        return missing
    onlooker = repaint_quake.compile_program(work, CAMERA)
    ours, theirs = {}, {}
    for name in PLACES:
        game = rewrite(program, "quake", name, [("classname", "misc_model"), ("model", LAMP)], work)
        lamp = game / LAMP
        lamp.parent.mkdir(exist_ok=True)
        color = brightest((game / "gfx" / "palette.lmp").read_bytes())
        lamp.write_bytes(repaint_quake.sprite(SIZE_OF_LAMP, color))
        ours[name] = repaint.take_ours(program, game, "full", out / f"quake.{name}.png", CAMERA, [])
        theirs[name] = repaint_quake.take_engine(onlooker, game, work / f"engine.{name}", True)["full"]
    return ours, theirs


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("engine", choices=["openarena", "quakespasm"])
    parser.add_argument("--out", type=Path, help="where pictures are left, to be looked at")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        out = options.out or work / "pictures"
        out.mkdir(parents=True, exist_ok=True)
        look = look_with_openarena if options.engine == "openarena" else look_with_quakespasm
        seen = look(options.program, work, out)
        if isinstance(seen, str):
            print(f"skipped: {seen}")
            return 77
        for name, picture in seen[1].items():
            repaint.Image.fromarray(picture.astype("uint8")).save(out / f"{options.engine}.{name}.png")
        check(checks, *seen)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
