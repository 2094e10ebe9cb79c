"""Imports compiled game maps (BSP): see README.md. This file only registers the add-on."""
import bpy
from bspscene import library

from . import command, jobs, pace, preferences, translations
from .build.rebaking.compare import show_light
from .exporting import glTF2ExportUserExtension
from .importer import bake_lightmap, import_map, switch_materials  # the script API
from .relighting import rebake_light, write_light
from .rewriting import write_entities
from .ui import (
    choosing_panel,
    entity_operators,
    face_panel,
    light_operators,
    map_operators,
    model_panel,
    operators,
    sidebar,
)

__all__ = ["bake_lightmap", "glTF2ExportUserExtension", "import_map", "rebake_light", "register", "show_light",
           "switch_materials", "unregister", "write_entities", "write_light"]

# Blender 3.4 to 4.1 read this; later versions read blender_manifest.toml, which says the same.
bl_info = {
    "name": "bspscene: game maps",
    "author": "bspscene developers",
    "version": (0, 9, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Game map (.bsp)",
    "description": "Import compiled maps of Quake, Half-Life, Source, Medal of Honor, Nightfire and their relatives",
    "doc_url": "https://example.org/bspscene",
    "tracker_url": "https://example.org/bspscene/issues",
    "category": "Import-Export",
}

CLASSES = (*preferences.CLASSES, *choosing_panel.CLASSES, *operators.CLASSES, *map_operators.CLASSES,
           *light_operators.CLASSES, *entity_operators.CLASSES, *sidebar.CLASSES, *model_panel.CLASSES,
           *face_panel.CLASSES)


def register() -> None:
    for kind in CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.TOPBAR_MT_file_import.append(operators.menu_entry)
    bpy.types.VIEW3D_MT_object.append(map_operators.menu_entry)
    jobs.register()
    pace.register()
    face_panel.register()
    command.register()
    translations.register()


def unregister() -> None:
    translations.unregister()
    command.unregister()
    face_panel.unregister()
    pace.unregister()
    jobs.unregister()
    bpy.types.VIEW3D_MT_object.remove(map_operators.menu_entry)
    bpy.types.TOPBAR_MT_file_import.remove(operators.menu_entry)
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
    library.release()
