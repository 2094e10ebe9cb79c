/* number.h - numbers to text without the locale. Reading them is in text.h. */
#ifndef BSPI_NUMBER_H
#define BSPI_NUMBER_H

#include <stddef.h>

#define BSPI_NUMBER_SIZE 40

/* Writes what printf("%.*g", digits, value) does in the C locale, except that -0 is "0". `digits` is 1 to 17, `value`
 * finite. Returns the length. */
size_t bspi_format_number(char out[BSPI_NUMBER_SIZE], double value, int digits);
/* The fewest digits, 6 to 9, that are read as the same float again; 9 of what is not finite. */
int bspi_float_digits(float value);

#endif
