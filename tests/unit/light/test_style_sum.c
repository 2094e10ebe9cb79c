/* test_style_sum.c - if two styles light the same luxel, their light is added in the same way everywhere. It is added
 * as linear light if the game does so, otherwise as display values. Once, the sky's raster and bspscene_face_at added
 * display values for all games. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawing/add_light.h"
#include "drawing/sky_sides.h"
#include "images/images.h"
#include "sky/skybox_raster.h"
#include "support/make/sample_scene.h"

#define GAMMA 2.2

enum { SIZE = 8, LUXELS = 4 * 4 * 3, STYLE = 7 };

/* The intensities of the two sets, the brightness of the second set's style, and the luxel value of each set. */
static const float intensities[2] = { 1, 1.25f }, brightness = 0.5f;
static const uint8_t bytes[2] = { 90, 120 };

/* The sample with two sets of even light. */
typedef struct two_styles {
	bspt_sample *sample;
	bspscene_lightmap_set sets[2];
	bspscene_lightmap_page pages[2][BSPT_SAMPLE_PAGES];
	uint16_t luxels[2][LUXELS];
} two_styles;

static void make(two_styles *t, bool linear, bool halves)
{
	bspscene_lightmap_page_format format = halves ? BSPSCENE_LIGHTMAP_PAGE_RGB16F : BSPSCENE_LIGHTMAP_PAGE_RGB8;
	memset(t, 0, sizeof *t);
	t->sample = bspt_sample_make();
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < LUXELS; k++) {
			if (halves) t->luxels[i][k] = bspi_half_from_float((float)pow(bytes[i] / 255.0, GAMMA));
			else ((uint8_t *)t->luxels[i])[k] = bytes[i];
		}
		for (int k = 0; k < BSPT_SAMPLE_PAGES; k++) {
			t->pages[i][k] = (bspscene_lightmap_page){ 4, 4, format, t->luxels[i], NULL };
		}
		t->sets[i] = (bspscene_lightmap_set){ .style = i ? STYLE : 0, .intensity = intensities[i],
			                                  .pages = t->pages[i] };
	}
	t->sample->styles[0].style = STYLE;
	t->sample->styles[0].start = brightness;
	t->sample->scene.lightmap_sets = t->sets;
	t->sample->scene.lightmap_set_count = 2;
	t->sample->scene.linear_luxels = linear;
	t->sample->scene.light_clamp = 0;
}

/* Returns the display value of the sum. */
static double wanted(bool linear)
{
	double power = linear ? GAMMA : 1, sum = 0;
	for (int i = 0; i < 2; i++) {
		sum += pow(bytes[i] / 255.0 * (double)intensities[i], power) * (i ? (double)brightness : 1);
	}
	return pow(sum, 1 / power);
}

static void points_of_faces_have_the_sum(two_styles *t, double want, bool halves)
{
	const bspscene_mesh *mesh = t->sample->scene.meshes[0];
	bspscene_surface_point found;
	float middle[3] = { 0 };
	bspscene_surface_point_init(&found);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) middle[k] += mesh->positions[3 * mesh->indices[i] + (uint32_t)k] / 3;
	}
	assert_true(bspscene_face_at(&t->sample->scene, middle, 16, &found));
	assert_int_equal(found.lightmap_page, 0);
	for (int k = 0; k < 3; k++) assert_float_equal(found.light[k], (float)(halves ? pow(want, GAMMA) : want), 0.002f);
}

/* Checks that the sky's raster has the sum. The sky's material has no texture, so that its picture shows the light. */
static void the_skys_raster_has_the_sum(two_styles *t, double want)
{
	static const uint8_t black[3] = { 0 };
	static float displays[BSPI_HALFS];
	float nearness[SIZE * SIZE];
	uint8_t rgb[SIZE * SIZE * 3];
	bspscene_section section = { .lighting = BSPSCENE_LIGHTING_LIGHTMAP, .material = 0 };
	bspscene_material *material = &t->sample->materials[0];
	bspi_sky_source source = { .scene = &t->sample->scene };
	bspi_skybox_raster raster = { .source = &source, .size = SIZE, .nearness = nearness, .rgb = rgb,
		                          .displays = displays, .most_filled = UINT64_MAX };
	bspi_raster_corner corners[3];
	static const float places[3][2] = { { -4, -4 }, { 4, -4 }, { 0, 8 } };
	*material = (bspscene_material){ .base_image = BSPSCENE_NO_INDEX, .emissive_image = BSPSCENE_NO_INDEX,
		                             .color = { 1, 1, 1, 1 } };
	bspi_fill_displays(displays);
	bspi_fill_linears(raster.linears);
	bspscene_start_styles(source.scene, raster.styles);
	bspi_raster_start(&raster, black, 1);
	for (int i = 0; i < 3; i++) {
		corners[i] = (bspi_raster_corner){ .page_uv = { 0.5f, 0.5f } };
		bspi_side_direction(BSPI_SKY_RIGHT, places[i][0], places[i][1], corners[i].position);
		for (int k = 0; k < 3; k++) corners[i].position[k] *= 10;
	}
	assert_true(bspi_raster_triangle(&raster, BSPI_SKY_RIGHT, &section, corners));
	const uint8_t *middle = rgb + 3 * (SIZE * SIZE / 2 + SIZE / 2);
	for (int k = 0; k < 3; k++) assert_float_equal(middle[k], (float)(255 * want), 1.01f);
}

static void styles_add_up_in_one_way(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		bool linear = i & 1, halves = i & 2;
		two_styles t;
		make(&t, linear, halves);
		points_of_faces_have_the_sum(&t, wanted(linear), halves);
		the_skys_raster_has_the_sum(&t, wanted(linear));
		bspt_sample_free(t.sample);
	}
	assert_true(wanted(false) - wanted(true) > 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(styles_add_up_in_one_way) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
