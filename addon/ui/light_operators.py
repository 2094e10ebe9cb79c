"""Object > Game map: operators that bake light with Cycles, compare it, and write it into a copy of the map."""
import os
import time

import bpy
from bpy_extras.io_utils import ExportHelper
from bspscene.library import LibraryError, MapError

from .. import relighting
from ..build.rebaking.compare import has_new_light, show_light, shows_new_light
from ..build.rebaking.rebake import Settings
from ..jobs import Run
from ..translations import say
from .map_operators import has_map, maps_of
from .modal import Modal
from .telling import tell

REPORT_NAME = "Light report"
INTERVAL = 0.1   # seconds between checks of the bake
FAILURES = (MapError, LibraryError, ValueError, OSError, RuntimeError, relighting.BlackBake)


class RebakeLight(Modal, bpy.types.Operator):
    """Bake the lightmap of imported maps anew with Cycles: lamps, sky and objects as they are now. The map then shows
    the new light; nothing is written into any map's file"""
    bl_idname = "object.bspscene_rebake"
    bl_label = "Rebake light"
    bl_options = {"REGISTER", "UNDO"}

    factor: bpy.props.IntProperty(name="Samples along a luxel", default=4, min=1, max=8,
                                  description="A luxel is the mean of this number of samples, squared")
    samples: bpy.props.IntProperty(name="Rays of a sample", default=16, min=1, max=4096,
                                   description="More rays take longer and leave less noise")
    denoise: bpy.props.BoolProperty(name="Denoise", default=True,
                                    description="Average luxels of a face that differ only by noise; edges of shadows "
                                                "stay sharp")
    map_sky: bpy.props.BoolProperty(name="The map's sky", default=True,
                                    description="Use the map's sky at the game's strength even if the scene has "
                                                "another world; else use that world")

    probes: bpy.props.BoolProperty(name="Light of moving objects", default=True,
                                   description="Also bake the light probes by which the game lights players and items")

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context) and hasattr(context.scene, "cycles")

    def invoke(self, context, _event):
        self._in_window = True
        try:
            self._work = {root.name: relighting.work_of(root) for root in maps_of(context)}
        except FAILURES as error:
            self.report({"ERROR"}, str(error).strip())
            return {"CANCELLED"}
        self.probes = self.probes and not any(work.is_long for work in self._work.values())
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, _context):
        for name in ("factor", "samples", "denoise", "map_sky", "probes"):
            self.layout.prop(self, name)
        for line in self.warnings():
            self.layout.label(text=line, icon="ERROR")

    def warnings(self) -> list[str]:
        """Returns a notice for maps in which light probes would take most of the time, because users may not know of
        them."""
        return [say("{map}: \"Light of moving objects\" has {points:,} points, which take {times:.0f} times as long as "
                    "its faces", map=name, points=work.points, times=work.times)
                for name, work in getattr(self, "_work", {}).items() if work.is_long]

    def execute(self, context):
        in_window = getattr(self, "_in_window", False) and not bpy.app.background and context.window is not None
        self._in_window = False   # "Adjust last operation" calls this again, and cannot wait
        self._left = maps_of(context)
        self._done = 0
        if not in_window:
            while self._left:
                self._finish(self._begin(relighting.bake_at_once))
            return self._end()
        self._is_canceled = False
        return self._start_run(context, Run(self), INTERVAL)

    def _begin(self, bake) -> tuple[bpy.types.Collection, relighting.RebakeRun]:
        root = self._left.pop(0)
        settings = Settings(self.samples, self.factor, self.denoise, self.probes)
        return root, relighting.RebakeRun(root, settings, self.map_sky, bake)

    def _finish(self, begun) -> None:
        root, run = begun
        try:
            for _ in run.steps():
                pass
        except FAILURES as error:
            self.report({"ERROR"}, str(error).strip())
            return
        self._say(root, run)

    def _say(self, root, run) -> None:
        self._done += 1
        tell(self, REPORT_NAME, root.name, run.done.lines())

    def _end(self) -> set:
        return {"FINISHED"} if self._done else {"CANCELLED"}

    # ---- In a window: Blender bakes in a job of its own, and Esc ends both that job and this operator

    def steps(self):
        """Rebakes all maps, one after the other. Yields the finished share, as jobs.Run expects."""
        total = len(self._left)
        while self._left:
            root, run = self._begin(relighting.bake_in_window)
            for share in run.steps():
                yield (total - len(self._left) - 1 + share) / total, root.name
            self._say(root, run)

    def modal(self, context, event):
        if event.type == "ESC":
            self._is_canceled = True
            return {"PASS_THROUGH"}   # Esc also ends Blender's bake
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        is_baking = bpy.app.is_job_running("OBJECT_BAKE")
        if (self._is_canceled or self._run.was_ended) and not is_baking:
            self._stop(context)
            self.report({"INFO"}, say("Rebaking canceled, nothing was changed"))
            return {"CANCELLED"}
        try:
            share, doing = self._run.step()
        except StopIteration:
            self._stop(context)
            return self._end()
        except relighting.Canceled:
            self._stop(context)
            self.report({"INFO"}, say("Rebaking canceled, nothing was changed"))
            return {"CANCELLED"}
        except FAILURES as error:
            self._stop(context)
            self.report({"ERROR"}, str(error).strip())
            return {"CANCELLED"}
        except BaseException:
            self._stop(context)
            raise
        self._show_share(context, share, say("Rebaking {doing}  {share:.0%}   (Esc: cancel)", doing=doing, share=share))
        return {"PASS_THROUGH"}


