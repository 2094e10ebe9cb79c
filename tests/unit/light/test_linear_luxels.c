/* test_linear_luxels.c - interpolation between luxels in a game that adds linear light. Halfway between a black and a
 * white luxel there is half of the linear light, which is 0.73 as a display value. This holds for pages of bytes and of
 * half floats. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "drawing/sample.h"
#include "images/images.h"

#define MOST 65504.0f
#define GAMMA 2.2

static void light_between_luxels_is_linear(void **state)
{
	static const uint8_t bytes[6] = { 0, 51, 255, 255, 51, 0 };
	static const float between[2] = { 0.5f, 0.5f };
	float linears[256], light[1][4];
	uint16_t halves[6];
	(void)state;
	for (int i = 0; i < 256; i++) linears[i] = (float)pow(i / 255.0, GAMMA);
	for (int i = 0; i < 6; i++) halves[i] = bspi_half_from_float(linears[bytes[i]]);
	const bspscene_lightmap_page pages[] = {
		{ 2, 1, BSPSCENE_LIGHTMAP_PAGE_RGB8, bytes, NULL }, { 2, 1, BSPSCENE_LIGHTMAP_PAGE_RGB16F, halves, NULL },
	};
	for (int i = 0; i < 2; i++) {
		memset(light, 0, sizeof light);
		for (int k = 0; k < 2; k++) bspi_page_add_linear_row(&pages[i], linears, &between, 1, 0.5f, light);
		assert_float_equal(light[0][0], 0.5, 1e-3);
		assert_float_equal(light[0][1], linears[51], 1e-3);
		assert_float_equal(light[0][2], 0.5, 1e-3);
	}
}

static void halves_that_are_no_light_stay_in_range(void **state)
{
	static const uint16_t halves[3] = { 0x7c00, 0xfe00, 1 };
	static const float middle[2] = { 0.5f, 0.5f };
	const bspscene_lightmap_page page = { 1, 1, BSPSCENE_LIGHTMAP_PAGE_RGB16F, halves, NULL };
	float light[1][4] = { { 0 } };
	(void)state;
	bspi_page_add_linear_row(&page, NULL, &middle, 1, 1, light);
	assert_true(light[0][0] == MOST && light[0][1] == 0);
	assert_float_equal(light[0][2], 1.0 / 16777216, 1e-12);
}

static void display_values_are_near(void **state)
{
	float *displays = malloc(BSPI_HALFS * sizeof *displays);
	(void)state;
	assert_non_null(displays);
	bspi_fill_displays(displays);
	for (float light = 1e-9f; light < 2 * MOST; light *= 1.01f) {
		double want = pow(light < MOST ? light : MOST, 1 / GAMMA), got = bspi_display_of(displays, light);
		assert_true(fabs(got - want) <= want / 4096 + 0.0004);
	}
	assert_true(bspi_display_of(displays, 0) == 0 && bspi_display_of(displays, -1) == 0);
	assert_true(bspi_display_of(displays, 1) == 1);
	free(displays);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(light_between_luxels_is_linear),
		cmocka_unit_test(halves_that_are_no_light_stay_in_range),
		cmocka_unit_test(display_values_are_near),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
