"""The C interface of bspscene for ctypes: made from bspscene.h and render.h by scripts/make-abi.

Names are the headers' without their prefix, and mean what is said there. A pointer to a function is a FUNCTYPE;
arrays stay plain pointers. The annotations say what Python gets to see: strings are str, None for NULL.
"""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER
from ctypes import (c_bool, c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint32, c_uint64, c_uint8,
                    c_void_p)
from typing import TYPE_CHECKING, Any

from .record import Record, read_texts

if TYPE_CHECKING:
    from ctypes import Array, _Pointer

VERSION_MAJOR = 0x0
VERSION_MINOR = 0x9
VERSION_PATCH = 0x0
NO_INDEX = 0xffffffff
MAX_OCCURRENCES = 0x400
MATERIAL_PASS_MAX_TC_MODS = 0x4
MATERIAL_MAX_LAYERS = 0x4
CUBE_SIDES = 0x6
SKY_MAX_SIZE = 0x1000
USDZ_MOST_REPEATED = 0x40000


class Allocator(Record):
    __slots__ = ()
    allocate: Any
    release: Any
    user: int | None
    _fields_ = [
        ("allocate", CFUNCTYPE(c_void_p, c_void_p, c_size_t)),
        ("release", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("user", c_void_p),
    ]


WorkFn = CFUNCTYPE(None, c_void_p, c_uint32)


class ThreadPool(Record):
    __slots__ = ()
    run: Any
    user: int | None
    _fields_ = [
        ("run", CFUNCTYPE(None, c_void_p, c_uint32, WorkFn, c_void_p)),
        ("user", c_void_p),
    ]

# bspscene_status
OK = 0
ERROR_OUT_OF_MEMORY = 1
ERROR_LIMIT = 2
ERROR_CANCELED = 3
ERROR_BAD_OPTIONS = 4
ERROR_NOT_FOUND = 5
ERROR_IO = 6
ERROR_UNKNOWN_FORMAT = 7
ERROR_UNSUPPORTED_FORMAT = 8
ERROR_BAD_HEADER = 9
ERROR_BAD_LUMP = 10
ERROR_BAD_DATA = 11
ERROR_MEMORY_LIMIT = 12
ERROR_OUTPUT_LIMIT = 13
ERROR_OTHER_MAP = 14


class Error(Record):
    __slots__ = ()
    status: int
    record: int
    offset: int
    lump: str
    message: str
    _fields_ = [
        ("status", c_uint32),
        ("record", c_uint32),
        ("offset", c_uint64),
        ("lump", c_char * 32),
        ("message", c_char * 480),
    ]

# bspscene_warning_code
WARNING_LUMP_TAIL = 0
WARNING_LUMP_BAD = 1
WARNING_FACE_DROPPED = 2
WARNING_TRIANGLE_DROPPED = 3
WARNING_REFERENCE = 4
WARNING_LIGHTMAP = 5
WARNING_TEXT = 6
WARNING_TREE = 7
WARNING_FILE_MISSING = 8
WARNING_FILE_STALE = 9
WARNING_TEXTURE_MISSING = 10
WARNING_IMAGE_BAD = 11
WARNING_SHADER_BAD = 12
WARNING_NAME_UNSAFE = 13
WARNING_LIMIT = 14
WARNING_MODEL_BAD = 15
WARNING_UNSUPPORTED = 16


class Occurrence(Record):
    __slots__ = ()
    message: str | None
    offset: int
    record: int
    entity: int
    face: int
    _fields_ = [
        ("message", c_char_p),
        ("offset", c_uint64),
        ("record", c_uint32),
        ("entity", c_uint32),
        ("face", c_uint32),
    ]


class Warning(Record):
    __slots__ = ()
    code: int
    count: int
    lump: str | None
    message: str | None
    occurrences: _Pointer[_Pointer[Occurrence]]
    occurrence_count: int
    _fields_ = [
        ("code", c_uint32),
        ("count", c_uint32),
        ("lump", c_char_p),
        ("message", c_char_p),
        ("occurrences", POINTER(POINTER(Occurrence))),
        ("occurrence_count", c_uint32),
    ]


class BonePose(Record):
    __slots__ = ()
    translation: Array[c_float]
    rotation: Array[c_float]
    scale: Array[c_float]
    _fields_ = [
        ("translation", c_float * 3),
        ("rotation", c_float * 4),
        ("scale", c_float * 3),
    ]


class Bone(Record):
    __slots__ = ()
    name: str | None
    parent: int
    rest: BonePose
    inverse_rest: Array[c_float]
    is_tag: bool
    _fields_ = [
        ("name", c_char_p),
        ("parent", c_uint32),
        ("rest", BonePose),
        ("inverse_rest", c_float * 12),
        ("is_tag", c_bool),
    ]


class Sequence(Record):
    __slots__ = ()
    name: str | None
    frames_per_second: float
    loops: bool
    first_frame: int
    frame_count: int
    _fields_ = [
        ("name", c_char_p),
        ("frames_per_second", c_float),
        ("loops", c_bool),
        ("first_frame", c_uint32),
        ("frame_count", c_uint32),
    ]


class Rig(Record):
    __slots__ = ()
    bones: _Pointer[_Pointer[Bone]]
    bone_count: int
    sequences: _Pointer[_Pointer[Sequence]]
    sequence_count: int
    frame_count: int
    poses: _Pointer[BonePose]
    still_frame: int
    _fields_ = [
        ("bones", POINTER(POINTER(Bone))),
        ("bone_count", c_uint32),
        ("sequences", POINTER(POINTER(Sequence))),
        ("sequence_count", c_uint32),
        ("frame_count", c_uint32),
        ("poses", POINTER(BonePose)),
        ("still_frame", c_uint32),
    ]


class Bounds(Record):
    __slots__ = ()
    min: Array[c_float]
    max: Array[c_float]
    _fields_ = [
        ("min", c_float * 3),
        ("max", c_float * 3),
    ]

# bspscene_surface_kind
SURFACE_VISIBLE = 0
SURFACE_SKY = 0x1
SURFACE_NODRAW = 0x2
SURFACE_HINT = 0x4
SURFACE_SKIP = 0x8
SURFACE_CLIP = 0x10
SURFACE_TRIGGER = 0x20
SURFACE_CAULK = 0x40
SURFACE_TOOL = 0x80
SURFACE_COLLISION = 0x100
SURFACE_ALL = 0x1ff

# bspscene_lighting
LIGHTING_LIGHTMAP = 0
LIGHTING_VERTEX = 1
LIGHTING_FULLBRIGHT = 2
LIGHTING_BLACK = 3


class Section(Record):
    __slots__ = ()
    material: int
    lightmap_page: int
    lighting: int
    surface_kind: int
    fog: int
    map_page_image: int
    first_vertex: int
    vertex_count: int
    first_index: int
    index_count: int
    first_face: int
    face_count: int
    _fields_ = [
        ("material", c_uint32),
        ("lightmap_page", c_uint32),
        ("lighting", c_uint32),
        ("surface_kind", c_uint32),
        ("fog", c_uint32),
        ("map_page_image", c_uint32),
        ("first_vertex", c_uint32),
        ("vertex_count", c_uint32),
        ("first_index", c_uint32),
        ("index_count", c_uint32),
        ("first_face", c_uint32),
        ("face_count", c_uint32),
    ]


class VertexColorSet(Record):
    __slots__ = ()
    style: int
    colors: _Pointer[c_uint8]
    _fields_ = [
        ("style", c_uint32),
        ("colors", POINTER(c_uint8)),
    ]

# bspscene_triangle_tag
TRIANGLE_TAG_SURFACE = 0x1
TRIANGLE_TAG_WALKABLE = 0x2
TRIANGLE_TAG_BUILDABLE = 0x4
TRIANGLE_TAG_SURFPROP_1 = 0x8
TRIANGLE_TAG_SURFPROP_2 = 0x10
TRIANGLE_TAG_REMOVED = 0x20


class Mesh(Record):
    __slots__ = ()
    name: str | None
    model: int
    bounds: Bounds
    vertex_count: int
    positions: _Pointer[c_float]
    normals: _Pointer[c_float]
    uvs: _Pointer[c_float]
    lightmap_uvs: _Pointer[c_float]
    map_page_uvs: _Pointer[c_float]
    colors: _Pointer[c_uint8]
    vertex_color_sets: _Pointer[VertexColorSet]
    vertex_color_set_count: int
    vertex_records: _Pointer[c_uint32]
    baked_light: _Pointer[c_float]
    blend_alphas: _Pointer[c_float]
    blend_weights: _Pointer[c_float]
    index_count: int
    indices: _Pointer[c_uint32]
    triangle_tags: _Pointer[c_uint8]
    sections: _Pointer[_Pointer[Section]]
    section_count: int
    rig: _Pointer[Rig]
    joints: _Pointer[c_uint8]
    weights: _Pointer[c_float]
    frame_positions: _Pointer[c_float]
    frame_normals: _Pointer[c_float]
    _fields_ = [
        ("name", c_char_p),
        ("model", c_uint32),
        ("bounds", Bounds),
        ("vertex_count", c_uint32),
        ("positions", POINTER(c_float)),
        ("normals", POINTER(c_float)),
        ("uvs", POINTER(c_float)),
        ("lightmap_uvs", POINTER(c_float)),
        ("map_page_uvs", POINTER(c_float)),
        ("colors", POINTER(c_uint8)),
        ("vertex_color_sets", POINTER(VertexColorSet)),
        ("vertex_color_set_count", c_uint32),
        ("vertex_records", POINTER(c_uint32)),
        ("baked_light", POINTER(c_float)),
        ("blend_alphas", POINTER(c_float)),
        ("blend_weights", POINTER(c_float)),
        ("index_count", c_uint32),
        ("indices", POINTER(c_uint32)),
        ("triangle_tags", POINTER(c_uint8)),
        ("sections", POINTER(POINTER(Section))),
        ("section_count", c_uint32),
        ("rig", POINTER(Rig)),
        ("joints", POINTER(c_uint8)),
        ("weights", POINTER(c_float)),
        ("frame_positions", POINTER(c_float)),
        ("frame_normals", POINTER(c_float)),
    ]


class Face(Record):
    __slots__ = ()
    record: int
    mesh: int
    section: int
    first_index: int
    index_count: int
    first_vertex: int
    vertex_count: int
    surface_flags: int
    content_flags: int
    leaf: int
    cluster: int
    area: int
    lightmap_page: int
    lightmap_x: int
    lightmap_y: int
    lightmap_width: int
    lightmap_height: int
    styles: Array[c_uint8]
    _fields_ = [
        ("record", c_uint32),
        ("mesh", c_uint32),
        ("section", c_uint32),
        ("first_index", c_uint32),
        ("index_count", c_uint32),
        ("first_vertex", c_uint32),
        ("vertex_count", c_uint32),
        ("surface_flags", c_uint32),
        ("content_flags", c_uint32),
        ("leaf", c_uint32),
        ("cluster", c_uint32),
        ("area", c_uint32),
        ("lightmap_page", c_uint32),
        ("lightmap_x", c_uint32),
        ("lightmap_y", c_uint32),
        ("lightmap_width", c_uint32),
        ("lightmap_height", c_uint32),
        ("styles", c_uint8 * 4),
    ]

# bspscene_alpha_mode
ALPHA_MODE_OPAQUE = 0
ALPHA_MODE_MASK = 1
ALPHA_MODE_BLEND = 2
ALPHA_MODE_ADD = 3
ALPHA_MODE_MODULATE = 4

# bspscene_material_kind
MATERIAL_NORMAL = 0
MATERIAL_SKY = 1
MATERIAL_LIQUID = 2
MATERIAL_TOOL = 3
MATERIAL_FOG = 4
MATERIAL_FLARE = 5
MATERIAL_PORTAL = 6

# bspscene_blend
BLEND_ZERO = 0
BLEND_ONE = 1
BLEND_SRC_COLOR = 2
BLEND_ONE_MINUS_SRC_COLOR = 3
BLEND_DST_COLOR = 4
BLEND_ONE_MINUS_DST_COLOR = 5
BLEND_SRC_ALPHA = 6
BLEND_ONE_MINUS_SRC_ALPHA = 7
BLEND_DST_ALPHA = 8
BLEND_ONE_MINUS_DST_ALPHA = 9
BLEND_SRC_ALPHA_SATURATE = 10

# bspscene_pass_input
PASS_INPUT_IMAGE = 0
PASS_INPUT_LIGHTMAP = 1
PASS_INPUT_WHITE = 2
PASS_INPUT_VIDEO = 3
PASS_INPUT_LIGHT = 4

# bspscene_color_gen
COLOR_GEN_IDENTITY = 0
COLOR_GEN_CONST = 1
COLOR_GEN_VERTEX = 2
COLOR_GEN_ONE_MINUS_VERTEX = 3
COLOR_GEN_WAVE = 4
COLOR_GEN_ENTITY = 5
COLOR_GEN_ONE_MINUS_ENTITY = 6
COLOR_GEN_DIFFUSE = 7
COLOR_GEN_IDENTITY_LIGHTING = 8
COLOR_GEN_LIGHT = 9

# bspscene_alpha_gen
ALPHA_GEN_IDENTITY = 0
ALPHA_GEN_CONST = 1
ALPHA_GEN_VERTEX = 2
ALPHA_GEN_ONE_MINUS_VERTEX = 3
ALPHA_GEN_WAVE = 4
ALPHA_GEN_ENTITY = 5
ALPHA_GEN_ONE_MINUS_ENTITY = 6
ALPHA_GEN_SPECULAR = 7
ALPHA_GEN_PORTAL = 8
ALPHA_GEN_TERRAIN = 9
ALPHA_GEN_GLOW = 10
ALPHA_GEN_HEIGHT = 11
ALPHA_GEN_DIRT = 12

# bspscene_tc_gen
TC_GEN_TEXTURE = 0
TC_GEN_LIGHTMAP = 1
TC_GEN_ENVIRONMENT = 2
TC_GEN_VECTOR = 3
TC_GEN_REFLECTION = 4
TC_GEN_SURROUND = 5
TC_GEN_SIGHT = 6

# bspscene_wave_func
WAVE_NONE = 0
WAVE_SIN = 1
WAVE_SQUARE = 2
WAVE_TRIANGLE = 3
WAVE_SAWTOOTH = 4
WAVE_INVERSE_SAWTOOTH = 5
WAVE_NOISE = 6


class Wave(Record):
    __slots__ = ()
    func: int
    base: float
    amplitude: float
    phase: float
    frequency: float
    _fields_ = [
        ("func", c_uint32),
        ("base", c_float),
        ("amplitude", c_float),
        ("phase", c_float),
        ("frequency", c_float),
    ]

# bspscene_tc_mod_kind
TC_MOD_SCALE = 0
TC_MOD_SCROLL = 1
TC_MOD_ROTATE = 2
TC_MOD_STRETCH = 3
TC_MOD_TURBULENCE = 4
TC_MOD_TRANSFORM = 5
TC_MOD_ENTITY_TRANSLATE = 6
TC_MOD_OFFSET = 7
TC_MOD_WARP = 8


class TcMod(Record):
    __slots__ = ()
    kind: int
    values: Array[c_float]
    wave: Wave
    _fields_ = [
        ("kind", c_uint32),
        ("values", c_float * 6),
        ("wave", Wave),
    ]


class MaterialPass(Record):
    __slots__ = ()
    input: int
    first_frame_image: int
    frame_image_count: int
    frames_per_second: float
    video: str | None
    light_style: int
    clamp: bool
    is_detail: bool
    tc_gen: int
    tc_vectors: Array[Array[c_float]]
    tc_mods: Array[TcMod]
    tc_mod_count: int
    color_gen: int
    color: Array[c_float]
    color_wave: Wave
    alpha_gen: int
    alpha: float
    alpha_wave: Wave
    alpha_range: float
    src_blend: int
    dst_blend: int
    alpha_test: int
    alpha_cutoff: float
    alpha_test_less: bool
    depth_write: bool
    depth_equal: bool
    _fields_ = [
        ("input", c_uint32),
        ("first_frame_image", c_uint32),
        ("frame_image_count", c_uint32),
        ("frames_per_second", c_float),
        ("video", c_char_p),
        ("light_style", c_uint32),
        ("clamp", c_bool),
        ("is_detail", c_bool),
        ("tc_gen", c_uint32),
        ("tc_vectors", c_float * 4 * 2),
        ("tc_mods", TcMod * 4),
        ("tc_mod_count", c_uint32),
        ("color_gen", c_uint32),
        ("color", c_float * 3),
        ("color_wave", Wave),
        ("alpha_gen", c_uint32),
        ("alpha", c_float),
        ("alpha_wave", Wave),
        ("alpha_range", c_float),
        ("src_blend", c_uint32),
        ("dst_blend", c_uint32),
        ("alpha_test", c_uint32),
        ("alpha_cutoff", c_float),
        ("alpha_test_less", c_bool),
        ("depth_write", c_bool),
        ("depth_equal", c_bool),
    ]

# bspscene_cull
CULL_BACK = 0
CULL_FRONT = 1
CULL_NONE = 2


class Sky(Record):
    __slots__ = ()
    name: str | None
    box: Array[c_uint32]
    layers: Array[c_uint32]
    cloud_height: float
    has_sun: bool
    sun_color: Array[c_float]
    sun_intensity: float
    sun_direction: Array[c_float]
    _fields_ = [
        ("name", c_char_p),
        ("box", c_uint32 * 6),
        ("layers", c_uint32 * 2),
        ("cloud_height", c_float),
        ("has_sun", c_bool),
        ("sun_color", c_float * 3),
        ("sun_intensity", c_float),
        ("sun_direction", c_float * 3),
    ]


class FogParms(Record):
    __slots__ = ()
    color: Array[c_float]
    depth: float
    is_linear: bool
    _fields_ = [
        ("color", c_float * 3),
        ("depth", c_float),
        ("is_linear", c_bool),
    ]


class BlendMask(Record):
    __slots__ = ()
    image: int
    uv_scale: Array[c_float]
    uv_offset: Array[c_float]
    masked: bool
    _fields_ = [
        ("image", c_uint32),
        ("uv_scale", c_float * 2),
        ("uv_offset", c_float * 2),
        ("masked", c_bool),
    ]

# bspscene_detail_texture_mode
DETAIL_TEXTURE_DOUBLED = 0
DETAIL_TEXTURE_ADD = 1
DETAIL_TEXTURE_OVER = 2
DETAIL_TEXTURE_FADE = 3
DETAIL_TEXTURE_UNDER = 4
DETAIL_TEXTURE_GLOW = 5
DETAIL_TEXTURE_GLOW_BAND = 6
DETAIL_TEXTURE_PATTERNS = 7
DETAIL_TEXTURE_MULTIPLY = 8
DETAIL_TEXTURE_MASK = 9
DETAIL_TEXTURE_SELF_SHADOWED = 11


class DetailTexture(Record):
    __slots__ = ()
    image: int
    mode: int
    uv_scale: Array[c_float]
    color: Array[c_float]
    factor: float
    display: bool
    keeps_alpha: bool
    own_uv: bool
    uv_offset: Array[c_float]
    uv_rotation_radians: float
    scroll: Array[c_float]
    _fields_ = [
        ("image", c_uint32),
        ("mode", c_uint32),
        ("uv_scale", c_float * 2),
        ("color", c_float * 3),
        ("factor", c_float),
        ("display", c_bool),
        ("keeps_alpha", c_bool),
        ("own_uv", c_bool),
        ("uv_offset", c_float * 2),
        ("uv_rotation_radians", c_float),
        ("scroll", c_float * 2),
    ]

# bspscene_reflection_mask
REFLECTION_MASK_NONE = 0
REFLECTION_MASK_IMAGE = 1
REFLECTION_MASK_BASE_ALPHA = 2
REFLECTION_MASK_NORMAL_ALPHA = 3


class Reflection(Record):
    __slots__ = ()
    first_frame_image: int
    mask: int
    mask_image: int
    normal_image: int
    with_base: bool
    uv_scale: Array[c_float]
    uv_offset: Array[c_float]
    uv_rotation_radians: float
    color: Array[c_float]
    contrast: float
    saturation: float
    share: float
    alone: bool
    inverted: bool
    _fields_ = [
        ("first_frame_image", c_uint32),
        ("mask", c_uint32),
        ("mask_image", c_uint32),
        ("normal_image", c_uint32),
        ("with_base", c_bool),
        ("uv_scale", c_float * 2),
        ("uv_offset", c_float * 2),
        ("uv_rotation_radians", c_float),
        ("color", c_float * 3),
        ("contrast", c_float),
        ("saturation", c_float),
        ("share", c_float),
        ("alone", c_bool),
        ("inverted", c_bool),
    ]


class Phong(Record):
    __slots__ = ()
    normal_image: int
    exponent_image: int
    masked_by_base: bool
    exponent: Array[c_float]
    color: Array[c_float]
    base_color: bool
    boost: float
    fresnel: Array[c_float]
    reflection_share: float
    rim: bool
    rim_exponent: float
    rim_boost: float
    rim_masked: bool
    light_ramp: int
    gloss_ramp: int
    _fields_ = [
        ("normal_image", c_uint32),
        ("exponent_image", c_uint32),
        ("masked_by_base", c_bool),
        ("exponent", c_float * 2),
        ("color", c_float * 3),
        ("base_color", c_bool),
        ("boost", c_float),
        ("fresnel", c_float * 3),
        ("reflection_share", c_float),
        ("rim", c_bool),
        ("rim_exponent", c_float),
        ("rim_boost", c_float),
        ("rim_masked", c_bool),
        ("light_ramp", c_uint32),
        ("gloss_ramp", c_uint32),
    ]


class EmissionMask(Record):
    __slots__ = ()
    mask_image: int
    color: Array[c_float]
    _fields_ = [
        ("mask_image", c_uint32),
        ("color", c_float * 3),
    ]


class BumpLight(Record):
    __slots__ = ()
    image: int
    second_image: int
    self_shadowing: bool
    _fields_ = [
        ("image", c_uint32),
        ("second_image", c_uint32),
        ("self_shadowing", c_bool),
    ]

# bspscene_deform_kind
DEFORM_WAVE = 0
DEFORM_BULGE = 1
DEFORM_MOVE = 2
DEFORM_NORMAL = 3
DEFORM_AUTOSPRITE = 4
DEFORM_AUTOSPRITE2 = 5
DEFORM_SPRITE = 6
DEFORM_SPRITE_UPRIGHT = 7
DEFORM_SPRITE_FACING = 8
DEFORM_GLOW = 9
DEFORM_LIQUID = 10


class Deform(Record):
    __slots__ = ()
    kind: int
    wave: Wave
    spread: float
    vector: Array[c_float]
    width: float
    height: float
    speed: float
    centered: bool
    _fields_ = [
        ("kind", c_uint32),
        ("wave", Wave),
        ("spread", c_float),
        ("vector", c_float * 3),
        ("width", c_float),
        ("height", c_float),
        ("speed", c_float),
        ("centered", c_bool),
    ]


class Animation(Record):
    __slots__ = ()
    first_frame_image: int
    frame_image_count: int
    first_emissive_image: int
    frames_per_second: float
    once: bool
    _fields_ = [
        ("first_frame_image", c_uint32),
        ("frame_image_count", c_uint32),
        ("first_emissive_image", c_uint32),
        ("frames_per_second", c_float),
        ("once", c_bool),
    ]


class Layer(Record):
    __slots__ = ()
    image: int
    uv_scale: Array[c_float]
    luminance: Array[c_float]
    luminance_share: float
    blend: Array[c_float]
    doubled: bool
    _fields_ = [
        ("image", c_uint32),
        ("uv_scale", c_float * 2),
        ("luminance", c_float * 2),
        ("luminance_share", c_float),
        ("blend", c_float * 2),
        ("doubled", c_bool),
    ]


class Material(Record):
    __slots__ = ()
    name: str | None
    kind: int
    surface_kind: int
    surface_flags: int
    content_flags: int
    width: int
    height: int
    base_image: int
    second_image: int
    emissive_image: int
    normal_image: int
    normal_green_down: bool
    clamp: bool
    unlit: bool
    vertex_lit: bool
    uv_scale: Array[c_float]
    uv_offset: Array[c_float]
    uv_rotation_radians: float
    scroll: Array[c_float]
    color: Array[c_float]
    emissive: Array[c_float]
    alpha_mode: int
    alpha_cutoff: float
    added_by_alpha: bool
    modulated_twice: bool
    whitened_by_alpha: bool
    cull: int
    half_lambert: bool
    surface_light: float
    decal_scale: float
    seamless_scale: float
    first_pass: int
    pass_count: int
    sort: float
    polygon_offset: bool
    no_mipmaps: bool
    no_picmip: bool
    portal: bool
    sky: _Pointer[Sky]
    fog: _Pointer[FogParms]
    deforms: _Pointer[_Pointer[Deform]]
    deform_count: int
    blend_mask: _Pointer[BlendMask]
    detail_texture: _Pointer[DetailTexture]
    animation: _Pointer[Animation]
    layers: _Pointer[_Pointer[Layer]]
    layer_count: int
    reflection: _Pointer[Reflection]
    emission_mask: _Pointer[EmissionMask]
    phong: _Pointer[Phong]
    bump_light: _Pointer[BumpLight]
    script_file: str | None
    script_line: int
    script_text: str | None
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_uint32),
        ("surface_kind", c_uint32),
        ("surface_flags", c_uint32),
        ("content_flags", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("base_image", c_uint32),
        ("second_image", c_uint32),
        ("emissive_image", c_uint32),
        ("normal_image", c_uint32),
        ("normal_green_down", c_bool),
        ("clamp", c_bool),
        ("unlit", c_bool),
        ("vertex_lit", c_bool),
        ("uv_scale", c_float * 2),
        ("uv_offset", c_float * 2),
        ("uv_rotation_radians", c_float),
        ("scroll", c_float * 2),
        ("color", c_float * 4),
        ("emissive", c_float * 3),
        ("alpha_mode", c_uint32),
        ("alpha_cutoff", c_float),
        ("added_by_alpha", c_bool),
        ("modulated_twice", c_bool),
        ("whitened_by_alpha", c_bool),
        ("cull", c_uint32),
        ("half_lambert", c_bool),
        ("surface_light", c_float),
        ("decal_scale", c_float),
        ("seamless_scale", c_float),
        ("first_pass", c_uint32),
        ("pass_count", c_uint32),
        ("sort", c_float),
        ("polygon_offset", c_bool),
        ("no_mipmaps", c_bool),
        ("no_picmip", c_bool),
        ("portal", c_bool),
        ("sky", POINTER(Sky)),
        ("fog", POINTER(FogParms)),
        ("deforms", POINTER(POINTER(Deform))),
        ("deform_count", c_uint32),
        ("blend_mask", POINTER(BlendMask)),
        ("detail_texture", POINTER(DetailTexture)),
        ("animation", POINTER(Animation)),
        ("layers", POINTER(POINTER(Layer))),
        ("layer_count", c_uint32),
        ("reflection", POINTER(Reflection)),
        ("emission_mask", POINTER(EmissionMask)),
        ("phong", POINTER(Phong)),
        ("bump_light", POINTER(BumpLight)),
        ("script_file", c_char_p),
        ("script_line", c_uint32),
        ("script_text", c_char_p),
    ]

