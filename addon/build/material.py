"""A material of the map, on one lightmap page and one kind of lighting -> a Blender material.

"GAME" shows texture x lightmap as emission: the engine's picture without any lamp in the scene. "RELIGHT" is a plain
Principled surface without the lightmap, for new lighting.
"""
from typing import Dict, List, Sequence

import bpy

from ..native import abi
from ..native.scene import MeshView, Scene, text
from .image import KEY, Pages, Textures
from .shading import Tree, add_all, lookup, node_tree, product_group, socket, styles_group


class Materials:
    """Makes each combination once. `keep` leaves those of an earlier import of the same map as the user edited them."""

    def __init__(self, scene: Scene, map_key: str, textures: Textures, pages: Pages, mode: str, filtering: str,
                 keep: bool) -> None:
        self.textures, self.pages, self.filtering = textures, pages, filtering
        self._map_key, self._mode = map_key, mode
        self._records = scene.items("materials")
        self.stages, self.frames = scene.items("stages"), scene.data.frames[:scene.data.frame_count]
        self._made: Dict[tuple, bpy.types.Material] = {}
        self._earlier = {m[KEY]: m for m in bpy.data.materials if KEY in m} if keep else {}
        self.styles = {s.style: (text(s.name), _style_value(text(s.pattern))) for s in scene.items("light_styles")}

    def get(self, section: abi.Section, view: MeshView) -> bpy.types.Material:
        key = (section.material, section.lightmap_page, section.lighting, view.colors is not None,
               view.blend_alphas is not None)
        if key not in self._made:
            self._made[key] = self._find_or_make(*key)
        return self._made[key]

    def _find_or_make(self, index: int, page: int, lighting: int, *has: bool) -> bpy.types.Material:
        record = self._records[index]
        name = text(record.name) or "unnamed"
        key = "/".join(str(part) for part in (self._map_key, self._mode, name, index, page, lighting, *map(int, has)))
        if key in self._earlier:
            return self._earlier[key]
        material = bpy.data.materials.new(name)
        _Surface(self, material, record, page, lighting, *has).build(self._mode)
        material[KEY] = key
        _set_facts(material, record)
        return material

    def light_sets(self, page: int) -> List[tuple]:
        """Number and record of every set that has light on a page."""
        return [(number, record) for number, record in enumerate(self.pages.sets)
                if record.kind == abi.PAGES_LIGHT and record.pages[page].data]

    def color_intensity(self) -> float:
        """Vertex light is encoded like the pages."""
        return self.pages.sets[0].intensity if self.pages.sets else 1.0


def _style_value(pattern: str) -> float:
    """What a pattern starts with: 'a' is dark, 'm' normal, 'z' about double."""
    return (ord(pattern[0]) - ord("a")) / 12 if pattern and "a" <= pattern[0] <= "z" else 1.0


def _set_facts(material: bpy.types.Material, record: abi.Material) -> None:
    """What Blender has no place for; the name in full, as Blender cuts long ones."""
    material["game_name"] = text(record.name)
    for name in ("surface_flags", "content_flags"):
        material[name] = signed(getattr(record, name))
    for name in ("source_file", "source_text"):
        value = text(getattr(record, name))
        if value:
            material[name] = value


def signed(value: int) -> int:
    """32 unsigned bits as the signed number that custom properties hold."""
    return value - (1 << 32) if value & 0x80000000 else value


