/* sky_picture.c - the functions bspscene_sky_cube and bspscene_sky_panorama. They draw the sky as six sides of a cube,
 * or as one panorama. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <bspscene/binding.h>
#include <bspscene/image.h>
#include <bspscene/sky.h>

#include "base/caller_struct.h"
#include "base/vec.h"
#include "drawing/four.h"
#include "drawing/numbers.h"
#include "sky/sky_row.h"
#include "sky/sky_source.h"

#define PI 3.14159265358979323846

void bspscene_sky_direction(uint32_t side, float u, float v, float out[3])
{
	assert(side < BSPSCENE_CUBE_SIDES && out);
	bspi_side_direction((int)side, u * 2 - 1, 1 - v * 2, out);
}

static void store(const float color[4], uint8_t *rgb)
{
	uint8_t bytes[4];
	bspi_four_store_bytes(bytes, bspi_four_times(bspi_four_load(color), 255));
	memcpy(rgb, bytes, 3);
}

/* ---- Rows, in several threads ------------------------------------------------------------------------------ */

#define BAND 16u                       /* height in rows of the part that one task draws */
#define FLOOR_RUN 256u                 /* largest number of texels below the clouds that are drawn together */

typedef struct canvas canvas;

/* Computes the directions through the centers of `count` texels in row `y`. `y` may also be the row after the last
 * one. */
typedef void directions_fn(const canvas *c, uint32_t picture, uint32_t y, uint32_t count, float (*out)[3]);

/* Pictures of the same size, stored one after the other. */
struct canvas {
	const bspi_sky_source *source;
	uint32_t width, height;
	directions_fn *directions;
	const float *turns;                /* cosines and sines of directions in a panorama, see fill_turns */
	const uint8_t *cube; uint32_t cube_size; /* the cube from which a panorama is sampled; NULL: it is drawn
	                                          * directly */
	uint8_t *rgb;
};

typedef struct band {
	const canvas *canvas;
	bspi_sky_brush brush;
	bspi_sky_row rows[2];
	float (*colors)[4];
	/* Only for texels below the clouds: rows of points on the rim of the clouds. rims[0] has the points for the
	 * texels themselves, rims[1] for the texels to their right, and rims[2] for those below. Allocated when first
	 * needed. */
	bspi_sky_row rims[3];
	float shares[FLOOR_RUN];
} band;

static uint32_t bands_of(const canvas *c)
{
	return (c->height + BAND - 1) / BAND;
}

static bool begin_band(band *b, bspi_arena *arena)
{
	const bspi_sky_source *source = b->canvas->source;
	const bspscene_material *material = source->material;
	uint32_t width = b->canvas->width;
	b->colors = bspi_arena_alloc_unset(arena, width, sizeof *b->colors);
	return b->colors && bspi_sky_brush_begin(&b->brush, arena, &source->view, material, width) &&
	       bspi_sky_row_begin(&b->rows[0], arena, material, width + 1) &&
	       bspi_sky_row_begin(&b->rows[1], arena, material, width + 1);
}

/* For a texel below the clouds, and for the texels to its right and below it, finds the points on the rim of the
 * clouds in the same horizontal directions. Returns the slope of the texel's direction: 0 is straight down, 1 is at
 * the rim. */
static float find_rim(const float direction[3], const float right[3], const float below[3], float *const out[3])
{
	const float rim = 0.999f;
	const float *d = direction;
	float across = bspi_larger(fabsf(d[0]), fabsf(d[1])), share = -across / d[2];
	float scale = across > 0 ? 1 / across : 0, size = share > 0.05f ? share : 0.05f;
	const float level[3] = { d[0] * scale, across > 0 ? d[1] * scale : 1, -rim };
	for (int i = 0; i < 3; i++) {
		out[0][i] = level[i];
		out[1][i] = level[i] + (right[i] - d[i]) * scale / size;
		out[2][i] = level[i] + (below[i] - d[i]) * scale / size;
	}
	return share;
}

/* Draws texels below the clouds. They have the color of the rim of the clouds. Toward straight down it fades to the
 * mean color of the whole rim. */
static void draw_floor_run(band *b, const bspi_sky_row *row, const bspi_sky_row *below, uint32_t first,
                           uint32_t count, float (*colors)[4])
{
	bspi_sky_row *rims = b->rims;
	const float *horizon = b->canvas->source->horizon;
	for (uint32_t i = 0; i < count; i++) {
		const float (*d)[3] = (const float (*)[3])row->directions + first + i;
		float *const out[3] = { rims[0].directions[i], rims[1].directions[i], rims[2].directions[i] };
		b->shares[i] = find_rim(d[0], d[1], below->directions[first + i], out);
	}
	for (int k = 0; k < 3; k++) bspi_sky_row_find(&b->brush, &rims[k], NULL, count);
	bspi_sky_row_draw(&b->brush, &rims[0], &rims[1], &rims[2], 0, count, colors);
	for (uint32_t i = 0; i < count; i++) {
		float share = b->shares[i];
		for (int k = 0; k < 3; k++) colors[i][k] = horizon[k] + (colors[i][k] - horizon[k]) * share * share;
	}
}

