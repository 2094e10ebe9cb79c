/* game.h - the archives of a game directory, in the order its engine mounts them. */
#ifndef BSPI_GAME_H
#define BSPI_GAME_H

#include "files/files.h"

typedef struct bspi_mount_list {
	bspi_mount **mounts;               /* malloc'd; the last one wins */
	uint32_t count;
} bspi_mount_list;

/* On success `error` is clear, or names the first archive that could not be read and was left out. */
bool bspi_open_game(const char *directory, bspi_mount_list *out, bspscene_error *error);

#endif
