/* png_rows.c - see png_rows.h. Filters as in the PNG specification 1.2, 6. */
#include "images/write/png_rows.h"

#include <stdlib.h>
#include <string.h>

enum { COLORS = 256, SLOTS = 1024, MOST_BYTES = 4 };
enum { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH };
#define CHUNK_SIZE 24u                 /* of a palette and its alpha, besides their entries */

/* ---- Palette and gray ------------------------------------------------------------------------------------- */

typedef struct color_table {
	uint32_t colors[SLOTS];
	uint16_t numbers[SLOTS];           /* 1 + index; 0: free */
	uint32_t list[COLORS];
	uint32_t count;
} color_table;

static uint32_t load_color(const uint8_t *pixel, uint32_t channels)
{
	uint32_t alpha = channels == 4 ? pixel[3] : 255;
	return (uint32_t)pixel[0] | (uint32_t)pixel[1] << 8 | (uint32_t)pixel[2] << 16 | alpha << 24;
}

/* The color's number, or COLORS when there are more. */
static uint32_t number_of(color_table *table, uint32_t color)
{
	uint32_t slot = color * 2654435761u >> 22;
	while (table->numbers[slot] && table->colors[slot] != color) slot = (slot + 1) % SLOTS;
	if (table->numbers[slot]) return table->numbers[slot] - 1u;
	if (table->count == COLORS) return COLORS;
	table->colors[slot] = color;
	table->numbers[slot] = (uint16_t)(table->count + 1);
	table->list[table->count] = color;
	return table->count++;
}

static bool find_indices(const bspi_png_rows *rows, color_table *table, uint8_t *room)
{
	uint32_t last = 0, number = COLORS;
	memset(table, 0, sizeof *table);
	for (uint32_t y = 0; y < rows->height; y++) {
		const uint8_t *pixel = rows->pixels + y * rows->stride;
		for (uint32_t x = 0; x < rows->width; x++, pixel += rows->channels) {
			uint32_t color = load_color(pixel, rows->channels);
			if (number == COLORS || color != last) number = number_of(table, color);
			if (number == COLORS) return false;
			last = color;
			*room++ = (uint8_t)number;
		}
	}
	return true;
}

static bool is_gray(uint32_t color)
{
	return (color & 0xff) == (color >> 8 & 0xff) && (color & 0xff) == (color >> 16 & 0xff) && color >> 24 == 255;
}

bool bspi_png_shrink(bspi_png_rows *rows, uint8_t *room)
{
	color_table table;
	if (!find_indices(rows, &table, room)) return false;
	size_t count = (size_t)rows->width * rows->height;
	bool gray = true;
	for (uint32_t i = 0; i < table.count; i++) gray = gray && is_gray(table.list[i]);
	if (!gray && count * (rows->channels - 1) <= table.count * (size_t)rows->channels + CHUNK_SIZE) return false;
	if (gray) {
		for (size_t i = 0; i < count; i++) room[i] = (uint8_t)table.list[room[i]];
	} else {
		rows->color_count = table.count;
		for (uint32_t i = 0; i < table.count; i++) {
			for (uint32_t k = 0; k < MOST_BYTES; k++) rows->palette[i][k] = (uint8_t)(table.list[i] >> 8 * k);
			if (rows->palette[i][3] != 255) rows->alpha_count = i + 1;
		}
	}
	rows->color_type = gray ? BSPI_PNG_GRAY : BSPI_PNG_INDEXED;
	rows->channels = 1;
	rows->pixels = room;
	rows->stride = rows->width;
	return true;
}

/* ---- Filters ---------------------------------------------------------------------------------------------- */

static void subtract(const uint8_t *row, const uint8_t *other, size_t size, uint8_t *out)
{
	for (size_t i = 0; i < size; i++) out[i] = (uint8_t)(row[i] - other[i]);
}

/* The neighbor that left + above - corner comes closest to. Without branches, so that compilers do several at once. */
static void filter_paeth(const uint8_t *row, const uint8_t *above, size_t size, size_t step, uint8_t *out)
{
	subtract(row, above, step, out);
	for (size_t i = step; i < size; i++) {
		int16_t left = row[i - step], up = above[i], corner = above[i - step];
		int16_t by_left = (int16_t)(up - corner), by_up = (int16_t)(left - corner);
		int16_t by_corner = (int16_t)(by_left + by_up);
		by_left = (int16_t)(by_left < 0 ? -by_left : by_left);
		by_up = (int16_t)(by_up < 0 ? -by_up : by_up);
		by_corner = (int16_t)(by_corner < 0 ? -by_corner : by_corner);
		int16_t guess = by_up <= by_corner ? up : corner;
		guess = by_left <= by_up && by_left <= by_corner ? left : guess;
		out[i] = (uint8_t)(row[i] - guess);
	}
}

static void filter(uint8_t number, const uint8_t *row, const uint8_t *above, size_t size, size_t step, uint8_t *out)
{
	switch (number) {
	case FILTER_SUB:
		memcpy(out, row, step);
		subtract(row + step, row, size - step, out + step);
		break;
	case FILTER_UP: subtract(row, above, size, out); break;
	case FILTER_PAETH: filter_paeth(row, above, size, step, out); break;
	default: memcpy(out, row, size); break;
	}
}

/* What libpng goes by: small differences of either sign. */
static uint32_t weigh(const uint8_t *row, size_t size)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < size; i++) sum += row[i] < 128 ? row[i] : 256u - row[i];
	return sum;
}

size_t bspi_png_row_size(const bspi_png_rows *rows)
{
	return (size_t)rows->width * rows->channels + 1;
}

void bspi_png_filter_row(const bspi_png_rows *rows, uint32_t y, const uint8_t *black, uint8_t *tried, uint8_t *out)
{
	static const uint8_t filters[] = { FILTER_NONE, FILTER_SUB, FILTER_UP };
	size_t size = bspi_png_row_size(rows) - 1, step = rows->channels;
	const uint8_t *row = rows->pixels + y * rows->stride, *above = y ? row - rows->stride : black;
	out[0] = rows->color_type == BSPI_PNG_INDEXED ? FILTER_NONE : FILTER_PAETH;
	filter(out[0], row, above, size, step, out + 1);
	if (!rows->chooses || rows->color_type == BSPI_PNG_INDEXED) return;
	uint32_t least = weigh(out + 1, size);
	for (size_t i = 0; i < sizeof filters; i++) {
		filter(filters[i], row, above, size, step, tried + 1);
		uint32_t weight = weigh(tried + 1, size);
		if (weight >= least) continue;
		least = weight;
		tried[0] = filters[i];
		memcpy(out, tried, size + 1);
	}
}
