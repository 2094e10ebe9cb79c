"""The nodes of a material of the map.

"GAME" shows the engine's picture as emission, so no lamp is needed: texture x lightmap, or all passes of a material
that has more than these two. "LIGHT" is the light alone. "RELIGHT" is a plain Principled surface without the lightmap,
for new lighting. "EXPORT" has the nodes that Blender's exporters read (export.py).
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import bpy
from bspscene import abi

from ..data.image import DATA, SRGB
from ..data.mesh import LIGHT
from . import detail
from .blending import Blending, add_shaders, background
from .drawing import set_drawing
from .export import Exported
from .layer import LayerStack
from .shading import (
    Tree,
    as_input,
    hdr_product_group,
    in_turn,
    is_socket,
    lookup,
    node_tree,
    product_group,
    rgb,
    socket,
)
from .stage import MAX_FRAMES, Stages, Surface, is_plain

if TYPE_CHECKING:
    from .material import Materials

IN_VERTICES = -1           # a value of `lighting`: all light of the section is in the color attribute LIGHT


class MaterialNodes:
    """The nodes of one material."""

    def __init__(self, owner: Materials, material: bpy.types.Material, record: abi.Material, page: int,
                 map_page: int, lighting: int, has_colors: bool, has_blend: bool, has_weights: bool,
                 styles: tuple) -> None:
        self.owner, self.material, self.record, self.map_page_image = owner, material, record, map_page
        self.page, self.lighting, self.has_colors, self.has_blend = page, lighting, has_colors, has_blend
        self.styles, self.is_layered = styles, has_weights and record.layer_count > 0
        self.material_passes = owner.material_passes[record.first_pass:record.first_pass + record.pass_count]
        self.tree = Tree(node_tree(material), owner.made)
        self.alpha = None
        self.detail_glow = None
        self.is_lightmapped = (lighting == abi.LIGHTING_LIGHTMAP and page != abi.NO_INDEX
                               and bool(owner.lights.pages.sets))
        self.is_blended = record.alpha_mode not in (abi.ALPHA_MODE_OPAQUE, abi.ALPHA_MODE_MASK)

    def build(self) -> None:
        record, mode = self.record, self.owner.options.mode
        sky = self._sky() if record.kind == abi.MATERIAL_SKY and mode != "EXPORT" else None
        unlit = record.unlit or record.kind in (abi.MATERIAL_SKY, abi.MATERIAL_FLARE)
        if mode == "EXPORT":
            shader = self._exported(unlit)
        elif sky is not None:
            shader = self._emission(sky)
        elif mode == "RELIGHT" and not unlit:
            color = self._texture()
            shader = self._blended(self._principled(color), color)
        elif self._needs_stages(mode == "LIGHT"):
            shader = self._staged(mode == "LIGHT")
        else:
            all_light = self.is_lightmapped or self.lighting == IN_VERTICES
            color = self._as_in_game(1.0 if mode == "LIGHT" and all_light else self._texture())
            shader = self._blended(self._emission(color), color)
        end = self.tree.add("ShaderNodeOutputMaterial")
        self.tree.link(shader, end.inputs["Surface"])
        end.is_active_output = True
        set_drawing(self.material, self.tree, shader, record, self.is_blended, mode)

    def _sky(self):
        """Returns the sky's color in the direction of the surface; None if its images were not found."""
        group = self.owner.skies.group(self.record)
        if group is None:
            return None
        self.is_blended = False
        shown = self.tree.add("ShaderNodeGroup", label="Sky", node_tree=group)
        to_eye = self.tree.add("ShaderNodeNewGeometry").outputs["Incoming"]
        self.tree.link(self.tree.scaled(to_eye, -1.0), shown.inputs["Direction"])
        return shown.outputs["Color"]

    # ---- All passes

    def _needs_stages(self, light_alone: bool) -> bool:
        """True if each pass of the material needs nodes of its own. False for HDR light, for materials that blend two
        textures, and if a texture multiplied by light gives the same picture. These materials get fewer nodes, so that
        people can edit them."""
        if not self.material_passes or self.owner.lights.pages.is_linear:
            return False
        if light_alone:
            return True
        return self.record.second_image == abi.NO_INDEX and not is_plain(self.material_passes, self.record.base_image,
                                                                         self.owner.frames)

    def _staged(self, light_alone: bool):
        tree, owner = self.tree, self.owner
        surface = Surface(owner.textures.get, owner.frames, self._display_light, self._display_vertex,
                          self.is_lightmapped, owner.meters, owner.options.filtering, owner.options.animated,
                          page=None if self.map_page_image == abi.NO_INDEX else owner.textures.get(self.map_page_image))
        passes = Stages(tree, surface, any(stage.light_style for stage in self.material_passes))
        (passes.draw_light_alone if light_alone else passes.draw)(self.material_passes)
        color = tree.vector("MINIMUM", passes.color, 1.0) if is_socket(passes.color) else passes.color
        shader = self._emission(tree.to_linear(color))
        self.is_blended = is_socket(passes.behind) or any(rgb(passes.behind))
        if not self.is_blended:
            return shader
        self.is_blended = self.record.alpha_mode != abi.ALPHA_MODE_MASK
        return add_shaders(tree, background(tree, tree.to_linear(passes.behind)), shader)

    def _display_light(self, style: int):
        """Returns the display color of the section's light, from a page or from vertices."""
        tree = self.tree
        if self.is_lightmapped:
            light = tree.to_display(self._page(style))
            return light if self._intensity() == 1 else tree.scaled(light, self._intensity())
        if self.lighting == IN_VERTICES:
            return tree.to_display(self._attribute(LIGHT)["Color"])
        if self.lighting == abi.LIGHTING_VERTEX and self.has_colors:
            light = tree.to_display(self._vertex_light())
            return light if self._intensity() == 1 else tree.scaled(light, self._intensity())
        return 0.0 if self.lighting == abi.LIGHTING_BLACK else 1.0

    def _display_vertex(self):
        if not self.has_colors:
            return 1.0, 1.0
        color = self._attribute("Color")
        return self.tree.to_display(color["Color"]), color["Alpha"]

    def _intensity(self) -> float:
        """Returns the factor of the light. It is 1 in mode "LIGHT", because the engines' lightmap-only pictures show
        the page unscaled."""
        return 1.0 if self.owner.options.mode == "LIGHT" else self.owner.lights.intensity

    # ---- What is multiplied

    def _uv(self, scale: Sequence[float] = (1, 1)):
        """Returns the base texture's coordinates, repeated `scale` times if it is given."""
        record = self.record
        return self._placed([a * k for a, k in zip(record.uv_scale, scale)],
                            [a * k for a, k in zip(record.uv_offset, scale)], record.uv_rotation_radians)

    def _placed(self, scale: Sequence[float], offset: Sequence[float], rotation: float = 0.0):
        """Scales, turns and moves the mesh's coordinates as the game does."""
        node = self.tree.add("ShaderNodeUVMap", uv_map="UVMap")
        (su, sv), (ou, ov) = scale, offset
        if (su, sv, ou, ov, rotation) == (1, 1, 0, 0, 0):
            return node.outputs[0]
        mapping = self.tree.add("ShaderNodeMapping")
        self.tree.link(node.outputs[0], mapping.inputs["Vector"])
        # The game's v grows downward: its (u, v) is (u, 1 - v) here, and rotations are reversed.
        sine, cosine = math.sin(rotation), math.cos(rotation)
        mapping.inputs["Location"].default_value = (ou - sine * sv, 1 - cosine * sv - ov, 0)
        mapping.inputs["Rotation"].default_value = (0, 0, -rotation)
        mapping.inputs["Scale"].default_value = (su, sv, 1)
        return mapping.outputs[0]

    def _lookup(self, index: int, label: str, uv=None, space: str = SRGB):
        """Adds a texture, with the base texture's coordinates unless `uv` is given."""
        return self._node_of(self.owner.textures.get(index, space), label, uv)

    def _node_of(self, image: bpy.types.Image | None, label: str, uv=None):
        if image is None:
            return None
        extension = "EXTEND" if self.record.clamp else "REPEAT"
        return lookup(self.tree, image, uv or self._uv(), label, extension, self.owner.options.filtering)

    def _picture(self, still: int, first: str, label: str):
        """Returns color and alpha of the image `still`, or of the animation whose images begin at the field `first`.
        Returns None if no image was found. If there are more frames than a material can hold, every n-th is kept and
        shown for longer."""
        count, rate, once, numbers = 1, 0.0, False, [still]
        if self.record.animation and self.owner.options.animated:
            animation = self.record.animation.contents
            start, all_frames, once = getattr(animation, first), animation.frame_image_count, animation.once
            count = min(all_frames, MAX_FRAMES if animation.first_emissive_image == abi.NO_INDEX else MAX_FRAMES // 2)
            if start != abi.NO_INDEX:
                numbers = [self.owner.frames[start + i * all_frames // count] for i in range(count)]
            rate = animation.frames_per_second * count / all_frames
        uv = self._uv() if count > 1 else None
        nodes = [node for node in (self._lookup(number, label, uv) for number in numbers) if node]
        return in_turn(self.tree, nodes, self.tree.time, rate, once) if nodes else None

    def _texture(self):
        """Returns the base color. Stores its alpha in self.alpha, which blends the surface."""
        record, tree = self.record, self.tree
        red, green, blue, opacity = record.color
        node = self._picture(record.base_image, "first_frame_image", "Texture")
        color, self.alpha = node or ((red, green, blue), 1.0)
        second = self._lookup(record.second_image, "Second texture") if node and not self.is_layered else None
        if node and self.is_layered:
            color = self._layers(color)
        elif second:
            color = tree.mix(self._blend_factor(), color, second.outputs["Color"])
        if node:
            color = self._with_detail(color)
        if node and (red, green, blue) != (1, 1, 1):
            color = tree.vector("MULTIPLY", color, self.tree.constant((red, green, blue)))
        if opacity != 1:
            self.alpha = tree.math("MULTIPLY", self.alpha, opacity)
        from_vertices = self._vertex_alpha()
        if from_vertices is not None:
            self.alpha = tree.math("MULTIPLY", self.alpha, from_vertices)
        return color

    def _layers(self, color):
        """Blends all layers over the color of the lowest one."""
        record = self.record
        weights = self._attribute("blend_weights")
        of_layer = (None, *self.tree.separate_color(weights["Color"])[1:3], weights["Alpha"])
        stack = LayerStack(self.tree, color, record.layers[0].contents)
        for number in range(1, record.layer_count):
            layer = record.layers[number].contents
            node = self._lookup(layer.image, f"Layer {number + 1}", self._uv(layer.uv_scale))
            if node:
                stack.put(layer, node.outputs["Color"], of_layer[number])
        return stack.color

    def _vertex_alpha(self):
        """Returns the factor of alpha that comes from the vertices, or None if the pass with the base image does not
        use their alpha."""
        base = self.record.base_image
        for stage in self.material_passes:
            shown = self.owner.frames[stage.first_frame_image:stage.first_frame_image + stage.frame_image_count]
            if stage.input != abi.PASS_INPUT_IMAGE or base not in shown or not self.has_colors:
                continue
            if stage.alpha_gen == abi.ALPHA_GEN_VERTEX:
                return self._attribute("Color")["Alpha"]
            if stage.alpha_gen == abi.ALPHA_GEN_ONE_MINUS_VERTEX:
                return self.tree.math("SUBTRACT", 1.0, self._attribute("Color")["Alpha"])
            return None
        return None

    def _attribute(self, name: str):
        return self.tree.add("ShaderNodeAttribute", attribute_name=name).outputs

    def _blend_factor(self):
        """Returns how much of the second texture shows: the blend weight of a displacement, else the vertices' alpha;
        then the blend mask is applied."""
        weight = self._attribute("Color")["Alpha"] if self.has_colors else 1.0
        if self.has_blend:
            weight = self._attribute("blend")["Fac"]
        if not self.record.blend_mask:
            return weight
        record = self.record.blend_mask.contents
        mask = self._lookup(record.image, "Blend mask", self._placed(record.uv_scale, record.uv_offset), DATA)
        return detail.masked(self.tree, mask.outputs["Color"], weight, record.masked) if mask else weight

    def _with_detail(self, color):
        if not self.record.detail_texture:
            return color
        record = self.record.detail_texture.contents
        space = SRGB if record.display or record.mode == abi.DETAIL_TEXTURE_ADD else DATA
        uv = self._uv(record.uv_scale)
        if record.own_uv:
            uv = self._placed(record.uv_scale, record.uv_offset, record.uv_rotation_radians)
        node = self._lookup(record.image, "Detail", uv, space)
        if node is None:
            return color
        self.detail_glow = detail.shining(self.tree, record, node.outputs)
        color, self.alpha = detail.applied(self.tree, record, node.outputs, color, self.alpha)
        return color

    def _page(self, style: int = -1):
        group = self.owner.lights.group(self.page, style)
        return self.tree.add("ShaderNodeGroup", label="Lightmap", node_tree=group).outputs["Light"]

    def _vertex_light(self):
        """Returns the sum of the vertex light of style 0 and of all further styles."""
        total = self._attribute("Color")["Color"]
        for style in self.styles:
            light = self._attribute(f"Color style {style}")["Color"]
            value = self.owner.lights.style(self.tree, style)
            total = self.tree.plus(total, light if value is None else self.tree.scaled(light, value))
        return total

    def _light(self):
        """Returns the light as a socket (None if the surface is not lit by the map), and the number by which to
        multiply it."""
        if self.is_lightmapped:
            light = self._page()
            if self.record.vertex_lit and self.has_colors:
                light = self.tree.vector("MULTIPLY", light, self._attribute("Color")["Color"])
            return light, self._intensity()
        if self.lighting == IN_VERTICES:
            return self._attribute(LIGHT)["Color"], 1.0
        if self.lighting == abi.LIGHTING_VERTEX and self.has_colors:
            return self._vertex_light(), self._intensity()
        if self.lighting == abi.LIGHTING_BLACK:
            return self.tree.constant((0, 0, 0)), 1.0
        return None, 1.0

    def _as_in_game(self, color):
        light, intensity = self._light()
        if light is not None:
            product = hdr_product_group if self.owner.lights.pages.is_linear else product_group
            node = self.tree.add("ShaderNodeGroup", label="Texture x light", node_tree=product(self.owner.made))
            self.tree.link(as_input(color), node.inputs["Texture"])
            self.tree.link(light, node.inputs["Light"])
            node.inputs["Intensity"].default_value = intensity
            color = node.outputs["Color"]
        if self.owner.options.mode == "LIGHT":
            return color
        glow = self._glow()
        if glow is not None and self.record.emission_mask:
            color = self.tree.vector("MULTIPLY", color, self._unshining_part())
        for added in (glow, self.detail_glow):
            color = self.tree.vector("ADD", color, added) if added is not None else color
        return color

    def _unshining_part(self):
        """Returns, for each channel, the share of the color that light affects. The rest of the color glows."""
        mask = self._lookup(self.record.emission_mask.contents.mask_image, "Glow mask", None, DATA)
        shining = mask.outputs["Color"] if mask else self.alpha
        return self.tree.vector("SUBTRACT", (1.0, 1.0, 1.0), shining)

    def _glow(self):
        """Returns the color that is added without light, such as fullbright texels and glowing passes; None if there is
        none."""
        picture = self._picture(self.record.emissive_image, "first_emissive_image", "Glow")
        if picture is None:
            return None
        own = self.record.emission_mask
        factor = tuple(own.contents.color if own else self.record.emissive)
        glow = self.tree.scaled(*picture)
        if factor in ((0, 0, 0), (1, 1, 1)):
            return glow
        return self.tree.vector("MULTIPLY", glow, self.tree.constant(factor))

    # ---- Shaders

    def _exported(self, unlit: bool):
        record, lights = self.record, self.owner.lights
        page = lights.image(self.page) if self.is_lightmapped else None
        normals = self._lookup(record.normal_image, "Normals", None, DATA)
        exported = Exported(self.tree, self._node_of(self.owner.textures.base(record), "Texture"), tuple(record.color))
        if record.alpha_mode != abi.ALPHA_MODE_OPAQUE:
            exported.see_through()
        if normals is not None:
            exported.bend(normals)
        if page is not None:
            exported.carry_lightmap(page)
        if record.alpha_mode == abi.ALPHA_MODE_MASK and hasattr(self.material, "alpha_threshold"):
            self.material.alpha_threshold = record.alpha_cutoff
        has_light = self.has_colors and self.lighting == abi.LIGHTING_VERTEX
        vertex_color = LIGHT if self.lighting == IN_VERTICES else "Color" if has_light else ""
        if not unlit and not vertex_color and self.lighting != abi.LIGHTING_FULLBRIGHT:
            return exported.shader
        lit = self.tree.add("ShaderNodeOutputMaterial", label="Other exporters", target="CYCLES")
        self.tree.link(exported.shader, lit.inputs["Surface"])
        return exported.shine(record.alpha_mode != abi.ALPHA_MODE_OPAQUE, vertex_color)

    def _emission(self, color):
        node = self.tree.add("ShaderNodeEmission")
        self.tree.link(as_input(color), node.inputs["Color"])
        return node.outputs[0]

    def _principled(self, color):
        node = self.tree.add("ShaderNodeBsdfPrincipled")
        self.tree.link(as_input(color), node.inputs["Base Color"])
        node.inputs["Roughness"].default_value = 0.9
        socket(node.inputs, "Specular IOR Level", "Specular").default_value = 0.1
        glow = self._glow()
        if glow is None and self.record.surface_light > 0:
            glow = color
        self._set_normal(node)
        if glow is not None:
            self.tree.link(as_input(glow), socket(node.inputs, "Emission Color", "Emission"))
            node.inputs["Emission Strength"].default_value = 1.0
        return node.outputs[0]

    def _set_normal(self, surface) -> None:
        texture = self._lookup(self.record.normal_image, "Normals", None, DATA)
        if texture is None:
            return
        node = self.tree.add("ShaderNodeNormalMap", uv_map="UVMap")
        color = texture.outputs["Color"]
        if self.record.normal_green_down:
            color = self.tree.vector("MULTIPLY_ADD", color, (1, -1, 1), (0, 1, 0))
        self.tree.link(color, node.inputs["Color"])
        self.tree.link(node.outputs[0], surface.inputs["Normal"])

    def _blended(self, shader, color):
        return Blending(self.tree, self.record, self.material_passes, self.alpha).applied(shader, color)
