/* png_read.c - decodes PNG to RGBA by libpng. libpng checks the format; this file limits the memory. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "images/codecs.h"
#include "images/png_memory.h"

#define MAGIC_SIZE 8u
#define LARGEST_CHUNK (8u << 20)
#define CHUNKS_KEPT 128
/* Working memory of libpng: structs, zlib and an input buffer; two rows with at most 8 bytes per pixel, and a copy of
 * each. */
#define WORKING_SIZE ((uint64_t)96 << 10)
#define WORKING_PER_COLUMN 24u
/* Deflate expands at most 1032 times. */
#define LARGEST_RATIO 1032u

typedef struct png_reader {
	const bspi_heap *heap;
	bspi_cursor at;
	char why[160];                     /* the message of libpng's first error */
	bspscene_error *error;             /* set if an error does not come from libpng */
	bool out_of_memory;
} png_reader;

/* A chunk of the file: size, name, data, checksum. */
typedef struct chunk {
	const char *name;
	bspi_bytes data;
} chunk;

/* Reads a chunk. Returns false at the end of the file. If the last chunk is incomplete, `at` stays at its beginning. */
static bool take_chunk(bspi_cursor *at, chunk *out)
{
	size_t start = at->at;
	const uint8_t *head = bspi_take(at, 8);
	uint32_t size = head ? bspi_load_u32_be(head) : 0;
	const uint8_t *data = bspi_take(at, size);
	bspi_take(at, 4);
	if (at->failed) {
		at->at = start;
		return false;
	}
	*out = (chunk){ (const char *)head + 4, bspi_bytes_of(data, size) };
	return true;
}

static bool ends_in_pixels(bspi_bytes bytes, size_t at)
{
	return bytes.size - at >= 8 && !memcmp(bytes.data + at + 4, "IDAT", 4);
}

static bool is(const chunk *c, const char *name)
{
	return !memcmp(c->name, name, 4);
}

typedef struct png_header {
	uint32_t width, height;
	uint8_t depth, color_type;
} png_header;

static bool read_header(bspi_cursor *at, png_header *h)
{
	chunk c;
	if (!take_chunk(at, &c) || !is(&c, "IHDR") || c.data.size != 13) return false;
	*h = (png_header){ bspi_load_u32_be(c.data.data), bspi_load_u32_be(c.data.data + 4),
	                   c.data.data[8], c.data.data[9] };
	return true;
}

static bool probe(bspi_bytes bytes, bspi_image_info *info)
{
	static const uint8_t magic[MAGIC_SIZE] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
	bspi_cursor at = bspi_cursor_at(bytes, MAGIC_SIZE);
	png_header h;
	chunk c;
	if (bytes.size < MAGIC_SIZE || memcmp(bytes.data, magic, MAGIC_SIZE)) return false;
	if (!read_header(&at, &h)) return true;
	info->width = h.width;
	info->height = h.height;
	info->has_alpha = h.color_type & PNG_COLOR_MASK_ALPHA;
	while (take_chunk(&at, &c) && !is(&c, "IDAT")) info->has_alpha = info->has_alpha || is(&c, "tRNS");
	return true;
}

static bool check(bspi_bytes bytes, bspi_image_info *info, bspscene_error *error)
{
	static const uint8_t channels[] = { 1, 0, 3, 1, 2, 0, 4 };
	bspi_cursor at = bspi_cursor_at(bytes, MAGIC_SIZE);
	uint64_t packed = 0;
	png_header h;
	chunk c;
	(void)info;
	if (!read_header(&at, &h) || h.color_type >= sizeof channels) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_HEADER, "the header is cut off or broken");
	}
	while (take_chunk(&at, &c) && !is(&c, "IEND")) {
		if (is(&c, "IDAT")) packed += c.data.size;
	}
	/* A file may lack chunks that come after the pixels. */
	if (at.failed && ends_in_pixels(bytes, at.at)) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "the file ends early");
	}
	uint64_t stored = ((uint64_t)h.width * channels[h.color_type] * h.depth + 7) / 8 * h.height;
	if (!packed) return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "there are no pixels");
	return bspi_check_size(h.width, h.height, bspi_bytes_of(bytes.data, (size_t)packed), stored / LARGEST_RATIO, error);
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

/* Requests conversion to 8-bit RGBA. */
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

/* Errors of libpng leave this function by longjmp. So it must not own any resources. No local variable that is read
 * after an error may change. */
static bool read_rows(png_structp png, png_infop info, png_reader *reader, bspscene_pixels *out)
{
	if (setjmp(png_jmpbuf(png))) return false;
	png_read_info(png, info);
	uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
	int passes = set_transforms(png, info);
	if (png_get_rowbytes(png, info) != (size_t)width * 4) png_error(png, "its pixel format is not supported");
	reader->out_of_memory = !bspi_pixels_create(reader->heap, width, height, out, reader->error);
	if (reader->out_of_memory) return false;
	for (int pass = 0; pass < passes; pass++) {
		for (uint32_t y = 0; y < height; y++) png_read_row(png, out->data + (size_t)4 * width * y, NULL);
	}
	return true;
}

/* Skips color profiles and texts, which change no pixel and could unpack to LARGEST_CHUNK each. */
static void skip_large_chunks(png_structp png)
{
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
	static const png_byte names[] = "iCCP\0tEXt\0zTXt\0iTXt\0sPLT\0eXIf\0pCAL\0";
	png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
#else
	(void)png;
#endif
}

static bool decode(const bspi_heap *heap, bspi_bytes bytes, bspi_wanted wanted, bspscene_pixels *out,
                   bspscene_error *error)
{
	(void)wanted;
	png_reader reader = { .heap = heap, .at = bspi_cursor_at(bytes, 0), .error = error };
	png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning,
	                                           bspi_heap_opaque(heap), bspi_png_allocate, bspi_png_release);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	if (!info) {
		png_destroy_read_struct(&png, NULL, NULL);
		return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "out of memory");
	}
	png_set_read_fn(png, &reader, read_bytes);
	png_set_user_limits(png, BSPI_LARGEST_IMAGE, BSPI_LARGEST_IMAGE);
	png_set_chunk_malloc_max(png, LARGEST_CHUNK);
	png_set_chunk_cache_max(png, CHUNKS_KEPT);
	skip_large_chunks(png);
	bool ok = read_rows(png, info, &reader, out);
	png_destroy_read_struct(&png, &info, NULL);
	if (ok || reader.out_of_memory) return ok;
	return bspi_error_set(error, BSPSCENE_ERROR_BAD_DATA, "%s", reader.why);
}

static uint64_t working_size(bspi_bytes bytes, uint32_t side, bspi_image_info *info)
{
	(void)bytes;
	(void)side;
	return WORKING_SIZE + (uint64_t)WORKING_PER_COLUMN * info->width;
}

const bspi_codec bspi_png_codec = { BSPSCENE_IMAGE_PNG, "PNG", probe, check, decode, working_size };
