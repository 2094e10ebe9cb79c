/* test_lit.c - the baked picture contains the product of texture and light for each face. Faces that share luxels have
 * separate parts of the picture. Surfaces that are not in the picture get the mean of their light. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/writer.h>

#include "images/display.h"
#include "support/bspt.h"
#include "support/light/lit_sample.h"

static void faces_are_texture_times_light(void **state)
{
	static bspt_lit_sample s;
	(void)state;
	bspt_lit_sample_scene(&s);
	assert_true(bspt_lit_sample_make(&s, 0));
	assert_true(s.lit.sections[0][0].in_picture);
	assert_int_equal(s.lit.sheet_count, 1);
	bspt_lit_sample_expect_quads(&s);
	bspt_lit_sample_release(&s);
}

static bspscene_scene *bake_pictures(const bspt_lit_sample *s, uint32_t baked_size, bspscene_error *error)
{
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.baked_size = baked_size;
	return bspscene_bake_textures(&s->scene, &options, error);
}

/* A host that bakes a scene itself gets the same picture as one that writes files. */
static void scenes_show_their_pictures(void **state)
{
	enum { SIZE = 256 };
	static bspt_lit_sample s;
	bspscene_error error;
	(void)state;
	bspt_lit_sample_walls(&s);
	assert_true(bspt_lit_sample_make_of_size(&s, 0, SIZE, 0));
	assert_in_range(s.lit.sheet_count, 2, BSPT_LIT_QUADS);
	bspscene_scene *scene = bake_pictures(&s, SIZE, &error);
	assert_non_null(scene);
	assert_int_equal(scene->image_count, 1 + s.lit.sheet_count);
	for (uint32_t i = 0; i < s.lit.sheet_count; i++) {
		static const char *const names[BSPT_LIT_QUADS] = { "lit", "lit-2", "lit-3", "lit-4" };
		const bspscene_image *image = scene->images[1 + i];
		assert_string_equal(image->name, names[i]);
		assert_int_equal(image->size, s.lit.sheets[i].picture.size);
		assert_memory_equal(image->data, s.lit.sheets[i].picture.data, image->size);
	}
	const bspscene_mesh *mesh = scene->meshes[0];
	assert_memory_equal(mesh->uvs, s.lit.uvs[0], sizeof s.uvs);
	assert_int_equal(mesh->section_count, s.writer.scene->meshes[0]->section_count);
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		const bspscene_section *section = mesh->sections[i];
		const bspscene_material *material = scene->materials[section->material];
		assert_int_equal(section->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
		assert_int_equal(section->lightmap_page, BSPSCENE_NO_INDEX);
		assert_true(material->unlit && material->clamp);
		assert_int_equal(material->base_image, 1 + s.lit.sections[0][i].sheet);
		assert_int_equal(material->pass_count, 0);
		for (uint32_t f = 0; f < section->face_count; f++) {
			assert_int_equal(scene->faces[section->first_face + f].section, i);
		}
	}
	assert_int_equal(s.faces[3].section, 1);
	assert_ptr_equal(s.scene.meshes[0], &s.mesh);
	bspscene_scene_free(scene);
	bspt_lit_sample_release(&s);
}

/* Blended surfaces are not in the picture. They keep their texture, which is multiplied by their mean light. Surfaces
 * with vertex light do not change. */
