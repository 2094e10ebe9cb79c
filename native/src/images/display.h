/* display.h - the games' "display space", which is taken for sRGB, and linear light. */
#ifndef BSPI_DISPLAY_H
#define BSPI_DISPLAY_H

#include <bspscene/scene.h>

/* The sRGB curve. Beyond 1 it goes on. */
float bspi_linear_from_display(float value);
float bspi_display_from_linear(float value);
/* How much a display value changes with a linear one. */
float bspi_display_slope(float linear);
/* To what can be displayed, 0..1. */
float bspi_clamp_unit(float value);
/* What a factor in display space is for a host that multiplies linear light. */
float bspi_linear_gain(float intensity);
/* What a scene's vertex colors are multiplied with in display space: they are encoded like the pages, but never
 * HDR. */
float bspi_color_intensity(const bspscene_scene *scene);

#endif
