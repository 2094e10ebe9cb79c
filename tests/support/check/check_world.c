/* check_world.c - the promises about the BSP tree, vis, areas and fogs. See check_scene.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check/check_scene.h"

/* Walks down from node 0. In a tree no node is reached twice. */
static bool is_acyclic(const bspscene_tree *tree)
{
	if (!tree->node_count) return true;
	uint32_t *open = malloc(((size_t)tree->node_count + 1) * sizeof *open);
	uint8_t *met = calloc(tree->node_count, 1);
	if (!open || !met) bspt_die("allocate", "tree");
	bool acyclic = true;
	uint32_t count = 0;
	open[count++] = 0;
	met[0] = 1;
	while (count && acyclic) {
		uint32_t node = open[--count];
		for (int i = 0; i < 2; i++) {
			int32_t child = tree->children[2 * (size_t)node + (size_t)i];
			if (child < 0) continue;
			acyclic = acyclic && !met[child];
			if (!acyclic) break;
			met[child] = 1;
			open[count++] = (uint32_t)child;
		}
	}
	free(open);
	free(met);
	return acyclic;
}

static void check_nodes(const bspscene_tree *tree, bspt_report *report)
{
	for (uint32_t i = 0; i < tree->node_count; i++) {
		BSPT_EXPECT_FINITE(report, &tree->planes[4 * (size_t)i], 4, "tree.planes");
		for (int k = 0; k < 2; k++) {
			int32_t child = tree->children[2 * (size_t)i + (size_t)k];
			BSPT_EXPECT(report,
			            child >= 0 ? (uint32_t)child < tree->node_count : (uint32_t)(-1 - child) < tree->leaf_count,
			            "node %u of the tree has child %d", i, child);
		}
	}
	if (!report->failures) BSPT_EXPECT(report, is_acyclic(tree), "the tree is none");
}

static void check_leafs(const bspscene_scene *scene, bspt_report *report)
{
	for (uint32_t i = 0; i < scene->tree->leaf_count; i++) {
		const bspscene_leaf *leaf = &scene->tree->leafs[i];
		if (scene->vis->cluster_count) {
			BSPT_EXPECT_INDEX(report, leaf->cluster, scene->vis->cluster_count, "leaf.cluster");
		}
		BSPT_EXPECT_INDEX(report, leaf->area, scene->area_count, "leaf.area");
		BSPT_EXPECT(report, bspt_is_box(&leaf->bounds), "leaf %u has no box", i);
	}
}

static void check_vis(const bspscene_scene *scene, bspt_report *report)
{
	const bspscene_vis *vis = scene->vis;
	if (!vis->cluster_count || !vis->rows) return;
	BSPT_EXPECT(report, vis->row_size >= (vis->cluster_count + 7) / 8, "%u clusters in rows of %u bytes",
	            vis->cluster_count, vis->row_size);
	volatile uint8_t last = vis->rows[(size_t)vis->cluster_count * vis->row_size - 1];
	(void)last;
	uint32_t end = vis->cluster_count - 1;
	bool seen = bspscene_cluster_visible(scene, end, end);
	BSPT_EXPECT(report, seen == ((vis->rows[(size_t)end * vis->row_size + end / 8] >> end % 8) & 1),
	            "the PVS query and its bit disagree");
	BSPT_EXPECT(report, !bspscene_cluster_visible(scene, BSPSCENE_NO_INDEX, 0) && !bspscene_cluster_visible(scene, 0,
	            BSPSCENE_NO_INDEX),
	            "something is visible from nowhere");
}

static void check_fogs(const bspscene_scene *scene, bspt_report *report)
{
	for (uint32_t i = 0; i < scene->fog_count; i++) {
		const bspscene_fog *fog = scene->fogs[i];
		BSPT_EXPECT(report, fog->material < scene->material_count, "fog %u has material %u", i, fog->material);
		BSPT_EXPECT(report, bspt_is_box(&fog->bounds), "fog %u has no box", i);
		BSPT_EXPECT_FINITE(report, fog->plane, 4, "fog.plane");
		float length = fog->plane[0] * fog->plane[0] + fog->plane[1] * fog->plane[1] + fog->plane[2] * fog->plane[2];
		BSPT_EXPECT(report, (length == 0 && fog->plane[3] == 0) || fabsf(length - 1) < 0.03f,
		            "fog %u has a plane that is none", i);
	}
}

void bspt_check_world(const bspscene_scene *scene, bspt_report *report)
{
	check_nodes(scene->tree, report);
	check_leafs(scene, report);
	check_vis(scene, report);
	check_fogs(scene, report);
	for (uint32_t i = 0; i < scene->area_portal_count; i++) {
		const bspscene_area_portal *portal = &scene->area_portals[i];
		BSPT_EXPECT(report, portal->areas[0] < scene->area_count && portal->areas[1] < scene->area_count,
		            "area portal %u joins areas %u and %u of %u", i, portal->areas[0], portal->areas[1],
		            scene->area_count);
	}
	if (report->failures) return;
	static const float points[][3] = { { 0, 0, 0 }, { 1e6f, -1e6f, 1e6f }, { -31, 77, 5 } };
	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		BSPT_EXPECT_INDEX(report, bspscene_find_leaf(scene, points[i]), scene->tree->leaf_count, "bspscene_find_leaf");
	}
}