static bool draw_floor(band *b, bspi_arena *arena, const bspi_sky_row *row, const bspi_sky_row *below,
                       uint32_t first, uint32_t end)
{
	for (int k = 0; k < 3 && !b->rims[k].directions; k++) {
		BSPI_TRY(bspi_sky_row_begin(&b->rims[k], arena, b->canvas->source->material, FLOOR_RUN));
	}
	for (uint32_t at = first; at < end; at += FLOOR_RUN) {
		uint32_t count = end - at < FLOOR_RUN ? end - at : FLOOR_RUN;
		draw_floor_run(b, row, below, at, count, b->colors + at);
	}
	return true;
}

static bool draw_row(band *b, bspi_arena *arena, const bspi_sky_row *row, const bspi_sky_row *below)
{
	const bspi_sky_row right = bspi_sky_row_after(row);
	for (uint32_t x = 0, end; x < b->canvas->width; x = end) {
		end = bspi_sky_row_end(row, x, b->canvas->width);
		bool floor = row->sides[x] == BSPI_SKY_DOWN && b->canvas->source->below_clouds;
		if (floor) BSPI_TRY(draw_floor(b, arena, row, below, x, end));
		else bspi_sky_row_draw(&b->brush, row, &right, below, x, end, b->colors + x);
	}
	return true;
}

static void find_row(band *b, uint32_t picture, uint32_t y, bspi_sky_row *row, const bspi_sky_row *above)
{
	const canvas *c = b->canvas;
	c->directions(c, picture, y, c->width + 1, row->directions);
	bspi_sky_row_find(&b->brush, row, above, c->width + 1);
}

static bool draw_rows(band *b, bspi_arena *arena, uint32_t picture, uint32_t first)
{
	const canvas *c = b->canvas;
	BSPI_TRY(begin_band(b, arena));
	find_row(b, picture, first, &b->rows[first & 1], NULL);
	for (uint32_t y = first; y < first + BAND && y < c->height; y++) {
		uint8_t *rgb = c->rgb + ((size_t)picture * c->height + y) * c->width * 3;
		const bspi_sky_row *row = &b->rows[y & 1];
		find_row(b, picture, y + 1, &b->rows[(y + 1) & 1], row);
		BSPI_TRY(draw_row(b, arena, row, &b->rows[(y + 1) & 1]));
		for (uint32_t x = 0; x < c->width; x++) store(b->colors[x], rgb + 3 * (size_t)x);
	}
	return true;
}

static bool draw_band(void *user, bspi_task *task)
{
	band b = { .canvas = user };
	uint32_t bands = bands_of(b.canvas);
	if (!draw_rows(&b, &task->arena, task->index / bands, task->index % bands * BAND)) {
		char why[BSPI_REFUSAL_SIZE];
		bspscene_status status = bspi_describe_refusal(b.canvas->source->budget, why);
		return bspi_error_set(&task->error, status, "%s", why);
	}
	/* frees the rows now, so that the memory of a thread does not grow with each band */
	bspi_arena_reset(&task->arena);
	return true;
}

static bool run_bands(canvas *c, bspi_sky_source *source, const bspi_team *team, uint32_t count, bspi_task_fn *draw)
{
	const bspi_job job = { .count = count * bands_of(c), .work = draw, .user = c };
	bspscene_error error;
	return bspi_run_job(team, source->budget, &job, &error) || bspi_sky_fail(source);
}

/* Draws the sky. If the scene has only a 3D skybox, draws black. */
static bool draw_pictures(canvas *c, bspi_sky_source *source, const bspi_team *team, uint32_t count)
{
	if (!source->material) {
		memset(c->rgb, 0, (size_t)count * c->width * c->height * 3);
		return true;
	}
	return run_bands(c, source, team, count, draw_band);
}

/* ---- Cubes ------------------------------------------------------------------------------------------------- */

static void directions_on_side(const canvas *c, uint32_t side, uint32_t y, uint32_t count, float (*out)[3])
{
	float step = 1 / (float)c->width;
	for (uint32_t x = 0; x < count; x++) {
		bspscene_sky_direction(side, ((float)x + 0.5f) * step, ((float)y + 0.5f) * step, out[x]);
	}
}

bool bspi_sky_draw_cube(bspi_sky_source *source, const bspi_team *team, uint32_t size, uint8_t *rgb)
{
	canvas c = { .source = source, .width = size, .height = size, .directions = directions_on_side, .rgb = rgb };
	BSPI_TRY(draw_pictures(&c, source, team, BSPSCENE_CUBE_SIDES));
	return !source->has_skybox || bspi_paint_skybox(source, size, rgb);
}

/* ---- Panoramas -------------------------------------------------------------------------------------------- */

/* Samples one side of a cube with bilinear interpolation. Beyond the edges of the side its border texels are
 * repeated. */
