/* Promise: options of any caller's version are completed with the documented defaults, or refused with a message, and
 * never read past their struct_size. Members of a newer header are refused only if they are set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"

static void zero_means_default(void **state)
{
	(void)state;
	bspscene_load_options given, out;
	bspscene_load_options_init(&given);
	assert_int_equal(given.struct_size, sizeof given);
	for (int round = 0; round < 2; round++) {
		assert_true(bspi_complete_options(round ? &given : NULL, &out, NULL));
		assert_int_equal(out.struct_size, sizeof out);
		assert_true(out.memory_limit == 0); /* 0 means that the limit grows with the bytes that are read */
		assert_true(out.allocation_limit == 0);
		assert_int_equal(out.include_mask, 0);
		assert_int_equal(out.textures, BSPSCENE_TEXTURES_LOAD);
		assert_int_equal(out.lightmap_encoding, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		assert_int_equal(out.lightmap_page_size, 4096);
		assert_int_equal(out.lightmap_gutter, 1);
		assert_true(out.patch_error == 4);
		assert_true(out.meters_per_unit == 0.0254f);
		assert_false(out.strict);
		assert_null(out.name);
		assert_null(out.open_file);
		assert_null(out.palette);
	}
}

static void every_struct_size_is_answered(void **state)
{
	(void)state;
	size_t accepted = 0;
	for (size_t size = 0; size <= 2 * sizeof(bspscene_load_options); size++) {
		/* The struct has exactly the stated size, so that sanitizers detect reads past it; struct_size itself always
		 * exists. */
		size_t allocated = size > sizeof size ? size : sizeof size;
		bspscene_load_options *given = malloc(allocated), out;
		bspscene_error error = { 0 };
		assert_non_null(given);
		memset(given, 0, allocated);
		memcpy(given, &size, sizeof size);
		bool ok = bspi_complete_options(given, &out, &error);
		assert_int_equal(error.status, ok ? BSPSCENE_OK : BSPSCENE_ERROR_BAD_OPTIONS);
		if (!ok) assert_non_null(strstr(error.message, "bspscene_struct_size"));
		assert_true(ok || !bspi_complete_options(given, &out, NULL));
		accepted += ok;
		assert_int_equal(ok, size >= offsetof(bspscene_load_options, seed) + sizeof given->seed);
		if (size > sizeof out) {
			((uint8_t *)given)[size - 1] = 1;
			assert_false(bspi_complete_options(given, &out, &error));
			assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
			assert_non_null(strstr(error.message, "too old"));
		}
		free(given);
	}
	/* A program that does not set struct_size may have any number there. If the number is not plausible, no other
	 * member is read. */
	static const size_t nonsense[] = { 4097, SIZE_MAX, (size_t)1 << 40 };
	for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
		bspscene_load_options given, out;
		bspscene_load_options_init(&given);
		given.struct_size = nonsense[i];
		assert_false(bspi_complete_options(&given, &out, NULL));
	}
	assert_true(accepted > 0);
}

static void what_is_given_is_kept(void **state)
{
	(void)state;
	static const uint8_t palette[768];
	bspscene_load_options given, out;
	bspscene_load_options_init(&given);
	given.name = "atrium";
	given.memory_limit = 1;
	given.allocation_limit = 2;
	given.include_mask = BSPSCENE_SURFACE_ALL;
	given.textures = BSPSCENE_TEXTURES_NONE;
	given.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_NONE;
	given.lightmap_page_size = 16384;
	given.lightmap_gutter = 16;
	given.patch_error = 0.25f;
	given.meters_per_unit = 1;
	given.strict = true;
	given.palette = palette;
	given.palette_path = "gfx/palette.lmp";
	assert_true(bspi_complete_options(&given, &out, NULL));
	assert_memory_equal(&given, &out, sizeof out);
}

