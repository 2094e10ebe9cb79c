#!/usr/bin/env python3
"""Draws the atrium of Quake, Quake III, GoldSrc and Source with models that the tests make.

    furnished_atrium.py --bspscene BUILD/bspscene --models WRITE_MODELS [--out DIR] [--update]

Promise: the picture shows every model where its entity places it; an independent projection computes where that is.
`furnished/GAME.txt` has the mean colors of cells of the view (--update updates them). Each model file is one mesh in a
GLB, however many entities use it. --out keeps the games and pictures. Needs numpy and Pillow."""

import argparse
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from packages import need  # noqa: E402

np, Image = need("numpy", "PIL.Image")
import compare_pictures as pictures  # noqa: E402
import source_atrium  # noqa: E402
import source_forms  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures/atrium"
VIEW, FOV = "a", 80
CELL, TOLERANCE = 10, 3    # pixels on each side of a cell; largest difference of its mean color (of 255)
EDGE = 1                   # pixels by which a model's outline may differ from its projection
SEEN = 6                   # a model covers a pixel if it changes it by more than this (of 255)

# The corners of the model, which has the same shape in every format: a crate of 16 units, with a tip on its front,
# which faces +X.
CRATE = [(x, y, z) for x in (-8, 8) for y in (-8, 8) for z in (-8, 8)] + [(16, 0, 0)]
FLOOR = 0


class Thing(typing.NamedTuple):
    """An entity, and where its model is expected: its position in the game, its angles and scale, and the height of the
    floor, which hides everything below it."""
    keys: dict
    place: tuple
    yaw: float = 0
    pitch: float = 0
    scale: float = 1
    floor: float = -math.inf


def stands(classname, model, place, yaw=0, pitch=0, **keys):
    """Returns an entity whose keys place and rotate its model, with the place that is expected."""
    words = {"classname": classname, "model": model, "origin": " ".join(map(str, place)), "angles": f"{pitch} {yaw} 0"}
    return Thing(words | keys, place, yaw, pitch)


# Three models in view, all rotated and one of them with its nose down. Items drop to the floor. Items of Quake have
# their origin there; those of Quake III stay 15 units above the floor and move up and down by 4. Weapons of Quake III
# are 8 units higher, shifted by the center of their box, and then scaled by 1.5 (CG_Item in cg_ents.c).
ROW = [((-62, -96, 150), 20, 0), ((-70, -50, 150), 135, 0), ((-40, 0, 130), 250, 40)]


def row(classname, model, **keys):
    return [stands(classname, model, place, yaw, pitch, **keys) for place, yaw, pitch in ROW]


def item(classname, place, expected, yaw=0, scale=1.0):
    words = {"classname": classname, "origin": " ".join(map(str, place)), "angle": str(yaw)}
    return Thing(words, expected, yaw, 0, scale, FLOOR)


class Game(typing.NamedTuple):
    fixture: str
    map: str
    directory_at: int          # offset of the directory in the map's header
    models: dict               # the file of write_models for each path in the game
    things: list


GAMES = {
    "quake": Game("quake", "atrium", 4, {"progs/crate.mdl": "quake_mdl-crate.mdl",
                                        "progs/armor.mdl": "quake_mdl-crate.mdl"},
                  row("misc_thing", "progs/crate.mdl") + [item("item_armor1", (-190, 60, 60), (-190, 60, 0), 30)]),
    "quake3": Game("quake3", "atrium", 8,
                   {"models/crate.md3": "md3-crate.md3", "models/weapons2/rocketl/rocketl.md3": "md3-crate.md3",
                    "models/powerups/armor/armor_red.md3": "md3-crate.md3"},
                   row("misc_thing", "models/crate.md3") +
                   [item("item_armor_body", (-190, 60, 60), (-190, 60, 19)),
                    item("weapon_rocketlauncher", (-265, 55, 60), (-265 - 4, 55, 27), 0, 1.5)]),
    "goldsrc": Game("goldsrc", "atrium_wad", 4, {"models/crate.mdl": "goldsrc_mdl-crate.mdl"},
                    row("cycler", "models/crate.mdl")),
    "source": Game("quake2_q2map", "atrium", 8, {"models/test/crate.mdl": "source_mdl-crate.mdl",
                                                "models/test/crate.vvd": "source_mdl-crate.vvd",
                                                "models/test/crate.dx90.vtx": "source_mdl-crate.dx90.vtx"},
                   row("prop_dynamic", "models/test/crate.mdl")),
}


# ---- Games ------------------------------------------------------------------------------------------------------

def add_entities(path, directory_at, things):
    """Adds entities to the map. Its first lump, the entities, is moved to the end of the file."""
    data = bytearray(path.read_bytes())
    at, size = struct.unpack_from("<2i", data, directory_at)
    text = bytes(data[at:at + size]).rstrip(b"\0")
    for thing in things:
        text += b"{\n" + b"".join(f'"{key}" "{value}"\n'.encode() for key, value in thing.keys.items()) + b"}\n"
    struct.pack_into("<2i", data, directory_at, len(data), len(text) + 1)
    path.write_bytes(bytes(data) + text + b"\0")


def is_checkerboard():
    """Makes a picture of four squares with four colors, so that a picture of a model shows how its texture is
    oriented."""
    colors = np.array([[[200, 60, 40], [230, 200, 90]], [[60, 90, 200], [90, 200, 110]]], np.uint8)
    return Image.fromarray(colors.repeat(8, 0).repeat(8, 1))


