"""Preferences of the add-on: where games are installed, and the defaults of the import dialog."""

import bpy

from .options import OPTIONS
from .ui import properties


class GamePath(bpy.types.PropertyGroup):
    path: bpy.props.StringProperty(name="Place", subtype="FILE_PATH",
                                   description="A game directory, or an archive, to search for textures")


class ImportDefaults(bpy.types.PropertyGroup, properties.ImportOptions):
    """The defaults of the import dialog."""


class BspscenePreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    game_paths: bpy.props.CollectionProperty(type=GamePath)
    defaults: bpy.props.PointerProperty(type=ImportDefaults)

    def draw(self, _context) -> None:
        self.layout.label(text="Game directories and archives to search for textures")
        for number, place in enumerate(self.game_paths):
            row = self.layout.row(align=True)
            row.prop(place, "path", text="")
            row.operator(RemoveGamePath.bl_idname, text="", icon="X").index = number
        self.layout.operator(AddGamePath.bl_idname, icon="ADD")
        self.layout.separator()
        self.layout.label(text="Initial options of the import dialog")
        properties.draw(self.layout.column(), self.defaults, properties.OF_ONE_IMPORT)


def _preferences(context: bpy.types.Context):
    """Returns the add-on's preferences, or None if the add-on is used without being enabled, as scripts may do."""
    addon = context.preferences.addons.get(__package__)
    return addon.preferences if addon else None


def game_paths(context: bpy.types.Context) -> list[str]:
    """Returns the directories and archives to search that the user listed in the preferences."""
    found = _preferences(context)
    return [bpy.path.abspath(place.path) for place in found.game_paths if place.path] if found else []


def add_game_path(context: bpy.types.Context, path: str) -> bool:
    """Adds a place to search. Returns False if the add-on is used without being enabled."""
    found = _preferences(context)
    if found is None:
        return False
    if path not in [place.path for place in found.game_paths]:
        found.game_paths.add().path = path
        context.preferences.is_dirty = True
    return True


def begin_with_defaults(context: bpy.types.Context, operator: bpy.types.Operator) -> None:
    """Sets the options of an operator that shows a dialog to the user's defaults. Keeps options that the caller set or
    that the last dialog set."""
    found = _preferences(context)
    kept = (*properties.OF_ONE_IMPORT, *getattr(operator, "own_defaults", ()))
    for option in OPTIONS if found else ():
        if option.name not in kept and not operator.properties.is_property_set(option.name):
            setattr(operator, option.name, getattr(found.defaults, option.name))


class AddGamePath(bpy.types.Operator):
    """Add a game directory or archive to search for textures"""
    bl_idname = "preferences.bspscene_add_game"
    bl_label = "Add game directory"
    bl_options = {"INTERNAL"}

    path: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context):
        found = _preferences(context)
        if found is None:
            return {"CANCELLED"}
        found.game_paths.add().path = self.path
        context.preferences.is_dirty = True
        return {"FINISHED"}


class RemoveGamePath(bpy.types.Operator):
    """Remove this place from the list"""
    bl_idname = "preferences.bspscene_remove_game"
    bl_label = "Remove game directory"
    bl_options = {"INTERNAL"}

    index: bpy.props.IntProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context):
        found = _preferences(context)
        if found is None or not 0 <= self.index < len(found.game_paths):
            return {"CANCELLED"}
        found.game_paths.remove(self.index)
        context.preferences.is_dirty = True
        return {"FINISHED"}


CLASSES = [GamePath, ImportDefaults, BspscenePreferences, AddGamePath, RemoveGamePath]
