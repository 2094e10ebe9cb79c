/* Promise: each texel of a mipmap is the mean of two by two texels of the level above, in each channel. Levels go down
 * to one texel, also if sides are odd. Levels that are larger than allowed are dropped. A sample blends the four
 * nearest texels of the two nearest levels, and a texture repeats or is clamped. A row of points gives the same samples
 * as each of its points alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawing/sample.h"

static void *take(void *user, size_t size)
{
	(void)user;
	return test_malloc(size);
}

static void give(void *user, void *data)
{
	(void)user;
	test_free(data);
}

static const bspscene_allocator memory = { .allocate = take, .release = give };

static bspi_mips build(uint32_t width, uint32_t height, uint32_t side)
{
	bspi_mips mips = { .level_count = 1, .levels = { { width, height, test_malloc((size_t)width * height * 4) } } };
	uint32_t random = width * 31 + height;
	for (size_t i = 0; i < (size_t)width * height * 4; i++) {
		random = random * 1664525u + 1013904223u;
		mips.levels[0].rgba[i] = (uint8_t)(random >> 24);
	}
	assert_true(bspi_mips_build(&memory, &mips, side));
	return mips;
}

static double texel(const bspi_mip_level *level, uint32_t x, uint32_t y, uint32_t channel)
{
	return level->rgba[((size_t)y * level->width + x) * 4 + channel];
}

/* Compares a level with the means of the previous one. If a side is odd, its last column or row does not count. If a
 * side has only one texel, this texel counts twice. */
static void expect_level(const bspi_mip_level *from, const bspi_mip_level *to)
{
	for (uint32_t i = 0; i < to->width * to->height * 4; i++) {
		uint32_t x = i / 4 % to->width, y = i / 4 / to->width;
		uint32_t right = from->width > 1 ? 2 * x + 1 : x, left = from->width > 1 ? 2 * x : x;
		uint32_t below = from->height > 1 ? 2 * y + 1 : y, above = from->height > 1 ? 2 * y : y;
		double sum = texel(from, left, above, i % 4) + texel(from, right, above, i % 4) +
		             texel(from, left, below, i % 4) + texel(from, right, below, i % 4);
		assert_int_equal(to->rgba[i], (int)floor(sum / 4));
	}
}

static void levels_are_means_of_texels(void **state)
{
	(void)state;
	static const struct { uint32_t width, height, count; } cases[] = {
		{ 1, 1, 1 }, { 2, 2, 2 }, { 8, 4, 4 }, { 1, 8, 4 }, { 4, 1, 3 }, { 7, 5, 3 }, { 9, 16, 5 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_mips mips = build(cases[i].width, cases[i].height, 16);
		assert_int_equal(mips.level_count, cases[i].count);
		for (uint32_t k = 1; k < mips.level_count; k++) {
			const bspi_mip_level *from = &mips.levels[k - 1], *to = &mips.levels[k];
			assert_int_equal(to->width, from->width > 1 ? from->width / 2 : 1);
			assert_int_equal(to->height, from->height > 1 ? from->height / 2 : 1);
			expect_level(from, to);
		}
		bspi_mips_free(&memory, &mips);
	}
}

static void larger_levels_are_dropped(void **state)
{
	(void)state;
	static const struct { uint32_t width, height, side, first_width, first_height; } cases[] = {
		{ 16, 4, 16, 16, 4 }, { 16, 4, 15, 8, 2 }, { 4, 16, 15, 2, 8 }, { 16, 16, 4, 4, 4 }, { 16, 4, 1, 1, 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspi_mips mips = build(cases[i].width, cases[i].height, cases[i].side);
		assert_int_equal(mips.levels[0].width, cases[i].first_width);
		assert_int_equal(mips.levels[0].height, cases[i].first_height);
		assert_int_equal(mips.levels[mips.level_count - 1].width * mips.levels[mips.level_count - 1].height, 1);
		bspi_mips_free(&memory, &mips);
	}
}

static uint32_t wrap(double at, uint32_t size, bool clamp)
{
	if (clamp) return (uint32_t)fmin(fmax(at, 0), size - 1);
	return (uint32_t)(at - floor(at / size) * size);
}

static double bilinear(const bspi_mip_level *level, const float uv[2], bool clamp, uint32_t channel)
{
	double x = (double)uv[0] * level->width - 0.5, y = (double)uv[1] * level->height - 0.5, value = 0;
	for (int i = 0; i < 4; i++) {
		double at_x = floor(x) + (i & 1), at_y = floor(y) + (i >> 1);
		double share = (1 - fabs(x - at_x)) * (1 - fabs(y - at_y));
		value += share * texel(level, wrap(at_x, level->width, clamp), wrap(at_y, level->height, clamp), channel);
	}
	return value / 255;
}

static void samples_blend_texels_and_levels(void **state)
{
	(void)state;
	static const float lods[] = { -1, 0, 0.25f, 1, 1.75f, 2, 3.5f };
	bspi_mips mips = build(8, 4, 16);
	for (int i = 0; i < 400 * 2; i++) {
		const float uv[2] = { (float)(i / 2 % 20) * 0.17f - 1.3f, (float)(i / 40) * 0.19f - 1.4f };
		bool clamp = i & 1;
		for (size_t k = 0; k < sizeof lods / sizeof *lods; k++) {
			double lod = fmin(fmax((double)lods[k], 0), mips.level_count - 1.0), whole = floor(lod);
			uint32_t level = (uint32_t)whole, next = level + 1 < mips.level_count ? level + 1 : level;
			float got[4];
			bspi_mips_sample(&mips, uv, lods[k], clamp, got);
			for (uint32_t c = 0; c < 4; c++) {
				double near = bilinear(&mips.levels[level], uv, clamp, c),
				       far = bilinear(&mips.levels[next], uv, clamp, c);
				assert_float_equal(got[c], (float)(near + (far - near) * (lod - whole)), 1e-4f);
			}
		}
	}
	bspi_mips_free(&memory, &mips);
}

/* The level is the binary logarithm of the number of texels per pixel. Of the two directions of the picture, the one
 * with more texels counts. */
static void levels_follow_the_larger_change(void **state)
{
	(void)state;
	static const struct { float right[2], down[2]; double texels; } cases[] = {
		{ { 0.125f, 0 }, { 0, 0.25f }, 1 },  { { 0.25f, 0 }, { 0, 0.25f }, 2 }, { { 0, 0.5f }, { 0.125f, 0 }, 2 },
		{ { 0.125f, 0 }, { 0, -1 }, 4 },     { { 0.375f, 1 }, { 0, 0 }, 5 },    { { 0.01f, 0 }, { 0, 0.01f }, 1 },
		{ { 0, 0 }, { -0.375f, 1 }, 5 },
	};
	bspi_mips mips = build(8, 4, 16);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_float_equal(bspi_mips_lod(&mips, cases[i].right, cases[i].down), (float)log2(cases[i].texels), 1e-3f);
	}
	bspi_mips_free(&memory, &mips);
}

enum { COUNT = 27 };

static const uint32_t sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 7, 5 }, { 64, 3 }, { 33, 65 } };

