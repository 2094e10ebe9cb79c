/* png_write.c - writes pixels as PNG by libpng, row by row, with memory from the heap. Errors of libpng are handled in
 * this file, including its longjmp.
 *
 * The settings were measured with libpng 1.6.39 and zlib 1.2.13. The first number is processor time and the second one
 * is size. Both are relative to run lengths with the Paeth filter.
 *   Pages: 0.94 and 1.08 with Sub and Up; 36 and 0.87 with level 9 and all filters.
 *   Textures: 0.72 and 1.06 with Up; 0.83 and 1.01 with Sub and Up; 0.72 and 1.02 if a sample of bytes selects Sub or
 *     Up; 11 and 0.92 with level 9.
 *   Palette indices, without filters: 1.25 and 0.84 with level 1; 1.9 and 0.78 with level 4; 12 and 0.75 with level
 *     9. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <zlib.h>

#include "images/write/png_form.h"
#include "images/write/write.h"

#define PORTION ((size_t)1 << 16)      /* number of bytes of an IDAT chunk */
#define LARGEST_SIDE 0x7fffffff
/* The most memory that is taken from the heap: WORK_SIZE for libpng's structs, zlib's state and two portions, and
 * WORK_ROWS rows of pixels. */
#define WORK_SIZE ((uint64_t)640 << 10)
#define WORK_ROWS 6u

typedef struct png_writer {
	const bspi_heap *heap;
	const bspi_png_kind *kind;
	uint32_t width, height, channels;
	const uint8_t *pixels;
	size_t stride;                     /* bytes from one row to the next; 0: all rows are equal to the first */
	bspi_png_form *form;               /* writes the pixels as gray or with a palette; NULL: pixels are written as they
	                                    * are */
	bool chooses_filters;              /* true: choose_filter selects Sub or Up for each row; false: libpng selects the
	                                    * filters */
	uint8_t *black, *row;              /* `black`: a row that replaces missing pixels; `row`: a row that was converted
	                                    * to `form` */
	bspscene_write_fn *write;
	void *user;
	bspscene_status status;            /* status of the first failure */
	char why[128];                     /* libpng's message, if libpng failed */
} png_writer;

static size_t pixel_size_of(const png_writer *writer)
{
	return (size_t)writer->channels * (writer->kind->channel_bits == 16 ? 2 : 1);
}

/* ---- What libpng calls ------------------------------------------------------------------------------------ */

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
	png_writer *writer = png_get_mem_ptr(png);
	void *data = bspi_heap_take(writer->heap, size);
	if (!data && !writer->status) writer->status = BSPSCENE_ERROR_OUT_OF_MEMORY;
	return data;
}

static void release(png_structp png, png_voidp data)
{
	const png_writer *writer = png_get_mem_ptr(png);
	bspi_heap_give(writer->heap, data);
}

static void on_error(png_structp png, png_const_charp why)
{
	png_writer *writer = png_get_error_ptr(png);
	if (!writer->status) {
		writer->status = BSPSCENE_ERROR_BAD_DATA;
		snprintf(writer->why, sizeof writer->why, "PNG: %s", why);
	}
	png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp why)
{
	(void)png;
	(void)why;
}

static void stop(png_structp png, bspscene_status status)
{
	png_writer *writer = png_get_error_ptr(png);
	if (!writer->status) writer->status = status;
	png_error(png, "");
}

static void write_bytes(png_structp png, png_bytep data, size_t size)
{
	const png_writer *writer = png_get_io_ptr(png);
	if (!writer->write(writer->user, data, size)) stop(png, BSPSCENE_ERROR_IO);
}

static void flush(png_structp png)
{
	(void)png;
}

/* ---- Header ----------------------------------------------------------------------------------------------- */

/* Sets the filters and the effort of zlib. For filtered pixels, zlib only looks for run lengths, because a search for
 * matches would save little. Palette indices are not filtered and need the search. */
