/* zstd_memory.c - see zstd_memory.h. The header of frames is defined in RFC 8878, 3.1.1.1. */
#include "io/zstd_memory.h"

#define LARGEST_WINDOW ((uint64_t)1 << 27)

enum { MAGIC_SIZE = 4, SINGLE_SEGMENT = 0x20 };

/* Reads the size of the content. In frames with a single segment, it is the window size too. */
static uint64_t content_size(bspi_cursor *c, uint8_t descriptor)
{
	static const uint8_t dictionary_sizes[4] = { 0, 1, 2, 4 };
	bspi_take(c, dictionary_sizes[descriptor & 3]);
	switch (descriptor >> 6) {
	case 0: return bspi_take_u8(c);
	case 1: return bspi_take_u16(c) + UINT64_C(256);
	case 2: return bspi_take_u32(c);
	default: return bspi_take_u64(c);
	}
}

uint64_t bspi_zstd_memory(bspi_bytes header)
{
	bspi_cursor c = bspi_cursor_at(header, MAGIC_SIZE);
	uint8_t descriptor = bspi_take_u8(&c);
	uint64_t window;
	if (descriptor & SINGLE_SEGMENT) {
		window = content_size(&c, descriptor);
	} else {
		uint8_t code = bspi_take_u8(&c);
		window = UINT64_C(1) << (10 + (code >> 3));
		window += window / 8 * (code & 7);
	}
	/* libzstd uses a window of at least 1 KiB. */
	if (window < 1024) window = 1024;
	return c.failed || window > LARGEST_WINDOW ? 0 : bspi_zstd_buffers(window);
}
