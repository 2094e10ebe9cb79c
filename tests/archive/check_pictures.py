#!/usr/bin/env python3
"""Promise: pictures of `process` state their map and camera, and equal those of `render`, byte for byte. Pictures that
are requested later are added to a store, and existing ones stay."""
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from common import FIXTURES, Checks, arguments, run
from stores import content, results

sys.path.insert(0, str(FIXTURES.parent / "support"))
from png_rows import read_png # noqa: E402

MAP = FIXTURES / "atrium" / "quake3" / "maps" / "atrium.bsp"
SPAWNS = 4
DARK = 30 # a picture whose mean is below this value (of 255) shows nothing
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
        # For these pictures the program chooses a view, and may brighten it.
        above = name in ("overview.png", "roofs.png", "plan.png", "tile.png")
        if found["Exposure"] != "1" and not (above and float(found["Exposure"]) > 0):
            problems.append(f"{name}: has an exposure of {found['Exposure']}")
    if "the white bar 5 m" not in facts(folder / "plan.png")["Description"]:
        problems.append(f"plan.png: {facts(folder / 'plan.png')['Description']}")
    return problems


def check_tile(program: Path, top: Path) -> list[str]:
    """If the first camera is far outside of the map and sees only one color, neither the picture of the start nor the
    tile uses it."""
    outside = top / "outside.bsp"
    outside.write_bytes(MAP.read_bytes().replace(b'"32 -480 352"', b'"99 9999 999"'))
    catalog = run(program, "catalog", outside)
    run(program, "process", top / "outside", "--steps", "pictures", "--pictures", "start=64x48,tile=64x48", "--quiet",
        stdin=catalog)
    identifier = json.loads(catalog)["id"]
    folder = top / "outside" / identifier[:2] / identifier
    start, tile = facts(folder / "start.png"), facts(folder / "tile.png")
    problems = []
    if "99,9999,999" in start["Camera"] or "99,9999,999" in tile["Camera"]:
        problems.append(f"a start outside of the map: {start['Camera']}; its tile: {tile['Camera']}")
    _, _, rows = read_png(folder / "tile.png")
    mean = sum(sum(row) / len(row) for row in rows) / len(rows)
    if mean < DARK:
        problems.append(f"a tile of mean brightness {mean}")
    return problems


def tga(width: int, height: int, color) -> bytes:
    """Makes a TGA; color(x, y) returns red, green and blue."""
    pixels = bytes(value for y in range(height) for x in range(width) for value in reversed(color(x, y)))
    return struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, width, height, 24, 0x20) + pixels


