/* texture_load.c - decodes an image of the scene as a texture. */
#include <string.h>

#include "shade/shade.h"

static void *take(void *allocator, size_t size) { return bspr_take(allocator, 1, size); }
static void give(void *allocator, void *data) { bspr_release(allocator, data); }

static bspscene_allocator memory_of(const bspscene_allocator *allocator)
{
	return (bspscene_allocator){ take, give, (void *)(uintptr_t)allocator };
}

/* Makes the decoded pixels the largest mipmap. Without a caller's allocator, the texture takes over their memory;
 * otherwise they are copied to memory of the allocator. False if memory is out. */
static bool keep_pixels(const bspscene_allocator *allocator, bspi_mips *texture, bspscene_pixels *pixels)
{
	size_t size = (size_t)pixels->width * pixels->height * 4;
	uint8_t *rgba = pixels->data;
	texture->decoded = !allocator->allocate;
	if (!texture->decoded) {
		rgba = bspr_take(allocator, 1, size);
		if (rgba) memcpy(rgba, pixels->data, size);
	}
	texture->levels[0] = (bspi_mip_level){ pixels->width, pixels->height, rgba };
	if (!texture->decoded) bspscene_pixels_free(pixels);
	if (rgba) texture->level_count = 1;
	return rgba != NULL;
}

static uint32_t half(uint32_t side) { return side > 1 ? side / 2 : 1; }

/* Adds the smaller mipmaps that a VTF file stores. The engine shows these, and they are sharper than averages of 2 x 2
 * pixels. False if memory is out. */
static bool add_stored_levels(const bspscene_allocator *memory, bspi_mips *texture, const bspscene_image *image)
{
	bspscene_decode_options options;
	bspscene_decode_options_init(&options);
	while (image->format == BSPSCENE_IMAGE_VTF && texture->level_count < BSPI_MOST_MIP_LEVELS) {
		const bspi_mip_level *last = &texture->levels[texture->level_count - 1];
		bspi_mip_level next = { half(last->width), half(last->height), NULL };
		bspscene_pixels pixels;
		options.max_side = next.width > next.height ? next.width : next.height;
		if (last->width == 1 && last->height == 1) break;
		if (!bspscene_image_decode_with(image, &options, &pixels, NULL)) break;
		const size_t size = (size_t)next.width * next.height * 4;
		bool stored = pixels.width == next.width && pixels.height == next.height;
		if (stored) next.rgba = memory->allocate(memory->user, size);
		if (next.rgba) {
			memcpy(next.rgba, pixels.data, size);
			texture->levels[texture->level_count++] = next;
		}
		bspscene_pixels_free(&pixels);
		if (!stored) break;
		if (!next.rgba) return false;
	}
	return true;
}

bool bspr_texture_load(const bspscene_allocator *allocator, bspi_mips *texture, const bspscene_image *image,
                       uint32_t side)
{
	const bspscene_allocator memory = memory_of(allocator);
	bspscene_image missing = *image;
	bspscene_pixels pixels;
	bspscene_error error;
	memset(texture, 0, sizeof *texture);
	missing.format = BSPSCENE_IMAGE_MISSING;
	bspscene_decode_options options;
	bspscene_decode_options_init(&options);
	options.max_side = side;
	if (!bspscene_image_decode_with(image, &options, &pixels, &error)) {
		if (error.status == BSPSCENE_ERROR_OUT_OF_MEMORY || !bspscene_image_decode(&missing, &pixels, NULL)) {
			return false;
		}
	}
	return keep_pixels(allocator, texture, &pixels) && add_stored_levels(&memory, texture, image) &&
	       bspi_mips_build(&memory, texture, side);
}

void bspr_texture_free(const bspscene_allocator *allocator, bspi_mips *texture)
{
	const bspscene_allocator memory = memory_of(allocator);
	bspi_mips_free(&memory, texture);
}
