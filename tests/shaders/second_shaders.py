"""A second implementation of Source's shaders, by Valve's published code (Source SDK 2013, materialsystem/stdshaders:
lightmappedgeneric_ps2_3_x.h, vertexlit_and_unlit_generic_ps2x.fxc, vertexlit_and_unlit_generic_bump_ps2x.fxc,
unlittwotexture_ps2x.fxc, WaterCheap_ps2x.fxc, common_ps_fxc.h, and the settings of their *_dx9_helper.cpp).

For n points, arrays have the shape (n, 3) or (n,). Textures are given as stored, 0..1; colors are returned as
displayed."""

import numpy as np

GAMMA = 2.2


def linear(color):
    return np.maximum(np.asarray(color, float), 0) ** GAMMA


def shown(color):
    return np.clip(np.maximum(color, 0) ** (1 / GAMMA), 0, 1)


def lerp(a, b, share):
    return a + (b - a) * share


def luminance(color):
    return (color @ np.array([0.299, 0.587, 0.114]))[:, None]


def up_to_one(color):
    """Converts a constant color from gamma to linear, as the shader's helper does. Values above 1 do not change."""
    color = np.asarray(color, float)
    return np.where(color > 1, color, color ** GAMMA)


def combine(base, alpha, detail, detail_alpha, mode, factor):
    """Implements TextureCombine."""
    if mode == 0:
        base = base * lerp(1, 2 * detail, factor)
    elif mode == 1:
        base = base + factor * detail
    elif mode == 2:
        base = lerp(base, detail, factor * detail_alpha)
    elif mode == 3:
        base, alpha = lerp(base, detail, factor), lerp(alpha, detail_alpha, factor)
    elif mode == 4:
        base, alpha = lerp(base, detail, factor * (1 - alpha)), detail_alpha
    elif mode == 7:
        base = base * lerp(1, 2 * lerp(detail[..., :1], detail_alpha, alpha), factor)
    elif mode == 8:
        base, alpha = lerp(base, base * detail, factor), lerp(alpha, alpha * detail_alpha, factor)
    elif mode == 9:
        alpha = lerp(alpha, alpha * detail_alpha, factor)
    return base, alpha


def combine_after_light(lit, detail, mode, factor):
    """Implements TextureCombinePostLighting."""
    if mode == 5:
        return lit + factor * detail
    if mode == 6:
        over = factor - 0.5
        times = 1 / factor if over >= 0 else 4 * factor
        plus = 1 - times if over >= 0 else -0.5 * times
        return lit + np.clip(times * detail + plus, 0, 1)
    return lit


def bend(normal, texture_s, texture_t, texel):
    """Returns the texel in the tangent space of the normal and the texture's vectors (mathlib/bumpvects.cpp)."""
    t = np.cross(normal, texture_s)
    t /= np.linalg.norm(t)
    s = np.cross(t, normal)
    if np.dot(np.cross(texture_s, texture_t), normal) < 0:
        t = -t
    x, y, z = 2 * np.asarray(texel[:3], float) - 1
    return s * x + t * y + normal * z


def reflected(normal, to_eye):
    """Implements CalcReflectionVectorUnnormalized."""
    return 2 * (to_eye @ normal)[:, None] * normal - np.dot(normal, normal) * to_eye


class Surface:
    """Points of one surface, with their positions and the map's data."""

    def __init__(self, points, eye, normal, texture_s, texture_t, light):
        self.points, self.to_eye = points, eye - points
        self.normal, self.texture_s, self.texture_t, self.light = normal, texture_s, texture_t, light


class Keys:
    """The keys of a VMT. The value of a key for a texture is the texture itself, not its name."""

    def __init__(self, shader, base=None, **keys):
        self.shader, self.base, self.keys = shader, base, keys

    def __contains__(self, key):
        return bool(self.keys.get(key))

    def __getitem__(self, key):
        usual = {"envmaptint": (1, 1, 1), "envmapcontrast": 0, "envmapsaturation": 1, "fresnelreflection": 1,
                 "selfillumtint": (1, 1, 1), "detailblendmode": 0, "detailblendfactor": 1, "detailtint": (1, 1, 1)}
        return self.keys.get(key, usual.get(key))


def specular(keys, surface, factor, tint, contrast, saturation):
    normal = surface.normal
    if "bumpmap" in keys:
        normal = bend(normal, surface.texture_s, surface.texture_t, keys["bumpmap"])
    light = linear(keys["envmap"](reflected(normal, surface.to_eye))) * factor * tint
    light = lerp(light, light * light, contrast)
    return lerp(luminance(light), light, saturation), normal


