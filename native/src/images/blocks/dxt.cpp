/* dxt.cpp - libsquish, which speaks C++ only, behind one C function. See dxt.h. */
#include "images/blocks/dxt.h"

#ifdef BSPI_HAVE_SQUISH

#include <cstring>

#include <squish.h>

namespace {

constexpr size_t PIXELS = 16, CHANNELS = 4, HALF_BLOCK = 8;

/* One channel is what DXT5 keeps its alpha in: libsquish 1.15 takes blocks of kBc4 for DXT1. */
void DecodeChannel(const uint8_t *half, uint8_t *rgba, size_t channel)
{
	squish::u8 block[2 * HALF_BLOCK] = {};
	squish::u8 decoded[PIXELS * CHANNELS];
	std::memcpy(block, half, HALF_BLOCK);
	squish::Decompress(decoded, block, squish::kDxt5);
	for (size_t i = 0; i < PIXELS; i++) rgba[CHANNELS * i + channel] = decoded[CHANNELS * i + 3];
}

}

void bspi_dxt_decode(bspi_dxt_kind kind, const uint8_t *block, uint8_t *rgba)
{
	static const int flags[] = { squish::kDxt1, squish::kDxt3, squish::kDxt5 };
	if (kind < BSPI_DXT_ONE) {
		squish::Decompress(rgba, block, flags[kind]);
		return;
	}
	std::memset(rgba, 0, PIXELS * CHANNELS);
	const bool swapped = kind == BSPI_DXT_TWO_SWAPPED;
	DecodeChannel(block, rgba, swapped);
	if (kind != BSPI_DXT_ONE) DecodeChannel(block + HALF_BLOCK, rgba, !swapped);
}

#endif
