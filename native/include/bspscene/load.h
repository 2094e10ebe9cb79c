/* load.h - maps to scenes: where files come from, what is wanted, and the loads. */
#ifndef BSPSCENE_LOAD_H
#define BSPSCENE_LOAD_H

#include <string.h>

#include <bspscene/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a sibling file is wanted for, so that an answer can differ by it. */
typedef enum bspscene_file_kind {
	BSPSCENE_FILE_MAP, BSPSCENE_FILE_TEXTURE, BSPSCENE_FILE_SHADER, BSPSCENE_FILE_LIGHTMAP, BSPSCENE_FILE_PALETTE,
	BSPSCENE_FILE_WAD, BSPSCENE_FILE_LIGHT, BSPSCENE_FILE_ENTITIES, BSPSCENE_FILE_MODEL, BSPSCENE_FILE_OTHER,
	BSPSCENE_FILE_FORCE_32BIT = 0x7fffffff
} bspscene_file_kind;

/* A source of bytes. read returns how many bytes it stored, 0 only at the end, SIZE_MAX on failure.
 * With `data` set, that is the whole content (`size` bytes, valid until close) and read is never called. */
typedef size_t bspscene_read_fn(void *user, void *data, size_t size);
typedef void bspscene_close_fn(void *user);
typedef struct bspscene_stream {
	size_t struct_size;                /* see bspscene_stream_init; whoever fills a stream writes no further */
	void *user;
	bspscene_read_fn *read;
	bspscene_close_fn *close;          /* may be NULL; called exactly once for every stream handed over */
	const void *data;                  /* may be NULL */
	uint64_t size;                     /* of `data`; of what `read` gives, where 0 or UINT64_MAX is: not known */
	const char *origin;                /* archive or directory it came from, for messages, UTF-8; may be NULL */
	uint64_t stored_size;              /* bytes it takes where it is stored, when it is packed there; 0: `size` */
} bspscene_stream;

/* For a stream of the caller's own, to be handed to bspscene_load_stream or filled by bspscene_file_system_open. */
static inline void bspscene_stream_init(bspscene_stream *stream)
{
	memset(stream, 0, sizeof *stream);
	stream->struct_size = sizeof *stream;
}

/* Finds a sibling file. `path` is a game path: UTF-8, '/'-separated, relative, no component of it "..", case as the map
 * wrote it; games ignore case, so an answer should too. Returns false when there is no such file. `stream` comes zeroed
 * but for its struct_size, which is not to be changed; to be filled are `data` and `size`, or `read`. Called by the
 * thread of the load, some hundred times, mostly for what is not there: each texture by every ending that the game
 * knows, models and their skins, and the scripts that list_files named, without which materials are no more than their
 * image. bspscene_file_system_open is one. */
typedef bool bspscene_open_file_fn(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind);

/* Names of all files that begin with `prefix` and end with `suffix` ("scripts/", ".shader"), for formats that must be
 * searched; without regard to case. `found` is called once for each name, in the game's order of reading: of two
 * scripts that define one shader the first counts. With Quake III and its relatives that is in the place that the game
 * mounts first, and of files in one place in the last by name: with one directory, the names sorted backwards.
 * bspscene_file_system_list is one. */
typedef void bspscene_found_file_fn(void *user, const char *path);
typedef void bspscene_list_files_fn(void *user, const char *prefix, const char *suffix,
                                    bspscene_found_file_fn *found, void *found_user);

typedef enum bspscene_progress_result {
	BSPSCENE_PROGRESS_CONTINUE = 0x100,
	BSPSCENE_PROGRESS_CANCEL = 0x200,
	BSPSCENE_PROGRESS_FORCE_32BIT = 0x7fffffff
} bspscene_progress_result;

/* Called often enough for a smooth bar, from the thread of the call: a load, a bake, a writing or a picture. `fraction`
 * is how much of that call is done, by the time that such work took when it was measured. It begins at 0, never falls,
 * and is 1 in the last call, when all went well. `stage` is a word: "read", "geometry", "lightmaps", "textures",
 * "light", "compress", "write", "picture". Any result but CONTINUE cancels. */
typedef bspscene_progress_result bspscene_progress_fn(void *user, const char *stage, double fraction);

typedef enum bspscene_textures {
	BSPSCENE_TEXTURES_LOAD,            /* find images and keep their encoded bytes (default) */
	BSPSCENE_TEXTURES_NAMES,           /* find images, keep only where they are: files written of it have none */
	BSPSCENE_TEXTURES_NONE,            /* open no image and no script */
	BSPSCENE_TEXTURES_FORCE_32BIT = 0x7fffffff
} bspscene_textures;

