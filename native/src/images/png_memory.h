/* png_memory.h - lets libpng and zlib allocate their memory from a heap, which is passed to them as mem_ptr. */
#ifndef BSPI_PNG_MEMORY_H
#define BSPI_PNG_MEMORY_H

#include <png.h>

#include "base/heap.h"

static inline png_voidp bspi_png_allocate(png_structp png, png_alloc_size_t size)
{
	return bspi_heap_take(png_get_mem_ptr(png), size);
}

static inline void bspi_png_release(png_structp png, png_voidp data)
{
	bspi_heap_give(png_get_mem_ptr(png), data);
}

#endif
