/* pictures.c - draws the pictures of a map that archives keep. See pictures.h. */
#include "archive/pictures/pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CLI_HAVE_RENDER
	#include <bspscene/render_binding.h>
#endif

#include "archive/pictures/animation.h"
#include "archive/pictures/picture_file.h"
#include "archive/pictures/plan_scale.h"
#include "archive/pictures/shot_fit.h"
#include "archive/pictures/tile_view.h"
#include "cli/report.h"

void cli_picture_load_options(bspscene_load_options *options)
{
	bspscene_load_options_init(options);
	options->for_pictures = true;
	options->identify = true;
}

#ifdef CLI_HAVE_RENDER

bool cli_can_draw(void)
{
	return true;
}

enum {
	SHEET_COLUMNS = 4,
	MOST_VIEWS = 12,
	TILE_SCALE = 2,                    /* a tile is scaled down from a picture this many times as wide */
	TRIAL_WIDTH = 80, TRIAL_HEIGHT = 60,
	PIXEL = 3
};

/* Size of the small pictures by which the view of a tile is chosen. */
static const cli_picture_size trial = { TRIAL_WIDTH, TRIAL_HEIGHT };

typedef enum sight { AS_PLAYERS_SEE, FROM_ABOVE, WITH_ROOFS } sight;

/* State for drawing the pictures of one map. */
typedef struct drawing {
	const bspscene_scene *scene;
	const cli_level_shots *shots;
	const cli_args *args;
	cli_output *output;
	bspscene_renderer *renderer;       /* the renderer that all pictures share */
	bspscene_error error;
} drawing;

/* Largest number of starts that are tried. In a dark map, views from all starts may be dark. */
#define MOST_STARTS 8u

bool cli_start_view(const bspscene_scene *scene, uint32_t number, uint32_t width, uint32_t height,
                    bspscene_view *view, bool *overview)
{
	uint32_t camera = number < MOST_STARTS ? bspscene_start_camera(scene, number) : BSPSCENE_NO_INDEX;
	*overview = camera == BSPSCENE_NO_INDEX;
	*view = *overview ? bspscene_view_overview(scene, width, height) : bspscene_view_of_camera(scene, camera);
	if (!*overview || !number) return true;
	/* Only the number after that of the last start is the view from above. Larger numbers have no view. */
	return number <= MOST_STARTS && bspscene_start_camera(scene, number - 1) != BSPSCENE_NO_INDEX;
}

bspscene_view cli_first_view(const bspscene_scene *scene, uint32_t width, uint32_t height, bool *overview)
{
	bspscene_view view;
	bool above;
	cli_start_view(scene, 0, width, height, &view, &above);
	*overview = *overview || above;
	return view;
}

/* True if a channel has about the same value in all but a few pixels. */
static bool is_alike(const uint32_t counts[256], uint32_t pixels)
{
	enum { CHANGE = 2, STRIP = 32 };   /* values that differ by at most 2 * CHANGE from each other count as equal; at
	                                    * most one pixel in STRIP may have another value */
	uint32_t most = 0, within = 0;
	for (uint32_t value = 0; value < 256; value++) {
		within += counts[value];
		if (value > 2 * CHANGE) within -= counts[value - 2 * CHANGE - 1];
		most = within > most ? within : most;
	}
	return most >= pixels - pixels / STRIP;
}

bool cli_shows_nothing(const uint8_t *rgb, uint32_t width, uint32_t height)
{
	const int least_bright = 8;
	uint32_t counts[PIXEL][256] = { { 0 } }, pixels = width * height;
	bool black = true, alike = true;
	for (size_t i = 0; i < (size_t)pixels * PIXEL; i++) {
		counts[i % PIXEL][rgb[i]]++;
		black = black && rgb[i] < least_bright;
	}
	for (int k = 0; k < PIXEL; k++) alike = alike && is_alike(counts[k], pixels);
	return black || alike;
}

