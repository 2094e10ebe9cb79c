/* diff_picture.c - see diff_picture.h. */
#include "archive/diff/diff_picture.h"

#include "cli/report.h"

#ifdef CLI_HAVE_RENDER

	#include <math.h>
	#include <stdlib.h>
	#include <string.h>

	#include <bspscene/render_binding.h>

	#include "archive/diff/diff_view.h"
	#include "archive/pictures/picture_file.h"
	#include "archive/pictures/pictures.h"
	#include "archive/pictures/tile_view.h"
	#include "cli/output.h"
	#include "cli/command_source.h"

enum {
	PIXEL = 3,
	COLUMNS = 3,
	MOST_ROWS = 2,
	GAP = 4,
	LARGEST_SIDE = 16384,
	SAME = 8,                          /* largest difference of a channel (0 to 255) that counts as none, because it
	                                    * is not visible */
	TRIAL_WIDTH = 64,
	TRIAL_HEIGHT = 48
};
	/* Once this share of its pixels differs, a view does not rate higher for more differences. Some pixels should be
	 * equal, to show where the differences are. */
	#define WANTED_SHARE 0.35f

typedef struct loaded {
	cli_source source;
	bspscene_scene *scene;             /* NULL after an error, which was printed */
	bspscene_renderer *inside;
} loaded;

typedef struct panes {
	const cli_args *args;
	uint32_t width, height, rows;      /* size of each view in pixels */
	bspscene_view views[MOST_ROWS];    /* the first view is from above, the second from inside */
	uint8_t *rgb[MOST_ROWS][COLUMNS];
	float background[3];
	float exposure;                    /* exposure for all views from above */
} panes;

static loaded load(const cli_args *args, const cli_diff_side *side, cli_exit *status)
{
	cli_args one = *args;
	bspscene_load_options options;
	loaded map = { 0 };
	one.source = side->path;
	one.map = side->map;
	one.output = cli_diff_options_of(args)->picture;
	cli_picture_load_options(&options);
	map.scene = cli_load(&map.source, &one, &options, 1, status);
	return map;
}

/* ---- Pictures --------------------------------------------------------------------------------------------- */

static bspscene_render_options options_for(const panes *p, uint32_t width, uint32_t height, bool above)
{
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = width;
	options.height = height;
	options.threads = p->args->threads;
	options.memory_limit = (uint64_t)p->args->memory_limit << 20;
	if (above) cli_prepare_overview(&options);
	return options;
}

/* Draws a map from above. The first map that is drawn sets the exposure for both. */
static bool draw_from_above(panes *p, const bspscene_scene *scene, uint32_t column, bspscene_error *error)
{
	bspscene_render_options options = options_for(p, p->width, p->height, true);
	bspscene_renderer *renderer = bspscene_renderer_create(scene, &options, error);
	uint8_t *rgb = p->rgb[0][column];
	bool ok = renderer && bspscene_render(renderer, &p->views[0], &options, rgb, error);
	bspscene_renderer_free(renderer);
	if (!ok) return false;
	memcpy(p->background, options.background, sizeof p->background);
	p->exposure = bspscene_auto_expose(rgb, p->width, p->height, p->background, p->exposure);
	return true;
}

static bool draw_inside(const panes *p, const loaded *maps, bspscene_error *error)
{
	bspscene_render_options options = options_for(p, p->width, p->height, false);
	for (uint32_t i = 0; i < CLI_SIDES; i++) {
		if (!bspscene_render(maps[i].inside, &p->views[1], &options, p->rgb[1][i], error)) return false;
	}
	return true;
}

static int largest_away(const uint8_t *a, const uint8_t *b)
{
	int largest = 0;
	for (int i = 0; i < PIXEL; i++) largest = abs(a[i] - b[i]) > largest ? abs(a[i] - b[i]) : largest;
	return largest;
}

/* ---- Choosing a view -------------------------------------------------------------------------------------- */

/* Rates a view by pictures of both maps. A good view shows many differences, and enough around them to recognize the
 * place. 0 means that there is no difference. */
