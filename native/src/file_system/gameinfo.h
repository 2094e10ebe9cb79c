/* gameinfo.h - where a Source game looks for its files: the search paths of its gameinfo.txt. */
#ifndef BSPI_GAMEINFO_H
#define BSPI_GAMEINFO_H

#include "file_system/mounts.h"

/* Directories and VPKs that exist, best first. */
typedef struct bspi_search_paths {
	const char **paths;
	uint32_t count, capacity;
} bspi_search_paths;

/* The search paths of the game in `directory`, as far as they are inside the directory above it; `count` 0 when it
 * has no gameinfo.txt. A directory above games (Half-Life 2/, with hl2/ and episodic/ in it) has the paths of all of
 * them. */
bool bspi_find_search_paths(bspi_arena *arena, const char *directory, bspi_search_paths *out,
                            bspscene_error *error);

#endif
