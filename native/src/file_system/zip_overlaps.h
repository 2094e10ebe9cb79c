/* zip_overlaps.h - finds entries of a zip that share bytes of the archive. */
#ifndef BSPI_ZIP_OVERLAPS_H
#define BSPI_ZIP_OVERLAPS_H

#include "file_system/mounts.h"

/* Makes all of them except the first unreadable. Counts the directory's sizes plus `header_size` for each local header.
 * False with the error set if memory is out. */
bool bspi_zip_refuse_overlaps(bspi_mount *mount, uint64_t header_size, bspscene_error *error);

#endif
