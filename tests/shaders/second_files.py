"""An independent reader of Source's materials and textures: VMT files with their patches, and VTF files with their
stored mip levels. A game is a list of directories and zip archives; the first one that has a file wins."""

import io
import re
import struct
import zipfile

import numpy as np
from PIL import Image

TOKEN = re.compile(r'"([^"]*)"|([{}])|([^\s{}"]+)|//[^\n]*')


def parse_block(tokens):
    """Returns pairs of lower-case keys and values or blocks, in order."""
    out = []
    for token in tokens:
        if token == "}":
            break
        value = next(tokens, "}")
        if value == "}":
            break
        out.append((token.lower(), parse_block(tokens) if value == "{" else value))
    return out


def parse(text):
    found = (match for match in TOKEN.finditer(text) if not match[0].startswith("//"))
    return parse_block(iter([match[0].strip('"') for match in found]))


def first(pairs, key, usual=None):
    return next((value for name, value in pairs if name == key), usual)


class Game:
    def __init__(self, places):
        self.places = places
        self.archives = [zipfile.ZipFile(io.BytesIO(place)) for place in places if isinstance(place, bytes) and place]
        self.names = [{name.lower().replace("\\", "/"): name for name in archive.namelist()}
                      for archive in self.archives]
        self.folders = [place for place in places if not isinstance(place, bytes)]
        self.files = [{str(path.relative_to(folder)).lower(): path for path in folder.rglob("*") if path.is_file()}
                      for folder in self.folders]
        self.materials, self.textures = {}, {}

    def read(self, name):
        name = re.sub("/+", "/", name.lower().replace("\\", "/"))
        for archive, names in zip(self.archives, self.names):
            if name in names:
                return archive.read(names[name])
        for files in self.files:
            if name in files:
                return files[name].read_bytes()
        return None

    def material(self, name):
        """Returns (shader, keys) of the first block with all patches applied, or None."""
        if name not in self.materials:
            self.materials[name] = self.find_material("materials/" + name + ".vmt")
        return self.materials[name]

    def find_material(self, path, depth=0):
        data = self.read(path)
        blocks = parse(data.decode("latin-1")) if data else []
        if not blocks or not isinstance(blocks[0][1], list):
            return None
        shader, pairs = blocks[0]
        if shader != "patch" or depth > 4:
            return shader, {key: value for key, value in reversed(pairs)}
        found = self.find_material(first(pairs, "include", ""), depth + 1)
        if found:
            found[1].update(first(pairs, "insert", []))
            found[1].update((key, value) for key, value in first(pairs, "replace", []) if key in found[1])
        return found

    def texture(self, name):
        name = re.sub(r"\.vtf$", "", name.lower().replace("\\", "/").strip("/"))
        if name not in self.textures:
            data = self.read(f"materials/{name}.vtf") or self.read(f"materials/{name}.hdr.vtf")
            self.textures[name] = Texture(data) if data and data[:4] == b"VTF\0" else None
            if self.textures[name] and not self.textures[name].levels:
                self.textures[name] = None
        return self.textures[name]


# ---- Textures ---------------------------------------------------------------------------------------------------

RGBA, ABGR, RGB, BGR, BGRA, DXT1, DXT3, DXT5, BGRX, DXT1A = 0, 1, 2, 3, 12, 13, 14, 15, 16, 20
ORDERS = {RGBA: (0, 1, 2, 3), ABGR: (3, 2, 1, 0), BGRA: (2, 1, 0, 3), RGB: (0, 1, 2), BGR: (2, 1, 0), BGRX: (2, 1, 0)}
BLOCKS = {DXT1: (8, b"DXT1"), DXT1A: (8, b"DXT1"), DXT3: (16, b"DXT3"), DXT5: (16, b"DXT5")}
CLAMPED, SELF_SHADOWING = 0xC, 0x8000000


def size_of(number, width, height):
    if number in BLOCKS:
        return max(width + 3, 4) // 4 * (max(height + 3, 4) // 4) * BLOCKS[number][0]
    return width * height * (3 if number in (RGB, BGR) else 4)


