/* Promise: each factor of a blend, each wave and each modifier of texture coordinates gives the engine's number, and
 * animations show the image for the time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "shade/shade.h"

static void expect_numbers(const char *what, size_t number, const float *got, const float *want, int count)
{
	for (int i = 0; i < count; i++) {
		if (fabsf(got[i] - want[i]) <= 1e-4f) continue;
		fail_msg("%s %zu: number %d is %g instead of %g", what, number, i, (double)got[i], (double)want[i]);
	}
}

static void blend_factors(void **state)
{
	static const float in[4] = { 0.5f, 0.2f, 1, 0.7f }, behind[3] = { 0.4f, 0.9f, 0.1f };
	static const struct { bspscene_blend blend; float factor[3]; } cases[] = {
		{ BSPSCENE_BLEND_ZERO, { 0, 0, 0 } }, { BSPSCENE_BLEND_ONE, { 1, 1, 1 } },
		{ BSPSCENE_BLEND_SRC_COLOR, { 0.5f, 0.2f, 1 } }, { BSPSCENE_BLEND_ONE_MINUS_SRC_COLOR, { 0.5f, 0.8f, 0 } },
		{ BSPSCENE_BLEND_DST_COLOR, { 0.4f, 0.9f, 0.1f } },
		{ BSPSCENE_BLEND_ONE_MINUS_DST_COLOR, { 0.6f, 0.1f, 0.9f } },
		{ BSPSCENE_BLEND_SRC_ALPHA, { 0.7f, 0.7f, 0.7f } },
		{ BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA, { 0.3f, 0.3f, 0.3f } },
		{ BSPSCENE_BLEND_DST_ALPHA, { 1, 1, 1 } }, { BSPSCENE_BLEND_ONE_MINUS_DST_ALPHA, { 0, 0, 0 } },
		{ BSPSCENE_BLEND_SRC_ALPHA_SATURATE, { 0, 0, 0 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float source[3], destination[3], both[3], want[3];
		memcpy(source, behind, sizeof source);
		memcpy(destination, behind, sizeof destination);
		memcpy(both, behind, sizeof both);
		bspi_blend_pass(cases[i].blend, BSPSCENE_BLEND_ZERO, in, source, 8);
		bspi_blend_pass(BSPSCENE_BLEND_ZERO, cases[i].blend, in, destination, 8);
		bspi_blend_pass(cases[i].blend, cases[i].blend, in, both, 8);
		for (int k = 0; k < 3; k++) want[k] = in[k] * cases[i].factor[k];
		expect_numbers("source factor", i, source, want, 3);
		for (int k = 0; k < 3; k++) want[k] = behind[k] * cases[i].factor[k];
		expect_numbers("destination factor", i, destination, want, 3);
		for (int k = 0; k < 3; k++) want[k] = (in[k] + behind[k]) * cases[i].factor[k];
		expect_numbers("both factors", i, both, want, 3);
	}
	float color[3] = { 1, 0.5f, 0 };
	bspi_blend_pass(BSPSCENE_BLEND_ONE, BSPSCENE_BLEND_ONE, (float[4]){ 1, 1, -1, 1 }, color, 1.25f);
	expect_numbers("limits", 0, color, (float[3]){ 1.25f, 1.25f, 0 }, 3);
}

static void waves(void **state)
{
	static const struct { bspscene_wave wave; float time, value; } cases[] = {
		{ { BSPSCENE_WAVE_SIN, 1, 2, 0, 0 }, 9, 1 }, { { BSPSCENE_WAVE_SIN, 1, 2, 0.25f, 0 }, 0, 3 },
		{ { BSPSCENE_WAVE_SIN, 0, 1, 0.5f, 0.5f }, 0.5f, -1 }, { { BSPSCENE_WAVE_SIN, 0, 1, 0, 2 }, 0.125f, 1 },
		{ { BSPSCENE_WAVE_SQUARE, 0, 3, 0.49f, 0 }, 0, 3 }, { { BSPSCENE_WAVE_SQUARE, 0, 3, 0.51f, 0 }, 0, -3 },
		{ { BSPSCENE_WAVE_TRIANGLE, 0, 1, 0.125f, 0 }, 0, 0.5f }, { { BSPSCENE_WAVE_TRIANGLE, 0, 1, 0.25f, 0 }, 0, 1 },
		{ { BSPSCENE_WAVE_TRIANGLE, 0, 1, 0.625f, 0 }, 0, -0.5f },
		{ { BSPSCENE_WAVE_TRIANGLE, 0, 1, 0.875f, 0 }, 0, -0.5f },
		{ { BSPSCENE_WAVE_SAWTOOTH, 0, 1, 0.3f, 1 }, 2, 0.3f },
		{ { BSPSCENE_WAVE_INVERSE_SAWTOOTH, 0, 1, 0.3f, 1 }, 2, 0.7f },
		{ { BSPSCENE_WAVE_NOISE, 0.4f, 5, 0.3f, 1 }, 2, 0.4f },
		{ { BSPSCENE_WAVE_SAWTOOTH, 0, 1, -0.25f, 0 }, 0, 0.75f },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float value = bspi_wave_at(&cases[i].wave, cases[i].time);
		expect_numbers("wave", i, &value, &cases[i].value, 1);
	}
}

/* The coordinates (0.3, 0.8) are modified. Turbulence depends on the vertex, (100, 40, 60). */
static void coordinate_modifiers(void **state)
{
	static const struct { bspscene_tc_mod mods[2]; float time, want[2]; } cases[] = {
		{ { { .kind = BSPSCENE_TC_MOD_SCALE, .values = { 2, 3 } } }, 0, { 0.6f, 2.4f } },
		{ { { .kind = BSPSCENE_TC_MOD_SCROLL, .values = { 0.5f, -0.25f } } }, 3, { 0.8f, 1.05f } },
		{ { { .kind = BSPSCENE_TC_MOD_OFFSET, .values = { 0.5f, -0.25f } } }, 3, { 0.8f, 0.55f } },
		{ { { .kind = BSPSCENE_TC_MOD_TRANSFORM, .values = { 2, 3, 5, 7, 0.1f, 0.2f } } }, 0, { 4.7f, 6.7f } },
		{ { { .kind = BSPSCENE_TC_MOD_ROTATE, .values = { 90 } } }, 1, { 0.8f, 0.7f } },
		{ { { .kind = BSPSCENE_TC_MOD_ROTATE, .values = { 90 } } }, 2, { 0.7f, 0.2f } },
		{ { { .kind = BSPSCENE_TC_MOD_STRETCH, .wave = { BSPSCENE_WAVE_SIN, 2, 0, 0, 0 } } }, 0, { 0.4f, 0.65f } },
		{ { { .kind = BSPSCENE_TC_MOD_STRETCH, .wave = { BSPSCENE_WAVE_SIN, 0, 0, 0, 0 } } }, 0, { 0.3f, 0.8f } },
		{ { { .kind = BSPSCENE_TC_MOD_TURBULENCE, .wave = { BSPSCENE_WAVE_SIN, 9, 0.1f, 0.5f, 0.25f } } }, 1,
		  { 0.3f + 0.1f * -0.555570f, 0.8f + 0.1f * -0.970031f } },
		{ { { .kind = BSPSCENE_TC_MOD_WARP, .values = { 0.125f, 6.2831853f, 0.5f } } }, 0,
		  { 0.3f + 0.125f * -0.951057f, 0.8f + 0.125f * 0.951057f } },
		{ { { .kind = BSPSCENE_TC_MOD_WARP, .values = { 0.125f, 6.2831853f, 0.5f } } }, 3.1415927f,
		  { 0.3f + 0.125f * 0.309017f, 0.8f + 0.125f * -0.309017f } },
		{ { { .kind = BSPSCENE_TC_MOD_ENTITY_TRANSLATE } }, 5, { 0.3f, 0.8f } },
		{ { { .kind = BSPSCENE_TC_MOD_SCALE, .values = { 2, 2 } },
		    { .kind = BSPSCENE_TC_MOD_OFFSET, .values = { 1, 0 } } }, 0, { 1.6f, 1.6f } },
		{ { { .kind = BSPSCENE_TC_MOD_OFFSET, .values = { 1, 0 } },
		    { .kind = BSPSCENE_TC_MOD_SCALE, .values = { 2, 2 } } }, 0, { 2.6f, 1.6f } },
	};
	static const float position[3] = { 100, 40, 60 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_material_pass stage = { .tc_mod_count = i < sizeof cases / sizeof *cases - 2 ? 1 : 2 };
		float uv[2] = { 0.3f, 0.8f };
		memcpy(stage.tc_mods, cases[i].mods, sizeof cases[i].mods);
		bspi_modify_uv(&stage, cases[i].time, position, uv);
		expect_numbers("modifier", i, uv, cases[i].want, 2);
	}
}

