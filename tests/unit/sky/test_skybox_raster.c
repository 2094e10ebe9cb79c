/* Promise: triangles are painted onto the sides of a sky's cube. A sample is covered if the ray from the eye through it
 * meets the triangle, and it gets the triangle's light at that point. This also holds for triangles that are clipped by
 * the edges of a side, or that reach behind the eye. Triangles that share an edge cover each sample on the edge once.
 * The work is counted as the samples of bounding rectangles, and is limited. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "drawing/sky_sides.h"
#include "sky/skybox_raster.h"

enum { SIZE = 32 };

/* A scene whose triangles are painted. Its textures are missing, so only vertex light is visible. */
typedef struct canvas {
	bspscene_material material;
	const bspscene_material *materials[1];
	bspscene_map_fog fog;
	bspscene_scene scene;
	bspscene_section section;
	bspi_sky_source source;
	float nearness[SIZE * SIZE];
	uint8_t rgb[SIZE * SIZE * 3];
	bspi_skybox_raster raster;
} canvas;

static void begin(canvas *c)
{
	static const uint8_t black[3] = { 0 };
	memset(c, 0, sizeof *c);
	c->material = (bspscene_material){ .base_image = BSPSCENE_NO_INDEX, .emissive_image = BSPSCENE_NO_INDEX,
	                                   .color = { 1, 1, 1, 1 } };
	c->materials[0] = &c->material;
	c->scene = (bspscene_scene){ .materials = c->materials, .material_count = 1, .map_fog = &c->fog };
	c->section.lighting = BSPSCENE_LIGHTING_VERTEX;
	c->source.scene = &c->scene;
	c->raster = (bspi_skybox_raster){ .source = &c->source, .size = SIZE, .nearness = c->nearness, .rgb = c->rgb,
	                                  .most_filled = UINT64_MAX };
	bspi_raster_start(&c->raster, black, 1);
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Intersects a ray from the eye with a triangle. Gets the barycentric coordinates of the point, and its distance in
 * multiples of the length of `direction`. */
static bool meet(const bspi_raster_corner corners[3], const float direction[3], double shares[3], double *distance)
{
	double at[3][3], way[3], normals[3][3], whole = 0;
	for (int i = 0; i < 3; i++) {
		way[i] = (double)direction[i];
		for (int k = 0; k < 3; k++) at[k][i] = (double)corners[k].position[i];
	}
	for (int k = 0; k < 3; k++) {
		cross(at[(k + 1) % 3], at[(k + 2) % 3], normals[k]);
		shares[k] = dot(normals[k], way);
		whole += shares[k];
	}
	if (fabs(whole) < 1e-9) return false;
	*distance = dot(normals[0], at[0]) / whole;
	for (int k = 0; k < 3; k++) shares[k] /= whole;
	return *distance > 0;
}

/* Compares a sample with the triangle that its ray meets. If the sample is exactly on an edge, it may be covered or
 * not. */
static void expect_sample(const canvas *c, const bspi_raster_corner corners[3], int side, uint32_t x, uint32_t y,
                          const char *what)
{
	float direction[3];
	double shares[3], distance = 0, light[3] = { 0, 0, 0 };
	const uint8_t *got = c->rgb + 3 * (y * SIZE + x);
	bspi_side_direction(side, ((float)x + 0.5f) / SIZE * 2 - 1, 1 - ((float)y + 0.5f) / SIZE * 2, direction);
	bool met = meet(corners, direction, shares, &distance);
	double least = met ? fmin(fmin(shares[0], shares[1]), fmin(shares[2], distance - 1)) : -1;
	if (fabs(least) < 1e-4) return;
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3 && least > 0; k++) light[i] += (double)corners[k].light[i] * shares[k];
		if (fabs(light[i] * 255 - got[i]) <= 1.5) continue;
		fail_msg("%s, side %d, sample %u %u: %u %u %u", what, side, x, y, got[0], got[1], got[2]);
	}
}

