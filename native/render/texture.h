/* texture.h - images of the scene as mipmapped textures, filtered as the engines' graphics hardware does. */
#ifndef BSPR_TEXTURE_H
#define BSPR_TEXTURE_H

#include <bspscene/bspscene.h>

#define BSPR_MAX_LEVELS 16

typedef struct bspr_level {
	uint32_t width, height;
	uint8_t *rgba;
} bspr_level;

typedef struct bspr_texture {
	bspr_level levels[BSPR_MAX_LEVELS];
	uint32_t level_count;
	bool decoded; /* the first level is as the decoder gave it */
} bspr_texture;

/* Decodes and builds the mipmaps; what is wider or higher than `side` starts at the first level that is not. A picture
 * that cannot be decoded becomes its stand-in. False: out of memory. */
bool bspr_texture_load(const bspscene_allocator *allocator, bspr_texture *texture, const bspscene_image *image,
                       uint32_t side);
void bspr_texture_free(const bspscene_allocator *allocator, bspr_texture *texture);

/* Trilinear sample at uv, v downward. `lod` is log2 of texels of the largest level per pixel. Colour and alpha 0..1. */
void bspr_texture_sample(const bspr_texture *texture, const float uv[2], float lod, bool clamp, float out[4]);
/* lod of a texture whose uv changes by these from pixel to pixel. */
float bspr_texture_lod(const bspr_texture *texture, const float duv_dx[2], const float duv_dy[2]);

/* Bilinear sample of a lightmap page, edges clamped; 8-bit pages and half floats alike. */
void bspr_page_sample(const bspscene_page *page, const float uv[2], float out[3]);

#endif
