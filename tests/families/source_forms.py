"""Writes Source maps in several forms: the lumps of a map, and the same map in other versions of the format. The tables
of record layouts are the tests' own.

All forms of `rewritten` must give the same scene."""

import lzma
import struct
import typing

HEADER, LUMPS, ENTRY = 1036, 64, 16
ENTITIES, PLANES, TEXDATA, VERTICES, VISIBILITY, NODES, TEXINFO, FACES, LIGHTING = range(9)
LEAFS, EDGES, SURFEDGES, MODELS, WORLD_LIGHTS, LEAF_FACES, LEAF_BRUSHES, BRUSHES, BRUSH_SIDES = 10, *range(12, 20)
AREAS, AREA_PORTALS, DISPINFO, ORIGINAL_FACES, NORMAL_INDICES, GAME_LUMP, PRIMITIVES = 20, 21, 26, 27, 31, 35, 37
PRIMITIVE_INDICES, PAKFILE, NAMES, NAME_OFFSETS, OVERLAYS, AMBIENT_INDEX_HDR, AMBIENT_INDEX = 39, 40, 43, 44, 45, 51, 52
LIGHTING_HDR, WORLD_LIGHTS_HDR, AMBIENT_HDR, FACES_HDR, MAP_FLAGS = 53, 54, 55, 58, 59
BUMPED = 0x800
LEAF_CUBE = bytes(24)


class Lump:
    def __init__(self, data=b"", version=0):
        self.data, self.version, self.unpacked = data, version, 0


def read(path):
    """Returns the lumps of a version 20 map, without the lumps of HDR light. Offsets in the game lump become relative
    to it."""
    data = path.read_bytes()
    lumps = []
    for i in range(LUMPS):
        offset, size, version, _ = struct.unpack_from("<4i", data, 8 + ENTRY * i)
        lumps.append(Lump(data[offset:offset + size], version))
        if i == GAME_LUMP:
            lumps[i].data = move_game_lump(lumps[i].data, -offset)
    for i in (AMBIENT_INDEX_HDR, LIGHTING_HDR, WORLD_LIGHTS_HDR, AMBIENT_HDR, FACES_HDR):
        lumps[i].data = b""
    return lumps


def move_game_lump(data, by):
    """Moves the game lump by some bytes. The offsets in its directory change too, because they count from the beginning
    of the file."""
    out = bytearray(data)
    for i in range(struct.unpack_from("<i", data)[0] if data else 0):
        at = 4 + ENTRY * i + 8
        struct.pack_into("<i", out, at, struct.unpack_from("<i", data, at)[0] + by)
    return bytes(out)


class Form(typing.NamedTuple):
    name: str
    version: int
    lumps: list
    swapped: bool = False   # directory entries in the order of Left 4 Dead 2
    shuffled: bool = False  # shuffled as by map protectors: lumps in another order, at odd offsets, with wrong versions


def write(path, form):
    directory, body = [b""] * LUMPS, bytearray()
    for i in sorted(range(LUMPS), reverse=form.shuffled):
        lump = form.lumps[i]
        body += b"junk!" if form.shuffled else bytes(-len(body) % 4)
        offset = HEADER + len(body) if lump.data else 0
        data = move_game_lump(lump.data, offset) if i == GAME_LUMP else lump.data
        version = 0x4A554E4B if form.shuffled else lump.version
        place = (version, offset, len(data)) if form.swapped else (offset, len(data), version)
        directory[i] = struct.pack("<3iI", *place, lump.unpacked)
        body += data
    path.write_bytes(b"VBSP" + struct.pack("<i", form.version) + b"".join(directory) + bytes(4) + body)


# ---- Textures ---------------------------------------------------------------------------------------------------

RGBA8888, BGRA8888 = 0, 12


def vtf(width, height, number, pixels, frames=1):
    """Makes a VTF 7.1 with one mipmap level and 8 bits of alpha. `number` is the number of the pixel format; `pixels`
    has the pixels of all frames."""
    eight_bit_alpha, no_format = 0x2000, 0xFFFFFFFF
    header = struct.pack("<4s3I2HI2H4x3f4xfIBIBB", b"VTF", 7, 1, 64, width, height, eight_bit_alpha, frames,
                         0, 0, 0, 0, 1, number, 1, no_format, 0, 0)
    return header.ljust(64, b"\0") + pixels


# ---- Records ----------------------------------------------------------------------------------------------------

