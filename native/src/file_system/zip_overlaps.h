/* zip_overlaps.h - entries of a zip that share bytes of the archive. */
#ifndef BSPI_ZIP_OVERLAPS_H
#define BSPI_ZIP_OVERLAPS_H

#include "file_system/mounts.h"

/* Makes all of them unreadable but the first one. Bytes are those of the directory and `header_size` more, which every
 * local header has. False with the error set: memory is out. */
bool bspi_zip_refuse_overlaps(bspi_mount *mount, uint64_t header_size, bspscene_error *error);

#endif
