"""Estimates how strong the sky, the suns and the lamps of a map are, from its lightmap. Each game stores the
strength of lamps in its own unit, and no game stores the strength of its skies. But every lightmap has the light that
arrives at walls.

A point of the world has the light L = sky * V + suns * S + lamps * B. V is the visible part of the sky, weighted by the
cosine; S and B are the light of the map's suns and Blender's lamps (light.py) at their present strength. Rays in the
map's own triangles give V, S and B. Least squares over points with known light gives the three factors.
"""
import math
from collections.abc import Iterable
from typing import NamedTuple

import bpy
import numpy
from bspscene import abi
from bspscene.picture import has_light, luxels
from bspscene.scene import MeshView, Scene
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ..objects.light import GAMMA, REFERENCE, light_color, wall_light

POINTS = 600          # number of points, spread evenly over the area of the world's lightmapped surfaces
RAYS = 48             # number of rays from each point
LIFT = 0.5            # game units between a surface and the start of a ray
FAINT = 0.02          # a lamp that gives less than this share of a point's light is ignored
DIRECT = 0.8          # share of a point's light that comes directly from its source, in a room with usual textures;
                      # the rest is reflected by walls
LEAST_POINTS = 8      # the smallest number of points from which light is estimated
WHITE = 0.99          # light of at least this value counts as white, because stored light is clamped at 1
MOST_SKY, MOST_SUNS = 50.0, 50.0
LAMPS = (0.1, 1.5)    # smallest and largest factor for lamps; without these limits, the fit would give lamps the light
                      # of glowing surfaces too, which give no light in Blender
APPLIED = "bspscene_daylight"   # custom property: on a lamp, the factor by which `apply` multiplied its strength; on
                                # a world, the strength that `apply` gave its sky
SKY_LIGHT = "Light of the sky"  # name of the world's node that gives light: its strength is the strength of the sky


class Daylight(NamedTuple):
    """Factors for the strengths of suns and lamps, and the linear light of the open sky on a white surface (None if no
    point sees the sky)."""
    sky: tuple[float, float, float] | None
    suns: float
    lamps: float


class _Points(NamedTuple):
    places: numpy.ndarray    # n x 3, game units
    normals: numpy.ndarray   # n x 3
    light: numpy.ndarray     # n x 3, linear


def measure(scene: Scene) -> Daylight | None:
    """Measures the light. Returns None if the map has no lightmap. If the game's lamps fade as real ones do, points
    that are white are left out, because stored light is clamped there. Otherwise these points stay, because the light
    of lamps is matched to clamped display light too (light.py)."""
    sets = [s for s in scene.items("lightmap_sets") if s.kind == abi.LIGHTMAP_SET_LIGHT]
    world = next((node for node in scene.items("nodes") if node.kind == abi.NODE_WORLD and node.mesh != abi.NO_INDEX),
                 None)
    if not sets or world is None:
        return None
    view = scene.mesh(world.mesh)
    points = _points(scene, view, sets)
    if points is None:
        return None
    told = points.light.max(axis=1) < WHITE
    if scene.data.linear_lights and told.sum() >= LEAST_POINTS:
        points = _Points(*(values[told] for values in points))
    rays = _Rays(scene, view)
    seen = numpy.array([rays.sky_part(place, normal) for place, normal in zip(points.places, points.normals)])
    return _fit(points.light, seen, *_lamps(scene, rays, points))


# ---- Points with light

def _sections(view: MeshView, kind: int) -> list[abi.Section]:
    return [section for section in view.sections if section.surface_kind == kind and section.index_count]


