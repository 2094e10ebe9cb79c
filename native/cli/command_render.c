/* command_render.c - bspscene render: a picture of a map, a sheet of them, or an animation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "animation.h"
#include "commands.h"
#include "names.h"
#include "output.h"
#include "picture_file.h"
#include "pictures.h"
#include "plan_scale.h"
#include "progress.h"
#include "report.h"
#include "source.h"

#ifdef CLI_HAVE_RENDER
#include <bspscene/render.h>

/* Sheets stay a size that viewers open. */
#define LARGEST_SHEET_SIDE 16384u
#define SHEET_GAP 4u
#define TURN_SAMPLES 4u

/* The frames of an animation are a sheet of one column without gaps. */
typedef struct sheet {
	uint32_t width, height;            /* of each view */
	uint32_t columns, rows, count, gap;
	bspscene_view *views;              /* `count` */
	bool overview;                     /* the one view is from above, or all of a turn are */
	float units_per_pixel;             /* of a plan; else 0 */
	float exposure;
	uint32_t full_width, full_height;  /* of all of them */
	uint8_t *rgb;
	size_t row_size;
} sheet;

/* "info_player_deathmatch:2" */
static bool entity_view(const bspscene_scene *scene, const char *text, bspscene_view *view)
{
	const char *colon = strrchr(text, ':');
	unsigned long number = colon ? strtoul(colon + 1, NULL, 10) : 0;
	char *classname = cli_format("%.*s", (int)(colon ? (size_t)(colon - text) : strlen(text)), text);
	bool found = number < UINT32_MAX && bspscene_view_of_entity(scene, classname, (uint32_t)number, view);
	free(classname);
	return found;
}

static bool choose_view(const bspscene_scene *scene, const cli_args *args, sheet *s)
{
	bspscene_view *view = &s->views[0];
	s->overview = args->overview || args->plan;
	if (args->has_camera) {
		const float *camera = args->camera;
		*view = (bspscene_view){ { camera[0], camera[1], camera[2] }, camera[3], camera[4], camera[5], 90 };
	} else if (args->plan) {
		*view = bspscene_view_plan(scene, s->width, s->height, &s->units_per_pixel);
	} else if (args->overview) {
		*view = bspscene_view_overview(scene, s->width, s->height);
	} else if (args->entity) {
		if (!entity_view(scene, args->entity, view)) {
			cli_fail("%s: cannot be rendered: it has no entity %s", args->source, args->entity);
			return false;
		}
	} else {
		*view = cli_first_view(scene, s->width, s->height, &s->overview);
	}
	if (args->fov_degrees > 0 && !s->overview) view->fov_degrees = args->fov_degrees;
	return true;
}

static bool choose_views(const bspscene_scene *scene, const cli_args *args, sheet *s)
{
	if (args->turn) {
		s->overview = true;
		bspscene_view_turn(scene, s->width, s->height, s->count, s->views);
		return true;
	}
	if (!args->every) return choose_view(scene, args, s);
	for (uint32_t i = 0; i < s->count; i++) bspscene_view_of_entity(scene, args->every, i, &s->views[i]);
	return true;
}

static uint32_t count_entities(const bspscene_scene *scene, const char *classname)
{
	bspscene_view view;
	uint32_t count = 0;
	while (bspscene_view_of_entity(scene, classname, count, &view)) count++;
	return count;
}

/* How large the views are, how many and in what rows: as square as it goes. */
static void lay_out(const bspscene_scene *scene, const cli_args *args, sheet *s)
{
	static const uint32_t widths[] = { 320, 480, 640 };
	uint32_t width = widths[args->every ? 0 : args->turn ? 1 : 2];
	s->width = args->width ? args->width : width;
	s->height = args->height ? args->height : width * 3 / 4;
	s->gap = args->turn ? 0 : SHEET_GAP;
	s->count = 1;
	if (args->every) s->count = count_entities(scene, args->every);
	if (args->turn) s->count = args->frames ? args->frames : CLI_TURN_FRAMES;
	for (s->columns = 1; !args->turn && s->columns * s->columns < s->count; s->columns++) continue;
	s->rows = (s->count + s->columns - 1) / s->columns;
}

/* Is the sheet one that viewers open, or the animation one that WebP and memory have room for? */
static bool is_size_fit(const cli_args *args, const sheet *s, uint64_t width, uint64_t height)
{
	const uint64_t most_pixels = (uint64_t)LARGEST_SHEET_SIDE * LARGEST_SHEET_SIDE;
	if (args->turn && (s->width > CLI_LARGEST_FRAME_SIDE || s->height > CLI_LARGEST_FRAME_SIDE)) {
		cli_fail("%s: cannot be rendered: WebP has at most %u pixels a side; give a smaller --size", args->output,
		         CLI_LARGEST_FRAME_SIDE);
		return false;
	}
	if (args->turn && width * height > most_pixels) {
		cli_fail("%s: cannot be rendered: %u pictures of %ux%u are too much; give a smaller --size or fewer --frames",
		         args->output, s->count, s->width, s->height);
		return false;
	}
	if (!args->turn && (width > LARGEST_SHEET_SIDE || height > LARGEST_SHEET_SIDE)) {
		cli_fail("%s: cannot be rendered: %u views of %ux%u make a sheet of more than %u pixels a side; give a smaller "
		         "--size",
		         args->output, s->count, s->width, s->height, LARGEST_SHEET_SIDE);
		return false;
	}
	return true;
}

