"""Makes Source maps for check_worlds.py from fixtures: the atrium with normal maps, cube maps and detail textures, and
different light along the three bump directions; the same with self-shadowing bump maps; and the tests' room with hills
that blend two textures."""

import io
import struct
import zipfile

import check_shaders as walls
import numpy as np
import source_atrium
import source_forms as s

SIDE = 64
EYES = [(-320, -96, 56, 0, 45), (-40, 20, 90, 0, -3), (240, -200, 150, 9, 53)]
ABOVE_HILLS = [(190, 100, 60, 25, 250)]  # two hills share a seam, and this camera sees one
LIGHT_OF_BUMPS = np.array([(1.6, 1.3, 1.0), (0.9, 0.9, 1.2), (0.5, 0.8, 0.6)])  # RGB factors for each direction


def grid(side=SIDE):
    at = (np.arange(side) + 0.5) / side * 2 * np.pi
    return np.meshgrid(at, at)


def encode(channels):
    return np.clip(np.rint(np.dstack(np.broadcast_arrays(*channels)) * 255), 0, 255).astype(np.uint8)


def picture(channels, flags=0):
    data = bytearray(s.vtf(SIDE, SIDE, s.RGBA8888, encode(channels).tobytes()))
    before, = struct.unpack_from("<I", data, 20)
    struct.pack_into("<I", data, 20, before | flags)
    return bytes(data)


def stored_picture():
    """Makes a texture whose smaller mip levels are not means of the largest one."""
    levels = []
    for number in range(SIDE.bit_length()):
        u, v = grid(SIDE >> number)
        levels.append(encode([.5 + .2 * np.sin(u) - .05 * number, .45 + .2 * np.cos(v), .4 + .05 * number + 0 * u,
                              .6 + .3 * np.sin(v)]).tobytes())
    data = bytearray(s.vtf(SIDE, SIDE, s.RGBA8888, b"".join(reversed(levels))))
    data[56] = len(levels)
    return bytes(data)


def waves(turn):
    """Makes a normal map of waves. Alpha is a mask."""
    u, v = grid()
    x, y = 0.5 * np.sin(u + turn), 0.4 * np.cos(2 * v + turn)
    length = np.sqrt(x * x + y * y + 1)
    return [x / length / 2 + .5, y / length / 2 + .5, .5 / length + .5, .5 + .4 * np.sin(u + v)]


def pictures():
    u, v = grid()
    yield "first", stored_picture()
    yield "second", picture([.3 + .1 * np.cos(u), .5 + .2 * np.sin(u + v), .6 + 0 * u, .5 + .2 * np.cos(u)])
    yield "waves", picture(waves(0))
    yield "ripples", picture(waves(2))
    shadows = [.4 + .2 * np.sin(u), .35 + .2 * np.cos(v), .3 + .1 * np.sin(u + v), .7 + 0 * u]
    yield "shadows", picture(shadows, 0x8000000)
    yield "fine", picture([.5 + .2 * np.sin(u), .5 + .15 * np.sin(v), .5 + .1 * np.cos(u), .5 + .3 * np.cos(v)])
    yield "border", picture([.1 + .08 * np.sin(u), .5 + .2 * np.cos(v), 0 * u, 1 + 0 * u])
    yield "cube", walls.cube(walls.around)


# Keys that the atrium's materials get in turn.
CUBE, DETAIL = "$envmap test/cube", "$detail test/fine $detailscale 3"
BUMPED = [
    "$bumpmap test/waves",
    f"$bumpmap test/waves {CUBE} $envmaptint \"[.4 .5 .3]\" $normalmapalphaenvmapmask 1",
    f"$bumpmap test/ripples {DETAIL} $detailblendfactor .8",
    f"{CUBE} $envmaptint \"[.3 .3 .3]\" $fresnelreflection .3 $envmapcontrast .4 $envmapsaturation .5",
    f"{DETAIL} $detailblendmode 7",
    "$bumpmap test/waves $nodiffusebumplighting 1",
]
SHADED = [
    "$bumpmap test/shadows $ssbump 1",
    f"$bumpmap test/shadows {CUBE} $envmaptint \"[.5 .5 .5]\"",
    f"$bumpmap test/shadows {CUBE} $normalmapalphaenvmapmask 1 {DETAIL}",
    "$bumpmap test/ripples",
]
HILLS = """WorldVertexTransition { $basetexture test/first $basetexture2 test/second $bumpmap test/waves
    $bumpmap2 test/ripples $blendmodulatetexture test/border $detail test/fine $detailscale 2 $detailblendfactor .7 }"""
PLAIN = f"""WorldVertexTransition {{ $basetexture test/first $basetexture2 test/second {CUBE}
    $blendmodulatetexture test/border $basealphaenvmapmask 1 $envmaptint "[.7 .7 .7]" }}"""
