/* map_wads.h - the WADs that a GoldSrc map's worldspawn names: those that are there, and the names of the others. */
#ifndef BSPI_MAP_WADS_H
#define BSPI_MAP_WADS_H

#include "materials/indexed/wad.h"

enum { BSPI_MOST_WADS = 64 };

typedef struct bspi_map_wads {
	bspi_wad list[BSPI_MOST_WADS];     /* in the order they are searched */
	uint32_t count;
	const char *missing[BSPI_MOST_WADS]; /* the same; in the scratch arena */
	uint32_t missing_count;
} bspi_map_wads;

/* `value` is worldspawn's: "\dev\half-life\valve\halflife.wad;..." on the mapper's disk, of which only the names
 * matter. The last one is searched first (xash3d, Mod_LoadTextures). False: the load failed. */
bool bspi_open_map_wads(bspi_ctx *ctx, const char *value, bspi_map_wads *out);
/* Names all that are missing in one warning, those that may hold the pixels of walls before those that never do.
 * `unfound`: so many of the map's textures are in none of those that are there. */
bool bspi_warn_of_missing_wads(bspi_ctx *ctx, const bspi_map_wads *wads, uint32_t unfound);

#endif
