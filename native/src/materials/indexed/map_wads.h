/* map_wads.h - opens the WADs that worldspawn of a GoldSrc map names, and lists those that are missing. */
#ifndef BSPI_MAP_WADS_H
#define BSPI_MAP_WADS_H

#include "materials/indexed/wad.h"

enum { BSPI_MOST_WADS = 64 };

typedef struct bspi_map_wads {
	bspi_wad list[BSPI_MOST_WADS];     /* in the order in which they are searched */
	uint32_t count;
	const char *missing[BSPI_MOST_WADS]; /* not found, in search order; in the scratch arena */
	uint32_t missing_count;
} bspi_map_wads;

/* Opens the WADs that worldspawn's value names. The value has paths on the author's disk, like
 * "\dev\half-life\valve\halflife.wad;...", of which only the file names matter. The last WAD is searched first
 * (xash3d, Mod_LoadTextures). Returns false if the load failed. */
bool bspi_open_map_wads(bspi_ctx *ctx, const char *value, bspi_map_wads *out);
/* Counts one warning with the names of all missing WADs. WADs that may contain textures of walls come first.
 * `unfound` is how many of the map's textures are in none of the opened WADs. */
bool bspi_warn_of_missing_wads(bspi_ctx *ctx, const bspi_map_wads *wads, uint32_t unfound);

#endif
