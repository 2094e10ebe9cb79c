/* Promise: the radix sort sorts keys that differ in any bits, keeps the order of equal keys and loses none. So it can
 * replace qsort with the position as tie-breaker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/radix_sort.h"
#include "support/random.h"

enum { MOST = 5000 };

static int compare(const void *a, const void *b)
{
	const bspi_keyed *x = a, *y = b;
	if (x->key != y->key) return x->key < y->key ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static uint64_t next_random(uint64_t *state)
{
	uint64_t high = bspt_random(state);
	return high << 32 | bspt_random(state);
}

/* Keys differ only in the bits of a mask. The masks cover few values, low and high digits, and a digit that crosses the
 * middle of the 64 bits. */
static const uint64_t masks[] = {
	0, 1, 0x3ff, 0x7ff, 0x800, 0xffff, UINT64_C(0xffffffff), UINT64_C(0xffffffff) << 32, UINT64_C(7) << 61, UINT64_MAX,
	UINT64_C(0x8000000000000001),
};
static const uint32_t counts[] = { 0, 1, 2, 3, 100, MOST };

static void check(uint64_t mask, uint32_t count)
{
	static bspi_keyed items[MOST], room[MOST], expected[MOST];
	uint64_t state = mask + count;
	for (uint32_t i = 0; i < count; i++) items[i] = (bspi_keyed){ next_random(&state) & mask, i };
	memcpy(expected, items, sizeof items);
	qsort(expected, count, sizeof *expected, compare);
	const bspi_keyed *sorted = bspi_radix_sort(items, room, count);
	assert_true(sorted == items || sorted == room);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(sorted[i].key == expected[i].key);
		assert_int_equal(sorted[i].index, expected[i].index);
	}
}

static void test_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) check(masks[i], counts[k]);
	}
}

/* Sorted input is returned as it is, without working memory. */
static void test_sorted(void **state)
{
	(void)state;
	bspi_keyed items[] = { { 1, 0 }, { 1, 1 }, { UINT64_C(1) << 40, 2 } };
	assert_true(bspi_radix_sort(items, NULL, 3) == items);
	assert_true(bspi_radix_sort(items, NULL, 0) == items);
	assert_int_equal(items[2].index, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order), cmocka_unit_test(test_sorted) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
