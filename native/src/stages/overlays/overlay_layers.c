/* overlay_layers.c - puts overlapping overlays into layers, in the order in which the game draws them, so that an
 * overlay hides those below it. They are sorted by their render order, then by position in the file; decals come last.
 * Overlays that only touch stay in one layer. */
#include "stages/geometry/geometry.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"

/* Number of the top layer. All overlays that would be above it, such as those of a long trail of stains, share it. */
#define MOST_LAYERS 24u
/* Two overlays that overlap by less than this, in game units, count as neighbors that only touch. */
#define OVERLAP 0.5f
/* Limit for the pairs of overlays that are compared. When it is reached, further overlays keep the layer that their
 * render order states, with a warning. */
#define MOST_PAIRS ((uint64_t)1 << 24)

/* The overlays that have got a layer so far, as a linked list of surfaces for each face. */
typedef struct stack {
	const bspi_build *build;
	uint32_t *last_on_face;            /* per face: the last overlay surface on it, or BSPSCENE_NO_INDEX */
	uint32_t *before;                  /* per overlay surface: the one before it on the same face */
	uint64_t pairs;
} stack;

typedef struct ranked {
	const bspi_placed_overlay *placed;
	uint32_t index;
} ranked;

static int compare_ranks(const void *left, const void *right)
{
	const ranked *a = left, *b = right;
	bool a_is_decal = a->placed->overlay->entity >= 0, b_is_decal = b->placed->overlay->entity >= 0;
	if (a_is_decal != b_is_decal) return a_is_decal ? 1 : -1;
	int32_t x = a->placed->overlay->order, y = b->placed->overlay->order;
	return x != y ? (x > y) - (x < y) : (a->index > b->index) - (a->index < b->index);
}

/* Moves an overlay's corners along its normal onto a face, and returns them as coordinates along two axes of the face's
 * plane. */
static void flatten(const bspi_map *map, const bspi_overlay *overlay, const bspi_face *face, float axes[2][3],
                    float out[4][2])
{
	float u[3], v[3];
	bspi_overlay_axes(map, overlay, face, u, v);
	for (int k = 0; k < 4; k++) {
		float corner[3];
		const float *point = overlay->points[k];
		for (int i = 0; i < 3; i++) corner[i] = overlay->origin[i] + u[i] * point[0] + v[i] * point[1];
		for (int i = 0; i < 2; i++) out[k][i] = bspi_dot(corner, axes[i]);
	}
}

/* True if one side of quad `a` separates it from quad `b` (separating axis theorem). */
static bool is_parted(const float a[4][2], const float b[4][2])
{
	for (int k = 0; k < 4; k++) {
		const float *from = a[k], *to = a[(k + 1) % 4];
		float across[2] = { to[1] - from[1], from[0] - to[0] }, length = (float)hypot(across[0], across[1]);
		float a_min = INFINITY, a_max = -INFINITY, b_min = INFINITY, b_max = -INFINITY;
		if (!(length > 0)) continue;
		for (int i = 0; i < 4; i++) {
			float x = (a[i][0] * across[0] + a[i][1] * across[1]) / length;
			float y = (b[i][0] * across[0] + b[i][1] * across[1]) / length;
			a_min = fminf(a_min, x);
			a_max = fmaxf(a_max, x);
			b_min = fminf(b_min, y);
			b_max = fmaxf(b_max, y);
		}
		if (a_max - b_min < OVERLAP || b_max - a_min < OVERLAP) return true;
	}
	return false;
}

static bool overlap(const bspi_map *map, const bspi_overlay *a, const bspi_overlay *b, const bspi_face *face)
{
	float axes[2][3], at_a[4][2], at_b[4][2];
	bspi_overlay_axes(map, a, face, axes[0], axes[1]);
	flatten(map, a, face, axes, at_a);
	flatten(map, b, face, axes, at_b);
	const float (*one)[2] = (const float (*)[2])at_a, (*other)[2] = (const float (*)[2])at_b;
	return !is_parted(one, other) && !is_parted(other, one);
}

/* Returns the lowest layer for this overlay that is above all overlays that it hides. */
static uint32_t find_layer(stack *s, const bspi_placed_overlay *placed)
{
	const bspi_build *build = s->build;
	uint32_t layer = (uint32_t)placed->overlay->order;
	for (uint32_t i = placed->first_surface; i < placed->first_surface + placed->surface_count; i++) {
		uint32_t face = build->plan.surfaces[i].face;
		uint32_t other = s->last_on_face[face];
		for (; other != BSPSCENE_NO_INDEX && s->pairs <= MOST_PAIRS; other = s->before[other]) {
			const bspi_placed_overlay *below = &build->overlays[build->plan.surfaces[other].overlay];
			s->pairs++;
			if (below->layer < layer || below->water != placed->water) continue;
			bool hidden = overlap(build->map, placed->overlay, below->overlay, &build->map->faces[face]);
			if (hidden) layer = below->layer + 1;
		}
	}
	return layer < MOST_LAYERS ? layer : MOST_LAYERS;
}

static void put_down(stack *s, const bspi_placed_overlay *placed)
{
	for (uint32_t i = placed->first_surface; i < placed->first_surface + placed->surface_count; i++) {
		uint32_t *last = &s->last_on_face[s->build->plan.surfaces[i].face];
		s->before[i] = *last;
		*last = i;
	}
}

bool bspi_stack_overlays(bspi_build *build)
{
	bspi_ctx *ctx = build->ctx;
	stack s = { .build = build };
	s.last_on_face = bspi_push(ctx, &ctx->stage, uint32_t, build->map->faces_count);
	s.before = bspi_push(ctx, &ctx->stage, uint32_t, build->plan.surface_count);
	ranked *order = bspi_push(ctx, &ctx->stage, ranked, build->overlay_count);
	BSPI_TRY(s.last_on_face && s.before && order);
	memset(s.last_on_face, 0xff, build->map->faces_count * sizeof *s.last_on_face);
	for (uint32_t i = 0; i < build->overlay_count; i++) order[i] = (ranked){ &build->overlays[i], i };
	if (build->overlay_count) qsort(order, build->overlay_count, sizeof *order, compare_ranks);
	for (uint32_t i = 0; i < build->overlay_count; i++) {
		bspi_placed_overlay *placed = &build->overlays[order[i].index];
		placed->layer = find_layer(&s, placed);
		put_down(&s, placed);
	}
	if (s.pairs <= MOST_PAIRS) return true;
	return bspi_warn(ctx, BSPSCENE_WARNING_LIMIT, BSPI_LUMP("overlays"),
	                 "too many overlays lie on the same faces: their order may be wrong there");
}
