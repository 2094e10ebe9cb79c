/* test_atlas_writer.c - the atlas writer's files: atlas.json names every page that exists and every lit face's
 * rectangle, and the pages hold the scene's luxels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "images/images.h"
#include "support/captured.h"
#include "support/make/sample_scene.h"

/* A scene with two pages and three lightmap sets: style 0, style 32, and the directions of style 32. The last two
 * sets have data on page 1 only. */
typedef struct atlas_scene {
	bspt_sample *sample;
	bspscene_lightmap_set sets[3];
	bspscene_lightmap_page style_pages[2], direction_pages[2];
	bspscene_light_style styles[2];
	const bspscene_light_style *style_table[2];
	uint8_t luxels[2][4 * 4 * 3];
} atlas_scene;

static void make_scene(atlas_scene *s)
{
	memset(s, 0, sizeof *s);
	s->sample = bspt_sample_make();
	bspscene_scene *scene = &s->sample->scene;
	for (size_t i = 0; i < sizeof s->luxels[0]; i++) {
		s->luxels[0][i] = (uint8_t)(3 * i);
		s->luxels[1][i] = (uint8_t)(255 - i);
	}
	s->sets[0] = scene->lightmap_sets[0];
	for (uint32_t i = 0; i < 2; i++) {
		s->style_pages[i] = s->direction_pages[i] = s->sets[0].pages[i];
		s->style_pages[i].data = s->direction_pages[i].data = NULL;
	}
	s->style_pages[1].data = s->luxels[0];
	s->direction_pages[1].data = s->luxels[1];
	s->sets[1] = (bspscene_lightmap_set){ BSPSCENE_LIGHTMAP_SET_LIGHT, 32, 0.5f, false, s->style_pages };
	s->sets[2] = (bspscene_lightmap_set){ BSPSCENE_LIGHTMAP_SET_DIRECTION, 32, 1, true, s->direction_pages };
	s->styles[0] = (bspscene_light_style){ 0, "normal", "m", false, BSPSCENE_NO_INDEX, 1 };
	s->styles[1] = (bspscene_light_style){ 32, "lamp \"1\"", "m", true, BSPSCENE_NO_INDEX, 0 };
	scene->lightmap_sets = s->sets;
	scene->lightmap_set_count = 3;
	BSPT_POINT(s->style_table, s->styles);
	scene->light_styles = s->style_table;
	scene->light_style_count = 2;
	scene->overbright = 4;
}

static bool try_atlas(const atlas_scene *s, const float *light_styles, bspt_captured *captured, bspscene_error *error)
{
	bspscene_output output = bspt_capture(captured);
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.file_name = "atlas.json";
	options.light_styles = light_styles;
	options.separate_styles = !light_styles;
	return bspscene_write(&s->sample->scene, "atlas", &options, &output, error);
}

static json_t *write_styled_atlas(const atlas_scene *s, const float *light_styles, bspt_captured *captured)
{
	assert_true(try_atlas(s, light_styles, captured, NULL));
	assert_string_equal(captured->files[0].name, "atlas.json");
	json_t *document = json_loadb((const char *)captured->files[0].bytes.data, captured->files[0].bytes.size, 0, NULL);
	assert_non_null(document);
	return document;
}

static json_t *write_atlas(const atlas_scene *s, bspt_captured *captured)
{
	return write_styled_atlas(s, NULL, captured);
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	assert_true(json_is_number(value));
	return json_number_value(value);
}

static const char *text(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	assert_true(json_is_string(value));
	return json_string_value(value);
}

static void check_file(const bspt_captured *captured, const json_t *name, const bspscene_lightmap_page *page)
{
	assert_true(json_is_string(name));
	const bspt_bytes *file = bspt_captured_file(captured, json_string_value(name));
	assert_non_null(file);
	bspscene_pixels pixels;
	assert_true(bspi_image_decode(&bspi_system_heap,
	                              BSPSCENE_IMAGE_PNG, bspi_bytes_of(file->data, file->size), &pixels, NULL));
	assert_int_equal(pixels.width, page->width);
	assert_int_equal(pixels.height, page->height);
	for (size_t i = 0; i < (size_t)page->width * page->height; i++) {
		assert_memory_equal(pixels.data + 4 * i, (const uint8_t *)page->data + 3 * i, 3);
		assert_int_equal(pixels.data[4 * i + 3], 255);
	}
	bspscene_pixels_free(&pixels);
}