const char *cli_describe_overview(bool roofs, bool turning)
{
	static const char *const words[2][2] = {
		{ "from above, without roofs", "from above, without roofs, turning" },
		{ "from above, with roofs", "from above, with roofs, turning" },
	};
	return words[roofs][turning];
}

void cli_prepare_overview(bspscene_render_options *options)
{
	options->transparent_sky = true;
	options->omit_map_fog = true;
	options->background[0] = 0.16f;
	options->background[1] = 0.17f;
	options->background[2] = 0.19f;
	if (!options->samples) options->samples = 16;
}

static bspscene_render_options options_for(const drawing *d, cli_picture_size size, sight of)
{
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = size.width;
	options.height = size.height;
	options.threads = d->args->threads;
	options.memory_limit = (uint64_t)d->args->memory_limit << 20;
	if (of != AS_PLAYERS_SEE) cli_prepare_overview(&options);
	if (of != AS_PLAYERS_SEE) options.samples = 4;
	options.show_back_faces = of == WITH_ROOFS;
	return options;
}

/* Draws several views into one picture, one below the other. Views from above are brightened by *exposure, which the
 * first such view sets. The caller frees the pixels. Returns NULL, with the error, on failure. */
static uint8_t *draw_strip(drawing *d, const bspscene_view *views, uint32_t count, cli_picture_size size, sight of,
                           float *exposure)
{
	bspscene_render_options options = options_for(d, size, of);
	bool above = of != AS_PLAYERS_SEE;
	if (!d->renderer) d->renderer = bspscene_renderer_create(d->scene, &options, &d->error);
	if (!d->renderer) return NULL;
	size_t view_size = (size_t)size.width * size.height * PIXEL;
	uint8_t *rgb = cli_allocate(count, view_size);
	for (uint32_t i = 0; i < count; i++) {
		if (bspscene_render(d->renderer, &views[i], &options, rgb + i * view_size, &d->error)) continue;
		free(rgb);
		return NULL;
	}
	*exposure = above ? bspscene_auto_expose(rgb, size.width, size.height * count, options.background, 0) : 1;
	return rgb;
}

static uint8_t *draw(drawing *d, const bspscene_view *view, cli_picture_size size, sight of, float *exposure)
{
	return draw_strip(d, view, 1, size, of, exposure);
}

/* ---- From above ------------------------------------------------------------------------------------------- */

static bool write_from_above(drawing *d, cli_picture_kind kind, cli_picture_size size)
{
	bool roofs = kind == CLI_PICTURE_ROOFS;
	bspscene_view view = bspscene_view_overview(d->scene, size.width, size.height);
	cli_picture picture = {
		.name = cli_picture_rows[kind].file, .description = cli_describe_overview(roofs, false),
		.views = &view, .view_count = 1, .width = size.width, .height = size.height,
	};
	uint8_t *rgb = draw(d, &view, size, roofs ? WITH_ROOFS : FROM_ABOVE, &picture.exposure);
	picture.rgb = rgb;
	bool ok = rgb && cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(rgb);
	return ok;
}

static bool write_plan(drawing *d, cli_picture_size size)
{
	float scale;
	if (!(d->scene->bounds.max[0] >= d->scene->bounds.min[0])) return true; /* the map has no bounds, so the picture
	                                                                         * would show nothing */
	bspscene_view view = bspscene_view_plan(d->scene, size.width, size.height, &scale);
	cli_picture picture = {
		.name = cli_picture_rows[CLI_PICTURE_PLAN].file, .views = &view, .view_count = 1,
		.width = size.width, .height = size.height,
	};
	uint8_t *rgb = draw(d, &view, size, FROM_ABOVE, &picture.exposure);
	if (!rgb) return false;
	char *text = cli_draw_scale(d->scene, scale, size.width, size.height, rgb);
	picture.description = text;
	picture.rgb = rgb;
	bool ok = cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(text);
	free(rgb);
	return ok;
}

