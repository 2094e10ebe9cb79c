#!/usr/bin/env python3
"""Writes new light into Quake's atrium, and lets QuakeSpasm draw it. repaint.py does the same with Quake III's atrium
and OpenArena's engine.

repaint_quake.py PATH/TO/bspscene [--out DIR]; exit code 77: skipped, with the reason. Needs Debian's quakespasm, Xvfb,
fteqcc and libnss-wrapper, numpy and Pillow, but no data of id's game: the engine gets the minimum that it needs, a
small program (onlooker.qc), an empty font and empty pictures.
"""
from __future__ import annotations

import argparse
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import repaint
from repaint import SIZE, Checks, Picture
from PIL import Image

ENGINE = Path("/usr/games/quakespasm")
HERE = Path(__file__).resolve().parent
# The position of the map's intermission. The protocol divides a turn into 256 angles, so angles are multiples of 360 /
# 256 degrees.
CAMERA = "32,-480,378,19.6875,135,0"
MOST_SECONDS, SECONDS_TO_QUIT = 300, 20
LIGHTING = 8                             # number of the map's lump of light
SETTINGS = {
    "viewsize": 120, "crosshair": 0, "r_drawviewmodel": 0, "fov": 90, "fov_adapt": 0, "gamma": 1, "contrast": 1,
    "con_notifytime": 0, "scr_conspeed": 100000, "host_maxfps": 30, "developer": 0,
}
SHOTS = ["map atrium", *["wait"] * 60, "screenshot", *["wait"] * 5, "r_lightmap 1", *["wait"] * 10, "screenshot",
         *["wait"] * 5, "quit"]


def find_wrapper() -> Path | None:
    """Finds the library that gives the engine another home directory. To set HOME would not suffice, because the
    engine asks the system for the user's directory."""
    return next(Path("/usr/lib").glob("*/libnss_wrapper.so"), None)


def find_missing() -> str:
    if not ENGINE.is_file():
        return "QuakeSpasm is not installed"
    missing = [program for program in ("xvfb-run", "fteqcc") if not shutil.which(program)]
    if missing:
        return f"{missing[0]} is not installed"
    return "" if find_wrapper() else "libnss-wrapper is not installed"


# ---- Files of a small game ----------------------------------------------------------------------------------------

def picture(width: int, height: int) -> bytes:
    return struct.pack("<2i", width, height) + bytes(width * height)


def sprite(side: int, color: int = 255) -> bytes:
    """Returns a sprite with one picture of one color, by default transparent."""
    header = b"IDSP" + struct.pack("<2if3ifi", 1, 2, side, side, side, 1, 0, 0)
    return header + struct.pack("<5i", 0, -side // 2, side // 2, side, side) + bytes([color]) * side * side


def wad(lumps: dict[str, tuple[int, bytes]]) -> bytes:
    data, directory = b"", b""
    for name, (kind, lump) in lumps.items():
        directory += struct.pack("<3i2bh16s", 12 + len(data), len(lump), len(lump), kind, 0, 0, name.encode())
        data += lump
    return b"WAD2" + struct.pack("<2i", len(lumps), 12 + len(data)) + data + directory


def pak(files: dict[str, bytes]) -> bytes:
    data, directory = b"", b""
    for name, file in files.items():
        directory += struct.pack("<56s2i", name.encode(), 12 + len(data), len(file))
        data += file
    return b"PACK" + struct.pack("<2i", 12 + len(data), len(directory)) + data + directory


def compile_program(work: Path, camera: str = CAMERA) -> bytes:
    x, y, z, pitch, yaw, roll = camera.split(",")
    source = (HERE / "onlooker.qc").read_text()
    source = source.replace("ORIGIN", f"'{x} {y} {z}'").replace("ANGLES", f"'{pitch} {yaw} {roll}'")
    folder = work / "qc"
    folder.mkdir()
    (folder / "onlooker.qc").write_text(source)
    (folder / "progs.src").write_text("progs.dat\nonlooker.qc\n")
    done = subprocess.run(["fteqcc"], cwd=folder, capture_output=True, text=True, check=False)
    program = folder / "progs.dat"
    if done.returncode or not program.is_file():
        sys.exit(f"fteqcc: {done.stdout}{done.stderr}")
    return program.read_bytes()


def make_game(program: bytes, game: Path, shows_entities: bool) -> bytes:
    """Makes quakespasm.pak, the engine's own archive. The engine refuses other archives, unless they are those of the
    commercial game."""
    pictures = {f"gfx/{name}.lmp": picture(8, 8) for name in ("conback", "loading", "pause", "complete")}
    wanted = {**SETTINGS, "r_drawentities": int(shows_entities)}
    settings = "".join(f"{name} {value}\n" for name, value in wanted.items())
    return pak({
        **pictures, "progs.dat": program, "progs/player.mdl": sprite(8),
        "gfx/palette.lmp": (game / "gfx" / "palette.lmp").read_bytes(), "gfx/colormap.lmp": bytes(64 * 256 + 1),
        "gfx.wad": wad({"conchars": (0x44, bytes(128 * 128)), "disc": (0x42, picture(24, 24)),
                        "backtile": (0x42, picture(64, 64))}),
        "default.cfg": settings.encode(), "quake.rc": "\n".join(["exec default.cfg", *SHOTS, ""]).encode(),
        **{f"{path.parent.name}/{path.name}": path.read_bytes()
           for path in (*(game / "maps").glob("atrium.*"), *(game / "progs").glob("*"))},
    })


def take_engine(program: bytes, game: Path, base: Path, shows_entities: bool = False) -> dict[str, Picture]:
    home = base / "home"
    (base / "id1").mkdir(parents=True)
    home.mkdir()
    (base / "quakespasm.pak").write_bytes(make_game(program, game, shows_entities))
    (base / "passwd").write_text(f"onlooker:x:{os.getuid()}:{os.getgid()}::{home}:/bin/sh\n")
    (base / "group").write_text(f"onlooker:x:{os.getgid()}:\n")
    wrapper = [f"LD_PRELOAD={find_wrapper()}", f"NSS_WRAPPER_PASSWD={base / 'passwd'}",
               f"NSS_WRAPPER_GROUP={base / 'group'}"]
    words = [ENGINE, "-basedir", base, "-nosound", "-nojoy", "-window", "-width", SIZE[0], "-height", SIZE[1]]
    log = base / "engine.log"
    paths = [home / ".quakespasm" / "id1" / f"spasm{number:04}.png" for number in range(2)]
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(base)}
    with log.open("w") as out:
        engine = subprocess.Popen(["xvfb-run", "-a", "-s", "-screen 0 640x480x24", "env", *wrapper, *map(str, words)],
                                  stdout=out, stderr=subprocess.STDOUT, env=environment, start_new_session=True)
        wait_for(engine, paths)
    if not all(path.is_file() for path in paths):
        sys.exit(f"the engine took no picture:\n{log.read_text(errors='replace')[-2000:]}")
    return dict(zip(("full", "lightmap"), map(repaint.read_picture, paths)))