class CompareLight(bpy.types.Operator):
    """Show rebaked maps with the light of the map's file, or with the new light again"""
    bl_idname = "object.bspscene_compare_light"
    bl_label = "Compare old and new light"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context) and any(has_new_light(root) for root in maps_of(context))

    def execute(self, context):
        roots = [root for root in maps_of(context) if has_new_light(root)]
        new = not any(shows_new_light(root) for root in roots)
        if not sum(show_light(root, new) for root in roots):
            return {"CANCELLED"}
        self.report({"INFO"}, say("The new light is shown") if new else say("The light of the map's file is shown"))
        return {"FINISHED"}


class WriteLight(bpy.types.Operator, ExportHelper):
    """Write the new light of an imported map, or its painted lightmap pages, into a copy of the map that the game
    loads. The map itself is never changed"""
    bl_idname = "export_scene.bspscene_light"
    bl_label = "Write light into map"
    bl_options = {"REGISTER"}

    filename_ext = ".bsp"
    filter_glob: bpy.props.StringProperty(default="*.bsp", options={"HIDDEN"})
    light: bpy.props.EnumProperty(name="Light", description="Which light is written into the copy", items=(
        ("REBAKED", "Rebaked", "The result of \"Rebake light\""),
        ("PAGES", "Lightmap pages", "The imported pages with your changes")))
    brightness: bpy.props.FloatProperty(name="Brightness", default=1.0, min=0.01, max=100.0,
                                        description="Factor for rebaked light, which maps can store only up to a limit")
    dry_run: bpy.props.BoolProperty(name="Report only", default=False, options={"SKIP_SAVE"},
                                    description="Report what would be written, without writing")

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context)

    def invoke(self, context, event):
        roots = maps_of(context)
        self.light = "REBAKED" if has_new_light(roots[0]) else "PAGES"
        self.filepath = os.path.splitext(bpy.path.abspath(roots[0]["map_file"]))[0] + "_relit.bsp"
        return super().invoke(context, event)

    def execute(self, context):
        roots = maps_of(context)
        if len(roots) != 1:
            self.report({"ERROR"}, say("Select objects of only one map, the one to write"))
            return {"CANCELLED"}
        target = None if self.dry_run else self.filepath
        start = time.perf_counter()
        try:
            written = relighting.write_light(roots[0], target, self.light == "REBAKED", self.brightness)
        except FAILURES as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        lines = relighting.lines_of(written, target)
        tell(self, REPORT_NAME, roots[0].name, [*lines, f"{time.perf_counter() - start:.1f} s"])
        return {"FINISHED"}


CLASSES = [RebakeLight, CompareLight, WriteLight]
