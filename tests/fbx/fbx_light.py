#!/usr/bin/env python3
"""An FBX that `convert` writes without options shows the game's light in independent readers: three.js' loader, Assimp
(three.js draws its glTF) and Blender's importers, of which the newer one is ufbx.

    fbx_light.py --bspscene BUILD/bspscene [--real] [--out DIR] [--maps NAME,...] [--python NAME=PYTHON]...

Measures the share of 8x8 blocks without sky whose mean differs from `render`'s by at most 16 of 255, from the same
camera. The map is the atrium, or with --real the maps of compare_light.py --real. PYTHON is a further reader with the
module bpy. Needs numpy, Pillow, node with three.js and Chromium; exits 77 without these. A reader that is not installed
is left out with a message."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

VIEWER = pathlib.Path(__file__).resolve().parents[1] / "gltf" / "viewer"
sys.path.insert(0, str(VIEWER))
from compare_programs import NEAR, blocks, chosen, command_line, meters_per_unit, np, shown  # noqa: E402
from compare_light import HEIGHT, STYLES, WIDTH, Comparison, fixtures, real_maps  # noqa: E402

# The least share of similar blocks. At least 0.94 was measured; it is below 1 because the baked picture is softer than
# the textures.
LEAST_NEAR = 0.9


class Reader:
    """A reader of FBX. It draws a file from a map's camera."""

    def __init__(self, name, *start):
        self.name, self.start = name, start

    def command(self, file, out, meters, eye):
        place, size = " ".join(map(str, eye)), f"{WIDTH}x{HEIGHT}"
        if self.start:
            return [*self.start, "--python", VIEWER / "compare_blender.py", "--", file, out, size, str(meters), place]
        return ["node", VIEWER / "view.mjs", file, out, "--size", size, "--meters", str(meters), f"--eye={place}"]

    def seen(self, file, out, meters, eye):
        return shown(self.command(file, out, meters, eye), out)


class Bpy(Reader):
    def command(self, file, out, meters, eye):
        return [word for word in super().command(file, out, meters, eye) if word != "--python"]


class Assimp(Reader):
    def seen(self, file, out, meters, eye):
        """Draws the glTF that Assimp makes of the file. The glTF is written into the same folder, because it refers to
        images there."""
        exported = file.with_name(file.stem + "_assimp.glb")
        subprocess.run([self.name.lower(), "export", file, exported], stdout=subprocess.DEVNULL, check=True)
        return super().seen(exported, out, meters, eye)


def readers_of(pythons):
    yield Reader("three.js")
    if shutil.which("assimp"):
        yield Assimp("Assimp")
    else:
        print("Assimp is not there (Debian: assimp-utils)")
    executable = shutil.which(os.environ.get("BSPSCENE_BLENDER", "blender"))
    if executable:
        yield Reader("Blender", executable, "-b", "--factory-startup", "--python-exit-code", "1")
    else:
        print("Blender is not there (Debian: blender)")
    for name, python in pythons:
        yield Bpy(name, python)


def compare(comparison, readers, one):
    """Prints the row of a map in the table. Yields a line for each problem."""
    meters = meters_per_unit(comparison.convert(one, one.name + ".glb"))
    fbx = comparison.convert(one, one.name + ".fbx")
    game = comparison.render(one, one.name + "_game.png")
    sky = comparison.render(one, one.name + "_dark.png", *STYLES).max(axis=2, keepdims=True) > 0
    solid = blocks(sky.astype(float))[:, :, 0] == 0
    cells = []
    for reader in readers:
        seen = reader.seen(fbx, comparison.out / f"{one.name}_{reader.name.replace(' ', '_')}.png", meters, one.eye)
        if seen is None:
            yield f"{one.name}: {reader.name} shows nothing"
            continue
        near = np.abs(blocks(seen) - blocks(game)).max(axis=2)[solid] <= NEAR
        cells.append(f"{near.mean():.3f}")
        if near.mean() < LEAST_NEAR:
            yield f"{one.name}: in {reader.name} {near.mean():.3f} of the blocks are within {NEAR} of the game's"
    print(f"| {one.name} | {' | '.join(cells)} |", flush=True)


def main():
    arguments, _ = command_line(__doc__)
    readers = list(readers_of(arguments.python))
    print(f"| map | {' | '.join(reader.name for reader in readers)} |\n|---|{'---|' * len(readers)}")
    problems = []
    with tempfile.TemporaryDirectory() as work:
        out = arguments.out or pathlib.Path(work)
        out.mkdir(parents=True, exist_ok=True)
        for one in chosen(real_maps() if arguments.real else [next(fixtures())], arguments):
            problems += compare(Comparison(arguments.bspscene, out), readers, one)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