static bool write_turn(drawing *d, cli_picture_size size)
{
	bspscene_view views[CLI_TURN_FRAMES];
	bspscene_view_turn(d->scene, size.width, size.height, CLI_TURN_FRAMES, views);
	cli_picture picture = {
		.name = cli_picture_rows[CLI_PICTURE_TURN].file, .description = cli_describe_overview(false, true),
		.animated = true, .views = views, .view_count = CLI_TURN_FRAMES,
		.width = size.width, .height = size.height * CLI_TURN_FRAMES,
	};
	uint8_t *rgb = draw_strip(d, views, CLI_TURN_FRAMES, size, FROM_ABOVE, &picture.exposure);
	picture.rgb = rgb;
	bool ok = rgb && cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(rgb);
	return ok;
}

/* ---- What players see ------------------------------------------------------------------------------------- */

static uint8_t *shrink(const uint8_t *rgb, uint32_t width, uint32_t height)
{
	uint8_t *small = cli_allocate((size_t)width * height, PIXEL);
	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width * PIXEL; x++) {
			unsigned sum = TILE_SCALE * TILE_SCALE / 2;
			for (uint32_t k = 0; k < TILE_SCALE * TILE_SCALE; k++) {
				size_t from_y = (size_t)y * TILE_SCALE + k / TILE_SCALE;
				size_t from_x = (size_t)(x / PIXEL) * TILE_SCALE + k % TILE_SCALE;
				sum += rgb[(from_y * width * TILE_SCALE + from_x) * PIXEL + x % PIXEL];
			}
			small[(size_t)y * width * PIXEL + x] = (uint8_t)(sum / (TILE_SCALE * TILE_SCALE));
		}
	}
	return small;
}

static const char *describe_start(uint32_t number, bool above)
{
	if (number) return above ? CLI_START_FROM_ABOVE : CLI_START_ELSEWHERE;
	return above ? "from above, because the map has no player start" : "what a player sees first";
}

static bool write_start(drawing *d, cli_picture_size size)
{
	bool above = false;
	uint32_t number = 0;
	bspscene_view view;
	cli_picture picture = {
		.name = cli_picture_rows[CLI_PICTURE_START].file,
		.views = &view, .view_count = 1, .width = size.width, .height = size.height,
	};
	uint8_t *rgb = NULL;
	for (; cli_start_view(d->scene, number, size.width, size.height, &view, &above); number++) {
		free(rgb);
		rgb = draw(d, &view, size, above ? FROM_ABOVE : AS_PLAYERS_SEE, &picture.exposure);
		if (!rgb || above || !cli_shows_nothing(rgb, size.width, size.height)) break;
	}
	picture.description = describe_start(number, above);
	picture.rgb = rgb;
	bool ok = rgb && cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(rgb);
	return ok;
}

/* Draws a tile. Brightens it if the view is dark. */
static uint8_t *draw_tile(drawing *d, const cli_tile_view *from, cli_picture_size size, float *exposure)
{
	static const float no_background[3] = { -1, -1, -1 };
	uint8_t *rgb = draw(d, &from->view, size, from->above ? FROM_ABOVE : AS_PLAYERS_SEE, exposure);
	if (rgb && !from->above) *exposure = bspscene_auto_expose(rgb, size.width, size.height, no_background, 0);
	return rgb;
}

/* Draws a small picture of the view with its distances, and measures it. */
static bool look_at(drawing *d, const cli_tile_view *from, cli_picture_look *out)
{
	bspscene_render_options options = options_for(d, trial, from->above ? FROM_ABOVE : AS_PLAYERS_SEE);
	uint8_t background[PIXEL];
	float distances[TRIAL_WIDTH * TRIAL_HEIGHT], exposure;
	uint8_t *rgb = draw_tile(d, from, trial, &exposure);
	if (!rgb) return false;
	for (int i = 0; i < PIXEL; i++) background[i] = (uint8_t)(options.background[i] * 255 + 0.5f);
	*out = cli_measure_picture(rgb, trial.width, trial.height, from->above ? background : NULL);
	free(rgb);
	if (from->above) return true;
	if (!bspscene_render_distances(d->renderer, &from->view, &options, distances, &d->error)) return false;
	out->nearness = cli_measure_nearness(distances, TRIAL_WIDTH * TRIAL_HEIGHT);
	return true;
}

