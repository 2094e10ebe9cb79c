"""Relights imported maps: bakes light with Cycles, compares it with the old light, and writes it into a copy of the
map. Part of the script API; the operators call it too."""
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import bpy
import numpy
from bspscene import abi
from bspscene.picture import encode_page, has_light, stored_as
from bspscene.relight import Relit, relight
from bspscene.scene import Scene

from . import importer
from .build.baked import daylight, light_probes, vertex_light
from .build.data.again import MAP_FILE, MAP_NAME
from .build.data.blocks import KEY, Made, by_key
from .build.data.image import LINEAR_SPACES, SUFFIXES, Images
from .build.materials.facts import FACTS, is_in_mode
from .build.rebaking import rebake
from .build.rebaking.luxels import RECTANGLE
from .build.rebaking.compare import AFTER, BEFORE, LIGHT, has_new_light, key_of, show_light
from .build.rebaking.rebake import Passes, Rebake, Result, Settings, why_black
from .loading import load_scene, present_search_paths
from .options import WITHOUT_PAGES
from .report import Report


NO_STYLE = 255                       # value in a face's list of light styles that ends the list
LONG_POINTS, LONG_TIMES = 50000, 2   # users are asked before a bake that exceeds both limits: the number of light
                                     # probes, and their work as a multiple of the work for the faces


class Rebaked(NamedTuple):
    result: Result
    seconds: float

    def lines(self) -> list[str]:
        r = self.result
        share = 100 * r.covered / max(r.luxels, 1)
        lines = [f"{r.luxels} luxels: {r.covered} baked ({share:.1f} %), {r.filled} filled from neighbors, {r.kept} "
                 "unchanged, because they have no samples",
                 f"mean light {r.before:.3f} before, {r.after:.3f} after ({r.after / max(r.before, 1e-6):.2f} times); "
                 f"brightest {r.brightest:.2f}, where 1 shows a texture as it is",
                 f"{self.seconds:.1f} s"]
        if r.vertices:
            lines.insert(1, f"{r.vertices.luxels} vertices baked")
        if r.probes:
            lines.insert(1, f"{r.probes.points} light probes baked")
        return lines


class Canceled(Exception):
    """The user pressed Esc during Blender's bake, which handles that key itself."""


class BlackBake(Exception):
    """No light was baked. The message has the reason if it is known."""


def _load(root: bpy.types.Collection, hdr: bool, probes: bool = False) -> Scene:
    """Loads the map's file with the options of the import, which give the same pages, but with another encoding of
    light."""
    if MAP_FILE not in root:
        raise ValueError(f"{root.name}: not the collection of an imported map")
    values = importer.values_of(root)
    if values["lightmaps"] in ("NONE", *WITHOUT_PAGES):
        raise ValueError(f"{root.name}: was imported without lightmap pages")
    values["hdr"] = hdr
    path = bpy.path.abspath(root[MAP_FILE])
    scene = load_scene(path, values, Report(), None, abi.TEXTURES_NAMES, keep_map_light=True, light_probes=probes)
    if not scene.data.map_light or not scene.data.lightmap_set_count:
        raise ValueError(f"{root.name}: has no luxels: its compiler stored no lightmaps")
    return scene


# ---- Rebake

class Work(NamedTuple):
    """The amount of work to bake a map."""
    luxels: int    # number of luxels of the map's faces, counted once for each light style
    points: int    # number of light probes, which light moving objects; each has six sides

    @property
    def times(self) -> float:
        """Returns how much work the probes add, as a multiple of the work for the faces."""
        return light_probes.SIDES * self.points / max(self.luxels, 1)

    @property
    def is_long(self) -> bool:
        """True if the user should be asked, because the probes take much longer than the faces. A grid of probes may
        have a hundred times as many luxels as the faces."""
        return self.points > LONG_POINTS and self.times > LONG_TIMES


