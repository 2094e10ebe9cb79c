"""Nodes for the mask of a second texture and for the detail texture on a base texture, as
native/include/bspscene/material.h describes. Colors in Blender are linear light, as in the engine."""

from bspscene import abi

from .shading import Tree

# Modes in which the detail texture is added after the light.
GLOWS = (abi.DETAIL_TEXTURE_GLOW, abi.DETAIL_TEXTURE_GLOW_BAND)


def masked(tree: Tree, mask, weight, alone: bool):
    """Returns how much of the second texture shows. `weight` is the mesh's blend weight at that point. With `alone`,
    only the mask decides, and `weight` is not used."""
    red, green, _ = tree.separate(mask)
    start, end = tree.math("SUBTRACT", green, red), tree.math("ADD", green, red)
    if alone:
        weight = 0.5
    else:
        start, end = tree.math("MAXIMUM", start, 0.0), tree.math("MINIMUM", end, 1.0)
    node = tree.add("ShaderNodeMapRange", interpolation_type="SMOOTHSTEP")
    for value, target in zip((weight, start, end), node.inputs):
        tree.link(value, target)
    # If start and end are equal, the result is a step, which the node cannot compute.
    is_step = tree.math("LESS_THAN", tree.math("SUBTRACT", end, start), 1e-6)
    step = tree.math("SUBTRACT", 1.0, tree.math("LESS_THAN", weight, end))
    smooth = tree.math("MULTIPLY", node.outputs[0], tree.math("SUBTRACT", 1.0, is_step))
    return tree.math("MULTIPLY_ADD", is_step, step, smooth)


def applied(tree: Tree, record: abi.DetailTexture, texture, color, alpha) -> tuple:
    """Returns color and alpha with the detail texture applied."""
    mode, factor, tint = record.mode, record.factor, tuple(record.color)
    of_detail, detail = texture["Alpha"], texture["Color"]
    if tint != (1, 1, 1):
        detail = tree.vector("MULTIPLY", detail, tint)
    if mode in GLOWS:
        return color, alpha
    if mode == abi.DETAIL_TEXTURE_ADD:
        return tree.vector("ADD", color, tree.scaled(detail, factor)), alpha
    if mode in (abi.DETAIL_TEXTURE_OVER, abi.DETAIL_TEXTURE_FADE, abi.DETAIL_TEXTURE_UNDER):
        def below():
            return tree.math("MULTIPLY", tree.math("SUBTRACT", 1.0, alpha), factor)
        covers = {abi.DETAIL_TEXTURE_OVER: lambda: tree.math("MULTIPLY", of_detail, factor),
                  abi.DETAIL_TEXTURE_FADE: lambda: factor,
                  abi.DETAIL_TEXTURE_UNDER: below}[mode]()
        color = _between(tree, color, detail, covers)
    elif mode == abi.DETAIL_TEXTURE_MULTIPLY:
        color = tree.vector("MULTIPLY", color, _faded(tree, detail, factor))
    elif mode == abi.DETAIL_TEXTURE_DOUBLED:
        color = tree.vector("MULTIPLY", color, _faded(tree, tree.scaled(detail, 2.0), factor))
    elif mode == abi.DETAIL_TEXTURE_PATTERNS:
        pattern = _number_between(tree, tree.separate(detail)[0], of_detail, alpha)
        color = tree.scaled(color, _number_between(tree, 1.0, tree.math("MULTIPLY", pattern, 2.0), factor))
    elif mode == abi.DETAIL_TEXTURE_SELF_SHADOWED:
        color = tree.scaled(color, tree.vector("DOT_PRODUCT", detail, 2 / 3))
    return color, alpha if record.keeps_alpha else _alpha(tree, mode, factor, alpha, of_detail)


def shining(tree: Tree, record: abi.DetailTexture, texture):
    """Returns the part of the detail texture that is added to the lit surface, or None."""
    if record.mode not in GLOWS:
        return None
    detail, factor = texture["Color"], record.factor
    if tuple(record.color) != (1, 1, 1):
        detail = tree.vector("MULTIPLY", detail, tuple(record.color))
    if record.mode == abi.DETAIL_TEXTURE_GLOW:
        return tree.scaled(detail, factor)
    times, plus = (1 / factor, 1 - 1 / factor) if factor >= 0.5 else (4 * factor, -2 * factor)
    band = tree.vector("ADD", tree.scaled(detail, times), (plus,) * 3)
    return tree.vector("MINIMUM", tree.vector("MAXIMUM", band, (0.0,) * 3), (1.0,) * 3)


def _alpha(tree: Tree, mode: int, factor: float, alpha, of_detail):
    if mode == abi.DETAIL_TEXTURE_FADE:
        return _number_between(tree, alpha, of_detail, factor)
    if mode == abi.DETAIL_TEXTURE_UNDER:
        return of_detail
    if mode in (abi.DETAIL_TEXTURE_MULTIPLY, abi.DETAIL_TEXTURE_MASK):
        return tree.math("MULTIPLY", alpha, _number_between(tree, 1.0, of_detail, factor))
    return alpha


def _number_between(tree: Tree, first, second, amount):
    return tree.math("MULTIPLY_ADD", tree.math("SUBTRACT", second, first), amount, first)


def _between(tree: Tree, first, second, amount):
    """Interpolates like a mix node, but without its clamp of the factor at 1."""
    return tree.vector("ADD", first, tree.scaled(tree.vector("SUBTRACT", second, first), amount))


def _faded(tree: Tree, color, factor: float):
    return color if factor == 1 else _between(tree, 1.0, color, factor)
