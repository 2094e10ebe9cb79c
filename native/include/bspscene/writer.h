/* writer.h - Writes scenes as glTF, FBX, USD, OBJ, lightmap atlases and text. docs/written-files.md describes the
 * files. */
#ifndef BSPSCENE_WRITER_H
#define BSPSCENE_WRITER_H

#include <bspscene/bake.h>
#include <bspscene/image.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Options ---------------------------------------------------------------------------------------------- */

/** How a file stores light. */
typedef enum bspscene_write_lighting {
	BSPSCENE_WRITE_LIGHTING_DEFAULT,   /**< VERTEX in glTF; BAKED in FBX, OBJ and .usdz; LIGHTMAP elsewhere. */
	BSPSCENE_WRITE_LIGHTING_LIGHTMAP,  /**< Lightmap pages with second coordinates (MOZ_lightmap in glTF), for
	                                    * engines. */
	BSPSCENE_WRITE_LIGHTING_VERTEX,    /**< Vertex colors on subdivided meshes with unlit materials: every viewer
	                                    * shows what the game shows. */
	BSPSCENE_WRITE_LIGHTING_NONE,      /**< No light. */
	BSPSCENE_WRITE_LIGHTING_BAKED,     /**< glTF, USD, FBX, OBJ: one image of all surfaces has texture times light.
	                                    * Every program shows what the game shows, with fewer texels than the textures
	                                    * have. */
	BSPSCENE_WRITE_LIGHTING_FORCE_32BIT = 0x7fffffff
} bspscene_write_lighting;

/** What becomes one mesh of a glTF file. Surfaces that are drawn alike form one primitive of it. */
typedef enum bspscene_write_merge {
	BSPSCENE_WRITE_MERGE_MODEL,        /**< The world and each brush model (default). */
	BSPSCENE_WRITE_MERGE_MATERIAL,     /**< Everything, for the fewest draw calls. Doors cannot move. Meshes that
	                                    * several nodes show stay apart. */
	BSPSCENE_WRITE_MERGE_NONE,         /**< The world in parts, one for each area (or cluster, if there is one area),
	                                    * so that hosts can cull them. */
	BSPSCENE_WRITE_MERGE_FORCE_32BIT = 0x7fffffff
} bspscene_write_merge;

/** How a file stores the sky (see sky.h). Maps whose sky is unknown have none. */
typedef enum bspscene_write_sky {
	BSPSCENE_WRITE_SKY_DEFAULT,        /**< CUBE in glTF with BAKED light; PANORAMA in FBX, .usda and OBJ; else NONE. */
	BSPSCENE_WRITE_SKY_CUBE,           /**< glTF: a node "sky" with six unlit squares around the map, visible from
	                                    * inside. NOTE: hosts that draw back faces (Blender) show a box from outside. */
	BSPSCENE_WRITE_SKY_PANORAMA,       /**< An image by bspscene_sky_panorama: STEM.sky.jpg next to the file, or
	                                    * the image of a DomeLight in USD. */
	BSPSCENE_WRITE_SKY_NONE,
	BSPSCENE_WRITE_SKY_SURFACES,       /**< glTF, FBX, USD, OBJ: a node "sky" with the map's sky faces. Each shows the
	                                    * part of the sky that players see through it, and hides what lies behind it.
	                                    * If the map has no sky faces or is not closed, the cube is added around it.
	                                    * NOTE: load the map with BSPSCENE_SURFACE_SKY. */
	BSPSCENE_WRITE_SKY_FORCE_32BIT = 0x7fffffff
} bspscene_write_sky;

/** Which lamps a file has. glTF keeps the values of all lamps in extras in any case. */
typedef enum bspscene_write_lights {
	BSPSCENE_WRITE_LIGHTS_DEFAULT,     /**< The 8 brightest, which every viewer can open, if the file has no other
	                                    * light; else none. */
	BSPSCENE_WRITE_LIGHTS_NONE,
	BSPSCENE_WRITE_LIGHTS_BRIGHTEST,   /**< As many as max_lights. */
	BSPSCENE_WRITE_LIGHTS_ALL,
	BSPSCENE_WRITE_LIGHTS_FORCE_32BIT = 0x7fffffff
} bspscene_write_lights;

