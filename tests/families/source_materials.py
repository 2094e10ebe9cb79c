#!/usr/bin/env python3
"""Makes a Source room with every kind of material in its archive: normals, emission, alpha test, glass, two textures
with a mask and detail, a rotated texture, an animated one, a sky with compressed HDR light.

    source_materials.py --bspscene BUILD/bspscene --out DIRECTORY

Writes the room to DIRECTORY/maps/room.bsp, and as glTF next to it. Checks what `info`, `convert` and `render` make of
it. Needs Pillow."""

import argparse
import io
import json
import pathlib
import struct
import subprocess
import sys
import zipfile

import source_forms as s

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from packages import need  # noqa: E402

ROOM = pathlib.Path(__file__).resolve().parent.parent / "fixtures/source/maps/room.bsp"
GAMMA = 2.2
SAND, ROUGH, FACTOR = (200, 160, 80, 255), (64, 128, 192, 255), 0.5
NORMALS = [(128, 200, 230, 10), (60, 128, 230, 20)] * 2
WALL = [(200, 100, 50, 0), (100, 50, 25, 0), (200, 100, 50, 255), (100, 50, 25, 255)]
# Colors of the screen's frames, each shown for half a second.
SCREEN = [(200, 0, 0, 255), (0, 200, 0, 255), (0, 0, 200, 255)]
PLAYED = """UnlitGeneric { $basetexture test/screen Proxies { AnimatedTexture { animatedTextureVar $basetexture
    animatedTextureFrameNumVar $frame animatedTextureFrameRate 2 } } }"""
# A camera that looks straight at the wall with the screen.
BEFORE_WALL = "20,64,110,0,180"
# A camera that looks down on the middle of a displacement.
ABOVE_GRASS = "192,64,200,90,0"

MATERIALS = {
    "test/wall": """LightmappedGeneric { $basetexture test/wall $bumpmap test/normals $selfillum 1
        $basetexturetransform "center 0 0 scale 1 2 rotate 90 translate .25 0" }""",
    "test/grass": f"""WorldVertexTransition {{ $basetexture test/green $basetexture2 test/sand
        $blendmodulatetexture test/mask $detail test/rough $detailscale 2 $detailblendfactor {FACTOR} }}""",
    "test/water": "LightmappedGeneric { $basetexture test/glass $translucent 1 }",
    "test/decal": "patch { include materials/test/grate.vmt insert { $nocull 1 } }",
    "test/grate": "LightmappedGeneric { $basetexture test/grate $alphatest 1 $alphatestreference .5 }",
    **{f"skybox/sky_test{side}": "Sky { $hdrcompressedtexture skybox/packed }"
       for side in ("rt", "bk", "lf", "ft", "up", "dn")},
}


def textures(mask):
    return {
        "test/wall": WALL, "test/normals": NORMALS, "test/green": [(0, 128, 0, 255)] * 4, "test/sand": [SAND] * 4,
        "test/mask": [mask] * 4, "test/rough": [ROUGH] * 4, "test/glass": [(60, 120, 200, 128)] * 4,
        "test/grate": [(90, 90, 90, 255), (90, 90, 90, 0)] * 2, "skybox/packed": [(255, 128, 64, 16)] * 4,
    }


def write_room(folder, mask=(51, 128, 0, 255), wall=None, normals=None):
    """Writes the room and returns its path. `mask` is the color of the mask that blends grass and sand. `wall` is
    another material for the wall, and `normals` one color for its whole normal map."""
    texts = dict(MATERIALS, **{"test/wall": wall} if wall else {})
    pictures = dict(textures(mask), **{"test/normals": [normals] * 4} if normals else {})
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        for name, text in texts.items():
            members.writestr(f"materials/{name}.vmt", text)
        for name, pixels in pictures.items():
            members.writestr(f"materials/{name}.vtf", s.vtf(2, 2, s.RGBA8888, b"".join(map(bytes, pixels))))
        frames = b"".join(bytes(color) * 4 for color in SCREEN)
        members.writestr("materials/test/screen.vtf", s.vtf(2, 2, s.RGBA8888, frames, len(SCREEN)))
    lumps = s.read(ROOM)
    lumps[s.PAKFILE].data = archive.getvalue()
    path = folder / "maps/room.bsp"
    path.parent.mkdir(parents=True, exist_ok=True)
    s.write(path, s.Form("20", 20, lumps))
    return path


# ---- Commands ---------------------------------------------------------------------------------------------------

def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def check_info(bspscene, path):
    counts = json.loads(run(bspscene, "info", path, "--json"))["counts"]
    if counts["textures_missing"] or counts["textures_found"] < len(textures(SAND)):
        yield f"info: {counts['textures_found']} textures found, {counts['textures_missing']} missing"


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        size = struct.unpack_from("<I", data, 12)[0]
        self.document, self.binary = json.loads(data[20:20 + size]), data[28 + size:]

    def material(self, name, **wanted):
        """Returns the first material with this name that has all members of `wanted`. Returns an empty dictionary if
        there is none."""
        found = [m for m in self.document["materials"] if m["name"].lower() == name and all(key in m for key in wanted)]
        return found[0] if found else {}

    def pixels(self, texture):
        from PIL import Image
        image = self.document["images"][self.document["textures"][texture]["source"]]
        view = self.document["bufferViews"][image["bufferView"]]
        data = self.binary[view["byteOffset"]:][:view["byteLength"]]
        return list(Image.open(io.BytesIO(data)).convert("RGBA").getdata())


