#!/usr/bin/env python3
"""Compares whole pictures of Source maps with an independent implementation of the published shader
(second_lightmapped.py).

    check_worlds.py --bspscene BUILD/bspscene --out DIRECTORY [--filter display|linear]
                    [--map MAP.bsp --game DIRECTORY... --camera X,Y,Z,PITCH,YAW...]

Without --map, made worlds (made_worlds.py), whose materials have normal maps, second textures, cube maps and details.
Each pixel that shows an opaque surface of LightmappedGeneric or WorldVertexTransition is shaded here from the map's own
records and files. 99 of 100 such pixels must be within 4 of 255. Smooth surfaces that reflect are left out, and
materials with keys that second_lightmapped.py does not support (UNKNOWN). Needs numpy and Pillow."""

import argparse
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "families")]
from packages import need  # noqa: E402

need("numpy")
need("PIL.Image")
import numpy as np  # noqa: E402
import second_files  # noqa: E402
import second_lightmapped as shader  # noqa: E402
import second_map  # noqa: E402
import source_forms as s  # noqa: E402
from PIL import Image  # noqa: E402
from second_shaders import linear  # noqa: E402

WIDTH, HEIGHT, FOV = 160, 120, 90
MOST, LEAST_SHARE = 4, 0.99
SHADERS = ("lightmappedgeneric", "worldvertextransition", "sdk_lightmappedgeneric", "sdk_worldvertextransition")
BLENDED = ("$translucent", "$alphatest", "$additive", "$vertexalpha")
UNKNOWN = ("$color", "$color2", "$alpha", "$seamless_scale", "$bumpmask", "$basetexturetransform", "$frame",
           "$lightwarptexture", "proxies", "$parallaxmap", "$bumptransform", "$envmapmasktransform",
           "$blendmasktransform")
COUNTED = ("$bumpmap", "$basetexture2", "$envmap", "$detail")


def direct3d_face(d):
    """Returns the side of a cube that a direction meets, and the coordinates there: s to the right and t down."""
    x, y, z = np.abs(d).T
    side = np.where((x >= y) & (x >= z), np.where(d[:, 0] > 0, 0, 1),
                    np.where(y >= z, np.where(d[:, 1] > 0, 2, 3), np.where(d[:, 2] > 0, 4, 5)))
    return side, on_side(side, d)


def on_side(side, d):
    x, y, z = d.T
    tables = [(-z, -y, x), (z, -y, x), (x, z, y), (x, -z, y), (x, -y, z), (-x, -y, z)]
    out = np.zeros((len(d), 2))
    for number, (to_right, down, major) in enumerate(tables):
        mine = side == number
        out[mine] = (np.stack([to_right, down], 1)[mine] / np.maximum(np.abs(major[mine, None]), 1e-12) + 1) / 2
    return out


