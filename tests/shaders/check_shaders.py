#!/usr/bin/env python3
"""Compares pictures of Source's materials with a second implementation of the published shaders (second_shaders.py).

    check_shaders.py --bspscene BUILD/bspscene --out DIRECTORY [--table FILE]

A wall of the tests' room gets one material after the other, in light of one color, between cube maps whose colors are a
function of the direction. Every pixel of the wall is traced here by the map's records, and must be within 2 of 255 of
the shader's color. Prints a table with the differences for each parameter. It also has the differences for the exact
curve of sRGB, by which graphics cards convert colors; the shaders use a power of 2.2. Needs numpy and Pillow."""

import argparse
import io
import math
import pathlib
import struct
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "families")]
import source_forms as s  # noqa: E402
from packages import need  # noqa: E402

need("numpy")
need("PIL.Image")
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

import second_shaders as shaders  # noqa: E402

ROOM = HERE.parent / "fixtures/source/maps/room.bsp"
VERTEX_NORMALS, CUBEMAPS, MOST = 30, 42, 2.0
WIDTH, HEIGHT, FOV = 48, 36, 40
CAMERAS = [(60, 64, 110, 10, 180), (90, 30, 120, 20, 160), (40, 100, 90, -5, 215)]
SIDE = 64
NEAR, FAR = (8, 64, 96), (400, 64, 96)
# A texel of the wall's light, as stored. Its value is color * 2^exponent / 255.
LUXEL, EXPONENT = (200, 150, 100), -1
LIGHT = np.array(LUXEL) * 2.0**EXPONENT / 255


# ---- Cube maps --------------------------------------------------------------------------------------------------

def around(direction):
    """Returns the color of the surrounding cube map in a direction. Each side has another color, and colors change
    without steps."""
    d = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    return 0.5 + 0.4 * np.stack([d[..., 0], d[..., 1], d[..., 2]], -1)


def elsewhere(direction):
    return 1 - around(direction)


def cube(of):
    """Makes six faces in Direct3D's order: texel (s, t) of each face has a direction, with s to the right and t
    down."""
    at = (np.arange(SIDE) + 0.5) / SIDE * 2 - 1
    at_s, at_t = np.meshgrid(at, at)
    one = np.ones_like(at_s)
    faces = [(one, -at_t, -at_s), (-one, -at_t, at_s), (at_s, one, at_t), (at_s, -one, -at_t),
             (at_s, -at_t, one), (-at_s, -at_t, -one)]
    pixels = b""
    for face in faces:
        color = np.rint(of(np.stack(face, -1)) * 255).astype(np.uint8)
        pixels += np.dstack([color, np.full((SIDE, SIDE), 255, np.uint8)]).tobytes()
    environment, no_frame, no_format = 0x4000, 0xFFFF, 0xFFFFFFFF
    header = struct.pack("<4s3I2HI2H4x3f4xfIBIBB", b"VTF", 7, 1, 64, SIDE, SIDE, environment, 1, no_frame,
                         0, 0, 0, 0, s.RGBA8888, 1, no_format, 0, 0)
    return header.ljust(64, b"\0") + pixels


def gradient(at):
    """Returns the color of the picture at texture coordinates."""
    return np.stack([0.2 + 0.6 * at[:, 0], 0.8 - 0.5 * at[:, 1], 0.3 + 0 * at[:, 0]], -1)


def gradient_picture():
    at = (np.arange(SIDE) + 0.5) / SIDE
    u, v = (a.ravel() for a in np.meshgrid(at, at))
    color = np.rint(gradient(np.stack([u, v], -1)) * 255).astype(np.uint8)
    return s.vtf(SIDE, SIDE, s.RGBA8888, np.hstack([color, np.full((SIDE * SIDE, 1), 255, np.uint8)]).tobytes())


# ---- The map ----------------------------------------------------------------------------------------------------

