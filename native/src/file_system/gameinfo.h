/* gameinfo.h - reads the search paths of a Source game's gameinfo.txt. */
#ifndef BSPI_GAMEINFO_H
#define BSPI_GAMEINFO_H

#include "file_system/mounts.h"

/* Existing directories and VPKs, in decreasing priority. */
typedef struct bspi_search_paths {
	const char **paths;
	uint32_t count, capacity;
} bspi_search_paths;

/* Finds the search paths of the game in `directory` that are inside of the directory above it. `count` is 0 if it has
 * no gameinfo.txt. For a directory that contains games (Half-Life 2/ with hl2/ and episodic/) the paths of all are
 * returned. */
bool bspi_find_search_paths(bspi_arena *arena, const char *directory, bspi_search_paths *out,
                            bspscene_error *error);

#endif
