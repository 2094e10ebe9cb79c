/* bench_relight.c - compares the processor time of relighting with the time of loading a map and writing its file.
 * Relighting may take at most 3 times as long: bench_relight [ROUNDS] MAP... It changes one face, and then every luxel
 * of every page. The time for every luxel is printed but has no limit, because it grows with the number of luxels,
 * which loading does not read. Reading the atlas is not measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "support/check/baked.h"

#define MOST 3.0

static bool begin(void *user, const char *name)
{
	FILE **file = user;
	(void)name;
	if (!*file) *file = tmpfile();
	return *file != NULL;
}

static bool put(void *user, const void *data, size_t size)
{
	FILE **file = user;
	return fwrite(data, 1, size, *file) == size;
}

static bool end(void *user)
{
	FILE **file = user;
	bool written = fclose(*file) == 0;
	*file = NULL;
	return written;
}

static bspscene_output make_output(FILE **file)
{
	bspscene_output output;
	bspscene_output_init(&output);
	output.user = file;
	output.begin = begin;
	output.write = put;
	output.end = end;
	return output;
}

static bspscene_scene *load(const char *path, bspt_bytes map)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = path;
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, &options, &error);
	if (!scene) bspt_die("load", error.message);
	return scene;
}

/* Changes the brightness of a luxel. */
static void darken_one(bspt_baked *b)
{
	uint8_t *luxel = b->light.rect_count ? bspt_baked_luxel(b, 0, b->light.rect_count / 2, 0, 0) : NULL;
	if (luxel) luxel[0] ^= 0x40;
}

/* Makes all pages slightly darker. */
static void darken(bspt_baked *b)
{
	for (uint32_t i = 0; i < b->light.lightmap_set_count; i++) {
		for (uint32_t k = 0; k < b->light.lightmap_page_count; k++) {
			const bspscene_lightmap_page *page = &b->sets[i].pages[k];
			uint8_t *data = (uint8_t *)(uintptr_t)page->data;
			size_t size = (size_t)page->width * page->height * bspt_page_luxel_size(page);
			for (size_t at = 0; data && at < size; at++) data[at] = data[at] / 4 * 3;
		}
	}
}

static double time_load_and_write(const char *path, bspt_bytes map)
{
	FILE *file = NULL;
	double start = bspt_processor_seconds();
	bspscene_scene_free(load(path, map));
	bool written = begin(&file, "") && put(&file, map.data, map.size) && end(&file);
	if (!written) bspt_die("write", path);
	return bspt_processor_seconds() - start;
}

static double time_relight(const char *path, bspt_bytes map, const bspscene_edited_light *light)
{
	FILE *file = NULL;
	bspscene_load_options options;
	bspscene_stream stream;
	bspscene_error error;
	bspscene_output output = make_output(&file);
	bspscene_load_options_init(&options);
	bspscene_stream_init(&stream);
	options.name = path;
	stream.data = map.data;
	stream.size = map.size;
	double start = bspt_processor_seconds();
	if (!bspscene_relight(&stream, &options, light, NULL, &output, NULL, &error)) bspt_die("relight", error.message);
	return bspt_processor_seconds() - start;
}

/* Prints the times of a map. Returns the time of relighting one face, divided by the time of loading and writing the
 * map. Returns 0 if the map has no light. */
static double measure(const char *path, int rounds)
{
	bspt_bytes map = bspt_read_file(path);
	bspt_baked b;
	double loaded = INFINITY, one = INFINITY, all = INFINITY;
	bool lit = bspt_bake(&b, map, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	if (lit) darken_one(&b);
	for (int i = 0; lit && i < rounds; i++) {
		loaded = fmin(loaded, time_load_and_write(path, map));
		one = fmin(one, time_relight(path, map, &b.light));
	}
	if (lit) darken(&b);
	for (int i = 0; lit && i < rounds; i++) all = fmin(all, time_relight(path, map, &b.light));
	if (lit) {
		printf("%-60s %8.1f ms, one face %8.1f ms, %.2f times, all %8.1f ms, %.2f times\n", path, loaded * 1e3,
		       one * 1e3, one / loaded, all * 1e3, all / loaded);
	}
	fflush(stdout);
	if (lit) bspt_baked_free(&b);
	free(map.data);
	return lit ? one / loaded : 0;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0, first = rounds > 0 ? 2 : 1;
	double worst = 0;
	for (int i = first; i < argc; i++) worst = fmax(worst, measure(argv[i], rounds > 0 ? rounds : 3));
	printf("relight takes at most %.2f times what loading and writing take (at most %.1f)\n", worst, MOST);
	return 0;
}