# bspscene_lightmap_encoding
LIGHTMAP_ENCODING_DISPLAY = 0
LIGHTMAP_ENCODING_RAW = 1
LIGHTMAP_ENCODING_HDR = 2
LIGHTMAP_ENCODING_NONE = 3

# bspscene_lightmap_page_format
LIGHTMAP_PAGE_RGB8 = 0
LIGHTMAP_PAGE_RGB16F = 1
LIGHTMAP_PAGE_RAW32 = 2


class LightmapBlocks(Record):
    __slots__ = ()
    columns: int
    rows: int
    block_count: int
    luxel_size: int
    indices: _Pointer[c_uint32]
    luxels: _Pointer[c_uint8]
    _fields_ = [
        ("columns", c_uint32),
        ("rows", c_uint32),
        ("block_count", c_uint32),
        ("luxel_size", c_uint32),
        ("indices", POINTER(c_uint32)),
        ("luxels", POINTER(c_uint8)),
    ]


class LightmapPage(Record):
    __slots__ = ()
    width: int
    height: int
    format: int
    data: int | None
    blocks: _Pointer[LightmapBlocks]
    _fields_ = [
        ("width", c_uint32),
        ("height", c_uint32),
        ("format", c_uint32),
        ("data", c_void_p),
        ("blocks", POINTER(LightmapBlocks)),
    ]

