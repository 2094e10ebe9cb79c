/* number.c - see number.h. */
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The correctly rounded decimal digits of a positive value and its decimal exponent. They come from printf's exponent form,
 * where the locale can change nothing but the decimal point, which is stepped over. Trailing zeros are cut off. */
static int decimal_digits(char out[20], int *exponent, double value, int digits)
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
	while (count > 1 && out[count - 1] == '0') count--;
	return count;
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
	int count = decimal_digits(figures, &exponent, fabs(value), digits);
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
