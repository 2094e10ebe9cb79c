/* test_luxels.c - which luxels of the map's pages light a face, and where the face's uvs point. Tested are footprints
 * of faces, the meaning of page numbers, slots for further styles, and uvs at luxel centers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/make/made_light.h"

/* ---- Pages ------------------------------------------------------------------------------------------------ */

/* Each case has a range of coordinates on a page with 128 luxels, and the first luxel and number of luxels that light
 * it. Bilinear filtering reads both luxels around a point between two centers, but only one luxel at a center. */
static void test_footprints(void **state)
{
	static const struct { float min, max; int32_t first; uint32_t count; } cases[] = {
		{ 0.5f, 0.5f, 0, 1 }, { 10.5f, 12.5f, 10, 3 }, { 10.25f, 12.75f, 9, 5 }, { 11, 12, 10, 3 }, { 0, 128, 0, 128 },
		{ 0.25f, 1, 0, 2 }, { 127.5f, 127.5f, 127, 1 }, { 127.75f, 128, 127, 1 }, { -5, 300, 0, 128 },
		{ 128, 200, 127, 1 },
		{ -10, -3, 0, 1 }, { 64.49f, 64.51f, 63, 3 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		bspt_light_pages(&light, 1, 1, false);
		bspt_light_on_page(&light, 0, 0, 0, 0, 0, 1, 1);
		for (int k = 0; k < 3; k++) {
			light.map.draw_vertices[k].lightmap[0] = (k == 0 ? cases[i].min : cases[i].max) / 128;
			light.map.draw_vertices[k].lightmap[1] = (k == 1 ? cases[i].min : cases[i].max) / 128;
		}
		assert_true(bspi_prepare_lighting(&light.build) && bspt_light_plan(&light));
		const bspi_surface *surface = &light.build.plan.surfaces[0];
		assert_int_equal(surface->luxel_x, cases[i].first);
		assert_int_equal(surface->luxel_y, cases[i].first);
		assert_int_equal(surface->luxel_width, cases[i].count);
		assert_int_equal(surface->luxel_height, cases[i].count);
		bspt_light_free(&light);
	}
}

static void test_uvs_that_are_no_numbers(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 1, 1, false);
	bspt_light_on_page(&light, 0, 0, 0, 5, 5, 3, 3);
	for (int k = 0; k < 3; k++) light.map.draw_vertices[k].lightmap[0] = NAN;
	bspt_light_build(&light);
	assert_int_equal(light.build.plan.surfaces[0].luxel_width, 1);
	float uv[2];
	const bspi_page_place place = bspi_find_page_place(&light.build, &light.build.plan.surfaces[0]);
	bspi_page_uv(&place, light.map.draw_vertices[0].position, light.map.draw_vertices[0].lightmap, uv);
	assert_true(uv[0] >= 0 && uv[0] <= 1);
	bspt_light_free(&light);
}

static void test_page_numbers(void **state)
{
	static const struct {
		int32_t number; bool soup; bspi_face_kind kind; bspscene_lighting want; uint32_t warnings;
	} cases[] = {
		{ 0, false, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_LIGHTMAP, 0 },
		{ 1, false, BSPI_FACE_PATCH, BSPSCENE_LIGHTING_LIGHTMAP, 0 },
		{ 0, true, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_VERTEX, 0 },
		{ 0, false, BSPI_FACE_FOLIAGE, BSPSCENE_LIGHTING_VERTEX, 0 },
		{ BSPI_PAGE_NONE, false, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_FULLBRIGHT, 0 },
		{ BSPI_PAGE_WHITE, false, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_FULLBRIGHT, 0 },
		{ BSPI_PAGE_BY_VERTEX, false, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_VERTEX, 0 },
		{ BSPI_PAGE_2D, false, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_VERTEX, 0 },
		{ 2, false, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_VERTEX, 1 },
		{ INT32_MAX, false, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_VERTEX, 1 },
		{ BSPI_FIRST_PICTURE_PAGE, false, BSPI_FACE_TRIANGLES, BSPSCENE_LIGHTING_VERTEX, 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		bspt_light_pages(&light, 1, 2, false);
		light.map.rules.soups_by_vertex = true;
		bspt_light_on_page(&light, 0, 0, cases[i].number, 5, 5, 3, 3);
		light.map.faces[0].kind = cases[i].kind;
		light.map.faces[0].soup = cases[i].soup;
		bspt_light_build(&light);
		const bspi_surface *surface = &light.build.plan.surfaces[0];
		bool lit = cases[i].want == BSPSCENE_LIGHTING_LIGHTMAP;
		assert_int_equal(surface->lighting, cases[i].want);
		assert_int_equal(bspi_face_has_luxels(&light.build, &light.map.faces[0]), lit);
		assert_int_equal(surface->page == BSPSCENE_NO_INDEX, !lit);
		assert_int_equal(surface->luxel_width, lit ? 3 : 0);
		assert_int_equal(bspt_light_warnings(&light, BSPSCENE_WARNING_LIGHTMAP), cases[i].warnings);
		assert_int_equal(light.scene.lightmap_page_count, lit);
		bspt_light_free(&light);
	}
}

static void test_soups_with_light(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 1, 1, false);
	bspt_light_on_page(&light, 0, 0, 0, 5, 5, 3, 3);
	light.map.faces[0].soup = true;
	bspt_light_build(&light);
	assert_int_equal(light.build.plan.surfaces[0].lighting, BSPSCENE_LIGHTING_LIGHTMAP);
	bspt_light_free(&light);
}

