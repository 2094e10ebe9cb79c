/* Promise: memory of a load is zeroed and aligned, counted to the byte, freed completely, and never refused while it
 * fits into the limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

#define UNLIMITED UINT64_MAX

static void test_memory_is_zeroed_and_aligned(void **state)
{
	(void)state;
	static const size_t sizes[] = { 0, 1, 7, 16, 17, 4000, 5000, 16384, 100000, 3, 1 << 21, 12 };
	bspi_budget budget = { .limit = UNLIMITED };
	bspi_arena arena;
	bspi_arena_init(&arena, &budget);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		uint8_t *p = bspi_arena_alloc(&arena, sizes[i], 1);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(p[k], 0);
		memset(p, 0xff, sizes[i]);
	}
	bspi_arena_reset(&arena);
	assert_int_equal(budget.used, 0);
	assert_true(budget.peak > (1 << 21) + 100000);
}

/* Memory that is requested without zeroing is aligned and counted like zeroed memory. Zeroed memory that is requested
 * after it is still zeroed. */
static void test_unset_memory_is_memory(void **state)
{
	(void)state;
	static const size_t sizes[] = { 100, 1 << 17, 40, 1 << 20, 0 };
	bspi_budget budget = { .limit = UNLIMITED };
	bspi_arena arena;
	bspi_arena_init(&arena, &budget);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		uint8_t *unset = bspi_arena_alloc_unset(&arena, sizes[i], 1), *zeroed = bspi_arena_alloc(&arena, 200, 1);
		assert_non_null(unset);
		assert_non_null(zeroed);
		assert_int_equal((uintptr_t)unset % 16, 0);
		memset(unset, 0xff, sizes[i]);
		for (size_t k = 0; k < 200; k++) assert_int_equal(zeroed[k], 0);
	}
	assert_null(bspi_arena_alloc_unset(&arena, SIZE_MAX / 2 + 1, 2));
	assert_true(budget.refused);
	bspi_arena_reset(&arena);
	assert_int_equal(budget.used, 0);
}

/* The limit applies to requested bytes, not to the chunks that small requests share. */
static void test_what_fits_is_given(void **state)
{
	(void)state;
	for (uint64_t limit = 1 << 14; limit <= 4u << 20; limit *= 2) {
		bspi_budget budget = { .limit = limit };
		bspi_arena arenas[2];
		uint64_t got = 0;
		for (int i = 0; i < 2; i++) bspi_arena_init(&arenas[i], &budget);
		uint64_t size = limit / 64 + 16;
		for (int i = 0; bspi_arena_alloc(&arenas[i % 2], (size_t)size, 1); i++) got += size;
		assert_true(budget.refused);
		assert_true(budget.used <= limit);
		/* Partly filled chunks may waste a part of the limit, but at most half. */
		assert_true(got * 2 >= limit);
		for (int i = 0; i < 2; i++) bspi_arena_reset(&arenas[i]);
		assert_int_equal(budget.used, 0);
	}
	bspi_budget small = { .limit = 1024 };
	bspi_arena arena;
	bspi_arena_init(&arena, &small);
	assert_non_null(bspi_arena_alloc(&arena, 800, 1));
	assert_null(bspi_arena_alloc(&arena, 800, 1));
	assert_non_null(bspi_arena_alloc(&arena, 16, 1));
	bspi_arena_reset(&arena);
}

static void test_sizes_do_not_overflow(void **state)
{
	(void)state;
	bspi_budget budget = { .limit = UNLIMITED };
	bspi_arena arena;
	bspi_arena_init(&arena, &budget);
	assert_null(bspi_arena_alloc(&arena, SIZE_MAX / 2 + 1, 2));
	assert_null(bspi_arena_alloc(&arena, SIZE_MAX, 1));
	assert_true(budget.refused);
	assert_int_equal(budget.used, 0);
	bspi_arena_reset(&arena);
}

static void test_allocations_are_counted(void **state)
{
	(void)state;
	bspi_budget budget = { .limit = UNLIMITED, .allocation_limit = 2 };
	bspi_arena arena;
	bspi_arena_init(&arena, &budget);
	assert_non_null(bspi_arena_alloc(&arena, 1 << 20, 1));
	assert_non_null(bspi_arena_alloc(&arena, 1 << 20, 1));
	assert_null(bspi_arena_alloc(&arena, 1 << 20, 1));
	assert_true(budget.refused);
	bspi_arena_reset(&arena);
	assert_int_equal(budget.used, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_is_zeroed_and_aligned),
		cmocka_unit_test(test_unset_memory_is_memory),
		cmocka_unit_test(test_what_fits_is_given),
		cmocka_unit_test(test_sizes_do_not_overflow),
		cmocka_unit_test(test_allocations_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
