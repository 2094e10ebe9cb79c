/* numbers.h - what is too short to be called. */
#ifndef BSPI_DRAWING_NUMBERS_H
#define BSPI_DRAWING_NUMBERS_H

/* fminf and fmaxf, which compilers call a library for: of numbers, not of NaN. */
static inline float bspi_smaller(float a, float b)
{
	return a < b ? a : b;
}

static inline float bspi_larger(float a, float b)
{
	return a > b ? a : b;
}

#endif