static void look_into_cube(const uint8_t *cube, uint32_t size, const float direction[3], float color[4])
{
	float at[2];
	int side = bspi_box_side(direction, at);
	const uint8_t *rgb = cube + (size_t)side * size * size * 3;
	float last = (float)(size - 1);
	float x = bspi_smaller(bspi_larger(at[0] * (float)size - 0.5f, 0), last);
	float y = bspi_smaller(bspi_larger(at[1] * (float)size - 0.5f, 0), last);
	uint32_t x0 = (uint32_t)x, y0 = (uint32_t)y, x1 = x0 + 1 < size ? x0 + 1 : x0, y1 = y0 + 1 < size ? y0 + 1 : y0;
	float in_x = x - (float)x0, in_y = y - (float)y0;
	color[3] = 1;
	for (size_t i = 0; i < 3; i++) {
		float a = rgb[((size_t)y0 * size + x0) * 3 + i], b = rgb[((size_t)y0 * size + x1) * 3 + i];
		float c = rgb[((size_t)y1 * size + x0) * 3 + i], d = rgb[((size_t)y1 * size + x1) * 3 + i];
		float top = a + (b - a) * in_x, bottom = c + (d - c) * in_x;
		color[i] = (top + (bottom - top) * in_y) / 255;
	}
}

/* Computes pairs of a cosine and a sine. First come those for the longitudes of all columns and of one more column.
 * Then come those for the latitudes of all rows and of one more row. */
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

static inline void direction_around(const canvas *c, uint32_t x, const float climb[2], float out[3])
{
	const float *turn = c->turns + 2 * (size_t)x;
	out[0] = turn[0] * climb[0];
	out[1] = turn[1] * climb[0];
	out[2] = climb[1];
}

static void directions_around(const canvas *c, uint32_t picture, uint32_t y, uint32_t count, float (*out)[3])
{
	const float *climb = c->turns + 2 * ((size_t)c->width + 1 + y);
	(void)picture;
	for (uint32_t x = 0; x < count; x++) direction_around(c, x, climb, out[x]);
}

static bool draw_band_of_cube(void *user, bspi_task *task)
{
	const canvas *c = user;
	for (uint32_t y = task->index * BAND; y < (task->index + 1) * BAND && y < c->height; y++) {
		const float *climb = c->turns + 2 * ((size_t)c->width + 1 + y);
		uint8_t *rgb = c->rgb + (size_t)y * c->width * 3;
		for (uint32_t x = 0; x < c->width; x++, rgb += 3) {
			float direction[3], color[4];
			direction_around(c, x, climb, direction);
			look_into_cube(c->cube, c->cube_size, direction, color);
			store(color, rgb);
		}
	}
	return true;
}

/* Draws a panorama. If there is a 3D skybox, it is drawn on a cube first, from which the panorama is sampled. */
bool bspi_sky_draw_panorama(bspi_sky_source *source, const bspi_team *team, uint32_t width, uint8_t *rgb)
{
	uint32_t size = width / 4 > 0 ? width / 4 : 1, height = width / 2;
	float *turns = bspi_arena_alloc(&source->arena, (size_t)width + height + 2, 2 * sizeof *turns);
	if (!turns) return bspi_sky_fail(source);
	fill_turns(turns, width, height);
	canvas c = { .source = source, .width = width, .height = height, .directions = directions_around,
	             .turns = turns, .rgb = rgb };
	if (!source->has_skybox) return draw_pictures(&c, source, team, 1);
	uint8_t *cube = bspi_arena_alloc_unset(&source->arena, (size_t)BSPSCENE_CUBE_SIDES * size * size, 3);
	if (!cube) return bspi_sky_fail(source);
	BSPI_TRY(bspi_sky_draw_cube(source, team, size, cube));
	c.cube = cube;
	c.cube_size = size;
	return run_bands(&c, source, team, 1, draw_band_of_cube);
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
	bspi_sky_wanted wanted = { .time = options.time, .no_fog = options.omit_fog, .no_skybox = options.omit_skybox };
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
	if (size < 1 || size > BSPSCENE_SKY_MAX_SIZE) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS, "a side of a sky must have 1 to %u pixels",
		                      BSPSCENE_SKY_MAX_SIZE);
	}
	return draw(scene, options, size, bspi_sky_draw_cube, rgb, error);
}

bool bspscene_sky_panorama(const bspscene_scene *scene, const bspscene_sky_options *options, uint32_t width,
                           uint8_t *rgb, bspscene_error *error)
{
	if (width < 2 || width % 2 || width > 4 * BSPSCENE_SKY_MAX_SIZE) {
		return bspi_error_set(error, BSPSCENE_ERROR_BAD_OPTIONS,
		                      "the width of a panorama must be an even number of 2 to %u pixels",
		                      4 * BSPSCENE_SKY_MAX_SIZE);
	}
	return draw(scene, options, width, bspi_sky_draw_panorama, rgb, error);
}
