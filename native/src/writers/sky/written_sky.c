/* written_sky.c - see written_sky.h. */
#include "writers/sky/written_sky.h"

#include <stdio.h>
#include <string.h>

#include <bspscene/sky.h>

#include "sky/sky_source.h"
#include "writers/writer_costs.h"

bspi_sky_cube bspi_sky_cube_of(const bspi_writer *writer)
{
	float middle[3], half, meters = writer->scene->meters_per_unit;
	bspscene_sky_cube_bounds(writer->scene, middle, &half);
	return (bspi_sky_cube){ { middle[0] * meters, middle[2] * meters, -middle[1] * meters }, half * meters };
}

/* ---- Pictures --------------------------------------------------------------------------------------------- */

typedef bool draw_fn(bspi_sky_source *source, const bspi_team *team, uint32_t size, uint8_t *rgb);

/* Draws the sky of the scene as it was loaded, because only that scene has the light that the pictures need. */
static bool draw(bspi_writer *writer, draw_fn *function, uint32_t size, uint8_t *rgb)
{
	bspi_sky_source source;
	bspi_sky_wanted wanted = { .no_skybox = bspi_keeps_skybox(&writer->options) };
	bspi_sky_middle(writer->loaded, wanted.eye);
	const bspi_team team = bspi_writer_team(writer);
	bool drawn = bspi_sky_open(&source, writer->loaded, &wanted, &writer->budget) &&
	             function(&source, &team, size, rgb);
	bspi_sky_close(&source);
	return drawn || bspi_writer_fail(writer, source.error.status, "%s", source.error.message);
}

static bool encode(bspi_writer *writer, uint32_t width, uint32_t height, const uint8_t *rgb, bspi_picture *out)
{
	float peak;
	const bspscene_lightmap_page page = {
		.format = BSPSCENE_LIGHTMAP_PAGE_RGB8, .width = width, .height = height, .data = rgb
	};
	return bspi_picture_of_page(writer, &page, out, &peak);
}

/* Allocates memory for pixels. The budget is charged for it until the pixels are encoded. */
static uint8_t *take_pixels(bspi_writer *writer, uint64_t size)
{
	if (!bspi_writer_take(writer, size)) return NULL;
	uint8_t *rgb = bspi_heap_take(&writer->budget.heap, (size_t)size);
	if (rgb) return rgb;
	bspi_writer_give(writer, size);
	bspi_writer_fail_memory(writer);
	return NULL;
}

static void give_pixels(bspi_writer *writer, uint8_t *rgb, uint64_t size)
{
	bspi_heap_give(&writer->budget.heap, rgb);
	bspi_writer_give(writer, size);
}

/* Uses the game's own images as the six sides, if all of them can be used unchanged. Returns false otherwise. */
static bool pass_sides(bspi_writer *writer, bspi_picture sides[BSPSCENE_CUBE_SIDES])
{
	const bspscene_scene *scene = writer->loaded;
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		const bspscene_image *image = scene->images[scene->materials[scene->sky_material]->sky->box[i]];
		BSPI_TRY(bspi_picture_of_image(writer, image, BSPI_PICTURE_OPAQUE, NULL, &sides[i]));
	}
	return true;
}

void bspi_sky_side_name(uint32_t side, char out[BSPI_SKY_NAME_SIZE])
{
	static const char *const names[BSPSCENE_CUBE_SIDES] = { "right", "back", "left", "front", "up", "down" };
	snprintf(out, BSPI_SKY_NAME_SIZE, "sky.%s", names[side]);
}

bool bspi_sky_side_passes(const bspi_writer *writer, uint32_t side, uint32_t *image)
{
	return bspi_sky_shows_image(writer->loaded, side, image) &&
	       writer->loaded->images[*image]->width <= BSPI_LARGEST_SKY_SIDE;
}

static bool may_pass(const bspi_writer *writer)
{
	uint32_t image;
	for (uint32_t i = 0; i < BSPSCENE_CUBE_SIDES; i++) {
		if (!bspi_sky_side_passes(writer, i, &image)) return false;
	}
	return true;
}

bool bspi_sky_sides(bspi_writer *writer, bspi_picture sides[BSPSCENE_CUBE_SIDES])
{
	uint32_t size = bspi_written_sky_size(writer);
	uint64_t side_size = (uint64_t)size * size * 3, all_size = side_size * BSPSCENE_CUBE_SIDES;
	for (int i = 0; i < BSPSCENE_CUBE_SIDES; i++) sides[i] = (bspi_picture){ .data = NULL };
	if (may_pass(writer)) return pass_sides(writer, sides);
	uint8_t *rgb = take_pixels(writer, all_size);
	BSPI_TRY(rgb);
	bool drawn = draw(writer, bspi_sky_draw_cube, size, rgb);
	for (size_t i = 0; drawn && i < BSPSCENE_CUBE_SIDES; i++) {
		drawn = encode(writer, size, size, rgb + i * side_size, &sides[i]);
	}
	give_pixels(writer, rgb, all_size);
	return drawn && bspi_writer_worked(writer, "sky", bspi_cost_of_sky(writer));
}

bool bspi_draw_sky_pixels(bspi_writer *writer, uint32_t size, uint8_t *rgba)
{
	const size_t count = (size_t)BSPSCENE_CUBE_SIDES * size * size;
	/* The RGB pixels are drawn at the end of the buffer, so that each pixel is read before an RGBA pixel overwrites
	 * it. */
	uint8_t *rgb = rgba + count;
	BSPI_TRY(draw(writer, bspi_sky_draw_cube, size, rgb));
	for (size_t i = 0; i < count; i++) {
		memmove(rgba + 4 * i, rgb + 3 * i, 3);
		rgba[4 * i + 3] = 255;
	}
	return true;
}

bool bspi_panorama(bspi_writer *writer, bspi_picture *out)
{
	uint32_t width = 4 * bspi_written_sky_size(writer);
	uint64_t size = (uint64_t)width * (width / 2) * 3;
	*out = (bspi_picture){ .data = NULL };
	if (writer->options.sky != BSPSCENE_WRITE_SKY_PANORAMA || !width) return true;
	uint8_t *rgb = take_pixels(writer, size);
	BSPI_TRY(rgb);
	bool drawn = draw(writer, bspi_sky_draw_panorama, width, rgb) &&
	             bspi_picture_of_pixels(writer, width, width / 2, rgb, out);
	give_pixels(writer, rgb, size);
	return drawn && bspi_writer_worked(writer, "sky", bspi_cost_of_sky(writer));
}

bool bspi_put_panorama(bspi_writer *writer)
{
	bspi_picture picture;
	BSPI_TRY(bspi_panorama(writer, &picture));
	if (!picture.data) return true;
	const char *name = bspi_sibling_name(writer, ".sky.jpg");
	bool written = name && bspi_begin(writer, name) && bspi_put(writer, picture.data, picture.size) && bspi_end(writer);
	bspi_picture_free(&picture);
	return written;
}