def work_of(root: bpy.types.Collection) -> Work:
    """Returns the amount of work for a map. Raises MapError and ValueError, as rebake_light does."""
    scene = _load(root, True, True)
    faces = scene.faces()
    lit = faces[faces["lightmap_page"] != abi.NO_INDEX]
    styles = (numpy.asarray(lit["styles"]) != NO_STYLE).sum(axis=1)
    # Count the luxels of each rectangle only once, because several faces may share it.
    wide = numpy.stack([*(lit[name].astype(numpy.int64) for name in ("lightmap_page", *RECTANGLE)),
                        numpy.maximum(styles, 1)], axis=-1)
    luxels_of = numpy.unique(wide, axis=0)[:, 3:].prod(axis=1)
    points = len(scene.light_probes()) if light_probes.LIST in scene.light_lists() else 0
    return Work(int(luxels_of.sum()), points)


def rebake_light(root: bpy.types.Collection, samples: int = 16, factor: int = 4, denoise: bool = True,
                 map_sky: bool = True, probes: bool = True) -> Rebaked:
    """Bakes the lightmap of an imported map again with Cycles, from the scene as it is now. Each luxel has `factor` *
    `factor` samples, and each sample has `samples` rays. With `map_sky` the map's sky is the light source instead of
    the scene's world. With `probes` light for moving objects is baked too, if the map stores it. The map then shows the
    new light; `show_light` shows the old one.

    Raises MapError, ValueError and BlackBake; then nothing was changed."""
    run = RebakeRun(root, Settings(samples, factor, denoise, probes), map_sky, bake_at_once)
    for _ in run.steps():
        pass
    assert run.done
    return run.done


def bake_at_once(passes: Passes) -> Iterator[None]:
    _bake("EXEC_DEFAULT", passes)
    yield


def bake_in_window(passes: Passes) -> Iterator[None]:
    """Bakes in Blender's own job: the window stays usable, its status bar shows the progress, and Esc ends it."""
    ended: list[bool] = []

    def note(*_) -> None:
        ended.append(True)

    bpy.app.handlers.object_bake_cancel.append(note)
    try:
        _bake("INVOKE_DEFAULT", passes)
        while bpy.app.is_job_running("OBJECT_BAKE"):
            yield
    finally:
        bpy.app.handlers.object_bake_cancel.remove(note)
    if ended:
        raise Canceled


def _bake(how: str, passes: Passes) -> None:
    bpy.ops.object.bake(how, type="DIFFUSE", pass_filter=set(passes), margin=0, use_clear=False,
                        use_selected_to_active=False, target="IMAGE_TEXTURES", save_mode="INTERNAL",
                        uv_layer="Lightmap")


class RebakeRun:
    """A rebake in steps. `bake` is bake_at_once or bake_in_window."""

    def __init__(self, root: bpy.types.Collection, settings: Settings, map_sky: bool, bake: rebake.Bake) -> None:
        self._root, self._settings, self._map_sky, self._bake = root, settings, map_sky, bake
        self.done: Rebaked | None = None

    def steps(self) -> Iterator[float]:
        """Yields the finished share. Closing it before the end restores everything."""
        start = time.perf_counter()
        scene = _load(self._root, True, self._settings.probes)
        with _relit(self._root, scene, self._map_sky):
            baking = Rebake(bpy.context, self._root, scene, self._settings, self._bake)
            yield from baking.steps()
            result = baking.result
            assert result
            if rebake.is_black(result):
                raise BlackBake(f"{self._root.name}: the bake is black: {why_black(bpy.context, result)}")
        _keep(self._root, scene, result)
        importer.switch_materials(self._root, "GAME")
        self.done = Rebaked(result, time.perf_counter() - start)


@contextmanager
def _relit(root: bpy.types.Collection, scene: Scene, map_sky: bool):
    """Sets up the scene so that lamps and the world light the map while it bakes."""
    used = {m for made in root.all_objects if made.type == "MESH" for m in made.data.materials if m and FACTS in m}
    was_relit = bool(used) and all(is_in_mode(material, "RELIGHT") for material in used)
    own = bpy.context.scene.world
    into = bpy.context.scene
    if not was_relit:
        importer.switch_materials(root, "RELIGHT")
    made = Made()
    try:
        if map_sky and (own is None or KEY not in own):
            into.world = _world(root, scene, made) or own
        yield
    finally:
        if into.world != own:
            into.world = own
        made.take_back()
        if not was_relit:
            importer.switch_materials(root, "GAME")


