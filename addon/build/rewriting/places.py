"""Finds where objects are now, and how they moved since the import."""
import math
from collections.abc import Sequence
from typing import NamedTuple

import bpy
from mathutils import Matrix, Quaternion, Vector

from ..data.again import OUTLINE
from ..data.mesh import outline

STILL = 0.01       # in game units: smaller movements are rounding errors
STRAIGHT = 1e-4    # tolerance for rotations in radians, and for scales
DECIMALS = 2       # number of decimals of an origin that are written
ANGLE_DECIMALS = 3


class Move(NamedTuple):
    """How an object moved since it was made. `way` is in meters. `turn` is None if it was not rotated, `size` if it was
    not scaled."""
    way: Vector
    turn: Quaternion | None
    size: Vector | None

    def is_none(self) -> bool:
        return not self.way.length and self.turn is None and self.size is None


NO_MOVE = Move(Vector(), None, None)


def world_matrix(made: bpy.types.Object) -> Matrix:
    """Returns an object's world matrix, also for objects in no view layer, whose matrix_world Blender does not
    update."""
    is_plain = made.parent_type == "OBJECT" and not made.constraints and made.delta_location.length == 0
    if not is_plain:
        return made.matrix_world.copy()
    if made.parent is None:
        return made.matrix_basis.copy()
    return world_matrix(made.parent) @ made.matrix_parent_inverse @ made.matrix_basis


def shift_of(made: bpy.types.Object) -> Vector | None:
    """Returns how far the origin of an object was moved relative to its mesh, or None if the mesh has another shape
    now."""
    if made.type != "MESH" or OUTLINE not in made.data:
        return Vector()
    then, now = list(made.data[OUTLINE]), outline(made.data)
    if len(then) != len(now) or then[0] != now[0]:
        return None
    shifts = [Vector(then[i:i + 3]) - Vector(now[i:i + 3]) for i in range(1, len(then), 3)]
    size = max((abs(part) for part in then[1:]), default=0.0)
    if any((shift - shifts[0]).length > STRAIGHT * max(size, 1.0) for shift in shifts):
        return None
    return shifts[0] if shifts and shifts[0].length > 1e-6 * max(size, 1.0) else Vector()


def move_of(made: bpy.types.Object, place: Sequence[float], meters: float) -> Move:
    """Returns how an object moved since it was made at `place`, a 4 x 4 matrix. If the shape of its mesh was changed,
    the present origin is used."""
    now, shift = world_matrix(made), shift_of(made) or Vector()
    if not shift.length and [part for row in now for part in row] == list(place):
        return NO_MOVE
    before = Matrix([place[i:i + 4] for i in range(0, 16, 4)])
    (old, old_turn, old_size), (_, turn, size) = before.decompose(), now.decompose()
    way = now @ -shift - old
    far = max(map(abs, (*old, *now.translation))) * 1e-6   # rounding error of single precision
    way = Vector([part if abs(part) > max(STILL * meters, far) else 0.0 for part in way])
    by = turn @ old_turn.inverted()
    sizes = Vector([new / (part or 1.0) for new, part in zip(size, old_size)])
    is_turned = 2 * math.acos(min(abs(by.w), 1.0)) > STRAIGHT
    is_scaled = max(abs(part - 1) for part in sizes) > STRAIGHT
    return Move(way, by if is_turned else None, sizes if is_scaled else None)


def angles_of(turn: Matrix) -> tuple[float, float, float]:
    """Returns pitch, yaw and roll in degrees, as engines define them. Positive pitch looks down, and positive yaw turns
    from +X to +Y."""
    flat = math.hypot(turn[0][0], turn[1][0])
    pitch = math.atan2(-turn[2][0], flat)
    if flat > 1e-5:
        yaw, roll = math.atan2(turn[1][0], turn[0][0]), math.atan2(turn[2][1], turn[2][2])
    else:
        yaw, roll = math.atan2(-turn[0][1], turn[1][1]), 0.0
    found = [round(math.degrees(part), ANGLE_DECIMALS) for part in (pitch, yaw, roll)]
    return found[0] + 0.0, found[1] % 360, found[2] + 0.0
