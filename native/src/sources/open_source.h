/* open_source.h - an open source, for the files in this folder. */
#ifndef BSPI_OPEN_PLACE_H
#define BSPI_OPEN_PLACE_H

#include <bspscene/source.h>

#include "file_system/mounts.h"
#include "sources/base_games.h"

typedef struct bspi_source_map {
	const char *path, *name;
	const char *file;                  /* the file to open: `path`, or the .ump file that contains the assembly */
} bspi_source_map;

/* An open source. All data is in the arena and constant once it is open. */
struct bspscene_source {
	bspi_budget budget;
	bspi_arena arena;
	bspscene_source_kind kind;
	const char *path;                  /* as the caller gave it */
	const char *game;                  /* NULL: none */
	const char *game_above;            /* game of a map outside of maps/; NULL: none */
	bspi_map_kind map_kind;            /* of a single map */
	bspi_bytes data;                   /* the caller's bytes, if `in_memory` */
	bool in_memory, is_model, is_assembly; /* is_model and is_assembly: kind is MAP */
	bool only_models;                  /* an archive without maps; `maps` lists its models */
	bspscene_file_system *files;
	bspi_source_map *maps;             /* sorted */
	uint32_t map_count, map_capacity;
	const char **problems;
	uint32_t problem_count;
};

/* Copies the options to the current struct; `given` may be NULL. False, with `error` set, for an invalid
 * struct_size. map_source.c */
bool bspi_read_source_options(const bspscene_source_options *given, bspscene_source_options *out,
                              bspscene_error *error);
/* Copies to the arena. NULL if memory is out. source_parts.c */
char *bspi_source_copy(bspscene_source *place, const char *text, size_t size);
/* Sets the error. Returns false. */
bool bspi_source_fail_memory(const bspscene_source *place, bspscene_error *error);

/* Recognizes the game of a map by its first bytes. False if it is no map. map_kind.c */
bool bspi_tell_map_kind(bspi_bytes head, bspi_map_kind *out);
/* Recognizes the game of the maps in a game's directory; empty if maps/ has no unpacked map. map_kind.c */
bspi_map_kind bspi_map_kind_of_game(bspi_arena *arena, const char *directory);

/* Reads the beginning of the source's file into the arena. source_parts.c */
bool bspi_read_place_head(bspscene_source *place, size_t size, bspi_bytes *out, bspscene_error *error);
/* Lists the single map, or the maps in mounts `first` and later. source_maps.c */
bool bspi_find_source_maps(bspscene_source *place, uint32_t first, bspscene_error *error);
/* Called for each assembly in a text. Return false to stop. */
typedef bool bspi_found_assembly_fn(void *user, const char *file, bspi_bytes name);
/* List the assemblies of a text, whose path is `file`, and of all texts in mounts `first` and later. False if the
 * callback stopped or memory is out. source_assemblies.c */
bool bspi_list_assemblies(bspi_bytes text, const char *file, bspi_found_assembly_fn *found, void *user);
bool bspi_list_assemblies_of(const bspscene_file_system *files, uint32_t first, bspi_found_assembly_fn *found,
                             void *user);
/* Adds the model with game path `name`. NULL is ignored. source_maps.c */
bool bspi_add_place_model(bspscene_source *place, const char *name, bspscene_error *error);

/* Cuts a path before its last component "maps". False if there is none. game_of.c */
bool bspi_cut_game(char *directory);
/* Cuts a model's directory to the nearest game around it, else to the parent of models, progs or sprites, else not at
 * all. game_of.c */
void bspi_cut_model_game(char *directory);
/* Finds the game in a directory: the only one directly below it, or the one that is known as the base of its mods. NULL
 * if there is none or it is ambiguous. installed_game.c */
const char *bspi_installed_game(bspi_arena *arena, const char *directory);

#endif
