/* inner_files.h - files inside of the map (Source's pakfile), which have priority over the caller's. */
#ifndef BSPI_INNER_FILES_H
#define BSPI_INNER_FILES_H

#include <bspscene/file_system.h>

#include "base/ctx.h"

typedef struct bspi_inner_files {
	bspscene_file_system *files;       /* NULL: the map has no files */
	bspscene_load_options outer;       /* the caller's options */
} bspi_inner_files;

/* Between begin and end, the load looks for files in the archive first. An archive that cannot be read is skipped,
 * and a warning is counted. Call end even if begin fails. */
bool bspi_begin_inner_files(bspi_ctx *ctx, bspi_bytes archive, bspi_inner_files *self);
void bspi_end_inner_files(bspi_ctx *ctx, bspi_inner_files *self);

#endif
