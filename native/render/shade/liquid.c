/* liquid.c - see liquid.h. Follows xash3d's gl_rsurf.c SubdividePolygon_r and Quake II's gl_warp.c
 * R_SubdividePolygon. */
#include "shade/liquid.h"

#include <math.h>

/* Both parts of a polygon that is cut extend at least this many game units from the cut. */
#define MARGIN 8

typedef struct cut {
	int axis;
	float at;
} cut;

const bspscene_deform *bspr_liquid_of(const bspscene_material *material)
{
	bool liquid = material->deform_count == 1 && material->deforms[0]->kind == BSPSCENE_DEFORM_LIQUID;
	return liquid ? material->deforms[0] : NULL;
}

static void find_bounds(const bspr_polygon *polygon, float low[3], float high[3])
{
	for (int i = 0; i < 3; i++) {
		low[i] = high[i] = polygon->corners[0].position[i];
		for (uint32_t k = 1; k < polygon->count; k++) {
			low[i] = fminf(low[i], polygon->corners[k].position[i]);
			high[i] = fmaxf(high[i], polygon->corners[k].position[i]);
		}
	}
}

static bool find_cut(const bspr_polygon *polygon, float width, cut *out)
{
	float low[3], high[3];
	find_bounds(polygon, low, high);
	for (int i = 0; i < 3; i++) {
		float at = width * floorf((low[i] + high[i]) * 0.5f / width + 0.5f);
		if (!(high[i] - at >= MARGIN) || !(at - low[i] >= MARGIN)) continue;
		*out = (cut){ i, at };
		return true;
	}
	return false;
}

/* Interpolates a corner, which is an array of floats. */
static bspr_cut_corner between(const bspr_cut_corner *a, const bspr_cut_corner *b, float share)
{
	bspr_cut_corner out;
	const float *from = (const float *)a, *to = (const float *)b;
	float *value = (float *)&out;
	for (size_t i = 0; i < sizeof out / sizeof *value; i++) value[i] = from[i] + share * (to[i] - from[i]);
	return out;
}

static void divide(const bspr_polygon *whole, const cut *where, bspr_polygon *front, bspr_polygon *back)
{
	front->count = back->count = 0;
	for (uint32_t k = 0; k < whole->count; k++) {
		const bspr_cut_corner *here = &whole->corners[k], *next = &whole->corners[(k + 1) % whole->count];
		float a = here->position[where->axis] - where->at, b = next->position[where->axis] - where->at;
		if (a >= 0) front->corners[front->count++] = *here;
		if (a <= 0) back->corners[back->count++] = *here;
		if (!(a > 0 && b < 0) && !(a < 0 && b > 0)) continue;
		front->corners[front->count++] = back->corners[back->count++] = between(here, next, a / (a - b));
	}
}

/* Doubles the width of pieces until a grid of them has at most `most` pieces. The grid lies along the two longest sides
 * of the polygon's bounds. */
static float widen(const bspr_polygon *polygon, float width, uint32_t most)
{
	float low[3], high[3], sides[3], least;
	find_bounds(polygon, low, high);
	for (int i = 0; i < 3; i++) sides[i] = high[i] - low[i];
	least = fminf(fminf(sides[0], sides[1]), sides[2]);
	for (int doubled = 0; doubled < 32; doubled++, width *= 2) {
		float count = 1;
		for (int i = 0; i < 3; i++) count *= sides[i] / width + 1;
		if (count / (least / width + 1) <= (float)most) break;
	}
	return width;
}

void bspr_cut_liquid(bspr_cutter *c, const bspscene_deform *liquid, uint32_t most, bspr_piece_fn *emit, void *user)
{
	const uint32_t added_by_cuts = 4;
	float width = widen(&c->parts[0], liquid->width, most);
	for (uint32_t depth = 1; depth; ) {
		bspr_polygon *top = &c->parts[depth - 1];
		cut where;
		bool fits = depth < BSPR_CUT_PARTS && top->count + added_by_cuts <= BSPR_CUT_CORNERS;
		if (!(width > 0) || !fits || !find_cut(top, width, &where)) {
			emit(user, top);
			depth--;
			continue;
		}
		c->whole = *top;
		divide(&c->whole, &where, top + 1, top);
		depth++;
	}
}
