"""Settings of the add-on: where games are installed."""
from typing import List

import bpy


class BspscenePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    game_paths: bpy.props.StringProperty(
        name="Game directories",
        description="Game directories or archives to search for textures, separated by semicolons. The game that a map "
                    "lies in is found without this")

    def draw(self, _context) -> None:
        self.layout.prop(self, "game_paths")


def game_paths(context: bpy.types.Context) -> List[str]:
    """What the user set; nothing when the add-on runs without being enabled, as scripts may do."""
    addon = context.preferences.addons.get(__package__)
    return [addon.preferences.game_paths] if addon and addon.preferences.game_paths else []
