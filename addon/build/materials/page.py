"""Makes the node group that gives the light of a lightmap page: the pages of all light styles, each times its style's
value.

Every material on the page uses the same group, so other pages, styles or encodings reach all of them at once. Some
maps also store the direction of light, or the parts of the light along three bump directions. The group has further
outputs for these.
"""

import bpy
from bspscene import abi
from bspscene.picture import has_light
from bspscene.scene import Scene, text

from ..data.blocks import KEY, Made, by_key
from ..data.image import Pages
from .shading import COLOR, FLOAT, Color, Tree, add_socket, drive, lookup, output_names

OUTPUTS = {abi.LIGHTMAP_SET_DIRECTION: "Direction", abi.LIGHTMAP_SET_BUMP_0: "Bump 0",
           abi.LIGHTMAP_SET_BUMP_1: "Bump 1",
           abi.LIGHTMAP_SET_BUMP_2: "Bump 2"}
PATTERN_RATE = 10   # letters of a style's pattern per second
DARKEST, NORMAL = ord("a"), ord("m")


def style_value(letter: str) -> float:
    """Returns the brightness of a letter of a light style: 'a' is dark, 'm' normal, 'z' about double."""
    return (ord(letter) - DARKEST) / (NORMAL - DARKEST) if "a" <= letter <= "z" else 1.0


class PageLights:
    """The node groups of a map's pages, and the node group of its light styles. `time` is the driver expression for
    seconds, or "" if light is not animated. `intensity` is the factor of all light, or 0 for the game's own factor.
    With `keep`, node groups of an earlier import are not changed."""

    def __init__(self, scene: Scene, map_key: str, pages: Pages, made: Made, time: str, intensity: float,
                 keep: bool = False) -> None:
        self.pages, self.made, self._keep = pages, made, keep
        self.intensity = intensity or (pages.sets[0].intensity if pages.sets else 1.0)
        self._scene, self._map_key, self._time = scene, map_key, time
        self._map = text(scene.data.name)
        self._groups = by_key(bpy.data.node_groups)
        self._ready: dict[str, bpy.types.NodeTree] = {}

    def group(self, page: int, style: int = -1) -> bpy.types.NodeTree:
        """Returns the node group with the light of a page: of all styles (-1), or only of one."""
        name = f"{self._map} light {page}" + (f" style {style}" if style >= 0 else "")
        if name not in self._ready:
            self._ready[name] = self._make(name, page, style)
        return self._ready[name]

    def _make(self, name: str, page: int, style: int) -> bpy.types.NodeTree:
        earlier = self._groups.get(self._key(name))
        if earlier is not None and self._keep:
            return earlier
        for number in range(len(self.pages.sets)):
            self.pages.get(number, page)
        group = self._new(name)
        self._fill(Tree(group, self.made), page, style)
        if earlier is not None:
            self.made.replace(earlier, group)
        return group

    def image(self, page: int) -> bpy.types.Image | None:
        """Returns the image of the page with the light that is always on."""
        nodes = self.group(page).nodes
        return next((node.image for node in nodes if node.type == "TEX_IMAGE" and node.label == "Lightmap"), None)

    def _key(self, name: str) -> str:
        return f"{self._map_key}/{name}"

    def _new(self, name: str) -> bpy.types.NodeTree:
        group = self.made.new("node_groups", name, "ShaderNodeTree")
        group[KEY] = self._key(name)
        return group

    def _sets(self, page: int, kind: int, style: int) -> list[tuple[int, abi.LightmapSet]]:
        return [(number, record) for number, record in enumerate(self.pages.sets)
                if record.kind == kind and has_light(record.pages[page]) and style in (-1, record.style)]

    def _fill(self, tree: Tree, page: int, style: int) -> None:
        uv = tree.add("ShaderNodeUVMap", uv_map="Lightmap").outputs[0]
        results = {"Light": self._sum(tree, uv, page, style)}
        for kind, name in OUTPUTS.items():
            for number, record in self._sets(page, kind, style):
                if record.style == 0:
                    image = self.pages.get(number, page)
                    results[name] = lookup(tree, image, uv, name, "EXTEND", "Linear").outputs["Color"]
        fill_outputs(tree, results)

    def _sum(self, tree: Tree, uv, page: int, only: int):
        """Adds up the styles' light as the game does: as display values, or as linear light for HDR."""
        total: Color = 0.0
        for number, record in self._sets(page, abi.LIGHTMAP_SET_LIGHT, only):
            label = f"Lightmap style {record.style}" if record.style else "Lightmap"
            color = lookup(tree, self.pages.get(number, page), uv, label, "EXTEND", "Linear").outputs["Color"]
            value = self.style(tree, record.style)
            total = tree.plus(total, color if value is None else tree.scaled(color, value))
        return total if self.pages.is_linear else tree.to_linear(total)

    # ---- Styles

    def style(self, tree: Tree, style: int):
        """Returns the value of a style, or None for light that never changes."""
        if style == 0:
            return None
        return tree.add("ShaderNodeGroup", node_tree=self.styles_group()).outputs.get(f"Style {style}")

    def styles_group(self) -> bpy.types.NodeTree:
        """Returns the group with one value node for each light style. Changing a value or its driver changes all
        surfaces that the style lights."""
        name = f"{self._map} light styles"
        if name in self._ready:
            return self._ready[name]
        group = self._groups.get(self._key(name)) or self._new(name)
        self._ready[name] = group
        known = output_names(group)
        tree = Tree(group, self.made)
        end = next((n for n in group.nodes if n.type == "GROUP_OUTPUT"), None) or tree.add("NodeGroupOutput")
        for record in self._scene.items("light_styles"):
            output = f"Style {record.style}"
            if record.style and output not in known:
                add_socket(group, output, "OUTPUT", FLOAT)
                tree.link(self._style_node(tree, record, output), end.inputs[output])
        return group

    def _style_node(self, tree: Tree, record: abi.LightStyle, name: str):
        pattern = from_mean(text(record.pattern) or "m")
        animated = bool(self._time) and len(pattern) > 1
        node = tree.add("ShaderNodeValue", label=f"{name}: {text(record.name)}" if record.name else name)
        node.name = name
        node.outputs[0].default_value = record.start * (style_value(pattern[0]) if animated else 1)
        if animated:
            _animate(node.outputs[0], pattern, record.start, self._time)
        return node.outputs[0]


