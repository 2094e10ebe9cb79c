/* number.c - see number.h. */
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_QUICK_DIGITS 9            /* enough for any float */
#define LEAST_FLOAT_DIGITS 6

static const double powers[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };

static int trim_zeros(const char *figures, int count)
{
	while (count > 1 && figures[count - 1] == '0') count--;
	return count;
}

/* Computes the digits as an integer by one multiplication. This works for numbers of ordinary size. The rounding error
 * is far below 1e-4 of the last digit. If the value is so close to the middle between two results that rounding could
 * be wrong, returns false. */
static bool quick_whole(uint64_t *out, int *exponent, double value, int digits)
{
	int power = -4;
	if (digits > MOST_QUICK_DIGITS || value < 1e-4 || value >= 1e9) return false;
	while (power < 8 && value >= (power < -1 ? 1 / powers[-power - 1] : powers[power + 1])) power++;
	int scale = digits - 1 - power;
	double scaled = scale >= 0 ? value * powers[scale] : value / powers[-scale];
	uint64_t whole = (uint64_t)scaled;
	double rest = scaled - (double)whole;
	if (fabs(rest - 0.5) < 1e-4) return false;
	if (rest > 0.5) whole++;
	if ((double)whole >= powers[digits]) {
		whole /= 10;
		power++;
	}
	*out = whole;
	*exponent = power;
	return true;
}

/* Like exact_digits, but returns 0 for values that quick_whole cannot convert. */
static int quick_digits(char out[20], int *exponent, double value, int digits)
{
	uint64_t whole;
	if (!quick_whole(&whole, exponent, value, digits)) return 0;
	for (int i = digits; i-- > 0; whole /= 10) out[i] = (char)('0' + whole % 10);
	return trim_zeros(out, digits);
}

/* Returns the correctly rounded decimal digits of a positive value, and its decimal exponent. Uses printf's exponent
 * form, in which the locale only affects the decimal point, which is skipped. Removes trailing zeros. */
static int exact_digits(char out[20], int *exponent, double value, int digits)
{
	char text[BSPI_NUMBER_SIZE];
	int count = 0;
	const char *p = text;
	snprintf(text, sizeof text, "%.*e", digits - 1, value);
	for (; *p && *p != 'e'; p++) {
		if (*p >= '0' && *p <= '9') out[count++] = *p;
	}
	*exponent = 0;
	if (*p == 'e') p++;
	int sign = *p == '-' ? -1 : 1;
	for (; *p; p++) {
		if (*p >= '0' && *p <= '9') *exponent = *exponent * 10 + (*p - '0');
	}
	*exponent *= sign;
	return trim_zeros(out, count);
}

size_t bspi_format_number(char out[BSPI_NUMBER_SIZE], double value, int digits)
{
	char figures[20];
	int exponent;
	size_t at = 0;
	assert(isfinite(value) && digits >= 1 && digits <= 17);
	if (value == 0) {
		memcpy(out, "0", 2);
		return 1;
	}
	if (value < 0) out[at++] = '-';
	int count = quick_digits(figures, &exponent, fabs(value), digits);
	if (!count) count = exact_digits(figures, &exponent, fabs(value), digits);
	bool scientific = exponent < -4 || exponent >= digits;
	int whole = scientific ? 1 : exponent + 1;
	if (whole <= 0) {
		out[at++] = '0';
		out[at++] = '.';
		for (int i = whole; i < 0; i++) out[at++] = '0';
	}
	for (int i = 0; i < count || i < whole; i++) {
		if (i == whole && whole > 0) out[at++] = '.';
		out[at++] = i < count ? figures[i] : '0';
	}
	out[at] = 0;
	if (scientific) at += (size_t)snprintf(out + at, BSPI_NUMBER_SIZE - at, "e%+03d", exponent);
	return at;
}

/* True if a float that is written with this many digits is read back as the same float. Reading rounds to a double
 * first and then to a float. This gives the nearest float, except for a text exactly between two floats. The same C
 * library writes and reads, so the locale does not matter. */
static bool reads_back(float value, int digits)
{
	const double slack = 0x1p-50;
	uint64_t whole;
	int exponent;
	if (quick_whole(&whole, &exponent, fabs((double)value), digits)) {
		int scale = digits - 1 - exponent;
		double decimal = scale >= 0 ? (double)whole / powers[scale] : (double)whole * powers[-scale];
		float below = (float)(decimal * (1 - slack)), above = (float)(decimal * (1 + slack));
		if (below == above) return below == fabsf(value);
	}
	char text[BSPI_NUMBER_SIZE];
	snprintf(text, sizeof text, "%.*g", digits, (double)value);
	return strtof(text, NULL) == value;
}

int bspi_float_digits(float value)
{
	int digits = LEAST_FLOAT_DIGITS;
	if (!isfinite(value)) return MOST_QUICK_DIGITS;
	while (digits < MOST_QUICK_DIGITS && !reads_back(value, digits)) digits++;
	return digits;
}