def check_glb(glb):
    """Yields problems of the glTF's materials: of features that glTF supports, of those that it does not support, and
    of transformed coordinates."""
    wall, grass = glb.material("test/wall", normalTexture=True), glb.material("test/grass")
    if not wall:
        yield "glTF: the wall has no normals"
        return
    wanted = [(red, 255 - green, blue, 255) for red, green, blue, _ in NORMALS]
    if glb.pixels(wall["normalTexture"]["index"]) != wanted:
        yield f"glTF: normals are {glb.pixels(wall['normalTexture']['index'])}, not {wanted}"
    shining = [(*(WALL[i][:3] if i > 1 else (0, 0, 0)), 255) for i in range(4)]
    if glb.pixels(wall["emissiveTexture"]["index"]) != shining:
        yield f"glTF: what shines is {glb.pixels(wall['emissiveTexture']['index'])}"
    if "extensions" in wall["pbrMetallicRoughness"]["baseColorTexture"]:
        yield "glTF: the turned wall is moved by the extension too"
    facts = grass["extras"]
    detail = facts["detail"]
    if glb.pixels(facts["secondTexture"])[0] != SAND or detail["uvScale"] != [2, 2] or detail["factor"] != FACTOR:
        yield f"glTF: grass is {facts}"
    mask = glb.pixels(facts["blendMask"]["texture"])[0]
    if glb.pixels(detail["texture"])[0] != ROUGH or mask != (51, 128, 0, 255):
        yield "glTF: grass has other textures"
    for name, mode in (("test/water", "BLEND"), ("test/decal", "MASK"), ("test/grass", None)):
        if glb.material(name).get("alphaMode") != mode:
            yield f"glTF: {name} is {glb.material(name).get('alphaMode')}"
    if not glb.material("test/decal").get("doubleSided"):
        yield "glTF: the patch of the grate is missing"


def display(linear):
    return round(255 * min(max(linear, 0), 1) ** (1 / GAMMA))


def detailed(color):
    """Returns a color multiplied with the detail texture. The shader takes twice the detail, and blends it in by
    FACTOR."""
    factors = (1 + (2 * rough / 255 - 1) * FACTOR for rough in ROUGH[:3])
    return tuple(display((channel / 255)**GAMMA * factor) for channel, factor in zip(color[:3], factors))


def middle(bspscene, path, picture, *options):
    from PIL import Image
    run(bspscene, "render", path, picture, "--fov", 10, "--size", "32x32", "--mode", "texture", "--quiet", *options)
    return Image.open(picture).convert("RGB").getpixel((16, 16))


def check_pictures(bspscene, folder):
    """If the border (the mask's green) is below all weights, only sand is visible. If it is above all weights, only
    grass is visible."""
    for mask, color in (((0, 0, 0, 255), SAND), ((0, 255, 0, 255), (0, 128, 0, 255))):
        got = middle(bspscene, write_room(folder, mask), folder / "picture.png", "--camera", ABOVE_GRASS)
        want = detailed(color)
        if max(abs(a - b) for a, b in zip(got, want)) > 2:
            yield f"render: mask {mask[1]} shows {got}, not {want}"


def check_frames(bspscene, folder):
    """A picture shows the frame at its time. The glTF shows the first frame and has the names of all frames."""
    path, glb = write_room(folder, wall=PLAYED), folder / "screen.glb"
    for time, frame in ((0, 0), (0.75, 1), (1.25, 2), (1.6, 0)):
        got = middle(bspscene, path, folder / "picture.png", "--camera", BEFORE_WALL, "--time", time)
        if got != SCREEN[frame][:3]:
            yield f"render: at {time} s the screen is {got}, not {SCREEN[frame][:3]}"
    run(bspscene, "convert", path, glb, "--quiet")
    room = Glb(glb)
    wall = room.material("test/wall")
    shown = room.pixels(wall["pbrMetallicRoughness"]["baseColorTexture"]["index"])[0]
    frames = [f"materials/test/screen{end}" for end in ("", "_frame1", "_frame2")]
    if shown != SCREEN[0] or wall["extras"]["animation"] != {"framesPerSecond": 2, "frames": frames}:
        yield f"glTF: the screen shows {shown}, and {wall['extras'].get('animation')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    need("PIL.Image")
    problems = [*check_pictures(arguments.bspscene, arguments.out), *check_frames(arguments.bspscene, arguments.out)]
    path = write_room(arguments.out)
    glb = arguments.out / "room.glb"
    run(arguments.bspscene, "convert", path, glb, "--include", "sky", "--lighting", "lightmap", "--quiet")
    problems += [*check_info(arguments.bspscene, path), *check_glb(Glb(glb))]
    print("\n".join(problems) or "Every material of the room is what its file says.")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
