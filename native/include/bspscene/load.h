/* load.h - Loads maps from files, memory or streams. */
#ifndef BSPSCENE_LOAD_H
#define BSPSCENE_LOAD_H

#include <string.h>

#include <bspscene/lighting.h>
#include <bspscene/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a load returns: see scene.h. */
typedef struct bspscene_scene bspscene_scene;

/* ---- Sibling files ---------------------------------------------------------------------------------------- */

/** What a sibling file is needed for. An open_file may ignore it. */
typedef enum bspscene_file_kind {
	BSPSCENE_FILE_MAP,                 /**< A tile of an assembly (.ump). */
	BSPSCENE_FILE_TEXTURE,             /**< An image. */
	BSPSCENE_FILE_SHADER,              /**< A material, or a script of materials: .shader, .vmt, .mtr, .mat. */
	BSPSCENE_FILE_LIGHTMAP,            /**< An image with lightmaps: lm_0000.tga. */
	BSPSCENE_FILE_PALETTE,
	BSPSCENE_FILE_WAD,
	BSPSCENE_FILE_LIGHT,               /**< Light in the game's format next to the map: .lit, .lux. */
	BSPSCENE_FILE_ENTITIES,            /**< Entities next to the map: .ent. */
	BSPSCENE_FILE_MODEL,               /**< A model, or a file that belongs to one. */
	BSPSCENE_FILE_OTHER,               /**< A file that tells which game it is, or facts about the map. */
	BSPSCENE_FILE_FORCE_32BIT = 0x7fffffff
} bspscene_file_kind;

/** Stores up to `size` bytes at `data`. Returns their number, 0 only at the end, or SIZE_MAX if reading failed. */
typedef size_t bspscene_read_fn(void *user, void *data, size_t size);
/** Ends a stream. */
typedef void bspscene_close_fn(void *user);

/** A sequence of bytes: either `data`, or what `read` returns. Start with bspscene_stream_init. */
typedef struct bspscene_stream {
	size_t struct_size;                /**< See bspscene_stream_init. A callback that fills a stream must not change
	                                    * it or write beyond it. */
	void *user;                        /**< Passed to `read` and `close`. */
	bspscene_read_fn *read;            /**< Not called if `data` is set. */
	bspscene_close_fn *close;          /**< Called exactly once. NULL: nothing to do. */
	const void *data;                  /**< The whole content, valid until `close`. NULL: call `read`. */
	uint64_t size;                     /**< Bytes of `data`, or of what `read` returns. For `read`, 0 and UINT64_MAX
	                                    * mean unknown. */
	const char *origin;                /**< Archive or directory, for messages. Must be valid until `close`. NULL:
	                                    * none. */
	uint64_t stored_size;              /**< Bytes in the archive, if compressed there. 0: same as `size`. */
} bspscene_stream;

static inline void bspscene_stream_init(bspscene_stream *stream)
{
	memset(stream, 0, sizeof *stream);
	stream->struct_size = sizeof *stream;
}

/** Opens a sibling file. Returns false if there is none.
 *
 * - `path` is a game path: relative, '/'-separated, without "..", with the case that the map uses. Games ignore case.
 * - `stream` is zero except for its struct_size. Set `data` and `size`, or `read`.
 * - The thread that loads calls it some hundred times, mostly for files that do not exist: for each texture with each
 *   extension of the game, for models with their skins, and for the scripts that list_files named.
 *
 * bspscene_file_system_open is such a function. */
typedef bool bspscene_open_file_fn(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind);

/** Receives a game path. */
typedef void bspscene_found_file_fn(void *user, const char *path);

/** Lists all files that begin with `prefix` and end with `suffix`, ignoring case ("scripts/", ".shader").
 *
 * `prefix` may end within a name, and `suffix` may be empty ("maps/atrium", ""). Files in subdirectories count too.
 *
 * Calls `found` once for each name in the order in which the game reads them. If two scripts define a shader, the first
 * one counts. In Quake III and its relatives the directory or archive that was mounted first comes first, and within it
 * the last name comes first. For a single directory that means names in descending order.
 *
 * bspscene_file_system_list is such a function. */
typedef void bspscene_list_files_fn(void *user, const char *prefix, const char *suffix,
                                    bspscene_found_file_fn *found, void *found_user);

/* ---- Progress --------------------------------------------------------------------------------------------- */

/** What a progress callback wants. */
typedef enum bspscene_progress_result {
	BSPSCENE_PROGRESS_CONTINUE = 0x100,
	BSPSCENE_PROGRESS_CANCEL = 0x200,  /**< Every value but CONTINUE cancels the call. */
	BSPSCENE_PROGRESS_FORCE_32BIT = 0x7fffffff
} bspscene_progress_result;

