#!/usr/bin/env python3
"""Makes the atrium as a Source map. No compiler for Source is free, so Quake II's atrium is converted: planes,
polygons, tree, texture projections and light stay the same. They are written as records of VBSP 20, whose layouts the
tests define themselves.

    source_atrium.py --bspscene BUILD/bspscene

As a program, it makes the map with materials and textures, and checks it. It compares facts of the map's text, as for
the other families. It also compares pictures of only light and of only textures, which equal Quake II's except for
rounding. Pictures of both together differ, because Source interpolates luxels in linear light.
tests/shaders/check_worlds.py compares these. Needs numpy and Pillow."""

import argparse
import itertools
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import source_forms as s

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from packages import need  # noqa: E402

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures/atrium"
QUAKE2 = FIXTURES / "quake2_q2map"
LUXEL, UNUSED = 16, 255
VIEW_OF_GRATE = "c"
QUAKE2_MAP = QUAKE2 / "maps/atrium.bsp"
LEAST_STILL = 0.8    # least share of Quake II's picture that does not move with time, as water does
# The numbers of Quake II's lumps. SOURCE_FLAGS has the flag in Source for each flag of a Quake II texture.
(Q_ENTITIES, Q_PLANES, Q_VERTICES, Q_VISIBILITY, Q_NODES, Q_TEXINFO, Q_FACES, Q_LIGHTING, Q_LEAFS, Q_LEAF_FACES,
 Q_LEAF_BRUSHES, Q_EDGES, Q_SURFEDGES, Q_MODELS, Q_BRUSHES, Q_BRUSH_SIDES, _, Q_AREAS, Q_AREA_PORTALS) = range(19)
SKY, WARP, TRANS33, TRANS66, NODRAW = 4, 8, 0x10, 0x20, 0x80
UNLIT = WARP | TRANS33 | TRANS66
SOURCE_FLAGS = {SKY: 0x4, WARP: 0x8, TRANS33: 0x10, TRANS66: 0x10, UNLIT: 0x400, NODRAW: 0x80}
# Quake II shows the luxel value 255 as twice the texture's brightness. Source's luxels are linear light.
INTENSITY, DISPLAY_POWER = 2, 2.2


class Quake2:
    """Reads the lumps and records of a map of Quake II."""

    def __init__(self, path):
        data = path.read_bytes()
        places = struct.iter_unpack("<2i", data[8:8 + 8 * 19])
        self.lumps = [data[at:at + size] for at, size in places]

    def records(self, lump, layout):
        return list(struct.iter_unpack("<" + layout, self.lumps[lump]))


def texture_size(name):
    data = QUAKE2.joinpath("textures", name + ".wal").read_bytes()
    return struct.unpack_from("<2I", data, 32)


def rgbexp32(color):
    """Converts a display value to linear light, and encodes it as Source's compiler does: three mantissas and an
    exponent."""
    linear = [(INTENSITY * channel / 255) ** DISPLAY_POWER * 255 for channel in color]
    exponent = math.frexp(max(linear) / 255)[1] if max(linear) > 0 else 0
    return struct.pack("<3Bb", *(min(round(value / 2.0**exponent), 255) for value in linear), exponent)


def entities_of(text):
    """Changes keys of entities. Source's compiler stores the color and brightness of a light in one key."""
    text = re.sub(rb'"light" "([0-9.]+)"', rb'"_light" "255 255 255 \\1"', text.rstrip(b"\0"))
    return text.replace(b'"sky" ', b'"skyname" ') + b"\0"