/* Returns coordinates on and off a texture, of which some are infinite or not a number. */
static float next_number(uint32_t *random)
{
	static const float strange[] = { NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e7f, -0.0f, -1e-9f, 1 };
	*random = *random * 1664525u + 1013904223u;
	if ((*random >> 8) % 16 == 0) return strange[(*random >> 12) % (sizeof strange / sizeof *strange)];
	return (float)(*random >> 8) / (1 << 20) - 8;
}

/* The sample of a point does not depend on the other points of its row, nor on how many points the processor computes
 * at once. */
static void rows_are_sampled_like_single_points(void **state)
{
	(void)state;
	uint32_t random = 1;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes * 200; i++) {
		const uint32_t *size = sizes[i / 200];
		bspi_mips mips = build(size[0], size[1], 128);
		float uvs[COUNT][2], lods[COUNT], row[COUNT][4], one[4];
		for (uint32_t k = 0; k < COUNT; k++) {
			uvs[k][0] = next_number(&random);
			uvs[k][1] = next_number(&random);
			lods[k] = next_number(&random);
		}
		bspi_mips_sample_row(&mips, (const float (*)[2])uvs, lods, COUNT, i & 1, row);
		for (uint32_t k = 0; k < COUNT; k++) {
			bspi_mips_sample(&mips, uvs[k], lods[k], i & 1, one);
			for (int c = 0; c < 4; c++) assert_true(one[c] == row[k][c]);
		}
		bspi_mips_free(&memory, &mips);
	}
}

static void pages_are_sampled_like_single_points(void **state)
{
	(void)state;
	uint32_t random = 1;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes * 100; i++) {
		const uint32_t *size = sizes[i / 100];
		size_t bytes = (size_t)size[0] * size[1] * 3;
		uint8_t *data = test_malloc(bytes); /* exact size, so that sanitizers detect reads past the end */
		bspscene_lightmap_page page = { .width = size[0], .height = size[1], .data = data };
		float uvs[COUNT][2], row[COUNT][4], one[COUNT][4];
		for (size_t k = 0; k < bytes; k++) {
			next_number(&random);
			data[k] = (uint8_t)(random >> 24);
		}
		for (uint32_t k = 0; k < COUNT; k++) {
			for (int c = 0; c < 4; c++) row[k][c] = one[k][c] = (float)c + 0.25f;
			uvs[k][0] = next_number(&random) / 8;
			uvs[k][1] = next_number(&random) / 8;
			bspi_page_add_row(&page, NULL, (const float (*)[2])uvs + k, 1, 0.7f, one + k);
		}
		bspi_page_add_row(&page, NULL, (const float (*)[2])uvs, COUNT, 0.7f, row);
		for (uint32_t k = 0; k < COUNT; k++) {
			for (int c = 0; c < 4; c++) assert_true(one[k][c] == row[k][c]);
			assert_true(row[k][3] == 3.25f);
		}
		test_free(data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_means_of_texels),
		cmocka_unit_test(larger_levels_are_dropped),
		cmocka_unit_test(samples_blend_texels_and_levels),
		cmocka_unit_test(levels_follow_the_larger_change),
		cmocka_unit_test(rows_are_sampled_like_single_points),
		cmocka_unit_test(pages_are_sampled_like_single_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
