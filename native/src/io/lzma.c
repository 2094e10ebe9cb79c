/* lzma.c - unpacks lumps that Valve's tools compressed. A compressed lump has "LZMA", both sizes, five bytes of
 * properties, and a raw stream. */
#include "io/lzma.h"

#include <inttypes.h>

enum { VALVE_HEADER = 17, VALVE_SIZE = 4, VALVE_STREAM_SIZE = 8, VALVE_PROPERTIES = 12 };

bool bspi_is_valve_lzma(bspi_bytes bytes)
{
	return bytes.size >= VALVE_HEADER && !memcmp(bytes.data, "LZMA", 4);
}

/* Gives the decoder first the header that it needs, then the stream. True if the output is completely filled. */
static bool decode(lzma_stream *decoder, const uint8_t header[BSPI_LZMA_HEADER], bspi_bytes stream, uint8_t *out,
                   size_t size)
{
	decoder->next_in = header;
	decoder->avail_in = BSPI_LZMA_HEADER;
	decoder->next_out = out;
	decoder->avail_out = size;
	lzma_ret status = lzma_code(decoder, LZMA_RUN);
	decoder->next_in = stream.data;
	decoder->avail_in = stream.size;
	while (status == LZMA_OK && decoder->avail_out && decoder->avail_in) status = lzma_code(decoder, LZMA_RUN);
	return !decoder->avail_out && (status == LZMA_OK || status == LZMA_STREAM_END);
}

/* Reports damage in bspi_read_valve_lzma, as an error or as a warning. */
#define DAMAGED(...) \
	(required ? bspi_fail(ctx, BSPSCENE_ERROR_BAD_LUMP, location, __VA_ARGS__) : \
	            bspi_warn(ctx, BSPSCENE_WARNING_LUMP_BAD, location, __VA_ARGS__))

bool bspi_read_valve_lzma(bspi_ctx *ctx, bspi_bytes packed, bspi_location location, bool required, bspi_bytes *out)
{
	uint32_t size = bspi_load_u32(packed.data + VALVE_SIZE),
	         stream_size = bspi_load_u32(packed.data + VALVE_STREAM_SIZE);
	bspi_bytes stream;
	*out = BSPI_NO_BYTES;
	if (!bspi_slice(packed, VALVE_HEADER, stream_size, &stream)) {
		return DAMAGED("its LZMA stream of %" PRIu32 " bytes does not fit into %zu", stream_size, packed.size);
	}
	if (!size) return true;
	uint8_t *bytes = bspi_push(ctx, &ctx->scratch, uint8_t, size);
	BSPI_TRY(bytes);
	uint8_t header[BSPI_LZMA_HEADER];
	bspi_lzma_header(header, packed.data + VALVE_PROPERTIES, size);
	bspi_charge charge = bspi_charge_to(&ctx->budget);
	lzma_allocator memory = bspi_lzma_allocator(&charge);
	lzma_stream decoder = LZMA_STREAM_INIT;
	decoder.allocator = &memory;
	bool whole = lzma_alone_decoder(&decoder, bspi_lzma_memory(size)) == LZMA_OK &&
	             decode(&decoder, header, stream, bytes, size);
	lzma_end(&decoder);
	if (charge.refused) return bspi_fail_memory(ctx);
	if (!whole) return DAMAGED("its LZMA stream does not give the %" PRIu32 " bytes it promises", size);
	*out = bspi_bytes_of(bytes, size);
	return true;
}
