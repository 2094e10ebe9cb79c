/* vector.h - small inline functions. */
#ifndef BSPR_VECTOR_H
#define BSPR_VECTOR_H

#include "drawing/numbers.h"

static inline float bspr_dot(const float a[3], const float b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void bspr_cross(const float a[3], const float b[3], float out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Clamps to 0..1. NaN becomes 0. */
static inline float bspr_clamp01(float value)
{
	return value > 0 ? (value < 1 ? value : 1) : 0;
}

#endif