class Packer:
    def __init__(self, quake2):
        self.from_, self.out = quake2, [s.Lump() for _ in range(s.LUMPS)]
        self.light = bytearray()
        self.vertices = quake2.records(Q_VERTICES, "3f")
        self.edges = quake2.records(Q_EDGES, "2H")
        self.surfedges = [edge for edge, in quake2.records(Q_SURFEDGES, "i")]
        self.texinfos = quake2.records(Q_TEXINFO, "8f2i32si")

    def put(self, lump, data, version=0):
        self.out[lump] = s.Lump(data, version)

    def repack(self, to, lump, layout, make, version=0):
        self.put(to, s.repack(self.from_.lumps[lump], layout, make), version)

    def pack_textures(self):
        names = sorted({info[10].split(b"\0")[0] for info in self.texinfos})
        offsets = [sum(len(name) + 1 for name in names[:i]) for i in range(len(names))]
        self.put(s.NAMES, b"".join(name + b"\0" for name in names))
        self.put(s.NAME_OFFSETS, struct.pack(f"<{len(names)}i", *offsets))
        sizes = [texture_size(name.decode()) for name in names]
        self.put(s.TEXDATA, b"".join(struct.pack("<3f5i", 0, 0, 0, i, *size, *size) for i, size in enumerate(sizes)))

        def texinfo(*fields):
            vectors, flags, name = fields[:8], fields[8], fields[10].split(b"\0")[0]
            kept = sum({source for quake2, source in SOURCE_FLAGS.items() if flags & quake2})
            return struct.pack("<16fIi", *vectors, *(value / LUXEL for value in vectors), kept, names.index(name))
        self.repack(s.TEXINFO, Q_TEXINFO, "8f2i32si", texinfo)

    def corners(self, first, count):
        for surfedge in self.surfedges[first:first + count]:
            yield self.vertices[self.edges[abs(surfedge)][surfedge < 0]]

    def extents(self, first, count, info):
        """Yields for both axes the extent of the face's luxels: the first coordinate and the number of steps."""
        vectors = (self.texinfos[info][:4], self.texinfos[info][4:8])
        for vector in vectors:
            corners = self.corners(first, count)
            steps = [(sum(a * b for a, b in zip(corner, vector)) + vector[3]) / LUXEL for corner in corners]
            yield math.floor(min(steps)), math.ceil(max(steps)) - math.floor(min(steps))

    def pack_light(self, offset, styles, luxels):
        """Adds a face's light to the lump: average colors, which the library does not read, and the luxels. Returns the
        offset of the luxels."""
        used = sum(style != UNUSED for style in styles)
        if offset < 0 or not used:
            return -1
        self.light += bytes(4 * used)
        at, size = len(self.light), 3 * luxels * used
        for color in struct.iter_unpack("3B", self.from_.lumps[Q_LIGHTING][offset:offset + size]):
            self.light += rgbexp32(color)
        return at

    def face(self, plane, side, first, count, info, styles, offset):
        (left, width), (top, height) = self.extents(first, count, info)
        at = self.pack_light(offset, styles, (width + 1) * (height + 1))
        styles = styles if at >= 0 else b"\xff" * 4
        place = (2 * plane + side, side, 1, first, count, info, -1, -1)
        return struct.pack("<" + s.FACE, *place, styles, at, 0, left, top, width, height, -1, 0, 0, 0)

    def pack(self):
        same = {s.VERTICES: Q_VERTICES, s.VISIBILITY: Q_VISIBILITY, s.EDGES: Q_EDGES, s.SURFEDGES: Q_SURFEDGES,
                s.AREAS: Q_AREAS, s.MODELS: Q_MODELS, s.LEAF_FACES: Q_LEAF_FACES, s.LEAF_BRUSHES: Q_LEAF_BRUSHES,
                s.BRUSHES: Q_BRUSHES}
        for to, lump in same.items():
            self.put(to, self.from_.lumps[lump])
        self.put(s.ENTITIES, entities_of(self.from_.lumps[Q_ENTITIES]))
        self.pack_textures()
        # After every plane its reverse is stored, so that each face has a plane in its own direction.
        self.repack(s.PLANES, Q_PLANES, "4fi", lambda x, y, z, d, kind:
                    struct.pack("<4fi4fi", x, y, z, d, kind, -x, -y, -z, -d, kind))
        self.repack(s.NODES, Q_NODES, "i2i6h2H", lambda plane, *rest: struct.pack("<i2i6h2HhH", 2 * plane, *rest, 0, 0))
        self.repack(s.FACES, Q_FACES, "2Hi2h4si", self.face, 1)
        self.repack(s.LEAFS, Q_LEAFS, "i2h6h4H", lambda *fields: struct.pack("<i2h6h4HhH", *fields, -1, 0), 1)
        self.repack(s.BRUSH_SIDES, Q_BRUSH_SIDES, "Hh", lambda plane, info: struct.pack("<H3h", 2 * plane, info, -1, 0))
        self.repack(s.AREA_PORTALS, Q_AREA_PORTALS, "2i", lambda key, area: struct.pack("<4Hi", key, area, 0, 0, 0))
        self.put(s.LIGHTING, bytes(self.light), 1)
        # If the map has no list of lights, the engine shows it at full brightness. The list has a dark sky light (kind
        # 5), which is not a lamp.
        self.put(s.WORLD_LIGHTS, struct.pack("<40xi44x", 5))
        self.put(s.GAME_LUMP, struct.pack("<i", 0))
        return self.out


