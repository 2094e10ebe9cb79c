"""Makes small files that need many resources. Each function writes one such file (a bomb) into a folder and returns its
path. A separate process makes each bomb when a test needs it, because making it may take much memory."""
from __future__ import annotations

import lzma
import math
import random
import struct
import sys
import zipfile
import zlib
from pathlib import Path

# ---- Quake III ---------------------------------------------------------------------------------------------------

(ENTITIES, SHADERS, PLANES, NODES, LEAFS, LEAF_SURFACES, _, MODELS, _, _, VERTICES, INDICES, _, SURFACES, LIGHTMAPS, _,
 _) = range(17)
POLYGON, PATCH = 1, 2


def vertex(x: float, y: float, z: float) -> bytes:
    return struct.pack("<10f4B", x, y, z, x / 64, y / 64, 0, 0, 0, 0, 1, 255, 255, 255, 255)


def surface(kind: int, shader: int = 0, vertices: int = 4, indices: int = 6, size: tuple[int, int] = (0, 0)) -> bytes:
    return struct.pack("<12i12f2i", shader, -1, kind, 0, vertices, 0, indices, -1, 0, 0, 0, 0, *[0.0] * 9, 0.0, 0.0,
                       1.0, *size)


def quake3(lumps: dict[int, bytes]) -> bytes:
    """Returns a map with one square of the first shader, unless the lumps say otherwise."""
    square = b"".join(vertex(x, y, 0) for x, y in ((0, 0), (0, 64), (64, 64), (64, 0)))
    surfaces = lumps.get(SURFACES, surface(POLYGON))
    plain = {
        ENTITIES: b'{\n"classname" "worldspawn"\n}\n{\n"classname" "info_player_start"\n"origin" "0 0 64"\n}\n\0',
        SHADERS: shader("textures/bomb/0"), PLANES: struct.pack("<4f", 0, 0, 1, 0),
        LEAFS: struct.pack("<12i", *[0] * 12), VERTICES: square, INDICES: struct.pack("<6i", 0, 1, 2, 0, 2, 3),
        SURFACES: surfaces, MODELS: model(len(surfaces) // 104),
    }
    return pack_quake3({**plain, **lumps})


def pack_quake3(lumps: dict[int, bytes]) -> bytes:
    directory, body = b"", b""
    for slot in range(17):
        data = lumps.get(slot, b"")
        directory += struct.pack("<2i", 8 + 17 * 8 + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return b"IBSP" + struct.pack("<i", 46) + directory + body


def shader(name: str) -> bytes:
    return struct.pack("<64s2i", name.encode(), 0, 1)


def model(surfaces: int, first: int = 0) -> bytes:
    return struct.pack("<6f4i", *[-512.0] * 3, *[512.0] * 3, first, surfaces, 0, 0)


def patches(folder: Path, count: int = 3400) -> Path:
    """Makes a map of patches that share one control net of 31 x 31."""
    side = 31
    net = b"".join(vertex(x * 96, y * 96, 400 * math.sin(x * 1.6) * math.cos(y * 1.6))
                   for y in range(side) for x in range(side))
    path = folder / "patches.bsp"
    path.write_bytes(quake3({VERTICES: net, SURFACES: surface(PATCH, 0, side * side, 0, (side, side)) * count}))
    return path


def fewer_patches(folder: Path) -> Path:
    """Makes as many patches as a load accepts, so that the work after the load is tested too."""
    return patches(folder, 70)


def one_model(folder: Path) -> Path:
    """Makes entities that all place one model with many faces."""
    count = 2000
    entities = '{ "classname" "worldspawn" }\n' + '{ "classname" "func_wall" "model" "*1" }\n' * 8000
    path = folder / "one_model.bsp"
    path.write_bytes(quake3({SURFACES: surface(POLYGON) * count, ENTITIES: entities.encode() + b"\0",
                             MODELS: model(1) + model(count - 1, 1)}))
    return path


# ---- Pictures ----------------------------------------------------------------------------------------------------

SIDE = 8192


def archive(folder: Path, name: str, files: dict[str, bytes]) -> Path:
    path = folder / f"{name}.pk3"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for inner, data in files.items():
            out.writestr(inner, data)
    return path


def pictures(folder: Path, name: str, picture: bytes, ending: str, count: int) -> Path:
    files = {f"textures/bomb/{i}.{ending}": picture for i in range(count)}
    files["maps/bomb.bsp"] = quake3({
        SHADERS: b"".join(shader(f"textures/bomb/{i}") for i in range(count)),
        SURFACES: b"".join(surface(POLYGON, i) for i in range(count)),
    })
    return archive(folder, name, files)


def tga(folder: Path) -> Path:
    """Makes run-length coded pictures of one color."""
    header = struct.pack("<3B5x4H2B", 0, 0, 10, 0, 0, SIDE, SIDE, 24, 0x20)
    return pictures(folder, "tga", header + b"\xff\x10\x20\x30" * (SIDE * SIDE // 128), "tga", 16)


def small_tga(folder: Path) -> Path:
    """Makes many pictures. Each of them alone is small enough."""
    side = 2048
    header = struct.pack("<3B5x4H2B", 0, 0, 10, 0, 0, side, side, 24, 0x20)
    return pictures(folder, "small_tga", header + b"\xff\x10\x20\x30" * (side * side // 128), "tga", 256)


def png(folder: Path) -> Path:
    """Makes pictures of one color that are marked as not sRGB, so that writers must decode them."""
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    pixels = zlib.compress(bytes((SIDE + 1) * SIDE), 9)
    picture = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", SIDE, SIDE, 8, 0, 0, 0, 0))
               + chunk(b"gAMA", struct.pack(">I", 100000)) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
    return pictures(folder, "png", picture, "png", 16)


def jpeg(folder: Path) -> Path:
    """Makes progressive pictures that end early. The missing part would be gray."""
    def segment(marker: int, data: bytes) -> bytes:
        return struct.pack(">2BH", 0xFF, marker, len(data) + 2) + data
    components = b"".join(bytes((i, 0x11, 0)) for i in (1, 2, 3))
    frame = struct.pack(">B2HB", 8, SIDE, SIDE, 3) + components
    table = bytes((0, 0, 1)) + bytes(14) + bytes((0,))
    scan = bytes((3, 1, 0, 2, 0, 3, 0, 0, 0, 0))
    picture = (b"\xff\xd8" + segment(0xDB, bytes(1) + b"\1" * 64) + segment(0xC2, frame) + segment(0xC4, table)
               + segment(0xDA, scan) + bytes(SIDE) + b"\xff\xd9")
    return pictures(folder, "jpeg", picture, "jpg", 16)


def sky(folder: Path) -> Path:
    """Makes the sides of a sky of one color, from which a panorama of four times their width is made."""
    size = 2048
    header = struct.pack("<3B5x4H2B", 0, 0, 10, 0, 0, size, size, 24, 0x20)
    side = header + b"\xff\x10\x20\x30" * (size * size // 128)
    script = b"textures/bomb/0\n{\nsurfaceparm sky\nskyparms env/bomb - -\n}\n"
    return archive(folder, "sky", {
        **{f"env/bomb_{name}.tga": side for name in ("rt", "bk", "lf", "ft", "up", "dn")},
        "scripts/bomb.shader": script, "maps/bomb.bsp": quake3({})})


def wide_faces(folder: Path, count: int = 8, extent: int = 60_000) -> Path:
    """Makes faces that need more texels than fit into the largest picture of --lighting baked."""
    picture = struct.pack("<3B5x4H2B", 0, 0, 10, 0, 0, 256, 256, 24, 0x20) + b"\xff\x10\x20\x30" * 512
    corners = b"".join(
        struct.pack("<10f4B", x * extent, y * extent, 0, x * extent / 64, y * extent / 64, x, y, 0, 0, 1, *[255] * 4)
        for x, y in ((0, 0), (0, 1), (1, 1), (1, 0)))
    lit = bytearray(surface(POLYGON))
    struct.pack_into("<i", lit, 28, 0)
    return archive(folder, "wide_faces", {"textures/bomb/0.tga": picture, "maps/bomb.bsp": quake3(
        {SURFACES: bytes(lit) * count, VERTICES: corners, LIGHTMAPS: bytes(range(192)) * 256})})


# ---- GoldSrc -----------------------------------------------------------------------------------------------------

def goldsrc(entities: str, faces: int, styles: bytes, extent: int = 240, offset: int = 0) -> bytes:
    """Returns a map that has one square many times. All of these faces are lit by the same luxels."""
    points = ((0, 0), (0, extent), (extent, extent), (extent, 0))
    luxels = (extent // 16 + 1) ** 2
    miptex = struct.pack("<2i", 1, 8) + struct.pack("<16s6I", b"bomb", 16, 16, 0, 0, 0, 0)
    name = entities.encode() + b"\0"
    face = [struct.pack("<HHiHH", 0, 0, 0, 4, 0) + styles[i % 64 * 4:][:4] + struct.pack("<i", i * offset)
            for i in range(faces)]
    lumps = [name, struct.pack("<4fi", 0, 0, 1, 0, 2), miptex,
             b"".join(struct.pack("<3f", *point, 0) for point in points), b"",
             struct.pack("<i2h6h2H", 0, -1, -2, *[-512] * 3, *[512] * 3, 0, 1),
             struct.pack("<8f2i", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0), b"".join(face),
             random.Random(1).randbytes(luxels * 3 * 4 + faces * offset),
             b"", struct.pack("<2i6h2H4B", -2, -1, *[0] * 6, 0, 0, *[0] * 4) * 2, b"",
             b"".join(struct.pack("<2H", *edge) for edge in ((0, 0), (0, 1), (1, 2), (2, 3), (3, 0))),
             struct.pack("<4i", 1, 2, 3, 4),
             struct.pack("<9f7i", *[-512.0] * 3, *[512.0] * 3, *[0.0] * 3, 0, -1, -1, -1, 0, 0, faces)]
    directory, body = b"", b""
    for data in lumps:
        directory += struct.pack("<2i", 4 + 15 * 8 + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return struct.pack("<i", 30) + directory + body


def decals(folder: Path) -> Path:
    """Makes decals that each cover all faces."""
    decal = '{ "classname" "infodecal" "texture" "bomb" "origin" "80 80 0" }\n'
    path = folder / "decals.bsp"
    path.write_bytes(goldsrc('{ "classname" "worldspawn" }\n' + decal * 3000, 6000, bytes((0, 255, 255, 255)) * 64))
    return path


def styles(folder: Path) -> Path:
    """Makes a map with every light style on every page."""
    path = folder / "styles.bsp"
    path.write_bytes(goldsrc('{ "classname" "worldspawn" }\n', 8000, bytes(min(i, 254) for i in range(256)), offset=3))
    return path


def luxels(folder: Path) -> Path:
    """Makes many faces that all have the same noisy luxels. Without a limit, computing vertex light would read all of
    these luxels again for each face."""
    path = folder / "luxels.bsp"
    path.write_bytes(goldsrc('{ "classname" "worldspawn" }\n', 14000, bytes((0, 255, 255, 255)) * 64))
    return path


def keys(folder: Path) -> Path:
    """Makes entities with only short keys."""
    entity = "{" + "".join(f'"{i}""{i}"' for i in range(60)) + "}"
    path = folder / "keys.bsp"
    path.write_bytes(goldsrc('{ "classname" "worldspawn" }\n' + entity * 700, 1, bytes((0, 255, 255, 255)) * 64))
    return path


# ---- Compressed maps ----------------------------------------------------------------------------------------------

def packed_map(folder: Path) -> Path:
    """Makes a map of zeros in an archive."""
    return archive(folder, "packed_map", {"maps/bomb.bsp": quake3({VERTICES: bytes(44 * 6_000_000)})})


SOURCE_RECORDS = {1: 20, 2: 32, 3: 12, 6: 72, 7: 56, 12: 4, 13: 4, 14: 48}


def valve_lzma(data: bytes) -> bytes:
    packed = lzma.compress(data, lzma.FORMAT_ALONE, filters=[{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 24}])
    return b"LZMA" + struct.pack("<2I", len(data), len(packed) - 13) + packed[:5] + packed[13:]


def source(folder: Path) -> Path:
    """Makes lumps of zeros that are packed 7,000 to 1."""
    header, body = b"VBSP" + struct.pack("<i", 20), b""
    for slot in range(64):
        data, size = b"", 0
        if slot in SOURCE_RECORDS:
            size = (200 << 20) // 8 // SOURCE_RECORDS[slot] * SOURCE_RECORDS[slot] if slot != 14 else 48
            data = valve_lzma(bytes(size))
        header += struct.pack("<3iI", 1036 + len(body), len(data), 0, size)
        body += data + bytes(-len(data) % 4)
    path = folder / "source.bsp"
    path.write_bytes(header + bytes(4) + body)
    return path


def room_with(lump: int, data: bytes) -> bytes:
    """Returns the Source fixture with one lump replaced by `data`."""
    room = bytearray((Path(__file__).resolve().parents[1] / "fixtures/source/maps/room.bsp").read_bytes())
    struct.pack_into("<2i", room, 8 + 16 * lump, len(room), len(data))
    return bytes(room) + data


def overlays(folder: Path, count: int = 2700) -> Path:
    """Makes overlays that each cover the largest number of faces."""
    room = room_with(63, b"")
    at, = struct.unpack_from("<i", room, 8 + 16 * 45)
    record = bytearray(room[at:at + 352])
    struct.pack_into("<H", record, 6, 64)
    struct.pack_into("<64i", record, 8, *(face % 8 for face in range(64)))
    path = folder / "overlays.bsp"
    path.write_bytes(room_with(45, bytes(record) * count))
    return path


def source_decals(folder: Path) -> Path:
    """Makes many decals in one place."""
    decal = b'{"classname" "infodecal" "texture" "test/decal" "origin" "0 0 0"}\n'
    path = folder / "source_decals.bsp"
    path.write_bytes(room_with(0, b'{"classname" "worldspawn"}\n' + decal * 12000 + b"\0"))
    return path


def deep_texts(folder: Path) -> Path:
    """Makes materials and entities whose brackets are never closed."""
    deep = b'"LightmappedGeneric"\n' + b'{"a"\n' * 1_000_000
    return archive(folder, "deep_texts", {
        **{f"materials/test/{name}.vmt": deep for name in ("decal", "grass", "water")},
        "maps/room.bsp": room_with(0, b'{"classname" "worldspawn"}\n' + b"{" * 800_000 + b"\0")})


def scripts(folder: Path) -> Path:
    """Makes scripts of millions of shaders."""
    text = b"x\n{\n}\n" * 3_000_000
    return archive(folder, "scripts", {**{f"scripts/{i}.shader": text for i in range(16)},
                                       "maps/bomb.bsp": quake3({})})


# ---- Models that move ---------------------------------------------------------------------------------------------

def sequences(folder: Path) -> Path:
    """Makes an IQM with thousands of sequences. All of them show the same frames, in which nothing moves, so each
    sequence takes only 20 bytes."""
    joints, frames, count = 16, 60, 4000
    pose = struct.pack("<10f", 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
    parents = range(-1, joints - 1)
    blocks = {
        "text": b"\0n\0\0", "meshes": struct.pack("<6I", 1, 1, 0, 3, 0, 1),
        "positions": struct.pack("<9f", 0, 0, 0, 16, 0, 0, 0, 16, 0), "uvs": struct.pack("<6f", 0, 0, 1, 0, 0, 1),
        "joint_numbers": bytes(12), "weights": bytes((255, 0, 0, 0)) * 3, "triangles": struct.pack("<3I", 0, 1, 2),
        "joints": b"".join(struct.pack("<Ii", 1, parent) + pose for parent in parents),
        "poses": b"".join(struct.pack("<iI", parent, 0) + pose + bytes(40) for parent in parents),
        "sequences": struct.pack("<3IfI", 1, 0, frames, 20, 0) * count,
    }
    at, offsets = 124 + 4 * 20, {}
    for name, block in blocks.items():
        offsets[name] = at
        at += len(block)
    arrays = b"".join(struct.pack("<5I", kind, 0, form, width, offsets[name]) for kind, form, width, name in (
        (0, 7, 3, "positions"), (1, 7, 2, "uvs"), (4, 1, 4, "joint_numbers"), (5, 1, 4, "weights")))
    header = b"INTERQUAKEMODEL\0" + struct.pack(
        "<27I", 2, at, 0, 4, offsets["text"], 1, offsets["meshes"], 4, 3, 124, 1, offsets["triangles"], 0, joints,
        offsets["joints"], joints, offsets["poses"], count, offsets["sequences"], frames, 0, at, *[0] * 5)
    path = folder / "sequences.iqm"
    path.write_bytes(header + arrays + b"".join(blocks.values()))
    return path


BOMBS = {make.__name__: make for make in (
    patches, fewer_patches, one_model, tga, small_tga, png, jpeg, sky, wide_faces, decals, styles, luxels, keys,
    packed_map, source, overlays, source_decals, deep_texts, scripts, sequences)}

if __name__ == "__main__":
    print(BOMBS[sys.argv[1]](Path(sys.argv[2])))
