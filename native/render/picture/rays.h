/* rays.h - computes the colors of rays, in packets of neighboring rays. Hits of a packet are found together, and hits
 * in the same section are shaded together. For each ray, hits are blended in the engine's order. */
#ifndef BSPR_RAYS_H
#define BSPR_RAYS_H

#include "moment.h"
#include "shade/facet.h"
#include "shade/shade.h"

/* Rays from one eye through neighboring pixels. */
typedef struct bspr_packet {
	bspi_ray like;                     /* what all rays of the packet share: their origin, dx and dy */
	float directions[BSPR_PACKET][3];
	uint32_t count;
	float colors[BSPR_PACKET][4];      /* result of bspr_shade_packet; the fourth component is undefined */
	bspr_hits hits[BSPR_PACKET], behind[BSPR_PACKET]; /* hits in the world, and hits in the 3D skybox */
	bspr_facets facets;                /* a cache of triangles, which is kept for the next packet */
} bspr_packet;

/* Traces the packet's rays and fills in `hits`. */
void bspr_meet(const bspscene_renderer *renderer, const bspscene_render_options *options, const bspr_moment *moment,
               bspr_packet *packet);
void bspr_shade_packet(bspr_shading *shading, const bspr_moment *moment, bspr_packet *packet);

/* bspr_most_met returns how many surfaces this number of rays may meet in total. The limit exists because a map with
 * thousands of coplanar surfaces would take too long; in real maps a ray meets only a few. If the rays met more,
 * bspr_fail_depth sets the error and returns false. */
uint64_t bspr_most_met(uint64_t rays);
bool bspr_fail_depth(bspscene_error *error);

#endif
