"""Sets up the scene and the 3D views of a window so that imported maps look as in the game."""
import math
from collections.abc import Sequence

import bpy
from mathutils import Vector

from .build.data.again import KIND
from .build.materials.facts import mode_of_map
from .build.objects.hiding import SKYBOX
from .build.objects.layers import are_shown, layer_of, show_kinds, show_sky

SENSOR = 36.0        # sensor width in millimeters for a 3D view: half of it, divided by the lens, is the tangent of
                     # half the view's angle
LENSES = (1.0, 250.0)
PIVOT = 128.0        # game units from the eye to the point around which the view rotates
NEAR = 4.0           # near plane of the engines in game units
HELPERS = ("show_floor", "show_axis_x", "show_axis_y", "show_cursor", "show_extras", "show_relationship_lines")


def set_up(context: bpy.types.Context, roots: Sequence[bpy.types.Collection],
           cameras: Sequence[bpy.types.Object | None], lit_by_game: bool) -> None:
    """Sets up the scene and the 3D views, and shows the first map that has a camera."""
    scene, view_layer = context.scene, context.view_layer
    put_away_defaults(scene)
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.look = "None"
    for root in roots:
        show_kinds(view_layer, root, ("Lights",), not lit_by_game)
        show_sky(view_layer, root, mode_of_map(root))
    camera = next((camera for camera in cameras if camera), None)
    if camera:
        scene.camera = camera
    _select(view_layer, roots)
    view_layer.update()
    low, high = bounds(roots)
    meters = roots[0]["meters_per_unit"]
    for area in _areas(context):
        if area.type == "VIEW_3D":
            _set_space(area.spaces.active, meters, (high - low).length)
            region = next(region for region in area.regions if region.type == "WINDOW")
            if camera:
                _look_through(area.spaces.active, region, camera, meters)
            else:
                _frame(area.spaces.active, low, high)
    _see_as_far(context, [root for root in roots if are_shown(view_layer, root, SKYBOX)])


def _areas(context: bpy.types.Context) -> list[bpy.types.Area]:
    """Returns the 3D views of the front window. Without a window, as in background mode, returns those of all
    screens."""
    screens = [context.window.screen] if context.window else bpy.data.screens
    return [area for screen in screens for area in screen.areas]


# ---- The scene

def put_away_defaults(scene: bpy.types.Scene) -> None:
    """Hides the cube, lamp and camera of a new file if they are unchanged."""
    for made in scene.objects:
        if _is_default(made):
            made.hide_set(True)
            made.hide_render = True


def _is_default(made: bpy.types.Object) -> bool:
    kind, place = {"Cube": ("MESH", (0, 0, 0)), "Light": ("LIGHT", (4.076245, 1.005454, 5.903862)),
                   "Camera": ("CAMERA", (7.358891, -6.925791, 4.958309))}.get(made.name, ("", ()))
    if made.type != kind or (made.location - Vector(place)).length > 1e-4 or made.parent or made.children:
        return False
    if made.modifiers or made.constraints or made.animation_data or tuple(made.scale) != (1, 1, 1):
        return False
    return kind != "MESH" or (len(made.data.vertices) == 8 and tuple(made.dimensions) == (2, 2, 2))


def _select(view_layer: bpy.types.ViewLayer, roots: Sequence[bpy.types.Collection]) -> None:
    """Selects the map for the next command."""
    for made in view_layer.objects:
        made.select_set(False)
    for root in roots:
        for child in root.children:
            for made in child.objects if child.get(KIND) == "World" else ():
                made.select_set(True, view_layer=view_layer)
                view_layer.objects.active = made
    layer = layer_of(view_layer, roots[-1])
    if layer:
        view_layer.active_layer_collection = layer


def bounds(roots: Sequence[bpy.types.Collection], kinds: Sequence[str] = ("World",)) -> tuple[Vector, Vector]:
    """Returns the corners of the bounding box of the maps' worlds."""
    worlds = [made for root in roots for kind in root.children if kind.get(KIND) in kinds for made in kind.objects]
    boxes = [(made.matrix_world, made.bound_box) for made in worlds if made.type == "MESH"]
    corners = [place @ Vector(corner) for place, box in boxes for corner in box]
    if not corners:
        return Vector((-1, -1, -1)), Vector((1, 1, 1))
    return (Vector([min(corner[axis] for corner in corners) for axis in range(3)]),
            Vector([max(corner[axis] for corner in corners) for axis in range(3)]))


# ---- The 3D skybox

def skyboxes(view_layer: bpy.types.ViewLayer, root: bpy.types.Collection) -> list[bpy.types.LayerCollection]:
    """Returns collections of a map's 3D skybox in the view layer; empty if it has none."""
    layer = layer_of(view_layer, root)
    return [child for child in layer.children if child.collection.get(KIND) == SKYBOX] if layer else []


def show_skybox(context: bpy.types.Context, roots: Sequence[bpy.types.Collection], shown: bool) -> None:
    """Shows or hides the 3D skybox around the map. When shown, the clip distances of views and cameras are extended."""
    for root in roots:
        show_kinds(context.view_layer, root, (SKYBOX,), shown)
        show_sky(context.view_layer, root, mode_of_map(root))
    if shown:
        context.view_layer.update()
        _see_as_far(context, roots)


def _see_as_far(context: bpy.types.Context, roots: Sequence[bpy.types.Collection]) -> None:
    """Extends the clip distances of views and cameras to these 3D skyboxes."""
    if not roots:
        return
    low, high = bounds(roots, (SKYBOX, "World"))
    far = 2 * (high - low).length
    for area in _areas(context):
        if area.type == "VIEW_3D":
            area.spaces.active.clip_end = max(area.spaces.active.clip_end, far)
    for made in {made for root in roots for made in root.all_objects if made.type == "CAMERA"}:
        made.data.clip_end = max(made.data.clip_end, far)


# ---- A 3D view

def _set_space(space: bpy.types.SpaceView3D, meters: float, size: float) -> None:
    """Shows the material preview with the scene's own world. EEVEE draws it, even if the scene's render engine is
    another one."""
    shading = space.shading
    shading.type = "MATERIAL"
    shading.use_scene_world = shading.use_scene_lights = True
    for helper in HELPERS:
        if hasattr(space.overlay, helper):
            setattr(space.overlay, helper, False)
    space.clip_start = NEAR * meters
    space.clip_end = max(2 * size, 100 * space.clip_start)


def _look_through(space: bpy.types.SpaceView3D, region: bpy.types.Region, camera: bpy.types.Object,
                  meters: float) -> None:
    """Moves the view to the camera's position and angle. It does not look through the camera, so that the mouse can
    turn the view."""
    view = space.region_3d
    view.view_perspective = "PERSP"
    view.view_distance = PIVOT * meters
    place = camera.matrix_world
    view.view_rotation = place.to_quaternion()
    view.view_location = place @ Vector((0, 0, -view.view_distance))
    wider = max(1.0, region.width / max(region.height, 1))
    space.lens = min(max(SENSOR / (math.tan(camera.data.angle_y / 2) * wider), LENSES[0]), LENSES[1])


def _frame(space: bpy.types.SpaceView3D, low: Vector, high: Vector) -> None:
    view = space.region_3d
    view.view_perspective = "PERSP"
    view.view_location = (low + high) / 2
    view.view_distance = max((high - low).length, 1e-3)
