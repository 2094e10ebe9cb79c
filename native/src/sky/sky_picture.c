/* sky_picture.c - bspscene_sky_cube and bspscene_sky_panorama: the sky as six sides of a cube, or all of it in one. */
#include <assert.h>
#include <math.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/vec.h"
#include "sky/sky_source.h"

#define PI 3.14159265358979323846

void bspscene_sky_direction(uint32_t side, float u, float v, float out[3])
{
	assert(side < BSPSCENE_CUBE_SIDES && out);
	bspi_side_direction((int)side, u * 2 - 1, 1 - v * 2, out);
}

static void store(const float color[3], uint8_t *rgb)
{
	for (int i = 0; i < 3; i++) rgb[i] = (uint8_t)(fminf(fmaxf(color[i], 0), 1) * 255 + 0.5f);
}

static void draw_side(const bspi_sky_source *source, uint32_t side, uint32_t size, uint8_t *rgb)
{
	float step = 1 / (float)size, corner[3], right[3], below[3], color[3];
	bspscene_sky_direction(side, 0, 0, corner);
	bspscene_sky_direction(side, 1, 0, right);
	bspscene_sky_direction(side, 0, 1, below);
	bspi_ray ray = { .origin = { 0 } };
	for (int i = 0; i < 3; i++) {
		ray.dx[i] = (right[i] - corner[i]) * step;
		ray.dy[i] = (below[i] - corner[i]) * step;
	}
	for (uint32_t y = 0; y < size; y++) {
		for (uint32_t x = 0; x < size; x++) {
			bspscene_sky_direction(side, ((float)x + 0.5f) * step, ((float)y + 0.5f) * step, ray.direction);
			bspi_sky_look(source, &ray, color);
			store(color, rgb + ((size_t)y * size + x) * 3);
		}
	}
}

bool bspi_sky_draw_cube(bspi_sky_source *source, uint32_t size, uint8_t *rgb)
{
	for (uint32_t side = 0; side < BSPSCENE_CUBE_SIDES; side++) {
		draw_side(source, side, size, rgb + (size_t)side * size * size * 3);
	}
	return !source->has_skybox || bspi_paint_skybox(source, size, rgb);
}

/* ---- Panoramas -------------------------------------------------------------------------------------------- */

/* A texel of a cube's side, its neighbours mixed; what lies beyond the edge is the edge. */
static void look_into_cube(const uint8_t *cube, uint32_t size, const float direction[3], float color[3])
{
	float at[2];
	int side = bspi_box_side(direction, at);
	const uint8_t *rgb = cube + (size_t)side * size * size * 3;
	float last = (float)(size - 1);
	float x = fminf(fmaxf(at[0] * (float)size - 0.5f, 0), last), y = fminf(fmaxf(at[1] * (float)size - 0.5f, 0), last);
	uint32_t x0 = (uint32_t)x, y0 = (uint32_t)y, x1 = x0 + 1 < size ? x0 + 1 : x0, y1 = y0 + 1 < size ? y0 + 1 : y0;
	float in_x = x - (float)x0, in_y = y - (float)y0;
	for (size_t i = 0; i < 3; i++) {
		float a = rgb[((size_t)y0 * size + x0) * 3 + i], b = rgb[((size_t)y0 * size + x1) * 3 + i];
		float c = rgb[((size_t)y1 * size + x0) * 3 + i], d = rgb[((size_t)y1 * size + x1) * 3 + i];
		float top = a + (b - a) * in_x, bottom = c + (d - c) * in_x;
		color[i] = (top + (bottom - top) * in_y) / 255;
	}
}

/* Sines and cosines of the middles of columns, and of one behind the last. */
static void fill_turns(float *turns, uint32_t width)
{
	for (uint32_t x = 0; x <= width; x++) {
		double longitude = PI - ((double)x + 0.5) / width * 2 * PI;
		turns[2 * (size_t)x] = (float)cos(longitude);
		turns[2 * (size_t)x + 1] = (float)sin(longitude);
	}
}

static void fill_direction(const float *turn, double latitude, float out[3])
{
	float level = (float)cos(latitude);
	out[0] = turn[0] * level;
	out[1] = turn[1] * level;
	out[2] = (float)sin(latitude);
}

