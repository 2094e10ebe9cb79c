/* Promise: a .ump file is read by the rules of docs/formats/ufoai.md, and values of the two axes are not exchanged. The
 * tests are about tiles with sides of two digits, rows from the top, kinds of ground, grids with different steps,
 * numbers of sets, and the first assembly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly/ump.h"
#include "support/bspt.h"

typedef struct reading {
	bspi_ctx ctx;
	bspi_ump ump;
} reading;

static void read_text(reading *r, const char *text)
{
	memset(r, 0, sizeof *r);
	r->ctx.file = "test.ump";
	r->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&r->ctx);
	if (!bspi_read_ump(&r->ctx, bspi_bytes_of(text, strlen(text)), BSPI_NO_BYTES, &r->ump)) {
		fail_msg("%s", r->ctx.error.message);
	}
	bspi_random random = { 1 };
	if (!bspi_draw_rules(&r->ctx, &random, true, &r->ump)) fail_msg("%s", r->ctx.error.message);
}

static void sides_have_two_digits(void **state)
{
	char text[1024], cells[256] = "";
	reading r;
	(void)state;
	for (int i = 0; i < 12 * 3; i++) strcat(cells, i == 13 ? " +a" : " 0");
	snprintf(text, sizeof text, "base a/b\ntile +wide { 12 3%s }\nassembly one { size \"10 1\" +wide \"1 1\" }\n",
	         cells);
	read_text(&r, text);
	assert_int_equal(r.ump.tile_count, 1);
	assert_int_equal(r.ump.tiles[0].width, 12);
	assert_int_equal(r.ump.tiles[0].height, 3);
	assert_int_equal(r.ump.width, 10);
	assert_int_equal(r.ump.height, 1);
	bspi_end_memory(&r.ctx);
}

static void steps_of_a_grid_differ(void **state)
{
	reading r;
	(void)state;
	read_text(&r, "base a/b\ntile +t { 3 3 0 0 0 0 +a 0 0 0 0 }\n"
	              "assembly one { size \"4 6\" grid \"2 3\" +t \"1 4\" }\n");
	assert_int_equal(r.ump.step[0], 2);
	assert_int_equal(r.ump.step[1], 3);
	bspi_end_memory(&r.ctx);
}

/* The first row of the text is the one with the largest y. */
static void rows_begin_at_the_top(void **state)
{
	static const char *const letters[2][3] = { { "4", "c", "+" }, { "1", "2", "0" } };
	reading r, alone;
	(void)state;
	read_text(&r, "base a/b\ntile +t { 3 2 1 2 0 4 c + }\nassembly one { size \"4 6\" +t \"1 4\" }\n");
	for (uint32_t y = 0; y < 2; y++) {
		for (uint32_t x = 0; x < 3; x++) {
			char text[128];
			snprintf(text, sizeof text, "tile t { 1 1 %s }\nassembly one { size \"1 1\" }\n", letters[y][x]);
			read_text(&alone, text);
			assert_int_equal(r.ump.tiles[0].cells[3 * y + x], alone.ump.tiles[0].cells[0]);
			bspi_end_memory(&alone.ctx);
		}
	}
	bspi_end_memory(&r.ctx);
}

/* There are 31 kinds of ground, each with its own bit. None of them is solid. '0' means any kind. Capital and small
 * letters are the same. */
static void each_letter_is_its_own_ground(void **state)
{
	static const char letters[] = "12345abcdefghijklmnopqrstuvwxyz";
	char text[256] = "tile t { 31 2";
	uint32_t all = 0;
	reading r;
	(void)state;
	for (int row = 0; row < 2; row++) {
		for (const char *at = letters; *at; at++) {
			char cell[3] = { ' ', row && *at >= 'a' ? (char)(*at - 'a' + 'A') : *at, 0 };
			strcat(text, cell);
		}
	}
	strcat(text, " }\nassembly one { size \"1 1\" }\n");
	read_text(&r, text);
	for (int i = 0; i < 31; i++) {
		uint32_t cell = r.ump.tiles[0].cells[i];
		assert_int_equal(cell, r.ump.tiles[0].cells[31 + i]);
		assert_true(cell && !(cell & (cell - 1)) && !(cell & all));
		all |= cell;
	}
	assert_true(all == BSPI_CELL_ANY);
	bspi_end_memory(&r.ctx);
}

/* The grid has different steps along its two axes. Tiles of two squares fit only if the step of the right axis is
 * used. */
static void tiles_begin_at_steps_of_the_grid(void **state)
{
	static const struct {
		const char *text;
		uint32_t count, step[2];
	} cases[] = {
		{ "tile t { 4 3 0 0 0 0 0 +0 +0 0 0 0 0 0 }\nassembly one { size \"4 3\" grid \"2 1\" t \"6 6\" }\n",
		  6,
		  { 2, 1 } },
		{ "tile t { 3 4 0 0 0 0 +0 0 0 +0 0 0 0 0 }\nassembly one { size \"3 4\" grid \"1 2\" t \"6 6\" }\n",
		  6,
		  { 1, 2 } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspi_placed_tile *placed;
		bspi_random random = { 1 };
		uint32_t count;
		reading r;
		read_text(&r, cases[i].text);
		assert_true(bspi_arrange_tiles(&r.ctx, &random, &r.ump, &placed, &count));
		assert_int_equal(count, cases[i].count);
		for (uint32_t k = 0; k < count; k++) {
			assert_int_equal(placed[k].x % cases[i].step[0], 0);
			assert_int_equal(placed[k].y % cases[i].step[1], 0);
		}
		bspi_end_memory(&r.ctx);
	}
}

/* The rule "2 5" has the bounds of a set: its tiles are drawn at random up to five times, and at least two must be
 * placed. */
static void bounds_of_a_set_add_up(void **state)
{
	uint32_t least = 0, most = 0;
	reading r;
	(void)state;
	read_text(&r, "tile a { 1 1 + }\ntile b { 1 1 + }\ntile c { 1 1 + }\ntileset some { a b c }\n"
	              "assembly one { size \"2 2\" tileset some \"2 5\" }\n");
	for (uint32_t i = 0; i < r.ump.tile_count; i++) {
		least += r.ump.tiles[i].least;
		most += r.ump.tiles[i].most;
	}
	assert_int_equal(least, 2);
	assert_int_equal(most, 5);
	bspi_end_memory(&r.ctx);
}

static void the_first_assembly_is_the_default(void **state)
{
	reading r;
	(void)state;
	read_text(&r, "tile t { 1 1 + }\nassembly first { size \"2 3\" }\nassembly second { size \"4 5\" }\n");
	assert_string_equal(r.ump.assembly, "first");
	assert_int_equal(r.ump.width, 2);
	bspi_end_memory(&r.ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_have_two_digits),
		cmocka_unit_test(steps_of_a_grid_differ),
		cmocka_unit_test(rows_begin_at_the_top),
		cmocka_unit_test(each_letter_is_its_own_ground),
		cmocka_unit_test(tiles_begin_at_steps_of_the_grid),
		cmocka_unit_test(bounds_of_a_set_add_up),
		cmocka_unit_test(the_first_assembly_is_the_default),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
