"""Loads the scene of a map with the options of an import: in one go, or in steps between which a window can be drawn.
Uses none of Blender's data."""
import os
import time
from collections.abc import Generator
from typing import TypeVar

from bspscene import abi
from bspscene.job import Job, begin_bake, begin_bake_textures, begin_load, begin_open
from bspscene.library import MapError
from bspscene.scene import Progress, Scene, text

from .report import Report

MODEL_LIGHT_ERROR = 14.0   # in display steps of 255: an instance of a model gets a mesh of its own if its light differs
                           # by more from the light of the shared mesh; the library's writers use the same limit
LOADED, BAKED = 0.6, 0.8   # finished share when the map is loaded, and when its light is baked
PAUSE = 0.005              # seconds between two checks of a job

Made = TypeVar("Made")
Waiting = Generator[float, None, Made]   # yields the finished share; returns the result


def search_paths(values: dict) -> list[str]:
    """Returns directories and archives the user named."""
    return [place.strip() for place in values["game_paths"].split(";") if place.strip()]


def present_search_paths(values: dict) -> list[str]:
    """Returns those directories and archives of search_paths that still exist."""
    return [place for place in search_paths(values) if os.path.exists(place)]


def load_scene(path: str, values: dict, report: Report, progress: Progress | None,
               textures: int = abi.TEXTURES_LOAD, keep_map_light: bool = False,
               light_probes: bool = False) -> Scene:
    """Returns the scene of a map, and fills `report`. Raises MapError on failure, or if `progress` cancels."""
    steps = load_steps(path, values, report, progress is not None, textures=textures, keep_map_light=keep_map_light,
                       light_probes=light_probes)
    while True:
        try:
            share = next(steps)
        except StopIteration as end:
            return end.value
        if progress and not progress("load", share):
            steps.close()
            raise MapError(f"{path}: canceled", abi.ERROR_CANCELED)


def load_steps(path: str, values: dict, report: Report, waits: bool, **options) -> Waiting[Scene]:
    """Loads a map as load_scene does. If `waits`, yields the finished share every few milliseconds. Closing the
    generator early cancels the work."""
    files = yield from _result(begin_open(path, search_paths(values), values["map"], skip_bad_games=True), waits, 0, 0)
    scene = yield from _result(begin_load(files, **_options(values, **options)), waits, 0, LOADED)
    companions = scene.companion_files()
    scene = yield from _baked(scene, values["lightmaps"], waits)
    report.warnings = files.problems + scene.warnings()
    report.missing_textures = scene.missing_textures() if values["textures"] else []
    report.searched = files.places()
    report.companions = companions
    report.models = empty_models(scene) if values["entities"] else []
    return scene


def _result(job: Job[Made], waits: bool, first: float, last: float) -> Waiting[Made]:
    try:
        while waits:
            yield first + (last - first) * job.fraction()
            if job.ended():
                break
            time.sleep(PAUSE)
        return job.result()
    finally:
        job.close()


def _options(values: dict, textures: int = abi.TEXTURES_LOAD, **further) -> dict:
    """Converts the options of an import to the library's."""
    encoding = abi.LIGHTMAP_ENCODING_NONE if values["lightmaps"] == "NONE" else \
        abi.LIGHTMAP_ENCODING_HDR if values["hdr"] else abi.LIGHTMAP_ENCODING_DISPLAY
    return dict(include_mask=abi.SURFACE_ALL if values["hidden"] else abi.SURFACE_VISIBLE | abi.SURFACE_SKY,
                textures=textures if values["textures"] else abi.TEXTURES_NONE,
                lightmap_encoding=encoding, lightmap_page_size=int(values["lightmap_page_size"]),
                sparse_lightmaps=True,
                patch_error=values["patch_error"], meters_per_unit=values["meters_per_unit"],
                models=getattr(abi, f"MODELS_{values['models']}"),
                missing=abi.MISSING_CHECKER if values["missing"] == "CHECKER" else abi.MISSING_PLAIN,
                engine=getattr(abi, f"ENGINE_{values['engine']}"),
                entity_source=getattr(abi, f"ENTITY_SOURCE_{values['entity_source']}"),
                skip_normal_maps=values["shading"] != "RELIGHT", rigs=values["rigs"] == "RIGGED",
                map_rigs=values["rigs"] == "RIGGED", model_pose={"skin": values["skin"]}, **further)


def _baked(scene: Scene, lightmaps: str, waits: bool) -> Waiting[Scene]:
    """Bakes the light into vertices or textures if the option `lightmaps` says so, and returns the resulting scene."""
    if lightmaps == "NONE":
        return scene
    job = begin_bake(scene, model_light_error=MODEL_LIGHT_ERROR, vertices=lightmaps == "VERTICES",
                     keep_styles=lightmaps not in ("VERTICES", "TEXTURES"))
    scene = yield from _result(job, waits, LOADED, BAKED)
    if lightmaps == "TEXTURES":
        scene = yield from _result(begin_bake_textures(scene), waits, BAKED, 1)
    return scene


def empty_models(scene: Scene) -> list[str]:
    """Returns the names of models that props use but that were not found. Empties are made in their place."""
    nodes = scene.items("nodes")
    return sorted({text(prop.model) for prop in scene.items("props") if nodes[prop.node].mesh == abi.NO_INDEX})