class World:
    """A map, the game with its files, and the shading of its pixels."""

    def __init__(self, path, folders, display):
        self.map = second_map.Map(path)
        self.game = second_files.Game([self.map.lumps[s.PAKFILE].data, *folders])
        self.display = display  # true to filter display values, as the renderer does

    def color(self, texture, uvs, lods, side=0):
        """Returns the color of a texture that graphics cards convert from sRGB."""
        if self.display:
            out = texture.sample(uvs, lods, side)
            out[:, :3] = linear(out[:, :3])
            return out
        return texture.sample(uvs, lods, side, lambda texels: np.dstack([linear(texels[:, :, :3]), texels[:, :, 3]]))

    def material_of(self, face):
        """Returns the keys of a face's material if it can be compared, else None."""
        name = self.map.names[self.map.datas[self.map.infos[face["info"]][17]][3]]
        shader_name, keys = self.game.material(name) or ("", {})
        judged = shader_name.split("_dx")[0] in SHADERS and face["lit"]
        if not judged or any(key in keys for key in UNKNOWN) or any(keys.get(key, "0") != "0" for key in BLENDED):
            return None
        texture = self.game.texture(keys.get("$basetexture", "?"))
        reflects = "$envmap" in keys and keys["$envmap"].lower() != "env_cubemap"
        return keys if texture and not (reflects and face["smooth"]) else None

    def shade(self, face, keys, show):
        """Returns the colors of pixels that show a face. `show(dx, dy)` returns the values and positions at these
        pixels, moved by dx and dy pixels."""
        values, points = show(0, 0)
        size = np.array(self.map.datas[self.map.infos[face["info"]][17]][4:6])
        uvs = values[:, :2] / size
        changes = [show(*step)[0][:, :2] / size - uvs for step in ((1, 0), (0, 1))]

        def texel(key, scale=1, colored=False):
            texture = self.game.texture(keys[key]) if key in keys else None
            if texture is None:
                return None
            lods = texture.lods(*(change * scale for change in changes))
            return (self.color(texture, uvs * scale, lods) if colored else texture.sample(uvs * scale, lods))
        look = shader.Look(keys, self.game.texture(keys["$basetexture"]).has_alpha)
        p = shader.Inputs(self.eye - points, values[:, 4], texel("$basetexture", 1, True),
                          self.map.luxels(face, values[:, 2:4], 0))
        p.base2, p.bump, p.mask = texel("$basetexture2", 1, True), texel("$bumpmap"), texel("$envmapmask")
        if p.bump is not None and self.game.texture(keys["$bumpmap"]).flags & second_files.SELF_SHADOWING:
            look.self_shadowing = True
        if p.base2 is not None:
            p.bump2 = texel("$bumpmap2")
            p.modulation = None if look.shines or look.by_normal else texel("$blendmodulatetexture")
        scale = np.array([float(n) for n in str(keys.get("$detailscale", "4")).strip("[]").split()])
        p.detail = texel("$detail", scale, look.mode == 1) if "$detail" in keys else None
        if p.bump is not None and face["bumped"]:
            p.bumps = [self.map.luxels(face, values[:, 2:4], kind) for kind in (1, 2, 3)]
        self.surround(face, keys, show, p)
        return shader.lightmapped(look, p)

    def surround(self, face, keys, show, p):
        cube = self.game.texture(keys["$envmap"]) if "$envmap" in keys else None
        if cube is None or len(cube.levels) != 6:
            return
        normal, s_axis, t_axis = face["normal"], face["vectors"][0, :3], face["vectors"][1, :3]
        t = np.cross(normal, s_axis)
        t /= np.linalg.norm(t)
        bent_s = np.cross(t, normal)
        if np.cross(s_axis, t_axis) @ normal < 0:
            t = -t
        p.axes = (bent_s, t, normal)
        eyes = [self.eye - show(*step)[1] for step in ((0, 0), (1, 0), (0, 1))]

        def envmap(world):
            ways = [shader.mirrored(world, eye) for eye in eyes]
            side, at = direct3d_face(ways[0])
            changes = [np.clip(on_side(side, way) - at, -2, 2) for way in ways[1:]]
            lods, out = cube.lods(*changes), np.zeros((len(at), 3))
            for number in np.unique(side):
                mine = side == number
                out[mine] = self.color(cube, at[mine], lods[mine], number)[:, :3]
            return out
        p.envmap = envmap

    def draw(self, numbers):
        """Returns the colors of a picture and, for each pixel, 0 if it is not compared, else 1 plus the number of
        COUNTED keys of its material."""
        camera = second_map.Camera(numbers, WIDTH, HEIGHT, FOV)
        self.eye = camera.eye
        found, systems = self.map.show(camera)
        picture, judged = np.zeros((HEIGHT, WIDTH, 3)), np.zeros((HEIGHT, WIDTH), int)
        groups = {}
        for number in np.unique(found[found >= 0]):
            groups.setdefault(self.map.owners[number], []).append(number)
        for owner, numbers_of in groups.items():
            face = self.map.faces[owner]
            keys = self.material_of(face)
            if keys is None:
                continue
            for number in numbers_of:
                rows, columns = np.nonzero(found == number)

                def show(dx, dy, number=number, rows=rows, columns=columns):
                    return self.map.points(number, systems[number], columns + dx, rows + dy)
                picture[rows, columns] = self.shade(face, keys, show)
                judged[rows, columns] = 1 + sum(key in keys for key in COUNTED)
        return picture, judged


