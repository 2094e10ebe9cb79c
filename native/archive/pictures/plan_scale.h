/* plan_scale.h - the scale of a plan: a bar in the picture, and text. */
#ifndef CLI_PLAN_SCALE_H
#define CLI_PLAN_SCALE_H

#include <bspscene/bspscene.h>

/* Draws a scale bar in meters into the lower left corner of width * height RGB pixels. Returns the description of the
 * picture with its scale; the caller frees it. */
char *cli_draw_scale(const bspscene_scene *scene, float units_per_pixel, uint32_t width, uint32_t height, uint8_t *rgb);

#endif
