/* floor.c - see floor.h. A floor is any triangle that faces up: each is cut to the box's outline, and the highest point
 * of what is left counts, as a box that falls meets it. */
#include "base/floor.h"

#include "base/vec.h"

enum { MOST_CORNERS = 8 };
#define STEEPEST 0.01f /* the normal's height below which it is a wall */
#define SINK 1.0f /* an origin may be this far inside the floor */

typedef struct outline {
	float points[MOST_CORNERS][3];
	int count;
} outline;

/* Keeps what is on the side `sign` * p[axis] <= limit. */
static void cut(outline *shape, int axis, float sign, float limit)
{
	outline out = { .count = 0 };
	for (int i = 0; i < shape->count; i++) {
		const float *a = shape->points[i], *b = shape->points[(i + 1) % shape->count];
		float da = limit - sign * a[axis], db = limit - sign * b[axis];
		if (da >= 0 && out.count < MOST_CORNERS) bspi_copy3(out.points[out.count++], a);
		if ((da >= 0) == (db >= 0) || out.count == MOST_CORNERS) continue;
		float share = da / (da - db);
		for (int k = 0; k < 3; k++) out.points[out.count][k] = a[k] + (b[k] - a[k]) * share;
		out.count++;
	}
	*shape = out;
}

static bool is_near(const float *const corners[3], const float from[3], float half_width, float lowest)
{
	for (int axis = 0; axis < 3; axis++) {
		float least = fminf(fminf(corners[0][axis], corners[1][axis]), corners[2][axis]);
		float most = fmaxf(fmaxf(corners[0][axis], corners[1][axis]), corners[2][axis]);
		if (axis < 2 && (most < from[axis] - half_width || least > from[axis] + half_width)) return false;
		if (axis == 2 && (most < lowest || least > from[2] + SINK)) return false;
	}
	return true;
}

static bool faces_up(const float *const corners[3])
{
	float u[3], v[3], normal[3];
	bspi_sub(u, corners[1], corners[0]);
	bspi_sub(v, corners[2], corners[0]);
	bspi_cross(normal, u, v);
	return normal[2] > STEEPEST * sqrtf(bspi_dot(normal, normal));
}

static void meet(const float *const corners[3], const float from[3], float half_width, float *height)
{
	outline shape = { .count = 3 };
	for (int i = 0; i < 3; i++) bspi_copy3(shape.points[i], corners[i]);
	for (int axis = 0; axis < 2; axis++) {
		cut(&shape, axis, 1, from[axis] + half_width);
		cut(&shape, axis, -1, half_width - from[axis]);
	}
	for (int i = 0; i < shape.count; i++) {
		if (shape.points[i][2] <= from[2] + SINK) *height = fmaxf(*height, shape.points[i][2]);
	}
}

static bool is_solid(const bspscene_material *material)
{
	return material->kind == BSPSCENE_MATERIAL_NORMAL && material->alpha_mode != BSPSCENE_ALPHA_ADD;
}

bool bspi_find_floor(const bspscene_scene *scene, const bspscene_mesh *mesh, const float from[3], float half_width,
                     float farthest, bspi_floor *out)
{
	/* A little wider than a point, which could slip through between two triangles. */
	const float least_width = 0.01f;
	float lowest = from[2] - farthest;
	float height = -INFINITY;
	half_width = fmaxf(half_width, least_width);
	for (uint32_t s = 0; s < mesh->section_count; s++) {
		const bspscene_section *section = &mesh->sections[s];
		if (!is_solid(&scene->materials[section->material])) continue;
		for (uint32_t i = section->first_index; i < section->first_index + section->index_count; i += 3) {
			const float *corners[3];
			for (uint32_t k = 0; k < 3; k++) corners[k] = mesh->positions + 3 * (size_t)mesh->indices[i + k];
			if (!is_near(corners, from, half_width, fmaxf(lowest, height)) || !faces_up(corners)) continue;
			float before = height;
			meet(corners, from, half_width, &height);
			if (height > before) *out = (bspi_floor){ height, s, i };
		}
	}
	return height >= lowest;
}
