/* inflate.h - zlib with charged memory: its streams, and one whole zlib stream (RFC 1950) at once. */
#ifndef BSPI_INFLATE_H
#define BSPI_INFLATE_H

#include <zlib.h>

#include "base/bytes.h"
#include "io/charged.h"

/* Zeroed but for the hooks. */
z_stream bspi_zlib_stream(bspi_charge *charge);

/* The most that bspi_inflate holds: zlib needs 44 KB, libdeflate 12 KB. */
#define BSPI_INFLATE_MEMORY ((uint64_t)64 << 10)
/* What libdeflate needs alone, which has no hooks for one decompressor. */
#define BSPI_LIBDEFLATE_MEMORY ((uint64_t)16 << 10)

/* BSPI_INFLATE_MEMORY is the caller's to charge. Fills `out`. False: the stream is damaged, or holds less.
 * *ended: it ends there; else it may go on. */
bool bspi_inflate(const bspi_heap *heap, bspi_bytes packed, void *out, size_t size, bool *ended);

#endif
