/* numbers.h - small inline functions. */
#ifndef BSPI_DRAWING_NUMBERS_H
#define BSPI_DRAWING_NUMBERS_H

/* fminf and fmaxf without a library call. The arguments must not be NaN. */
static inline float bspi_smaller(float a, float b)
{
	return a < b ? a : b;
}

static inline float bspi_larger(float a, float b)
{
	return a > b ? a : b;
}

#endif
