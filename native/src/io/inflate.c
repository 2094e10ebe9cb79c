/* inflate.c - see inflate.h. */
#include "io/inflate.h"

#include <limits.h>

static void *allocate(void *heap, uInt count, uInt size)
{
	return bspi_heap_take_array(heap, count, size);
}

z_stream bspi_zlib_stream(const bspi_heap *heap)
{
	return (z_stream){ .zalloc = allocate, .zfree = bspi_heap_give_back, .opaque = bspi_heap_opaque(heap) };
}

bool bspi_inflate(const bspi_heap *heap, bspi_bytes packed, void *out, size_t size, bool *ended)
{
	z_stream z = bspi_zlib_stream(heap);
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
