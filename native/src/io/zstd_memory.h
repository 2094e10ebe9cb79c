/* zstd_memory.h - computes the memory that libzstd needs to decode a frame. */
#ifndef BSPI_ZSTD_MEMORY_H
#define BSPI_ZSTD_MEMORY_H

#include "base/bytes.h"

#define BSPI_ZSTD_HEADER 18u           /* the longest header of a frame, including its magic (RFC 8878, 3.1.1.1) */
#define BSPI_ZSTD_LARGEST_BLOCK ((uint64_t)128 << 10)
/* Size of a decoder without its buffers. It is 95 KB to 160 KB in versions 1.4 to 1.5. */
#define BSPI_ZSTD_CONTEXT ((uint64_t)192 << 10)

/* Returns the size of the decoder's buffers: one for an input block, and one for the window and an output block. */
static inline uint64_t bspi_zstd_buffers(uint64_t window)
{
	uint64_t block = window < BSPI_ZSTD_LARGEST_BLOCK ? window : BSPI_ZSTD_LARGEST_BLOCK;
	return window + 2 * block + 128;
}

/* Returns the size of the decoder's buffers for the frame with this header. Returns 0 if the bytes are not a frame, or
 * if its window exceeds the 128 MiB that libzstd accepts. */
uint64_t bspi_zstd_memory(bspi_bytes header);

#endif
