/* sample.c - see sample.h. */
#include "drawing/sample.h"

#include <math.h>
#include <string.h>

#include "base/page_luxels.h"
#include "drawing/four.h"
#include "drawing/numbers.h"
#include "drawing/sample_eights.h"

/* Returns { x, y, x, y }. */
static inline bspi_four both(float x, float y)
{
	return bspi_four_from(x, y, x, y);
}

/* Removes whole repeats from coordinates of a texture that repeats. Coordinates that are too large to have a fraction
 * become 0. */
static inline bspi_four fold(const float uv[2], bool clamp)
{
	bspi_four at = bspi_four_pairs(uv, uv);
	at = bspi_four_if_less(bspi_four_absolute(at), bspi_four_same(1e7f), at);
	if (clamp) return bspi_four_held(at, bspi_four_same(-1), bspi_four_same(2));
	return bspi_four_difference(at, bspi_four_floor(at));
}

/* The texels around a position. For u and for v: the texels on both sides, and the weight of the second one. The arrays
 * hold { u, v, u, v }. */
typedef struct spot {
	int32_t low[4], high[4];
	float share[4];
} spot;

/* Finds the texels around a position that `fold` returned. If the texture repeats, a texel just outside of it is the
 * one at the opposite edge. */
static inline void find_spot(bspi_four folded, uint32_t width, uint32_t height, bool clamp, spot *out)
{
	const bspi_four none = bspi_four_same(0), one = bspi_four_same(1);
	bspi_four sizes = both((float)width, (float)height), last = bspi_four_difference(sizes, one);
	bspi_four at = bspi_four_difference(bspi_four_product(folded, sizes), bspi_four_same(0.5f));
	bspi_four low = bspi_four_floor(at), high = bspi_four_sum(low, one);
	bspi_four_store(out->share, bspi_four_difference(at, low));
	if (clamp) {
		low = bspi_four_held(low, none, last);
		high = bspi_four_held(high, none, last);
	} else {
		low = bspi_four_sum(low, bspi_four_if_less(low, none, sizes));
		high = bspi_four_difference(high, bspi_four_if_less(last, high, sizes));
	}
	bspi_four_store_whole(out->low, low);
	bspi_four_store_whole(out->high, high);
}

static inline bspi_four sample_level(const bspi_mip_level *level, bspi_four folded, bool clamp)
{
	spot at;
	find_spot(folded, level->width, level->height, clamp, &at);
	const uint8_t *upper = level->rgba + (size_t)at.low[1] * level->width * 4,
	              *lower = level->rgba + (size_t)at.high[1] * level->width * 4;
	size_t left = (size_t)at.low[0] * 4, right = (size_t)at.high[0] * 4;
	bspi_four top = bspi_four_between(bspi_four_bytes(upper + left), bspi_four_bytes(upper + right), at.share[0]);
	bspi_four bottom = bspi_four_between(bspi_four_bytes(lower + left), bspi_four_bytes(lower + right), at.share[0]);
	return bspi_four_between(top, bottom, at.share[1]);
}

static inline bspi_four sample(const bspi_mips *texture, const float uv[2], float lod, bool clamp)
{
	lod = lod > 0 ? bspi_smaller(lod, (float)(texture->level_count - 1)) : 0;
	uint32_t level = (uint32_t)lod;
	float blend = lod - (float)level;
	bspi_four folded = fold(uv, clamp), value = sample_level(&texture->levels[level], folded, clamp);
	if (blend > 0 && level + 1 < texture->level_count) {
		value = bspi_four_between(value, sample_level(&texture->levels[level + 1], folded, clamp), blend);
	}
	return bspi_four_times(value, 1 / 255.0f);
}

void bspi_mips_sample(const bspi_mips *texture, const float uv[2], float lod, bool clamp, float out[4])
{
	bspi_four_store(out, sample(texture, uv, lod, clamp));
}

void bspi_mips_sample_row(const bspi_mips *texture, const float (*uvs)[2], const float *lods, uint32_t count,
                          bool clamp, float (*out)[4])
{
	uint32_t done = bspi_mips_sample_eights(texture, uvs, lods, count, clamp, out);
	if (clamp) {
		for (uint32_t i = done; i < count; i++) bspi_four_store(out[i], sample(texture, uvs[i], lods[i], true));
	} else {
		for (uint32_t i = done; i < count; i++) bspi_four_store(out[i], sample(texture, uvs[i], lods[i], false));
	}
}

/* Returns half the binary logarithm of a value of at least 1, with an error below 0.00006. Adds the value's exponent
 * and a minimax polynomial for log2 of its mantissa, which is exact at both ends. */
