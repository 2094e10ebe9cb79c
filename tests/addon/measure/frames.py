"""Runs inside Blender: imports maps, and renders them from the cameras of frames that the games' engines drew. Compares
the pictures with these frames.

    blender -b --factory-startup --python-exit-code 1 --python frames.py --
        [--engine CYCLES|EEVEE] [--only NAME] [--mode lightmap|full] [--out DIRECTORY]

Needs BSPSCENE_SHARED_DATA (engine_frames and maps) and BSPSCENE_OPENARENA (pk3 files); EEVEE needs a display. `within8`
is the share of pixels whose largest channel is off by at most 8 of 255, with both pictures reduced to half size, so
that filtering and edges matter little. Compares every fourth OpenArena map by name, which gives ten, and the atriums of
other games.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import bpy
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from blender_support import addon  # noqa: E402
from eye import averaged, pixels, set_up_picture, turned, within8  # noqa: E402

SKIPPED = 77
EVERY = 4                     # one of this many OpenArena frames is compared
LEAST = {"lightmap": 0.85, "full": 0.75}
SHADING = {"lightmap": "LIGHT", "full": "GAME"}
# The map times in seconds at which the engines drew their frames (tests/parity tells how they were found). In the other
# sets of frames nothing moves.
MOMENTS = {"quake3": {"full": 2.1, "lightmap": 3.27}, "quake3_atrium": {"full": 2.1, "lightmap": 3.27}}
RATE = 100                    # frames per second, by which times are converted to frame numbers
INTENSITY = {"quake2": 1.0}   # light scale that the engine was set to, where it is not the default


def frames(data: Path, openarena: str) -> list:
    """Returns tuples (set, name, camera, path, name of the map in it) of the frames whose maps are installed."""
    found = []
    for folder in sorted((data / "engine_frames").iterdir()):
        cameras = json.loads((folder / "cameras.json").read_text())
        if folder.name == "quake3":
            names = sorted(cameras)[::EVERY] if openarena else []
            found += [(folder.name, name, cameras[name], openarena, name) for name in names]
        elif "atrium" in cameras and (data / cameras["atrium"]["map"]).is_file():
            found.append((folder.name, "atrium", cameras["atrium"], str(data / cameras["atrium"]["map"]), ""))
    return found


def save_difference(ours: numpy.ndarray, wanted: numpy.ndarray, path: str) -> None:
    """Saves our picture, the engine's, and four times the difference side by side."""
    strip = numpy.concatenate([ours, wanted, numpy.minimum(numpy.abs(ours - wanted) * 4, 255)], axis=1) / 255
    image = bpy.data.images.new("difference", strip.shape[1], strip.shape[0])
    image.pixels.foreach_set(numpy.dstack([strip, numpy.ones(strip.shape[:2])]).astype(numpy.float32).ravel())
    image.filepath_raw, image.file_format = path, "PNG"
    image.save()


def render(engine: str, frame: tuple, mode: str, path: str) -> None:
    folder, _, camera, map_path, name = frame
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = RATE
    moving = folder in MOMENTS
    root = addon.import_map(map_path, map=name, shading=SHADING[mode], sky_world=True, lights=False, entities=False,
                               cameras=False, animate=moving, intensity=INTENSITY.get(folder, 0.0), lightmaps="PACK")
    for layer in bpy.context.view_layer.layer_collection.children[root.name].children:
        layer.exclude = layer.exclude or layer.name.startswith("Brush entities")
    turn = turned(camera.get("pitch", 0), camera.get("yaw", 0), camera.get("roll", 0))
    set_up_picture(engine, camera["origin"], turn)
    scene.frame_set(round(MOMENTS[folder][mode] * RATE) if moving else 0)
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)


def compare(engine: str, frame: tuple, mode: str, data: Path, out: Path) -> float:
    folder, name = frame[:2]
    path = str(out / f"{folder}.{name}.{mode}.png")
    began = time.perf_counter()
    render(engine, frame, mode, path)
    wanted = pixels(str(data / "engine_frames" / folder / f"{name}.{mode}.png"))
    ours = averaged(pixels(path))
    wanted = averaged(wanted)
    save_difference(ours, wanted, path)
    share = within8(ours, wanted)
    print(f"FRAME {folder:14} {name:20} {mode:9} {share:.4f}  {time.perf_counter() - began:.1f} s", flush=True)
    return share


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="CYCLES")
    parser.add_argument("--only", default="")
    parser.add_argument("--mode", default="")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "bspscene_frames")
    arguments = parser.parse_args(sys.argv[sys.argv.index("--") + 1:])
    data = Path(os.environ.get("BSPSCENE_SHARED_DATA", "/nowhere"))
    if not (data / "engine_frames").is_dir():
        print("skipped: BSPSCENE_SHARED_DATA does not name a folder with engine_frames")
        return SKIPPED
    engine = arguments.engine
    if engine == "EEVEE":
        known = bpy.types.RenderSettings.bl_rna.properties["engine"].enum_items.keys()
        engine = "BLENDER_EEVEE_NEXT" if "BLENDER_EEVEE_NEXT" in known else "BLENDER_EEVEE"
    arguments.out.mkdir(parents=True, exist_ok=True)
    chosen = [f for f in frames(data, os.environ.get("BSPSCENE_OPENARENA", "")) if arguments.only in f[1]]
    failed = 0
    for mode in [m for m in LEAST if arguments.mode in m]:
        taken = [f for f in chosen if (data / "engine_frames" / f[0] / f"{f[1]}.{mode}.png").is_file()]
        shares = [compare(engine, frame, mode, data, arguments.out) for frame in taken]
        median = statistics.median(shares)
        print(f"{engine} {mode}: median {median:.4f} of {len(shares)}, wanted {LEAST[mode]}; lowest {min(shares):.4f}")
        failed += median < LEAST[mode]
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
