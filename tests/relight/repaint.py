#!/usr/bin/env python3
"""Writes new light into the atrium. bspscene and OpenArena's engine then draw pictures of it. After a part was painted
green, only this part is green. After all light was dimmed and tinted, there are no seams or black luxels.

repaint.py PATH/TO/bspscene [--out DIR] [--no-engine]; exit code 77: skipped, with the reason. The engine is Debian's
ioquake3 under Xvfb with the game of BSPSCENE_OPENARENA and the modules of the package openarena next to it. Needs numpy
and Pillow.
"""
from __future__ import annotations

import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

try:
    import numpy as np
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
ENGINE = Path("/usr/lib/ioquake3/ioquake3")
SIZE = (320, 240)
# The position of the map's intermission; GoldSrc's atrium is the same room.
CAMERA = "32,-480,378,20,135,0"
# The times at which the engine takes the pictures (tests/parity/parity.py).
MOMENTS = {"full": "2.1", "lightmap": "3.27"}
CLOSE = 8                                # pixels differ if a channel differs by more than this, of 255, at half size
TINT = np.array([0.8, 0.6, 0.4])
SETTINGS = {
    "r_mode": -1, "r_customwidth": SIZE[0], "r_customheight": SIZE[1], "r_fullscreen": 0, "cl_renderer": "opengl1",
    "s_initsound": 0, "sv_pure": 0, "com_maxfps": 30, "cg_draw2D": 0, "cg_drawGun": 0, "cg_drawStatus": 0,
    "con_notifytime": 0, "cl_noprint": 1, "cg_fov": 90, "r_gamma": 1, "r_intensity": 1, "r_picmip": 0,
    "r_texturemode": "GL_LINEAR_MIPMAP_LINEAR", "r_flares": 0, "r_dynamiclight": 0, "cg_marks": 0,
    "r_overBrightBits": 0, "r_mapOverBrightBits": 2, "bot_enable": 0, "g_doWarmup": 0, "com_hunkMegs": 512,
    "r_bloom": 0, "r_subdivisions": 1, "r_lodCurveError": 10000, "r_vertexLight": 0, "r_fastsky": 0,
}
SHOTS = ["wait 30", "team spectator", "wait 60", "screenshot full", "wait 3", "set r_lightmap 1", "vid_restart",
         "wait 60", "screenshot lightmap", "wait 5", "quit"]

Picture = np.ndarray
Paint = Callable[[Picture], Picture]


def run(*arguments: object) -> str:
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def read_picture(path: Path) -> Picture:
    return np.asarray(Image.open(path).convert("RGB"), np.float32)


def averaged(picture: Picture) -> Picture:
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    return picture.reshape(height, 2, width, 2, 3).mean((1, 3))


def share_close(a: Picture, b: Picture) -> float:
    return float(np.mean(np.abs(averaged(a) - averaged(b)).max(2) <= CLOSE))


# ---- Painting -------------------------------------------------------------------------------------------------------