def add_texture(name, folder):
    if name == "quake3":
        is_checkerboard().save(folder / "models/crate.tga")
    if name == "source":
        materials = folder / "materials/models/test"
        materials.mkdir(parents=True)
        pixels = is_checkerboard().convert("RGBA").tobytes("raw", "BGRA")
        materials.joinpath("crate.vtf").write_bytes(source_forms.vtf(16, 16, source_forms.BGRA8888, pixels))
        materials.joinpath("crate.vmt").write_text('VertexLitGeneric { $basetexture "models/test/crate" }\n')


def make_game(bspscene, name, game, models, folder):
    """Makes the game, and returns the path of the map."""
    if name == "source":
        path = source_atrium.make_game(bspscene, folder)
    else:
        shutil.copytree(FIXTURES / game.fixture, folder)
        path = folder / "maps" / f"{game.map}.bsp"
    add_entities(path, game.directory_at, game.things)
    for target, file in game.models.items():
        folder.joinpath(target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(models / file, folder / target)
    add_texture(name, folder)
    return path


# ---- Where models are -------------------------------------------------------------------------------------------

def turn(point, yaw, pitch):
    """Rotates a point by Quake's angles: first pitch down, then yaw left."""
    x, y, z = point
    c, s = math.cos(math.radians(pitch)), math.sin(math.radians(pitch))
    x, z = c * x + s * z, -s * x + c * z
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return c * x - s * y, s * x + c * y, z


def project(points):
    """Projects points of the map into pixels of the view."""
    eye, target = (np.array(place, float) for place in pictures.VIEWS[VIEW])
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(forward, (0, 0, 1))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    focus = pictures.WIDTH / 2 / math.tan(math.radians(FOV) / 2)
    away = np.array(points, float) - eye
    depth = away @ forward
    return np.stack((pictures.WIDTH / 2 + away @ right / depth * focus,
                     pictures.HEIGHT / 2 + away @ down / depth * focus), 1)


def box_of(points):
    return np.array((*points.min(0), *points.max(0)))


def check_place(changed, thing):
    """Compares the outline of the pixels that a model changed with the projection of the model's corners."""
    corners = [np.array(turn(point, thing.yaw, thing.pitch)) * thing.scale + thing.place for point in CRATE]
    wanted = box_of(project([(x, y, max(z, thing.floor)) for x, y, z in corners]))
    around = 2 * EDGE
    left, top = (max(int(value) - around, 0) for value in wanted[:2])
    right, bottom = (int(value) + around + 1 for value in wanted[2:])
    rows, columns = np.nonzero(changed[top:bottom, left:right])
    name = thing.keys.get("classname") + " at " + thing.keys["origin"]
    if not len(rows):
        return [f"{name}: nothing is seen of it at {wanted.round()}"]
    seen = np.array((columns.min() + left, rows.min() + top, columns.max() + left + 1, rows.max() + top + 1))
    if np.abs(seen - wanted).max() > EDGE:
        return [f"{name}: is seen at {seen}, expected at {wanted.round(1)}"]
    return []


# ---- What they look like ----------------------------------------------------------------------------------------

def cells_of(picture):
    height, width = (size // CELL for size in picture.shape[:2])
    return picture.reshape(height, CELL, width, CELL, 3).mean((1, 3)).round().astype(int)


def check_golden(name, picture, update):
    path = HERE / "furnished" / f"{name}.txt"
    cells = cells_of(picture)
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(" ".join(bytes(cell.tolist()).hex() for cell in line) + "\n" for line in cells))
    golden = np.array([[list(bytes.fromhex(cell)) for cell in line.split()] for line in path.read_text().splitlines()])
    far = np.argwhere(np.abs(golden - cells).max(2) > TOLERANCE)
    return [f"cell {x},{y} is {cells[y, x]}, not {golden[y, x]}" for y, x in far[:3]]


def check_sharing(bspscene, game, path, work):
    """Each model file is one mesh in a GLB, whatever the light, and each instance is one node."""
    out = work / "scene.glb"
    subprocess.run([bspscene, "convert", path, out, "--quiet", "--light-error", "255"], check=True)
    data = out.read_bytes()
    scene = json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])
    meshes = [i for i, mesh in enumerate(scene["meshes"]) if mesh["name"] in game.models]
    nodes = [node for node in scene["nodes"] if node.get("mesh") in meshes]
    files = {name for name in game.models if name.endswith((".mdl", ".md3"))}
    if len(meshes) != len(files) or len(nodes) != len(game.things):
        return [f"{len(meshes)} meshes and {len(nodes)} nodes of {len(files)} models and {len(game.things)} things"]
    return []


def check(arguments, name, models, work):
    game = GAMES[name]
    path = make_game(arguments.bspscene, name, game, models, work / name)
    full, empty = (pictures.draw(arguments.bspscene, path, work / f"{name}.{kind}.png", "full", VIEW, "--models", kind)
                   for kind in ("all", "none"))
    changed = np.abs(full - empty).max(2) > SEEN
    problems = [problem for thing in game.things for problem in check_place(changed, thing)]
    problems += check_golden(name, full, arguments.update)
    problems += check_sharing(arguments.bspscene, game, path, work)
    return [f"{name}: {problem}" for problem in problems]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--models", required=True)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = arguments.out or pathlib.Path(folder)
        models = work / "models"
        models.mkdir(parents=True)
        subprocess.run([arguments.models, models], check=True)
        problems = [problem for name in GAMES for problem in check(arguments, name, models, work)]
    print("\n".join(problems) or f"{len(GAMES)} furnished rooms are as their maps say.")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
