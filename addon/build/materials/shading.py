"""Helpers for shader nodes that hide the differences between Blender versions, and node groups that all materials
share."""
from collections.abc import Callable, Sequence
from typing import TypeAlias

import bpy

from ..data.blocks import Made

PRODUCT_GROUP = "bspscene picture"
HDR_PRODUCT_GROUP = "bspscene picture of HDR light"
DISPLAY_GROUP = "bspscene to display"
LINEAR_GROUP = "bspscene to linear"
ONE_SIDE_GROUP = "bspscene one side"
TIME_GROUP = "bspscene time"
THRESHOLD, LINEAR_THRESHOLD = 0.04045, 0.0031308   # the display value and the linear value where the parts of the sRGB
                                                   # curve meet

# A color in a node tree: a socket, or a constant. A constant is one number for gray, or red, green and blue.
Color: TypeAlias = bpy.types.NodeSocket | float | tuple[float, float, float]


def socket(sockets, *names: str):
    """Returns the first socket that has one of these names. Several are given if the name differs between versions of
    Blender."""
    for name in names:
        found = sockets.get(name)
        if found is not None:
            return found
    return None


def is_socket(value) -> bool:
    return isinstance(value, bpy.types.NodeSocket)


def rgb(value) -> tuple:
    """Returns a constant as three channels."""
    return (value,) * 3 if isinstance(value, int | float) else tuple(value)


def as_input(color):
    """Converts a color for Tree.link to an input of four channels."""
    return color if is_socket(color) else (*rgb(color), 1.0)


class Tree:
    """Adds nodes to a node tree, placed from left to right. Node groups that a node needs are made in `made`."""

    def __init__(self, tree: bpy.types.NodeTree, made: Made) -> None:
        self.tree, self.made = tree, made
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
        """Links an output to an input; a value that is not a socket is set as the input's value."""
        if is_socket(source):
            self.tree.links.new(source, target)
        else:
            target.default_value = source

    def constant(self, color: Sequence[float]) -> bpy.types.NodeSocket:
        node = self.add("ShaderNodeRGB")
        node.outputs[0].default_value = (*color, 1.0)
        return node.outputs[0]

    # ---- Vectors and numbers

    def vector(self, operation: str, *inputs):
        node = self.add("ShaderNodeVectorMath", operation=operation)
        for value, target in zip(inputs, node.inputs):
            self.link(value if is_socket(value) else rgb(value), target)
        return node.outputs["Value" if operation == "DOT_PRODUCT" else "Vector"]

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
            self.link(value if is_socket(value) or index == 0 else (*rgb(value), 1.0), node.inputs[index])
        return node.outputs[2]

    def combine(self, x, y, z):
        node = self.add("ShaderNodeCombineXYZ")
        for value, target in zip((x, y, z), node.inputs):
            self.link(value, target)
        return node.outputs[0]

    def separate(self, vector):
        node = self.add("ShaderNodeSeparateXYZ")
        self.link(vector, node.inputs[0])
        return node.outputs

    def smooth_step(self, value, start: float, end: float):
        """Smoothstep: 0 up to `start`, 1 from `end` on, and 3 t^2 - 2 t^3 between them, where t grows from 0 to 1."""
        if not end > start:
            return self.math("GREATER_THAN", value, end - 1e-6)
        node = self.add("ShaderNodeMapRange", interpolation_type="SMOOTHSTEP")
        for target, given in zip(node.inputs, (value, start, end)):
            self.link(given, target)
        return node.outputs[0]

    def luminance(self, color):
        node = self.add("ShaderNodeRGBToBW")
        self.link(color, node.inputs[0])
        return node.outputs[0]

    def separate_color(self, color):
        node = self.add("ShaderNodeSeparateColor")
        self.link(color, node.inputs[0])
        return node.outputs

    # ---- Colors; operations on constants add no nodes

    def times(self, first: Color, second: Color) -> Color:
        if not is_socket(first) and not is_socket(second):
            return tuple(a * b for a, b in zip(rgb(first), rgb(second)))
        for one, other in ((first, second), (second, first)):
            if not is_socket(one) and rgb(one) in ((1, 1, 1), (0, 0, 0)):
                return other if rgb(one)[0] else 0.0
        return self.vector("MULTIPLY", first, second)

    def plus(self, first: Color, second: Color) -> Color:
        if not is_socket(first) and not is_socket(second):
            return tuple(a + b for a, b in zip(rgb(first), rgb(second)))
        for one, other in ((first, second), (second, first)):
            if not is_socket(one) and rgb(one) == (0, 0, 0):
                return other
        return self.vector("ADD", first, second)

    def one_minus(self, value: Color) -> Color:
        if not is_socket(value):
            return tuple(1 - channel for channel in rgb(value))
        return self.vector("SUBTRACT", 1.0, value)

    def to_display(self, color: Color) -> Color:
        """Converts linear light to sRGB."""
        return self._converted(display_group, color)

    def to_linear(self, color: Color) -> Color:
        return self._converted(linear_group, color)

    def _converted(self, group, color: Color) -> Color:
        if not is_socket(color) and rgb(color) in ((0, 0, 0), (1, 1, 1)):
            return color
        node = self.add("ShaderNodeGroup", node_tree=group(self.made))
        self.link(as_input(color), node.inputs["Color"])
        return node.outputs["Color"]

    def time(self):
        """Returns the socket of a node that gives the seconds since frame 0."""
        return self.add("ShaderNodeGroup", node_tree=time_group(self.made)).outputs["Time"]


