"""Bakes the lightmap of an imported map again with Cycles, with the lamps and the world of the scene.

The baked object is a white copy of the lit faces, slightly in front of them, which light rays do not hit. So it
receives the light of the room with all of the user's changes, but without the color of any surface.
"""
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import bpy
import numpy
from bspscene import abi
from bspscene.picture import has_light, luxels
from bspscene.scene import Scene, text

from ..baked import light_probes, vertex_light
from ..data.again import NODE
from ..data.mesh import corner_normals, read
from ..objects import node
from ..objects.layers import layer_of
from .luxels import LUMINANCE, RECTANGLE, Light, Rectangle, Sums, layers, spread_into_gutter
from .planes import joins
from .portals import portals

LIFT = 0.25          # game units between a face and its copy
PART = 512           # largest width and height, in luxels, of a part that is baked at once; limits memory
SKYBOX = ("3D skybox",)
NO_LAMPS = -1        # given in place of a light style: all lamps are off
BLACK = 1e-6

# Cycles' passes: light of lamps and the sky, and light that surfaces reflect.
Passes = frozenset[str]
DIRECT, INDIRECT = frozenset(("DIRECT",)), frozenset(("INDIRECT",))
BOTH = DIRECT | INDIRECT
# A function that bakes some passes of the active object. It yields while the bake runs.
Bake = Callable[[Passes], Iterator[None]]


class Settings(NamedTuple):
    samples: int       # number of rays of each sample; a luxel has factor * factor samples
    factor: int        # number of samples along a side of a luxel
    denoise: bool
    probes: bool       # also bake light probes, if the map stores them


class Result(NamedTuple):
    """New light and counts of luxels. `pages` has arrays of linear light, as in HDR pages. Its keys are the index of a
    page set and the number of a page."""
    pages: dict[tuple[int, int], numpy.ndarray]
    luxels: int        # number of luxels in the rectangles of all faces
    covered: int       # number of luxels that have samples of their own faces
    filled: int        # number of luxels that were filled from their neighbors
    kept: int          # number of luxels that keep their old light, because no sample is near
    vertices: vertex_light.VertexLight | None
    probes: light_probes.ProbeLight | None
    brightest: float   # largest value of the new light
    before: float      # mean luminance that the luxels with new light had before the bake, clamped at white
    after: float       # mean luminance that they have now, clamped at white


class _Triangles(NamedTuple):
    """The triangles of all lit faces, one per row. Each row has three positions and three normals."""
    places: numpy.ndarray
    normals: numpy.ndarray
    uvs: numpy.ndarray      # n x 3 x 2, from 0 to 1, v upward as in Blender
    faces: numpy.ndarray    # number of each triangle's face in the file
    pages: numpy.ndarray

    def chosen(self, which: numpy.ndarray) -> "_Triangles":
        return _Triangles(*(values[which] for values in self))


def gather(scene: Scene, root: bpy.types.Collection) -> _Triangles:
    """Returns the triangles of a map's world and brush models that still exist and have luxels, as they are now."""
    kinds = {text(n.name): n.kind for n in scene.items("nodes") if n.kind in (abi.NODE_WORLD, abi.NODE_BRUSH_ENTITY)}
    records = scene.faces()
    page_of = numpy.full(int(records["record"].max(initial=0)) + 1, abi.NO_INDEX, numpy.int64)
    lit = records[records["lightmap_page"] != abi.NO_INDEX]
    page_of[lit["record"]] = lit["lightmap_page"]
    parts, seen = [], set()
    for made in root.all_objects:
        mesh = made.data if made.type == "MESH" else None
        if mesh is None or mesh in seen or made.get(NODE) not in kinds:
            continue
        seen.add(mesh)
        part = _of_object(made, mesh, page_of)
        if part is not None:
            parts.append(part)
    if not parts:
        raise ValueError(f"{root.name}: none of its faces has a lightmap")
    return _Triangles(*(numpy.concatenate(values) for values in zip(*parts)))