/** Reports progress of a load, a bake, a write or a picture, in the thread that made the call.
 *
 * - `fraction` starts at 0, never falls, and is 1 in the last call of a successful run. It estimates the share of the
 *   time that has passed.
 * - `stage` is "read", "geometry", "lightmaps", "textures", "light", "compress", "write" or "picture". */
typedef bspscene_progress_result bspscene_progress_fn(void *user, const char *stage, double fraction);

/* ---- Options ---------------------------------------------------------------------------------------------- */

/** How textures are loaded. */
typedef enum bspscene_textures {
	BSPSCENE_TEXTURES_LOAD,            /**< Find images and keep their encoded bytes (default). */
	BSPSCENE_TEXTURES_NAMES,           /**< Find images and keep their paths only. Written files have no textures. */
	BSPSCENE_TEXTURES_NONE,            /**< Open no images and no scripts. */
	BSPSCENE_TEXTURES_FORCE_32BIT = 0x7fffffff
} bspscene_textures;

/** Which parts of a map are built. The whole file is read and checked in any case. */
typedef enum bspscene_parts {
	BSPSCENE_PARTS_ALL,                /**< Everything (default). */
	BSPSCENE_PARTS_MODEL,              /**< Geometry of the brush model `model` only (0: the world with its
	                                    * overlays), with its materials and lightmaps, without decals of entities.
	                                    * Nodes of other models have no mesh. */
	BSPSCENE_PARTS_NO_GEOMETRY,        /**< No meshes, faces and overlays, and no materials and lightmaps for them. */
	BSPSCENE_PARTS_ENTITIES,           /**< Entities with their nodes, lights, cameras and props. Opens only the sibling
	                                    * files of entity_source and lump_patches and the tiles of an assembly. */
	BSPSCENE_PARTS_FORCE_32BIT = 0x7fffffff
} bspscene_parts;

/** Chooses between a map's own entities and those of a file next to it. */
typedef enum bspscene_entity_source {
	BSPSCENE_ENTITY_SOURCE_BESIDE,     /**< The entities that the game's engines use (default): those of
	                                    * maps/NAME@CRC.ent (Quake, Quake II), maps/NAME.ent (also GoldSrc, Quake III
	                                    * and relatives), or maps/NAME_l_0.lmp, maps/NAME_l_1.lmp, ... (Source).
	                                    * Without such a file, those of the map. */
	BSPSCENE_ENTITY_SOURCE_MAP,        /**< The entities of the map itself. */
	BSPSCENE_ENTITY_SOURCE_FORCE_32BIT = 0x7fffffff
} bspscene_entity_source;

/** Which models become meshes of PROP nodes. */
typedef enum bspscene_models {
	BSPSCENE_MODELS_ALL,               /**< Static props, entities with a `model`, and known classes (default). */
	BSPSCENE_MODELS_STATIC,            /**< All except those that the game moves or creates: items, monsters, debris. */
	BSPSCENE_MODELS_NONE,
	BSPSCENE_MODELS_FORCE_32BIT = 0x7fffffff
} bspscene_models;

/** What replaces a missing image. */
typedef enum bspscene_missing {
	BSPSCENE_MISSING_PLAIN,            /**< Its mean color or a gray; a plain sky for missing sky images (default). */
	BSPSCENE_MISSING_CHECKER,          /**< A checkerboard that is easy to see, and no sky. */
	BSPSCENE_MISSING_FORCE_32BIT = 0x7fffffff
} bspscene_missing;

/** Which light is used if a map stores it for ordinary and for HDR displays (Source; Quake with E5BGR9). */
typedef enum bspscene_light_range {
	BSPSCENE_LIGHT_RANGE_AUTO,         /**< HDR for LIGHTMAP_ENCODING_HDR, else LDR; the other if one is absent
	                                    * (default). */
	BSPSCENE_LIGHT_RANGE_LDR,          /**< LDR. BSPSCENE_ERROR_BAD_OPTIONS if the map has none. */
	BSPSCENE_LIGHT_RANGE_HDR,          /**< HDR. BSPSCENE_ERROR_BAD_OPTIONS if the map has none. */
	BSPSCENE_LIGHT_RANGE_FORCE_32BIT = 0x7fffffff
} bspscene_light_range;

