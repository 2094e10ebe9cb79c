/* png_form.c - see png_form.h. */
#include "images/write/png_form.h"

#include <string.h>

#define CHUNK_SIZE 24u                 /* bytes of the chunks for the palette and for alpha, without their entries */

static uint32_t load_color(const uint8_t *pixel, uint32_t channels)
{
	uint32_t alpha = channels == 4 ? pixel[3] : 255;
	return (uint32_t)pixel[0] | (uint32_t)pixel[1] << 8 | (uint32_t)pixel[2] << 16 | alpha << 24;
}

static uint32_t slot_of(const bspi_png_form *form, uint32_t color)
{
	uint32_t slot = color * 2654435761u >> 22; /* Fibonacci hashing: the upper 10 bits of the product */
	while (form->numbers[slot] && form->colors[slot] != color) slot = (slot + 1) % BSPI_PNG_SLOTS;
	return slot;
}

/* Adds a color. False if the palette is full. */
static bool add_color(bspi_png_form *form, uint32_t color)
{
	uint32_t slot = slot_of(form, color);
	if (form->numbers[slot]) return true;
	if (form->count == BSPI_PNG_COLORS) return false;
	form->colors[slot] = color;
	form->list[form->count++] = color;
	form->numbers[slot] = (uint16_t)form->count;
	return true;
}

static bool is_gray(uint32_t color)
{
	return (color & 0xff) == (color >> 8 & 0xff) && (color & 0xff) == (color >> 16 & 0xff) && color >> 24 == 255;
}

bool bspi_png_form_find(bspi_png_form *form, uint32_t width, uint32_t height, uint32_t channels, const uint8_t *pixels,
                        size_t stride)
{
	const size_t count = (size_t)width * height;
	uint32_t last = ~load_color(pixels, channels);
	*form = (bspi_png_form){ .is_gray = true };
	for (uint32_t y = 0; y < height; y++) {
		const uint8_t *pixel = pixels + y * stride;
		for (uint32_t x = 0; x < width; x++, pixel += channels) {
			uint32_t color = load_color(pixel, channels);
			if (color != last && !add_color(form, color)) return false;
			last = color;
		}
	}
	for (uint32_t i = 0; i < form->count; i++) form->is_gray = form->is_gray && is_gray(form->list[i]);
	return form->is_gray || count * (channels - 1) > form->count * (size_t)channels + CHUNK_SIZE;
}

void bspi_png_form_row(const bspi_png_form *form, uint32_t width, uint32_t channels, const uint8_t *row, uint8_t *out)
{
	uint32_t last = ~load_color(row, channels);
	uint8_t value = 0;
	for (uint32_t x = 0; x < width; x++, row += channels) {
		uint32_t color = load_color(row, channels);
		if (color != last) value = form->is_gray ? (uint8_t)color : (uint8_t)(form->numbers[slot_of(form, color)] - 1);
		out[x] = value;
		last = color;
	}
}