/* A page that is only partly in the lump is not used. A face on such a page has vertex light. */
static void test_cut_page(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 1, 2, false);
	light.map.lighting.size -= 1;
	bspt_light_on_page(&light, 0, 0, 1, 5, 5, 3, 3);
	bspt_light_build(&light);
	assert_int_equal(bspt_light_warnings(&light, BSPSCENE_WARNING_LUMP_TAIL), 1);
	assert_int_equal(light.build.plan.surfaces[0].lighting, BSPSCENE_LIGHTING_VERTEX);
	bspt_light_free(&light);
}

static void test_no_pages_wanted(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 1, 1, false);
	light.ctx.options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_NONE;
	bspt_light_on_page(&light, 0, 0, 0, 5, 5, 3, 3);
	bspt_light_build(&light);
	assert_int_equal(light.build.plan.surfaces[0].lighting, BSPSCENE_LIGHTING_VERTEX);
	assert_true(bspi_face_has_luxels(&light.build, &light.map.faces[0]));
	assert_int_equal(light.scene.lightmap_set_count, 0);
	bspt_light_free(&light);
}

/* If a page is sampled at the center of a stored luxel without filtering, the sample is that luxel. This holds for
 * pages of any size. */
static void test_page_uvs(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 40, 1, false);
	light.ctx.options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	for (uint32_t i = 0; i < 40; i++) {
		bspt_light_on_page(&light, i, 0, 0, i % 8 * 16, i / 8 * 25, 1 + i % 13, 1 + i % 23);
	}
	bspt_light_build(&light);
	const bspscene_lightmap_set *set = &light.scene.lightmap_sets[0];
	for (uint32_t i = 0; i < 40; i++) {
		const bspi_surface *surface = &light.build.plan.surfaces[i];
		const bspscene_lightmap_page *page = &set->pages[surface->page];
		const bspi_page_place place = bspi_find_page_place(&light.build, surface);
		for (uint32_t y = 0; y < surface->luxel_height; y++) {
			for (uint32_t x = 0; x < surface->luxel_width; x++) {
				uint32_t column = (uint32_t)surface->luxel_x + x, row = (uint32_t)surface->luxel_y + y;
				float stored[2] = { ((float)column + 0.5f) / 128, ((float)row + 0.5f) / 128 }, uv[2];
				static const float nowhere[3];
				bspi_page_uv(&place, nowhere, stored, uv);
				size_t at = (size_t)(uv[1] * (float)page->height) * page->width + (size_t)(uv[0] * (float)page->width);
				assert_memory_equal((const uint8_t *)page->data + 3 * at,
				                    light.map.lighting.data + ((size_t)row * 128 + column) * 3, 3);
			}
		}
	}
	bspt_light_free(&light);
}

/* ---- Slots ------------------------------------------------------------------------------------------------ */

static void use_slots(bspt_light *light, uint32_t count)
{
	for (uint32_t slot = 0; slot < count; slot++) light->map.faces[0].styles[slot] = (uint8_t)(slot ? 31 + slot : 0);
}

