"""Tests that we decode textures to the same pixels as vtfpp does. vtfpp writes them in every format, version and layout
that it supports.

Deliberate differences:
- channels of 4 to 6, 10 and 16 bits, and interpolated colors of DXT, may differ by 1;
- vtfpp clamps light at white; we also convert it for display (power of 1/2.2);
- DXT1 is transparent for us only if the file's flags say so; integer light keeps its alpha;
- a single channel is gray for us, red for vtfpp;
- the third channel of ATI2N and BC5 is that of a normal, 0 to 255 for -1 to 1; vtfpp has 0 to 1.

Usage: test_textures.py DECODE_TEXTURES
"""
import array
import lzma
import random
import struct
import sys
import tempfile
from pathlib import Path

import peers
from decoder import Ours, upright

vtfpp = peers.load("sourcepp").vtfpp
Format = vtfpp.ImageFormat
FILTER = vtfpp.ImageConversion.ResizeFilter.BILINEAR
DEFLATE, ZSTD = vtfpp.CompressionMethod.DEFLATE, vtfpp.CompressionMethod.ZSTD

EXACT = ("RGBA8888 ABGR8888 RGB888 BGR888 I8 IA88 A8 RGB888_BLUESCREEN BGR888_BLUESCREEN ARGB8888 BGRA8888 BGRX8888 "
         "BGRA4444 UV88 UVWQ8888 UVLX8888 RGBX8888 STRATA_R8 STRATA_BC7 ATI1N STRATA_BC4").split()
ROUNDED = "RGB565 BGR565 BGRX5551 BGRA5551 RGBA1010102 BGRA1010102 DXT1 DXT1_ONE_BIT_ALPHA DXT3 DXT5".split()
NORMALS = "ATI2N STRATA_BC5".split()
LIGHT = ("RGBA16161616F RGBA16161616 R16F RG1616F R32F RG3232F RGB323232F RGBA32323232F STRATA_BC6H_SF "
         "STRATA_BC6H_UF").split()
GRAY = "STRATA_R8 R16F R32F".split()
OPAQUE = "BGRX5551 DXT1".split()
# vtfpp reads images of up to 4 bytes from the wrong place, so the smallest ones have several frames.
SIZES = [(1, 1, 5), (3, 5, 1), (34, 7, 1)]

chance = random.Random(5)


def level_size(side, level):
    return max(1, side >> level)


def build(name, width, height, version, levels=1, frames=1, cube=False, slices=1, first_frame=0, thumbnail=False,
          method=None):
    """Makes a texture of random bytes. Formats with blue-screen transparency also get blue pixels, which random bytes
    rarely contain."""
    pixel_format = getattr(Format, name)
    vtf = vtfpp.VTF()
    vtf.version = version
    vtf.image_width_resize_method = vtf.image_height_resize_method = vtfpp.ImageConversion.ResizeMethod.NONE
    vtf.set_size(width, height, FILTER)
    vtf.set_format(pixel_format)
    vtf.start_frame = first_frame
    vtf.set_frame_face_and_depth(frames, cube, slices)
    vtf.mip_count = levels
    for level in range(levels):
        sides = level_size(width, level), level_size(height, level)
        size = vtfpp.ImageFormatDetails.get_data_length(pixel_format, *sides)
        for frame in range(frames):
            for face in range(vtf.face_count):
                for part in range(level_size(slices, level)):
                    data = bytearray(chance.randbytes(size))
                    if "BLUESCREEN" in name:
                        data[:3] = b"\0\0\xff" if name.startswith("RGB") else b"\xff\0\0"
                    assert vtf.set_image(bytes(data), pixel_format, *sides, FILTER, level, frame, face, part)
    if thumbnail:
        vtf.compute_thumbnail()
    if method is not None:
        vtf.compression_method, vtf.compression_level = method, 6
    file = bytearray(vtf.bake())
    # vtfpp rounds sides up to whole blocks. The number of blocks is the same, so the header gets the requested sides.
    if levels == 1:
        struct.pack_into("<2H", file, 16, width, height)
    return bytes(file)


def pack(data):
    """Compresses with LZMA in Valve's format."""
    stream = lzma.compress(data, lzma.FORMAT_ALONE, filters=[{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16}])
    return struct.pack("<4s2I", b"LZMA", len(data), len(stream) - 13) + stream[:5] + stream[13:]


