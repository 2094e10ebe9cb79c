"""Makes maps of any size, to measure how times grow with size. A map is a floor of square faces, each with its
lightmap, for Quake (BSP2) or Quake III. The maps are as simple as possible, so that only the work for faces, vertices
and luxels grows."""
from __future__ import annotations

import struct
from array import array
from pathlib import Path

FACE_SIZE = 64                         # game units, which give 5 x 5 luxels of 16 units
LUXELS = 25
ROW = 256                              # number of faces in a row of the floor
PLANE_UP = struct.pack("<4fi", 0, 0, 1, 0, 2)
ENTITIES = b'{\n"classname" "worldspawn"\n}\n\0'


def corners(face: int) -> tuple[tuple[int, int], ...]:
    x, y = face % ROW * FACE_SIZE - ROW * FACE_SIZE // 2, face // ROW * FACE_SIZE
    # If one floor is full, another one begins at the lower edge, because coordinates are limited.
    y = y % 16384 - 8192
    return (x, y), (x, y + FACE_SIZE), (x + FACE_SIZE, y + FACE_SIZE), (x + FACE_SIZE, y)


def height(face: int) -> int:
    return face // ROW * FACE_SIZE // 16384 * 128


def with_directory(magic: bytes, lumps: list[bytes]) -> bytes:
    at = len(magic) + 8 * len(lumps)
    directory = b""
    for lump in lumps:
        directory += struct.pack("<2i", at, len(lump))
        at += len(lump)
    return magic + directory + b"".join(lumps)


def make_bsp2(faces: int) -> bytes:
    vertices, edges, surfedges = array("f"), array("i", [0, 0]), array("i")
    records = bytearray()
    for face in range(faces):
        first = 4 * face
        for x, y in corners(face):
            vertices.extend((x, y, height(face)))
        for k in range(4):
            edges.extend((first + k, first + (k + 1) % 4))
            surfedges.append(first + k + 1)
        records += struct.pack("<5i4Bi", 0, 0, first, 4, 0, 0, 255, 255, 255, face * LUXELS)
    texinfo = struct.pack("<8fii", 1, 0, 0, 0, 0, -1, 0, 0, 0, 0)
    miptex = struct.pack("<16s6I", b"floor", 16, 16, 0, 0, 0, 0)
    textures = struct.pack("<2i", 1, 8) + miptex
    node = struct.pack("<3i6f2I", 0, -1, -1, *[-9e3] * 3, *[9e3] * 3, 0, faces)
    leaf = struct.pack("<2i6f2I4B", -2, -1, *[0] * 6, 0, 0, 0, 0, 0, 0)
    model = struct.pack("<9f7i", *[-9e3] * 3, *[9e3] * 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, faces)
    light = bytes(i * 37 % 200 for i in range(997)) * (faces * LUXELS // 997 + 1)
    return with_directory(b"BSP2", [
        ENTITIES, PLANE_UP, textures, vertices.tobytes(), b"", node, texinfo, bytes(records),
        light[:faces * LUXELS], b"", leaf * 2, b"", edges.tobytes(), surfedges.tobytes(), model])


def make_ibsp(faces: int) -> bytes:
    per_page = 25 * 25
    vertices, records = bytearray(), bytearray()
    for face in range(faces):
        at = face % per_page
        for (x, y), (u, v) in zip(corners(face), ((0, 0), (0, 4), (4, 4), (4, 0))):
            page_u, page_v = (at % 25 * 5 + u + 0.5) / 128, (at // 25 * 5 + v + 0.5) / 128
            vertices += struct.pack("<10f4B", x, y, height(face), x / 64, y / 64, page_u, page_v, 0, 0, 1, *[255] * 4)
        place = (face // per_page, at % 25 * 5, at // 25 * 5, 5, 5)
        records += struct.pack("<12i12f2i", 0, -1, 1, 4 * face, 4, 0, 6, *place, *[0] * 9, 0, 0, 1, 0, 0)
    indices = struct.pack("<6i", 0, 1, 2, 0, 2, 3)
    shader = struct.pack("<64s2i", b"textures/floor", 0, 1)
    leaf = struct.pack("<12i", -1, 0, *[-9000] * 3, *[9000] * 3, 0, 0, 0, 0)
    node = struct.pack("<9i", 0, -1, -1, *[-9000] * 3, *[9000] * 3)
    model = struct.pack("<6f4i", *[-9e3] * 3, *[9e3] * 3, 0, faces, 0, 0)
    page = bytes(i * 37 % 200 for i in range(128 * 128 * 3))
    pages = page * ((faces + per_page - 1) // per_page)
    return with_directory(b"IBSP" + struct.pack("<i", 46), [
        ENTITIES, shader, PLANE_UP[:16], node, leaf, b"", b"", model, b"", b"", bytes(vertices), indices, b"",
        bytes(records), pages, b"", b""])


MAKERS = {"BSP2": make_bsp2, "Quake III": make_ibsp}


def make_map(kind: str, size: int, path: Path) -> None:
    """Makes a file of approximately this many bytes."""
    some = 2000
    per_face = len(MAKERS[kind](some)) / some
    path.write_bytes(MAKERS[kind](int(size / per_face)))
