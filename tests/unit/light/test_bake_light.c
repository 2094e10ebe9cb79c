/* test_bake_light.c - bspscene_bake_light: sums the light of all styles, as at the start of the map or as requested,
 * into one set of pages and one set of vertex colors. Nothing else is changed or copied. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "support/make/sample_scene.h"

/* The sample scene with two further styles, 32 and 33, on its first lightmap page and in its vertices. Style 33 is off
 * when the map starts. */
typedef struct styled {
	bspt_sample *sample;
	bspscene_lightmap_set sets[3];
	bspscene_lightmap_page pages[2][BSPT_SAMPLE_PAGES];
	uint8_t luxels[2][4 * 4 * 3];
	bspscene_light_style styles[2];
	const bspscene_light_style *style_table[2];
	uint8_t colors[2][4 * BSPT_SAMPLE_VERTICES];
	bspscene_vertex_color_set color_sets[2];
} styled;

static void make(styled *s)
{
	memset(s, 0, sizeof *s);
	s->sample = bspt_sample_make();
	bspscene_scene *scene = &s->sample->scene;
	s->sets[0] = scene->lightmap_sets[0];
	for (uint32_t i = 0; i < 2; i++) {
		memset(s->luxels[i], i ? 200 : 10, sizeof s->luxels[i]);
		memset(s->colors[i], i ? 100 : 20, sizeof s->colors[i]);
		for (uint32_t p = 0; p < BSPT_SAMPLE_PAGES; p++) {
			s->pages[i][p] = scene->lightmap_sets[0].pages[p];
			s->pages[i][p].data = p ? NULL : s->luxels[i];
		}
		s->sets[i + 1] =
			(bspscene_lightmap_set) { BSPSCENE_LIGHTMAP_SET_LIGHT, 32 + i, s->sets[0].intensity, false, s->pages[i] };
		s->styles[i] = (bspscene_light_style){ 32 + i, "", "m", true, BSPSCENE_NO_INDEX, i ? 0 : 1 };
		s->color_sets[i] = (bspscene_vertex_color_set){ 32 + i, s->colors[i] };
	}
	scene->lightmap_sets = s->sets;
	scene->lightmap_set_count = 3;
	BSPT_POINT(s->style_table, s->styles);
	scene->light_styles = s->style_table;
	scene->light_style_count = 2;
	s->sample->meshes[0].vertex_color_sets = s->color_sets;
	s->sample->meshes[0].vertex_color_set_count = 2;
}

static bspscene_scene *bake(const styled *s, const float *light_styles)
{
	bspscene_error error;
	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	options.light_styles = light_styles;
	bspscene_scene *baked = bspscene_bake_light(&s->sample->scene, &options, &error);
	if (!baked) fail_msg("%s", error.message);
	return baked;
}

static unsigned sum_of(const uint8_t *steady, size_t i, const float *factors, const unsigned *others)
{
	float sum = (float)steady[i] * factors[0] + (float)others[0] * factors[1] + (float)others[1] * factors[2];
	return (unsigned)(sum > 255 ? 255 : sum + 0.5f);
}

static void light_of_all_styles_is_added_up(void **state)
{
	static const struct { float factors[3]; bool given; } cases[] = {
		{ { 1, 1, 0 }, false }, { { 1, 1, 1 }, true }, { { 0, 0, 0.5f }, true }, { { 0.25f, 2, 0 }, true },
	};
	static const unsigned luxels[2] = { 10, 200 }, colors[2] = { 20, 100 };
	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		styled s;
		make(&s);
		float styles[256] = { cases[c].factors[0] };
		styles[32] = cases[c].factors[1];
		styles[33] = cases[c].factors[2];
		bspscene_scene *baked = bake(&s, cases[c].given ? styles : NULL);
		assert_int_equal(baked->lightmap_set_count, 1);
		const uint8_t *page = baked->lightmap_sets[0].pages[0].data;
		for (size_t i = 0; i < 48; i++) {
			assert_int_equal(page[i], sum_of(s.sample->luxels[0], i, cases[c].factors, luxels));
		}
		const bspscene_mesh *mesh = baked->meshes[0];
		assert_int_equal(mesh->vertex_color_set_count, 0);
		for (size_t i = 0; i < 4 * BSPT_SAMPLE_VERTICES; i++) {
			unsigned want = i % 4 == 3 ? s.sample->colors[i] : sum_of(s.sample->colors, i, cases[c].factors, colors);
			assert_int_equal(mesh->colors[i], want);
		}
		assert_true(baked->light_styles[0]->start == cases[c].factors[1]);
		assert_true(baked->light_styles[1]->start == cases[c].factors[2]);
		assert_true(s.styles[1].start == 0 &&
		            /* Baking does not change the scene that it is given. */
		            s.sample->meshes[0].vertex_color_set_count == 2);
		bspscene_scene_free(baked);
		bspt_sample_free(s.sample);
	}
}

