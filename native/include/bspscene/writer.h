/* writer.h - scenes to files: glTF, FBX, USD, OBJ, lightmap atlases, text. */
#ifndef BSPSCENE_WRITER_H
#define BSPSCENE_WRITER_H

#include <bspscene/bake.h>
#include <bspscene/image.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bspscene_write_lighting {
	BSPSCENE_WRITE_LIGHTING_DEFAULT,            /* VERTEX in glTF, BAKED in FBX, OBJ and .usdz, LIGHTMAP elsewhere */
	BSPSCENE_WRITE_LIGHTING_LIGHTMAP,           /* second uv, lightmap images, MOZ_lightmap in glTF: for engines that know it */
	BSPSCENE_WRITE_LIGHTING_VERTEX,             /* light in vertex colours, with as many vertices as that takes, and unlit
	                                    * materials: what every viewer shows as the game does */
	BSPSCENE_WRITE_LIGHTING_NONE,
	BSPSCENE_WRITE_LIGHTING_BAKED,              /* glTF, USD, FBX, OBJ: one picture of all lit surfaces, texture times light:
	                                    * what any program shows as the game does, in fewer texels than textures have */
	BSPSCENE_WRITE_LIGHTING_FORCE_32BIT = 0x7fffffff
} bspscene_write_lighting;

/* What becomes one mesh of a file, and in it, of what is drawn alike, one primitive. */
typedef enum bspscene_write_merge {
	BSPSCENE_WRITE_MERGE_MODEL,              /* the world and each brush model: as the map has it */
	BSPSCENE_WRITE_MERGE_MATERIAL,           /* all in one: fewest draw calls; doors stand still, only what several nodes show
	                                    * stays by itself */
	BSPSCENE_WRITE_MERGE_NONE,               /* the world in parts, of one area each (cluster where there is only one area),
	                                    * which hosts can leave out when they are out of sight */
	BSPSCENE_WRITE_MERGE_FORCE_32BIT = 0x7fffffff
} bspscene_write_merge;

/* The sky, which scenes know as sky.h has it; nothing where nothing is known of it. */
typedef enum bspscene_write_sky {
	BSPSCENE_WRITE_SKY_DEFAULT,        /* CUBE in glTF with BAKED light, PANORAMA in FBX, .usda and OBJ, else none */
	BSPSCENE_WRITE_SKY_CUBE,           /* glTF: a node "sky" around the map and its cameras, a cube of six unlit squares
	                                    * that are seen from inside. From outside the map stands in a box, which hides
	                                    * it in hosts that draw backs too (Blender) */
	BSPSCENE_WRITE_SKY_PANORAMA,       /* a picture as of bspscene_sky_panorama: "<stem>.sky.jpg" beside the file; in
	                                    * USD that of a DomeLight, beside the file or in the package */
	BSPSCENE_WRITE_SKY_NONE,
	BSPSCENE_WRITE_SKY_FORCE_32BIT = 0x7fffffff
} bspscene_write_sky;

/* How glTF becomes smaller; docs/viewers.md says which programs read what. */
typedef enum bspscene_compress {
	BSPSCENE_COMPRESS_WEBP,                /* pictures as WebP (EXT_texture_webp), those of light without loss: what web
	                                    * viewers and Blender 4 read by themselves */
	BSPSCENE_COMPRESS_JPEG,                /* opaque pictures as JPEG: what everything reads */
	BSPSCENE_COMPRESS_MESHOPT,             /* as WEBP, and vertices by EXT_meshopt_compression, rounded to half a
	                                    * millimetre: the smallest, for who has the extension's decoder */
	BSPSCENE_COMPRESS_FORCE_32BIT = 0x7fffffff
} bspscene_compress;

