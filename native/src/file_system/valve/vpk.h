/* vpk.h - what the readers of Valve's VPK and of Respawn's share. */
#ifndef BSPI_VPK_H
#define BSPI_VPK_H

#include "file_system/mounts.h"

/* Reads an entry of a tree of version 2.3. False: the tree is broken, or the error is set. respawn_vpk.c */
bool bspi_vpk_read_respawn_entry(bspi_mount *mount, bspi_cursor *tree, uint64_t header_size, const char *name,
                                 bspscene_error *error);
/* The part of a file's name after its language; the name itself where it has none. respawn_vpk.c */
const char *bspi_vpk_skip_language(const char *file_name);

#endif
