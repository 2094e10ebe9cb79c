/* open_source.h - an opened source, as the files in this folder see it. */
#ifndef BSPI_OPEN_PLACE_H
#define BSPI_OPEN_PLACE_H

#include <bspscene/source.h>

#include "file_system/mounts.h"
#include "sources/base_games.h"

typedef struct bspi_source_map {
	const char *path, *name;
	const char *file;                  /* file to open: `path`, or the .ump file of the assembly */
} bspi_source_map;

/* An opened source. All its data are in the arena, and do not change after it was opened. */
struct bspscene_source {
	bspi_budget budget;
	bspi_arena arena;
	bspscene_source_kind kind;
	const char *path;                  /* path as the caller gave it */
	const char *game;                  /* directory of the game; NULL: none */
	const char *game_above;            /* directory of the game above a map outside of maps/; NULL: none */
	bspi_map_kind map_kind;            /* kind of the map, if the source is a single map */
	bspi_bytes data;                   /* the bytes that the caller gave, if in_memory is true */
	bool in_memory, is_model, is_assembly; /* kind is MAP for models and assemblies too */
	bool only_models;                  /* the source is an archive with models but no maps */
	bspscene_file_system *files;
	bspi_source_map *maps;             /* sorted by path */
	uint32_t map_count, map_capacity;
	const char **problems;
	uint32_t problem_count;
};

/* Copies the options to the current version of the struct. `given` may be NULL. If struct_size is not valid, sets
 * `error` and returns false. map_source.c */
bool bspi_read_source_options(const bspscene_source_options *given, bspscene_source_options *out,
                              bspscene_error *error);
/* Copies a text to the source's arena. Returns NULL if memory is out. source_parts.c */
char *bspi_source_copy(bspscene_source *place, const char *text, size_t size);
/* Sets the error that memory is out. Returns false. source_parts.c */
bool bspi_source_fail_memory(const bspscene_source *place, bspscene_error *error);

/* Recognizes the game of a map by the map's first bytes. Returns false if it is no map. map_kind.c */
bool bspi_tell_map_kind(bspi_bytes head, bspi_map_kind *out);
/* Recognizes the game of a directory by a map in its maps/ folder. Returns an empty kind if all maps are compressed.
 * map_kind.c */
bspi_map_kind bspi_map_kind_of_game(bspi_arena *arena, const char *directory);

/* Reads the beginning of the source's file into the arena. source_parts.c */
bool bspi_read_place_head(bspscene_source *place, size_t size, bspi_bytes *out, bspscene_error *error);
/* Lists the maps of the source: its only map, or those in the mounts from number `first` on. source_maps.c */
bool bspi_find_source_maps(bspscene_source *place, uint32_t first, bspscene_error *error);
/* Called for each assembly that a text defines. Returns false to stop. */
typedef bool bspi_found_assembly_fn(void *user, const char *file, bspi_bytes name);
/* List assemblies. The first lists those of one text; `file` is its path. The second lists those of all texts in the
 * mounts from number `first` on. Return false if the callback did or memory is out. source_assemblies.c */
bool bspi_list_assemblies(bspi_bytes text, const char *file, bspi_found_assembly_fn *found, void *user);
bool bspi_list_assemblies_of(const bspscene_file_system *files, uint32_t first, bspi_found_assembly_fn *found,
                             void *user);
/* Adds a model by its game path `name`. Does nothing if `name` is NULL. source_maps.c */
bool bspi_add_place_model(bspscene_source *place, const char *name, bspscene_error *error);

/* Shortens a path to the folder that contains its last component "maps". Returns false if it has none. game_of.c */
bool bspi_cut_game(char *directory);
/* Shortens the path of a model's directory to that of its game. That is the nearest game around it, otherwise the
 * parent of the folder models, progs, sprites or xmodel. If there is neither, the path stays. game_of.c */
void bspi_cut_model_game(char *directory);
/* Finds the game that is installed in a directory. That is the only game directly in it, or the one that is known as
 * the base of the others. NULL if there is none or several are possible. installed_game.c */
const char *bspi_installed_game(bspi_arena *arena, const char *directory);

#endif
