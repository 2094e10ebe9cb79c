/* survivors.c - writes and draws mutants of maps. The mutant's number chooses the writer, its options, and whether it
 * is drawn from above or by a camera.
 *
 *     survivors [--count N] [--first K] MAP.bsp...
 *
 * The mutants are those of mutate.c. Broken promises and crashes are printed with the mutant's number. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/render.h>
#include <bspscene/source.h>

#include "support/check/check_scene.h"
#include "support/hostile/fuzzed.h"
#include "support/hostile/mutant.h"
#include "support/make/shared_scene.h"

enum { WIDTH = 8, HEIGHT = 6 };

#define MEMORY ((uint64_t)192 << 20)

static char words[256]; /* describes the current mutant, for the message after a crash */

static void tell_and_die(int number)
{
	fputs(words, stderr);
	signal(number, SIG_DFL);
	raise(number);
}

static void write_scene(const bspscene_scene *scene, uint64_t number, bspt_report *report)
{
	uint8_t bytes[BSPT_WRITING_BYTES];
	float styles[256];
	uint64_t seed = number;
	bspscene_write_options options;
	for (int i = 0; i < BSPT_WRITING_BYTES; i++) bytes[i] = (uint8_t)bspt_random(&seed);
	bytes[3] = 255;                    /* no sky, because it has the same size for every map */
	bytes[7] = bytes[10] = bytes[11] = 0; /* limits keep their usual values, so that few writes end early */
	bspt_choose_writing(bytes, styles, &options);
	bspt_write_fuzzed(scene, bspt_choose_writer((uint8_t)number), &options, report);
}

static void draw(const bspscene_scene *scene, uint64_t number, bspt_report *report)
{
	uint8_t rgb[WIDTH * HEIGHT * 3];
	bspscene_error error;
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.width = WIDTH;
	options.height = HEIGHT;
	options.samples = 1;
	options.memory_limit = MEMORY;
	bool from_above = number & 1 || !scene->camera_count;
	bspscene_view view = from_above ? bspscene_view_overview(scene, WIDTH, HEIGHT)
	                                : bspscene_view_of_camera(scene, (uint32_t)(number / 2 % scene->camera_count));
	bspscene_renderer *renderer = bspscene_renderer_create(scene, &options, &error);
	if (!renderer || !bspscene_render(renderer, &view, &options, rgb, &error)) bspt_check_error(&error, report);
	bspscene_renderer_free(renderer);
}

/* Makes a mutant and, if it loads, writes and draws it. Returns false if it does not load. Adds 1 to `*broken` if it
 * breaks a promise. */
static bool try_mutant(const bspt_original *original, uint8_t *copy, const bspscene_load_options *options,
                       uint64_t number, const char *path, uint64_t *broken)
{
	bspt_mutation mutations[BSPT_MOST_MUTATIONS];
	bspt_report report = { .failures = 0 };
	memcpy(copy, original->data, original->size);
	if (!bspt_mutate(original, copy, number, mutations)) return false;
	snprintf(words, sizeof words, "%s: mutant %" PRIu64 ", the first fault %s at %zu = 0x%x\n", path, number,
	         mutations[0].what, mutations[0].at, mutations[0].value);
	bspscene_scene *scene = bspscene_load_memory(copy, original->size, options, NULL);
	if (!scene) return false;
	write_scene(scene, number, &report);
	draw(scene, number, &report);
	bspscene_scene_free(scene);
	if (report.failures) printf("%s    %s\n", words, report.first);
	*broken += report.failures > 0;
	return true;
}

static uint64_t try_map(const char *path, uint64_t first, uint64_t count)
{
	uint64_t survivors = 0, broken = 0;
	bspt_bytes file = bspt_read_file(path);
	bspt_original original = bspt_original_of(file.data, file.size);
	uint8_t *copy = malloc(file.size + 1);
	bspscene_source *source = bspscene_source_open(path, NULL, NULL);
	bspscene_load_options options;
	if (!copy) bspt_die("allocate", path);
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	options.memory_limit = MEMORY;
	options.reflections = true;
	if (source) bspscene_source_prepare_load(source, 0, &options);
	for (uint64_t i = 0; i < count; i++) {
		survivors += try_mutant(&original, copy, &options, first + i, path, &broken);
	}
	printf("%s: %" PRIu64 " of %" PRIu64 " mutants written and drawn, %" PRIu64 " broken\n", path, survivors, count,
	       broken);
	fflush(stdout);
	bspscene_source_free(source);
	free(copy);
	free(file.data);
	return broken;
}

int main(int argc, char **argv)
{
	static const int deadly[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL };
	uint64_t first = 0, count = 100, broken = 0;
	int at = 1;
	for (; at + 1 < argc && !strncmp(argv[at], "--", 2); at += 2) {
		if (!strcmp(argv[at], "--count")) count = strtoull(argv[at + 1], NULL, 10);
		if (!strcmp(argv[at], "--first")) first = strtoull(argv[at + 1], NULL, 10);
	}
	for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], tell_and_die);
	for (; at < argc; at++) broken += try_map(argv[at], first, count);
	return broken != 0;
}
