/* Promise: if a triangle of sky is divided for an eye, its parts cover the same surface in the same winding order. Each
 * part shows one side of the sky's box. At every point of a part, the interpolated coordinates are those of the
 * direction from the eye, within a texel. Triangles divide a common edge at the same points, and the number of parts is
 * limited. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "drawing/sky_sides.h"
#include "sky/sky_divide.h"

enum { SIZE = 512, MOST_PARTS = 65536, TRIANGLES = 60, POINTS = 8 };

typedef struct part {
	uint32_t side;
	bspi_sky_vertex corners[3];
} part;

typedef struct parts {
	part items[MOST_PARTS];
	uint32_t count;
} parts;

static void keep(void *user, uint32_t side, const bspi_sky_vertex corners[3])
{
	parts *all = user;
	assert_true(all->count < MOST_PARTS);
	part *own = &all->items[all->count++];
	own->side = side;
	memcpy(own->corners, corners, sizeof own->corners);
}

static uint64_t divide(parts *all, const float eye[3], const float (*corners)[3], uint64_t splits)
{
	bspi_sky_divider divider = { .size = SIZE, .splits_left = splits, .take = keep, .user = all };
	float copy[3][3];
	memcpy(divider.eye, eye, sizeof divider.eye);
	memcpy(copy, corners, sizeof copy);
	all->count = 0;
	bspi_divide_sky(&divider, copy);
	return splits - divider.splits_left;
}

/* Returns the normal of a triangle, whose length is twice the area. */
static void area_of(const float *a, const float *b, const float *c, double out[3])
{
	double p[3], q[3];
	for (int i = 0; i < 3; i++) {
		p[i] = (double)b[i] - (double)a[i];
		q[i] = (double)c[i] - (double)a[i];
	}
	for (int i = 0; i < 3; i++) out[i] = p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static uint32_t seed;
static float random_in(float low, float high)
{
	seed = seed * 1664525u + 1013904223u;
	return low + (high - low) * (float)(seed >> 8) / 16777216.0f;
}

static void random_triangle(float (*out)[3], float reach)
{
	for (int i = 0; i < 9; i++) out[i / 3][i % 3] = random_in(-reach, reach);
}

/* Checks the coordinates of a part. The direction from the eye to any point of the part must belong to the part's side
 * of the box. At an edge of the box, it may also belong to a neighboring side. */
static void expect_coordinates(const part *own, const float eye[3])
{
	for (int n = 0; n < POINTS; n++) {
		float shares[3], direction[3] = { 0 }, uv[2] = { 0 }, wanted[2], along[3];
		for (int i = 0; i < 3; i++) shares[i] = random_in(0, 1);
		float sum = shares[0] + shares[1] + shares[2];
		for (int i = 0; i < 3 && sum > 0; i++) {
			for (int k = 0; k < 3; k++) direction[k] += shares[i] / sum * (own->corners[i].position[k] - eye[k]);
			for (int k = 0; k < 2; k++) uv[k] += shares[i] / sum * own->corners[i].uv[k];
		}
		if ((uint32_t)bspi_box_side(direction, wanted) != own->side) {
			bspi_side_direction((int)own->side, 2 * uv[0] - 1, 1 - 2 * uv[1], along);
			assert_true(fabsf(2 * uv[0] - 1) > 0.99f || fabsf(2 * uv[1] - 1) > 0.99f);
			continue;
		}
		for (int k = 0; k < 2; k++) assert_true(fabsf(uv[k] - wanted[k]) * SIZE <= 1.0f);
	}
}

static void parts_show_the_sky_by_direction(void **state)
{
	static parts all;
	(void)state;
	seed = 1;
	for (int n = 0; n < TRIANGLES; n++) {
		float corners[3][3], eye[3] = { random_in(-90, 90), random_in(-90, 90), random_in(-90, 90) };
		double whole[3], own[3], sum = 0;
		random_triangle(corners, 1000);
		area_of(corners[0], corners[1], corners[2], whole);
		double length = sqrt(dot(whole, whole));
		divide(&all, eye, (const float (*)[3])corners, UINT64_MAX);
		assert_true(all.count > 0);
		for (uint32_t i = 0; i < all.count; i++) {
			const part *p = &all.items[i];
			area_of(p->corners[0].position, p->corners[1].position, p->corners[2].position, own);
			assert_true(dot(own, whole) >= -1e-3 * length);
			sum += dot(own, whole) / length;
			expect_coordinates(p, eye);
		}
		assert_true(fabs(sum - length) <= 1e-4 * length);
	}
}

/* An edge reaches from depth 4 to depth 100. Linear interpolation of its coordinates has the largest error at the
 * geometric mean, depth 20. So the first split divides the edge there. */
static void edges_are_split_where_they_are_off_the_most(void **state)
{
	static parts all;
	static const float eye[3] = { 0, 0, 0 };
	static const float corners[3][3] = { { 4, 3.5f, 0 }, { 100, -90, 0 }, { 6, 4, 2 } };
	(void)state;
	for (int turn = 0; turn < 3; turn++) {
		float turned[3][3];
		for (int i = 0; i < 3; i++) memcpy(turned[i], corners[(i + turn) % 3], sizeof turned[i]);
		assert_int_equal(divide(&all, eye, (const float (*)[3])turned, 1), 1);
		assert_int_equal(all.count, 2);
		uint32_t added = 0;
		for (uint32_t i = 0; i < 3 * all.count; i++) {
			const float *at = all.items[i / 3].corners[i % 3].position;
			bool is_old = false;
			for (int k = 0; k < 3; k++) is_old = is_old || fabsf(at[0] - corners[k][0]) < 1e-3f;
			if (is_old) continue;
			added++;
			assert_true(fabsf(at[0] - 20) < 1e-3f);
		}
		assert_int_equal(added, 2);
	}
}

/* ---- Neighbors -------------------------------------------------------------------------------------------- */

/* Lists the vertices that lie on an edge. Each is given by its distance from `a`, as a fraction of the edge's
 * length. */
static uint32_t points_on(const parts *all, const float a[3], const float b[3], float *out)
{
	uint32_t count = 0;
	double way[3], along[3];
	for (int i = 0; i < 3; i++) way[i] = (double)b[i] - (double)a[i];
	for (uint32_t i = 0; i < 3 * all->count; i++) {
		const float *at = all->items[i / 3].corners[i % 3].position;
		for (int k = 0; k < 3; k++) along[k] = (double)at[k] - (double)a[k];
		double share = dot(along, way) / dot(way, way), off = 0;
		for (int k = 0; k < 3; k++) off = fmax(off, fabs(along[k] - share * way[k]));
		if (off < 1e-2 && share > -1e-4 && share < 1 + 1e-4) out[count++] = (float)share;
	}
	return count;
}

static bool has(const float *shares, uint32_t count, float wanted)
{
	for (uint32_t i = 0; i < count; i++) {
		if (fabsf(shares[i] - wanted) < 1e-4f) return true;
	}
	return false;
}

static void neighbors_divide_their_edge_alike(void **state)
{
	static parts all;
	static float shares[2][3 * MOST_PARTS];
	(void)state;
	seed = 2;
	for (int n = 0; n < TRIANGLES / 4; n++) {
		float corners[4][3], eye[3] = { 0, 0, 0 };
		uint32_t counts[2];
		for (int i = 0; i < 12; i++) corners[i / 3][i % 3] = random_in(-1000, 1000);
		for (int second = 0; second < 2; second++) {
			float triangle[3][3];
			/* The triangles use the common edge in opposite directions. */
			memcpy(triangle[0], corners[second], sizeof triangle[0]);
			memcpy(triangle[1], corners[1 - second], sizeof triangle[1]);
			memcpy(triangle[2], corners[2 + second], sizeof triangle[2]);
			divide(&all, eye, (const float (*)[3])triangle, UINT64_MAX);
			counts[second] = points_on(&all, corners[0], corners[1], shares[second]);
		}
		for (int second = 0; second < 2; second++) {
			for (uint32_t i = 0; i < counts[second]; i++) {
				assert_true(has(shares[1 - second], counts[1 - second], shares[second][i]));
			}
		}
	}
}

/* ---- Bounds ----------------------------------------------------------------------------------------------- */

static void the_number_of_parts_is_bounded(void **state)
{
	/* Of these triangles, one passes through the eye, one ends in it, one is a line, and one is large and close. */
	static const float odd[][3][3] = {
		{ { -100, -100, 0 }, { 100, -100, 0 }, { 0, 100, 0 } },
		{ { 0, 0, 0 }, { 100, 0, 50 }, { 0, 100, 50 } },
		{ { 1, 1, 1 }, { 1, 1, 1 }, { 100, 100, 100 } },
		{ { -1e6f, -1e6f, 0.001f }, { 1e6f, -1e6f, 0.001f }, { 0, 1e6f, 0.001f } },
	};
	static const float eye[3];
	static parts all;
	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		for (uint64_t splits = 0; splits <= 4096; splits = splits * 8 + 8) {
			uint64_t used = divide(&all, eye, odd[i], splits);
			assert_true(used <= splits);
			/* without splits, each of the six sides has at most five triangles */
			assert_true(all.count <= 30 + splits);
			for (uint32_t k = 0; k < 3 * all.count; k++) {
				const bspi_sky_vertex *corner = &all.items[k / 3].corners[k % 3];
				for (int c = 0; c < 2; c++) assert_true(corner->uv[c] >= 0 && corner->uv[c] <= 1);
				for (int c = 0; c < 3; c++) assert_true(isfinite(corner->position[c]));
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_show_the_sky_by_direction),
		cmocka_unit_test(edges_are_split_where_they_are_off_the_most),
		cmocka_unit_test(neighbors_divide_their_edge_alike),
		cmocka_unit_test(the_number_of_parts_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
