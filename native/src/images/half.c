/* half.c - floats to IEEE 754 half precision and back, for HDR pages and EXR. */
#include "images/images.h"

#include <assert.h>
#include <string.h>

#include <bspscene/binding.h>

static uint32_t bits_of(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static float float_of(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

#define HALF_INFINITY 0x7c00u
#define FLOAT_INFINITY 0x7f800000u
#define FIRST_OVERFLOW 0x47800000u     /* 65536.0f. The largest half is 65504; numbers of 65520 and more round to
                                        * infinity. */
#define FIRST_NORMAL 0x38800000u       /* 2^-14 */
#define REBIAS ((127u - 15u) << 23)

uint16_t bspi_half_from_float(float value)
{
	uint32_t bits = bits_of(value);
	uint32_t sign = bits >> 16 & 0x8000u, half;
	bits &= 0x7fffffffu;
	if (bits >= FIRST_OVERFLOW) {
		half = bits > FLOAT_INFINITY ? HALF_INFINITY | 0x200u : HALF_INFINITY;
	} else if (bits < FIRST_NORMAL) {
		/* Adding 0.5 aligns the mantissa and rounds to nearest even. */
		half = bits_of(float_of(bits) + 0.5f) - bits_of(0.5f);
	} else {
		half = (bits - REBIAS + 0xfffu + (bits >> 13 & 1u)) >> 13;
	}
	return (uint16_t)(sign | half);
}

void bspscene_halves_to_floats(const void *halves, size_t count, float *out)
{
	assert(halves && out);
	const uint16_t *from = halves;
	for (size_t i = 0; i < count; i++) out[i] = bspi_half_to_float(from[i]);
}

float bspi_half_to_float(uint16_t half)
{
	uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
	if (magnitude >= HALF_INFINITY) return float_of(sign | FLOAT_INFINITY | (magnitude & 0x3ffu) << 13);
	if (magnitude >= 0x400u) return float_of(sign | ((magnitude << 13) + REBIAS));
	float value = (float)magnitude * 0x1p-24f;
	return sign ? -value : value;
}
