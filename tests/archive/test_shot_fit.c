/* Promise: an author's picture is scaled to a tile; each pixel is the mean of the pixels that it covers. Pictures of
 * other aspects are cropped evenly on both sides, except squares, which are stretched. Thumbnails are not used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "archive/pictures/shot_fit.h"

/* Pictures have at most MOST_PIXELS pixels. Every pixel has another color: red depends on the column, green on the row,
 * blue on both. */
#define MOST_PIXELS 16
#define RED(x) (10 * (x) + 1)
#define GREEN(y) (20 * (y) + 3)
#define BLUE(x, y) (200 - 9 * (x) - 30 * (y))

static bspscene_pixels make_shot(uint32_t width, uint32_t height, uint8_t *rgba)
{
	assert_in_range(width * height, 1, MOST_PIXELS);
	for (uint32_t i = 0; i < width * height; i++) {
		uint32_t x = i % width, y = i / width;
		const uint8_t pixel[4] = { (uint8_t)RED(x), (uint8_t)GREEN(y), (uint8_t)BLUE(x, y), (uint8_t)(97 * i) };
		memcpy(rgba + 4 * (size_t)i, pixel, sizeof pixel);
	}
	return (bspscene_pixels){ .width = width, .height = height, .data = rgba };
}

static void tiles_are_means_of_pictures(void **state)
{
	(void)state;
	static const struct {
		const char *what; uint32_t width, height; cli_picture_size size; uint8_t want[8][3];
	} cases[] = {
		{ "as it is", 3, 2, { 3, 2 },
		  { { RED(0), GREEN(0), BLUE(0, 0) }, { RED(1), GREEN(0), BLUE(1, 0) }, { RED(2), GREEN(0), BLUE(2, 0) },
		    { RED(0), GREEN(1), BLUE(0, 1) }, { RED(1), GREEN(1), BLUE(1, 1) }, { RED(2), GREEN(1), BLUE(2, 1) } } },
		/* The mean values of blue are 180.5 and 162.5, rounded up. */
		{ "half of it", 4, 2, { 2, 1 }, { { 6, 13, 181 }, { 26, 13, 163 } } },
		{ "the middle of what is wide", 6, 2, { 2, 2 },
		  { { RED(2), GREEN(0), BLUE(2, 0) }, { RED(3), GREEN(0), BLUE(3, 0) },
		    { RED(2), GREEN(1), BLUE(2, 1) }, { RED(3), GREEN(1), BLUE(3, 1) } } },
		{ "the middle of what is high", 2, 6, { 2, 2 },
		  { { RED(0), GREEN(2), BLUE(0, 2) }, { RED(1), GREEN(2), BLUE(1, 2) },
		    { RED(0), GREEN(3), BLUE(0, 3) }, { RED(1), GREEN(3), BLUE(1, 3) } } },
		{ "a square is stretched", 2, 2, { 4, 2 },
		  { { RED(0), GREEN(0), BLUE(0, 0) }, { RED(0), GREEN(0), BLUE(0, 0) }, { RED(1), GREEN(0), BLUE(1, 0) },
		    { RED(1), GREEN(0), BLUE(1, 0) }, { RED(0), GREEN(1), BLUE(0, 1) }, { RED(0), GREEN(1), BLUE(0, 1) },
		    { RED(1), GREEN(1), BLUE(1, 1) }, { RED(1), GREEN(1), BLUE(1, 1) } } },
		{ "a square is made small", 4, 4, { 2, 1 }, { { 6, 33, 151 }, { 26, 33, 133 } } },
		{ "a line of a thin one", 9, 1, { 1, 4 },
		  { { RED(4), GREEN(0), BLUE(4, 0) }, { RED(4), GREEN(0), BLUE(4, 0) }, { RED(4), GREEN(0), BLUE(4, 0) },
		    { RED(4), GREEN(0), BLUE(4, 0) } } },
		{ "a line of a high one", 1, 5, { 4, 1 },
		  { { RED(0), GREEN(2), BLUE(0, 2) }, { RED(0), GREEN(2), BLUE(0, 2) }, { RED(0), GREEN(2), BLUE(0, 2) },
		    { RED(0), GREEN(2), BLUE(0, 2) } } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t rgba[4 * MOST_PIXELS];
		const bspscene_pixels shot = make_shot(cases[i].width, cases[i].height, rgba);
		uint8_t *rgb = cli_fit_shot(&shot, cases[i].size);
		for (uint32_t p = 0; p < cases[i].size.width * cases[i].size.height; p++) {
			const uint8_t *got = rgb + 3 * (size_t)p, *want = cases[i].want[p];
			if (!memcmp(got, want, 3)) continue;
			fail_msg("%s, pixel %u: %u %u %u instead of %u %u %u", cases[i].what, p, got[0], got[1], got[2], want[0],
			         want[1], want[2]);
		}
		free(rgb);
	}
}

static void thumbnails_are_too_small(void **state)
{
	(void)state;
	static const struct { uint32_t width, height; bool large; } cases[] = {
		{ 160, 120, true }, { 159, 120, false }, { 160, 119, false }, { 1024, 1024, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_pixels shot = { .width = cases[i].width, .height = cases[i].height };
		if (cli_is_shot_large(&shot) != cases[i].large) fail_msg("%u by %u", shot.width, shot.height);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tiles_are_means_of_pictures),
		cmocka_unit_test(thumbnails_are_too_small),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