class Room:
    """Reads the faces of the tests' room from its records."""

    def __init__(self, lumps):
        def records(number, shape):
            return list(struct.iter_unpack("<" + shape, lumps[number].data))
        self.planes, vertices = records(s.PLANES, "4f4x"), records(s.VERTICES, "3f")
        edges, surfedges = records(s.EDGES, "2H"), [edge[0] for edge in records(s.SURFEDGES, "i")]
        self.infos = records(s.TEXINFO, "16f2i")
        datas, offsets = records(s.TEXDATA, "3f5i"), [record[0] for record in records(s.NAME_OFFSETS, "i")]
        first, count = struct.unpack_from("<2i", lumps[s.MODELS].data, 40)
        self.faces = []
        for face in records(s.FACES, s.FACE)[first:first + count]:
            plane, _, _, edge, size, info, displacement = face[:7]
            if info < 0 or displacement >= 0:
                continue
            loop = [edges[abs(e)][0 if e >= 0 else 1] for e in surfedges[edge:edge + size]]
            start = offsets[datas[self.infos[info][17]][3]]
            name = lumps[s.NAMES].data[start:].split(b"\0")[0].decode().lower().replace("\\", "/")
            self.faces.append((np.array(self.planes[plane]), np.array([vertices[v] for v in loop]), info, name))

    def meet(self, eye, direction):
        """Returns the nearest face along a ray that shows its front, the point where they meet, and the point's
        distance from the edges."""
        best = (math.inf, None, 0.0)
        for face in self.faces:
            plane, corners = face[0], face[1]
            falls = plane[:3] @ direction
            if falls >= -1e-6:
                continue
            distance = (plane[3] - plane[:3] @ eye) / falls
            if not 0 < distance < best[0]:
                continue
            point, after = eye + direction * distance, np.roll(corners, -1, 0)
            sides = np.cross(after - corners, plane[:3])
            inside = ((point - corners) * sides).sum(1) / np.linalg.norm(sides, axis=1)
            margin = inside.min() if inside.mean() > 0 else (-inside).min()
            if margin > -0.01:
                best = (distance, face, margin)
        return best


def rays(camera):
    x, y, z, pitch, yaw = camera
    p, w = math.radians(pitch), math.radians(yaw)
    forward = np.array([math.cos(p) * math.cos(w), math.cos(p) * math.sin(w), -math.sin(p)])
    right = np.array([math.sin(w), -math.cos(w), 0])
    up = np.cross(right, forward)
    reach = math.tan(math.radians(FOV) / 2)
    for row in range(HEIGHT):
        for column in range(WIDTH):
            a, b = (2 * (column + 0.5) / WIDTH - 1) * reach, (1 - 2 * (row + 0.5) / HEIGHT) * reach * HEIGHT / WIDTH
            yield row, column, np.array([x, y, z], float), forward + right * a + up * b


def surfaces(room):
    """Yields for each camera the pixels inside the wall, and the points there by face."""
    for camera in CAMERAS:
        found = {}
        for row, column, eye, direction in rays(camera):
            distance, face, margin = room.meet(eye, direction)
            if face is not None and face[3] == "test/wall" and margin > 1.5:
                found.setdefault(id(face[1]), (face, eye, [], []))
                found[id(face[1])][2].append((row, column))
                found[id(face[1])][3].append(eye + direction * distance)
        parts = []
        for face, eye, pixels, points in found.values():
            vectors = np.array(room.infos[face[2]][:8])
            parts.append((np.array(pixels), shaders.Surface(np.array(points), eye, face[0][:3], vectors[:3],
                                                           vectors[4:7], LIGHT)))
        yield camera, parts


# ---- Materials --------------------------------------------------------------------------------------------------

def color(*bytes_):
    return tuple(b / 255 for b in bytes_)


PICTURES = {"plain": (180, 120, 60, 255), "holed": (180, 120, 60, 90), "mask": (200, 100, 40, 255),
            "normals": (150, 90, 230, 160), "detail": (90, 160, 200, 120), "bright": (230, 200, 240, 200)}
ENVMAP = {"envmap": around}
TEXTS = {"envmap": {around: "maps/room/c1_2_3", elsewhere: "env_cubemap"}}


def case(what, shader, base="plain", **keys):
    return what, shader, base, keys


