/* view.c - viewpoints: the scene's cameras and entities. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/render.h>

#define TO_DEGREES 57.29577951308232f

/* Returns a view from the origin of a transform, in the direction of its +X axis. */
static bspscene_view view_of_transform(const float m[12], float fov)
{
	bspscene_view view = { { m[3], m[7], m[11] }, 0, 0, 0, fov };
	float flat = sqrtf(m[0] * m[0] + m[4] * m[4]);
	view.pitch = (float)atan2(-m[8], flat) * TO_DEGREES;
	view.yaw = flat > 1e-6f ? (float)atan2(m[4], m[0]) * TO_DEGREES : (float)atan2(-m[1], m[5]) * TO_DEGREES;
	view.roll = flat > 1e-6f ? (float)atan2(m[9], m[10]) * TO_DEGREES : 0;
	return view;
}

bspscene_view bspscene_view_of_camera(const bspscene_scene *scene, uint32_t index)
{
	float transform[12];
	assert(index < scene->camera_count);
	bspscene_node_world_transform(scene, scene->cameras[index]->node, transform);
	return view_of_transform(transform, scene->cameras[index]->fov_degrees);
}

bspscene_view bspscene_view_start(const bspscene_scene *scene, uint32_t width, uint32_t height)
{
	uint32_t camera = bspscene_start_camera(scene, 0);
	if (camera == BSPSCENE_NO_INDEX) return bspscene_view_overview(scene, width, height);
	return bspscene_view_of_camera(scene, camera);
}

static bool equal_names(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a, y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
		if (x != y) return false;
	}
	return *a == *b;
}

bool bspscene_view_of_entity(const bspscene_scene *scene, const char *classname, uint32_t number, bspscene_view *out)
{
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		if (!equal_names(scene->entities[i]->classname, classname) || number--) continue;
		for (uint32_t k = 0; k < scene->camera_count; k++) {
			if (scene->cameras[k]->entity != i) continue;
			*out = bspscene_view_of_camera(scene, k);
			return true;
		}
		float transform[12];
		bspscene_node_world_transform(scene, scene->entities[i]->node, transform);
		*out = view_of_transform(transform, 90);
		return true;
	}
	return false;
}
