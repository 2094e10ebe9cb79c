/* sample_eights.h - samples textures and lightmap pages at eight points at a time, on processors with AVX2. Each
 * function takes the first points of a row, in groups of eight, and returns how many points it sampled: 0 if the
 * processor has no AVX2. The results are bit for bit those of sample.h for single points. */
#ifndef BSPI_DRAWING_SAMPLE_EIGHTS_H
#define BSPI_DRAWING_SAMPLE_EIGHTS_H

#include <bspscene/lighting.h>

#include "drawing/mips.h"

uint32_t bspi_mips_sample_eights(const bspi_mips *texture, const float (*uvs)[2], const float *lods, uint32_t count,
                                 bool clamp, float (*out)[4]);
/* Samples a page of bytes and adds the results. The page must not be sparse. */
uint32_t bspi_page_add_eights(const bspscene_lightmap_page *page, const float (*uvs)[2], uint32_t count, float times,
                              float (*out)[4]);

#endif
