/* open_source.h - an open place: what the files of this folder share. */
#ifndef BSPI_OPEN_PLACE_H
#define BSPI_OPEN_PLACE_H

#include <bspscene/source.h>

#include "file_system/mounts.h"
#include "sources/base_games.h"

typedef struct bspi_source_map {
	const char *path, *name;
	const char *file;                  /* what is opened for it: `path`, but of an assembly the text that it is in */
} bspi_source_map;

/* Everything lives in the arena; nothing changes once it is open. */
struct bspscene_source {
	bspi_budget budget;
	bspi_arena arena;
	bspscene_source_kind kind;
	const char *path;                  /* as the caller gave it */
	const char *game;                  /* NULL: none */
	const char *game_above;            /* a map that lies elsewhere in its game than in maps/; NULL: none */
	bspi_map_kind map_kind;            /* of a map file */
	bspi_bytes data;                   /* the caller's, with `in_memory` */
	bool in_memory, is_model, is_assembly; /* the latter two are of kind MAP */
	bool only_models;                  /* an archive without maps: `maps` are its models */
	bspscene_file_system *files;
	bspi_source_map *maps;             /* sorted */
	uint32_t map_count, map_capacity;
	const char **problems;
	uint32_t problem_count;
};

/* NULL: memory is out. */
char *bspi_source_copy(bspscene_source *place, const char *text, size_t size);
/* Always false. */
bool bspi_source_fail_memory(const bspscene_source *place, bspscene_error *error);

/* Finds what a map is for by its first bytes. Returns false if they are of no map. map_kind.c */
bool bspi_tell_map_kind(bspi_bytes head, bspi_map_kind *out);
/* Returns the same for the maps of a game's directory, empty if none lies loose in it. map_kind.c */
bspi_map_kind bspi_map_kind_of_game(bspi_arena *arena, const char *directory);

/* The first bytes of the file that the place is, in the arena. map_source.c */
bool bspi_read_place_head(bspscene_source *place, size_t size, bspi_bytes *out, bspscene_error *error);
/* The map file itself, or what there is in the mounts from `first` on. source_maps.c */
bool bspi_find_source_maps(bspscene_source *place, uint32_t first, bspscene_error *error);
/* Takes an assembly of a text; false: no more of them. */
typedef bool bspi_found_assembly_fn(void *user, const char *file, bspi_bytes name);
/* Those of a text, whose path is `file`, and of all texts in the mounts from `first` on. False: one was not taken, or
 * memory is out. source_assemblies.c */
bool bspi_list_assemblies(bspi_bytes text, const char *file, bspi_found_assembly_fn *found, void *user);
bool bspi_list_assemblies_of(const bspscene_file_system *files, uint32_t first, bspi_found_assembly_fn *found,
                             void *user);
/* One more, where `name` is the game path of a model in the place's files; NULL is none. source_maps.c */
bool bspi_add_place_model(bspscene_source *place, const char *name, bspscene_error *error);

/* Cuts a directory's path before its last part called "maps". False: there is none. game_of.c */
bool bspi_cut_game(char *directory);
/* Cuts a model's directory to the nearest one around it that is a game's, else to the one that its models, progs or
 * sprites are in, else not at all. game_of.c */
void bspi_cut_model_game(char *directory);
/* The game right below a directory: the only one, or the one whose directory is known as the base of its mods. NULL:
 * there is none, or nobody can say which. installed_game.c */
const char *bspi_installed_game(bspi_arena *arena, const char *directory);

#endif