/** How a glTF file is compressed. docs/viewers.md says which programs read what. */
typedef enum bspscene_compress {
	BSPSCENE_COMPRESS_NONE,
	BSPSCENE_COMPRESS_WEBP,            /**< Images as WebP (EXT_texture_webp), lightmaps without loss. Web viewers
	                                    * and Blender 4 read it. Needs a build with libwebp. */
	BSPSCENE_COMPRESS_JPEG,            /**< Opaque images as JPEG, which every program reads. */
	BSPSCENE_COMPRESS_MESHOPT,         /**< As WEBP, with vertices rounded to half a millimeter by
	                                    * EXT_meshopt_compression: the smallest, for hosts with its decoder. Needs a
	                                    * build with meshoptimizer. */
	BSPSCENE_COMPRESS_FORCE_32BIT = 0x7fffffff
} bspscene_compress;

/** Options of a writer. Zero is the default of every field. Start with bspscene_write_options_init. */
typedef struct bspscene_write_options {
	size_t struct_size;                /**< See bspscene_write_options_init. */

	/* Output. */
	const char *file_name;             /**< Name of the main file without directory, such as "atrium.gltf". Other
	                                    * files are named after it. NULL: from the scene's name. */
	bool embed_textures;               /**< FBX: store images inside the file. Else next to it. */
	bspscene_compress compress;        /**< glTF. BSPSCENE_ERROR_UNSUPPORTED_FORMAT if the build lacks a library for
	                                    * it. */
	bspscene_compression compression;  /**< Effort of lossless compression. */
	bspscene_picture_format picture_format; /**< Atlas pages of 8 bits, and bspscene_write_images: PNG (default), TGA
	                                    * or BMP. */
	bspscene_picture_format hdr_format; /**< HDR atlas pages: EXR or HDR. DEFAULT: EXR, or HDR if the build lacks
	                                    * OpenEXR. NOTE: bspscene_read_atlas reads EXR alone. */
	bspscene_write_merge merge;        /**< glTF. */

	/* Limits and threads. */
	uint64_t memory_limit;             /**< Bytes for the scene and the writer together. Decoding an image may use as
	                                    * many again for a moment. 0: bspscene_default_limit. */
	uint64_t output_limit;             /**< Bytes of all files together. 0: bspscene_default_limit. */
	const bspscene_allocator *allocator; /**< NULL: malloc and free. */
	uint32_t threads;                  /**< As in bspscene_load_options. */
	const bspscene_thread_pool *thread_pool; /**< As in bspscene_load_options. */
	bspscene_progress_fn *progress;    /**< NULL: none. */
	void *progress_user;               /**< Passed to `progress`. */

	/* Content. */
	bspscene_write_sky sky;            /**< How the file stores the sky. */
	bspscene_write_lights lights;      /**< Which lamps the file has. */
	uint32_t max_lights;               /**< WRITE_LIGHTS_BRIGHTEST: number of lamps. */
	bool omit_entities;                /**< glTF, FBX, USD: leave out entity keys and nodes that show nothing. */
	bool centimeters;                  /**< FBX: lengths in centimeters. Else in meters. */

	/* Light. */
	bspscene_write_lighting lighting;  /**< How the file stores light. */
	const float *light_styles;         /**< 256 factors for the light styles. NULL: as the map starts. Must be NULL
	                                    * for pages of format RAW32. */
	bool separate_styles;              /**< "atlas": write the pages of each style. Other formats have the sum of all
	                                    * styles. */
	float light_error;                 /**< VERTEX: as in bspscene_bake_options. It is also the model_light_error of
	                                    * every lighting. 0: 14. */
	uint32_t triangle_limit;           /**< VERTEX: as in bspscene_bake_options. */
	uint32_t baked_size;               /**< BAKED: longest side of the image in texels, 256..16384. Memory may allow
	                                    * less. If one image would have less than half of a texture's texels, there
	                                    * are up to 8. 0: 4096, which every device shows. */
	/** Receives how many triangles subdivision added (VERTEX), and how many meshes were added for nodes whose light
	 * differs (every lighting). NULL: none. */
	bspscene_bake_report *report;
} bspscene_write_options;

