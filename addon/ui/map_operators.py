"""Object > Game map: operators for maps that are already imported."""
import bpy
from bspscene.files import installed_games
from bspscene.library import LibraryError, MapError

from .. import finding, importer, view
from ..build.materials.facts import mode_of_map
from ..options import OPTIONS, WITHOUT_PAGES
from ..preferences import add_game_path
from ..translations import say
from .properties import property_of

_SHARED = {option.name: option for option in OPTIONS}


def maps_of(context: bpy.types.Context) -> list:
    """Returns the maps of the selected objects, or all maps of the scene if none is selected."""
    maps = [c for c in context.scene.collection.children_recursive if "map_file" in c]
    selected = set(context.selected_objects)
    return [c for c in maps if selected.intersection(c.all_objects)] or maps


def has_map(context: bpy.types.Context) -> bool:
    """True if the scene has an imported map."""
    return context.mode == "OBJECT" and any("map_file" in c for c in context.scene.collection.children_recursive)


class BakeLightmap(bpy.types.Operator):
    """Make the lightmap of imported maps again with another encoding, size or mix of light styles"""
    bl_idname = "object.bspscene_bake_lightmap"
    bl_label = "Bake lightmap atlas"
    bl_options = {"REGISTER", "UNDO"}

    encoding: bpy.props.EnumProperty(name="Encoding", description="How the pages store light", items=(
        ("DISPLAY", "As in the game (PNG)", "Display values, clamped at white as in the engine"),
        ("HDR", "HDR (EXR)", "Linear, unclamped light")))
    styles: bpy.props.EnumProperty(name="Light styles", description="Whether flickering lights stay separate", items=(
        ("SEPARATE", "Separate", "A page for each style, mixed by the values of the light styles"),
        ("MERGED", "Merged", "One page with all styles at their values of this frame")))
    lightmaps: property_of(_SHARED["lightmaps"]._replace(
        label="Pages", items=tuple(item for item in _SHARED["lightmaps"].items
                                   if item[0] not in ("NONE", *WITHOUT_PAGES))))
    lightmap_page_size: property_of(_SHARED["lightmap_page_size"])

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context)

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        done = 0
        for root in maps_of(context):
            report = importer.Report()
            try:
                baked = importer.bake_lightmap(root, self.encoding == "HDR", self.styles == "MERGED",
                                                self.lightmap_page_size,
                                               self.lightmaps, report)
            except (MapError, LibraryError, ValueError) as error:
                self.report({"ERROR"}, str(error))
                continue
            done += 1
            for warning in report.warnings:
                self.report({"WARNING"}, warning)
            message = "{map}: {pages} pages, {faces} faces"
            if baked.skipped:
                message += "; {skipped} triangles do not belong to the map any more"
            self.report({"WARNING" if baked.skipped else "INFO"}, say(message, map=root.name, **baked._asdict()))
        return {"FINISHED"} if done else {"CANCELLED"}


def _switch(operator: bpy.types.Operator, context: bpy.types.Context, shading: str, only_selected: bool) -> set:
    """Switches the materials of maps, for several operators."""
    changed, selected = 0, set(context.selected_objects)
    for root in maps_of(context):
        objects = selected.intersection(root.all_objects) if only_selected else None
        try:
            changed += importer.switch_materials(root, shading, objects)
        except (MapError, LibraryError, ValueError, OSError) as error:
            operator.report({"ERROR"}, f"{root.name}: {error}")
    if not changed:
        operator.report({"WARNING"}, say("No imported map has a material to switch"))
        return {"CANCELLED"}
    if shading == "EXPORT" and not bpy.data.filepath:
        operator.report({"WARNING"}, say("{count} materials switched; save the file first if the exporter copies "
                                         "images", count=changed))
    else:
        operator.report({"INFO"}, say("{count} materials switched", count=changed))
    return {"FINISHED"}


class SwitchMaterials(bpy.types.Operator):
    """Show imported maps as in the game, their light alone, lit anew, or with materials that exporters keep. Materials
    that go stay in the file and come back as they were"""
    bl_idname = "object.bspscene_switch"
    bl_label = "Switch materials"
    bl_options = {"REGISTER", "UNDO"}

    shading: property_of(_SHARED["shading"])
    only_selected: bpy.props.BoolProperty(name="Selected objects only", default=False, options={"SKIP_SAVE"},
                                          description="If off, all objects of each map that has a selected object")

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context)

    def execute(self, context):
        return _switch(self, context, self.shading, self.only_selected)


