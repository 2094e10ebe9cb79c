/* bench_progress.c - compares the progress that calls report with the time that they take: bench_progress [--steps]
 * [--only CALL] PLACE [MAP...]. PLACE is a map file, or a game with names of its maps. For each call it prints the
 * time, the number of reports, and which share of the time had passed when the reported fraction reached one half; 35
 * to 65 % is good. "load 7 %" means that loading took 7 % of the total time; the command line divides its progress bar
 * by that share. --steps also prints the counts, the time at each tenth, and fraction and time at the start of each
 * step. --only measures one writer. Ends with 1 if a fraction decreased, or did not begin at 0 or end at 1. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <bspscene/bspscene.h>
#include <bspscene/render.h>

/* A step of a call: consecutive reports that name the same stage. */
typedef struct step {
	char word[24];
	double fraction, time;             /* reported fraction, and seconds since the call began, at the first report */
} step;

enum { MOST_STEPS = 64 };

typedef struct told {
	double begin, at_half, last;
	double at_tenth[11];               /* seconds until the reported fraction reached i / 10; 0 if it did not */
	uint32_t calls;
	bool wrong;
	step steps[MOST_STEPS]; uint32_t step_count;
} told;

static bool show_steps;
static const char *only;           /* name of the only writer to measure, NULL for all */

/* Returns the processor time of this process in seconds. */
static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bspscene_progress_result note(void *user, const char *stage, double fraction)
{
	told *t = user;
	const step *now = t->step_count ? &t->steps[t->step_count - 1] : NULL;
	if ((!now || strcmp(now->word, stage)) && t->step_count < MOST_STEPS) {
		step *begun = &t->steps[t->step_count++];
		*begun = (step){ .fraction = fraction, .time = seconds() - t->begin };
		snprintf(begun->word, sizeof begun->word, "%s", stage);
	}
	if (t->calls ? fraction < t->last : fraction != 0) t->wrong = true;
	/* The bar does not move between two reports, so one half counts as reached at the first report that is not below
	 * it. */
	if (fraction >= 0.5 && t->at_half < 0) t->at_half = seconds() - t->begin;
	for (int i = 1; i <= 10 && fraction >= i / 10.0; i++) {
		if (t->at_tenth[i] <= 0) t->at_tenth[i] = seconds() - t->begin;
	}
	t->last = fraction;
	t->calls++;
	return BSPSCENE_PROGRESS_CONTINUE;
}

static told begin_call(void)
{
	return (told){ .begin = seconds(), .at_half = -1 };
}

/* Prints the results of a call, and returns how many seconds it took. */
static double end_call(const told *t, const char *what, double load, bool *wrong)
{
	double took = seconds() - t->begin;
	bool bad = t->wrong || !(t->last == 1);
	printf("  %-12s %8.1f ms %5u calls, at half %3.0f %% of the time", what, took * 1e3, t->calls,
	       100 * t->at_half / took);
	if (load > 0) printf(", load %2.0f %%", 100 * load / (load + took));
	printf("%s\n", bad ? "  WRONG" : "");
	for (int i = 1; show_steps && i <= 10; i++) printf(" %3.0f", 100 * t->at_tenth[i] / took);
	if (show_steps) printf(" %% of the time at each tenth\n");
	for (uint32_t i = 0; show_steps && i < t->step_count; i++) {
		const step *s = &t->steps[i];
		printf("    %-16s at %5.1f %% of the fraction, %5.1f %% of the time\n", s->word, 100 * s->fraction,
		       100 * s->time / took);
	}
	*wrong = *wrong || bad;
	return took;
}

static bool take_name(void *user, const char *name)
{
	(void)user;
	(void)name;
	return true;
}

static bool take_bytes(void *user, const void *data, size_t size)
{
	(void)user;
	(void)data;
	(void)size;
	return true;
}

static bool take_end(void *user)
{
	(void)user;
	return true;
}

/* A way to write a scene. */
typedef struct form {
	const char *label, *writer;
	bspscene_write_lighting lighting;
	bool compress;
} form;