def _of_object(made: bpy.types.Object, mesh: bpy.types.Mesh, page_of: numpy.ndarray) -> _Triangles | None:
    mesh.calc_loop_triangles()
    normals = corner_normals(mesh)
    layer, source = mesh.uv_layers.get("Lightmap"), mesh.attributes.get("record")
    if layer is None or source is None or not mesh.polygons:
        return None
    corners = read(mesh.loop_triangles, "loops", 3, numpy.int32)
    polygons = read(mesh.loop_triangles, "polygon_index", 1, numpy.int32)[:, 0]
    faces = read(source.data, "value", 1, numpy.int32)[polygons, 0]
    known = (faces >= 0) & (faces < len(page_of))
    pages = numpy.where(known, page_of[numpy.where(known, faces, 0)], abi.NO_INDEX)
    lit = pages != abi.NO_INDEX
    vertices = read(mesh.vertices, "co", 3)
    uvs = read(layer.data, "uv", 2)
    matrix = numpy.array(made.matrix_world)
    places = vertices[read(mesh.loops, "vertex_index", 1, numpy.int32)[:, 0]][corners[lit]]
    turned = normals[corners[lit]] @ numpy.linalg.inv(matrix[:3, :3])
    turned /= numpy.maximum(numpy.linalg.norm(turned, axis=-1, keepdims=True), 1e-12)
    return _Triangles(places @ matrix[:3, :3].T + matrix[:3, 3], turned, uvs[corners[lit]], faces[lit], pages[lit])


