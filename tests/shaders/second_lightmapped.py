"""LightmappedGeneric and WorldVertexTransition with textures, luxels and normal maps that vary from point to point: an
independent implementation by the published shader (Source SDK 2013, stdshaders: lightmappedgeneric_ps2_3_x.h,
lightmappedgeneric_dx9_helper.cpp, common_ps_fxc.h, common_lightmappedgeneric_fxc.h).

For n points, arrays of texels have the shape (n, 4), and arrays of light (n, 3). Texels are linear if graphics cards
read the texture as sRGB. Results are display colors."""

import numpy as np
from second_shaders import combine, lerp, luminance, shown

# The constant bumpBasis of the shader.
BASIS = np.array([[(2 / 3)**.5, 0, 3**-.5], [-6**-.5, 2**-.5, 3**-.5], [-6**-.5, -2**-.5, 3**-.5]])


class Inputs:
    """The outputs of texture samplers and of the vertex shader at the points of one surface."""

    def __init__(self, to_eye, weights, base, light):
        self.to_eye, self.weights, self.base, self.light = to_eye, weights[:, None], base, light
        self.base2 = self.modulation = self.bump = self.bump2 = self.detail = self.mask = self.envmap = None
        self.bumps = None  # light along the three basis vectors
        self.axes = None   # vectors S, T and normal of the tangent space


class Look:
    """The constants and combos that the shader's helper sets."""

    def __init__(self, keys, base_has_alpha):
        def number(key, usual=0.0):
            try:
                return float(keys.get(key, usual))
            except ValueError:
                return float(str(keys[key]).strip("[]{} \t").split()[0])

        def color(key):
            numbers = [float(n) for n in str(keys.get(key, "1 1 1")).strip("[]{} \t").split()]
            scale = 255 if "{" in str(keys.get(key, "")) else 1
            return np.array(numbers if len(numbers) == 3 else numbers[:1] * 3) / scale
        self.tint, self.self_tint = color("$envmaptint"), color("$selfillumtint")
        self.detail_tint = color("$detailtint")
        self.contrast, self.saturation = number("$envmapcontrast"), number("$envmapsaturation", 1)
        self.fresnel, self.masked = number("$fresnelreflection", 1), bool(number("$maskedblending"))
        self.shines = bool(number("$selfillum")) and base_has_alpha
        self.by_base = bool(number("$basealphaenvmapmask")) and base_has_alpha
        self.by_normal, self.self_shadowing = bool(number("$normalmapalphaenvmapmask")), bool(number("$ssbump"))
        self.mode, self.factor = int(number("$detailblendmode")), number("$detailblendfactor", 1)
        self.flat = bool(number("$nodiffusebumplighting"))
        slow = (self.contrast not in (0, 1) and self.saturation != 1) or self.fresnel != 1 or (
            self.shines and (self.self_tint != 1).any())
        if not slow:
            self.contrast, self.saturation = float(self.contrast == 1), 1.0


def smooth(low, high, x):
    with np.errstate(all="ignore"):
        t = np.clip(np.where(high > low, (x - low) / (high - low), x >= high), 0, 1)
    return t * t * (3 - 2 * t)


def blend(look, p):
    weights = np.full_like(p.weights, 0.5) if look.masked and p.modulation is not None else p.weights
    if p.modulation is not None:
        low, high = p.modulation[:, 1:2] - p.modulation[:, :1], p.modulation[:, 1:2] + p.modulation[:, :1]
        if not look.masked:
            low, high = np.maximum(low, 0), np.minimum(high, 1)
        weights = smooth(low, high, weights)
    return weights


def diffuse(look, p, normal):
    """Returns the light, and the tangent-space normal for the reflection."""
    if p.bump is None or look.flat:
        return p.light, normal
    light = p.bumps if p.bumps is not None else [p.light] * 3
    if look.self_shadowing:
        bent = normal @ BASIS
        bent = bent / np.maximum(np.linalg.norm(bent, axis=1, keepdims=True), 1e-9)
        return sum(light[k] * normal[:, k:k + 1] for k in range(3)), bent
    parts = np.maximum(normal @ BASIS.T, 0)**2
    total = np.maximum(parts.sum(1, keepdims=True), 1e-12)
    return sum(light[k] * parts[:, k:k + 1] for k in range(3)) / total, normal


def lightmapped(look, p):
    weights, color, alpha = blend(look, p), p.base[:, :3], p.base[:, 3:]
    blended = alpha
    if p.base2 is not None:
        color, blended = lerp(color, p.base2[:, :3], weights), lerp(alpha, p.base2[:, 3:], weights)
    normal, factor = np.tile([0.0, 0, 1], (len(color), 1)), np.ones((len(color), 1))
    if p.bump is not None:
        normal = p.bump[:, :3] if look.self_shadowing else 2 * p.bump[:, :3] - 1
        if p.bump2 is not None:
            normal = lerp(normal, p.bump2[:, :3] if look.self_shadowing else 2 * p.bump2[:, :3] - 1, weights)
        if look.by_normal:
            factor = factor * p.bump[:, 3:]
    elif p.mask is not None:
        factor = factor * p.mask[:, :3]
    if look.by_base:
        factor = factor * (1 - blended)
    albedo = color
    if p.detail is not None:
        albedo, _ = combine(color, alpha, p.detail[:, :3] * look.detail_tint, p.detail[:, 3:], look.mode, look.factor)
    light, normal = diffuse(look, p, normal)
    lit = albedo * light
    if look.shines:
        lit = lerp(lit, look.self_tint * albedo, alpha)
    if p.envmap is None:
        return shown(lit)
    world = sum(axis * normal[:, k:k + 1] for k, axis in enumerate(p.axes))
    eye = p.to_eye / np.linalg.norm(p.to_eye, axis=1, keepdims=True)
    away = (1 - (world * eye).sum(1, keepdims=True))**5
    shine = p.envmap(world) * factor * look.tint
    shine = lerp(shine, shine * shine, look.contrast)
    shine = lerp(luminance(shine), shine, look.saturation)
    return shown(lit + shine * (away * (1 - look.fresnel) + look.fresnel))


def mirrored(normal, to_eye):
    """Implements CalcReflectionVectorUnnormalized of Source's shaders: the result is not of length 1."""
    return 2 * (normal * to_eye).sum(1, keepdims=True) * normal - (normal * normal).sum(1, keepdims=True) * to_eye
