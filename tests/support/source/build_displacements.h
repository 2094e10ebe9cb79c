/* build_displacements.h - Source maps of adjacent square displacements, with the lists of neighbors that the compiler
 * writes. */
#ifndef BSPT_BUILD_DISPLACEMENTS_H
#define BSPT_BUILD_DISPLACEMENTS_H

#include "support/make/build_map.h"

#define BSPT_MOST_DISPLACEMENTS 16

typedef struct bspt_displacement {
	float x, y, size;                  /* lowest corner, and length of a side */
	/* The corner of the square where vertex 0 is. Corner 0 is at x, y. The others follow clockwise, seen from above. */
	uint32_t start;
	uint32_t first;                    /* the corner of the square that the face lists first */
	int32_t power;
	bool knows_nobody;                 /* true if it lists no neighbors, although they list it */
} bspt_displacement;

typedef float bspt_height_fn(float x, float y);

/* Makes a map in which piece i is face i and displacement i. Pieces may share edges, or halves of them, with pieces of
 * the same, half or double size. */
bspt_bytes bspt_build_displacements(const bspi_variant *variant, const bspt_displacement *pieces, uint32_t count,
                                    bspt_height_fn *height);
/* Gets the position of a piece's vertex, without its height. */
void bspt_displacement_place(const bspt_displacement *piece, uint32_t vertex, float out[2]);

#endif
