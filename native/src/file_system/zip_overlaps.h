/* zip_overlaps.h - finds entries of a zip that share bytes of the archive. */
#ifndef BSPI_ZIP_OVERLAPS_H
#define BSPI_ZIP_OVERLAPS_H

#include "file_system/mounts.h"

/* If entries share bytes, makes all of them except the first unreadable. An entry has the bytes that the directory
 * states, and `header_size` more for its local header. If memory is out, returns false and sets the error. */
bool bspi_zip_refuse_overlaps(bspi_mount *mount, uint64_t header_size, bspscene_error *error);

#endif
