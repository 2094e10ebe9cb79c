/* png_read.c - PNG to RGBA through libpng, which is trusted with the format but not with how much memory it may take. */
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "images/codecs.h"

#define MAGIC_SIZE 8u
#define LARGEST_CHUNK (8u << 20)       /* of the chunks that libpng keeps: colour profiles, texts */
#define CHUNKS_KEPT 128
/* Deflate packs at most 1032 to 1. */
#define LARGEST_RATIO 1032u

typedef struct png_reader {
	bspi_cursor at;
	char why[160];                     /* libpng's words for the first error */
	bspscene_error *error;             /* set when the error is ours */
	bool failed;
} png_reader;

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	static const uint8_t magic[MAGIC_SIZE] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
	if (bytes.size < MAGIC_SIZE || memcmp(bytes.data, magic, MAGIC_SIZE)) return false;
	bspi_cursor at = bspi_cursor_at(bytes, MAGIC_SIZE);
	while (!at.failed) {
		const uint8_t *head = bspi_take(&at, 8), *data;
		uint32_t size = head ? (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 | head[3] : 0;
		if (!head || !memcmp(head + 4, "IDAT", 4)) break;
		data = bspi_take(&at, size);
		bspi_take(&at, 4);
		if (data && size >= 13 && !memcmp(head + 4, "IHDR", 4)) {
			info->width = (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
			info->height = (uint32_t)data[4] << 24 | (uint32_t)data[5] << 16 | (uint32_t)data[6] << 8 | data[7];
			info->has_alpha = data[9] & PNG_COLOR_MASK_ALPHA;
		}
		if (data && !memcmp(head + 4, "tRNS", 4)) info->has_alpha = true;
	}
	return true;
}

static void read_bytes(png_structp png, png_bytep data, size_t size)
{
	png_reader *reader = png_get_io_ptr(png);
	const uint8_t *bytes = bspi_take(&reader->at, size);
	if (!bytes) png_error(png, "the file ends early");
	memcpy(data, bytes, size);
}

static void on_error(png_structp png, png_const_charp why)
{
	png_reader *reader = png_get_error_ptr(png);
	snprintf(reader->why, sizeof reader->why, "%s", why);
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp why)
{
	(void)png;
	(void)why;
}

/* Whatever is stored becomes 8-bit RGBA. */
static int set_transforms(png_structp png, png_infop info)
{
	png_set_expand(png);
	png_set_scale_16(png);
	png_set_gray_to_rgb(png);
	png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
	int passes = png_set_interlace_handling(png);
	png_read_update_info(png, info);
	return passes;
}

/* libpng leaves this function by longjmp, so nothing in it may need a clean-up and nothing may change that is used after. */
static bool read_rows(png_structp png, png_infop info, png_reader *reader, bspscene_pixels *out)
{
	if (setjmp(png_jmpbuf(png))) return false;
	png_read_info(png, info);
	uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
	uint64_t stored = (uint64_t)png_get_rowbytes(png, info) * height;
	int passes = set_transforms(png, info);
	reader->failed = !bspi_pixels_create(width, height, reader->at.bytes, stored / LARGEST_RATIO, out, reader->error);
	if (reader->failed) return false;
	if (png_get_rowbytes(png, info) != (size_t)width * 4) png_error(png, "unusual pixels");
	for (int pass = 0; pass < passes; pass++) {
		for (uint32_t y = 0; y < height; y++) png_read_row(png, out->data + (size_t)4 * width * y, NULL);
	}
	return true;
}

static bool decode(bspi_bytes bytes, bspscene_pixels *out, bspscene_error *error)
{
	png_reader reader = { .at = bspi_cursor_at(bytes, 0), .error = error };
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	if (!info) {
		png_destroy_read_struct(&png, NULL, NULL);
		return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	}
	png_set_read_fn(png, &reader, read_bytes);
	png_set_user_limits(png, BSPI_LARGEST_IMAGE, BSPI_LARGEST_IMAGE);
	png_set_chunk_malloc_max(png, LARGEST_CHUNK);
	png_set_chunk_cache_max(png, CHUNKS_KEPT);
	bool ok = read_rows(png, info, &reader, out);
	png_destroy_read_struct(&png, &info, NULL);
	if (ok || reader.failed) return ok;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "%s", reader.why);
}

const bspi_codec bspi_png_codec = { BSPSCENE_IMAGE_PNG, "PNG", probe, decode };
