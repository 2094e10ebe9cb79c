"""Makes Blender objects of the scene's nodes, in collections. Keys of entities become custom properties."""
from collections.abc import Iterator

import bpy
from bspscene import abi
from bspscene.scene import MeshView, Scene, text
from mathutils import Matrix

from ..data import mesh as mesh_module
from ..data.again import ENTITY, KIND, NODE
from ..data.blocks import Made
from ..materials.material import Materials
from ..rewriting.keys import property_name, shown_pairs
from ..rigs.rigging import Rigging
from . import camera as camera_module
from . import light as light_module
from .collision import Collisions
from .hiding import EXCLUDED, SKY, SKYBOX, hide, show_to_eyes_alone

# Names of a map's collections, in the order in which the outliner shows them.
COLLECTIONS = ("World", "Brush entities", "Lights", "Cameras", "Entities", "Props", "3D skybox", "Sky", "Collision",
               "Tool surfaces", "Armatures")

# The game looks along +X with +Z up; Blender's lamps and cameras look along -Z with +Y up.
CAMERA_AXES = Matrix(((0, 0, -1, 0), (-1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1)))


class Objects:
    """Makes the objects of a map below `root`, a collection."""

    def __init__(self, scene: Scene, root: bpy.types.Collection, materials: Materials, values: dict,
                 made: Made, rigging: Rigging | None = None) -> None:
        self._rigging = rigging
        self.scene, self.root, self.materials, self.values, self.made = scene, root, materials, values, made
        self.meters = scene.data.meters_per_unit
        self.nodes = scene.items("nodes")
        self.collections: dict[str, bpy.types.Collection] = {}
        self._groups: dict[tuple[str, str], bpy.types.Collection] = {}
        self.camera: bpy.types.Object | None = None   # camera of the first view
        self._start_camera = scene.start_camera()
        self._is_linear = scene.data.linear_lights
        self._meshes: dict[tuple[int, str], bpy.types.Mesh | None] = {}
        self._views: dict[int, MeshView] = {}
        self._in_skybox: list[bool] = []
        self._collision = Collisions(values["one_collision"], materials.get)
        bounds = scene.data.bounds
        self._far = 2 * max([high - low for low, high in zip(bounds.min, bounds.max)] + [1000.0]) * self.meters

    def build(self) -> Iterator[tuple[int, int]]:
        """Yields the number of nodes that are done, and the total."""
        for name in COLLECTIONS:
            self.collection(name)
        for index, node in enumerate(self.nodes):
            self._note_skybox(index, node)
            self._build_node(index, node)
            yield index + 1, len(self.nodes)
        if self._rigging:
            self._rigging.end()
        self._collision.build(self.made, self.collection("Collision"))
        for name in COLLECTIONS[2:]:
            if not self.collections[name].all_objects:
                self.made.drop(self.collections.pop(name))

    def build_more(self, names: set[str]) -> None:
        """Makes objects only for nodes of these names, in a map that was imported before."""
        for index, node in enumerate(self.nodes):
            self._note_skybox(index, node)
            if text(node.name) in names:
                self._build_node(index, node)

    def _note_skybox(self, index: int, node: abi.Node) -> None:
        self._in_skybox.append(node.kind == abi.NODE_SKY or (index > 0 and self._in_skybox[node.parent]))

    def _build_node(self, index: int, node: abi.Node) -> None:
        kind = node.kind
        if node.mesh != abi.NO_INDEX:
            self._build_meshes(index, node)
        elif kind == abi.NODE_LIGHT and node.light != abi.NO_INDEX:
            record = self.scene.data.lights[node.light].contents
            # Lights of glowing textures are left out: there is one for each patch, thousands in a map, and the lightmap
            # has their light.
            if self.values["lights"] and record.kind != abi.LIGHT_SURFACE:
                light = light_module.build(self.made, text(node.name), record, self.meters * self._enlargement(index),
                                           self._is_linear)
                self._place(index, node, light, "Lights", CAMERA_AXES)
        elif kind == abi.NODE_CAMERA and node.camera != abi.NO_INDEX:
            if self.values["cameras"]:
                record = self.scene.data.cameras[node.camera].contents
                made = camera_module.build(self.made, text(node.name), record, self.meters, self._far)
                placed = self._place(index, node, made, "Cameras", CAMERA_AXES)
                if node.camera == self._start_camera:
                    self.camera = placed
        elif kind == abi.NODE_BRUSH_ENTITY:
            self._place(index, node, None, "Brush entities")
        elif kind == abi.NODE_WORLD and node.entity != abi.NO_INDEX:
            self._place(index, node, None, "World")   # an empty; the world's levels are its child nodes
        elif kind not in (abi.NODE_ROOT, abi.NODE_WORLD, abi.NODE_COLLISION) and self.values["entities"]:
            made = self._place(index, node, None, "Props" if node.prop != abi.NO_INDEX else "Entities")
            if node.prop != abi.NO_INDEX:
                set_prop(made, self.scene.data.props[node.prop].contents)

    def _build_meshes(self, index: int, node: abi.Node) -> None:
        """Makes one object of all visible surfaces of a node, and one object of each kind of hidden surfaces. Each
        object is in the collection for its kind."""
        view = self._view(node.mesh)
        visible = {abi.NODE_BRUSH_ENTITY: "Brush entities", abi.NODE_PROP: "Props"}.get(node.kind, "World")
        groups: dict[str, list[abi.Section]] = {}
        for section in view.sections:
            if section.index_count:
                groups.setdefault(self._collection_of(section.surface_kind, visible), []).append(section)
        if visible not in groups and node.kind in (abi.NODE_BRUSH_ENTITY, abi.NODE_WORLD):
            self._place(index, node, None, visible)
        if "Collision" in groups:
            self._collision.add(text(node.name), view, groups.pop("Collision"), self._matrix(index), self.meters)
        for name, sections in groups.items():
            is_part = name != visible and node.kind != abi.NODE_COLLISION
            made = self._place(index, node, self._mesh(node.mesh, view, name, sections), name,
                               called=f"{text(node.name)}.{name.lower()}" if is_part else "")
            if name == visible:
                self._rig(made, view, sections)
            elif name == SKY:
                show_to_eyes_alone(made)
            if node.prop != abi.NO_INDEX:
                set_prop(made, self.scene.data.props[node.prop].contents)

    def _rig(self, made: bpy.types.Object, view: MeshView, sections: list[abi.Section]) -> None:
        for added in self._rigging.add(made, view, sections, view.name) if self._rigging else ():
            self.collection("Armatures").objects.link(added)

    @staticmethod
    def _collection_of(kind: int, visible: str) -> str:
        if kind == abi.SURFACE_VISIBLE:
            return visible
        return {abi.SURFACE_SKY: "Sky", abi.SURFACE_COLLISION: "Collision"}.get(kind, "Tool surfaces")

    def _view(self, index: int) -> MeshView:
        if index not in self._views:
            self._views[index] = self.scene.mesh(index)
        return self._views[index]

    def _mesh(self, index: int, view: MeshView, group: str, sections: list[abi.Section]) -> bpy.types.Mesh:
        if (index, group) not in self._meshes:
            own = group in ("World", "Brush entities", "Props", "Collision")   # these kinds need no suffix in the
                                                                               # mesh's name
            name = view.name if own else f"{view.name}.{group.lower()}"
            made = [self.materials.get(section, view) for section in sections]
            slots = list(dict.fromkeys(made))
            numbers = {material: number for number, material in enumerate(slots)}
            self._meshes[index, group] = mesh_module.build(self.made, name, view, sections, slots,
                                                           [numbers[material] for material in made], self.meters)
        return self._meshes[index, group]

    def _place(self, index: int, node: abi.Node, data, collection: str, turn: Matrix | None = None,
               called: str = "") -> bpy.types.Object:
        made = self._new(index, node, data, turn, called)
        if self._in_skybox[index] and collection not in EXCLUDED:
            collection = "Tool surfaces" if collection == SKY else SKYBOX   # sky surfaces of the 3D skybox are not
                                                                            # needed: Blender's world shows the sky
        group = self._group_of(collection, node) if self.values["from_classname"] else ""
        holder = self._grouped(collection, group) if group else self.collection(collection)
        if collection in EXCLUDED:
            hide(made)
        holder.objects.link(made)
        return made

    def _new(self, index: int, node: abi.Node, data, turn: Matrix | None = None,
             called: str = "") -> bpy.types.Object:
        made = self.made.new("objects", called or text(node.name), data)
        made[NODE] = text(node.name)   # the object's own name may get a number from Blender
        made.matrix_world = self._matrix(index) @ turn if turn else self._matrix(index)
        if data is None:
            made.empty_display_size = 8 * self.meters
        if node.hidden:
            made.hide_render = True
            made.display_type = "WIRE"
        if node.entity != abi.NO_INDEX:
            self._set_keys(made, node.entity)
        return made

    def with_models(self, empties: dict[str, bpy.types.Object]) -> Iterator[tuple[bpy.types.Object, bpy.types.Object]]:
        """Finds empties whose models can be loaded now. Yields each empty with a new object that shows the model. The
        new object is in no collection yet."""
        for index, node in enumerate(self.nodes):
            empty = empties.get(text(node.name))
            if empty is None or node.mesh == abi.NO_INDEX or node.prop == abi.NO_INDEX:
                continue
            view = self._view(node.mesh)
            sections = [section for section in view.sections
                        if section.index_count and section.surface_kind == abi.SURFACE_VISIBLE]
            if sections:
                made = self._new(index, node, self._mesh(node.mesh, view, "Props", sections))
                set_prop(made, self.scene.data.props[node.prop].contents)
                self._rig(made, view, sections)
                yield empty, made
        if self._rigging:
            self._rigging.end()

    def _matrix(self, index: int) -> Matrix:
        t = self.scene.world_transform(index)
        m = self.meters
        return Matrix(((*t[0:3], t[3] * m), (*t[4:7], t[7] * m), (*t[8:11], t[11] * m), (0, 0, 0, 1)))

    def _enlargement(self, index: int) -> float:
        """Returns the scale factor of a node: that of the 3D skybox if the node is in it, else 1."""
        t = self.scene.world_transform(index)
        return (t[0] ** 2 + t[4] ** 2 + t[8] ** 2) ** 0.5

    def _set_keys(self, made: bpy.types.Object, entity: int) -> None:
        made[ENTITY] = entity
        for name, value, _ in shown_pairs(self.scene, entity, made):
            made[name] = value

    def _group_of(self, collection: str, node: abi.Node) -> str:
        """Returns the name of the sub-collection for a node: its entity's class, or the model of its prop. "" means
        none."""
        if collection == "Props" and node.prop != abi.NO_INDEX:
            return text(self.scene.data.props[node.prop].contents.model)
        if collection == "Entities" and node.entity != abi.NO_INDEX:
            return self.scene.value(node.entity, "classname") or "(no class)"
        return ""

    def _grouped(self, within: str, name: str) -> bpy.types.Collection:
        """Returns the collection of one class or model."""
        if (within, name) not in self._groups:
            made = self.made.new("collections", name)
            self.collection(within).children.link(made)
            self._groups[within, name] = made
        return self._groups[within, name]

    def collection(self, name: str) -> bpy.types.Collection:
        if name not in self.collections:
            made = next((child for child in self.root.children if child.get(KIND) == name), None)
            if made is None:
                made = self.made.new("collections", name)
                made[KIND] = name
                self.root.children.link(made)
            self.collections[name] = made
        return self.collections[name]


