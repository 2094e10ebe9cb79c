"""Imports a map file as a collection of the scene. This is the script API; the operators call it too."""
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import bpy
from bspscene import abi
from bspscene.scene import Progress, Scene, text

from .build.baked import daylight
from .build.baked.bake import Bake, Baked, MergedPages, current_styles
from .build.data.again import MAP_FILE, MAP_NAME, mark, replace_earlier, take_names, update_earlier
from .build.data.blocks import KEY, Made
from .build.data.image import Images, Pages, Textures, pack_again, unpack_for_export
from .build.data.mesh import whiten_unused_colors
from .build.data.orphans import Orphans
from .build.materials import sky
from .build.materials.facts import MAP_MODE, remove_unused
from .build.materials.material import Materials
from .build.materials.mode import MaterialOptions
from .build.materials.page import PageLights
from .build.materials.shading import drive, seconds, time_group
from .build.materials.switch import switch
from .build.objects import layers, node
from .build.rebaking.compare import forget_light
from .build.rewriting.things import note_entities
from .build.rigs.rigging import Rigging
from .loading import load_scene
from .options import WITHOUT_PAGES, complete, light_factor
from .report import Report

def import_map(path: str, report: Report | None = None, progress: Progress | None = None,
               context: bpy.types.Context | None = None, blend: str | None = None,
               **options) -> bpy.types.Collection:
    """Imports a map into the current scene and returns its collection; the options are those of options.py.

    `blend` is the path that the scene will be saved to, if it is not the present one. Lightmap pages are written next
    to it. Raises bspscene.MapError, bspscene.LibraryError, TypeError or ValueError; then nothing was changed.
    """
    values = complete(options)
    report = report or Report()
    path = bpy.path.abspath(path)
    build = Build(load_scene(path, values, report, progress), path, values, report, context or bpy.context,
                  bpy.data.filepath if blend is None else blend)
    for _ in build.steps():
        pass
    build.finish()
    return build.root


class Build:
    """Makes datablocks of a loaded scene, in steps. A window can be redrawn between two steps.

    Existing data is unchanged, and new data is not shown, until `finish`. The scene is freed after the last step, so
    that only one of several maps is in memory at a time."""

    def __init__(self, scene: Scene, path: str, values: dict, report: Report, context: bpy.types.Context,
                 blend: str) -> None:
        self._scenes = [scene]   # holds the scene until the build takes it
        self._path, self._values, self._blend = path, values, blend
        self._into, self._view_layer = context.scene, context.view_layer
        self._made = Made()
        self._key = map_key_of(scene, path)
        self._images = Images(self._key, self._made, report.warnings, blend)
        self._time = seconds(self._into) if values["animate"] else ""
        self._world: bpy.types.World | None = None
        self._rigging: Rigging | None = None
        self.camera: bpy.types.Object | None = None   # camera of the first view
        self.root = self._made.new("collections", text(scene.data.name))

    def steps(self) -> Iterator[tuple[int, int]]:
        """Makes all new datablocks. Yields the number of finished parts, and the total. On a failure everything new is
        removed."""
        try:
            yield from self._build(self._scenes.pop())
        except BaseException:
            self.take_back()
            raise

    def _build(self, scene: Scene) -> Iterator[tuple[int, int]]:
        values, made = self._values, self._made
        pages = Pages(scene, page_directory(values["lightmaps"], self._path, self._blend), self._images)
        lights = PageLights(scene, self._key, pages, made, self._time, light_factor(values))
        textures = Textures(scene, self._images, texture_directory(values["texture_files"], self._path, self._blend))
        options = MaterialOptions(values["shading"], values["filtering"], bool(self._time), values["keep_materials"])
        materials = Materials(scene, self._key, textures, lights, options, made)
        self._rigging = rigging_of(scene, values, self._key, made, self._into)
        objects = node.Objects(scene, self.root, materials, values, made, self._rigging)
        yield from objects.build()
        self.camera = objects.camera
        if values["sky_world"]:
            self._world = sky.build(scene, self._key, materials, made)
        if values["shading"] == "RELIGHT":
            set_daylight(self.root, daylight.measure(scene), self._world)
        self._set_facts(scene)

    def take_back(self) -> None:
        """Removes everything that was made. Call it only before `finish`."""
        self._made.take_back()

    def finish(self) -> None:
        """Shows the map, and replaces an earlier import of it. Nothing can fail any more."""
        numbered = self._made.numbered()
        if self._rigging and self._values["again"] != "NEW":
            self._rigging.replace_earlier()
        self._images.finish()
        self._made.finish()
        if self._time:
            drive(time_group(self._made).nodes["Seconds"].outputs[0], self._time)
        if self._world:
            self._into.world = self._world
        shown = ("Armatures",) if self.root["family"] == "model" else ()
        layers.show(self._view_layer, self._into, self.root, self._values["shading"], shown)
        mark(self.root)
        if self._values["again"] == "REPLACE":
            replace_earlier(self._into, self.root)
        elif self._values["again"] == "UPDATE":
            name = self.camera.name if self.camera else ""
            self.camera = update_earlier(self._into, self.root).get(name, self.camera)
        if self._values["again"] != "NEW":
            if not self._values["keep_materials"]:
                remove_unused(numbered)
            take_names(self.root, numbered)

    def _set_facts(self, scene: Scene) -> None:
        """Stores on the collection the facts that a repeated import of the same map needs."""
        for name in ("family", "variant"):
            self.root[name] = text(getattr(scene.data, name))
        self.root[MAP_FILE], self.root[MAP_NAME] = self._path, text(scene.data.name)
        self.root["meters_per_unit"] = scene.data.meters_per_unit
        if self.root["family"] == "model" and scene.data.prop_count:
            self.root["skin_count"] = scene.items("props")[0].skin_count
        self.root["import_options"] = json.dumps(self._values)
        note_entities(self.root, scene)


