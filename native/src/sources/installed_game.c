/* installed_game.c - the directory that a game is installed in -> the game's own: "openarena" -> "openarena/baseoa".
 * See open_source.h. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "file_system/game.h"
#include "sources/open_source.h"

enum { MOST_LOOKED_INTO = 256 };       /* directories; a game has a handful */

/* What the engines mount first and mods go on top of (`com_basegame`, `-basedir`'s default). */
static const char *const bases[] = {
	"baseoa", "baseq3", "baseq2", "id1", "data1", "valve", "hl2", "main", "etmain", "base", "baseef", "basewsw",
	"basewf", "fakk", "data",
};
enum { BASE_COUNT = sizeof bases / sizeof *bases };

static size_t rank_of(const char *name, size_t size)
{
	size_t rank = 0;
	while (rank < BASE_COUNT && (strlen(bases[rank]) != size || !bspi_text_starts(name, bases[rank]))) rank++;
	return rank;
}

const char *bspi_installed_game(bspi_arena *arena, const char *directory)
{
	bspi_listing listing;
	const char *found = NULL;
	size_t best = BASE_COUNT + 1;
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
		size_t rank = rank_of(name, size - 1);
		several = rank == best;
		if (rank >= best) continue;
		best = rank;
		found = path;
	}
	return several && best == BASE_COUNT ? NULL : found;
}