# bspscene_lightmap_set_kind
LIGHTMAP_SET_LIGHT = 0
LIGHTMAP_SET_DIRECTION = 1
LIGHTMAP_SET_BUMP_0 = 2
LIGHTMAP_SET_BUMP_1 = 3
LIGHTMAP_SET_BUMP_2 = 4


class LightmapSet(Record):
    __slots__ = ()
    kind: int
    style: int
    intensity: float
    tangent_space: bool
    pages: _Pointer[LightmapPage]
    _fields_ = [
        ("kind", c_uint32),
        ("style", c_uint32),
        ("intensity", c_float),
        ("tangent_space", c_bool),
        ("pages", POINTER(LightmapPage)),
    ]


class LuxelLocation(Record):
    __slots__ = ()
    offset: int
    pages: Array[c_int32]
    x: Array[c_int32]
    y: Array[c_int32]
    solid: Array[c_bool]
    _fields_ = [
        ("offset", c_uint64),
        ("pages", c_int32 * 4),
        ("x", c_int32 * 4),
        ("y", c_int32 * 4),
        ("solid", c_bool * 4),
    ]


class LightList(Record):
    __slots__ = ()
    name: str | None
    count: int
    luxels: LightmapPage
    _fields_ = [
        ("name", c_char_p),
        ("count", c_uint32),
        ("luxels", LightmapPage),
    ]


class LightProbe(Record):
    __slots__ = ()
    origin: Array[c_float]
    style: int
    _fields_ = [
        ("origin", c_float * 3),
        ("style", c_uint32),
    ]


class MapLight(Record):
    __slots__ = ()
    name: str | None
    light_hash: str
    layout_hash: str
    clamps_hue: bool
    gutter: int
    luxel_locations: _Pointer[LuxelLocation]
    luxel_count: int
    hidden_count: int
    lists: _Pointer[LightList]
    list_count: int
    probes: _Pointer[LightProbe]
    probe_count: int
    probes_without_lamps: bool
    _fields_ = [
        ("name", c_char_p),
        ("light_hash", c_char * 17),
        ("layout_hash", c_char * 17),
        ("clamps_hue", c_bool),
        ("gutter", c_uint32),
        ("luxel_locations", POINTER(LuxelLocation)),
        ("luxel_count", c_uint64),
        ("hidden_count", c_uint64),
        ("lists", POINTER(LightList)),
        ("list_count", c_uint32),
        ("probes", POINTER(LightProbe)),
        ("probe_count", c_uint32),
        ("probes_without_lamps", c_bool),
    ]


class LightStyle(Record):
    __slots__ = ()
    style: int
    name: str | None
    pattern: str | None
    switchable: bool
    entity: int
    start: float
    _fields_ = [
        ("style", c_uint32),
        ("name", c_char_p),
        ("pattern", c_char_p),
        ("switchable", c_bool),
        ("entity", c_uint32),
        ("start", c_float),
    ]

# bspscene_light_kind
LIGHT_POINT = 0
LIGHT_SPOT = 1
LIGHT_SUN = 2
LIGHT_SURFACE = 3

# bspscene_falloff
FALLOFF_INVERSE_SQUARE = 0
FALLOFF_LINEAR = 1
FALLOFF_INVERSE = 2
FALLOFF_NONE = 3


class Light(Record):
    __slots__ = ()
    kind: int
    node: int
    entity: int
    style: int
    color: Array[c_float]
    illuminance_at_100_units: float
    intensity: float
    falloff: int
    radius: float
    inner_angle_degrees: float
    outer_angle_degrees: float
    is_dynamic: bool
    _fields_ = [
        ("kind", c_uint32),
        ("node", c_uint32),
        ("entity", c_uint32),
        ("style", c_uint32),
        ("color", c_float * 3),
        ("illuminance_at_100_units", c_float),
        ("intensity", c_float),
        ("falloff", c_uint32),
        ("radius", c_float),
        ("inner_angle_degrees", c_float),
        ("outer_angle_degrees", c_float),
        ("is_dynamic", c_bool),
    ]


class LightGrid(Record):
    __slots__ = ()
    counts: Array[c_uint32]
    origin: Array[c_float]
    step: Array[c_float]
    style_count: int
    styles: _Pointer[c_uint8]
    ambient: _Pointer[c_uint8]
    directed: _Pointer[c_uint8]
    directions: _Pointer[c_uint8]
    _fields_ = [
        ("counts", c_uint32 * 3),
        ("origin", c_float * 3),
        ("step", c_float * 3),
        ("style_count", c_uint32),
        ("styles", POINTER(c_uint8)),
        ("ambient", POINTER(c_uint8)),
        ("directed", POINTER(c_uint8)),
        ("directions", POINTER(c_uint8)),
    ]


class Ambient(Record):
    __slots__ = ()
    leaf: int
    origin: Array[c_float]
    cube: Array[Array[c_float]]
    _fields_ = [
        ("leaf", c_uint32),
        ("origin", c_float * 3),
        ("cube", c_float * 3 * 6),
    ]


class LightSample(Record):
    __slots__ = ()
    sides: Array[Array[c_float]]
    directed: Array[c_float]
    direction: Array[c_float]
    _fields_ = [
        ("sides", c_float * 3 * 6),
        ("directed", c_float * 3),
        ("direction", c_float * 3),
    ]


class ModelLamp(Record):
    __slots__ = ()
    color: Array[c_float]
    origin: Array[c_float]
    direction: Array[c_float]
    sun: bool
    fade: Array[c_float]
    radius: float
    cone: Array[c_float]
    exponent: float
    _fields_ = [
        ("color", c_float * 3),
        ("origin", c_float * 3),
        ("direction", c_float * 3),
        ("sun", c_bool),
        ("fade", c_float * 3),
        ("radius", c_float),
        ("cone", c_float * 2),
        ("exponent", c_float),
    ]


class ModelLight(Record):
    __slots__ = ()
    cube: Array[Array[c_float]]
    lamps: _Pointer[_Pointer[ModelLamp]]
    lamp_count: int
    _fields_ = [
        ("cube", c_float * 3 * 6),
        ("lamps", POINTER(POINTER(ModelLamp))),
        ("lamp_count", c_uint32),
    ]

# bspscene_file_kind
FILE_MAP = 0
FILE_TEXTURE = 1
FILE_SHADER = 2
FILE_LIGHTMAP = 3
FILE_PALETTE = 4
FILE_WAD = 5
FILE_LIGHT = 6
FILE_ENTITIES = 7
FILE_MODEL = 8
FILE_OTHER = 9


ReadFn = CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t)


CloseFn = CFUNCTYPE(None, c_void_p)


class Stream(Record):
    __slots__ = ()
    struct_size: int
    user: int | None
    read: Any
    close: Any
    data: int | None
    size: int
    origin: str | None
    stored_size: int
    _fields_ = [
        ("struct_size", c_size_t),
        ("user", c_void_p),
        ("read", ReadFn),
        ("close", CloseFn),
        ("data", c_void_p),
        ("size", c_uint64),
        ("origin", c_char_p),
        ("stored_size", c_uint64),
    ]


