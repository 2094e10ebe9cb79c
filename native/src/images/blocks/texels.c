/* texels.c - see texels.h. */
#include "images/blocks/texels.h"

#include "images/blocks/bptc.h"
#include "images/blocks/etc1.h"

#define BLOCK_SIDE 4u

static uint32_t blocks_of(uint32_t pixels) { return (pixels + BLOCK_SIDE - 1) / BLOCK_SIDE; }

uint32_t bspi_texel_stride(const bspi_texel_format *format, uint32_t width)
{
	return (format->kind == BSPI_TEXEL_BITS ? width : blocks_of(width)) * format->size;
}

uint32_t bspi_texel_rows(const bspi_texel_format *format, uint32_t height)
{
	return format->kind == BSPI_TEXEL_BITS ? height : blocks_of(height);
}

static uint8_t take_channel(uint32_t pixel, bspi_channel c, uint8_t otherwise)
{
	if (!c.bits) return otherwise;
	uint32_t most = (1u << c.bits) - 1, value = pixel >> c.shift & most;
	return (uint8_t)((value * 255 + most / 2) / most);
}

static void decode_pixels(const bspi_texel_format *format, const uint8_t *row, uint32_t width, bool swapped,
                          uint8_t *out)
{
	for (uint32_t x = 0; x < width; x++, row += format->size, out += 4) {
		uint32_t pixel = 0;
		for (uint32_t k = 0; k < format->size; k++) {
			pixel |= (uint32_t)row[swapped ? format->size - 1 - k : k] << 8 * k;
		}
		for (int k = 0; k < 4; k++) out[k] = take_channel(pixel, format->channels[k], k == 3 ? 255 : 0);
	}
}

static void decode_block(const bspi_texel_format *format, const uint8_t *block,
                         uint8_t rgba[4 * BLOCK_SIDE * BLOCK_SIDE])
{
	switch (format->kind) {
	case BSPI_TEXEL_ETC1: bspi_etc1_decode(block, rgba); break;
	case BSPI_TEXEL_BC7: bspi_bc7_decode(block, rgba); break;
	default: bspi_dxt_decode_shown(format->blocks, block, rgba); break;
	}
	if (format->channels[3].bits) return;
	for (uint32_t i = 0; i < BLOCK_SIDE * BLOCK_SIDE; i++) rgba[4 * i + 3] = 255;
}

/* Decodes a row of blocks. Parts of blocks that are beyond the picture's edges are left out. */
static void decode_blocks(const bspi_texel_format *format, const uint8_t *row, uint32_t y, bspscene_pixels *out)
{
	uint32_t high = out->height - y < BLOCK_SIDE ? out->height - y : BLOCK_SIDE;
	for (uint32_t x = 0; x < out->width; x += BLOCK_SIDE, row += format->size) {
		uint8_t rgba[4 * BLOCK_SIDE * BLOCK_SIDE] = { 0 };
		uint32_t wide = out->width - x < BLOCK_SIDE ? out->width - x : BLOCK_SIDE;
		decode_block(format, row, rgba);
		for (uint32_t k = 0; k < high; k++) {
			uint8_t *to = out->data + 4 * ((size_t)(y + k) * out->width + x);
			memcpy(to, rgba + (size_t)4 * BLOCK_SIDE * k, (size_t)4 * wide);
		}
	}
}

void bspi_texels_decode(const bspi_texel_format *format, const uint8_t *rows, uint32_t stride, bool swapped,
                        bspscene_pixels *out)
{
	uint32_t count = bspi_texel_rows(format, out->height);
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *row = rows + (size_t)stride * i;
		if (format->kind != BSPI_TEXEL_BITS) decode_blocks(format, row, i * BLOCK_SIDE, out);
		else decode_pixels(format, row, out->width, swapped, out->data + (size_t)4 * out->width * i);
	}
}
