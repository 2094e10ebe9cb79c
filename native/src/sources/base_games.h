/* base_games.h - finds the games on which a mod is based, such as "valve" for "cstrike" and "id1" for mods of Quake. */
#ifndef BSPI_BASE_GAMES_H
#define BSPI_BASE_GAMES_H

#include "base/arena.h"

/* The kind of the maps of the mod. */
typedef struct bspi_map_kind {
	const char *family, *variant;      /* NULL: unknown */
} bspi_map_kind;

typedef struct bspi_base_games {
	const char **paths;                /* absolute paths in the arena, in increasing priority */
	uint32_t count;
	const char *rivals[2];             /* names of two games, if either could be the base; NULL: there is no
	                                    * doubt */
} bspi_base_games;

/* Finds the base games of `directory`, which is an absolute path without links. Only directories in the same folder
 * count. Links that lead out of that folder are not followed. Returns false if memory is out. */
bool bspi_find_base_games(bspi_arena *arena, const char *directory, bspi_map_kind kind, bspi_base_games *out);

/* Finds the game of a Source or GoldSrc map that is not in a maps/ folder. That is the nearest directory, from
 * `directory` upward, with a text file that marks a game. Returns NULL if there is none or memory is out. */
const char *bspi_find_game_above(bspi_arena *arena, const char *directory, bspi_map_kind kind);

/* Returns the index that the name of a directory has in the table of base games; `size` is its length. If a folder has
 * several games, the one with the smallest index is opened. Returns BSPI_NO_RANK if the name is not in the table. */
#define BSPI_NO_RANK UINT32_MAX
uint32_t bspi_base_game_rank(const char *name, size_t size);

#endif
