/* Promise: a glTF file has as many lamps as the caller allows, and those are the lamps that look brightest. All other
 * lamps are metadata of their nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/check/written_sample.h"

/* The scene has four lamps. A spot light and a sun are brighter than a point light, and a surface patch is never
 * written. If the file already contains the light of the map, no lamps are written, because they would add this light
 * again. */
static void the_brightest_lamps_are_written(void **state)
{
	static const struct { bspscene_write_lighting lighting; bool none; uint32_t limit, want;
	} cases[] = {
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, false, 0, 0 },
		{ BSPSCENE_WRITE_LIGHTING_NONE, false, 0, 3 },
		{ BSPSCENE_WRITE_LIGHTING_VERTEX, false, 0, 0 },
		{ BSPSCENE_WRITE_LIGHTING_DEFAULT, false, 0, 0 },
		{ BSPSCENE_WRITE_LIGHTING_BAKED, false, 0, 0 },
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, true, 0, 0 },
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, false, 1, 1 },
		{ BSPSCENE_WRITE_LIGHTING_LIGHTMAP, false, BSPSCENE_NO_INDEX, 3 },
		{ BSPSCENE_WRITE_LIGHTING_VERTEX, false, 2, 2 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static bspt_captured captured;
		bspt_report report = { 0 };
		bspscene_error error;
		bspt_sample *sample = bspt_sample_make();
		bspscene_write_options options;
		bspscene_write_options_init(&options);
		options.lighting = cases[i].lighting;
		options.lights = cases[i].none                       ? BSPSCENE_WRITE_LIGHTS_NONE
		                 : cases[i].limit == BSPSCENE_NO_INDEX ? BSPSCENE_WRITE_LIGHTS_ALL
		                 : cases[i].limit                      ? BSPSCENE_WRITE_LIGHTS_BRIGHTEST
		                                                       : BSPSCENE_WRITE_LIGHTS_DEFAULT;
		options.max_lights = cases[i].limit;
		sample->lights[1].illuminance_at_100_units = 1000;
		bspscene_output output = bspt_capture(&captured);
		assert_true(bspscene_write(&sample->scene, "glb", &options, &output, &error));
		bspt_gltf gltf = bspt_gltf_open(&captured, &report);
		json_t *lamps = bspt_gltf_at(&gltf, "extensions/KHR_lights_punctual/lights");
		assert_int_equal(json_array_size(lamps), cases[i].want);
		const char *brightest = sample->nodes[sample->lights[1].node].name;
		if (cases[i].want == 1) assert_string_equal(bspt_gltf_text(&gltf,
		                                            "extensions/KHR_lights_punctual/lights/0/name"), brightest);
		/* A light that is not written as a lamp is written as metadata. */
		assert_non_null(
			bspt_gltf_at(&gltf, "nodes/%u/extras/bspscene/light/illuminanceAt100Units", sample->lights[0].node));
		bspt_gltf_close(&gltf);
		bspt_captured_free(&captured);
		bspt_sample_free(sample);
	}
}

/* At equal strength, green looks brightest, then red, then blue. */
static void lamps_are_as_bright_as_their_colors(void **state)
{
	static const struct { float point[3], spot[3]; bool spot_first; } cases[] = {
		{ { 1, 0, 0 }, { 0, 0, 1 }, false }, { { 0, 0, 1 }, { 1, 0, 0 }, true },
		{ { 1, 0, 0 }, { 0, 1, 0 }, true },  { { 0, 1, 0 }, { 0, 0, 1 }, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static bspt_captured captured;
		bspt_report report = { 0 };
		bspt_sample *sample = bspt_sample_make();
		bspscene_write_options options;
		bspscene_write_options_init(&options);
		options.lighting = BSPSCENE_WRITE_LIGHTING_NONE;
		options.lights = BSPSCENE_WRITE_LIGHTS_BRIGHTEST;
		options.max_lights = 1;
		sample->lights[0].illuminance_at_100_units = sample->lights[1].illuminance_at_100_units = 1000;
		memcpy(sample->lights[0].color, cases[i].point, sizeof cases[i].point);
		memcpy(sample->lights[1].color, cases[i].spot, sizeof cases[i].spot);
		bspscene_output output = bspt_capture(&captured);
		assert_true(bspscene_write(&sample->scene, "glb", &options, &output, NULL));
		bspt_gltf gltf = bspt_gltf_open(&captured, &report);
		const bspscene_light *first = &sample->lights[cases[i].spot_first];
		assert_string_equal(bspt_gltf_text(&gltf, "extensions/KHR_lights_punctual/lights/0/name"),
		                    sample->nodes[first->node].name);
		bspt_gltf_close(&gltf);
		bspt_captured_free(&captured);
		bspt_sample_free(sample);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_brightest_lamps_are_written),
		cmocka_unit_test(lamps_are_as_bright_as_their_colors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
