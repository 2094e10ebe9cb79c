"""The import options as Blender properties, for the dialog and for the preferences with its defaults."""
from collections.abc import Sequence

import bpy

from ..options import GROUPS, OPTIONS, Option

_OPTIONS = {option.name: option for option in OPTIONS}
OF_ONE_IMPORT = ("map", "game_paths", "skin")   # options of a single import, which have no defaults in the preferences


def property_of(option: Option):
    """Returns the Blender property of an option."""
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
    """Annotations that Blender classes inherit. They are set as a dictionary, because class bodies have no dictionary
    of annotations since Python 3.14."""
    __annotations__ = {option.name: property_of(option) for option in OPTIONS}


def draw(layout: bpy.types.UILayout, owner, left_out: Sequence[str] = ()) -> None:
    """Draws all options of `owner` in their groups."""
    for title, names in GROUPS:
        body = _panel(layout, title)
        for name in names if body else ():
            if name not in left_out:
                _draw_one(body, owner, name)


def _draw_one(layout: bpy.types.UILayout, owner, name: str) -> None:
    """Draws an option. The label gets half of the width, because the file browser would cut it off in Blender's own
    layout."""
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
    """Returns the layout of a group of options that can be collapsed (Blender 4.1 and later), or None if it is
    collapsed."""
    if not title:
        return layout
    if not hasattr(layout, "panel"):
        box = layout.box()
        box.label(text=title)
        return box
    header, body = layout.panel(f"BSPSCENE_{title}", default_closed=True)
    header.label(text=title)
    return body
