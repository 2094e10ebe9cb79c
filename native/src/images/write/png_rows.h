/* png_rows.h - pixels as a PNG may hold them: in gray or with a palette where that says the same; rows, filtered. */
#ifndef BSPI_PNG_ROWS_H
#define BSPI_PNG_ROWS_H

#include "base/heap.h"

enum { BSPI_PNG_GRAY = 0, BSPI_PNG_RGB = 2, BSPI_PNG_INDEXED = 3, BSPI_PNG_RGBA = 6 }; /* as the format numbers them */

typedef struct bspi_png_rows {
	uint32_t width, height;
	uint32_t channels;                 /* bytes of a pixel */
	uint8_t color_type;
	bool chooses;                      /* the filter by what each row becomes, else Paeth; indices have none */
	const uint8_t *pixels;
	size_t stride;                     /* 0: all rows are the first */
	uint8_t palette[256][4];
	uint32_t color_count, alpha_count; /* of the palette; up to the last that is not opaque */
} bspi_png_rows;

/* Gray, else indices into a palette, where the picture has no more colors than that, written to `room`, a byte for
 * each pixel. False: neither, and nothing has changed. */
bool bspi_png_shrink(bspi_png_rows *rows, uint8_t *room);
/* Bytes of a row with its filter's number, and that row. `tried` has room for one. */
size_t bspi_png_row_size(const bspi_png_rows *rows);
void bspi_png_filter_row(const bspi_png_rows *rows, uint32_t y, const uint8_t *black, uint8_t *tried, uint8_t *out);

#endif
