/* render_binding.h - Functions of the renderer for bspscene's own programs. NOTE: they may change with any version. */
#ifndef BSPSCENE_RENDER_BINDING_H
#define BSPSCENE_RENDER_BINDING_H

#include <bspscene/render.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Brightens a picture of width * height RGB pixels, in place. Returns the factor that was used.
 *
 * The brightness b of a pixel is its largest channel, 0..1. It becomes factor * b / (1 + (factor - 1) * b), and the
 * other channels are scaled alike. Shadows get `factor` times brighter, while white and all hues stay. Pixels of the
 * background color (0..1) are neither changed nor measured. Factor 0 chooses a factor from 1 to 8 by the picture, so
 * that dark rooms become visible. Factor 1 changes nothing. */
BSPSCENE_API float bspscene_auto_expose(uint8_t *rgb, uint32_t width, uint32_t height, const float background[3],
                                        float factor);

/** Returns the number of rays of the last picture, for benchmarks. */
BSPSCENE_API uint64_t bspscene_renderer_rays(const bspscene_renderer *renderer);

#ifdef __cplusplus
}
#endif
#endif
