/* facet.h - triangles as the eye sees them: what all rays that meet one of them share, found once for neighbors. */
#ifndef BSPR_FACET_H
#define BSPR_FACET_H

#include "trace.h"

/* The weights of a triangle's second and third corner are ratios of functions that are linear in the direction, so
 * those of neighboring pixels come from the same three vectors. */
typedef struct bspr_facet {
	const bspr_instance *instance;     /* NULL: none yet */
	uint32_t triangle, corners[3];
	uint32_t run;                      /* the ray packet that last used it */
	float places[3][3];                /* of its corners in the world */
	float across[3][3];                /* what a direction is multiplied with: its plane's normal, then one for each of
	                                    * the two weights */
	float steps[2][3];                 /* change of these products per pixel, to the right and down */
} bspr_facet;

/* A triangle is met by rays that are near each other: the last ones are kept, of this run all. */
enum { BSPR_KEPT_FACETS = 128 };
typedef struct bspr_facets {
	float eye[3], steps[2][3];         /* change of directions per pixel, as of a facet */
	uint32_t run, spare_count;
	bspr_facet kept[BSPR_KEPT_FACETS], spares[BSPR_PACKET];
} bspr_facets;

void bspr_begin_facets(bspr_facets *facets, const float eye[3], const float right[3], const float below[3]);
/* Memory that is reused by the next run of a packet. */
void bspr_begin_run(bspr_facets *facets);
const bspr_facet *bspr_find_facet(bspr_facets *facets, const bspr_hit *hit);

/* The corners' shares of the place where a direction meets the triangle, and what is added to the next pixels'. */
void bspr_find_weights(const bspr_facet *facet, const float direction[3], float weights[3], float right[3],
                       float below[3]);

#endif