static void what_does_not_change_is_not_copied(void **state)
{
	styled s;
	(void)state;
	make(&s);
	bspscene_scene *baked = bake(&s, NULL);
	/* This page has style 0 only, so there is nothing to sum. */
	assert_ptr_equal(baked->lightmap_sets[0].pages[1].data, s.sets[0].pages[1].data);
	assert_ptr_equal(baked->meshes[0]->positions, s.sample->positions);
	assert_ptr_equal(baked->nodes, s.sample->scene.nodes);
	bspscene_scene_free(baked);
	float dark[256] = { 0 };
	baked = bake(&s, dark);
	const uint8_t *black = baked->lightmap_sets[0].pages[0].data;
	for (size_t i = 0; i < 48; i++) assert_int_equal(black[i], 0);
	bspscene_scene_free(baked);
	bspt_sample_free(s.sample);
}

/* The scene has pages of the steady light only. If this light is dimmed, the pages become darker. The baked scene
 * states the factor of each style. */
static void light_of_one_style_is_dimmed_too(void **state)
{
	styled s;
	float half[256] = { 0.5f };
	(void)state;
	make(&s);
	s.sample->scene.lightmap_set_count = 1;
	bspscene_scene *baked = bake(&s, half);
	const bspscene_lightmap_page *pages = baked->lightmap_sets[0].pages;
	for (uint32_t p = 0; p < BSPT_SAMPLE_PAGES; p++) {
		const uint8_t *page = pages[p].data;
		for (size_t i = 0; i < 48; i++) {
			assert_int_equal(page[i], (unsigned)((float)s.sample->luxels[p][i] * 0.5f + 0.5f));
		}
	}
	assert_non_null(baked->added_styles);
	assert_true(baked->added_styles[0] == 0.5f && baked->added_styles[32] == 0);
	bspscene_scene_free(baked);
	bspt_sample_free(s.sample);
}

/* Linear light of two styles is added as display values. So if a display value is doubled, the linear light is 2^2.2
 * times as much. */
static void half_floats_add_up_in_display_space(void **state)
{
	styled s;
	uint16_t halves[4 * 4 * 3];
	bspscene_lightmap_page pages[BSPT_SAMPLE_PAGES];
	(void)state;
	make(&s);
	for (size_t i = 0; i < 48; i++) halves[i] = bspi_half_from_float(0.25f);
	for (int i = 0; i < BSPT_SAMPLE_PAGES; i++)
		pages[i] = (bspscene_lightmap_page) { 4, 4, BSPSCENE_LIGHTMAP_PAGE_RGB16F, halves, NULL };
	for (int i = 0; i < 2; i++) {
		s.sets[i].pages = pages;
		s.sets[i].intensity = 1;
	}
	s.sample->scene.lightmap_set_count = 2;
	bspscene_scene *baked = bake(&s, NULL);
	const uint16_t *sum = baked->lightmap_sets[0].pages[1].data;
	assert_float_equal(bspi_half_to_float(sum[5]), 0.25f * 4.594793f, 2e-3f);
	bspscene_scene_free(baked);
	bspt_sample_free(s.sample);
}

static bspscene_progress_result stop(void *user, const char *stage, double fraction)
{
	assert_string_equal(stage, "light");
	assert_true(fraction >= 0 && fraction <= 1);
	++*(int *)user;
	return BSPSCENE_PROGRESS_CANCEL;
}

static void limits_and_canceling_are_errors(void **state)
{
	styled s;
	int calls = 0;
	bspscene_error error;
	bspscene_bake_options options;
	(void)state;
	make(&s);
	bspscene_bake_options_init(&options);
	options.progress = stop;
	options.progress_user = &calls;
	assert_null(bspscene_bake_light(&s.sample->scene, &options, &error));
	assert_true(error.status == BSPSCENE_ERROR_CANCELED && calls == 1);
	bspscene_bake_options_init(&options);
	options.memory_limit = 1000;
	assert_null(bspscene_bake_light(&s.sample->scene, &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_MEMORY_LIMIT);
	options.struct_size = 8;
	assert_null(bspscene_bake_light(&s.sample->scene, &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	bspt_sample_free(s.sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(light_of_all_styles_is_added_up),  cmocka_unit_test(what_does_not_change_is_not_copied),
		cmocka_unit_test(light_of_one_style_is_dimmed_too), cmocka_unit_test(half_floats_add_up_in_display_space),
		cmocka_unit_test(limits_and_canceling_are_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
