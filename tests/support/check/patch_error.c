/* patch_error.c - compares points of the surface, computed from control points, with the triangles. See
 * patch_error.h. */
#include "support/check/patch_error.h"

#include <math.h>

static void evaluate(const bspi_draw_vertex *controls, uint32_t width, uint32_t column, uint32_t row, double u,
                     double v, double out[3])
{
	double across[3] = { (1 - u) * (1 - u), 2 * u * (1 - u), u * u };
	double down[3] = { (1 - v) * (1 - v), 2 * v * (1 - v), v * v };
	for (int i = 0; i < 3; i++) {
		out[i] = 0;
		for (uint32_t k = 0; k < 9; k++) {
			out[i] += across[k % 3] * down[k / 3] *
			          (double)controls[(row + k / 3) * width + column + k % 3].position[i];
		}
	}
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double distance_from_segment(const double p[3], const float *a, const float *b)
{
	double side[3], to[3];
	for (int i = 0; i < 3; i++) {
		side[i] = (double)b[i] - (double)a[i];
		to[i] = p[i] - (double)a[i];
	}
	double length = dot(side, side), t = length > 0 ? fmin(fmax(dot(side, to) / length, 0), 1) : 0;
	for (int i = 0; i < 3; i++) to[i] -= t * side[i];
	return sqrt(dot(to, to));
}

static double distance_from_triangle(const double p[3], const float *a, const float *b, const float *c)
{
	double u[3], v[3], to[3], normal[3];
	for (int i = 0; i < 3; i++) {
		u[i] = (double)b[i] - (double)a[i];
		v[i] = (double)c[i] - (double)a[i];
		to[i] = p[i] - (double)a[i];
	}
	for (int i = 0; i < 3; i++) normal[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
	double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), tu = dot(to, u), tv = dot(to, v), d = uu * vv - uv * uv;
	double s = (vv * tu - uv * tv) / d, t = (uu * tv - uv * tu) / d;
	if (d > 0 && s >= 0 && t >= 0 && s + t <= 1) return fabs(dot(to, normal)) / sqrt(dot(normal, normal));
	return fmin(distance_from_segment(p, a, b), fmin(distance_from_segment(p, b, c), distance_from_segment(p, c, a)));
}

/* Returns the distance from a point to the bounding box of a triangle. The triangle is never closer than this. */
static double least_distance(const double p[3], const float *const corners[3])
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		float low = fminf(corners[0][i], fminf(corners[1][i], corners[2][i]));
		float high = fmaxf(corners[0][i], fmaxf(corners[1][i], corners[2][i]));
		double beside = fmax(fmax((double)low - p[i], p[i] - (double)high), 0);
		sum += beside * beside;
	}
	return sqrt(sum);
}

/* Returns the distance from a point to the triangles from `first_index` on. The search stops at a triangle whose
 * distance is at most `enough`. It begins at triangle *hint, and sets *hint to the nearest triangle, because the next
 * point will be close. */
static double distance_from_mesh(const bspscene_mesh *mesh, const bspscene_face *patch, const double p[3],
                                 double enough, uint32_t *hint)
{
	uint32_t count = patch->index_count / 3, start = *hint;
	double nearest = INFINITY;
	for (uint32_t k = 0; k < count && nearest > enough; k++) {
		uint32_t number = start + k < count ? start + k : start + k - count;
		const uint32_t *triangle = mesh->indices + patch->first_index + 3 * (size_t)number;
		const float *corners[3];
		for (int c = 0; c < 3; c++) corners[c] = mesh->positions + 3 * (size_t)triangle[c];
		if (least_distance(p, corners) >= nearest) continue;
		double distance = distance_from_triangle(p, corners[0], corners[1], corners[2]);
		if (distance >= nearest) continue;
		nearest = distance;
		*hint = number;
	}
	return nearest;
}

double bspt_patch_error(const bspi_build *build, const bspscene_face *patch)
{
	enum { SAMPLES = 7 };
	const bspi_face *record = &build->map->faces[patch->record];
	const bspscene_mesh *mesh = build->scene->meshes[patch->mesh];
	const bspi_draw_vertex *controls = &build->map->draw_vertices[record->first_vertex];
	uint32_t width = (uint32_t)record->patch_width, height = (uint32_t)record->patch_height;
	double worst = 0;
	uint32_t hint = 0;
	for (uint32_t i = 0; i < (width / 2) * (height / 2) * SAMPLES * SAMPLES; i++) {
		uint32_t sample = i % (SAMPLES * SAMPLES), sub_patch = i / (SAMPLES * SAMPLES);
		double p[3];
		evaluate(controls, width, sub_patch % (width / 2) * 2, sub_patch / (width / 2) * 2,
		         (sample % SAMPLES + 0.37) / SAMPLES, (sample / SAMPLES + 0.59) / SAMPLES, p);
		worst = fmax(worst, distance_from_mesh(mesh, patch, p, worst, &hint));
	}
	return worst;
}
