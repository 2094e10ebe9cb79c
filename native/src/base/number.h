/* number.h - writes numbers independently of the locale. text.h reads them. */
#ifndef BSPI_NUMBER_H
#define BSPI_NUMBER_H

#include <stddef.h>

#define BSPI_NUMBER_SIZE 40

/* Writes what printf("%.*g", digits, value) does in the C locale, except that -0 is "0". `digits` is 1 to 17, `value`
 * finite. Returns the length. */
size_t bspi_format_number(char out[BSPI_NUMBER_SIZE], double value, int digits);
/* Returns the fewest digits, 6 to 9, that read back as the same float; 9 if it is not finite. */
int bspi_float_digits(float value);

#endif