def decode(number, width, height, data):
    if number in BLOCKS:
        header = struct.pack("<4s7I44x2I4s5I5I", b"DDS ", 124, 0x81007, height, width, len(data), 0, 1, 32, 4,
                             BLOCKS[number][1], 0, 0, 0, 0, 0, 0x1000, 0, 0, 0, 0)
        return np.asarray(Image.open(io.BytesIO(header + data)).convert("RGBA"), float)
    order = ORDERS[number]
    texels = np.frombuffer(data, np.uint8).reshape(height, width, -1)
    out = np.full((height, width, 4), 255.0)
    out[:, :, :len(order)] = texels[:, :, list(order)]
    return out


def boxed(level):
    """Returns the next mip level: means of 2 by 2 bytes, rounded down."""
    height, width = level.shape[:2]
    tall, wide = max(height // 2, 1), max(width // 2, 1)
    out = level[:tall * (2 if height > 1 else 1), :wide * (2 if width > 1 else 1)]
    out = out[::2] + out[1::2] if height > 1 else out * 2
    out = out[:, ::2] + out[:, 1::2] if width > 1 else out * 2
    return np.floor(out / 4)


class Texture:
    """A texture. `levels` has a list for each side of a cube map (one list for other textures). The list has the mip
    levels, the largest first, with values from 0 to 1. Levels that the file lacks are made by boxed."""

    def __init__(self, data):
        minor, head, width, height, self.flags, frames = struct.unpack_from("<2I2HIH", data, 8)
        number, count, small, small_width, small_height = struct.unpack_from("<IBIBB", data, 52)
        self.clamped, self.levels = self.flags & CLAMPED == CLAMPED, []
        sides = (7 if minor < 5 else 6) if self.flags & 0x4000 else 1
        at = head + (size_of(small, small_width, small_height) if small in BLOCKS else 0)
        if minor >= 3:
            resources, = struct.unpack_from("<I", data, 68)
            entries = [struct.unpack_from("<II", data, 80 + 8 * i) for i in range(resources)]
            at = next((offset for tag, offset in entries if tag & 0xFFFFFF == 0x30), at)
        if number not in BLOCKS and number not in ORDERS:
            return
        sizes = [(max(width >> i, 1), max(height >> i, 1)) for i in range(count)]
        places = {}
        for i in reversed(range(count)):
            places[i] = at
            at += size_of(number, *sizes[i]) * frames * sides
        if at > len(data):
            sides, at = 6, at - len(data)
        for side in range(min(sides, 6)):
            stored = [decode(number, *sizes[i], data[places[i] + size_of(number, *sizes[i]) * side:][:size_of(
                number, *sizes[i])]) for i in range(count)]
            while min(stored[-1].shape[:2]) > 1 or max(stored[-1].shape[:2]) > 1:
                stored.append(boxed(stored[-1]))
            self.levels.append([level / 255 for level in stored])
        self.has_alpha = bool(self.flags & 0x3000)

    def level(self, uvs, number, side, curve):
        texels = self.levels[side][number]
        height, width = texels.shape[:2]
        texels = curve(texels)
        at = (uvs if self.clamped or len(self.levels) > 1 else uvs % 1) * (width, height) - 0.5
        low = np.floor(at).astype(int)
        share = at - low
        sides = []
        for k, size in ((0, width), (1, height)):
            pair = np.stack([low[:, k], low[:, k] + 1])
            sides.append(np.clip(pair, 0, size - 1) if self.clamped or len(self.levels) > 1 else pair % size)
        (x0, x1), (y0, y1) = sides
        across, down = share[:, :1], share[:, 1:]
        top = texels[y0, x0] * (1 - across) + texels[y0, x1] * across
        bottom = texels[y1, x0] * (1 - across) + texels[y1, x1] * across
        return top * (1 - down) + bottom * down

    def lods(self, right, below):
        height, width = self.levels[0][0].shape[:2]
        lengths = [np.linalg.norm(change * (width, height), axis=1) for change in (right, below)]
        return np.log2(np.maximum(np.maximum(*lengths), 1))

    def sample(self, uvs, lods, side=0, curve=lambda texels: texels):
        """Returns trilinearly filtered colors; `curve` converts texels before filtering."""
        lods = np.minimum(lods, len(self.levels[side]) - 1)
        out = np.zeros((len(uvs), 4))
        for number in range(len(self.levels[side])):
            weight = np.maximum(1 - np.abs(lods - number), 0)
            some = weight > 0
            if some.any():
                out[some] += self.level(uvs[some], number, side, curve) * weight[some, None]
        return out
