"""What Blender's glTF exporter asks of add-ons: by itself it writes what a map hides too."""
import bpy

from .build.data.again import MADE_AS
from .build.objects.hiding import HIDDEN


class glTF2ExportUserExtension:   # noqa: N801  (the name that the exporter looks for)
    """Leaves hidden objects of maps out: shells of collision and triggers would bury everything else. So it does with
    maps that are out of the view layer."""

    def gather_tree_filter_tag_hook(self, tree, _settings) -> None:
        shown = set(bpy.context.view_layer.objects)
        for node in tree.nodes.values():
            made = node.blender_object
            if made is not None and (_is_hidden(made) or (MADE_AS in made and _is_away(made, shown))):
                node.keep_tag = False


def _is_hidden(made: bpy.types.Object) -> bool:
    return HIDDEN in made and made.hide_viewport


def _is_away(made: bpy.types.Object, shown: set[bpy.types.Object]) -> bool:
    """Instances of collections bring objects that are in no view layer."""
    here = bpy.context.scene.objects
    return made not in shown and here.get(made.name) == made
