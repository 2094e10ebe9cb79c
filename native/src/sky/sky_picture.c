/* sky_picture.c - bspscene_sky_cube and bspscene_sky_panorama: the sky as six sides of a cube, or all of it in one. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <bspscene/binding.h>

#include "base/caller_struct.h"
#include "base/vec.h"
#include "drawing/numbers.h"
#include "sky/sky_source.h"

#define PI 3.14159265358979323846

void bspscene_sky_direction(uint32_t side, float u, float v, float out[3])
{
	assert(side < BSPSCENE_CUBE_SIDES && out);
	bspi_side_direction((int)side, u * 2 - 1, 1 - v * 2, out);
}

static void store(const float color[3], uint8_t *rgb)
{
	for (int i = 0; i < 3; i++) rgb[i] = (uint8_t)(bspi_smaller(bspi_larger(color[i], 0), 1) * 255 + 0.5f);
}

/* ---- Rows, in several threads ------------------------------------------------------------------------------ */

#define BAND 16u                       /* rows that one task draws */

typedef struct canvas canvas;

/* The middle of a texel, or of one beyond the last column or row. */
typedef void direction_fn(const canvas *c, uint32_t picture, uint32_t x, uint32_t y, float out[3]);

/* Pictures of one size behind each other. */
struct canvas {
	const bspi_sky_source *source;
	uint32_t width, height;
	direction_fn *direction;
	const float *turns;                /* of panoramas */
	uint8_t *rgb;
};

static uint32_t bands_of(const canvas *c)
{
	return (c->height + BAND - 1) / BAND;
}

static bool begin_row(const canvas *c, bspi_arena *arena, bspi_sky_row *row)
{
	row->count = c->width + 1;
	row->directions = bspi_arena_alloc_unset(arena, row->count, sizeof *row->directions);
	row->sides = bspi_arena_alloc_unset(arena, row->count, sizeof *row->sides);
	size_t kinds = bspi_sky_row_kinds(c->source->material);
	row->uvs = bspi_arena_alloc_unset(arena, kinds * row->count, sizeof *row->uvs);
	return row->directions && row->sides && row->uvs;
}

static void find_row(const canvas *c, uint32_t picture, uint32_t y, bspi_sky_row *row)
{
	for (uint32_t x = 0; x < row->count; x++) c->direction(c, picture, x, y, row->directions[x]);
	bspi_sky_find_row(&c->source->view, c->source->material, row);
}

static bool draw_band(void *user, bspi_task *task)
{
	const canvas *c = user;
	uint32_t picture = task->index / bands_of(c), first = task->index % bands_of(c) * BAND;
	bspi_sky_row rows[2];
	float (*colors)[4] = bspi_arena_alloc_unset(&task->arena, c->width, sizeof *colors);
	if (!colors || !begin_row(c, &task->arena, &rows[0]) || !begin_row(c, &task->arena, &rows[1])) {
		char why[BSPI_REFUSAL_SIZE];
		bspscene_status status = bspi_describe_refusal(c->source->budget, why);
		return bspi_error_set(&task->error, status, "%s", why);
	}
	find_row(c, picture, first, &rows[first & 1]);
	for (uint32_t y = first; y < first + BAND && y < c->height; y++) {
		uint8_t *rgb = c->rgb + ((size_t)picture * c->height + y) * c->width * 3;
		find_row(c, picture, y + 1, &rows[(y + 1) & 1]);
		bspi_sky_look(c->source, &rows[y & 1], &rows[(y + 1) & 1], colors);
		for (uint32_t x = 0; x < c->width; x++) store(colors[x], rgb + 3 * (size_t)x);
	}
	return true;
}

/* Black without a sky: there is a 3D skybox alone. */
static bool draw_pictures(canvas *c, bspi_sky_source *source, const bspi_team *team, uint32_t count)
{
	if (!source->material) {
		memset(c->rgb, 0, (size_t)count * c->width * c->height * 3);
		return true;
	}
	const bspi_job job = { .count = count * bands_of(c), .work = draw_band, .user = c };
	bspscene_error error;
	return bspi_run_job(team, source->budget, &job, &error) || bspi_sky_fail(source);
}

