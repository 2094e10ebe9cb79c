"""Finds which faces form one wall: faces in one plane that touch and whose luxels lie on one grid. Compilers split
walls into such faces, for example for the lightmap. Uses numpy only."""
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy

NEAR = 0.05        # in luxels: largest error for faces that touch, have the same grid, or are in one plane
SAME_WAY = 0.99    # smallest cosine between the normals of faces of one wall
LEAST = 1e-4       # area in square luxels: the grid cannot be derived precisely from smaller triangles

APART, AT_A_POINT, ALONG_AN_EDGE = range(3)


class Join(NamedTuple):
    """Two rectangles of luxels, by their numbers, that are next to each other in the room. Luxel (x, y) of the first is
    at the place of luxel (x + dx, y + dy) of the second."""
    rectangle: int
    other: int
    dx: int
    dy: int


class _Flat(NamedTuple):
    """The triangles of one rectangle, if they are in one plane and their luxels are on one grid."""
    rectangle: int
    area: float               # area of its largest triangle, in square luxels
    normal: numpy.ndarray
    origin: numpy.ndarray     # a corner of that triangle
    luxel: numpy.ndarray      # luxel of that corner
    slope: numpy.ndarray      # 3 x 2: change of the luxel coordinates per unit of `places` along x, y and z
    places: numpy.ndarray     # corners of all triangles in the room, n x 3
    luxels: numpy.ndarray     # luxels of these corners on the page, n x 2

    def error(self, places: numpy.ndarray, luxels: numpy.ndarray) -> float:
        """Returns the largest distance, in luxels, of these corners from the plane and the grid."""
        away = places - self.origin
        off = numpy.abs(away @ self.normal).max() * numpy.linalg.norm(self.slope, 2)
        return float(max(off, numpy.abs(self.luxel + away @ self.slope - luxels).max()))

    def edges(self) -> numpy.ndarray:
        corners = self.luxels.reshape(-1, 3, 2)
        return numpy.stack([corners, numpy.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 2)


def joins(places: numpy.ndarray, normals: numpy.ndarray, luxels: numpy.ndarray,
          rectangles: numpy.ndarray) -> list[Join]:
    """Finds all pairs of rectangles that touch, and returns each pair in both orders. Arrays have a row for each
    triangle: its corners in the room (n x 3 x 3), its normals, its corners on the page in luxels (n x 3 x 2), and the
    number of its rectangle."""
    flats = _flats(places, normals, luxels, rectangles)
    found: list[Join] = []
    corners: list[Join] = []
    beside: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in _close(flats):
        move = _move(one, other)
        touch = APART if move is None else _touch(one.edges() + move, other.edges())
        if move is None or touch == APART:
            continue
        dx, dy = move.tolist()
        both = [Join(one.rectangle, other.rectangle, dx, dy), Join(other.rectangle, one.rectangle, -dx, -dy)]
        if touch == AT_A_POINT:
            corners += both
            continue
        found += both
        beside[one.rectangle].add(other.rectangle)
        beside[other.rectangle].add(one.rectangle)
    # Two rectangles that touch only at a point are joined only if both touch a third rectangle along an edge. Otherwise
    # they may belong to two rooms.
    return found + [join for join in corners if beside[join.rectangle] & beside[join.other]]


def _flats(places: numpy.ndarray, normals: numpy.ndarray, luxels: numpy.ndarray,
           rectangles: numpy.ndarray) -> list[_Flat]:
    """Returns the rectangles that are flat, sorted by their smallest x in the room."""
    result = []
    order = numpy.argsort(rectangles, kind="stable")
    starts = numpy.nonzero(numpy.diff(rectangles[order]))[0] + 1
    for these in numpy.split(order, starts) if len(order) else ():
        flat = _flat(int(rectangles[these[0]]), places[these], normals[these], luxels[these])
        if flat is not None:
            result.append(flat)
    return sorted(result, key=lambda flat: float(flat.places[:, 0].min()))


def _flat(rectangle: int, places: numpy.ndarray, normals: numpy.ndarray, luxels: numpy.ndarray) -> _Flat | None:
    sides = luxels[:, 1:] - luxels[:, :1]
    areas = numpy.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
    largest = int(areas.argmax())
    across = places[largest, 1:] - places[largest, 0]
    normal = numpy.cross(across[0], across[1])
    length = float(numpy.linalg.norm(normal))
    if not (areas[largest] > LEAST and length > 0):
        return None
    facing = normals.reshape(-1, 3).sum(axis=0)
    normal = normal / length * (1 if normal @ facing >= 0 else -1)
    slope = numpy.linalg.pinv(across) @ sides[largest]
    flat = _Flat(rectangle, float(areas[largest]), normal, places[largest, 0], luxels[largest, 0], slope,
                 places.reshape(-1, 3), luxels.reshape(-1, 2))
    return flat if flat.error(flat.places, flat.luxels) < NEAR else None


def _close(flats: list[_Flat]) -> Iterator[tuple[_Flat, _Flat]]:
    """Yields pairs whose bounding boxes touch and whose normals agree."""
    if not flats:
        return
    low = numpy.array([flat.places.min(axis=0) for flat in flats])
    high = numpy.array([flat.places.max(axis=0) for flat in flats])
    facing = numpy.array([flat.normal for flat in flats])
    for at, flat in enumerate(flats):
        near = NEAR / numpy.linalg.norm(flat.slope, 2)
        end = int(numpy.searchsorted(low[:, 0], high[at, 0] + near, "right"))
        later = slice(at + 1, end)
        meet = ((low[later] <= high[at] + near) & (high[later] >= low[at] - near)).all(axis=1)
        for other in numpy.nonzero(meet & (facing[later] @ facing[at] > SAME_WAY))[0].tolist():
            yield flat, flats[at + 1 + other]


def _move(one: _Flat, other: _Flat) -> numpy.ndarray | None:
    """Returns the offset from a luxel of the first rectangle to the same place in luxels of the other. Returns None if
    they are not on one grid."""
    large, small, sign = (one, other, -1) if one.area > other.area else (other, one, 1)
    said = large.luxel + (small.places[0] - large.origin) @ large.slope - small.luxels[0]
    move = numpy.round(said)
    return sign * move.astype(int) if large.error(small.places, small.luxels + move) < NEAR else None


def _touch(edges: numpy.ndarray, others: numpy.ndarray) -> int:
    """Returns whether any of the lines `edges` touches any of the lines `others`: APART, AT_A_POINT or ALONG_AN_EDGE.
    Both arrays have the two ends of each line (n x 2 x 2 and m x 2 x 2), in luxels of one grid."""
    along = edges[:, 1] - edges[:, 0]
    lengths = numpy.linalg.norm(along, axis=1)
    along = along / numpy.maximum(lengths, 1e-12)[:, None]
    away = others[None] - edges[:, None, :1]                                # n x m x 2 x 2
    far = numpy.einsum("nmex,nx->nme", away, along)
    on_line = numpy.abs(away[..., 0] * along[:, None, None, 1] - away[..., 1] * along[:, None, None, 0]) <= NEAR
    shared = numpy.minimum(far.max(axis=2), lengths[:, None]) - numpy.maximum(far.min(axis=2), 0)
    if (on_line.all(axis=2) & (shared > NEAR)).any():
        return ALONG_AN_EDGE
    at_a_point = on_line & (far >= -NEAR) & (far <= lengths[:, None, None] + NEAR)
    return AT_A_POINT if at_a_point.any() else APART
