/* png_write_stb.c - rows of bytes to PNG by stb_image_write, for builds without libpng: larger files, more slowly. */
#include "images/write.h"

#ifdef BSPI_NO_LIBPNG

#include <limits.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

typedef struct png_job {
	bspscene_write_fn *write;
	void *user;
	bool write_failed;
} png_job;

static void on_write(void *context, void *data, int size)
{
	png_job *job = context;
	if (!job->write_failed && !job->write(job->user, data, (size_t)size)) job->write_failed = true;
}

bool bspi_write_png(const bspi_heap *heap, uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                    bspscene_write_fn *write, void *user, bspscene_error *error)
{
	/* stb counts in int, a filter byte per row included, and wants room for twice that. */
	if (((uint64_t)width * channels + 1) * height > INT_MAX / 2) {
		return bspi_error_set(error, BSPSCENE_ERROR_LIMIT, "PNG: %u x %u is more than a build without libpng writes",
		                      (unsigned)width, (unsigned)height);
	}
	png_job job = { .write = write, .user = user };
	void *black = pixels ? NULL : bspi_heap_take_zeroed(heap, (size_t)width * channels * height);
	int stride = (int)(width * channels);
	bool encoded = (pixels || black) &&
	               stbi_write_png_to_func(on_write, &job, (int)width, (int)height, (int)channels,
	                                      pixels ? pixels : black, stride);
	bspi_heap_give(heap, black);
	if (!encoded) return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "PNG: out of memory");
	if (job.write_failed) return bspi_error_set(error, BSPSCENE_ERROR_IO, "PNG: writing failed");
	return true;
}

#endif
