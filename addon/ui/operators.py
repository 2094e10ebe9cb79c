"""File > Import > Game map and Game model: operators for the dialog, dropped files, scripts and the command line."""
import os
import time

import bpy
from bpy_extras.io_utils import ImportHelper
from bspscene.files import ARCHIVES, PACKED, maps_in
from bspscene.library import LibraryError

from .. import preferences, view
from ..jobs import Job, Run
from ..options import OPTIONS, complete
from ..translations import say
from . import choosing_panel, properties
from .modal import Modal

REPORT_NAME = "Import report"
SLICE = 0.05           # shortest time in seconds that is spent building between two redraws
LONGEST_SLICE = 0.5    # longest time in seconds that is spent building between two redraws; Esc has to wait that long
WORK_SHARE = 4         # building takes this many times as long as the previous redraw
INTERVAL = 0.02        # seconds between two steps
TELLING = 0.25         # seconds between two changes of the progress text
ENDINGS = (".bsp", *ARCHIVES, *PACKED)
RIGS = next(option for option in OPTIONS if option.name == "rigs")
MODELS = (".mdl", ".md2", ".md3", ".iqm", ".tik", ".spr")


class GameImport(Modal, ImportHelper, properties.ImportOptions):
    """Common part of both operators. Not an operator itself, because Blender loses registered classes that others
    inherit from."""

    files: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: bpy.props.StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})

    installed: bpy.props.EnumProperty(name="Installed game", items=choosing_panel.installed_items,
                                      options={"SKIP_SAVE"},
                                      description="A game to search for files that the map's own game lacks")
    own_defaults: tuple[str, ...] = ()   # options whose defaults are not the user's defaults for maps
    left_out: tuple[str, ...] = ()       # options that the dialog does not show
    _in_window = False      # true if a user called the operator in a window; false for scripts
    _asks = False           # true if the dialog only asks which map of an archive to import

    def draw(self, context) -> None:
        if self._asks:
            self.layout.use_property_split = True
            self.layout.prop_search(self, "map", self, "choices", text="Map")
            return
        choosing_panel.draw(self.layout, self, context)
        self.layout.prop(self, "set_up_view")
        properties.draw(self.layout, self, self.left_out)

    choices: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})

    # ---- Functions that Blender calls

    def invoke(self, context, event):
        self._in_window = True
        preferences.begin_with_defaults(context, self)
        # Dropped files already have names, so the dialog asks only for options.
        if self.directory and self.files and hasattr(self, "invoke_popup"):
            return self.invoke_popup(context)
        return super().invoke(context, event)

    def execute(self, context):
        in_window = self._in_window and not bpy.app.background and context.window is not None
        paths = self._paths()
        if in_window and not self._asks and self._must_choose(paths):
            return context.window_manager.invoke_props_dialog(self, width=400)
        self._asks = False
        values = complete(self._given())
        values["sky_world"] = values["sky_world"] or self._sets_up_view(context)
        chosen = [self.installed] if self.installed != choosing_panel.NONE else []
        values["game_paths"] = ";".join([*preferences.game_paths(context), *chosen, values["game_paths"]])
        self._job = Job(paths, values, context, in_window)
        if in_window:
            self._in_window = False    # "Adjust last operation" calls this again, and cannot wait
            return self._start(context)
        for _ in self._job.steps():
            pass
        return self._end(context)

    def _given(self) -> dict:
        """Returns the options. If a script sets only a factor of light, "brightness" becomes "FACTOR"."""
        named = {option.name: getattr(self, option.name) for option in OPTIONS
                 if option.name != "brightness" or self.properties.is_property_set(option.name)}
        return named if self.properties.is_property_set("intensity") else {
            name: value for name, value in named.items() if name != "intensity"}

    def _sets_up_view(self, context) -> bool:
        return self.set_up_view and not bpy.app.background and context.window is not None

    def _paths(self):
        names = [item.name for item in self.files if item.name]
        return [os.path.join(self.directory, name) for name in names] or [self.filepath]

    def _must_choose(self, paths) -> bool:
        """True if an archive has several maps and no map is chosen. Fills the dialog's list of maps."""
        if self.map or len(paths) != 1:   # type: ignore[has-type]
            return False
        try:
            names = maps_in(bpy.path.abspath(paths[0]))
        except LibraryError:
            return False   # loading the file reports the error
        self.choices.clear()
        for name in names:
            self.choices.add().name = name
        self._asks = len(names) > 1
        if self._asks:
            self.map = names[0]
        return self._asks

    # ---- In a window: step by step, until it is done or Esc is pressed

    def _start(self, context):
        self._left = self._shown = time.perf_counter()
        return self._start_run(context, Run(self._job), INTERVAL)

    def modal(self, context, event):
        if event.type == "ESC" or self._run.was_ended:
            self._stop(context)
            self.report({"INFO"}, say("Import canceled, nothing was changed"))
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        now = time.perf_counter()
        end = now + min(max(WORK_SHARE * (now - self._left), SLICE), LONGEST_SLICE)
        try:
            share, doing = self._run.step()
            while time.perf_counter() < end:
                share, doing = self._run.step()
        except StopIteration:
            self._stop(context)
            return self._end(context)
        except ReferenceError:
            self._stop(context)
            self.report({"ERROR"}, say("Import canceled, because some of its new data was removed in the meantime"))
            return {"CANCELLED"}
        except BaseException:
            self._stop(context)
            raise
        self._show_seldom(context, share, doing)
        self._left = time.perf_counter()
        return {"RUNNING_MODAL"}

    def _show_seldom(self, context, share: float, doing: str) -> None:
        """Updates the progress text at intervals of TELLING, because every change redraws the window."""
        if time.perf_counter() - self._shown < TELLING:
            return
        self._shown = time.perf_counter()
        self._show_share(context, share,
                         say("Importing {doing}  {share:.0%}   (Esc: cancel)", doing=doing, share=share))

    # ---- The end of an import: showing the maps and reporting

    def _end(self, context):
        if self._job.roots and self._sets_up_view(context):
            view.set_up(context, self._job.roots, self._job.cameras, self.shading != "RELIGHT")
        for failure in self._job.failures:
            self.report({"ERROR"}, failure)
        for path, report in self._job.done:
            self._tell(path, report)
        return {"FINISHED"} if self._job.done else {"CANCELLED"}

    def _tell(self, path: str, report) -> None:
        """Reports one line in the status bar, and the whole report as a text in the Text Editor."""
        lines = report.lines()
        if not lines:
            self.report({"INFO"}, say("Imported {name}", name=os.path.basename(path)))
            return
        shown = bpy.data.texts.get(REPORT_NAME) or bpy.data.texts.new(REPORT_NAME)
        shown.write("\n".join([path, *lines, "", ""]))
        self.report({"WARNING"}, say("{name}: {first} (see the text \"{text}\")", name=os.path.basename(path),
                                     first=lines[0], text=REPORT_NAME))


