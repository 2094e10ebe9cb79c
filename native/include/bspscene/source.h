/* source.h - Opens what people point at: a map file, an archive or a game directory, with all that belongs to it.
 *
 *     bspscene_source *source = bspscene_source_open("openarena/baseoa", NULL, &error);
 *     uint32_t map = source ? bspscene_source_find_map(source, "oa_dm1", &error) : BSPSCENE_NO_INDEX;
 *     bspscene_scene *scene = map == BSPSCENE_NO_INDEX ? NULL : bspscene_source_load(source, map, NULL, &error);
 *     bspscene_source_free(source);
 *
 * bspscene_open does all of this in one call. A source does not change after it is opened: any number of threads may
 * list, open and load its maps at once. */
#ifndef BSPSCENE_SOURCE_H
#define BSPSCENE_SOURCE_H

#include <bspscene/file_system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Opening a map in one call ---------------------------------------------------------------------------- */

/** Options of bspscene_open. Zero is the default of every field. Start with bspscene_open_options_init. */
typedef struct bspscene_open_options {
	size_t struct_size;                /**< See bspscene_open_options_init. */
	const char *map;                   /**< Which map of an archive or game, see bspscene_source_find_map. NULL: the
	                                    * only one. */
	const char *const *games;          /**< As in bspscene_source_options. */
	uint32_t game_count;               /**< Entries of `games`. */
	const bspscene_load_options *load; /**< NULL: the defaults. With an open_file of the caller, the game around
	                                    * `path` is not searched. */
} bspscene_open_options;

