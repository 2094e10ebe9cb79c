/* test_lit_row.c - a row of the baked picture equals bilinear filtering in full precision: textures of any size,
 * repeated or clamped, with steps in both directions, with and without emission. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "writers/lit/lit_paint.h"

enum { COUNT = 60, MOST_TEXELS = 64 * 64 };

typedef struct row_case {
	uint32_t width, height;
	bool clamp, glows;
	double u, v, u_step, v_step;       /* first point and step of a row; 1 is the texture's size */
} row_case;

static const row_case cases[] = {
	{ 32, 32, false, false, 0.25, 0.75, 0.01, -0.003 }, { 7, 5, false, false, -3.2, 2.9, 0.031, 0.027 },
	{ 1, 1, false, false, 0.5, 0.5, 0.1, 0.1 }, { 33, 1, false, true, 100.3, -7.1, -0.013, 0.5 },
	{ 16, 64, false, true, 0, 0, 1.5, -2.25 }, { 64, 16, true, false, -0.4, 0.3, 0.03, 0.011 },
	{ 5, 3, true, true, 1.3, -0.2, -0.03, 0.03 }, { 9, 9, true, false, 1e30, -1e30, 0, 0.25 },
	{ 8, 8, false, false, 12345.625, -54321.25, 0.0078125, 0 },
};

static uint8_t texels[4 * MOST_TEXELS];

static int64_t wrapped(double at, uint32_t size, bool clamp)
{
	if (clamp) return (int64_t)fmin(fmax(at, 0), size - 1);
	return (int64_t)(at - floor(at / size) * size);
}

static double expected_texel(const row_case *c, double u, double v, size_t channel)
{
	double x = fmin(fmax(u, -1e9), 1e9) * c->width - 0.5, y = fmin(fmax(v, -1e9), 1e9) * c->height - 0.5, sum = 0;
	for (int i = 0; i < 4; i++) {
		int64_t column = wrapped(floor(x) + (i & 1), c->width, c->clamp);
		int64_t row = wrapped(floor(y) + (i >> 1), c->height, c->clamp);
		double share_x = x - floor(x), share_y = y - floor(y);
		double share = (i & 1 ? share_x : 1 - share_x) * (i >> 1 ? share_y : 1 - share_y);
		sum += share * texels[4 * (size_t)(row * c->width + column) + channel];
	}
	return sum;
}

static void rows_are_filtered(void **state)
{
	static const float glow_factors[3] = { 0.5f, 1, 0.25f };
	(void)state;
	for (size_t i = 0; i < sizeof texels; i++) texels[i] = (uint8_t)(i * 2654435761u >> 13);
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		const row_case *c = &cases[n];
		const bspscene_pixels pixels = { .width = c->width, .height = c->height, .data = texels };
		const bspi_lit_slope uv[2] = { { c->u, c->u_step, 0 }, { c->v, c->v_step, 0 } };
		const bspi_lit_run run = { 0, 0, COUNT };
		float light[COUNT][4];
		uint8_t rgb[3 * COUNT + 1];
		bspi_lit_walk base, glow;
		for (int i = 0; i < 4 * COUNT; i++) light[i / 4][i % 4] = (float)(i % 11) * 0.2f;
		bspi_lit_walk_start(&base, &pixels, c->clamp, uv, &run);
		glow = base;
		rgb[3 * COUNT] = 77;
		bspi_lit_row_paint(&base, c->glows ? &glow : NULL, glow_factors, (const float (*)[4])light, COUNT, rgb);
		assert_int_equal(rgb[3 * COUNT], 77);
		for (size_t x = 0; x < COUNT; x++) {
			double u = c->u + c->u_step * ((double)x + 0.5), v = c->v + c->v_step * ((double)x + 0.5);
			for (size_t k = 0; k < 3; k++) {
				double texel = expected_texel(c, u, v, k), wanted = fmin(texel * (double)light[x][k], 255);
				if (c->glows) wanted = fmin(wanted + texel * (double)glow_factors[k], 255);
				if (fabs(rgb[3 * x + k] - wanted) <= 0.6) continue;
				fail_msg("case %zu, texel %zu, channel %zu: %u, not %g", n, x, k, rgb[3 * x + k], wanted);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rows_are_filtered) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