static float rate(const uint8_t *a, const uint8_t *b)
{
	uint32_t changed = 0, count = TRIAL_WIDTH * TRIAL_HEIGHT;
	for (uint32_t i = 0; i < count; i++) changed += largest_away(a + (size_t)i * PIXEL, b + (size_t)i * PIXEL) > SAME;
	if (!changed) return 0;
	cli_picture_look one = cli_measure_picture(a, TRIAL_WIDTH, TRIAL_HEIGHT, NULL);
	cli_picture_look other = cli_measure_picture(b, TRIAL_WIDTH, TRIAL_HEIGHT, NULL);
	float look = fmaxf(cli_rate_picture(&one), cli_rate_picture(&other));
	float share = fminf((float)changed / (float)count / WANTED_SHARE, 1);
	return share * (1 + fmaxf(look, 0));
}

/* Draws small pictures of both maps from each view, and chooses the view that rates best. Of equally good views,
 * chooses the first. Sets *found to false if no view shows a difference. */
static bool choose_view(panes *p, const loaded *maps, bool *found, bspscene_error *error)
{
	bspscene_view views[CLI_MOST_DIFF_VIEWS];
	uint8_t rgb[CLI_SIDES][TRIAL_WIDTH * TRIAL_HEIGHT * PIXEL];
	bspscene_render_options options = options_for(p, TRIAL_WIDTH, TRIAL_HEIGHT, false);
	uint32_t count = cli_list_diff_views(maps[0].scene, maps[1].scene, views);
	float best = 0;
	options.samples = 1;
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < CLI_SIDES; k++) {
			if (!bspscene_render(maps[k].inside, &views[i], &options, rgb[k], error)) return false;
		}
		float rated = rate(rgb[0], rgb[1]);
		if (!(rated > best)) continue;
		best = rated;
		p->views[1] = views[i];
	}
	*found = best > 0;
	return true;
}

/* Draws all rows of both maps. */
static bool draw_rows(panes *p, loaded *maps, bspscene_error *error)
{
	bspscene_render_options options = options_for(p, p->width, p->height, false);
	bool found = false, above = false, ok = true;
	for (uint32_t i = 0; i < CLI_SIDES && ok; i++) {
		maps[i].inside = bspscene_renderer_create(maps[i].scene, &options, error);
		ok = maps[i].inside != NULL;
	}
	ok = ok && choose_view(p, maps, &found, error);
	if (ok && !found) p->views[1] = cli_first_view(maps[0].scene, p->width, p->height, &above);
	p->rows = above ? 1 : MOST_ROWS;
	if (!above) ok = ok && draw_inside(p, maps, error);
	for (uint32_t i = 0; i < CLI_SIDES; i++) {
		bspscene_renderer_free(maps[i].inside);
		maps[i].inside = NULL;
	}
	for (uint32_t i = 0; i < CLI_SIDES && ok; i++) ok = draw_from_above(p, maps[i].scene, i, error);
	return ok;
}

/* ---- Marking differences ---------------------------------------------------------------------------------- */

static bool is_background(const panes *p, const uint8_t *pixel)
{
	for (int i = 0; i < PIXEL; i++) {
		if (pixel[i] != (uint8_t)(p->background[i] * 255 + 0.5f)) return false;
	}
	return true;
}

/* Colors a pixel of the third column: dark gray if the maps are equal there, else red for removed, green for added, and
 * yellow for changed. */
static void mark_pixel(const panes *p, bool above, const uint8_t *a, const uint8_t *b, uint8_t *out)
{
	enum { STRONGEST = 96 };
	int largest = largest_away(a, b);
	uint8_t gray = (uint8_t)((b[0] + 2 * b[1] + b[2]) / 12);
	memset(out, gray, PIXEL);
	if (largest <= SAME) return;
	bool gone = above && is_background(p, b), added = above && is_background(p, a);
	int strength = 96 + (largest < STRONGEST ? largest : STRONGEST) * 159 / STRONGEST;
	if (!added) out[0] = (uint8_t)strength;
	if (!gone) out[1] = (uint8_t)strength;
}

static void mark(const panes *p)
{
	for (uint32_t row = 0; row < p->rows; row++) {
		for (size_t i = 0; i < (size_t)p->width * p->height * PIXEL; i += PIXEL) {
			mark_pixel(p, row == 0, p->rgb[row][0] + i, p->rgb[row][1] + i, p->rgb[row][2] + i);
		}
	}
}

