/* command_render.c - bspscene render: draws a map as a picture, a sheet of pictures or an animation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "archive/pictures/animation.h"
#include "archive/pictures/panorama.h"
#include "cli/commands/commands.h"
#include "cli/options/option_rows.h"
#include "cli/options/render_options.h"
#include "cli/names.h"
#include "cli/output.h"
#include "cli/picture_format.h"
#include "archive/pictures/picture_file.h"
#include "archive/pictures/pictures.h"
#include "archive/pictures/plan_scale.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/shares.h"
#include "cli/command_source.h"

static const cli_render_options *own_of(const cli_args *args) { return args->own; }

#ifdef CLI_HAVE_RENDER
#include <bspscene/render_binding.h>

/* Largest width and height of a sheet in pixels. Many viewers do not open larger pictures. */
#define LARGEST_SHEET_SIDE 16384u
#define SHEET_GAP 4u
#define TURN_SAMPLES 4u

/* A sheet of views. The frames of an animation are a sheet with one column and no gaps. */
typedef struct sheet {
	uint32_t width, height;            /* size of each view in pixels */
	uint32_t columns, rows, count, gap;
	bspscene_view *views;              /* array of `count` views */
	bool at_start;                     /* the single view is from a player start */
	uint32_t start;                    /* index of that player start */
	bool overview;                     /* the single view, or all views of a turn, are from above */
	bool bare;                         /* the map has neither lightmaps nor textures */
	float units_per_pixel;             /* game units per pixel of a plan; else 0 */
	float exposure;                    /* brightness factor for all views; 1: unchanged */
	uint32_t full_width, full_height;  /* size of the whole sheet in pixels */
	uint8_t *rgb;
	size_t row_size;
} sheet;

/* Finds the view of an entity from text such as "info_player_deathmatch:2": its class and index. */
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
	s->overview = own_of(args)->overview || own_of(args)->plan;
	if (own_of(args)->has_camera) {
		const float *camera = own_of(args)->camera;
		*view = (bspscene_view){ { camera[0], camera[1], camera[2] }, camera[3], camera[4], camera[5], 90 };
	} else if (own_of(args)->plan) {
		*view = bspscene_view_plan(scene, s->width, s->height, &s->units_per_pixel);
	} else if (own_of(args)->overview) {
		*view = bspscene_view_overview(scene, s->width, s->height);
	} else if (own_of(args)->entity) {
		if (!entity_view(scene, own_of(args)->entity, view)) {
			cli_fail("%s: cannot be rendered: the map has no entity %s; \"bspscene entities\" lists them", args->source,
			         own_of(args)->entity);
			return false;
		}
	} else {
		*view = cli_first_view(scene, s->width, s->height, &s->overview);
		s->at_start = !s->overview;
	}
	if (own_of(args)->fov_degrees > 0 && !s->overview) view->fov_degrees = own_of(args)->fov_degrees;
	return true;
}

static bool choose_views(const bspscene_scene *scene, const cli_args *args, sheet *s)
{
	if (own_of(args)->turn) {
		s->overview = true;
		bspscene_view_turn(scene, s->width, s->height, s->count, s->views);
		return true;
	}
	if (!own_of(args)->every) return choose_view(scene, args, s);
	for (uint32_t i = 0; i < s->count; i++) bspscene_view_of_entity(scene, own_of(args)->every, i, &s->views[i]);
	return true;
}

static uint32_t count_entities(const bspscene_scene *scene, const char *classname)
{
	bspscene_view view;
	uint32_t count = 0;
	while (bspscene_view_of_entity(scene, classname, count, &view)) count++;
	return count;
}

/* Computes the layout of the sheet, as square as possible. */
static void lay_out(const bspscene_scene *scene, const cli_args *args, sheet *s)
{
	static const uint32_t widths[] = { 320, 480, 640 };
	uint32_t width = widths[own_of(args)->every ? 0 : own_of(args)->turn ? 1 : 2];
	s->width = args->width ? args->width : width;
	s->height = args->height ? args->height : width * 3 / 4;
	s->gap = own_of(args)->turn ? 0 : SHEET_GAP;
	s->count = 1;
	if (own_of(args)->every) s->count = count_entities(scene, own_of(args)->every);
	if (own_of(args)->turn) s->count = own_of(args)->frames ? own_of(args)->frames : CLI_TURN_FRAMES;
	for (s->columns = 1; !own_of(args)->turn && s->columns * s->columns < s->count; s->columns++) continue;
	s->rows = (s->count + s->columns - 1) / s->columns;
}

/* True if the picture is small enough: a sheet for viewers, an animation for WebP and for memory. Otherwise prints an
 * error. */
