/* png_form.h - finds out whether a picture can be stored as gray or with a palette, because this takes fewer bytes. */
#ifndef BSPI_PNG_FORM_H
#define BSPI_PNG_FORM_H

#include "base/bytes.h"

enum { BSPI_PNG_COLORS = 256, BSPI_PNG_SLOTS = 1024 };

/* The colors of a picture, in a hash table with open addressing. */
typedef struct bspi_png_form {
	uint32_t colors[BSPI_PNG_SLOTS];   /* colors with R, G, B, A from the lowest byte up */
	uint16_t numbers[BSPI_PNG_SLOTS];  /* per slot: 1 + index into `list`; 0: the slot is free */
	uint32_t list[BSPI_PNG_COLORS];
	uint32_t count;
	bool is_gray;                      /* all colors are opaque gray */
} bspi_png_form;

/* Collects the colors of RGB (3 channels) or RGBA (4 channels) pixels. `stride` is the number of bytes from one row to
 * the next. Returns false if there are too many colors, or if the palette would be larger than the pixels. */
bool bspi_png_form_find(bspi_png_form *form, uint32_t width, uint32_t height, uint32_t channels, const uint8_t *pixels,
                        size_t stride);
/* Writes a row with one byte per pixel: the gray value, or the index in the palette. */
void bspi_png_form_row(const bspi_png_form *form, uint32_t width, uint32_t channels, const uint8_t *row, uint8_t *out);

#endif