static bool arrange(const bspscene_scene *scene, const cli_args *args, sheet *s)
{
	lay_out(scene, args, s);
	if (!s->count) {
		cli_fail("%s: cannot be rendered: it has no entity %s", args->source, args->every);
		return false;
	}
	uint64_t width = (uint64_t)s->columns * (s->width + s->gap) - s->gap,
	         height = (uint64_t)s->rows * (s->height + s->gap) - s->gap;
	if (!is_size_fit(args, s, width, height)) return false;
	s->full_width = (uint32_t)width;
	s->full_height = (uint32_t)height;
	s->row_size = (size_t)width * 3;
	s->rgb = cli_allocate((size_t)height, s->row_size);
	s->views = cli_allocate(s->count, sizeof *s->views);
	s->exposure = 1;
	return true;
}

static bspscene_render_options render_options(const cli_args *args, const sheet *s, cli_progress *progress)
{
	static const bspscene_render_mode modes[] = {
		[CLI_MODE_FULL] = BSPSCENE_RENDER_FULL, [CLI_MODE_LIGHTMAP] = BSPSCENE_RENDER_LIGHTMAP,
		[CLI_MODE_TEXTURE] = BSPSCENE_RENDER_TEXTURE,
	};
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = s->width;
	options.height = s->height;
	options.samples = args->samples;
	if (args->turn && !args->samples) options.samples = TURN_SAMPLES;
	options.threads = args->threads;
	options.mode = modes[args->mode];
	options.intensity = args->intensity;
	options.time = args->time;
	options.world_only = args->world_only;
	options.pvs = args->pvs;
	options.both_sides = args->roofs;
	options.memory_limit = (uint64_t)args->memory_limit << 20;
	options.light_styles = args->light_styles;
	options.progress = cli_progress_step;
	options.progress_user = progress;
	return options;
}

/* Of the whole time until the picture is begun, as measured on ten maps (tests/bench/bench_progress.c). */
#define LOAD_SHARE 0.06
#define BEGIN_SHARE 0.1

/* Where picture `index` of the sheet begins in the bar. */
static double begin_of(const sheet *s, uint32_t index)
{
	return BEGIN_SHARE + (1 - BEGIN_SHARE) * index / s->count;
}

/* All views of a sheet alike, so that they can be compared. */
static void expose(const cli_args *args, sheet *s, const float background[3])
{
	float factor = args->exposure;
	if (factor == 0.0f) factor = s->overview && args->intensity <= 0 ? CLI_EXPOSURE_AUTO : 1;
	s->exposure = bspscene_brighten(s->rgb, s->full_width, s->full_height, background, fmaxf(factor, 0));
}

static bool draw(const bspscene_scene *scene, const cli_args *args, sheet *s, bspscene_error *error)
{
	cli_progress progress;
	cli_progress_begin(&progress, args, LOAD_SHARE, BEGIN_SHARE);
	bspscene_render_options options = render_options(args, s, &progress);
	bool ok = choose_views(scene, args, s);
	if (s->overview) cli_prepare_overview(&options);
	bspscene_renderer *renderer = ok ? bspscene_renderer_create(scene, &options, error) : NULL;
	uint8_t *rgb = renderer ? cli_allocate((size_t)s->width * s->height, 3) : NULL;
	ok = renderer != NULL;
	for (uint32_t i = 0; ok && i < s->count; i++) {
		cli_progress_part(&progress, begin_of(s, i), begin_of(s, i + 1));
		ok = bspscene_render(renderer, &s->views[i], &options, rgb, error);
		size_t corner = (size_t)(i / s->columns) * (s->height + s->gap) * s->row_size +
		                (size_t)(i % s->columns) * (s->width + s->gap) * 3;
		for (uint32_t y = 0; ok && y < s->height; y++) {
			memcpy(s->rgb + corner + y * s->row_size, rgb + (size_t)y * s->width * 3, (size_t)s->width * 3);
		}
	}
	if (ok) expose(args, s, options.background);
	free(rgb);
	bspscene_renderer_free(renderer);
	cli_progress_end(&progress);
	return ok;
}

/* What is seen, for the file's text. */
static char *describe(const cli_args *args, const sheet *s)
{
	static const char *const modes[] = {
		[CLI_MODE_FULL] = "",
		[CLI_MODE_LIGHTMAP] = "; the lightmaps alone",
		[CLI_MODE_TEXTURE] = "; textures without light",
	};
	const char *what = "what a player sees first";
	if (s->overview) what = cli_describe_overview(args->roofs, args->turn);
	else if (args->has_camera) what = "from a place that was given";
	if (args->every) return cli_format("from each %s%s", args->every, modes[args->mode]);
	if (args->entity) return cli_format("from %s%s", args->entity, modes[args->mode]);
	return cli_format("%s%s", what, modes[args->mode]);
}

