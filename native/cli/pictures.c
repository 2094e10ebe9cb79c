/* pictures.c - a scene to the pictures that archives keep. See pictures.h. */
#include "pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture_file.h"
#include "plan_scale.h"
#include "report.h"

void cli_picture_load_options(bspscene_load_options *options)
{
	bspscene_load_options_init(options);
	options->include = BSPSCENE_INCLUDE_SKY;
	options->no_normal_maps = true;
	options->identify = true;
	options->patch_error = 1;
}

#ifdef CLI_HAVE_RENDER

bool cli_can_draw(void)
{
	return true;
}

enum {
	WIDTH = 640,
	HEIGHT = 480,         /* of start.png */
	OVERVIEW_WIDTH = 800,
	OVERVIEW_HEIGHT = 600,
	PLAN_SIDE = 800,
	SHEET_COLUMNS = 4,
	MOST_VIEWS = 12,
	VIEW_WIDTH = 320,
	VIEW_HEIGHT = 240,
	TILE_SCALE = 2,					/* start.png is so many times as wide as tile.png */
	PIXEL = 3
};

typedef enum sight { AS_PLAYERS_SEE, FROM_ABOVE, WITH_ROOFS } sight;

/* An overview and a plan show the whole map; the rest is what players see. */
typedef struct drawing {
	const bspscene_scene *scene;
	const cli_args *args;
	cli_output *output;
	bspscene_renderer *inside, *above; /* with and without the sky */
	bspscene_error error;
} drawing;

bspscene_view cli_first_view(const bspscene_scene *scene, uint32_t width, uint32_t height, bool *overview)
{
	static const bspscene_camera_kind order[] = {
		BSPSCENE_CAMERA_INTERMISSION,
		BSPSCENE_CAMERA_SPAWN,
		BSPSCENE_CAMERA_OTHER,
	};
	for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
		for (uint32_t i = 0; i < scene->camera_count; i++) {
			if (scene->cameras[i].kind == order[k]) return bspscene_view_of_camera(scene, i);
		}
	}
	*overview = true;
	return bspscene_view_overview(scene, width, height);
}

const char *cli_describe_overview(bool roofs)
{
	return roofs ? "from above, with roofs" : "from above, without roofs";
}

void cli_prepare_overview(bspscene_render_options *options)
{
	options->without_sky = true;
	options->without_fog = true;
	options->background[0] = 0.16f;
	options->background[1] = 0.17f;
	options->background[2] = 0.19f;
	if (!options->samples) options->samples = 16;
}

static bspscene_render_options options_for(const drawing *d, uint32_t width, uint32_t height, sight of)
{
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = width;
	options.height = height;
	options.threads = d->args->jobs > 1; /* several maps are drawn at once, or one by all processors */
	options.memory_limit = (uint64_t)d->args->memory_limit << 20;
	if (of != AS_PLAYERS_SEE) cli_prepare_overview(&options);
	if (of != AS_PLAYERS_SEE) options.samples = 4;
	options.both_sides = of == WITH_ROOFS;
	return options;
}

/* Pixels of one view, to be freed; NULL with the error. Pictures from above get the exposure that *exposure then
 * says. */
static uint8_t *draw(drawing *d, const bspscene_view *view, uint32_t width, uint32_t height, sight of,
                     float *exposure)
{
	bspscene_render_options options = options_for(d, width, height, of);
	bool above = of != AS_PLAYERS_SEE;
	bspscene_renderer **renderer = above ? &d->above : &d->inside;
	if (!*renderer) *renderer = bspscene_renderer_create(d->scene, &options, &d->error);
	if (!*renderer) return NULL;
	uint8_t *rgb = cli_allocate((size_t)width * height, PIXEL);
	if (bspscene_render(*renderer, view, &options, rgb, &d->error)) {
		*exposure = above ? bspscene_brighten(rgb, width, height, options.background, 0) : 1;
		return rgb;
	}
	free(rgb);
	return NULL;
}

/* ---- Overview and plan ------------------------------------------------------------------------------------ */

static bool write_overview(drawing *d, sight of)
{
	bspscene_view view = bspscene_view_overview(d->scene, OVERVIEW_WIDTH, OVERVIEW_HEIGHT);
	bool roofs = of == WITH_ROOFS;
	cli_picture picture = {
		.name = roofs ? "roofs.png" : "overview.png", .description = cli_describe_overview(roofs),
		.views = &view, .view_count = 1, .width = OVERVIEW_WIDTH, .height = OVERVIEW_HEIGHT,
	};
	uint8_t *rgb = draw(d, &view, OVERVIEW_WIDTH, OVERVIEW_HEIGHT, of, &picture.exposure);
	picture.rgb = rgb;
	bool ok = rgb && cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(rgb);
	return ok;
}