static void triangles_are_where_rays_meet_them(void **state)
{
	(void)state;
	static const struct { const char *what; bspi_raster_corner corners[3]; } cases[] = {
		{ "on one side", { { .position = { 50, -20, -30 }, .light = { 1, 0.2f, 0.5f, 1 } },
		                   { .position = { 60, 30, -10 }, .light = { 0.1f, 1, 0.2f, 1 } },
		                   { .position = { 80, 10, 50 }, .light = { 0.3f, 0.3f, 1, 1 } } } },
		{ "over four edges", { { .position = { 50, -200, -70 }, .light = { 1, 0.2f, 0.5f, 1 } },
		                       { .position = { 60, 250, -80 }, .light = { 0.1f, 1, 0.2f, 1 } },
		                       { .position = { 40, 10, 300 }, .light = { 0.3f, 0.3f, 1, 1 } } } },
		{ "from behind to before", { { .position = { -90, -50, -15 }, .light = { 1, 0.2f, 0.5f, 1 } },
		                             { .position = { 60, 40, -10 }, .light = { 0.1f, 1, 0.2f, 1 } },
		                             { .position = { 60, -40, 30 }, .light = { 0.3f, 0.3f, 1, 1 } } } },
		{ "a floor", { { .position = { -100, -100, -5 }, .light = { 1, 0.2f, 0.5f, 1 } },
		               { .position = { 200, -50, -5 }, .light = { 0.1f, 1, 0.2f, 1 } },
		               { .position = { 0, 200, -5 }, .light = { 0.3f, 0.3f, 1, 1 } } } },
		{ "too near", { { .position = { 0.5f, -9, -9 }, .light = { 1, 1, 1, 1 } },
		                { .position = { 2, 9, -9 }, .light = { 0.5f, 1, 1, 1 } },
		                { .position = { 2, 0, 9 }, .light = { 1, 1, 0.5f, 1 } } } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int side = 0; side < BSPI_SKY_SIDES; side++) {
			canvas c;
			begin(&c);
			assert_true(bspi_raster_triangle(&c.raster, side, &c.section, cases[i].corners));
			for (uint32_t s = 0; s < SIZE * SIZE; s++) {
				expect_sample(&c, cases[i].corners, side, s % SIZE, s / SIZE, cases[i].what);
			}
		}
	}
}

/* Returns a corner of a triangle. On the picture of the side +X, it is at this position, in samples from the upper
 * left. */
static bspi_raster_corner corner_at(float x, float y)
{
	bspi_raster_corner out = { .light = { 1, 1, 1, 1 } };
	bspi_side_direction(BSPI_SKY_RIGHT, x / SIZE * 2 - 1, 1 - y / SIZE * 2, out.position);
	for (int i = 0; i < 3; i++) out.position[i] *= 10;
	return out;
}

