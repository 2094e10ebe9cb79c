/* test_number.c - numbers become the text that printf's %g gives in the C locale, whatever the locale is. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

/* A simple generator: the same numbers in every run. */
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
		/* Any number at all; steps of 1/1024, full of ties; powers of ten and their neighbours; what floats come to. */
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
		cmocka_unit_test(the_locale_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