def wait_for(engine: subprocess.Popen[bytes], pictures: list[Path]) -> None:
    """Waits until the engine has ended. On a busy machine it may hang at exit; then its pictures exist and it is
    killed."""
    left = MOST_SECONDS
    while left and engine.poll() is None:
        time.sleep(1)
        left -= 1
        if all(path.is_file() for path in pictures):
            left = min(left, SECONDS_TO_QUIT)
    if engine.poll() is None:
        os.killpg(engine.pid, signal.SIGKILL)
        engine.wait()


# ---- Checks --------------------------------------------------------------------------------------------------------

def faces_of_a_part(path: Path) -> set[int]:
    """Returns the faces with x below 0."""
    data = path.read_bytes()
    starts = [struct.unpack_from("<2i", data, 4 + 8 * i) for i in range(15)]
    (vertices, _), (faces, size), (edges, _), (surfedges, _) = starts[3], starts[7], starts[12], starts[13]
    chosen = set()
    for number in range(size // 20):
        first, count = struct.unpack_from("<iH", data, faces + 20 * number + 4)
        right = []
        for i in range(first, first + count):
            edge = struct.unpack_from("<i", data, surfedges + 4 * i)[0]
            vertex = struct.unpack_from("<2H", data, edges + 4 * abs(edge))[edge < 0]
            right.append(struct.unpack_from("<f", data, vertices + 12 * vertex)[0])
        if max(right) <= 0:
            chosen.add(number)
    return chosen


def has_other_bytes(old: Path, new: Path) -> bool:
    """True if anything other than light differs."""
    before, after = old.read_bytes(), new.read_bytes()
    first, size = struct.unpack_from("<2i", before, 4 + 8 * LIGHTING)
    return before[:first] + before[first + size:] != after[:first] + after[first + size:]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--out", type=Path, help="where pictures are left, to be looked at")
    options = parser.parse_args()
    missing = find_missing()
    if missing:
        print(f"skipped: {missing}")
        return 77
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        out = options.out or work / "pictures"
        out.mkdir(parents=True, exist_ok=True)
        program = compile_program(work)
        old = repaint.copy_game("quake", work / "old", "atrium")
        part = faces_of_a_part(old / "maps" / "atrium.bsp")
        repaint.relight(options.program, old, work / "green", part, repaint.green, work)
        repaint.relight(options.program, old, work / "tint", None, repaint.tint, work)
        seen: dict[str, dict[str, Picture]] = {}
        for name in ("old", "green", "tint"):
            game = work / name
            checks.check(f"{name}: bytes that are no light stay",
                         not has_other_bytes(old / "maps" / "atrium.bsp", game / "maps" / "atrium.bsp"), 1)
            seen[name] = take_engine(program, game, work / f"engine.{name}")
            for kind, theirs in seen[name].items():
                Image.fromarray(theirs.astype("uint8")).save(out / f"quakespasm.{name}.{kind}.png")
                ours = repaint.take_ours(options.program, game, kind, out / f"quake.{name}.{kind}.png", CAMERA)
                checks.check(f"{name}.{kind}: our picture and the engine's", repaint.share_close(ours, theirs), 0.97)
        repaint.check_green(checks, "the engine's", seen["old"]["lightmap"], seen["green"]["lightmap"])
        repaint.check_tint(checks, "the engine's", seen["old"]["lightmap"], seen["tint"]["lightmap"])
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
