"""File > Import > Game map, dropping map files into the window, and Object > Prepare game maps for glTF."""
import os

import bpy
from bpy_extras.io_utils import ImportHelper

from . import importer, preferences
from .build import gltf
from .native.library import LibraryError
from .native.scene import MapError
from .options import OPTIONS, Option

REPORT_NAME = "Import report"


def _property(option: Option):
    """The operator property of an option."""
    common = {"name": option.label, "description": option.description, "default": option.default}
    if option.kind == "enum":
        return bpy.props.EnumProperty(items=option.items, **common)
    if option.kind == "bool":
        return bpy.props.BoolProperty(**common)
    if option.kind == "text":
        return bpy.props.StringProperty(**common)
    low, high = option.limits
    if option.kind == "int":
        return bpy.props.IntProperty(min=int(low), max=int(high), **common)
    return bpy.props.FloatProperty(min=low, max=high, precision=4, **common)


class ImportGameMap(bpy.types.Operator, ImportHelper):
    """Import a compiled map of Quake, Quake II, Quake III Arena, Half-Life and their relatives"""
    bl_idname = "import_scene.bspscene"
    bl_label = "Import game map"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".bsp"
    filter_glob: bpy.props.StringProperty(default="*.bsp", options={"HIDDEN"})
    files: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: bpy.props.StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    __annotations__.update({option.name: _property(option) for option in OPTIONS})

    def draw(self, _context) -> None:
        self.layout.use_property_split = True
        for option in OPTIONS:
            self.layout.prop(self, option.name)

    def invoke(self, context, event):
        # Dropped files come with their names; only the options are still to be asked for.
        if self.directory and self.files and hasattr(self, "invoke_popup"):
            return self.invoke_popup(context)
        return super().invoke(context, event)

    def execute(self, context):
        values = {option.name: getattr(self, option.name) for option in OPTIONS}
        values["game_paths"] = ";".join(preferences.game_paths(context) + [values["game_paths"]])
        done = [self._import(context, path, values) for path in self._paths()]
        return {"FINISHED"} if any(done) else {"CANCELLED"}

    def _paths(self):
        names = [item.name for item in self.files if item.name]
        return [os.path.join(self.directory, name) for name in names] or [self.filepath]

    def _import(self, context, path: str, values: dict) -> bool:
        window = context.window_manager
        report = importer.Report()
        window.progress_begin(0, 1000)

        def progress(_stage: str, done: int, total: int) -> bool:
            window.progress_update(1000 * done / total if total else 0)
            return True

        try:
            importer.import_map(path, report, progress, context, **values)
        except (MapError, LibraryError) as error:
            self.report({"ERROR"}, str(error))
            return False
        finally:
            window.progress_end()
        self._tell(path, report)
        return True

    def _tell(self, path: str, report: importer.Report) -> None:
        """One line in the status bar; everything in a text that the Text Editor shows."""
        lines = report.lines()
        if not lines:
            self.report({"INFO"}, f"Imported {os.path.basename(path)}")
            return
        shown = bpy.data.texts.get(REPORT_NAME) or bpy.data.texts.new(REPORT_NAME)
        shown.write("\n".join([path, *lines, "", ""]))
        self.report({"WARNING"}, f"{os.path.basename(path)}: {lines[0]} (see the text \"{REPORT_NAME}\")")


class PrepareForGltf(bpy.types.Operator):
    """Rewire the materials of imported maps so that Blender's glTF exporter keeps texture and lightmap"""
    bl_idname = "object.bspscene_prepare_gltf"
    bl_label = "Prepare game maps for glTF"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, _context):
        changed = gltf.prepare(bpy.data.materials)
        if not changed:
            self.report({"WARNING"}, "No imported material with a lightmap is left to prepare")
            return {"CANCELLED"}
        self.report({"INFO"}, f"{changed} materials prepared: the lightmap is the occlusion texture on TEXCOORD_1")
        return {"FINISHED"}


def gltf_entry(self, _context) -> None:
    self.layout.operator(PrepareForGltf.bl_idname)


def menu_entry(self, _context) -> None:
    self.layout.operator(ImportGameMap.bl_idname, text="Game map (.bsp)")


CLASSES = [ImportGameMap, PrepareForGltf]

if hasattr(bpy.types, "FileHandler"):
    class GameMapFileHandler(bpy.types.FileHandler):
        bl_idname = "IO_FH_bspscene"
        bl_label = "Game map"
        bl_import_operator = ImportGameMap.bl_idname
        bl_file_extensions = ".bsp"

        @classmethod
        def poll_drop(cls, context) -> bool:
            return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}

    CLASSES.append(GameMapFileHandler)