OpenFileFn = CFUNCTYPE(c_bool, c_void_p, POINTER(Stream), c_char_p, c_uint32)


FoundFileFn = CFUNCTYPE(None, c_void_p, c_char_p)


ListFilesFn = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p, FoundFileFn, c_void_p)

# bspscene_progress_result
PROGRESS_CONTINUE = 0x100
PROGRESS_CANCEL = 0x200


ProgressFn = CFUNCTYPE(c_uint32, c_void_p, c_char_p, c_double)

# bspscene_textures
TEXTURES_LOAD = 0
TEXTURES_NAMES = 1
TEXTURES_NONE = 2

# bspscene_parts
PARTS_ALL = 0
PARTS_MODEL = 1
PARTS_NO_GEOMETRY = 2
PARTS_ENTITIES = 3

# bspscene_entity_source
ENTITY_SOURCE_BESIDE = 0
ENTITY_SOURCE_MAP = 1

# bspscene_models
MODELS_ALL = 0
MODELS_STATIC = 1
MODELS_NONE = 2

# bspscene_missing
MISSING_PLAIN = 0
MISSING_CHECKER = 1

# bspscene_light_range
LIGHT_RANGE_AUTO = 0
LIGHT_RANGE_LDR = 1
LIGHT_RANGE_HDR = 2

# bspscene_engine
ENGINE_AUTO = 0
ENGINE_ORIGINAL = 1
ENGINE_DARKPLACES = 2


class ModelPose(Record):
    __slots__ = ()
    skin: int
    body: int
    frame: int
    sequence: str | None
    _fields_ = [
        ("skin", c_uint32),
        ("body", c_uint32),
        ("frame", c_uint32),
        ("sequence", c_char_p),
    ]


class LoadOptions(Record):
    __slots__ = ()
    struct_size: int
    name: str | None
    open_file: Any
    list_files: Any
    file_user: int | None
    palette: _Pointer[c_uint8]
    palette_path: str | None
    entity_source: int
    lump_patches: bool
    engine: int
    strict: bool
    memory_limit: int
    allocation_limit: int
    allocator: _Pointer[Allocator]
    threads: int
    thread_pool: _Pointer[ThreadPool]
    progress: Any
    progress_user: int | None
    parts: int
    model: int
    for_pictures: bool
    include_mask: int
    textures: int
    missing: int
    models: int
    skip_normal_maps: bool
    reflections: bool
    keep_pakfile: bool
    identify: bool
    meters_per_unit: float
    patch_error: float
    lightmap_encoding: int
    lightmap_page_size: int
    lightmap_gutter: int
    sparse_lightmaps: bool
    light_range: int
    lighting_variant: str | None
    keep_map_light: bool
    light_probes: bool
    model_pose: ModelPose
    rigs: bool
    map_rigs: bool
    seed: int
    _fields_ = [
        ("struct_size", c_size_t),
        ("name", c_char_p),
        ("open_file", OpenFileFn),
        ("list_files", ListFilesFn),
        ("file_user", c_void_p),
        ("palette", POINTER(c_uint8)),
        ("palette_path", c_char_p),
        ("entity_source", c_uint32),
        ("lump_patches", c_bool),
        ("engine", c_uint32),
        ("strict", c_bool),
        ("memory_limit", c_uint64),
        ("allocation_limit", c_uint64),
        ("allocator", POINTER(Allocator)),
        ("threads", c_uint32),
        ("thread_pool", POINTER(ThreadPool)),
        ("progress", ProgressFn),
        ("progress_user", c_void_p),
        ("parts", c_uint32),
        ("model", c_uint32),
        ("for_pictures", c_bool),
        ("include_mask", c_uint32),
        ("textures", c_uint32),
        ("missing", c_uint32),
        ("models", c_uint32),
        ("skip_normal_maps", c_bool),
        ("reflections", c_bool),
        ("keep_pakfile", c_bool),
        ("identify", c_bool),
        ("meters_per_unit", c_float),
        ("patch_error", c_float),
        ("lightmap_encoding", c_uint32),
        ("lightmap_page_size", c_uint32),
        ("lightmap_gutter", c_uint32),
        ("sparse_lightmaps", c_bool),
        ("light_range", c_uint32),
        ("lighting_variant", c_char_p),
        ("keep_map_light", c_bool),
        ("light_probes", c_bool),
        ("model_pose", ModelPose),
        ("rigs", c_bool),
        ("map_rigs", c_bool),
        ("seed", c_uint32),
    ]


class Format(Record):
    __slots__ = ()
    struct_size: int
    family: str | None
    variant: str | None
    title: str | None
    version: int
    _fields_ = [
        ("struct_size", c_size_t),
        ("family", c_char_p),
        ("variant", c_char_p),
        ("title", c_char_p),
        ("version", c_int32),
    ]

# bspscene_image_format
IMAGE_MISSING = 0
IMAGE_PNG = 1
IMAGE_JPEG = 2
IMAGE_TGA = 3
IMAGE_PCX = 4
IMAGE_VTF = 5
IMAGE_RGBA = 6
IMAGE_DDS = 7
IMAGE_BMP = 8
IMAGE_KTX = 9
IMAGE_IWI = 10
IMAGE_WEBP = 11


class Image(Record):
    __slots__ = ()
    name: str | None
    path: str | None
    archive: str | None
    format: int
    width: int
    height: int
    frame: int
    data: int | None
    size: int
    has_alpha: bool
    is_generated: bool
    is_checkerboard: bool
    fallback_color: Array[c_uint8]
    cube_face: int
    _fields_ = [
        ("name", c_char_p),
        ("path", c_char_p),
        ("archive", c_char_p),
        ("format", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("frame", c_uint32),
        ("data", c_void_p),
        ("size", c_size_t),
        ("has_alpha", c_bool),
        ("is_generated", c_bool),
        ("is_checkerboard", c_bool),
        ("fallback_color", c_uint8 * 3),
        ("cube_face", c_uint32),
    ]


class Pixels(Record):
    __slots__ = ()
    width: int
    height: int
    data: _Pointer[c_uint8]
    allocator: _Pointer[Allocator]
    _fields_ = [
        ("width", c_uint32),
        ("height", c_uint32),
        ("data", POINTER(c_uint8)),
        ("allocator", POINTER(Allocator)),
    ]


class DecodeOptions(Record):
    __slots__ = ()
    struct_size: int
    max_side: int
    allocator: _Pointer[Allocator]
    _fields_ = [
        ("struct_size", c_size_t),
        ("max_side", c_uint32),
        ("allocator", POINTER(Allocator)),
    ]

# bspscene_compression
COMPRESSION_DEFAULT = 0
COMPRESSION_FAST = 1
COMPRESSION_SMALL = 2


WriteFn = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)

# bspscene_picture_format
PICTURE_DEFAULT = 0
PICTURE_PNG = 1
PICTURE_TGA = 2
PICTURE_BMP = 3
PICTURE_EXR = 4
PICTURE_HDR = 5


class PictureText(Record):
    __slots__ = ()
    keyword: str | None
    text: str | None
    _fields_ = [
        ("keyword", c_char_p),
        ("text", c_char_p),
    ]


class PictureOptions(Record):
    __slots__ = ()
    struct_size: int
    format: int
    compression: int
    channel_bits: int
    allow_palette: bool
    texts: _Pointer[PictureText]
    text_count: int
    allocator: _Pointer[Allocator]
    progress: Any
    progress_user: int | None
    _fields_ = [
        ("struct_size", c_size_t),
        ("format", c_uint32),
        ("compression", c_uint32),
        ("channel_bits", c_uint32),
        ("allow_palette", c_bool),
        ("texts", POINTER(PictureText)),
        ("text_count", c_uint32),
        ("allocator", POINTER(Allocator)),
        ("progress", ProgressFn),
        ("progress_user", c_void_p),
    ]

# bspscene_camera_kind
CAMERA_SPAWN = 0
CAMERA_INTERMISSION = 1
CAMERA_PORTAL = 2
CAMERA_OTHER = 3


class Camera(Record):
    __slots__ = ()
    kind: int
    node: int
    entity: int
    fov_degrees: float
    _fields_ = [
        ("kind", c_uint32),
        ("node", c_uint32),
        ("entity", c_uint32),
        ("fov_degrees", c_float),
    ]


class Fog(Record):
    __slots__ = ()
    material: int
    brush: int
    bounds: Bounds
    plane: Array[c_float]
    _fields_ = [
        ("material", c_uint32),
        ("brush", c_uint32),
        ("bounds", Bounds),
        ("plane", c_float * 4),
    ]


class MapFog(Record):
    __slots__ = ()
    density: float
    power: float
    color: Array[c_float]
    opacity: float
    start: float
    end: float
    sky: float
    along_view: bool
    over_lightmaps: bool
    _fields_ = [
        ("density", c_float),
        ("power", c_float),
        ("color", c_float * 3),
        ("opacity", c_float),
        ("start", c_float),
        ("end", c_float),
        ("sky", c_float),
        ("along_view", c_bool),
        ("over_lightmaps", c_bool),
    ]

# bspscene_prop_flag
PROP_FADES = 0x1
PROP_LIGHTING_ORIGIN = 0x2
PROP_IGNORE_NORMALS = 0x8
PROP_NO_SHADOW = 0x10
PROP_SCREEN_SPACE_FADE = 0x20
PROP_NO_VERTEX_LIGHTING = 0x40
PROP_NO_SELF_SHADOW = 0x80
PROP_NO_TEXEL_LIGHTING = 0x100


class Prop(Record):
    __slots__ = ()
    model: str | None
    node: int
    entity: int
    skin: int
    skin_count: int
    body: int
    is_dynamic: bool
    from_classname: bool
    color: Array[c_float]
    colors: _Pointer[c_uint8]
    fade_near: float
    fade_far: float
    fade_scale: float
    turn_degrees_per_second: float
    bob_height: float
    bob_radians_per_second: float
    bob_phase_radians: float
    is_static: bool
    name: str | None
    solid: int
    flags: int
    flags_ex: int
    lighting_origin: Array[c_float]
    lightmap_width: int
    lightmap_height: int
    dx_levels: Array[c_uint32]
    cpu_levels: Array[c_uint32]
    gpu_levels: Array[c_uint32]
    first_leaf: int
    leaf_count: int
    model_light: _Pointer[ModelLight]
    light_sample: _Pointer[LightSample]
    _fields_ = [
        ("model", c_char_p),
        ("node", c_uint32),
        ("entity", c_uint32),
        ("skin", c_uint32),
        ("skin_count", c_uint32),
        ("body", c_uint32),
        ("is_dynamic", c_bool),
        ("from_classname", c_bool),
        ("color", c_float * 4),
        ("colors", POINTER(c_uint8)),
        ("fade_near", c_float),
        ("fade_far", c_float),
        ("fade_scale", c_float),
        ("turn_degrees_per_second", c_float),
        ("bob_height", c_float),
        ("bob_radians_per_second", c_float),
        ("bob_phase_radians", c_float),
        ("is_static", c_bool),
        ("name", c_char_p),
        ("solid", c_uint32),
        ("flags", c_uint32),
        ("flags_ex", c_uint32),
        ("lighting_origin", c_float * 3),
        ("lightmap_width", c_uint32),
        ("lightmap_height", c_uint32),
        ("dx_levels", c_uint32 * 2),
        ("cpu_levels", c_uint32 * 2),
        ("gpu_levels", c_uint32 * 2),
        ("first_leaf", c_uint32),
        ("leaf_count", c_uint32),
        ("model_light", POINTER(ModelLight)),
        ("light_sample", POINTER(LightSample)),
    ]


class Overlay(Record):
    __slots__ = ()
    node: int
    mesh: int
    material: int
    record: int
    entity: int
    order: int
    water: bool
    fade_near: float
    fade_far: float
    _fields_ = [
        ("node", c_uint32),
        ("mesh", c_uint32),
        ("material", c_uint32),
        ("record", c_uint32),
        ("entity", c_uint32),
        ("order", c_uint32),
        ("water", c_bool),
        ("fade_near", c_float),
        ("fade_far", c_float),
    ]

