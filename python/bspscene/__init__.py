"""Compiled game maps (BSP) as scenes: geometry, lightmaps, textures, lights and entities, as numpy views.

    import bspscene

    scene = bspscene.load("maps/atrium.bsp")
    for mesh in scene.meshes():
        print(mesh.name, mesh.positions.shape, mesh.triangles.shape)
    bspscene.convert(scene, "atrium.glb")

README.md beside this file is the guide. `abi` has every struct and constant of the C interface, whose headers document
each field. Failures are exceptions: MapError for errors of files and disks, LibraryError if the native library is
missing or does not fit this package.
"""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import abi
from .entity import Entity
from .files import AnyPath, GameFiles, ListFiles, OpenFile, Place, installed_games
from .job import Job, begin
from .library import LibraryError, MapError
from .picture import Image, Page, write_png
from .relight import Relit, relight
from .render import Renderer, View, camera_view, overview
from .rewrite import EntityChange, KeyChange, NewCorner, NewEntity, Rewritten, rewrite
from .scene import MeshView, Progress, Scene, open_map
from .write import bake, convert, write, write_atlas

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .option_types import LoadOptions

__version__ = f"{abi.VERSION_MAJOR}.{abi.VERSION_MINOR}.{abi.VERSION_PATCH}"
__all__ = ["Entity", "EntityChange", "GameFiles", "Image", "Job", "KeyChange", "LibraryError", "MapError",
           "MeshView", "NewCorner", "NewEntity", "Page", "Place", "Progress", "Relit", "Renderer", "Rewritten", "Scene",
           "View", "__version__", "abi", "bake", "begin", "camera_view", "convert", "installed_games", "load", "maps",
           "overview", "relight", "rewrite", "write", "write_atlas", "write_png"]


def load(path: AnyPath, map: str = "", *, games: AnyPath | Iterable[AnyPath] = (), progress: Progress | None = None,
         data: bytes | None = None, open_file: OpenFile | None = None, list_files: ListFiles | None = None,
         **options: Unpack[LoadOptions]) -> Scene:
    """Loads the map file `path`, or the map called `map` of the archive or game directory `path`.

    Textures come from the game around the map, and from `games`, which names further directories and archives. Later
    ones take precedence over earlier ones. `progress` is called with the name of a stage and the finished share from 0
    to 1. It returns False to cancel. `options` are fields of bspscene_load_options (load.h,
    bspscene.option_types.LoadOptions); constants are given as words: textures="none", lightmap_encoding="hdr",
    include_mask=("sky", "clip").

    With `data`, the content of a map file or an archive, `path` is only its name, and no game is searched for. With
    `open_file`, a function of the caller provides all other files. It is called with game paths
    ("textures/sample/brick.tga") and returns bytes, or None if there is no such file. `list_files` gets the beginning
    and the end of file names and returns the names that match, which is how Quake III's scripts are found.

    Raises MapError, and TypeError or ValueError for unknown options.
    """
    return open_map(path, map, games, progress, options, data, open_file, list_files)


def maps(path: AnyPath) -> list[str]:
    """Returns the names of all maps in an archive or a game directory, or for a map file its own name. Raises
    MapError."""
    return Place(path, alone=True).maps()
