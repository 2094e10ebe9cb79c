/* brushes.c - makes convex bodies from brushes. The body of a brush is the intersection of the half spaces of its
 * sides. */
#include "stages/collision/collision.h"

#include <inttypes.h>

#include "base/vec.h"

static uint32_t contents_of(const bspi_map *map, const bspi_brush *brush)
{
	return brush->texture >= 0 ? map->textures[brush->texture].content_flags : (uint32_t)brush->contents;
}

/* Computes the body of a brush: a box larger than any map, clipped by each side. Returns NULL if nothing is left or the
 * body has too many sides or points. */
static const bspi_body *cut_brush(bspi_collision_maker *maker, const bspi_brush *brush)
{
	const bspi_map *map = maker->build->map;
	const float reach = BSPI_LARGEST_COORDINATE;
	bspi_body *body = &maker->buffers[0], *other = &maker->buffers[1];
	bspi_body_box(body, (const float[3]){ -reach, -reach, -reach }, (const float[3]){ reach, reach, reach });
	for (int32_t i = 0; i < brush->side_count; i++) {
		const bspi_brush_side *side = &map->brush_sides[brush->first_side + i];
		const bspi_plane *plane = &map->planes[side->plane];
		if (side->bevel) continue;
		if (!bspi_spend_work(maker, body)) return NULL;
		const double normal[3] = { (double)plane->normal[0], (double)plane->normal[1], (double)plane->normal[2] };
		switch (bspi_body_cut(body, normal, (double)plane->distance, other)) {
		case BSPI_CUT_NOTHING:
			break;
		case BSPI_CUT_SOME: {
			bspi_body *cut = other;
			other = body;
			body = cut;
			break;
		}
		case BSPI_CUT_ALL:
		case BSPI_CUT_FAILED:
			return NULL;
		}
	}
	return body;
}

/* Adds the body of a brush. Games ignore brushes without contents (hints, areaportals), so these are skipped. */
static bool add_brush(bspi_collision_maker *maker, uint32_t index)
{
	const bspi_map *map = maker->build->map;
	const bspi_brush *brush = &map->brushes[index];
	uint32_t contents = contents_of(map, brush);
	if (!contents || maker->stopped) return true;
	const bspi_body *body = cut_brush(maker, brush);
	if (!body) return true;
	if (bspi_body_is_open(body)) {
		bspi_location location = bspi_record_location(map, BSPI_ARRAY_brushes, index);
		return bspi_warn(maker->build->ctx, BSPSCENE_WARNING_REFERENCE, location,
		                 "brush left out of the collision: its %" PRId32 " sides do not enclose a volume",
		                 brush->side_count);
	}
	return bspi_add_piece(maker, body, contents, index, BSPSCENE_NO_INDEX);
}

/* Adds a model's range of brushes. In hostile files, ranges may overlap. So this stops at the first brush that another
 * range already added. */
static bool add_range(bspi_collision_maker *maker, const bspi_model *model, bool *taken)
{
	for (int32_t i = 0; i < model->brush_count && !taken[model->first_brush + i]; i++) {
		taken[model->first_brush + i] = true;
		BSPI_TRY(add_brush(maker, (uint32_t)(model->first_brush + i)));
	}
	return true;
}

typedef struct tree_walk {
	bool *node_met, *leaf_met, *taken;
	int32_t *open;
} tree_walk;

/* Adds the brushes in the leaves of a model's tree. In Quake II and Source, a model does not list its brushes anywhere
 * else. */
static bool add_tree(bspi_collision_maker *maker, int32_t head, tree_walk *walk)
{
	const bspi_map *map = maker->build->map;
	uint32_t open_count = 0;
	walk->open[open_count++] = head;
	while (open_count) {
		int32_t child = walk->open[--open_count];
		if (child >= 0) {
			if ((uint32_t)child >= map->nodes_count || walk->node_met[child]) continue;
			walk->node_met[child] = true;
			walk->open[open_count++] = map->nodes[child].children[1];
			walk->open[open_count++] = map->nodes[child].children[0];
			continue;
		}
		uint32_t index = (uint32_t)(-1 - child);
		if (index >= map->leafs_count || walk->leaf_met[index]) continue;
		walk->leaf_met[index] = true;
		const bspi_leaf *leaf = &map->leafs[index];
		for (uint32_t i = 0; i < leaf->leaf_brush_count; i++) {
			uint32_t brush = map->leaf_brushes[leaf->first_leaf_brush + i].value;
			if (walk->taken[brush]) continue;
			walk->taken[brush] = true;
			BSPI_TRY(add_brush(maker, brush));
		}
	}
	return true;
}

bool bspi_collide_brushes(bspi_collision_maker *maker)
{
	bspi_ctx *ctx = maker->build->ctx;
	const bspi_map *map = maker->build->map;
	bool ranges = false;
	for (uint32_t i = 0; i < map->models_count; i++) ranges = ranges || map->models[i].brush_count > 0;
	tree_walk walk = {
		bspi_push(ctx, &ctx->scratch, bool, map->nodes_count), bspi_push(ctx, &ctx->scratch, bool, map->leafs_count),
		bspi_push(ctx, &ctx->scratch, bool, map->brushes_count),
		/* A node that is visited pushes its two children. So there is room for two per node, and one for the root. */
		bspi_push(ctx, &ctx->scratch, int32_t, 2 * (size_t)map->nodes_count + 1),
	};
	BSPI_TRY(walk.node_met && walk.leaf_met && walk.taken && walk.open);
	for (uint32_t i = 0; i < map->models_count; i++) {
		const bspi_model *model = &map->models[i];
		if (!bspi_wants_model(ctx, i)) continue;
		BSPI_TRY(ranges ? add_range(maker, model, walk.taken) : add_tree(maker, model->head_nodes[0], &walk));
		BSPI_TRY(bspi_finish_collision_mesh(maker, i, "collision"));
		BSPI_TRY(bspi_progress(ctx, "geometry", i, map->models_count));
	}
	return true;
}