static void test_sets_and_pages(void **state)
{
	static const struct {
		const char *kind; double style; const char *style_name; double intensity; const char *files[2], *space;
	} want[3] = {
		{ "light", 0, "normal", 1, { "atlas_0.png", "atlas_1.png" }, NULL },
		{ "light", 32, "lamp \"1\"", 0.5, { NULL, "atlas_style32_1.png" }, NULL },
		{ "direction", 32, "lamp \"1\"", 1, { NULL, "atlas_style32_direction_1.png" }, "tangent" },
	};
	(void)state;
	atlas_scene s;
	make_scene(&s);
	bspt_captured *captured = test_calloc(1, sizeof *captured);
	json_t *document = write_atlas(&s, captured);
	assert_string_equal(text(document, "map"), s.sample->scene.name);
	assert_string_equal(text(document, "encoding"), "display");
	assert_true(number(document, "version") == 2);
	assert_null(json_object_get(document, "merged_styles"));
	assert_null(json_object_get(document, "source"));
	assert_true(number(document, "overbright") == 4);
	const json_t *pages = json_object_get(document, "pages"), *sets = json_object_get(document, "sets");
	assert_int_equal(json_array_size(pages), 2);
	assert_int_equal(json_array_size(sets), 3);
	for (size_t i = 0; i < 2; i++) {
		assert_true(number(json_array_get(pages, i), "width") == s.sets[0].pages[i].width);
		assert_true(number(json_array_get(pages, i), "height") == s.sets[0].pages[i].height);
	}
	for (size_t i = 0; i < 3; i++) {
		const json_t *set = json_array_get(sets, i), *files = json_object_get(set, "files");
		assert_string_equal(text(set, "kind"), want[i].kind);
		assert_string_equal(text(set, "style_name"), want[i].style_name);
		assert_true(number(set, "style") == want[i].style);
		assert_true(i == 0 || number(set, "intensity") == want[i].intensity);
		if (want[i].space) assert_string_equal(text(set, "space"), want[i].space);
		else assert_null(json_object_get(set, "space"));
		assert_int_equal(json_array_size(files), 2);
		for (size_t k = 0; k < 2; k++) {
			const json_t *name = json_array_get(files, k);
			if (!want[i].files[k]) {
				assert_true(json_is_null(name));
				continue;
			}
			assert_string_equal(json_string_value(name), want[i].files[k]);
			check_file(captured, name, &s.sets[i].pages[k]);
		}
	}
	assert_int_equal(captured->file_count, 5);
	json_decref(document);
	bspt_captured_free(captured);
	test_free(captured);
	bspt_sample_free(s.sample);
}

static void test_faces(void **state)
{
	(void)state;
	atlas_scene s;
	make_scene(&s);
	bspscene_face *face = &s.sample->faces[BSPT_SAMPLE_BRICK_2];
	memcpy(face->styles, (uint8_t[4]){ 0, 32, 255, 255 }, 4);
	bspt_captured *captured = test_calloc(1, sizeof *captured);
	json_t *document = write_atlas(&s, captured);
	const json_t *faces = json_object_get(document, "faces");
	const bspscene_scene *scene = &s.sample->scene;
	size_t at = 0;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].lightmap_page == BSPSCENE_NO_INDEX) continue;
		const json_t *entry = json_array_get(faces, at++);
		assert_true(number(entry, "face") == scene->faces[i].record);
		assert_true(number(entry, "page") == scene->faces[i].lightmap_page);
		assert_true(number(entry, "x") == scene->faces[i].lightmap_x &&
		            number(entry, "y") == scene->faces[i].lightmap_y);
		assert_true(number(entry, "width") == scene->faces[i].lightmap_width &&
		            number(entry, "height") == scene->faces[i].lightmap_height);
		if (&scene->faces[i] != face) continue;
		const json_t *styles = json_object_get(entry, "styles");
		assert_int_equal(json_array_size(styles), 2);
		assert_int_equal(json_integer_value(json_array_get(styles, 1)), 32);
	}
	assert_true(at > 0);
	assert_int_equal(json_array_size(faces), at);
	json_decref(document);
	bspt_captured_free(captured);
	test_free(captured);
	bspt_sample_free(s.sample);
}

/* Checks the hashes that identify the map, and the places of luxels in it: offsets of blocks, or rectangles on pages
 * for each style. */
static void test_stored_light(void **state)
{
	(void)state;
	atlas_scene s;
	make_scene(&s);
	bspscene_scene *scene = &s.sample->scene;
	bspscene_luxel_location *sources = test_calloc(scene->face_count, sizeof *sources);
	bspscene_map_light stored = {
		.name = "pages", .light_hash = "aa", .layout_hash = "bb", .clamps_hue = true, .gutter = 3, .luxel_count = 9,
		.hidden_count = 4, .luxel_locations = sources,
	};
	for (uint32_t i = 0; i < scene->face_count; i++) {
		bool block = i % 2;
		sources[i] = (bspscene_luxel_location){
			block ? 96 + i : UINT64_MAX, { 1, 2, -1, -1 }, { 5, 6 }, { 7, 8 }, { false, true },
		};
	}
	scene->map_light = &stored;
	bspt_captured *captured = test_calloc(1, sizeof *captured);
	json_t *document = write_atlas(&s, captured);
	assert_string_equal(text(json_object_get(document, "source"), "light_hash"), "aa");
	assert_string_equal(text(json_object_get(document, "source"), "layout_hash"), "bb");
	assert_string_equal(text(document, "light"), "pages");
	assert_string_equal(text(document, "clamp"), "hue");
	assert_true(number(document, "gutter") == 3);
	assert_true(number(json_object_get(document, "left_out"), "luxels") == 4);
	const json_t *faces = json_object_get(document, "faces");
	size_t at = 0;
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].lightmap_page == BSPSCENE_NO_INDEX) continue;
		const json_t *source = json_object_get(json_array_get(faces, at++), "source");
		if (i % 2) {
			assert_true(number(source, "offset") == 96 + i);
			continue;
		}
		assert_int_equal(json_array_size(source), 2);
		assert_true(number(json_array_get(source, 1), "page") == 2 && number(json_array_get(source, 1), "y") == 8);
		assert_true(json_is_true(json_object_get(json_array_get(source, 1), "solid")));
	}
	json_decref(document);
	bspt_captured_free(captured);
	test_free(captured);
	test_free(sources);
	bspt_sample_free(s.sample);
}

