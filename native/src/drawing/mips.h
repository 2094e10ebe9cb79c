/* mips.h - images as mipmapped textures, sample.h looks into them. */
#ifndef BSPI_DRAWING_MIPS_H
#define BSPI_DRAWING_MIPS_H

#include <bspscene/common.h>

#define BSPI_MOST_MIP_LEVELS 16

typedef struct bspi_mip_level {
	uint32_t width, height;
	uint8_t *rgba;
} bspi_mip_level;

typedef struct bspi_mips {
	bspi_mip_level levels[BSPI_MOST_MIP_LEVELS];
	uint32_t level_count;
	bool decoded;                      /* the first level is bspscene_pixels_free's */
} bspi_mips;

/* Of a picture whose first level is there, of `memory` or as a decoder gave it: the others. What is wider or higher
 * than `side` starts at the first level that is not. False: out of memory. */
bool bspi_mips_build(const bspscene_allocator *memory, bspi_mips *mips, uint32_t side);
void bspi_mips_free(const bspscene_allocator *memory, bspi_mips *mips); /* also of zeroed ones */

#endif
