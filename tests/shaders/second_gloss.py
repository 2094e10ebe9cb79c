"""A second implementation of Source's shader for $phong and $rimlight, by Valve's published code (Source SDK 2013,
materialsystem/stdshaders: skin_ps20b.fxc, skin_vs20.fxc, skin_dx9_helper.cpp, common_vertexlitgeneric_dx9.h).

For n points, arrays have the shape (n, 3) or (n,)."""

import numpy as np

from second_shaders import lerp, linear, shown


def dot(a, b):
    return (a * b).sum(-1)


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def saturate(value):
    return np.clip(value, 0, 1)


class Point:
    """Points of a model, with the outputs of the vertex shader there."""

    def __init__(self, points, eye, normals, tangents, binormals, arriving, cube):
        self.points, self.to_eye = points, unit(eye - points)
        self.normals, self.tangents, self.binormals = unit(normals), tangents, binormals
        self.arriving, self.cube = arriving, cube  # `arriving` has the color and direction of each lamp


def from_cube(cube, directions):
    """Returns the light of an ambient cube, as PixelShaderAmbientLight does."""
    squares, out = directions**2, 0
    for axis in range(3):
        side = np.where(directions[:, axis] >= 0, 2 * axis, 2 * axis + 1)
        out = out + squares[:, axis, None] * cube[side]
    return out


def ranged_fresnel(facing, ranges):
    low, middle, high = ranges
    f = saturate(1 - facing)**2 - 0.5
    return middle + np.where(f >= 0, (high - middle) * 2, (middle - low) * 2) * f


def skin(keys, p):
    count, base = len(p.points), np.array(keys.base)
    color, alpha = np.tile(linear(base[:3]), (count, 1)), base[3]
    texel = np.array(keys["bumpmap"]) if "bumpmap" in keys else np.array([.5, .5, 1, 1])
    by_base = float("basemapalphaphongmask" in keys)
    x, y, z = lerp(2 * texel[:3] - 1, np.array([0, 0, 1]), by_base)
    mask = lerp(texel[3], alpha, by_base)
    normals = unit(p.tangents * x + p.binormals * y + p.normals * z)
    facing = dot(normals, p.to_eye)
    ranges = ranged_fresnel(facing, keys["phongfresnelranges"] or (0, 0, 0))
    fresnel4 = saturate(1 - facing)**4
    mirrored = 2 * normals * facing[:, None] - p.to_eye

    exponents = np.array(keys["phongexponenttexture"] or (1, 1, 1, 1))
    if keys["phongexponentfactor"]:
        exponent = 1 + keys["phongexponentfactor"] * exponents[0]
    else:
        exponent = keys["phongexponent"] or 1 + 149 * exponents[0]
    tint = np.array(keys["phongtint"] or (1, 1, 1))
    if "phongtint" in keys and not tint.any():
        tint = lerp(np.ones(3), color, exponents[1]) if "phongalbedotint" in keys else np.ones(3)

    diffuse = from_cube(p.cube, normals)
    gloss, rim = np.zeros((count, 3)), np.zeros((count, 3))
    for light, toward in p.arriving:
        half = saturate(dot(normals, toward) * .5 + .5)
        ramp = keys["lightwarptexture"]
        diffuse = diffuse + light * (2 * ramp(np.stack([half, 0 * half], -1)) if ramp else half[:, None]**2)
        along = saturate(dot(mirrored, toward))
        shine, warp = along**exponent, keys["phongwarptexture"]
        shine = shine[:, None] * (warp(np.stack([shine, ranges], -1)) if warp else np.ones(3))
        masked = light * saturate(dot(normals, toward))[:, None]
        gloss += shine * masked
        rim += along[:, None]**max(keys["rimlightexponent"] or 0, 1) * masked

    gloss *= (mask * (keys["phongboost"] or 0) * (1 + 0 * ranges if keys["phongwarptexture"] else ranges))[:, None]
    lit = color * diffuse
    if "selfillum" in keys:
        lit = lerp(lit, np.array(keys["selfillumtint"]) * color, alpha)
    if "rimlight" in keys:
        times = (exponents[3] if "rimmask" in keys else 1) * fresnel4
        gloss = np.maximum(gloss, rim * times[:, None])
        boost = from_cube(p.cube, p.to_eye) * (keys["rimlightboost"] or 0)
        gloss += boost * saturate(times * normals[:, 2])[:, None]
    around = 0
    if "envmap" in keys:
        part = mask if "normalmapalphaenvmapmask" in keys else alpha
        part = 1 - part if "invertphongmask" in keys else part
        times = lerp(1, ranges, keys["envmapfresnel"] or 0) * part
        around = linear(keys["envmap"](mirrored)) * times[:, None] * np.array(keys["envmaptint"])
    return shown(gloss * tint + around + lit)
