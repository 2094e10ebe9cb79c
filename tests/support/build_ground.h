/* build_ground.h - Source maps of square displacements side by side, with the lists of neighbours that
 * their compiler writes. */
#ifndef BSPT_BUILD_GROUND_H
#define BSPT_BUILD_GROUND_H

#include "support/build_map.h"

#define BSPT_GROUND_MOST 16

typedef struct bspt_ground_piece {
	float x, y, size;                  /* its lowest corner */
	uint32_t start;                    /* vertex 0 lies at the corner x,y (0) or at the ones that follow clockwise as
	                                    * seen from above */
	uint32_t first;                    /* the face's list of corners begins with this one, counted alike */
	int32_t power;
	bool knows_nobody;                 /* its lists of neighbours are empty, but it is in others' */
} bspt_ground_piece;

typedef float bspt_height_fn(float x, float y);

/* Piece i is face i and displacement i. It shares edges, or halves of them, with others of its size,
 * its half or its double. */
bspt_bytes bspt_build_ground(const bspi_variant *variant, const bspt_ground_piece *pieces, uint32_t count,
                             bspt_height_fn *height);
/* The place of a piece's vertex, without its height. */
void bspt_ground_place(const bspt_ground_piece *piece, uint32_t vertex, float out[2]);

#endif
