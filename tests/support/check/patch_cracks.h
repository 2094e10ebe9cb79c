/* patch_cracks.h - looks for cracks between curved patches: the proof of stages/geometry/patch_levels.c. */
#ifndef BSPT_PATCH_CRACKS_H
#define BSPT_PATCH_CRACKS_H

#include "stages/stages.h"

/* Counts vertices on the border of one patch that are on the border of another. Those in no other category are shared:
 * the other patch has a vertex that is equal to the last bit. */
typedef struct bspt_cracks {
	uint32_t touching;                 /* all of them */
	uint32_t torn;                     /* both borders have the same three control points here: never allowed */
	uint32_t apart;                    /* other control points; the other patch has a vertex close by */
	uint32_t on_straight;              /* no vertex is close, but the border is straight there: only rounding is
	                                    * visible */
	uint32_t open;                     /* no vertex is close, and the border is curved: a visible gap */
} bspt_cracks;

/* Call it after bspi_build_meshes. */
bspt_cracks bspt_find_cracks(const bspi_build *build);

#endif
