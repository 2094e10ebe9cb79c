/* bench_light.c - measures cost and accuracy of vertex light: bench_light [--error STEPS] [--threads N] MAP...
 *
 * For each map, prints the number of triangles before and after light was baked into vertices, and the processor
 * seconds of the bake. Vertex light is then compared with the lightmap pages at every half luxel. The errors are in
 * steps of 1/255: the one that 99.9 % do not exceed, the largest, and the largest along edges. The length of open edges
 * is printed before and after the bake. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <bspscene/bake.h>

#include "support/light/dense_light.h"

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double open_length(const bspscene_scene *scene)
{
	double sum = 0;
	for (uint32_t i = 0; i < scene->mesh_count; i++) sum += bspt_open_length(scene->meshes[i]);
	return sum;
}

static void measure(const char *map, const bspscene_bake_options *options)
{
	static bspt_dense_light light;
	bspscene_error error;
	memset(&light, 0, sizeof light);
	bspscene_scene *loaded = bspscene_load_file(map, NULL, &error), *baked = NULL, *pages = NULL;
	/* Adds up the pages of all light styles. Vertex light is made from this sum. */
	if (loaded) pages = bspscene_bake_light(loaded, NULL, &error);
	double before = seconds();
	if (pages) baked = bspscene_bake_light(loaded, options, &error);
	double after = seconds();
	const char *slash = strrchr(map, '/');
	if (baked) {
		bspt_measure_light(pages, baked, &light);
		printf("%-28s %8u %9u triangles %6.3f s, p99.9 %6.2f, most %6.1f, on edges %6.1f, open %.0f, %.0f, lost %u\n",
		       slash ? slash + 1 : map, loaded->counts->triangles, baked->counts->triangles, after - before,
		       bspt_light_quantile(&light, 0.999), light.largest, light.largest_on_edges, open_length(loaded),
		       open_length(baked), (unsigned)light.lost);
	} else {
		printf("%s\n", error.message);
	}
	bspscene_scene_free(baked);
	bspscene_scene_free(pages);
	bspscene_scene_free(loaded);
}

int main(int count, char **arguments)
{
	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	options.vertices = true;
	for (int i = 1; i < count; i++) {
		if (!strcmp(arguments[i], "--error") && i + 1 < count) {
			options.light_error = strtof(arguments[++i], NULL);
#ifndef BSPT_WITHOUT_THREADS
		} else if (!strcmp(arguments[i], "--threads") && i + 1 < count) {
			options.threads = (uint32_t)strtoul(arguments[++i], NULL, 10);
#endif
		} else {
			measure(arguments[i], &options);
		}
	}
	return 0;
}
