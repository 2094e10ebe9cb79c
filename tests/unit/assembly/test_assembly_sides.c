/* Promise: numbers in a .ump file are read completely and for the right axis: tiles with sides of two digits, and a
 * grid whose steps differ. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_have_two_digits),
		cmocka_unit_test(steps_of_a_grid_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