static void set_effort(png_structp png, png_writer *writer, bool has_palette)
{
	const bspi_png_kind *kind = writer->kind;
	bool small = kind->compression == BSPSCENE_COMPRESSION_SMALL, fast = kind->compression == BSPSCENE_COMPRESSION_FAST;
	int filters = kind->light ? PNG_FILTER_PAETH : PNG_FILTER_SUB | PNG_FILTER_UP;
	if (fast) filters = kind->light ? PNG_FILTER_SUB | PNG_FILTER_UP : PNG_FILTER_UP;
	if (small) filters = PNG_ALL_FILTERS;
	writer->chooses_filters = filters == (PNG_FILTER_SUB | PNG_FILTER_UP) && !writer->form;
	int level = small ? 9 : has_palette && !fast ? 4 : 1;
	int strategy = has_palette ? Z_DEFAULT_STRATEGY : small ? Z_FILTERED : Z_RLE;
	png_set_filter(png, PNG_FILTER_TYPE_BASE, has_palette ? PNG_FILTER_NONE : filters);
	png_set_compression_level(png, level);
	png_set_compression_strategy(png, strategy);
	png_set_compression_buffer_size(png, PORTION);
}

static int color_type_of(const png_writer *writer)
{
	if (writer->form) return writer->form->is_gray ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_PALETTE;
	if (writer->channels == 1) return PNG_COLOR_TYPE_GRAY;
	return writer->channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB;
}

static void set_palette(png_structp png, png_infop info, const bspi_png_form *form)
{
	png_color colors[BSPI_PNG_COLORS] = { { 0 } };
	png_byte alphas[BSPI_PNG_COLORS];
	int alpha_count = 0;               /* number of palette entries up to the last one that is not opaque */
	for (uint32_t i = 0; i < form->count; i++) {
		uint32_t color = form->list[i];
		colors[i] = (png_color){ (png_byte)color, (png_byte)(color >> 8), (png_byte)(color >> 16) };
		alphas[i] = (png_byte)(color >> 24);
		if (alphas[i] != 255) alpha_count = (int)i + 1;
	}
	png_set_PLTE(png, info, colors, (int)form->count);
	if (alpha_count) png_set_tRNS(png, info, alphas, alpha_count, NULL);
}

/* Adds a text. libpng copies it. */
static void set_text(png_structp png, png_infop info, const bspscene_picture_text *text)
{
	const png_text chunk = {
		.compression = PNG_ITXT_COMPRESSION_NONE,
		.key = (char *)(uintptr_t)text->keyword,
		.text = (char *)(uintptr_t)text->text,
	};
	png_set_text(png, info, &chunk, 1);
}

static bool is_little_endian(void)
{
	const uint16_t one = 1;
	return *(const uint8_t *)&one;
}

