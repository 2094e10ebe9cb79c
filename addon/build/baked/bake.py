"""Makes the lightmap pages of an imported map again, with another encoding, page size or styles, and applies them to
the meshes and materials as they are now.

Faces are found by their number in the file, so it does not matter what the user removed or moved. Edited materials are
kept. If all faces of a material get another page, the material shows that page. If only some of its faces do, these
faces get a copy of the material that shows their page.
"""
from typing import NamedTuple

import bpy
import numpy
from bspscene import abi
from bspscene.picture import encode_page, luxels
from bspscene.scene import Scene, text

from ..data.blocks import KEY, Made, by_key
from ..data.image import Images, Pages
from ..data.mesh import read
from ..materials.facts import page_of
from ..materials.page import PageLights
from ..materials.shading import HDR_PRODUCT_GROUP, PRODUCT_GROUP, hdr_product_group, product_group

PRODUCTS = (PRODUCT_GROUP, HDR_PRODUCT_GROUP)


class Baked(NamedTuple):
    pages: int
    faces: int
    skipped: int       # triangles that keep their old coordinates: a user added triangles to their face or
                       # removed some, or their mesh has lost its face numbers or its lightmap coordinates


class MergedPages(Pages):
    """Makes an image for each page number: the sum of the pages of all light styles, each multiplied by the style's
    value."""

    def __init__(self, scene: Scene, directory, images: Images, values: dict[int, float]) -> None:
        super().__init__(scene, directory, images)
        self._all = self.sets
        self._values = values
        self.sets = [s for s in self._all if s.style == 0]

    def get(self, number: int, page: int) -> bpy.types.Image | None:
        if self.sets[number].kind != abi.LIGHTMAP_SET_LIGHT:
            return super().get(number, page)
        if (number, page) not in self._made:
            self._made[number, page] = self._merge(page)
        return self._made[number, page]

    def _merge(self, page: int) -> bpy.types.Image:
        total = numpy.zeros(1, numpy.float32)
        for record in self._all:
            data = record.pages[page]
            if record.kind == abi.LIGHTMAP_SET_LIGHT and data.data:
                total = total + luxels(data).astype(numpy.float32) * numpy.float32(self._values.get(record.style, 1.0))
        content, ending = encode_page(self.sets[0].pages[page], _as_stored(total, self.is_linear))
        return self.put(page, "", content, ending)


def _as_stored(light: numpy.ndarray, is_linear: bool) -> numpy.ndarray:
    if is_linear:
        return numpy.minimum(light, numpy.finfo(numpy.float16).max).astype(numpy.float16)
    return numpy.clip(light + 0.5, 0, 255).astype(numpy.uint8)


class Bake:
    """Applies the new pages to the meshes and materials. `scene` is the map of the collection `root`, loaded again with
    the new page options."""

    def __init__(self, scene: Scene, root: bpy.types.Collection, pages: Pages, lights: PageLights, made: Made) -> None:
        self.scene, self.root, self.pages, self.lights, self.made = scene, root, pages, lights, made
        self._meshes = {text(n.name): n.mesh for n in scene.items("nodes") if n.mesh != abi.NO_INDEX}
        self._moves: dict[bpy.types.Material, dict[int, list[tuple]]] = {}
        self._faces = self._skipped = 0

    def run(self) -> Baked:
        seen: set[bpy.types.Mesh] = set()
        for made in self.root.all_objects:
            mesh = made.data if made.type == "MESH" else None
            number = self._meshes.get(made.get("bspscene_node"))
            if mesh is None or mesh in seen or number is None:
                continue
            seen.add(mesh)
            self._set_uvs(mesh, number)
        for page in range(self.scene.data.lightmap_page_count):
            self.lights.group(page)
        self._move_materials()
        self._leave_old_pages(seen)
        self._set_products()
        return Baked(self.scene.data.lightmap_page_count, self._faces, self._skipped)

    # ---- Coordinates

    def _set_uvs(self, mesh: bpy.types.Mesh, number: int) -> None:
        layer, old = mesh.uv_layers.get("Lightmap"), face_numbers(mesh)
        view = self.scene.mesh(number)
        if view.lightmap_uvs is None:
            return
        if layer is None or old is None:
            self._skipped += len(mesh.polygons)
            return
        drawn = int((read(mesh.attributes["record"].data, "value", 1, numpy.int32) >= 0).sum())
        ours, theirs, faces = pair_triangles(self.scene, old, number)
        self._skipped += drawn - len(ours)
        self._faces += len(numpy.unique(old[ours]))
        starts = numpy.empty(len(mesh.polygons), numpy.int32)
        mesh.polygons.foreach_get("loop_start", starts)
        values = numpy.empty(len(mesh.loops) * 2, numpy.float32)
        layer.data.foreach_get("uv", values)
        corners = starts[ours][:, None] + numpy.arange(3)
        wanted = view.lightmap_uvs.reshape(-1, 2)[view.indices.reshape(-1, 3)[theirs]]
        values.reshape(-1, 2)[corners] = wanted * (1, -1) + (0, 1)
        layer.data.foreach_set("uv", values)
        self._note_pages(mesh, ours, self.scene.faces()["lightmap_page"][faces])

    # ---- Materials

    def _note_pages(self, mesh: bpy.types.Mesh, triangles: numpy.ndarray, pages: numpy.ndarray) -> None:
        slots = numpy.empty(len(mesh.polygons), numpy.int32)
        mesh.polygons.foreach_get("material_index", slots)
        for slot, page in numpy.unique(numpy.stack([slots[triangles], pages.astype(numpy.int64)], axis=1), axis=0):
            material = mesh.materials[slot] if slot < len(mesh.materials) else None
            if material is None or KEY not in material or page == abi.NO_INDEX:
                continue
            these = triangles[(slots[triangles] == slot) & (pages == page)]
            self._moves.setdefault(material, {}).setdefault(int(page), []).append((mesh, these))

    def _move_materials(self) -> None:
        for material, moves in self._moves.items():
            node = _light_node(material)
            if node is None:
                continue
            present = page_of(material)
            own = present if present in moves else min(moves)
            for page, triangles in moves.items():
                if page == own:
                    self._point(material, node, page)
                    continue
                copy = material.copy()
                self._point(copy, copy.node_tree.nodes[node.name], page)
                for mesh, numbers in triangles:
                    _assign(mesh, numbers, copy)

    def _leave_old_pages(self, meshes: set[bpy.types.Mesh]) -> None:
        """Makes materials whose page number no longer exists show page 0. Otherwise they would keep the old page's
        image in the file."""
        for material in {m for mesh in meshes for m in mesh.materials if m and KEY in m}:
            node = _light_node(material)
            if node is not None and page_of(material) >= self.scene.data.lightmap_page_count > 0:
                self._point(material, node, 0)

    def _point(self, material: bpy.types.Material, node: bpy.types.Node, page: int) -> None:
        node.node_tree = self.lights.group(page)
        material[KEY] = f"{material[KEY].rsplit('/', 1)[0]}/{page}"

    def _set_products(self) -> None:
        """Gives materials the node group that multiplies texture and light. With HDR pages, this does not clamp the
        product at white."""
        wanted = (hdr_product_group if self.pages.is_linear else product_group)(self.made)
        for material in self._moves:
            for node in material.node_tree.nodes:
                if node.type == "GROUP" and node.node_tree and node.node_tree.name in PRODUCTS:
                    node.node_tree = wanted


