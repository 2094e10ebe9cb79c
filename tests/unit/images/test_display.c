/* test_display.c - the transfer curves of displays. Tables cover some octaves of values, and other values are computed.
 * All results agree with pow(), also at both ends of each segment of a table. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "images/display.h"

static float float_of(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static uint32_t bits_of(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* Compares with a wanted value. pow() itself may be wrong in the last bit. */
static void expect(const char *curve, float value, float got, double wanted)
{
	if (fabs((double)got - wanted) > fabs(wanted) * 1.2e-7) {
		fail_msg("%s of %a is %a instead of %a", curve, (double)value, (double)got, wanted);
	}
}

static void check(float value)
{
	double power = value <= 0.04045f ? 0 : pow((double)((value + 0.055f) / 1.055f), (double)2.4f);
	expect("linear", value, bspi_linear_from_display(value), value <= 0.04045f ? (double)(value / 12.92f) : power);
	if (value <= 0.0031308f) return;
	float root = (float)pow((double)value, (double)(1 / 2.4f));
	expect("display", value, bspi_display_from_linear(value), (double)(1.055f * root - 0.055f));
	float slope = (float)pow((double)value, (double)(1 / 2.4f - 1));
	expect("slope", value, bspi_display_slope(value), (double)(1.055f / 2.4f * slope));
}

static void tables_give_powers(void **state)
{
	(void)state;
	/* Each octave has 64 segments. Each segment begins at a bit pattern whose low 17 bits are 0. */
	uint32_t first = bits_of(0.001f) >> 17, last = bits_of(100000.0f) >> 17;
	for (uint32_t part = first; part <= last; part++) {
		for (uint32_t i = 0; i < 257; i++) check(float_of((part << 17) + i * 510));
		check(float_of((part << 17) - 1));
	}
}

static void curves_rise_and_meet(void **state)
{
	(void)state;
	float before = -1;
	for (uint32_t i = 0; i <= 4000; i++) {
		float value = (float)i / 1000, linear = bspi_linear_from_display(value);
		assert_true(linear > before);
		assert_true(fabsf(bspi_display_from_linear(linear) - value) < 2e-6f * (1 + value));
		before = linear;
	}
	assert_true(bspi_linear_from_display(0) == 0 && bspi_display_from_linear(0) == 0);
	assert_true(bspi_linear_from_display(1) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_give_powers),
		cmocka_unit_test(curves_rise_and_meet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