static void scenes_keep_what_is_in_no_picture(void **state)
{
	static bspt_lit_sample s;
	bspscene_error error;
	(void)state;
	bspt_lit_sample_walls(&s);
	s.materials[0].alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
	s.sections[1].lighting = BSPSCENE_LIGHTING_VERTEX;
	s.sections[1].lightmap_page = BSPSCENE_NO_INDEX;
	bspscene_scene *scene = bake_pictures(&s, 0, &error);
	assert_non_null(scene);
	const bspscene_section *const *sections = scene->meshes[0]->sections;
	const bspscene_material *grate = scene->materials[sections[0]->material];
	assert_int_equal(scene->image_count, 1);
	assert_int_equal(sections[0]->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
	assert_int_equal(grate->base_image, 0);
	assert_int_equal(grate->alpha_mode, BSPSCENE_ALPHA_MODE_MASK);
	for (int i = 0; i < 3; i++) assert_true(fabsf(grate->color[i] - 64 / 255.0f) <= 1 / 32.0f);
	assert_memory_equal(scene->meshes[0]->uvs, s.uvs, sizeof s.uvs);
	assert_int_equal(sections[1]->lighting, BSPSCENE_LIGHTING_VERTEX);
	assert_int_equal(sections[1]->material, 1);
	bspscene_scene_free(scene);
	assert_null(bake_pictures(&s, 1, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	s.page.format = BSPSCENE_LIGHTMAP_PAGE_RAW32;
	assert_null(bake_pictures(&s, 0, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
}

/* Viewers show distant surfaces as the mean of many texels of the picture. These means include texels of gaps between
 * faces. If all surfaces have the same color, all means must have that color, too. Face 0 is a triangle, so half of
 * its rectangle in the picture is a gap. */
static void nothing_dark_is_between_faces(void **state)
{
	static bspt_lit_sample s;
	bspscene_pixels pixels;
	(void)state;
	bspt_lit_sample_scene(&s);
	for (uint32_t i = 0; i < BSPT_LIT_TEXTURE * BSPT_LIT_TEXTURE; i++) memcpy(s.texels + 4 * i, bspt_lit_left_color, 3);
	memset(s.luxels, 128, sizeof s.luxels);
	s.faces[0].index_count = 3;
	s.faces[1].first_index = 3;
	memmove(s.indices + 3, s.indices + 6, 12 * sizeof *s.indices);
	s.faces[2].first_index = 9;
	s.sections[0].index_count = 15;
	for (uint32_t i = 4; i < 8; i++) s.positions[3 * i] *= 0.5f;
	assert_true(bspt_lit_sample_make(&s, 0));
	assert_int_equal(s.lit.chart_count, 3);
	const bspi_lit_sheet *sheet = &s.lit.sheets[0];
	bspscene_image image = { .format = BSPSCENE_IMAGE_JPEG, .data = sheet->picture.data, .size = sheet->picture.size };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	uint64_t covered = 0;
	for (uint32_t i = 0; i < s.lit.chart_count; i++) {
		covered += (uint64_t)s.lit.charts[i].width * s.lit.charts[i].height;
	}
	assert_true(covered < (uint64_t)pixels.width * pixels.height);
	for (size_t i = 0; i < (size_t)pixels.width * pixels.height; i++) {
		for (size_t c = 0; c < 3; c++) {
			float wanted = (float)bspt_lit_left_color[c] * 256 / 255;
			if (fabsf((float)pixels.data[4 * i + c] - wanted) <= 6) continue;
			fail_msg("texel %zu, channel %zu: %u, not %g", i, c, pixels.data[4 * i + c], (double)wanted);
		}
	}
	bspscene_pixels_free(&pixels);
	bspt_lit_sample_release(&s);
}

static void light_of_vertices_is_the_mean(void **state)
{
	static bspt_lit_sample s;
	(void)state;
	bspt_lit_sample_scene(&s);
	assert_true(bspt_lit_sample_make(&s, 0));
	assert_false(s.lit.sections[0][1].in_picture);
	float mean = 128 / 255.0f * bspi_color_intensity(&s.scene);
	for (int i = 0; i < 3; i++) assert_true(fabsf(s.lit.sections[0][1].light[i] - mean) <= 1 / 64.0f);
	bspt_lit_sample_release(&s);
}

/* A section is left out of the picture if two of its faces share a vertex, or if some of its triangles belong to no
 * face. A section with an additive material is left out, too. */
static void what_has_no_place_is_left_out(void **state)
{
	static bspt_lit_sample s;
	(void)state;
	bspt_lit_sample_scene(&s);
	s.indices[6] = 0;
	assert_true(bspt_lit_sample_make(&s, 0));
	assert_false(s.lit.sections[0][0].in_picture);
	assert_int_equal(s.lit.sheet_count, 0);
	for (int i = 0; i < 3; i++) assert_true(s.lit.sections[0][0].light[i] > 0.25f);
	bspt_lit_sample_release(&s);
	bspt_lit_sample_scene(&s);
	s.sections[0].face_count = 2;
	assert_true(bspt_lit_sample_make(&s, 0));
	assert_false(s.lit.sections[0][0].in_picture);
	bspt_lit_sample_release(&s);
	bspt_lit_sample_scene(&s);
	s.materials[0].alpha_mode = BSPSCENE_ALPHA_MODE_ADD;
	assert_true(bspt_lit_sample_make(&s, 0));
	assert_false(s.lit.sections[0][0].in_picture);
	bspt_lit_sample_release(&s);
}

/* Some hosts have only one set of texture coordinates. For these, blended surfaces use the coordinates of their
 * texture, not those of the baked picture. */
static void alpha_may_keep_its_texture(void **state)
{
	static const bool drawn[1] = { true };
	(void)state;
	for (int alone = 0; alone < 2; alone++) {
		static bspt_lit_sample s;
		bspt_lit_sample_scene(&s);
		s.materials[0].alpha_mode = BSPSCENE_ALPHA_MODE_MASK;
		assert_true(bspt_lit_sample_make(&s, UINT64_MAX));
		assert_true(s.lit.sections[0][0].in_picture);
		bspt_lit_sample_release(&s);
		if (!alone) continue;
		bspi_budget_begin(&s.writer.budget, UINT64_MAX, NULL);
		bspi_arena_init(&s.writer.arena, &s.writer.budget);
		assert_true(bspi_lit_make(&s.writer, drawn, true, &s.lit));
		assert_false(s.lit.sections[0][0].in_picture);
		assert_true(s.lit.sections[0][0].light[0] > 0);
		bspt_lit_sample_release(&s);
	}
}

static void places_that_are_no_numbers_are_left_out(void **state)
{
	static bspt_lit_sample s;
	(void)state;
	bspt_lit_sample_scene(&s);
	for (uint32_t i = 0; i < 2 * BSPT_LIT_VERTICES; i++) s.lightmap_uvs[i] *= 1e37f;
	assert_true(bspt_lit_sample_make(&s, 0));
	bspt_lit_sample_release(&s);
	bspt_lit_sample_scene(&s);
	for (uint32_t i = 0; i < 2 * BSPT_LIT_VERTICES; i++) s.uvs[i] *= 1e30f;
	assert_true(bspt_lit_sample_make(&s, 0));
	assert_int_equal(s.lit.sheet_count, 1);
	bspt_lit_sample_release(&s);
}

static void raw_light_is_no_picture(void **state)
{
	static bspt_lit_sample s;
	(void)state;
	bspt_lit_sample_scene(&s);
	s.page.format = BSPSCENE_LIGHTMAP_PAGE_RAW32;
	assert_false(bspt_lit_sample_make(&s, 0));
	assert_int_equal(s.writer.failure.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	bspt_lit_sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faces_are_texture_times_light),
		cmocka_unit_test(scenes_show_their_pictures),
		cmocka_unit_test(scenes_keep_what_is_in_no_picture),
		cmocka_unit_test(nothing_dark_is_between_faces),
		cmocka_unit_test(light_of_vertices_is_the_mean),
		cmocka_unit_test(what_has_no_place_is_left_out),
		cmocka_unit_test(alpha_may_keep_its_texture),
		cmocka_unit_test(places_that_are_no_numbers_are_left_out),
		cmocka_unit_test(raw_light_is_no_picture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
