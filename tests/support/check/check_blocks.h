/* check_blocks.h - compares the atlas of a scene with the luxel blocks of Quake, GoldSrc and Quake II maps, and checks
 * that the blocks fill their lump. Has a parser of its own. */
#ifndef BSPT_CHECK_BLOCKS_H
#define BSPT_CHECK_BLOCKS_H

#include "support/bspt.h"

/* Results of the comparison. */
typedef struct bspt_blocks {
	uint32_t faces, blocks;            /* number of lit faces in the scene, and of distinct blocks */
	uint64_t luxels;
	uint32_t gaps, overlaps;           /* number of blocks that end before or after the next one begins */
	uint64_t spare;                    /* number of bytes after the last block */
	/* True if a BSPX lump changes the size of luxels. Light for luxels of the usual size may then be stored as well,
	 * in the gaps. */
	bool own_sizes;
} bspt_blocks;

/* Reads every luxel of every lit face through the second uvs, in all styles. Each must be equal to the luxel in the
 * file. Corners must be at the luxel that the compiler's rule gives (double sums, rounded once to float; DECOUPLED_LM
 * and LMSHIFT if the file has them). `lit` is the .lit file next to the map, or NULL. The scene must be loaded with
 * BSPSCENE_LIGHTMAP_ENCODING_RAW. */
void bspt_check_blocks(const bspscene_scene *scene, bspt_bytes file, const bspt_bytes *lit, bspt_blocks *out,
                       bspt_report *report);

/* True if check_blocks.c knows the file's family. */
bool bspt_has_blocks(bspt_bytes file);

#endif
