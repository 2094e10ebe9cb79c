"""Light for what moves, baked anew where the map stores it: six small squares around each point are a luxel each. What
a format can hold of them is the library's business (bspscene_light_probe). Numpy alone."""
from typing import NamedTuple

import numpy

from ...native import abi
from ...native.picture import luxels
from ...native.scene import Scene

LIST = "probes"      # the map's list of their light (bspscene_light_list)
KEPT = -1.0          # in a list of new light: the side keeps its own
SIDES = 6            # that look to +x -x +y -y +z -z
WIDTH = 42 * SIDES   # luxels of the page
HALF = 0.25          # game units from the middle of a square to its edges


class Probes(NamedTuple):
    """Points of one light style."""
    style: int
    numbers: numpy.ndarray    # in the map's list
    origins: numpy.ndarray    # 3, in Blender's units

    @property
    def height(self) -> int:
        return -(-len(self.numbers) * SIDES // WIDTH)


class ProbeLight(NamedTuple):
    """New light: the map's list, as its page has it, KEPT where it is not new; and of how many points."""
    page: numpy.ndarray
    points: int


def gather(scene: Scene, meters: float) -> list[Probes]:
    """Those of each light style; none where the map stores no such light."""
    if LIST not in scene.light_lists():
        return []
    records = scene.light_probes()
    found = []
    for style in numpy.unique(records["style"]).tolist():
        numbers = numpy.nonzero(records["style"] == style)[0]
        found.append(Probes(style, numbers, records["origin"][numbers] * meters))
    return found


def page_of(scene: Scene) -> abi.LightmapPage:
    """The map's own, of a map that has such light."""
    return scene.light_lists()[LIST].record


def squares(probes: Probes, rows: slice, meters: float) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Two triangles for each luxel of some rows of the page: places, normals, and where on these rows they are."""
    first, end = rows.start * WIDTH // SIDES, min(rows.stop * WIDTH // SIDES, len(probes.numbers))
    count = (end - first) * SIDES
    axis, sign = numpy.arange(SIDES) // 2, 1 - numpy.arange(SIDES) % 2 * 2
    normals = numpy.zeros((SIDES, 3))
    normals[numpy.arange(SIDES), axis] = sign
    one = numpy.roll(normals, 1, axis=1)
    other = numpy.cross(normals, one)    # so that a triangle's own normal is this one too
    ends = numpy.array([(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)])
    shape = (ends[:, :1] * one[:, None] + ends[:, 1:] * other[:, None]) * HALF * meters   # SIDES x 6 x 3
    places = probes.origins[first:end, None, None] + shape
    number = numpy.arange(count)
    corner = numpy.stack([number % WIDTH, number // WIDTH], axis=-1)[:, None]
    spots = corner + (ends + 1) / 2
    return (places.reshape(-1, 3, 3), numpy.repeat(numpy.tile(normals, (end - first, 1)), 2, axis=0),
            spots.reshape(-1, 3, 2))


class Sides:
    """The list as it is filled, style by style."""

    def __init__(self, scene: Scene) -> None:
        own = page_of(scene)
        self._shape = own.height, own.width, 3
        self._light = numpy.full((own.height * own.width, 3), KEPT, numpy.float32)
        self._points = 0

    def put(self, probes: Probes, light: numpy.ndarray, known: numpy.ndarray) -> None:
        """Linear light of the luxels of a page, and whether there is any."""
        count = len(probes.numbers) * SIDES
        places = (probes.numbers[:, None] * SIDES + numpy.arange(SIDES)).ravel()
        self._light[places] = numpy.where(known.ravel()[:count, None], light.reshape(-1, 3)[:count], KEPT)
        self._points += int(known.ravel()[:count].reshape(-1, SIDES).any(axis=1).sum())

    def settled(self) -> ProbeLight:
        return ProbeLight(self._light.reshape(self._shape), self._points)


def written(scene: Scene, page: numpy.ndarray) -> numpy.ndarray:
    """New light as the map's list, with the map's own where that is kept."""
    return numpy.where(page < 0, luxels(page_of(scene)), page)