static void draw_rows(const bspi_sky_source *source, const float *turns, const uint8_t *cube, uint32_t cube_size,
                      uint32_t width, uint8_t *rgb)
{
	uint32_t height = width / 2;
	for (uint32_t y = 0; y < height; y++) {
		double latitude = PI / 2 - ((double)y + 0.5) / height * PI, next = latitude - PI / height;
		for (uint32_t x = 0; x < width; x++) {
			float right[3], below[3], color[3];
			bspi_ray ray = { .origin = { 0 } };
			fill_direction(turns + 2 * (size_t)x, latitude, ray.direction);
			fill_direction(turns + 2 * ((size_t)x + 1), latitude, right);
			fill_direction(turns + 2 * (size_t)x, next, below);
			bspi_sub(ray.dx, right, ray.direction);
			bspi_sub(ray.dy, below, ray.direction);
			if (cube) look_into_cube(cube, cube_size, ray.direction, color);
			else bspi_sky_look(source, &ray, color);
			store(color, rgb + ((size_t)y * width + x) * 3);
		}
	}
}

/* What stands before the sky is painted on a cube. */
bool bspi_sky_draw_panorama(bspi_sky_source *source, uint32_t width, uint8_t *rgb)
{
	uint32_t size = width / 4 > 0 ? width / 4 : 1;
	float *turns = bspi_arena_alloc(&source->arena, (size_t)width + 1, 2 * sizeof *turns);
	uint8_t *cube = NULL;
	if (source->has_skybox) {
		cube = bspi_arena_alloc_unset(&source->arena, (size_t)BSPSCENE_CUBE_SIDES * size * size, 3);
	}
	if (!turns || (source->has_skybox && !cube)) return bspi_sky_fail(source);
	if (cube) BSPI_TRY(bspi_sky_draw_cube(source, size, cube));
	fill_turns(turns, width);
	draw_rows(source, turns, cube, size, width, rgb);
	return true;
}

/* ---- The public calls ------------------------------------------------------------------------------------- */

typedef bool draw_fn(bspi_sky_source *source, uint32_t size, uint8_t *rgb);

static bool draw(const bspscene_scene *scene, const bspscene_sky_options *given, uint32_t size, draw_fn *function,
                 uint8_t *rgb, bspscene_error *error)
{
	assert(scene && rgb);
	bspscene_sky_options options;
	bspscene_sky_options_init(&options);
	bspi_error_set(error, BSPSCENE_OK, "%s", "");
	const size_t least = BSPI_END_OF(bspscene_sky_options, allocator);
	if (given && !bspscene_struct_read(&options, sizeof options, least, given, "sky_options", error)) return false;
	bspi_sky_wanted wanted = { .time = options.time, .without_fog = options.without_fog,
	                           .without_skybox = options.without_skybox };
	if (options.eye) bspi_copy3(wanted.eye, options.eye);
	else bspi_sky_middle(scene, wanted.eye);
	bspi_budget budget;
	uint64_t limit = options.memory_limit;
	bspi_budget_begin(&budget, limit ? limit : bspscene_default_limit(scene), options.allocator);
	bspi_sky_source source = { .budget = &budget, .scene = scene };
	bool fits = bspi_budget_take(&budget, scene->memory_size) || bspi_sky_fail(&source);
	bool drawn = false;
	if (fits) {
		drawn = bspi_sky_open(&source, scene, &wanted, &budget) && function(&source, size, rgb);
		bspi_sky_close(&source);
	}
	if (budget.exhausted) {
		source.error.status = BSPSCENE_OK;
		drawn = bspi_sky_fail(&source);
	}
	if (!drawn) bspi_error_set(error, source.error.status, "sky: %s", source.error.message);
	return drawn;
}

bool bspscene_sky_cube(const bspscene_scene *scene, const bspscene_sky_options *options, uint32_t size, uint8_t *rgb,
                       bspscene_error *error)
{
	if (size < 1 || size > BSPSCENE_LARGEST_SKY) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "a side of a sky has 1 to %u pixels",
		                      BSPSCENE_LARGEST_SKY);
	}
	return draw(scene, options, size, bspi_sky_draw_cube, rgb, error);
}

bool bspscene_sky_panorama(const bspscene_scene *scene, const bspscene_sky_options *options, uint32_t width,
                           uint8_t *rgb, bspscene_error *error)
{
	if (width < 2 || width % 2 || width > 4 * BSPSCENE_LARGEST_SKY) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "a panorama is an even number of 2 to %u pixels wide",
		                      4 * BSPSCENE_LARGEST_SKY);
	}
	return draw(scene, options, width, bspi_sky_draw_panorama, rgb, error);
}
