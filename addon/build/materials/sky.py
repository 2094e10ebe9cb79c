"""Makes a world of the map's sky: six images of a box, Quake's two layers that scroll over each other, Quake III's
clouds.

Texture coordinates are computed from directions as in the engines' tr_sky.c and gl_warp.c.
"""

import bpy

from ...native import abi
from ...native.scene import Scene, text
from ..data.blocks import KEY, Made, by_key
from ..data.image import Textures
from .material import Materials
from .shading import Color, Tree, is_socket, lookup, node_tree, rgb
from .stage import Stages, Surface, upside_down

RIGHT, BACK, LEFT, FRONT, UP, DOWN = range(6)
CLOUD_RADIUS = 4096.0          # tr_sky.c: radiusWorld
LAYER_SPEEDS = (8.0, 16.0)     # texels per second
LAYER_SIZE = 128.0
LIGHT_MAP_SIZE = 64            # size in pixels of the map by which Cycles samples the sky
HORIZON = 0.25                 # part of a box side below the horizon at which the clouds end


def build(scene: Scene, map_key: str, textures: Textures, materials: Materials,
          made: Made) -> bpy.types.World | None:
    """Returns the world, or None if the map shows no sky or its images were not found."""
    if scene.data.sky_material == abi.NO_INDEX:
        return None
    record = scene.items("materials")[scene.data.sky_material]
    key = f"{map_key}/sky"
    world = by_key(bpy.data.worlds).get(key)
    if world is not None and materials.options.keep:
        return world
    if not record.sky:
        return None
    world = made.new("worlds", f"{text(scene.data.name)} sky")
    drawn = _Sky(Tree(node_tree(world), made), record, textures, materials).draw()
    if not is_socket(drawn):
        made.drop(world)
        return None
    world[KEY] = key
    if hasattr(world, "cycles"):
        # Otherwise Cycles renders image skies some thousand pixels wide before it begins, which takes seconds.
        world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", LIGHT_MAP_SIZE
    return world


class _Sky:
    """The nodes of one sky; colors are display values until the end."""

    def __init__(self, tree: Tree, record: abi.Material, textures: Textures, materials: Materials) -> None:
        self.tree, self.record, self.textures, self.materials = tree, record, textures, materials
        self.sky: abi.Sky = record.sky.contents
        self.direction = tree.vector("NORMALIZE", tree.add("ShaderNodeTexCoord").outputs["Generated"])
        self.x, self.y, self.z = tree.separate(self.direction)

    def draw(self) -> Color:
        sky = self.sky
        color = self._box(list(sky.box))
        color = self._layers(list(sky.layers), color)
        if sky.cloud_height > 0:
            color = self._clouds(color)
        if is_socket(color):
            background = self.tree.add("ShaderNodeBackground")
            self.tree.link(self.tree.to_linear(self.tree.vector("MINIMUM", color, 1.0)), background.inputs["Color"])
            self.tree.link(background.outputs[0], self.tree.add("ShaderNodeOutputWorld").inputs["Surface"])
        return color

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
                          self.materials.options.filtering)
            texel = self.tree.to_display(node.outputs["Color"])
            color = self.tree.mix(node.outputs["Alpha"], color, texel) if number else texel
        return color

    def _layer_uv(self, speed: float):
        """gl_warp.c, EmitSkyPolys: a flattened dome."""
        tree = self.tree
        flattened = tree.vector("NORMALIZE", tree.vector("MULTIPLY", self.direction, (1.0, 1.0, 3.0)))
        uv = tree.scaled(flattened, 6 * 63 / LAYER_SIZE)
        if self.materials.options.animated:
            moved = tree.math("MULTIPLY", tree.time(), speed / LAYER_SIZE)
            uv = tree.vector("ADD", uv, tree.combine(moved, moved, 0.0))
        return upside_down(tree, uv)

    # ---- Clouds

    def _clouds(self, color: Color) -> Color:
        record, materials = self.record, self.materials
        surface = Surface(materials.textures.get, materials.frames, lambda _style: 1.0, lambda: (1.0, 1.0), False,
                          materials.meters, materials.options.filtering, materials.options.animated,
                          uv=self._cloud_uv(), position=self.tree.scaled(self.direction, CLOUD_RADIUS))
        passes = Stages(self.tree, surface, False)
        passes.draw(materials.material_passes[record.first_pass:record.first_pass + record.pass_count])
        clouds = self.tree.plus(passes.color, self.tree.times(passes.behind, color))
        if not is_socket(clouds) and not is_socket(color):
            return rgb(clouds)
        return self.tree.mix(self._below_horizon(), clouds, color)

    def _below_horizon(self):
        tree = self.tree
        widest = tree.math("MAXIMUM", tree.math("ABSOLUTE", self.x), tree.math("ABSOLUTE", self.y))
        return tree.math("LESS_THAN", self.z, tree.math("MULTIPLY", widest, -HORIZON))

    def _cloud_uv(self):
        """Returns the angles of the point where the direction leaves the sphere of the clouds."""
        tree, height, r = self.tree, self.sky.cloud_height, CLOUD_RADIUS
        high = tree.math("MULTIPLY", self.z, r)
        root = tree.math("SQRT", tree.math("MULTIPLY_ADD", high, high, 2 * r * height + height * height))
        length = tree.math("SUBTRACT", root, high)
        point = tree.vector("ADD", tree.scaled(self.direction, length), (0.0, 0.0, r))
        x, y, _ = tree.separate(tree.vector("NORMALIZE", point))
        return tree.combine(tree.math("ARCCOSINE", x), tree.math("ARCCOSINE", y), 0.0)
