/* texture.c - see texture.h. Mipmaps are boxes over display values, as the engines make them. */
#include "texture.h"

#include "memory.h"

#include <math.h>
#include <string.h>

static bool add_level(const bspscene_allocator *allocator, bspr_texture *texture)
{
	const bspr_level *from = &texture->levels[texture->level_count - 1];
	bspr_level *to = &texture->levels[texture->level_count];
	to->width = from->width > 1 ? from->width / 2 : 1;
	to->height = from->height > 1 ? from->height / 2 : 1;
	to->rgba = bspr_take(allocator, (size_t)to->width * to->height, 4);
	if (!to->rgba) return false;
	uint32_t step_x = from->width > 1, step_y = from->height > 1;
	for (uint32_t y = 0; y < to->height; y++) {
		const uint8_t *top = from->rgba + (size_t)(y << step_y) * from->width * 4;
		const uint8_t *bottom = top + (size_t)step_y * from->width * 4;
		uint8_t *out = to->rgba + (size_t)y * to->width * 4;
		for (uint32_t x = 0; x < to->width * 4; x++) {
			uint32_t left = ((x / 4) << step_x) * 4 + x % 4, right = left + step_x * 4;
			out[x] = (uint8_t)((top[left] + top[right] + bottom[left] + bottom[right]) / 4);
		}
	}
	texture->level_count++;
	return true;
}

/* Without an allocator the largest level is what the decoder gave. */
static void free_largest(const bspscene_allocator *allocator, bspr_texture *texture)
{
	bspscene_pixels pixels = { texture->levels[0].width, texture->levels[0].height, texture->levels[0].rgba };
	if (texture->decoded) bspscene_pixels_free(&pixels);
	else bspr_release(allocator, texture->levels[0].rgba);
}

static void drop_level(const bspscene_allocator *allocator, bspr_texture *texture)
{
	free_largest(allocator, texture);
	texture->decoded = false;
	texture->level_count--;
	memmove(texture->levels, texture->levels + 1, texture->level_count * sizeof *texture->levels);
}

static bool keep_pixels(const bspscene_allocator *allocator, bspr_texture *texture, bspscene_pixels *pixels)
{
	uint8_t *rgba = pixels->data;
	texture->decoded = !allocator->allocate;
	if (allocator->allocate) {
		rgba = bspr_take(allocator, (size_t)pixels->width * pixels->height, 4);
		if (rgba) memcpy(rgba, pixels->data, (size_t)pixels->width * pixels->height * 4);
	}
	texture->levels[0] = (bspr_level){ pixels->width, pixels->height, rgba };
	if (allocator->allocate) bspscene_pixels_free(pixels);
	if (rgba) texture->level_count = 1;
	return rgba != NULL;
}

bool bspr_texture_load(const bspscene_allocator *allocator, bspr_texture *texture, const bspscene_image *image,
                       uint32_t side)
{
	bspscene_image missing = *image;
	bspscene_pixels pixels;
	bspscene_error error;
	memset(texture, 0, sizeof *texture);
	missing.format = BSPSCENE_IMAGE_MISSING;
	if (!bspscene_image_decode_small(image, side, &pixels, &error)) {
		if (error.status == BSPSCENE_ERROR_OUT_OF_MEMORY || !bspscene_image_decode(&missing, &pixels, NULL)) {
			return false;
		}
	}
	if (!keep_pixels(allocator, texture, &pixels)) return false;
	while (texture->level_count < BSPR_MAX_LEVELS) {
		const bspr_level *last = &texture->levels[texture->level_count - 1];
		if (last->width == 1 && last->height == 1) break;
		if (!add_level(allocator, texture)) return false;
		bool large = texture->levels[0].width > side || texture->levels[0].height > side;
		if (large) drop_level(allocator, texture);
	}
	return true;
}

void bspr_texture_free(const bspscene_allocator *allocator, bspr_texture *texture)
{
	free_largest(allocator, texture);
	for (uint32_t i = 1; i < texture->level_count; i++) bspr_release(allocator, texture->levels[i].rgba);
	memset(texture, 0, sizeof *texture);
}

static uint32_t wrap(int32_t at, uint32_t size, bool clamp)
{
	if (clamp) return at < 0 ? 0 : (uint32_t)at >= size ? size - 1 : (uint32_t)at;
	int32_t rest = at % (int32_t)size;
	return (uint32_t)(rest < 0 ? rest + (int32_t)size : rest);
}