static cli_exit save(const bspscene_scene *scene, const cli_source *source, const cli_args *args, sheet *s)
{
	char *description = s->units_per_pixel > 0
	                        ? cli_draw_scale(scene, s->units_per_pixel, s->full_width, s->full_height, s->rgb)
	                        : describe(args, s);
	cli_picture picture = {
		.description = description, .animated = args->turn, .views = s->views, .view_count = s->count,
		.exposure = s->exposure, .width = s->full_width, .height = s->full_height, .rgb = s->rgb,
	};
	bspscene_error error = { .status = BSPSCENE_OK };
	cli_output output;
	cli_exit status = CLI_FAILED;
	if (cli_output_open_file(&output, source, args->output, &picture.name)) {
		if (!cli_save_picture(scene, &picture, &output, &error)) status = cli_output_report(&output, &error);
		else if (cli_output_commit(&output)) status = CLI_DONE;
	}
	cli_output_close(&output);
	free(description);
	return status;
}

static void fail(const cli_args *args, const bspscene_error *error)
{
	char *prefix = cli_format("%s: cannot be rendered: ", args->source);
	cli_fail_error(prefix, error);
	free(prefix);
}

static cli_exit render(const bspscene_scene *scene, const cli_source *source, const cli_args *args)
{
	sheet s = { 0 };
	bspscene_error error = { .status = BSPSCENE_OK };
	cli_exit status = CLI_FAILED;
	if (arrange(scene, args, &s)) {
		if (draw(scene, args, &s, &error)) status = save(scene, source, args, &s);
		else if (error.status) fail(args, &error);
	}
	free(s.views);
	free(s.rgb);
	return status;
}

/* CLI_DONE: the options fit each other and the output. */
static cli_exit check(const cli_args *args)
{
	int views = args->has_camera + (args->entity != NULL) + (args->every != NULL) + args->overview + args->plan;
	if (views + args->turn > 1) {
		return cli_usage("render: --camera, --entity, --every, --overview, --plan and --turn exclude each other");
	}
	if (args->frames && !args->turn) return cli_usage("render: --frames are those of --turn");
	if (strcasecmp(cli_ending(args->output), args->turn ? "webp" : "png") != 0) {
		return cli_usage("%s: the ending names no format that is written: .png, or .webp with --turn", args->output);
	}
	if (args->turn && !cli_can_animate()) {
		return cli_fail("%s: cannot be written: this build of bspscene makes no animations (it needs libwebpmux)",
		                args->output);
	}
	return CLI_DONE;
}

static cli_exit run(const cli_args *args)
{
	cli_exit status = check(args);
	if (status != CLI_DONE) return status;
	bspscene_load_options options;
	cli_picture_load_options(&options);
	cli_source source;
	bspscene_scene *scene = cli_load(&source, args, &options, LOAD_SHARE, &status);
	if (scene) status = render(scene, &source, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}
#else
static cli_exit run(const cli_args *args)
{
	return cli_fail("%s: cannot be rendered: this build of bspscene has no renderer (it needs Embree)", args->source);
}
#endif

const cli_command cli_command_render = {
	.name = "render",
	.operands = "SOURCE OUT.png",
	.summary = "a picture of a map",
	.details =
		"Draws a map as its game does, from a camera of the map (the intermission, else the first start) or from\n"
		"the one given. --mode lightmap shows the lightmaps alone, without intensity. The picture's text (PNG's iTXt,\n"
		"WebP's XMP) says which map it is, by name and SHA-256, and from where it was taken.",
	.examples =
		"  bspscene render maps/atrium.bsp atrium.png\n"
		"  bspscene render maps/atrium.bsp above.png --overview --size 1600x1200\n"
		"  bspscene render maps/atrium.bsp plan.png --plan --size 1000x1000\n"
		"  bspscene render maps/atrium.bsp turning.webp --turn --frames 120\n"
		"  bspscene render maps/atrium.bsp start.png --entity info_player_deathmatch:2 --fov 100\n"
		"  bspscene render maps/atrium.bsp sheet.png --every info_player_deathmatch\n",
	.options = CLI_OPTIONS_MAP | CLI_OPTION_LUMP_PATCHES | CLI_OPTION_GAME | CLI_OPTION_MODELS |
	           CLI_OPTION_MISSING | CLI_OPTION_ENGINE |
		CLI_OPTION_PALETTE | CLI_OPTION_SIZE | CLI_OPTION_FOV | CLI_OPTION_CAMERA | CLI_OPTION_ENTITY |
		CLI_OPTION_EVERY | CLI_OPTION_OVERVIEW | CLI_OPTION_PLAN | CLI_OPTION_TURN |
		CLI_OPTION_FRAMES | CLI_OPTION_ROOFS |
		CLI_OPTION_MODE | CLI_OPTION_INTENSITY | CLI_OPTION_EXPOSURE |
		CLI_OPTION_WORLD_ONLY | CLI_OPTION_PVS | CLI_OPTION_TIME | CLI_OPTION_SAMPLES | CLI_OPTION_LIGHT_STYLE |
		CLI_OPTION_THREADS,
	.operand_count = 2,
	.run = run,
};
