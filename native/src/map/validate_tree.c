/* validate_tree.c - checks that nodes form trees, that leaves list faces and brushes that exist, and that areas list
 * portals that exist. */
#include "map/validate.h"

#include <inttypes.h>

#include "base/vec.h"

/* Limit for the lists of all leaves together. In real maps they are far shorter. In hostile files all lists may
 * overlap. */
#define MOST_LISTED ((uint32_t)1 << 24)

/* Leaf 0 as the child of a node. It replaces a child that does not exist, has another parent, or closes a cycle. */
#define SOME_LEAF (-1)

/* Replaces invalid bounds by empty ones. (Bounds are only used to make searches faster.) */
static void check_bounds(float mins[3], float maxs[3])
{
	bool box = bspi_are_finite(mins, 3) && bspi_are_finite(maxs, 3);
	for (int i = 0; i < 3; i++) box = box && mins[i] <= maxs[i];
	if (box) return;
	bspi_copy3(mins, BSPI_NO_BOUNDS.min);
	bspi_copy3(maxs, BSPI_NO_BOUNDS.max);
}

/* Lets each node keep at most one parent, so that all nodes lie in trees or in cycles. cut_circles then removes the
 * cycles, which no root reaches. */
static bool check_parents(bspi_ctx *ctx, bspi_map *map, bool *has_parent)
{
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		bspi_node *node = &map->nodes[i];
		for (int side = 0; side < 2; side++) {
			int32_t child = node->children[side];
			bool is_node = child >= 0;
			bool exists = is_node ? bspi_is_index(child, map->nodes_count)
			                      : bspi_is_index(-1 - (int64_t)child, map->leafs_count);
			if (exists && is_node && child && !has_parent[child]) has_parent[child] = true;
			else if (!exists || is_node) {
				BSPI_REPAIR(nodes, i, TREE,
				            exists ? "child %" PRId32 " has another parent: an empty leaf takes its place"
				                   : "child %" PRId32 " does not exist: an empty leaf takes its place",
				            child);
				node->children[side] = SOME_LEAF;
			}
		}
	}
	return true;
}

static bool cut_circles(bspi_ctx *ctx, bspi_map *map, const bool *has_parent)
{
	uint32_t *open = bspi_push(ctx, &ctx->stage, uint32_t, map->nodes_count);
	uint32_t open_count = 0;
	bool *reached = bspi_push(ctx, &ctx->stage, bool, map->nodes_count);
	BSPI_TRY(open && reached);
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		if (!has_parent[i]) open[open_count++] = i;
	}
	while (open_count) {
		uint32_t i = open[--open_count];
		reached[i] = true;
		for (int side = 0; side < 2; side++) {
			int32_t child = map->nodes[i].children[side];
			if (child >= 0) open[open_count++] = (uint32_t)child;
		}
	}
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		if (reached[i]) continue;
		BSPI_REPAIR(nodes, i, TREE, "the tree has a cycle here: this node gets empty leafs as children");
		map->nodes[i].children[0] = map->nodes[i].children[1] = SOME_LEAF;
	}
	return true;
}

static bool check_nodes(bspi_ctx *ctx, bspi_map *map)
{
	if (!map->nodes_count) return true;
	if (!map->leafs_count || !map->planes_count) {
		BSPI_REPAIR(nodes, 0, TREE, "there are no %s: the tree is left out", map->leafs_count ? "planes" : "leafs");
		map->nodes_count = 0;
		return true;
	}
	for (uint32_t i = 0; i < map->nodes_count; i++) {
		bspi_node *node = &map->nodes[i];
		check_bounds(node->mins, node->maxs);
		if (!bspi_is_index(node->plane, map->planes_count)) {
			BSPI_REPAIR(nodes, i, TREE, "it uses plane %" PRId32 ", but there are %" PRIu32 ": plane 0 is used",
			            node->plane, map->planes_count);
			node->plane = 0;
		}
		if (!BSPI_TAKE_RANGE(node->first_face, node->face_count, map->faces_count)) {
			BSPI_REPAIR(nodes, i, TREE,
			            "it lists %" PRIu32 " faces from number %" PRIu32 " on, but there are %" PRIu32
			            ": it lists none",
			            node->face_count, node->first_face, map->faces_count);
			node->first_face = node->face_count = 0;
		}
	}
	bool *has_parent = bspi_push(ctx, &ctx->stage, bool, map->nodes_count);
	return has_parent && check_parents(ctx, map, has_parent) && cut_circles(ctx, map, has_parent);
}

/* Checks only the indices of clip nodes. Compilers may share clip nodes between hulls, so they need not form trees.
 * Code that descends in them must count its steps. */
