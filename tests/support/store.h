/* store.h - stores little-endian numbers in bytes. */
#ifndef BSPT_STORE_H
#define BSPT_STORE_H

#include <stdint.h>
#include <string.h>

static inline void bspt_store_u32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

static inline void bspt_store_f32(uint8_t *p, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	bspt_store_u32(p, bits);
}

#endif
