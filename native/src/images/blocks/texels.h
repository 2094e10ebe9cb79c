/* texels.h - pictures as graphics cards take them: rows of pixels of so many bits, or of blocks of 4 x 4. */
#ifndef BSPI_TEXELS_H
#define BSPI_TEXELS_H

#include <bspscene/image.h>

#include "images/blocks/dxt.h"
#include "images/images.h"

typedef enum bspi_texel_kind { BSPI_TEXEL_BITS, BSPI_TEXEL_ETC1, BSPI_TEXEL_DXT, BSPI_TEXEL_BC7 } bspi_texel_kind;

/* Where a channel is in a pixel, which is a little-endian number. */
typedef struct bspi_channel {
	uint8_t shift, bits;               /* 16 bits at most; 0: the channel is not stored */
} bspi_channel;

typedef struct bspi_texel_format {
	bspi_texel_kind kind;
	uint8_t size;                      /* bytes of a pixel, 4 at most, or of a block */
	bspi_dxt_kind blocks;
	bspi_channel channels[4];          /* red, green, blue, alpha: not stored are 0, and 255 for alpha. Of blocks alone
	                                    * whether there is alpha counts */
} bspi_texel_format;

/* Bytes of a row, of pixels without padding, or of blocks; and how many rows there are. */
uint32_t bspi_texel_stride(const bspi_texel_format *format, uint32_t width);
uint32_t bspi_texel_rows(const bspi_texel_format *format, uint32_t height);
/* Into pixels that were created. `rows` lie `stride` bytes apart, all there. `swapped`: pixels have their bytes the
 * other way round. */
void bspi_texels_decode(const bspi_texel_format *format, const uint8_t *rows, uint32_t stride, bool swapped,
                        bspscene_pixels *out);

#endif
