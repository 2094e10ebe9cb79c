/* view.c - where pictures are taken from: the scene's cameras, any entity, and from above. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/render.h>

#define TO_DEGREES 57.29577951308232f

/* Angles of a transform whose +X looks forward. */
static bspscene_view view_of_transform(const float m[12], float fov)
{
	bspscene_view view = { { m[3], m[7], m[11] }, 0, 0, 0, fov };
	float flat = sqrtf(m[0] * m[0] + m[4] * m[4]);
	view.pitch = atan2f(-m[8], flat) * TO_DEGREES;
	view.yaw = flat > 1e-6f ? atan2f(m[4], m[0]) * TO_DEGREES : atan2f(-m[1], m[5]) * TO_DEGREES;
	view.roll = flat > 1e-6f ? atan2f(m[9], m[10]) * TO_DEGREES : 0;
	return view;
}

bspscene_view bspscene_view_of_camera(const bspscene_scene *scene, uint32_t index)
{
	float transform[12];
	assert(index < scene->camera_count);
	bspscene_node_world_transform(scene, scene->cameras[index].node, transform);
	return view_of_transform(transform, scene->cameras[index].fov_degrees);
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
		if (!equal_names(scene->entities[i].classname, classname) || number--) continue;
		for (uint32_t k = 0; k < scene->camera_count; k++) {
			if (scene->cameras[k].entity != i) continue;
			*out = bspscene_view_of_camera(scene, k);
			return true;
		}
		float transform[12];
		bspscene_node_world_transform(scene, scene->entities[i].node, transform);
		*out = view_of_transform(transform, 90);
		return true;
	}
	return false;
}

static int compare_floats(const void *left, const void *right)
{
	float a = *(const float *)left, b = *(const float *)right;
	return (a > b) - (a < b);
}

/* The box that holds all but the outermost parts of what is drawn: maps keep skies and hidden rooms far outside. */
static void main_part(const bspscene_scene *scene, float min[3], float max[3])
{
	const bspscene_mesh *world = scene->mesh_count ? &scene->meshes[0] : NULL;
	memcpy(min, scene->bounds.min, 3 * sizeof *min);
	memcpy(max, scene->bounds.max, 3 * sizeof *max);
	if (!world || world->vertex_count < 8) return;
	float *values = malloc(world->vertex_count * sizeof *values);
	if (!values) return;
	for (uint32_t axis = 0; axis < 3; axis++) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < world->section_count; i++) {
			const bspscene_section *section = &world->sections[i];
			if (section->kind != BSPSCENE_VISIBLE || scene->materials[section->material].kind == BSPSCENE_MATERIAL_SKY) continue;
			for (uint32_t v = 0; v < section->vertex_count; v++) values[count++] = world->positions[(section->first_vertex + v) * 3 + axis];
		}
		if (count < 8) continue;
		qsort(values, count, sizeof *values, compare_floats);
		min[axis] = values[count / 200];
		max[axis] = values[count - 1 - count / 200];
	}
	free(values);
}

bspscene_view bspscene_view_overview(const bspscene_scene *scene, uint32_t width, uint32_t height)
{
	enum { PITCH = 50, YAW = 60, FOV = 30 };
	bspscene_view view = { { 0, 0, 0 }, PITCH, YAW, 0, FOV };
	float min[3], max[3], sp = sinf(PITCH / TO_DEGREES), cp = cosf(PITCH / TO_DEGREES), sy = sinf(YAW / TO_DEGREES), cy = cosf(YAW / TO_DEGREES);
	const float forward[3] = { cp * cy, cp * sy, -sp }, right[3] = { sy, -cy, 0 }, up[3] = { sp * cy, sp * sy, cp };
	float wide = tanf(FOV / TO_DEGREES / 2) * 0.94f, high = wide * (float)height / (float)width, away = 64;
	float shift_right[2] = { -INFINITY, -INFINITY }, shift_up[2] = { -INFINITY, -INFINITY };
	main_part(scene, min, max);
	/* The four planes of the view each touch the box: two corners decide the distance, their mean the position. */
	for (int corner = 0; corner < 8; corner++) {
		float r = 0, u = 0, f = 0;
		for (int i = 0; i < 3; i++) {
			float p = (corner >> i & 1 ? max[i] : min[i]) - (min[i] + max[i]) / 2;
			r += p * right[i];
			u += p * up[i];
			f += p * forward[i];
		}
		shift_right[0] = fmaxf(shift_right[0], r - f * wide);
		shift_right[1] = fmaxf(shift_right[1], -r - f * wide);
		shift_up[0] = fmaxf(shift_up[0], u - f * high);
		shift_up[1] = fmaxf(shift_up[1], -u - f * high);
	}
	away = fmaxf(away, fmaxf((shift_right[0] + shift_right[1]) / (2 * wide), (shift_up[0] + shift_up[1]) / (2 * high)));
	for (int i = 0; i < 3; i++) {
		view.origin[i] = (min[i] + max[i]) / 2 - forward[i] * away + right[i] * (shift_right[0] - shift_right[1]) / 2 +
		                 up[i] * (shift_up[0] - shift_up[1]) / 2;
	}
	return view;
}
