/* model_light.c - computes the light of a model at its position, and stores it as colors of the instance. The colors of
 * the scene's mesh do not fit: they are the mean light of all nodes that show it. */
#include <math.h>
#include <string.h>

#include "shade/shade.h"

/* In maps with outdoor light, a model's color of 255 stands for this light (UFO: Alien Invasion, model_low_fs.glsl). */
#define OUTDOOR_RANGE 2.0f

static void turn(float out[3], const float transform[12], const float normal[3])
{
	float length = 0;
	for (int i = 0; i < 3; i++) {
		out[i] = transform[4 * i] * normal[0] + transform[4 * i + 1] * normal[1] + transform[4 * i + 2] * normal[2];
		length += out[i] * out[i];
	}
	for (int i = 0; i < 3 && length > 0; i++) out[i] /= sqrtf(length);
}

/* Copies the vertex colors that the map or the model stores for a prop. False if memory is out. */
static bool copy_stored(bspscene_renderer *r, const bspscene_prop *prop, bspr_instance *instance)
{
	size_t size = 4 * (size_t)instance->mesh->vertex_count;
	instance->colors = bspr_allocate(&r->memory, size, 1);
	if (!instance->colors) return false;
	memcpy(instance->colors, prop->colors, size);
	return true;
}

void bspr_light_vertex(const bspr_instance *instance, uint32_t vertex, uint8_t out[4])
{
	float normal[3], on[3];
	turn(normal, instance->transform, instance->mesh->normals + 3 * (size_t)vertex);
	bspscene_shade_normal(instance->light, normal, on);
	const float gain = instance->light_gain * instance->light_range;
	for (int i = 0; i < 3; i++) out[i] = (uint8_t)(fminf(fmaxf(on[i] / gain, 0), 1) * 255 + 0.5f);
	out[3] = 255;
}

/* Stores the light of an instance. If the mesh is shared, keeps the light sample itself, and bspr_light_vertex
 * computes colors while drawing. Otherwise stores a color for each vertex. False if memory is out. */
static bool keep_light(bspscene_renderer *r, bspr_instance *instance, const bspscene_light_sample *light)
{
	bspscene_light_sample copy = *light;
	if (bspr_is_shared(instance)) {
		instance->light = bspr_allocate(&r->memory, 1, sizeof *instance->light);
		if (instance->light) *instance->light = *light;
		return instance->light != NULL;
	}
	instance->colors = bspr_allocate(&r->memory, instance->mesh->vertex_count, 4);
	if (!instance->colors) return false;
	instance->light = &copy;
	for (uint32_t v = 0; v < instance->mesh->vertex_count; v++) {
		bspr_light_vertex(instance, v, instance->colors + 4 * (size_t)v);
	}
	instance->light = NULL;
	return true;
}

bool bspr_light_model(bspscene_renderer *r, bspr_instance *instance)
{
	const bspscene_scene *scene = r->scene;
	const float *m = instance->transform, origin[3] = { m[3], m[7], m[11] };
	bspscene_light_sample light;
	instance->colors = NULL;
	instance->light_range = 1;
	if (instance->node->prop == BSPSCENE_NO_INDEX || !instance->mesh->colors) return true;
	const bspscene_prop *prop = scene->props[instance->node->prop];
	if (prop->colors) return copy_stored(r, prop, instance);
	bool elsewhere = prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN;
	if (!bspscene_sample_light(scene, elsewhere ? prop->lighting_origin : origin, &light)) return true;
	instance->light_gain = scene->lightmap_set_count ? scene->lightmap_sets[0].intensity : 1;
	if (scene->outdoor_light) instance->light_range = OUTDOOR_RANGE;
	return keep_light(r, instance, &light);
}