static bool check_clipnodes(bspi_ctx *ctx, bspi_map *map)
{
	enum { SOLID = -2 };
	for (uint32_t i = 0; i < map->clipnodes_count; i++) {
		bspi_clipnode *node = &map->clipnodes[i];
		for (int side = 0; side < 2; side++) {
			if (node->children[side] < (int64_t)map->clipnodes_count) continue;
			BSPI_REPAIR(clipnodes, i, TREE,
			            "it uses child %" PRId32 ", but there are %" PRIu32 ": that side becomes solid",
			            node->children[side], map->clipnodes_count);
			node->children[side] = SOLID;
		}
		if (bspi_is_index(node->plane, map->planes_count)) continue;
		BSPI_REPAIR(clipnodes, i, TREE,
		            "it uses plane %" PRId32 ", but there are %" PRIu32 ": both sides become solid", node->plane,
		            map->planes_count);
		*node = (bspi_clipnode){ 0, { SOLID, SOLID } };
	}
	if (!map->planes_count) map->clipnodes_count = 0;
	return true;
}

/* Checks a list of a leaf. The list is cut before its first invalid entry. `left` limits the total length of all
 * lists. */
static bool check_list(bspi_ctx *ctx, bspi_map *map, uint32_t leaf, const char *what, const bspi_index *list,
                       uint32_t list_count, uint32_t limit, uint32_t *left, uint32_t *first, uint32_t *count)
{
	uint32_t good = 0;
	if (!BSPI_TAKE_RANGE(*first, *count, list_count) || *count > *left) {
		BSPI_REPAIR(leafs, leaf, TREE,
		            "its list of %" PRIu32 " %s from entry %" PRIu32
		            " on overlaps other lists, or ends past the last of %" PRIu32 " entries: left out",
		            *count, what, *first, list_count);
		*first = *count = 0;
	}
	*left -= *count;
	while (good < *count && list[*first + good].value < limit) good++;
	if (good < *count) {
		BSPI_REPAIR(leafs, leaf, TREE,
		            "its list of %s names number %" PRIu32 ", but there are %" PRIu32 ": it is cut before that", what,
		            list[*first + good].value, limit);
		*count = good;
	}
	return true;
}

static bool check_leafs(bspi_ctx *ctx, bspi_map *map)
{
	uint32_t clusters = map->cluster_count ? map->cluster_count : map->leafs_count;
	uint32_t areas = map->areas_count ? map->areas_count : map->leafs_count;
	uint32_t faces_left = MOST_LISTED, brushes_left = MOST_LISTED;
	for (uint32_t i = 0; i < map->leafs_count; i++) {
		bspi_leaf *leaf = &map->leafs[i];
		check_bounds(leaf->mins, leaf->maxs);
		if (leaf->cluster != -1 && !bspi_is_index(leaf->cluster, clusters)) {
			BSPI_REPAIR(leafs, i, REFERENCE,
			            "it names cluster %" PRId32 ", but there are %" PRIu32 ": it gets no cluster", leaf->cluster,
			            clusters);
			leaf->cluster = -1;
		}
		if (leaf->area != -1 && !bspi_is_index(leaf->area, areas)) {
			BSPI_REPAIR(leafs, i, REFERENCE, "it names area %" PRId32 ", but there are %" PRIu32 ": it gets no area",
			            leaf->area, areas);
			leaf->area = -1;
		}
		BSPI_TRY(check_list(ctx, map, i, "faces", map->leaf_faces, map->leaf_faces_count, map->faces_count, &faces_left,
		                    &leaf->first_leaf_face, &leaf->leaf_face_count));
		BSPI_TRY(check_list(ctx, map, i, "brushes", map->leaf_brushes, map->leaf_brushes_count, map->brushes_count,
		                    &brushes_left, &leaf->first_leaf_brush, &leaf->leaf_brush_count));
		for (uint32_t k = 0; k < leaf->leaf_face_count; k++) {
			bspi_face *face = &map->faces[map->leaf_faces[leaf->first_leaf_face + k].value];
			if (face->leaf < 0) face->leaf = (int32_t)i;
		}
	}
	return true;
}

static bool check_areas(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->area_portals_count; i++) {
		bspi_area_portal_record *portal = &map->area_portals[i];
		if (bspi_is_index(portal->other_area, map->areas_count) && portal->portal >= 0) continue;
		BSPI_REPAIR(area_portals, i, REFERENCE,
		            "portal %" PRId32 " leads to area %" PRId32 ", but there are %" PRIu32 ": area 0 is used",
		            portal->portal, portal->other_area, map->areas_count);
		*portal = (bspi_area_portal_record){ 0, 0 };
	}
	for (uint32_t i = 0; i < map->areas_count; i++) {
		bspi_area *area = &map->areas[i];
		if (BSPI_TAKE_RANGE(area->first_portal, area->portal_count, map->area_portals_count)) continue;
		BSPI_REPAIR(areas, i, REFERENCE,
		            "it uses %" PRId32 " portals from number %" PRId32 " on, but there are %" PRIu32 ": it gets none",
		            area->portal_count, area->first_portal, map->area_portals_count);
		area->first_portal = area->portal_count = 0;
	}
	return true;
}

bool bspi_validate_tree(bspi_ctx *ctx, bspi_map *map)
{
	for (uint32_t i = 0; i < map->faces_count; i++) map->faces[i].leaf = -1;
	return check_nodes(ctx, map) && check_clipnodes(ctx, map) && check_leafs(ctx, map) && check_areas(ctx, map);
}
