"""Keyword options by type, for editors and type checkers, and the words that stand for constants: made from
the headers by scripts/make-abi. A parameter `**options: Unpack[LoadOptions]` takes any of the fields of LoadOptions."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypedDict


EntitySourceWord = Literal["beside", "map"]

EngineWord = Literal["auto", "original", "darkplaces"]

PartsWord = Literal["all", "model", "no_geometry", "entities"]

SurfaceKindWord = Literal["visible", "sky", "nodraw", "hint", "skip", "clip", "trigger", "caulk", "tool", "collision",
                          "all"]

TexturesWord = Literal["load", "names", "none"]

MissingWord = Literal["plain", "checker"]

ModelsWord = Literal["all", "static", "none"]

LightmapEncodingWord = Literal["display", "raw", "hdr", "none"]

LightRangeWord = Literal["auto", "ldr", "hdr"]


class ModelPose(TypedDict, total=False):
    """Fields of bspscene_model_pose."""

    skin: int
    """Number of the skin."""

    body: int
    """Body groups, packed into one number as in entities."""

    frame: int
    """Frame of the model or of the sequence."""

    sequence: str | None
    """Number or name of the sequence. None: "idle", or the first."""


class LoadOptions(TypedDict, total=False):
    """Keywords of load: fields of bspscene_load_options (load.h)."""

    palette_path: str | None
    """Game path of the palette. None: the usual one of the game."""

    entity_source: EntitySourceWord | int
    """Chooses between the map's own entities and those of a file next to it.

    - "beside": The entities that the game's engines use (default): those of maps/NAME@CRC.ent (Quake, Quake II),
      maps/NAME.ent (also GoldSrc, Quake III and relatives), or maps/NAME_l_0.lmp, maps/NAME_l_1.lmp, ... (Source).
      Without such a file, those of the map.
    - "map": The entities of the map itself.
    """

    lump_patches: bool
    """Source: apply all of NAME_l_0.lmp, NAME_l_1.lmp, ... next to the map. Else only those of entities, see
    entity_source."""

    engine: EngineWord | int
    """The engine that the scene imitates.

    - "auto": DarkPlaces for Quake III maps in a game with progs.dat, else ORIGINAL.
    - "original": The engine that the format was made for.
    - "darkplaces": Nexuiz, Xonotic. For Quake III maps (IBSP 46): one pass for each shader, light twice the stored
      byte, `_glow` images.
    """

    strict: bool
    """Fail instead of repairing."""

    memory_limit: int
    """Bytes for the load, files included. Decoding an image may use as many again for a moment. 0: 192 MiB and 56
    bytes for each stored byte of the files, which is twice what real maps need."""

    threads: int
    """Threads to use at most, the caller's included. 0: one for each processor. The scene does not depend on it.
    Callbacks run in the caller's thread, except those of the allocator."""

    parts: PartsWord | int
    """Which parts of the map are built.

    - "all": Everything (default).
    - "model": Geometry of the brush model `model` only (0: the world with its overlays), with its materials and
      lightmaps, without decals of entities. Nodes of other models have no mesh.
    - "no_geometry": No meshes, faces and overlays, and no materials and lightmaps for them.
    - "entities": Entities with their nodes, lights, cameras and props. Opens only the sibling files of entity_source
      and lump_patches and the tiles of an assembly.
    """

    model: int
    """PARTS_MODEL: number of the brush model. MapError with ERROR_BAD_OPTIONS if the map has no such model."""

    for_pictures: bool
    """Load what `bspscene render` draws: adds SURFACE_SKY to include_mask, sets reflections and skip_normal_maps, and
    patch_error to 1 if it is 0."""

    include_mask: SurfaceKindWord | Iterable[SurfaceKindWord] | int
    """bspscene_surface_kind bits of hidden surfaces to keep.

    - "tool": Any other editor surface: origin, areaportal, lightgrid.
    - "collision": Hulls and clip brushes, as meshes of their own.
    """

    textures: TexturesWord | int
    """How textures are loaded.

    - "load": Find images and keep their encoded bytes (default).
    - "names": Find images and keep their paths only. Written files have no textures.
    - "none": Open no images and no scripts.
    """

    missing: MissingWord | int
    """What replaces missing images.

    - "plain": Its mean color or a gray; a plain sky for missing sky images (default).
    - "checker": A checkerboard that is easy to see, and no sky.
    """

    models: ModelsWord | int
    """Used with PARTS_ALL only.

    - "all": Static props, entities with a `model`, and known classes (default).
    - "static": All except those that the game moves or creates: items, monsters, debris.
    """

    skip_normal_maps: bool
    """Do not load normal maps, which may be as large as all other images."""

    reflections: bool
    """Load reflections and phong shading (Source's $envmap, $phong). Cube maps may be as large as all other images;
    only bspscene_render uses them."""

    keep_pakfile: bool
    """Keep a copy of the archive inside the map in the scene."""

    identify: bool
    """Compute scene->identity, which takes some milliseconds."""

    meters_per_unit: float
    """Meters for each game unit. 0: 0.0254."""

    patch_error: float
    """Largest distance of a patch from its triangles in game units, 0.25..1024. 0: 4, as in the game; 1 with
    for_pictures."""

    lightmap_encoding: LightmapEncodingWord | int
    """How lightmap pages store light.

    - "display": As the engine prepares it: display values, multiplied with the texture.
    - "raw": The bytes of the file.
    - "hdr": Linear half floats, unclamped. A value v of an 8-bit map becomes v^2.2.
    - "none": No pages and no lightmap coordinates.
    """

    lightmap_page_size: int
    """Largest side of a page in luxels, 16..16384 and more than 2 * lightmap_gutter. A larger face enlarges its page.
    The faces are packed anew; the map's own pages are not kept. 0: 4096."""

    lightmap_gutter: int
    """Replicated luxels around each rectangle, 1..16. 0: 1."""

    sparse_lightmaps: bool
    """Store pages of further sets (all but set 0) as blocks where that takes at most half the memory. Default: all
    pages are whole. See bspscene_lightmap_page."""

    light_range: LightRangeWord | int
    """Which light is used if the map has LDR and HDR light.

    - "auto": HDR for LIGHTMAP_ENCODING_HDR, else LDR; the other if one is absent (default).
    - "ldr": LDR. MapError with ERROR_BAD_OPTIONS if the map has none.
    - "hdr": HDR. MapError with ERROR_BAD_OPTIONS if the map has none.
    """

    lighting_variant: str | None
    """Name in scene->lighting_variants. None: the first. MapError with ERROR_BAD_OPTIONS if the map has no such
    variant."""

    keep_map_light: bool
    """Fill scene->map_light. Reads all light a second time."""

    light_probes: bool
    """With keep_map_light: fill its probes. Needs DISPLAY or HDR encoding."""

    model_pose: ModelPose
    """Pose of a file that is a model."""

    rigs: bool
    """Load the rig of a file that is a model (bspscene_rig). The mesh then has its rest pose: in IQM and Source the
    pose in which it was compiled, in other formats the pose of a load without rigs."""

    map_rigs: bool
    """Load the rigs of models in maps. If all frames together have more than 64 million numbers, further models do not
    move, with a warning."""

    seed: int
    """Chooses the tiles of an assembly (.ump of UFO: Alien Invasion). Equal seeds choose equal tiles."""


