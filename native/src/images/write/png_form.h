/* png_form.h - how a PNG may hold pixels: in gray or with a palette, where that says the same. */
#ifndef BSPI_PNG_FORM_H
#define BSPI_PNG_FORM_H

#include "base/bytes.h"

enum { BSPI_PNG_COLORS = 256, BSPI_PNG_SLOTS = 1024 };

/* The colors of a picture, as a hash table with open addressing. */
typedef struct bspi_png_form {
	uint32_t colors[BSPI_PNG_SLOTS];   /* R, G, B, A from the lowest byte up */
	uint16_t numbers[BSPI_PNG_SLOTS];  /* 1 + index into `list`; 0: free */
	uint32_t list[BSPI_PNG_COLORS];
	uint32_t count;
	bool is_gray;                      /* opaque gray alone */
} bspi_png_form;

/* Finds the colors of RGB (channels 3) or RGBA (4) pixels, whose rows are `stride` bytes apart. False: there are too
 * many, or a palette would be longer than the pixels. */
bool bspi_png_form_find(bspi_png_form *form, uint32_t width, uint32_t height, uint32_t channels, const uint8_t *pixels,
                        size_t stride);
/* Writes a row of that picture to `out`, a byte for each pixel: its gray, or its index into the list. */
void bspi_png_form_row(const bspi_png_form *form, uint32_t width, uint32_t channels, const uint8_t *row, uint8_t *out);

#endif
