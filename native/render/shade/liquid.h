/* liquid.h - subdivides polygons of liquids into the pieces that engines warp (Quake II, GoldSrc). */
#ifndef BSPR_LIQUID_H
#define BSPR_LIQUID_H

#include <bspscene/material.h>

enum { BSPR_CUT_CORNERS = 64, BSPR_CUT_PARTS = 64 };

/* All attributes of a corner that are interpolated. */
typedef struct bspr_cut_corner {
	float position[3], normal[3], uv[2], lightmap_uv[2], page_uv[2], color[4];
} bspr_cut_corner;

typedef struct bspr_polygon {
	bspr_cut_corner corners[BSPR_CUT_CORNERS + 1];
	uint32_t count;
} bspr_polygon;

typedef void bspr_piece_fn(void *user, const bspr_polygon *piece);

/* Working memory for bspr_cut_liquid. */
typedef struct bspr_cutter {
	bspr_polygon parts[BSPR_CUT_PARTS], whole; /* parts[0] is the input */
} bspr_cutter;

/* Subdivides the polygon parts[0] and calls `emit` with each piece. Uses larger pieces if there would be many more than
 * `most`. */
void bspr_cut_liquid(bspr_cutter *cutter, const bspscene_deform *liquid, uint32_t most, bspr_piece_fn *emit,
                     void *user);

/* Returns the material's liquid deformation, or NULL. */
const bspscene_deform *bspr_liquid_of(const bspscene_material *material);

#endif
