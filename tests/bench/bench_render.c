/* bench_render.c - measures how many rays per second one processor traces.
 *
 *     bench_render [--samples N] [--size WIDTHxHEIGHT] [--threads N] [--rounds N] [--above] PLACE [MAP...]
 *
 * PLACE is a game, with names of its maps (default: all), or a map file. Each map is drawn from its first camera (from
 * above if it has none, or with --above), by default with one thread and one sample for each pixel. The round with the
 * least processor time counts, without loading and preparing the map. After the time it prints a checksum of the
 * picture's bytes. Times depend on the machine, so compare them only with those of another build that runs at the same
 * time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <bspscene/bspscene.h>
#include <bspscene/render_binding.h>

typedef struct bench {
	bspscene_render_options options;
	uint32_t rounds, maps;
	bool above;
	double seconds;
	uint64_t rays;
	uint8_t *rgb;
} bench;

static double processor_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Returns the FNV-1a hash of the bytes. */
static uint32_t sum_of(const uint8_t *bytes, size_t count)
{
	uint32_t sum = 2166136261u;
	for (size_t i = 0; i < count; i++) sum = (sum ^ bytes[i]) * 16777619u;
	return sum;
}

static bool draw(bench *b, const bspscene_scene *scene, const char *name)
{
	bspscene_error error;
	const uint32_t width = b->options.width, height = b->options.height;
	bspscene_view view = scene->camera_count && !b->above ? bspscene_view_of_camera(scene, 0)
	                                                      : bspscene_view_overview(scene, width, height);
	bspscene_renderer *renderer = bspscene_renderer_create(scene, &b->options, &error);
	double least = 1e9;
	bool drawn = renderer != NULL;
	for (uint32_t i = 0; drawn && i < b->rounds; i++) {
		double start = processor_seconds();
		drawn = bspscene_render(renderer, &view, &b->options, b->rgb, &error);
		double took = processor_seconds() - start;
		if (took < least) least = took;
	}
	if (!drawn) printf("%s: %s\n", name, error.message);
	uint64_t rays = drawn ? bspscene_renderer_rays(renderer) : 0;
	if (drawn) {
		printf("%-32s %7.4f s %6.2f M rays a second  %08x\n", name, least, (double)rays / least * 1e-6,
		       sum_of(b->rgb, (size_t)width * height * 3));
		b->seconds += least;
		b->rays += rays;
		b->maps++;
	}
	bspscene_renderer_free(renderer);
	return drawn;
}

static bool draw_map(bench *b, const bspscene_source *place, uint32_t map)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_SKY;
	const char *name = bspscene_source_map_name(place, map);
	bspscene_scene *scene = bspscene_source_load(place, map, &options, &error);
	if (!scene) printf("%s: %s\n", name, error.message);
	bool drawn = scene && draw(b, scene, name);
	bspscene_scene_free(scene);
	return drawn;
}

static bool draw_maps(bench *b, const char *where, int count, char **names)
{
	bspscene_error error;
	bspscene_source *place = bspscene_source_open(where, NULL, &error);
	if (!place) {
		fprintf(stderr, "%s\n", error.message);
		return false;
	}
	bool right = true;
	for (int i = 0; i < count; i++) {
		uint32_t map = bspscene_source_find_map(place, names[i], &error);
		if (map == BSPSCENE_NO_INDEX) printf("%s\n", error.message);
		right = map != BSPSCENE_NO_INDEX && draw_map(b, place, map) && right;
	}
	for (uint32_t i = 0; !count && i < bspscene_source_map_count(place); i++) right = draw_map(b, place, i) && right;
	bspscene_source_free(place);
	return right;
}

static bool take_option(bench *b, const char *name, const char *value)
{
	uint32_t number = (uint32_t)strtoul(value, NULL, 10);
	if (!strcmp(name, "--samples")) b->options.samples = number;
	else if (!strcmp(name, "--threads")) b->options.threads = number;
	else if (!strcmp(name, "--rounds")) b->rounds = number;
	else return !strcmp(name, "--size") && sscanf(value, "%ux%u", &b->options.width, &b->options.height) == 2;
	return true;
}

int main(int argc, char **argv)
{
	bench b = { .rounds = 3 };
	bspscene_render_options_init(&b.options);
	b.options.width = 1280;
	b.options.height = 720;
	b.options.samples = b.options.threads = 1;
	int at = 1;
	for (; at < argc && argv[at][0] == '-'; at++) {
		if (!strcmp(argv[at], "--above")) b.above = true;
		else if (at + 1 >= argc || !take_option(&b, argv[at], argv[at + 1])) break;
		else at++;
	}
	b.rgb = at < argc && argv[at][0] != '-' ? malloc((size_t)b.options.width * b.options.height * 3) : NULL;
	if (!b.rgb) {
		fprintf(stderr, "see the head of bench_render.c\n");
		return 2;
	}
	bool right = draw_maps(&b, argv[at], argc - at - 1, argv + at + 1);
	if (b.seconds > 0) printf("%u maps: %.2f M rays a second\n", b.maps, (double)b.rays / b.seconds * 1e-6);
	free(b.rgb);
	return right ? 0 : 1;
}
