/* level_shot.c - see level_shot.h. */
#include "archive/companions/level_shot.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/catalog/companion_names.h"
#include "archive/catalog/place_file.h"
#include "cli/names.h"
#include "cli/report.h"

enum { RGBA = 4, RGB = 3 };
/* Largest amount of memory for decoding a picture. A file of a few KB may claim to have a gigabyte of pixels. */
#define MOST_MEMORY ((uint64_t)256 << 20)

/* Implements bspscene_write_fn. */
static bool add(void *user, const void *data, size_t size)
{
	cli_bytes_add(user, data, size);
	return true;
}

/* Makes a picture opaque, as engines show it. Painting programs leave arbitrary alpha in these files. */
static void drop_alpha(bspscene_pixels *pixels)
{
	size_t count = (size_t)pixels->width * pixels->height;
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < RGB; k++) pixels->data[RGB * i + (size_t)k] = pixels->data[RGBA * i + (size_t)k];
	}
}

static bool decode(bspscene_image_format format, const void *data, size_t size, bspscene_pixels *out)
{
	const bspscene_image image = {
		.name = "level shot", .path = "level shot", .archive = "", .format = format, .data = data, .size = size,
	};
	uint64_t memory = bspscene_image_decode_size(&image, UINT32_MAX);
	return memory && memory <= MOST_MEMORY && bspscene_image_decode(&image, out, NULL);
}

bool cli_show_level_shot(const void *data, size_t size, cli_bytes *png)
{
	bspscene_pixels pixels;
	if (!decode(BSPSCENE_IMAGE_TGA, data, size, &pixels)) return false;
	drop_alpha(&pixels);
	bool ok = bspscene_write_png(pixels.width, pixels.height, RGB, pixels.data, add, png, NULL);
	bspscene_pixels_free(&pixels);
	return ok;
}

/* ---- All pictures of a map
 * ------------------------------------------------------------------------------------------ */

static bspscene_image_format format_of(const char *name)
{
	static const struct {
		const char *ending;
		bspscene_image_format format;
	} rows[] = {
		{ "jpg", BSPSCENE_IMAGE_JPEG }, { "jpeg", BSPSCENE_IMAGE_JPEG },
		{ "png", BSPSCENE_IMAGE_PNG },  { "tga", BSPSCENE_IMAGE_TGA },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!strcasecmp(cli_ending(name), rows[i].ending)) return rows[i].format;
	}
	return BSPSCENE_IMAGE_MISSING;
}

static const char *file_of(const json_t *place)
{
	const json_t *members = json_object_get(place, "members");
	const char *last = json_string_value(json_array_get(members, json_array_size(members) - 1));
	const char *path = json_string_value(json_object_get(place, "path"));
	return cli_file_name(last ? last : path ? path : "");
}

/* Reads the picture at a place, and adds it to `out` if it is usable. Releases `place`. */
static void read_one(cli_place_reader *reader, json_t *place, const cli_args *args, cli_level_shots *out)
{
	bspscene_error error;
	size_t size = 0;
	const char *name = file_of(place);
	bspscene_image_format format = format_of(name);
	bool wanted = out->count < CLI_MOST_LEVEL_SHOTS && cli_companion_kind_of(name) == CLI_COMPANION_PICTURE;
	void *data = wanted && format ? cli_read_place_file(reader, place, args, &size, &error) : NULL;
	cli_level_shot *shot = &out->at[out->count % CLI_MOST_LEVEL_SHOTS];
	if (data && decode(format, data, size, &shot->pixels)) {
		shot->name = cli_format("%s", name);
		out->count++;
	}
	free(data);
	json_decref(place);
}

void cli_read_level_shots(const json_t *entry, const cli_args *args, cli_level_shots *out)
{
	cli_place_reader reader = { 0 };
	const json_t *companions = json_object_get(entry, "companions"), *around = json_object_get(entry, "around");
	*out = (cli_level_shots) { .count = 0 };
	for (size_t i = 0; i < json_array_size(companions); i++) {
		read_one(&reader, cli_companion_place(entry, i), args, out);
	}
	for (size_t i = 0; i < json_array_size(around); i++) {
		read_one(&reader, json_incref(json_array_get(around, i)), args, out);
	}
	cli_place_reader_close(&reader);
}

void cli_level_shots_free(cli_level_shots *shots)
{
	for (uint32_t i = 0; i < shots->count; i++) {
		free(shots->at[i].name);
		bspscene_pixels_free(&shots->at[i].pixels);
	}
	shots->count = 0;
}