# bspscene_detail_prop_kind
DETAIL_PROP_MODEL = 0
DETAIL_PROP_SPRITE = 1
DETAIL_PROP_CROSS = 2
DETAIL_PROP_TRIANGLE = 3


class DetailProp(Record):
    __slots__ = ()
    kind: int
    model: str | None
    origin: Array[c_float]
    angles: Array[c_float]
    size: Array[c_float]
    uv: Array[c_float]
    scale: float
    color: Array[c_float]
    leaf: int
    orientation: int
    _fields_ = [
        ("kind", c_uint32),
        ("model", c_char_p),
        ("origin", c_float * 3),
        ("angles", c_float * 3),
        ("size", c_float * 4),
        ("uv", c_float * 4),
        ("scale", c_float),
        ("color", c_float * 3),
        ("leaf", c_uint32),
        ("orientation", c_uint32),
    ]


class Cubemap(Record):
    __slots__ = ()
    origin: Array[c_float]
    size: int
    first_frame_image: int
    _fields_ = [
        ("origin", c_float * 3),
        ("size", c_uint32),
        ("first_frame_image", c_uint32),
    ]

# bspscene_node_kind
NODE_ROOT = 0
NODE_WORLD = 1
NODE_BRUSH_ENTITY = 2
NODE_POINT_ENTITY = 3
NODE_LIGHT = 4
NODE_CAMERA = 5
NODE_PROP = 6
NODE_FLARE = 7
NODE_SKY = 8
NODE_COLLISION = 9
NODE_OVERLAY = 10


class Node(Record):
    __slots__ = ()
    name: str | None
    kind: int
    parent: int
    transform: Array[c_float]
    mesh: int
    light: int
    camera: int
    prop: int
    entity: int
    material: int
    color: Array[c_float]
    color_alpha: float
    hidden: bool
    levels: int
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_uint32),
        ("parent", c_uint32),
        ("transform", c_float * 12),
        ("mesh", c_uint32),
        ("light", c_uint32),
        ("camera", c_uint32),
        ("prop", c_uint32),
        ("entity", c_uint32),
        ("material", c_uint32),
        ("color", c_float * 3),
        ("color_alpha", c_float),
        ("hidden", c_bool),
        ("levels", c_uint32),
    ]


class Pair(Record):
    __slots__ = ()
    key: str | None
    value: str | None
    _fields_ = [
        ("key", c_char_p),
        ("value", c_char_p),
    ]


class Entity(Record):
    __slots__ = ()
    classname: str | None
    targetname: str | None
    first_pair: int
    pair_count: int
    node: int
    model: int
    target_entity: int
    origin: Array[c_float]
    _fields_ = [
        ("classname", c_char_p),
        ("targetname", c_char_p),
        ("first_pair", c_uint32),
        ("pair_count", c_uint32),
        ("node", c_uint32),
        ("model", c_uint32),
        ("target_entity", c_uint32),
        ("origin", c_float * 3),
    ]


class Leaf(Record):
    __slots__ = ()
    cluster: int
    area: int
    contents: int
    bounds: Bounds
    _fields_ = [
        ("cluster", c_uint32),
        ("area", c_uint32),
        ("contents", c_uint32),
        ("bounds", Bounds),
    ]


class Tree(Record):
    __slots__ = ()
    node_count: int
    leaf_count: int
    planes: _Pointer[c_float]
    children: _Pointer[c_int32]
    leafs: _Pointer[Leaf]
    _fields_ = [
        ("node_count", c_uint32),
        ("leaf_count", c_uint32),
        ("planes", POINTER(c_float)),
        ("children", POINTER(c_int32)),
        ("leafs", POINTER(Leaf)),
    ]


class Vis(Record):
    __slots__ = ()
    cluster_count: int
    row_size: int
    rows: _Pointer[c_uint8]
    _fields_ = [
        ("cluster_count", c_uint32),
        ("row_size", c_uint32),
        ("rows", POINTER(c_uint8)),
    ]


class AreaPortal(Record):
    __slots__ = ()
    portal: int
    areas: Array[c_uint32]
    _fields_ = [
        ("portal", c_uint32),
        ("areas", c_uint32 * 2),
    ]


class Identity(Record):
    __slots__ = ()
    bytes: str
    geometry: str
    entities: str
    size: int
    _fields_ = [
        ("bytes", c_char * 65),
        ("geometry", c_char * 65),
        ("entities", c_char * 65),
        ("size", c_uint64),
    ]


class CompanionFile(Record):
    __slots__ = ()
    path: str | None
    archive: str | None
    unused: str | None
    _fields_ = [
        ("path", c_char_p),
        ("archive", c_char_p),
        ("unused", c_char_p),
    ]


class Counts(Record):
    __slots__ = ()
    models: int
    faces: int
    polygons: int
    patches: int
    meshes: int
    displacements: int
    billboards: int
    lightmap_faces: int
    vertex_records: int
    map_lightmaps: int
    brush_entities: int
    static_props: int
    vertices: int
    triangles: int
    textures_found: int
    textures_missing: int
    _fields_ = [
        ("models", c_uint32),
        ("faces", c_uint32),
        ("polygons", c_uint32),
        ("patches", c_uint32),
        ("meshes", c_uint32),
        ("displacements", c_uint32),
        ("billboards", c_uint32),
        ("lightmap_faces", c_uint32),
        ("vertex_records", c_uint32),
        ("map_lightmaps", c_uint32),
        ("brush_entities", c_uint32),
        ("static_props", c_uint32),
        ("vertices", c_uint32),
        ("triangles", c_uint32),
        ("textures_found", c_uint32),
        ("textures_missing", c_uint32),
    ]


class Scene(Record):
    __slots__ = ()
    name: str | None
    family: str | None
    variant: str | None
    variant_title: str | None
    version: int
    meters_per_unit: float
    bounds: Bounds
    counts: _Pointer[Counts]
    warnings: _Pointer[_Pointer[Warning]]
    warning_count: int
    nodes: _Pointer[_Pointer[Node]]
    node_count: int
    entities: _Pointer[_Pointer[Entity]]
    entity_count: int
    pairs: _Pointer[Pair]
    pair_count: int
    entity_file: str | None
    first_key_wins: bool
    escaped_text: bool
    meshes: _Pointer[_Pointer[Mesh]]
    mesh_count: int
    faces: _Pointer[Face]
    face_count: int
    materials: _Pointer[_Pointer[Material]]
    material_count: int
    material_passes: _Pointer[_Pointer[MaterialPass]]
    material_pass_count: int
    frame_images: _Pointer[c_uint32]
    frame_image_count: int
    images: _Pointer[_Pointer[Image]]
    image_count: int
    sky_material: int
    sky_camera_origin: Array[c_float]
    sky_camera_scale: float
    cubemaps: _Pointer[_Pointer[Cubemap]]
    cubemap_count: int
    lightmap_sets: _Pointer[LightmapSet]
    lightmap_set_count: int
    lightmap_page_count: int
    lightmap_encoding: int
    added_styles: _Pointer[c_float]
    has_hdr_light: bool
    overbright: float
    light_clamp: float
    is_full_bright: bool
    linear_luxels: bool
    map_light: _Pointer[MapLight]
    light_styles: _Pointer[_Pointer[LightStyle]]
    light_style_count: int
    lights: _Pointer[_Pointer[Light]]
    light_count: int
    linear_lights: bool
    lighting_variants: _Pointer[c_char_p]
    lighting_variant_count: int
    lighting_variant: int
    light_grid: _Pointer[LightGrid]
    ambients: _Pointer[Ambient]
    ambient_count: int
    outdoor_light: _Pointer[LightSample]
    map_fog: _Pointer[MapFog]
    lightmap_mode_white: bool
    lightmap_mode_opaque: bool
    cameras: _Pointer[_Pointer[Camera]]
    camera_count: int
    fogs: _Pointer[_Pointer[Fog]]
    fog_count: int
    props: _Pointer[_Pointer[Prop]]
    prop_count: int
    prop_leafs: _Pointer[c_uint32]
    prop_leaf_count: int
    overlays: _Pointer[_Pointer[Overlay]]
    overlay_count: int
    detail_props: _Pointer[DetailProp]
    detail_prop_count: int
    tree: _Pointer[Tree]
    vis: _Pointer[Vis]
    area_count: int
    area_portals: _Pointer[AreaPortal]
    area_portal_count: int
    pakfile: int | None
    pakfile_size: int
    identity: _Pointer[Identity]
    companion_files: _Pointer[_Pointer[CompanionFile]]
    companion_file_count: int
    input_size: int
    memory_size: int
    memory_peak: int
    _fields_ = [
        ("name", c_char_p),
        ("family", c_char_p),
        ("variant", c_char_p),
        ("variant_title", c_char_p),
        ("version", c_int32),
        ("meters_per_unit", c_float),
        ("bounds", Bounds),
        ("counts", POINTER(Counts)),
        ("warnings", POINTER(POINTER(Warning))),
        ("warning_count", c_uint32),
        ("nodes", POINTER(POINTER(Node))),
        ("node_count", c_uint32),
        ("entities", POINTER(POINTER(Entity))),
        ("entity_count", c_uint32),
        ("pairs", POINTER(Pair)),
        ("pair_count", c_uint32),
        ("entity_file", c_char_p),
        ("first_key_wins", c_bool),
        ("escaped_text", c_bool),
        ("meshes", POINTER(POINTER(Mesh))),
        ("mesh_count", c_uint32),
        ("faces", POINTER(Face)),
        ("face_count", c_uint32),
        ("materials", POINTER(POINTER(Material))),
        ("material_count", c_uint32),
        ("material_passes", POINTER(POINTER(MaterialPass))),
        ("material_pass_count", c_uint32),
        ("frame_images", POINTER(c_uint32)),
        ("frame_image_count", c_uint32),
        ("images", POINTER(POINTER(Image))),
        ("image_count", c_uint32),
        ("sky_material", c_uint32),
        ("sky_camera_origin", c_float * 3),
        ("sky_camera_scale", c_float),
        ("cubemaps", POINTER(POINTER(Cubemap))),
        ("cubemap_count", c_uint32),
        ("lightmap_sets", POINTER(LightmapSet)),
        ("lightmap_set_count", c_uint32),
        ("lightmap_page_count", c_uint32),
        ("lightmap_encoding", c_uint32),
        ("added_styles", POINTER(c_float)),
        ("has_hdr_light", c_bool),
        ("overbright", c_float),
        ("light_clamp", c_float),
        ("is_full_bright", c_bool),
        ("linear_luxels", c_bool),
        ("map_light", POINTER(MapLight)),
        ("light_styles", POINTER(POINTER(LightStyle))),
        ("light_style_count", c_uint32),
        ("lights", POINTER(POINTER(Light))),
        ("light_count", c_uint32),
        ("linear_lights", c_bool),
        ("lighting_variants", POINTER(c_char_p)),
        ("lighting_variant_count", c_uint32),
        ("lighting_variant", c_uint32),
        ("light_grid", POINTER(LightGrid)),
        ("ambients", POINTER(Ambient)),
        ("ambient_count", c_uint32),
        ("outdoor_light", POINTER(LightSample)),
        ("map_fog", POINTER(MapFog)),
        ("lightmap_mode_white", c_bool),
        ("lightmap_mode_opaque", c_bool),
        ("cameras", POINTER(POINTER(Camera))),
        ("camera_count", c_uint32),
        ("fogs", POINTER(POINTER(Fog))),
        ("fog_count", c_uint32),
        ("props", POINTER(POINTER(Prop))),
        ("prop_count", c_uint32),
        ("prop_leafs", POINTER(c_uint32)),
        ("prop_leaf_count", c_uint32),
        ("overlays", POINTER(POINTER(Overlay))),
        ("overlay_count", c_uint32),
        ("detail_props", POINTER(DetailProp)),
        ("detail_prop_count", c_uint32),
        ("tree", POINTER(Tree)),
        ("vis", POINTER(Vis)),
        ("area_count", c_uint32),
        ("area_portals", POINTER(AreaPortal)),
        ("area_portal_count", c_uint32),
        ("pakfile", c_void_p),
        ("pakfile_size", c_size_t),
        ("identity", POINTER(Identity)),
        ("companion_files", POINTER(POINTER(CompanionFile))),
        ("companion_file_count", c_uint32),
        ("input_size", c_uint64),
        ("memory_size", c_uint64),
        ("memory_peak", c_uint64),
    ]