class CopyWithLight(bpy.types.Operator):
    """Make a copy of imported maps for programs that know no lightmap: texture and light are one picture, which
    Blender's exporters keep, glTF as an unlit material. The map itself is taken out of the view layer"""
    bl_idname = "object.bspscene_copy_with_light"
    bl_label = "Copy for export, with light"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context)

    def execute(self, context):
        done = 0
        for root in maps_of(context):
            try:
                importer.copy_with_light(root)
                done += 1
            except (MapError, LibraryError, ValueError, OSError) as error:
                self.report({"ERROR"}, f"{root.name}: {error}")
        return {"FINISHED"} if done else {"CANCELLED"}


class PrepareForGltf(bpy.types.Operator):
    """Give imported maps materials that Blender's glTF exporter keeps, the lightmap as occlusion texture"""
    bl_idname = "object.bspscene_prepare_gltf"
    bl_label = "Prepare for glTF"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context)

    def execute(self, context):
        return _switch(self, context, "EXPORT", False)


class FindTextures(bpy.types.Operator):
    """Look for textures and models that imported maps lack in the games that are installed, or in a folder, and make
    what becomes possible: materials, models, the sky"""
    bl_idname = "object.bspscene_find_textures"
    bl_label = "Find missing textures"
    bl_options = {"REGISTER", "UNDO"}

    directory: bpy.props.StringProperty(name="Folder", subtype="DIR_PATH", options={"SKIP_SAVE"},
                                        description="Folder to search; if empty, all installed games")
    asks: bpy.props.BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context)

    def invoke(self, context, _event):
        if not self.asks:
            return self.execute(context)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        places = [self.directory] if self.directory else installed_games()
        total = 0
        for root in maps_of(context):
            try:
                found = finding.find_missing(root, places)
            except (MapError, LibraryError, ValueError) as error:
                self.report({"ERROR"}, f"{root.name}: {error}")
                continue
            total += found.textures + found.models
            if found.place:
                add_game_path(context, found.place)
                self.report({"INFO"}, say("{map}: {textures} textures and {models} models found in {place}",
                                          map=root.name, **found._asdict()))
        if not total:
            self.report({"WARNING"}, say("None of the missing files was found in {count} places", count=len(places)))
        return {"FINISHED"} if total else {"CANCELLED"}


class ToggleSkybox(bpy.types.Operator):
    """Show the 3D skybox of imported maps, large and far as the game shows it, or take it out of the view again"""
    bl_idname = "object.bspscene_skybox"
    bl_label = "3D skybox"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context) -> bool:
        return has_map(context) and any(view.skyboxes(context.view_layer, root) for root in maps_of(context))

    def execute(self, context):
        roots = [root for root in maps_of(context) if view.skyboxes(context.view_layer, root)]
        shown = any(layer.exclude for root in roots for layer in view.skyboxes(context.view_layer, root))
        view.show_skybox(context, roots, shown)
        return {"FINISHED"}


def draw_modes(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Shows a button for each mode of materials, with a dot on the current one."""
    present = {mode_of_map(root) for root in maps_of(context)}
    for mode, label, _ in _SHARED["shading"].items:
        icon = "RADIOBUT_ON" if mode in present else "RADIOBUT_OFF"
        layout.operator(SwitchMaterials.bl_idname, text=label, icon=icon).shading = mode


class GameMapMenu(bpy.types.Menu):
    bl_idname = "OBJECT_MT_bspscene"
    bl_label = "Game map"

    def draw(self, context) -> None:
        self.layout.operator_context = "INVOKE_DEFAULT"
        self.layout.operator(BakeLightmap.bl_idname, text="Bake lightmap atlas...")
        self.layout.operator("object.bspscene_rebake", text="Rebake light...")
        self.layout.operator("object.bspscene_compare_light")
        self.layout.operator("object.bspscene_changes", text="Write into map...")
        self.layout.separator()
        self.layout.operator(FindTextures.bl_idname)
        self.layout.operator(FindTextures.bl_idname, text="Add the game's folder...").asks = True
        self.layout.operator(ToggleSkybox.bl_idname)
        self.layout.separator()
        draw_modes(self.layout, context)
        self.layout.operator(CopyWithLight.bl_idname)
        self.layout.operator("object.bspscene_mark_assets")


def menu_entry(self, _context) -> None:
    self.layout.menu(GameMapMenu.bl_idname)


CLASSES = [BakeLightmap, FindTextures, SwitchMaterials, CopyWithLight, PrepareForGltf, ToggleSkybox, GameMapMenu]
