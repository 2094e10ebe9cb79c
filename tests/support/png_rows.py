"""Reads and writes PNG as bake and render write it (8-bit RGB, not interlaced), with the standard library only."""
from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def write_png(path: str | Path, width: int, height: int, rows: Sequence[bytes | bytearray]) -> None:
    packed = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", packed) +
                           _chunk(b"IEND", b""))


def read_png(path: str | Path) -> tuple[int, int, list[bytearray]]:
    """Reads a PNG file. Returns width, height and rows."""
    data, at, packed, width, height = Path(path).read_bytes(), 8, b"", 0, 0
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IHDR":
            width, height = struct.unpack(">II", data[at + 8:at + 16])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    raw, rows, before, stride = zlib.decompress(packed), [], bytearray(3 * width), 3 * width + 1
    for y in range(height):
        kind, row = raw[y * stride], bytearray(raw[y * stride + 1:(y + 1) * stride])
        for i, value in enumerate(row):
            a, b, c = (row[i - 3] if i > 2 else 0), before[i], (before[i - 3] if i > 2 else 0)
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[i] = (value + [0, a, b, (a + b) // 2, paeth][kind]) & 255
        rows.append(row)
        before = row
    return width, height, rows
