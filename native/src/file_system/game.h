/* game.h - mounts the archives of a game directory in its engine's order. */
#ifndef BSPI_GAME_H
#define BSPI_GAME_H

#include "file_system/mounts.h"

typedef struct bspi_mount_list {
	const bspi_heap *heap;             /* allocates the mounts and their array */
	bspi_mount **mounts;               /* in order of increasing priority */
	uint32_t count;
	const char *but;                   /* path of an archive that is not opened, or NULL */
} bspi_mount_list;

/* Opens the archives of a directory, except `but`, which is the path of one of them, or NULL. On success, `error` is
 * clear or describes the first archive that was skipped because it cannot be read. */
bool bspi_open_game(const bspi_heap *heap, const char *directory, const char *but, bspi_mount_list *out,
                    bspscene_error *error);
/* True if the directory is a game's: it has gameinfo.txt or liblist.gam, or archives other than `archive`. */
bool bspi_is_game(const char *directory, const char *archive);

#endif