def build_console(magic, console, name, width, height, frames=1, cube=False, one_level=False, packed=False):
    """Makes a texture of random bytes in a console's format. vtfpp can read such files, but those that it writes are
    invalid, so they are made here."""
    pixel_format = getattr(Format, name)
    levels = 1 if one_level else max(width, height).bit_length()
    size = sum(vtfpp.ImageFormatDetails.get_data_length(pixel_format, level_size(width, i), level_size(height, i))
               for i in range(levels))
    picture = chance.randbytes(size * frames * (6 if cube else 1))
    flags = 0x100 * one_level | 0x4000 * cube
    head = struct.pack(">4s4I4HH2B4fI4xI", magic, console, 8, 0, flags, width, height, 1, frames, 0, 0, 1, *[1.0] * 4,
                       pixel_format.value, 0) + bytes(4 * (magic == b"VTF3"))
    at = len(head) + 8
    head = head[:12] + struct.pack(">I", at) + head[16:] + struct.pack(">4sI", b"\x30\0\0\0", at)
    return head + (pack(picture) if packed else picture)


def display(light):
    if not light > 0:
        return 0
    return int(min(light, 1) ** (1 / 2.2) * 255 + 0.5)


def alpha_byte(alpha):
    return int(min(alpha, 1) * 255 + 0.5) if alpha > 0 else 0