def face_numbers(mesh: bpy.types.Mesh) -> numpy.ndarray | None:
    """Returns the number of the map's face for each polygon, or -1 for polygons that were added later. Returns None if
    the mesh has no face numbers."""
    source = mesh.attributes.get("record")
    if source is None:
        return None
    numbers = read(source.data, "value", 1, numpy.int32)[:, 0]
    numbers[read(mesh.polygons, "loop_total", 1, numpy.int32)[:, 0] != 3] = -1
    return numbers


def pair_triangles(scene: Scene, numbers: numpy.ndarray,
                   mesh: int) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Finds the faces whose triangles all still exist; `numbers` has the face number of each triangle of the Blender
    mesh. Returns indexes of their triangles in the Blender mesh, indexes of the same triangles in the map's mesh, and
    the row of each triangle's face in scene.faces()."""
    all_faces = scene.faces()
    rows = numpy.nonzero(all_faces["mesh"] == mesh)[0]
    counts = all_faces["index_count"][rows].astype(numpy.int64) // 3
    face_of = numpy.repeat(rows, counts)
    ends = numpy.cumsum(counts)
    within = numpy.arange(len(face_of)) - numpy.repeat(ends - counts, counts)
    triangles = numpy.repeat(all_faces["first_index"][rows].astype(numpy.int64) // 3, counts) + within
    new = all_faces["record"][face_of].astype(numpy.int64)
    kept = _equally_often(numbers.astype(numpy.int64), new)
    ours = numpy.argsort(numbers, kind="stable")
    ours = ours[numpy.isin(numbers[ours], kept)]
    theirs = numpy.argsort(new, kind="stable")
    theirs = theirs[numpy.isin(new[theirs], kept)]
    return ours, triangles[theirs], face_of[theirs]


def _equally_often(a: numpy.ndarray, b: numpy.ndarray) -> numpy.ndarray:
    """Returns the numbers, from 0 up, that occur equally often in both arrays."""
    numbers_a, counts_a = numpy.unique(a[a >= 0], return_counts=True)
    numbers_b, counts_b = numpy.unique(b, return_counts=True)
    both, at_a, at_b = numpy.intersect1d(numbers_a, numbers_b, return_indices=True)
    return both[counts_a[at_a] == counts_b[at_b]]


def _light_node(material: bpy.types.Material) -> bpy.types.Node | None:
    """Returns the node that gives the light of the material's lightmap page, or None if the material has no
    lightmap."""
    nodes = material.node_tree.nodes if material.node_tree else []
    return next((n for n in nodes if n.type == "GROUP" and n.label == "Lightmap" and n.node_tree), None)


def _assign(mesh: bpy.types.Mesh, triangles: numpy.ndarray, material: bpy.types.Material) -> None:
    mesh.materials.append(material)
    slots = numpy.empty(len(mesh.polygons), numpy.int32)
    mesh.polygons.foreach_get("material_index", slots)
    slots[triangles] = len(mesh.materials) - 1
    mesh.polygons.foreach_set("material_index", slots)


def current_styles(lights_key: str) -> dict[int, float]:
    """Returns the current value of each light style, by the style's number. The values are in the map's node group of
    styles, whose key is `lights_key`."""
    group = by_key(bpy.data.node_groups).get(lights_key)
    values = {}
    for node in group.nodes if group else ():
        if node.type == "VALUE" and node.name.startswith("Style "):
            values[int(node.name[len("Style "):])] = node.outputs[0].default_value
    return values
