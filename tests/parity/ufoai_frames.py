#!/usr/bin/env python3
"""Compares our pictures of UFO: Alien Invasion's maps with frames that its engine draws for the test.

    ufoai_frames.py --bspscene BUILD/bspscene [--ufoai BASE] [--out DIR] [--only MAP]

Uses five maps without moving liquids, by day and by night, seen from above, and compares the pixels that show the map.
Needs the game (`ufoai`, with data in BASE, $BSPSCENE_UFOAI or Debian's folder), Xvfb, numpy and Pillow; without them
the test is skipped.

The engine reads commands from a pipe. Its settings:
* `r_bumpmap` stays on: without it the engine binds no light directions and draws the world black. As `render` has no
  bumps, the test adds flat normal maps, which the engine finds first.
* `centercamera` looks at the center of the map. The test guesses this position, and searches near it for the one where
  the pictures agree best. The pointer is in the middle of the window, or sometimes in its upper left corner, where it
  scrolls the map; then the frame is drawn again.
* `cl_centerview 0`: otherwise the camera moves to a soldier while frames are taken.
* Compression of textures, fog, weather, glow and soldiers are off. Brush entities and models are hidden."""

import argparse
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

import numpy as np
from parity import SKIPPED, compare
from PIL import Image

ENGINE = pathlib.Path("/usr/lib/ufoai/ufo")
DEBIAN = pathlib.Path("/usr/share/games/ufoai/base")
MAPS = ["small_house", "gate", "neighborhood", "estate", "office"]
SETS = ["day", "night"]
# The least allowed median and the least allowed minimum of the shares of pixels that agree. The picture of office by
# day has a share of 0.857, because the engine's dirt is elsewhere.
MEDIAN, MINIMUM = 0.95, 0.85
PITCH, YAW, ZOOM = 60, 215, 75 / 90    # with this zoom the field of view is 90 degrees
LEVEL = 8
WIDTH, HEIGHT, CURSOR, TRIES = 640, 480, 16, 5   # CURSOR is the number of top rows in which the pointer may be
SETTINGS = {
    "s_language": "en", "cl_name": "x", "cl_introshown": 1, "cl_centerview": 0, "cl_campitchmin": 0, "sv_ai": 0,
    "r_screenshot_format": "png", "r_ext_texture_compression": 0, "r_multisample": 0, "r_programs": 1,
    "r_postprocess": 0, "r_fog": 0, "r_flares": 0, "r_coronas": 0, "r_particles": 0, "r_drawentities": 0,
    "cl_particleweather": 0, "vid_grabmouse": 0,
}