def cases():
    """Yields a case for each parameter of materials. If a value is a text, it is the name of a picture."""
    one = "LightmappedGeneric"
    yield case("$basetexture", one)
    yield case("$envmap", one, **ENVMAP)
    yield case("$envmap alone", one, None, **ENVMAP)
    yield case("$envmaptint", one, **ENVMAP, envmaptint=(.8, .4, .2))
    yield case("$envmapcontrast 1", one, **ENVMAP, envmapcontrast=1)
    yield case("$envmapcontrast .5 $envmapsaturation .3", one, **ENVMAP, envmapcontrast=.5, envmapsaturation=.3)
    yield case("$envmapsaturation .3 (no effect)", one, **ENVMAP, envmapsaturation=.3)
    yield case("$fresnelreflection .2", one, **ENVMAP, fresnelreflection=.2)
    yield case("$envmapmask", one, **ENVMAP, envmapmask="mask")
    yield case("$basealphaenvmapmask", one, "holed", **ENVMAP, basealphaenvmapmask=1)
    yield case("$bumpmap", one, **ENVMAP, bumpmap="normals")
    yield case("$bumpmap $envmapmask (no effect)", one, **ENVMAP, bumpmap="normals", envmapmask="mask")
    yield case("$normalmapalphaenvmapmask", one, **ENVMAP, bumpmap="normals", normalmapalphaenvmapmask=1)
    yield case("$selfillum", one, "holed", selfillum=1)
    yield case("$selfillumtint", one, "holed", selfillum=1, selfillumtint=(1, .5, .25))
    yield case("$selfillum $envmap", one, "holed", selfillum=1, **ENVMAP)
    yield case("$seamless_scale", one, "gradient", seamless_scale=1 / 256)
    for mode in (0, 1, 2, 3, 4, 7, 8, 9):
        yield case(f"$detailblendmode {mode}", one, "holed", detail="detail", detailblendmode=mode,
                   detailblendfactor=.6, detailtint=(1, .8, .6))
    two = "VertexLitGeneric"
    yield case("$envmap env_cubemap", two, envmap=elsewhere)
    yield case("$envmaptint", two, **ENVMAP, envmaptint=(.8, .4, .2))
    yield case("$envmapcontrast .5", two, **ENVMAP, envmapcontrast=.5)
    yield case("$envmapsaturation .3", two, **ENVMAP, envmapsaturation=.3)
    yield case("$envmapmask", two, **ENVMAP, envmapmask="mask")
    yield case("$basealphaenvmapmask", two, "holed", **ENVMAP, basealphaenvmapmask=1)
    yield case("$normalmapalphaenvmapmask", two, **ENVMAP, bumpmap="normals", normalmapalphaenvmapmask=1)
    yield case("$bumpmap $envmapmask (none)", two, **ENVMAP, bumpmap="normals", envmapmask="mask")
    yield case("$selfillum", two, "holed", selfillum=1)
    yield case("$selfillummask", two, selfillum=1, selfillummask="mask", selfillumtint=(.5, 1, 1))
    for mode in range(10):
        yield case(f"$detailblendmode {mode}", two, "holed", detail="bright", detailblendmode=mode,
                   detailblendfactor=.7 if mode == 6 else .4, detailtint=(1, .8, .6))
    yield case("$detailblendmode 6, little", two, detail="bright", detailblendmode=6, detailblendfactor=.3)
    yield case("$detailblendmode 9 $basealphaenvmapmask", two, "holed", **ENVMAP, basealphaenvmapmask=1,
               detail="detail", detailblendmode=9)
    yield case("$envmap", "UnlitGeneric", **ENVMAP)
    yield case("$selfillum (no effect)", "UnlitGeneric", "holed", selfillum=1)
    yield case("$texture2", "UnlitTwoTexture", texture2="mask")
    water = {**ENVMAP, "fogcolor": (.1, .3, .2), "forcecheap": 1}
    yield case("$fogcolor", "Water", None, **water)
    yield case("$normalmap", "Water", None, **water, normalmap="normals")
    yield case("$reflecttint $envmap env_cubemap", "Water", None, **{**water, "envmap": elsewhere},
               normalmap="normals", reflecttint=(.9, .5, .2))


