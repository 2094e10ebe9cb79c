/* bench_models.c - measures the cost of models: bench_models [--rounds N] GAME MAP..., for a game directory and names
 * of its maps. Each map is loaded N times without models and N times with all models, in turn. The load with the least
 * processor time counts. The printed memory is the peak of a load. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bspscene/source.h>

#include "measure.h"
#include "support/bspt.h"
#include "support/hostile/counted_memory.h"

typedef struct result {
	double seconds;
	uint64_t peak;
	uint32_t places, meshes;
} result;

/* Counts the nodes that show a model, and the meshes that these nodes share. */
static void count_models(const bspscene_scene *scene, result *out)
{
	bool *seen = calloc(scene->mesh_count + 1, sizeof *seen);
	if (!seen) bspt_die("count", scene->name);
	out->places = out->meshes = 0;
	for (uint32_t i = 0; i < scene->node_count; i++) {
		const bspscene_node *node = scene->nodes[i];
		if (node->prop == BSPSCENE_NO_INDEX || node->mesh == BSPSCENE_NO_INDEX) continue;
		out->places++;
		out->meshes += !seen[node->mesh];
		seen[node->mesh] = true;
	}
	free(seen);
}

static void measure(bspscene_source *place, const char *map, bspscene_models models, result *out)
{
	bspt_counted counted = { 0 };
	bspscene_allocator allocator = bspt_counted_allocator(&counted);
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.allocator = &allocator;
	options.models = models;
	uint32_t number = bspscene_source_find_map(place, map, &error);
	if (number == BSPSCENE_NO_INDEX) bspt_die("find", error.message);
	double start = bspt_processor_seconds();
	bspscene_scene *scene = bspscene_source_load(place, number, &options, &error);
	double seconds = bspt_processor_seconds() - start;
	if (!scene) bspt_die("load", error.message);
	if (out->seconds == 0 || seconds < out->seconds) out->seconds = seconds;
	out->peak = counted.most_bytes;
	count_models(scene, out);
	bspscene_scene_free(scene);
}

int main(int argc, char **argv)
{
	int rounds = 7, first = 1;
	bspscene_error error;
	if (argc > 2 && !strcmp(argv[1], "--rounds")) {
		rounds = atoi(argv[2]);
		first = 3;
	}
	if (first + 1 >= argc || rounds < 1) {
		fprintf(stderr, "usage: bench_models [--rounds N] GAME MAP...\n");
		return 2;
	}
	bspscene_source *place = bspscene_source_open(argv[first], NULL, &error);
	if (!place) bspt_die("open", error.message);
	printf("\nmaps with their models, against the same without\n");
	for (int i = first + 1; i < argc; i++) {
		result none = { 0 }, all = { 0 };
		for (int round = 0; round < rounds; round++) {
			measure(place, argv[i], BSPSCENE_MODELS_NONE, &none);
			measure(place, argv[i], BSPSCENE_MODELS_ALL, &all);
		}
		printf("%-20s %4u places, %3u meshes: load %.1f ms (%.1f without), %.1f MB (%.1f without)\n", argv[i],
		       (unsigned)all.places, (unsigned)all.meshes, 1e3 * all.seconds, 1e3 * none.seconds,
		       1e-6 * (double)all.peak, 1e-6 * (double)none.peak);
	}
	bspscene_source_free(place);
	return 0;
}
