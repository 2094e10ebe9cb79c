/* inflate.c - see inflate.h. */
#include "io/inflate.h"

#include <libdeflate.h>
#include <limits.h>

static void *allocate(void *charge, uInt count, uInt size)
{
	return bspi_charged_take(charge, count, size);
}

z_stream bspi_zlib_stream(bspi_charge *charge)
{
	return (z_stream){ .zalloc = allocate, .zfree = bspi_charged_give, .opaque = charge };
}

/* Inflates a stream that has exactly this size when unpacked, as nearly all streams have. */
static bool inflate_whole(bspi_bytes packed, void *out, size_t size)
{
	struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
	if (!inflater) return false;
	size_t taken, got;
	bool done = libdeflate_zlib_decompress_ex(inflater, packed.data, packed.size, out, size, &taken, &got) ==
	            LIBDEFLATE_SUCCESS && got == size;
	libdeflate_free_decompressor(inflater);
	return done;
}

bool bspi_inflate(const bspi_heap *heap, bspi_bytes packed, void *out, size_t size, bool *ended)
{
	*ended = inflate_whole(packed, out, size);
	if (*ended) return true;
	bspi_charge uncounted = { .heap = heap };
	z_stream z = bspi_zlib_stream(&uncounted);
	if (size > UINT_MAX || inflateInit(&z) != Z_OK) return false;
	z.next_in = (Bytef *)(uintptr_t)packed.data;
	z.avail_in = packed.size < UINT_MAX ? (uInt)packed.size : UINT_MAX;
	z.next_out = out;
	z.avail_out = (uInt)size;
	int status = inflate(&z, Z_FINISH);
	bool full = !z.avail_out;
	inflateEnd(&z);
	*ended = status == Z_STREAM_END;
	return full && (*ended || status == Z_OK || status == Z_BUF_ERROR);
}