class SurfacePoint(Record):
    __slots__ = ()
    struct_size: int
    face: int
    node: int
    triangle: int
    barycentric: Array[c_float]
    distance: float
    position: Array[c_float]
    normal: Array[c_float]
    uv: Array[c_float]
    lightmap_page: int
    luxel_x: int
    luxel_y: int
    light: Array[c_float]
    _fields_ = [
        ("struct_size", c_size_t),
        ("face", c_uint32),
        ("node", c_uint32),
        ("triangle", c_uint32),
        ("barycentric", c_float * 3),
        ("distance", c_float),
        ("position", c_float * 3),
        ("normal", c_float * 3),
        ("uv", c_float * 2),
        ("lightmap_page", c_uint32),
        ("luxel_x", c_uint32),
        ("luxel_y", c_uint32),
        ("light", c_float * 3),
    ]


class BakeReport(Record):
    __slots__ = ()
    struct_size: int
    triangles_before: int
    triangles: int
    light_error: float
    usual_error: float
    largest_error: float
    edge_error: float
    meshes_for_light: int
    model_light_error: float
    _fields_ = [
        ("struct_size", c_size_t),
        ("triangles_before", c_uint32),
        ("triangles", c_uint32),
        ("light_error", c_float),
        ("usual_error", c_float),
        ("largest_error", c_float),
        ("edge_error", c_float),
        ("meshes_for_light", c_uint32),
        ("model_light_error", c_float),
    ]


class BakeOptions(Record):
    __slots__ = ()
    struct_size: int
    light_styles: _Pointer[c_float]
    keep_styles: bool
    vertices: bool
    light_error: float
    model_light_error: float
    clamp_to_white: bool
    triangle_limit: int
    memory_limit: int
    allocator: _Pointer[Allocator]
    threads: int
    thread_pool: _Pointer[ThreadPool]
    progress: Any
    progress_user: int | None
    report: _Pointer[BakeReport]
    _fields_ = [
        ("struct_size", c_size_t),
        ("light_styles", POINTER(c_float)),
        ("keep_styles", c_bool),
        ("vertices", c_bool),
        ("light_error", c_float),
        ("model_light_error", c_float),
        ("clamp_to_white", c_bool),
        ("triangle_limit", c_uint32),
        ("memory_limit", c_uint64),
        ("allocator", POINTER(Allocator)),
        ("threads", c_uint32),
        ("thread_pool", POINTER(ThreadPool)),
        ("progress", ProgressFn),
        ("progress_user", c_void_p),
        ("report", POINTER(BakeReport)),
    ]


class SkyOptions(Record):
    __slots__ = ()
    struct_size: int
    eye: _Pointer[c_float]
    time: float
    omit_fog: bool
    omit_skybox: bool
    memory_limit: int
    allocator: _Pointer[Allocator]
    _fields_ = [
        ("struct_size", c_size_t),
        ("eye", POINTER(c_float)),
        ("time", c_float),
        ("omit_fog", c_bool),
        ("omit_skybox", c_bool),
        ("memory_limit", c_uint64),
        ("allocator", POINTER(Allocator)),
    ]

# bspscene_write_lighting
WRITE_LIGHTING_DEFAULT = 0
WRITE_LIGHTING_LIGHTMAP = 1
WRITE_LIGHTING_VERTEX = 2
WRITE_LIGHTING_NONE = 3
WRITE_LIGHTING_BAKED = 4

# bspscene_write_merge
WRITE_MERGE_MODEL = 0
WRITE_MERGE_MATERIAL = 1
WRITE_MERGE_NONE = 2

# bspscene_write_sky
WRITE_SKY_DEFAULT = 0
WRITE_SKY_CUBE = 1
WRITE_SKY_PANORAMA = 2
WRITE_SKY_NONE = 3
WRITE_SKY_SURFACES = 4

# bspscene_write_lights
WRITE_LIGHTS_DEFAULT = 0
WRITE_LIGHTS_NONE = 1
WRITE_LIGHTS_BRIGHTEST = 2
WRITE_LIGHTS_ALL = 3

# bspscene_compress
COMPRESS_NONE = 0
COMPRESS_WEBP = 1
COMPRESS_JPEG = 2
COMPRESS_MESHOPT = 3


class WriteOptions(Record):
    __slots__ = ()
    struct_size: int
    file_name: str | None
    embed_textures: bool
    compress: int
    compression: int
    picture_format: int
    hdr_format: int
    merge: int
    memory_limit: int
    output_limit: int
    allocator: _Pointer[Allocator]
    threads: int
    thread_pool: _Pointer[ThreadPool]
    progress: Any
    progress_user: int | None
    sky: int
    lights: int
    max_lights: int
    omit_entities: bool
    centimeters: bool
    lighting: int
    light_styles: _Pointer[c_float]
    separate_styles: bool
    light_error: float
    triangle_limit: int
    baked_size: int
    report: _Pointer[BakeReport]
    _fields_ = [
        ("struct_size", c_size_t),
        ("file_name", c_char_p),
        ("embed_textures", c_bool),
        ("compress", c_uint32),
        ("compression", c_uint32),
        ("picture_format", c_uint32),
        ("hdr_format", c_uint32),
        ("merge", c_uint32),
        ("memory_limit", c_uint64),
        ("output_limit", c_uint64),
        ("allocator", POINTER(Allocator)),
        ("threads", c_uint32),
        ("thread_pool", POINTER(ThreadPool)),
        ("progress", ProgressFn),
        ("progress_user", c_void_p),
        ("sky", c_uint32),
        ("lights", c_uint32),
        ("max_lights", c_uint32),
        ("omit_entities", c_bool),
        ("centimeters", c_bool),
        ("lighting", c_uint32),
        ("light_styles", POINTER(c_float)),
        ("separate_styles", c_bool),
        ("light_error", c_float),
        ("triangle_limit", c_uint32),
        ("baked_size", c_uint32),
        ("report", POINTER(BakeReport)),
    ]


class Output(Record):
    __slots__ = ()
    struct_size: int
    user: int | None
    begin: Any
    write: Any
    end: Any
    _fields_ = [
        ("struct_size", c_size_t),
        ("user", c_void_p),
        ("begin", CFUNCTYPE(c_bool, c_void_p, c_char_p)),
        ("write", WriteFn),
        ("end", CFUNCTYPE(c_bool, c_void_p)),
    ]


class Writer(Record):
    __slots__ = ()
    name: str | None
    title: str | None
    extension: str | None
    chosen_by_extension: bool
    lighting: int
    lightings: int
    compresses: bool
    animates: bool
    _fields_ = [
        ("name", c_char_p),
        ("title", c_char_p),
        ("extension", c_char_p),
        ("chosen_by_extension", c_bool),
        ("lighting", c_uint32),
        ("lightings", c_uint32),
        ("compresses", c_bool),
        ("animates", c_bool),
    ]


class Family(Record):
    __slots__ = ()
    name: str | None
    title: str | None
    reads_wads: bool
    _fields_ = [
        ("name", c_char_p),
        ("title", c_char_p),
        ("reads_wads", c_bool),
    ]