POLISHED = f"""WorldVertexTransition {{ $basetexture test/first $basetexture2 test/second $bumpmap test/waves
    $bumpmap2 test/ripples {CUBE} $envmaptint "[.6 .6 .6]" $normalmapalphaenvmapmask 1 }}"""
DISP_VERTICES = 33


def spread(data, factors):
    """Makes luxels (color and exponent) for the three bump directions from ordinary ones."""
    luxels = np.frombuffer(data, np.uint8).reshape(-1, 4)
    out = [data]
    for factor in factors:
        light = luxels[:, :3] * factor
        most = np.maximum(light.max(1), 1e-9)
        over = np.maximum(np.ceil(np.log2(most / 255)), 0).astype(int)
        colors = np.rint(light / np.exp2(over)[:, None]).astype(np.uint8)
        out.append(np.hstack([colors, (luxels[:, 3:].view(np.int8) + over[:, None]).astype(np.int8).view(np.uint8)])
                   .tobytes())
    return b"".join(out)


def bump_lights(lumps):
    """Gives lit faces, except those of every fifth texture projection, separate light for the three bump directions.
    The factors rotate among the directions from face to face."""
    old, light, faces = lumps[s.LIGHTING].data, bytearray(), bytearray()
    infos = bytearray(lumps[s.TEXINFO].data)
    for at in range(64, len(infos), 72):
        flags, = struct.unpack_from("<I", infos, at)
        if not flags & 0x404 and at // 72 % 5 != 4:
            struct.pack_into("<I", infos, at, flags | s.BUMPED)
    for number, face in enumerate(struct.iter_unpack("<" + s.FACE, lumps[s.FACES].data)):
        face, styles, offset = list(face), face[8], face[9]
        size = 4 * (face[13] + 1) * (face[14] + 1)
        used = sum(style != 255 for style in styles)
        flags, = struct.unpack_from("<I", infos, 72 * face[5] + 64) if face[5] >= 0 else (0,)
        if offset >= 0 and used and flags & s.BUMPED:
            factors = np.roll(LIGHT_OF_BUMPS, number % 3, 0)
            light += bytes(4 * used)
            face[9] = len(light)
            light += b"".join(spread(old[offset + size * k:offset + size * (k + 1)], factors) for k in range(used))
        elif offset >= 0 and used:
            light += bytes(4 * used)
            face[9] = len(light)
            light += old[offset:offset + size * used]
        faces += struct.pack("<" + s.FACE, *face)
    lumps[s.LIGHTING].data, lumps[s.FACES].data, lumps[s.TEXINFO].data = bytes(light), bytes(faces), bytes(infos)


def write_pictures(folder):
    (folder / "materials/test").mkdir(parents=True, exist_ok=True)
    for name, data in pictures():
        folder.joinpath(f"materials/test/{name}.vtf").write_bytes(data)


def atrium(bspscene, folder, keys):
    path = source_atrium.make_game(bspscene, folder)
    lumps = source_atrium.make_lumps()
    bump_lights(lumps)
    s.write(path, s.Form("20", 20, lumps))
    write_pictures(folder)
    plain = [vmt for vmt in sorted(folder.rglob("*.vmt")) if "LightmappedGeneric" in vmt.read_text()
             and "$alpha" not in vmt.read_text()]
    for number, vmt in enumerate(plain):
        vmt.write_text(vmt.read_text().replace("}", keys[number % len(keys)] + " }"))
    return path


def room(folder, material, flat):
    """Makes the room with hills. `flat` sets the height of the hills to 0, so that their normals are those of the
    faces."""
    lumps = s.read(walls.ROOM)
    bump_lights(lumps)
    rows = list(struct.iter_unpack("<5f", lumps[DISP_VERTICES].data))
    lumps[DISP_VERTICES].data = b"".join(
        struct.pack("<5f", *row[:3], 0 if flat else row[3], 40 + 170 * (number % 5) / 4 if flat else row[4])
        for number, row in enumerate(rows))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("materials/test/grass.vmt", material)
    lumps[s.PAKFILE].data = archive.getvalue()
    path = folder / "maps" / f"room_{folder.name}.bsp"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_pictures(folder)
    s.write(path, s.Form("20", 20, lumps))
    return path


def make(bspscene, folder):
    """Yields pairs of a map and its cameras."""
    for name, keys in (("bumped", BUMPED), ("shaded", SHADED)):
        path = atrium(bspscene, folder / name, keys)
        yield path.rename(path.with_name(f"atrium_{name}.bsp")), EYES
    for name, material in (("hills", HILLS), ("plain", PLAIN), ("polished", POLISHED)):
        yield room(folder / name, material, material != HILLS), ABOVE_HILLS
