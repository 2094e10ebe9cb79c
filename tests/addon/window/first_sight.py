"""Runs inside Blender with a window: a map that is imported by the dialog with its defaults must look like the picture
of `bspscene render` from the same view.

    blender --enable-event-simulate --factory-startup --python first_sight.py -- BSPSCENE MAP LEAST [PICTURES]

MAP is one of OpenArena's (BSPSCENE_OPENARENA); LEAST the share of the 3D view's pixels that must be within 16 of 255.
"""
import math
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import bpy
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from blender_support import METERS, OPENARENA, addon  # noqa: E402
from eye import pixels  # noqa: E402
from window import area, choose, dialog, maps, run, window  # noqa: E402

WITHIN = 16
OVER_THE_VIEW = ("HEADER", "TOOL_HEADER", "TOOLS", "UI")
REDRAWS = 60    # number of ticks in which the viewport can collect samples
SKIPPED = 77


def game_with(name: str, folder: str) -> Path:
    """Makes a game directory with OpenArena's archives and the map as a file."""
    game = Path(folder) / "baseoa"
    (game / "maps").mkdir(parents=True)
    for archive in sorted(OPENARENA.glob("*.pk3")):
        (game / archive.name).symlink_to(archive)
        with zipfile.ZipFile(archive) as content:
            if f"maps/{name}.bsp" in content.namelist():
                (game / f"maps/{name}.bsp").write_bytes(content.read(f"maps/{name}.bsp"))
    return game / f"maps/{name}.bsp"


def screenshot(folder: str) -> tuple:
    """Takes a screenshot. Returns the pixels of the 3D view, and an array that is True for each pixel that no other
    region covers."""
    path = os.path.join(folder, "screen.png")
    with bpy.context.temp_override(window=window()):
        bpy.ops.screen.screenshot(filepath=path)
    screen = pixels(path)
    view = next(r for r in area("VIEW_3D").regions if r.type == "WINDOW")
    free = numpy.ones((view.height, view.width), bool)
    for region in area("VIEW_3D").regions:
        if region.type in OVER_THE_VIEW and region.width > 1:
            x, y = region.x - view.x, region.y - view.y
            free[max(y, 0):y + region.height, max(x, 0):x + region.width] = False
    return screen[view.y:view.y + view.height, view.x:view.x + view.width], free


def rendered(program: str, path: Path, folder: str) -> numpy.ndarray:
    """Returns our renderer's picture from the position of the 3D view."""
    view = next(r for r in area("VIEW_3D").regions if r.type == "WINDOW")
    region = area("VIEW_3D").spaces.active.region_3d
    place = region.view_matrix.inverted()
    eye, ahead = place.translation / METERS, -place.col[2].xyz
    pitch, yaw = -math.degrees(math.asin(ahead.z)), math.degrees(math.atan2(ahead.y, ahead.x))
    fov = 2 * math.degrees(math.atan(1 / region.window_matrix[0][0]))
    target = os.path.join(folder, "wanted.png")
    subprocess.run([program, "render", str(path), target, "--quiet", "--size", f"{view.width}x{view.height}",
                    "--fov", f"{fov:.4f}",
                    "--camera", f"{eye.x:.3f},{eye.y:.3f},{eye.z:.3f},{pitch:.4f},{yaw:.4f}"], check=True)
    return pixels(target)


def test_first_sight():
    program, name, least, *pictures = sys.argv[sys.argv.index("--") + 1:]
    with tempfile.TemporaryDirectory() as folder:
        path = game_with(name, folder)
        yield from dialog()
        yield from choose(path)
        while not maps():
            yield
        for _ in range(REDRAWS):
            yield
        place = pictures[0] if pictures else folder
        seen, free = screenshot(place)
        wanted = rendered(program, path, place)
    off = numpy.abs(seen - wanted).max(axis=2)
    share = float((off <= WITHIN)[free].mean())
    print(f"{name}: {share:.4f} of {int(free.sum())} pixels within {WITHIN} (at least {least})", flush=True)
    assert share >= float(least), share


if not OPENARENA.is_dir():
    print("skipped: BSPSCENE_OPENARENA names no directory")
    sys.stdout.flush()
    os._exit(SKIPPED)
addon.register()
run([test_first_sight])