class Engine:
    """Runs the game with its own home directory and display."""

    def __init__(self, data, folder):
        self.base = folder / ".ufoai/2.5/base"
        self.base.mkdir(parents=True)
        settings = "".join(f"set {name} {value}\n" for name, value in SETTINGS.items())
        (self.base / "config.cfg").write_text(settings)
        flatten_normals(data, self.base)
        self.log = folder / "log"
        self.told = 0
        options = {"vid_fullscreen": 0, "snd_init": 0, "vid_mode": -1, "vid_width": WIDTH, "vid_height": HEIGHT,
                   "com_pipefile": "commands"}
        words = [word for name, value in options.items() for word in ("+set", name, str(value))]
        self.screen, self.display = start_screen()
        environment = dict(os.environ, HOME=str(folder), LIBGL_ALWAYS_SOFTWARE="1", SDL_AUDIODRIVER="dummy",
                           DISPLAY=self.display)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([str(ENGINE), *words], cwd=ENGINE.parent, env=environment,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def said(self):
        return self.log.read_text(errors="replace")

    def wait(self, words, count=1):
        while self.said().count(words) < count:
            if self.process.poll() is not None:
                raise SystemExit(f"the engine ended without \"{words}\":\n{self.said()[-1000:]}")
            time.sleep(0.1)

    def write(self, command):
        pipe = os.open(self.base / "commands", os.O_WRONLY)
        os.write(pipe, command.encode() + b"\n")
        os.close(pipe)

    def tell(self, *commands):
        """Sends commands in separate frames. The engine loses commands that arrive while it reads others. So this waits
        for an answer to each command before it sends the next one."""
        for command in commands:
            self.write(command)
            self.told += 1
            answer = f"answer {self.told}."
            while answer not in self.said():
                if self.process.poll() is not None:
                    raise SystemExit(f"the engine ended at {command}:\n{self.said()[-1000:]}")
                time.sleep(0.5)
                self.write(f"echo {answer}")
                time.sleep(0.5)

    def frame(self, picture):
        taken = self.said().count("Wrote scrnshot") + 1
        self.tell("r_screenshot png")
        self.wait("Wrote scrnshot", taken)
        newest = max((self.base / "scrnshot").iterdir(), key=lambda path: path.name)
        Image.open(newest).convert("RGB").save(picture)

    def end(self):
        for process in (self.process, self.screen):
            process.kill()
            process.wait()


def start_screen():
    """Starts Xvfb. Returns it and the display that it chose."""
    read, write = os.pipe()
    words = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
    screen = subprocess.Popen(words, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as told:
        return screen, f":{told.readline().strip()}"


def flatten_normals(data, base):
    flat = Image.new("RGBA", (8, 8), (128, 128, 255, 128))
    for archive in sorted(data.glob("*.pk3")):
        with zipfile.ZipFile(archive) as packed:
            for name in packed.namelist():
                path = base / name
                if path.stem.endswith("_nm") and name.startswith("textures/"):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    flat.save(path.with_suffix(".png"))


def is_scrolled(picture):
    """True if the engine's green pointer is in the corner."""
    corner = np.asarray(Image.open(picture))[:CURSOR, :CURSOR].astype(int)
    return bool((corner[:, :, 1] - corner[:, :, 0] > 100).any())


def draw(data, name, light, picture):
    for _ in range(TRIES):
        draw_once(data, name, light, picture)
        if not is_scrolled(picture):
            return
    raise SystemExit(f"{name}: the pointer was in the corner {TRIES} times")


def draw_once(data, name, light, picture):
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(data, pathlib.Path(folder))
        try:
            engine.wait("UFO Initialized")
            engine.tell("game_setmode skirmish", f"map {light} {name}")
            engine.wait("clumps of grass")
            engine.tell("cl_ready 1")
            engine.wait("Starting the game")
            engine.tell("ui_pop", "ui_push hud_nohud", f"set cl_worldlevel {LEVEL - 1}",
                        f"camsetangles {PITCH} {YAW}", f"camsetzoom {ZOOM:.7f}", "centercamera")
            time.sleep(10)             # time for the camera, which rises slowly
            engine.frame(picture)
        finally:
            engine.end()


def highest_level(arguments, name):
    """Returns the level to show, because the engine shows no level above the map's highest."""
    run = subprocess.run([arguments.bspscene, "entities", str(arguments.ufoai), "--map", name, "--quiet"],
                         capture_output=True, text=True, check=True)
    found = re.search(r'"maxlevel"\s+"(\d+)"', run.stdout)
    return min(int(found[1]), LEVEL) if found else LEVEL


def eye_above(x, y, level):
    """Returns the position of the engine's camera when it looks at x, y, as in battlescape/cl_camera."""
    pitch, yaw, distance = math.radians(PITCH), math.radians(YAW), 600 / ZOOM
    return (x - distance * math.cos(pitch) * math.cos(yaw), y - distance * math.cos(pitch) * math.sin(yaw),
            distance * math.sin(pitch) + 96 / ZOOM + 64 * (level - 1))


def render(arguments, name, light, middle, picture):
    level = highest_level(arguments, name)
    view = ",".join(repr(value) for value in (*eye_above(*middle, level), PITCH, YAW))
    subprocess.run([arguments.bspscene, "render", str(arguments.ufoai), str(picture), "--map", name,
                    "--light-set", light, "--level", str(level), "--world-only", "--quiet", "--samples", "1",
                    "--size", f"{WIDTH}x{HEIGHT}", "--fov", "90", f"--camera={view}"], check=True)


def below_cursor(picture):
    cropped = picture.with_suffix(".cropped.png")
    Image.open(picture).convert("RGB").crop((0, CURSOR, WIDTH, HEIGHT)).save(cropped)
    return cropped


def shown(*pictures):
    """Returns the share of pixels that show the map in any of these pictures. Pixels around the map are black, because
    there is no sky."""
    lit = [np.asarray(Image.open(picture)).max(2) > 3 for picture in pictures]
    return float(np.logical_or.reduce(lit).mean())


def score(arguments, name, light, middle, frame):
    ours = arguments.out / f"{name}.{light}.ours.png"
    render(arguments, name, light, middle, ours)
    difference = arguments.out / f"{name}.{light}.diff.png"
    pictures = below_cursor(frame), below_cursor(ours)
    within8, within16, error = compare(*pictures, difference, None)
    covered = shown(*pictures)
    return 1 - (1 - within8) / covered, 1 - (1 - within16) / covered, error, covered


def fit(arguments, name, light, frame, middle, steps):
    """Returns the position near `middle` at which our picture agrees best with the engine's."""
    best = score(arguments, name, light, middle, frame)
    for step in steps:
        moved = True
        while moved:
            moved = False
            for x, y in ((step, 0), (-step, 0), (0, step), (0, -step)):
                other = (middle[0] + x, middle[1] + y)
                found = score(arguments, name, light, other, frame)
                if found[2] < best[2]:
                    middle, best, moved = other, found, True
    return middle, best


def guess(arguments, name):
    """Returns the center of the map, which is near the point that the engine looks at."""
    run = subprocess.run([arguments.bspscene, "info", str(arguments.ufoai), "--map", name, "--json"],
                         capture_output=True, text=True, check=False)
    bounds = json.loads(run.stdout)["bounds"]
    return tuple(round((least + most) / 2) for least, most in zip(bounds["min"][:2], bounds["max"][:2]))


def missing(arguments):
    if not ENGINE.is_file():
        return f"the game is not installed ({ENGINE})"
    if not shutil.which("Xvfb"):
        return "Xvfb is not installed"
    return "" if (arguments.ufoai / "0maps.pk3").is_file() else f"no 0maps.pk3 in {arguments.ufoai}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--ufoai", type=pathlib.Path, default=pathlib.Path(os.environ.get("BSPSCENE_UFOAI") or DEBIAN))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("parity"))
    parser.add_argument("--only", default="")
    parser.add_argument("--frames", action="store_true", help="frames that are in --out already are not drawn again")
    arguments = parser.parse_args()
    trouble = missing(arguments)
    if trouble:
        print(f"skipped: {trouble}")
        return SKIPPED
    arguments.out.mkdir(parents=True, exist_ok=True)
    scores = []
    print(f"{'frame':20} within8 within16    mae  map in picture, camera over")
    for name in MAPS:
        middle, steps = guess(arguments, name), (8, 2, 1)
        for light in SETS if not arguments.only or arguments.only in name else []:
            frame = arguments.out / f"{name}.{light}.frame.png"
            if not (arguments.frames and frame.is_file()):
                draw(arguments.ufoai, name, light, frame)
            middle, found = fit(arguments, name, light, frame, middle, steps)
            steps = (1,)               # one small step, because the camera is where it was by day
            scores.append(found[0])
            print(f"{name + ' ' + light:20} {found[0]:7.4f}  {found[1]:7.4f} {found[2]:6.2f}  {found[3]:5.2f} {middle}",
                  flush=True)
    middle_score, least = statistics.median(scores), min(scores)
    print(f"median {middle_score:.4f}, minimum {least:.4f} of {len(scores)} frames")
    return 0 if middle_score >= MEDIAN and least >= MINIMUM else 1


if __name__ == "__main__":
    sys.exit(main())