class _Surface:
    """The nodes of one material."""

    def __init__(self, owner: Materials, material: bpy.types.Material, record: abi.Material, page: int, lighting: int,
                 has_colors: bool, has_blend: bool) -> None:
        self.owner, self.material, self.record = owner, material, record
        self.page, self.lighting, self.has_colors, self.has_blend = page, lighting, has_colors, has_blend
        self.stages = owner.stages[record.first_stage:record.first_stage + record.stage_count]
        self.tree = Tree(node_tree(material))
        self.alpha = None

    def build(self, mode: str) -> None:
        record = self.record
        color = self._texture()
        unlit = record.unlit or record.kind in (abi.MATERIAL_SKY, abi.MATERIAL_FLARE)
        if mode == "GAME" or unlit:
            color = self._as_in_game(color)
            shader = self._emission(color)
        else:
            shader = self._principled(color)
        end = self.tree.add("ShaderNodeOutputMaterial")
        self.tree.link(self._see_through(shader, color), end.inputs["Surface"])
        self._set_drawing()

    # ---- What is multiplied

    def _uv(self):
        node = self.tree.add("ShaderNodeUVMap", uv_map="UVMap")
        (su, sv), (ou, ov) = self.record.uv_scale, self.record.uv_offset
        if (su, sv, ou, ov) == (1, 1, 0, 0):
            return node.outputs[0]
        mapping = self.tree.add("ShaderNodeMapping")
        self.tree.link(node.outputs[0], mapping.inputs["Vector"])
        # The game's v grows downward: v' = v * sv + ov there is V' = V * sv + 1 - sv - ov here.
        mapping.inputs["Location"].default_value = (ou, 1 - sv - ov, 0)
        mapping.inputs["Scale"].default_value = (su, sv, 1)
        return mapping.outputs[0]

    def _lookup(self, index: int, label: str):
        image = self.owner.textures.get(index)
        if image is None:
            return None
        extension = "EXTEND" if self.record.clamp else "REPEAT"
        return lookup(self.tree, image, self._uv(), label, extension, self.owner.filtering)

    def _texture(self):
        """The base colour; its alpha is kept for _see_through."""
        record, tree = self.record, self.tree
        red, green, blue, opacity = record.color
        node = self._lookup(record.base_image, "Texture")
        color = node.outputs["Color"] if node else (red, green, blue, 1.0)
        self.alpha = node.outputs["Alpha"] if node else 1.0
        second = self._lookup(record.second_image, "Second texture") if node else None
        if second:
            color = tree.mix(self._blend_factor(), color, second.outputs["Color"])
        if node and (red, green, blue) != (1, 1, 1):
            color = tree.vector("MULTIPLY", color, self._constant((red, green, blue)))
        if opacity != 1:
            self.alpha = tree.math("MULTIPLY", self.alpha, opacity)
        from_vertices = self._vertex_alpha()
        if from_vertices is not None:
            self.alpha = tree.math("MULTIPLY", self.alpha, from_vertices)
        return color

    def _vertex_alpha(self):
        """The vertices' part in the alpha, if the stage that shows the base image takes it from them."""
        base = self.record.base_image
        for stage in self.stages:
            shown = self.owner.frames[stage.first_frame:stage.first_frame + stage.frame_count]
            if stage.source != abi.STAGE_IMAGE or base not in shown or not self.has_colors:
                continue
            if stage.alpha_gen == abi.ALPHA_GEN_VERTEX:
                return self._attribute("Color")["Alpha"]
            if stage.alpha_gen == abi.ALPHA_GEN_ONE_MINUS_VERTEX:
                return self.tree.math("SUBTRACT", 1.0, self._attribute("Color")["Alpha"])
            return None
        return None

    def _constant(self, color: Sequence[float]):
        node = self.tree.add("ShaderNodeRGB")
        node.outputs[0].default_value = (*color, 1.0)
        return node.outputs[0]

    def _attribute(self, name: str):
        return self.tree.add("ShaderNodeAttribute", attribute_name=name).outputs

    def _blend_factor(self):
        """How much of the second texture there is: a displacement's blend, else the vertices' alpha."""
        if self.has_blend:
            return self._attribute("blend")["Fac"]
        return self._attribute("Color")["Alpha"] if self.has_colors else 1.0

    def _page_light(self):
        """The page of every style, each times its style's value, added up in display space as the engines do."""
        tree, owner = self.tree, self.owner
        uv = tree.add("ShaderNodeUVMap", uv_map="Lightmap").outputs[0]
        pages = [(record.style, lookup(tree, owner.pages.get(number, self.page), uv, "Lightmap", "EXTEND", "Linear"))
                 for number, record in owner.light_sets(self.page)]
        if not pages:
            return self._constant((0, 0, 0))
        if [style for style, _ in pages] == [0]:
            return pages[0][1].outputs["Color"]
        styles = tree.add("ShaderNodeGroup", node_tree=styles_group(owner.styles)).outputs
        shares = []
        for style, page in pages:
            share = tree.to_display(page.outputs["Color"])
            value = styles.get(f"Style {style}") if style else None
            shares.append(share if value is None else tree.scaled(share, value))
        return tree.to_linear(add_all(tree, shares))

    def _light(self):
        """The light and its factor."""
        owner, record = self.owner, self.record
        if self.lighting == abi.LIGHTING_LIGHTMAP and self.page != abi.NO_INDEX and owner.pages.sets:
            light, intensity = self._page_light(), owner.pages.sets[0].intensity
            if record.vertex_lit and self.has_colors:
                light = self.tree.vector("MULTIPLY", light, self._attribute("Color")["Color"])
            return light, intensity
        if self.lighting == abi.LIGHTING_VERTEX and self.has_colors:
            return self._attribute("Color")["Color"], owner.color_intensity()
        if self.lighting == abi.LIGHTING_BLACK:
            return self._constant((0, 0, 0)), 1.0
        return None, 1.0

    def _as_in_game(self, color):
        light, intensity = self._light()
        if light is not None:
            node = self.tree.add("ShaderNodeGroup", node_tree=product_group())
            self.tree.link(color, node.inputs["Texture"])
            self.tree.link(light, node.inputs["Light"])
            node.inputs["Intensity"].default_value = intensity
            color = node.outputs["Color"]
        glow = self._glow()
        return self.tree.vector("ADD", color, glow) if glow is not None else color

    def _glow(self):
        """What is shown unlit on top: fullbright texels, glowing stages."""
        node = self._lookup(self.record.emissive_image, "Glow")
        if node is None:
            return None
        factor = tuple(self.record.emissive)
        glow = self.tree.scaled(node.outputs["Color"], node.outputs["Alpha"])
        return glow if factor in ((0, 0, 0), (1, 1, 1)) else self.tree.vector("MULTIPLY", glow, self._constant(factor))

    # ---- Shaders

    def _emission(self, color):
        node = self.tree.add("ShaderNodeEmission")
        self.tree.link(color, node.inputs["Color"])
        return node.outputs[0]

    def _principled(self, color):
        node = self.tree.add("ShaderNodeBsdfPrincipled")
        self.tree.link(color, node.inputs["Base Color"])
        node.inputs["Roughness"].default_value = 0.9
        socket(node.inputs, "Specular IOR Level", "Specular").default_value = 0.1
        glow = self._glow()
        if glow is None and self.record.surface_light > 0:
            glow = color
        if glow is not None:
            self.tree.link(glow, socket(node.inputs, "Emission Color", "Emission"))
            node.inputs["Emission Strength"].default_value = 1.0
        return node.outputs[0]

    def _see_through(self, shader, color):
        mode, tree = self.record.alpha_mode, self.tree
        if mode == abi.ALPHA_OPAQUE:
            return shader
        behind = tree.add("ShaderNodeBsdfTransparent")
        if mode == abi.ALPHA_MODULATE:
            tree.link(color, behind.inputs["Color"])
            return behind.outputs[0]
        if mode == abi.ALPHA_ADD or self._tints_what_is_behind():
            if mode != abi.ALPHA_ADD:
                tree.link(color, behind.inputs["Color"])
            both = tree.add("ShaderNodeAddShader")
            tree.link(behind.outputs[0], both.inputs[0])
            tree.link(shader, both.inputs[1])
            return both.outputs[0]
        alpha = self.alpha
        if mode == abi.ALPHA_MASK:
            # The game keeps alpha >= cutoff; half a byte less makes ">" do that.
            alpha = tree.math("GREATER_THAN", alpha, self.record.alpha_cutoff - 0.5 / 255)
        both = tree.add("ShaderNodeMixShader")
        tree.link(alpha, both.inputs[0])
        tree.link(behind.outputs[0], both.inputs[1])
        tree.link(shader, both.inputs[2])
        return both.outputs[0]

    def _tints_what_is_behind(self) -> bool:
        """blendFunc GL_ONE GL_SRC_COLOR, Quake III's water: added to what is behind, which it multiplies too."""
        first = self.stages[0] if self.stages else None
        return bool(first and first.src_blend == abi.BLEND_ONE and first.dst_blend == abi.BLEND_SRC_COLOR)

    def _set_drawing(self) -> None:
        material, mode = self.material, self.record.alpha_mode
        material.use_backface_culling = self.record.cull == abi.CULL_BACK
        blended = mode not in (abi.ALPHA_OPAQUE, abi.ALPHA_MASK)
        if hasattr(material, "surface_render_method"):
            material.surface_render_method = "BLENDED" if blended else "DITHERED"
        else:
            material.blend_method = "BLEND" if blended else "CLIP" if mode == abi.ALPHA_MASK else "OPAQUE"
        for name in ("use_transparency_overlap", "show_transparent_back"):
            if hasattr(material, name):
                setattr(material, name, False)
                break
        self._keep_out_of_light_sampling()

    def _keep_out_of_light_sampling(self) -> None:
        """A whole map of emitters would only cost Cycles time: nothing in it receives light from them."""
        cycles = getattr(self.material, "cycles", None)
        if cycles is None:
            return
        if hasattr(cycles, "emission_sampling"):
            cycles.emission_sampling = "NONE"
        elif hasattr(cycles, "sample_as_light"):
            cycles.sample_as_light = False
