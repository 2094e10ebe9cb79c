/* Pictures: seconds and rays per second for every map of a game directory, 640 x 480 with 4 samples a pixel from the
 * intermission camera (else from above), loading and preparing not counted but shown. Times are the machine's: compare
 * them with an earlier line of the same machine only.
 *
 *     bench_render GAME_DIRECTORY [THREADS] */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <bspscene/render.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct bench {
	bspscene_files *files;
	uint32_t threads, maps, slow;
	double total, worst, processor;    /* seconds; processor time counts all threads */
	uint64_t rays;
	uint8_t *rgb;
} bench;

static bspscene_scene *load(bench *b, const char *path)
{
	bspscene_load_options options;
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.open_file = bspscene_files_open;
	options.list_files = bspscene_files_list;
	options.file_user = b->files;
	options.include = BSPSCENE_INCLUDE_SKY;
	options.name = path;
	if (!bspscene_files_open(b->files, &stream, path, BSPSCENE_FILE_MAP)) return NULL;
	bspscene_scene *scene = bspscene_load_stream(&stream, &options, &error);
	if (!scene) printf("%s\n", error.message);
	return scene;
}

static void picture(void *user, const char *path)
{
	bench *b = user;
	bspscene_error error;
	double start = now();
	bspscene_scene *scene = load(b, path);
	if (!scene) return;
	bspscene_render_options options;
	bspscene_render_options_init(&options);
	options.threads = b->threads;
	bspscene_view view;
	if (!bspscene_view_of_entity(scene, "info_player_intermission", 0, &view)) {
		view = bspscene_view_overview(scene, 640, 480);
	}
	bspscene_renderer *renderer = bspscene_renderer_create(scene, &options, &error);
	double ready = now();
	clock_t before = clock();
	if (renderer && bspscene_render(renderer, &view, &options, b->rgb, &error)) {
		double seconds = now() - ready;
		uint64_t rays = bspscene_renderer_rays(renderer);
		double processor = (double)(clock() - before) / CLOCKS_PER_SEC;
		printf(
			"%-40s %6.3f s, %6.3f s of processors  %5.2f M rays per processor second  (loading and preparing %.3f s)\n",
			path, seconds, processor, (double)rays / processor * 1e-6, ready - start);
		b->processor += processor;
		b->maps++;
		b->slow += seconds > 1;
		b->total += seconds;
		b->rays += rays;
		if (seconds > b->worst) b->worst = seconds;
	}
	bspscene_renderer_free(renderer);
	bspscene_scene_free(scene);
}

int main(int argc, char **argv)
{
	bspscene_error error = { .status = BSPSCENE_OK };
	bench b = { .files = bspscene_files_create(), .rgb = malloc(640 * 480 * 3) };
	if (argc > 2) b.threads = (uint32_t)strtoul(argv[2], NULL, 10);
	if (argc < 2 || !b.files || !b.rgb || !bspscene_files_mount_game(b.files, argv[1], &error)) {
		fprintf(stderr, "bench_render GAME_DIRECTORY [THREADS] %s\n", error.message);
		return 2;
	}
	bspscene_files_list(b.files, "maps/", ".bsp", picture, &b);
	printf("%u maps: mean %.3f s, worst %.3f s, %u above one second; %.2f M rays per processor second\n", b.maps,
	       b.maps ? b.total / b.maps : 0, b.worst, b.slow, b.processor > 0 ? (double)b.rays / b.processor * 1e-6 : 0);
	bspscene_files_free(b.files);
	free(b.rgb);
	return 0;
}