class BakeOptions(TypedDict, total=False):
    """Keywords of bake: fields of bspscene_bake_options (bake.h)."""

    keep_styles: bool
    """Keep each style apart and ignore light_styles. Not with `vertices`."""

    vertices: bool
    """Move all light into the vertices. See bspscene_bake_light."""

    light_error: float
    """With `vertices`: steps of 1/255 by which interpolated light may differ from the game's, 1..255. 0: 14."""

    model_light_error: float
    """Steps of 1/255 by which the light on a node's model may differ from that of its mesh, 0..255. 0: no bound. See
    bspscene_bake_light."""

    clamp_to_white: bool
    """Clamp light to 1, for hosts that cannot store more (glTF)."""

    triangle_limit: int
    """Upper bound for the triangles of all meshes. If light_error needs more, it is raised until the limit holds. 0:
    16 times the present number, at least 1,000,000, as far as memory_limit and the size of the map's file allow."""

    memory_limit: int
    """Bytes for both scenes together. 0: bspscene_default_limit."""

    threads: int
    """As in bspscene_load_options."""

CompressWord = Literal["none", "webp", "jpeg", "meshopt"]

CompressionWord = Literal["default", "fast", "small"]

PictureFormatWord = Literal["default", "png", "tga", "bmp", "exr", "hdr"]

WriteMergeWord = Literal["model", "material", "none"]

WriteSkyWord = Literal["default", "cube", "panorama", "none", "surfaces"]

WriteLightsWord = Literal["default", "none", "brightest", "all"]

WriteLightingWord = Literal["default", "lightmap", "vertex", "none", "baked"]


