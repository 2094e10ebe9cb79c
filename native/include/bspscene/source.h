/* place.h - what people point at, a map, an archive or a game directory, as one place: which maps it holds, which one
 * is meant, which game it belongs to, and the files that a load may ask for.
 *
 *     bspscene_source *place = bspscene_source_open("openarena/baseoa", NULL, &error);
 *     uint32_t map = place ? bspscene_source_find_map(place, "oa_dm1", &error) : BSPSCENE_NO_INDEX;
 *     bspscene_scene *scene = map == BSPSCENE_NO_INDEX ? NULL : bspscene_source_load(place, map, NULL, &error);
 *     bspscene_source_free(place);
 *
 * A place does not change once it is open: any number of threads may list, open and load maps of it at once. */
#ifndef BSPSCENE_SOURCE_H
#define BSPSCENE_SOURCE_H

#include <bspscene/file_system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bspscene_source_kind {
	BSPSCENE_SOURCE_MAP,                /* a map file, also packed by gzip, bzip2, xz or Zstandard; it is the place's
	                                    * only map. So is a file that is a model. Or a .ump of UFO: Alien Invasion,
	                                    * whose maps are its assemblies */
	BSPSCENE_SOURCE_ARCHIVE,            /* zip, pk3, pak, VPK; 7z, RAR and tar in builds with libarchive */
	BSPSCENE_SOURCE_GAME,               /* a game directory, with the archives in it */
	BSPSCENE_SOURCE_FORCE_32BIT = 0x7fffffff
} bspscene_source_kind;

/* Zero is the default for every field; start with bspscene_source_options_init. */
typedef struct bspscene_source_options {
	size_t struct_size;                /* see bspscene_source_options_init */
	const char *const *games;          /* paths, UTF-8, of game directories and archives with what else a map may need;
	                                    * later ones win, and what belongs to the place wins over all of them */
	uint32_t game_count;
	bool isolated;                        /* nothing around `path` is opened: neither the game that it lies in nor the
	                                    * archives beside it */
	const void *data;                  /* the content of the file, when `path` is a name of a host's own file system:
	                                    * nothing of this machine's but `games` is opened then. Must live as long as
	                                    * the place; NULL: `path` is opened */
	size_t size;                       /* of `data` */
	bool skip_bad_games;               /* one of `games` that cannot be mounted is a problem of the place, not an
	                                    * error: for lists that are kept and not typed */
	const char *model;                 /* name, as for bspscene_source_find_map, that may be the game path of a model
	                                    * instead ("models/a.md3") in the archive or game: it is one more map of the
	                                    * place then; NULL: none */
} bspscene_source_options;

