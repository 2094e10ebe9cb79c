/* Promise: a warning keeps the text of each occurrence up to a limit, in order, with the record and the face or entity.
 * Each warning keeps its first occurrence; beyond the limit further ones are only counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"

static void begin(bspi_ctx *ctx)
{
	*ctx = (bspi_ctx){ .file = "test.bsp", .budget.limit = 1 << 20 };
	bspi_begin_memory(ctx);
}

static void each_time_has_its_place(void **state)
{
	(void)state;
	bspi_ctx ctx;
	begin(&ctx);
	for (uint32_t i = 0; i < 3; i++) {
		assert_true(bspi_warn(&ctx, BSPSCENE_WARNING_LIGHTMAP, BSPI_FACE(10 + i), "its light is odd"));
		assert_true(bspi_warn(&ctx, BSPSCENE_WARNING_REFERENCE, BSPI_ENTITY(20 + i), "no model"));
	}
	assert_true(bspi_warn(&ctx, BSPSCENE_WARNING_LUMP_BAD, BSPI_LUMP_AT("vis", 0x40), "short"));
	assert_int_equal(ctx.warning_count, 3);
	uint32_t number = 0;
	for (const bspi_occurrence *one = ctx.warnings[0].first; one; one = one->next, number++) {
		assert_int_equal(one->public.face, 10 + number);
		assert_int_equal(one->public.record, 10 + number);
		assert_int_equal(one->public.entity, BSPSCENE_NO_INDEX);
		assert_true(one->public.offset == UINT64_MAX);
	}
	assert_int_equal(number, 3);
	assert_string_equal(ctx.warnings[0].last->public.message, "face 12: its light is odd");
	assert_int_equal(ctx.warnings[1].last->public.entity, 22);
	assert_int_equal(ctx.warnings[1].last->public.face, BSPSCENE_NO_INDEX);
	assert_true(ctx.warnings[2].first->public.offset == 0x40);
	assert_int_equal(ctx.warnings[2].first->public.record, BSPSCENE_NO_INDEX);
	bspi_end_memory(&ctx);
}

static void words_are_bounded(void **state)
{
	(void)state;
	bspi_ctx ctx;
	begin(&ctx);
	for (uint32_t i = 0; i < 5000; i++) {
		assert_true(bspi_warn(&ctx, BSPSCENE_WARNING_FACE_DROPPED, BSPI_FACE(i), "bad"));
	}
	assert_true(bspi_warn(&ctx, BSPSCENE_WARNING_TREE, BSPI_RECORD("nodes", 7), "a circle"));
	assert_true(bspi_warn(&ctx, BSPSCENE_WARNING_TREE, BSPI_RECORD("nodes", 8), "a circle"));
	assert_int_equal(ctx.warnings[0].count, 5000);
	assert_int_equal(ctx.warnings[0].kept, BSPSCENE_MAX_OCCURRENCES + 1);
	assert_int_equal(ctx.warnings[0].last->public.record, BSPSCENE_MAX_OCCURRENCES);
	assert_int_equal(ctx.warnings[1].count, 2);
	assert_int_equal(ctx.warnings[1].kept, 1);
	assert_string_equal(ctx.warnings[1].message, "nodes: record 7: a circle");
	bspi_end_memory(&ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_time_has_its_place),
		cmocka_unit_test(words_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
