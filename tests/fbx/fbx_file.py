"""A strict reader of binary FBX: every offset, size, null record and the footer must be correct.

    read(bytes) -> File; raises Broken if something is wrong
"""
from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from typing import Any
from collections.abc import Iterator

MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
FOOTER_ID = bytes.fromhex("FABCAB09D0C8D466B176FB831CF7267E")
FOOTER_END = bytes.fromhex("F85A8C6ADEF5D97EECE90CE3758F290B")
SCALARS = {"C": ("<B", 1), "Y": ("<h", 2), "I": ("<i", 4), "L": ("<q", 8), "F": ("<f", 4), "D": ("<d", 8)}
ARRAYS = {"i": ("i", 4), "l": ("q", 8), "f": ("f", 4), "d": ("d", 8), "b": ("B", 1)}


class Broken(Exception):
    """An error in the file, with the reason."""


@dataclass
class Record:
    name: str
    properties: list[Any]
    types: str
    children: list[Record] = field(default_factory=list)

    def find(self, name: str) -> Record | None:
        return next((child for child in self.children if child.name == name), None)

    def all(self, name: str) -> list[Record]:
        return [child for child in self.children if child.name == name]

    def one(self, name: str) -> Record:
        found = self.all(name)
        if len(found) != 1:
            raise Broken(f"{len(found)} records {name} in {self.name}")
        return found[0]

    def named(self) -> tuple[str, str]:
        """Returns the name and the class of an object."""
        name, _, kind = self.properties[1].partition("\x00\x01")
        return name, kind

    def values(self) -> dict[str, list[Any]]:
        """Returns the properties of an object by name. Each has a type, a second type, flags, and values."""
        block = self.find("Properties70")
        return {p.properties[0]: p.properties[1:] for p in (block.children if block else [])}


@dataclass
class File:
    version: int
    top: list[Record]

    def one(self, name: str) -> Record:
        return Record("", [], "", self.top).one(name)

    def objects(self, kind: str) -> list[Record]:
        return self.one("Objects").all(kind)


class Reader:
    def __init__(self, data: bytes, version: int):
        self.data, self.wide = data, version >= 7500
        self.head = 25 if self.wide else 13

    def null(self, at: int) -> bool:
        return self.data[at:at + self.head] == bytes(self.head)

    def record(self, at: int, limit: int) -> tuple[Record, int]:
        if at + self.head > limit:
            raise Broken(f"a record at {at} is cut off")
        end, count, size, length = struct.unpack_from("<QQQB" if self.wide else "<IIIB", self.data, at)
        begin = at + self.head + length
        if not begin + size <= end <= limit:
            raise Broken(f"the record at {at} ends at {end}, its properties at {begin + size}, its parent at {limit}")
        record = Record(self.data[at + self.head:begin].decode(), [], "")
        at = begin
        for _ in range(count):
            at = self.property(record, at, begin + size)
        if at != begin + size:
            raise Broken(f"{record.name}: {size} bytes of properties, but {at - begin} are used")
        if at == end and count == 0:
            raise Broken(f"{record.name}: neither properties nor a null record")
        while at < end:
            if self.null(at):
                if at + self.head != end:
                    raise Broken(f"{record.name}: a null record at {at}, and the end at {end}")
                return record, end
            child, at = self.record(at, end)
            record.children.append(child)
            if at == end:
                raise Broken(f"{record.name}: no null record after its children")
        return record, end

    def property(self, record: Record, at: int, limit: int) -> int:
        kind = chr(self.data[at])
        at += 1
        record.types += kind
        if kind in SCALARS:
            form, size = SCALARS[kind]
            record.properties.append(struct.unpack_from(form, self.data, at)[0])
            at += size
        elif kind in "SR":
            size = struct.unpack_from("<I", self.data, at)[0]
            raw = self.data[at + 4:at + 4 + size]
            at += 4 + size
            record.properties.append(raw.decode() if kind == "S" else raw)
        elif kind in ARRAYS:
            at = self.array(record, kind, at)
        else:
            raise Broken(f"{record.name}: a property of type {kind!r}")
        if at > limit:
            raise Broken(f"{record.name}: a property ends at {at}, behind {limit}")
        return at

    def array(self, record: Record, kind: str, at: int) -> int:
        form, width = ARRAYS[kind]
        count, packed, size = struct.unpack_from("<III", self.data, at)
        raw = self.data[at + 12:at + 12 + size]
        if packed not in (0, 1) or (packed and count * width <= 128):
            raise Broken(f"{record.name}: an array of {count} is stored in way {packed}")
        if packed:
            stream = zlib.decompressobj()
            raw = stream.decompress(raw)
            if not stream.eof or stream.unused_data:
                raise Broken(f"{record.name}: bytes behind the zlib stream, or none of its end")
            if size >= count * width:
                raise Broken(f"{record.name}: packing made it larger")
        if len(raw) != count * width:
            raise Broken(f"{record.name}: {len(raw)} bytes for {count} elements")
        record.properties.append(struct.unpack(f"<{count}{form}", raw))
        return at + 12 + size

    def footer(self, at: int, version: int) -> None:
        rest = self.data[at:]
        padding = 16 - (at + 20) % 16
        want = FOOTER_ID + bytes(4) + bytes(padding) + struct.pack("<I", version) + bytes(120) + FOOTER_END
        if rest != want:
            raise Broken("the footer is not what the SDK wants")


def read(data: bytes) -> File:
    if data[:23] != MAGIC:
        raise Broken("this is no binary FBX")
    version = struct.unpack_from("<I", data, 23)[0]
    reader, at, top = Reader(data, version), 27, []
    try:
        while not reader.null(at):
            record, at = reader.record(at, len(data))
            top.append(record)
    except (struct.error, IndexError, UnicodeDecodeError, zlib.error) as error:
        raise Broken(f"near {at}: {error}") from error
    reader.footer(at + reader.head, version)
    return File(version, top)


def triangles(geometry: Record) -> Iterator[tuple[int, int, int]]:
    corners = geometry.one("PolygonVertexIndex").properties[0]
    for i in range(0, len(corners), 3):
        yield corners[i], corners[i + 1], ~corners[i + 2]
