/* facet.h - triangles as seen from the eye: values shared by all rays that meet a triangle, computed once for
 * neighbors. */
#ifndef BSPR_FACET_H
#define BSPR_FACET_H

#include "trace.h"

/* A triangle as seen from the eye. The barycentric weights where a ray meets it are quotients of linear functions of
 * the ray's direction. So three vectors give the weights at a pixel and, by their steps, at the neighboring pixels. */
typedef struct bspr_facet {
	const bspr_instance *instance;     /* NULL: the entry is unused */
	uint32_t triangle, corners[3];
	uint32_t run;                      /* the last run that used this entry */
	float places[3][3];                /* positions of the corners in the world */
	float across[3][3]; /* vectors whose dot products with a direction are the divisor (the plane's normal) and the
	                     * dividends of the two weights */
	float steps[2][3];                 /* change of the three dot products from a pixel to the one at the right and to
	                                    * the one below */
} bspr_facet;

/* A cache of recent triangles, because neighboring rays often meet the same triangles. The rays that are shaded
 * together are a run. All triangles of a run stay in the cache until the run ends. */
enum { BSPR_KEPT_FACETS = 128 };
typedef struct bspr_facets {
	float eye[3], steps[2][3];         /* the eye in the world; change of the ray's direction to the pixel at the right
	                                    * and to the one below */
	uint32_t run, spare_count;
	bspr_facet kept[BSPR_KEPT_FACETS], spares[BSPR_PACKET];
} bspr_facets;

void bspr_begin_facets(bspr_facets *facets, const float eye[3], const float right[3], const float below[3]);
/* Begins a run. Triangles of earlier runs stay in the cache until others need their entries. */
void bspr_begin_run(bspr_facets *facets);
const bspr_facet *bspr_find_facet(bspr_facets *facets, const bspr_hit *hit);

/* Computes the barycentric weights where a ray in this direction meets the triangle. `right` gets the weights at
 * the pixel to the right minus these weights, and `below` those at the pixel below minus these weights. */
void bspr_find_weights(const bspr_facet *facet, const float direction[3], float weights[3], float right[3],
                       float below[3]);

#endif