/* Chooses the view with the best rating by drawing small pictures. Of equally good views, takes the first. Returns
 * false, with the error, on failure. */
static bool choose_view(drawing *d, cli_picture_size size, cli_tile_view *best, float *rate_of_best)
{
	cli_tile_view views[CLI_MOST_TILE_VIEWS];
	uint32_t count = cli_list_tile_views(d->scene, size.width, size.height, views);
	float highest = 0;
	for (uint32_t i = 0; i < count; i++) {
		cli_picture_look look;
		if (!look_at(d, &views[i], &look)) return false;
		float rate = cli_rate_picture(&look) + views[i].bonus;
		if (i && !(rate > highest)) continue;
		highest = rate;
		*best = views[i];
	}
	*rate_of_best = highest;
	return true;
}

/* Returns the best picture by the map's author if it rates higher than `rate`, else NULL. */
static const cli_level_shot *choose_shot(const drawing *d, float rate)
{
	const cli_level_shot *best = NULL;
	for (uint32_t i = 0; i < d->shots->count; i++) {
		const cli_level_shot *shot = &d->shots->at[i];
		if (!cli_is_shot_large(&shot->pixels)) continue;
		uint8_t *rgb = cli_fit_shot(&shot->pixels, trial);
		cli_picture_look look = cli_measure_picture(rgb, trial.width, trial.height, NULL);
		float own = cli_rate_picture(&look) + CLI_SHOT_BONUS;
		free(rgb);
		if (cli_is_useless(&look) || !(own > rate)) continue;
		rate = own;
		best = shot;
	}
	return best;
}

/* Draws the view larger than the tile and scales it down, for smooth edges. */
static bool write_view_as_tile(drawing *d, cli_picture_size size, cli_tile_view best)
{
	cli_picture_size drawn = { size.width * TILE_SCALE, size.height * TILE_SCALE };
	cli_picture picture = {
		.name = cli_picture_rows[CLI_PICTURE_TILE].file, .description = best.text, .views = &best.view,
		.view_count = 1, .width = size.width, .height = size.height,
	};
	uint8_t *rgb = draw_tile(d, &best, drawn, &picture.exposure);
	if (!rgb) return false;
	uint8_t *small = shrink(rgb, size.width, size.height);
	picture.rgb = small;
	bool ok = cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(small);
	free(rgb);
	return ok;
}

static bool write_shot_as_tile(drawing *d, cli_picture_size size, const cli_level_shot *shot)
{
	uint8_t *rgb = cli_fit_shot(&shot->pixels, size);
	char *text = cli_format("the level shot that its author made: %s", shot->name);
	cli_picture picture = {
		.name = cli_picture_rows[CLI_PICTURE_TILE].file, .description = text, .exposure = 1,
		.width = size.width, .height = size.height, .rgb = rgb,
	};
	bool ok = cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(text);
	free(rgb);
	return ok;
}

static bool write_tile(drawing *d, cli_picture_size size)
{
	cli_picture_size drawn = { size.width * TILE_SCALE, size.height * TILE_SCALE };
	cli_tile_view best;
	float rate;
	if (!choose_view(d, drawn, &best, &rate)) return false;
	const cli_level_shot *shot = choose_shot(d, rate);
	return shot ? write_shot_as_tile(d, size, shot) : write_view_as_tile(d, size, best);
}

/* Chooses spawn points for the sheet. If there are too many, takes them at even intervals. */
static uint32_t choose_spawns(const bspscene_scene *scene, uint32_t out[MOST_VIEWS])
{
	uint32_t spawns = 0, seen = 0, count = 0;
	for (uint32_t i = 0; i < scene->camera_count; i++) spawns += scene->cameras[i]->kind == BSPSCENE_CAMERA_SPAWN;
	uint32_t wanted = spawns < MOST_VIEWS ? spawns : MOST_VIEWS;
	for (uint32_t i = 0; i < scene->camera_count && count < wanted; i++) {
		if (scene->cameras[i]->kind != BSPSCENE_CAMERA_SPAWN) continue;
		if (seen++ * (uint64_t)wanted >= count * (uint64_t)spawns) out[count++] = i;
	}
	return count;
}