class LightmapRect(Record):
    __slots__ = ()
    face_record: int
    lightmap_page: int
    x: int
    y: int
    width: int
    height: int
    _fields_ = [
        ("face_record", c_uint32),
        ("lightmap_page", c_uint32),
        ("x", c_uint32),
        ("y", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
    ]


class EditedLight(Record):
    __slots__ = ()
    struct_size: int
    encoding: int
    lightmap_sets: _Pointer[LightmapSet]
    lightmap_set_count: int
    lightmap_page_count: int
    rects: _Pointer[LightmapRect]
    rect_count: int
    overbright: float
    light: str
    light_hash: str
    layout_hash: str
    lists: _Pointer[LightList]
    list_count: int
    _fields_ = [
        ("struct_size", c_size_t),
        ("encoding", c_uint32),
        ("lightmap_sets", POINTER(LightmapSet)),
        ("lightmap_set_count", c_uint32),
        ("lightmap_page_count", c_uint32),
        ("rects", POINTER(LightmapRect)),
        ("rect_count", c_uint32),
        ("overbright", c_float),
        ("light", c_char * 16),
        ("light_hash", c_char * 17),
        ("layout_hash", c_char * 17),
        ("lists", POINTER(LightList)),
        ("list_count", c_uint32),
    ]


class RelightOptions(Record):
    __slots__ = ()
    struct_size: int
    file_name: str | None
    light_range: int
    accept_other_light: bool
    convert_to_gray: bool
    _fields_ = [
        ("struct_size", c_size_t),
        ("file_name", c_char_p),
        ("light_range", c_uint32),
        ("accept_other_light", c_bool),
        ("convert_to_gray", c_bool),
    ]


class RelightReport(Record):
    __slots__ = ()
    struct_size: int
    identical: bool
    file_count: int
    luxels: int
    outside: int
    changed: int
    conflicts: int
    clamped: int
    clamp_factor: float
    repaired: int
    not_stored: int
    points_changed: int
    faces_changed: int
    faces_unlit: int
    _fields_ = [
        ("struct_size", c_size_t),
        ("identical", c_bool),
        ("file_count", c_uint32),
        ("luxels", c_uint64),
        ("outside", c_uint64),
        ("changed", c_uint64),
        ("conflicts", c_uint64),
        ("clamped", c_uint64),
        ("clamp_factor", c_float),
        ("repaired", c_uint64),
        ("not_stored", c_uint64),
        ("points_changed", c_uint64),
        ("faces_changed", c_uint32),
        ("faces_unlit", c_uint32),
    ]

# bspscene_change_kind
CHANGE_MODIFIED = 0
CHANGE_ADDED = 1
CHANGE_REMOVED = 2


class KeyChange(Record):
    __slots__ = ()
    key: str | None
    old_value: str | None
    new_value: str | None
    _fields_ = [
        ("key", c_char_p),
        ("old_value", c_char_p),
        ("new_value", c_char_p),
    ]


class EntityChange(Record):
    __slots__ = ()
    kind: int
    old_entity: int
    new_entity: int
    classname: str | None
    targetname: str | None
    origin: str | None
    keys: _Pointer[_Pointer[KeyChange]]
    key_count: int
    _fields_ = [
        ("kind", c_uint32),
        ("old_entity", c_uint32),
        ("new_entity", c_uint32),
        ("classname", c_char_p),
        ("targetname", c_char_p),
        ("origin", c_char_p),
        ("keys", POINTER(POINTER(KeyChange))),
        ("key_count", c_uint32),
    ]


class EntityChanges(Record):
    __slots__ = ()
    changes: _Pointer[_Pointer[EntityChange]]
    change_count: int
    added: int
    removed: int
    changed: int
    reordered: bool
    warnings: _Pointer[_Pointer[Warning]]
    warning_count: int
    _fields_ = [
        ("changes", POINTER(POINTER(EntityChange))),
        ("change_count", c_uint32),
        ("added", c_uint32),
        ("removed", c_uint32),
        ("changed", c_uint32),
        ("reordered", c_bool),
        ("warnings", POINTER(POINTER(Warning))),
        ("warning_count", c_uint32),
    ]


class EditedEntity(Record):
    __slots__ = ()
    original_entity: int
    first_pair: int
    pair_count: int
    _fields_ = [
        ("original_entity", c_uint32),
        ("first_pair", c_uint32),
        ("pair_count", c_uint32),
    ]


class EditedEntities(Record):
    __slots__ = ()
    struct_size: int
    text: int | None
    text_size: int
    entities: _Pointer[EditedEntity]
    entity_count: int
    pairs: _Pointer[Pair]
    pair_count: int
    _fields_ = [
        ("struct_size", c_size_t),
        ("text", c_void_p),
        ("text_size", c_size_t),
        ("entities", POINTER(EditedEntity)),
        ("entity_count", c_uint32),
        ("pairs", POINTER(Pair)),
        ("pair_count", c_uint32),
    ]

# bspscene_corner_flag
CORNER_UV = 0x1
CORNER_NORMAL = 0x2
CORNER_COLOR = 0x4


class EditedCorner(Record):
    __slots__ = ()
    face: int
    corner: int
    flags: int
    uv: Array[c_float]
    normal: Array[c_float]
    color: Array[c_uint8]
    _fields_ = [
        ("face", c_uint32),
        ("corner", c_uint32),
        ("flags", c_uint32),
        ("uv", c_float * 2),
        ("normal", c_float * 3),
        ("color", c_uint8 * 4),
    ]

# bspscene_rewrite_form
REWRITE_FORM_MAP = 0
REWRITE_FORM_ENT = 1
REWRITE_FORM_LUMP_PATCH = 2


class RewriteOptions(Record):
    __slots__ = ()
    struct_size: int
    file_name: str | None
    form: int
    corner_text: int | None
    corner_text_size: int
    corners: _Pointer[EditedCorner]
    corner_count: int
    _fields_ = [
        ("struct_size", c_size_t),
        ("file_name", c_char_p),
        ("form", c_uint32),
        ("corner_text", c_void_p),
        ("corner_text_size", c_size_t),
        ("corners", POINTER(EditedCorner)),
        ("corner_count", c_uint32),
    ]


class RewriteReport(Record):
    __slots__ = ()
    struct_size: int
    identical: bool
    old_size: int
    new_size: int
    changes: _Pointer[EntityChanges]
    corners_changed: int
    _fields_ = [
        ("struct_size", c_size_t),
        ("identical", c_bool),
        ("old_size", c_uint64),
        ("new_size", c_uint64),
        ("changes", POINTER(EntityChanges)),
        ("corners_changed", c_uint32),
    ]


class OpenOptions(Record):
    __slots__ = ()
    struct_size: int
    map: str | None
    games: _Pointer[c_char_p]
    game_count: int
    load: _Pointer[LoadOptions]
    _fields_ = [
        ("struct_size", c_size_t),
        ("map", c_char_p),
        ("games", POINTER(c_char_p)),
        ("game_count", c_uint32),
        ("load", POINTER(LoadOptions)),
    ]

# bspscene_source_kind
SOURCE_MAP = 0
SOURCE_ARCHIVE = 1
SOURCE_GAME = 2


class SourceOptions(Record):
    __slots__ = ()
    struct_size: int
    games: _Pointer[c_char_p]
    game_count: int
    skip_bad_games: bool
    isolated: bool
    model: str | None
    data: int | None
    size: int
    allocator: _Pointer[Allocator]
    _fields_ = [
        ("struct_size", c_size_t),
        ("games", POINTER(c_char_p)),
        ("game_count", c_uint32),
        ("skip_bad_games", c_bool),
        ("isolated", c_bool),
        ("model", c_char_p),
        ("data", c_void_p),
        ("size", c_size_t),
        ("allocator", POINTER(Allocator)),
    ]


FoundGameFn = CFUNCTYPE(None, c_void_p, c_char_p)

# bspscene_struct_id
STRUCT_SCENE = 0
STRUCT_NODE = 1
STRUCT_ENTITY = 2
STRUCT_MESH = 3
STRUCT_SECTION = 4
STRUCT_FACE = 5
STRUCT_MATERIAL = 6
STRUCT_MATERIAL_PASS = 7
STRUCT_IMAGE = 8
STRUCT_LIGHTMAP_PAGE = 9
STRUCT_LIGHTMAP_SET = 10
STRUCT_LIGHT_STYLE = 11
STRUCT_LIGHT = 12
STRUCT_CAMERA = 13
STRUCT_LIGHT_GRID = 14
STRUCT_AMBIENT = 15
STRUCT_FOG = 16
STRUCT_PROP = 17
STRUCT_OVERLAY = 18
STRUCT_CUBEMAP = 19
STRUCT_LEAF = 20
STRUCT_TREE = 21
STRUCT_VIS = 22
STRUCT_AREA_PORTAL = 23
STRUCT_COUNTS = 24
STRUCT_WARNING = 25
STRUCT_ERROR = 26
STRUCT_LOAD_OPTIONS = 27
STRUCT_WRITE_OPTIONS = 28
STRUCT_STREAM = 29
STRUCT_OUTPUT = 30
STRUCT_PIXELS = 31
STRUCT_VERTEX_COLOR_SET = 32
STRUCT_DETAIL_PROP = 33
STRUCT_LAYER = 34
STRUCT_SKY = 35
STRUCT_FOG_PARMS = 36
STRUCT_BLEND_MASK = 37
STRUCT_DETAIL_TEXTURE = 38
STRUCT_OCCURRENCE = 39
STRUCT_FORMAT = 40
STRUCT_BAKE_OPTIONS = 41
STRUCT_SOURCE_OPTIONS = 42
STRUCT_BAKE_REPORT = 43
STRUCT_ALLOCATOR = 44
STRUCT_IDENTITY = 45
STRUCT_LUXEL_LOCATION = 46
STRUCT_MAP_LIGHT = 47
STRUCT_LIGHTMAP_RECT = 48
STRUCT_EDITED_LIGHT = 49
STRUCT_RELIGHT_OPTIONS = 50
STRUCT_RELIGHT_REPORT = 51
STRUCT_LIGHT_LIST = 52
STRUCT_THREAD_POOL = 53
STRUCT_OPEN_OPTIONS = 54
STRUCT_SKY_OPTIONS = 55
STRUCT_KEY_CHANGE = 56
STRUCT_ENTITY_CHANGE = 57
STRUCT_ENTITY_CHANGES = 58
STRUCT_EDITED_ENTITY = 59
STRUCT_EDITED_ENTITIES = 60
STRUCT_REWRITE_OPTIONS = 61
STRUCT_REWRITE_REPORT = 62
STRUCT_RIG = 63
STRUCT_BONE = 64
STRUCT_SEQUENCE = 65
STRUCT_LIGHT_PROBE = 66
STRUCT_EDITED_CORNER = 67
STRUCT_MODEL_POSE = 68
STRUCT_DECODE_OPTIONS = 69
STRUCT_SURFACE_POINT = 70
STRUCT_LIGHTMAP_BLOCKS = 71


class View(Record):
    __slots__ = ()
    origin: Array[c_float]
    pitch: float
    yaw: float
    roll: float
    fov_degrees: float
    _fields_ = [
        ("origin", c_float * 3),
        ("pitch", c_float),
        ("yaw", c_float),
        ("roll", c_float),
        ("fov_degrees", c_float),
    ]

# bspscene_render_mode
RENDER_FULL = 0
RENDER_LIGHTMAP = 1
RENDER_TEXTURE = 2


class RenderOptions(Record):
    __slots__ = ()
    struct_size: int
    width: int
    height: int
    samples: int
    background: Array[c_float]
    memory_limit: int
    allocator: _Pointer[Allocator]
    threads: int
    progress: Any
    progress_user: int | None
    mode: int
    world_only: bool
    transparent_sky: bool
    omit_map_fog: bool
    show_back_faces: bool
    use_pvs: bool
    level: int
    time: float
    intensity: float
    light_styles: _Pointer[c_float]
    _fields_ = [
        ("struct_size", c_size_t),
        ("width", c_uint32),
        ("height", c_uint32),
        ("samples", c_uint32),
        ("background", c_float * 3),
        ("memory_limit", c_uint64),
        ("allocator", POINTER(Allocator)),
        ("threads", c_uint32),
        ("progress", ProgressFn),
        ("progress_user", c_void_p),
        ("mode", c_uint32),
        ("world_only", c_bool),
        ("transparent_sky", c_bool),
        ("omit_map_fog", c_bool),
        ("show_back_faces", c_bool),
        ("use_pvs", c_bool),
        ("level", c_uint32),
        ("time", c_float),
        ("intensity", c_float),
        ("light_styles", POINTER(c_float)),
    ]


# What bspscene_struct_size is asked for.
STRUCTS: dict[int, type[Record]] = {
    STRUCT_ALLOCATOR: Allocator,
    STRUCT_THREAD_POOL: ThreadPool,
    STRUCT_ERROR: Error,
    STRUCT_OCCURRENCE: Occurrence,
    STRUCT_WARNING: Warning,
    STRUCT_BONE: Bone,
    STRUCT_SEQUENCE: Sequence,
    STRUCT_RIG: Rig,
    STRUCT_SECTION: Section,
    STRUCT_VERTEX_COLOR_SET: VertexColorSet,
    STRUCT_MESH: Mesh,
    STRUCT_FACE: Face,
    STRUCT_MATERIAL_PASS: MaterialPass,
    STRUCT_SKY: Sky,
    STRUCT_FOG_PARMS: FogParms,
    STRUCT_BLEND_MASK: BlendMask,
    STRUCT_DETAIL_TEXTURE: DetailTexture,
    STRUCT_LAYER: Layer,
    STRUCT_MATERIAL: Material,
    STRUCT_LIGHTMAP_BLOCKS: LightmapBlocks,
    STRUCT_LIGHTMAP_PAGE: LightmapPage,
    STRUCT_LIGHTMAP_SET: LightmapSet,
    STRUCT_LUXEL_LOCATION: LuxelLocation,
    STRUCT_LIGHT_LIST: LightList,
    STRUCT_LIGHT_PROBE: LightProbe,
    STRUCT_MAP_LIGHT: MapLight,
    STRUCT_LIGHT_STYLE: LightStyle,
    STRUCT_LIGHT: Light,
    STRUCT_LIGHT_GRID: LightGrid,
    STRUCT_AMBIENT: Ambient,
    STRUCT_STREAM: Stream,
    STRUCT_MODEL_POSE: ModelPose,
    STRUCT_LOAD_OPTIONS: LoadOptions,
    STRUCT_FORMAT: Format,
    STRUCT_IMAGE: Image,
    STRUCT_PIXELS: Pixels,
    STRUCT_DECODE_OPTIONS: DecodeOptions,
    STRUCT_CAMERA: Camera,
    STRUCT_FOG: Fog,
    STRUCT_PROP: Prop,
    STRUCT_OVERLAY: Overlay,
    STRUCT_DETAIL_PROP: DetailProp,
    STRUCT_CUBEMAP: Cubemap,
    STRUCT_NODE: Node,
    STRUCT_ENTITY: Entity,
    STRUCT_LEAF: Leaf,
    STRUCT_TREE: Tree,
    STRUCT_VIS: Vis,
    STRUCT_AREA_PORTAL: AreaPortal,
    STRUCT_IDENTITY: Identity,
    STRUCT_COUNTS: Counts,
    STRUCT_SCENE: Scene,
    STRUCT_SURFACE_POINT: SurfacePoint,
    STRUCT_BAKE_REPORT: BakeReport,
    STRUCT_BAKE_OPTIONS: BakeOptions,
    STRUCT_SKY_OPTIONS: SkyOptions,
    STRUCT_WRITE_OPTIONS: WriteOptions,
    STRUCT_OUTPUT: Output,
    STRUCT_LIGHTMAP_RECT: LightmapRect,
    STRUCT_EDITED_LIGHT: EditedLight,
    STRUCT_RELIGHT_OPTIONS: RelightOptions,
    STRUCT_RELIGHT_REPORT: RelightReport,
    STRUCT_KEY_CHANGE: KeyChange,
    STRUCT_ENTITY_CHANGE: EntityChange,
    STRUCT_ENTITY_CHANGES: EntityChanges,
    STRUCT_EDITED_ENTITY: EditedEntity,
    STRUCT_EDITED_ENTITIES: EditedEntities,
    STRUCT_EDITED_CORNER: EditedCorner,
    STRUCT_REWRITE_OPTIONS: RewriteOptions,
    STRUCT_REWRITE_REPORT: RewriteReport,
    STRUCT_OPEN_OPTIONS: OpenOptions,
    STRUCT_SOURCE_OPTIONS: SourceOptions,
}

# Result and parameters of every function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "bspscene_warning_name": (c_char_p, [c_uint32]),
    "bspscene_status_name": (c_char_p, [c_uint32]),
    "bspscene_sanitize_text": (None, [c_char_p]),
    "bspscene_lightmap_page_read": (None, [POINTER(LightmapPage), c_uint32, c_uint32, c_uint32, c_uint32, c_void_p]),
    "bspscene_load_file": (POINTER(Scene), [c_char_p, POINTER(LoadOptions), POINTER(Error)]),
    "bspscene_load_memory": (POINTER(Scene), [c_void_p, c_size_t, POINTER(LoadOptions), POINTER(Error)]),
    "bspscene_load_stream": (POINTER(Scene), [POINTER(Stream), POINTER(LoadOptions), POINTER(Error)]),
    "bspscene_probe": (c_bool, [c_void_p, c_size_t, POINTER(Format)]),
    "bspscene_image_decode": (c_bool, [POINTER(Image), POINTER(Pixels), POINTER(Error)]),
    "bspscene_image_decode_with": (c_bool, [POINTER(Image), POINTER(DecodeOptions), POINTER(Pixels), POINTER(Error)]),
    "bspscene_image_decode_size": (c_uint64, [POINTER(Image), c_uint32]),
    "bspscene_pixels_free": (None, [POINTER(Pixels)]),
    "bspscene_write_image_file": (c_bool, [POINTER(Image), c_char_p, POINTER(Error)]),
    "bspscene_write_picture": (c_bool, [c_uint32, c_uint32, c_uint32, c_void_p, POINTER(PictureOptions), WriteFn,
        c_void_p, POINTER(Error)]),
    "bspscene_write_png_file": (c_bool, [c_uint32, c_uint32, c_uint32, c_void_p, c_char_p, POINTER(Error)]),
    "bspscene_write_png": (c_bool, [c_uint32, c_uint32, c_uint32, c_void_p, WriteFn, c_void_p, POINTER(Error)]),
    "bspscene_write_jpeg": (c_bool, [c_uint32, c_uint32, POINTER(c_uint8), c_uint32, WriteFn, c_void_p,
        POINTER(Error)]),
    "bspscene_write_lightmap_page": (c_bool, [POINTER(LightmapPage), WriteFn, c_void_p, POINTER(Error)]),
    "bspscene_write_lightmap_page_file": (c_bool, [POINTER(LightmapPage), c_char_p, POINTER(Error)]),
    "bspscene_lightmap_page_extension": (c_char_p, [POINTER(LightmapPage)]),
    "bspscene_scene_free": (None, [POINTER(Scene)]),
    "bspscene_default_limit": (c_uint64, [POINTER(Scene)]),
    "bspscene_entity_value": (c_char_p, [POINTER(Scene), c_uint32, c_char_p]),
    "bspscene_find_leaf": (c_uint32, [POINTER(Scene), POINTER(c_float)]),
    "bspscene_cluster_visible": (c_bool, [POINTER(Scene), c_uint32, c_uint32]),
    "bspscene_sample_light": (c_bool, [POINTER(Scene), POINTER(c_float), POINTER(LightSample)]),
    "bspscene_shade_normal": (None, [POINTER(LightSample), POINTER(c_float), POINTER(c_float)]),
    "bspscene_lamp_attenuation": (c_float, [POINTER(ModelLamp), POINTER(c_float), POINTER(c_float)]),
    "bspscene_node_world_transform": (None, [POINTER(Scene), c_uint32, POINTER(c_float)]),
    "bspscene_next_node_with_mesh": (c_uint32, [POINTER(Scene), c_uint32, c_uint32]),
    "bspscene_start_camera": (c_uint32, [POINTER(Scene), c_uint32]),
    "bspscene_face_at": (c_bool, [POINTER(Scene), POINTER(c_float), c_float, POINTER(SurfacePoint)]),
    "bspscene_start_styles": (None, [POINTER(Scene), POINTER(c_float)]),
    "bspscene_bake_light": (POINTER(Scene), [POINTER(Scene), POINTER(BakeOptions), POINTER(Error)]),
    "bspscene_sky_size": (c_uint32, [POINTER(Scene)]),
    "bspscene_sky_cube": (c_bool, [POINTER(Scene), POINTER(SkyOptions), c_uint32, POINTER(c_uint8), POINTER(Error)]),
    "bspscene_sky_direction": (None, [c_uint32, c_float, c_float, POINTER(c_float)]),
    "bspscene_sky_cube_bounds": (None, [POINTER(Scene), POINTER(c_float), POINTER(c_float)]),
    "bspscene_sky_panorama": (c_bool, [POINTER(Scene), POINTER(SkyOptions), c_uint32, POINTER(c_uint8),
        POINTER(Error)]),
    "bspscene_write": (c_bool, [POINTER(Scene), c_char_p, POINTER(WriteOptions), POINTER(Output), POINTER(Error)]),
    "bspscene_write_images": (c_bool, [POINTER(Scene), POINTER(c_uint32), c_uint32, POINTER(WriteOptions),
        POINTER(Output), POINTER(Error)]),
    "bspscene_bake_textures": (POINTER(Scene), [POINTER(Scene), POINTER(WriteOptions), POINTER(Error)]),
    "bspscene_writers": (POINTER(POINTER(Writer)), []),
    "bspscene_find_writer": (POINTER(Writer), [c_char_p]),
    "bspscene_write_file": (c_bool, [POINTER(Scene), c_char_p, POINTER(WriteOptions), POINTER(Error)]),
    "bspscene_families": (POINTER(POINTER(Family)), []),
    "bspscene_variant_name": (c_char_p, [POINTER(Family), c_uint32]),
    "bspscene_variant_title": (c_char_p, [POINTER(Family), c_uint32]),
    "bspscene_relight": (c_bool, [POINTER(Stream), POINTER(LoadOptions), POINTER(EditedLight), POINTER(RelightOptions),
        POINTER(Output), POINTER(RelightReport), POINTER(Error)]),
    "bspscene_read_atlas": (POINTER(EditedLight), [c_void_p, c_size_t, POINTER(LoadOptions), POINTER(Error)]),
    "bspscene_edited_light_free": (None, [POINTER(EditedLight)]),
    "bspscene_compare_entities": (POINTER(EntityChanges), [POINTER(Scene), POINTER(Scene), POINTER(Error)]),
    "bspscene_entity_changes_free": (None, [POINTER(EntityChanges)]),
    "bspscene_rewrite": (c_bool, [POINTER(Stream), POINTER(LoadOptions), POINTER(EditedEntities),
        POINTER(RewriteOptions), POINTER(Output), POINTER(RewriteReport), POINTER(Error)]),
    "bspscene_file_system_create": (c_void_p, [POINTER(Allocator)]),
    "bspscene_file_system_free": (None, [c_void_p]),
    "bspscene_file_system_mount": (c_bool, [c_void_p, c_char_p, POINTER(Error)]),
    "bspscene_file_system_mount_memory": (c_bool, [c_void_p, c_char_p, c_void_p, c_size_t, POINTER(Error)]),
    "bspscene_file_system_mount_game": (c_bool, [c_void_p, c_char_p, POINTER(Error)]),
    "bspscene_file_system_unreadable": (c_char_p, [c_void_p, c_char_p]),
    "bspscene_file_system_skipped_names": (c_uint32, [c_void_p]),
    "bspscene_file_system_search_path": (c_char_p, [c_void_p, c_uint32]),
    "bspscene_open": (POINTER(Scene), [c_char_p, POINTER(OpenOptions), POINTER(Error)]),
    "bspscene_source_open": (c_void_p, [c_char_p, POINTER(SourceOptions), POINTER(Error)]),
    "bspscene_source_free": (None, [c_void_p]),
    "bspscene_source_kind_of": (c_uint32, [c_void_p]),
    "bspscene_source_game": (c_char_p, [c_void_p]),
    "bspscene_source_file_system": (c_void_p, [c_void_p]),
    "bspscene_source_problem": (c_char_p, [c_void_p, c_uint32]),
    "bspscene_source_map_count": (c_uint32, [c_void_p]),
    "bspscene_source_map_name": (c_char_p, [c_void_p, c_uint32]),
    "bspscene_source_map_path": (c_char_p, [c_void_p, c_uint32]),
    "bspscene_source_find_map": (c_uint32, [c_void_p, c_char_p, POINTER(Error)]),
    "bspscene_source_open_map": (c_bool, [c_void_p, c_uint32, POINTER(Stream), POINTER(Error)]),
    "bspscene_source_prepare_load": (None, [c_void_p, c_uint32, POINTER(LoadOptions)]),
    "bspscene_source_load": (POINTER(Scene), [c_void_p, c_uint32, POINTER(LoadOptions), POINTER(Error)]),
    "bspscene_find_games": (c_bool, [FoundGameFn, c_void_p]),
    "bspscene_job_open": (c_void_p, [c_char_p, POINTER(SourceOptions), POINTER(Error)]),
    "bspscene_job_load": (c_void_p, [c_void_p, c_uint32, POINTER(LoadOptions), POINTER(Error)]),
    "bspscene_job_bake_light": (c_void_p, [POINTER(Scene), POINTER(BakeOptions), POINTER(Error)]),
    "bspscene_job_bake_textures": (c_void_p, [POINTER(Scene), POINTER(WriteOptions), POINTER(Error)]),
    "bspscene_job_ended": (c_bool, [c_void_p]),
    "bspscene_job_fraction": (c_double, [c_void_p]),
    "bspscene_job_cancel": (None, [c_void_p]),
    "bspscene_job_take_source": (c_void_p, [c_void_p, POINTER(Error)]),
    "bspscene_job_take_scene": (POINTER(Scene), [c_void_p, POINTER(Error)]),
    "bspscene_job_free": (None, [c_void_p]),
    "bspscene_struct_size": (c_size_t, [c_uint32]),
    "bspscene_version": (c_char_p, []),
    "bspscene_struct_read": (c_bool, [c_void_p, c_size_t, c_size_t, c_void_p, c_char_p, POINTER(Error)]),
    "bspscene_halves_to_floats": (None, [c_void_p, c_size_t, POINTER(c_float)]),
    "bspscene_load_share": (c_float, [c_char_p, c_uint32]),
    "bspscene_hash_bytes": (None, [c_void_p, c_size_t, c_char_p]),
}

