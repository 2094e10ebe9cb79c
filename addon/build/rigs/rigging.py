"""Animates objects whose models move. Each model has one armature and one set of actions. Each object with the model
has an armature object as its child, so that users can still move, copy and write back the object itself."""
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

import bpy
import numpy
from bspscene import abi
from bspscene.scene import MeshView, RigView, text
from mathutils import Matrix

from ..data.again import NODE, RIG
from ..data.blocks import KEY, Made, by_key
from . import action, armature, shapes

MODIFIER = "Armature"
ACTIONS = "bspscene_actions"   # custom property of armature objects and shape keys: the beginning of the keys of their
                               # actions


def stem_of(model: str) -> str:
    """Returns a short name for actions of a model, because Blender cuts names off at 63 bytes."""
    return PurePosixPath(model).stem


class _Model(NamedTuple):
    rig: RigView
    name: str
    skeleton: armature.Skeleton | None
    keys: dict[bpy.types.Mesh, list[str]]   # names of the shape keys of each mesh


class Rigging:
    def __init__(self, made: Made, key: str, meters: float, rate: float) -> None:
        self._made, self._key, self._meters, self._rate = made, key, meters, rate
        self._models: dict[int, _Model] = {}
        self._done: set[bpy.types.Mesh] = set()
        self._actions: list[bpy.types.Action] = []

    def add(self, holder: bpy.types.Object, view: MeshView, sections: Sequence[abi.Section],
            model: str) -> list[bpy.types.Object]:
        """Animates an object by the rig of `view`. `sections` are those that the object shows. Returns the objects that
        were made for it."""
        rig = view.rig()
        if rig is None:
            return []
        known = self._model(rig, model)
        if holder.data not in self._done:
            self._done.add(holder.data)
            self._fill(holder, view, sections, known, model)
        return self._place(holder, known) if known.skeleton else []

    def end(self) -> None:
        """Removes helper objects. Call it when all objects of the map exist."""
        for known in self._models.values():
            if known.skeleton:
                self._made.drop(known.skeleton.holder)

    def replace_earlier(self) -> None:
        """Replaces the actions of an earlier import of the same map."""
        old = by_key(set(bpy.data.actions) - set(self._actions))
        for made in self._actions:
            if made[KEY] in old:
                self._made.replace(old[made[KEY]], made)

    def _model(self, rig: RigView, name: str) -> _Model:
        if rig.number not in self._models:
            skeleton = armature.build(self._made, name, rig, self._meters) if rig.bones else None
            if skeleton:
                armature.stand(skeleton, rig, self._meters)
                self._actions += armature.add_actions(self._made, stem_of(name), f"{self._key}/{name}", skeleton, rig,
                                                      self._meters, self._rate)
            self._models[rig.number] = _Model(rig, name, skeleton, {})
        return self._models[rig.number]

    def _fill(self, holder: bpy.types.Object, view: MeshView, sections: Sequence[abi.Section], known: _Model,
              model: str) -> None:
        rows = numpy.concatenate([numpy.arange(s.first_vertex, s.first_vertex + s.vertex_count) for s in sections])
        rig = view.rig()
        assert rig
        if known.skeleton:
            armature.bind(holder, known.skeleton, rig, rows)
        if rig.frame_positions is not None:
            names = shapes.add_keys(holder, rig, rows, self._meters)
            action.make_ready(holder.data.shape_keys, "KEY")
            holder.data.shape_keys[ACTIONS] = f"{self._key}/{known.name}.shape"
            if not known.keys:
                title = f"{stem_of(model)}.shape" if known.skeleton else stem_of(model)
                self._actions += shapes.add_actions(self._made, title, f"{self._key}/{model}.shape", names, rig,
                                                    self._rate)
            known.keys[holder.data] = names

    def _place(self, holder: bpy.types.Object, known: _Model) -> list[bpy.types.Object]:
        """Makes an armature object for `holder`, and an empty for each tag of the model."""
        skeleton = known.skeleton
        assert skeleton
        node = holder[NODE]
        made = self._named(self._made.copy(skeleton.holder, f"{node}.armature"), f"{node}.armature")
        made.parent = holder
        made.show_in_front = True
        made[ACTIONS] = f"{self._key}/{known.name}"
        if known.rig.joints is not None:
            modifier = holder.modifiers.new(MODIFIER, "ARMATURE")
            modifier.object = made
        objects = [made]
        for number, bone in enumerate(known.rig.bones):
            if bone.is_tag:
                objects.append(self._tag(f"{node}.{text(bone.name)}", made, skeleton, number))
        return objects

    def _tag(self, name: str, holder: bpy.types.Object, skeleton: armature.Skeleton,
             number: int) -> bpy.types.Object:
        """Makes an empty at a tag. Corrects its matrix, because Blender attaches a child to the end of a bone and not
        to its beginning."""
        made = self._named(self._made.new("objects", name, None), name)
        made.empty_display_type, made.empty_display_size = "ARROWS", 4 * self._meters
        made.parent, made.parent_type, made.parent_bone = holder, "BONE", skeleton.names[number]
        turn = Matrix(numpy.linalg.inv(skeleton.rest[number]) @ numpy.linalg.pinv(skeleton.inverse_rest[number]))
        end = Matrix.Translation((0, -skeleton.data.bones[skeleton.names[number]].length, 0))
        made.matrix_basis = end @ turn
        return made

    @staticmethod
    def _named(made: bpy.types.Object, name: str) -> bpy.types.Object:
        made[NODE], made[RIG] = name, True
        return made
