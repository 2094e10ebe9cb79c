/* display.c - see display.h. */
#include "images/display.h"

#include <math.h>

float bspi_linear_from_display(float value)
{
	return value <= 0.04045f ? value / 12.92f : (float)pow((value + 0.055f) / 1.055f, 2.4f);
}

float bspi_display_from_linear(float value)
{
	return value <= 0.0031308f ? value * 12.92f : 1.055f * (float)pow(value, 1 / 2.4f) - 0.055f;
}

float bspi_clamp_unit(float value)
{
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

float bspi_linear_gain(float intensity)
{
	return intensity == 1 ? 1 : (float)pow(intensity, 2.2f);
}

float bspi_color_intensity(const bspscene_scene *scene)
{
	switch (scene->lightmap_encoding) {
	case BSPSCENE_LIGHTMAP_RAW: return scene->overbright > 0 ? scene->overbright : 1;
	case BSPSCENE_LIGHTMAP_DISPLAY: return scene->page_set_count ? scene->page_sets[0].intensity : 1;
	default: return 1;
	}
}