/* Draws each view at its place on the sheet. */
static bool fill_sheet(drawing *d, cli_picture *picture, uint32_t columns, cli_picture_size size, uint8_t *sheet)
{
	size_t row_size = (size_t)picture->width * PIXEL, view_row = (size_t)size.width * PIXEL;
	for (uint32_t i = 0; i < picture->view_count; i++) {
		uint8_t *rgb = draw(d, &picture->views[i], size, AS_PLAYERS_SEE, &picture->exposure);
		uint8_t *corner = sheet + (size_t)(i / columns) * size.height * row_size + (i % columns) * view_row;
		if (!rgb) return false;
		for (uint32_t y = 0; y < size.height; y++) memcpy(corner + y * row_size, rgb + y * view_row, view_row);
		free(rgb);
	}
	return true;
}

static bool write_sheet(drawing *d, cli_picture_size size)
{
	uint32_t spawns[MOST_VIEWS], count = choose_spawns(d->scene, spawns);
	if (!count) return true;
	bspscene_view views[MOST_VIEWS];
	for (uint32_t i = 0; i < count; i++) views[i] = bspscene_view_of_camera(d->scene, spawns[i]);
	uint32_t columns = count < SHEET_COLUMNS ? count : SHEET_COLUMNS, rows = (count + columns - 1) / columns;
	uint8_t *sheet = cli_allocate((size_t)rows * size.height, (size_t)columns * size.width * PIXEL);
	char *text = cli_format("from %u places where players start", count);
	cli_picture picture = {
		.name = cli_picture_rows[CLI_PICTURE_SHEET].file, .description = text, .views = views, .view_count = count,
		.width = columns * size.width, .height = rows * size.height, .rgb = sheet,
	};
	bool ok = fill_sheet(d, &picture, columns, size, sheet) &&
	          cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(text);
	free(sheet);
	return ok;
}

/* ---- All pictures ----------------------------------------------------------------------------------------- */

static bool write_kind(drawing *d, cli_picture_kind kind, cli_picture_size size)
{
	switch (kind) {
	case CLI_PICTURE_START: return write_start(d, size);
	case CLI_PICTURE_TILE: return write_tile(d, size);
	case CLI_PICTURE_SHEET: return write_sheet(d, size);
	case CLI_PICTURE_OVERVIEW:
	case CLI_PICTURE_ROOFS: return write_from_above(d, kind, size);
	case CLI_PICTURE_PLAN: return write_plan(d, size);
	case CLI_PICTURE_TURN: return write_turn(d, size);
	case CLI_PICTURE_KINDS: break;
	}
	return true;
}

bool cli_write_pictures(const bspscene_scene *scene, const cli_level_shots *shots,
                        const cli_picture_size sizes[CLI_PICTURE_KINDS], const cli_args *args, cli_output *output)
{
	drawing d = { .scene = scene, .shots = shots, .args = args, .output = output };
	bool ok = true;
	for (int kind = 0; ok && kind < CLI_PICTURE_KINDS; kind++) {
		if (sizes[kind].width) ok = write_kind(&d, (cli_picture_kind)kind, sizes[kind]);
	}
	bspscene_renderer_free(d.renderer);
	if (!ok) cli_output_report(output, &d.error);
	return ok && cli_output_commit(output);
}

#else

bool cli_can_draw(void)
{
	return false;
}

bool cli_write_pictures(const bspscene_scene *scene, const cli_level_shots *shots,
                        const cli_picture_size sizes[CLI_PICTURE_KINDS], const cli_args *args, cli_output *output)
{
	(void)scene;
	(void)shots;
	(void)sizes;
	(void)args;
	(void)output;
	cli_fail("cannot be drawn: this build of bspscene has no renderer (it needs Embree)");
	return false;
}

#endif
