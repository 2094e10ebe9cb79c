/* lit_row.c - paints a row with the games' arithmetic: texture times light in display space, plus glow. Positions in
 * the texture are fixed-point integers, so that adding steps gives the same results on every system. */
#include <math.h>

#include "drawing/four.h"
#include "writers/lit/lit_paint.h"

#define POINT 32                       /* number of bits after the point in fixed-point positions */
#define ONE 4294967296.0               /* one texel as a fixed-point position */
/* Positions are clamped to this many texels. In larger floats, the fraction is lost. */
#define FARTHEST 1e9

static double held(double value, double low, double high)
{
	return value >= low ? value <= high ? value : high : low;
}

/* Returns a fixed-point position inside a texture that repeats. */
static uint64_t wrapped(double at, uint32_t size)
{
	double rest = at - floor(at / size) * size;
	return rest >= 0 && rest < size ? (uint64_t)(rest * ONE) : 0;
}

void bspi_lit_walk_start(bspi_lit_walk *walk, const bspscene_pixels *pixels, bool clamp, const bspi_lit_slope uv[2],
                         const bspi_lit_run *run)
{
	walk->pixels = pixels;
	walk->clamp = clamp;
	for (int i = 0; i < 2; i++) {
		uint32_t size = i ? pixels->height : pixels->width;
		double first = bspi_lit_slope_at(&uv[i], run->x + 0.5, run->y + 0.5), step = uv[i].by_x * size;
		first = held(first, -FARTHEST, FARTHEST) * size - 0.5;
		if (clamp) {
			/* Both ends are clamped, so that their difference is finite. */
			double last = held(first + step * run->count, -FARTHEST, FARTHEST);
			first = held(first, -FARTHEST, FARTHEST);
			walk->at[i] = (uint64_t)(int64_t)(first * ONE);
			walk->step[i] = (uint64_t)(int64_t)((last - first) / run->count * ONE);
		} else {
			walk->at[i] = wrapped(first, size);
			walk->step[i] = wrapped(step, size);
		}
	}
}

/* The two texels on one axis around a position. */
typedef struct neighbors {
	uint32_t low, high;
} neighbors;

static inline uint32_t inside(int64_t at, uint32_t size)
{
	return at < 0 ? 0 : at >= size ? size - 1 : (uint32_t)at;
}

static inline neighbors find_texels(uint64_t at, uint32_t size, bool clamp)
{
	if (clamp) {
		/* Rounds a signed position down to whole texels, without shifting a negative number. */
		int64_t whole = (int64_t)(at >> POINT) - (at >> 63 ? INT64_C(1) << POINT : 0);
		return (neighbors){ inside(whole, size), inside(whole + 1, size) };
	}
	uint32_t low = (uint32_t)(at >> POINT);
	return (neighbors){ low, low + 1 < size ? low + 1 : 0 };
}

static inline uint64_t next_place(uint64_t at, uint64_t step, uint32_t size, bool clamp)
{
	uint64_t next = at + step, end = (uint64_t)size << POINT;
	return clamp || next < end ? next : next - end;
}

/* Returns the fraction of a position, as a number with `bits` bits. */
static inline uint32_t share_of(uint64_t at, int bits)
{
	return (uint32_t)at >> (32 - bits);
}

/* Samples the texture at the current position, and steps to the next one. The result is display values times 255 <<
 * BSPI_SHARE_BITS. */
static inline bspi_four take_texel(bspi_lit_walk *walk, bool clamp)
{
	const bspscene_pixels *pixels = walk->pixels;
	const uint32_t width = pixels->width, height = pixels->height;
	const neighbors x = find_texels(walk->at[0], width, clamp), y = find_texels(walk->at[1], height, clamp);
	const uint8_t *upper = pixels->data + 4 * (size_t)y.low * width, *lower = pixels->data + 4 * (size_t)y.high * width;
	const uint32_t share = share_of(walk->at[0], BSPI_SHARE_BITS);
	bspi_four top = bspi_four_mixed(upper + 4 * (size_t)x.low, upper + 4 * (size_t)x.high, share);
	bspi_four bottom = bspi_four_mixed(lower + 4 * (size_t)x.low, lower + 4 * (size_t)x.high, share);
	bspi_four texel = bspi_four_between(top, bottom, (float)(int32_t)share_of(walk->at[1], 24) / 16777216);
	walk->at[0] = next_place(walk->at[0], walk->step[0], width, clamp);
	walk->at[1] = next_place(walk->at[1], walk->step[1], height, clamp);
	return texel;
}

static inline void paint(bspi_lit_walk *base, bspi_lit_walk *glow, const float glow_factors[3],
                         const float (*light)[4], bool clamp, uint32_t count, uint8_t *rgb)
{
	const float scale = 1.0f / (1 << BSPI_SHARE_BITS);
	bspi_four factors = { 0 };
	if (glow) factors = bspi_four_times(bspi_four_of(glow_factors[0], glow_factors[1], glow_factors[2]), scale);
	for (uint32_t i = 0; i < count; i++, rgb += 3) {
		uint8_t bytes[4];
		bspi_four texel = bspi_four_times(take_texel(base, clamp), scale);
		bspi_four lit = bspi_four_product(texel, bspi_four_load(light[i]));
		if (glow) {
			lit = bspi_four_at_most(lit, 255);
			lit = bspi_four_sum(lit, bspi_four_product(take_texel(glow, clamp), factors));
		}
		bspi_four_store_bytes(bytes, lit);
		memcpy(rgb, bytes, 3);
	}
}

void bspi_lit_row_paint(bspi_lit_walk *base, bspi_lit_walk *glow, const float glow_factors[3],
                        const float (*light)[4], uint32_t count, uint8_t *rgb)
{
	if (base->clamp) paint(base, glow, glow_factors, light, true, count, rgb);
	else if (glow) paint(base, glow, glow_factors, light, false, count, rgb);
	else paint(base, NULL, glow_factors, light, false, count, rgb);
}
