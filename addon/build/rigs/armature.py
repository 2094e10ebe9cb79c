"""Makes an armature of the bones of a rig, and actions of its sequences."""
from typing import NamedTuple

import bpy
import numpy
from bspscene.scene import RigView
from mathutils import Matrix

from ..data.blocks import Made
from . import action as action_module
from . import poses

SMALLEST = 1e-6      # largest change of a location (in meters), quaternion or scale that is not animated
SHORTEST = 0.5       # length of a bone in game units; Blender removes bones of length 0
LEAF = 0.6           # length of a bone without children, as a share of its parent's
CHANNELS = (("location", 0, 3), ("rotation_quaternion", 3, 4), ("scale", 7, 3))


class Skeleton(NamedTuple):
    """An armature, and how its bones relate to those of the game's rig. Blender's bones have no scale in the
    rest pose, and their axes differ from those of the rig's bones."""
    data: bpy.types.Armature
    holder: bpy.types.Object       # an object with the armature; objects of all instances are copies of it, because an
                                   # object that was never in edit mode has no pose
    names: list[str]               # names of the bones, as Blender stored them
    parents: list[int]             # index of each bone's parent; -1: none
    rest: numpy.ndarray            # rest transforms from Blender's bones to the model
    inverse_rest: numpy.ndarray    # inverse rest transforms of the rig's bones


def build(made: Made, name: str, rig: RigView, meters: float) -> Skeleton:
    """Makes an armature whose rest pose is the one in which the vertices of the mesh are."""
    count = len(rig.bones)
    parents = [bone.parent if bone.parent < number else -1 for number, bone in enumerate(rig.bones)]
    game_rest = poses.in_model(poses.matrices(rig.rest, meters), parents)
    wanted, lengths = _pointed(poses.turns(game_rest), parents, meters)
    data = made.new("armatures", name)
    holder = made.new("objects", name, data)
    made_as = _make_bones(holder, rig, parents, wanted, lengths)
    action_module.make_ready(holder, "OBJECT")
    numbers = {bone.name: bone for bone in data.bones}
    # Blender stores a bone's roll as an angle, which is rounded. So the matrices that Blender computes from it are
    # used.
    rest = numpy.array([numbers[name].matrix_local for name in made_as], numpy.float64).reshape(count, 4, 4)
    return Skeleton(data, holder, made_as, parents, rest, numpy.linalg.pinv(game_rest))


def _pointed(rest: numpy.ndarray, parents: list[int], meters: float) -> tuple[numpy.ndarray, list[float]]:
    """Returns the bones, each pointing along the axis that is nearest to the direction of its children, and their
    lengths."""
    out, axes = rest.copy(), [0] * len(parents)
    lengths: list[float] = []
    children: list[list[int]] = [[] for _ in parents]
    for number, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(number)
    for number, parent in enumerate(parents):
        ways = [rest[child, :3, 3] - rest[number, :3, 3] for child in children[number]]
        far = max((float(numpy.linalg.norm(way)) for way in ways), default=0.0)
        axes[number] = axes[parent] if parent >= 0 else 1
        if far > SHORTEST * meters:
            way = numpy.mean(ways, axis=0) @ rest[number, :3, :3]
            axes[number] = int(numpy.argmax([*way, *-way]))
        elif parent >= 0:
            far = LEAF * lengths[parent]
        lengths.append(max(far, SHORTEST * meters))
        out[number, :3, :3] = rest[number, :3, :3] @ poses.AXES[axes[number]]
    return out, lengths


def _make_bones(holder: bpy.types.Object, rig: RigView, parents: list[int], rest: numpy.ndarray,
                lengths: list[float]) -> list[str]:
    """Adds the bones. Blender can do that only in edit mode, so a temporary scene is used, which the user never
    sees."""
    scene, data = bpy.data.scenes.new("Bones"), holder.data
    try:
        scene.collection.objects.link(holder)
        layer = scene.view_layers[0]
        layer.objects.active = holder
        with bpy.context.temp_override(scene=scene, view_layer=layer, active_object=holder, object=holder,
                                       selected_objects=[holder], selected_editable_objects=[holder]):
            bpy.ops.object.mode_set(mode="EDIT")
            bones = [data.edit_bones.new(name) for name in rig.bone_names]
            for number, bone in enumerate(bones):
                bone.length = lengths[number]
                bone.matrix = Matrix(rest[number])
                bone.use_deform = not rig.bones[number].is_tag
            for bone, parent in zip(bones, parents):
                bone.parent = bones[parent] if parent >= 0 else None
            names = [bone.name for bone in bones]
            bpy.ops.object.mode_set(mode="OBJECT")
        return names
    finally:
        bpy.data.batch_remove([scene])