/* Whole repeats do not matter, and far out there is no fraction left. */
static float fold(float coordinate, bool clamp)
{
	if (!(fabsf(coordinate) < 1e7f)) return 0;
	if (clamp) return fminf(fmaxf(coordinate, -1), 2);
	return coordinate - floorf(coordinate);
}

static void sample_level(const bspr_level *level, const float uv[2], bool clamp, float out[4])
{
	float x = fold(uv[0], clamp) * (float)level->width - 0.5f, y = fold(uv[1], clamp) * (float)level->height - 0.5f;
	float x_floor = floorf(x), y_floor = floorf(y), fx = x - x_floor, fy = y - y_floor;
	uint32_t x0 = wrap((int32_t)x_floor, level->width, clamp), x1 = wrap((int32_t)x_floor + 1, level->width, clamp);
	uint32_t y0 = wrap((int32_t)y_floor, level->height, clamp), y1 = wrap((int32_t)y_floor + 1, level->height, clamp);
	const uint8_t *a = level->rgba + ((size_t)y0 * level->width + x0) * 4,
	              *b = level->rgba + ((size_t)y0 * level->width + x1) * 4;
	const uint8_t *c = level->rgba + ((size_t)y1 * level->width + x0) * 4,
	              *d = level->rgba + ((size_t)y1 * level->width + x1) * 4;
	for (int i = 0; i < 4; i++) {
		float top = (float)a[i] + ((float)b[i] - (float)a[i]) * fx,
		      bottom = (float)c[i] + ((float)d[i] - (float)c[i]) * fx;
		out[i] = (top + (bottom - top) * fy) * (1 / 255.0f);
	}
}

void bspr_texture_sample(const bspr_texture *texture, const float uv[2], float lod, bool clamp, float out[4])
{
	float last = (float)(texture->level_count - 1);
	lod = lod > 0 ? fminf(lod, last) : 0;
	uint32_t level = (uint32_t)lod;
	float blend = lod - (float)level;
	sample_level(&texture->levels[level], uv, clamp, out);
	if (blend <= 0 || level + 1 >= texture->level_count) return;
	float next[4];
	sample_level(&texture->levels[level + 1], uv, clamp, next);
	for (int i = 0; i < 4; i++) out[i] += (next[i] - out[i]) * blend;
}

float bspr_texture_lod(const bspr_texture *texture, const float duv_dx[2], const float duv_dy[2])
{
	float w = (float)texture->levels[0].width, h = (float)texture->levels[0].height;
	float x = duv_dx[0] * duv_dx[0] * w * w + duv_dx[1] * duv_dx[1] * h * h;
	float y = duv_dy[0] * duv_dy[0] * w * w + duv_dy[1] * duv_dy[1] * h * h;
	float largest = fmaxf(x, y);
	return largest > 1e-20f && isfinite(largest) ? 0.5f * (float)log2(largest) : 0;
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
static float page_value(const bspscene_page *page, uint32_t x, uint32_t y, int channel)
{
	size_t at = ((size_t)y * page->width + x) * 3 + (size_t)channel;
	if (page->format == BSPSCENE_PAGE_RGB8) return (float)((const uint8_t *)page->data)[at] * (1 / 255.0f);
	return (float)pow(fmaxf(half_to_float(((const uint16_t *)page->data)[at]), 0), 1 / 2.2f);
}

void bspr_page_sample(const bspscene_page *page, const float uv[2], float out[3])
{
	out[0] = out[1] = out[2] = 0;
	if (!page->data || page->format == BSPSCENE_PAGE_RAW32) return;
	float x = fold(uv[0], true) * (float)page->width - 0.5f, y = fold(uv[1], true) * (float)page->height - 0.5f;
	float x_floor = floorf(x), y_floor = floorf(y), fx = x - x_floor, fy = y - y_floor;
	uint32_t x0 = wrap((int32_t)x_floor, page->width, true), x1 = wrap((int32_t)x_floor + 1, page->width, true);
	uint32_t y0 = wrap((int32_t)y_floor, page->height, true), y1 = wrap((int32_t)y_floor + 1, page->height, true);
	for (int i = 0; i < 3; i++) {
		float top = page_value(page, x0, y0, i) * (1 - fx) + page_value(page, x1, y0, i) * fx;
		float bottom = page_value(page, x0, y1, i) * (1 - fx) + page_value(page, x1, y1, i) * fx;
		out[i] = top * (1 - fy) + bottom * fy;
	}
}
