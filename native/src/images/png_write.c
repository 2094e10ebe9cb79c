/* png_write.c - rows of bytes to PNG by libpng. Level 1 with the Paeth filter and run-length matching is five times as
 * fast as libpng's default on lightmap pages, for files two percent larger. */
#include "images/write.h"

#ifndef BSPI_NO_LIBPNG

#include <zlib.h>

#include "images/png_memory.h"

#define BUFFER_SIZE ((size_t)1 << 16)

typedef struct png_job {
	png_structp png;
	png_infop info;
	bspscene_write_fn *write;
	void *user;
	bool write_failed;
	char reason[120];
} png_job;

static void on_error(png_structp png, png_const_charp message)
{
	png_job *job = png_get_error_ptr(png);
	size_t at = 0;
	while (message[at] && at + 1 < sizeof job->reason) {
		job->reason[at] = message[at];
		at++;
	}
	job->reason[at] = 0;
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void on_write(png_structp png, png_bytep data, png_size_t size)
{
	png_job *job = png_get_io_ptr(png);
	if (job->write(job->user, data, size)) return;
	job->write_failed = true;
	png_error(png, "write failed");
}

static void on_flush(png_structp png)
{
	(void)png;
}

/* libpng comes back here by longjmp, so nothing in this function changes after setjmp. */
static bool encode(png_job *job, uint32_t width, uint32_t height, uint32_t channels, const uint8_t *rows, size_t stride)
{
	if (setjmp(png_jmpbuf(job->png))) return false;
	png_set_write_fn(job->png, job, on_write, on_flush);
	png_set_IHDR(job->png, job->info, width, height, 8, channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
	             PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_compression_level(job->png, 1);
	png_set_compression_strategy(job->png, Z_RLE);
	png_set_compression_buffer_size(job->png, BUFFER_SIZE);
	png_set_filter(job->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
	png_write_info(job->png, job->info);
	for (size_t y = 0; y < height; y++) png_write_row(job->png, rows + y * stride);
	png_write_end(job->png, job->info);
	return true;
}

bool bspi_write_png(const bspi_heap *heap, uint32_t width, uint32_t height, uint32_t channels, const void *pixels,
                    bspscene_write_fn *write, void *user, bspscene_error *error)
{
	size_t stride = (size_t)width * channels;
	uint8_t *black = pixels ? NULL : bspi_heap_take_zeroed(heap, stride);
	png_job job = { .write = write, .user = user };
	job.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning, bspi_heap_opaque(heap),
	                                    bspi_png_allocate, bspi_png_release);
	if (job.png) job.info = png_create_info_struct(job.png);

	bool written = false;
	if (!job.info || (!pixels && !black)) {
		bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "PNG: out of memory");
	} else {
		written = encode(&job, width, height, channels, pixels ? pixels : black, pixels ? stride : 0);
		if (!written && job.write_failed) bspi_error_set(error, BSPSCENE_ERROR_IO, "PNG: writing failed");
		else if (!written) bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "PNG: %s", job.reason);
	}
	if (job.png) png_destroy_write_struct(&job.png, &job.info);
	bspi_heap_give(heap, black);
	return written;
}

#endif
