/* patch_cracks.h - finds cracks between curved patches, to test stages/geometry/patch_levels.c. */
#ifndef BSPT_PATCH_CRACKS_H
#define BSPT_PATCH_CRACKS_H

#include "stages/stages.h"

/* Counts vertices on the border of one patch that are also on the border of another patch. Each such vertex is in at
 * most one of the categories below. If it is in none, the other patch has exactly the same vertex. */
typedef struct bspt_cracks {
	uint32_t touching;                 /* number of all such vertices */
	uint32_t torn;                     /* must be 0: the borders have the same control points, so they must fit */
	uint32_t apart;                    /* the control points differ, and the other patch has a vertex close by */
	/* No vertex is close, but the border is straight there, so at most rounding is visible. */
	uint32_t on_straight;
	uint32_t open;                     /* no vertex is close, and the border is curved, so a gap is visible */
} bspt_cracks;

/* Counts cracks after bspi_build_meshes. */
bspt_cracks bspt_find_cracks(const bspi_build *build);

#endif