def _world(root: bpy.types.Collection, scene: Scene, made: Made) -> bpy.types.World | None:
    """Returns the map's sky as a world with the strength that the lightmap shows; None if no surface sees the sky."""
    day = daylight.measure(scene)
    if day is None or day.sky is None:
        return None
    world = importer.sky_of(root, made)
    if world is None:
        world = made.new("worlds", "sky")
        world.use_nodes = True
    if daylight.APPLIED not in world:
        daylight.apply(day, (), world)
    return world


def _keep(root: bpy.types.Collection, scene: Scene, result: Result) -> None:
    """Makes images of the new pages, in addition to the old ones, and shows them on the map."""
    values, key, made = importer.values_of(root), key_of(root), Made()
    path = bpy.path.abspath(root[MAP_FILE])
    images = Images(key, made, [], bpy.data.filepath)
    directory = importer.page_directory(values["lightmaps"], path, bpy.data.filepath)
    clamps_hue = bool(scene.data.map_light.contents.clamps_hue)
    shown = _load(root, False) if not values["hdr"] else scene

    def put(what: str, page: int | str, suffix: str, content: bytes, ending: str) -> None:
        name = f"{root[MAP_NAME]}_{what}_{page}{suffix}"
        file = directory / f"{name}.{ending}" if directory else None
        spaces = LINEAR_SPACES if ending == "exr" else ("Non-Color",)
        image = images.get(name, content, file, spaces, what, page, suffix)
        if not image.filepath:
            image.filepath_raw = f"//lightmaps/{name}.{ending}"
        image.use_fake_user = True

    for (number, page), light in result.pages.items():
        suffix = _suffix(scene.items("lightmap_sets")[number])
        half = numpy.minimum(light, numpy.finfo(numpy.float16).max).astype(numpy.float16)
        content, ending = encode_page(scene.items("lightmap_sets")[number].pages[page], half)
        put(LIGHT, page, suffix, content, ending)
        if not values["hdr"]:
            record = shown.items("lightmap_sets")[number]
            content, ending = encode_page(record.pages[page],
                                          rebake.display_bytes(light, record.intensity, clamps_hue))
        put(AFTER, page, suffix, content, ending)
    if result.vertices:
        _keep_vertices(result.vertices, scene, shown.items("lightmap_sets")[0].intensity, put)
    if not result.probes:
        _forget_probes(key)
    else:
        half = numpy.minimum(result.probes.page, numpy.finfo(numpy.float16).max).astype(numpy.float16)
        put(LIGHT, light_probes.LIST, "", *encode_page(light_probes.page_of(scene), half))
    images.finish()
    made.finish()
    show_light(root, True)


def _forget_probes(key: str) -> None:
    """Removes the image of probes from an earlier bake, which a bake without probes would not replace."""
    known = by_key(bpy.data.images).get(f"{key}/{LIGHT}/{light_probes.LIST}/")
    if known is not None:
        bpy.data.images.remove(known)


def _keep_vertices(new: vertex_light.VertexLight, scene: Scene, intensity: float, put: Callable[..., None]) -> None:
    half = numpy.minimum(new.page, numpy.finfo(numpy.float16).max).astype(numpy.float16)
    put(LIGHT, vertex_light.LIST, "", *encode_page(vertex_light.page_of(scene), half))
    clamps_hue = bool(scene.data.map_light.contents.clamps_hue)
    for mesh, light, known in new.meshes:
        vertex_light.put(mesh, rebake.display_bytes(light, intensity, clamps_hue), known)


def _suffix(record: abi.LightmapSet) -> str:
    return SUFFIXES.get(record.kind, "") + (f"_style{record.style}" if record.style else "")


# ---- Write