def node_tree(owner) -> bpy.types.NodeTree:
    """Returns the node tree of a material or world. Old versions make it only on request; new ones warn about the
    request."""
    if owner.node_tree is None:
        owner.use_nodes = True
    tree: bpy.types.NodeTree = owner.node_tree
    tree.nodes.clear()
    return tree


def add_socket(group: bpy.types.NodeTree, name: str, direction: str, kind: str):
    if hasattr(group, "interface"):
        return group.interface.new_socket(name, in_out=direction, socket_type=kind)
    return (group.inputs if direction == "INPUT" else group.outputs).new(kind, name)


def output_names(group: bpy.types.NodeTree) -> Sequence[str]:
    if hasattr(group, "interface"):
        return [item.name for item in group.interface.items_tree if item.in_out == "OUTPUT"]
    return [item.name for item in group.outputs]


# ---- Shared groups ---------------------------------------------------------------------------------------------------

COLOR, FLOAT, VECTOR = "NodeSocketColor", "NodeSocketFloat", "NodeSocketVector"
SHADER = "NodeSocketShader"
DEFAULTS = {COLOR: (1, 1, 1, 1), FLOAT: 1.0, VECTOR: (0, 0, 0)}


def new_group(name: str, made: Made, inputs: Sequence[tuple], outputs: Sequence[tuple[str, str]]):
    """Makes a group and returns it with its tree, the sockets of its inputs and those of its outputs. An input is
    (name, kind), or (name, kind, default value) if the default differs from the kind's."""
    group = made.new("node_groups", name, "ShaderNodeTree")
    for socket_name, kind, *value in inputs:
        made_socket = add_socket(group, socket_name, "INPUT", kind)
        if kind != SHADER:
            made_socket.default_value = value[0] if value else DEFAULTS[kind]
    for socket_name, kind in outputs:
        add_socket(group, socket_name, "OUTPUT", kind)
    tree = Tree(group, made)
    return group, tree, tree.add("NodeGroupInput").outputs, tree.add("NodeGroupOutput").inputs


def display_group(made: Made) -> bpy.types.NodeTree:
    """Makes the group for the sRGB curve. It adds the curve's linear and its power part, each clamped where the other
    begins."""
    group = bpy.data.node_groups.get(DISPLAY_GROUP)
    if group is None:
        group, tree, given, result = new_group(DISPLAY_GROUP, made, [("Color", COLOR)], [("Color", COLOR)])
        upper = tree.power(tree.vector("MAXIMUM", given["Color"], LINEAR_THRESHOLD), 1 / 2.4)
        upper = tree.vector("MULTIPLY_ADD", upper, 1.055, -0.055 - THRESHOLD)
        lower = tree.vector("MINIMUM", given["Color"], LINEAR_THRESHOLD)
        tree.link(tree.vector("MULTIPLY_ADD", lower, 12.92, upper), result["Color"])
    return group


def linear_group(made: Made) -> bpy.types.NodeTree:
    group = bpy.data.node_groups.get(LINEAR_GROUP)
    if group is None:
        group, tree, given, result = new_group(LINEAR_GROUP, made, [("Color", COLOR)], [("Color", COLOR)])
        upper = tree.vector("MULTIPLY_ADD", tree.vector("MAXIMUM", given["Color"], THRESHOLD), 1 / 1.055, 0.055 / 1.055)
        upper = tree.vector("ADD", tree.power(upper, 2.4), -LINEAR_THRESHOLD)
        lower = tree.vector("MINIMUM", given["Color"], THRESHOLD)
        tree.link(tree.vector("MULTIPLY_ADD", lower, 1 / 12.92, upper), result["Color"])
    return group


