/* build_source.h - parts of the room for Source maps: see build_source.c. */
#ifndef BSPT_BUILD_SOURCE_H
#define BSPT_BUILD_SOURCE_H

#include "support/make/build_map.h"

/* Makes the game lump. Also lists the positions of those numbers in it that are offsets from the file's start.
 * build_source_props.c */
void bspt_source_game_lump(const bspi_variant *variant, bspt_parts *parts);
/* Returns a static zip. build_source_pakfile.c */
bspi_bytes bspt_source_pakfile(void);

#endif
