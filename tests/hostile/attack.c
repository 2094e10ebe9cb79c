/* attack.c - runs all attacks of support/hostile/hostile.h against the given maps: attack [--seconds N] MAP.bsp... N is
 * the approximate time for each map (default 10); the fewer seconds, the fewer bytes are patched. Maps that do not load
 * are named and skipped. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/hostile/hostile.h"

/* Approximate number of loads in all attacks together if every byte is patched: the first KiB of each of some 20 lumps,
 * all fields, and all truncations. */
#define LOADS 100000.0

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns the seconds of one load, or a negative number if it fails. */
static double time_load(const bspt_victim *victim)
{
	bspscene_error error;
	double start = now();
	bspscene_scene *scene = bspscene_load_memory(victim->data, victim->size, &victim->options, &error);
	double seconds = now() - start;
	if (!scene) printf("%s: %s\n", victim->name, error.message);
	bspscene_scene_free(scene);
	return scene ? seconds : -1;
}

static bool attack(const char *path, double seconds)
{
	bspt_bytes file = bspt_read_file(path);
	bspt_victim victim = { .name = path, .data = file.data, .size = file.size, .stride = 1, .write_stride = 500 };
	bspscene_load_options_init(&victim.options);
	double load = time_load(&victim);
	bspt_report report = { 0 };
	bspt_tally tally = { 0 };
	if (load >= 0) {
		double stride = 1 + LOADS * load / seconds;
		victim.stride = stride < 1e6 ? (uint32_t)stride : 1000000;
		bspt_hostile_all(&victim, &tally, &report);
		bspt_tally_print(&victim, &tally);
		if (report.failures) printf("%s\n", report.first);
	}
	free(file.data);
	return !report.failures;
}

int main(int argc, char **argv)
{
	double seconds = 10;
	int first = 1, failed = 0;
	if (argc > 2 && !strcmp(argv[1], "--seconds")) {
		seconds = atof(argv[2]);
		first = 3;
	}
	if (first >= argc || seconds <= 0) {
		fprintf(stderr, "usage: attack [--seconds N] MAP.bsp...\n");
		return 2;
	}
	for (int i = first; i < argc; i++) failed += !attack(argv[i], seconds);
	printf("%d maps, %d broke a promise\n", argc - first, failed);
	return failed != 0;
}
