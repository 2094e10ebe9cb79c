/* write_file.c - a scene to a file and what belongs beside it: bspscene_write by the ending of a path. And a page. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <bspscene/binding.h>
#include <bspscene/formats.h>
#include <bspscene/image.h>

#include "base/caller_struct.h"
#include "io/file_output.h"

static bool refuse_ending(const char *path, bspscene_error *error)
{
	char known[256] = "";
	for (const bspscene_writer *const *one = bspscene_writers(); *one; one++) {
		size_t length = strlen(known);
		if ((*one)->chosen_by_extension) snprintf(known + length, sizeof known - length, " .%s", (*one)->extension);
	}
	return bspi_error_set(error, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "%s: its ending is none of%s", path, known);
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
	const bspscene_writer *writer = bspscene_find_writer(path);
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

bool bspscene_write_lightmap_page_file(const bspscene_lightmap_page *page, const char *path, bspscene_error *error)
{
	assert(page && path);
	clear_error(error);
	bspscene_error reason = { .status = BSPSCENE_OK };
	bspi_file_output file = { .path = path, .error = &reason };
	bool written = bspi_file_begin(&file, bspi_file_name_of(path)) &&
	               bspscene_write_lightmap_page(page, bspi_file_write, &file, error) && bspi_file_end(&file);
	bool done = bspi_file_finish(&file, written);
	if (file.failed && error) *error = reason;
	return done;
}
