/* scene_query.c - queries of a scene: transforms, leaves, visibility. Also used by stages and writers. */
#include <assert.h>

#include <bspscene/scene.h>

#include "base/vec.h"

void bspscene_node_world_transform(const bspscene_scene *scene, uint32_t node, float out[12])
{
	assert(node < scene->node_count);
	memcpy(out, scene->nodes[node]->transform, 12 * sizeof *out);
	for (uint32_t parent = scene->nodes[node]->parent; parent != BSPSCENE_NO_INDEX;
	     parent = scene->nodes[parent]->parent) {
		bspi_transform_multiply(out, scene->nodes[parent]->transform, out);
	}
}

uint32_t bspscene_next_node_with_mesh(const bspscene_scene *scene, uint32_t mesh, uint32_t after)
{
	assert(mesh < scene->mesh_count);
	for (uint32_t i = after == BSPSCENE_NO_INDEX ? 0 : after + 1; i < scene->node_count; i++) {
		if (scene->nodes[i]->mesh == mesh) return i;
	}
	return BSPSCENE_NO_INDEX;
}

uint32_t bspscene_start_camera(const bspscene_scene *scene, uint32_t number)
{
	static const bspscene_camera_kind order[] = {
		BSPSCENE_CAMERA_INTERMISSION,
		BSPSCENE_CAMERA_SPAWN,
		BSPSCENE_CAMERA_OTHER,
	};
	for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
		for (uint32_t i = 0; i < scene->camera_count; i++) {
			if (scene->cameras[i]->kind == order[k] && !number--) return i;
		}
	}
	return BSPSCENE_NO_INDEX;
}

uint32_t bspscene_find_leaf(const bspscene_scene *scene, const float point[3])
{
	const bspscene_tree *tree = scene->tree;
	int32_t child = 0;
	if (!tree->node_count) return tree->leaf_count == 1 ? 0 : BSPSCENE_NO_INDEX;
	while (child >= 0) {
		const float *plane = tree->planes + 4 * (size_t)child;
		child = tree->children[2 * (size_t)child + (bspi_dot(plane, point) < plane[3])];
	}
	return (uint32_t)(-1 - child);
}

bool bspscene_cluster_visible(const bspscene_scene *scene, uint32_t from, uint32_t to)
{
	const bspscene_vis *vis = scene->vis;
	if (from == BSPSCENE_NO_INDEX || to == BSPSCENE_NO_INDEX) return false;
	if (!vis->cluster_count) return true;
	if (from >= vis->cluster_count || to >= vis->cluster_count) return false;
	return vis->rows[(size_t)from * vis->row_size + (to >> 3)] >> (to & 7) & 1;
}