static inline void bspscene_source_options_init(bspscene_source_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

typedef struct bspscene_source bspscene_source;

/* Opens a map file, an archive or a game directory, told by content, and what belongs to it: of <game>/maps/x.bsp, also
 * deeper in maps, the game directory; of a model's file the nearest directory around it that is a game's, else the one
 * that its models, progs or sprites lie in, else its own; of an archive, the directory it lies in when that is a game's
 * (other archives or a gameinfo.txt are in it), whose files the archive wins over. `options` and `error` may be NULL.
 * NULL, with the error set, for what is not there, cannot be read or is neither: the message says what it is. A
 * directory without maps that a game lies in (openarena, with baseoa) is opened as that game. An archive or game around
 * the place that cannot be read is left out and counted, see bspscene_source_problem. */
BSPSCENE_API bspscene_source *bspscene_source_open(const char *path, const bspscene_source_options *options,
                                                 bspscene_error *error);
/* Scenes do not need it any more, but streams must be closed and loads be over before. NULL is fine. */
BSPSCENE_API void bspscene_source_free(bspscene_source *place);

BSPSCENE_API bspscene_source_kind bspscene_source_kind_of(const bspscene_source *place);
/* The directory of the game that it belongs to, "" for the directory where `path` begins; NULL when none was found. Of
 * `data` it is the part of `path` before its last "maps". */
BSPSCENE_API const char *bspscene_source_game(const bspscene_source *place);
/* All that a load of its maps may ask for: the games of the options, its own game, and the archive. The place's own:
 * not to be freed. */
BSPSCENE_API bspscene_file_system *bspscene_source_file_system(const bspscene_source *place);
/* One line for each game or archive that was left out, NULL past the end. */
BSPSCENE_API const char *bspscene_source_problem(const bspscene_source *place, uint32_t index);

/* Its maps, sorted by path without case: those of the map file, archive or game directory itself. Assemblies of UFO:
 * Alien Invasion, which its engine puts together of tiles by rules in maps/farm.ump, are maps too. */
BSPSCENE_API uint32_t bspscene_source_map_count(const bspscene_source *place);
/* The name that players know, "oa_dm1" of maps/oa_dm1.bsp, "farm.ump/medium" of an assembly, and the path of maps that
 * are elsewhere. */
BSPSCENE_API const char *bspscene_source_map_name(const bspscene_source *place, uint32_t map);
/* The game path, "maps/oa_dm1.bsp" or "maps/farm.ump/medium"; of a map file its own path. A model's file has its game
 * path. */
BSPSCENE_API const char *bspscene_source_map_path(const bspscene_source *place, uint32_t map);
/* The map called `name`, case ignored: as bspscene_source_map_name says, by its path, with or without .bsp or maps/, or
 * by its file name where only one is called so. NULL or "": the only map there is. BSPSCENE_NO_INDEX with an error that
 * names what there is: BSPSCENE_ERROR_NOT_FOUND, or BSPSCENE_ERROR_BAD_OPTIONS when one must be chosen or `name` names
 * another map than the map file. */
BSPSCENE_API uint32_t bspscene_source_find_map(const bspscene_source *place, const char *name, bspscene_error *error);

/* The bytes of a map as they are stored: bspscene_load_stream unpacks what is packed. Those of an assembly are its
 * rules. */
BSPSCENE_API bool bspscene_source_open_map(const bspscene_source *place, uint32_t map, bspscene_stream *stream,
                                          bspscene_error *error);
/* Puts the map's name into the options of a load and, where they leave `open_file` NULL, the place's files: for calls
 * that take the stream of a map and how it is to be read (bspscene_relight, bspscene_rewrite). The place must live
 * until they are over. */
BSPSCENE_API void bspscene_source_prepare_load(const bspscene_source *place, uint32_t map,
                                              bspscene_load_options *options);
/* Loads a map, with `options` (may be NULL) as bspscene_source_prepare_load completes them. See bspscene_load_file. */
BSPSCENE_API bspscene_scene *bspscene_source_load(const bspscene_source *place, uint32_t map,
                                                 const bspscene_load_options *options, bspscene_error *error);

/* ---- Games that are installed ------------------------------------------------------------------------------- */

/* Takes the directory of a game, as `games` of places want it. */
typedef void bspscene_found_game_fn(void *user, const char *path);
/* Looks for games on this machine and calls `found` once for each: in Steam's libraries, GOG's folders and the usual
 * places of the system. Names of files are read, in at most 5,000 directories, and Steam's list of libraries; it is a
 * game that has a gameinfo.txt, a liblist.gam or archives of a game. False: memory is out. */
BSPSCENE_API bool bspscene_find_games(bspscene_found_game_fn *found, void *user);

/* ---- The front door --------------------------------------------------------------------------------------- */

/* Zero is the default for every field; start with bspscene_open_options_init. */
typedef struct bspscene_open_options {
	size_t struct_size;                /* see bspscene_open_options_init */
	const char *map;                   /* which one of an archive or a game, see bspscene_source_find_map; NULL: the only
	                                    * one there is */
	const char *const *games;          /* as in bspscene_source_options */
	uint32_t game_count;
	const bspscene_load_options *load; /* NULL: the usual ones */
} bspscene_open_options;

static inline void bspscene_open_options_init(bspscene_open_options *options)
{
	memset(options, 0, sizeof *options);
	options->struct_size = sizeof *options;
}

/* Loads a map with its textures, models and scripts: `path` is a map file, whose game is found around it, or an archive
 * or a game directory with the map in it. It is bspscene_source_open, _find_map and _load in one, so the scene is that
 * of the command line and of the Blender add-on. What cannot be read around it is left out (a place tells what that
 * was). `options` and `error` may be NULL. Returns a scene to be freed with bspscene_scene_free, or NULL. */
BSPSCENE_API bspscene_scene *bspscene_open(const char *path, const bspscene_open_options *options,
                                           bspscene_error *error);

#ifdef __cplusplus
}
#endif
#endif
