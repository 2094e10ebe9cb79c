#!/usr/bin/env python3
"""Imports maps into Blender, writes them with Blender's own exporters, and lets three.js draw the files. Compares these
pictures with those that `render` draws from the same camera.

    exports.py --bspscene BUILD/bspscene --library LIBRARY [--real] [--out DIR] [--maps NAME,...] [--python PYTHON]

Prints a table. Each of its numbers is a share of the picture's 8x8 blocks without sky: those whose mean differs from
`render`'s by at most 16 of 255. Files are written with the exporters' defaults (FBX with its pictures embedded), once
from "Copy for export, with light" and once from "For export". The maps are the atriums of four games, or with --real
those of compare_light.py. USD is written as text and packed as USDZ for three.js, whose reader supports few of its
statements. Debian's Blender cannot write USD. PYTHON has the module bpy and is started instead of Blender. Needs
Blender and what compare_programs.py needs; without these the exit code is 77.
"""
import os
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[1]
METERS = 0.0254
FORMATS = {"glb": 1, "fbx": 100, "obj": 1, "usdz": 1}    # units of the file in a meter: FBX has centimeters
LEAST_NEAR = 0.9    # the test fails if the glTF of the copy with light has a smaller share of similar blocks


def write(path: str, out: str, shading: str, map_name: str = "") -> None:
    """Runs inside Blender: imports a map and writes OUT.glb, .fbx, .obj and .usda."""
    import bpy
    import addon_utils  # part of Blender; can be found only after bpy is imported
    sys.path.insert(0, str(TESTS / "addon/support"))
    import numpy
    numpy.bool = bool  # type: ignore  # Debian's glTF exporter needs this name, which Debian's numpy lacks
    from blender_support import addon
    from io_scene_bspscene import importer
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for name in ("io_scene_gltf2", "io_scene_fbx"):
        addon_utils.enable(name)
    addon.register()
    bpy.context.preferences.addons.new().module = "io_scene_bspscene"
    bpy.ops.wm.save_as_mainfile(filepath=out + ".blend")
    root = addon.import_map(path, map=map_name, lights=False, cameras=False)
    if shading == "copy":
        importer.copy_with_light(root)
    else:
        addon.switch_materials(root, "EXPORT")
    bpy.ops.export_scene.gltf(filepath=out + ".glb")
    bpy.ops.export_scene.fbx(filepath=out + ".fbx", path_mode="COPY", embed_textures=True)
    bpy.ops.wm.obj_export(filepath=out + ".obj", path_mode="COPY")
    if "usd_export" not in dir(bpy.ops.wm):
        return
    turned = {"convert_orientation": True} if bpy.app.version >= (4, 2) else {}   # three.js expects Y up
    bpy.ops.wm.usd_export(filepath=out + ".usda", **turned)
    with zipfile.ZipFile(out + ".usdz", "w") as package:
        package.write(out + ".usda", "main.usda")
        for picture in (Path(out).parent / "textures").glob("*"):
            package.write(picture, f"textures/{picture.name}")


def start_of(python: str | None) -> list:
    if python:
        return [python, __file__]
    return [os.environ.get("BSPSCENE_BLENDER", "blender"), "-b", "--factory-startup", "--python-exit-code", "1",
            "--python", __file__]


def compare(comparison, one, library: str, start: list):
    """Prints the rows of the table for one map. Yields a line for each problem."""
    import subprocess

    import run
    from compare_programs import blocks, np, NEAR, shown
    from compare_light import HEIGHT, STYLES, WIDTH
    game = comparison.render(one, one.name + "_game.png")
    sky = comparison.render(one, one.name + "_dark.png", *STYLES).max(axis=2, keepdims=True) > 0
    solid = blocks(sky.astype(float))[:, :, 0] == 0
    for shading in ("copy", "export"):
        folder = comparison.out / f"{one.name}_{shading}"
        folder.mkdir(exist_ok=True)
        command = [*start, "--", one.path, folder / "map", shading, *one.options[1:]]
        subprocess.run(command, check=True, env=run.environment(library), stdout=subprocess.DEVNULL)
        cells = []
        for ending, factor in FORMATS.items():
            file, picture = folder / f"map.{ending}", folder / f"{ending}.png"
            seen = shown(["node", TESTS / "gltf/viewer/view.mjs", file, picture, "--size", f"{WIDTH}x{HEIGHT}",
                          "--meters", str(METERS * factor), "--eye=" + " ".join(map(str, one.eye))], picture)
            near = None
            if seen is not None and solid.any():   # a camera that sees only the sky has nothing to compare
                near = (np.abs(blocks(seen) - blocks(game)).max(axis=2) <= NEAR)[solid].mean()
            cells.append("-" if near is None else f"{near:.3f}")
            if (shading, ending) == ("copy", "glb") and (near is None or near < LEAST_NEAR):
                yield f"{one.name}: {cells[-1]} of the blocks of the copy as glTF are within {NEAR} of render's"
        print(f"| {one.name} | {shading} | {' | '.join(cells)} |", flush=True)


def main() -> int:
    import argparse
    import tempfile
    sys.path[:0] = [str(TESTS / "addon"), str(TESTS / "gltf/viewer")]
    from compare_light import Comparison, fixtures, real_maps
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True, type=Path)
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--maps", type=lambda text: text.split(","))
    parser.add_argument("--python")
    arguments = parser.parse_args()
    maps = [one for one in (real_maps() if arguments.real else fixtures())
            if not arguments.maps or one.name in arguments.maps]
    problems = []
    print(f"| map | shading | {' | '.join(FORMATS)} |\n|---|---|{'---|' * len(FORMATS)}")
    with tempfile.TemporaryDirectory() as work:
        out = (arguments.out or Path(work)).resolve()
        out.mkdir(parents=True, exist_ok=True)
        for one in maps:
            problems += compare(Comparison(arguments.bspscene, out), one, str(arguments.library),
                                start_of(arguments.python))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    if "--" in sys.argv:
        write(*sys.argv[sys.argv.index("--") + 1:])
    else:
        sys.exit(main())
