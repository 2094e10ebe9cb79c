"""import_map: a map file -> a collection in the scene. The script API; the operators call it too."""
from pathlib import Path
from typing import List, Optional

import bpy

from .build import node
from .build.image import Earlier, Pages, Textures
from .build.material import Materials
from .native import abi
from .native.files import GameFiles
from .native.scene import Progress, Scene, load, text
from .options import complete

ROLLED_BACK = ("objects", "collections", "meshes", "materials", "images", "lights", "cameras", "node_groups", "texts")


class Report:
    """What an import has to say: what was repaired, not found or left out, and where it was looked for."""

    def __init__(self) -> None:
        self.warnings: List[str] = []
        self.missing_textures: List[str] = []
        self.searched: List[str] = []

    def lines(self) -> List[str]:
        lines = list(self.warnings)
        if self.missing_textures:
            lines += [f"{len(self.missing_textures)} textures were not found:"]
            lines += [f"  {name}" for name in self.missing_textures]
            lines += ["Searched in:"] + [f"  {place}" for place in self.searched or ["(no game directory)"]]
        return lines


def import_map(path: str, report: Optional[Report] = None, progress: Optional[Progress] = None,
               context: Optional[bpy.types.Context] = None, **options) -> bpy.types.Collection:
    """Imports a map into the current scene and returns its collection; the options are those of options.py.

    Raises native.scene.MapError, native.library.LibraryError, TypeError or ValueError; then nothing was changed.
    """
    values = complete(options)
    report = report or Report()
    return build_scene(load_scene(path, values, report, progress), path, values, report, context or bpy.context)


def search_paths(values: dict) -> List[str]:
    """Directories and archives the user named."""
    return [place.strip() for place in values["game_paths"].split(";") if place.strip()]


def load_scene(path: str, values: dict, report: Report, progress: Optional[Progress]) -> Scene:
    """The part without Blender's data: may run in another thread."""
    path = bpy.path.abspath(path)
    files = GameFiles(path, search_paths(values))
    encoding = abi.LIGHTMAP_NONE if values["lightmaps"] == "NONE" else \
        abi.LIGHTMAP_HDR if values["hdr"] else abi.LIGHTMAP_DISPLAY
    scene = load(path, files, progress,
                 include=abi.INCLUDE_ALL if values["hidden"] else abi.VISIBLE,
                 textures=abi.TEXTURES_LOAD if values["textures"] else abi.TEXTURES_NONE,
                 lightmap_encoding=encoding, page_size=int(values["page_size"]),
                 patch_error=values["patch_error"], metres_per_unit=values["metres_per_unit"])
    report.warnings = files.problems + scene.warnings()
    report.missing_textures = scene.missing_textures() if values["textures"] else []
    report.searched = files.places()
    return scene


def build_scene(scene: Scene, path: str, values: dict, report: Report,
                context: bpy.types.Context) -> bpy.types.Collection:
    """The part in Blender; takes back what it made when it fails."""
    before = {name: set(getattr(bpy.data, name)) for name in ROLLED_BACK}
    try:
        return _build(scene, path, values, report, context)
    except BaseException:
        for name, known in before.items():
            bpy.data.batch_remove([made for made in getattr(bpy.data, name) if made not in known])
        raise


def _build(scene: Scene, path: str, values: dict, report: Report, context: bpy.types.Context) -> bpy.types.Collection:
    root = bpy.data.collections.new(text(scene.data.name))
    place, directory = _page_place(values["lightmaps"], path)
    map_key = f"{text(scene.data.family)}:{Path(bpy.path.abspath(path)).resolve()}"
    earlier = Earlier(map_key)
    pages = Pages(scene, place, directory, earlier, report.warnings)
    textures = Textures(scene, earlier, report.warnings)
    materials = Materials(scene, map_key, textures, pages, values["shading"], values["filtering"],
                          values["keep_materials"])
    objects = node.Objects(scene, root, materials, values)
    for name in node.COLLECTIONS:
        objects.collection(name)
    objects.build()
    for name in node.COLLECTIONS[2:]:
        if not objects.collections[name].objects:
            bpy.data.collections.remove(objects.collections.pop(name))
    context.scene.collection.children.link(root)
    node.exclude_hidden(context.view_layer, root, objects.collections)
    for name in ("family", "variant"):
        root[name] = text(getattr(scene.data, name))
    root["map_file"] = path
    root["metres_per_unit"] = scene.data.metres_per_unit
    return root


def _page_place(wanted: str, path: str):
    """Where lightmap pages go, and the directory for files."""
    if wanted == "PACK" or (wanted == "AUTO" and not bpy.data.filepath):
        return "PACK", None
    return "FILES", Path(bpy.data.filepath or path).resolve().parent / "lightmaps"


