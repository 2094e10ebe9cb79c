"""What the import dialog shows of the chosen file and of games that are installed."""
import os
from pathlib import Path

import bpy

from ..choosing import taken_for
from ..native.files import installed_games
from ..translations import say

NONE = "NONE"
_found: list[Path] = []                       # by the last search
_items: list[tuple[str, str, str]] = []       # Blender does not keep the texts of an enum that a function makes


def installed_items(_owner, _context) -> list[tuple[str, str, str]]:
    """None, and the games that were found, for an EnumProperty."""
    _items[:] = [(NONE, say("No other game"), say("The game that the map lies in, and those of the preferences"))]
    _items.extend((str(place), "/".join(place.parts[-2:]), str(place)) for place in _found)
    return _items


class SearchGames(bpy.types.Operator):
    """Look for games in Steam's libraries, GOG's folders and other usual places"""
    bl_idname = "import_scene.bspscene_search_games"
    bl_label = "Search installed games"
    bl_options = {"INTERNAL"}

    def execute(self, context):
        _found[:] = [Path(place) for place in installed_games()]
        self.report({"INFO"} if _found else {"WARNING"}, say("{count} games found", count=len(_found)))
        for area in context.screen.areas if context.screen else ():
            area.tag_redraw()
        return {"FINISHED"}


def chosen_file(operator: bpy.types.Operator, context: bpy.types.Context) -> str:
    """What is chosen in the file browser now, or was dropped; "" for nothing, or several."""
    space = context.space_data
    if space is not None and space.type == "FILE_BROWSER" and space.params:
        path = os.path.join(os.fsdecode(space.params.directory), space.params.filename)
    else:
        names = [item.name for item in operator.files if item.name]
        path = os.path.join(operator.directory, names[0]) if len(names) == 1 else operator.filepath
    path = bpy.path.abspath(path)
    return path if os.path.isfile(path) else ""


def draw(layout: bpy.types.UILayout, operator: bpy.types.Operator, context: bpy.types.Context) -> None:
    """The format of the chosen file and its game, and the list of games."""
    box = layout.box()
    path = chosen_file(operator, context)
    if path:
        _draw_taken(box.column(align=True), path, operator.map)
    if not _found:
        box.operator(SearchGames.bl_idname, icon="VIEWZOOM")
        return
    row = box.row(align=True)
    row.prop(operator, "installed", text="")
    row.operator(SearchGames.bl_idname, text="", icon="FILE_REFRESH")


def _draw_taken(column: bpy.types.UILayout, path: str, wanted: str) -> None:
    taken = taken_for(path, wanted)
    if taken.refused:
        column.label(text=taken.refused, icon="ERROR", translate=False)
        return
    title = taken.title or say("{count} maps: choose one next", count=taken.maps)
    column.label(text=title, icon="FILE_3D", translate=False)
    game = say("Game: {name}", name=taken.game_name()) if taken.game else say("No game around it")
    column.label(text=game, icon="FILE_FOLDER", translate=False)


CLASSES = [SearchGames]
