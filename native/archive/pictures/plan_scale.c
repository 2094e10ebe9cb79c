/* plan_scale.c - see plan_scale.h. */
#include "archive/pictures/plan_scale.h"

#include <string.h>

#include "cli/report.h"

enum { PIXEL = 3, EDGE = 16, THICK = 6, BORDER = 1 };

/* Returns the longest of 1, 2, 5, 10, ... meters that fits into a quarter of the picture. */
static float choose_length(float meters_across)
{
	static const float steps[] = { 2, 2.5f, 2 };
	float meters = 1;
	for (int i = 0; i < 30 && meters * steps[i % 3] <= meters_across / 4; i++) meters *= steps[i % 3];
	return meters;
}

/* Draws the scale bar in white with a dark border. */
static void draw_bar(uint8_t *rgb, uint32_t width, uint32_t height, uint32_t length)
{
	if (height < EDGE + THICK + BORDER) return;
	for (uint32_t y = height - EDGE - THICK - BORDER; y < height - EDGE + BORDER; y++) {
		for (uint32_t x = EDGE - BORDER; x < EDGE + length + BORDER && x < width; x++) {
			bool inside = y >= height - EDGE - THICK && y < height - EDGE && x >= EDGE && x < EDGE + length;
			memset(rgb + ((size_t)y * width + x) * PIXEL, inside ? 0xff : 0, PIXEL);
		}
	}
}

char *cli_draw_scale(const bspscene_scene *scene, float units_per_pixel, uint32_t width, uint32_t height, uint8_t *rgb)
{
	float meters_per_pixel = units_per_pixel * scene->meters_per_unit;
	float meters = choose_length(meters_per_pixel * (float)width);
	draw_bar(rgb, width, height, (uint32_t)(meters / meters_per_pixel));
	return cli_format("from straight above, +Y up; a pixel is %.2f game units, the white bar %.0f m",
	                  (double)units_per_pixel, (double)meters);
}
