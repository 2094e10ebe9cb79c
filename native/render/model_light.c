/* model_light.c - the light where a model stands, in colours of its own: a scene's mesh has the mean of all its
 * nodes. */
#include <math.h>
#include <string.h>

#include "shade.h"

static void turn(float out[3], const float transform[12], const float normal[3])
{
	float length = 0;
	for (int i = 0; i < 3; i++) {
		out[i] = transform[4 * i] * normal[0] + transform[4 * i + 1] * normal[1] + transform[4 * i + 2] * normal[2];
		length += out[i] * out[i];
	}
	for (int i = 0; i < 3 && length > 0; i++) out[i] /= sqrtf(length);
}

/* What the map or the model says itself. */
static bool copy_stored(bspscene_renderer *r, const bspscene_prop *prop, bspr_instance *instance)
{
	size_t size = 4 * (size_t)instance->mesh->vertex_count;
	instance->colors = bspr_allocate(&r->memory, size, 1);
	if (!instance->colors) return false;
	memcpy(instance->colors, prop->colors, size);
	return true;
}

bool bspr_light_model(bspscene_renderer *r, bspr_instance *instance)
{
	const bspscene_scene *scene = r->scene;
	const bspscene_mesh *mesh = instance->mesh;
	const float *m = instance->transform, origin[3] = { m[3], m[7], m[11] };
	bspscene_point_light light;
	instance->colors = NULL;
	if (instance->node->prop == BSPSCENE_NO_INDEX || !mesh->colors) return true;
	const bspscene_prop *prop = &scene->props[instance->node->prop];
	if (prop->colors) return copy_stored(r, prop, instance);
	bool elsewhere = prop->flags & BSPSCENE_PROP_LIGHTING_ORIGIN;
	if (!bspscene_light_at(scene, elsewhere ? prop->lighting_origin : origin, &light)) return true;
	instance->colors = bspr_allocate(&r->memory, mesh->vertex_count, 4);
	if (!instance->colors) return false;
	float gain = scene->page_set_count ? scene->page_sets[0].intensity : 1;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		float normal[3], on[3];
		turn(normal, m, mesh->normals + 3 * v);
		bspscene_light_on(&light, normal, on);
		for (size_t i = 0; i < 3; i++) {
			instance->colors[4 * v + i] = (uint8_t)(fminf(fmaxf(on[i] / gain, 0), 1) * 255 + 0.5f);
		}
		instance->colors[4 * v + 3] = 255;
	}
	return true;
}
