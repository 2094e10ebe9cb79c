/* diff_picture.c - see diff_picture.h. */
#include "archive/diff/diff_picture.h"

#include "cli/report.h"

#ifdef CLI_HAVE_RENDER

	#include <stdlib.h>
	#include <string.h>

	#include "cli/output.h"
	#include "archive/pictures/picture_file.h"
	#include "archive/pictures/pictures.h"

enum { PIXEL = 3, COLUMNS = 3, MOST_ROWS = 2, GAP = 4, LARGEST_SIDE = 16384 };

typedef struct loaded {
	cli_source source;
	bspscene_scene *scene;             /* NULL: it could not be loaded, and that was said */
} loaded;

typedef struct panes {
	const cli_args *args;
	uint32_t width, height, rows;      /* of each, pixels */
	bspscene_view views[MOST_ROWS];    /* the first from above */
	uint8_t *rgb[MOST_ROWS][COLUMNS];
	float background[3];
	float exposure;                    /* of the pictures from above */
} panes;

static loaded load(const cli_args *args, const char *path, cli_exit *status)
{
	cli_args one = *args;
	bspscene_load_options options;
	loaded map;
	one.source = path;
	one.output = cli_diff_picture_of(args);
	cli_picture_load_options(&options);
	map.scene = cli_load(&map.source, &one, &options, 1, status);
	return map;
}

/* All rows of one map. The first map decides how bright those from above get. */
static bool draw_column(panes *p, const bspscene_scene *scene, uint32_t column, bspscene_error *error)
{
	for (uint32_t row = 0; row < p->rows; row++) {
		bool above = row == 0;
		bspscene_render_options options;
		bspscene_render_options_init(&options);
		options.width = p->width;
		options.height = p->height;
		options.threads = p->args->threads;
		options.memory_limit = (uint64_t)p->args->memory_limit << 20;
		if (above) cli_prepare_overview(&options);
		bspscene_renderer *renderer = bspscene_renderer_create(scene, &options, error);
		uint8_t *rgb = p->rgb[row][column];
		bool ok = renderer && bspscene_render(renderer, &p->views[row], &options, rgb, error);
		bspscene_renderer_free(renderer);
		if (!ok) return false;
		if (!above) continue;
		memcpy(p->background, options.background, sizeof p->background);
		p->exposure = bspscene_brighten(rgb, p->width, p->height, p->background, p->exposure);
	}
	return true;
}

static bool is_background(const panes *p, const uint8_t *pixel)
{
	for (int i = 0; i < PIXEL; i++) {
		if (pixel[i] != (uint8_t)(p->background[i] * 255 + 0.5f)) return false;
	}
	return true;
}

/* The second map in dark grey, and in colour what the first shows otherwise: red is gone, green is new, yellow is
 * another. */
static void mark_pixel(const panes *p, bool above, const uint8_t *a, const uint8_t *b, uint8_t *out)
{
	enum { SAME = 8, STRONGEST = 96 };
	int largest = 0;
	for (int i = 0; i < PIXEL; i++) largest = abs(a[i] - b[i]) > largest ? abs(a[i] - b[i]) : largest;
	uint8_t grey = (uint8_t)((b[0] + 2 * b[1] + b[2]) / 12);
	memset(out, grey, PIXEL);
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

/* All panes in their places, to be freed. */
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

static cli_exit save(const panes *p, const loaded *a, const loaded *b)
{
	uint32_t width = COLUMNS * (p->width + GAP) - GAP, height = p->rows * (p->height + GAP) - GAP;
	uint8_t *sheet = arrange(p, width, height);
	char *text = cli_format("%s, then %s (%s) from the same places, then what differs: red is gone, green is new, "
	                        "yellow is another",
	                        a->scene->name, b->scene->name, b->scene->identity->bytes);
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
	if (cli_output_open_file(&output, &a->source, cli_diff_picture_of(p->args), &picture.name)) {
		cli_output_add_input(&output, p->args->operands[1]);
		if (!cli_save_picture(a->scene, &picture, &output, &error)) status = cli_output_report(&output, &error);
		else if (cli_output_commit(&output)) status = CLI_DONE;
	}
	cli_output_close(&output);
	free(text);
	free(sheet);
	return status;
}

static cli_exit draw(const loaded *a, const loaded *b, const cli_args *args)
{
	panes p = { .args = args, .width = args->width ? args->width : 480, .height = args->height ? args->height : 360 };
	bool above = false;
	bspscene_error error = { .status = BSPSCENE_OK };
	p.views[0] = bspscene_view_overview(a->scene, p.width, p.height);
	p.views[1] = cli_first_view(a->scene, p.width, p.height, &above);
	p.rows = above ? 1 : MOST_ROWS;
	if (COLUMNS * (p.width + GAP) > LARGEST_SIDE || p.rows * (p.height + GAP) > LARGEST_SIDE) {
		return cli_fail("%s: cannot be drawn: three of %ux%u are more than %d pixels a side; give a smaller --size",
		                cli_diff_picture_of(args), p.width, p.height, LARGEST_SIDE);
	}
	for (uint32_t i = 0; i < p.rows * COLUMNS; i++) {
		p.rgb[i / COLUMNS][i % COLUMNS] = cli_allocate((size_t)p.width * p.height, PIXEL);
	}
	cli_exit status = CLI_FAILED;
	if (draw_column(&p, a->scene, 0, &error) && draw_column(&p, b->scene, 1, &error)) {
		mark(&p);
		status = save(&p, a, b);
	} else {
		char *prefix = cli_format("%s: cannot be drawn: ", cli_diff_picture_of(args));
		cli_fail_error(prefix, &error);
		free(prefix);
	}
	for (uint32_t i = 0; i < p.rows * COLUMNS; i++) free(p.rgb[i / COLUMNS][i % COLUMNS]);
	return status;
}

cli_exit cli_write_diff_picture(const cli_args *args)
{
	cli_exit status;
	loaded a = load(args, args->operands[0], &status);
	if (a.scene) {
		loaded b = load(args, args->operands[1], &status);
		if (b.scene) status = draw(&a, &b, args);
		bspscene_scene_free(b.scene);
		cli_source_close(&b.source);
	}
	bspscene_scene_free(a.scene);
	cli_source_close(&a.source);
	return status;
}

#else

cli_exit cli_write_diff_picture(const cli_args *args)
{
	return cli_fail("%s: cannot be drawn: this build of bspscene has no renderer (it needs Embree)",
	                cli_diff_picture_of(args));
}

#endif
