"""Tests that we decode DDS, KTX, TGA, BMP, PCX, JPEG, PNG and WebP to the same pixels as Pillow and texture2ddecoder
do.

Blocks are random bytes; other pictures are random pixels that Pillow writes in all its forms. Deliberate differences:
- interpolated colors of DXT may differ by 1;
- a single channel of BC4 is gray for us, red for texture2ddecoder; the third channel of BC5 is computed as for a
  normal;
- BC3 has four colors in any order, as in Direct3D; texture2ddecoder treats it like BC1;
- texture2ddecoder ignores the transparency of BC1, which Pillow has;
- BMP and PCX with one bit are not supported, because no engine reads them;
- Pillow may use another build of the JPEG library.

Usage: test_pictures.py DECODE_TEXTURES"""
import random
import struct
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peers
from decoder import Ours, upright

Image = peers.load("PIL.Image")
blocks = peers.load("texture2ddecoder")

SIZES = ((4, 4), (16, 8), (7, 5), (1, 1), (33, 2))
chance = random.Random(53)

FOUR_CC = {"DXT1": 8, "DXT3": 16, "DXT5": 16, "ATI1": 8, "BC4U": 8, "ATI2": 16, "BC5U": 16}
DXGI = {"BC1": (71, 8), "BC2": (74, 16), "BC3": (77, 16), "BC4": (80, 8), "BC5": (83, 16), "BC7": (98, 16)}
# For each format, the bits of a pixel, then the masks of red, green, blue and alpha.
MASKS = {"565": (16, 0xf800, 0x7e0, 0x1f, 0), "1555": (16, 0x7c00, 0x3e0, 0x1f, 0x8000),
         "4444": (16, 0xf00, 0xf0, 0xf, 0xf000), "888": (24, 0xff0000, 0xff00, 0xff, 0),
         "8888": (32, 0xff0000, 0xff00, 0xff, 0xff000000), "bgra": (32, 0xff, 0xff00, 0xff0000, 0xff000000),
         "x888": (32, 0xff0000, 0xff00, 0xff, 0), "332": (8, 0xe0, 0x1c, 0x3, 0)}


def random_blocks(size: tuple[int, int], bytes_of_one: int) -> bytes:
    return chance.randbytes((size[0] + 3) // 4 * ((size[1] + 3) // 4) * bytes_of_one)


def ordered(name: str, data: bytes) -> bytes:
    """Puts the larger color of each BC3 block first, because texture2ddecoder decodes other blocks differently."""
    if name not in ("BC3", "DXT5"):
        return data
    out = bytearray(data)
    for at in range(8, len(out), 16):
        pair = sorted(struct.unpack_from("<2H", out, at), reverse=True)
        struct.pack_into("<2H", out, at, *(pair if pair[0] > pair[1] else (0xffff, 0)))
    return bytes(out)


def dds(size: tuple[int, int], pixel_format: bytes, data: bytes, dxgi: int | None = None) -> bytes:
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, size[1], size[0], 0, 0, 1) + pixel_format
    head += struct.pack("<I16x", 0x1000)
    return head + (b"" if dxgi is None else struct.pack("<5I", dxgi, 3, 0, 1, 0)) + data


def named(name: str, alpha: bool = False) -> bytes:
    return struct.pack("<2I4s20x", 32, 5 if alpha else 4, name.encode())


def ktx(size: tuple[int, int], internal: int, data: bytes) -> bytes:
    words = 0x04030201, 0, 1, 0, internal, 0x1907, *size, 0, 0, 1, 1, 0
    head = b"\xabKTX 11\xbb\r\n\x1a\n" + struct.pack("<13I", *words)
    return head + struct.pack("<I", len(data)) + data


def swapped(bgra: bytes) -> bytes:
    out = bytearray(bgra)
    out[0::4], out[2::4] = bgra[2::4], bgra[0::4]
    return bytes(out)


