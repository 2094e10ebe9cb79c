/* sample.h - textures and lightmap pages at a point, filtered as the engines' graphics hardware does. */
#ifndef BSPI_DRAWING_SAMPLE_H
#define BSPI_DRAWING_SAMPLE_H

#include <bspscene/lighting.h>

#include "drawing/mips.h"

/* Trilinear sample at uv, v downward. `lod` is log2 of texels of the largest level per pixel. Color and alpha 0..1. */
void bspi_mips_sample(const bspi_mips *texture, const float uv[2], float lod, bool clamp, float out[4]);
/* lod of a texture whose uv changes by these from pixel to pixel. */
float bspi_mips_lod(const bspi_mips *texture, const float duv_dx[2], const float duv_dy[2]);
/* lod of a texture that has these coordinates at a pixel, right of it and below. A jump at a seam blurs one pixel. */
float bspi_mips_lod_between(const bspi_mips *texture, const float uv[2], const float right[2], const float below[2]);

/* The same of neighbors in a row, as many as `count`. */
void bspi_mips_row_lods(const bspi_mips *texture, const float (*uvs)[2], const float (*right)[2],
                        const float (*below)[2], uint32_t count, float *lods);
/* By what the coordinates change to the right, then below. */
void bspi_mips_changed_lods(const bspi_mips *texture, const float (*changes)[4], uint32_t count, float *lods);
void bspi_mips_sample_row(const bspi_mips *texture, const float (*uvs)[2], const float *lods, uint32_t count,
                          bool clamp, float (*out)[4]);

/* The display value of each half float that light can be: what a page of half floats needs to be sampled. */
#define BSPI_HALFS 65536u
void bspi_fill_displays(float displays[BSPI_HALFS]);
/* Bilinear sample of a lightmap page, edges clamped; 8-bit pages and, with `displays`, half floats alike. */
void bspi_page_sample(const bspscene_lightmap_page *page, const float *displays, const float uv[2], float out[3]);
/* Adds one to each of a row, so many times; the fourth of each stays. */
void bspi_page_add_row(const bspscene_lightmap_page *page, const float *displays, const float (*uvs)[2], uint32_t count,
                       float times, float (*out)[4]);

#endif