def faces_of_a_part(path: Path) -> set[int]:
    """Returns the surfaces of Quake III's atrium with x below 0."""
    data = path.read_bytes()
    lumps = [struct.unpack_from("<2i", data, 8 + 8 * i) for i in range(17)]
    (surfaces, size), (vertices, _) = lumps[13], lumps[10]
    chosen = set()
    for number in range(size // 104):
        first, count = struct.unpack_from("<2i", data, surfaces + 104 * number + 12)
        corners = [struct.unpack_from("<3f", data, vertices + 44 * (first + i)) for i in range(count)]
        if corners and max(corner[0] for corner in corners) <= 0:
            chosen.add(number)
    return chosen


def paint(atlas: Path, faces: set[int] | None, brush: Paint) -> None:
    """Changes the rectangles of these faces (None for all) on the pages of every style. Faces that share luxels have
    overlapping rectangles, so each luxel is changed once."""
    document = json.loads((atlas / "atlas.json").read_text())
    covered = [np.zeros((page["height"], page["width"]), bool) for page in document["pages"]]
    for face in document["faces"]:
        if faces is None or face["face"] in faces:
            x, y = face["x"], face["y"]
            covered[face["page"]][y:y + face["height"], x:x + face["width"]] = True
    for light in document["sets"]:
        for name, mask in zip(light["files"], covered):
            if light["kind"] != "light" or name is None:
                continue
            page = np.array(Image.open(atlas / name).convert("RGB"))
            changed = np.clip(brush(page.astype(np.float32)) + 0.5, 0, 255).astype(np.uint8)
            Image.fromarray(np.where(mask[..., None], changed, page)).save(atlas / name)


def green(luxels: Picture) -> Picture:
    out = np.zeros_like(luxels)
    out[..., 1] = luxels.max(2)
    return out


def tint(luxels: Picture) -> Picture:
    return luxels * TINT


# ---- Pictures -------------------------------------------------------------------------------------------------------

def take_ours(program: str, game: Path, kind: str, out: Path, camera: str = CAMERA,
              words: Sequence[object] = ("--world-only",)) -> Picture:
    mode = ["--mode", "lightmap"] if kind == "lightmap" else []
    run(program, "render", game / "maps" / "atrium.bsp", out, "--quiet", "--samples", 1, "--fov", 90,
        "--size", f"{SIZE[0]}x{SIZE[1]}", f"--camera={camera}", "--time", MOMENTS[kind], *mode, *words)
    return read_picture(out)


def find_engine() -> Path | str:
    """Returns the folder of the game's packages and modules, or a message that says what is missing."""
    game = Path(os.environ.get("BSPSCENE_OPENARENA", "/nowhere"))
    if not ENGINE.is_file():
        return "ioquake3 is not installed"
    if not shutil.which("xvfb-run"):
        return "Xvfb is not installed"
    if not game.is_dir():
        return "BSPSCENE_OPENARENA names no game"
    return game


def prepare_engine(packages: Path, base: Path) -> str:
    """Links packages and modules into one folder. Returns a message if something is missing, else ""."""
    base.mkdir(parents=True)
    for package in packages.glob("*.pk3"):
        (base / package.name).symlink_to(package)
    modules = packages.parents[3] / "lib" / "openarena" / "baseoa"
    found = 0
    for name in ("cgame", "qagame", "ui"):
        for module in (modules / "pak6-patch088").glob(f"{name}*.so"):
            shutil.copy(module, base)
            found += 1
    return "" if found == 3 else f"{modules} has not the game's modules (package openarena)"


def take_engine(base: Path, game: Path, home: Path, shows_entities: bool = False) -> dict[str, Picture]:
    shutil.copytree(game, home / "baseoa")
    (home / "baseoa" / "shot.cfg").write_text("\n".join(SHOTS) + "\n")
    wanted = {**SETTINGS, "r_drawentities": int(shows_entities)}
    settings = "".join(f"seta {name} {value}\n" for name, value in wanted.items())
    (home / "baseoa" / "autoexec.cfg").write_text(settings)
    words = ["+set", "com_basegame", "baseoa", "+set", "fs_basepath", base.parent, "+set", "fs_homepath", home,
             "+set", "com_legacyprotocol", 71, "+set", "com_protocol", 71, "+set", "cl_motd", 0,
             "+set", "com_introplayed", 1, "+set", "cl_renderer", "opengl1", "+set", "s_initsound", 0,
             "+set", "sv_pure", 0, "+devmap", "atrium", "+exec", "shot.cfg"]
    log = home / "engine.log"
    with log.open("w") as out:
        subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", str(ENGINE), *map(str, words)], stdout=out,
                       stderr=subprocess.STDOUT, env={**os.environ, "HOME": str(home)}, check=False)
    pictures = {}
    for kind in MOMENTS:
        path = home / "baseoa" / "screenshots" / f"{kind}.tga"
        if not path.is_file():
            sys.exit(f"the engine took no picture:\n{log.read_text(errors='replace')[-2000:]}")
        pictures[kind] = read_picture(path)
    return pictures


# ---- Checks ---------------------------------------------------------------------------------------------------------

class Checks:
    def __init__(self) -> None:
        self.failed = 0

    def check(self, what: str, value: float, least: float) -> None:
        good = value >= least
        self.failed += not good
        print(f"{'ok    ' if good else 'FAILED'} {what}: {value:.4f}, at least {least}", flush=True)


def copy_game(family: str, folder: Path, name: str) -> Path:
    """Copies the atrium of a family, with its map as atrium.bsp."""
    shutil.copytree(FIXTURES / "atrium" / family, folder)
    if name != "atrium":
        shutil.copy(folder / "maps" / f"{name}.bsp", folder / "maps" / "atrium.bsp")
    return folder


def relight(program: str, game: Path, out: Path, faces: set[int] | None, brush: Paint, work: Path) -> None:
    """Copies the game, and writes painted light into its map."""
    shutil.copytree(game, out)
    atlas = work / f"{out.name}.atlas"
    old, new = game / "maps" / "atrium.bsp", out / "maps" / "atrium.bsp"
    run(program, "bake", "--quiet", "--every-style", "--lightmap-encoding", "display", old, atlas)
    paint(atlas, faces, brush)
    new.unlink()
    new.with_suffix(".lit").unlink(missing_ok=True)   # removes the file with the old light
    print(run(program, "relight", "--quiet", old, atlas, new).strip())


