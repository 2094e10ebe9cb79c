/* etc1.c - see etc1.h. Each half of a block has a base color. Each pixel adds one of four brightness offsets to it. */
#include "images/blocks/etc1.h"

#include <stdbool.h>

enum { SIDE = 4 };

static uint8_t clamp_byte(int value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

/* Reads the base colors of both halves. They are stored with four bits each, or as five bits and a difference of three
 * bits. A sum that does not fit in five bits is clamped; only later formats use such sums. */
static void read_colors(const uint8_t *block, int colors[2][3])
{
	bool differential = block[3] & 2;
	for (int c = 0; c < 3; c++) {
		if (!differential) {
			colors[0][c] = (block[c] >> 4) * 17;
			colors[1][c] = (block[c] & 15) * 17;
			continue;
		}
		int first = block[c] >> 3, difference = (block[c] & 7) - (block[c] & 4 ? 8 : 0), second = first + difference;
		second = second < 0 ? 0 : second > 31 ? 31 : second;
		colors[0][c] = first << 3 | first >> 2;
		colors[1][c] = second << 3 | second >> 2;
	}
}

void bspi_etc1_decode(const uint8_t *block, uint8_t *rgba)
{
	static const int steps[8][2] = {
		{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
	};
	const int tables[2] = { block[3] >> 5, block[3] >> 2 & 7 };
	const unsigned high = (unsigned)block[4] << 8 | block[5], low = (unsigned)block[6] << 8 | block[7];
	bool halves_lie = block[3] & 1;
	int colors[2][3];
	read_colors(block, colors);
	for (int x = 0; x < SIDE; x++) {
		for (int y = 0; y < SIDE; y++) {
			int bit = x * SIDE + y, half = (halves_lie ? y : x) >= SIDE / 2;
			int step = steps[tables[half]][low >> bit & 1];
			if (high >> bit & 1) step = -step;
			uint8_t *out = rgba + 4 * (y * SIDE + x);
			for (int c = 0; c < 3; c++) out[c] = clamp_byte(colors[half][c] + step);
			out[3] = 255;
		}
	}
}
