"""Bakes light probes: points for which the map stores the light of moving objects. Each point gets six small squares
around it, and each square is baked to one luxel. The library converts their light to what the map's format can store
(bspscene_light_probe). Uses numpy only."""
from typing import NamedTuple

import numpy
from bspscene import abi
from bspscene.picture import luxels
from bspscene.scene import Scene

LIST = "probes"      # name of the map's list with the light of probes (bspscene_light_list)
KEPT = -1.0          # value in a list of new light: this side of the probe keeps its old light
SIDES = 6            # squares that face +x -x +y -y +z -z
WIDTH = 42 * SIDES   # width of the page in luxels
HALF = 0.25          # game units from the center of a square to its edges


class Probes(NamedTuple):
    """The light probes of one light style."""
    style: int
    numbers: numpy.ndarray    # indexes of the probes in the map's list
    origins: numpy.ndarray    # positions of the probes in Blender's units: n x 3

    @property
    def height(self) -> int:
        return -(-len(self.numbers) * SIDES // WIDTH)


class ProbeLight(NamedTuple):
    """New light: the map's list in the layout of the map's own page, and the number of points with new light. Entries
    without new light are KEPT."""
    page: numpy.ndarray
    points: int


def gather(scene: Scene, meters: float) -> list[Probes]:
    """Finds the points of each light style. Empty if the map stores no light probes."""
    if LIST not in scene.light_lists():
        return []
    records = scene.light_probes()
    found = []
    for style in numpy.unique(records["style"]).tolist():
        numbers = numpy.nonzero(records["style"] == style)[0]
        found.append(Probes(style, numbers, records["origin"][numbers] * meters))
    return found


def page_of(scene: Scene) -> abi.LightmapPage:
    """Returns the map's page of light probes. The map must have one."""
    return scene.light_lists()[LIST].record


def squares(probes: Probes, rows: slice, meters: float) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Returns two triangles for each luxel of some rows of the page: their positions, their normals, and the positions
    of their corners in luxels, counted from the first of these rows."""
    first, end = rows.start * WIDTH // SIDES, min(rows.stop * WIDTH // SIDES, len(probes.numbers))
    count = (end - first) * SIDES
    axis, sign = numpy.arange(SIDES) // 2, 1 - numpy.arange(SIDES) % 2 * 2
    normals = numpy.zeros((SIDES, 3))
    normals[numpy.arange(SIDES), axis] = sign
    one = numpy.roll(normals, 1, axis=1)
    other = numpy.cross(normals, one)    # this order gives triangles whose winding agrees with the normal
    ends = numpy.array([(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)])
    shape = (ends[:, :1] * one[:, None] + ends[:, 1:] * other[:, None]) * HALF * meters   # SIDES x 6 x 3
    places = probes.origins[first:end, None, None] + shape
    number = numpy.arange(count)
    corner = numpy.stack([number % WIDTH, number // WIDTH], axis=-1)[:, None]
    spots = corner + (ends + 1) / 2
    return (places.reshape(-1, 3, 3), numpy.repeat(numpy.tile(normals, (end - first, 1)), 2, axis=0),
            spots.reshape(-1, 3, 2))


class Sides:
    """The map's list of new light, which is filled one light style after the other."""

    def __init__(self, scene: Scene) -> None:
        own = page_of(scene)
        self._shape = own.height, own.width, 3
        self._light = numpy.full((own.height * own.width, 3), KEPT, numpy.float32)
        self._points = 0

    def put(self, probes: Probes, light: numpy.ndarray, known: numpy.ndarray) -> None:
        """Stores the linear light of a page's luxels for these probes; `known` is true for luxels that have new
        light."""
        count = len(probes.numbers) * SIDES
        places = (probes.numbers[:, None] * SIDES + numpy.arange(SIDES)).ravel()
        self._light[places] = numpy.where(known.ravel()[:count, None], light.reshape(-1, 3)[:count], KEPT)
        self._points += int(known.ravel()[:count].reshape(-1, SIDES).any(axis=1).sum())

    def settled(self) -> ProbeLight:
        return ProbeLight(self._light.reshape(self._shape), self._points)


def written(scene: Scene, page: numpy.ndarray) -> numpy.ndarray:
    """Returns `page`, the new light, with the map's old light in entries that were not baked."""
    return numpy.where(page < 0, luxels(page_of(scene)), page)
