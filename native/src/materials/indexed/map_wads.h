/* map_wads.h - opens the WADs that a GoldSrc map's worldspawn names, and lists the missing ones. */
#ifndef BSPI_MAP_WADS_H
#define BSPI_MAP_WADS_H

#include "materials/indexed/wad.h"

enum { BSPI_MOST_WADS = 64 };

typedef struct bspi_map_wads {
	bspi_wad list[BSPI_MOST_WADS];     /* in search order */
	uint32_t count;
	const char *missing[BSPI_MOST_WADS]; /* files not found, in search order; in the scratch arena */
	uint32_t missing_count;
} bspi_map_wads;

/* Opens the WADs of worldspawn's value: paths on the mapper's disk, like "\dev\half-life\valve\halflife.wad;...", of
 * which only file names matter. The last one is searched first (xash3d, Mod_LoadTextures). False: the load failed. */
bool bspi_open_map_wads(bspi_ctx *ctx, const char *value, bspi_map_wads *out);
/* Names all missing WADs in one warning, those that may contain wall textures first. `unfound` is the number of the
 * map's textures that no opened WAD contains. */
bool bspi_warn_of_missing_wads(bspi_ctx *ctx, const bspi_map_wads *wads, uint32_t unfound);

#endif
