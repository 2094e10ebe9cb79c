"""Shared code of the tests in Blender: the add-on as a package, maps, and facts about the open file."""
import os
import sys
import tempfile
from pathlib import Path

import bpy
import numpy

ROOT = Path(__file__).resolve().parents[3]
# The name of the add-on's package is that of its folder. A link gives it the name "io_scene_bspscene", as in the zip
# for Blender 3.4. The library's package is found as if its wheel were installed.
_links = tempfile.TemporaryDirectory()
os.symlink(ROOT / "addon", Path(_links.name) / "io_scene_bspscene")
sys.path[:0] = [_links.name, str(ROOT / "python")]
os.environ.setdefault("BSPSCENE_LIBRARY", str(ROOT / "build/native/libbspscene.so"))

import io_scene_bspscene as addon  # noqa: E402,F401  (the tests take it from here)
from bspscene import abi, scene  # noqa: E402
from bspscene.files import GameFiles  # noqa: E402

FIXTURES = ROOT / "tests/fixtures"
# BSPSCENE_SHARED_DATA names a folder with further maps, BSPSCENE_OPENARENA a folder with OpenArena's pk3 files.
FURTHER = Path(os.environ.get("BSPSCENE_SHARED_DATA", "/nowhere"))
OPENARENA = Path(os.environ.get("BSPSCENE_OPENARENA", "/nowhere"))
MAPS = sorted(FIXTURES.glob("atrium/*/maps/*.bsp")) + sorted(FURTHER.glob("atrium/*/maps/*.bsp"))
QUAKE3 = FIXTURES / "atrium/quake3"
ATRIUM = QUAKE3 / "maps/atrium.bsp"
METERS = 0.0254
DATA = ("objects", "collections", "meshes", "materials", "images", "lights", "cameras", "node_groups", "texts",
        "worlds")


def reset() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)


def counts() -> dict:
    return {name: len(getattr(bpy.data, name)) for name in DATA}


def load(path: Path, wanted: str = "") -> scene.Scene:
    return scene.load(GameFiles(str(path), (), wanted), include_mask=abi.SURFACE_ALL)


def get(collection, name: str, width: int, kind=numpy.float32) -> numpy.ndarray:
    values = numpy.empty(len(collection) * width, kind)
    collection.foreach_get(name, values)
    return values.reshape(-1, width)


def uvs_of(mesh: bpy.types.Mesh, name: str) -> numpy.ndarray:
    return get(mesh.uv_layers[name].data, "uv", 2)


def objects_of(root: bpy.types.Collection, name: str) -> list:
    """Returns the objects that show a node of the scene. One object shows its visible surfaces, and each kind of hidden
    surface has another object."""
    return [o for o in root.all_objects if o.get("bspscene_node") == name]


def material_of(name: str) -> bpy.types.Material:
    return next(m for m in bpy.data.materials if m.get("game_name") == name)


def pages() -> list:
    return [image for image in bpy.data.images if "_lightmap_" in image.name]
