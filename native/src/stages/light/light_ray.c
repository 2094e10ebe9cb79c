/* light_ray.c - see light_ray.h. Brushes block light if they are solid, movable or opaque (Source SDK, bspflags.h
 * MASK_OPAQUE). */
#include "stages/light/light_ray.h"

#include "base/vec.h"

#define BLOCKS_LIGHT 0x4081

enum { MOST_PARTS = 512 };

/* A part of the ray, from `begin` to `end` (0..1 along the ray), and the subtree of the BSP tree that it lies in. */
typedef struct part {
	int32_t child;
	float begin, end;
} part;

typedef struct ray {
	const bspi_map *map;
	const float *from;
	float way[3];
	uint64_t *budget;
	bspi_light_ray *out;
} ray;

static bool spend(ray *r, uint64_t count)
{
	if (*r->budget <= count) {
		*r->budget = 0;
		r->out->share = 0;
		return false;
	}
	*r->budget -= count;
	return true;
}

static float height_over(const bspi_plane *plane, const float point[3])
{
	return bspi_dot(plane->normal, point) - plane->distance;
}

static void cut_by_brush(ray *r, const bspi_brush *brush)
{
	float enter = -1, leave = 1;
	const bspi_brush_side *door = NULL;
	for (int32_t i = brush->first_side; i < brush->first_side + brush->side_count; i++) {
		const bspi_brush_side *side = &r->map->brush_sides[i];
		if (side->bevel) continue; /* bevels are only needed to trace boxes, not rays */
		const bspi_plane *plane = &r->map->planes[side->plane];
		float height = height_over(plane, r->from), rise = bspi_dot(plane->normal, r->way);
		if (height > 0 && height + rise >= 0) return;
		if (height <= 0 && height + rise <= 0) continue;
		float at = height / -rise;
		if (rise < 0 && at > enter) {
			enter = at;
			door = side;
		}
		if (rise > 0 && at < leave) leave = at;
	}
	if (!door || enter >= leave || enter >= r->out->share) return;
	r->out->share = enter;
	bool known = door->texture >= 0 && (uint32_t)door->texture < r->map->texinfos_count;
	r->out->surface_flags = known ? (uint32_t)r->map->texinfos[door->texture].flags : 0;
}

static bool look_at_leaf(ray *r, const bspi_leaf *leaf)
{
	uint32_t count = leaf->leaf_brush_count;
	if ((uint64_t)leaf->first_leaf_brush + count > r->map->leaf_brushes_count) return true;
	for (uint32_t i = leaf->first_leaf_brush; i < leaf->first_leaf_brush + count; i++) {
		uint32_t number = r->map->leaf_brushes[i].value;
		const bspi_brush *brush = number < r->map->brushes_count ? &r->map->brushes[number] : NULL;
		if (!brush || !(brush->contents & BLOCKS_LIGHT)) continue;
		if (!spend(r, (uint64_t)brush->side_count + 1)) return false;
		cut_by_brush(r, brush);
	}
	return true;
}

/* Adds the children that the segment crosses to the stack of parts. The nearer child comes last, so that it is visited
 * first. */
static uint32_t descend(const ray *r, const bspi_node *node, part whole, part *parts)
{
	const bspi_plane *plane = &r->map->planes[node->plane];
	float height = height_over(plane, r->from), rise = bspi_dot(plane->normal, r->way);
	float begin = height + rise * whole.begin, end = height + rise * whole.end;
	if ((begin >= 0 && end >= 0) || (begin < 0 && end < 0)) {
		parts[0] = (part){ node->children[begin < 0], whole.begin, whole.end };
		return 1;
	}
	float middle = fminf(fmaxf(height / -rise, whole.begin), whole.end);
	parts[0] = (part){ node->children[begin >= 0], middle, whole.end };
	parts[1] = (part){ node->children[begin < 0], whole.begin, middle };
	return 2;
}

bspi_light_ray bspi_trace_light(const bspi_map *map, const float from[3], const float to[3], uint64_t *budget)
{
	bspi_light_ray out = { .share = 1 };
	ray r = { .map = map, .from = from, .budget = budget, .out = &out };
	part parts[MOST_PARTS] = { { map->nodes_count ? 0 : -1, 0, 1 } };
	bspi_sub(r.way, to, from);
	for (uint32_t count = 1; count; ) {
		part top = parts[--count];
		if (top.begin > out.share) break;
		if (!spend(&r, 1)) break;
		if (top.child >= 0 && count + 2 <= MOST_PARTS) {
			count += descend(&r, &map->nodes[top.child], top, parts + count);
		} else if (top.child < 0 && (uint32_t)(-1 - top.child) < map->leafs_count) {
			if (!look_at_leaf(&r, &map->leafs[-1 - top.child])) break;
		}
	}
	return out;
}
