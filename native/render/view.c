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
	view.pitch = (float)atan2(-m[8], flat) * TO_DEGREES;
	view.yaw = flat > 1e-6f ? (float)atan2(m[4], m[0]) * TO_DEGREES : (float)atan2(-m[1], m[5]) * TO_DEGREES;
	view.roll = flat > 1e-6f ? (float)atan2(m[9], m[10]) * TO_DEGREES : 0;
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
			bool sky = scene->materials[section->material].kind == BSPSCENE_MATERIAL_SKY;
			if (section->kind != BSPSCENE_VISIBLE || sky) continue;
			for (uint32_t v = 0; v < section->vertex_count; v++) {
				values[count++] = world->positions[(section->first_vertex + v) * 3 + axis];
			}
		}
		if (count < 8) continue;
		qsort(values, count, sizeof *values, compare_floats);
		float low = values[count / 500], high = values[count - 1 - count / 500], slack = (high - low) / 16;
		min[axis] = low - slack;
		max[axis] = high + slack;
	}
	free(values);
}

/* The view that is being fitted: its axes, and how far points reach beyond the four planes of the picture. */
typedef struct frame {
	float forward[3], right[3], up[3], center[3];
	float wide, high;                  /* tangents of half the angles */
	float reach[4];                    /* right, left, up, down */
} frame;

static void include_point(frame *f, const float point[3])
{
	float r = 0, u = 0, depth = 0;
	for (int i = 0; i < 3; i++) {
		float p = point[i] - f->center[i];
		r += p * f->right[i];
		u += p * f->up[i];
		depth += p * f->forward[i];
	}
	f->reach[0] = fmaxf(f->reach[0], r - depth * f->wide);
	f->reach[1] = fmaxf(f->reach[1], -r - depth * f->wide);
	f->reach[2] = fmaxf(f->reach[2], u - depth * f->high);
	f->reach[3] = fmaxf(f->reach[3], -u - depth * f->high);
}

static bool in_box(const float p[3], const float min[3], const float max[3])
{
	for (int i = 0; i < 3; i++) {
		if (p[i] < min[i] || p[i] > max[i]) return false;
	}
	return true;
}

static void include_world(frame *f, const bspscene_scene *scene, const float min[3], const float max[3])
{
	const bspscene_mesh *world = scene->mesh_count ? &scene->meshes[0] : NULL;
	for (uint32_t i = 0; world && i < world->section_count; i++) {
		const bspscene_section *section = &world->sections[i];
		if (section->kind != BSPSCENE_VISIBLE || scene->materials[section->material].kind == BSPSCENE_MATERIAL_SKY) {
			continue;
		}
		for (uint32_t v = section->first_vertex; v < section->first_vertex + section->vertex_count; v++) {
			if (in_box(world->positions + (size_t)v * 3, min, max)) include_point(f, world->positions + (size_t)v * 3);
		}
	}
}

bspscene_view bspscene_view_overview(const bspscene_scene *scene, uint32_t width, uint32_t height)
{
	enum { PITCH = 50, YAW = 60, FOV = 30 };
	const float margin = 0.96f;
	bspscene_view view = { { 0, 0, 0 }, PITCH, YAW, 0, FOV };
	float min[3], max[3], sp = (float)sin(PITCH / TO_DEGREES), cp = (float)cos(PITCH / TO_DEGREES);
	float sy = (float)sin(YAW / TO_DEGREES), cy = (float)cos(YAW / TO_DEGREES);
	float wide = (float)tan(FOV / TO_DEGREES / 2) * margin;
	frame f = { { cp * cy, cp * sy, -sp }, { sy, -cy, 0 }, { sp * cy, sp * sy, cp }, { 0, 0, 0 }, wide, 0,
	            { -INFINITY, -INFINITY, -INFINITY, -INFINITY } };
	f.high = f.wide * (float)height / (float)width;
	main_part(scene, min, max);
	for (int i = 0; i < 3; i++) f.center[i] = (min[i] + max[i]) / 2;
	include_world(&f, scene, min, max);
	if (!(f.reach[0] > -INFINITY)) {
		include_point(&f, min);
		include_point(&f, max);
	}
	/* Two opposite planes decide the distance, their mean the position. */
	float away = fmaxf(64, fmaxf((f.reach[0] + f.reach[1]) / (2 * f.wide), (f.reach[2] + f.reach[3]) / (2 * f.high)));
	for (int i = 0; i < 3; i++) {
		view.origin[i] = f.center[i] - f.forward[i] * away + f.right[i] * (f.reach[0] - f.reach[1]) / 2 +
		                 f.up[i] * (f.reach[2] - f.reach[3]) / 2;
	}
	return view;
}