static void frames_of_animations(void **state)
{
	static const uint32_t frames[] = { 9, 5, 6, 7 };
	static const struct { float time; uint32_t image; } cases[] = {
		{ 0, 5 }, { 0.49f, 5 }, { 0.51f, 6 }, { 1, 7 }, { 1.6f, 5 }, { 2.1f, 6 }, { 50, 6 }, { 1e30f, 5 },
	};
	bspscene_scene scene = { .frame_images = frames, .frame_image_count = 4 };
	bspscene_material_pass stage = { .first_frame_image = 1, .frame_image_count = 3, .frames_per_second = 2 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(bspi_pass_image(&scene, &stage, cases[i].time), cases[i].image);
	}
	stage.frame_image_count = 0;
	assert_int_equal(bspi_pass_image(&scene, &stage, 0), BSPSCENE_NO_INDEX);
}

/* The position (1, 0, 0) has the second weight of a table, and weights repeat after the sixteenth. */
static void weights_of_dirt(void **state)
{
	static const struct { float position[3], weight;
	} cases[] = {
		{ { 0, 0, 0 }, 0.6f }, { { 1, 0, 0 }, 0.5f },     { { 0, 1, 0 }, 0.4f },
		{ { 0, 0, 1 }, 0.4f }, { { 8, 2, -0.1f }, 0.3f }, { { 9, 2, 0 }, 0.5f },
		{ { -1, 0, 0 }, 0 },   { { 1e12f, 0, 0 }, 0 },    { { NAN, 0, 0 }, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float got = bspi_dirt_at(cases[i].position);
		expect_numbers("position", i, &got, &cases[i].weight, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blend_factors),
		cmocka_unit_test(waves),
		cmocka_unit_test(coordinate_modifiers),
		cmocka_unit_test(weights_of_dirt),
		cmocka_unit_test(frames_of_animations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
