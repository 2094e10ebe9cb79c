/* sky_place.c - see sky.h. Finds a place around a scene for a cube that shows the sky. */
#include <assert.h>
#include <math.h>

#include <bspscene/sky.h>

#include "base/vec.h"

#define OUTSIDE 1.02f

static void add_corners(bspscene_bounds *bounds, const float transform[12], const bspscene_bounds *box)
{
	for (int corner = 0; corner < 8 && !bspi_bounds_empty(box); corner++) {
		float at[3], placed[3];
		for (int i = 0; i < 3; i++) at[i] = corner >> i & 1 ? box->max[i] : box->min[i];
		bspi_transform_point(placed, transform, at);
		if (bspi_are_finite(placed, 3)) bspi_bounds_add(bounds, placed);
	}
}

static void add_nodes(const bspscene_scene *scene, bspscene_bounds *bounds)
{
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		bool skybox = node->mesh != BSPSCENE_NO_INDEX && scene->sky_camera_scale > 0;
		if (node->camera == BSPSCENE_NO_INDEX && !skybox) continue;
		float place[12];
		bspscene_node_world_transform(scene, i, place);
		const float eye[3] = { place[3], place[7], place[11] };
		if (skybox) add_corners(bounds, place, &scene->meshes[node->mesh]->bounds);
		else if (bspi_is_position(eye)) bspi_bounds_add(bounds, eye);
	}
}

void bspscene_sky_cube_bounds(const bspscene_scene *scene, float center[3], float *half)
{
	assert(scene && center && half);
	bspscene_bounds bounds = bspi_bounds_empty(&scene->bounds) ? BSPI_EMPTY_BOUNDS : scene->bounds;
	add_nodes(scene, &bounds);
	if (bspi_bounds_empty(&bounds)) bounds = (bspscene_bounds){ { -1, -1, -1 }, { 1, 1, 1 } };
	*half = 0;
	for (int i = 0; i < 3; i++) {
		center[i] = bounds.min[i] + (bounds.max[i] - bounds.min[i]) / 2;
		*half = fmaxf(*half, (bounds.max[i] - bounds.min[i]) / 2);
	}
	*half = fmaxf(*half, 1) * OUTSIDE;
}