/* The atlas.json of a map without lightmaps says so. */
static void test_nothing_lit(void **state)
{
	(void)state;
	atlas_scene s;
	make_scene(&s);
	s.sample->scene.lightmap_set_count = s.sample->scene.lightmap_page_count = s.sample->scene.face_count = 0;
	s.sample->scene.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_NONE;
	bspt_captured *captured = test_calloc(1, sizeof *captured);
	json_t *document = write_atlas(&s, captured);
	assert_string_equal(text(document, "encoding"), "none");
	assert_int_equal(json_array_size(json_object_get(document, "sets")), 0);
	assert_int_equal(json_array_size(json_object_get(document, "faces")), 0);
	assert_int_equal(captured->file_count, 1);
	json_decref(document);
	bspt_captured_free(captured);
	test_free(captured);
	bspt_sample_free(s.sample);
}

/* Page 1 has style 0 at intensity 2 and style 32 at 0.5. The sum is what the game shows, clamped at white. */
static void test_composed_styles(void **state)
{
	static const struct { float steady, lamp; } cases[] = {
		{ 1, 1 }, { 1, 0 }, { 0, 1 }, { 0.5f, 2 }, { 0, 0 }, { 100, 1 },
	};
	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		atlas_scene s;
		make_scene(&s);
		bspscene_face *face = &s.sample->faces[BSPT_SAMPLE_BRICK_2];
		memcpy(face->styles, (uint8_t[4]){ 0, 32, 255, 255 }, 4);
		float styles[256] = { cases[c].steady };
		styles[32] = cases[c].lamp;
		bspt_captured *captured = test_calloc(1, sizeof *captured);
		json_t *document = write_styled_atlas(&s, styles, captured);
		const json_t *sets = json_object_get(document, "sets"), *merged = json_object_get(document, "merged_styles");
		assert_int_equal(json_array_size(sets), 2);
		assert_true(number(merged, "0") == (double)cases[c].steady && number(merged, "32") == (double)cases[c].lamp);
		const json_t *light = json_array_get(sets, 0);
		assert_string_equal(text(light, "kind"), "light");
		assert_true(number(light, "style") == 0 && number(light, "intensity") == 2);
		assert_string_equal(text(json_array_get(sets, 1), "kind"), "direction");
		uint8_t luxels[4 * 4 * 3];
		bspscene_lightmap_page page = s.sets[0].pages[1];
		for (size_t i = 0; i < sizeof luxels; i++) {
			double steady = ((const uint8_t *)page.data)[i], lamp = s.luxels[0][i];
			double sum = steady * (double)cases[c].steady + lamp * (double)cases[c].lamp / 4;
			luxels[i] = (uint8_t)(sum > 255 ? 255 : sum + 0.5);
		}
		page.data = luxels;
		check_file(captured, json_array_get(json_object_get(light, "files"), 1), &page);
		const json_t *faces = json_object_get(document, "faces");
		for (size_t i = 0; i < json_array_size(faces); i++) {
			const json_t *left = json_object_get(json_array_get(faces, i), "styles");
			assert_true(json_array_size(left) == 1 && json_integer_value(json_array_get(left, 0)) == 0);
		}
		assert_int_equal(face->styles[1], 32); /* writing does not change the scene */
		json_decref(document);
		bspt_captured_free(captured);
		test_free(captured);
		bspt_sample_free(s.sample);
	}
}

static void test_raw_floats_are_refused(void **state)
{
	(void)state;
	atlas_scene s;
	make_scene(&s);
	static const uint8_t raw[4 * 4 * 4];
	bspscene_lightmap_page pages[2];
	for (int i = 0; i < 2; i++) pages[i] = (bspscene_lightmap_page){ 4, 4, BSPSCENE_LIGHTMAP_PAGE_RAW32, raw, NULL };
	s.sets[0].pages = pages;
	s.sample->scene.lightmap_set_count = 1;
	float styles[256] = { 1 };
	bspscene_error error;
	bspt_captured *captured = test_calloc(1, sizeof *captured);
	assert_false(try_atlas(&s, styles, captured, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	bspt_captured_free(captured);
	test_free(captured);
	bspt_sample_free(s.sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets_and_pages),
		cmocka_unit_test(test_composed_styles),
		cmocka_unit_test(test_raw_floats_are_refused),
		cmocka_unit_test(test_faces),
		cmocka_unit_test(test_stored_light),
		cmocka_unit_test(test_nothing_lit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
