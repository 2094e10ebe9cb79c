"""Promise: whatever arguments a program passes to the Python package, it gets a result or an exception, and continues.

attack_arguments.py [COUNT] [SEED]: makes this many calls, each with one to three wrong arguments.
"""
import gc
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
from package import ATRIUM, bspscene
from package import GAME as FIXTURE

abi = bspscene.abi
COUNT, SEED = 2000, 33
Arguments = dict[str, Any]


class Odd:
    """An object whose methods all fail."""

    def __iter__(self) -> Any:
        raise OSError("no iteration")

    def __len__(self) -> int:
        raise BufferError("no length")

    def __fspath__(self) -> str:
        return "no\0path"

    def __index__(self) -> int:
        raise ArithmeticError("no number")


def _raise(*_: Any) -> Any:
    raise LookupError("raised by a function of the caller's")


# The working directory is two folders down in a temporary folder, and has a copy of a game. So files that are written
# by accident do no harm, even if their paths lead upward.
EMPTY = tempfile.TemporaryDirectory()
GAME = shutil.copytree(FIXTURE, Path(EMPTY.name) / "a/b/game")
MAP = str(GAME / ATRIUM.relative_to(FIXTURE))
os.chdir(GAME.parent)
SCENE = bspscene.load(MAP, textures="none", keep_map_light=True)
TEXTS = ["", "x", "hdr", "glb", "\0", "a\0b", "\ud800", "é" * 5000, "../x", "nowhere/x", "%s%n", str(GAME), "CON",
         "a" * 300]
NUMBERS = [0, 1, -1, 2, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63, 2**64, -2**31, -2**63, 0.5, -0.0,
           1e308, float("nan"), float("inf"), 1j, True]
ARRAYS = [numpy.zeros(0), numpy.zeros((0, 3)), numpy.zeros((2, 2, 3), numpy.uint8), numpy.ones((4, 4), object),
          numpy.full((64, 64, 3), numpy.nan, numpy.float32)[::2, ::-1], numpy.zeros((1, 1, 1, 1)),
          numpy.broadcast_to(numpy.uint8(3), (2**20, 2**20, 3))]
THINGS = [None, b"", b"\xff\0", bytearray(7), [], [None], (), {}, {0: 1}, {"a": []}, {-1: 1e9}, set(), object(), Odd(),
          type, len, _raise, lambda *_: None, lambda *_: b"", lambda *_: "x", lambda *_: 2**70, SCENE, bspscene,
          Path("x"), range(3), memoryview(b"abc"), slice(None), NotImplemented, ..., [("classname", "light")],
          [[("a", 1)]],
          [bspscene.NewEntity([("a", "b")], 2**40)], [bspscene.NewCorner(-1, 2**33, (1e40, "x"))], {(0, 0): ARRAYS[0]},
          {(2**40, -1): ARRAYS[2]}, {"x": ARRAYS[3]}]
POOLS: list[list[Any]] = [TEXTS, NUMBERS, ARRAYS, THINGS]


def _fields(kind: type) -> list[str]:
    return [field[0] for field in kind._fields_] + ["nonsense"]   # type: ignore[attr-defined]


# Options of the functions, with valid values. CALLS has each function with its valid arguments.
LOAD: Arguments = {"map": "", "games": (), "progress": None, "data": None, "open_file": None,
                   "list_files": None, "textures": "none"}
LIGHT: Arguments = {"progress": None, "light_styles": None}
PLACE: Arguments = {"map": "", "games": (), "progress": None}
CALLS: list[tuple[Callable[..., Any], Arguments, list[str]]] = [
    (bspscene.load, {"path": MAP, **LOAD}, _fields(abi.LoadOptions)),
    (bspscene.maps, {"path": str(GAME)}, []),
    (bspscene.Place, {"path": str(GAME), "alone": True}, []),
    (bspscene.GameFiles, {"path": MAP, "wanted": "", "search_paths": ()}, []),
    (bspscene.write, {"scene": SCENE, "writer": "obj", "lighting": "none", **LIGHT}, _fields(abi.WriteOptions)),
    (bspscene.convert, {"scene": SCENE, "path": "a.glb", "lighting": "none", **LIGHT}, _fields(abi.WriteOptions)),
    (bspscene.write_atlas, {"scene": SCENE, "directory": "atlas", "progress": None}, _fields(abi.WriteOptions)),
    (bspscene.bake, {"scene": SCENE, **LIGHT}, _fields(abi.BakeOptions)),
    (bspscene.relight, {"path": MAP, "scene": SCENE, "pages": {}, "target": "a.bsp", **PLACE}, []),
    (bspscene.rewrite, {"path": MAP, "entities": None, "target": "a.bsp", "corners": (), **PLACE}, []),
    (bspscene.camera_view, {"scene": SCENE, "index": None}, []),
    (bspscene.overview, {"scene": SCENE, "width": 32, "height": 24}, []),
    (bspscene.View, {"pitch": 0, "fov_degrees": 90}, _fields(abi.View)),
    (lambda **view: _picture(**view), {"view": None, "width": 8, "height": 8, **LIGHT}, _fields(abi.RenderOptions)),
    (lambda index: SCENE.mesh(index), {"index": 0}, []),
    (lambda **asked: SCENE.pages(**asked), {"kind": 0, "style": 0}, []),
    (lambda **asked: SCENE.value(**asked), {"entity": 0, "key": "classname"}, []),
    (lambda entity: SCENE.keys(entity), {"entity": 0}, []),
    (lambda node: SCENE.world_transform(node), {"node": 0}, []),
    (lambda mesh: list(SCENE.nodes_with_mesh(mesh)), {"mesh": 0}, []),
    (lambda **asked: SCENE.face_at(**asked), {"point": (0, 0, 64), "radius": 64}, []),
    (lambda classname: SCENE.entities(classname), {"classname": None}, []),
]


def _picture(view: Any, **options: Any) -> Any:
    renderer = bspscene.Renderer(SCENE, **options)
    return renderer.picture(view), renderer.distances(view)


def spoil(arguments: Arguments, options: list[str], chance: random.Random) -> Arguments:
    out = dict(arguments)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        names = list(out) if not options or chance.random() < 0.4 else options
        out[chance.choice(names)] = chance.choice(chance.choice(POOLS))
    # Calls that rightly take minutes are not made.
    for name in ("width", "height", "samples", "baked_size", "lightmap_page_size"):
        if isinstance(out.get(name), int) and 512 < out[name] < 2**20:
            out[name] = 16
    return out


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    chance, raised, slowest = random.Random(seed), 0, (0.0, "")
    before = bspscene.write(SCENE, "obj", lighting="none")
    for number in range(count):
        function, arguments, options = CALLS[number % len(CALLS)]
        given = spoil(arguments, options, chance)
        name = getattr(function, "__name__", "") or str(function)
        # Printed before the call, so that the last line names a call that crashes.
        print(f"{number}: {name} {given!r}"[:400], file=sys.stderr, flush=True)
        began = time.process_time()
        try:
            function(**given)
        except Exception as error:
            raised += 1
            assert str(error) or not isinstance(error, bspscene.MapError), f"{name} {given} fails without a word"
        slowest = max(slowest, (time.process_time() - began, f"{number}, {name}"))
    gc.collect()
    assert bspscene.write(SCENE, "obj", lighting="none") == before, "a scene was changed"
    print(f"{count} calls, of which {raised} raised; {slowest[0]:.1f} s of processor time at most ({slowest[1]})")
    return 0


if __name__ == "__main__":
    with EMPTY:
        sys.exit(main())
