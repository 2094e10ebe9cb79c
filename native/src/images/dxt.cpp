/* dxt.cpp - libsquish, which speaks C++ only, behind one C function. See dxt.h. */
#include "images/dxt.h"

#ifdef BSPI_HAVE_SQUISH

#include <cstring>

#include <squish.h>

namespace {

constexpr size_t PIXELS = 16, CHANNELS = 4, HALF_BLOCK = 8;
using Pixels = squish::u8[PIXELS * CHANNELS];

/* One channel is what DXT5 keeps its alpha in: libsquish 1.15 takes blocks of kBc4 for DXT1. */
void DecodeChannel(const uint8_t *half, Pixels pixels, size_t channel)
{
	squish::u8 block[2 * HALF_BLOCK] = {};
	Pixels decoded;
	std::memcpy(block, half, HALF_BLOCK);
	squish::Decompress(decoded, block, squish::kDxt5);
	for (size_t i = 0; i < PIXELS; i++) pixels[CHANNELS * i + channel] = decoded[CHANNELS * i + 3];
}

void DecodeBlock(bspi_dxt_kind kind, const uint8_t *block, Pixels pixels)
{
	static const int flags[] = { squish::kDxt1, squish::kDxt3, squish::kDxt5 };
	if (kind < BSPI_DXT_ONE) {
		squish::Decompress(pixels, block, flags[kind]);
		return;
	}
	std::memset(pixels, 0, PIXELS * CHANNELS);
	DecodeChannel(block, pixels, 0);
	if (kind == BSPI_DXT_TWO) DecodeChannel(block + HALF_BLOCK, pixels, 1);
}

}

/* Block by block: squish::DecompressImage would start threads of its own. */
void bspi_dxt_decode(bspi_dxt_kind kind, const uint8_t *blocks, uint32_t width, uint32_t height, uint8_t *rgba)
{
	const uint32_t side = 4;
	const size_t block_size = kind == BSPI_DXT1 || kind == BSPI_DXT_ONE ? HALF_BLOCK : 2 * HALF_BLOCK;
	for (uint32_t top = 0; top < height; top += side) {
		for (uint32_t left = 0; left < width; left += side, blocks += block_size) {
			Pixels pixels;
			DecodeBlock(kind, blocks, pixels);
			uint32_t columns = width - left < side ? width - left : side, rows = height - top < side ? height - top : side;
			for (uint32_t row = 0; row < rows; row++) {
				uint8_t *out = rgba + CHANNELS * (static_cast<size_t>(top + row) * width + left);
				std::memcpy(out, pixels + CHANNELS * side * row, CHANNELS * columns);
			}
		}
	}
}

#endif
