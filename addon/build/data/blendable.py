"""Converts pictures for programs that can blend only by alpha. The game adds these pictures to the background, or
multiplies the background with them. Blender's exporters cannot write such blending."""
import numpy
from bspscene import abi
from bspscene.picture import Array


def needs_other_blending(record: abi.Material) -> bool:
    return record.alpha_mode in (abi.ALPHA_MODE_ADD, abi.ALPHA_MODE_MODULATE)


def blending_of(record: abi.Material) -> tuple[int, bool, bool, bool]:
    """Returns the facts of a material on which the result of `blendable` depends, besides the picture."""
    return record.alpha_mode, record.added_by_alpha, record.modulated_twice, record.whitened_by_alpha


def blendable(pixels: Array, record: abi.Material) -> Array:
    """Returns the picture with colors and alpha such that blending by alpha looks as in the game. The result is exact
    over black if the game adds, and over white if it multiplies. The library's web_picture.c computes the same for
    glTF."""
    values, alpha = pixels[..., :3].astype(numpy.int32), pixels[..., 3:].astype(numpy.int32)
    if record.alpha_mode == abi.ALPHA_MODE_ADD:
        if record.added_by_alpha:
            values = (values * alpha + 127) // 255
        part, covers = values, values.max(axis=2, keepdims=True)
    else:
        if record.modulated_twice:
            values = numpy.minimum(2 * values, 255)
        if record.whitened_by_alpha:
            values = 255 - (255 - values) * alpha // 255
        darkest = values.min(axis=2, keepdims=True)
        part, covers = values - darkest, 255 - darkest
    return numpy.concatenate([part * 255 // numpy.maximum(covers, 1), covers], axis=2).astype(numpy.uint8)
