"""Compares the fixtures with what bsp_tool finds in the same lumps: the corners and models of all faces, and the
entities.

In a scene, patches, displacements and terrain have other corners than in the file. For these, bsp_tool's corners must
be within the bounds that the face has in the scene.

Usage: test_lumps.py LIST_FACES FIXTURES"""
import contextlib
import io
import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import peers

bsp_tool = peers.load("bsp_tool")

# Maps that bsp_tool cannot read, or takes for another format, are left out.
MAPS = ("atrium/quake/maps/atrium.bsp", "atrium/quake/maps/atrium_bspx.bsp", "atrium/quake_2psb/maps/atrium.bsp",
        "atrium/quake_bsp2/maps/atrium.bsp", "atrium/goldsrc/maps/atrium_wad.bsp",
        "atrium/quake2_q2map/maps/atrium.bsp", "atrium/quake2_qbism/maps/atrium.bsp",
        "atrium/quake3/maps/atrium.bsp", "atrium/quake3/maps/atrium_nometa.bsp",
        "atrium/quake3/maps/atrium_patchmeta.bsp", "atrium/rtcw/maps/atrium.bsp", "atrium/et/maps/atrium.bsp",
        "atrium/eliteforce/maps/atrium.bsp", "atrium/quakelive/maps/atrium.bsp",
        "atrium/qfusion/maps/atrium_unlit.bsp", "mohaa/maps/room.bsp", "nightfire/maps/room.bsp")
Point = tuple[float, ...]
POLYGON = 1                            # Quake III's type number of polygons


def first_of(record: Any, *names: str) -> Any:
    for name in names:
        if hasattr(record, name):
            return getattr(record, name)
    raise AttributeError(f"{type(record).__name__} has none of {names}")


class Lumps:
    """Keeps the lists that bsp_tool reads. bsp_tool would read them again at each use."""

    def __init__(self, bsp: Any):
        self.faces, self.vertices, self.models = list(bsp.FACES), list(bsp.VERTICES), list(bsp.MODELS)
        self.surfedges = list(bsp.SURFEDGES) if hasattr(bsp, "SURFEDGES") else []
        self.edges = list(bsp.EDGES) if self.surfedges else []
        self.entities = list(bsp.ENTITIES)


def corners_of(bsp: Lumps, index: int) -> tuple[bool, list[Point]]:
    """Returns the corners of a face in the file. The first result is true if a scene must have exactly these
    corners."""
    face = bsp.faces[index]
    if bsp.surfedges:
        first, count = face.first_edge, face.num_edges
        out = []
        for surfedge in bsp.surfedges[first:first + count]:
            edge = bsp.edges[abs(surfedge)]
            out.append(tuple(bsp.vertices[edge[0] if surfedge >= 0 else edge[1]]))
        return True, out
    first, count = face.first_vertex, face.num_vertices
    kind = getattr(face, "type", POLYGON)
    return kind == POLYGON, [tuple(first_of(vertex, "position") if hasattr(vertex, "position") else vertex)
                             for vertex in bsp.vertices[first:first + count]]


def key(point: Point) -> Point:
    return tuple(round(value, 2) + 0.0 for value in point)


def compare(ours: list[list[Any]], bsp: Lumps) -> list[str]:
    failures = []
    models = [first_of(model, "first_face") for model in bsp.models]
    for line in ours:
        if line[0] != "face" or line[1] >= len(bsp.faces):    # terrain has numbers above those of the file's faces
            continue
        record, model, corners = line[1], line[2], {key(point) for point in line[4:]}
        first, count = models[model], first_of(bsp.models[model], "num_faces")
        if not first <= record < first + count:
            failures.append(f"face {record} is of model {model}, which has {count} from {first} on")
        exact, theirs = corners_of(bsp, record)
        wanted = {key(point) for point in theirs}
        if exact and corners != wanted:
            failures.append(f"face {record}: {sorted(corners ^ wanted)[:4]}")
    faces = sum(line[0] == "face" for line in ours)
    if faces < len(bsp.faces) / 2:
        failures.append(f"{faces} faces of {len(bsp.faces)}")
    entities = [dict(zip(line[1::2], line[2::2])) for line in ours if line[0] == "entity"]
    theirs_of = [{name: value[0] if isinstance(value, list) else value for name, value in entity.items()}
                 for entity in bsp.entities]
    if entities != theirs_of:
        failures += [f"entity {i}: {a} is {b}" for i, (a, b) in enumerate(zip(entities, theirs_of)) if a != b]
        failures.append(f"{len(entities)} entities, {len(theirs_of)}")
    return failures


def main() -> int:
    failures = done = 0
    for name in MAPS:
        path = Path(sys.argv[2]) / name
        listed = subprocess.run([sys.argv[1], path], check=True, capture_output=True, text=True).stdout
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            bsp = bsp_tool.load_bsp(str(path))
            found = compare([json.loads(line) for line in listed.splitlines()], Lumps(bsp))
        done += 1
        failures += len(found)
        for failure in found[:5]:
            print(f"{name}: {failure}")
    print(f"{done} maps, {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
