/* texels.h - decodes textures in the formats of graphics hardware: rows of pixels, or of blocks of 4 x 4. */
#ifndef BSPI_TEXELS_H
#define BSPI_TEXELS_H

#include <bspscene/image.h>

#include "images/blocks/dxt.h"
#include "images/images.h"

typedef enum bspi_texel_kind { BSPI_TEXEL_BITS, BSPI_TEXEL_ETC1, BSPI_TEXEL_DXT, BSPI_TEXEL_BC7 } bspi_texel_kind;

/* Position of a channel in a pixel. A pixel is a little-endian number. */
typedef struct bspi_channel {
	uint8_t shift, bits;               /* `shift`: number of the lowest bit; `bits`: number of bits, at most 16; 0:
	                                    * the channel is not stored */
} bspi_channel;

typedef struct bspi_texel_format {
	bspi_texel_kind kind;
	uint8_t size;                      /* bytes of a pixel (at most 4) or of a block */
	bspi_dxt_kind blocks;
	/* Red, green, blue, alpha. Missing colors are 0, and missing alpha is 255. For blocks, only the existence of alpha
	 * matters. */
	bspi_channel channels[4];
} bspi_texel_format;

/* Returns the bytes of a row of pixels (without padding), or of a row of blocks. */
uint32_t bspi_texel_stride(const bspi_texel_format *format, uint32_t width);
uint32_t bspi_texel_rows(const bspi_texel_format *format, uint32_t height);
/* Decodes to pixels that the caller has allocated. `rows` must be complete; each begins `stride` bytes after the one
 * before. `swapped`: the bytes of each pixel are in reverse order. */
void bspi_texels_decode(const bspi_texel_format *format, const uint8_t *rows, uint32_t stride, bool swapped,
                        bspscene_pixels *out);

#endif