static void write_head(png_structp png, png_infop info, png_writer *writer)
{
	const bspi_png_kind *kind = writer->kind;
	const int bits = kind->channel_bits ? (int)kind->channel_bits : 8, color_type = color_type_of(writer);
	set_effort(png, writer, color_type == PNG_COLOR_TYPE_PALETTE);
	png_set_IHDR(png, info, writer->width, writer->height, bits, color_type, PNG_INTERLACE_NONE,
	             PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (color_type == PNG_COLOR_TYPE_PALETTE) set_palette(png, info, writer->form);
	for (uint32_t i = 0; i < kind->text_count; i++) set_text(png, info, &kind->texts[i]);
	png_write_info(png, info);
	if (bits == 16 && is_little_endian()) png_set_swap(png);
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

static void report_progress(png_structp png, const bspi_png_kind *kind, double fraction)
{
	if (!kind->progress) return;
	if (kind->progress(kind->progress_user, "write", fraction) != BSPSCENE_PROGRESS_CONTINUE) {
		stop(png, BSPSCENE_ERROR_CANCELED);
	}
}

static uint32_t magnitude(int difference)
{
	return (uint32_t)abs((int8_t)difference);
}

/* Returns Sub or Up, whichever has the smaller sum of differences. The sums are estimated from every 13th byte.
 * libpng's own choice reads every byte, which takes a sixth of the time of encoding. */
static int choose_filter(const png_writer *writer, const uint8_t *row)
{
	const size_t step = 13, pixel_size = pixel_size_of(writer), size = writer->width * pixel_size;
	const uint8_t *above = row - writer->stride;
	uint32_t sub = 0, up = 0;
	for (size_t i = pixel_size; i < size; i += step) {
		sub += magnitude(row[i] - row[i - pixel_size]);
		up += magnitude(row[i] - above[i]);
	}
	return sub < up ? PNG_FILTER_SUB : PNG_FILTER_UP;
}

static void write_row(png_structp png, const png_writer *writer, uint32_t y)
{
	const uint8_t *row = writer->pixels + y * writer->stride;
	if (writer->chooses_filters && y) png_set_filter(png, PNG_FILTER_TYPE_BASE, choose_filter(writer, row));
	if (writer->form) {
		bspi_png_form_row(writer->form, writer->width, writer->channels, row, writer->row);
		row = writer->row;
	}
	png_write_row(png, row);
}

/* Errors of libpng leave this function by longjmp. So it must not own any resources. No local variable that is read
 * after an error may change. */
static bool write_all(png_structp png, png_infop info, png_writer *writer)
{
	if (setjmp(png_jmpbuf(png))) return false;
	png_set_user_limits(png, LARGEST_SIDE, LARGEST_SIDE);
	png_set_write_fn(png, writer, write_bytes, flush);
	report_progress(png, writer->kind, 0);
	write_head(png, info, writer);
	for (uint32_t y = 0; y < writer->height; y++) {
		write_row(png, writer, y);
		if (y + 1 < writer->height) report_progress(png, writer->kind, (double)(y + 1) / writer->height);
	}
	png_write_end(png, NULL);
	report_progress(png, writer->kind, 1);
	return true;
}

/* ---- Entry ------------------------------------------------------------------------------------------------ */

/* Sets the pixels to write. If there are none, one black row stands for all rows. */
static bool find_pixels(png_writer *writer)
{
	const size_t row_size = writer->width * pixel_size_of(writer);
	writer->stride = writer->pixels ? row_size : 0;
	if (writer->pixels) return true;
	writer->pixels = writer->black = bspi_heap_take_zeroed(writer->heap, row_size);
	return writer->pixels != NULL;
}

static bool find_form(png_writer *writer)
{
	const bspi_png_kind *kind = writer->kind;
	if (!kind->may_shrink || writer->channels < 3 || kind->channel_bits == 16) return true;
	bspi_png_form *form = bspi_heap_take(writer->heap, sizeof *form);
	if (!form) return false;
	if (!bspi_png_form_find(form, writer->width, writer->height, writer->channels, writer->pixels, writer->stride)) {
		bspi_heap_give(writer->heap, form);
		return true;
	}
	writer->form = form;
	writer->row = bspi_heap_take(writer->heap, writer->width);
	return writer->row != NULL;
}

static bool encode(png_writer *writer)
{
	png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning, writer, allocate,
	                                            release);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	bool written = info && write_all(png, info, writer);
	png_destroy_write_struct(&png, &info);
	return written;
}

uint64_t bspi_png_work_size(uint32_t width, uint32_t channels)
{
	return WORK_SIZE + (uint64_t)WORK_ROWS * width * channels;
}

static bool fail(const png_writer *writer, bspscene_error *error)
{
	switch (writer->status) {
	case BSPSCENE_ERROR_IO: return bspi_error_set(error, writer->status, "PNG: writing failed");
	case BSPSCENE_ERROR_CANCELED: return bspi_error_set(error, writer->status, "canceled");
	case BSPSCENE_ERROR_BAD_DATA: return bspi_error_set(error, writer->status, "%s", writer->why);
	default: return bspi_error_set(error, BSPSCENE_ERROR_OUT_OF_MEMORY, "PNG: out of memory");
	}
}

bool bspi_write_png(const bspi_heap *heap, const bspi_png_kind *kind, uint32_t width, uint32_t height,
                    uint32_t channels, const void *pixels, bspscene_write_fn *write, void *user, bspscene_error *error)
{
	png_writer writer = {
		.heap = heap, .kind = kind, .width = width, .height = height, .channels = channels, .pixels = pixels,
		.write = write, .user = user,
	};
	bool written = find_pixels(&writer) && find_form(&writer) && encode(&writer);
	bspi_heap_give(heap, writer.form);
	bspi_heap_give(heap, writer.row);
	bspi_heap_give(heap, writer.black);
	return written || fail(&writer, error);
}
