/* inflate.h - zlib with the memory of a heap: its streams, and one whole zlib stream (RFC 1950) at once. */
#ifndef BSPI_INFLATE_H
#define BSPI_INFLATE_H

#include <zlib.h>

#include "base/bytes.h"
#include "base/heap.h"

/* Zeroed but for the hooks. */
z_stream bspi_zlib_stream(const bspi_heap *heap);

/* Fills `out`. False: the stream is damaged, or holds less. *ended: it ends there; else it may go on. */
bool bspi_inflate(const bspi_heap *heap, bspi_bytes packed, void *out, size_t size, bool *ended);

#endif
