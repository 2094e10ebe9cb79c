/* wad.h - WADs, the texture archives of Quake (WAD2) and GoldSrc (WAD3). They are opened as sibling files. */
#ifndef BSPI_WAD_H
#define BSPI_WAD_H

#include "base/ctx.h"

typedef struct bspi_wad {
	const char *path;                  /* game path of the file that was found */
	bspi_bytes bytes;
	uint32_t entry_count;
	size_t directory;                  /* offset of the entries; it was checked that all entries lie in the bytes */
} bspi_wad;

/* Opens the sibling file `name`. If there is none, returns false, and ctx->error is clear. If the file is not a WAD,
 * a warning is counted, and the result has no entries. */
bool bspi_wad_open(bspi_ctx *ctx, const char *name, bspi_wad *out);
/* Finds a miptex by its name, in upper or lower case. Returns the bytes from its header to the end of the file, or no
 * bytes if there is none. */
bspi_bytes bspi_wad_find(const bspi_wad *wad, const char *name);

#endif
