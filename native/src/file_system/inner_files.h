/* inner_files.h - files inside the map itself (Source's pakfile), found before those of the caller. */
#ifndef BSPI_INNER_FILES_H
#define BSPI_INNER_FILES_H

#include <bspscene/file_system.h>

#include "base/ctx.h"

typedef struct bspi_inner_files {
	bspscene_file_system *files;       /* NULL: the map has none */
	bspscene_load_options outer;       /* the caller's */
} bspi_inner_files;

/* From here to the end, the load finds the archive's files first. An archive that cannot be read is left out, counted.
 * `self` is ended also when this fails. */
bool bspi_begin_inner_files(bspi_ctx *ctx, bspi_bytes archive, bspi_inner_files *self);
void bspi_end_inner_files(bspi_ctx *ctx, bspi_inner_files *self);

#endif
