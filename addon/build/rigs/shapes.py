"""Makes shape keys from a mesh's frames, and actions from its sequences."""
import bpy
import numpy
from bspscene.scene import RigView

from ..data.blocks import Made
from . import action as action_module


def add_keys(holder: bpy.types.Object, rig: RigView, rows: numpy.ndarray, meters: float) -> list[str]:
    """Adds a shape key for each frame, after the basis, and returns the keys' names. `rows` has the index in the rig of
    each vertex of the object."""
    assert rig.frame_positions is not None
    holder.shape_key_add(name="Basis", from_mix=False)
    names = []
    for title, sequence in zip(rig.sequence_names, rig.sequences):
        for frame in range(sequence.frame_count):
            key = holder.shape_key_add(name=f"{title} {frame}", from_mix=False)
            positions = rig.frame_positions[sequence.first_frame + frame][rows] * numpy.float32(meters)
            key.data.foreach_set("co", positions.ravel())
            key.value = 0   # because Blender 5.0 gives new keys the value 1
            names.append(key.name)
    return names


def add_actions(made: Made, name: str, key: str, names: list[str], rig: RigView,
                rate: float) -> list[bpy.types.Action]:
    """Makes an action for each sequence. Each key has the value 1 in its frame, and 0 in the frames before and
    after."""
    actions, first = [], 0
    for number, sequence in enumerate(rig.sequences):
        count, title = sequence.frame_count, rig.sequence_names[number]
        if not count:
            continue
        action = action_module.new(made, f"{name}/{title}", "KEY", f"{key}/{number}:{title}")
        times = action_module.times_of(count, sequence.frames_per_second, rate)
        curves = action_module.curves_of(action, "KEY")
        for index, shape in enumerate(names):
            frame = index - first
            near = [k for k in (frame - 1, frame, frame + 1) if 0 <= k < count] if 0 <= frame < count else [0]
            values = numpy.array([float(k == frame) for k in near])
            path = f'key_blocks["{bpy.utils.escape_identifier(shape)}"].value'
            action_module.add_curve(curves, path, 0, times[near], values)
        action_module.set_range(action, times, sequence.loops)
        actions.append(action)
        first += count
    return actions