/* ---- Cubes ------------------------------------------------------------------------------------------------- */

static void direction_on_side(const canvas *c, uint32_t side, uint32_t x, uint32_t y, float out[3])
{
	float step = 1 / (float)c->width;
	bspscene_sky_direction(side, ((float)x + 0.5f) * step, ((float)y + 0.5f) * step, out);
}

bool bspi_sky_draw_cube(bspi_sky_source *source, const bspi_team *team, uint32_t size, uint8_t *rgb)
{
	canvas c = { source, size, size, direction_on_side, NULL, rgb };
	BSPI_TRY(draw_pictures(&c, source, team, BSPSCENE_CUBE_SIDES));
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

/* Cosines and sines of the middles of columns, and of one behind the last; then the same of rows. */
static void fill_turns(float *turns, uint32_t width, uint32_t height)
{
	for (uint32_t x = 0; x <= width; x++, turns += 2) {
		double longitude = PI - ((double)x + 0.5) / width * 2 * PI;
		turns[0] = (float)cos(longitude);
		turns[1] = (float)sin(longitude);
	}
	for (uint32_t y = 0; y <= height; y++, turns += 2) {
		double latitude = PI / 2 - ((double)y + 0.5) / height * PI;
		turns[0] = (float)cos(latitude);
		turns[1] = (float)sin(latitude);
	}
}

static void direction_around(const canvas *c, uint32_t picture, uint32_t x, uint32_t y, float out[3])
{
	const float *turn = c->turns + 2 * (size_t)x, *climb = c->turns + 2 * ((size_t)c->width + 1 + y);
	(void)picture;
	out[0] = turn[0] * climb[0];
	out[1] = turn[1] * climb[0];
	out[2] = climb[1];
}

static void draw_from_cube(const canvas *c, const uint8_t *cube, uint32_t cube_size)
{
	uint8_t *rgb = c->rgb;
	for (uint32_t y = 0; y < c->height; y++) {
		for (uint32_t x = 0; x < c->width; x++, rgb += 3) {
			float direction[3], color[3];
			direction_around(c, 0, x, y, direction);
			look_into_cube(cube, cube_size, direction, color);
			store(color, rgb);
		}
	}
}

/* What stands before the sky is painted on a cube. */
bool bspi_sky_draw_panorama(bspi_sky_source *source, const bspi_team *team, uint32_t width, uint8_t *rgb)
{
	uint32_t size = width / 4 > 0 ? width / 4 : 1, height = width / 2;
	float *turns = bspi_arena_alloc(&source->arena, (size_t)width + height + 2, 2 * sizeof *turns);
	if (!turns) return bspi_sky_fail(source);
	fill_turns(turns, width, height);
	canvas c = { source, width, height, direction_around, turns, rgb };
	if (!source->has_skybox) return draw_pictures(&c, source, team, 1);
	uint8_t *cube = bspi_arena_alloc_unset(&source->arena, (size_t)BSPSCENE_CUBE_SIDES * size * size, 3);
	if (!cube) return bspi_sky_fail(source);
	BSPI_TRY(bspi_sky_draw_cube(source, team, size, cube));
	draw_from_cube(&c, cube, size);
	return true;
}

/* ---- The public calls ------------------------------------------------------------------------------------- */

typedef bool draw_fn(bspi_sky_source *source, const bspi_team *team, uint32_t size, uint8_t *rgb);

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
	const bspi_team calling = { 1, NULL };
	bool fits = bspi_budget_take(&budget, scene->memory_size) || bspi_sky_fail(&source);
	bool drawn = false;
	if (fits) {
		drawn = bspi_sky_open(&source, scene, &wanted, &budget) && function(&source, &calling, size, rgb);
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
