/* floor.c - see floor.h. A floor is any triangle that faces up. Each is clipped to the outline of the box. The highest
 * point that remains is where a falling box would stop. */
#include "base/floor.h"

#include <bspscene/material.h>

#include "base/vec.h"

enum { MOST_CORNERS = 8 };
#define STEEPEST 0.01f /* triangles whose normal has a smaller z are walls */
#define SINK 1.0f /* an origin may be this far below the floor, in game units */

typedef struct outline {
	float points[MOST_CORNERS][3];
	int count;
} outline;

/* Clips a shape to the points with sign * p[axis] <= limit. */
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

static bool faces_up(const float *const corners[3])
{
	float u[3], v[3], normal[3];
	bspi_sub(u, corners[1], corners[0]);
	bspi_sub(v, corners[2], corners[0]);
	bspi_cross(normal, u, v);
	return normal[2] > STEEPEST * sqrtf(bspi_dot(normal, normal));
}

static bool is_solid(const bspscene_material *material)
{
	return material->kind == BSPSCENE_MATERIAL_NORMAL && material->alpha_mode != BSPSCENE_ALPHA_MODE_ADD;
}

/* A triangle that faces up, with its bounds seen from above. */
typedef struct bspi_floor_triangle {
	float least[2], most[2];
	const bspscene_mesh *mesh;
	uint32_t section, first_index;
} bspi_floor_triangle;

static void find_corners(const bspscene_mesh *mesh, uint32_t first_index, const float *corners[3])
{
	for (uint32_t k = 0; k < 3; k++) corners[k] = mesh->positions + 3 * (size_t)mesh->indices[first_index + k];
}

static bspi_floor_triangle seen_from_above(const float *const corners[3], const bspscene_mesh *mesh, uint32_t section,
                                           uint32_t first_index)
{
	bspi_floor_triangle out = { .mesh = mesh, .section = section, .first_index = first_index };
	for (int axis = 0; axis < 2; axis++) {
		out.least[axis] = fminf(fminf(corners[0][axis], corners[1][axis]), corners[2][axis]);
		out.most[axis] = fmaxf(fmaxf(corners[0][axis], corners[1][axis]), corners[2][axis]);
	}
	return out;
}

/* A falling box, and the highest floor that was found below it. */
typedef struct fall {
	const float *from;
	float half_width, lowest, height;
	bspi_floor *floor;
} fall;

static fall begin_fall(const float from[3], float half_width, float farthest, bspi_floor *floor)
{
	/* Boxes are at least this wide, because a point could fall between two triangles. */
	const float least_width = 0.01f;
	return (fall) { from, fmaxf(half_width, least_width), from[2] - farthest, -INFINITY, floor };
}

static bool is_below(const fall *f, const bspi_floor_triangle *t)
{
	return t->most[0] >= f->from[0] - f->half_width && t->least[0] <= f->from[0] + f->half_width &&
	       t->most[1] >= f->from[1] - f->half_width && t->least[1] <= f->from[1] + f->half_width;
}

static void meet(fall *f, const bspi_floor_triangle *triangle)
{
	const float *corners[3];
	outline shape = { .count = 3 };
	float before = f->height;
	find_corners(triangle->mesh, triangle->first_index, corners);
	for (int i = 0; i < 3; i++) bspi_copy3(shape.points[i], corners[i]);
	for (int axis = 0; axis < 2; axis++) {
		cut(&shape, axis, 1, f->from[axis] + f->half_width);
		cut(&shape, axis, -1, f->half_width - f->from[axis]);
	}
	for (int i = 0; i < shape.count; i++) {
		if (shape.points[i][2] <= f->from[2] + SINK) f->height = fmaxf(f->height, shape.points[i][2]);
	}
	if (!(f->height > before)) return;
	*f->floor = (bspi_floor) { f->height, triangle->mesh, triangle->section, triangle->first_index };
}

/* Iterates over the triangles of a scene's mesh that may be floors. */
typedef struct walk {
	const bspscene_scene *scene;
	const bspscene_mesh *mesh;
	uint32_t section, next;            /* the next triangle's first index, relative to the section */
} walk;

static bool next_triangle(walk *w, const float *corners[3], bspi_floor_triangle *out)
{
	for (; w->section < w->mesh->section_count; w->section++, w->next = 0) {
		const bspscene_section *section = w->mesh->sections[w->section];
		if (w->next >= section->index_count || !is_solid(w->scene->materials[section->material])) continue;
		uint32_t first_index = section->first_index + w->next;
		w->next += 3;
		find_corners(w->mesh, first_index, corners);
		*out = seen_from_above(corners, w->mesh, w->section, first_index);
		return true;
	}
	return false;
}

bool bspi_find_floor(const bspscene_scene *scene, const bspscene_mesh *mesh, const float from[3], float half_width,
                     float farthest, bspi_floor *out)
{
	const float *corners[3];
	bspi_floor_triangle triangle;
	fall f = begin_fall(from, half_width, farthest, out);
	for (walk w = { scene, mesh, 0, 0 }; next_triangle(&w, corners, &triangle);) {
		if (is_below(&f, &triangle) && faces_up(corners)) meet(&f, &triangle);
	}
	return f.height >= f.lowest;
}

/* Counts floors, or writes them if `out` is not NULL. */
static uint32_t list_floors(const bspscene_scene *scene, const uint32_t *meshes, uint32_t mesh_count,
                            bspi_floor_triangle *out)
{
	const float *corners[3];
	bspi_floor_triangle triangle;
	uint32_t count = 0;
	for (uint32_t i = 0; i < mesh_count; i++) {
		for (walk w = { scene, scene->meshes[meshes[i]], 0, 0 }; next_triangle(&w, corners, &triangle);) {
			if (!faces_up(corners)) continue;
			if (out) out[count] = triangle;
			count++;
		}
	}
	return count;
}

bool bspi_collect_floors(bspi_ctx *ctx, bspi_arena *arena, const bspscene_scene *scene, const uint32_t *meshes,
                         uint32_t mesh_count, bspi_floors *out)
{
	uint32_t count = list_floors(scene, meshes, mesh_count, NULL);
	bspi_floor_triangle *triangles = bspi_push_unset(ctx, arena, count, sizeof *triangles);
	BSPI_TRY(triangles);
	list_floors(scene, meshes, mesh_count, triangles);
	*out = (bspi_floors) { triangles, count };
	return true;
}

bool bspi_find_floor_among(const bspi_floors *floors, const float from[3], float half_width, float farthest,
                           bspi_floor *out)
{
	fall f = begin_fall(from, half_width, farthest, out);
	for (uint32_t i = 0; i < floors->count; i++) {
		if (is_below(&f, &floors->triangles[i])) meet(&f, &floors->triangles[i]);
	}
	return f.height >= f.lowest;
}
