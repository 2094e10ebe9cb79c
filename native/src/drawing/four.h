/* four.h - vectors of four floats, with SIMD where the processor has it. The results are the same everywhere. */
#ifndef BSPI_DRAWING_FOUR_H
#define BSPI_DRAWING_FOUR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Number of bits of fixed-point weights: the weight 1 is stored as 2 to the power of this. */
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

static inline bspi_four bspi_four_words(const uint16_t words[4])
{
	__m128i eight = _mm_loadl_epi64((const __m128i *)(const void *)words);
	return _mm_cvtepi32_ps(_mm_unpacklo_epi16(eight, _mm_setzero_si128()));
}

/* Interpolates between a and b. `share` is the weight of b in fixed point. Returns the exact result, multiplied by
 * 2^BSPI_SHARE_BITS. */
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

static inline bspi_four bspi_four_from(float x, float y, float z, float w)
{
	return _mm_setr_ps(x, y, z, w);
}

static inline bspi_four bspi_four_load(const float from[4])
{
	return _mm_loadu_ps(from);
}

/* Returns { first[0], first[1], second[0], second[1] }. */
static inline bspi_four bspi_four_pairs(const float first[2], const float second[2])
{
	__m128i low, high;
	low = _mm_loadl_epi64((const __m128i *)(const void *)first);
	high = _mm_loadl_epi64((const __m128i *)(const void *)second);
	return _mm_castsi128_ps(_mm_unpacklo_epi64(low, high));
}

static inline bspi_four bspi_four_difference(bspi_four a, bspi_four b)
{
	return _mm_sub_ps(a, b);
}

static inline bspi_four bspi_four_absolute(bspi_four a)
{
	return _mm_andnot_ps(_mm_set1_ps(-0.0f), a);
}

/* Returns `value` where a < b, else 0, element by element. */
static inline bspi_four bspi_four_if_less(bspi_four a, bspi_four b, bspi_four value)
{
	return _mm_and_ps(_mm_cmplt_ps(a, b), value);
}

/* True if some |element| exceeds the limit. */
static inline bool bspi_four_beyond(bspi_four a, float limit)
{
	return _mm_movemask_ps(_mm_cmpgt_ps(bspi_four_absolute(a), _mm_set1_ps(limit))) != 0;
}

/* Transposes three vectors: out[k] has the k-th elements of a, b and c, and 0. */
static inline void bspi_four_columns(bspi_four a, bspi_four b, bspi_four c, bspi_four out[3])
{
	__m128 zero = _mm_setzero_ps(), ab = _mm_unpacklo_ps(a, b), c0 = _mm_unpacklo_ps(c, zero);
	out[0] = _mm_movelh_ps(ab, c0);
	out[1] = _mm_movehl_ps(c0, ab);
	out[2] = _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, zero));
}

/* True if some element exceeds its own limit. */
static inline bool bspi_four_above(bspi_four a, bspi_four limit)
{
	return _mm_movemask_ps(_mm_cmpgt_ps(a, limit)) != 0;
}

/* The arguments must not be NaN. */
static inline bspi_four bspi_four_larger(bspi_four a, bspi_four b)
{
	return _mm_max_ps(a, b);
}

/* The arguments must not be NaN. */
static inline bspi_four bspi_four_smaller(bspi_four a, bspi_four b)
{
	return _mm_min_ps(a, b);
}

/* Returns the largest of the first three elements, which must not be NaN. */
static inline float bspi_four_largest(bspi_four a)
{
	__m128 larger = _mm_max_ss(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 1, 1, 1)));
	return _mm_cvtss_f32(_mm_max_ss(larger, _mm_movehl_ps(a, a)));
}

static inline bspi_four bspi_four_held(bspi_four a, bspi_four least, bspi_four most)
{
	return _mm_min_ps(_mm_max_ps(a, least), most);
}

/* Truncates to integers. Elements must be below 2^31. */
static inline void bspi_four_store_whole(int32_t out[4], bspi_four a)
{
	_mm_storeu_si128((__m128i *)(void *)out, _mm_cvttps_epi32(a));
}

static inline bspi_four bspi_four_floor(bspi_four a)
{
	__m128 whole = _mm_cvtepi32_ps(_mm_cvttps_epi32(a));
	return _mm_sub_ps(whole, bspi_four_if_less(a, whole, _mm_set1_ps(1)));
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

static inline bspi_four bspi_four_quotient(bspi_four a, bspi_four b)
{
	return _mm_div_ps(a, b);
}

static inline bspi_four bspi_four_times(bspi_four a, float factor)
{
	return _mm_mul_ps(a, _mm_set1_ps(factor));
}

static inline bspi_four bspi_four_between(bspi_four a, bspi_four b, float share)
{
	return _mm_add_ps(a, _mm_mul_ps(_mm_sub_ps(b, a), _mm_set1_ps(share)));
}

/* Returns the elements, but at most the limit. NaN becomes the limit. */
static inline bspi_four bspi_four_at_most(bspi_four a, float limit)
{
	return _mm_min_ps(a, _mm_set1_ps(limit));
}

/* Clamps to 0 .. limit; NaN becomes 0. */
static inline bspi_four bspi_four_within(bspi_four a, float limit)
{
	return _mm_and_ps(_mm_cmpgt_ps(a, _mm_setzero_ps()), _mm_min_ps(a, _mm_set1_ps(limit)));
}

static inline bspi_four bspi_four_complement(bspi_four a)
{
	return _mm_sub_ps(_mm_set1_ps(1), a);
}

static inline bspi_four bspi_four_same(float value)
{
	return _mm_set1_ps(value);
}

/* Returns the last element four times. */
static inline bspi_four bspi_four_last(bspi_four a)
{
	return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 3, 3, 3));
}

