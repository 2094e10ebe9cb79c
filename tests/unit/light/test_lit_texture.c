/* Promise: while a baked picture is painted, the current material's texture is decoded once, and its mip levels are
 * made as in games. All memory is freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "writers/lit/lit_paint.h"

#define NONE BSPSCENE_NO_INDEX

/* A texture of four by two texels. The mean of its left half is 25, of its right half 65, of all 45. */
static const uint8_t wide[4 * 2 * 4] = {
	10, 10, 10, 255, 20, 20, 20, 255, 50, 50, 50, 255, 60, 60, 60, 255,
	30, 30, 30, 255, 40, 40, 40, 255, 70, 70, 70, 255, 80, 80, 80, 255,
};
static const uint8_t dot[4] = { 7, 8, 9, 255 }, no_png[4] = { 1, 2, 3, 4 };

static const bspscene_image images[] = {
	{ .name = "wide", .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = 4, .height = 2,
	  .data = wide, .size = sizeof wide },
	{ .name = "dot", .path = "", .archive = "", .format = BSPSCENE_IMAGE_RGBA, .width = 1, .height = 1,
	  .data = dot, .size = sizeof dot },
	{ .name = "broken", .path = "", .archive = "", .format = BSPSCENE_IMAGE_PNG, .width = 4, .height = 4,
	  .data = no_png, .size = sizeof no_png },
};
static const bspscene_image *const table[] = { &images[0], &images[1], &images[2] };
static const bspscene_scene scene = { .images = table, .image_count = 3 };

typedef struct shelf {
	bspi_budget budget;
	bspi_lit_texture texture;
} shelf;

static void begin(shelf *s)
{
	bspi_budget_begin(&s->budget, 1u << 20, NULL);
	s->texture = (bspi_lit_texture){ .budget = &s->budget, .image = NONE };
}

static void end(shelf *s)
{
	bspi_lit_texture_give(&s->texture);
	assert_int_equal(s->budget.used, 0);
}

static void the_texture_is_the_materials(void **state)
{
	(void)state;
	static const struct { uint32_t image, width; bool decoded; } cases[] = {
		{ NONE, 0, false }, { 0, 4, true }, { 0, 4, false }, { 1, 1, true }, { NONE, 0, false }, { NONE, 0, false },
		{ 1, 1, true }, { 0, 4, true }, { NONE, 0, false }, { 2, 4, true }, { 2, 4, false }, { 1, 1, true },
	};
	shelf s;
	bspscene_error error;
	begin(&s);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t decoded = s.budget.decoded;
		assert_true(bspi_lit_texture_take(&s.texture, &scene, cases[i].image, &error));
		if (s.texture.level_count != (cases[i].image != NONE)) fail_msg("case %zu: %u", i, s.texture.level_count);
		if (cases[i].width) assert_int_equal(s.texture.levels[0].width, cases[i].width);
		if ((s.budget.decoded != decoded) != cases[i].decoded) fail_msg("case %zu: is decoded", i);
	}
	end(&s);
}

static void halves_are_means(void **state)
{
	(void)state;
	static const struct { uint32_t level, width, height; uint8_t first; } cases[] = {
		{ 0, 4, 2, 10 }, { 1, 2, 1, 25 }, { 2, 1, 1, 45 }, { 9, 1, 1, 45 }, { 1, 2, 1, 25 },
	};
	shelf s;
	bspscene_error error;
	begin(&s);
	assert_true(bspi_lit_texture_take(&s.texture, &scene, 0, &error));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_pixels *got = bspi_lit_texture_level(&s.texture, cases[i].level, &error);
		assert_non_null(got);
		assert_int_equal(got->width, cases[i].width);
		assert_int_equal(got->height, cases[i].height);
		for (int k = 0; k < 3; k++) assert_int_equal(got->data[k], cases[i].first);
		assert_int_equal(got->data[3], 255);
	}
	assert_int_equal(s.texture.levels[1].data[4], 65);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_texture_is_the_materials),
		cmocka_unit_test(halves_are_means),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