/* The center of the first sample is at 0.5, that of the next one at 1.5, and so on. */
static void what_is_filled_is_counted(void **state)
{
	(void)state;
	static const struct { const char *what; float low[2], high[2]; uint64_t filled; } cases[] = {
		{ "four by three", { 1.25f, 1.25f }, { 4.75f, 3.75f }, 12 },
		{ "up to before the next middles", { 1.25f, 1.25f }, { 5.25f, 4.25f }, 12 },
		{ "from behind the former ones", { 0.75f, 0.75f }, { 4.75f, 3.75f }, 12 },
		{ "one", { 7.25f, 9.25f }, { 7.75f, 9.75f }, 1 },
		{ "the first one", { 0.25f, 0.25f }, { 0.75f, 0.75f }, 1 },
		{ "between the middles", { 7.75f, 9.25f }, { 8.25f, 9.75f }, 0 },
		{ "to the far corner", { 30.25f, 29.25f }, { 31.75f, 31.75f }, 6 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const float *low = cases[i].low, *high = cases[i].high;
		const bspi_raster_corner corners[3] = { corner_at(low[0], low[1]), corner_at(high[0], low[1]),
			                                    corner_at(low[0], high[1]) };
		canvas c;
		begin(&c);
		c.raster.most_filled = cases[i].filled;
		assert_true(bspi_raster_triangle(&c.raster, BSPI_SKY_RIGHT, &c.section, corners));
		if (c.raster.filled != cases[i].filled) fail_msg("%s: %u", cases[i].what, (unsigned)c.raster.filled);
		assert_int_equal(bspi_raster_triangle(&c.raster, BSPI_SKY_RIGHT, &c.section, corners), !cases[i].filled);
	}
}

/* Adds a light of 60 for each triangle of a fan around a center, so that a sample shows how many cover it. */
static void fill_fan(canvas *c, int side, const bspi_raster_corner *fan, uint32_t count, bool reversed)
{
	begin(c);
	c->material.alpha_mode = BSPSCENE_ALPHA_MODE_ADD;
	for (uint32_t i = 0; i < count; i++) {
		const bspi_raster_corner *last = &fan[1 + (i + 1) % count], *next = &fan[1 + i];
		const bspi_raster_corner corners[3] = { fan[0], reversed ? *last : *next, reversed ? *next : *last };
		assert_true(bspi_raster_triangle(&c->raster, side, &c->section, corners));
	}
}

static void expect_once(const canvas *c, const char *what, uint32_t low, uint32_t high)
{
	for (uint32_t i = 0; i < SIZE * SIZE; i++) {
		uint32_t x = i % SIZE, y = i / SIZE;
		bool covered = x >= low && x < high && y >= low && y < high;
		if (c->rgb[3 * i] != covered * 60) fail_msg("%s, sample %u %u: %u", what, x, y, c->rgb[3 * i]);
	}
}

/* The shared edges run through the centers of samples: along rows, along columns and along both diagonals. The outer
 * edges also run through centers in some cases. Then samples on the upper and left outer edges are covered, and those
 * on the lower and right ones are not. */
static void samples_on_shared_edges_are_covered_once(void **state)
{
	(void)state;
	static const struct { const char *what; float low, high; uint32_t first, end; } cases[] = {
		{ "through middles", 8.5f, 24.5f, 8, 24 },
		{ "between middles", 8.25f, 24.75f, 8, 25 },
		{ "clipped", -15.5f, 48.5f, 0, SIZE },
		{ "far beyond", -3000.5f, 3033.5f, 0, SIZE },
	};
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		float low = cases[i / 2].low, high = cases[i / 2].high, half = (low + high) / 2;
		const float at[][2] = { { half, half }, { low, low }, { half, low }, { high, low }, { high, half },
			                    { high, high }, { half, high }, { low, high }, { low, half } };
		bspi_raster_corner fan[9];
		canvas c;
		for (int k = 0; k < 9; k++) {
			fan[k] = corner_at(at[k][0], at[k][1]);
			for (int n = 0; n < 3; n++) fan[k].light[n] = 60 / 255.0f;
		}
		fill_fan(&c, BSPI_SKY_RIGHT, fan, 8, i & 1);
		expect_once(&c, cases[i / 2].what, cases[i / 2].first, cases[i / 2].end);
	}
}

/* Corners are at arbitrary positions and distances. Edges that are clipped must still meet. */
static void fans_over_a_whole_side_leave_no_gap(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 40; seed++) {
		bspi_raster_corner fan[8];
		uint32_t random = seed;
		canvas c;
		for (int k = 0; k < 8; k++) {
			random = random * 1664525u + 1013904223u;
			float far = k ? 40 + (float)(random >> 24) : (float)(random >> 28), turn = 0.897598f * (float)k;
			fan[k] = corner_at(16 + cosf(turn) * far, 16 + sinf(turn) * far);
			for (int i = 0; i < 3; i++) fan[k].position[i] *= 1 + (float)(random >> 8 & 0xff);
			for (int i = 0; i < 3; i++) fan[k].light[i] = 60 / 255.0f;
		}
		fill_fan(&c, BSPI_SKY_RIGHT, fan, 7, seed & 1);
		expect_once(&c, "arbitrary", 0, SIZE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(triangles_are_where_rays_meet_them),
		cmocka_unit_test(what_is_filled_is_counted),
		cmocka_unit_test(samples_on_shared_edges_are_covered_once),
		cmocka_unit_test(fans_over_a_whole_side_leave_no_gap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
