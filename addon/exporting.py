"""What Blender's glTF exporter asks of add-ons: by itself it writes what a map hides too."""
from .build.objects.hiding import HIDDEN


class glTF2ExportUserExtension:   # noqa: N801  (the name that the exporter looks for)
    """Leaves hidden objects of maps out: shells of collision and triggers would bury everything else."""

    def gather_tree_filter_tag_hook(self, tree, _settings) -> None:
        for node in tree.nodes.values():
            made = node.blender_object
            if made is not None and HIDDEN in made and made.hide_viewport:
                node.keep_tag = False
