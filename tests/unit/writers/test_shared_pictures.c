/* test_shared_pictures.c - materials that share a picture keep separate light in glTF, however meshes are merged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/written_sample.h"
#include "support/make/shared_scene.h"

static void write_merged(bspt_written_sample *w, int order, bspscene_write_merge merge, bool compress)
{
	bspt_report report = { .failures = 0 };
	bspscene_write_options options;
	w->sample = bspt_sample_make();
	bspt_sample_of_one_picture(w->sample, order);
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_LIGHTING_VERTEX;
	options.merge = merge;
	options.embed_textures = true;
	options.compress = compress;
	bspscene_output output = bspt_capture(&w->captured);
	assert_true(bspscene_write(&w->sample->scene, "glb", &options, &output, NULL));
	w->gltf = bspt_gltf_open(&w->captured, &report);
	assert_int_equal(report.failures, 0);
}

static double texel_of(const bspt_written_sample *w, uint32_t mesh, uint32_t primitive)
{
	bspscene_pixels pixels;
	uint32_t material = (uint32_t)bspt_gltf_number(&w->gltf, "meshes/%u/primitives/%u/material", mesh, primitive);
	uint32_t texture = (uint32_t)bspt_gltf_number(&w->gltf,
		"materials/%u/pbrMetallicRoughness/baseColorTexture/index", material);
	bspt_bytes png = bspt_gltf_image(&w->gltf, (uint32_t)bspt_gltf_number(&w->gltf, "textures/%u/source", texture));
	bspscene_image image = { .format = BSPSCENE_IMAGE_PNG, .data = png.data, .size = png.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	double texel = pixels.data[0];
	bspscene_pixels_free(&pixels);
	return texel;
}

/* Returns the display value that a viewer shows: picture times COLOR_0, in linear light. */
static double shown(double texel, double color)
{
	double linear = bspt_linear(texel / 255) * color;
	return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
}

/* Checks the colors of a primitive. Counts its vertices in `found`, separately for each square, which is recognized by
 * its height. */
static void check_primitive(const bspt_written_sample *w, uint32_t mesh, uint32_t primitive, int order,
                            uint32_t found[BSPT_SQUARES])
{
	const char *path = "meshes/%u/primitives/%u/attributes/%s";
	uint32_t position = (uint32_t)bspt_gltf_number(&w->gltf, path, mesh, primitive, "POSITION");
	uint32_t color = (uint32_t)bspt_gltf_number(&w->gltf, path, mesh, primitive, "COLOR_0");
	uint32_t count = (uint32_t)bspt_gltf_number(&w->gltf, "accessors/%u/count", position);
	double texel = texel_of(w, mesh, primitive);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t square = (uint32_t)(bspt_gltf_element(&w->gltf, position, i, 1) / 0.0254 / 8 + 0.5);
		assert_true(square < BSPT_SQUARES);
		double want = BSPT_TEXEL * bspt_light_of_square(order, square);
		double seen = shown(texel, bspt_gltf_element(&w->gltf, color, i, 0));
		if (!(fabs(seen - want) < 6)) fail_msg("square %u shows %g instead of %g", square, seen, want);
		found[square]++;
	}
}

static void merged_materials_keep_their_light(void **state)
{
	static const bspscene_write_merge merges[] = {
		BSPSCENE_WRITE_MERGE_MODEL, BSPSCENE_WRITE_MERGE_MATERIAL, BSPSCENE_WRITE_MERGE_NONE,
	};
	(void)state;
	for (int i = 0; i < 3 * 2; i++) {
		bspt_written_sample w;
		uint32_t found[BSPT_SQUARES] = { 0 };
		write_merged(&w, i % 2, merges[i / 2], false);
		uint32_t mesh_count = (uint32_t)json_array_size(bspt_gltf_at(&w.gltf, "meshes"));
		for (uint32_t m = 0; m < mesh_count; m++) {
			uint32_t count = (uint32_t)json_array_size(bspt_gltf_at(&w.gltf, "meshes/%u/primitives", m));
			for (uint32_t p = 0; p < count; p++) {
				if (bspt_gltf_at(&w.gltf, "meshes/%u/primitives/%u/attributes/COLOR_0", m, p)) {
					check_primitive(&w, m, p, i % 2, found);
				}
			}
		}
		for (uint32_t s = 0; s < BSPT_SQUARES; s++) assert_true(found[s] >= 4);
		bspt_release_sample(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(merged_materials_keep_their_light) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