class Rebake:
    """Bakes the light of a map. `scene` is the map of the collection `root`, loaded again with HDR pages. `steps` does
    the work and sets `result`."""

    def __init__(self, context: bpy.types.Context, root: bpy.types.Collection, scene: Scene, settings: Settings,
                 bake: Bake) -> None:
        self._context, self._root, self._scene, self._settings, self._bake = context, root, scene, settings, bake
        self._meters = scene.data.meters_per_unit
        faces = scene.faces()
        self._faces = {int(record["record"]): record for record in faces[faces["lightmap_page"] != abi.NO_INDEX]}
        self._sets = [(number, record) for number, record in enumerate(scene.items("lightmap_sets"))
                      if record.kind == abi.LIGHTMAP_SET_LIGHT]
        self.result: Result | None = None
        self._vertex_light: vertex_light.VertexLight | None = None
        self._probe_light: light_probes.ProbeLight | None = None
        self._brightest = 0.0

    def steps(self) -> Iterator[float]:
        """Bakes in steps, and yields the finished share from 0 to 1. Closing the generator before its end changes
        nothing."""
        triangles = gather(self._scene, self._root)
        work = [(number, record, page) for number, record in self._sets
                for page in range(self._scene.data.lightmap_page_count)
                if has_light(record.pages[page])]
        pages: dict[tuple[int, int], numpy.ndarray] = {}
        sums = numpy.zeros(6)
        scene = self._context.scene
        # Light probes count in the progress as the number of pages that their luxels would fill.
        luxels_of_page = max((record.pages[page].width * record.pages[page].height for _, record, page in work),
                             default=1)
        styles = light_probes.gather(self._scene, self._meters) if self._settings.probes else []
        of_probes = sum(probes.height for probes in styles) * light_probes.WIDTH / luxels_of_page
        whole = len(work) + 1 + of_probes
        with _ready(self._context, self._root, self._settings):
            for done, (number, record, page) in enumerate(work):
                with _lit_by(scene, self._root, record.style), portals(self._scene, scene):
                    shares = self._page(triangles, record, page, pages, number, sums)
                    for share in shares:
                        yield (done + share) / whole
            with _lit_by(scene, self._root, 0), portals(self._scene, scene):
                yield from ((len(work) + share) / whole for share in self._vertices())
            yield from ((len(work) + 1 + of_probes * share) / whole for share in self._probes(styles))
        total, covered, filled, kept = sums[:4].astype(int).tolist()
        weight = max(covered + filled, 1)
        self.result = Result(pages, total, covered, filled, kept, self._vertex_light, self._probe_light,
                             self._brightest, sums[4] / weight, sums[5] / weight)

    # ---- A page of one light style

    def _page(self, triangles: _Triangles, record: abi.LightmapSet, page: int, pages: dict, number: int,
              sums: numpy.ndarray) -> Iterator[float]:
        stored = record.pages[page]
        old = luxels(stored).reshape(stored.height, stored.width, 3).astype(numpy.float32)
        lit = {source: Rectangle(*(int(face[name]) for name in RECTANGLE))
               for source, face in self._faces.items()
               if face["lightmap_page"] == page and record.style in face["styles"]}
        which = (triangles.pages == page) & numpy.isin(triangles.faces, list(lit))
        light = Light(stored.height, stored.width, lit.values())
        here = triangles.chosen(which)
        spots = (here.uvs * (1, -1) + (0, 1)) * (stored.width, stored.height)   # positions in luxels, with y downward
        if which.any():
            # Faces that do not use a light style cannot store its reflected light. So only direct light is baked for
            # styles other than 0; else light would end abruptly at the borders of such faces.
            yield from self._samples(here, spots, lit, light, BOTH if record.style == 0 else DIRECT)
        numbers = {rectangle: at for at, rectangle in enumerate(light.rectangles)}
        numbered = numpy.array([numbers[lit[source]] for source in here.faces.tolist()], numpy.int32)
        filled = light.settle(self._settings.denoise, joins(here.places, here.normals, spots, numbered))
        covered = light.covered()
        known = (light.owner >= 0) & light.known
        new = numpy.where(known[..., None], light.light, old)
        spread_into_gutter(new, light.owner, self._scene.data.map_light.contents.gutter)
        pages[number, page] = new
        self._brightest = max(self._brightest, float(light.light[known].max(initial=0)))
        weights = numpy.array(LUMINANCE, numpy.float32)
        sums += ((light.owner >= 0).sum(), covered, filled, ((light.owner >= 0) & ~known).sum(),
                 *((numpy.minimum(page_light[known], 1) @ weights).sum() for page_light in (old, new)))

    def _samples(self, triangles: _Triangles, spots: numpy.ndarray, rectangles: dict, light: Light,
                 passes: Passes) -> Iterator[float]:
        height, width = light.owner.shape
        layer = layers(spots, triangles.faces, rectangles, height, width)
        low, high = spots.min(axis=1), spots.max(axis=1)
        parts = [(x, y, number) for number in range(int(layer.max()) + 1)
                 for y in range(0, height, PART) for x in range(0, width, PART)]
        for done, (x, y, number) in enumerate(parts):
            size = min(PART, width - x), min(PART, height - y)
            there = (layer == number) & ((high >= (x, y)) & (low <= (x + size[0], y + size[1]))).all(axis=1)
            if there.any():
                target = numpy.array((x, y)), numpy.array(size)
                for baked in self._bake_part(triangles.places[there], triangles.normals[there],
                                             (spots[there] - target[0]) / target[1], size, passes):
                    if baked is None:
                        yield done / len(parts)
                    else:
                        light.sums.add(x, y, baked, self._settings.factor)

    # ---- Vertex light

    def _vertices(self) -> Iterator[float]:
        corners = vertex_light.gather(self._scene, self._root, self._meters)
        if corners is None:
            return
        width, height = vertex_light.WIDTH, -(-len(corners.vertex) // vertex_light.WIDTH)
        spots, sums = corners.spots(), Sums(height, width)
        for y in range(0, height, PART):
            size = width, min(PART, height - y)
            these = slice(y * width, (y + PART) * width)
            places = corners.places[these].reshape(-1, 3, 3)
            normals = numpy.broadcast_to(numpy.repeat(corners.normals[these], 2, axis=0)[:, None], places.shape)
            uvs = (spots[these].reshape(-1, 3, 2) - (0, y)) / size
            for baked in self._bake_part(places, normals, uvs, size, BOTH):
                if baked is None:
                    yield y / height
                else:
                    sums.add(0, y, baked, self._settings.factor)
        count = sums.count.ravel()[:len(corners.vertex)]
        light = sums.light.reshape(-1, 3)[:len(count)] / numpy.maximum(count, 1)[:, None]
        self._vertex_light = vertex_light.settle(self._scene, corners, light, count > 0)

    # ---- Light probes

    def _probes(self, styles: list[light_probes.Probes]) -> Iterator[float]:
        """Bakes the light probes. If the game adds the direct light of lamps at run time, the map stores only the rest.
        Then two bakes are needed. The first gives the light that surfaces reflect. The second, with all lamps off,
        gives the direct light of the sky and of glowing surfaces."""
        if not styles:
            return
        scene, sides = self._context.scene, light_probes.Sides(self._scene)
        apart = self._scene.data.map_light.contents.probes_without_lamps
        for done, probes in enumerate(styles):
            sums = Sums(probes.height, light_probes.WIDTH)
            with _lit_by(scene, self._root, probes.style), portals(self._scene, scene):
                indirect = INDIRECT if apart else BOTH if probes.style == 0 else DIRECT
                for share in self._probe_sums(probes, indirect, sums):
                    yield (done + share / (1 + apart)) / len(styles)
            light = sums.light / numpy.maximum(sums.count, 1)[..., None]
            if apart:
                rest = Sums(probes.height, light_probes.WIDTH)
                with _lit_by(scene, self._root, NO_LAMPS), portals(self._scene, scene):
                    for share in self._probe_sums(probes, DIRECT, rest):
                        yield (done + (1 + share) / 2) / len(styles)
                light += rest.light / numpy.maximum(rest.count, 1)[..., None]
            sides.put(probes, light, sums.count > 0)
        self._probe_light = sides.settled()

    def _probe_sums(self, probes: light_probes.Probes, passes: Passes, sums: Sums) -> Iterator[float]:
        width = light_probes.WIDTH
        for y in range(0, probes.height, PART):
            size = width, min(PART, probes.height - y)
            places, normals, spots = light_probes.squares(probes, slice(y, y + PART), self._meters)
            turned = numpy.broadcast_to(normals[:, None], places.shape)
            for baked in self._bake_part(places, turned, spots / size, size, passes):
                if baked is None:
                    yield y / probes.height
                else:
                    sums.add(0, y, baked, self._settings.factor)

    # ---- A part of a page, of the vertex light or of the light probes

    def _bake_part(self, places: numpy.ndarray, normals: numpy.ndarray, spots: numpy.ndarray, size: tuple[int, int],
                   passes: Passes):
        """Bakes a part of the page. Yields None while the bake runs, and at the end the samples, top row first."""
        factor, scene = self._settings.factor, self._context.scene
        with _copy(places + LIFT * self._meters * normals, normals, spots * (1, -1) + (0, 1)) as (mesh, made):
            image = bpy.data.images.new("bspscene bake", size[0] * factor, size[1] * factor, alpha=True,
                                        float_buffer=True)
            try:
                image.generated_color = (0, 0, 0, 0)
                mesh.materials.append(_white(image))
                scene.collection.objects.link(made)
                with _alone(self._context, made):
                    for _ in self._bake(passes):
                        yield None
                values = numpy.empty(len(image.pixels), numpy.float32)
                image.pixels.foreach_get(values)
                yield values.reshape(size[1] * factor, size[0] * factor, 4)[::-1]
            finally:
                bpy.data.batch_remove([*mesh.materials, image])


# ---- The baked object

@contextmanager
def _copy(places: numpy.ndarray, normals: numpy.ndarray, uvs: numpy.ndarray):
    mesh = bpy.data.meshes.new("bspscene bake")
    made = bpy.data.objects.new("bspscene bake", mesh)
    try:
        corners = numpy.arange(3 * len(uvs)).reshape(-1, 3)
        mesh.from_pydata(places.reshape(-1, 3).tolist(), [], corners.tolist())
        layer = mesh.uv_layers.new(name="Lightmap")
        layer.data.foreach_set("uv", uvs.astype(numpy.float32).ravel())
        mesh.polygons.foreach_set("use_smooth", numpy.ones(len(uvs), bool))
        if hasattr(mesh, "use_auto_smooth"):
            mesh.use_auto_smooth = True
        mesh.normals_split_custom_set_from_vertices(normals.reshape(-1, 3).astype(numpy.float32))
        # No light ray hits the object. Camera rays may, because Cycles leaves out an object that is invisible to all
        # rays.
        for ray in ("diffuse", "glossy", "transmission", "volume_scatter", "shadow"):
            setattr(made, f"visible_{ray}", False)
        yield mesh, made
    finally:
        bpy.data.batch_remove([made, mesh])


def _white(image: bpy.types.Image) -> bpy.types.Material:
    material = bpy.data.materials.new("bspscene bake")
    if material.node_tree is None:
        material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    shader, end, target = (nodes.new(kind) for kind in ("ShaderNodeBsdfDiffuse", "ShaderNodeOutputMaterial",
                                                        "ShaderNodeTexImage"))
    shader.inputs["Color"].default_value = (1, 1, 1, 1)
    material.node_tree.links.new(shader.outputs[0], end.inputs["Surface"])
    target.image = image
    nodes.active = target
    return material


# ---- Temporary changes of the scene

class _Changed:
    """Changes settings, and restores them at the end."""

    def __init__(self) -> None:
        self._earlier: list[tuple] = []

    def set(self, owner, name: str, value) -> None:
        if hasattr(owner, name) and getattr(owner, name) != value:
            self._earlier.append((owner, name, getattr(owner, name)))
            setattr(owner, name, value)

    def put_back(self) -> None:
        for owner, name, value in reversed(self._earlier):
            try:
                setattr(owner, name, value)
            except ReferenceError:
                pass   # the object was removed meanwhile


@contextmanager
def _ready(context: bpy.types.Context, root: bpy.types.Collection, settings: Settings):
    """Sets up Cycles without its denoiser. The denoiser would treat the page as a picture. In builds that have no
    denoiser, the page would be black."""
    changed, scene = _Changed(), context.scene
    try:
        changed.set(scene.render, "engine", "CYCLES")
        changed.set(scene.cycles, "samples", settings.samples)
        changed.set(scene.cycles, "use_denoising", False)
        changed.set(scene.cycles, "use_adaptive_sampling", False)
        layer = layer_of(context.view_layer, root)
        for child in layer.children if layer else ():
            if child.collection.get(node.KIND) in SKYBOX:
                changed.set(child, "exclude", True)
        yield
    finally:
        changed.put_back()


@contextmanager
def _lit_by(scene: bpy.types.Scene, root: bpy.types.Collection, style: int):
    """Enables only the lamps of one light style; lamps that are always on have style 0. With NO_LAMPS enables none."""
    changed = _Changed()
    try:
        for made in scene.objects:
            if made.type == "LIGHT" and int(made.data.get("style", 0)) != style:
                changed.set(made, "hide_render", True)
        if style > 0:
            changed.set(scene, "world", None)
            used = {m for made in root.all_objects if made.type == "MESH" for m in made.data.materials if m}
            for material in used:
                for shader in material.node_tree.nodes if material.node_tree else ():
                    if shader.type == "BSDF_PRINCIPLED":
                        changed.set(shader.inputs["Emission Strength"], "default_value", 0.0)
        yield
    finally:
        changed.put_back()


@contextmanager
def _alone(context: bpy.types.Context, made: bpy.types.Object):
    """Selects one object, as baking needs."""
    layer = context.view_layer
    selected, active = list(context.selected_objects), layer.objects.active
    for other in selected:
        other.select_set(False)
    made.select_set(True)
    layer.objects.active = made
    try:
        yield
    finally:
        for other in selected:
            other.select_set(True)
        layer.objects.active = active


def is_black(result: Result) -> bool:
    return result.brightest < BLACK


def why_black(context: bpy.types.Context, result: Result) -> str:
    """Returns a message that tells why a bake gave no light."""
    if not result.covered:
        return "Cycles baked no luxel"
    scene = context.scene
    context.view_layer.update()   # needed before visible_get, because objects may have been removed
    shining = [made for made in context.view_layer.objects if made.type == "LIGHT" and made.visible_get()
               and not made.hide_render and made.data.energy > 0]
    if not shining and scene.world is None:
        return "no lamp is in the view layer and the scene has no world"
    if not shining:
        return f"no lamp is in the view layer and the world {scene.world.name!r} gives no light"
    return f"the light of {len(shining)} lamps reaches no face; check their positions and strengths"


def display_bytes(light: numpy.ndarray, intensity: float, clamps_hue: bool) -> numpy.ndarray:
    """Converts linear light to display pages (bspscene_lightmap_set.intensity). With `clamps_hue`, light that is too
    bright keeps its hue, as in some games."""
    values = 255 / intensity * numpy.maximum(light, 0) ** (1 / 2.2)
    if clamps_hue:
        values = values * numpy.minimum(1, 255 / numpy.maximum(values.max(axis=-1, keepdims=True), 1e-6))
    return numpy.clip(values + 0.5, 0, 255).astype(numpy.uint8)