static inline void bspscene_write_options_init(bspscene_write_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

/** Receives the files of a writer. Start with bspscene_output_init.
 *
 * The first file is the main one, and one file is open at a time. A callback that returns false stops the writer with
 * BSPSCENE_ERROR_IO. After an error no callback is called: close and remove the open file yourself. */
typedef struct bspscene_output {
	size_t struct_size;                /**< See bspscene_output_init. */
	void *user;                        /**< Passed to all callbacks. */
	bool (*begin)(void *user, const char *name); /**< Opens a file. `name` is UTF-8 and has no directory. */
	bspscene_write_fn *write;          /**< Appends to the open file. */
	bool (*end)(void *user);           /**< Closes the open file. */
} bspscene_output;

static inline void bspscene_output_init(bspscene_output *output)
{
	memset(output, 0, sizeof *output);
	output->struct_size = sizeof *output;
}

/** Limit for copies of meshes in .usdz packages. Nodes that show the same mesh get copies of it, because three.js drops
 * instances. If all copies together had more triangles than this, which phones cannot show, the nodes are written as
 * instances. */
#define BSPSCENE_USDZ_MOST_REPEATED 262144u

/** Writes a scene by the name of a writer: "glb", "gltf", "fbx", "usda", "usdz", "obj", "atlas" (pages and atlas.json).
 *
 * bspscene_writers lists them, docs/written-files.md describes their files, and bspscene_write_file writes to a path.
 * glTF, FBX, USD and OBJ are in meters with Y up: (x, y, z) of the scene becomes (x, z, -y) * meters_per_unit.
 *
 * `options` and `error` may be NULL. Returns false with `error` set on failure;
 * BSPSCENE_ERROR_UNSUPPORTED_FORMAT means that there is no such writer. */
BSPSCENE_API bool bspscene_write(const bspscene_scene *scene, const char *writer, const bspscene_write_options *options,
                                 const bspscene_output *output, bspscene_error *error);

/** Writes images of the scene that are pixels (BSPSCENE_IMAGE_RGBA) as NAME.png, in the order of `images`.
 *
 * `images` has `count` indices of images. A name may contain directories. Uses these fields of `options` (may be NULL):
 * the limits, allocator, threads, compression, picture_format (NAME.tga, NAME.bmp) and progress. Returns false with
 * `error` (may be NULL) set on failure. */
BSPSCENE_API bool bspscene_write_images(const bspscene_scene *scene, const uint32_t *images, uint32_t count,
                                        const bspscene_write_options *options, const bspscene_output *output,
                                        bspscene_error *error);

/** Makes the scene that WRITE_LIGHTING_BAKED writes, for hosts that build their own format.
 *
 * - Lit surfaces without alpha get new unlit materials. The base image is a JPEG named "lit", "lit-2", ... (the last
 *   images of the scene), and uvs are coordinates in it.
 * - Other surfaces on pages get a copy of their material, with the mean of their light as color, which may exceed 1.
 * - The sections of all these become FULLBRIGHT, without a page. Pages and lightmap_uvs stay. Surfaces lit by vertices
 *   do not change.
 * - A section whose faces lie in two images becomes two sections.
 *
 * Call bspscene_bake_light first: this function adds the styles of pages but not of vertex colors. It uses these fields
 * of `options` (may be NULL): baked_size, progress, memory_limit, allocator, threads and thread_pool. The allocator
 * must be valid until the new scene is freed.
 *
 * Returns a scene to be freed with bspscene_scene_free, or NULL with `error` set. Raw HDR light is
 * BSPSCENE_ERROR_UNSUPPORTED_FORMAT. NOTE: the new scene shares data with `scene`. Free the new scene first. */
BSPSCENE_API bspscene_scene *bspscene_bake_textures(const bspscene_scene *scene, const bspscene_write_options *options,
                                                    bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