def repack(data, layout, make):
    return b"".join(make(*record) for record in struct.iter_unpack("<" + layout, data))


FACE, LEAF = "HBBihhhh4sif2i2iiHHI", "ihH3h3h4HhH"


def face17(*fields):
    place, styles, light = fields[:8], fields[8], fields[9:18]
    return (bytes(32) + struct.pack("<HBBihhhh", *place) + styles + b"\xff" * 4 + bytes(16)
            + struct.pack("<if4iiHH", *light))


def face18(*fields):
    return bytes(16) + struct.pack("<" + FACE, *fields)


def face25(plane, side, node, edge, edges, info, disp, _, styles, *rest):
    light, (primitives, first, smoothing) = rest[:7], rest[7:]
    counts = (primitives & 0x7FFF) << 1 | (0 if primitives & 0x8000 else 1)
    return (struct.pack("<IBBHiiiiI", plane, side, node, 0, edge, edges, info, disp, 0xFFFFFFFF) + styles
            + struct.pack("<if4ii3I", *light, counts, first, smoothing))


def leaf19(*fields):
    return struct.pack("<ihH3h3h4Hh", *fields[:-1]) + LEAF_CUBE + bytes(2)


def leaf25(contents, cluster, area, x0, y0, z0, x1, y1, z1, face, faces, brush, brushes, water, _):
    bits = (area & 0x1FF) | (area >> 9) << 17
    return struct.pack("<iiI6f4Ii", contents, cluster, bits, x0, y0, z0, x1, y1, z1, face, faces, brush, brushes, water)


def node25(plane, front, back, x0, y0, z0, x1, y1, z1, face, faces, area, _):
    return struct.pack("<3i6fIIhH", plane, front, back, x0, y0, z0, x1, y1, z1, face, faces, area, 0)


def dispinfo25(*fields):
    start, rest = fields[:9], fields[9:]
    face, _, alpha, samples = rest[:4]
    neighbors, corners, allowed = rest[4:36], rest[36:56], rest[56:]
    out = struct.pack("<3f3iIfi", *start) + struct.pack("<Iii", face, alpha, samples)
    for i in range(8):
        index, orientation, span, theirs = neighbors[4 * i:4 * i + 4]
        out += struct.pack("<IBBBx", 0xFFFFFFFF if index == 0xFFFF else index, orientation, span, theirs)
    for i in range(4):
        indices, count = corners[5 * i:5 * i + 4], corners[5 * i + 4]
        out += struct.pack("<4IB3x", *(0xFFFFFFFF if index == 0xFFFF else index for index in indices), count)
    return out + struct.pack("<10I", *allowed)


def world_light_100(before, after):
    return before + bytes(12) + after


WIDE = {
    NODES: ("3i3h3hHHhH", node25),
    FACES: (FACE, face25), ORIGINAL_FACES: (FACE, face25), FACES_HDR: (FACE, face25),
    LEAFS: (LEAF, leaf25),
    EDGES: ("HH", lambda a, b: struct.pack("<II", a, b)),
    LEAF_FACES: ("H", lambda i: struct.pack("<I", i)), LEAF_BRUSHES: ("H", lambda i: struct.pack("<I", i)),
    NORMAL_INDICES: ("H", lambda i: struct.pack("<I", i)), PRIMITIVE_INDICES: ("H", lambda i: struct.pack("<I", i)),
    BRUSH_SIDES: ("HhhBB", lambda p, t, d, bevel, thin: struct.pack("<IiiBBH", p, t, d, bevel, thin, 0)),
    AREA_PORTALS: ("4Hi", lambda *fields: struct.pack("<4Ii", *fields)),
    DISPINFO: ("3f3iIfiHHii" + "HBBBx" * 8 + "4HBx" * 4 + "10I", dispinfo25),
    PRIMITIVES: ("BxHHHH", lambda *fields: struct.pack("<B3x4I", *fields)),
    OVERLAYS: ("ihH256s88s", lambda i, t, n, faces, rest: struct.pack("<iiHH256s88s", i, t, n, 0, faces, rest)),
    AMBIENT_INDEX: ("HH", lambda n, first: struct.pack("<II", n, first)),
    AMBIENT_INDEX_HDR: ("HH", lambda n, first: struct.pack("<II", n, first)),
    WORLD_LIGHTS: ("36s52s", world_light_100), WORLD_LIGHTS_HDR: ("36s52s", world_light_100),
}
FACE_LUMPS = (FACES, ORIGINAL_FACES, FACES_HDR)
SOME_LIGHTS = {WORLD_LIGHTS: WIDE[WORLD_LIGHTS], WORLD_LIGHTS_HDR: WIDE[WORLD_LIGHTS_HDR]}


