"""Makes a node group that converts a direction into the sky's color there: six images of a box, Quake's two layers that
scroll over each other, Quake III's clouds. The map's world and the surfaces with sky materials use the group.

Directions become texture coordinates as in the engines' tr_sky.c and gl_warp.c.
"""

import bpy
from bspscene import abi
from bspscene.scene import Scene, text

from ..data.blocks import KEY, Made, by_key
from ..data.image import Textures
from .mode import MaterialOptions
from .shading import COLOR, VECTOR, Color, Tree, is_socket, lookup, new_group, rgb
from .stage import Stages, Surface, upside_down

RIGHT, BACK, LEFT, FRONT, UP, DOWN = range(6)
CLOUD_RADIUS = 4096.0          # game units: radiusWorld in tr_sky.c
LAYER_SPEEDS = (8.0, 16.0)     # texels per second
LAYER_SIZE = 128.0
HORIZON = 0.25                 # how far below the horizon the clouds reach, as a share of half a side of the box


class Skies:
    """The node groups of a map's skies. Each is made when it is first requested."""

    def __init__(self, scene: Scene, map_key: str, textures: Textures, options: MaterialOptions, made: Made) -> None:
        self.textures, self.options = textures, options
        self.meters = scene.data.meters_per_unit
        self.material_passes = scene.items("material_passes")
        self.frames = scene.data.frame_images[:scene.data.frame_image_count]
        self._map, self._map_key, self._made = text(scene.data.name), map_key, made
        number = scene.data.sky_material
        self._first = None if number == abi.NO_INDEX else scene.items("materials")[number]
        self._ready: dict[str, bpy.types.NodeTree | None] = {}
        self._earlier = by_key(bpy.data.node_groups) if options.keep else {}

    def group(self, record: abi.Material) -> bpy.types.NodeTree | None:
        """Returns the node group for the sky of a material, or for the map's own sky if the material has none. Returns
        None if no image of the sky was found."""
        shown = record if record.sky else self._first
        if shown is None or not shown.sky:
            return None
        key = f"{self._map_key}/sky {text(shown.name)}"
        if key not in self._ready:
            self._ready[key] = self._earlier.get(key) or self._make(key, shown)
        return self._ready[key]

    def _make(self, key: str, record: abi.Material) -> bpy.types.NodeTree | None:
        group, tree, given, result = new_group(f"{self._map} sky", self._made, [("Direction", VECTOR)],
                                               [("Color", COLOR)])
        drawn = _Sky(tree, record, self, given["Direction"]).draw()
        if not is_socket(drawn):
            self._made.drop(group)
            return None
        tree.link(tree.to_linear(tree.vector("MINIMUM", drawn, 1.0)), result["Color"])
        group[KEY] = key
        return group


