"""Counts the shader programs that EEVEE compiles for materials. Materials whose node trees differ only in images and
numbers share one program. A program depends on the kinds and settings of nodes, their links (groups are expanded), and
how the material is drawn."""
import bpy

# Settings of nodes that change values, samplers or the editor, but not the shader program.
SILENT = {"name", "label", "location", "location_absolute", "width", "height", "width_hidden", "color", "select",
          "parent", "hide", "mute", "dimensions", "show_options", "show_preview", "show_texture", "color_tag", "image",
          "use_custom_color", "extension", "node_tree", "is_active_output", "warning_propagation", "bl_icon"}


class _Walk:
    """Walks through a material's node tree, starting at its output. `lines` then describes the shader program, without
    names and values."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self.lines, self._numbers = [], {}
        end = next(n for n in tree.nodes if n.bl_idname.startswith("ShaderNodeOutput") and n.is_active_output)
        self._number((), end, None)

    def _source(self, path: tuple, target: bpy.types.NodeSocket):
        """Follows the links from an input to its source, also through node groups. Returns (the groups around the
        source, its node, its output), or None."""
        while target.is_linked:
            link = target.links[0]
            node, output = link.from_node, link.from_socket
            if node.type == "REROUTE":
                target = node.inputs[0]
            elif node.type == "GROUP_INPUT":
                *outer, group = path
                path, target = tuple(outer), group.inputs[list(node.outputs).index(output)]
            elif node.type == "GROUP":
                end = next(n for n in node.node_tree.nodes if n.type == "GROUP_OUTPUT" and n.is_active_output)
                path, target = (*path, node), end.inputs[list(node.outputs).index(output)]
            else:
                return path, node, output
        return None

    def _number(self, path: tuple, node: bpy.types.Node, output) -> str:
        key = (tuple(group.as_pointer() for group in path), node.as_pointer())
        if key not in self._numbers:
            inputs = []
            for target in node.inputs:
                source = self._source(path, target) if target.enabled else None
                inputs.append(self._number(*source) if source else "-")
            self._numbers[key] = len(self._numbers)
            self.lines.append(f"{node.bl_idname} {_settings(node)} {' '.join(inputs)}")
        return f"{self._numbers[key]}.{list(node.outputs).index(output)}" if output else ""


def _settings(node: bpy.types.Node) -> str:
    shared = {item.identifier for item in bpy.types.Node.bl_rna.properties} | SILENT
    values = {item.identifier: getattr(node, item.identifier) for item in node.bl_rna.properties
              if item.identifier not in shared and item.type in ("ENUM", "BOOLEAN", "STRING", "INT")}
    if getattr(node, "image", None):
        image = node.image
        values["image"] = (image.colorspace_settings.name, image.alpha_mode, image.source,
                           [output.is_linked for output in node.outputs])
    return repr(sorted(values.items()))


def shape_of(owner) -> str:
    """Describes the node tree of a material or world."""
    drawn = [str(getattr(owner, name, "")) for name in ("blend_method", "surface_render_method")]
    return "\n".join([*drawn, *_Walk(owner.node_tree).lines])


def programs(materials=None) -> dict[str, list]:
    """Returns a dictionary from the description of each program to the materials that share the program."""
    found: dict[str, list] = {}
    for material in bpy.data.materials if materials is None else materials:
        if material.node_tree:
            found.setdefault(shape_of(material), []).append(material)
    return found


def node_count(materials=None) -> int:
    """Returns how many nodes Blender's code generator visits for these materials."""
    return sum(shape.count("\n") - 1 for shape, users in programs(materials).items() for _ in users)