static const form forms[] = {
	{ "glb vertex", "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, false },
	{ "glb", "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, false },
	{ "glb packed", "glb", BSPSCENE_WRITE_LIGHTING_VERTEX, true },
	{ "fbx", "fbx", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, false },
	{ "usdz", "usdz", BSPSCENE_WRITE_LIGHTING_NONE, false },
	{ "obj", "obj", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, false },
	{ "atlas", "atlas", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, false },
};

static void measure_writer(const bspscene_scene *scene, const form *way, double load, bool *wrong)
{
	bspscene_error error;
	bspscene_write_options options;
	bspscene_output output;
	bspscene_write_options_init(&options);
	bspscene_output_init(&output);
	output.begin = take_name;
	output.write = take_bytes;
	output.end = take_end;
	told t = begin_call();
	options.lighting = way->lighting;
	options.compress = way->compress;
	options.progress = note;
	options.progress_user = &t;
	if (bspscene_write(scene, way->writer, &options, &output, &error)) end_call(&t, way->label, load, wrong);
	else printf("  %s: %s\n", way->label, error.message);
}

static void measure_picture(const bspscene_scene *scene, double load, bool *wrong)
{
	enum { WIDTH = 640, HEIGHT = 480 };
	bspscene_error error;
	bspscene_render_options options;
	bspscene_view view = scene->camera_count ? bspscene_view_of_camera(scene, 0)
	                                         : bspscene_view_overview(scene, WIDTH, HEIGHT);
	bspscene_render_options_init(&options);
	told t = begin_call();
	options.progress = note;
	options.progress_user = &t;
	uint8_t *rgb = malloc((size_t)WIDTH * HEIGHT * 3);
	bspscene_renderer *renderer = rgb ? bspscene_renderer_create(scene, &options, &error) : NULL;
	if (renderer) {
		double made = end_call(&t, "renderer", load, wrong);
		t = begin_call();
		if (bspscene_render(renderer, &view, &options, rgb, &error)) end_call(&t, "picture", load + made, wrong);
	}
	bspscene_renderer_free(renderer);
	free(rgb);
}

static void show_amounts(const bspscene_scene *scene)
{
	double luxels = 0;
	for (uint32_t i = 0; scene->lightmap_set_count && i < scene->lightmap_page_count; i++) {
		luxels += (double)scene->lightmap_sets[0].pages[i].width * scene->lightmap_sets[0].pages[i].height;
	}
	const bspscene_counts *counts = scene->counts;
	printf("  %u triangles, %.0f luxels in %u sets, %u materials, %u textures of %u\n", counts->triangles, luxels,
	       scene->lightmap_set_count, scene->material_count, counts->textures_found,
	       counts->textures_found + counts->textures_missing);
}

static bool measure_map(const bspscene_source *place, uint32_t map)
{
	bspscene_error error;
	bspscene_load_options options;
	bool wrong = false;
	bspscene_load_options_init(&options);
	/* The first load fills the system's file cache. */
	bspscene_scene_free(bspscene_source_load(place, map, &options, &error));
	told t = begin_call();
	options.progress = note;
	options.progress_user = &t;
	printf("%s\n", bspscene_source_map_name(place, map));
	bspscene_scene *scene = bspscene_source_load(place, map, &options, &error);
	if (!scene) {
		printf("  %s\n", error.message);
		return false;
	}
	double load = end_call(&t, "load", 0, &wrong);
	if (show_steps) show_amounts(scene);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (!only || !strcmp(only, forms[i].label)) measure_writer(scene, &forms[i], load, &wrong);
	}
	if (!only) measure_picture(scene, load, &wrong);
	bspscene_scene_free(scene);
	return !wrong;
}

int main(int argc, char **argv)
{
	bspscene_error error;
	show_steps = argc > 1 && !strcmp(argv[1], "--steps");
	if (show_steps) argv++, argc--;
	if (argc > 2 && !strcmp(argv[1], "--only")) {
		only = argv[2];
		argv += 2, argc -= 2;
	}
	bool right = argc > 1;
	bspscene_source *place = right ? bspscene_source_open(argv[1], NULL, &error) : NULL;
	if (!place) {
		fprintf(stderr, "%s\n", right ? error.message : "bench_progress [--steps] [--only CALL] PLACE [MAP...]");
		return 1;
	}
	for (int i = 2; i < argc || i == 2; i++) {
		uint32_t map = bspscene_source_find_map(place, i < argc ? argv[i] : NULL, &error);
		if (map == BSPSCENE_NO_INDEX) printf("%s\n", error.message);
		right = map != BSPSCENE_NO_INDEX && measure_map(place, map) && right;
	}
	bspscene_source_free(place);
	return right ? 0 : 1;
}