/** The engine that the scene imitates if several engines draw maps of the format differently. */
typedef enum bspscene_engine {
	BSPSCENE_ENGINE_AUTO,              /**< DarkPlaces for Quake III maps in a game with progs.dat, else ORIGINAL. */
	BSPSCENE_ENGINE_ORIGINAL,          /**< The engine that the format was made for. */
	BSPSCENE_ENGINE_DARKPLACES,        /**< Nexuiz, Xonotic. For Quake III maps (IBSP 46): one pass for each shader,
	                                    * light twice the stored byte, `_glow` images. */
	BSPSCENE_ENGINE_FORCE_32BIT = 0x7fffffff
} bspscene_engine;

/** The pose of a model that is loaded by itself. If all fields are 0, it is the usual pose. Frozen. */
typedef struct bspscene_model_pose {
	uint32_t skin;                     /**< Number of the skin. */
	uint32_t body;                     /**< Body groups, packed into one number as in entities. */
	uint32_t frame;                    /**< Frame of the model or of the sequence. */
	const char *sequence;              /**< Number or name of the sequence. NULL: "idle", or the first. */
} bspscene_model_pose;

/** Options of a load. Zero is the default of every field. Start with bspscene_load_options_init. */
typedef struct bspscene_load_options {
	size_t struct_size;                /**< See bspscene_load_options_init. */

	/* Input. */
	const char *name;                  /**< Name or path of the map, for messages and to find sibling files: the light
	                                    * of "maps/a.bsp" or "a" is maps/a.lit. Set it for loads from memory and
	                                    * streams, because their siblings are not found otherwise. It also chooses an
	                                    * assembly of a .ump: "maps/farm.ump/medium". NULL: from the path, or "map". */
	bspscene_open_file_fn *open_file;  /**< Opens sibling files. NULL: no external textures and lightmaps. */
	bspscene_list_files_fn *list_files; /**< Lists sibling files. NULL: no shader scripts, so their materials have a
	                                    * plain image or none. */
	void *file_user;                   /**< Passed to open_file and list_files. */
	const uint8_t *palette;            /**< 256 RGB triples for 8-bit textures. NULL: the game's, else LibreQuake's for
	                                    * Quake maps and a gray ramp for others. */
	const char *palette_path;          /**< Game path of the palette. NULL: the usual one of the game. */
	bspscene_entity_source entity_source; /**< Chooses between the map's own entities and those of a file next to it. */
	bool lump_patches;                 /**< Source: apply all of NAME_l_0.lmp, NAME_l_1.lmp, ... next to the map. Else
	                                    * only those of entities, see entity_source. */
	bspscene_engine engine;            /**< The engine that the scene imitates. */

	/* Limits, errors and threads. */
	bool strict;                       /**< Fail instead of repairing. */
	uint64_t memory_limit;             /**< Bytes for the load, files included. Decoding an image may use as many
	                                    * again for a moment. 0: 192 MiB and 56 bytes for each stored byte of the
	                                    * files, which is twice what real maps need. */
	uint64_t allocation_limit;         /**< Number of allocations, for tests of failure. 0: no limit. */
	const bspscene_allocator *allocator; /**< Copied. Must be valid until the scene is freed. NULL: malloc and free. */
	uint32_t threads;                  /**< Threads to use at most, the caller's included. 0: one for each processor.
	                                    * The scene does not depend on it. Callbacks run in the caller's thread, except
	                                    * those of the allocator. */
	const bspscene_thread_pool *thread_pool; /**< Threads of the host. NULL: the library's own. */
	bspscene_progress_fn *progress;    /**< NULL: none. */
	void *progress_user;               /**< Passed to `progress`. */

	/* Content. */
	bspscene_parts parts;              /**< Which parts of the map are built. */
	uint32_t model;                    /**< PARTS_MODEL: number of the brush model. BSPSCENE_ERROR_BAD_OPTIONS if the
	                                    * map has no such model. */
	bool for_pictures;                 /**< Load what `bspscene render` draws: adds SURFACE_SKY to include_mask, sets
	                                    * reflections and skip_normal_maps, and patch_error to 1 if it is 0. */
	uint32_t include_mask;             /**< bspscene_surface_kind bits of hidden surfaces to keep. */
	bspscene_textures textures;        /**< How textures are loaded. */
	bspscene_missing missing;          /**< What replaces missing images. */
	bspscene_models models;            /**< Used with PARTS_ALL only. */
	bool skip_normal_maps;             /**< Do not load normal maps, which may be as large as all other images. */
	bool reflections;                  /**< Load reflections and phong shading (Source's $envmap, $phong). Cube maps
	                                    * may be as large as all other images; only bspscene_render uses them. */
	bool keep_pakfile;                 /**< Keep a copy of the archive inside the map in the scene. */
	bool identify;                     /**< Compute scene->identity, which takes some milliseconds. */
	float meters_per_unit;             /**< Meters for each game unit. 0: 0.0254. */
	float patch_error;                 /**< Largest distance of a patch from its triangles in game units, 0.25..1024.
	                                    * 0: 4, as in the game; 1 with for_pictures. */

	/* Light. */
	bspscene_lightmap_encoding lightmap_encoding; /**< How lightmap pages store light. */
	uint32_t lightmap_page_size;       /**< Largest side of a page in luxels, 16..16384 and more than 2 *
	                                    * lightmap_gutter. A larger face enlarges its page. The faces are packed anew;
	                                    * the map's own pages are not kept. 0: 4096. */
	uint32_t lightmap_gutter;          /**< Replicated luxels around each rectangle, 1..16. 0: 1. */
	bool sparse_lightmaps;             /**< Store pages of further sets (all but set 0) as blocks where that takes at
	                                    * most half the memory. Default: all pages are whole. See
	                                    * bspscene_lightmap_page. */
	bspscene_light_range light_range;  /**< Which light is used if the map has LDR and HDR light. */
	const char *lighting_variant;      /**< Name in scene->lighting_variants. NULL: the first.
	                                    * BSPSCENE_ERROR_BAD_OPTIONS if the map has no such variant. */
	bool keep_map_light;               /**< Fill scene->map_light. Reads all light a second time. */
	bool light_probes;                 /**< With keep_map_light: fill its probes. Needs DISPLAY or HDR encoding. */

	/* Models and assemblies. */
	bspscene_model_pose model_pose;    /**< Pose of a file that is a model. */
	bool rigs;                         /**< Load the rig of a file that is a model (bspscene_rig). The mesh then has its
	                                    * rest pose: in IQM and Source the pose in which it was compiled, in other
	                                    * formats the pose of a load without rigs. */
	bool map_rigs;                     /**< Load the rigs of models in maps. If all frames together have more than 64
	                                    * million numbers, further models do not move, with a warning. */
	uint32_t seed;                     /**< Chooses the tiles of an assembly (.ump of UFO: Alien Invasion). Equal
	                                    * seeds choose equal tiles. */
} bspscene_load_options;

