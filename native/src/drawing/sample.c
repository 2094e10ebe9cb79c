/* sample.c - see sample.h. */
#include "drawing/sample.h"

#include <math.h>
#include <string.h>

#include "drawing/four.h"
#include "drawing/numbers.h"

static inline int32_t floor_of(float x)
{
	int32_t whole = (int32_t)x;
	return whole - ((float)whole > x);
}

/* Whole repeats do not matter, and far out there is no fraction left. */
static inline float fold(float coordinate, bool clamp)
{
	if (!(fabsf(coordinate) < 1e7f)) return 0;
	if (clamp) return bspi_smaller(bspi_larger(coordinate, -1), 2);
	return coordinate - (float)floor_of(coordinate);
}

/* The two texels that a coordinate lies between, and how near it is to the second. */
typedef struct spot {
	uint32_t low, high;
	float share;
} spot;

static inline uint32_t held(int32_t at, int32_t last)
{
	return (uint32_t)(at < 0 ? 0 : at > last ? last : at);
}

/* A folded coordinate is at most half a texel outside when it repeats. */
static inline spot find_spot(float folded, uint32_t size, bool clamp)
{
	float at = folded * (float)size - 0.5f;
	int32_t low = floor_of(at), high = low + 1, last = (int32_t)size - 1;
	float share = at - (float)low;
	if (clamp) return (spot){ held(low, last), held(high, last), share };
	return (spot){ (uint32_t)(low < 0 ? last : low), (uint32_t)(high > last ? 0 : high), share };
}

static inline bspi_four sample_level(const bspi_mip_level *level, float u, float v, bool clamp)
{
	spot x = find_spot(u, level->width, clamp), y = find_spot(v, level->height, clamp);
	const uint8_t *upper = level->rgba + (size_t)y.low * level->width * 4,
	              *lower = level->rgba + (size_t)y.high * level->width * 4;
	size_t left = (size_t)x.low * 4, right = (size_t)x.high * 4;
	bspi_four top = bspi_four_between(bspi_four_bytes(upper + left), bspi_four_bytes(upper + right), x.share);
	bspi_four bottom = bspi_four_between(bspi_four_bytes(lower + left), bspi_four_bytes(lower + right), x.share);
	return bspi_four_between(top, bottom, y.share);
}

void bspi_mips_sample(const bspi_mips *texture, const float uv[2], float lod, bool clamp, float out[4])
{
	lod = lod > 0 ? bspi_smaller(lod, (float)(texture->level_count - 1)) : 0;
	uint32_t level = (uint32_t)lod;
	float blend = lod - (float)level, u = fold(uv[0], clamp), v = fold(uv[1], clamp);
	bspi_four value = sample_level(&texture->levels[level], u, v, clamp);
	if (blend > 0 && level + 1 < texture->level_count) {
		value = bspi_four_between(value, sample_level(&texture->levels[level + 1], u, v, clamp), blend);
	}
	bspi_four_store(out, bspi_four_times(value, 1 / 255.0f));
}

/* Half the binary logarithm of 1 and more, within 0.00006: the exponent, and a polynomial for log2(1 + m) of what is
 * behind the point, whose largest error is least and which has both ends exact. */
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

float bspi_mips_lod(const bspi_mips *texture, const float duv_dx[2], const float duv_dy[2])
{
	float w = (float)texture->levels[0].width, h = (float)texture->levels[0].height;
	float x = duv_dx[0] * duv_dx[0] * w * w + duv_dx[1] * duv_dx[1] * h * h;
	float y = duv_dy[0] * duv_dy[0] * w * w + duv_dy[1] * duv_dy[1] * h * h;
	float largest = bspi_larger(x, y);
	/* Below 1 the first level is shown as it is. */
	return largest > 1 && largest < 1e30f ? half_log2(largest) : 0;
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

/* HDR pages are linear light; the picture is composed in display space. */
void bspi_fill_displays(float displays[BSPI_HALFS])
{
	for (uint32_t i = 0; i < BSPI_HALFS; i++) {
		displays[i] = (float)pow(fmaxf(half_to_float((uint16_t)i), 0), 1 / 2.2f);
	}
}

static inline bspi_four load_luxel(const bspscene_page *page, const float *displays, uint32_t x, uint32_t y)
{
	size_t at = ((size_t)y * page->width + x) * 3;
	if (page->format == BSPSCENE_PAGE_RGB8) {
		const uint8_t *stored = (const uint8_t *)page->data + at;
		return bspi_four_of(stored[0], stored[1], stored[2]);
	}
	const uint16_t *halfs = (const uint16_t *)page->data + at;
	return bspi_four_of(displays[halfs[0]], displays[halfs[1]], displays[halfs[2]]);
}

void bspi_page_sample(const bspscene_page *page, const float *displays, const float uv[2], float out[3])
{
	out[0] = out[1] = out[2] = 0;
	if (!page->data || page->format == BSPSCENE_PAGE_RAW32) return;
	spot x = find_spot(fold(uv[0], true), page->width, true), y = find_spot(fold(uv[1], true), page->height, true);
	bspi_four corners[4];
	for (int i = 0; i < 4; i++) {
		corners[i] = load_luxel(page, displays, i & 1 ? x.high : x.low, i & 2 ? y.high : y.low);
	}
	bspi_four top = bspi_four_between(corners[0], corners[1], x.share);
	bspi_four bottom = bspi_four_between(corners[2], corners[3], x.share);
	float value[4], scale = page->format == BSPSCENE_PAGE_RGB8 ? 1 / 255.0f : 1;
	bspi_four_store(value, bspi_four_times(bspi_four_between(top, bottom, y.share), scale));
	memcpy(out, value, 3 * sizeof *out);
}
