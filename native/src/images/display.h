/* display.h - converts between linear light and the games' display space, which is assumed to be sRGB. */
#ifndef BSPI_DISPLAY_H
#define BSPI_DISPLAY_H

#include <bspscene/scene.h>

/* Convert by the sRGB curve, which is extended beyond 1. */
float bspi_linear_from_display(float value);
float bspi_display_from_linear(float value);
/* Returns how fast the display value grows with the linear value (the derivative). */
float bspi_display_slope(float linear);
/* Clamps to 0..1. */
float bspi_clamp_unit(float value);
/* Converts a factor for colors in display space to the factor for linear light. */
float bspi_linear_gain(float intensity);
/* Returns the factor for a scene's vertex colors, in display space. They are encoded like lightmap pages, but are
 * never HDR. */
float bspi_color_intensity(const bspscene_scene *scene);

#endif