def write_light(root: bpy.types.Collection, target: str | None, rebaked: bool = True, factor: float = 1.0,
                source: str = "") -> Relit:
    """Writes light into a copy of the map, or into a copy of `source`, which is the map with other entities. The light
    is the rebaked light times `factor` or, if not `rebaked`, the lightmap pages as they are shown, which a user may
    have painted. If `target` is None, nothing is written; the result tells what would change. Raises MapError,
    ValueError and OSError."""
    values = importer.values_of(root)
    if rebaked and not has_new_light(root):
        raise ValueError(f"{root.name}: has no new light; use \"Rebake light\" first")
    known, key, pages = by_key(bpy.data.images), key_of(root), {}
    probes = known.get(f"{key}/{LIGHT}/{light_probes.LIST}/") if rebaked else None
    scene = _load(root, rebaked or values["hdr"], probes is not None)
    for number, record in enumerate(scene.items("lightmap_sets")):
        for page in range(scene.data.lightmap_page_count):
            image = known.get(f"{key}/{LIGHT if rebaked else BEFORE}/{page}/{_suffix(record)}")
            if image is not None and has_light(record.pages[page]):
                pages[number, page] = _luxels_of(image, record.pages[page], factor)
    if not pages:
        raise ValueError(f"{root.name}: its lightmap pages are not in this file any more")
    path, lists = source or bpy.path.abspath(root[MAP_FILE]), {}
    vertices = known.get(f"{key}/{LIGHT}/{vertex_light.LIST}/") if rebaked else None
    if vertices is not None:
        light = _luxels_of(vertices, vertex_light.page_of(scene), factor)
        lists[vertex_light.LIST] = vertex_light.written(scene, light)
    if probes is not None:
        light = _luxels_of(probes, light_probes.page_of(scene), factor)
        lists[light_probes.LIST] = light_probes.written(scene, light)
    return relight(path, scene, pages, target and bpy.path.abspath(target), map="" if source else values["map"],
                   games=present_search_paths(values), lists=lists)


def _luxels_of(image: bpy.types.Image, page: abi.LightmapPage, factor: float) -> numpy.ndarray:
    """Returns the luxels of an image as the library's pages have them: top row first, with the type of `page`, times
    `factor`."""
    if tuple(image.size) != (page.width, page.height):
        raise ValueError(f"{image.name}: is {image.size[0]} x {image.size[1]} now, {page.width} x {page.height} are "
                         "needed")
    (height, width, channels), kind = stored_as(page)
    values = numpy.empty(height * width * image.channels, numpy.float32)
    image.pixels.foreach_get(values)
    values = values.reshape(height, width, image.channels)[::-1, :, :channels]
    if kind == numpy.uint8:
        return numpy.clip(values * 255 + 0.5, 0, 255).astype(numpy.uint8)
    return numpy.minimum(values * factor, numpy.finfo(numpy.float16).max).astype(numpy.float16)


def lines_of(written: Relit, target: str | None) -> list[str]:
    """Returns the lines of a report about what was written, or would be written."""
    n = written.numbers
    if written.is_identical:
        return ["Nothing changed: the map already has this light"]
    lines = [f"{n['changed']} luxels changed on {n['faces_changed']} faces, of {n['luxels']} luxels on the pages; "
             f"{n['conflicts']} luxels got the mean of the faces that share them"]
    if n["points_changed"]:
        lines.append(f"{n['points_changed']} vertices and light probes changed")
    if n["clamped"]:
        lines.append(f"{n['clamped']} luxels are too bright for the map, by a factor of up to {n['clamp_factor']:.2f}: "
                     f"with a brightness of {1 / n['clamp_factor']:.2f}, none would be clamped")
    if n["outside"]:
        lines.append(f"{n['outside']} luxels keep their light, because their faces are on no page")
    if n["repaired"]:
        lines.append(f"{n['repaired']} luxels were negative or not finite and were corrected")
    lines += [f"wrote {file}" for file in written.files] if target else ["nothing was written"]
    return lines
