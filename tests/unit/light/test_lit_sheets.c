/* test_lit_sheets.c - the baked picture has as many sheets as sharp textures need, up to the limit. No sheet is larger
 * than requested. Texels between faces are not dark, and do not have the color of one face only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/light/lit_sample.h"
#include "writers/lit/lit_paint.h"

/* On a single sheet, textures would be painted with less than half of their texels. So the picture gets more sheets.
 * Each section is on one of them. */
static void sheets_do_not_blur(void **state)
{
	enum { SIZE = 40 };
	static bspt_lit_sample s, again;
	(void)state;
	bspt_lit_sample_scene(&s);
	assert_true(bspt_lit_sample_make_of_size(&s, 0, SIZE, 1));
	assert_in_range(s.lit.sheet_count, 2, 3);
	bspt_lit_sample_expect_quads(&s);
	const bspscene_scene *scene = s.writer.scene;
	const bspscene_mesh *mesh = scene->meshes[0];
	assert_int_equal(mesh->section_count, 1 + s.lit.sheet_count);
	uint32_t next_face = 0, next_index = 0, next_vertex = 0;
	for (uint32_t i = 0; i < mesh->section_count; i++) {
		const bspscene_section *part = mesh->sections[i];
		assert_int_equal(part->first_face, next_face);
		assert_int_equal(part->first_index, next_index);
		assert_int_equal(part->first_vertex, next_vertex);
		for (uint32_t f = 0; f < part->face_count; f++) assert_int_equal(scene->faces[next_face + f].section, i);
		next_face += part->face_count;
		next_index += part->index_count;
		next_vertex += part->vertex_count;
		assert_int_equal(s.lit.sections[0][i].in_picture, i + 1 < mesh->section_count);
	}
	assert_int_equal(next_face, BSPT_LIT_QUADS);
	assert_int_equal(next_index, 6 * BSPT_LIT_QUADS);
	assert_int_equal(next_vertex, BSPT_LIT_VERTICES);
	for (uint32_t i = 0; i < s.lit.chart_count; i++) {
		const bspi_lit_chart *chart = &s.lit.charts[i];
		const bspi_lit_sheet *sheet = &s.lit.sheets[chart->sheet];
		assert_true(chart->density >= chart->detail / 2);
		assert_int_equal(s.lit.sections[0][chart->section].sheet, chart->sheet);
		assert_in_range(chart->x + chart->width, 1, sheet->width);
		assert_in_range(chart->y + chart->height, 1, sheet->height);
		assert_in_range(sheet->width > sheet->height ? sheet->width : sheet->height, 1, SIZE);
	}
	bspt_lit_sample_scene(&again);
	assert_true(bspt_lit_sample_make_of_size(&again, 0, SIZE, 3));
	assert_int_equal(again.lit.sheet_count, s.lit.sheet_count);
	for (uint32_t i = 0; i < s.lit.sheet_count; i++) {
		const bspi_picture *one = &s.lit.sheets[i].picture, *other = &again.lit.sheets[i].picture;
		assert_int_equal(one->size, other->size);
		assert_memory_equal(one->data, other->data, one->size);
	}
	bspt_lit_sample_release(&again);
	bspt_lit_sample_release(&s);
}

/* Faces that share vertices stay on one sheet, however few texels they get there. If there is no memory for another
 * sheet, all faces stay on one sheet. */
static void sheets_are_not_forced(void **state)
{
	enum { SIZE = 40 };
	static bspt_lit_sample s;
	(void)state;
	bspt_lit_sample_scene(&s);
	s.faces[1].first_vertex = 0;
	s.faces[1].vertex_count = 8;
	assert_true(bspt_lit_sample_make_of_size(&s, 0, SIZE, 0));
	assert_int_equal(s.lit.sheet_count, 1);
	assert_ptr_equal(s.writer.scene, &s.scene);
	assert_int_equal(s.lit.chart_count, 3);
	bspt_lit_sample_release(&s);
	bspt_lit_sample_scene(&s);
	assert_true(bspt_lit_sample_make_of_size(&s, 0, SIZE, 0));
	assert_true(s.lit.sheet_count > 1);
	assert_true(bspi_lit_arrange(&s.writer, &s.lit, SIZE * SIZE + 1));
	assert_int_equal(s.lit.sheet_count, 1);
	assert_true(bspi_lit_arrange(&s.writer, &s.lit, 2 * SIZE * SIZE));
	assert_int_equal(s.lit.sheet_count, 2);
	bspt_lit_sample_release(&s);
}

/* Sharp textures may need more sheets than are allowed. Then all allowed sheets are used, and every luxel gets the same
 * number of texels, except where the texture itself has fewer. */
