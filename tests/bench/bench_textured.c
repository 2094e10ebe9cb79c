/* bench_textured.c - measures loading maps with textures and light files: bench_textured [--rounds N] MAP.bsp...
 *
 * The time is compared with two others: reading and copying the map and its .lit once, and converting the scene's
 * palette pixels to RGBA in the simplest loop. The round with the least processor time of N counts. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "support/bspt.h"

typedef struct result {
	double read, expand, load, bare;   /* seconds; `bare` is loading without textures */
	uint64_t pixels;
	uint32_t faces;
} result;

/* Gets "GAME" from "GAME/maps/name.bsp". Returns false if the map is elsewhere. */
static bool game_of(const char *map, char *out, size_t size)
{
	const char *maps = strstr(map, "/maps/");
	for (const char *next = maps; next; next = strstr(next + 1, "/maps/")) maps = next;
	if (!maps || strchr(maps + 6, '/')) return false;
	snprintf(out, size, "%.*s", (int)(maps - map), map);
	return true;
}

static bspscene_scene *load(const char *map, bspscene_file_system *files, bspscene_textures textures)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.textures = textures;
	if (files) {
		options.open_file = bspscene_file_system_open;
		options.list_files = bspscene_file_system_list;
		options.file_user = files;
	}
	bspscene_scene *scene = bspscene_load_file(map, &options, &error);
	if (!scene) bspt_die("load", error.message);
	return scene;
}

static void expand(uint64_t pixels)
{
	static uint32_t palette[256];
	uint8_t *indices = calloc((size_t)pixels + 1, 1);
	uint32_t *rgba = malloc(((size_t)pixels + 1) * sizeof *rgba);
	if (!indices || !rgba) bspt_die("allocate", "pixels");
	for (size_t i = 0; i < pixels; i++) rgba[i] = palette[indices[i]];
	volatile uint32_t last = rgba[pixels / 2];
	(void)last;
	free(indices);
	free(rgba);
}

static void keep_fastest(double *fastest, double start)
{
	double seconds = bspt_processor_seconds() - start;
	if (*fastest == 0 || seconds < *fastest) *fastest = seconds;
}

static void measure_load(const char *map, bspscene_file_system *files, bspscene_textures textures, double *fastest,
                         result *out)
{
	double start = bspt_processor_seconds();
	bspscene_scene *scene = load(map, files, textures);
	keep_fastest(fastest, start);
	out->pixels = 0;
	out->faces = scene->counts->faces;
	for (uint32_t i = 0; i < scene->image_count; i++) {
		if (scene->images[i]->data) out->pixels += (uint64_t)scene->images[i]->width * scene->images[i]->height;
	}
	bspscene_scene_free(scene);
}

static result measure(const char *map, int rounds)
{
	char game[4096], lit[4096];
	result out = { 0 };
	bspscene_file_system *files = NULL;
	if (game_of(map, game, sizeof game)) {
		files = bspscene_file_system_create(NULL);
		if (!files || !bspscene_file_system_mount_game(files, game, NULL)) bspt_die("mount", game);
	}
	snprintf(lit, sizeof lit, "%.*s.lit", (int)(strlen(map) - 4), map);
	FILE *beside = fopen(lit, "rb");
	if (beside) fclose(beside);
	for (int round = 0; round < rounds; round++) {
		double start = bspt_processor_seconds();
		bspt_read_and_copy(map);
		if (beside) bspt_read_and_copy(lit);
		keep_fastest(&out.read, start);
		measure_load(map, files, BSPSCENE_TEXTURES_NONE, &out.bare, &out);
		measure_load(map, files, BSPSCENE_TEXTURES_LOAD, &out.load, &out);
		start = bspt_processor_seconds();
		expand(out.pixels);
		keep_fastest(&out.expand, start);
	}
	bspscene_file_system_free(files);
	return out;
}

int main(int argc, char **argv)
{
	int rounds = 7, first = 1;
	if (argc > 2 && !strcmp(argv[1], "--rounds")) {
		rounds = atoi(argv[2]);
		first = 3;
	}
	if (first >= argc || rounds < 1) {
		fprintf(stderr, "usage: bench_textured [--rounds N] MAP.bsp...\n");
		return 2;
	}
	/* Makes the allocator get new memory from the system for each large allocation, as in a program that loads one
	 * map. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	printf("\nmaps with textures (at most 10 x read and copy, and the expansion of the textures)\n");
	for (int i = first; i < argc; i++) {
		result r = measure(argv[i], rounds);
		const char *name = strrchr(argv[i], '/');
		printf("%-20s %6u faces: read and copy %.2f ms, expand %.2f megapixels %.2f ms, "
		       "load %.2f ms (%.2f without textures): %.2f x\n",
		       name ? name + 1 : argv[i], (unsigned)r.faces, 1e3 * r.read, (double)r.pixels * 1e-6, 1e3 * r.expand,
		       1e3 * r.load, 1e3 * r.bare, (r.load - r.expand) / r.read);
	}
	return 0;
}
