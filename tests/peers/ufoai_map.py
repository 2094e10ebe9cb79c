"""An independent reader of UFO: Alien Invasion's maps (IBSP 78), with struct and numpy, by the published layout."""
from __future__ import annotations

import re
import struct
from typing import Any

import numpy

LUMP_COUNT = 17
ENTITIES, VERTICES, FACES, EDGES, SURFEDGES, MODELS = 0, 2, 6, 11, 12, 13
LEVEL_MODELS, FIRST_BRUSH_MODEL = 256, 259

FACE = numpy.dtype([("plane", "<u2"), ("side", "<i2"), ("first", "<i4"), ("count", "<u2"), ("texinfo", "<u2"),
                    ("night", "<i4"), ("day", "<i4")])
MODEL = numpy.dtype([("mins", "<f4", 3), ("maxs", "<f4", 3), ("origin", "<f4", 3), ("head", "<i4"), ("first", "<i4"),
                     ("count", "<i4")])
HAIR = 0.1                              # distance in game units within which corners coincide
PAIR = re.compile(rb'"([^"]*)"\s*"([^"]*)"')


class UfoaiMap:
    """Reads the records that are compared: faces, their areas, models and entities."""

    def __init__(self, data: bytes) -> None:
        magic, version = struct.unpack_from("<4si", data)
        if magic != b"IBSP" or version != 78:
            raise ValueError(f"not a map of UFO: Alien Invasion: {magic!r} {version}")
        spans = struct.iter_unpack("<ii", data[8:8 + 8 * LUMP_COUNT])
        self.lumps = [data[offset:offset + size] for offset, size in spans]
        self.faces = numpy.frombuffer(self.lumps[FACES], FACE)
        self.models = numpy.frombuffer(self.lumps[MODELS], MODEL)
        # The keys and values of each entity, in order.
        self.entities = [PAIR.findall(text) for text in re.findall(rb"\{([^{}]*)\}", self.lumps[ENTITIES])]

    def areas(self) -> Any:
        """Returns the area of each face's outline: half the length of the sum of the cross products of consecutive
        corners."""
        vertices = numpy.frombuffer(self.lumps[VERTICES], "<f4").reshape(-1, 3).astype(float)
        edges = numpy.frombuffer(self.lumps[EDGES], "<u2").reshape(-1, 2)
        surfedges = numpy.frombuffer(self.lumps[SURFEDGES], "<i4")
        corners = vertices[edges[abs(surfedges), (surfedges < 0).astype(int)]]
        counts = self.faces["count"].astype(int)
        begins = numpy.concatenate(([0], numpy.cumsum(counts)[:-1]))
        here = numpy.repeat(self.faces["first"] - begins, counts) + numpy.arange(counts.sum())
        following = here + 1
        following[begins + counts - 1] = self.faces["first"]
        first = numpy.repeat(corners[self.faces["first"]], counts, axis=0)
        spokes = numpy.cross(corners[here] - first, corners[following] - first)
        return numpy.linalg.norm(numpy.add.reduceat(spokes, begins), axis=1) / 2

    def is_no_polygon(self, number: int) -> bool:
        """True if a face's area depends on how it is triangulated. The compiler adds corners to close seams. Sometimes
        it puts them at an existing corner, or so that the outline turns back."""
        face = self.faces[number]
        surfedges = numpy.frombuffer(self.lumps[SURFEDGES], "<i4")[face["first"]:face["first"] + face["count"]]
        edges = numpy.frombuffer(self.lumps[EDGES], "<u2").reshape(-1, 2)
        vertices = numpy.frombuffer(self.lumps[VERTICES], "<f4").reshape(-1, 3).astype(float)
        corners = vertices[edges[abs(surfedges), (surfedges < 0).astype(int)]]
        apart = numpy.linalg.norm(corners[:, None] - corners[None, :], axis=2) + numpy.eye(len(corners))
        sides = numpy.roll(corners, -1, axis=0) - corners
        turns = numpy.cross(numpy.roll(sides, 1, axis=0), sides)
        around = numpy.cross(corners, numpy.roll(corners, -1, axis=0)).sum(axis=0)
        return bool((apart < HAIR).any() or (turns @ around < 0).any())

    def faces_of(self, model: int) -> slice:
        first, count = (int(self.models[model][key]) for key in ("first", "count"))
        return slice(first, first + count)

    def by_levels(self) -> dict[int, Any]:
        """Returns the faces of the world, as slices, by the mask of the levels that show them."""
        return {mask: self.faces_of(mask) for mask in range(LEVEL_MODELS) if self.models[mask]["count"]}

    def brush_models(self) -> int:
        return len(self.models) - FIRST_BRUSH_MODEL
