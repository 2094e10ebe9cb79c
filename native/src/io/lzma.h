/* lzma.h - bare LZMA1 streams of known size, as zip's method 14 and Valve's lumps hold them, for liblzma. */
#ifndef BSPI_LZMA_H
#define BSPI_LZMA_H

#include <lzma.h>

#include "base/ctx.h"
#include "io/charged.h"

#define BSPI_LZMA_PROPERTIES 5u
#define BSPI_LZMA_HEADER 13u

/* The header that makes the stream a .lzma file for lzma_alone_decoder, the one decoder of liblzma that takes streams
 * with and without an end mark. A dictionary larger than the output is never used, so it is not granted either. */
static inline void bspi_lzma_header(uint8_t header[BSPI_LZMA_HEADER], const uint8_t properties[BSPI_LZMA_PROPERTIES],
                                    uint64_t size)
{
	uint32_t dictionary = bspi_load_u32(properties + 1);
	if (dictionary > size) dictionary = size < 4096 ? 4096 : (uint32_t)size;
	header[0] = properties[0];
	for (unsigned i = 0; i < 4; i++) header[1 + i] = (uint8_t)(dictionary >> 8 * i);
	for (unsigned i = 0; i < 8; i++) header[5 + i] = (uint8_t)(size >> 8 * i);
}

/* liblzma's hooks. */
static inline lzma_allocator bspi_lzma_allocator(bspi_charge *charge)
{
	lzma_allocator hooks = { bspi_charged_take, bspi_charged_give, charge };
	return hooks;
}

/* What the decoder of such a stream may use, apart from its output. */
static inline uint64_t bspi_lzma_memory(uint64_t size)
{
	return size + (1u << 20);
}

/* Valve's framing of a lump: "LZMA", u32 size, u32 size of the stream, properties, stream. */
bool bspi_is_valve_lzma(bspi_bytes bytes);
/* Decodes what bspi_is_valve_lzma has found into the scratch arena. A damaged stream is an error when it is required,
 * else a warning, and gives no bytes. */
bool bspi_read_valve_lzma(bspi_ctx *ctx, bspi_bytes packed, bspi_location location, bool required, bspi_bytes *out);

#endif