/* Zero is the default for every field; start with bspscene_write_options_init. */
typedef struct bspscene_write_options {
	size_t struct_size;                /* see bspscene_write_options_init */
	const char *file_name;             /* name of the main file without directory ("atrium.gltf"), UTF-8; siblings are
	                                    * named after it; NULL: scene name */
	bspscene_progress_fn *progress;    /* NULL: none */
	void *progress_user;
	bspscene_write_lighting lighting;
	const float *light_styles;         /* 256 factors, one for each style: light becomes the sum of all styles times
	                                    * these; NULL: as when the map starts. Not for pages of format RAW32 */
	bool separate_styles;                  /* pages stay apart, a set for each style: for "atlas"; the formats of other
	                                    * writers have room for style 0 alone */
	uint64_t memory_limit;             /* bytes that the scene and the writing hold together; pictures may unpack to
	                                    * twice as many, one after the other. 0: bspscene_default_limit */
	uint64_t output_limit;             /* bytes of all files together; 0: bspscene_default_limit */
	const bspscene_allocator *allocator; /* NULL: malloc and free */
	float light_error;                 /* VERTEX: as in bspscene_bake_options; and model_light_error, of all that has
	                                    * light. 0: 14 */
	uint32_t triangle_limit;
	bspscene_bake_report *report;      /* VERTEX: what it took; with any light, what models took; NULL: nobody asks */
	bool no_lights;                    /* no lamps; their values are in glTF's extras in any case */
	uint32_t lamp_limit;               /* the brightest lamps only; NO_INDEX: all; 0: 8, which every viewer opens,
	                                    * where the file has no other light (WRITE_NO_LIGHT), and none where it has */
	bspscene_write_merge merge;        /* glTF */
	bool omit_entities;                  /* glTF, FBX, USD: no keys of entities, and no nodes that show nothing */
	bool embed_textures;                        /* FBX: pictures inside the file, not beside it */
	bool centimeters;                  /* FBX: lengths in centimetres, not metres */
	bool compress;                     /* glTF: smaller, as `packing` says. Hosts that do not know its extensions cannot
	                                    * read the file. BSPSCENE_ERROR_UNSUPPORTED_FORMAT where the build lacks what
	                                    * it takes: libwebp, or meshoptimizer */
	uint32_t threads;                  /* as in bspscene_load_options; so is `parallel` */
	const bspscene_thread_pool *thread_pool;
	bspscene_compression compression;
	bspscene_write_sky sky;
	bspscene_compress compress_flags;    /* of what is compressed */
	uint32_t baked_size;               /* BAKED: longest side of the picture, 256 to 16384 texels; 0: 4096, which every
	                                    * device shows. Memory may allow less. Where one picture would have less than
	                                    * half of a texture's texels there are more, up to 8: "lit", "lit-2", ... */
} bspscene_write_options;

