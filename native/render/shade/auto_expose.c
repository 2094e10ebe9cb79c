/* auto_expose.c - brightens pictures. Most maps are dark from above, because their light is indoors.
 *
 * A pixel's brightness b, its largest channel, becomes k b / (1 + (k - 1) b). Shadows get k times as bright, white
 * stays white, nothing is clipped, and k = 1 changes nothing. All channels are scaled alike, so that hues stay. */
#include <math.h>
#include <string.h>

#include <bspscene/render_binding.h>

/* The geometric mean of brightness that a picture should have. This mean gives dark and bright parts the same
 * weight. */
#define WANTED 0.42
#define LARGEST_FACTOR 8.0
#define BLACK 2 /* pixels darker than this (of 255) do not count, because no exposure shows anything in them */

static bool is_background(const uint8_t *pixel, const uint8_t background[3]) { return !memcmp(pixel, background, 3); }

static uint8_t brightness(const uint8_t *pixel)
{
	uint8_t largest = pixel[0] > pixel[1] ? pixel[0] : pixel[1];
	return largest > pixel[2] ? largest : pixel[2];
}

/* Returns the geometric mean of all pixels that are neither background nor black; 1 if there are none. */
static double usual_brightness(const uint8_t *rgb, size_t count, const uint8_t background[3])
{
	size_t histogram[256] = { 0 }, shown = 0;
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_background(rgb + 3 * i, background)) histogram[brightness(rgb + 3 * i)]++;
	}
	for (int level = BLACK + 1; level < 256; level++) {
		sum += (double)histogram[level] * log(level / 255.0);
		shown += histogram[level];
	}
	return shown ? exp(sum / (double)shown) : 1;
}

/* Returns the factor by which shadows are brightened. 1 (no change) if the picture is bright enough or empty. */
static float choose_factor(const uint8_t *rgb, size_t count, const uint8_t background[3])
{
	double usual = usual_brightness(rgb, count, background);
	if (usual >= WANTED) return 1;
	return (float)fmin(WANTED * (1 - usual) / (usual * (1 - WANTED)), LARGEST_FACTOR);
}

float bspscene_auto_expose(uint8_t *rgb, uint32_t width, uint32_t height, const float background[3], float factor)
{
	size_t count = (size_t)width * height;
	uint8_t empty[3];
	float scale[256];
	for (int i = 0; i < 3; i++) empty[i] = (uint8_t)(background[i] * 255 + 0.5f);
	if (factor <= 0) factor = choose_factor(rgb, count, empty);
	if (factor == 1.0f) return factor;
	for (int i = 0; i < 256; i++) scale[i] = factor / (1 + (factor - 1) * (float)i / 255);
	for (size_t i = 0; i < count; i++) {
		uint8_t *pixel = rgb + 3 * i;
		if (is_background(pixel, empty)) continue;
		float by = scale[brightness(pixel)];
		for (int k = 0; k < 3; k++) pixel[k] = (uint8_t)fminf((float)pixel[k] * by + 0.5f, 255);
	}
	return factor;
}