class WriteOptions(TypedDict, total=False):
    """Keywords of write, convert, write_atlas and bake_textures: fields of bspscene_write_options (writer.h)."""

    embed_textures: bool
    """FBX: store images inside the file. Else next to it."""

    compress: CompressWord | int
    """glTF. MapError with ERROR_UNSUPPORTED_FORMAT if the build lacks a library for it.

    - "webp": Images as WebP (EXT_texture_webp), lightmaps without loss. Web viewers and Blender 4 read it. Needs a
      build with libwebp.
    - "jpeg": Opaque images as JPEG, which every program reads.
    - "meshopt": As WEBP, with vertices rounded to half a millimeter by EXT_meshopt_compression: the smallest, for
      hosts with its decoder. Needs a build with meshoptimizer.
    """

    compression: CompressionWord | int
    """Effort of lossless compression.

    - "default": As small as is possible in the time that making the data takes.
    - "small": About a tenth smaller and ten times slower.
    """

    picture_format: PictureFormatWord | int
    """Atlas pages of 8 bits, and bspscene_write_images: PNG (default), TGA or BMP.

    - "default": PNG for 8 bits. EXR for half floats, or HDR if the build lacks OpenEXR.
    - "png": By libpng.
    - "tga": Truevision TGA, run-length coded, for old tools.
    - "bmp": Windows bitmap, uncompressed, for old tools.
    - "exr": OpenEXR, half floats, PIZ.
    - "hdr": Radiance RGBE: 8 bits per channel with a common exponent, cut off. A channel is too low by at most 1/128
      of the pixel's brightest one. Readers that add half a step, such as Radiance and Blender, are within 1/256.
      Negative values become 0.
    """

    hdr_format: PictureFormatWord | int
    """HDR atlas pages: EXR or HDR. DEFAULT: EXR, or HDR if the build lacks OpenEXR. NOTE: bspscene_read_atlas reads
    EXR alone.

    - "default": PNG for 8 bits. EXR for half floats, or HDR if the build lacks OpenEXR.
    - "png": By libpng.
    - "tga": Truevision TGA, run-length coded, for old tools.
    - "bmp": Windows bitmap, uncompressed, for old tools.
    - "exr": OpenEXR, half floats, PIZ.
    - "hdr": Radiance RGBE: 8 bits per channel with a common exponent, cut off. A channel is too low by at most 1/128
      of the pixel's brightest one. Readers that add half a step, such as Radiance and Blender, are within 1/256.
      Negative values become 0.
    """

    merge: WriteMergeWord | int
    """glTF.

    - "model": The world and each brush model (default).
    - "material": Everything, for the fewest draw calls. Doors cannot move. Meshes that several nodes show stay apart.
    - "none": The world in parts, one for each area (or cluster, if there is one area), so that hosts can cull them.
    """

    memory_limit: int
    """Bytes for the scene and the writer together. Decoding an image may use as many again for a moment. 0:
    bspscene_default_limit."""

    output_limit: int
    """Bytes of all files together. 0: bspscene_default_limit."""

    threads: int
    """As in bspscene_load_options."""

    sky: WriteSkyWord | int
    """How the file stores the sky.

    - "default": CUBE in glTF with BAKED light; PANORAMA in FBX, .usda and OBJ; else NONE.
    - "cube": glTF: a node "sky" with six unlit squares around the map, visible from inside. NOTE: hosts that draw back
      faces (Blender) show a box from outside.
    - "panorama": An image by bspscene_sky_panorama: STEM.sky.jpg next to the file, or the image of a DomeLight in USD.
    - "surfaces": glTF, FBX, USD, OBJ: a node "sky" with the map's sky faces. Each shows the part of the sky that
      players see through it, and hides what lies behind it. If the map has no sky faces or is not closed, the cube is
      added around it. NOTE: load the map with BSPSCENE_SURFACE_SKY.
    """

    lights: WriteLightsWord | int
    """Which lamps the file has.

    - "default": The 8 brightest, which every viewer can open, if the file has no other light; else none.
    - "brightest": As many as max_lights.
    """

    max_lights: int
    """WRITE_LIGHTS_BRIGHTEST: number of lamps."""

    omit_entities: bool
    """glTF, FBX, USD: leave out entity keys and nodes that show nothing."""

    centimeters: bool
    """FBX: lengths in centimeters. Else in meters."""

    lighting: WriteLightingWord | int
    """How the file stores light.

    - "default": VERTEX in glTF; BAKED in FBX, OBJ and .usdz; LIGHTMAP elsewhere.
    - "lightmap": Lightmap pages with second coordinates (MOZ_lightmap in glTF), for engines.
    - "vertex": Vertex colors on subdivided meshes with unlit materials: every viewer shows what the game shows.
    - "none": No light.
    - "baked": glTF, USD, FBX, OBJ: one image of all surfaces has texture times light. Every program shows what the
      game shows, with fewer texels than the textures have.
    """

    separate_styles: bool
    """"atlas": write the pages of each style. Other formats have the sum of all styles."""

    light_error: float
    """VERTEX: as in bspscene_bake_options. It is also the model_light_error of every lighting. 0: 14."""

    triangle_limit: int
    """VERTEX: as in bspscene_bake_options."""

    baked_size: int
    """BAKED: longest side of the image in texels, 256..16384. Memory may allow less. If one image would have less than
    half of a texture's texels, there are up to 8. 0: 4096, which every device shows."""


