"""An independent reader of maps' directories and entity text, written by the engines' headers. It returns named parts
of the file."""
from __future__ import annotations

import re
import struct

# The size of the header before the directory, and the number of lumps, by magic and version.
DIRECTORIES = {
    (b"IBSP", 38): (8, 19), (b"QBSP", 38): (8, 19), (b"IBSP", 39): (8, 18), (b"IBSP", 41): (8, 19),
    (b"IBSP", 46): (8, 17), (b"IBSP", 47): (8, 17), (b"IBSP", 78): (8, 17), (b"IBSP", 79): (8, 17),
    (b"IBSP", 58): (8, 33), (b"IBSP", 59): (8, 33), (b"IBSP", 4): (8, 39), (b"RBSP", 1): (8, 18), (b"FBSP", 1): (8, 18),
    (b"FAKK", 12): (12, 20), (b"FAKK", 42): (12, 20), (b"EF2!", 20): (12, 30),
    (b"2015", 17): (12, 29), (b"2015", 18): (12, 28), (b"2015", 19): (12, 28), (b"EALA", 21): (12, 28),
}
ENTITIES_AT = {(b"IBSP", 58): 29, (b"IBSP", 59): 29, (b"IBSP", 4): 37, (b"FAKK", 12): 14, (b"FAKK", 42): 14,
               (b"2015", 17): 15, (b"2015", 18): 14, (b"2015", 19): 14, (b"EALA", 21): 14, (b"EF2!", 20): 16}
SIZE_FIRST = {(b"IBSP", 59), (b"IBSP", 4)}
CHUNKS, CHUNK_OF_ENTITIES = (b"IBSP", 22), 39
GENESIS, GENESIS_ENTITIES, GENESIS_END = b"\0\0\0\0\x1c\0\0\0\1\0\0\0GBSP", 16, 0xffff
GAME_LUMP = 35


class Unread(Exception):
    pass


def _pairs(data: bytes, at: int, count: int) -> list[tuple[int, int]]:
    return [struct.unpack_from("<ii", data, at + 8 * i) for i in range(count)]


def _source(data: bytes) -> tuple[list[tuple[int, int]], int]:
    version = struct.unpack_from("<I", data, 4)[0]
    entries = [struct.unpack_from("<4i", data, (12 if version == 27 else 8) + 16 * i) for i in range(64)]
    swapped = version == 21 and all(0 <= a < 256 for a, *_ in entries) and any(b for _, b, _, _ in entries)
    if swapped and not all(0 <= c < 256 for _, _, c, _ in entries):
        return [(b, c) for _, b, c, _ in entries], 0
    return [(a, b) for a, b, _, _ in entries], 0


def _chunks(data: bytes) -> list[tuple[int, int]]:
    """Finds chunks that follow each other, each padded to four bytes. Returns their offsets and sizes, by type."""
    count = struct.unpack_from("<I", data, 8)[0]
    at, found = 12 + 8 * count, {}
    for kind, size in _pairs(data, 12, count):
        found[kind] = at, size
        at += (size + 3) & ~3
    return [found.get(kind, (0, 0)) for kind in range(max(found) + 1)]


def _heads(data: bytes) -> list[tuple[int, int]]:
    """Finds arrays that follow each other, each after its type, record size and count. Returns their offsets and
    sizes, by type."""
    at, found = 0, {}
    while (head := struct.unpack_from("<3I", data, at))[0] != GENESIS_END:
        kind, size, count = head
        found[kind] = at + 12, size * count
        at += 12 + size * count
    return [found.get(kind, (0, 0)) for kind in range(max(found) + 1)]


def _counted_entities(data: bytes) -> bytes:
    """Converts binary entities (counts and lengths before bytes) to text. The world has no class."""
    at = 4
    entities: list[list[tuple[bytes, bytes]]] = []

    def word() -> bytes:
        nonlocal at
        size = struct.unpack_from("<i", data, at)[0]
        at += 4 + size
        return data[at - size:at].rstrip(b"\0")

    for _ in range(struct.unpack_from("<i", data)[0]):
        pairs = struct.unpack_from("<i", data, at)[0]
        at += 4
        entity = [(word(), word().replace(b'"', b"'")) for _ in range(pairs)]
        named = any(key == b"classname" for key, _ in entity)
        entities.append(entity if named else [(b"classname", b"worldspawn"), *entity])
    return write_entities(entities)


