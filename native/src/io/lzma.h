/* lzma.h - prepares raw LZMA1 streams of known size for liblzma. Zip's method 14 and Valve's lumps contain such
 * streams. */
#ifndef BSPI_LZMA_H
#define BSPI_LZMA_H

#include <lzma.h>

#include "base/ctx.h"
#include "io/charged.h"

#define BSPI_LZMA_PROPERTIES 5u
#define BSPI_LZMA_HEADER 13u

/* Makes the header of a .lzma file for the stream, because lzma_alone_decoder expects such a file. Of liblzma's
 * decoders, only this one reads streams with and without an end mark. The dictionary is limited to the size of the
 * output, because it never needs to be larger. */
static inline void bspi_lzma_header(uint8_t header[BSPI_LZMA_HEADER], const uint8_t properties[BSPI_LZMA_PROPERTIES],
                                    uint64_t size)
{
	uint32_t dictionary = bspi_load_u32(properties + 1);
	if (dictionary > size) dictionary = size < 4096 ? 4096 : (uint32_t)size;
	header[0] = properties[0];
	for (unsigned i = 0; i < 4; i++) header[1 + i] = (uint8_t)(dictionary >> 8 * i);
	for (unsigned i = 0; i < 8; i++) header[5 + i] = (uint8_t)(size >> 8 * i);
}

/* Returns liblzma's allocation hooks. */
static inline lzma_allocator bspi_lzma_allocator(bspi_charge *charge)
{
	lzma_allocator hooks = { bspi_charged_take, bspi_charged_give, charge };
	return hooks;
}

/* Returns the memory that the decoder of such a stream may use, in addition to its output. */
static inline uint64_t bspi_lzma_memory(uint64_t size)
{
	return size + (1u << 20);
}

/* True if the bytes are a lump compressed by Valve's tools: "LZMA", u32 unpacked size, u32 size of the stream,
 * properties, stream. */
bool bspi_is_valve_lzma(bspi_bytes bytes);
/* Unpacks a compressed lump into the scratch arena. Damage is an error if the lump is `required`; else it is a warning,
 * and `out` is empty. */
bool bspi_read_valve_lzma(bspi_ctx *ctx, bspi_bytes packed, bspi_location location, bool required, bspi_bytes *out);

#endif