static inline float half_log2(float value)
{
	uint32_t bits, mantissa;
	memcpy(&bits, &value, sizeof bits);
	mantissa = (bits & 0x7fffff) | 0x3f800000;
	float m, exponent = (float)(bits >> 23) - 127;
	memcpy(&m, &mantissa, sizeof m);
	m -= 1;
	return 0.5f * (exponent + m * (1.4387257f + m * (-0.6777837f + m * (0.3211885f + m * -0.0821305f))));
}

/* Returns the mipmap level. `change` is how uv changes to the pixel at the right, then how it changes to the pixel
 * below. */
static inline float lod_of(const bspi_mips *texture, bspi_four change)
{
	bspi_four sizes = both((float)texture->levels[0].width, (float)texture->levels[0].height);
	bspi_four square = bspi_four_product(change, change);
	float texels[4];
	bspi_four_store(texels, bspi_four_product(bspi_four_product(square, sizes), sizes));
	float largest = bspi_larger(texels[0] + texels[1], texels[2] + texels[3]);
	/* Up to one texel per pixel, the texture is magnified, so level 0 is used. */
	return largest > 1 && largest < 1e30f ? half_log2(largest) : 0;
}

static inline float lod_between(const bspi_mips *texture, const float uv[2], const float right[2],
                                const float below[2])
{
	bspi_four change = bspi_four_difference(bspi_four_pairs(right, below), bspi_four_pairs(uv, uv));
	return bspi_four_beyond(change, 0.5f) ? 0 : lod_of(texture, change);
}

float bspi_mips_lod(const bspi_mips *texture, const float duv_dx[2], const float duv_dy[2])
{
	return lod_of(texture, bspi_four_pairs(duv_dx, duv_dy));
}

float bspi_mips_lod_between(const bspi_mips *texture, const float uv[2], const float right[2], const float below[2])
{
	return lod_between(texture, uv, right, below);
}

void bspi_mips_row_lods(const bspi_mips *texture, const float (*uvs)[2], const float (*right)[2],
                        const float (*below)[2], uint32_t count, float *lods)
{
	for (uint32_t i = 0; i < count; i++) lods[i] = lod_between(texture, uvs[i], right[i], below[i]);
}

void bspi_mips_changed_lods(const bspi_mips *texture, const float (*changes)[4], uint32_t count, float *lods)
{
	for (uint32_t i = 0; i < count; i++) lods[i] = lod_of(texture, bspi_four_load(changes[i]));
}

static float half_to_float(uint16_t half)
{
	int exponent = half >> 10 & 31;
	float mantissa = (float)(half & 1023);
	float value = exponent == 0    ? ldexpf(mantissa, -24)
	              : exponent == 31 ? 65504.0f
	                               : ldexpf(1024 + mantissa, exponent - 25);
	return half & 0x8000 ? -value : value;
}

/* Fills a table of display values for all half floats, because HDR pages hold linear light and pictures are composed of
 * display values. */
void bspi_fill_displays(float displays[BSPI_HALFS])
{
	for (uint32_t i = 0; i < BSPI_HALFS; i++) {
		displays[i] = (float)pow(fmaxf(half_to_float((uint16_t)i), 0), 1 / 2.2f);
	}
}

/* Loads a luxel of three bytes. Four bytes are read at once, unless the fourth one is outside of the page. The
 * fourth number of the result is undefined. */
static inline bspi_four load_bytes(const bspscene_lightmap_page *page, size_t at)
{
	const uint8_t *stored = page->data;
	const size_t size = (size_t)page->width * page->height * 3;
	if (at + 4 <= size) return bspi_four_bytes(stored + at);
	return bspi_four_of(stored[at], stored[at + 1], stored[at + 2]);
}

static inline bspi_four load_halfs(const bspscene_lightmap_page *page, const float *displays, size_t at)
{
	const uint16_t *stored = (const uint16_t *)page->data + at;
	return bspi_four_of(displays[stored[0]], displays[stored[1]], displays[stored[2]]);
}

static inline bspi_four load_linear_bytes(const bspscene_lightmap_page *page, const float *linears, size_t at)
{
	const uint8_t *stored = (const uint8_t *)page->data + at;
	return bspi_four_of(linears[stored[0]], linears[stored[1]], linears[stored[2]]);
}

/* Converts a half float. Its bits are shifted to the positions that they have in a float. This gives a value that is
 * 2^112 times too small, so the value is multiplied. Negative light becomes 0. */
static inline float light_of_half(uint16_t half)
{
	const float range = 5.192296858534828e33f;
	uint32_t bits = half < 0x7c00u ? (uint32_t)half << 13 : half & 0x8000u ? 0 : 0x7bffu << 13;
	float value;
	memcpy(&value, &bits, sizeof value);
	return value * range;
}

