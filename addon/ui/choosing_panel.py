"""Draws the part of the import dialog about the chosen file and installed games."""
import os
import textwrap
from pathlib import Path

import bpy
from bspscene.files import installed_games

from ..choosing import taken_for
from ..translations import say

NONE = "NONE"
NARROWEST = 240          # narrowest width in pixels of the file browser's side bar, as in a new window
BESIDE = 50              # pixels that the icon and the margins of a box take from a line
OF_A_LETTER = 6.8        # width in pixels of an average character
_found: list[Path] = []                       # results of the last search
_items: list[tuple[str, str, str]] = []       # keeps the strings of the enum alive, because Blender does not


def installed_items(_owner, _context) -> list[tuple[str, str, str]]:
    """Returns the items of the menu of games: "No other game", then each game that the search found."""
    _items[:] = [(NONE, say("No other game"), say("Only the map's own game, and those in the preferences"))]
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
    """Returns the file that is chosen in the file browser or was dropped; "" for none or several."""
    space = context.space_data
    if space is not None and space.type == "FILE_BROWSER" and space.params:
        path = os.path.join(os.fsdecode(space.params.directory), space.params.filename)
    else:
        names = [item.name for item in operator.files if item.name]
        path = os.path.join(operator.directory, names[0]) if len(names) == 1 else operator.filepath
    path = bpy.path.abspath(path)
    return path if os.path.isfile(path) else ""


def draw(layout: bpy.types.UILayout, operator: bpy.types.Operator, context: bpy.types.Context) -> None:
    """Shows the format of the chosen file and its game, and the menu of games."""
    box = layout.box()
    path = chosen_file(operator, context)
    if path:
        _draw_taken(box.column(align=True), path, operator.map, _letters(context))
    if not _found:
        box.operator(SearchGames.bl_idname, icon="VIEWZOOM")
        return
    row = box.row(align=True)
    row.prop(operator, "installed", text="")
    row.operator(SearchGames.bl_idname, text="", icon="FILE_REFRESH")


def _letters(context: bpy.types.Context) -> int:
    """Returns how many characters fit into a line of the side bar."""
    side = context.region if context.region and context.region.type == "TOOL_PROPS" else None
    width = side.width / context.preferences.system.ui_scale if side else NARROWEST
    return int((max(width, NARROWEST) - BESIDE) / OF_A_LETTER)


def _draw_taken(column: bpy.types.UILayout, path: str, wanted: str, letters: int) -> None:
    taken = taken_for(path, wanted)
    if taken.refused:
        _label(column, taken.refused, "ERROR", letters)
        return
    title = taken.title or say("{count} maps: choose one next", count=taken.maps)
    _label(column, title, "FILE_3D", letters)
    game = say("Game: {name}", name=taken.game_name()) if taken.game else say("The map is not in a game directory")
    _label(column, game, "FILE_FOLDER", letters)


def _label(column: bpy.types.UILayout, words: str, icon: str, letters: int) -> None:
    """Draws text on several lines, because Blender does not wrap text."""
    for number, line in enumerate(textwrap.wrap(words, letters)):
        column.label(text=line, icon="BLANK1" if number else icon, translate=False)


CLASSES = [SearchGames]