def colors(x: int, y: int) -> tuple[int, int, int]:
    """Returns the color of a pixel in a test picture, which is reddish on the left, bluish on the right, and full of
    detail."""
    bright = (x * 7 + y * 13) % 200 + 40
    return (bright, bright // 2, 20) if x < 128 else (20, bright // 2, bright)


def check_level_shots(program: Path, top: Path) -> list[str]:
    """A level shot becomes the map's tile if it is better than the drawn picture, whatever its aspect ratio. A black
    one, a thumbnail and the level shot of another map are not used."""
    problems = []
    for name, data, chosen in (("square", tga(256, 256, colors), True), ("packed", tga(256, 256, colors), True),
                               ("wide", tga(400, 128, colors), True),
                               ("black", tga(256, 256, lambda x, y: (3, 3, 3)), False),
                               ("thumbnail", tga(128, 96, colors), False), ("broken", b"no picture", False),
                               ("other", tga(256, 256, colors), False)):
        folder = top / "shots" / name
        (folder / "maps").mkdir(parents=True)
        (folder / "levelshots").mkdir()
        (folder / "maps" / "atrium.bsp").write_bytes(MAP.read_bytes())
        shot = "other.tga" if name == "other" else "atrium.tga"
        (folder / "levelshots" / shot).write_bytes(data)
        if name == "packed": # this level shot is in an archive inside an archive
            inner = folder / "inner.pk3"
            with zipfile.ZipFile(inner, "w") as archive:
                for file in ("maps/atrium.bsp", "levelshots/atrium.tga"):
                    archive.write(folder / file, file)
                    (folder / file).unlink()
            with zipfile.ZipFile(folder / "outer.zip", "w") as archive:
                archive.write(inner, inner.name)
            inner.unlink()
        catalog = run(program, "catalog", "--recursive", folder)
        run(program, "process", folder / "store", "--steps", "pictures", "--pictures", "tile", "--quiet", stdin=catalog)
        (result,) = results(folder / "store")
        tile = folder / "store" / result["id"][:2] / result["id"] / "tile.png"
        found = facts(tile)
        expected = "the level shot that its author made: atrium.tga" if chosen else ""
        if chosen != (found["Description"] == expected) or ("Camera" in found) == chosen:
            problems.append(f"level shot, {name}: the tile is {found}")
        width, height, rows = read_png(tile)
        if chosen and ((width, height) != (320, 240) or not (rows[120][30] > rows[120][32] < rows[120][29 + 3 * 290])):
            problems.append(f"level shot, {name}: {width}x{height}, {list(rows[120][30:33])}")
    return problems


def can_animate(program: Path, top: Path) -> bool:
    done = subprocess.run([program, "render", MAP, top / "can.webp", "--turn", "--frames", "1", "--size", "8x6"],
                          capture_output=True, text=True)
    return "makes no animations" not in done.stderr


class Chosen(Checks):
    """A store that gets further pictures with given names and sizes in later runs."""
    SIZES = {"start.png": [64, 48], "tile.png": [32, 24], "overview.png": [40, 30]}
    MORE = {"overview.png": [50, 20], "roofs.png": [20, 16]}
    TURN = {"turn.webp": [24, 18]}

    def __init__(self, program: Path, top: Path, catalog: bytes):
        super().__init__(program, top)
        self.catalog = catalog
        self.more = {**self.MORE, **self.TURN} if can_animate(program, top) else self.MORE

    def process(self, store: str, sizes: dict[str, list[int]], steps: str = "pictures") -> str:
        names = ",".join(f"{file.split('.')[0]}={width}x{height}" for file, (width, height) in sizes.items())
        words = ["--pictures", names] if sizes else []
        return run(self.program, "process", self.top / store, "--steps", steps, *words, stdin=self.catalog).decode()

    def folder(self, store: str) -> Path:
        identifier = json.loads(self.catalog)["id"]
        return self.top / store / identifier[:2] / identifier

    def check(self) -> list[str]:
        self.process("chosen", self.SIZES)
        made = {path.name: path.stat().st_ino for path in self.folder("chosen").iterdir()}
        self.expect(set(made) == {*self.SIZES, "result.json", "run.json"}, f"--pictures makes {set(made)}")
        said = self.process("chosen", self.more), self.process("chosen", {}, "info")
        self.expect(all(": 1 done" in line for line in said), f"adding says {said}")
        wanted = {**self.SIZES, **self.more}
        (result,) = results(self.top / "chosen")
        self.expect(result["pictures"] == wanted, f"the result has {result['pictures']}")
        kept = {name for name, number in made.items()
                if name in wanted and (self.folder("chosen") / name).stat().st_ino == number}
        self.expect(kept == {"start.png", "tile.png"}, f"kept, and not made again: {kept}")
        said = self.process("chosen", {"overview.png": self.more["overview.png"]}), self.process("chosen", {}, "info")
        self.expect(all(": 0 done" in line for line in said), f"what is there is made again: {said}")
        self.process("once", wanted, "pictures,info")
        self.expect(content(self.top / "once") == content(self.top / "chosen"), "pictures one by one are another store")
        return self.problems + self.check_rendered()

    def check_rendered(self) -> list[str]:
        words = {"start.png": [], "overview.png": ["--overview", "--samples", "4"], "turn.webp": ["--turn"]}
        problems = []
        for name, (width, height) in {**self.SIZES, **self.more}.items():
            if name not in words:
                continue
            run(self.program, "render", MAP, self.top / name, "--quiet", "--size", f"{width}x{height}", *words[name])
            if (self.top / name).read_bytes() != (self.folder("once") / name).read_bytes():
                problems.append(f"{name} of {width}x{height}: render makes another one")
        return problems


def check_refused(program: Path, top: Path) -> list[str]:
    """Invalid options are refused with one line before anything is made."""
    problems = []
    for value, words in (("start,front", "\"front\" is not one of start, tile, sheet, overview, roofs, plan, turn"),
                         ("plan=9", "\"plan=9\" is not a size such as plan=640x480 with sides up to 16384"),
                         ("turn=1921x8", "\"turn=1921x8\" is not a size such as turn=640x480 with sides up to 1920"),
                         ("plan=8x8x,tile", "\"plan=8x8x\" is not a size"), ("", "\"\" is not one of start")):
        done = subprocess.run([program, "process", top / "none", "--pictures", value], capture_output=True, text=True)
        if done.returncode != 2 or words not in done.stderr or (top / "none").exists():
            problems.append(f"--pictures {value}: {done.returncode}, {done.stderr}")
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
        problems += check_refused(program, top) + check_tile(program, top)
        problems += check_level_shots(program, top)
        problems += Chosen(program, top, catalog).check()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
