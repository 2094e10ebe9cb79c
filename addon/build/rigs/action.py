"""Writes animation curves into actions, with the API of each Blender version."""
import bpy
import numpy

from ..data.blocks import KEY, Made

FIRST_FRAME = 1    # the frame at which scenes of Blender begin
SLOT = "Model"     # name of the slot of every action; so an object finds its slot when it plays another action
_PREFIXES = {"OBJECT": "OB", "KEY": "KE"}
_LINEAR = 1        # Blender's value for linear interpolation of a key


def new(made: Made, name: str, kind: str, key: str) -> bpy.types.Action:
    """Makes an empty action for datablocks of a kind ("OBJECT", "KEY"). It has a fake user, so it stays in the file
    even when unused."""
    action = made.new("actions", name)
    action.use_fake_user = True
    action[KEY] = key
    if not hasattr(action, "slots"):
        action.id_root = kind
    return action


def curves_of(action: bpy.types.Action, kind: str) -> bpy.types.bpy_prop_collection:
    """Returns the container of an action's curves: the action itself or, since Blender 4.4, the channel bag of a
    slot."""
    if not hasattr(action, "slots"):
        return action.fcurves
    slot = action.slots.new(kind, SLOT)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def make_ready(animated: bpy.types.ID, kind: str) -> None:
    """Prepares a datablock, so that actions which a user assigns to it find their slot."""
    data = animated.animation_data_create()
    if hasattr(data, "last_slot_identifier"):
        data.last_slot_identifier = _PREFIXES[kind] + SLOT


def add_curve(curves: bpy.types.bpy_prop_collection, path: str, index: int, times: numpy.ndarray,
              values: numpy.ndarray) -> None:
    """Adds a curve with linear interpolation."""
    points = curves.new(path, index=index).keyframe_points
    points.add(len(values))
    points.foreach_set("co", numpy.stack([times, values], -1).astype(numpy.float32).ravel())
    points.foreach_set("interpolation", numpy.full(len(values), _LINEAR, numpy.int32))


def times_of(frame_count: int, frames_per_second: float, rate: float) -> numpy.ndarray:
    """Converts a game's frames to frame numbers of a scene with that rate."""
    return FIRST_FRAME + numpy.arange(frame_count) * (rate / frames_per_second)


def set_range(action: bpy.types.Action, times: numpy.ndarray, loops: bool) -> None:
    action.use_frame_range = True
    action.frame_start, action.frame_end = times[0], max(times[-1], times[0])
    action.use_cyclic = loops