def _directory(data: bytes) -> tuple[list[tuple[int, int]], int]:
    """Returns the offset and the size of each lump, and the number of the entity lump."""
    magic, version = data[:4], struct.unpack_from("<I", data, 4)[0]
    if magic == b"VBSP":
        return _source(data)
    if magic == b"rBSP":
        return [struct.unpack_from("<ii", data, 16 + 16 * i) for i in range(128)], 0
    if data.startswith(GENESIS):
        return _heads(data), GENESIS_ENTITIES
    if (magic, version) in DIRECTORIES:
        at, count = DIRECTORIES[magic, version]
        lumps = _pairs(data, at, count)
        if (magic, version) in SIZE_FIRST:
            lumps = [(offset, size) for size, offset in lumps]
        return lumps, ENTITIES_AT.get((magic, version), 0)
    if (magic, version) == CHUNKS:
        return _chunks(data), CHUNK_OF_ENTITIES
    number = struct.unpack_from("<I", data)[0]
    if number in (29, 30, 42, 43) or magic in (b"BSP2", b"2PSB"):
        lumps = _pairs(data, 4, 18 if number == 42 else 15)
        if data[124:128] == b"XASH":
            lumps += _pairs(data, 132, 12)
        begins = data[lumps[0][0]:lumps[0][0] + 40]
        swapped = number == 30 and not re.match(rb'\s*\{\s*"', begins)
        return lumps, 1 if swapped else 0
    raise Unread(f"{magic!r} {version}")


def _game_parts(data: bytes, at: int, size: int) -> list[tuple[bytes, int, int]]:
    count = struct.unpack_from("<i", data, at)[0] if size >= 4 else 0
    return [(struct.unpack_from("<4s", data, at + 4 + 16 * i)[0], *struct.unpack_from("<ii", data, at + 12 + 16 * i))
            for i in range(count)]


def read_lumps(data: bytes) -> dict[str, bytes]:
    """Returns the bytes of all lumps in the file's directory, by their number as text. The entity text has the key
    "entities"."""
    lumps, text = _directory(data)
    found, end = {}, 0
    for number, (offset, size) in enumerate(lumps):
        if size <= 0 or offset < 0 or offset > len(data):
            continue
        end = max(end, offset + size)
        name = "entities" if number == text else str(number)
        if data[:4] in (b"VBSP", b"rBSP") and number == GAME_LUMP:
            for index, (kind, at, part) in enumerate(_game_parts(data, offset, size)):
                found[f"game {index} {kind.decode('latin-1')}"] = data[at:at + part]
            found["game size"] = str(size).encode()
            continue
        found[name] = data[offset:offset + size]
    if data.startswith(GENESIS):
        found["entities"] = _counted_entities(found["entities"])
    at = (end + 3) & ~3
    if data[at:at + 4] == b"BSPX":
        for index in range(struct.unpack_from("<I", data, at + 4)[0]):
            name, offset, size = struct.unpack_from("<24sii", data, at + 8 + 32 * index)
            found[f"BSPX {name.rstrip(bytes(1)).decode('latin-1')}"] = data[offset:offset + size]
    return found


TOKEN = re.compile(rb'//[^\n]*|\{|\}|"([^"]*)"|([^\s{}"]+)')


def read_entities(text: bytes) -> list[list[tuple[bytes, bytes]]]:
    """Returns keys and values in bytes, as an engine's COM_Parse reads them."""
    entities: list[list[tuple[bytes, bytes]]] = []
    words: list[bytes] = []
    for token in TOKEN.finditer(text.split(b"\0")[0]):
        if token[0] == b"{":
            words = []
        elif token[0] == b"}":
            entities.append(list(zip(words[::2], words[1::2])))
        elif not token[0].startswith(b"//"):
            words.append(token[1] if token[1] is not None else token[2])
    return entities


def write_entities(entities: list[list[tuple[bytes, bytes]]]) -> bytes:
    return b"".join(b"{\n" + b"".join(b'"%s" "%s"\n' % pair for pair in entity) + b"}\n" for entity in entities)