def set_prop(made: bpy.types.Object, prop: abi.Prop) -> None:
    """Stores facts about a prop as custom properties, for programs that load the models. Props that are entities have
    these facts in their keys; static props have no keys. Distances and positions are in game units, as in keys. Default
    values are left out."""
    made["model"] = text(prop.model)
    if not prop.is_static:
        return
    facts = {"name": text(prop.name), "skin": prop.skin, "solid": prop.solid, "flags": prop.flags,
             "flags_ex": prop.flags_ex, "fade_near": prop.fade_near, "fade_far": prop.fade_far}
    if prop.fade_scale != 1:
        facts["fade_scale"] = prop.fade_scale
    if prop.flags & abi.PROP_LIGHTING_ORIGIN:
        facts["lighting_origin"] = prop.lighting_origin[:]
    if prop.color[:] != [1, 1, 1, 1]:
        facts["color"] = prop.color[:]
    levels = {"lightmap_size": [prop.lightmap_width, prop.lightmap_height], "dx_levels": prop.dx_levels[:],
              "cpu_levels": prop.cpu_levels[:], "gpu_levels": prop.gpu_levels[:]}
    facts.update((key, pair) for key, pair in levels.items() if any(pair))
    for key, value in facts.items():
        if value or key == "fade_scale":
            made[property_name(key, made)] = value
