"""Shows an entity's keys as fields by their types: flags and booleans as switches, named values in a menu. The keys
themselves remain the strings that the game reads."""
import bpy

from ..definitions import Key

TRUE = {"1": "0", "0": "1", "yes": "no", "no": "yes", "": "1"}   # what each value becomes when the switch is clicked
_items: list[tuple[str, str, str]] = []   # items of the open menu; Blender keeps no reference to them


class SetKey(bpy.types.Operator):
    """Write this value into the key of the entity"""
    bl_idname = "object.bspscene_key"
    bl_label = "Set key"
    bl_options = {"REGISTER", "UNDO"}

    key: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    value: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context):
        if context.object is None or not isinstance(context.object.get(self.key), str):
            return {"CANCELLED"}
        context.object[self.key] = self.value
        return {"FINISHED"}


class ChooseValue(bpy.types.Operator):
    """Choose one of the values that the game's definitions name"""
    bl_idname = "object.bspscene_choose"
    bl_label = "Choose a value"
    bl_options = {"REGISTER", "UNDO"}
    bl_property = "chosen"

    key: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    choices: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})   # lines: a value, its name, the next value, its
                                                                         # name, ...
    chosen: bpy.props.EnumProperty(name="Value", items=lambda given, _context: _list(given.choices),
                                   options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context, _event):
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        if context.object is None or not isinstance(context.object.get(self.key), str):
            return {"CANCELLED"}
        context.object[self.key] = self.chosen
        return {"FINISHED"}


def _list(choices: str) -> list[tuple[str, str, str]]:
    lines = choices.split("\n")
    _items[:] = [(value, f"{value}: {name}", "") for value, name in zip(lines[::2], lines[1::2])]
    return _items


def draw(layout: bpy.types.UILayout, made: bpy.types.Object, name: str, key: Key) -> None:
    """Draws controls for a key's value, below its text."""
    value = str(made[name])
    if key.kind == "boolean" and value in TRUE:
        _switch(layout, name, key.label, value in ("1", "yes"), TRUE[value])
    elif key.kind == "flags" and value.strip().lstrip("+-").isdigit():
        grid = layout.grid_flow(columns=2, align=True)
        for bit, label in key.choices.items():
            now = int(value)
            _switch(grid, name, label, bool(now & int(bit)), str(now ^ int(bit)))
    elif key.kind == "choices" and key.choices:
        row = layout.row()
        row.operator_context = "INVOKE_DEFAULT"
        button = row.operator(ChooseValue.bl_idname, text=key.choices.get(value, "..."), translate=False,
                              icon="DOWNARROW_HLT")
        button.key = name
        button.choices = "\n".join(part.replace("\n", " ") for item in key.choices.items() for part in item)


def _switch(layout: bpy.types.UILayout, name: str, label: str, is_on: bool, value: str) -> None:
    button = layout.operator(SetKey.bl_idname, text=label, translate=False, depress=is_on)
    button.key, button.value = name, value


CLASSES = [SetKey, ChooseValue]