static inline void bspscene_open_options_init(bspscene_open_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** Loads a map with its textures, models and scripts.
 *
 * `path` is a map file, whose game is found around it, or an archive or game directory with the map in it. Archives
 * around it that cannot be read are skipped; bspscene_source_problem names them. `options` and `error` may be NULL.
 * Returns a scene to be freed with bspscene_scene_free, or NULL with `error` set. */
BSPSCENE_API bspscene_scene *bspscene_open(const char *path, const bspscene_open_options *options,
                                           bspscene_error *error);

/* ---- Sources ---------------------------------------------------------------------------------------------- */

/** A map file, an archive or a game directory. */
typedef struct bspscene_source bspscene_source;

/** What a source is. */
typedef enum bspscene_source_kind {
	BSPSCENE_SOURCE_MAP,               /**< A map file, possibly packed by gzip, bzip2, xz or Zstandard; a model
	                                    * file; or a .ump of UFO: Alien Invasion, whose maps are its assemblies. */
	BSPSCENE_SOURCE_ARCHIVE,           /**< zip, pk3, pak, VPK, GMA. 7z, RAR and tar in builds with libarchive. */
	BSPSCENE_SOURCE_GAME,              /**< A game directory with its archives. */
	BSPSCENE_SOURCE_FORCE_32BIT = 0x7fffffff
} bspscene_source_kind;

/** Options of a source. Zero is the default of every field. Start with bspscene_source_options_init. */
typedef struct bspscene_source_options {
	size_t struct_size;                /**< See bspscene_source_options_init. */
	const char *const *games;          /**< Paths of further game directories and archives that maps may need. Later
	                                    * ones win over earlier ones, and the source wins over all. */
	uint32_t game_count;               /**< Entries of `games`. */
	bool skip_bad_games;               /**< Skip entries of `games` that cannot be mounted and report them as
	                                    * problems. Else they are errors. */
	bool isolated;                     /**< Open nothing around `path`: not its game, not the archives next to it. */
	const char *model;                 /**< Name as for bspscene_source_find_map, or the game path of a model
	                                    * ("models/a.md3") that becomes one more map. NULL: none. */
	const void *data;                  /**< Content of the file if `path` is a name in the host's own file system.
	                                    * Nothing on this machine but `games` is opened then. Must be valid as long
	                                    * as the source. NULL: open `path`. */
	size_t size;                       /**< Bytes of `data`. */
	const bspscene_allocator *allocator; /**< Copied. Must be valid until the source is freed. NULL: malloc and free. */
} bspscene_source_options;

static inline void bspscene_source_options_init(bspscene_source_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/** Opens a source, which is recognized by its content, and mounts what belongs to it:
 *
 * - For GAME/maps/x.bsp, at any depth: the game, and the base games next to it (valve, id1). The game wins.
 * - For other maps of Source and GoldSrc: the nearest directory above them that has a gameinfo.txt or liblist.gam.
 * - For a model file: the nearest game directory around it; else the directory that contains its models, progs or
 *   sprites directory; else its own directory.
 * - For an archive: the directory around it, if it has other archives or a gameinfo.txt. The archive wins.
 * - A directory without maps that contains one game directory (openarena with baseoa) is opened as that game.
 * - Archives and games around the source that cannot be read are skipped, see bspscene_source_problem.
 *
 * `options` and `error` may be NULL. Returns a source to be freed with bspscene_source_free, or NULL with `error` set;
 * the message says what `path` is. */
BSPSCENE_API bspscene_source *bspscene_source_open(const char *path, const bspscene_source_options *options,
                                                   bspscene_error *error);

/** Frees a source. Close its streams first, and wait for the end of its loads. Loaded scenes do not need it. NULL does
 * nothing. */
BSPSCENE_API void bspscene_source_free(bspscene_source *source);

/** Returns what a source is. */
BSPSCENE_API bspscene_source_kind bspscene_source_kind_of(const bspscene_source *source);

/** Returns the game directory of a source, "" for the directory where a relative `path` begins, or NULL if there is
 * none. If the source has `data`, this is the part of `path` before the last "maps". The source owns the string. */
BSPSCENE_API const char *bspscene_source_game(const bspscene_source *source);

/** Returns all files that loads may ask for: `games` of the options, the game, and the archive. The source owns it. */
BSPSCENE_API bspscene_file_system *bspscene_source_file_system(const bspscene_source *source);

/** Returns one line about a game or archive that was skipped, or NULL past the end. The source owns the string. */
BSPSCENE_API const char *bspscene_source_problem(const bspscene_source *source, uint32_t index);

/* ---- Maps of a source ------------------------------------------------------------------------------------- */

/** Returns the number of maps: those of the file, archive or game directory itself, sorted by path without case.
 * Assemblies of UFO: Alien Invasion (maps/farm.ump) are maps too. */
BSPSCENE_API uint32_t bspscene_source_map_count(const bspscene_source *source);

/** Returns the name that players know: "oa_dm1" for maps/oa_dm1.bsp, "farm.ump/medium" for an assembly, the path for
 * maps elsewhere. The source owns the string. */
BSPSCENE_API const char *bspscene_source_map_name(const bspscene_source *source, uint32_t map);

/** Returns the game path: "maps/oa_dm1.bsp", "maps/farm.ump/medium". For a map file it is the path of the source, for a
 * model file its game path. The source owns the string. */
BSPSCENE_API const char *bspscene_source_map_path(const bspscene_source *source, uint32_t map);

/** Finds a map by name, ignoring case.
 *
 * `name` is a bspscene_source_map_name, a path with or without "maps/" and ".bsp", or a file name that only one map
 * has. NULL and "" mean the only map. Returns the number of the map, or BSPSCENE_NO_INDEX with `error` (may be NULL)
 * set; its message lists the maps. BSPSCENE_ERROR_NOT_FOUND: there is no such map. BSPSCENE_ERROR_BAD_OPTIONS: one of
 * several maps must be chosen, or the source is the file of another map. */
BSPSCENE_API uint32_t bspscene_source_find_map(const bspscene_source *source, const char *name, bspscene_error *error);

/** Opens the bytes of a map as they are stored; bspscene_load_stream unpacks them. For an assembly these are its rules.
 * Returns false with `error` (may be NULL) set on failure. */
BSPSCENE_API bool bspscene_source_open_map(const bspscene_source *source, uint32_t map, bspscene_stream *stream,
                                           bspscene_error *error);

/** Sets the name in the options of a load and, if open_file is NULL, the callbacks that open the source's files. Use it
 * for calls that take the stream of a map with load options (bspscene_relight, bspscene_rewrite). The source must not
 * be freed before they return. */
BSPSCENE_API void bspscene_source_prepare_load(const bspscene_source *source, uint32_t map,
                                               bspscene_load_options *options);

/** Loads a map. `options` (may be NULL) are completed as by bspscene_source_prepare_load. Returns a scene to be freed
 * with bspscene_scene_free, or NULL with `error` (may be NULL) set. */
BSPSCENE_API bspscene_scene *bspscene_source_load(const bspscene_source *source, uint32_t map,
                                                  const bspscene_load_options *options, bspscene_error *error);

/* ---- Installed games -------------------------------------------------------------------------------------- */

/** Receives the path of a game directory, which may be an entry of `games` in the options. */
typedef void bspscene_found_game_fn(void *user, const char *path);

/** Finds games on this machine: in Steam's libraries, GOG's folders and the usual places of the system.
 *
 * A game has a gameinfo.txt, a liblist.gam or archives of a game. The search lists at most 5,000 directories and reads
 * Steam's list of libraries. Calls `found` once for each game. Returns false if memory is out. */
BSPSCENE_API bool bspscene_find_games(bspscene_found_game_fn *found, void *user);

#ifdef __cplusplus
}
#endif
#endif