def product_group(made: Made) -> bpy.types.NodeTree:
    """Makes the group for texture x light x intensity, multiplied as in the game's frame buffer: in display space,
    clamped at white."""
    group = bpy.data.node_groups.get(PRODUCT_GROUP)
    if group is None:
        group, tree, given, result = new_group(PRODUCT_GROUP, made,
                                            [("Texture", COLOR), ("Light", COLOR), ("Intensity", FLOAT)],
                                            [("Color", COLOR)])
        shown = tree.vector("MULTIPLY", tree.to_display(given["Texture"]), tree.to_display(given["Light"]))
        shown = tree.vector("MINIMUM", tree.scaled(shown, given["Intensity"]), 1.0)
        tree.link(tree.to_linear(shown), result["Color"])
    return group


def hdr_product_group(made: Made) -> bpy.types.NodeTree:
    """Makes the group for texture x light x intensity with linear, unclamped light. The view transform decides what is
    white."""
    group = bpy.data.node_groups.get(HDR_PRODUCT_GROUP)
    if group is None:
        group, tree, given, result = new_group(HDR_PRODUCT_GROUP, made,
                                            [("Texture", COLOR), ("Light", COLOR), ("Intensity", FLOAT)],
                                            [("Color", COLOR)])
        shown = tree.vector("MULTIPLY", given["Texture"], given["Light"])
        tree.link(tree.scaled(shown, given["Intensity"]), result["Color"])
    return group


def one_side_group(made: Made) -> bpy.types.NodeTree:
    """Hides back faces from camera rays in Cycles, as EEVEE does. For other rays they stay solid, so that no light
    enters rooms from outside the map."""
    group = bpy.data.node_groups.get(ONE_SIDE_GROUP)
    if group is None:
        group, tree, given, result = new_group(ONE_SIDE_GROUP, made, [("Shader", SHADER)], [("Shader", SHADER)])
        seen = tree.math("MULTIPLY", tree.add("ShaderNodeNewGeometry").outputs["Backfacing"],
                         tree.add("ShaderNodeLightPath").outputs["Is Camera Ray"])
        either = tree.add("ShaderNodeMixShader")
        tree.link(seen, either.inputs[0])
        tree.link(given["Shader"], either.inputs[1])
        tree.link(tree.add("ShaderNodeBsdfTransparent").outputs[0], either.inputs[2])
        tree.link(either.outputs[0], result["Shader"])
    return group


def time_group(made: Made) -> bpy.types.NodeTree:
    """Makes the group with the time of all animations. Its driver computes seconds from the scene's frame."""
    group = bpy.data.node_groups.get(TIME_GROUP)
    if group is None:
        group, tree, _, result = new_group(TIME_GROUP, made, [], [("Time", FLOAT)])
        node = tree.add("ShaderNodeValue", label="Seconds")
        node.name = "Seconds"
        node.outputs[0].default_value = 0
        tree.link(node.outputs[0], result["Time"])
    return group


def drive(value: bpy.types.NodeSocket, expression: str) -> bpy.types.FCurve:
    """Drives a socket's value by an expression. It must be a "simple expression" of Blender, because Blender evaluates
    these even in files that the user does not trust."""
    value.driver_remove("default_value")
    curve = value.driver_add("default_value")
    curve.driver.type = "SCRIPTED"
    curve.driver.expression = expression
    return curve


def seconds(scene: bpy.types.Scene) -> str:
    """Returns the driver expression for the scene's time. It contains the frame rate as a number, because a reference
    to the scene would be copied with every material that somebody appends elsewhere."""
    return f"frame / {scene.render.fps / scene.render.fps_base:g}"


def lookup(tree: Tree, image: bpy.types.Image, uv, label: str, extension: str, filtering: str):
    node = tree.add("ShaderNodeTexImage", label=label, image=image, extension=extension, interpolation=filtering)
    if uv is not None:
        tree.link(uv, node.inputs["Vector"])
    return node


def in_turn(tree: Tree, nodes: Sequence[bpy.types.Node], time: Callable, frames_per_second: float, once: bool = False):
    """Returns color and alpha of the animation's texture at `time` (seconds). With `once` the last texture stays."""
    color, alpha = nodes[0].outputs["Color"], nodes[0].outputs["Alpha"]
    if len(nodes) > 1:
        now = tree.math("FLOOR", tree.math("MULTIPLY", time(), frames_per_second))
        now = now if once else tree.math("MODULO", now, float(len(nodes)))
    for number, node in enumerate(nodes[1:], 1):
        passed = tree.math("GREATER_THAN", now, number - 0.5)
        color = tree.mix(passed, color, node.outputs["Color"])
        alpha = tree.mix(passed, alpha, node.outputs["Alpha"])
    return color, alpha