def expect(name, file, level):
    """Returns the pixels of a level as vtfpp reads them, converted to our conventions. The third channel of normal maps
    is not converted."""
    if name in LIGHT:
        # Textures with channels of 16 bits contain light only if the file has certain names. The third argument tells
        # vtfpp that this file has one of these names.
        vtf = vtfpp.VTF(file, False, name == "RGBA16161616")
        values = array.array("f", vtf.get_image_data_as(Format.RGBA32323232F, level))
        if name in GRAY:
            values[1::4] = values[2::4] = values[0::4]
        pixels = bytearray(display(value) for value in values)
        pixels[3::4] = bytes(alpha_byte(value) for value in values[3::4])
        if name == "RGBA16161616":
            pixels[3::4] = vtfpp.VTF(file).get_image_data_as_rgba8888(level)[3::4]
    else:
        pixels = bytearray(vtfpp.VTF(file).get_image_data_as_rgba8888(level))
        if name in GRAY:
            pixels[1::4] = pixels[2::4] = pixels[0::4]
    if name in OPAQUE:
        pixels[3::4] = b"\xff" * (len(pixels) // 4)
    if "BLUESCREEN" in name:
        for i in range(0, len(pixels), 4):
            if pixels[i:i + 3] == b"\0\0\xff":
                pixels[i:i + 4] = b"\0\0\0\0"
    return pixels


def compare(name, wanted, pixels):
    """Returns why pixels differ, or None."""
    wanted = bytearray(wanted)
    if name in NORMALS:
        wanted[2::4] = bytes(upright(x, y) for x, y in zip(wanted[0::4], wanted[1::4]))
    tolerance = 0 if name in EXACT else 1
    for i, (ours, theirs) in enumerate(zip(pixels, wanted)):
        if abs(ours - theirs) > tolerance:
            return f"pixel {i // 4} channel {i % 4} is {ours}, vtfpp has {theirs}"
    return None if len(pixels) == len(wanted) else f"{len(pixels) // 4} pixels instead of {len(wanted) // 4}"


class Check:
    def __init__(self, program, directory):
        self.ours, self.directory = Ours(program), Path(directory)
        self.done, self.failures = 0, []

    def textures(self, what, name, file, path=None):
        """Compares every level of a file. If `path` is given, our decoder reads that file instead."""
        if path is None:
            path = self.directory / "texture.vtf"
            path.write_bytes(file)
        vtf = vtfpp.VTF(file)
        for level in range(vtf.mip_count):
            sides = level_size(vtf.width, level), level_size(vtf.height, level)
            got, pixels = self.ours.decode(path, max(sides))
            problem = pixels if got is None else f"{got} instead of {sides}" if got != sides else \
                compare(name, expect(name, file, level), pixels)
            self.done += 1
            if problem:
                self.failures.append(f"{what}, level {level}: {problem}")

    def formats(self):
        known = EXACT + ROUNDED + NORMALS + LIGHT
        for name in known:
            for width, height, frames in SIZES:
                version = 6 if name.startswith("STRATA") else 5
                self.textures(f"{name} {width} x {height}", name, build(name, width, height, version, frames=frames))
            file = build(name, 16, 8, 6, levels=5, frames=3, method=chance.choice((DEFLATE, ZSTD)))
            self.textures(f"{name} with levels", name, file)
        # All formats of vtfpp must be tested. Exceptions are the formats of consoles and Titanfall, vtfpp's own
        # formats, and P8 (palettes), which no file has.
        left = [name for name in Format.__members__ if name not in known and
                not name.startswith(("CONSOLE", "SOURCEPP", "TITANFALL")) and name not in ("EMPTY", "P8")]
        if left:
            self.failures.append(f"formats without a test: {left}")

    def old_numbers(self):
        """Tests ATI2N and ATI1N. Up to version 7.4 of VTF their numbers are 37 and 38. vtfpp reads these numbers but
        does not write them."""
        for name, number in (("ATI2N", 37), ("ATI1N", 38)):
            file = bytearray(build(name, 16, 8, 4, levels=4, frames=2))
            struct.pack_into("<I", file, 52, number)
            self.textures(f"{name} as {number}", name, bytes(file))

    def layouts(self):
        layouts = {
            "with levels": {"levels": 6}, "with frames": {"levels": 3, "frames": 4},
            "with a thumbnail": {"levels": 3, "thumbnail": True},
            "as a cube": {"levels": 3, "cube": True}, "as a cube of frames": {"levels": 2, "frames": 2, "cube": True},
        }
        for version in range(7):
            more = {}
            if version >= 2:
                more["as a volume"] = {"levels": 4, "slices": 5}
            if version < 5:
                more["as a cube without a sphere"] = {"levels": 3, "cube": True, "first_frame": 0xffff}
            if version == 6:
                for method in (DEFLATE, ZSTD):
                    for what, layout in (*layouts.items(), *more.items()):
                        if not isinstance(what, tuple):
                            more[what, method.name] = dict(layout, method=method)
            for what, layout in (*layouts.items(), *more.items()):
                for name in ("RGBA8888", "BGR888", "DXT1", "DXT5"):
                    self.textures(f"7.{version} {name} {what}", name, build(name, 32, 16, version, **layout))

    def consoles(self):
        """Tests Xbox 360 and both forms of PS3. vtfpp does not swap 16-bit channels and blocks of one channel."""
        blocks = "DXT1", "DXT3", "DXT5"
        pixels = "BGRA8888", "BGRX8888", "UV88", "UVWQ8888", "UVLX8888", "I8", "A8"
        layouts = [{}, {"frames": 3}, {"cube": True}, {"one_level": True}, {"packed": True},
                   {"frames": 2, "cube": True, "packed": True}]
        for magic, console, names in ((b"VTFX", 0x360, blocks + pixels), (b"VTFX", 0x333, blocks),
                                      (b"VTF3", 0x333, blocks)):
            for name in names:
                for sides in ((32, 32), (64, 8)):
                    for layout in layouts:
                        file = build_console(magic, console, name, *sides, **layout)
                        self.textures(f"{magic.decode()} {console:x} {name} {sides} {layout}", name, file)

    def halves(self):
        """Tests textures of Bloodlines, which consist of two files, TTH and TTZ."""
        for name in ("RGBA8888", "DXT1", "DXT5"):
            for levels in (1, 6):
                for thumbnail in (False, True):
                    file = build(name, 32, 16, 1, levels=levels, thumbnail=thumbnail)
                    path = self.directory / "texture.tth"
                    assert vtfpp.TTX(vtfpp.VTF(file)).bake_to_file(str(path), str(path.with_suffix(".ttz")))
                    self.textures(f"{name} in two files, {levels} levels", name, file, path)


def main():
    with tempfile.TemporaryDirectory() as directory:
        check = Check(sys.argv[1], directory)
        for part in (check.formats, check.old_numbers, check.layouts, check.consoles, check.halves):
            before = check.done
            part()
            print(f"{part.__name__}: {check.done - before} pictures")
        status = check.ours.close()
    for failure in check.failures[:40]:
        print(failure)
    print(f"{check.done} pictures, {len(check.failures)} differ")
    return 1 if check.failures or status else 0


if __name__ == "__main__":
    sys.exit(main())
