/* test_shared_pictures.c - materials that share a picture keep their own light in glTF, however they are merged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/written_sample.h"

#define TEXEL 48
#define SQUARES 4

/* Two materials with one name and one gray picture; squares in light brighter than white. The first material needs
 * pictures of more gains than the second one, and both need the brightest. */
static const struct {
	uint32_t material;
	uint8_t color;                     /* doubled by the scene's intensity */
} squares[2][SQUARES] = {
	{ { 0, 150 }, { 0, 200 }, { 0, 255 }, { 1, 255 } },
	{ { 1, 255 }, { 0, 255 }, { 0, 200 }, { 0, 150 } },
};

static void change_sample(bspt_sample *s, int order)
{
	for (size_t i = 0; i < sizeof s->pixels; i++) s->pixels[i] = i % 4 == 3 ? 255 : TEXEL;
	s->images[BSPT_SAMPLE_IMAGE_RGBA].has_alpha = false;
	s->materials[0].base_image = BSPT_SAMPLE_IMAGE_RGBA;
	s->materials[1] = s->materials[0];
	s->meshes[0].section_count = SQUARES;
	for (int i = 1; i < BSPT_SAMPLE_MESHES; i++) s->meshes[i].section_count = s->meshes[i].index_count = 0;
	for (uint32_t i = 0; i < SQUARES; i++) {
		bspscene_section *section = &s->sections[i];
		section->material = squares[order][i].material;
		section->lighting = BSPSCENE_LIGHTING_VERTEX;
		section->lightmap_page = section->fog = BSPSCENE_NO_INDEX;
		section->kind = BSPSCENE_VISIBLE;
		for (uint32_t v = 0; v < 16; v++) s->colors[16 * i + v] = v % 4 == 3 ? 255 : squares[order][i].color;
	}
}

static void write_merged(bspt_written_sample *w, int order, bspscene_write_merge merge, bool compress)
{
	bspt_report report = { .failures = 0 };
	bspscene_write_options options;
	w->sample = bspt_sample_make();
	change_sample(w->sample, order);
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_VERTEX;
	options.merge = merge;
	options.embed = true;
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

/* What a viewer shows: picture and COLOR_0, multiplied as linear light. */
static double shown(double texel, double color)
{
	double linear = bspt_linear(texel / 255) * color;
	return 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
}

/* Adds to `found` the vertices of each square, which are told by their height. */
static void check_primitive(const bspt_written_sample *w, uint32_t mesh, uint32_t primitive, int order,
                            uint32_t found[SQUARES])
{
	const char *path = "meshes/%u/primitives/%u/attributes/%s";
	uint32_t position = (uint32_t)bspt_gltf_number(&w->gltf, path, mesh, primitive, "POSITION");
	uint32_t color = (uint32_t)bspt_gltf_number(&w->gltf, path, mesh, primitive, "COLOR_0");
	uint32_t count = (uint32_t)bspt_gltf_number(&w->gltf, "accessors/%u/count", position);
	double texel = texel_of(w, mesh, primitive);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t square = (uint32_t)(bspt_gltf_element(&w->gltf, position, i, 1) / 0.0254 / 8 + 0.5);
		assert_true(square < SQUARES);
		double want = TEXEL * 2 * squares[order][square].color / 255.0;
		double seen = shown(texel, bspt_gltf_element(&w->gltf, color, i, 0));
		if (!(fabs(seen - want) < 6)) fail_msg("square %u shows %g instead of %g", square, seen, want);
		found[square]++;
	}
}

static void merged_materials_keep_their_light(void **state)
{
	static const bspscene_write_merge merges[] = {
		BSPSCENE_MERGE_MODEL, BSPSCENE_MERGE_MATERIAL, BSPSCENE_MERGE_NONE,
	};
	(void)state;
	for (int i = 0; i < 3 * 2; i++) {
		bspt_written_sample w;
		uint32_t found[SQUARES] = { 0 };
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
		for (uint32_t s = 0; s < SQUARES; s++) assert_true(found[s] >= 4);
		bspt_release_sample(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(merged_materials_keep_their_light) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