static inline void bspscene_load_options_init(bspscene_load_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* ---- Loading ---------------------------------------------------------------------------------------------- */

/** Loads a file: a map, a model, or an assembly of UFO: Alien Invasion (.ump).
 *
 * - Without options->open_file no other file is opened, so textures and external lightmaps are missing. bspscene_open
 *   finds the files of the game.
 * - The map may be packed by gzip, bzip2, xz or Zstandard, as on download servers.
 * - A model becomes the only mesh of the scene, shown by one node. The tiles of an assembly come through open_file.
 * - `path` is UTF-8. `options` and `error` may be NULL.
 *
 * Returns a scene to be freed with bspscene_scene_free, or NULL with `error` set. The scene keeps no reference to the
 * options or the files. */
BSPSCENE_API bspscene_scene *bspscene_load_file(const char *path, const bspscene_load_options *options,
                                                bspscene_error *error);

/** As bspscene_load_file, from memory. The scene keeps no reference to `data`. */
BSPSCENE_API bspscene_scene *bspscene_load_memory(const void *data, size_t size, const bspscene_load_options *options,
                                                  bspscene_error *error);

/** As bspscene_load_file, from a stream. Closes the stream, unless its struct_size is not valid. */
BSPSCENE_API bspscene_scene *bspscene_load_stream(const bspscene_stream *stream, const bspscene_load_options *options,
                                                  bspscene_error *error);

/* ---- Probing ---------------------------------------------------------------------------------------------- */

/** The format of a map. */
typedef struct bspscene_format {
	size_t struct_size;                /**< See bspscene_format_init. */
	const char *family, *variant;      /**< As in bspscene_scene. Static. */
	const char *title;                 /**< For people: "Quake III Arena (IBSP 46)". Static. */
	int32_t version;                   /**< Version number in the header. */
} bspscene_format;

static inline void bspscene_format_init(bspscene_format *format)
{
	memset(format, 0, sizeof *format);
	format->struct_size = sizeof *format;
}

/** Finds the format of a map from its first bytes. Returns false for anything else, models and .ump files included.
 *
 * 64 bytes are enough in nearly all cases, the whole file always. A map packed by bzip2 needs its first block, up to
 * 900 KB. `format` may be NULL. */
BSPSCENE_API bool bspscene_probe(const void *head, size_t size, bspscene_format *format);

#ifdef __cplusplus
}
#endif
#endif
