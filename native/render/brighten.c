/* brighten.c - exposure of archival pictures: most maps are dark from above, because the light is inside. */
#include <math.h>
#include <string.h>

#include <bspscene/render.h>

/* Nearly all pixels end below this brightness; darker pictures are lifted, by no more than the largest gain. */
#define WANTED 0.80f
#define SHARE_BELOW 0.97
#define LARGEST_GAIN 3.0f
#define MIDTONES 0.85f                 /* exponent: shadows gain more than lights */

static bool is_background(const uint8_t *pixel, const uint8_t background[3]) { return !memcmp(pixel, background, 3); }

static uint8_t brightness(const uint8_t *pixel)
{
	uint8_t largest = pixel[0] > pixel[1] ? pixel[0] : pixel[1];
	return largest > pixel[2] ? largest : pixel[2];
}

/* The brightness that `SHARE_BELOW` of the pixels do not exceed; 0: nothing is drawn. */
static float upper_end(const uint8_t *rgb, size_t count, const uint8_t background[3])
{
	size_t histogram[256] = { 0 }, drawn = 0, below = 0;
	for (size_t i = 0; i < count; i++) {
		if (is_background(rgb + 3 * i, background)) continue;
		histogram[brightness(rgb + 3 * i)]++;
		drawn++;
	}
	for (int level = 0; drawn && level < 256; level++) {
		below += histogram[level];
		if ((double)below >= SHARE_BELOW * (double)drawn) return (float)level / 255;
	}
	return 0;
}

/* 1: it is bright enough, or empty. */
static float choose_factor(const uint8_t *rgb, size_t count, const uint8_t background[3])
{
	float end = upper_end(rgb, count, background);
	if (end <= 0 || end >= WANTED) return 1;
	return fminf(WANTED / (float)pow(end, MIDTONES), LARGEST_GAIN);
}

float bspscene_brighten(uint8_t *rgb, uint32_t width, uint32_t height, const float background[3], float factor)
{
	size_t count = (size_t)width * height;
	uint8_t empty[3], table[256];
	for (int i = 0; i < 3; i++) empty[i] = (uint8_t)(background[i] * 255 + 0.5f);
	if (factor <= 0) factor = choose_factor(rgb, count, empty);
	if (factor == 1.0f) return factor;
	for (int i = 0; i < 256; i++) {
		table[i] = (uint8_t)(fminf((float)pow((float)i / 255, MIDTONES) * factor, 1) * 255 + 0.5f);
	}
	for (size_t i = 0; i < count; i++) {
		if (is_background(rgb + 3 * i, empty)) continue;
		for (int k = 0; k < 3; k++) rgb[3 * i + (size_t)k] = table[rgb[3 * i + (size_t)k]];
	}
	return factor;
}
