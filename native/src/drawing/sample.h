/* sample.h - samples textures and lightmap pages with the filters of the engines' graphics hardware. */
#ifndef BSPI_DRAWING_SAMPLE_H
#define BSPI_DRAWING_SAMPLE_H

#include <bspscene/lighting.h>

#include "drawing/mips.h"

/* Samples a texture with trilinear filtering at uv; v points down. `lod` is the mipmap level: the binary logarithm
 * of how many texels of level 0 a pixel is wide. The result is color and alpha, 0..1. */
void bspi_mips_sample(const bspi_mips *texture, const float uv[2], float lod, bool clamp, float out[4]);
/* Returns the mipmap level for these changes of uv to the pixel at the right and to the pixel below. */
float bspi_mips_lod(const bspi_mips *texture, const float duv_dx[2], const float duv_dy[2]);
/* Returns the mipmap level from the coordinates at three pixels: this one, the one to its right and the one below it.
 * If they differ by more than half the texture, as at a seam of the mapping, returns level 0. */
float bspi_mips_lod_between(const bspi_mips *texture, const float uv[2], const float right[2], const float below[2]);

/* Returns the mipmap levels of `count` neighboring pixels in a row. */
void bspi_mips_row_lods(const bspi_mips *texture, const float (*uvs)[2], const float (*right)[2],
                        const float (*below)[2], uint32_t count, float *lods);
/* Computes mipmap levels from the changes of coordinates per pixel: to the right, then down. */
void bspi_mips_changed_lods(const bspi_mips *texture, const float (*changes)[4], uint32_t count, float *lods);
void bspi_mips_sample_row(const bspi_mips *texture, const float (*uvs)[2], const float *lods, uint32_t count,
                          bool clamp, float (*out)[4]);

/* Number of half floats. A table of this size has the display value of each. It is needed to sample pages of half
 * floats. */
#define BSPI_HALFS 65536u
void bspi_fill_displays(float displays[BSPI_HALFS]);
/* Samples a lightmap page at each uv of a row, with bilinear filtering, clamped at its edges. Adds the samples times
 * `times` to `out`. The fourth number is not changed. `displays` is needed for pages of half floats. */
void bspi_page_add_row(const bspscene_lightmap_page *page, const float *displays, const float (*uvs)[2], uint32_t count,
                       float times, float (*out)[4]);

/* Like bspi_page_add_row, but interpolates and adds linear light instead of display values. `linears` has the linear
 * light of each byte. */
void bspi_page_add_linear_row(const bspscene_lightmap_page *page, const float linears[256], const float (*uvs)[2],
                              uint32_t count, float times, float (*out)[4]);
/* Looks up the display value of linear light in the table of half floats. From 2^-14 up, the result differs from the
 * exact one by at most about 1/4096 of it. */
float bspi_display_of(const float *displays, float linear);

#endif
