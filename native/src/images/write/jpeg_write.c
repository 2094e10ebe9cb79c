/* jpeg_write.c - encodes JPEG by TurboJPEG. */
#include <turbojpeg.h>

#include "images/write/write.h"

uint64_t bspi_jpeg_work_size(uint32_t width, uint32_t height)
{
	return tjBufSize((int)width, (int)height, TJSAMP_444);
}

/* Uses the slow transform. Its result does not depend on the instructions that the processor has. */
static bool compress(tjhandle handle, uint32_t width, uint32_t height, const uint8_t *pixels, int quality,
                     uint8_t *room, unsigned long *size)
{
	unsigned char *out = room;
	*size = (unsigned long)bspi_jpeg_work_size(width, height);
	return tjCompress2(handle, pixels, (int)width, 0, (int)height, TJPF_RGB, &out, size, TJSAMP_444, quality,
	                   TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT) == 0;
}

bool bspi_write_jpeg(const bspi_heap *heap, uint32_t width, uint32_t height, const uint8_t *pixels, int quality,
                     bspscene_write_fn *write, void *user, bspscene_error *error)
{
	unsigned long size = 0;
	tjhandle handle = tjInitCompress();
	uint8_t *room = bspi_heap_take(heap, (size_t)bspi_jpeg_work_size(width, height));
	bool compressed = handle && room && compress(handle, width, height, pixels, quality, room, &size);
	bool written = compressed && write(user, room, size);
	if (!handle || !room) bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	else if (!compressed) bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "JPEG: %s", tjGetErrorStr2(handle));
	else if (!written) bspi_error_set(error, BSPSCENE_ERROR_IO, "JPEG: writing failed");
	bspi_heap_give(heap, room);
	if (handle) tjDestroy(handle);
	return written;
}