/* Rounds and clamps to bytes. */
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

static inline bspi_four bspi_four_words(const uint16_t words[4])
{
	return (bspi_four){ { words[0], words[1], words[2], words[3] } };
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

static inline bspi_four bspi_four_from(float x, float y, float z, float w)
{
	return (bspi_four){ { x, y, z, w } };
}

static inline bspi_four bspi_four_load(const float from[4])
{
	return (bspi_four){ { from[0], from[1], from[2], from[3] } };
}

static inline bspi_four bspi_four_pairs(const float first[2], const float second[2])
{
	return (bspi_four){ { first[0], first[1], second[0], second[1] } };
}

static inline bspi_four bspi_four_difference(bspi_four a, bspi_four b)
{
	for (int i = 0; i < 4; i++) a.at[i] -= b.at[i];
	return a;
}

static inline bspi_four bspi_four_absolute(bspi_four a)
{
	for (int i = 0; i < 4; i++) a.at[i] = fabsf(a.at[i]);
	return a;
}

static inline bspi_four bspi_four_if_less(bspi_four a, bspi_four b, bspi_four value)
{
	for (int i = 0; i < 4; i++) value.at[i] = a.at[i] < b.at[i] ? value.at[i] : 0;
	return value;
}

static inline void bspi_four_columns(bspi_four a, bspi_four b, bspi_four c, bspi_four out[3])
{
	for (int i = 0; i < 3; i++) out[i] = bspi_four_of(a.at[i], b.at[i], c.at[i]);
}

static inline bool bspi_four_above(bspi_four a, bspi_four limit)
{
	for (int i = 0; i < 4; i++) {
		if (a.at[i] > limit.at[i]) return true;
	}
	return false;
}

static inline bspi_four bspi_four_larger(bspi_four a, bspi_four b)
{
	for (int i = 0; i < 4; i++) a.at[i] = a.at[i] > b.at[i] ? a.at[i] : b.at[i];
	return a;
}

static inline bspi_four bspi_four_smaller(bspi_four a, bspi_four b)
{
	for (int i = 0; i < 4; i++) a.at[i] = a.at[i] < b.at[i] ? a.at[i] : b.at[i];
	return a;
}

static inline float bspi_four_largest(bspi_four a)
{
	float larger = a.at[0] > a.at[1] ? a.at[0] : a.at[1];
	return larger > a.at[2] ? larger : a.at[2];
}

static inline bspi_four bspi_four_held(bspi_four a, bspi_four least, bspi_four most)
{
	for (int i = 0; i < 4; i++) {
		float held = a.at[i] > least.at[i] ? a.at[i] : least.at[i];
		a.at[i] = held < most.at[i] ? held : most.at[i];
	}
	return a;
}

static inline void bspi_four_store_whole(int32_t out[4], bspi_four a)
{
	for (int i = 0; i < 4; i++) out[i] = (int32_t)a.at[i];
}

static inline bspi_four bspi_four_floor(bspi_four a)
{
	for (int i = 0; i < 4; i++) {
		float whole = (float)(int32_t)a.at[i];
		a.at[i] = whole - (whole > a.at[i] ? 1.0f : 0.0f);
	}
	return a;
}

static inline bool bspi_four_beyond(bspi_four a, float limit)
{
	for (int i = 0; i < 4; i++) {
		if (a.at[i] > limit || -a.at[i] > limit) return true;
	}
	return false;
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

static inline bspi_four bspi_four_quotient(bspi_four a, bspi_four b)
{
	for (int i = 0; i < 4; i++) a.at[i] /= b.at[i];
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

static inline bspi_four bspi_four_within(bspi_four a, float limit)
{
	for (int i = 0; i < 4; i++) a.at[i] = a.at[i] > 0 ? a.at[i] < limit ? a.at[i] : limit : 0;
	return a;
}

static inline bspi_four bspi_four_complement(bspi_four a)
{
	for (int i = 0; i < 4; i++) a.at[i] = 1 - a.at[i];
	return a;
}

static inline bspi_four bspi_four_same(float value)
{
	return (bspi_four){ { value, value, value, value } };
}

static inline bspi_four bspi_four_last(bspi_four a)
{
	return bspi_four_same(a.at[3]);
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