# ---- Making the lightmap of an imported map again -------------------------------------------------------------------

def bake_lightmap(root: bpy.types.Collection, hdr: bool = False, merge_styles: bool = False,
                  lightmap_page_size: int = 4096,
                  lightmaps: str = "AUTO", report: Report | None = None) -> Baked:
    """Makes the lightmap of an imported map again; `root` is the map's collection.

    `merge_styles` bakes all light styles with their present values into one page. Raises MapError and ValueError.
    """
    if "map_file" not in root:
        raise ValueError(f"{root.name}: not the collection of an imported map")
    if json.loads(root["import_options"])["lightmaps"] in WITHOUT_PAGES:
        raise ValueError(f"{root.name}: its light is in the vertices or textures, it has no lightmap to bake")
    report = report or Report()
    path = bpy.path.abspath(root["map_file"])
    # Luxels get the same places on the pages only if the map is read with the same options.
    values = complete(dict(json.loads(root["import_options"]), hdr=hdr, lightmap_page_size=lightmap_page_size,
                           lightmaps=lightmaps))
    scene = load_scene(path, values, report, None, abi.TEXTURES_NAMES)
    made, key = Made(), map_key_of(scene, path)
    images = Images(key, made, report.warnings, bpy.data.filepath)
    directory = page_directory(lightmaps, path, bpy.data.filepath)
    if merge_styles:
        styles = current_styles(f"{key}/{text(scene.data.name)} light styles")
        pages: Pages = MergedPages(scene, directory, images, styles)
    else:
        pages = Pages(scene, directory, images)
    time = seconds(bpy.context.scene) if values["animate"] else ""
    lights = PageLights(scene, key, pages, made, time, light_factor(values))
    forget_light(root)
    earlier = Orphans(lambda known: known.startswith(f"{key}/"))
    baked = Bake(scene, root, pages, lights, made).run()
    images.finish()
    made.finish()
    earlier.remove(files=True)   # removes pages that no longer exist
    root["import_options"] = json.dumps(values)
    return baked


# ---- Other materials for an imported map -------------------------------------------------------------------------

def switch_materials(root: bpy.types.Collection, shading: str, objects: Iterable[bpy.types.Object] | None = None,
                     report: Report | None = None) -> int:
    """Shows an imported map, or only `objects` of it, with the materials for another value of the option `shading`.
    Returns how many materials changed. `root` is the map's collection. The map's lamps are shown only in the mode
    "RELIGHT". Raises MapError and ValueError if the map's file is needed for new materials and is gone."""
    complete({"shading": shading})   # raises an error for an unknown name
    if "map_file" not in root:
        raise ValueError(f"{root.name}: not the collection of an imported map")
    made, images, days = Made(), [], []

    def materials() -> Materials:
        images.append(Images("", made, [] if report is None else report.warnings, bpy.data.filepath))
        scene = scene_again(root, shading, images[0])
        if shading == "RELIGHT":
            days.append(daylight.measure(scene))
        return materials_again(scene, root, shading, made, images[0])

    try:
        count = switch(list(root.all_objects if objects is None else objects), shading, materials)
    except BaseException:
        made.take_back()
        raise
    for waiting in images:
        waiting.finish()
    made.finish()
    for day in days:
        set_daylight(root, day, bpy.context.scene.world)
    if objects is None:
        root[MAP_MODE] = shading
        layers.show_kinds(bpy.context.view_layer, root, ("Lights",), shading == "RELIGHT")
        layers.show_sky(bpy.context.view_layer, root, shading)
    if shading != "EXPORT":
        pack_again(bpy.data.images)
    elif bpy.data.filepath:
        unpack_for_export(image for image in bpy.data.images if KEY in image)
    return count