static inline bspi_four load_linear_halfs(const bspscene_lightmap_page *page, size_t at)
{
	const uint16_t *stored = (const uint16_t *)page->data + at;
	return bspi_four_of(light_of_half(stored[0]), light_of_half(stored[1]), light_of_half(stored[2]));
}

/* How luxels are stored, and what is interpolated between them. */
typedef enum luxel_kind { BYTES, HALVES, LINEAR_BYTES, LINEAR_HALVES } luxel_kind;

static inline bspi_four load_luxel(const bspscene_lightmap_page *page, const float *table, size_t at, luxel_kind kind)
{
	switch (kind) {
	case BYTES: return load_bytes(page, at);
	case HALVES: return load_halfs(page, table, at);
	case LINEAR_BYTES: return load_linear_bytes(page, table, at);
	default: return load_linear_halfs(page, at);
	}
}

static inline bspi_four load_sparse(const bspscene_lightmap_page *page, const float *table, uint32_t x, uint32_t y,
                                    luxel_kind kind)
{
	uint8_t gray[3];
	const bspscene_lightmap_page one = { .width = 1, .height = 1, .data = bspi_sparse_luxel(page, x, y, gray) };
	return load_luxel(&one, table, 0, kind);
}

static inline bspi_four sample_page(const bspscene_lightmap_page *page, const float *table, const float uv[2],
                                    luxel_kind kind, bool sparse)
{
	spot at;
	bspi_four corners[4];
	find_spot(fold(uv, true), page->width, page->height, true, &at);
	for (int i = 0; i < 4; i++) {
		int32_t x = i & 1 ? at.high[0] : at.low[0], y = i & 2 ? at.high[1] : at.low[1];
		size_t luxel = ((size_t)y * page->width + (size_t)x) * 3;
		corners[i] = sparse ? load_sparse(page, table, (uint32_t)x, (uint32_t)y, kind)
		                    : load_luxel(page, table, luxel, kind);
	}
	bspi_four top = bspi_four_between(corners[0], corners[1], at.share[0]);
	bspi_four bottom = bspi_four_between(corners[2], corners[3], at.share[0]);
	bspi_four value = bspi_four_between(top, bottom, at.share[1]);
	return kind == BYTES ? bspi_four_times(value, 1 / 255.0f) : value;
}

static inline void add_to(float out[4], bspi_four value, float times)
{
	float sum[4];
	bspi_four_store(sum, bspi_four_sum(bspi_four_load(out), bspi_four_times(value, times)));
	memcpy(out, sum, 3 * sizeof *out);
}

static inline void add_samples(const bspscene_lightmap_page *page, const float *table, const float (*uvs)[2],
                               uint32_t count, float times, float (*out)[4], luxel_kind kind)
{
	if (page->data) {
		uint32_t done = kind == BYTES ? bspi_page_add_eights(page, uvs, count, times, out) : 0;
		for (uint32_t i = done; i < count; i++) add_to(out[i], sample_page(page, table, uvs[i], kind, false), times);
	} else if (page->blocks) {
		for (uint32_t i = 0; i < count; i++) add_to(out[i], sample_page(page, table, uvs[i], kind, true), times);
	}
}

void bspi_page_add_row(const bspscene_lightmap_page *page, const float *displays, const float (*uvs)[2], uint32_t count,
                       float times, float (*out)[4])
{
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32) return;
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8) add_samples(page, displays, uvs, count, times, out, BYTES);
	else add_samples(page, displays, uvs, count, times, out, HALVES);
}

void bspi_page_add_linear_row(const bspscene_lightmap_page *page, const float linears[256], const float (*uvs)[2],
                              uint32_t count, float times, float (*out)[4])
{
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RAW32) return;
	if (page->format == BSPSCENE_LIGHTMAP_PAGE_RGB8) add_samples(page, linears, uvs, count, times, out, LINEAR_BYTES);
	else add_samples(page, NULL, uvs, count, times, out, LINEAR_HALVES);
}

/* Rounds the light to the nearest half float, whose bits are the index into the table. If the light is below the
 * smallest normal half (2^-14), the index is the number of steps of 2^-24 in it. */
float bspi_display_of(const float *displays, float linear)
{
	const float least = 6.103515625e-5f, steps = 16777216, largest = 65504;
	if (!(linear > 0)) return 0;
	if (linear < least) return displays[(uint32_t)(linear * steps + 0.5f)];
	if (linear >= largest) return displays[0x7bff];
	uint32_t bits;
	memcpy(&bits, &linear, sizeof bits);
	return displays[(bits - 0x38000000u + 0x1000u) >> 13];
}
