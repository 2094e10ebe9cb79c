/* build_picture.h - encodes small pictures in memory, in all variants of their formats. */
#ifndef BSPT_BUILD_PICTURE_H
#define BSPT_BUILD_PICTURE_H

#include "images/images.h"
#include "support/bspt.h"

/* Returns the same bytes in the library's struct, without a copy. */
bspi_bytes bspt_view(bspt_bytes bytes);

/* A PNG to encode. `rows` has the rows from the top, in PNG's layout for `color_type` and `depth`. `alpha` has the
 * contents of the chunk tRNS: the alpha of each palette color, or the one transparent color. */
typedef struct bspt_png {
	uint32_t width, height;
	int color_type, depth;             /* as libpng numbers them */
	bool interlaced;
	const uint8_t *rows;
	const uint8_t *palette; int palette_count;
	const uint8_t *alpha; int alpha_count;
} bspt_png;

bspt_bytes bspt_encode_png(const bspt_png *png);
/* Makes a PNG whose header states this size, with almost no pixel data. */
bspt_bytes bspt_lying_png(uint32_t width, uint32_t height);

typedef enum bspt_jpeg_kind {
	BSPT_JPEG_COLOR, BSPT_JPEG_HALF_COLOR, BSPT_JPEG_GRAY, BSPT_JPEG_CMYK, BSPT_JPEG_PROGRESSIVE
} bspt_jpeg_kind;
bspt_bytes bspt_encode_jpeg(uint32_t width, uint32_t height, bspt_jpeg_kind kind, const uint8_t *rgb);

typedef struct bspt_tga {
	uint8_t type, bits, descriptor;    /* types are 1 mapped, 2 color, 3 gray; 8 is added for run-length coding */
	uint16_t width, height;
	uint16_t map_first, map_count; uint8_t map_bits;
	const void *map;
	const void *data; size_t size;     /* pixels as the file stores them */
	uint8_t id_size;
} bspt_tga;

bspt_bytes bspt_encode_tga(const bspt_tga *tga);
/* Makes a PCX of 8 bits with a palette (1 plane) or color (3 planes). `data` has the pixels, already run-length
 * coded. `line` is the number of bytes of a decoded row in one plane. `palette` is appended unless it is NULL. */
bspt_bytes bspt_encode_pcx(uint16_t width, uint16_t height, uint8_t planes, uint16_t line, const void *data,
                           size_t size, const uint8_t *palette);
/* Makes a BMP. If the height is negative, the top row comes first. `data` has the rows as the file stores them: in
 * the file's order, and padded to multiples of four bytes. */
bspt_bytes bspt_encode_bmp(int32_t width, int32_t height, uint16_t bits, const uint8_t *palette, uint32_t color_count,
                           const void *data, size_t size);

#endif
