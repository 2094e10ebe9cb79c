/* dxt.c - see dxt.h. Fractions are rounded down. */
#include "images/blocks/dxt.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"

enum { PIXELS = 16, CHANNELS = 4, HALF_BLOCK = 8, ALPHAS = 8, ALPHA = 3 };

/* Expands a color of 5, 6 and 5 bits to 8 bits each. Repeats the highest bits in the low ones. */
static void unpack_color(uint32_t packed, uint8_t out[CHANNELS])
{
	uint32_t red = packed >> 11, green = packed >> 5 & 0x3f, blue = packed & 0x1f;
	out[0] = (uint8_t)(red << 3 | red >> 2);
	out[1] = (uint8_t)(green << 2 | green >> 4);
	out[2] = (uint8_t)(blue << 3 | blue >> 2);
	out[ALPHA] = 255;
}

/* Decodes the four colors of a block: two are stored, and two are between them. In DXT1, if the first stored number is
 * not larger than the second, there is one color between them, and the last one is transparent black. */
static void decode_colors(const uint8_t *half, bool holes, uint8_t *rgba)
{
	uint8_t colors[4][CHANNELS];
	uint32_t first = bspi_load_u16(half), second = bspi_load_u16(half + 2), codes = bspi_load_u32(half + 4);
	unpack_color(first, colors[0]);
	unpack_color(second, colors[1]);
	holes = holes && first <= second;
	for (int i = 0; i < CHANNELS; i++) {
		uint32_t a = colors[0][i], b = colors[1][i];
		colors[2][i] = (uint8_t)(holes ? (a + b) / 2 : (2 * a + b) / 3);
		colors[3][i] = (uint8_t)(holes ? 0 : (a + 2 * b) / 3);
	}
	for (size_t i = 0; i < PIXELS; i++) memcpy(rgba + CHANNELS * i, colors[codes >> 2 * i & 3], CHANNELS);
}

/* Decodes four bits per pixel. */
static void decode_plain_alpha(const uint8_t *half, uint8_t *rgba)
{
	for (int i = 0; i < PIXELS; i++) rgba[CHANNELS * i + ALPHA] = (uint8_t)((half[i / 2] >> 4 * (i % 2) & 0xf) * 0x11);
}

/* Decodes a channel of a block: two values are stored, and six are between them. If the first value is not larger than
 * the second, only four are between them, and the last two values are 0 and 255. */
static void decode_channel(const uint8_t *half, uint8_t *rgba, int channel)
{
	uint8_t values[ALPHAS] = { half[0], half[1] };
	uint32_t first = half[0], second = half[1], steps = first > second ? 7 : 5;
	for (uint32_t i = 1; i < steps; i++) values[1 + i] = (uint8_t)(((steps - i) * first + i * second) / steps);
	if (steps == 5) values[ALPHAS - 1] = 255;
	for (int i = 0; i < PIXELS; i++) {
		const uint8_t *three = half + 2 + 3 * (i / 8); /* three bytes hold the codes of eight pixels */
		uint32_t codes = three[0] | (uint32_t)three[1] << 8 | (uint32_t)three[2] << 16;
		rgba[CHANNELS * i + channel] = values[codes >> 3 * (i % 8) & 7];
	}
}

void bspi_dxt_decode(bspi_dxt_kind kind, const uint8_t *block, uint8_t rgba[64])
{
	const bool swapped = kind == BSPI_DXT_TWO_SWAPPED;
	switch (kind) {
	case BSPI_DXT1:
		decode_colors(block, true, rgba);
		break;
	case BSPI_DXT3:
		decode_colors(block + HALF_BLOCK, false, rgba);
		decode_plain_alpha(block, rgba);
		break;
	case BSPI_DXT5:
		decode_colors(block + HALF_BLOCK, false, rgba);
		decode_channel(block, rgba, ALPHA);
		break;
	default:
		memset(rgba, 0, (size_t)PIXELS * CHANNELS);
		decode_channel(block, rgba, swapped);
		if (kind != BSPI_DXT_ONE) decode_channel(block + HALF_BLOCK, rgba, !swapped);
	}
}

void bspi_dxt_decode_shown(bspi_dxt_kind kind, const uint8_t *block, uint8_t rgba[64])
{
	bspi_dxt_decode(kind, block, rgba);
	if (kind < BSPI_DXT_ONE) return;
	for (int i = 0; i < PIXELS; i++, rgba += CHANNELS) {
		if (kind == BSPI_DXT_ONE) {
			rgba[1] = rgba[2] = rgba[0];
		} else {
			float x = (float)rgba[0] / 127.5f - 1, y = (float)rgba[1] / 127.5f - 1;
			rgba[2] = (uint8_t)((sqrtf(fmaxf(1 - x * x - y * y, 0)) / 2 + 0.5f) * 255 + 0.5f);
		}
		rgba[ALPHA] = 255;
	}
}