static void pictures_get_what_the_renderer_draws(void **state)
{
	(void)state;
	bspscene_load_options given, out;
	bspscene_load_options_init(&given);
	given.for_pictures = true;
	given.include_mask = BSPSCENE_SURFACE_CLIP;
	assert_true(bspi_complete_options(&given, &out, NULL));
	assert_int_equal(out.include_mask, BSPSCENE_SURFACE_CLIP | BSPSCENE_SURFACE_SKY);
	assert_true(out.reflections && out.skip_normal_maps && out.patch_error == 1);
	given.patch_error = 2;
	assert_true(bspi_complete_options(&given, &out, NULL) && out.patch_error == 2);
}

static void values_out_of_range_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t offset;
		enum { COUNT, REAL } type;
		uint32_t count;
		float real;
		bool valid;
	} cases[] = {
#define VALUE(member, value, valid) { #member, offsetof(bspscene_load_options, member), COUNT, value, 0, valid }
#define FRACTION(member, value, valid) { #member, offsetof(bspscene_load_options, member), REAL, 0, value, valid }
		VALUE(lightmap_page_size, 15, false),
		VALUE(lightmap_page_size, 16, true),
		VALUE(lightmap_page_size, 16384, true),
		VALUE(lightmap_page_size, 16385, false),
		VALUE(lightmap_page_size, UINT32_MAX, false),
		VALUE(lightmap_gutter, 16, true),
		VALUE(lightmap_gutter, 17, false),
		VALUE(lightmap_gutter, UINT32_MAX, false),
		VALUE(include_mask, 0x200, false),
		VALUE(include_mask, 0x80000000, false),
		VALUE(include_mask, 0x1ff, true),
		VALUE(textures, 3, false),
		VALUE(textures, 0xffffffff, false),
		VALUE(textures, 0x7fffffff, false),
		VALUE(lightmap_encoding, 4, false),
		VALUE(lightmap_encoding, 3, true),
		FRACTION(patch_error, 0.24f, false),
		FRACTION(patch_error, 0.25f, true),
		FRACTION(patch_error, 1024, true),
		FRACTION(patch_error, 1025, false),
		FRACTION(patch_error, -4, false),
		FRACTION(patch_error, NAN, false),
		FRACTION(patch_error, INFINITY, false),
		FRACTION(meters_per_unit, -1, false),
		FRACTION(meters_per_unit, NAN, false),
		FRACTION(meters_per_unit, INFINITY, false),
		FRACTION(meters_per_unit, 1e-9f, false),
		FRACTION(meters_per_unit, 0.03125f, true),
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_load_options given, out;
		bspscene_error error = { 0 };
		bspscene_load_options_init(&given);
		uint8_t *member = (uint8_t *)&given + cases[i].offset;
		if (cases[i].type == COUNT) memcpy(member, &cases[i].count, sizeof cases[i].count);
		else memcpy(member, &cases[i].real, sizeof cases[i].real);
		bool ok = bspi_complete_options(&given, &out, &error);
		if (ok != cases[i].valid) fail_msg("case %zu: %s %s", i, cases[i].name, ok ? "accepted" : error.message);
		if (!ok) {
			assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
			if (!strstr(error.message, cases[i].name)) fail_msg("%s: \"%s\"", cases[i].name, error.message);
		}
	}
}

/* The smallest page must have room for a luxel between its gutters. */
static void gutters_fit_the_page(void **state)
{
	(void)state;
	bspscene_load_options given, out;
	bspscene_load_options_init(&given);
	given.lightmap_page_size = 16;
	given.lightmap_gutter = 8;
	assert_false(bspi_complete_options(&given, &out, NULL));
	given.lightmap_gutter = 7;
	assert_true(bspi_complete_options(&given, &out, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zero_means_default),
		cmocka_unit_test(every_struct_size_is_answered),
		cmocka_unit_test(what_is_given_is_kept),
		cmocka_unit_test(pictures_get_what_the_renderer_draws),
		cmocka_unit_test(values_out_of_range_are_refused),
		cmocka_unit_test(gutters_fit_the_page),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