class ImportGameMap(GameImport, bpy.types.Operator):
    """Import a compiled map of Quake, Half-Life, Source, Medal of Honor, Nightfire and their relatives"""
    bl_idname = "import_scene.bspscene"
    bl_label = "Import game map"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    left_out = ("skin",)

    filename_ext = ".bsp"
    filter_glob: bpy.props.StringProperty(default=";".join("*" + ending for ending in ENDINGS), options={"HIDDEN"})
    set_up_view: bpy.props.BoolProperty(
        name="Set up the view", default=True,
        description="Show the map as in the game, from one of its cameras: material preview, the view transform "
                    "Standard, its sky, no helpers, and the default cube, lamp and camera hidden")


class ImportGameModel(GameImport, bpy.types.Operator):
    """Import a model of Quake, Half-Life, Source, Quake III and their relatives, with its textures"""
    bl_idname = "import_scene.bspscene_model"
    bl_label = "Import game model"
    bl_options = {"REGISTER", "UNDO", "PRESET"}
    own_defaults = ("rigs",)

    filename_ext = ".mdl"
    filter_glob: bpy.props.StringProperty(default=";".join("*" + ending for ending in MODELS), options={"HIDDEN"})
    rigs: properties.property_of(RIGS._replace(default="RIGGED"))
    set_up_view: bpy.props.BoolProperty(
        name="Set up the view", default=False,
        description="Show the model as in the game: material preview, the view transform Standard, and the default "
                    "cube, lamp and camera hidden")


def menu_entry(self, _context) -> None:
    self.layout.operator(ImportGameMap.bl_idname, text="Game map (.bsp)")
    self.layout.operator(ImportGameModel.bl_idname, text="Game model (.mdl, .md2, .md3, .iqm)")


CLASSES = [ImportGameMap, ImportGameModel]

if hasattr(bpy.types, "FileHandler"):
    class Dropped:
        """Common part of both handlers: where files can be dropped."""
        @classmethod
        def poll_drop(cls, context) -> bool:
            return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}

    class GameMapFileHandler(Dropped, bpy.types.FileHandler):
        bl_idname = "IO_FH_bspscene"
        bl_label = "Game map"
        bl_import_operator = ImportGameMap.bl_idname
        bl_file_extensions = ";".join(ending for ending in ENDINGS if ending not in (".zip", *PACKED))

    class GameModelFileHandler(Dropped, bpy.types.FileHandler):
        bl_idname = "IO_FH_bspscene_model"
        bl_label = "Game model"
        bl_import_operator = ImportGameModel.bl_idname
        bl_file_extensions = ";".join(MODELS)

    CLASSES += [GameMapFileHandler, GameModelFileHandler]
