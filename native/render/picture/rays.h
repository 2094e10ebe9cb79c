/* rays.h - computes colors of rays, in packets of neighbors. Hits of a packet are found together, and those with the
 * same material are shaded together, for each ray in the engine's order. */
#ifndef BSPR_RAYS_H
#define BSPR_RAYS_H

#include "moment.h"
#include "shade/facet.h"
#include "shade/shade.h"

/* Rays from one eye, through pixels of equal size. */
typedef struct bspr_packet {
	bspi_ray like;                     /* settings that all rays of the packet have */
	float directions[BSPR_PACKET][3];
	uint32_t count;
	float colors[BSPR_PACKET][4];      /* result of bspr_shade_packet; the fourth number is undefined */
	bspr_hits hits[BSPR_PACKET], behind[BSPR_PACKET]; /* hits in the world, and hits in the 3D skybox */
	bspr_facets facets;                /* a cache, kept between packets */
} bspr_packet;

/* Traces the packet's rays and fills in `hits`. */
void bspr_meet(const bspscene_renderer *renderer, const bspscene_render_options *options, const bspr_moment *moment,
               bspr_packet *packet);
void bspr_shade_packet(bspr_shading *shading, const bspr_moment *moment, bspr_packet *packet);

/* bspr_most_met returns the limit for surfaces that this many rays meet. Rays of real maps meet a few; thousands of
 * coplanar surfaces would take too long. bspr_fail_depth sets the error for exceeding it and returns false. */
uint64_t bspr_most_met(uint64_t rays);
bool bspr_fail_depth(bspscene_error *error);

#endif
