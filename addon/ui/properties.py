"""The options of an import as properties of Blender's: of the dialog, and of the preferences that it begins with."""
from collections.abc import Sequence

import bpy

from ..options import GROUPS, OPTIONS, Option

_OPTIONS = {option.name: option for option in OPTIONS}
OF_ONE_IMPORT = ("map", "game_paths")   # of no use for another


def property_of(option: Option):
    """The Blender property of an option."""
    common = {"name": option.label, "description": option.description, "default": option.default}
    if option.kind == "enum":
        return bpy.props.EnumProperty(items=option.items, **common)
    if option.kind == "bool":
        return bpy.props.BoolProperty(**common)
    if option.kind == "text":
        return bpy.props.StringProperty(**common)
    low, high = option.limits
    if option.kind == "int":
        return bpy.props.IntProperty(min=int(low), max=int(high), **common)
    return bpy.props.FloatProperty(min=low, max=high, precision=4, **common)


class ImportOptions:
    """The properties of all options, for classes of Blender's to inherit. Written as a dictionary: the body of a class
    has had no annotations of its own to add to since Python 3.14."""
    __annotations__ = {option.name: property_of(option) for option in OPTIONS}


def draw(layout: bpy.types.UILayout, owner, left_out: Sequence[str] = ()) -> None:
    """All options of `owner` in their groups."""
    for title, names in GROUPS:
        body = _panel(layout, title)
        for name in names if body else ():
            if name not in left_out:
                _draw_one(body, owner, name)


def _draw_one(layout: bpy.types.UILayout, owner, name: str) -> None:
    """With half of the width for the label, which Blender's own split gives less and the file browser cuts off."""
    option = _OPTIONS[name]
    row = layout.row()
    row.use_property_split = False
    row.active = name != "intensity" or owner.brightness == "FACTOR"
    if option.kind == "bool":
        row.prop(owner, name)
        return
    parts = row.split(factor=0.5)
    label = parts.row()
    label.alignment = "RIGHT"
    label.label(text=option.label)
    parts.prop(owner, name, text="")


def _panel(layout: bpy.types.UILayout, title: str):
    """A part of the options that can be closed, where Blender has such (4.1). None when it is closed."""
    if not title:
        return layout
    if not hasattr(layout, "panel"):
        box = layout.box()
        box.label(text=title)
        return box
    header, body = layout.panel(f"BSPSCENE_{title}", default_closed=True)
    header.label(text=title)
    return body
