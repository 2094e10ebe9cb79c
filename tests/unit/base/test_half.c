/* test_half.c - every half float survives conversion to float and back, and floats round to the nearest half, ties to
 * even. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "images/images.h"

static bool is_nan(uint16_t half)
{
	return (half & 0x7c00) == 0x7c00 && (half & 0x3ff);
}

static void test_every_half_survives(void **state)
{
	(void)state;
	for (uint32_t i = 0; i <= 0xffff; i++) {
		uint16_t half = (uint16_t)i;
		float value = bspi_half_to_float(half);
		if (is_nan(half)) {
			assert_true(isnan(value));
			assert_true(is_nan(bspi_half_from_float(value)));
		} else {
			assert_int_equal(bspi_half_from_float(value), half);
		}
	}
}

static void test_known_values(void **state)
{
	static const struct { float value; uint16_t half; } cases[] = {
		{ 0, 0 }, { 1, 0x3c00 }, { -2, 0xc000 }, { 0.5f, 0x3800 }, { 65504, 0x7bff }, { 65519.99f, 0x7bff },
		{ 65520, 0x7c00 },
		{ 1e30f, 0x7c00 }, { -1e30f, 0xfc00 }, { INFINITY, 0x7c00 }, { 0x1p-14f, 0x0400 }, { 0x1p-24f, 0x0001 },
		{ 0x1p-25f, 0 }, { 0x1.000002p-25f, 0x0001 }, { 1e-30f, 0 }, { 0.33325195f, 0x3555 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(bspi_half_from_float(cases[i].value), cases[i].half);
	}
}

/* Between each pair of neighboring finite halves: just below the middle rounds down, just above rounds up, and the
 * middle rounds to even. */
static void test_rounding(void **state)
{
	(void)state;
	for (uint16_t half = 0; half < 0x7bff; half++) {
		uint16_t next = (uint16_t)(half + 1);
		float middle = (bspi_half_to_float(half) + bspi_half_to_float(next)) / 2;
		assert_int_equal(bspi_half_from_float(middle), half & 1 ? next : half);
		assert_int_equal(bspi_half_from_float(nextafterf(middle, 0)), half);
		assert_int_equal(bspi_half_from_float(nextafterf(middle, INFINITY)), next);
		assert_int_equal(bspi_half_from_float(-middle), 0x8000 | (half & 1 ? next : half));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_half_survives),
		cmocka_unit_test(test_known_values),
		cmocka_unit_test(test_rounding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
