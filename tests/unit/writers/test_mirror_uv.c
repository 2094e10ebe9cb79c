/* Promise: the texture of a model may be a mirror of its surroundings. Then all formats give the model the coordinates
 * that an eye in front of it sees. Walls with the same material keep their own coordinates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "support/check/written_sample.h"
#include "writers/light/place_uv.h"

/* Returns the sample with mesh 1 as a model. The last pass of this model's material mirrors the surroundings. */
static bspt_sample *make_mirror(void)
{
	bspt_sample *sample = bspt_sample_make();
	bspscene_material *material = &sample->materials[sample->sections[BSPT_SAMPLE_SECTIONS].material];
	static const float normal[3] = { 0, 0.6f, 0.8f };
	memcpy(sample->normals, normal, sizeof normal);
	sample->meshes[1].model = BSPSCENE_NO_INDEX;
	sample->frames[2] = material->base_image;
	sample->stages[1].tc_gen = BSPSCENE_TC_GEN_ENVIRONMENT;
	material->first_pass = 1;
	material->pass_count = 1;
	return sample;
}

static void models_show_what_is_in_front_of_them(void **state)
{
	static const char *const text_formats[] = { "obj", "usda" };
	static const char *const files[] = { "sample.obj", "sample.usda" };
	static const char *const coordinates[] = { "\nvt 0.8 0.9\n", "(0.8, 0.9)" };
	bspt_sample *sample = make_mirror();
	bspt_written_sample w = { .sample = sample };
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char *text = (char *)bspt_written_file(sample, text_formats[i], BSPSCENE_WRITE_LIGHTING_NONE, files[i]).data;
		if (!strstr(text, coordinates[i])) fail_msg("%s lacks %s", files[i], coordinates[i]);
		free(text);
	}
	bspt_write_sample_as(&w, "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, "sample.glb");
	uint32_t uv = (uint32_t)bspt_gltf_number(&w.gltf, "meshes/1/primitives/0/attributes/TEXCOORD_0");
	bspt_expect_near(bspt_gltf_element(&w.gltf, uv, 0, 0), 0.8);
	bspt_expect_near(bspt_gltf_element(&w.gltf, uv, 0, 1), 0.1);
	uint32_t of_wall = bspt_accessor_of(&w, BSPT_SAMPLE_BRICK, "TEXCOORD_0");
	for (uint32_t c = 0; c < 2; c++) {
		bspt_expect_near(bspt_gltf_element(&w.gltf, of_wall, 0, c), (double)sample->uvs[c]);
	}
	bspt_release_sample(&w);
}

/* If a pass shows the texture with its own coordinates, the file has these coordinates. */
static void mirrors_that_also_show_the_texture_keep_its_coordinates(void **state)
{
	bspt_sample *sample = make_mirror();
	const bspscene_scene *scene = &sample->scene;
	bspscene_material *material = &sample->materials[sample->sections[BSPT_SAMPLE_SECTIONS].material];
	float out[2];
	(void)state;
	material->uv_scale[0] = 2;
	bspi_placed_base_uv(scene, &sample->meshes[1], material, 0, out);
	assert_true(out[0] > 1.59f && out[0] < 1.61f);
	sample->frames[0] = material->base_image;
	material->first_pass = 0;
	material->pass_count = 2;
	bspi_base_uv(scene, &sample->meshes[1], material, 0, out);
	assert_true(out[0] == sample->uvs[0] && out[1] == sample->uvs[1]);
	bspt_sample_free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_show_what_is_in_front_of_them),
		cmocka_unit_test(mirrors_that_also_show_the_texture_keep_its_coordinates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
