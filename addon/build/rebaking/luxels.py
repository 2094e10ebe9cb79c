"""Turns samples of a page into luxels: takes means, removes noise and fills uncovered luxels. Each face has a rectangle
of luxels on the page. Luxels of two rectangles are mixed only if their faces touch in the room, because neighbors on
the page may be far apart in the room. Uses numpy only."""
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy

from .planes import Join

NO_RECTANGLE = -1
MOST_LAYERS = 4       # largest number of layers for faces that overlap on a page
LAYER_SAMPLES = 2     # number of samples along a side of a luxel, for finding faces that overlap
SIMILAR = 1.5         # luxels count as equal if they differ by less than their noise times this
ROUNDS = (1, 2)       # distance in luxels of the neighbors that each round of noise removal uses
AROUND = sum(ROUNDS)  # largest distance in luxels at which neighbors affect a luxel
MOST_AT_ONCE = 1 << 18   # largest number of luxels that are processed at once, including their surroundings; limits
                         # memory
NEIGHBORS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
LUMINANCE = (0.2126, 0.7152, 0.0722)


# The rectangle of a face on its page, with the fields of bspscene_face.
RECTANGLE = ("lightmap_x", "lightmap_y", "lightmap_width", "lightmap_height")


class Rectangle(NamedTuple):
    """The rectangle of a face's luxels on its page."""
    x: int
    y: int
    width: int
    height: int

    def place(self) -> tuple[slice, slice]:
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)

    def of(self, page: numpy.ndarray) -> numpy.ndarray:
        return page[self.place()]

    def moved(self, dx: int, dy: int) -> "Rectangle":
        return self._replace(x=self.x + dx, y=self.y + dy)

    def grown(self, by: int) -> "Rectangle":
        return Rectangle(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def shared(self, other: "Rectangle") -> "Rectangle":
        """Returns the intersection of two rectangles. Its width or height is 0 if they do not overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rectangle(x, y, max(min(self.x + self.width, other.x + other.width) - x, 0),
                         max(min(self.y + self.height, other.y + other.height) - y, 0))


class Sums:
    """For each luxel of a page, or of an area that is put together from rectangles: the number of its samples and their
    sums."""

    def __init__(self, height: int, width: int) -> None:
        self.count = numpy.zeros((height, width), numpy.float32)
        self.light = numpy.zeros((height, width, 3), numpy.float32)
        self.squares = numpy.zeros((height, width), numpy.float32)   # sums of the squared luminance of samples

    def add(self, x: int, y: int, samples: numpy.ndarray, factor: int) -> None:
        """Adds samples (RGBA; alpha 0: no surface) to the luxels from (x, y) on. A luxel has `factor` * `factor`
        samples."""
        height, width = samples.shape[0] // factor, samples.shape[1] // factor
        blocks = samples.reshape(height, factor, width, factor, 4)
        there = blocks[..., 3] > 0
        values = numpy.where(there[..., None], numpy.nan_to_num(blocks[..., :3], posinf=0.0, neginf=0.0), 0)
        place = slice(y, y + height), slice(x, x + width)
        self.count[place] += there.sum(axis=(1, 3))
        self.light[place] += values.sum(axis=(1, 3))
        self.squares[place] += ((values * numpy.array(LUMINANCE, numpy.float32)).sum(axis=-1) ** 2).sum(axis=(1, 3))

    def take(self, place: tuple[slice, slice], of: "Sums", there: tuple[slice, slice], which: numpy.ndarray) -> None:
        """Adds sums of the object `of` to this one: its luxels `there` to this object's luxels `place`. `which` is a
        mask of these luxels: true means that the luxel is added."""
        self.count[place] += of.count[there] * which
        self.light[place] += of.light[there] * which[..., None]
        self.squares[place] += of.squares[there] * which

    def means(self, owner: numpy.ndarray, denoise: bool) -> numpy.ndarray:
        """Returns the mean light of each luxel. With `denoise`, a luxel is mixed only with luxels that have the same
        `owner`."""
        counts = numpy.maximum(self.count, 1)
        light = self.light / counts[..., None]
        if not denoise:
            return light
        bright = (light * numpy.array(LUMINANCE, numpy.float32)).sum(axis=-1)
        variance = numpy.maximum(self.squares / counts - bright ** 2, 0)
        return denoised(light, variance / counts, numpy.where(self.count > 0, owner, NO_RECTANGLE))


class Light:
    """The new light of a page, gathered from samples. Its arrays have the size of the page."""

    def __init__(self, height: int, width: int, rectangles: Iterable[Rectangle]) -> None:
        self.sums = Sums(height, width)
        self.owner = numpy.full((height, width), NO_RECTANGLE, numpy.int32)
        # Small rectangles come last: where rectangles overlap, small ones are inside large ones.
        self.rectangles = sorted(dict.fromkeys(rectangles), key=lambda r: -r.width * r.height)
        for number, rectangle in enumerate(self.rectangles):
            rectangle.of(self.owner)[:] = number
        self.light: numpy.ndarray = self.sums.light                      # light of each luxel; valid after settle()
        self.known: numpy.ndarray = numpy.zeros((height, width), bool)   # true for luxels that have light

    def covered(self) -> int:
        """Returns the number of luxels that have samples of their own."""
        return int(((self.sums.count > 0) & (self.owner != NO_RECTANGLE)).sum())

    def settle(self, denoise: bool, joins: Iterable[Join] = ()) -> int:
        """Turns sums of samples into light. A luxel without samples gets the light of the joined rectangles that have
        samples at its place in the room. If none has, its light is spread from its neighbors in its own rectangle.
        Returns the number of luxels that had no samples and got light."""
        self.light = self.sums.means(self.owner, denoise)
        self.known = self.sums.count > 0
        filled = 0
        for parts in _at_once(self.rectangles, joins):
            filled += self._join(parts, denoise)
        return filled + fill(self.light, self.known, self.owner)

    def _join(self, parts: "list[_Part]", denoise: bool) -> int:
        """Settles `parts`: rectangles together with the luxels around them in the room. If several faces that touch
        cover the same luxel, the luxel gets the mean of the samples of all these faces. Returns how many luxels got
        light without samples of their own."""
        tops = numpy.cumsum([0, *(part.around.height for part in parts)]).tolist()
        sums = Sums(tops[-1], max(part.around.width for part in parts))
        owner = numpy.full(sums.count.shape, NO_RECTANGLE, numpy.int32)
        for number, (part, top) in enumerate(zip(parts, tops)):
            owner[top:top + part.around.height] = number
            for other, dx, dy in ((part.number, 0, 0), *((join.other, join.dx, join.dy) for join in part.joins)):
                shared = part.around.shared(self.rectangles[other].moved(-dx, -dy))
                there = shared.moved(dx, dy).place()
                sums.take(shared.moved(-part.around.x, top - part.around.y).place(), self.sums, there,
                          self.owner[there] == other)
        light, gained = sums.means(owner, denoise), 0
        for part, top in zip(parts, tops):
            own = self.rectangles[part.number]
            inner = own.moved(-part.around.x, top - part.around.y)
            new = (inner.of(sums.count) > 0) & (own.of(self.owner) == part.number)
            own.of(self.light)[new] = inner.of(light)[new]
            gained += int((new & ~own.of(self.known)).sum())
            own.of(self.known)[new] = True
        return gained


class _Part(NamedTuple):
    """A rectangle that other rectangles continue in the room."""
    number: int
    joins: list[Join]
    around: Rectangle    # the rectangle with a margin for the luxels that are next to it in the room


def _at_once(rectangles: Sequence[Rectangle], joins: Iterable[Join]) -> Iterator[list[_Part]]:
    """Yields rectangles that have joins, in batches whose size is limited to save memory."""
    joined: defaultdict[int, list[Join]] = defaultdict(list)
    for join in joins:
        joined[join.rectangle].append(join)
    parts: list[_Part] = []
    height = 0
    for number in sorted(joined, key=lambda number: rectangles[number].width):   # rectangles of similar width share a
                                                                                 # batch
        own = rectangles[number]
        part = _Part(number, joined[number], own.grown(AROUND))
        if parts and (height + part.around.height) * part.around.width > MOST_AT_ONCE:
            yield parts
            parts, height = [], 0
        parts.append(part)
        height += part.around.height
    if parts:
        yield parts


def denoised(light: numpy.ndarray, noise: numpy.ndarray, owner: numpy.ndarray) -> numpy.ndarray:
    """Replaces each luxel by a mean of itself and its neighbors with the same `owner`. `noise` is the variance of each
    luxel's luminance. The more a neighbor differs from the luxel, relative to the noise of both, the less it counts. So
    clear differences, such as edges of shadows, stay."""
    for distance in ROUNDS:
        bright = (light * numpy.array(LUMINANCE, numpy.float32)).sum(axis=-1)
        total, weights = light.copy(), numpy.ones(light.shape[:2], numpy.float32)
        squares = noise.copy()
        for dy, dx in NEIGHBORS:
            here, there = _pair(light.shape, distance * dy, distance * dx)
            same = (owner[here] == owner[there]) & (owner[here] != NO_RECTANGLE)
            spread = 2 * SIMILAR ** 2 * (noise[here] + noise[there]) + 1e-12
            weight = numpy.where(same, numpy.exp(-(bright[here] - bright[there]) ** 2 / spread), 0)
            total[here] += weight[..., None] * light[there]
            squares[here] += weight ** 2 * noise[there]
            weights[here] += weight
        light, noise = total / weights[..., None], squares / weights ** 2
    return light


def _pair(shape: Sequence[int], dy: int, dx: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Returns slices of the page for all luxels that have a neighbor at this offset, and slices for these neighbors."""
    def along(length: int, move: int) -> tuple[slice, slice]:
        return slice(max(0, -move), max(0, length - max(0, move))), slice(max(0, move), max(0, length + min(0, move)))

    (here_y, there_y), (here_x, there_x) = along(shape[0], dy), along(shape[1], dx)
    return (here_y, here_x), (there_y, there_x)


def fill(light: numpy.ndarray, covered: numpy.ndarray, owner: numpy.ndarray) -> int:
    """Fills luxels that are not `covered` with the mean of covered neighbors in the same rectangle, spreading from
    there, and updates `covered`. Returns how many were filled. Rectangles without any covered luxel are not filled."""
    height, width = covered.shape
    flat, known, whose = light.reshape(-1, 3), covered.reshape(-1), owner.reshape(-1)
    waiting = numpy.nonzero(~known & (whose != NO_RECTANGLE))[0]
    count = 0
    while len(waiting):
        total, number = numpy.zeros((len(waiting), 3), numpy.float32), numpy.zeros(len(waiting), numpy.float32)
        y, x = waiting // width, waiting % width
        for dy, dx in NEIGHBORS:
            inside = (y + dy >= 0) & (y + dy < height) & (x + dx >= 0) & (x + dx < width)
            other = numpy.where(inside, waiting + dy * width + dx, 0)
            gives = inside & known[other] & (whose[other] == whose[waiting])
            total += numpy.where(gives[:, None], flat[other], 0)
            number += gives
        reached = number > 0
        if not reached.any():
            break
        now = waiting[reached]
        flat[now] = total[reached] / number[reached, None]
        known[now] = True
        count += len(now)
        waiting = waiting[~reached]
    return count


def spread_into_gutter(light: numpy.ndarray, owner: numpy.ndarray, gutter: int) -> None:
    """Extends the light of rectangles into the luxels around them, because smaller versions of the picture mix these
    luxels with those of the rectangles."""
    around = owner != NO_RECTANGLE
    for _ in range(gutter):
        fill(light, around, numpy.where(_beside(around), 0, NO_RECTANGLE))


def _beside(there: numpy.ndarray) -> numpy.ndarray:
    grown = there.copy()
    for dy, dx in NEIGHBORS:
        here, other = _pair(there.shape, dy, dx)
        grown[here] |= there[other]
    return grown


# ---- Overlapping faces

def layers(uvs: numpy.ndarray, faces: numpy.ndarray, rectangles: dict[int, Rectangle], height: int,
           width: int) -> numpy.ndarray:
    """Returns the number of a layer for each triangle, counted from 0, so that faces in one layer do not overlap. `uvs`
    has the corners of the triangles in luxels (n x 3 x 2); `faces` has the face of each. All triangles of a face are in
    one layer."""
    result = numpy.zeros(len(uvs), numpy.int32)
    crowd = numpy.zeros((height, width), numpy.uint16)
    for rectangle in rectangles.values():
        rectangle.of(crowd)[:] += 1
    taken = numpy.zeros((MOST_LAYERS, height * LAYER_SAMPLES, width * LAYER_SAMPLES), bool)
    order = numpy.argsort(faces, kind="stable")
    starts = numpy.nonzero(numpy.diff(faces[order], prepend=-1))[0]
    for these in numpy.split(order, starts[1:]):
        if len(these) == 0 or rectangles[int(faces[these[0]])].of(crowd).max(initial=0) < 2:
            continue
        parts = [_covered(triangle * LAYER_SAMPLES, taken.shape[1], taken.shape[2]) for triangle in uvs[these]]
        layer = next((number for number in range(MOST_LAYERS - 1)
                      if not any((taken[number][place] & inside).any() for place, inside in parts)), MOST_LAYERS - 1)
        for place, inside in parts:
            taken[layer][place] |= inside
        result[these] = layer
    return result


def _covered(corners: numpy.ndarray, height: int, width: int) -> tuple[tuple[slice, slice], numpy.ndarray]:
    """Returns which samples have their centers inside a triangle: slices of the page around the triangle, and a mask in
    these slices."""
    low = numpy.floor(corners.min(axis=0)).astype(int).clip(0, (width, height))
    high = numpy.ceil(corners.max(axis=0)).astype(int).clip(low, (width, height))
    x = numpy.arange(low[0], high[0]) + 0.5
    y = numpy.arange(low[1], high[1])[:, None] + 0.5
    sides = []
    for one, other in zip(corners, numpy.roll(corners, -1, axis=0)):
        sides.append((other[0] - one[0]) * (y - one[1]) - (other[1] - one[1]) * (x - one[0]))
    inside = numpy.logical_and.reduce([side > 1e-4 for side in sides])
    inside |= numpy.logical_and.reduce([side < -1e-4 for side in sides])
    return (slice(low[1], high[1]), slice(low[0], high[0])), inside
