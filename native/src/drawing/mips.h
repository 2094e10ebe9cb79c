/* mips.h - images with mipmaps, which sample.h samples. */
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
	bool decoded;                      /* true: level 0 must be freed by bspscene_pixels_free; false: `memory`
	                                    * allocated it */
} bspi_mips;

/* Computes mipmaps down to one texel. At least level 0 must be set; levels that exist are kept. Levels larger than
 * `side` are dropped. False if memory is out. */
bool bspi_mips_build(const bspscene_allocator *memory, bspi_mips *mips, uint32_t side);
void bspi_mips_free(const bspscene_allocator *memory, bspi_mips *mips); /* `mips` may be all zeros */

#endif