static void test_moved_slot(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 1, 3, true);
	use_slots(&light, 2);
	bspt_light_on_page(&light, 0, 0, 0, 10, 20, 6, 5);
	bspt_light_on_page(&light, 0, 1, 2, 3, 90, 6, 5);
	assert_true(bspi_prepare_lighting(&light.build));
	const bspi_slot *slot = &light.build.light->slots[0][0];
	assert_false(slot->solid);
	assert_int_equal(slot->x, -7);
	assert_int_equal(slot->y, 70);
	assert_int_equal(light.ctx.warning_count, 0);
	bspt_light_free(&light);
}

static void test_solid_slot(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 1, 3, true);
	use_slots(&light, 3);
	bspt_light_on_page(&light, 0, 0, 0, 10, 20, 6, 5);
	bspt_light_on_page(&light, 0, 1, 1, 99, 98, 1, 1);
	bspt_light_on_page(&light, 0, 2, 1, 11, 21, 6, 5);
	assert_true(bspi_prepare_lighting(&light.build));
	const bspi_slot *slots = light.build.light->slots[0];
	assert_true(slots[0].solid);
	assert_int_equal(slots[0].x, 99);
	assert_int_equal(slots[0].y, 98);
	assert_false(slots[1].solid);
	bspt_light_free(&light);
}

/* If the rectangle of slot 0 is a single luxel, it does not tell where the rectangles of other slots are. */
static void test_solid_first_slot(void **state)
{
	(void)state;
	bspt_light light;
	bspt_light_pages(&light, 1, 3, true);
	use_slots(&light, 3);
	bspt_light_on_page(&light, 0, 0, 0, 70, 71, 1, 1);
	bspt_light_on_page(&light, 0, 1, 1, 50, 51, 1, 1);
	bspt_light_on_page(&light, 0, 2, 2, 30, 40, 6, 5);
	bspt_light_build(&light);
	const bspi_face_light *face = &light.build.light->faces[0];
	const bspi_surface *surface = &light.build.plan.surfaces[0];
	assert_int_equal(face->pages[0], 2);
	assert_int_equal(face->styles[0], 33);
	assert_int_equal(face->pages[2], 0);
	assert_int_equal(face->styles[2], 0);
	assert_int_equal(surface->source_page, 2);
	assert_int_equal(surface->luxel_x, 30);
	assert_int_equal(surface->luxel_width, 6);
	assert_true(light.build.light->slots[0][1].solid);
	assert_int_equal(light.build.light->slots[0][1].x, 70);
	assert_int_equal(light.build.light->slots[0][0].x, 50);
	assert_int_equal(light.scene.lightmap_set_count, 3);
	assert_int_equal(light.scene.lightmap_sets[0].style, 0);
	bspt_light_free(&light);
}

static void test_slots_that_do_not_fit(void **state)
{
	static const struct { uint32_t x, y, width, height; float shift; } cases[] = {
		{ 40, 40, 7, 5, 0 },           /* the other slot's rectangle has another size */
		{ 40, 40, 6, 5, 0.3f },        /* the rectangle is not at whole luxels */
		{ 125, 40, 6, 5, 0 },          /* the rectangle passes the edge of its page */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_light light;
		bspt_light_pages(&light, 1, 2, true);
		use_slots(&light, 2);
		bspt_light_on_page(&light, 0, 0, 0, 10, 20, 6, 5);
		bspt_light_on_page(&light, 0, 1, 1, cases[i].x, cases[i].y, cases[i].width, cases[i].height);
		for (int k = 0; k < 3; k++) light.map.draw_vertex_styles[k].lightmap[0][0] += cases[i].shift / 128;
		bspt_light_build(&light);
		assert_int_equal(bspt_light_warnings(&light, BSPSCENE_WARNING_LIGHTMAP), 1);
		assert_int_equal(light.build.light->faces[0].styles[1], BSPI_NO_STYLE);
		assert_int_equal(light.scene.lightmap_set_count, 1);
		bspt_light_free(&light);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_footprints),
		cmocka_unit_test(test_uvs_that_are_no_numbers),
		cmocka_unit_test(test_page_numbers),
		cmocka_unit_test(test_soups_with_light),
		cmocka_unit_test(test_cut_page),
		cmocka_unit_test(test_no_pages_wanted),
		cmocka_unit_test(test_page_uvs),
		cmocka_unit_test(test_moved_slot),
		cmocka_unit_test(test_solid_slot),
		cmocka_unit_test(test_solid_first_slot),
		cmocka_unit_test(test_slots_that_do_not_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
