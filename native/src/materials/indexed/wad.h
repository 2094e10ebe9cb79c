/* wad.h - texture archives of Quake (WAD2) and GoldSrc (WAD3), opened as sibling files. */
#ifndef BSPI_WAD_H
#define BSPI_WAD_H

#include "base/ctx.h"

typedef struct bspi_wad {
	const char *path;                  /* where it was found */
	bspi_bytes bytes;
	uint32_t entry_count;
	size_t directory;                  /* offset of the entries, checked to lie in the bytes */
} bspi_wad;

/* Opens `name` next to the map. False without ctx->error if there is none. A file that is no WAD is counted and has no
 * entries. */
bool bspi_wad_open(bspi_ctx *ctx, const char *name, bspi_wad *out);
/* Finds a miptex by name (ASCII case ignored). Returns the bytes from its header to the end of the file, or none. */
bspi_bytes bspi_wad_find(const bspi_wad *wad, const char *name);

#endif
