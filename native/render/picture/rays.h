/* rays.h - rays to colors, a packet of neighbors at a time: what they meet is found together, and what of it is of
 * one material is drawn together, for each ray in the engine's order. */
#ifndef BSPR_RAYS_H
#define BSPR_RAYS_H

#include "moment.h"
#include "shade/facet.h"
#include "shade/shade.h"

/* All of one eye, and of pixels as large. */
typedef struct bspr_packet {
	bspi_ray like;                     /* all but their directions */
	float directions[BSPR_PACKET][3];
	uint32_t count;
	float colors[BSPR_PACKET][4];      /* what bspr_shade_packet gives; the fourth is anything */
	bspr_hits hits[BSPR_PACKET], behind[BSPR_PACKET]; /* behind: in the 3D skybox */
	bspr_facets facets;                /* begun before the first packet, and kept for the next ones */
} bspr_packet;

/* Finds what the packet's rays meet, as its `hits`. */
void bspr_meet(const bspscene_renderer *renderer, const bspscene_render_options *options, const bspr_moment *moment,
               bspr_packet *packet);
void bspr_shade_packet(bspr_shading *shading, const bspr_moment *moment, bspr_packet *packet);

/* Rays of real maps meet a few surfaces each; thousands of coplanar ones would take too long. The limit for this many
 * rays, and the error beyond it; always returns false. */
uint64_t bspr_most_met(uint64_t rays);
bool bspr_fail_depth(bspscene_error *error);

#endif
