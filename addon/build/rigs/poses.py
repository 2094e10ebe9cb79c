"""Poses of bones as arrays of 4 x 4 matrices. Does not use bpy."""
from collections.abc import Sequence

import numpy

# Blender's channels of a bone: location, quaternion (w, x, y, z), scale.
IDENTITY = numpy.array((0, 0, 0, 1, 0, 0, 0, 1, 1, 1), numpy.float64)
# Rotations that make the +Y axis of a bone point along +X, +Y, +Z, -X, -Y or -Z of the original bone.
AXES = numpy.array([((0, -1, 0), (1, 0, 0), (0, 0, 1)), ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
                    ((1, 0, 0), (0, 0, 1), (0, -1, 0)), ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
                    ((-1, 0, 0), (0, -1, 0), (0, 0, 1)), ((1, 0, 0), (0, 0, -1), (0, 1, 0))],
                   numpy.float64).transpose(0, 2, 1)


def matrices(poses: numpy.ndarray, meters: float) -> numpy.ndarray:
    """Converts the library's poses, (..., 10), to matrices in meters, (..., 4, 4)."""
    poses = poses.astype(numpy.float64)
    x, y, z, w = (poses[..., 3 + i] for i in range(4))
    out = numpy.zeros((*poses.shape[:-1], 4, 4))
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))
    for row in range(3):
        for column in range(3):
            out[..., row, column] = rows[row][column] * poses[..., 7 + column]
    out[..., :3, 3] = poses[..., :3] * meters
    out[..., 3, 3] = 1
    return out


def in_model(local: numpy.ndarray, parents: Sequence[int]) -> numpy.ndarray:
    """Converts matrices relative to the parent bones, (..., bones, 4, 4), to matrices relative to the model. Parents
    come before children; a parent of -1 means none."""
    out = local.copy()
    for number, parent in enumerate(parents):
        if parent >= 0:
            out[..., number, :, :] = out[..., parent, :, :] @ local[..., number, :, :]
    return out


def in_parents(whole: numpy.ndarray, parents: Sequence[int]) -> numpy.ndarray:
    """Converts matrices relative to the model to matrices relative to parents; the inverse of in_model."""
    out = whole.copy()
    for number, parent in enumerate(parents):
        if parent >= 0:
            out[..., number, :, :] = numpy.linalg.pinv(whole[..., parent, :, :]) @ whole[..., number, :, :]
    return out


def turns(whole: numpy.ndarray) -> numpy.ndarray:
    """Returns the nearest rotations: the matrices (bones, 4, 4) without scale and mirroring."""
    out = whole.copy()
    left, _, right = numpy.linalg.svd(whole[:, :3, :3])
    left[numpy.linalg.det(left @ right) < 0, :, 2] *= -1
    out[:, :3, :3] = left @ right
    return out


def channels(local: numpy.ndarray) -> numpy.ndarray:
    """Converts (frames, bones, 4, 4) to Blender's channels (frames, bones, 10): a location, a quaternion wxyz, a
    scale."""
    out = numpy.empty((*local.shape[:-2], 10))
    out[..., :3] = local[..., :3, 3]
    turn = local[..., :3, :3]
    scale = numpy.linalg.norm(turn, axis=-2)
    scale *= numpy.where(numpy.linalg.det(turn) < 0, -1.0, 1.0)[..., None]
    out[..., 7:] = scale
    quaternions = _quaternions(turn / numpy.where(scale == 0, 1, scale)[..., None, :])
    for frame in range(1, len(quaternions)):   # q and -q are the same rotation; between two keys, the nearer one is
                                               # needed for interpolation
        along = (quaternions[frame] * quaternions[frame - 1]).sum(-1, keepdims=True)
        quaternions[frame] *= numpy.where(along < 0, -1.0, 1.0)
    out[..., 3:7] = quaternions
    return out


def _quaternions(turn: numpy.ndarray) -> numpy.ndarray:
    """Converts rotations to quaternions. Computes the largest component first, because others may be 0 and cannot be
    divided by."""
    m = [[turn[..., row, column] for column in range(3)] for row in range(3)]
    ways = numpy.stack([
        numpy.stack([1 + m[0][0] + m[1][1] + m[2][2], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]], -1),
        numpy.stack([m[2][1] - m[1][2], 1 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0]], -1),
        numpy.stack([m[0][2] - m[2][0], m[0][1] + m[1][0], 1 - m[0][0] + m[1][1] - m[2][2], m[1][2] + m[2][1]], -1),
        numpy.stack([m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], 1 - m[0][0] - m[1][1] + m[2][2]], -1),
    ], -2)
    best = numpy.argmax(numpy.stack([ways[..., i, i] for i in range(4)], -1), -1)
    chosen = numpy.take_along_axis(ways, best[..., None, None], -2)[..., 0, :]
    length = numpy.linalg.norm(chosen, axis=-1, keepdims=True)
    return numpy.where(length > 0, chosen / numpy.where(length > 0, length, 1), IDENTITY[3:7])