static bool is_size_fit(const cli_args *args, const sheet *s, uint64_t width, uint64_t height)
{
	const uint64_t most_pixels = (uint64_t)LARGEST_SHEET_SIDE * LARGEST_SHEET_SIDE;
	if (own_of(args)->turn && (s->width > CLI_LARGEST_FRAME_SIDE || s->height > CLI_LARGEST_FRAME_SIDE)) {
		cli_fail("%s: cannot be rendered: WebP has at most %u pixels a side; give a smaller --size", args->output,
		         CLI_LARGEST_FRAME_SIDE);
		return false;
	}
	if (own_of(args)->turn && width * height > most_pixels) {
		cli_fail("%s: cannot be rendered: %u pictures of %ux%u are too much; give a smaller --size or fewer --frames",
		         args->output, s->count, s->width, s->height);
		return false;
	}
	if (!own_of(args)->turn && (width > LARGEST_SHEET_SIDE || height > LARGEST_SHEET_SIDE)) {
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
		cli_fail("%s: cannot be rendered: the map has no entity %s; \"bspscene entities\" lists them", args->source,
		         own_of(args)->every);
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
	options.samples = own_of(args)->samples;
	if (own_of(args)->turn && !own_of(args)->samples) options.samples = TURN_SAMPLES;
	options.threads = args->threads;
	options.mode = modes[own_of(args)->mode];
	options.intensity = own_of(args)->intensity;
	options.time = own_of(args)->time;
	options.world_only = own_of(args)->world_only;
	options.use_pvs = own_of(args)->pvs;
	options.show_back_faces = own_of(args)->roofs;
	options.level = own_of(args)->level;
	options.memory_limit = (uint64_t)args->memory_limit << 20;
	options.light_styles = args->light_styles;
	options.progress = cli_progress_step;
	options.progress_user = progress;
	return options;
}

/* Returns where picture `index` of the sheet begins on the progress bar. */
static double begin_of(const sheet *s, uint32_t index)
{
	return CLI_RENDER_BEGUN + (1 - CLI_RENDER_BEGUN) * index / s->count;
}

/* Brightens all views of a sheet by the same factor, so that they can be compared. */
static void expose(const cli_args *args, sheet *s, const float background[3])
{
	float factor = own_of(args)->exposure;
	if (factor == 0.0f) factor = s->overview && own_of(args)->intensity <= 0 ? CLI_EXPOSURE_AUTO : 1;
	s->exposure = bspscene_auto_expose(s->rgb, s->full_width, s->full_height, background, fmaxf(factor, 0));
}

/* Draws a view. If it shows only one color, tries the next player start. */
static bool draw_view(const bspscene_scene *scene, const cli_args *args, sheet *s, bspscene_renderer *renderer,
                      uint32_t index, bspscene_render_options *options, uint8_t *rgb, bspscene_error *error)
{
	bspscene_view *view = &s->views[index];
	bool ok = bspscene_render(renderer, view, options, rgb, error);
	while (ok && s->at_start && !s->overview && cli_shows_nothing(rgb, s->width, s->height)) {
		if (!cli_start_view(scene, ++s->start, s->width, s->height, view, &s->overview)) break;
		if (s->overview) cli_prepare_overview(options);
		else if (own_of(args)->fov_degrees > 0) view->fov_degrees = own_of(args)->fov_degrees;
		ok = bspscene_render(renderer, view, options, rgb, error);
	}
	return ok;
}

static bool draw(const bspscene_scene *scene, const cli_args *args, sheet *s, bspscene_error *error)
{
	cli_progress progress;
	cli_progress_begin(&progress, args, CLI_RENDER_LOADED, CLI_RENDER_BEGUN);
	bspscene_render_options options = render_options(args, s, &progress);
	bool ok = choose_views(scene, args, s);
	if (s->overview) cli_prepare_overview(&options);
	bspscene_renderer *renderer = ok ? bspscene_renderer_create(scene, &options, error) : NULL;
	uint8_t *rgb = renderer ? cli_allocate((size_t)s->width * s->height, 3) : NULL;
	ok = renderer != NULL;
	s->bare = ok && bspscene_renderer_is_bare(renderer);
	for (uint32_t i = 0; ok && i < s->count; i++) {
		cli_progress_part(&progress, begin_of(s, i), begin_of(s, i + 1));
		ok = draw_view(scene, args, s, renderer, i, &options, rgb, error);
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
	if (ok && s->start) {
		cli_warn(args, "the view from the first player start has only one color: drawn from %s",
		         s->overview ? "above" : "another start");
	}
	if (ok && s->bare) {
		cli_warn(args, "the map has neither light nor textures: surfaces are shaded by their direction");
	}
	return ok;
}

/* Describes the view for the metadata of the file. */
static char *describe(const cli_args *args, const sheet *s)
{
	static const char *const modes[] = {
		[CLI_MODE_FULL] = "",
		[CLI_MODE_LIGHTMAP] = "; the lightmaps alone",
		[CLI_MODE_TEXTURE] = "; textures without light",
	};
	const char *what = "what a player sees first";
	if (s->start) what = s->overview ? CLI_START_FROM_ABOVE : CLI_START_ELSEWHERE;
	else if (s->overview) what = cli_describe_overview(own_of(args)->roofs, own_of(args)->turn);
	else if (own_of(args)->has_camera) what = "from a place that was given";
	if (own_of(args)->every) return cli_format("from each %s%s", own_of(args)->every, modes[own_of(args)->mode]);
	if (own_of(args)->entity) return cli_format("from %s%s", own_of(args)->entity, modes[own_of(args)->mode]);
	return cli_format("%s%s", what, modes[own_of(args)->mode]);
}

static cli_exit save(const bspscene_scene *scene, const cli_source *source, const cli_args *args, sheet *s)
{
	char *description = s->units_per_pixel > 0
	                        ? cli_draw_scale(scene, s->units_per_pixel, s->full_width, s->full_height, s->rgb)
	                        : describe(args, s);
	cli_picture picture = {
		.description = description, .animated = own_of(args)->turn, .views = s->views, .view_count = s->count,
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

/* Checks that the options fit each other and the output. Returns CLI_DONE if they do. */
static cli_exit check(const cli_args *args)
{
	const cli_render_options *own = own_of(args);
	int views = own->has_camera + (own->entity != NULL) + (own->every != NULL) + own->overview + own->plan;
	if (views + own_of(args)->turn > 1) {
		return cli_usage("render: give only one of --camera, --entity, --every, --overview, --plan and --turn");
	}
	if (own_of(args)->frames && !own_of(args)->turn) return cli_usage("render: --frames needs --turn");
	if (own->intensity > 0 && own->mode != CLI_MODE_FULL) {
		cli_warn(args, "--intensity has no effect with --mode %s",
		         own->mode == CLI_MODE_LIGHTMAP ? "lightmap" : "texture");
	}
	bool known = own_of(args)->turn ? !strcasecmp(cli_ending(args->output), "webp")
	                                : cli_is_plain_picture(cli_picture_format(args->output));
	if (!known) {
		return cli_usage("%s: unknown format; OUT ends in .png, .tga or .bmp, or in .webp with --turn", args->output);
	}
	if (own_of(args)->turn && !cli_can_animate()) {
		return cli_fail("%s: cannot be written: this build of bspscene makes no animations (it needs libwebpmux)",
		                args->output);
	}
	return CLI_DONE;
}

static cli_exit draw_map(const cli_args *args)
{
	cli_exit status = check(args);
	if (status != CLI_DONE) return status;
	bspscene_load_options options;
	cli_picture_load_options(&options);
	cli_source source;
	bspscene_scene *scene = cli_load(&source, args, &options, CLI_RENDER_LOADED, &status);
	if (scene) status = render(scene, &source, args);
	bspscene_scene_free(scene);
	cli_source_close(&source);
	return status;
}
#else
static cli_exit draw_map(const cli_args *args)
{
	return cli_fail("%s: cannot be rendered: this build of bspscene has no renderer (it needs Embree)", args->source);
}
#endif

/* Runs the command. Panoramas do not need the renderer, which a build may lack. */
static cli_exit run(const cli_args *args)
{
	const cli_render_options *own = own_of(args);
	if (!own->panorama) return draw_map(args);
	if (own->entity || own->every || own->overview || own->plan || own->turn) {
		return cli_usage("render: --panorama cannot be combined with --entity, --every, --overview, --plan or --turn");
	}
	return cli_panorama(args, own->has_camera ? own->camera : NULL, own->time);
}

const cli_command cli_command_render = {
	.name = "render",
	.operands = "SOURCE OUT.png",
	.section = "Look at maps",
	.summary = "draw a picture of a map",
	.details =
		"Draws a map as its game does. The view is the map's intermission camera, else the first player start, unless "
		"--camera, --entity, --every, --overview, --plan or --turn chooses another one.\n\n"
		"The file's metadata (iTXt in PNG, XMP in WebP) has the map's name, its SHA-256 and the camera. OUT.tga and "
		"OUT.bmp have none.",
	.examples =
		"  bspscene render maps/atrium.bsp atrium.png\n"
		"  bspscene render maps/atrium.bsp above.png --overview --size 1600x1200\n"
		"  bspscene render maps/atrium.bsp plan.png --plan --size 1000x1000\n"
		"  bspscene render maps/atrium.bsp turning.webp --turn --frames 120\n"
		"  bspscene render maps/atrium.bsp a.png --entity info_player_deathmatch:2\n"
		"  bspscene render maps/atrium.bsp sheet.png --every info_player_deathmatch\n"
		"  bspscene render maps/atrium.bsp sky.jpg --panorama --size 4096x2048\n",
	.options =
		"map game palette light-set seed skin body frame sequence engine entities lump-patches "
		"models missing size fov camera entity every overview "
		"plan turn panorama frames roofs mode intensity exposure lightstyle level world-only pvs time samples "
		"memory-limit quiet threads version help",
	.first = "map game size camera entity overview plan turn panorama exposure",
	.own = cli_render_rows, .own_size = sizeof(cli_render_options),
	.operand_count = 2,
	.run = run,
};