def copy_with_light(root: bpy.types.Collection) -> bpy.types.Collection:
    """Imports the map again for programs without lightmaps, with pictures that have both texture and light. Blender's
    exporters write these pictures; the glTF exporter writes unlit materials. The first import is excluded from the view
    layer. Raises MapError and ValueError."""
    if MAP_FILE not in root:
        raise ValueError(f"{root.name}: not the collection of an imported map")
    values = dict(values_of(root), lightmaps="TEXTURES", shading="EXPORT", again="NEW", keep_materials=False)
    made = import_map(root[MAP_FILE], **values)
    made.name = f"{root.name} with light"
    for mesh in {shown.data for shown in made.all_objects if shown.type == "MESH"}:
        whiten_unused_colors(mesh)
    layer = layers.layer_of(bpy.context.view_layer, root)
    if layer is not None:
        layer.exclude = True
    if bpy.data.filepath:
        unpack_for_export(image for image in bpy.data.images if KEY in image)
    return made


def scene_again(root: bpy.types.Collection, shading: str, images: Images) -> Scene:
    """Loads the map's file again with the options of the import, but for another mode."""
    path = bpy.path.abspath(root["map_file"])
    scene = load_scene(path, _values_again(root, shading), Report(), None)
    images.map_key = map_key_of(scene, path)
    return scene


def _values_again(root: bpy.types.Collection, shading: str) -> dict:
    return dict(values_of(root), shading=shading)


def values_of(root: bpy.types.Collection) -> dict:
    """Returns the options of the map's import, or of its last bake."""
    return complete(json.loads(root["import_options"]))


def materials_again(scene: Scene, root: bpy.types.Collection, shading: str, made: Made, images: Images,
                     keep: bool = True) -> Materials:
    """Returns an object that makes materials of the map as the import did, but in another mode."""
    path, values, key = bpy.path.abspath(root["map_file"]), _values_again(root, shading), images.map_key
    pages = Pages(scene, page_directory(values["lightmaps"], path, bpy.data.filepath), images)
    time = seconds(bpy.context.scene) if values["animate"] else ""
    lights = PageLights(scene, key, pages, made, time, light_factor(values), keep=True)
    textures = Textures(scene, images, texture_directory(values["texture_files"], path, bpy.data.filepath))
    options = MaterialOptions(shading, values["filtering"], bool(time), keep)
    return Materials(scene, key, textures, lights, options, made)


def sky_of(root: bpy.types.Collection, made: Made) -> bpy.types.World | None:
    """Makes the sky of an imported map as a world in `made`; None if the map shows no sky."""
    images = Images("", made, [], bpy.data.filepath)
    scene = scene_again(root, "RELIGHT", images)
    materials = materials_again(scene, root, "RELIGHT", made, images)
    world = sky.build(scene, images.map_key, materials, made)
    images.finish()
    return world


def set_daylight(root: bpy.types.Collection, day: daylight.Daylight | None, world: bpy.types.World | None) -> None:
    """Sets the map's suns and lamps to the strength `day`, which was measured from its lightmap. Sets the strength of
    `world` too, but only if it is a sky that an import made. Does nothing if `day` is None."""
    if day is not None:
        is_ours = world is not None and KEY in world
        daylight.apply(day, root.all_objects, world if is_ours else None)


def rigging_of(scene: Scene, values: dict, key: str, made: Made, into: bpy.types.Scene) -> Rigging | None:
    """Returns the object that rigs models, or None if models are imported without movement."""
    if values["rigs"] != "RIGGED":
        return None
    return Rigging(made, key, scene.data.meters_per_unit, into.render.fps / into.render.fps_base)


def map_key_of(scene: Scene, path: str) -> str:
    return f"{text(scene.data.family)}:{Path(path).resolve()}:{text(scene.data.name)}"


def texture_directory(wanted: str, path: str, blend: str) -> Path | None:
    """Returns the folder for texture files: "textures" next to the .blend, or next to the map if the path of the .blend
    is unknown. Returns None if textures are packed into the .blend."""
    return Path(blend or path).resolve().parent / "textures" if wanted == "FILES" else None


def page_directory(wanted: str, path: str, blend: str) -> Path | None:
    """Returns the folder for lightmap pages, or None if they are packed into the .blend. `blend` is the path of the
    .blend, or "" if it was never saved."""
    if wanted == "PACK" or (wanted == "AUTO" and not blend):
        return None
    return Path(blend or path).resolve().parent / "lightmaps"
