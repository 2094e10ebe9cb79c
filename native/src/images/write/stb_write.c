/* stb_write.c - writes TGA, BMP and Radiance HDR by stb_image_write.
 *
 * The settings of stb_image_write are static variables. Nothing here changes them, so threads can share them. The only
 * memory that it allocates is a row of HDR, and it does not check that this succeeds. So the row is allocated before.
 * It writes a few bytes at a time and cannot be stopped. So a buffer collects its output, and discards what comes after
 * a failure. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "images/images.h"
#include "images/write/write.h"

enum { BUFFER_SIZE = 1 << 12, RGB = 3, RGBE_SIZE = 4, HEADER_SIZE = 256, LARGEST_TGA = 0xffff };

typedef struct stb_sink {
	bspscene_write_fn *write;
	void *user;
	bspscene_progress_fn *progress;
	void *progress_user;
	void *scratch;                     /* memory for a row of HDR; allocated before stb_image_write needs it */
	size_t filled;
	uint64_t written, most;            /* number of bytes written so far; estimate of their total */
	bspscene_status status;            /* status of the first failure */
	uint8_t buffer[BUFFER_SIZE];
} stb_sink;

static void *scratch_of(const stb_sink *sink)
{
	return sink ? sink->scratch : NULL;
}

/* stb_image_write calls STBIW_MALLOC, which uses `s->context`. In its HDR code, `s` is a local variable with our
 * context. Its PNG code is compiled too, but never called, and has no such variable. There, `s` is the variable
 * below. */
static const struct no_context { void *context; } no_context;
static const struct no_context *const s = &no_context;

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBIW_MALLOC(size) ((void)(size), scratch_of(s->context))
#define STBIW_REALLOC(data, size) ((void)(data), (void)(size), (void *)NULL)
#define STBIW_FREE(data) ((void)(data))
#if defined(__GNUC__)
	#pragma GCC diagnostic push
	#pragma GCC diagnostic ignored "-Wconversion"
	#pragma GCC diagnostic ignored "-Wsign-conversion"
	#pragma GCC diagnostic ignored "-Wshadow"
	#pragma GCC diagnostic ignored "-Wunused-function"
	#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
	#pragma GCC diagnostic pop
#endif

/* ---- Bytes ------------------------------------------------------------------------------------------------ */

static void report_progress(stb_sink *sink, double fraction)
{
	if (sink->status || !sink->progress) return;
	if (sink->progress(sink->progress_user, "write", fraction) != BSPSCENE_PROGRESS_CONTINUE) {
		sink->status = BSPSCENE_ERROR_CANCELED;
	}
}

static void flush(stb_sink *sink)
{
	if (sink->filled && !sink->status && !sink->write(sink->user, sink->buffer, sink->filled)) {
		sink->status = BSPSCENE_ERROR_IO;
	}
	sink->written += sink->filled;
	sink->filled = 0;
	if (sink->written < sink->most) report_progress(sink, (double)sink->written / (double)sink->most);
}

