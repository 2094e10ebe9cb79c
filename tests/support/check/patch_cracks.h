/* patch_cracks.h - looks for cracks between curved patches: the proof of stages/geometry/patch_levels.c. */
#ifndef BSPT_PATCH_CRACKS_H
#define BSPT_PATCH_CRACKS_H

#include "stages/stages.h"

/* Vertices on the border of one patch that lie on the border of another. Those of no further category are shared: the
 * other patch has a vertex that is the same to the last bit. */
typedef struct bspt_cracks {
	uint32_t touching;                 /* all of them */
	uint32_t torn;                     /* both borders have the same three control points here: never allowed */
	uint32_t apart;                    /* other control points; the other patch has a vertex close by */
	uint32_t on_straight;              /* none close by, but its border is straight there: only rounding shows
	                                    * through */
	uint32_t open;                     /* none close by, and its border is curved: a gap that can be seen */
} bspt_cracks;

/* Of a build after bspi_build_meshes. */
bspt_cracks bspt_find_cracks(const bspi_build *build);

#endif