def bind(holder: bpy.types.Object, skeleton: Skeleton, rig: RigView, rows: numpy.ndarray) -> None:
    """Makes a vertex group for each bone, with the weights of the object's vertices. `rows` has the index in the rig of
    each vertex of the object."""
    if rig.joints is None or rig.weights is None:
        return
    joints, weights = rig.joints[rows].astype(numpy.int64), rig.weights[rows]
    vertices = numpy.repeat(numpy.arange(len(rows)), 4).reshape(-1, 4)
    for number in numpy.unique(joints[weights > 0]):
        chosen = (joints == number) & (weights > 0)
        group = holder.vertex_groups.new(name=skeleton.names[number])
        shares, members = weights[chosen], vertices[chosen]
        for share in numpy.unique(shares):
            group.add(members[shares == share].tolist(), float(share), "REPLACE")


def _channels(skeleton: Skeleton, rows: numpy.ndarray, meters: float) -> numpy.ndarray:
    """Converts poses of the rig's bones to channels of Blender's bones."""
    at_rest = poses.in_parents(skeleton.rest, skeleton.parents)
    posed = poses.in_model(poses.matrices(rows, meters), skeleton.parents) @ skeleton.inverse_rest @ skeleton.rest
    return poses.channels(numpy.linalg.inv(at_rest) @ poses.in_parents(posed, skeleton.parents))


def stand(skeleton: Skeleton, rig: RigView, meters: float) -> None:
    """Sets the pose that shows the model as it stands without animation."""
    if rig.still_frame is None:
        return
    values = _channels(skeleton, rig.poses[rig.still_frame:rig.still_frame + 1], meters)[0]
    for number, name in enumerate(skeleton.names):
        bone = skeleton.holder.pose.bones[name]
        for channel, first, width in CHANNELS:
            setattr(bone, channel, values[number, first:first + width])


def add_actions(made: Made, name: str, key: str, skeleton: Skeleton, rig: RigView, meters: float,
                rate: float) -> list[bpy.types.Action]:
    """Makes an action for each sequence. Each action has curves for all bones that any sequence moves, so that no bone
    keeps a pose of the action before."""
    values = [_channels(skeleton, rig.poses[sequence.first_frame:sequence.first_frame + sequence.frame_count], meters)
              for sequence in rig.sequences]
    moves = numpy.zeros((len(rig.bones), 10), bool)
    for of_sequence in values:
        moves |= (abs(of_sequence - poses.IDENTITY) > SMALLEST).any(axis=0)
    actions = []
    for number, (sequence, of_sequence) in enumerate(zip(rig.sequences, values)):
        if not sequence.frame_count:
            continue
        title = rig.sequence_names[number]
        action = action_module.new(made, f"{name}/{title}", "OBJECT", f"{key}/{number}:{title}")
        times = action_module.times_of(sequence.frame_count, sequence.frames_per_second, rate)
        _add_curves(action, skeleton, times, of_sequence, moves)
        action_module.set_range(action, times, sequence.loops)
        actions.append(action)
    return actions


def _add_curves(action: bpy.types.Action, skeleton: Skeleton, times: numpy.ndarray, values: numpy.ndarray,
                moves: numpy.ndarray) -> None:
    curves = action_module.curves_of(action, "OBJECT")
    for bone, name in enumerate(skeleton.names):
        for channel, first, width in CHANNELS:
            if not moves[bone, first:first + width].any():
                continue
            path = f'pose.bones["{bpy.utils.escape_identifier(name)}"].{channel}'
            chosen = values[:, bone, first:first + width]
            keys = 1 if (chosen == chosen[0]).all() else len(times)   # moving curves all get the same number of
                                                                      # keys; otherwise exporters sample every frame
            for index in range(width):
                action_module.add_curve(curves, path, index, times[:keys], chosen[:keys, index])
