/* Promise: Call of Duty's maps have triangle soups, and brushes whose first sides are box coordinates instead of
 * planes. Missing light is ignored, and stored light is doubled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/map/map_reading.h"
#include "support/store.h"

enum { LIGHTMAPS = 1, BRUSHES = 4, PAGE_SIZE = 512 * 512 * 3, RETAIL = 0, DEMO = 1, SECOND = 2, FILE_PLANES = 2,
       BOX_SIDES = 6 };

static const bspi_variant *variant_at(uint32_t index)
{
	return &bspi_family_callofduty.variants[index];
}

static bspt_bytes room_with(uint32_t variant, const uint8_t *page)
{
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_callofduty, variant_at(variant), &parts));
	if (page) parts.raw[LIGHTMAPS] = bspi_bytes_of(page, PAGE_SIZE);
	return bspt_encode_parts(variant_at(variant), &parts);
}

static bspscene_scene *load(bspt_bytes file)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s", error.message);
	return scene;
}

/* The planes of a brush's first six sides face outward, in the order of the file. */
static void bounds_are_planes(void **state)
{
	(void)state;
	static const float distances[2 * BOX_SIDES] = { 0, 256, 0, 256, 8, 0, 8, 8, 8, 8, 0, 64 };
	for (uint32_t v = RETAIL; v <= SECOND; v++) {
		bspt_bytes file = room_with(v, NULL);
		bspt_reading f;
		if (!bspt_read_bytes(&f, file.data, file.size, false)) fail_msg("%s", f.ctx.error.message);
		assert_int_equal(f.map.planes_count, FILE_PLANES + 2 * BOX_SIDES);
		for (uint32_t i = 0; i < 2 * BOX_SIDES; i++) {
			const bspi_plane *plane = &f.map.planes[FILE_PLANES + i];
			for (uint32_t k = 0; k < 3; k++) {
				float wanted = k != i % BOX_SIDES / 2 ? 0.f : i & 1 ? 1.f : -1.f;
				assert_true(plane->normal[k] == wanted);
			}
			assert_true(plane->distance == distances[i]);
			assert_int_equal(f.map.brush_sides[i < BOX_SIDES ? i : i + 1].plane, FILE_PLANES + i);
		}
		assert_int_equal(f.map.brush_sides[BOX_SIDES].plane, 1);
		assert_int_equal(f.map.brushes[0].side_count, BOX_SIDES + 1);
		assert_int_equal(f.map.brushes[1].first_side, BOX_SIDES + 1);
		bspt_end_reading(&f);
		free(file.data);
	}
}

/* A brush is left out if it has too few sides for a box, or more sides than the file has left. The brushes after it are
 * left out, too. */
static void brushes_without_a_box_are_none(void **state)
{
	(void)state;
	static const int32_t counts[] = { 5, 14, 65535 };
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_callofduty, variant_at(RETAIL), &parts));
		bspi_brush brushes[2] = { parts.map.brushes[0], parts.map.brushes[1] };
		brushes[0].side_count = counts[i];
		parts.map.brushes = brushes;
		bspt_bytes file = bspt_encode_parts(variant_at(RETAIL), &parts);
		bspt_reading f;
		if (!bspt_read_bytes(&f, file.data, file.size, false)) fail_msg("%s", f.ctx.error.message);
		assert_int_equal(f.map.brushes[0].side_count, 0);
		assert_int_equal(f.map.brushes[1].side_count, 0);
		assert_int_equal(f.map.planes_count, FILE_PLANES);
		assert_true(f.ctx.warning_count > 0);
		bspt_end_reading(&f);
		free(file.data);
	}
}

/* A map without pages has no lit face, although its faces name page 0. With one page only the floor is lit. */
static void light_is_twice_the_byte(void **state)
{
	(void)state;
	static uint8_t page[PAGE_SIZE];
	memset(page, 77, sizeof page);
	bspt_bytes dark = room_with(RETAIL, NULL), lit = room_with(RETAIL, page);
	bspt_reading f;
	assert_true(bspt_read_bytes(&f, dark.data, dark.size, false));
	assert_int_equal(f.map.faces[0].lightmap[0], BSPI_PAGE_BY_VERTEX);
	bspt_end_reading(&f);
	assert_true(bspt_read_bytes(&f, lit.data, lit.size, false));
	assert_int_equal(f.map.faces[0].lightmap[0], 0);
	assert_int_equal(f.map.faces[1].lightmap[0], BSPI_PAGE_BY_VERTEX);
	bspt_end_reading(&f);
	bspscene_scene *scene = load(lit);
	assert_int_equal(scene->lightmap_set_count, 1);
	assert_true(scene->lightmap_sets[0].intensity == 2);
	bspscene_scene_free(scene);
	free(dark.data);
	free(lit.data);
}

/* A face whose page number is too large has no page. */
static void faces_have_pages_that_are_there(void **state)
{
	static uint8_t page[PAGE_SIZE];
	(void)state;
	for (int32_t number = 0; number < 3; number++) {
		bspt_parts parts;
		bspt_reading f;
		assert_true(bspt_room_parts(&bspi_family_callofduty, variant_at(RETAIL), &parts));
		parts.raw[LIGHTMAPS] = bspi_bytes_of(page, PAGE_SIZE);
		bspi_face *faces = test_malloc(parts.map.faces_count * sizeof *faces);
		memcpy(faces, parts.map.faces, parts.map.faces_count * sizeof *faces);
		faces[0].lightmap[0] = number;
		parts.map.faces = faces;
		bspt_bytes file = bspt_encode_parts(variant_at(RETAIL), &parts);
		assert_true(bspt_read_bytes(&f, file.data, file.size, false));
		assert_int_equal(f.map.faces[0].lightmap[0], number ? BSPI_PAGE_BY_VERTEX : 0);
		bspt_end_reading(&f);
		free(file.data);
		test_free(faces);
	}
}

/* It is unknown how the second game computes light from its pages. So the library does not read them as pages of the
 * first game. */
static void pages_of_the_second_game_are_not_read(void **state)
{
	(void)state;
	static uint8_t page[PAGE_SIZE];
	bspt_bytes file = room_with(SECOND, page);
	bspscene_scene *scene = load(file);
	assert_string_equal(scene->variant, "callofduty2");
	assert_int_equal(scene->lightmap_page_count, 0);
	assert_int_equal(scene->counts->triangles, 5);
	assert_int_equal(scene->entity_count, 6);
	bspscene_scene_free(scene);
	free(file.data);
}

static void entities_are_places(void **state)
{
	(void)state;
	bspt_bytes file = room_with(RETAIL, NULL);
	bspscene_scene *scene = load(file);
	assert_int_equal(scene->camera_count, 2);
	assert_int_equal(scene->mesh_count, 2);        /* one mesh is the world, the other a moving model */
	bool crate = false;
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const char *model = bspscene_entity_value(scene, i, "model");
		crate |= model && !strcmp(model, "xmodel/crate");
	}
	assert_true(crate);
	bspscene_scene_free(scene);
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_are_planes),
		cmocka_unit_test(brushes_without_a_box_are_none),
		cmocka_unit_test(light_is_twice_the_byte),
		cmocka_unit_test(faces_have_pages_that_are_there),
		cmocka_unit_test(pages_of_the_second_game_are_not_read),
		cmocka_unit_test(entities_are_places),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
