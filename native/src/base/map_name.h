/* map_name.h - what a map is called by its path. */
#ifndef BSPI_MAP_NAME_H
#define BSPI_MAP_NAME_H

#include "base/bytes.h"

/* "atrium" of "maps/atrium.bsp", and of "atrium.bsp.bz2" and whatever else may follow; the last part as it is when
 * there is no ".bsp" in it. Part of `path`. */
bspi_bytes bspi_map_stem(const char *path);
/* How long a path is without ".bsp" and what follows that. */
size_t bspi_map_path_size(const char *path);

#endif