static void there_are_as_many_as_may_be(void **state)
{
	enum { SIZE = 256, SHEETS = 2, COUNT = 40, FINE = 16 };
	static const float plain = 0.5f;
	bspi_lit_chart charts[COUNT];
	bspi_lit lit = { .charts = charts, .chart_count = COUNT };
	bspi_writer writer = { .options = { .baked_size = SIZE } };
	(void)state;
	for (int i = 0; i < COUNT; i++) {
		charts[i] = (bspi_lit_chart) { .may_part = true, .size = { 16, 16 }, .detail = i % 2 ? FINE : plain };
	}
	bspi_budget_begin(&writer.budget, 0, NULL);
	bspi_arena_init(&writer.arena, &writer.budget);
	assert_true(bspi_lit_arrange(&writer, &lit, (uint64_t)SHEETS * SIZE * SIZE));
	assert_int_equal(lit.sheet_count, SHEETS);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(charts[i].sheet, i / (COUNT / SHEETS));
		float wanted = i % 2 ? lit.density : plain;
		assert_float_equal(charts[i].density, wanted, 0);
	}
	assert_true(lit.density > 2 * plain && lit.density < FINE / 2);
	bspi_arena_reset(&writer.arena);
}

/* The chart with the greatest height is placed first, in the corner of the sheet, whatever its index is. */
static void the_highest_is_placed_first(void **state)
{
	enum { COUNT = 6 };
	(void)state;
	for (int highest = 0; highest < COUNT; highest++) {
		bspi_lit_chart charts[COUNT];
		bspi_lit lit = { .charts = charts, .chart_count = COUNT };
		bspi_writer writer = { .options = { .baked_size = 256 } };
		for (int i = 0; i < COUNT; i++) {
			float high = i == highest ? 40 : (float)(16 + (i + highest) % COUNT);
			charts[i] = (bspi_lit_chart) { .may_part = true, .size = { 16, high }, .detail = 1 };
		}
		bspi_budget_begin(&writer.budget, 0, NULL);
		bspi_arena_init(&writer.arena, &writer.budget);
		assert_true(bspi_lit_arrange(&writer, &lit, 256 * 256));
		assert_int_equal(lit.sheet_count, 1);
		for (int i = 0; i < COUNT; i++) {
			if (i == highest) continue;
			assert_true(charts[i].height < charts[highest].height);
			assert_true(charts[i].x + charts[i].y > charts[highest].x + charts[highest].y);
		}
		bspi_arena_reset(&writer.arena);
	}
}

/* Texels near a chart get the color of the chart. Texels that are far from all charts get the mean color. This holds
 * in every row that a chart reaches. */
static void gaps_have_the_mean_of_charts(void **state)
{
	enum { WIDTH = 64, HEIGHT = 16, SIDE = 8 };
	static const uint8_t colors[2][3] = { { 200, 0, 40 }, { 0, 100, 80 } }, mean[3] = { 100, 50, 60 };
	uint8_t pixels[HEIGHT][WIDTH][3] = { 0 };
	bspi_lit_chart charts[2] = {
		{ .x = 0, .y = 0, .width = SIDE, .height = SIDE }, { .x = 40, .y = 8, .width = SIDE, .height = SIDE }
	};
	bspi_lit lit = { .charts = charts, .chart_count = 2, .sheet_count = 1 };
	bspi_writer writer = { .options = { .baked_size = WIDTH } };
	(void)state;
	lit.sheets[0] = (bspi_lit_sheet) { .width = WIDTH, .height = HEIGHT };
	for (uint32_t i = 0; i < 2 * SIDE * SIDE; i++) {
		const bspi_lit_chart *chart = &charts[i / (SIDE * SIDE)];
		memcpy(pixels[chart->y + i / SIDE % SIDE][chart->x + i % SIDE], colors[i / (SIDE * SIDE)], 3);
	}
	bspi_budget_begin(&writer.budget, 0, NULL);
	bspi_arena_init(&writer.arena, &writer.budget);
	assert_true(bspi_lit_fill_gaps(&writer, &lit, 0, pixels[0][0]));
	for (int y = 0; y < HEIGHT; y++) {
		assert_memory_equal(pixels[y][y < SIDE ? SIDE + 1 : 38], colors[y / SIDE], 3);
		assert_memory_equal(pixels[y][20], mean, 3);
	}
	bspi_arena_reset(&writer.arena);
}

/* If a smaller picture is requested, it still has all charts, with fewer texels for each luxel. */
static void pictures_keep_to_their_size(void **state)
{
	static bspt_lit_sample s;
	(void)state;
	bspt_lit_sample_scene(&s);
	assert_true(bspt_lit_sample_make(&s, 0));
	float density = s.lit.density;
	assert_true((uint64_t)s.lit.sheets[0].width * s.lit.sheets[0].height > 1500);
	assert_true(bspi_lit_arrange(&s.writer, &s.lit, 1500));
	assert_in_range((uint64_t)s.lit.sheets[0].width * s.lit.sheets[0].height, 1, 1500);
	assert_int_equal(s.lit.chart_count, 3);
	assert_true(s.lit.density < density);
	assert_true(bspi_lit_arrange(&s.writer, &s.lit, 40));
	assert_int_equal(s.lit.sheet_count, 0);
	bspt_lit_sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sheets_do_not_blur),
		cmocka_unit_test(sheets_are_not_forced),
		cmocka_unit_test(there_are_as_many_as_may_be), cmocka_unit_test(the_highest_is_placed_first),
		cmocka_unit_test(gaps_have_the_mean_of_charts),
		cmocka_unit_test(pictures_keep_to_their_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
