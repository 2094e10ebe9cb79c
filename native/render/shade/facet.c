/* facet.c - see facet.h. */
#include "shade/facet.h"

#include <math.h>
#include <string.h>

#include "drawing/four.h"
#include "vector.h"

/* Divisors smaller than this count as zero. */
#define LEAST 1e-12f

void bspr_begin_facets(bspr_facets *facets, const float eye[3], const float right[3], const float below[3])
{
	memcpy(facets->eye, eye, sizeof facets->eye);
	memcpy(facets->steps[0], right, sizeof facets->steps[0]);
	memcpy(facets->steps[1], below, sizeof facets->steps[1]);
	facets->run = facets->spare_count = 0;
	for (uint32_t i = 0; i < BSPR_KEPT_FACETS; i++) facets->kept[i].instance = NULL;
}

void bspr_begin_run(bspr_facets *facets)
{
	facets->run++;
	facets->spare_count = 0;
}

static void fill(const bspr_facets *facets, const bspr_hit *hit, bspr_facet *out)
{
	float ab[3], ac[3], to_a[3];
	out->instance = hit->instance;
	out->triangle = hit->triangle;
	memcpy(out->corners, hit->instance->mesh->indices + (size_t)hit->triangle * 3, sizeof out->corners);
	for (int k = 0; k < 3; k++) bspr_vertex_position(hit->instance, out->corners[k], out->places[k]);
	const float *a = out->places[0], *b = out->places[1], *c = out->places[2];
	for (int i = 0; i < 3; i++) {
		ab[i] = b[i] - a[i];
		ac[i] = c[i] - a[i];
		to_a[i] = facets->eye[i] - a[i];
	}
	bspr_cross(ac, ab, out->across[0]);
	bspr_cross(ac, to_a, out->across[1]);
	bspr_cross(to_a, ab, out->across[2]);
	for (int step = 0; step < 2; step++) {
		for (int i = 0; i < 3; i++) out->steps[step][i] = bspr_dot(facets->steps[step], out->across[i]);
	}
}

/* Returns the triangle's entry in the cache. If another triangle of this run uses that entry, returns one of the spare
 * entries. */
const bspr_facet *bspr_find_facet(bspr_facets *facets, const bspr_hit *hit)
{
	uint32_t number = (hit->triangle + (uint32_t)((uintptr_t)hit->instance / sizeof *hit->instance)) % BSPR_KEPT_FACETS;
	bspr_facet *facet = &facets->kept[number];
	if (facet->instance != hit->instance || facet->triangle != hit->triangle) {
		if (facet->instance && facet->run == facets->run) facet = &facets->spares[facets->spare_count++];
		fill(facets, hit, facet);
	}
	facet->run = facets->run;
	return facet;
}

/* Computes the quotients if one of the divisors is nearly zero, for example if the triangle is seen edge-on. If this
 * pixel's divisor is nearly zero, both of its weights are 0, which selects the first corner. If the divisor of a
 * neighboring pixel is nearly zero, the neighbor gets the weights of this pixel. */
static void find_on_edge(const float over[3], const float along[6], float out[6])
{
	for (int i = 0; i < 6; i++) {
		bool there = fabsf(over[i / 2]) >= LEAST;
		out[i] = there ? along[i] / over[i / 2] : i < 2 ? 0 : out[i % 2];
	}
}

/* Computes the weights of the triangle's second and third corner, for this pixel, the one to its right and the one
 * below it. */
static inline void find_quotients(const float over[3], const float along[6], float out[8])
{
	if (fabsf(over[0]) < LEAST || fabsf(over[1]) < LEAST || fabsf(over[2]) < LEAST) {
		find_on_edge(over, along, out);
		return;
	}
	bspi_four first = bspi_four_from(along[0], along[1], along[2], along[3]);
	bspi_four second = bspi_four_from(along[4], along[5], 0, 0);
	bspi_four_store(out, bspi_four_quotient(first, bspi_four_from(over[0], over[0], over[1], over[1])));
	bspi_four_store(out + 4, bspi_four_quotient(second, bspi_four_same(over[2])));
}

void bspr_find_weights(const bspr_facet *facet, const float direction[3], float weights[3], float right[3],
                       float below[3])
{
	const float (*steps)[3] = facet->steps;
	const float plane = bspr_dot(direction, facet->across[0]);
	const float second = bspr_dot(direction, facet->across[1]), third = bspr_dot(direction, facet->across[2]);
	const float over[3] = { plane, plane + steps[0][0], plane + steps[1][0] };
	const float along[6] = {
		second, third, second + steps[0][1], third + steps[0][2], second + steps[1][1], third + steps[1][2],
	};
	float out[8];
	find_quotients(over, along, out);
	for (int i = 0; i < 2; i++) {
		weights[i + 1] = bspr_clamp01(out[i]);
		right[i + 1] = out[2 + i] - out[i];
		below[i + 1] = out[4 + i] - out[i];
	}
	weights[0] = 1 - weights[1] - weights[2];
	right[0] = -right[1] - right[2];
	below[0] = -below[1] - below[2];
}
