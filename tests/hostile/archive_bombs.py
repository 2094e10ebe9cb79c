"""Makes small archives that cause much work, and large ones that cause little. Each function writes one archive into a
folder and returns its path."""
from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

import bombs


def pack(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method, compresslevel=9) as out:
        for name, content in files.items():
            out.writestr(zipfile.ZipInfo(name), content, method)
    return data.getvalue()


def padded_map(size: int, number: int = 0) -> bytes:
    """Returns a map of about `size` bytes, mostly zeros, which differs for each number."""
    return bombs.quake3({bombs.VERTICES: struct.pack("<i", number) + bytes(size // 44 * 44 - 4)})


def many_of(packed: bytes, data: bytes, method: int, count: int, shared: bool) -> bytes:
    """Returns a zip in which many names have the same packed bytes. If `shared`, the bytes are stored once and the
    records overlap; otherwise they are stored once for each name."""
    fields = struct.pack("<5H3I", 20, 0, method, 0, 0, zlib.crc32(data), len(packed), len(data))
    bodies, records, size = [], [], 0
    for i in range(count):
        local = b"PK\3\4" + fields + struct.pack("<2H", len(name_of(i)), 0) + name_of(i) + packed
        at = 0 if shared else size
        if not shared or not i:
            bodies.append(local)
            size += len(local)
        records.append(b"PK\1\2" + struct.pack("<H", 20) + fields
                       + struct.pack("<5H2I", len(name_of(i)), 0, 0, 0, 0, 0, at) + name_of(i))
    directory = b"".join(records)
    end = b"PK\5\6" + struct.pack("<4H2IH", 0, 0, count, count, len(directory), size, 0)
    return b"".join(bodies) + directory + end


def overlap(folder: Path, count: int = 10_000, size: int = 6 << 20) -> Path:
    """Makes an archive whose names all lead to the same packed map (Fifield 2019, A better zip bomb)."""
    data = padded_map(size)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    path = folder / "overlap.pk3"
    path.write_bytes(many_of(packer.compress(data) + packer.flush(), data, zipfile.ZIP_DEFLATED, count, True))
    return path


def better_packed(folder: Path, count: int = 2000, size: int = 60 << 20) -> Path:
    """Makes an archive of maps of zeros, by a method that packs a hundred thousand to one."""
    data = padded_map(size)
    path = folder / "better_packed.pk3"
    path.write_bytes(many_of(bz2.compress(data, 9), data, zipfile.ZIP_BZIP2, count, False))
    return path


def name_of(number: int) -> bytes:
    return f"maps/a{number:05}.bsp".encode()


def fan(folder: Path, width: int = 40, depth: int = 4) -> Path:
    """Makes nested archives with `width` to the power of `depth` maps."""
    data, ending = bombs.quake3({}), "bsp"
    for _ in range(depth):
        data = pack({f"{i}_x.{ending}": data for i in range(width)})
        ending = "pk3"
    path = folder / "fan.zip"
    path.write_bytes(data)
    return path


def wide(folder: Path, count: int = 2000, size: int = 6 << 20) -> Path:
    """Makes an archive of maps of zeros, each stored separately."""
    path = folder / "wide.pk3"
    member = pack({name_of(0).decode(): padded_map(size)})
    inner = pack({f"{i}.pk3": member for i in range(count)})
    path.write_bytes(inner)
    return path


def packed_maps(folder: Path, count: int = 1500, size: int = 60 << 20) -> Path:
    """Makes an archive of maps of zeros that are compressed before they are archived. So the sizes that the archive
    states are small."""
    member = gzip.compress(padded_map(size), 9)
    path = folder / "packed_maps.pk3"
    path.write_bytes(pack({f"maps/{i}.bsp.gz": member for i in range(count)}))
    return path


def broken_packed_maps(folder: Path, count: int = 1500, size: int = 60 << 20) -> Path:
    """Makes an archive of compressed files that are not maps."""
    member = lzma.compress(bytes(size), lzma.FORMAT_XZ)
    path = folder / "broken_packed_maps.pk3"
    path.write_bytes(pack({f"maps/{i}.bsp.xz": member for i in range(count)}))
    return path


def tar(size: int, count: int = 1) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as out:
        for i in range(count):
            info = tarfile.TarInfo(f"{i}.bin")
            info.size = size
            out.addfile(info, io.BytesIO(bytes(size)))
    return data.getvalue()


def tars_of(path: Path, content: bytes, count: int) -> Path:
    member = gzip.compress(content, 9)
    path.write_bytes(pack({f"{i}.tar.gz": member for i in range(count)}))
    return path


def tars(folder: Path, count: int = 1000) -> Path:
    """Makes an archive of packed tars, which are unpacked to look into them."""
    return tars_of(folder / "tars.zip", tar(60 << 20), count)


def refused_tars(folder: Path, count: int = 1000) -> Path:
    """Makes an archive of compressed tars larger than allowed, which shows only at their end."""
    return tars_of(folder / "refused_tars.zip", tar(40 << 20, 2), count)


def broken_tars(folder: Path, count: int = 1000) -> Path:
    """Makes an archive of compressed tars that are damaged after their first file."""
    return tars_of(folder / "broken_tars.zip", tar(60 << 20)[:512 + (60 << 20)] + b"\xff" * 4096, count)


def wide_window(folder: Path, size: int = 60 << 20) -> Path:
    """Makes a packed tar that asks for a window of 4 GiB to be unpacked in."""
    packed = bytearray(lzma.compress(tar(size), lzma.FORMAT_XZ, lzma.CHECK_CRC32))
    header = 4 * (packed[12] + 1)
    packed[16] = 40                    # the byte for LZMA2's dictionary size
    struct.pack_into("<I", packed, 12 + header - 4, zlib.crc32(packed[12:12 + header - 4]))
    path = folder / "wide_window.tar.xz"
    path.write_bytes(packed)
    return path


def lights(folder: Path, count: int = 1000, size: int = 250 << 20) -> Path:
    """Makes maps with light files, in archives inside a large archive."""
    member = pack({"maps/m.bsp": bombs.quake3({}), "maps/m/lm_0000.tga": bytes(64)})
    files = {f"{i}.pk3": member for i in range(count)}
    inner = pack({**files, "notes.bin": bytes(size)}, zipfile.ZIP_STORED)
    path = folder / "lights.zip"
    path.write_bytes(pack({"inner.zip": inner}))
    return path


def texts(folder: Path, maps: int = 2000, count: int = 2000) -> Path:
    """Makes an archive of many maps and many read-me files, whose names a program may compare with each other."""
    files = {f"maps/{i}.bsp": bombs.quake3({}) for i in range(maps)}
    path = folder / "texts.zip"
    path.write_bytes(pack({**files, **{f"maps/{i}_readme.txt": b"" for i in range(count)}}))
    return path


def nested(folder: Path, count: int = 200) -> Path:
    """Makes an archive of valid small archives, each with a map, its picture and a text."""
    path = folder / "nested.zip"
    files = {}
    for i in range(count):
        files[f"m{i}.pk3"] = pack({f"maps/m{i}.bsp": padded_map(100_000, i), f"levelshots/m{i}.tga": bytes(5000),
                                   f"maps/m{i}.txt": b"a map"})
    path.write_bytes(pack(files))
    return path


BOMBS = {make.__name__: make for make in (
    overlap, better_packed, fan, wide, packed_maps, broken_packed_maps, tars, refused_tars, broken_tars, wide_window,
    lights, texts)}

if __name__ == "__main__":
    print({**BOMBS, "nested": nested}[sys.argv[1]](Path(sys.argv[2])))