static bool write_plan(drawing *d)
{
	float scale;
	if (!(d->scene->bounds.max[0] >= d->scene->bounds.min[0])) return true; /* nothing is shown */
	bspscene_view view = bspscene_view_plan(d->scene, PLAN_SIDE, PLAN_SIDE, &scale);
	cli_picture picture = {
		.name = "plan.png", .views = &view, .view_count = 1, .width = PLAN_SIDE, .height = PLAN_SIDE,
	};
	uint8_t *rgb = draw(d, &view, PLAN_SIDE, PLAN_SIDE, FROM_ABOVE, &picture.exposure);
	if (!rgb) return false;
	char *text = cli_draw_scale(d->scene, scale, PLAN_SIDE, PLAN_SIDE, rgb);
	picture.description = text;
	picture.rgb = rgb;
	bool ok = cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(text);
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

static bool write_start(drawing *d)
{
	bool above = false;
	bspscene_view view = cli_first_view(d->scene, WIDTH, HEIGHT, &above);
	cli_picture picture = { .name = "start.png", .views = &view, .view_count = 1, .width = WIDTH, .height = HEIGHT };
	uint8_t *rgb = draw(d, &view, WIDTH, HEIGHT, above ? FROM_ABOVE : AS_PLAYERS_SEE, &picture.exposure);
	if (!rgb) return false;
	picture.description = above ? "from above: the map has no place to start" : "what a player sees first";
	picture.rgb = rgb;
	uint8_t *small = shrink(rgb, WIDTH / TILE_SCALE, HEIGHT / TILE_SCALE);
	cli_picture tile = picture;
	tile.name = "tile.png";
	tile.width /= TILE_SCALE;
	tile.height /= TILE_SCALE;
	tile.rgb = small;
	bool ok = cli_save_picture(d->scene, &picture, d->output, &d->error) &&
	          cli_save_picture(d->scene, &tile, d->output, &d->error);
	free(small);
	free(rgb);
	return ok;
}

/* Spawn points, spread over all of them when there are too many. */
static uint32_t choose_spawns(const bspscene_scene *scene, uint32_t out[MOST_VIEWS])
{
	uint32_t spawns = 0, seen = 0, count = 0;
	for (uint32_t i = 0; i < scene->camera_count; i++) spawns += scene->cameras[i].kind == BSPSCENE_CAMERA_SPAWN;
	uint32_t wanted = spawns < MOST_VIEWS ? spawns : MOST_VIEWS;
	for (uint32_t i = 0; i < scene->camera_count && count < wanted; i++) {
		if (scene->cameras[i].kind != BSPSCENE_CAMERA_SPAWN) continue;
		if (seen++ * (uint64_t)wanted >= count * (uint64_t)spawns) out[count++] = i;
	}
	return count;
}

/* Draws the views into the sheet, each in its place. */
static bool fill_sheet(drawing *d, cli_picture *picture, uint32_t columns, uint8_t *sheet)
{
	size_t row_size = (size_t)picture->width * PIXEL, view_row = (size_t)VIEW_WIDTH * PIXEL;
	for (uint32_t i = 0; i < picture->view_count; i++) {
		uint8_t *rgb = draw(d, &picture->views[i], VIEW_WIDTH, VIEW_HEIGHT, AS_PLAYERS_SEE, &picture->exposure);
		uint8_t *corner = sheet + (size_t)(i / columns) * VIEW_HEIGHT * row_size + (i % columns) * view_row;
		if (!rgb) return false;
		for (uint32_t y = 0; y < VIEW_HEIGHT; y++) memcpy(corner + y * row_size, rgb + y * view_row, view_row);
		free(rgb);
	}
	return true;
}

static bool write_sheet(drawing *d)
{
	uint32_t spawns[MOST_VIEWS], count = choose_spawns(d->scene, spawns);
	if (!count) return true;
	bspscene_view views[MOST_VIEWS];
	for (uint32_t i = 0; i < count; i++) views[i] = bspscene_view_of_camera(d->scene, spawns[i]);
	uint32_t columns = count < SHEET_COLUMNS ? count : SHEET_COLUMNS, rows = (count + columns - 1) / columns;
	uint8_t *sheet = cli_allocate((size_t)rows * VIEW_HEIGHT, (size_t)columns * VIEW_WIDTH * PIXEL);
	char *text = cli_format("from %u places where players start", count);
	cli_picture picture = {
		.name = "sheet.png", .description = text, .views = views, .view_count = count,
		.width = columns * VIEW_WIDTH, .height = rows * VIEW_HEIGHT, .rgb = sheet,
	};
	bool ok = fill_sheet(d, &picture, columns, sheet) && cli_save_picture(d->scene, &picture, d->output, &d->error);
	free(text);
	free(sheet);
	return ok;
}

bool cli_write_pictures(const bspscene_scene *scene, const cli_args *args, cli_output *output)
{
	drawing d = { .scene = scene, .args = args, .output = output };
	bool ok = write_start(&d) && write_sheet(&d);
	bspscene_renderer_free(d.inside);
	d.inside = NULL;
	ok = ok && write_overview(&d, FROM_ABOVE) && write_overview(&d, WITH_ROOFS) && write_plan(&d);
	bspscene_renderer_free(d.above);
	if (!ok) cli_output_report(output, &d.error);
	return ok && cli_output_commit(output);
}

#else

bool cli_can_draw(void)
{
	return false;
}

bool cli_write_pictures(const bspscene_scene *scene, const cli_args *args, cli_output *output)
{
	(void)scene;
	(void)args;
	(void)output;
	cli_fail("cannot be drawn: this build of bspscene has no renderer (it needs Embree)");
	return false;
}

#endif
