/* check_atlas.h - compares the atlas of a scene with the luxels in its file. */
#ifndef BSPT_CHECK_ATLAS_H
#define BSPT_CHECK_ATLAS_H

#include "support/bspt.h"

/* A page of luxels that is stored as a picture next to the map, maps/<map>/lm_NNNN.tga. Pixels are RGB, top row
 * first. */
typedef struct bspt_map_page {
	const uint8_t *rgb;
	uint32_t width, height;
} bspt_map_page;

/* Reads every luxel of every lit face through the second uvs, at luxel centers, in all styles and directions. Each must
 * be equal to the luxel in the file (IBSP, RBSP or FBSP, for which this has its own parser). The scene must be loaded
 * with BSPSCENE_LIGHTMAP_ENCODING_RAW. `pictures` is indexed by the NNNN of the names, and may be NULL. Returns how
 * many luxels were compared. */
uint64_t bspt_check_atlas(const bspscene_scene *scene, const void *file, size_t size, const bspt_map_page *pictures,
                          uint32_t picture_count, bspt_report *report);

#endif
