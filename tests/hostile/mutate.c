/* mutate.c - loads maps with a few random faults each:
 *
 *     mutate [--count N] [--first K] [--longest SECONDS] [--write OUT] MAP.bsp...
 *
 * Loads mutants K to K + N - 1 of each map and checks the scenes. The loads use options that request more than a
 * default load. By default, K is 0 and N is 1000. One scene in 8 is also written. Broken promises, leaks, more
 * processor time than --longest allows, and crashes are printed with the mutant's number. --write stores mutant K of
 * the only map as a file. The map's real game files and neighbors are used. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <bspscene/source.h>

#include "support/check/check_scene.h"
#include "support/hostile/counted_memory.h"
#include "support/hostile/mutant.h"

typedef struct run {
	const char *path;
	bspscene_load_options options;
	bspt_original original;
	uint8_t *copy;
	double longest;                    /* limit of a mutant's processor time, in seconds */
	uint64_t scenes, refused, broken;
	double slowest;
	uint64_t slowest_number, most_bytes;
} run;

static char words[256]; /* describes the current mutant, for the message after a crash */

static void tell_and_die(int number)
{
	ssize_t written = write(STDERR_FILENO, words, strlen(words));
	signal(number, SIG_DFL);
	raise(written < 0 ? SIGKILL : number);
}

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void write_scene(const bspscene_scene *scene, uint64_t number, bspt_report *report)
{
	uint32_t count = 0;
	while (bspscene_writers()[count]) count++;
	bspt_sink sink;
	bspscene_error error;
	bspscene_write_options options;
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_write_options_init(&options);
	options.sky = BSPSCENE_WRITE_SKY_NONE; /* no sky is written, because it has the same size for every map */
	if (!bspscene_write(scene, bspscene_writers()[number / 8 % count]->name, &options, &output, &error)) {
		bspt_check_error(&error, report);
	}
}

static void try_mutant(run *r, uint64_t number)
{
	bspt_mutation mutations[BSPT_MOST_MUTATIONS];
	memcpy(r->copy, r->original.data, r->original.size);
	uint32_t count = bspt_mutate(&r->original, r->copy, number, mutations);
	if (!count) return;
	snprintf(words, sizeof words, "%s: mutant %" PRIu64 ", %u faults, the first %s at %zu = 0x%x\n", r->path, number,
	         count, mutations[0].what, mutations[0].at, mutations[0].value);
	bspt_counted memory = { .calls = 0 };
	bspscene_allocator allocator = bspt_counted_allocator(&memory);
	r->options.allocator = &allocator;

	bspt_report report = { .failures = 0 };
	bspscene_error error;
	double start = seconds();
	bspscene_scene *scene = bspscene_load_memory(r->copy, r->original.size, &r->options, &error);
	if (scene) bspt_check_scene(scene, &r->options, &report);
	else bspt_check_error(&error, &report);
	if (scene && number % 8 == 0) write_scene(scene, number, &report);
	bspscene_scene_free(scene);
	double took = seconds() - start;

	BSPT_EXPECT(&report, !memory.bytes, "%" PRIu64 " bytes are not given back", memory.bytes);
	BSPT_EXPECT(&report, took < r->longest, "%.1f seconds", took);
	if (report.failures) printf("%s    %s\n", words, report.first);
	r->broken += report.failures > 0;
	*(scene ? &r->scenes : &r->refused) += 1;
	if (memory.most_bytes > r->most_bytes) r->most_bytes = memory.most_bytes;
	if (took <= r->slowest) return;
	r->slowest = took;
	r->slowest_number = number;
}

typedef struct request {
	uint64_t first, count;
	double longest;
	const char *out;                   /* path for --write, NULL to write nothing */
} request;

/* Returns false if a promise is broken. */
static bool try_map(const char *path, const request *wanted)
{
	bspt_bytes file = bspt_read_file(path);
	run r = { .path = path, .original = bspt_original_of(file.data, file.size), .copy = malloc(file.size + 1),
	          .longest = wanted->longest };
	if (!r.copy) bspt_die("allocate", path);
	bspscene_source *place = bspscene_source_open(path, NULL, NULL);
	bspscene_load_options_init(&r.options);
	r.options.include_mask = BSPSCENE_SURFACE_ALL;
	if (place) bspscene_source_prepare_load(place, 0, &r.options);
	for (uint64_t i = 0; i < wanted->count; i++) try_mutant(&r, wanted->first + i);
	if (wanted->out) bspt_write_file(wanted->out, r.copy, file.size);
	printf("%s: %" PRIu64 " scenes, %" PRIu64 " refused, %" PRIu64 " broken; at most %.0f MB, %.2f s (mutant %" PRIu64
	       ")\n", path, r.scenes, r.refused, r.broken, (double)r.most_bytes / 1e6, r.slowest, r.slowest_number);
	fflush(stdout);
	bspscene_source_free(place);
	free(r.copy);
	free(file.data);
	return !r.broken;
}

/* Returns the index of the first map in the arguments, or 0 if they are wrong. */
static int read_arguments(int argc, char **argv, request *out)
{
	int at = 1;
	*out = (request) { .count = 1000, .longest = 1e9 };
	for (; at + 1 < argc && !strncmp(argv[at], "--", 2); at += 2) {
		if (!strcmp(argv[at], "--count")) out->count = strtoull(argv[at + 1], NULL, 10);
		else if (!strcmp(argv[at], "--first")) out->first = strtoull(argv[at + 1], NULL, 10);
		else if (!strcmp(argv[at], "--longest")) out->longest = strtod(argv[at + 1], NULL);
		else if (!strcmp(argv[at], "--write")) out->out = argv[at + 1];
		else return 0;
	}
	if (out->out) out->count = 1;
	return at < argc && out->count && !(out->out && argc != at + 1) ? at : 0;
}

int main(int argc, char **argv)
{
	static const int deadly[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU };
	request wanted;
	int at = read_arguments(argc, argv, &wanted), broken = 0;
	if (!at) {
		fprintf(stderr, "usage: mutate [--count N] [--first K] [--longest SECONDS] [--write OUT] MAP.bsp...\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], tell_and_die);
	for (; at < argc; at++) broken += !try_map(argv[at], &wanted);
	return broken != 0;
}