/* Adds bytes to the output (a stbi_write_func). */
static void add_bytes(void *user, void *data, int size)
{
	stb_sink *sink = user;
	const uint8_t *bytes = data;
	for (size_t left = size > 0 ? (size_t)size : 0; left && !sink->status; ) {
		size_t part = BUFFER_SIZE - sink->filled < left ? BUFFER_SIZE - sink->filled : left;
		memcpy(sink->buffer + sink->filled, bytes, part);
		sink->filled += part;
		bytes += part;
		left -= part;
		if (sink->filled == BUFFER_SIZE) flush(sink);
	}
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

/* Limits light to the range from 0 to the largest half float. NaN becomes 0. */
static float light_of(uint16_t half)
{
	const float largest = 65504.0f, value = bspi_half_to_float(half);
	return !(value > 0) ? 0 : value < largest ? value : largest;
}

/* Rounds a pixel for RGBE. stb_image_write rounds down, so half of a step is added here. The brightest channel must
 * stay below the next power of two, because there the step would double. */
static void prepare_pixel(float *pixel, const uint16_t *halves)
{
	int exponent;
	for (int k = 0; k < RGB; k++) pixel[k] = light_of(halves[k]);
	const float brightest = fmaxf(pixel[0], fmaxf(pixel[1], pixel[2]));
	if (brightest <= 0) return;
	(void)frexp((double)brightest, &exponent);
	const float half_step = (float)ldexp(1, exponent - 9), most = 511 * half_step;
	for (int k = 0; k < RGB; k++) pixel[k] = fminf(pixel[k] + half_step, most);
}

static float *take_floats(const bspi_heap *heap, size_t count, const uint16_t *halves)
{
	float *floats = bspi_heap_take(heap, count * RGB * sizeof *floats);
	for (size_t i = 0; floats && i < count; i++) prepare_pixel(&floats[RGB * i], &halves[RGB * i]);
	return floats;
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

static const char *name_of(bspscene_picture_format format)
{
	return format == BSPSCENE_PICTURE_TGA ? "TGA" : format == BSPSCENE_PICTURE_BMP ? "BMP" : "HDR";
}

static bool fail(const stb_sink *sink, const char *name, bspscene_error *error)
{
	if (sink->status == BSPSCENE_ERROR_CANCELED) return bspi_error_set(error, sink->status, "canceled");
	if (sink->status == BSPSCENE_ERROR_IO) return bspi_error_set(error, sink->status, "%s: writing failed", name);
	return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "%s: out of memory", name);
}

static uint64_t pixel_size(const bspi_stb_picture *picture)
{
	return picture->format == BSPSCENE_PICTURE_HDR ? sizeof(uint16_t) * RGB : picture->channels;
}

/* True if the size of the picture in bytes fits in an int, because stb_image_write counts bytes in ints. */
static bool check_size(const bspi_stb_picture *picture, bspscene_error *error)
{
	bool is_tga = picture->format == BSPSCENE_PICTURE_TGA;
	uint32_t side = picture->width > picture->height ? picture->width : picture->height;
	uint64_t size = (uint64_t)picture->width * picture->height * (sizeof(float) * RGB);
	if (side <= (is_tga ? LARGEST_TGA : INT_MAX / 4) && size <= INT_MAX) return true;
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT,
	                      "%s: the format cannot hold %u x %u pixels; write a smaller picture",
	                      name_of(picture->format), picture->width, picture->height);
}

uint64_t bspi_stb_work_size(const bspi_stb_picture *picture)
{
	const uint64_t count = (uint64_t)picture->width * picture->height;
	const uint64_t black = picture->pixels ? 0 : count * pixel_size(picture);
	if (picture->format != BSPSCENE_PICTURE_HDR) return black;
	return black + count * RGB * sizeof(float) + (uint64_t)picture->width * RGBE_SIZE;
}

static bool encode(const bspi_heap *heap, const bspi_stb_picture *picture, const void *pixels, stb_sink *sink)
{
	const int width = (int)picture->width, height = (int)picture->height;
	if (picture->format == BSPSCENE_PICTURE_TGA) {
		return stbi_write_tga_to_func(add_bytes, sink, width, height, (int)picture->channels, pixels);
	}
	if (picture->format == BSPSCENE_PICTURE_BMP) {
		return stbi_write_bmp_to_func(add_bytes, sink, width, height, (int)picture->channels, pixels);
	}
	float *floats = take_floats(heap, (size_t)picture->width * picture->height, pixels);
	sink->scratch = floats ? bspi_heap_take(heap, (size_t)picture->width * RGBE_SIZE) : NULL;
	bool encoded = sink->scratch && stbi_write_hdr_to_func(add_bytes, sink, width, height, RGB, floats);
	bspi_heap_give(heap, sink->scratch);
	bspi_heap_give(heap, floats);
	return encoded;
}

bool bspi_write_by_stb(const bspi_heap *heap, const bspi_stb_picture *picture, bspscene_write_fn *write, void *user,
                       bspscene_error *error)
{
	BSPI_TRY(check_size(picture, error));
	const uint64_t count = (uint64_t)picture->width * picture->height;
	stb_sink sink = {
		.write = write, .user = user, .progress = picture->progress, .progress_user = picture->progress_user,
		.most = HEADER_SIZE + count * (picture->format == BSPSCENE_PICTURE_HDR ? RGBE_SIZE : picture->channels),
	};
	void *black = picture->pixels ? NULL : bspi_heap_take_zeroed(heap, (size_t)(count * pixel_size(picture)));
	const void *pixels = picture->pixels ? picture->pixels : black;
	report_progress(&sink, 0);
	bool encoded = pixels && encode(heap, picture, pixels, &sink);
	bspi_heap_give(heap, black);
	if (encoded && sink.filled) flush(&sink);
	if (encoded) report_progress(&sink, 1);
	return (encoded && !sink.status) || fail(&sink, name_of(picture->format), error);
}