def check_bytes(checks: Checks, old: Path, new: Path, atlas: Path, faces: set[int]) -> None:
    """Checks in Quake III's map that only luxels of these faces differ."""
    before, after = (np.frombuffer(path.read_bytes(), np.uint8) for path in (old, new))
    lump = int.from_bytes(before[8 + 8 * 14:][:4].tobytes(), "little")
    own = np.zeros(len(before), bool)
    for face in json.loads((atlas / "atlas.json").read_text())["faces"]:
        for place in face["source"] if face["face"] in faces else []:
            for y in range(place["y"], place["y"] + face["height"]):
                at = lump + 3 * ((place["page"] * 128 + y) * 128 + place["x"])
                own[at:at + 3 * face["width"]] = True
    checks.check("green: bytes that stay, of those of other luxels", float(np.mean((before == after)[~own])), 1)


def check_green(checks: Checks, name: str, old: Picture, new: Picture) -> None:
    """Checks that changed pixels are green, that enough changed, and that enough did not."""
    change = np.abs(averaged(new) - averaged(old)).max(2) > CLOSE
    after = averaged(new)[change]
    checks.check(f"{name}: changed", float(change.mean()), 0.1)
    checks.check(f"{name}: unchanged", float(1 - change.mean()), 0.1)
    checks.check(f"{name}: green of what changed", float(np.mean(after[:, 1] + 1 >= after[:, [0, 2]].max(1))), 0.99)


def check_tint(checks: Checks, name: str, old: Picture, new: Picture) -> None:
    """Compares the new picture with the old one times the tint. Seams and black luxels would differ from this. Sky,
    liquids and vertex-lit surfaces, some 3 of 100 pixels, have no luxels."""
    checks.check(f"{name}: lit as before, times the tint", share_close(old * TINT, new), 0.965)
    black = (new.max(2) <= 1) & (old.max(2) > 8)
    checks.check(f"{name}: not black where it was lit", float(1 - black.mean()), 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--out", type=Path, help="where pictures are left, to be looked at")
    parser.add_argument("--no-engine", action="store_true", help="bspscene's own pictures alone")
    options = parser.parse_args()
    engine = "" if options.no_engine else find_engine()
    if isinstance(engine, str) and engine:
        print(f"skipped: {engine}")
        return 77
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        base = work / "base" / "baseoa"
        missing = prepare_engine(engine, base) if isinstance(engine, Path) else ""
        if missing:
            print(f"skipped: {missing}")
            return 77
        out = options.out or work / "pictures"
        out.mkdir(parents=True, exist_ok=True)
        old = copy_game("quake3", work / "quake3", "atrium")
        games = {"old": old, "green": work / "green", "tint": work / "tint"}
        part = faces_of_a_part(old / "maps" / "atrium.bsp")
        relight(options.program, old, games["green"], part, green, work)
        check_bytes(checks, old / "maps" / "atrium.bsp", games["green"] / "maps" / "atrium.bsp", work / "green.atlas",
                    part)
        relight(options.program, old, games["tint"], None, tint, work)
        ours: dict[str, dict[str, Picture]] = {}
        theirs: dict[str, dict[str, Picture]] = {}
        for name, game in games.items():
            ours[name] = {kind: take_ours(options.program, game, kind, out / f"quake3.{name}.{kind}.png")
                          for kind in MOMENTS}
            if isinstance(engine, Path):
                theirs[name] = take_engine(base, game, work / f"home.{name}")
                for kind, picture in theirs[name].items():
                    Image.fromarray(picture.astype(np.uint8)).save(out / f"openarena.{name}.{kind}.png")
                    checks.check(f"{name}.{kind}: our picture and the engine's",
                                 share_close(ours[name][kind], picture), 0.97)
        for who, pictures in (("ours", ours), ("the engine's", theirs)):
            if pictures:
                check_green(checks, who, pictures["old"]["lightmap"], pictures["green"]["lightmap"])
                check_tint(checks, who, pictures["old"]["lightmap"], pictures["tint"]["lightmap"])
        goldsrc = copy_game("goldsrc", work / "goldsrc", "atrium_wad")
        relight(options.program, goldsrc, work / "goldsrc.tint", None, tint, work)
        before = take_ours(options.program, goldsrc, "lightmap", out / "goldsrc.old.png")
        after = take_ours(options.program, work / "goldsrc.tint", "lightmap", out / "goldsrc.tint.png")
        check_tint(checks, "GoldSrc", before, after)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
