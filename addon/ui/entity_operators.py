"""Object > Game map > Write into map: shows what will change, then asks for the file."""
import os
import tempfile

import bpy
from bpy_extras.io_utils import ExportHelper
from bspscene.library import LibraryError, MapError

from .. import relighting, rewriting
from ..build.data.again import MAP_FILE, MAP_NAME
from ..build.rebaking.compare import has_new_light
from ..jobs import is_map_file
from ..translations import say
from .map_operators import has_map, maps_of
from .telling import tell

REPORT_NAME = "Change report"
FAILURES = (MapError, LibraryError, ValueError, OSError)
WIDTH, ROWS = 640, 16
ENTITIES = bpy.props.BoolProperty(name="Entities", default=True, options={"SKIP_SAVE"},
                                  description="Your changes to entities and to vertices of faces")
LIGHT = bpy.props.BoolProperty(name="Light", default=False, options={"SKIP_SAVE"},
                               description="The result of \"Rebake light\", else the lightmap pages with your changes")


def _changes(operator: bpy.types.Operator, context: bpy.types.Context, target: str | None):
    """Returns the map and the result of writing; None after an error, which is reported."""
    roots = maps_of(context)
    if len(roots) != 1:
        operator.report({"ERROR"}, say("Select objects of only one map, the one to write"))
        return None
    try:
        return roots[0], rewriting.write_entities(roots[0], target)
    except FAILURES as error:
        operator.report({"ERROR"}, str(error))
        return None


class ChangeList(bpy.types.UIList):
    bl_idname = "BSPSCENE_UL_changes"

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_property) -> None:
        layout.label(text=item.name, translate=False)


class ShowChanges(bpy.types.Operator):
    """Show what was changed of an imported map's entities: moved, turned, added, copied or deleted objects, other
    custom properties and lamps. Then write it, and new light, into a copy of the map that the game loads"""
    bl_idname = "object.bspscene_changes"
    bl_label = "Write into map"
    bl_options = {"REGISTER"}

    lines: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    line: bpy.props.IntProperty(options={"HIDDEN", "SKIP_SAVE"})
    entities: ENTITIES
    light: LIGHT

    _is_same = False

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context)

    def _find(self, context) -> bool:
        found = _changes(self, context, None)
        if found is None:
            return False
        root, written = found
        self._is_same = written.rewritten.is_identical
        self.entities = not self._is_same
        self.lines.clear()
        for line in written.lines():
            self.lines.add().name = line
        if self._is_same and not written.told and not self.light:
            self.report({"INFO"}, say("Nothing to write: no entity changed"))
            return False
        tell(self, REPORT_NAME, root.name, written.lines())
        return True

    def invoke(self, context, _event):
        self.light = any(has_new_light(root) for root in maps_of(context))
        if not self._find(context):
            return {"CANCELLED"}
        return context.window_manager.invoke_props_dialog(self, width=WIDTH)

    def draw(self, _context) -> None:
        row = self.layout.row()
        ticks = row.row()
        ticks.enabled = not self._is_same
        ticks.prop(self, "entities")
        row.prop(self, "light")
        if self._is_same:
            self.layout.label(text="No entity changed")
        else:
            self.layout.label(text="These changes will be written; OK asks for the new file")
        self.layout.template_list(ChangeList.bl_idname, "", self, "lines", self, "line",
                                  rows=min(len(self.lines), ROWS), maxrows=ROWS)

    def execute(self, context):
        if bpy.app.background:
            return {"FINISHED"} if self._find(context) else {"CANCELLED"}
        if not self.entities and not self.light:
            return {"CANCELLED"}
        bpy.ops.export_scene.bspscene_entities("INVOKE_DEFAULT", entities=self.entities, light=self.light)
        return {"FINISHED"}


class WriteEntities(bpy.types.Operator, ExportHelper):
    """Write what was changed of an imported map's entities, and its new light, into a copy of the map, or the entities
    alone into a file that engines read next to it (.ent, _l_0.lmp). The map itself is never changed"""
    bl_idname = "export_scene.bspscene_entities"
    bl_label = "Write into map"
    bl_options = {"REGISTER"}

    filename_ext = ".bsp"
    check_extension = None   # None: keep the extension, which selects what is written
    filter_glob: bpy.props.StringProperty(default="*.bsp;*.ent;*_l_0.lmp", options={"HIDDEN"})
    entities: ENTITIES
    light: LIGHT
    brightness: bpy.props.FloatProperty(name="Brightness", default=1.0, min=0.01, max=100.0,
                                        description="Factor for rebaked light, which maps can store only up to a limit")

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context)

    def invoke(self, context, event):
        self.filepath = target_of(maps_of(context)[0])
        return super().invoke(context, event)

    def execute(self, context):
        if self.light:
            return self._write_light(context)
        found = _changes(self, context, self.filepath)
        if found is None:
            return {"CANCELLED"}
        root, written = found
        tell(self, REPORT_NAME, root.name, written.lines())
        return {"FINISHED"}

    def _write_light(self, context) -> set:
        """Writes the light into a copy of the map. If entities are written too, the copy has these already."""
        with tempfile.TemporaryDirectory() as folder:
            between = os.path.join(folder, "entities.bsp") if self.entities else ""
            found = _changes(self, context, between or None)
            if found is None:
                return {"CANCELLED"}
            root, written = found
            lines = [line for line in written.lines() if between and not line.endswith(between)]
            try:
                light = relighting.write_light(root, self.filepath, has_new_light(root), self.brightness, between)
            except FAILURES as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
        tell(self, REPORT_NAME, root.name, lines + relighting.lines_of(light, self.filepath))
        return {"FINISHED"}


def target_of(root: bpy.types.Collection) -> str:
    """Returns an unused file name next to the map, or next to the archive that contains it."""
    path = bpy.path.abspath(root[MAP_FILE])
    whole = os.path.splitext(path)[0] if is_map_file(path) else os.path.join(os.path.dirname(path), root[MAP_NAME])
    return whole + "_new.bsp"


CLASSES = [ChangeList, ShowChanges, WriteEntities]