def make_lumps():
    return Packer(Quake2(QUAKE2 / "maps/atrium.bsp")).pack()


# ---- A game around it -------------------------------------------------------------------------------------------

def write_vtf(path, picture):
    from PIL import Image
    image = Image.open(picture).convert("RGBA")
    path.write_bytes(s.vtf(*image.size, s.BGRA8888, image.tobytes("raw", "BGRA")))


def material_of(name, flags):
    keys = [("$basetexture", name)]
    if flags & (TRANS33 | TRANS66):
        keys += [("$translucent", "1"), ("$alpha", ".33" if flags & TRANS33 else ".66")]
    if name.endswith("grate"):
        keys += [("$alphatest", "1"), ("$alphatestreference", ".666")]
    shader = "UnlitGeneric" if flags & UNLIT else "LightmappedGeneric"
    return f'"{shader}"\n{{\n' + "".join(f'\t"{key}" "{value}"\n' for key, value in keys) + "}\n"


def make_game(bspscene, folder):
    """Writes maps/atrium.bsp and the map's materials into the folder. Returns the map's path."""
    path = folder / "maps/atrium.bsp"
    path.parent.mkdir(parents=True)
    s.write(path, s.Form("20", 20, make_lumps()))
    images = folder / "images"
    extract = [bspscene, "extract", QUAKE2 / "maps/atrium.bsp", images, "--quiet"]
    subprocess.run(extract, check=True, stdout=subprocess.DEVNULL)
    for *_, flags, _, raw, _ in Quake2(QUAKE2 / "maps/atrium.bsp").records(Q_TEXINFO, "8f2i32si"):
        name = raw.split(b"\0")[0].decode()
        vmt = folder / "materials" / f"{name}.vmt"
        picture = images / "textures" / f"{name}.png"
        if picture.is_file() and not vmt.is_file():
            vmt.parent.mkdir(parents=True, exist_ok=True)
            vmt.write_text(material_of(name, flags))
            write_vtf(vmt.with_suffix(".vtf"), picture)
    return path


# ---- The same room ----------------------------------------------------------------------------------------------

def check_facts(bspscene, path, work):
    import check_families
    expected = json.loads(FIXTURES.joinpath("expected.json").read_text())
    return check_families.check_file(argparse.Namespace(bspscene=bspscene), expected, QUAKE2.name, path, work)


def check_pictures(bspscene, path, work):
    import compare_pictures
    import numpy as np
    rounding = 2  # largest difference (of 255) that the rounding of mantissas and pixels can cause
    for mode, view in itertools.product(("texture", "lightmap"), compare_pictures.VIEWS):
        # This picture is not compared, because Quake II shows textures with holes also in pictures of only light.
        if (mode, view) == ("lightmap", VIEW_OF_GRATE):
            continue
        def draw(file, *options, mode=mode, view=view):
            return compare_pictures.draw(bspscene, file, work / "picture.png", mode, view, *options)

        source, quake2 = draw(path), draw(QUAKE2_MAP)
        # Pixels of water are left out: Quake II warps its water, the Source map does not.
        moved = [np.abs(quake2 - draw(QUAKE2_MAP, "--time", time)).max(axis=2) for time in ("0.3", "0.7", "1.9")]
        still = np.max(moved, axis=0) == 0
        if still.mean() < LEAST_STILL:
            yield f"view {view}, {mode}: of Quake II's picture {still.mean():.2f} stands still"
        largest = np.abs(source - quake2)[still].max()
        if largest > rounding:
            yield f"view {view}, {mode}: differs from Quake II's picture by {largest:.0f} of 255"
        if source.std() < 5:
            yield f"view {view}, {mode}: there is nothing to be seen"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    bspscene = parser.parse_args().bspscene
    need("numpy", "PIL.Image")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        path = make_game(bspscene, work / "game")
        problems = [*check_facts(bspscene, path, work), *check_pictures(bspscene, path, work)]
    print("\n".join(problems) or "The atrium as a Source map is Quake II's.")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
