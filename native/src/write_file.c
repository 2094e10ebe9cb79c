/* write_file.c - bspscene_write_file: writes a scene to a path, in the format of the path's extension. Further files go
 * next to it. This file also writes single pages and images. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/binding.h>
#include <bspscene/formats.h>
#include <bspscene/image.h>

#include "base/caller_struct.h"
#include "base/text.h"
#include "io/file_output.h"

/* Returns the writer for the extension of a path. Unlike bspscene_find_writer, it also returns writers whose
 * chosen_by_extension is false. */
static const bspscene_writer *find_writer(const char *path)
{
	const bspscene_writer *found = bspscene_find_writer(path);
	const char *dot = strrchr(path, '.');
	for (const bspscene_writer *const *one = bspscene_writers(); *one && !found && dot; one++) {
		if (bspi_text_equal(dot + 1, (*one)->extension)) found = *one;
	}
	return found;
}

static bool refuse_ending(const char *path, bspscene_error *error)
{
	char known[256] = "";
	for (const bspscene_writer *const *one = bspscene_writers(); *one; one++) {
		size_t length = strlen(known);
		snprintf(known + length, sizeof known - length, " .%s", (*one)->extension);
	}
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%s: its ending is not one of%s", path, known);
}

static void clear_error(bspscene_error *error)
{
	if (error) *error = (bspscene_error) { .record = BSPSCENE_NO_INDEX, .offset = BSPI_NO_OFFSET };
}

bool bspscene_write_file(const bspscene_scene *scene, const char *path, const bspscene_write_options *options,
                         bspscene_error *error)
{
	assert(scene && path);
	bspscene_write_options known;
	bspscene_write_options_init(&known);
	clear_error(error);
	size_t least = BSPI_END_OF(bspscene_write_options, report);
	if (options && !bspscene_struct_read(&known, sizeof known, least, options, "write_options", error)) return false;
	const bspscene_writer *writer = find_writer(path);
	if (!writer) return refuse_ending(path, error);
	known.file_name = bspi_file_name_of(path);
	bspscene_error reason = { .status = BSPSCENE_OK };
	bspi_file_output files = { .path = path, .error = &reason };
	if (known.allocator) files.heap.allocator = *known.allocator;
	bspscene_output output = {
		.struct_size = sizeof output,
		.user = &files,
		.begin = bspi_file_begin,
		.write = bspi_file_write,
		.end = bspi_file_end,
	};
	bool done = bspi_file_finish(&files, bspscene_write(scene, writer->name, &known, &output, error));
	if (files.failed && error) *error = reason;
	return done;
}

/* Encodes an image or a lightmap page and passes the bytes to `write`. */
typedef bool encode_fn(const void *picture, bspscene_write_fn *write, void *user, bspscene_error *error);

static bool write_picture(const char *path, encode_fn *encode, const void *picture, bspscene_error *error)
{
	clear_error(error);
	bspscene_error reason = { .status = BSPSCENE_OK };
	bspi_file_output file = { .path = path, .error = &reason };
	bool written = bspi_file_begin(&file, bspi_file_name_of(path)) &&
	               encode(picture, bspi_file_write, &file, error) && bspi_file_end(&file);
	bool done = bspi_file_finish(&file, written);
	if (file.failed && error) *error = reason;
	return done;
}

static bool encode_page(const void *page, bspscene_write_fn *write, void *user, bspscene_error *error)
{
	return bspscene_write_lightmap_page(page, write, user, error);
}

bool bspscene_write_lightmap_page_file(const bspscene_lightmap_page *page, const char *path, bspscene_error *error)
{
	assert(page && path);
	return write_picture(path, encode_page, page, error);
}

typedef struct rows {
	uint32_t width, height, channels;
	const void *pixels;
} rows;

static bool encode_rows(const void *picture, bspscene_write_fn *write, void *user, bspscene_error *error)
{
	const rows *r = picture;
	return bspscene_write_png(r->width, r->height, r->channels, r->pixels, write, user, error);
}

bool bspscene_write_png_file(uint32_t width, uint32_t height, uint32_t channels, const void *pixels, const char *path,
                             bspscene_error *error)
{
	assert(width && height && (channels == 3 || channels == 4) && pixels && path);
	const rows picture = { width, height, channels, pixels };
	return write_picture(path, encode_rows, &picture, error);
}

bool bspscene_write_image_file(const bspscene_image *image, const char *path, bspscene_error *error)
{
	assert(image && path);
	bspscene_pixels pixels;
	if (!bspscene_image_decode(image, &pixels, error)) return false;
	bool done = bspscene_write_png_file(pixels.width, pixels.height, 4, pixels.data, path, error);
	bspscene_pixels_free(&pixels);
	return done;
}
