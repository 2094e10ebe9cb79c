/* zstd_memory.h - what libzstd holds while it decodes a frame, told before it does. */
#ifndef BSPI_ZSTD_MEMORY_H
#define BSPI_ZSTD_MEMORY_H

#include "base/bytes.h"

#define BSPI_ZSTD_HEADER 18u           /* the longest header of a frame, with its magic (RFC 8878, 3.1.1.1) */
#define BSPI_ZSTD_LARGEST_BLOCK ((uint64_t)128 << 10)
/* A decoder without its buffers: 95 KB to 160 KB in versions 1.4 to 1.5. */
#define BSPI_ZSTD_CONTEXT ((uint64_t)192 << 10)

/* A block that comes in, and the window with a block that goes out. */
static inline uint64_t bspi_zstd_buffers(uint64_t window)
{
	uint64_t block = window < BSPI_ZSTD_LARGEST_BLOCK ? window : BSPI_ZSTD_LARGEST_BLOCK;
	return window + 2 * block + 128;
}

/* The buffers for the frame whose first bytes these are. 0: it is no frame, or its window is larger than the 128 MiB
 * that libzstd takes, so that it takes none. */
uint64_t bspi_zstd_memory(bspi_bytes header);

#endif
