/* png_form.h - finds out if a picture can be stored as gray or with a palette, which is smaller. */
#ifndef BSPI_PNG_FORM_H
#define BSPI_PNG_FORM_H

#include "base/bytes.h"

enum { BSPI_PNG_COLORS = 256, BSPI_PNG_SLOTS = 1024 };

/* The colors of a picture, in a hash table with open addressing. */
typedef struct bspi_png_form {
	uint32_t colors[BSPI_PNG_SLOTS];   /* R, G, B, A from the lowest byte up */
	uint16_t numbers[BSPI_PNG_SLOTS];  /* 1 + index into `list`; 0: free */
	uint32_t list[BSPI_PNG_COLORS];
	uint32_t count;
	bool is_gray;                      /* all colors are opaque gray */
} bspi_png_form;

/* Collects the colors of RGB (channels 3) or RGBA (4) pixels, whose rows are `stride` bytes apart. False if there are
 * too many, or the palette would be larger than the pixels. */
bool bspi_png_form_find(bspi_png_form *form, uint32_t width, uint32_t height, uint32_t channels, const uint8_t *pixels,
                        size_t stride);
/* Writes a row as one byte per pixel: its gray value, or its palette index. */
void bspi_png_form_row(const bspi_png_form *form, uint32_t width, uint32_t channels, const uint8_t *row, uint8_t *out);

#endif
