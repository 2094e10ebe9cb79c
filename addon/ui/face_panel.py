"""The sidebar's panel of faces. A click on a surface shows what the map's file says about it."""
import bpy
from bpy_extras import view3d_utils
from bspscene.library import LibraryError, MapError

from .. import faces
from ..translations import say
from . import map_operators

_shown: list[faces.Face] = []   # the face that was clicked last


class LookAtFace(bpy.types.Operator):
    """Click on a surface of a map: its texture, luxel and flags are shown in the sidebar. Esc ends"""
    bl_idname = "object.bspscene_face"
    bl_label = "Look at a face"
    bl_options = {"REGISTER"}

    location: bpy.props.FloatVectorProperty(size=3, options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context) -> bool:
        return map_operators.has_map(context)

    def invoke(self, context, _event):
        if context.area is None or context.area.type != "VIEW_3D":
            return self.execute(context)
        context.window.cursor_modal_set("EYEDROPPER")
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type in {"ESC", "RIGHTMOUSE"}:
            context.window.cursor_modal_restore()
            return {"CANCELLED"}
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"PASS_THROUGH"}
        context.window.cursor_modal_restore()
        hit = _hit(context, event)
        if hit is None:
            self.report({"WARNING"}, say("There is no surface of a map at this point"))
            return {"CANCELLED"}
        self.location = hit
        return self.execute(context)

    def execute(self, context):
        _shown.clear()
        for root in map_operators.maps_of(context):
            try:
                found = faces.face_at(root, tuple(self.location))
            except (MapError, LibraryError, OSError) as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
            if found:
                _shown.append(found)
                if context.area:
                    context.area.tag_redraw()
                return {"FINISHED"}
        self.report({"WARNING"}, say("There is no surface of a map at this point"))
        return {"CANCELLED"}


def _hit(context, event):
    """Returns the point of the scene under the mouse pointer, or None."""
    region = next((part for part in context.area.regions if part.type == "WINDOW"), None)
    if region is None:
        return None
    place = (event.mouse_x - region.x, event.mouse_y - region.y)
    view = context.area.spaces.active.region_3d
    start = view3d_utils.region_2d_to_origin_3d(region, view, place)
    direction = view3d_utils.region_2d_to_vector_3d(region, view, place)
    is_hit, location, *_ = context.scene.ray_cast(context.evaluated_depsgraph_get(), start, direction)
    return location if is_hit else None


class FacePanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_bspscene_face"
    bl_label = "Face"
    bl_parent_id = "VIEW3D_PT_bspscene"
    bl_options = {"DEFAULT_CLOSED"}
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Game map"

    def draw(self, _context) -> None:
        self.layout.operator_context = "INVOKE_DEFAULT"
        self.layout.operator(LookAtFace.bl_idname, icon="EYEDROPPER")
        column = self.layout.column(align=True)
        for line in _shown[0].lines() if _shown else ():
            column.label(text=line, translate=False)


def forget() -> None:
    _shown.clear()
    faces.forget()


@bpy.app.handlers.persistent
def _before_load(*_) -> None:
    forget()


def register() -> None:
    bpy.app.handlers.load_pre.append(_before_load)


def unregister() -> None:
    bpy.app.handlers.load_pre.remove(_before_load)
    forget()


CLASSES = [LookAtFace, FacePanel]
