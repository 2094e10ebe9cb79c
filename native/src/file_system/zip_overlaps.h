/* zip_overlaps.h - finds entries of a zip that share bytes of the archive. */
#ifndef BSPI_ZIP_OVERLAPS_H
#define BSPI_ZIP_OVERLAPS_H

#include "file_system/mounts.h"

/* Of entries that share bytes, makes all except the first unreadable. An entry's bytes are those that the directory
 * states, plus `header_size` for its local header. If memory is out, returns false and sets the error. */
bool bspi_zip_refuse_overlaps(bspi_mount *mount, uint64_t header_size, bspscene_error *error);

#endif