def lightmapped_generic(keys, surface):
    """Implements LightmappedGeneric without a second texture and with flat luxels."""
    count = len(surface.points)
    texel = np.array(keys.base if keys.base is not None else (0, 0, 0, 1) if "envmap" in keys else (1, 1, 1, 1))
    if "seamless_scale" in keys:
        at, weights = surface.points * keys["seamless_scale"], surface.normal ** 2
        sides = [at[:, [2, 1]], at[:, [0, 2]], at[:, [0, 1]]]
        base = sum(linear(keys.base(side)) * weight for side, weight in zip(sides, weights) if weight > 1e-9)
        alpha = 1.0
    else:
        base, alpha = np.tile(linear(texel[:3]), (count, 1)), texel[3]
    base_alpha, factor = alpha, 1.0
    if "normalmapalphaenvmapmask" in keys:
        factor = factor * keys["bumpmap"][3]
    if "envmapmask" in keys and "bumpmap" not in keys:
        factor = factor * np.array(keys["envmapmask"][:3])
    by_alpha = "basealphaenvmapmask" in keys and keys.base[3] < 1
    if by_alpha:
        factor = factor * (1 - base_alpha)
    albedo = base
    mode = keys["detailblendmode"]
    if "detail" in keys:
        detail = np.array(keys["detail"])
        color = linear(detail[:3]) if mode == 1 else detail[:3]
        albedo, _ = combine(base, alpha, color * keys["detailtint"], detail[3], mode, keys["detailblendfactor"])
    lit = albedo * surface.light
    shines = "selfillum" in keys and keys.base[3] < 1
    if shines:
        lit = lerp(lit, np.array(keys["selfillumtint"]) * albedo, base_alpha)
    if "envmap" not in keys:
        return shown(lit)
    contrast, saturation, share = (keys[key] for key in ("envmapcontrast", "envmapsaturation", "fresnelreflection"))
    slow = (contrast not in (0, 1) and saturation != 1) or share != 1 or (shines and keys["selfillumtint"] != (1, 1, 1))
    if not slow:
        contrast, saturation = float(contrast == 1), 1
    light, normal = specular(keys, surface, factor, np.array(keys["envmaptint"]), contrast, saturation)
    eye = surface.to_eye / np.linalg.norm(surface.to_eye, axis=1)[:, None]
    fresnel = (1 - eye @ normal) ** 5 * (1 - share) + share
    return shown(lit + light * fresnel[:, None])


def of_models(keys, surface):
    """Implements VertexLitGeneric and UnlitGeneric, with and without normal maps."""
    count, lit_by = len(surface.points), surface.light if keys.shader == "VertexLitGeneric" else np.ones(3)
    texel = np.array(keys.base if keys.base is not None else (0, 0, 0, 1) if "envmap" in keys else (1, 1, 1, 1))
    base, alpha = np.tile(linear(texel[:3]), (count, 1)), texel[3]
    mode, factor = keys["detailblendmode"], keys["detailblendfactor"]
    if "detail" in keys:
        detail = np.array(keys["detail"])
        color = (linear(detail[:3]) if mode else detail[:3]) * up_to_one(keys["detailtint"])
        base, alpha = combine(base, alpha, color, detail[3], mode, factor)
    bumped, by_normals = "bumpmap" in keys, "normalmapalphaenvmapmask" in keys
    by_base = "basealphaenvmapmask" in keys and texel[3] < 1 and not by_normals
    reflects = "envmap" in keys and not (bumped and not by_normals and (by_base or "envmapmask" in keys))
    mask = 1.0
    if bumped and by_normals:
        mask = keys["bumpmap"][3]
    elif "envmapmask" in keys:
        mask = np.array(keys["envmapmask"][:3])
    elif by_base:
        mask = 1 - alpha
    lit = base * lit_by
    if "detail" in keys:
        lit = combine_after_light(lit, color, mode, factor)
    if "selfillum" in keys and keys.shader == "VertexLitGeneric":
        part = np.array(keys["selfillummask"][:3]) if "selfillummask" in keys else alpha
        lit = lerp(lit, np.array(keys["selfillumtint"]) * base, part)
    if not reflects:
        return shown(lit)
    tint = up_to_one(keys["envmaptint"])
    light, _ = specular(keys, surface, mask, tint, keys["envmapcontrast"], keys["envmapsaturation"])
    return shown(lit + light)


def unlit_two_texture(keys, surface):
    product = linear(np.array(keys.base[:3])) * linear(np.array(keys["texture2"][:3]))
    return shown(np.tile(product, (len(surface.points), 1)))


def water_cheap(keys, surface):
    """Implements WaterCheap_ps2x.fxc without blending, with linear light in and out (HDRENABLED) and one layer of
    normals."""
    normal = surface.normal
    if "normalmap" in keys:
        normal = bend(normal, surface.texture_s, surface.texture_t, keys["normalmap"])
    eye = surface.to_eye / np.linalg.norm(surface.to_eye, axis=1)[:, None]
    around = linear(keys["envmap"](reflected(normal, eye))) * (keys["reflecttint"] or 1)
    fresnel = (1 - np.maximum(eye @ normal, 0))[:, None]**5
    return shown(lerp(linear(np.tile(keys["fogcolor"], (len(eye), 1))), around, fresnel))


SHADERS = {"LightmappedGeneric": lightmapped_generic, "VertexLitGeneric": of_models, "UnlitGeneric": of_models,
           "UnlitTwoTexture": unlit_two_texture, "Water": water_cheap}