def _points(scene: Scene, view: MeshView, sets: list[abi.LightmapSet]) -> _Points | None:
    """Chooses random points on lightmapped triangles. A triangle's chance of getting a point is proportional to its
    area."""
    sections = [s for s in _sections(view, abi.SURFACE_VISIBLE)
                if s.lighting == abi.LIGHTING_LIGHTMAP and s.lightmap_page != abi.NO_INDEX]
    if not sections or view.lightmap_uvs is None:
        return None
    corners = numpy.concatenate([view.indices[s.first_index:s.first_index + s.index_count]
                                 for s in sections]).reshape(-1, 3)
    pages = numpy.repeat([s.lightmap_page for s in sections], [s.index_count // 3 for s in sections])
    ends = view.positions.reshape(-1, 3)[corners]
    across = numpy.cross(ends[:, 1] - ends[:, 0], ends[:, 2] - ends[:, 0]).astype(numpy.float64)
    size = numpy.linalg.norm(across, axis=1)
    if not size.sum() > 0:
        return None
    chance = numpy.random.default_rng(1)   # a fixed seed, so that the points are always the same
    chosen = chance.choice(len(corners), POINTS, p=size / size.sum())
    first, second = numpy.sqrt(chance.random(POINTS)), chance.random(POINTS)
    weights = numpy.stack([1 - first, first * (1 - second), first * second], 1)[:, :, None]
    normals = across[chosen] / size[chosen, None]
    stored = view.normals.reshape(-1, 3)[corners[chosen, 0]]
    normals *= numpy.where((normals * stored).sum(1) < 0, -1.0, 1.0)[:, None]
    uvs = (view.lightmap_uvs.reshape(-1, 2)[corners[chosen]] * weights).sum(1)
    return _Points((ends[chosen] * weights).sum(1), normals, _light(scene, sets, pages[chosen], uvs))


def _light(scene: Scene, sets: list[abi.LightmapSet], pages: numpy.ndarray, uvs: numpy.ndarray):
    """Returns the linear light of the luxels at `uvs`, with the light styles that are on when the map starts. Light is
    clamped at 1, as display light is."""
    start = {record.style: record.start for record in scene.items("light_styles")}
    total, linear = numpy.zeros((len(pages), 3)), False
    for record in sets:
        factor = start.get(record.style, 1.0)
        for number in numpy.unique(pages) if factor else ():
            page, there = record.pages[number], pages == number
            if not has_light(page):
                continue
            linear = page.format != abi.LIGHTMAP_PAGE_RGB8
            stored = luxels(page).reshape(page.height, page.width, 3)
            column = numpy.clip((uvs[there, 0] * page.width).astype(int), 0, page.width - 1)
            row = numpy.clip((uvs[there, 1] * page.height).astype(int), 0, page.height - 1)
            total[there] += factor * stored[row, column].astype(numpy.float64) / (1 if linear else 255)
    return numpy.minimum(total if linear else (total * sets[0].intensity) ** GAMMA, 1.0)


# ---- Rays

def _directions() -> numpy.ndarray:
    """Returns directions in the hemisphere around +Z whose density is proportional to the cosine."""
    number = numpy.arange(RAYS) + 0.5
    radius, turn = numpy.sqrt(number / RAYS), number * math.pi * (3 - math.sqrt(5))
    return numpy.stack([radius * numpy.cos(turn), radius * numpy.sin(turn), numpy.sqrt(1 - radius ** 2)], 1)


_DIRECTIONS = _directions()


class _Rays:
    """The triangles that block light, and those of the sky."""

    def __init__(self, scene: Scene, view: MeshView) -> None:
        records = scene.items("materials")
        solid = [s for s in _sections(view, abi.SURFACE_VISIBLE)
                 if records[s.material].alpha_mode in (abi.ALPHA_MODE_OPAQUE, abi.ALPHA_MODE_MASK)]
        sky = _sections(view, abi.SURFACE_SKY)
        parts = [view.indices[s.first_index:s.first_index + s.index_count] for s in (*solid, *sky)]
        corners = numpy.concatenate([*parts, numpy.empty(0, numpy.uint32)]).reshape(-1, 3)
        self._first_of_sky = sum(s.index_count // 3 for s in solid)
        self._tree = BVHTree.FromPolygons(view.positions.reshape(-1, 3).tolist(), corners.tolist(), all_triangles=True)

    def reach_sky(self, start: Vector, direction: Vector) -> bool:
        """True if a ray reaches the sky. A ray that leaves the map counts too, because Blender shows the world
        there."""
        number = self._tree.ray_cast(start, direction)[2]
        return number is None or number >= self._first_of_sky

    def reach(self, start: Vector, direction: Vector, length: float) -> bool:
        return self._tree.ray_cast(start, direction, max(length, 0.0))[2] is None

    def sky_part(self, place: numpy.ndarray, normal: numpy.ndarray) -> float:
        aside = numpy.cross(normal, (1, 0, 0) if abs(normal[0]) < 0.7 else (0, 1, 0))
        aside /= numpy.linalg.norm(aside)
        start = Vector(place + LIFT * normal)
        directions = _DIRECTIONS @ numpy.stack([aside, numpy.cross(normal, aside), normal])
        return sum(self.reach_sky(start, Vector(one)) for one in directions.tolist()) / RAYS


# ---- Light of lamps

def _lamps(scene: Scene, rays: _Rays, points: _Points) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Returns the light at the points: that of the suns, and that of the other lamps of the map."""
    suns, lamps = numpy.zeros_like(points.light), numpy.zeros_like(points.light)
    linear = scene.data.linear_lights
    start = {record.style: record.start for record in scene.items("light_styles")}
    for record in scene.items("lights"):
        if record.kind == abi.LIGHT_SURFACE or not start.get(record.style, 1.0):
            continue
        to_light, away, given = _given(record, scene.world_transform(record.node), linear, points)
        total = lamps if record.kind != abi.LIGHT_SUN else suns
        for number in numpy.nonzero(abs(given) > FAINT * points.light.max(axis=1))[0]:
            place, direction = Vector(points.places[number] + LIFT * points.normals[number]), Vector(to_light[number])
            is_lit = rays.reach_sky(place, direction) if total is suns else \
                rays.reach(place, direction, away[number] - LIFT)
            if is_lit:
                total[number] += given[number] * numpy.array(light_color(record))
    return suns, lamps


def _given(record: abi.Light, turned, linear: bool, points: _Points) -> tuple[numpy.ndarray, ...]:
    """Returns the directions and distances from the points to a lamp, and its light at each point if nothing casts a
    shadow."""
    ahead = numpy.array(turned[0::4])
    if record.kind == abi.LIGHT_SUN:
        to_light = numpy.broadcast_to(-ahead, points.places.shape)
        away, strength = numpy.full(len(to_light), math.inf), record.illuminance_at_100_units
    else:
        to_light = numpy.array(turned[3::4]) - points.places
        away = numpy.maximum(numpy.linalg.norm(to_light, axis=1), 1.0)
        to_light = to_light / away[:, None]
        strength = wall_light(record, linear) * (REFERENCE / away) ** 2
        if record.kind == abi.LIGHT_SPOT:
            edge = math.cos(math.radians(min(record.outer_angle_degrees, 90.0)))
            strength = strength * ((to_light * -ahead).sum(1) >= edge)
    return to_light, away, numpy.maximum((to_light * points.normals).sum(1), 0) * strength


# ---- The fit

def _fit(light: numpy.ndarray, seen: numpy.ndarray, suns: numpy.ndarray, lamps: numpy.ndarray) -> Daylight:
    """Fits the factors of the sky's three channels, the suns and the lamps by least squares. Factors outside their
    limits are set to the limit, and the others are fitted again."""
    by_channel = numpy.zeros((len(light), 3, 5))
    for channel in range(3):
        by_channel[:, channel, channel] = seen
    by_channel[:, :, 3], by_channel[:, :, 4] = suns, lamps
    unknowns, wanted = by_channel.reshape(-1, 5), light.reshape(-1)
    low = numpy.array([0, 0, 0, 0, LAMPS[0]])
    high = numpy.array([MOST_SKY, MOST_SKY, MOST_SKY, MOST_SUNS, LAMPS[1]])
    known = [(values > 0).any(axis=1).sum() >= LEAST_POINTS for values in (seen[:, None], suns, lamps)]
    found = numpy.array([0, 0, 0, 1, 1], numpy.float64)
    free = numpy.array([known[0]] * 3 + known[1:])
    while free.any():
        rest = wanted - unknowns[:, ~free] @ found[~free]
        found[free] = numpy.linalg.lstsq(unknowns[:, free], rest, rcond=None)[0]
        outside = free & ((found < low) | (found > high))
        found = numpy.clip(found, low, high)
        if not outside.any():
            break
        free &= ~outside
    _leave_to_walls(found, unknowns.sum(axis=0), wanted.sum())
    return Daylight(tuple(found[:3].tolist()) if known[0] else None, float(found[3]) if known[1] else 1.0,
                    float(found[4]) if known[2] else 1.0)


def _leave_to_walls(found: numpy.ndarray, share: numpy.ndarray, wanted: float) -> None:
    """Scales the fitted factors `found` so that their light is the share DIRECT of the stored light `wanted`. The fit
    mistakes light that walls reflect for light of the sky, because both come from all directions. So the factors of the
    sky are reduced first, by at most half. Then all factors are scaled alike."""
    given, sky = found @ share, found[:3] @ share[:3]
    if sky > 0:
        found[:3] *= 1 - min(max(given - DIRECT * wanted, 0.0) / sky, 0.5)
    given = found @ share
    found *= DIRECT * wanted / given if given > 0 else 1.0


# ---- In Blender

def apply(day: Daylight, objects: Iterable[bpy.types.Object], world: bpy.types.World | None) -> None:
    """Sets lamps and the map's own world to the measured strength, once each, so that later changes by the user are
    kept."""
    for lamp in {made.data for made in objects if made.type == "LIGHT"}:
        if APPLIED not in lamp:
            lamp[APPLIED] = day.suns if lamp.type == "SUN" else day.lamps
            lamp.energy *= lamp[APPLIED]
    if world is not None and day.sky is not None and APPLIED not in world:
        world[APPLIED] = max(day.sky)
        _light_with(world.node_tree, day.sky)


def forget(objects: Iterable[bpy.types.Object]) -> None:
    """Removes the factors that were measured before all of the map's files were found. A user's own factor on a lamp
    stays."""
    for lamp in {made.data for made in objects if made.type == "LIGHT"}:
        if lamp.get(APPLIED):
            lamp.energy /= lamp[APPLIED]
            del lamp[APPLIED]


def _light_with(tree: bpy.types.NodeTree, sky: tuple[float, float, float]) -> None:
    """Shows the sky's picture to camera rays only. All other rays get one mean color, which renders without noise."""
    end = next(node for node in tree.nodes if node.type == "OUTPUT_WORLD")
    shown = end.inputs["Surface"].links[0].from_socket
    light, path, either = (tree.nodes.new(kind) for kind in ("ShaderNodeBackground", "ShaderNodeLightPath",
                                                             "ShaderNodeMixShader"))
    light.label = light.name = SKY_LIGHT
    strength = max(sky)
    light.inputs["Color"].default_value = (*(part / strength if strength > 0 else 1.0 for part in sky), 1.0)
    light.inputs["Strength"].default_value = strength
    tree.links.new(path.outputs["Is Camera Ray"], either.inputs[0])
    tree.links.new(light.outputs[0], either.inputs[1])
    tree.links.new(shown, either.inputs[2])
    tree.links.new(either.outputs[0], end.inputs["Surface"])
