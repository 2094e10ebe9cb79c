/* four.h - four numbers at once where the processor can; each of them is computed alike everywhere. */
#ifndef BSPI_DRAWING_FOUR_H
#define BSPI_DRAWING_FOUR_H

#include <stdint.h>
#include <string.h>

/* Shares of bytes in whole numbers: one is 2 to the power of this. */
#define BSPI_SHARE_BITS 14

#if defined(__SSE2__)
	#include <emmintrin.h>

typedef __m128 bspi_four;

static inline __m128i bspi_four_word(const uint8_t *bytes)
{
	int word;
	memcpy(&word, bytes, sizeof word);
	return _mm_cvtsi32_si128(word);
}

static inline bspi_four bspi_four_bytes(const uint8_t *bytes)
{
	__m128i zero = _mm_setzero_si128(), words = _mm_unpacklo_epi8(bspi_four_word(bytes), zero);
	return _mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero));
}

/* a + (b - a) * share, all times 1 << BSPI_SHARE_BITS, without rounding; share: that of b, so many times. */
static inline bspi_four bspi_four_mixed(const uint8_t *a, const uint8_t *b, uint32_t share)
{
	__m128i pairs = _mm_unpacklo_epi8(bspi_four_word(a), bspi_four_word(b));
	__m128i shares = _mm_set1_epi32((int)(share << 16 | ((1u << BSPI_SHARE_BITS) - share)));
	return _mm_cvtepi32_ps(_mm_madd_epi16(_mm_unpacklo_epi8(pairs, _mm_setzero_si128()), shares));
}

static inline bspi_four bspi_four_of(float x, float y, float z)
{
	return _mm_setr_ps(x, y, z, 0);
}

static inline bspi_four bspi_four_load(const float from[4])
{
	return _mm_loadu_ps(from);
}

static inline void bspi_four_store(float out[4], bspi_four value)
{
	_mm_storeu_ps(out, value);
}

static inline bspi_four bspi_four_sum(bspi_four a, bspi_four b)
{
	return _mm_add_ps(a, b);
}

static inline bspi_four bspi_four_product(bspi_four a, bspi_four b)
{
	return _mm_mul_ps(a, b);
}

static inline bspi_four bspi_four_times(bspi_four a, float factor)
{
	return _mm_mul_ps(a, _mm_set1_ps(factor));
}

static inline bspi_four bspi_four_between(bspi_four a, bspi_four b, float share)
{
	return _mm_add_ps(a, _mm_mul_ps(_mm_sub_ps(b, a), _mm_set1_ps(share)));
}

/* What is larger, or no number, becomes the limit. */
static inline bspi_four bspi_four_at_most(bspi_four a, float limit)
{
	return _mm_min_ps(a, _mm_set1_ps(limit));
}

/* Rounded, within a byte. */
static inline void bspi_four_store_bytes(uint8_t out[4], bspi_four value)
{
	__m128 held = _mm_max_ps(_mm_min_ps(value, _mm_set1_ps(255)), _mm_setzero_ps());
	__m128i whole = _mm_cvttps_epi32(_mm_add_ps(held, _mm_set1_ps(0.5f)));
	int word = _mm_cvtsi128_si32(_mm_packus_epi16(_mm_packs_epi32(whole, whole), whole));
	memcpy(out, &word, sizeof word);
}

#else

typedef struct bspi_four {
	float at[4];
} bspi_four;

static inline bspi_four bspi_four_bytes(const uint8_t *bytes)
{
	return (bspi_four){ { bytes[0], bytes[1], bytes[2], bytes[3] } };
}

static inline bspi_four bspi_four_mixed(const uint8_t *a, const uint8_t *b, uint32_t share)
{
	bspi_four out;
	for (int i = 0; i < 4; i++) out.at[i] = (float)(a[i] * ((1u << BSPI_SHARE_BITS) - share) + b[i] * share);
	return out;
}

static inline bspi_four bspi_four_of(float x, float y, float z)
{
	return (bspi_four){ { x, y, z, 0 } };
}

static inline bspi_four bspi_four_load(const float from[4])
{
	return (bspi_four){ { from[0], from[1], from[2], from[3] } };
}

static inline void bspi_four_store(float out[4], bspi_four value)
{
	memcpy(out, value.at, sizeof value.at);
}

static inline bspi_four bspi_four_sum(bspi_four a, bspi_four b)
{
	for (int i = 0; i < 4; i++) a.at[i] += b.at[i];
	return a;
}

static inline bspi_four bspi_four_product(bspi_four a, bspi_four b)
{
	for (int i = 0; i < 4; i++) a.at[i] *= b.at[i];
	return a;
}

static inline bspi_four bspi_four_times(bspi_four a, float factor)
{
	for (int i = 0; i < 4; i++) a.at[i] *= factor;
	return a;
}

static inline bspi_four bspi_four_between(bspi_four a, bspi_four b, float share)
{
	for (int i = 0; i < 4; i++) a.at[i] += (b.at[i] - a.at[i]) * share;
	return a;
}

static inline bspi_four bspi_four_at_most(bspi_four a, float limit)
{
	for (int i = 0; i < 4; i++) a.at[i] = a.at[i] < limit ? a.at[i] : limit;
	return a;
}

static inline void bspi_four_store_bytes(uint8_t out[4], bspi_four value)
{
	for (int i = 0; i < 4; i++) {
		float held = value.at[i] < 255 ? value.at[i] : 255;
		out[i] = (uint8_t)((held > 0 ? held : 0) + 0.5f);
	}
}

#endif

#endif
