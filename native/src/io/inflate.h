/* inflate.h - zlib with memory that is charged to a budget: streams, and a function that unpacks a whole zlib stream
 * (RFC 1950) at once. */
#ifndef BSPI_INFLATE_H
#define BSPI_INFLATE_H

#include <zlib.h>

#include "base/bytes.h"
#include "io/charged.h"

/* Returns a zeroed zlib stream whose allocation hooks charge `charge`. */
z_stream bspi_zlib_stream(bspi_charge *charge);

/* The most memory that bspi_inflate uses: zlib needs 44 KB, libdeflate 12 KB. */
#define BSPI_INFLATE_MEMORY ((uint64_t)64 << 10)
/* The memory of libdeflate alone. It has no hooks for a single decompressor. */
#define BSPI_LIBDEFLATE_MEMORY ((uint64_t)16 << 10)

/* Unpacks a stream into `out`. The caller must charge BSPI_INFLATE_MEMORY. Returns false if the stream is damaged or
 * too short. *ended is true if the stream ends with the last byte of `out`; otherwise more data may follow. */
bool bspi_inflate(const bspi_heap *heap, bspi_bytes packed, void *out, size_t size, bool *ended);

#endif