def text_of(shader, base, keys):
    lines = [f"$basetexture test/{base}"] if base else []
    for key, value in keys.items():
        if key == "envmap":
            value = TEXTS[key][value]
        elif isinstance(value, str):
            value = f"test/{value}"
        elif isinstance(value, tuple):
            value = '"[' + " ".join(map(str, value)) + ']"'
        lines.append(f"${key} {value}")
    return f"{shader} {{ {' '.join(lines)} }}".replace("{ }", "{ $x 1 }")


def keys_of(shader, base, keys):
    pictures = {name: color(*value) for name, value in PICTURES.items()}
    pictures["gradient"] = gradient
    known = {key: pictures[value] if isinstance(value, str) else value for key, value in keys.items()}
    return shaders.Keys(shader, pictures[base] if base else None, **known)


def write_room(path, lumps, text):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("materials/test/wall.vmt", text)
        for name, pixel in PICTURES.items():
            members.writestr(f"materials/test/{name}.vtf", s.vtf(2, 2, s.RGBA8888, bytes(pixel) * 4))
        members.writestr("materials/test/gradient.vtf", gradient_picture())
        members.writestr("materials/maps/room/c1_2_3.vtf", cube(around))
        for at, of in ((NEAR, elsewhere), (FAR, around)):
            members.writestr(f"materials/maps/room/c{at[0]}_{at[1]}_{at[2]}.vtf", cube(of))
    lumps[s.PAKFILE].data = archive.getvalue()
    s.write(path, s.Form("20", 20, lumps))


# ---- Comparison -------------------------------------------------------------------------------------------------

def hardware(shown):
    """Converts colors from the shader's curve (a power) to the exact curve of sRGB, which graphics cards use."""
    light = shown ** shaders.GAMMA
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)


def differences(bspscene, path, picture, parts_of, keys):
    """Returns the differences of all pixels, in 255ths, from the shader's colors and from those with the exact
    curve."""
    shader, found, by_card = shaders.SHADERS[keys.shader], [], []
    for camera, parts in parts_of:
        subprocess.run([bspscene, "render", path, picture, "--size", f"{WIDTH}x{HEIGHT}", "--fov", str(FOV),
                        "--samples", "1", "--camera", ",".join(map(str, camera)), "--quiet"],
                       check=True, capture_output=True)
        got = np.asarray(Image.open(picture).convert("RGB"), float)
        for pixels, surface in parts:
            want = shader(keys, surface)
            shown = got[pixels[:, 0], pixels[:, 1]]
            found.append(np.abs(shown - want * 255).max(1))
            by_card.append(np.abs(shown - hardware(want) * 255).max(1))
    return np.concatenate(found), np.concatenate(by_card)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--table", type=pathlib.Path, help="write the table there, too")
    arguments = parser.parse_args()
    folder = arguments.out / "maps"
    folder.mkdir(parents=True, exist_ok=True)
    lumps = s.read(ROOM)
    lumps[s.LIGHTING].data = struct.pack("<3Bb", *LUXEL, EXPONENT) * (len(lumps[s.LIGHTING].data) // 4)
    # Removes the vertex normals, so that only the planes of faces count.
    lumps[VERTEX_NORMALS].data = lumps[s.NORMAL_INDICES].data = b""
    lumps[CUBEMAPS].data = b"".join(struct.pack("<3iB3x", *at, 0) for at in (NEAR, FAR))
    parts = list(surfaces(Room(lumps)))
    pixels = sum(len(part[0]) for _, camera in parts for part in camera)
    if pixels < 500:
        print(f"only {pixels} pixels show the wall")
        return 1
    rows, bad = [], 0
    for what, shader, base, keys in cases():
        path = folder / "room.bsp"
        write_room(path, lumps, text_of(shader, base, keys))
        found, by_card = differences(arguments.bspscene, path, arguments.out / "picture.png", parts,
                                     keys_of(shader, base, keys))
        bad += found.max() > MOST
        rows.append(f"{shader:19} {what:44} {found.max():7.2f} {found.mean():6.2f} {by_card.max():7.2f}"
                    + ("  <- too far" if found.max() > MOST else ""))
    table = "\n".join([f"{pixels} pixels each{'':50}  largest   mean  by sRGB", *rows])
    print(table)
    if arguments.table:
        arguments.table.write_text(table + "\n")
    print(f"{bad} of {len(rows)} materials are not what the shaders make" if bad else "All are what the shaders make.")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
