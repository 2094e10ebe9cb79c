/* gameinfo.h - reads the search paths of a Source game's gameinfo.txt. */
#ifndef BSPI_GAMEINFO_H
#define BSPI_GAMEINFO_H

#include "file_system/mounts.h"

/* Directories and VPKs that exist, in order of decreasing priority. */
typedef struct bspi_search_paths {
	const char **paths;
	uint32_t count, capacity;
} bspi_search_paths;

/* Finds the search paths of the game in `directory` that lie inside of the directory above it. If the game has no
 * gameinfo.txt, `count` is 0. If `directory` contains games (Half-Life 2/ with hl2/ and episodic/), returns the paths
 * of all of them. */
bool bspi_find_search_paths(bspi_arena *arena, const char *directory, bspi_search_paths *out,
                            bspscene_error *error);

#endif