# Results and arguments of the functions of the renderer's library.
RENDER_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "bspscene_renderer_create": (c_void_p, [POINTER(Scene), POINTER(RenderOptions), POINTER(Error)]),
    "bspscene_renderer_free": (None, [c_void_p]),
    "bspscene_renderer_is_bare": (c_bool, [c_void_p]),
    "bspscene_render": (c_bool, [c_void_p, POINTER(View), POINTER(RenderOptions), POINTER(c_uint8), POINTER(Error)]),
    "bspscene_render_distances": (c_bool, [c_void_p, POINTER(View), POINTER(RenderOptions), POINTER(c_float),
        POINTER(Error)]),
    "bspscene_view_start": (View, [POINTER(Scene), c_uint32, c_uint32]),
    "bspscene_view_of_camera": (View, [POINTER(Scene), c_uint32]),
    "bspscene_view_of_entity": (c_bool, [POINTER(Scene), c_char_p, c_uint32, POINTER(View)]),
    "bspscene_view_overview": (View, [POINTER(Scene), c_uint32, c_uint32]),
    "bspscene_view_turn": (None, [POINTER(Scene), c_uint32, c_uint32, c_uint32, POINTER(View)]),
    "bspscene_view_plan": (View, [POINTER(Scene), c_uint32, c_uint32, POINTER(c_float)]),
}

read_texts(globals())
