/* vpk.h - shared by the readers of Valve's VPK and Respawn's. */
#ifndef BSPI_VPK_H
#define BSPI_VPK_H

#include "file_system/mounts.h"

/* Reads an entry of a version 2.3 tree. False if the tree is damaged or the error is set. respawn_vpk.c */
bool bspi_vpk_read_respawn_entry(bspi_mount *mount, bspi_cursor *tree, uint64_t header_size, const char *name,
                                 bspscene_error *error);
/* Returns the file name without its language prefix, if it has one. respawn_vpk.c */
const char *bspi_vpk_skip_language(const char *file_name);

#endif
