/* open_place.h - an open place: what the files of this folder share. */
#ifndef BSPI_OPEN_PLACE_H
#define BSPI_OPEN_PLACE_H

#include <bspscene/place.h>

#include "files/files.h"

typedef struct bspi_place_map {
	const char *path, *name;
} bspi_place_map;

/* Everything lives in the arena; nothing changes once it is open. */
struct bspscene_place {
	bspi_budget budget;
	bspi_arena arena;
	bspscene_place_kind kind;
	const char *path;                  /* as the caller gave it */
	const char *game;                  /* NULL: none */
	bspi_bytes data;                   /* the caller's, with `in_memory` */
	bool in_memory, is_model;          /* the latter is of kind MAP */
	bspscene_files *files;
	bspi_place_map *maps;              /* sorted */
	uint32_t map_count, map_capacity;
	const char **problems;
	uint32_t problem_count;
};

/* NULL: memory is out. */
char *bspi_place_copy(bspscene_place *place, const char *text, size_t size);
/* Always false. */
bool bspi_place_fail_memory(const bspscene_place *place, bspscene_error *error);

/* The map file itself, or what there is in the mounts from `first` on. place_maps.c */
bool bspi_find_place_maps(bspscene_place *place, uint32_t first, bspscene_error *error);
/* One more, where `name` is the game path of a model in the place's files; NULL is none. place_maps.c */
bool bspi_add_place_model(bspscene_place *place, const char *name, bspscene_error *error);

/* Cuts a directory's path before its last part called "maps". False: there is none. game_of.c */
bool bspi_cut_game(char *directory);
/* Cuts a model's directory to the nearest one around it that is a game's, else to the one that its models, progs or
 * sprites are in, else not at all. game_of.c */
void bspi_cut_model_game(char *directory);
/* The game right below a directory: the only one, or the one whose directory is known as the base of its mods. NULL:
 * there is none, or nobody can say which. installed_game.c */
const char *bspi_installed_game(bspi_arena *arena, const char *directory);

#endif