class _Sky:
    """The nodes of one sky. They compute with display values and convert the result to linear light at the end."""

    def __init__(self, tree: Tree, record: abi.Material, skies: Skies, direction: bpy.types.NodeSocket) -> None:
        self.tree, self.record, self.skies, self.textures = tree, record, skies, skies.textures
        self.sky: abi.Sky = record.sky.contents
        self.direction = tree.vector("NORMALIZE", direction)
        self.x, self.y, self.z = tree.separate(self.direction)

    def draw(self) -> Color:
        sky = self.sky
        color = self._box(list(sky.box))
        color = self._layers(list(sky.layers), color)
        return self._clouds(color) if sky.cloud_height > 0 else color

    # ---- Box

    def _box(self, numbers: list[int]) -> Color:
        images = [self.textures.get(number) for number in numbers]
        if not any(images):
            return 0.0
        tree, x, y, z = self.tree, self.x, self.y, self.z
        far_x, far_y, far_z = (tree.math("ABSOLUTE", part) for part in (x, y, z))

        def pair(positive: int, negative: int, along, across, up):
            place = tree.combine(across, up, 0.0)
            uv = tree.vector("MULTIPLY_ADD", place, (0.5, 0.5, 0.0), (0.5, 0.5, 0.0))
            sides = [self._side(images[side], uv) for side in (negative, positive)]
            return tree.mix(tree.math("GREATER_THAN", along, 0.0), *sides)

        def over(first, second, minus=False):
            quotient = tree.math("DIVIDE", first, second)
            return tree.math("MULTIPLY", quotient, -1.0) if minus else quotient

        along_x = pair(RIGHT, LEFT, x, over(y, x, True), over(z, far_x))
        along_y = pair(BACK, FRONT, y, over(x, y), over(z, far_y))
        along_z = pair(UP, DOWN, z, over(y, far_z, True), over(x, z, True))
        flat = tree.mix(tree.math("GREATER_THAN", far_y, far_x), along_x, along_y)
        steep = tree.math("GREATER_THAN", far_z, tree.math("MAXIMUM", far_x, far_y))
        return tree.to_display(tree.mix(steep, flat, along_z))

    def _side(self, image: bpy.types.Image | None, uv) -> Color:
        return lookup(self.tree, image, uv, "Sky", "EXTEND", "Linear").outputs["Color"] if image else 0.0

    # ---- Quake's layers

    def _layers(self, numbers: list[int], color: Color) -> Color:
        for number, (index, speed) in enumerate(zip(numbers, LAYER_SPEEDS)):
            image = self.textures.get(index)
            if image is None:
                continue
            node = lookup(self.tree, image, self._layer_uv(speed), "Sky layer", "REPEAT",
                          self.skies.options.filtering)
            texel = self.tree.to_display(node.outputs["Color"])
            color = self.tree.mix(node.outputs["Alpha"], color, texel) if number else texel
        return color

    def _layer_uv(self, speed: float):
        """Returns coordinates on a flattened dome, as EmitSkyPolys in gl_warp.c does."""
        tree = self.tree
        flattened = tree.vector("NORMALIZE", tree.vector("MULTIPLY", self.direction, (1.0, 1.0, 3.0)))
        uv = tree.scaled(flattened, 6 * 63 / LAYER_SIZE)
        if self.skies.options.animated:
            moved = tree.math("MULTIPLY", tree.time(), speed / LAYER_SIZE)
            uv = tree.vector("ADD", uv, tree.combine(moved, moved, 0.0))
        return upside_down(tree, uv)

    # ---- Clouds

    def _clouds(self, color: Color) -> Color:
        record, skies = self.record, self.skies
        surface = Surface(skies.textures.get, skies.frames, lambda _style: 1.0, lambda: (1.0, 1.0), False,
                          skies.meters, skies.options.filtering, skies.options.animated,
                          uv=self._cloud_uv(), position=self.tree.scaled(self.direction, CLOUD_RADIUS))
        passes = Stages(self.tree, surface, False)
        passes.draw(skies.material_passes[record.first_pass:record.first_pass + record.pass_count])
        clouds = self.tree.plus(passes.color, self.tree.times(passes.behind, color))
        if not is_socket(clouds) and not is_socket(color):
            return rgb(clouds)
        return self.tree.mix(self._below_horizon(), clouds, color)

    def _below_horizon(self):
        tree = self.tree
        widest = tree.math("MAXIMUM", tree.math("ABSOLUTE", self.x), tree.math("ABSOLUTE", self.y))
        return tree.math("LESS_THAN", self.z, tree.math("MULTIPLY", widest, -HORIZON))

    def _cloud_uv(self):
        """Computes where the direction leaves a sphere at the clouds' height above the world's surface, and returns the
        two angles of that point."""
        tree, height, r = self.tree, self.sky.cloud_height, CLOUD_RADIUS
        high = tree.math("MULTIPLY", self.z, r)
        root = tree.math("SQRT", tree.math("MULTIPLY_ADD", high, high, 2 * r * height + height * height))
        length = tree.math("SUBTRACT", root, high)
        point = tree.vector("ADD", tree.scaled(self.direction, length), (0.0, 0.0, r))
        x, y, _ = tree.separate(tree.vector("NORMALIZE", point))
        return tree.combine(tree.math("ARCCOSINE", x), tree.math("ARCCOSINE", y), 0.0)
