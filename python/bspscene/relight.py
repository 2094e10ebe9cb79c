"""Writes a copy of a map with new luxels, and the files next to it. This module does not use bpy."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from . import abi, library
from .arguments import options_of
from .arrays import Array, Row
from .files import AnyPath, GameFiles
from .library import MapError
from .picture import stored_as
from .scene import Calling, Progress, Scene
from .text import text
from .write import into_files, run_output

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .option_types import RelightOptions

_NUMBERS = ("luxels", "outside", "changed", "conflicts", "clamped", "repaired", "not_stored", "clamp_factor",
            "faces_changed", "faces_unlit", "points_changed")


class Relit(NamedTuple):
    """What `relight` returns: the written files, the map first; in `numbers`, the fields of bspscene_relight_report
    (relight.h) by name."""
    files: list[Path]
    numbers: dict[str, float]
    is_identical: bool   # nothing changed, so the output is a copy


class _NewLight:
    """The new light of a map. `light` is the library's struct; this object keeps alive all memory to which it
    points."""

    def __init__(self, scene: Scene, pages: Mapping[tuple[int, int], Array], lists: Mapping[str, Array]) -> None:
        if not scene.data.map_light:
            raise MapError(f"{scene.name}: was not loaded with keep_map_light=True, or has no light",
                           abi.ERROR_BAD_OPTIONS)
        stored, count = scene.data.map_light.contents, scene.data.lightmap_page_count
        self.name, self._scene, self._kept = scene.name, scene, list[Any]()
        sets = (abi.LightmapSet * scene.data.lightmap_set_count)(*scene.items("lightmap_sets"))
        for number, record in enumerate(sets):
            copies = (abi.LightmapPage * count)(*record.pages[:count])
            for index, page in enumerate(copies):
                self._set(page, pages.get((number, index)))
            record.pages = copies
            self._kept.append(copies)
        own = {text(item.name): item for item in stored.lists[:stored.list_count]}
        if unknown := lists.keys() - own:
            raise MapError(f"{scene.name}: the map has no light list {min(unknown)!r}", abi.ERROR_BAD_OPTIONS)
        changed = (abi.LightList * len(lists))(*(own[name] for name in lists))
        for item in changed:
            self._set(item.luxels, lists[text(item.name)])
        places = _places(scene)
        self.light = light = abi.EditedLight(
            ctypes.sizeof(abi.EditedLight), scene.data.lightmap_encoding, sets, len(sets), count)
        light.rects = ctypes.cast(places.ctypes.data, ctypes.POINTER(abi.LightmapRect))
        light.rect_count = len(places)
        light.overbright, light.light = scene.data.overbright, text(stored.name)
        light.light_hash, light.layout_hash = stored.light_hash, stored.layout_hash
        light.lists, light.list_count = ctypes.cast(changed, ctypes.POINTER(abi.LightList)), len(changed)
        self._kept += [sets, places, changed]

    def _set(self, page: abi.LightmapPage, values: Array | None) -> None:
        page.data, page.blocks = None, ctypes.POINTER(abi.LightmapBlocks)()
        if values is not None:
            shape, kind = stored_as(page)
            luxels = numpy.ascontiguousarray(numpy.broadcast_to(values, shape), kind)
            page.data = luxels.ctypes.data
            self._kept.append(luxels)


def relight(path: AnyPath, scene: Scene, pages: Mapping[tuple[int, int], Array], target: AnyPath | None, *,
            map: str = "", games: AnyPath | Iterable[AnyPath] = (), lists: Mapping[str, Array] | None = None,
            progress: Progress | None = None, **options: Unpack[RelightOptions]) -> Relit:
    """Writes a copy of a map with other light to `target`. If `target` is None, nothing is written, and the result says
    what would be written.

    `scene` is the map loaded with keep_map_light=True; `path`, `map` and `games` name the map's file, as they did for
    load. `pages` has the new luxels of each changed page, in the form of Page.luxels. Its keys are pairs: the number of
    the page set and the number of the page. Pages that are left out keep their light. `lists` has new luxels in the
    same form, by the names of Scene.light_lists. `options` are fields of bspscene_relight_options (relight.h). Raises
    MapError and OSError.
    """
    place, new = GameFiles(path, games, map), _NewLight(scene, pages, lists or {})
    if target is None:
        return Relit([], *_run(place, new, None, progress, options))
    name = Path(target).name
    if not name.lower().endswith(".bsp"):
        raise MapError(f"{target}: needs the ending .bsp", abi.ERROR_UNSUPPORTED_FORMAT)
    if os.path.exists(target) and os.path.samefile(path, target):
        raise MapError(f"{target}: is the map that the light comes from: choose another name", abi.ERROR_BAD_OPTIONS)
    said: list[tuple[dict[str, float], bool]] = []
    files = into_files(Path(target).parent, lambda begin, end: said.append(
        _run(place, new, (begin, end), progress, dict(options, file_name=name))))
    return Relit(files, *said[0])


def _run(place: GameFiles, new: _NewLight, output: Any, progress: Progress | None,
         options: Mapping[str, Any]) -> tuple[dict[str, float], bool]:
    native = library.get()
    wanted = options_of(abi.RelightOptions, options)
    report = abi.RelightReport(struct_size=ctypes.sizeof(abi.RelightReport))
    load = load_options(place)
    with Calling(load, progress):
        def call(to: Any, error: Any) -> bool:
            stream = abi.Stream(struct_size=ctypes.sizeof(abi.Stream))
            handle, number = place.place.handle, place.map
            return bool(native.bspscene_source_open_map(handle, number, ctypes.byref(stream), error)
                        and native.bspscene_relight(ctypes.byref(stream), ctypes.byref(load), ctypes.byref(new.light),
                                                    ctypes.byref(wanted), to, ctypes.byref(report), error))

        run_output(output, new.name, call)
    return {name: getattr(report, name) for name in _NUMBERS}, bool(report.identical)


def load_options(place: GameFiles) -> abi.LoadOptions:
    native, handle = library.get(), place.place.handle
    load = abi.LoadOptions(struct_size=ctypes.sizeof(abi.LoadOptions))
    native.bspscene_source_prepare_load(handle, place.map, ctypes.byref(load))
    return load


def _places(scene: Scene) -> Row[numpy.void]:
    """Returns where each lit face has its luxels on the scene's pages. Each face occurs once, even if several meshes
    show it."""
    faces = scene.faces()
    lit = faces[faces["lightmap_page"] != abi.NO_INDEX]
    _, first = numpy.unique(lit["record"], return_index=True)
    places: Row[numpy.void] = numpy.empty(len(first), numpy.dtype(abi.LightmapRect))
    places["face_record"] = lit["record"][first]
    for name in ("lightmap_page", "x", "y", "width", "height"):
        places[name] = lit[name if name.startswith("lightmap_") else "lightmap_" + name][first]
    return places