/* How much of a map is loaded. The whole file is read and checked in any case. Counts are of what is loaded. */
typedef enum bspscene_parts {
	BSPSCENE_PARTS_ALL,                /* everything (default) */
	BSPSCENE_PARTS_MODEL,              /* of the geometry, brush model `model` alone (0: the world, with its overlays),
	                                    * with its materials and lightmaps; no decals of entities. All else is there,
	                                    * nodes of the others without a mesh */
	BSPSCENE_PARTS_NO_GEOMETRY,        /* no meshes, faces and overlays, no materials and lightmaps for them */
	BSPSCENE_PARTS_ENTITIES,           /* entities, and the nodes, lights, cameras and props that they place: no file
	                                    * beside the map is opened but those of `lump_patches`, and of an
	                                    * assembly its tiles */
	BSPSCENE_PARTS_FORCE_32BIT = 0x7fffffff
} bspscene_parts;

/* Which models are read from the game's files, to be the meshes of PROP nodes. */
typedef enum bspscene_models {
	BSPSCENE_MODELS_ALL,               /* of static props, entities with a `model`, and classes that the game knows
	                                    * (default) */
	BSPSCENE_MODELS_STATIC,            /* not of what the game moves or makes while it runs: items, monsters, debris */
	BSPSCENE_MODELS_NONE,
	BSPSCENE_MODELS_FORCE_32BIT = 0x7fffffff
} bspscene_models;

/* What stands in for images that are missing, see bspscene_image. */
typedef enum bspscene_missing {
	BSPSCENE_MISSING_PLAIN,            /* its mean colour or a quiet grey, and a plain sky where the sky's pictures are
	                                    * missing (default) */
	BSPSCENE_MISSING_CHECKER,          /* a checkerboard that nobody overlooks, and no sky */
	BSPSCENE_MISSING_FORCE_32BIT = 0x7fffffff
} bspscene_missing;

/* Which of a map's light the pages show, when it has it for ordinary and for HDR displays (Source; Quake's with
 * E5BGR9). */
typedef enum bspscene_light_range {
	BSPSCENE_LIGHT_RANGE_AUTO,               /* HDR for pages of LIGHTMAP_HDR, else ordinary; or what there is (default) */
	BSPSCENE_LIGHT_RANGE_LDR,                /* the one, and BSPSCENE_ERROR_BAD_OPTIONS when the map does not have it */
	BSPSCENE_LIGHT_RANGE_HDR,
	BSPSCENE_LIGHT_RANGE_FORCE_32BIT = 0x7fffffff
} bspscene_light_range;

/* Engines that draw the same map in their own ways, where a map's format does not tell them apart. */
typedef enum bspscene_engine {
	BSPSCENE_ENGINE_AUTO,              /* DarkPlaces for Quake III's maps in a game with progs.dat, else the format's
	                                    * own */
	BSPSCENE_ENGINE_ORIGINAL,          /* the engine that the format was made for */
	BSPSCENE_ENGINE_DARKPLACES,        /* Nexuiz, Xonotic; only Quake III's maps (IBSP 46) are drawn differently: one
	                                    * pass for each shader, light twice the stored byte, `_glow` pictures */
	BSPSCENE_ENGINE_FORCE_32BIT = 0x7fffffff
} bspscene_engine;

