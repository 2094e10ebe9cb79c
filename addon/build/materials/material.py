"""Makes a Blender material, once, for each combination of a source material, a lightmap page and a kind of lighting."""
import json

import bpy
from bspscene import abi
from bspscene.scene import MeshView, Scene, text

from ..data.blocks import KEY, Made, by_key
from ..data.image import Textures
from .dome import Skies
from .facts import FACTS, key_of, page_of, set_game_facts
from .material_nodes import IN_VERTICES, MaterialNodes
from .mode import MaterialOptions
from .page import PageLights


class Materials:
    """Makes a material for each combination of source material, page, lighting and vertex data, once."""

    def __init__(self, scene: Scene, map_key: str, textures: Textures, lights: PageLights, options: MaterialOptions,
                 made: Made) -> None:
        self.textures, self.lights, self.options, self.made = textures, lights, options, made
        self.meters = scene.data.meters_per_unit
        self._map_key = map_key
        self._records = scene.items("materials")
        self.material_passes = scene.items("material_passes")
        self.frames = scene.data.frame_images[:scene.data.frame_image_count]
        self.skies = Skies(scene, map_key, textures, options, made)
        self._ready: dict[tuple, bpy.types.Material] = {}
        self._lit: dict[tuple[str, int], set[tuple]] | None = None   # by a material's name and a page: keys (_key_of)
                                                                     # of the sections that have both
        self._earlier = by_key(bpy.data.materials) if options.keep else {}

    def get(self, section: abi.Section, view: MeshView) -> bpy.types.Material:
        key = self._key_of(section, view)
        if key not in self._ready:
            self._ready[key] = self._find_or_make(*key)
        return self._ready[key]

    @staticmethod
    def _key_of(section: abi.Section, view: MeshView) -> tuple:
        is_baked = section.lighting == abi.LIGHTING_VERTEX and view.baked_light is not None
        lighting = IN_VERTICES if is_baked else section.lighting
        styles = tuple(style for style, _ in view.vertex_color_sets()) if lighting == abi.LIGHTING_VERTEX else ()
        return (section.material, section.lightmap_page, section.map_page_image, lighting, view.colors is not None,
                view.blend_alphas is not None, view.blend_weights is not None, styles)

    def anew(self, scene: Scene, material: bpy.types.Material) -> bpy.types.Material:
        """Returns the material in the lighting that the map's sections have now. Shader scripts that were found since
        the import may have changed this lighting."""
        if self._lit is None:
            self._lit = {}
            for number in range(scene.data.mesh_count):
                view = scene.mesh(number)
                for key in {self._key_of(section, view) for section in view.sections}:
                    self._lit.setdefault((self._name_of(key[0]), key[1]), set()).add(key)
        ways = self._lit.get((material["game_name"], page_of(material)), set())
        if len(ways) != 1:
            return self.counterpart(material)
        return self._find_or_make(*next(iter(ways)))

    def _name_of(self, index: int) -> str:
        return text(self._records[index].name) or "unnamed"

    def _find_or_make(self, index: int, page: int, map_page: int, lighting: int, has_colors: bool, has_blend: bool,
                      has_weights: bool, styles: tuple) -> bpy.types.Material:
        record, name = self._records[index], self._name_of(index)
        facts = json.dumps([self._map_key, name, index, map_page, lighting, has_colors, has_blend, has_weights, styles])
        key = key_of(facts, self.options.mode, page)
        if key in self._earlier:
            return self._earlier[key]
        material = self.made.new("materials", name)
        MaterialNodes(self, material, record, page, map_page, lighting, has_colors, has_blend, has_weights,
                      styles).build()
        material.diffuse_color = self._mean_of(record)
        material[KEY], material[FACTS] = key, facts
        set_game_facts(material, record)
        return material

    def _mean_of(self, record: abi.Material) -> tuple[float, float, float, float]:
        """Returns the color that the 3D view shows without textures."""
        red, green, blue, _ = record.color
        mean = self.textures.mean(record.base_image)
        return mean[0] * red, mean[1] * green, mean[2] * blue, 1.0

    def counterpart(self, material: bpy.types.Material) -> bpy.types.Material:
        """Returns the counterpart of `material` in the mode of these options. `material` was made from the same map. If
        the map no longer has a material of this name, `material` itself is returned."""
        _, name, index, map_page, lighting, has_colors, has_blend, has_weights, styles = json.loads(material[FACTS])
        now = self._index_of(name, index)
        if now is None:
            return material
        return self._find_or_make(now, page_of(material), map_page, lighting, has_colors, has_blend, has_weights,
                                  tuple(styles))

    def _index_of(self, name: str, index: int) -> int | None:
        """Returns a material's index by its name, because the index changes when the map is loaded with more files:
        models add materials."""
        names = [self._name_of(number) for number in range(len(self._records))]
        if names[index:index + 1] == [name]:
            return index
        return names.index(name) if name in names else None
