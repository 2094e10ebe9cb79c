/* facet.c - see facet.h. */
#include "shade/facet.h"

#include <math.h>
#include <string.h>

#include "vector.h"

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

/* Where two of one run would be kept, the second is a spare one. */
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

void bspr_find_weights(const bspr_facet *facet, const float direction[3], float weights[3], float right[3],
                       float below[3])
{
	const float least = 1e-12f, over = bspr_dot(direction, facet->across[0]);
	const float along[2] = { bspr_dot(direction, facet->across[1]), bspr_dot(direction, facet->across[2]) };
	float here[2] = { 0, 0 };
	for (int i = 0; i < 2 && fabsf(over) >= least; i++) here[i] = along[i] / over;
	for (int step = 0; step < 2; step++) {
		const float *change = facet->steps[step], next = over + change[0];
		float *to = step ? below : right;
		bool there = fabsf(next) >= least;
		to[1] = there ? (along[0] + change[1]) / next - here[0] : 0;
		to[2] = there ? (along[1] + change[2]) / next - here[1] : 0;
		to[0] = -to[1] - to[2];
	}
	for (int i = 0; i < 2; i++) weights[i + 1] = bspr_clamp01(here[i]);
	weights[0] = 1 - weights[1] - weights[2];
}