def from_mean(pattern: str) -> str:
    """Shifts a pattern so that it starts at the letter nearest to its mean. So the first frame shows the average
    brightness. Shifting is harmless, because players cannot tell where a pattern starts."""
    values = [style_value(letter) for letter in pattern]
    mean = sum(values) / len(values)
    first = min(range(len(values)), key=lambda number: abs(values[number] - mean))
    return pattern[first:] + pattern[:first]


def _animate(value: bpy.types.NodeSocket, pattern: str, of_m: float, time: str) -> None:
    """Animates the value of a light style. A driver counts the letters that have passed, and its curve converts this
    number to the brightness of the letter. The curve repeats. `of_m` is the value for the letter 'm'. `time` is the
    driver expression for seconds."""
    curve = drive(value, f"{time} * {PATTERN_RATE}")
    for modifier in list(curve.modifiers):
        curve.modifiers.remove(modifier)
    while curve.keyframe_points:   # Blender 5.0 and later give a new driver curve two key points
        curve.keyframe_points.remove(curve.keyframe_points[0])
    curve.keyframe_points.add(len(pattern) + 1)
    for number, letter in enumerate(pattern + pattern[0]):
        point = curve.keyframe_points[number]
        point.co = number, of_m * style_value(letter)
        point.interpolation = "CONSTANT"
    curve.update()
    curve.modifiers.new("CYCLES")


def fill_outputs(tree: Tree, results: dict) -> None:
    """Links colors to the group's outputs with the names in `results`. Makes outputs that are missing."""
    known = output_names(tree.tree)
    for name in results:
        if name not in known:
            add_socket(tree.tree, name, "OUTPUT", COLOR)
    end = tree.add("NodeGroupOutput")
    for name, color in results.items():
        tree.link(color if not isinstance(color, float) else (color, color, color, 1.0), end.inputs[name])
