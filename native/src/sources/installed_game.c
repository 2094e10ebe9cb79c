/* installed_game.c - see open_source.h. Finds the game's own directory in the directory in which a game is installed,
 * such as "openarena/baseoa" in "openarena". */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "file_system/game.h"
#include "sources/base_games.h"
#include "sources/open_source.h"

enum { MOST_LOOKED_INTO = 256 };       /* limit for tested directories; a game has only a few */

const char *bspi_installed_game(bspi_arena *arena, const char *directory)
{
	bspi_listing listing;
	const char *found = NULL;
	uint32_t best = BSPI_NO_RANK;
	uint32_t looked = 0;
	bool several = false;
	if (!bspi_list_directory(arena, directory, false, &listing, NULL)) return NULL;
	for (uint32_t i = 0; i < listing.count && looked < MOST_LOOKED_INTO; i++) {
		const char *name = listing.paths[i];
		size_t size = strlen(name), room = strlen(directory) + size + 1;
		if (!size || name[size - 1] != '/') continue;
		looked++;
		char *path = bspi_arena_alloc(arena, room + 1, 1);
		if (!path) return NULL;
		snprintf(path, room + 1, "%s/%.*s", directory, (int)(size - 1), name);
		if (!bspi_is_game(path, "")) continue;
		uint32_t rank = bspi_base_game_rank(name, size - 1);
		several = found && rank == best;
		if (found && rank >= best) continue;
		best = rank;
		found = path;
	}
	return several && best == BSPI_NO_RANK ? NULL : found;
}