def with_channel(pixels: bytes, channel: int, value: bytes) -> bytes:
    out = bytearray(pixels)
    out[channel::4] = value * (len(out) // 4) if len(value) == 1 else value
    return bytes(out)


def masked(size: tuple[int, int], bits: int, masks: tuple[int, ...], data: bytes) -> bytes:
    """Decodes masked pixels; each channel is rounded to a byte."""
    step, out = bits // 8, bytearray()
    for at in range(0, size[0] * size[1] * step, step):
        pixel = int.from_bytes(data[at:at + step], "little")
        for channel, mask in enumerate(masks):
            most = mask // (mask & -mask) if mask else 0
            value = (pixel & mask) // (mask & -mask) if mask else 0
            out.append(int(value * 255 / most + 0.5) if mask else 255 if channel == 3 else 0)
    return bytes(out)


class Check:
    def __init__(self, program: str, directory: str):
        ours = Ours(program)
        self.decode, self.close = ours.decode, ours.close
        self.directory = Path(directory)
        self.done = 0
        self.failures: list[str] = []

    def picture(self, what: str, ending: str, file: bytes, size: tuple[int, int], wanted: bytes, most: int = 0,
                channels: tuple[int, ...] = (0, 1, 2, 3)) -> None:
        path = self.directory / f"picture{ending}"
        path.write_bytes(file)
        got, pixels = self.decode(path, 0)
        self.done += 1
        if got != size:
            self.failures.append(f"{what} {size}: {pixels if got is None else got}")
            return
        for i in (i for i in range(len(wanted)) if i % 4 in channels):
            if abs(pixels[i] - wanted[i]) > most:
                self.failures.append(f"{what} {size}: pixel {i // 4} channel {i % 4} is {pixels[i]}, not {wanted[i]}")
                return

    def by_pillow(self, what: str, ending: str, file: bytes, size: tuple[int, int], most: int = 0) -> None:
        path = self.directory / f"wanted{ending}"
        path.write_bytes(file)
        with Image.open(path) as picture:
            self.picture(what, ending, file, size, picture.convert("RGBA").tobytes(), most)

    def block_formats(self) -> None:
        decoders: dict[str, Callable[[bytes, int, int], bytes]] = {
            "BC1": blocks.decode_bc1, "BC3": blocks.decode_bc3, "BC4": blocks.decode_bc4, "BC5": blocks.decode_bc5,
            "BC7": blocks.decode_bc7}
        same = {"DXT1": "BC1", "DXT5": "BC3", "ATI1": "BC4", "BC4U": "BC4", "BC5U": "BC5"}
        for size in SIZES:
            for name, one in FOUR_CC.items():
                data = ordered(name, random_blocks(size, one))
                self.blocks(name, decoders.get(same.get(name, "")), dds(size, named(name, name == "DXT1"), data), size,
                            data)
            for name, (number, one) in DXGI.items():
                data = ordered(name, random_blocks(size, one))
                self.blocks(name, decoders.get(name), dds(size, named("DX10"), data, number), size, data)

    def blocks(self, name: str, decoder: Callable[[bytes, int, int], bytes] | None, file: bytes, size: tuple[int, int],
               data: bytes) -> None:
        kind = {"ATI1": "BC4", "BC4U": "BC4", "BC5U": "BC5", "ATI2": "BC5"}.get(name, name)
        if decoder:
            wanted = swapped(decoder(data, *size))
            if kind == "BC4":
                wanted = with_channel(with_channel(wanted, 1, wanted[0::4]), 2, wanted[0::4])
            if kind == "BC5":
                wanted = with_channel(wanted, 2, bytes(map(upright, wanted[0::4], wanted[1::4])))
            channels = {"BC1": (0, 1, 2), "DXT1": (0, 1, 2)}.get(kind, (0, 1, 2, 3))
            most = 0 if kind == "BC7" else 1
            self.picture(f"{name} by texture2ddecoder", ".dds", file, size, wanted, most, channels)
        if kind not in ("BC4", "BC5"):
            self.by_pillow(f"{name} by Pillow", ".dds", file, size, 0 if kind == "BC7" else 1)

    def masks(self) -> None:
        for size in SIZES:
            for name, (bits, *masks) in MASKS.items():
                data = chance.randbytes(size[0] * size[1] * bits // 8)
                flags = 0x41 if masks[3] else 0x40
                file = dds(size, struct.pack("<2I4x5I", 32, flags, bits, *masks), data)
                self.picture(f"masks {name}", ".dds", file, size, masked(size, bits, tuple(masks), data))

    def ktx_blocks(self) -> None:
        for size in SIZES:
            data = random_blocks(size, 8)
            wanted = swapped(blocks.decode_etc1(data, *size))
            self.picture("ETC1", ".ktx", ktx(size, 0x8d64, data), size, wanted)
            data = ordered("BC3", random_blocks(size, 16))
            self.picture("KTX DXT5", ".ktx", ktx(size, 0x83f3, data), size, swapped(blocks.decode_bc3(data, *size)), 1)

    def written(self) -> None:
        ways: list[tuple[str, str, dict[str, Any]]] = []
        for mode in ("L", "LA", "P", "RGB", "RGBA"):
            ways += [(".tga", mode, {"compression": packing, "orientation": turn})
                     for packing in (None, "tga_rle") for turn in (1, -1)]
        ways += [(".bmp", mode, {}) for mode in ("L", "P", "RGB", "RGBA")]
        ways += [(".pcx", mode, {}) for mode in ("L", "P", "RGB")]
        for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
            ways.append((".png", mode, {"bits": 4} if mode == "P" else {}))
        for mode in ("L", "RGB", "CMYK"):
            ways += [(".jpg", mode, {"quality": 95, "subsampling": part}) for part in (0, 2)]
        for mode in ("RGB", "RGBA"):
            ways += [(".webp", mode, {"lossless": lossless}) for lossless in (True, False)]
        for ending, mode, options in ways:
            for size in SIZES:
                self.write(ending, mode, size, options)

    def write(self, ending: str, mode: str, size: tuple[int, int], options: dict[str, Any]) -> None:
        count = {"LA": 2, "RGB": 3, "RGBA": 4, "CMYK": 4, "I;16": 2}.get(mode, 1)
        one_bit = mode == "1"
        picture = Image.frombytes("L" if one_bit else mode, size, chance.randbytes(size[0] * size[1] * count))
        if one_bit:
            picture = picture.convert("1")
        if mode == "P":
            picture = Image.frombytes("P", size, bytes(chance.randrange(16) for _ in range(size[0] * size[1])))
            picture.putpalette(chance.randbytes(768))
        path = self.directory / f"written{ending}"
        picture.save(path, **options)
        what = f"{ending} {mode} {options}"
        if mode == "I;16":
            upper = path.read_bytes()
            gray = picture.tobytes()[1::2]
            wanted = b"".join(bytes((value, value, value, 255)) for value in gray)
            self.picture(what, ending, upper, size, wanted, 1)
            return
        self.by_pillow(what, ending, path.read_bytes(), size, 3 if ending == ".jpg" else 0)


def main() -> int:
    with tempfile.TemporaryDirectory() as directory:
        check = Check(sys.argv[1], directory)
        for part in (check.block_formats, check.masks, check.ktx_blocks, check.written):
            before = check.done
            part()
            print(f"{part.__name__}: {check.done - before} pictures")
        status = check.close()
    for failure in check.failures[:40]:
        print(failure)
    print(f"{check.done} pictures, {len(check.failures)} differ")
    return 1 if check.failures or status else 0


if __name__ == "__main__":
    sys.exit(main())
