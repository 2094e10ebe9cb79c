/* check_atlas.h - the atlas of a loaded scene against the luxels in the file it was loaded from. */
#ifndef BSPT_CHECK_ATLAS_H
#define BSPT_CHECK_ATLAS_H

#include "support/bspt.h"

/* A stored page in a file of its own: maps/<map>/lm_NNNN.tga, by number. RGB, top row first. */
typedef struct bspt_map_page {
	const uint8_t *rgb;
	uint32_t width, height;
} bspt_map_page;

/* Reads every luxel of every lit face back through the second uvs and compares it with the file's own (IBSP, RBSP,
 * FBSP, whose surfaces, vertices and pages this parses by itself): nearest at luxel centers, all styles and directions,
 * exact. The scene was loaded with BSPSCENE_LIGHTMAP_ENCODING_RAW. `pictures` may be NULL. Returns how many luxels were
 * compared. */
uint64_t bspt_check_atlas(const bspscene_scene *scene, const void *file, size_t size, const bspt_map_page *pictures,
                          uint32_t picture_count, bspt_report *report);

#endif
