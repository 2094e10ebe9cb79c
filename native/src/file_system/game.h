/* game.h - the archives of a game directory, in the order its engine mounts them. */
#ifndef BSPI_GAME_H
#define BSPI_GAME_H

#include "file_system/mounts.h"

typedef struct bspi_mount_list {
	const bspi_heap *heap;             /* of the mounts and of the next array */
	bspi_mount **mounts;               /* the last one wins */
	uint32_t count;
	const char *but;                   /* not to be opened, or NULL */
} bspi_mount_list;

/* `but` is the path of an archive in the directory that is left to the caller, or NULL. On success `error` is clear,
 * or names the first archive that could not be read and was left out. */
bool bspi_open_game(const bspi_heap *heap, const char *directory, const char *but, bspi_mount_list *out,
                    bspscene_error *error);
/* Is it a game's: has it a gameinfo.txt or liblist.gam, or archives besides the one called `archive`? */
bool bspi_is_game(const char *directory, const char *archive);

#endif
