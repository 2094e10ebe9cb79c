/* build_displacements.h - Source maps of square displacements side by side, with the lists of neighbors that
 * their compiler writes. */
#ifndef BSPT_BUILD_DISPLACEMENTS_H
#define BSPT_BUILD_DISPLACEMENTS_H

#include "support/make/build_map.h"

#define BSPT_MOST_DISPLACEMENTS 16

typedef struct bspt_displacement {
	float x, y, size;                  /* its lowest corner */
	uint32_t start;                    /* vertex 0 is at the corner x,y (0), or at the next ones, clockwise as seen from
	                                    * above */
	uint32_t first;                    /* the face's list of corners begins with this one, counted alike */
	int32_t power;
	bool knows_nobody;                 /* its lists of neighbors are empty, but it is in others' */
} bspt_displacement;

typedef float bspt_height_fn(float x, float y);

/* Piece i is face i and displacement i. It shares edges, or halves of them, with others of its size,
 * its half or its double. */
bspt_bytes bspt_build_displacements(const bspi_variant *variant, const bspt_displacement *pieces, uint32_t count,
                                    bspt_height_fn *height);
/* The place of a piece's vertex, without its height. */
void bspt_displacement_place(const bspt_displacement *piece, uint32_t vertex, float out[2]);

#endif
