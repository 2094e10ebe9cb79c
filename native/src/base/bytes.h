/* bytes.h - spans of untrusted bytes, and the only code that reads numbers from them. Numbers are little-endian, or
 * big-endian if the name ends in _be, and read by value: no casts, no alignment, any host. */
#ifndef BSPI_BYTES_H
#define BSPI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct bspi_bytes {
	const uint8_t *data;               /* never NULL, not even when size is 0 */
	size_t size;
} bspi_bytes;

static const uint8_t bspi_no_bytes[1];
#define BSPI_NO_BYTES ((bspi_bytes){ bspi_no_bytes, 0 })

static inline bspi_bytes bspi_bytes_of(const void *data, size_t size)
{
	return size ? (bspi_bytes){ data, size } : BSPI_NO_BYTES;
}

/* Returns a part of a span, or false if it lies outside. The offset is subtracted from the span's size, because adding
 * two untrusted numbers could wrap. */
static inline bool bspi_slice(bspi_bytes b, uint64_t offset, uint64_t size, bspi_bytes *out)
{
	if (offset > b.size || size > b.size - offset) return false;
	*out = (bspi_bytes){ b.data + (size_t)offset, (size_t)size };
	return true;
}

static inline uint16_t bspi_load_u16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t bspi_load_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint32_t bspi_load_u32_be(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t bspi_load_u64(const uint8_t *p)
{
	return (uint64_t)bspi_load_u32(p) | (uint64_t)bspi_load_u32(p + 4) << 32;
}

static inline int16_t bspi_load_i16(const uint8_t *p) { return (int16_t)bspi_load_u16(p); }
static inline int32_t bspi_load_i32(const uint8_t *p) { return (int32_t)bspi_load_u32(p); }

/* Copies the bits of the float, because a conversion of its value would change signalling NaNs. */
static inline float bspi_load_f32(const uint8_t *p)
{
	uint32_t bits = bspi_load_u32(p);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* A cursor for headers and irregular lumps. A read after the end returns 0 and sets `failed`, which stays set. So
 * callers check it only once, after all reads. */
typedef struct bspi_cursor {
	bspi_bytes bytes;
	size_t at;
	bool failed;
} bspi_cursor;

static inline bspi_cursor bspi_cursor_at(bspi_bytes bytes, uint64_t offset)
{
	bspi_cursor c = { bytes, 0, offset > bytes.size };
	if (!c.failed) c.at = (size_t)offset;
	return c;
}

static inline const uint8_t *bspi_take(bspi_cursor *c, size_t size)
{
	if (c->failed || size > c->bytes.size - c->at) {
		c->failed = true;
		return NULL;
	}
	const uint8_t *p = c->bytes.data + c->at;
	c->at += size;
	return p;
}

#define BSPI_CURSOR_READER(name, type, size) \
	static inline type bspi_take_##name(bspi_cursor *c) \
	{ \
		const uint8_t *p = bspi_take(c, size); \
		return p ? bspi_load_##name(p) : (type)0; \
	}
BSPI_CURSOR_READER(u16, uint16_t, 2)
BSPI_CURSOR_READER(u32, uint32_t, 4)
BSPI_CURSOR_READER(u64, uint64_t, 8)
BSPI_CURSOR_READER(i16, int16_t, 2)
BSPI_CURSOR_READER(i32, int32_t, 4)
BSPI_CURSOR_READER(f32, float, 4)
#undef BSPI_CURSOR_READER

static inline uint8_t bspi_take_u8(bspi_cursor *c)
{
	const uint8_t *p = bspi_take(c, 1);
	return p ? *p : 0;
}

static inline bool bspi_mul_size(size_t *out, size_t a, size_t b)
{
	if (b && a > SIZE_MAX / 2 / b) return false;
	*out = a * b;
	return true;
}

#endif
