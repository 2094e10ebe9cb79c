"""A hook for Blender's glTF exporter. Without the hook, the exporter would also write hidden objects of maps."""
import bpy

from .build.data.again import MADE_AS
from .build.objects.hiding import HIDDEN


class glTF2ExportUserExtension:   # noqa: N801  (the name that the exporter looks for)
    """Excludes hidden objects of maps from the export: collision and trigger surfaces would cover everything else. Maps
    that are excluded from the view layer are not exported either."""

    def gather_tree_filter_tag_hook(self, tree, _settings) -> None:
        shown = set(bpy.context.view_layer.objects)
        for node in tree.nodes.values():
            made = node.blender_object
            if made is not None and (_is_hidden(made) or (MADE_AS in made and _is_away(made, shown))):
                node.keep_tag = False


def _is_hidden(made: bpy.types.Object) -> bool:
    return HIDDEN in made and made.hide_viewport


def _is_away(made: bpy.types.Object, shown: set[bpy.types.Object]) -> bool:
    """True for objects of the scene outside the view layer. Objects of instanced collections are in no view layer
    either, but they are not in the scene, and are exported."""
    here = bpy.context.scene.objects
    return made not in shown and here.get(made.name) == made
