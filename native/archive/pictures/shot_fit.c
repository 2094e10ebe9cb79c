/* shot_fit.c - see shot_fit.h. Each pixel of the tile is the mean of the pixels of the author's picture that it covers.
 * Integer arithmetic makes the result the same on every machine. */
#include "archive/pictures/shot_fit.h"

#include "cli/report.h"

enum { RGBA = 4, RGB = 3, LEAST_WIDTH = 160, LEAST_HEIGHT = 120 };

bool cli_is_shot_large(const bspscene_pixels *shot)
{
	return shot->width >= LEAST_WIDTH && shot->height >= LEAST_HEIGHT;
}

/* The part of the author's picture that the tile shows. */
typedef struct part {
	uint32_t x, y, width, height;
} part;

static part shown_part(const bspscene_pixels *shot, cli_picture_size size)
{
	part all = { 0, 0, shot->width, shot->height };
	uint64_t wide = (uint64_t)shot->width * size.height, high = (uint64_t)shot->height * size.width;
	if (shot->width == shot->height) return all;
	if (wide > high) all.width = (uint32_t)(high / size.height);
	else all.height = (uint32_t)(wide / size.width);
	if (!all.width) all.width = 1;
	if (!all.height) all.height = 1;
	all.x = (shot->width - all.width) / 2;
	all.y = (shot->height - all.height) / 2;
	return all;
}

/* Computes which pixels of a row or column of the author's picture a tile's pixel covers. `at` is the index of the
 * tile's pixel among `places`. The row or column of the author's picture has `count` pixels. The tile's pixel covers
 * those from *first to *end, without *end. */
static void span(uint32_t at, uint32_t places, uint32_t count, uint32_t *first, uint32_t *end)
{
	*first = (uint32_t)((uint64_t)at * count / places);
	*end = (uint32_t)(((uint64_t)at + 1) * count / places);
	if (*end <= *first) *end = *first + 1;
}

uint8_t *cli_fit_shot(const bspscene_pixels *shot, cli_picture_size size)
{
	uint8_t *rgb = cli_allocate((size_t)size.width * size.height, RGB);
	part from = shown_part(shot, size);
	for (size_t i = 0; i < (size_t)size.width * size.height; i++) {
		uint32_t left, right, top, bottom;
		uint64_t sums[RGB] = { 0 };
		span((uint32_t)(i % size.width), size.width, from.width, &left, &right);
		span((uint32_t)(i / size.width), size.height, from.height, &top, &bottom);
		for (uint32_t y = top; y < bottom; y++) {
			const uint8_t *row = shot->data + ((size_t)(from.y + y) * shot->width + from.x) * RGBA;
			for (uint32_t x = left; x < right; x++) {
				for (int k = 0; k < RGB; k++) sums[k] += row[(size_t)x * RGBA + (size_t)k];
			}
		}
		uint64_t count = (uint64_t)(right - left) * (bottom - top);
		for (int k = 0; k < RGB; k++) rgb[i * RGB + (size_t)k] = (uint8_t)((sums[k] + count / 2) / count);
	}
	return rgb;
}
