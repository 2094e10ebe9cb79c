/* base_games.h - finds the directories that a mod builds on: "valve" for "cstrike", "id1" for Quake's mods. */
#ifndef BSPI_BASE_GAMES_H
#define BSPI_BASE_GAMES_H

#include "base/arena.h"

/* What is known about the maps whose base games are searched. */
typedef struct bspi_map_kind {
	const char *family, *variant;      /* NULL: unknown */
} bspi_map_kind;

typedef struct bspi_base_games {
	const char **paths;                /* absolute, in increasing priority; in the arena */
	uint32_t count;
	const char *rivals[2];             /* names of two games that are equally likely the base; NULL: none */
} bspi_base_games;

/* Finds the base games of `directory`, an absolute path without links. Only directories next to it count, and only
 * those that really lie there: a link out of the folder that holds them is not followed. Returns false if memory is
 * out. */
bool bspi_find_base_games(bspi_arena *arena, const char *directory, bspi_map_kind kind, bspi_base_games *out);

/* Finds the directory of a Source or GoldSrc game for a map outside of its maps/ folder: the nearest one at or above
 * `directory` with the game's own text file. NULL if there is none or memory is out. */
const char *bspi_find_game_above(bspi_arena *arena, const char *directory, bspi_map_kind kind);

/* Returns the position of a base directory's name in the table (`size`: length of `name`). The lower it is, the more
 * likely is the directory the game itself. BSPI_NO_RANK for other names. */
#define BSPI_NO_RANK UINT32_MAX
uint32_t bspi_base_game_rank(const char *name, size_t size);

#endif