def strip(path, to):
    """Writes a copy of the map without overlays and without the game lump, which has the props."""
    data = bytearray(path.read_bytes())
    for number in (s.OVERLAYS, s.GAME_LUMP):
        data[8 + 16 * number:8 + 16 * number + 8] = bytes(8)
    to.write_bytes(data)


def render(bspscene, path, game, camera, out):
    command = [bspscene, "render", path, out, "--size", f"{WIDTH}x{HEIGHT}", "--fov", FOV, "--samples", 1, "--camera",
               ",".join(map(str, camera)), "--world-only", "--quiet"]
    for folder in game:
        command += ["--game", folder]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return np.asarray(Image.open(out).convert("RGB"), float)


def compare(arguments, path, folders, cameras):
    """Returns rows of the table, and the number of cameras whose picture differs too much."""
    maps = arguments.out / "maps"
    maps.mkdir(parents=True, exist_ok=True)
    stripped = maps / path.name
    strip(path, stripped)
    world, bad = World(stripped, folders, arguments.filter == "display"), 0
    for number, camera in enumerate(cameras):
        stem = arguments.out / f"{path.stem}_{number}"
        got = render(arguments.bspscene, stripped, folders, camera, stem.with_suffix(".png"))
        want, judged = world.draw(camera)
        difference = np.abs(got - want * 255).max(2)
        sure = (judged > 0) & interior(world, camera)
        share = (difference[sure] <= MOST).mean() if sure.any() else 0
        many = sure & (judged > 1)
        of_many = (difference[many] <= MOST).mean() if many.any() else 1
        bad += min(share, of_many) < LEAST_SHARE
        mean = difference[sure].mean() if sure.any() else 0
        print(f"{path.stem:24} {number} judged {sure.mean():.3f} of the picture, {many.mean():.3f} with more than a "
              f"texture: within {MOST}: {share:.4f} and {of_many:.4f}, mean {mean:.2f}")
        Image.fromarray(np.rint(want * 255).astype(np.uint8)).save(f"{stem}_second.png")
        shown = np.clip(np.where(sure, difference * 16, 40), 0, 255).astype(np.uint8)
        Image.fromarray(shown).save(f"{stem}_difference.png")
    return bad


def interior(world, camera):
    """Returns a mask of pixels whose neighbors show the same face. At edges, rounding decides which face a ray
    meets."""
    found, _ = world.map.show(second_map.Camera(camera, WIDTH, HEIGHT, FOV))
    owner = np.where(found >= 0, world.map.owners[found], -1)
    out = np.ones(owner.shape, bool)
    for axis in (0, 1):
        same = np.diff(owner, axis=axis) == 0
        before, after = [slice(None)] * 2, [slice(None)] * 2
        before[axis], after[axis] = slice(None, -1), slice(1, None)
        out[tuple(before)] &= same
        out[tuple(after)] &= same
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--filter", choices=("display", "linear"), default="display")
    parser.add_argument("--map", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--game", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--camera", action="append", default=[], type=lambda text: tuple(map(float, text.split(","))))
    arguments = parser.parse_args()
    if arguments.map:
        return bool(sum(compare(arguments, path, arguments.game, arguments.camera) for path in arguments.map))
    import made_worlds
    shutil.rmtree(arguments.out, ignore_errors=True)
    bad = sum(compare(arguments, path, [path.parent.parent], cameras)
              for path, cameras in made_worlds.make(arguments.bspscene, arguments.out / "made"))
    print(f"{bad} pictures are not what the shader makes" if bad else "All pictures are what the shader makes.")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