/* Returns the whole picture of all panes; the caller frees it. */
static uint8_t *arrange(const panes *p, uint32_t width, uint32_t height)
{
	uint8_t *sheet = cli_allocate((size_t)width * height, PIXEL);
	for (uint32_t i = 0; i < p->rows * COLUMNS; i++) {
		uint32_t row = i / COLUMNS, column = i % COLUMNS;
		uint8_t *corner = sheet + ((size_t)row * (p->height + GAP) * width + column * (p->width + GAP)) * PIXEL;
		size_t length = (size_t)p->width * PIXEL;
		for (uint32_t y = 0; y < p->height; y++) {
			memcpy(corner + (size_t)y * width * PIXEL, p->rgb[row][column] + y * length, length);
		}
	}
	return sheet;
}

static cli_exit save(const panes *p, const loaded *maps, const cli_diff_side sides[CLI_SIDES])
{
	uint32_t width = COLUMNS * (p->width + GAP) - GAP, height = p->rows * (p->height + GAP) - GAP;
	uint8_t *sheet = arrange(p, width, height);
	char *text = cli_format("%s, then %s (%s) from the same places, then the differences: red is removed, "
	                        "green is added, yellow is changed",
	                        maps[0].scene->name, maps[1].scene->name, maps[1].scene->identity->bytes);
	cli_picture picture = {
		.description = text,
		.views = p->views,
		.view_count = p->rows,
		.exposure = p->exposure,
		.width = width,
		.height = height,
		.rgb = sheet,
	};
	bspscene_error error = { .status = BSPSCENE_OK };
	cli_output output;
	cli_exit status = CLI_FAILED;
	if (cli_output_open_file(&output, &maps[0].source, cli_diff_options_of(p->args)->picture, &picture.name)) {
		cli_output_add_input(&output, sides[1].path);
		if (!cli_save_picture(maps[0].scene, &picture, &output, &error)) status = cli_output_report(&output, &error);
		else if (cli_output_commit(&output)) status = CLI_DONE;
	}
	cli_output_close(&output);
	free(text);
	free(sheet);
	return status;
}

static cli_exit draw(loaded *maps, const cli_args *args, const cli_diff_side sides[CLI_SIDES])
{
	panes p = { .args = args, .width = args->width ? args->width : 480, .height = args->height ? args->height : 360 };
	const char *path = cli_diff_options_of(args)->picture;
	bspscene_error error = { .status = BSPSCENE_OK };
	if (COLUMNS * (p.width + GAP) > LARGEST_SIDE || MOST_ROWS * (p.height + GAP) > LARGEST_SIDE) {
		return cli_fail("%s: cannot be drawn: the pictures of %ux%u make a sheet of more than %d pixels a side; "
		                "give a smaller --size",
		                path, p.width, p.height, LARGEST_SIDE);
	}
	p.views[0] = bspscene_view_overview(maps[0].scene, p.width, p.height);
	for (uint32_t i = 0; i < MOST_ROWS * COLUMNS; i++) {
		p.rgb[i / COLUMNS][i % COLUMNS] = cli_allocate((size_t)p.width * p.height, PIXEL);
	}
	cli_exit status = CLI_FAILED;
	if (draw_rows(&p, maps, &error)) {
		mark(&p);
		status = save(&p, maps, sides);
	} else {
		char *prefix = cli_format("%s: cannot be drawn: ", path);
		cli_fail_error(prefix, &error);
		free(prefix);
	}
	for (uint32_t i = 0; i < MOST_ROWS * COLUMNS; i++) free(p.rgb[i / COLUMNS][i % COLUMNS]);
	return status;
}

cli_exit cli_write_diff_picture(const cli_args *args, const cli_diff_side sides[CLI_SIDES])
{
	cli_exit status;
	loaded maps[CLI_SIDES] = { 0 };
	maps[0] = load(args, &sides[0], &status);
	if (maps[0].scene) maps[1] = load(args, &sides[1], &status);
	if (maps[1].scene) status = draw(maps, args, sides);
	for (uint32_t i = 0; i < CLI_SIDES; i++) {
		bspscene_scene_free(maps[i].scene);
		cli_source_close(&maps[i].source);
	}
	return status;
}

#else

cli_exit cli_write_diff_picture(const cli_args *args, const cli_diff_side sides[CLI_SIDES])
{
	(void)sides;
	return cli_fail("%s: cannot be drawn: this build of bspscene has no renderer (it needs Embree)",
	                cli_diff_options_of(args)->picture);
}

#endif
