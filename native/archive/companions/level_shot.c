/* level_shot.c - see level_shot.h. */
#include "archive/companions/level_shot.h"

#include <bspscene/bspscene.h>
#include <bspscene/image.h>

enum { RGBA = 4, RGB = 3 };
/* What a picture may take while it is decoded: a file of few KB may ask for a gigabyte. */
#define MOST_MEMORY ((uint64_t)256 << 20)

/* A bspscene_write_fn. */
static bool add(void *user, const void *data, size_t size)
{
	cli_bytes_add(user, data, size);
	return true;
}

/* Engines show them without the alpha that painting programs leave in. */
static void drop_alpha(bspscene_pixels *pixels)
{
	size_t count = (size_t)pixels->width * pixels->height;
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < RGB; k++) pixels->data[RGB * i + (size_t)k] = pixels->data[RGBA * i + (size_t)k];
	}
}

bool cli_show_level_shot(const void *data, size_t size, cli_bytes *png)
{
	const bspscene_image image = {
		.name = "level shot", .path = "level shot", .archive = "",
		.format = BSPSCENE_IMAGE_TGA, .data = data, .size = size,
	};
	bspscene_pixels pixels;
	uint64_t memory = bspscene_image_decode_size(&image, UINT32_MAX);
	if (!memory || memory > MOST_MEMORY || !bspscene_image_decode(&image, &pixels, NULL)) return false;
	drop_alpha(&pixels);
	bool ok = bspscene_write_png(pixels.width, pixels.height, RGB, pixels.data, add, png, NULL);
	bspscene_pixels_free(&pixels);
	return ok;
}