def with_records(lumps, table, version=None):
    """Rewrites the lumps that the table names. If `version` is given, the directory has it as version of these
    lumps."""
    out = list(lumps)
    for i, (layout, make) in table.items():
        out[i] = Lump(repack(lumps[i].data, layout, make), lumps[i].version if version is None else version)
    return out


def unlit(*fields):
    return struct.pack("<" + FACE, *fields[:8], bytes(4), 0, *fields[10:])


def with_hdr_light_only(lumps):
    """Leaves out the ordinary light, as newer compilers do. Only faces for HDR then have an offset into a lump of
    light."""
    out = list(lumps)
    out[LIGHTING_HDR], out[FACES_HDR], out[LIGHTING] = lumps[LIGHTING], lumps[FACES], Lump(b"", 0)
    out[FACES] = Lump(repack(lumps[FACES].data, FACE, unlit), lumps[FACES].version)
    return out


def with_extra_bytes(lumps, map_flags, extra):
    """Adds data for each luxel after the luxels of a face, as the compiler of CS:GO does."""
    light, moved = lumps[LIGHTING].data, bytearray()
    bumped = [record[16] & BUMPED for record in struct.iter_unpack("<16fIi", lumps[TEXINFO].data)]

    def move(*fields):
        info, styles, offset, width, height = fields[5], fields[8], fields[9], fields[13] + 1, fields[14] + 1
        used = sum(style != 255 for style in styles)
        if light and offset >= 0 and used:
            size = 4 * width * height * used * (4 if bumped[info] else 1)
            moved.extend(light[offset - 4 * used:offset + size])
            offset = len(moved) - size
            moved.extend(b"\xa5" * (extra * width * height))
        return struct.pack("<" + FACE, *fields[:9], offset, *fields[10:])

    out = with_records(lumps, {FACES: (FACE, move)})
    out[LIGHTING] = Lump(bytes(moved), lumps[LIGHTING].version)
    out[MAP_FLAGS] = Lump(struct.pack("<I", map_flags), 0)
    return out


def compressed(lumps):
    """Compresses all lumps except the game lump and the pakfile, as bspzip does."""
    def pack(lump):
        size, properties = 1 << 26, {"id": lzma.FILTER_LZMA1, "lc": 3, "lp": 0, "pb": 2, "dict_size": 1 << 26}
        stream = lzma.compress(lump.data, lzma.FORMAT_RAW, filters=[properties])
        packed = Lump(struct.pack("<4sIIBI", b"LZMA", len(lump.data), len(stream), 0x5D, size) + stream, lump.version)
        packed.unpacked = len(lump.data)
        return packed

    return [lump if not lump.data or i in (GAME_LUMP, PAKFILE) else pack(lump) for i, lump in enumerate(lumps)]


def rewritten(lumps):
    """Yields the map in all forms, the original first."""
    yield Form("20", 20, lumps)
    yield Form("17", 17, with_records(lumps, {i: (FACE, face17) for i in FACE_LUMPS}, 0))
    long_leafs = with_records(lumps, {LEAFS: (LEAF, leaf19)}, 0)
    yield Form("18", 18, with_records(long_leafs, {i: (FACE, face18) for i in FACE_LUMPS}))
    yield Form("19", 19, long_leafs)
    yield Form("19 with short leafs", 19, lumps)
    yield Form("20, compressed", 20, compressed(lumps))
    yield Form("20, shuffled", 20, lumps, shuffled=True)
    with_offsets = with_records(lumps, SOME_LIGHTS, 1)
    yield Form("20, HDR only", 20, with_hdr_light_only(lumps))
    yield Form("21", 21, with_offsets)
    yield Form("21 with a byte for each luxel", 21, with_extra_bytes(with_offsets, 0x4, 1))
    yield Form("21 with four bytes for each luxel", 21, with_extra_bytes(with_offsets, 0x7E, 4))
    yield Form("21 of Left 4 Dead 2", 21, with_offsets, swapped=True)
    strata = with_records(lumps, WIDE)
    for i in (*FACE_LUMPS, LEAFS):
        strata[i].version = 2
    for i in SOME_LIGHTS:
        strata[i].version = 1
    yield Form("25", 25, strata)