/* Zero is the default for every field; start with bspscene_load_options_init. */
typedef struct bspscene_load_options {
	size_t struct_size;                /* see bspscene_load_options_init */
	const char *name;                  /* for messages and sibling files ("atrium"), UTF-8; NULL: from the path, or
	                                    * "map". "maps/farm.ump/medium" says which assembly of a .ump; else its first */

	/* Files beside the map. */
	bspscene_open_file_fn *open_file;  /* NULL: no sibling files, so no external textures and lightmaps */
	bspscene_list_files_fn *list_files;/* NULL: none, so no shader scripts either: what they describe has its plain
	                                    * image or is missing */
	void *file_user;
	const uint8_t *palette;            /* 256 RGB triples for 8-bit textures; NULL: the game's, else
	                                    * LibreQuake's for Quake's maps and a grey ramp for others */
	const char *palette_path;          /* game path, UTF-8, to look for instead of the family's own; NULL: its own */
	bool lump_patches;                 /* Source: <name>_l_0.lmp, _l_1.lmp, ... beside the map replace lumps of it */

	/* How it goes. */
	bool strict;                       /* repairs are errors */
	bspscene_progress_fn *progress;    /* NULL: none */
	void *progress_user;
	uint64_t memory_limit;             /* bytes for one load, files read included; pictures may unpack to twice as many,
	                                    * one after the other. 0: 192 MiB and 56 bytes for each byte of the files read,
	                                    * as they are stored: no honest map needs half of it */
	const bspscene_allocator *allocator; /* NULL: malloc and free. Copied, and needed until the scene is freed */
	uint64_t allocation_limit;         /* number of allocations; 0: no limit. Unstable: for tests of failure */

	/* What the scene gets. */
	bspscene_parts parts;
	uint32_t model;                    /* for PARTS_MODEL; BSPSCENE_ERROR_BAD_OPTIONS when the map has no such model */
	uint32_t include_mask;                  /* bspscene_surface_kind bits of hidden kinds to bring back */
	bspscene_textures textures;
	bspscene_models models;            /* only with PARTS_ALL */
	bspscene_missing missing;
	bspscene_engine engine;            /* whose way of drawing the scene tells */
	bool skip_normal_maps;               /* materials' normal maps stay where they are: together they can be as large as
	                                    * all other images, and only what lights surfaces anew shows them */
	bool keep_pakfile;                 /* the scene gets a copy of the archive inside the map */
	bool identify;                     /* the scene gets its identity: some milliseconds more */
	float meters_per_unit;             /* 0: 0.0254 */
	float patch_error;                 /* largest distance of a patch from its triangles, game units; 0: 4 as the game,
	                                    * 0.25..1024 */
	bspscene_lightmap_encoding lightmap_encoding;
	uint32_t lightmap_page_size;                /* largest page side, 16..16384; 0: 4096. Faces with more luxels enlarge it.
	                                    * The luxels of all faces are packed anew; the map's own lightmaps, where it
	                                    * has such, are not kept (their number is counts->source_lightmaps) */
	uint32_t lightmap_gutter;              /* replicated luxels around each rectangle, 1..16; 0: 1 */
	bspscene_light_range light_range;
	bool keep_map_light;                 /* the scene gets `stored_light`, which takes reading all light once more */

	uint32_t threads;                  /* to work in at most: 0: one for each processor, 1: only the caller's. None are
	                                    * started for work that is not worth it, and the scene is the same. The caller's
	                                    * functions are called by the thread of the call, but for the allocator */
	const bspscene_thread_pool *thread_pool; /* the host's threads instead of the library's own; NULL: none */

	const char *lighting_variant;             /* which of a map's lights is shown, by its name in scene->light_sets, UTF-8;
	                                    * NULL: the first. BSPSCENE_ERROR_BAD_OPTIONS when the map has no such one */
	bool reflections;                  /* materials get what is reflected in them (Source's $envmap, $phong): cube maps
	                                    * can be as large as all other images, and only bspscene_render shows them */

	/* Of a file that is a model and no map. */
	uint32_t model_pose.skin, model_pose.body;   /* its skin, and its body groups packed into one number as entities have it */
	uint32_t model_pose.frame;              /* of models of frames, and of a sequence */
	const char *model_pose.sequence;        /* number or name of the sequence whose pose is shown, UTF-8; NULL: "idle",
	                                    * or the first */
	bool rigs;                         /* its mesh gets its rig (bspscene_rig), where the format has one that is read.
	                                    * The mesh then is at rest: of IQM and Source as compiled, else as without */
	bool map_rigs;                     /* the same of models in maps. Beyond 64 million numbers of all their frames
	                                    * further models stand still, with a warning */

	bool light_probes;                 /* with `stored_light`: its probes and their list, for pages of DISPLAY and HDR
	                                    * encoding */
	uint32_t seed;                     /* of an assembly (.ump of UFO: Alien Invasion), whose tiles are drawn by lot:
	                                    * each number draws others, and always the same */
} bspscene_load_options;

static inline void bspscene_load_options_init(bspscene_load_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* Loads a map, also one that is packed by gzip, bzip2, xz or Zstandard as servers keep them, or a model of one of the
 * formats that maps use, which then is the scene's only node with a mesh, or an assembly of UFO: Alien Invasion, whose
 * tiles come through open_file. `options` and `error` may be NULL. Returns a
 * scene to be freed with bspscene_scene_free, or NULL. The scene keeps no reference to the input, the options or the
 * files. `path` is UTF-8. */
BSPSCENE_API bspscene_scene *bspscene_load_file(const char *path, const bspscene_load_options *options,
                                                bspscene_error *error);
BSPSCENE_API bspscene_scene *bspscene_load_memory(const void *data, size_t size, const bspscene_load_options *options,
                                                  bspscene_error *error);
/* The stream is closed before returning, whatever comes of it; but for a struct_size that is not valid. */
BSPSCENE_API bspscene_scene *bspscene_load_stream(const bspscene_stream *stream, const bspscene_load_options *options,
                                                  bspscene_error *error);

/* What a file is by its first bytes. */
typedef struct bspscene_format {
	size_t struct_size;                /* see bspscene_format_init */
	const char *family, *variant;      /* as in bspscene_scene; these and `title` are static */
	const char *title;                 /* "Quake III Arena (IBSP 46)" */
	int32_t version;                   /* the number in the header */
} bspscene_format;

static inline void bspscene_format_init(bspscene_format *format)
{
	memset(format, 0, sizeof *format);
	format->struct_size = sizeof *format;
}

/* Says what a map (not: a model or a .ump) is that this library reads, also one that is packed as bspscene_load_file
 * says, and returns false for anything else. 64 bytes decide in all but odd cases (of bzip2, its first block does:
 * up to 900 KB), the whole file always. `format` may be NULL. */
BSPSCENE_API bool bspscene_probe(const void *head, size_t size, bspscene_format *format);

#ifdef __cplusplus
}
#endif
#endif
