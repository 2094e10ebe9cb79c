"""Small helpers for shader nodes that read the same on every Blender version, and the node groups materials share."""
from typing import Dict, Sequence, Tuple

import bpy

PRODUCT_GROUP = "bspscene picture"
STYLES_GROUP = "bspscene light styles"
THRESHOLD, LINEAR_THRESHOLD = 0.04045, 0.0031308   # where the sRGB curve turns into a line


def socket(sockets, *names: str):
    """The first socket of these names: they changed between versions."""
    for name in names:
        found = sockets.get(name)
        if found is not None:
            return found
    return None


class Tree:
    """Adds nodes to a tree, from left to right."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self.tree = tree
        self._column, self._row = 0, 0

    def add(self, kind: str, label: str = "", **settings) -> bpy.types.Node:
        node = self.tree.nodes.new(kind)
        node.location = (self._column * 220, -self._row * 180)
        self._row = (self._row + 1) % 4
        self._column += self._row == 0
        if label:
            node.label = label
        for name, value in settings.items():
            setattr(node, name, value)
        return node

    def link(self, source, target) -> None:
        """Joins an output to an input; anything else than a socket is the input's value."""
        if isinstance(source, bpy.types.NodeSocket):
            self.tree.links.new(source, target)
        else:
            target.default_value = source

    def vector(self, operation: str, *inputs):
        node = self.add("ShaderNodeVectorMath", operation=operation)
        for value, target in zip(inputs, node.inputs):
            self.link((value,) * 3 if isinstance(value, float) else value, target)
        return node.outputs[0]

    def scaled(self, vector, factor):
        node = self.add("ShaderNodeVectorMath", operation="SCALE")
        self.link(vector, node.inputs[0])
        self.link(factor, node.inputs["Scale"])
        return node.outputs[0]

    def math(self, operation: str, *inputs):
        node = self.add("ShaderNodeMath", operation=operation)
        for value, target in zip(inputs, node.inputs):
            self.link(value, target)
        return node.outputs[0]

    def power(self, color, exponent: float):
        node = self.add("ShaderNodeGamma")
        self.link(color, node.inputs["Color"])
        node.inputs["Gamma"].default_value = exponent
        return node.outputs[0]

    def mix(self, factor, first, second):
        node = self.add("ShaderNodeMix", data_type="RGBA")
        for value, index in ((factor, 0), (first, 6), (second, 7)):
            self.link(value, node.inputs[index])
        return node.outputs[2]

    def to_display(self, color):
        """Linear light as the sRGB curve shows it; two parts of the curve, each held where the other begins."""
        upper = self.power(self.vector("MAXIMUM", color, LINEAR_THRESHOLD), 1 / 2.4)
        upper = self.vector("MULTIPLY_ADD", upper, 1.055, -0.055 - THRESHOLD)
        lower = self.vector("MINIMUM", color, LINEAR_THRESHOLD)
        return self.vector("MULTIPLY_ADD", lower, 12.92, upper)

    def to_linear(self, color):
        upper = self.vector("MULTIPLY_ADD", self.vector("MAXIMUM", color, THRESHOLD), 1 / 1.055, 0.055 / 1.055)
        upper = self.vector("ADD", self.power(upper, 2.4), -LINEAR_THRESHOLD)
        lower = self.vector("MINIMUM", color, THRESHOLD)
        return self.vector("MULTIPLY_ADD", lower, 1 / 12.92, upper)


def node_tree(owner) -> bpy.types.NodeTree:
    """The tree of a material or world; old versions make it only when asked, new ones warn when asked."""
    if owner.node_tree is None:
        owner.use_nodes = True
    owner.node_tree.nodes.clear()
    return owner.node_tree


def add_socket(group: bpy.types.NodeTree, name: str, direction: str, kind: str):
    if hasattr(group, "interface"):
        return group.interface.new_socket(name, in_out=direction, socket_type=kind)
    return (group.inputs if direction == "INPUT" else group.outputs).new(kind, name)


def product_group() -> bpy.types.NodeTree:
    """texture x light x intensity as the game's frame buffer multiplies them: in display space, cut off at white."""
    group = bpy.data.node_groups.get(PRODUCT_GROUP)
    if group:
        return group
    group = bpy.data.node_groups.new(PRODUCT_GROUP, "ShaderNodeTree")
    for name, kind in (("Texture", "NodeSocketColor"), ("Light", "NodeSocketColor"), ("Intensity", "NodeSocketFloat")):
        add_socket(group, name, "INPUT", kind).default_value = 1.0 if kind.endswith("Float") else (1, 1, 1, 1)
    add_socket(group, "Color", "OUTPUT", "NodeSocketColor")
    tree = Tree(group)
    given = tree.add("NodeGroupInput").outputs
    shown = tree.vector("MULTIPLY", tree.to_display(given["Texture"]), tree.to_display(given["Light"]))
    shown = tree.vector("MINIMUM", tree.scaled(shown, given["Intensity"]), 1.0)
    tree.link(tree.to_linear(shown), tree.add("NodeGroupOutput").inputs["Color"])
    return group


def styles_group(values: Dict[int, Tuple[str, float]]) -> bpy.types.NodeTree:
    """One value for each light style: change it and every surface that the style lights follows."""
    group = bpy.data.node_groups.get(STYLES_GROUP) or bpy.data.node_groups.new(STYLES_GROUP, "ShaderNodeTree")
    tree = Tree(group)
    end = next((node for node in group.nodes if node.type == "GROUP_OUTPUT"), None) or tree.add("NodeGroupOutput")
    for style, (name, value) in sorted(values.items()):
        output = f"Style {style}"
        if output in end.inputs:
            continue
        add_socket(group, output, "OUTPUT", "NodeSocketFloat")
        node = tree.add("ShaderNodeValue", label=f"{output} {name}".strip())
        node.name = output
        node.outputs[0].default_value = value
        tree.link(node.outputs[0], end.inputs[output])
    return group


def lookup(tree: Tree, image: bpy.types.Image, uv, label: str, extension: str, filtering: str):
    node = tree.add("ShaderNodeTexImage", label=label, image=image, extension=extension, interpolation=filtering)
    tree.link(uv, node.inputs["Vector"])
    return node


def add_all(tree: Tree, colors: Sequence):
    total = colors[0]
    for color in colors[1:]:
        total = tree.vector("ADD", total, color)
    return total
