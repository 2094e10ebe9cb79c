/* zstd_memory.h - computes the memory that libzstd needs to decode a frame. */
#ifndef BSPI_ZSTD_MEMORY_H
#define BSPI_ZSTD_MEMORY_H

#include "base/bytes.h"

#define BSPI_ZSTD_HEADER 18u           /* longest frame header, including the magic (RFC 8878, 3.1.1.1) */
#define BSPI_ZSTD_LARGEST_BLOCK ((uint64_t)128 << 10)
/* A decoder without buffers: 95 KB to 160 KB in versions 1.4 to 1.5. */
#define BSPI_ZSTD_CONTEXT ((uint64_t)192 << 10)

/* Returns the size of the buffers: an input block, and the window with an output block. */
static inline uint64_t bspi_zstd_buffers(uint64_t window)
{
	uint64_t block = window < BSPI_ZSTD_LARGEST_BLOCK ? window : BSPI_ZSTD_LARGEST_BLOCK;
	return window + 2 * block + 128;
}

/* Returns the size of the buffers for a frame with this header. 0 if it is not a frame, or its window exceeds the 128
 * MiB that libzstd accepts. */
uint64_t bspi_zstd_memory(bspi_bytes header);

#endif
