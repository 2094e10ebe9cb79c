/* display.h - converts between the games' display space, taken as sRGB, and linear light. */
#ifndef BSPI_DISPLAY_H
#define BSPI_DISPLAY_H

#include <bspscene/scene.h>

/* Convert by the sRGB curve, which is extended beyond 1. */
float bspi_linear_from_display(float value);
float bspi_display_from_linear(float value);
/* Returns the derivative of the display value by the linear value. */
float bspi_display_slope(float linear);
/* Clamps to 0..1. */
float bspi_clamp_unit(float value);
/* Converts a factor in display space to one for linear light. */
float bspi_linear_gain(float intensity);
/* Returns the factor of a scene's vertex colors in display space: they are encoded like pages, but never HDR. */
float bspi_color_intensity(const bspscene_scene *scene);

#endif
