"""The sidebar's panel of models: skins, and the sequences of what can move."""
import bpy
from bspscene.library import LibraryError, MapError

from .. import assets, playing
from ..importer import values_of
from ..translations import say
from . import map_operators


def shown_models(context: bpy.types.Context) -> list[bpy.types.ID]:
    """Returns the movable objects of the selection, or those of models that were imported by themselves."""
    chosen = playing.movable(context.selected_objects)
    roots = [root for root in map_operators.maps_of(context) if playing.is_model(root)]
    return chosen or [made for root in roots for made in playing.movable(root.all_objects)]


class PlaySequence(bpy.types.Operator):
    """Play this sequence from frame 1, and set the scene's length to it"""
    bl_idname = "object.bspscene_play"
    bl_label = "Play sequence"
    bl_options = {"REGISTER", "UNDO"}

    sequence: bpy.props.StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context):
        return {"FINISHED"} if playing.play(context.scene, shown_models(context), self.sequence) else {"CANCELLED"}


class ShowSkin(bpy.types.Operator):
    """Show the model with another of its skins. What you changed stays"""
    bl_idname = "object.bspscene_skin"
    bl_label = "Show skin"
    bl_options = {"REGISTER", "UNDO"}

    skin: bpy.props.IntProperty(min=0, max=playing.MOST_SKINS, options={"HIDDEN", "SKIP_SAVE"})

    def execute(self, context):
        done = 0
        for root in [root for root in map_operators.maps_of(context) if playing.is_model(root)]:
            try:
                playing.show_skin(root, self.skin)
            except (MapError, LibraryError, ValueError, OSError) as error:
                self.report({"ERROR"}, str(error))
                continue
            done += 1
        return {"FINISHED"} if done else {"CANCELLED"}


class MarkAssets(bpy.types.Operator):
    """Mark imported models, and each model of imported maps once, as assets with pictures, in catalogs by their
    folders. Save the file first: the list of catalogs goes next to it"""
    bl_idname = "object.bspscene_mark_assets"
    bl_label = "Mark models as assets"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context) -> bool:
        return map_operators.has_map(context)

    def execute(self, context):
        marked = assets.mark(map_operators.maps_of(context))
        if not marked:
            self.report({"WARNING"}, say("The selected maps have no models"))
            return {"CANCELLED"}
        try:
            written = assets.write_catalogs(marked, bpy.data.filepath)
        except OSError as error:
            self.report({"ERROR"}, str(error))
            return {"FINISHED"}
        if written:
            self.report({"INFO"}, say("{count} assets, catalogs in {file}", count=len(marked), file=str(written)))
        else:
            self.report({"WARNING"}, say("{count} assets; save the file and mark again for catalogs",
                                         count=len(marked)))
        return {"FINISHED"}


class ModelPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_bspscene_model"
    bl_label = "Model"
    bl_parent_id = "VIEW3D_PT_bspscene"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Game map"

    @classmethod
    def poll(cls, context) -> bool:
        return bool(shown_models(context)) or any(map(playing.is_model, map_operators.maps_of(context)))

    def draw(self, context) -> None:
        for root in filter(playing.is_model, map_operators.maps_of(context)):
            self.draw_skin(values_of(root)["skin"], playing.skin_count(root))
        models = shown_models(context)
        column = self.layout.column(align=True)
        if models:
            column.label(text="Sequences")
        now = {playing.playing(made) for made in models}
        titles: dict[str, bool] = {}
        for made in models:
            for title, action in playing.sequences_of(made).items():
                titles[title] = titles.get(title, False) or action in now
        for title, is_playing in titles.items():
            button = column.operator(PlaySequence.bl_idname, text=title, translate=False, depress=is_playing,
                                     icon="PLAY")
            button.sequence = title

    def draw_skin(self, skin: int, count: int) -> None:
        if count < 2:
            return
        row = self.layout.row(align=True)
        row.label(text=say("Skin {number} of 0 to {last}", number=skin, last=count - 1), translate=False)
        for icon, number in (("TRIA_LEFT", skin - 1), ("TRIA_RIGHT", skin + 1)):
            part = row.row(align=True)
            part.enabled = 0 <= number < count
            part.operator(ShowSkin.bl_idname, text="", icon=icon).skin = max(number, 0)


CLASSES = [PlaySequence, ShowSkin, MarkAssets, ModelPanel]
