"""Panels in the sidebar of the 3D view: visible parts of a map, its lights, and the keys of the selected object."""
import textwrap

import bpy

from .. import definitions
from ..build.data.again import ENTITY, KIND
from ..build.data.blocks import KEY
from ..build.materials.facts import mode_of_map
from ..build.materials.mode import LIT_BY_GAME
from ..build.objects.hiding import SKYBOX
from ..build.objects.layers import are_shown, show_kinds, show_sky
from ..choosing import taken_for
from ..translations import say
from . import entity_fields, map_operators
from .operators import REPORT_NAME

LAYERS = ("Sky", SKYBOX, "Lights", "Collision", "Tool surfaces", "Armatures")
LETTERS = 23   # number of characters in a line of the sidebar at its initial width


class ShowLayer(bpy.types.Operator):
    """Show these objects of imported maps, or hide them again, also where the map is linked"""
    bl_idname = "object.bspscene_layer"
    bl_label = "Show or hide"
    bl_options = {"REGISTER", "UNDO"}

    kind: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    shown: bpy.props.BoolProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context):
        for root in map_operators.maps_of(context):
            show_kinds(context.view_layer, root, (self.kind,), self.shown)
            if self.kind == SKYBOX:
                show_sky(context.view_layer, root, mode_of_map(root))
        return {"FINISHED"}


class MapPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_bspscene"
    bl_label = "Game map"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Game map"

    @classmethod
    def poll(cls, context) -> bool:
        return map_operators.has_map(context)

    def draw(self, context) -> None:
        roots = map_operators.maps_of(context)
        for root in roots:
            self.layout.label(text=f"{root.name}: {root.get('family', '')}", icon="WORLD", translate=False)
        self.layout.label(text="Materials")
        column = self.layout.column(align=True)
        map_operators.draw_modes(column, context)
        if any(mode_of_map(root) in LIT_BY_GAME for root in roots):
            box = self.layout.box().column(align=True)
            _lines(box, say("Exporters lose the images of these materials: choose \"For export\" first"), "INFO")
            box.operator(map_operators.CopyWithLight.bl_idname)
        self._draw_layers(context, roots)
        if REPORT_NAME in bpy.data.texts:
            self.layout.label(text=say("See the text \"{name}\"", name=REPORT_NAME), icon="TEXT", translate=False)
        self.layout.operator(map_operators.FindTextures.bl_idname)

    def _draw_layers(self, context, roots: list) -> None:
        self.layout.label(text="Layers")
        column = self.layout.column(align=True)
        there = {kind[KIND] for root in roots for kind in root.children if KIND in kind}
        for kind in LAYERS:
            if kind in there:
                shown = any(are_shown(context.view_layer, root, kind) for root in roots)
                button = column.operator(ShowLayer.bl_idname, text=kind, depress=shown,
                                         icon="HIDE_OFF" if shown else "HIDE_ON")
                button.kind, button.shown = kind, not shown


class StylesPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_bspscene_styles"
    bl_label = "Light styles"
    bl_parent_id = MapPanel.bl_idname
    bl_options = {"DEFAULT_CLOSED"}
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Game map"

    @classmethod
    def poll(cls, context) -> bool:
        return any(styles_of(root) for root in map_operators.maps_of(context))

    def draw(self, context) -> None:
        column = self.layout.column(align=True)
        for root in map_operators.maps_of(context):
            for node in styles_of(root):
                column.prop(node.outputs[0], "default_value", text=node.label or node.name, translate=False)


def styles_of(root: bpy.types.Collection) -> list[bpy.types.Node]:
    """Returns the nodes with the values of a map's light styles."""
    ending = f"/{root.get('map_name', '')} light styles"
    return [node for group in bpy.data.node_groups if str(group.get(KEY, "")).endswith(ending)
            for node in group.nodes if node.type == "VALUE"]


class EntityPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_bspscene_entity"
    bl_label = "Entity"
    bl_parent_id = MapPanel.bl_idname
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Game map"

    @classmethod
    def poll(cls, context) -> bool:
        return context.object is not None and ENTITY in context.object

    def draw(self, context) -> None:
        made = context.object
        known = definitions_for(made, context)
        classname = str(made.get("classname", ""))
        self.layout.label(text=classname, icon="OUTLINER_OB_EMPTY", translate=False)
        if classname.lower() in known:
            _lines(self.layout.column(align=True), known[classname.lower()].text, "NONE")
        for name, told, is_wrong in rows_of(made, known):
            row = self.layout.row()
            row.alert = is_wrong
            row.prop(made, f'["{bpy.utils.escape_identifier(name)}"]', text=name, translate=False)
            key = definitions.keys_of(known, classname).get(name.lower())
            if key:
                entity_fields.draw(self.layout, made, name, key)
            if told:
                _lines(self.layout.column(align=True), told, "ERROR" if is_wrong else "NONE")


def rows_of(made: bpy.types.Object, known: definitions.Definitions) -> list[tuple[str, str, bool]]:
    """Returns the keys of an entity. Each has a remark, which may be empty, and whether the remark is an error."""
    classname = str(made.get("classname", ""))
    keys = definitions.keys_of(known, classname)
    names = [name for name in made.keys() if isinstance(made[name], str) and not name.startswith("bspscene_")]
    strange = definitions.unknown(known, classname, names)
    rows = []
    for name in names:
        key = keys.get(name.lower())
        fault = definitions.wrong(key, made[name]) if key else "not a key of this class" if name in strange else ""
        rows.append((name, fault or (key.text or key.label if key else ""), bool(fault)))
    return rows


def definitions_for(made: bpy.types.Object, context: bpy.types.Context) -> definitions.Definitions:
    """Returns the definitions of the game to which the object's map belongs."""
    for root in map_operators.maps_of(context):
        if made.name in root.all_objects:
            return definitions.of_game(taken_for(bpy.path.abspath(root["map_file"]), root.get("map_name", "")).game)
    return {}


def _lines(layout: bpy.types.UILayout, words: str, icon: str) -> None:
    for number, line in enumerate(textwrap.wrap(words, LETTERS)):
        layout.label(text=line, icon="NONE" if number else icon, translate=False)


CLASSES = [ShowLayer, MapPanel, StylesPanel, *entity_fields.CLASSES, EntityPanel]