class RelightOptions(TypedDict, total=False):
    """Keywords of relight: fields of bspscene_relight_options (relight.h)."""

    light_range: LightRangeWord | int
    """Write the map's light of this range only. AUTO: all of it.

    - "auto": HDR for LIGHTMAP_ENCODING_HDR, else LDR; the other if one is absent (default).
    - "ldr": LDR. MapError with ERROR_BAD_OPTIONS if the map has none.
    - "hdr": HDR. MapError with ERROR_BAD_OPTIONS if the map has none.
    """

    accept_other_light: bool
    """Accept pages that were made from other light of the same map."""

    convert_to_gray: bool
    """Quake: convert color to gray if the map has none. Else write a .lit file."""

RenderModeWord = Literal["full", "lightmap", "texture"]


class RenderOptions(TypedDict, total=False):
    """Keywords of Renderer: fields of bspscene_render_options (render.h)."""

    width: int
    """Pixels, 1..16384. 0: 640 and 480."""

    height: int
    """Pixels, 1..16384. 0: 640 and 480."""

    samples: int
    """Samples for each pixel, 1..64, rounded up to a square. 0: 4."""

    background: tuple[float, float, float]
    """Color 0..1 where nothing is hit and no sky is drawn."""

    memory_limit: int
    """Create. Bytes for the scene and the renderer together. Decoding an image may briefly use the same amount again.
    Textures shrink before the limit is reached. 0: bspscene_default_limit."""

    threads: int
    """0: one for each processor."""

    mode: RenderModeWord | int
    """What the picture shows.

    - "full": What a player sees (default).
    - "lightmap": The engine's lightmap-only mode: page values without intensity.
    - "texture": Textures without light.
    """

    world_only: bool
    """Create. Leave out entities, with their brushes and models. Static props stay."""

    transparent_sky: bool
    """Show the background instead of skies. Pictures from above need this."""

    omit_map_fog: bool
    """Leave out the fog over the whole map. Fog volumes stay."""

    show_back_faces: bool
    """Draw back faces too, so that pictures from above show ceilings as roofs."""

    use_pvs: bool
    """Leave out what the map's visibility data (PVS) calls invisible from the eye, as the game does."""

    level: int
    """Create. Show one level, from 1 on (bspscene_node.levels). 0: all."""

    time: float
    """Seconds since the map started, for waves and animations. Items that turn and bob keep the position of the time
    with which the renderer was created. If that time is 0, it is their position in the scene."""

    intensity: float
    """Replaces the intensity of lightmap sets. 0: keep theirs."""


# The words of each struct's fields, and their constants.
WORDS: dict[str, dict[str, dict[str, int]]] = {
    "LoadOptions": {
        "entity_source": {"beside": 0, "map": 1},
        "engine": {"auto": 0, "original": 1, "darkplaces": 2},
        "parts": {"all": 0, "model": 1, "no_geometry": 2, "entities": 3},
        "include_mask": {"visible": 0, "sky": 1, "nodraw": 2, "hint": 4, "skip": 8, "clip": 16, "trigger": 32,
            "caulk": 64, "tool": 128, "collision": 256, "all": 511},
        "textures": {"load": 0, "names": 1, "none": 2},
        "missing": {"plain": 0, "checker": 1},
        "models": {"all": 0, "static": 1, "none": 2},
        "lightmap_encoding": {"display": 0, "raw": 1, "hdr": 2, "none": 3},
        "light_range": {"auto": 0, "ldr": 1, "hdr": 2},
    },
    "WriteOptions": {
        "compress": {"none": 0, "webp": 1, "jpeg": 2, "meshopt": 3},
        "compression": {"default": 0, "fast": 1, "small": 2},
        "picture_format": {"default": 0, "png": 1, "tga": 2, "bmp": 3, "exr": 4, "hdr": 5},
        "hdr_format": {"default": 0, "png": 1, "tga": 2, "bmp": 3, "exr": 4, "hdr": 5},
        "merge": {"model": 0, "material": 1, "none": 2},
        "sky": {"default": 0, "cube": 1, "panorama": 2, "none": 3, "surfaces": 4},
        "lights": {"default": 0, "none": 1, "brightest": 2, "all": 3},
        "lighting": {"default": 0, "lightmap": 1, "vertex": 2, "none": 3, "baked": 4},
    },
    "RelightOptions": {
        "light_range": {"auto": 0, "ldr": 1, "hdr": 2},
    },
    "RenderOptions": {
        "mode": {"full": 0, "lightmap": 1, "texture": 2},
    },
}
