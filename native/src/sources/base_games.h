/* base_games.h - the directories that a mod is built on: "valve" below "cstrike", "id1" below Quake's mods. */
#ifndef BSPI_BASE_GAMES_H
#define BSPI_BASE_GAMES_H

#include "base/arena.h"

/* What is known of the maps whose base games are looked for. */
typedef struct bspi_map_kind {
	const char *family, *variant;      /* NULL: unknown */
} bspi_map_kind;

typedef struct bspi_base_games {
	const char **paths;                /* absolute, the one that loses comes first; in the arena */
	uint32_t count;
	const char *rivals[2];             /* names of two games of which either could be the base; NULL: none */
} bspi_base_games;

/* Finds the base games of `directory`, an absolute path without links. Only directories next to it count, and only
 * those that really lie there: a link out of the folder that holds them is not followed. Returns false if memory is
 * out. */
bool bspi_find_base_games(bspi_arena *arena, const char *directory, bspi_map_kind kind, bspi_base_games *out);

/* Finds the directory of a game of Source or GoldSrc around a map that lies in no maps/ folder of it: the nearest one
 * at or above `directory` that has the game's own text file. Returns NULL if there is none, or if memory is out. */
const char *bspi_find_game_above(bspi_arena *arena, const char *directory, bspi_map_kind kind);

/* Returns the place of a base directory's name in the table: the lower, the likelier is it the game itself. Returns
 * BSPI_NO_RANK for other names. `size` is the length of `name`. */
#define BSPI_NO_RANK UINT32_MAX
uint32_t bspi_base_game_rank(const char *name, size_t size);

#endif