static inline void bspscene_write_options_init(bspscene_write_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* Where a writer puts its files. begin opens the file `name` (UTF-8, no directories in it), write appends, end closes
 * it; the first file is the main one, and only one is open at a time. Returning false stops the writer with
 * BSPSCENE_ERROR_IO. Whatever stops a writer, nothing is called after it: a file that is still open then is the
 * caller's to close and remove. */
typedef struct bspscene_output {
	size_t struct_size;                /* see bspscene_output_init */
	void *user;
	bool (*begin)(void *user, const char *name);
	bspscene_write_fn *write;
	bool (*end)(void *user);
} bspscene_output;

static inline void bspscene_output_init(bspscene_output *output)
{
	memset(output, 0, sizeof *output);
	output->struct_size = sizeof *output;
}

/* writer: a name of bspscene_writers (formats.h): "glb", "gltf", "fbx", "usda", "usdz", "obj", "atlas" (pages and
 * atlas.json). options may be NULL. An unknown writer is BSPSCENE_ERROR_UNSUPPORTED_FORMAT.
 *
 * glTF, FBX, USD and OBJ are in metres with Y up: (x, y, z) of the scene is (x, z, -y) * metres_per_unit. What glTF
 * says:
 *   - one mesh per mesh (see bspscene_write_merge), one primitive per material in it; materials that differ in nothing
 *     that is written are one, and so are vertices; triangles without area are left out;
 *   - TEXCOORD_1 and MOZ_lightmap {index, texCoord 1, intensity}: the picture is texture * page * intensity in linear
 *     light (three.js, whose light maps are irradiance, needs intensity * pi); pages are sRGB;
 *   - COLOR_0 holds linear light where it is in the vertices or was baked there (BSPSCENE_WRITE_LIGHTING_VERTEX; then there are
 *     no normals, second coordinates or lamps), and the alpha of materials that take it from the vertices;
 *   - such COLOR_0 is what the material's texture needs for the picture of the game, which multiplies display values,
 *     while viewers multiply linear light;
 *   - of light brighter than white, which COLOR_0 cannot hold, a part is in a brighter texture, whose display values
 *     are the game's times the three numbers of extras.textureGain;
 *   - what shines by itself (emissive_image) is then a primitive of its own close to the surface, its material's name
 *     ending in ".glow";
 *   - KHR_materials_unlit where no host is to add light: vertex light, sky, fullbright;
 *   - KHR_lights_punctual: such that a host without exposure shows white where the game does;
 *   - normalTexture points up the picture whatever the game's does, and TANGENT says how it lies;
 *   - _BLEND holds the mesh's blend_alphas where a material has a second image; extras.secondTexture is its texture;
 *   - extras.blendMask and extras.detail are the material's blend_mask and detail: their fields, and textures;
 *   - the 3D skybox, which is many times as large as the map, is there with BSPSCENE_WRITE_LIGHTING_LIGHTMAP alone, for engines;
 *     elsewhere it is in the picture of the sky;
 *   - turned textures (uv_rotation_radians) are turned in TEXCOORD_0, others moved by KHR_texture_transform;
 *   - _BLEND_WEIGHTS holds the mesh's blend_weights where a material has layers; extras.layers are these, as here, with
 *     the texture of each;
 *   - BSPSCENE_WRITE_LIGHTING_BAKED: TEXCOORD_0 of opaque surfaces on pages is the place in the picture of them all, "lit" (or
 *     in one of several); what has alpha, or is lit by vertices, has its texture times the mean of its light, up to
 *     white; asset.extras says the picture's most texels to a luxel (litTexelsPerLuxel);
 *   - asset.extras: of light in vertices the triangles before (trianglesOfMap) and after, and its error in display
 *     steps: what was allowed, and measured at all half luxels that of 999 in 1000 (lightErrorUsual) and the largest;
 *   - extras: a node's are its entity's keys in order (an array for a repeated key) and `bspscene` with our own facts;
 *     a material's are its name, flags, images, blending and script;
 *   - a mesh with a rig (load's `rigs`) moves: bones are nodes below the one that stands for the model, and their skin
 *     is that of a root "<name>.mesh"; frames are morph targets; there is an animation for each sequence, whose extras
 *     say that it loops; tags are nodes whose extras have the kind "tag".
 *
 * What FBX says (binary, version 7400; 7500 beyond 4 GiB):
 *   - one geometry per mesh, which all nodes that show it share; one material per material, kind of light and page;
 *   - sets of coordinates "UVMap" and "Lightmap", v upward; the page of light is the texture of AmbientColor, with the
 *     set "Lightmap", and user properties of the material name its file and intensity (as MOZ_lightmap's);
 *   - BSPSCENE_WRITE_LIGHTING_BAKED: emissive upon black, the picture of all lit surfaces by "UVMap"; what has alpha, or is lit
 *     by vertices, has its texture, times the mean of its light; set "Lightmap", page and colours stay;
 *   - colours of vertices as they are displayed, brighter than 1 where the light is;
 *   - lamps in the watts that Blender shows as white where the game does, times 100;
 *   - an entity's keys as user properties by their names, with "entity." before those that FBX itself uses, and our
 *     facts, as in glTF's extras, as "bspscene.kind" and so on; lists and objects as JSON. Rigs as in glTF.
 *
 * What USD says (text; a package holds it and its pictures):
 *   - one prim per node, below the root's; meshes with a subset per material, once below "Prototypes" where several
 *     nodes show them; those that the game hides have the purpose "guide";
 *   - coordinates "st" and "st1", v upward; a page of light is the shader "Lightmap" of its material, which nothing is
 *     connected to, and customData of the material names its intensity;
 *   - pictures in diffuseColor where lamps are to light them, else in emissiveColor;
 *   - BSPSCENE_WRITE_LIGHTING_BAKED: emissiveColor of lit surfaces is the picture of all of them, by "st" ("st1" where textures
 *     have alpha); customLayerData says its texels to a luxel; what is lit by vertices has the mean as texture's scale;
 *   - lamps such that Blender shows white where the game does, normalized, without exposure;
 *   - an entity's keys in customData ("entity"; ours in "bspscene"), and as userProperties, which Blender shows. */
BSPSCENE_API bool bspscene_write(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                                 const bspscene_output *output, bspscene_error *error);

/* Images of the scene that are pixels (BSPSCENE_IMAGE_RGBA), by their numbers, each as "NAME.png", one file after the
 * other; an image's name may have directories in it. They are encoded in threads, as by bspscene_write_png. Of the
 * options, which may be NULL, limits, allocator, threads, compression and progress count. */
BSPSCENE_API bool bspscene_write_images(const bspscene_scene *scene, const uint32_t *images, uint32_t count,
                                        const bspscene_write_options *options, const bspscene_output *output,
                                        bspscene_error *error);

/* The scene with BSPSCENE_WRITE_LIGHTING_BAKED's pictures, for hosts that build their own from scenes. Lit surfaces without
 * alpha have a material of their own, unlit, whose base image is such a picture (the last images, JPEG, named "lit",
 * "lit-2", ...), with their place in it as uvs. Others on pages have their material in the mean of their light, which
 * may be above 1. All these are FULLBRIGHT and on no page, but pages and lightmap_uvs are still there. What is lit by
 * its vertices stays as it is. A section whose faces are in two pictures becomes two.
 *
 * Its light is that of bspscene_bake_light, which should be called first: pages are added up here, colours of vertices
 * are not. Of the options baked_size, progress, memory_limit, allocator (needed until the new scene is freed), threads
 * and parallel count; they may be NULL. Returns a new scene to be freed with bspscene_scene_free, which points into
 * `scene` wherever nothing changed: free it first. NULL with `error` (may be NULL) set: no memory, a limit, cancelled,
 * bad options, or raw HDR light (BSPSCENE_ERROR_UNSUPPORTED_FORMAT). */
BSPSCENE_API bspscene_scene *bspscene_bake_textures(const bspscene_scene *scene, const bspscene_write_options *options,
                                                    bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
