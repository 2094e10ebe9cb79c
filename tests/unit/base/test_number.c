/* test_number.c - numbers become the text that printf's %g gives in the C locale, whatever the locale is. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"
#include "support/hostile/comma_locale.h"

static void numbers_read_as_people_write_them(void **state)
{
	static const struct { double value; int digits; const char *want; } cases[] = {
		{ 0, 6, "0" }, { -0.0, 6, "0" }, { 1, 6, "1" }, { -1, 6, "-1" }, { 0.5, 6, "0.5" }, { 10, 6, "10" },
		{ 100, 1, "1e+02" },
		{ 100, 3, "100" }, { 123456, 6, "123456" }, { 1234567, 6, "1.23457e+06" }, { 0.0001, 6, "0.0001" },
		{ 0.00012345678, 6, "0.000123457" }, { 0.00001, 6, "1e-05" }, { 999999.5, 6, "1e+06" },
		{ 0.1, 17, "0.10000000000000001" },
		{ 1.0 / 3, 9, "0.333333333" }, { 1e300, 6, "1e+300" }, { 5e-324, 3, "4.94e-324" }, { -2.5e-7, 6, "-2.5e-07" },
	};
	char text[BSPI_NUMBER_SIZE];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t length = bspi_format_number(text, cases[i].value, cases[i].digits);
		assert_string_equal(text, cases[i].want);
		assert_int_equal(length, strlen(text));
	}
}

/* Returns the next number of a generator that gives the same numbers in every run. */
static double random_number(uint64_t *seed)
{
	double value;
	uint64_t bits;
	do {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		bits = *seed ^ *seed >> 29;
		memcpy(&value, &bits, sizeof value);
	} while (!(value - value == 0) || value == 0);
	return value;
}

static void numbers_equal_printf(void **state)
{
	char ours[BSPI_NUMBER_SIZE], theirs[64];
	uint64_t seed = 1;
	(void)state;
	for (int i = 0; i < 1000000; i++) {
		/* The kinds are: random bits; multiples of 1/1024, with many ties; powers of ten and their neighbors; converted
		 * floats. */
		double value = random_number(&seed);
		if (i % 4 == 1) value = (double)(i - 500000) / 1024 * (i % 7);
		if (i % 4 == 2) value = nextafter(pow(10, i / 4 % 30 - 15), i % 8 < 4 ? 0 : 1e300);
		if (i % 4 == 3) value = (double)(float)((double)(int64_t)(seed >> 20) / 3e8);
		int digits = 1 + i % 17;
		if (value == 0) continue;
		bspi_format_number(ours, value, digits);
		snprintf(theirs, sizeof theirs, "%.*g", digits, value);
		assert_string_equal(ours, theirs);
	}
}

static int fewest_digits(float value)
{
	char text[64];
	int digits = 6;
	for (; digits < 9; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, (double)value);
		if (strtof(text, NULL) == value) break;
	}
	return digits;
}

static void floats_have_the_fewest_digits_that_read_back(void **state)
{
	static const struct { float value; int want; } cases[] = {
		{ 0, 6 }, { -0.0f, 6 }, { 0.1f, 6 }, { 1.0f / 3, 8 }, { 16777216, 8 }, { 123456, 6 }, { 1234567, 7 },
		{ -0.70710677f, 8 }, { 0.000123456789f, 8 }, { 12.5710125f, 9 }, { INFINITY, 9 }, { NAN, 9 }, { 1e-45f, 6 },
		{ 3.4028235e38f, 8 },
	};
	uint64_t seed = 1;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(bspi_float_digits(cases[i].value), cases[i].want);
	}
	for (int i = 0; i < 400000; i++) {
		/* The kinds are: any float; values as maps have them; decimals of eight and nine digits with their
		 * neighbors. */
		float value = (float)random_number(&seed);
		uint32_t bits = (uint32_t)(seed >> 32);
		if (i % 4 == 1) memcpy(&value, &bits, sizeof value);
		if (i % 4 == 2) value = (float)((double)(int32_t)bits / 3e5);
		if (i % 4 == 3) value = nextafterf((float)(bits / 5) / 1e8f, i % 8 < 4 ? 0 : INFINITY);
		if (isfinite(value)) assert_int_equal(bspi_float_digits(value), fewest_digits(value));
	}
}

static void the_locale_changes_nothing(void **state)
{
	char text[BSPI_NUMBER_SIZE];
	(void)state;
	if (!bspt_set_comma_locale()) skip();
	bspi_format_number(text, -1234.5, 6);
	setlocale(LC_ALL, "C");
	assert_string_equal(text, "-1234.5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_read_as_people_write_them),
		cmocka_unit_test(numbers_equal_printf),
		cmocka_unit_test(floats_have_the_fewest_digits_that_read_back),
		cmocka_unit_test(the_locale_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
