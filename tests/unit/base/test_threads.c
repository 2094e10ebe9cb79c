/* Promise: the library has no global state. Loads and writes give the same results in many threads at once as in one
 * thread. They also give them in a locale that writes 1,5 for 1.5. One call gives the same result with any number of
 * threads. */
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <bspscene/sky.h>
#include <bspscene/source.h>
#include <cmocka.h>

#include "support/bspt.h"
#include "support/hostile/comma_locale.h"

static const char *const maps[] = {
	"atrium/quake3/maps/atrium.bsp", "atrium/quake3/maps/atrium_external.bsp", "atrium/quake3/maps/atrium_styles.bsp",
};
enum { MAP_COUNT = sizeof maps / sizeof *maps, THREAD_COUNT = 4 };

static uint64_t hash_output(const bspscene_scene *scene, const char *writer, bool with_sky)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	if (!with_sky) options.sky = BSPSCENE_WRITE_SKY_NONE;
	return bspscene_write(scene, writer, &options, &output, NULL) ? sink.hash : 0;
}

/* Loads a fixture, and writes it as GLB, FBX, USDZ and OBJ (with the sky only as GLB). Returns a hash of the scene and
 * of these files, or 0 if a call failed. */
static uint64_t hash_map(size_t index)
{
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	char game[1024], path[1200];
	snprintf(game, sizeof game, "%s/atrium/quake3", BSPT_FIXTURES);
	snprintf(path, sizeof path, "%s/%s", BSPT_FIXTURES, maps[index]);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	bool mounted = files && bspscene_file_system_mount_game(files, game, NULL);
	bspscene_scene *scene = mounted ? bspscene_load_file(path, &options, NULL) : NULL;
	uint64_t hash = scene ? bspt_scene_hash(scene) : 0;
	static const char *const writers[] = { "glb", "fbx", "usdz", "obj" };
	for (int i = 0; scene && i < 4; i++) hash = hash * 31 + hash_output(scene, writers[i], i == 0);
	bspscene_scene_free(scene);
	bspscene_file_system_free(files);
	return hash;
}

static void *run_thread(void *user)
{
	uint64_t *hash = user;
	*hash = hash_map((size_t)*hash);
	return NULL;
}

static void test_threads(void **state)
{
	(void)state;
	uint64_t expected[MAP_COUNT], hashes[THREAD_COUNT];
	pthread_t threads[THREAD_COUNT];
	for (size_t i = 0; i < MAP_COUNT; i++) {
		expected[i] = hash_map(i);
		assert_true(expected[i] != 0);
	}
	for (size_t i = 0; i < THREAD_COUNT; i++) {
		hashes[i] = i % MAP_COUNT;
		assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &hashes[i]), 0);
	}
	for (size_t i = 0; i < THREAD_COUNT; i++) {
		pthread_join(threads[i], NULL);
		assert_true(hashes[i] == expected[i % MAP_COUNT]);
	}
}

static void test_locale(void **state)
{
	(void)state;
	char one_and_a_half[8];
	uint64_t expected = hash_map(0);
	if (!bspt_set_comma_locale()) skip();
	snprintf(one_and_a_half, sizeof one_and_a_half, "%.1f", 1.5);
	assert_string_equal(one_and_a_half, "1,5");
	assert_true(hash_map(0) == expected);
	setlocale(LC_ALL, "C");
}

/* ---- Threads of a call ------------------------------------------------------------------------------------- */

/* A call that writes a scene with several threads. */
typedef struct writing {
	const char *writer;
	bspscene_write_lighting lighting;
	bspscene_lightmap_encoding encoding;
	bool every_style, compress;
	bool limited;                      /* true if the call is also made with too little memory */
} writing;

static const writing writings[] = {
	{ "glb", BSPSCENE_WRITE_LIGHTING_DEFAULT, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, false, false },
	{ "gltf", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, false, true },
	{ "glb", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPSCENE_LIGHTMAP_ENCODING_HDR, false, true, false },
	{ "fbx", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, false, true },
	{ "usdz", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, false, true },
	{ "obj", BSPSCENE_WRITE_LIGHTING_NONE, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, false, false },
	{ "fbx", BSPSCENE_WRITE_LIGHTING_BAKED, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, false, false },
	{ "glb", BSPSCENE_WRITE_LIGHTING_BAKED, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, true, false },
	{ "obj", BSPSCENE_WRITE_LIGHTING_BAKED, BSPSCENE_LIGHTMAP_ENCODING_HDR, false, false, false },
	{ "atlas", BSPSCENE_WRITE_LIGHTING_DEFAULT, BSPSCENE_LIGHTMAP_ENCODING_HDR, true, false, true },
	{ "atlas", BSPSCENE_WRITE_LIGHTING_DEFAULT, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, true, false, false },
};
enum { WRITING_COUNT = sizeof writings / sizeof *writings, LIT_MEMORY = 16 << 20 };

typedef struct told {
	uint32_t count, cancel_at;         /* `cancel_at` is the number of the call that cancels, 0 for none */
	pthread_t caller;
	bool elsewhere;
} told;

static bspscene_progress_result tell(void *user, const char *stage, double fraction)
{
	told *t = user;
	(void)stage;
	(void)fraction;
	if (!pthread_equal(pthread_self(), t->caller)) t->elsewhere = true;
	return ++t->count == t->cancel_at ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

static bspscene_scene *load_with(const writing *w, uint32_t threads, bspscene_file_system *files)
{
	char path[1200];
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	options.lightmap_encoding = w->encoding;
	options.keep_map_light = w->every_style;
	options.threads = threads;
	snprintf(path, sizeof path, "%s/%s", BSPT_FIXTURES, maps[2]);
	return bspscene_load_file(path, &options, NULL);
}

static uint64_t write_in(const bspscene_scene *scene, const writing *w, uint32_t threads, uint64_t memory_limit,
                         told *t, bspscene_error *error)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.threads = threads;
	options.lighting = w->lighting;
	if (w->lighting == BSPSCENE_WRITE_LIGHTING_BAKED) {
		/* No sky is drawn here, because test_sky_threads does that. The limit is set because baking the picture uses as
		 * much memory as the limit allows. */
		options.sky = BSPSCENE_WRITE_SKY_NONE;
		if (!memory_limit) memory_limit = scene->memory_size + LIT_MEMORY;
	}
	options.separate_styles = w->every_style;
	options.compress = w->compress;
	options.memory_limit = memory_limit;
	options.progress = tell;
	options.progress_user = t;
	t->caller = pthread_self();
	return bspscene_write(scene, w->writer, &options, &output, error) ? sink.hash : 0;
}

static const uint32_t counts[] = { 1, 2, 3, 8 };

/* Checks that any number of threads gives the same bytes, and the same number of progress calls, all in the calling
 * thread. */
static void check_counts(const bspscene_scene *scene, const writing *w)
{
	uint64_t expected = 0;
	uint32_t calls = 0;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		bspscene_error error;
		told t = { .count = 0 };
		uint64_t hash = write_in(scene, w, counts[i], 0, &t, &error);
		/* This build has no library for the writer's compression. */
		if (!hash && error.status == BSPSCENE_ERROR_UNSUPPORTED_FORMAT) return;
		if (!i) expected = hash;
		if (!i) calls = t.count;
		assert_true(hash && hash == expected);
		assert_int_equal(t.count, calls);
		assert_false(t.elsewhere);
	}
	for (uint32_t at = 1; at <= calls; at += 1 + calls / 3) {
		bspscene_error error;
		told t = { .cancel_at = at };
		assert_true(!write_in(scene, w, 3, 0, &t, &error) && error.status == BSPSCENE_ERROR_CANCELED);
		assert_int_equal(t.count, at);
	}
}

/* Finds the least memory with which one thread writes the scene. Eight threads must work with that, too. With less,
 * they must fail in the same way as one thread. */
static void check_limit(const bspscene_scene *scene, const writing *w)
{
	uint64_t low = scene->memory_size, high = UINT64_C(1) << 28;
	uint64_t expected = 0;
	told t = { .count = 0 };
	while (high - low > 1 << 14) {
		uint64_t middle = low + (high - low) / 2, hash = write_in(scene, w, 1, middle, &t, NULL);
		if (hash) expected = hash;
		*(hash ? &high : &low) = middle;
	}
	if (!expected) return;
	bspscene_error error;
	assert_true(write_in(scene, w, 8, high, &t, NULL) == expected);
	assert_true(!write_in(scene, w, 8, low, &t, &error) && error.status == BSPSCENE_ERROR_MEMORY_LIMIT);
}

static void test_threads_of_a_call(void **state)
{
	(void)state;
	char game[1024];
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	snprintf(game, sizeof game, "%s/atrium/quake3", BSPT_FIXTURES);
	assert_true(files && bspscene_file_system_mount_game(files, game, NULL));
	for (int i = 0; i < WRITING_COUNT; i++) {
		bspscene_scene *scene = load_with(&writings[i], 1, files), *same = load_with(&writings[i], 8, files);
		assert_true(scene && same && bspt_scene_hash(scene) == bspt_scene_hash(same));
		check_counts(scene, &writings[i]);
		if (writings[i].limited) check_limit(scene, &writings[i]);
		bspscene_scene_free(scene);
		bspscene_scene_free(same);
	}
	bspscene_file_system_free(files);
}

/* Runs all work in the calling thread, as a host may do. */
static void count_run(void *user, uint32_t count, bspscene_work_fn *work, void *data)
{
	++*(uint32_t *)user;
	for (uint32_t i = 0; i < count; i++) work(data, i);
}

static uint64_t write_plainly(const bspscene_scene *scene, const char *writer, uint32_t threads,
                              const bspscene_thread_pool *host)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.lighting = BSPSCENE_WRITE_LIGHTING_NONE;
	options.sky = BSPSCENE_WRITE_SKY_NONE;
	options.threads = threads;
	options.thread_pool = host;
	return bspscene_write(scene, writer, &options, &output, NULL) ? sink.hash : 0;
}

static uint32_t count_runs(const bspscene_scene *scene, const char *writer)
{
	uint32_t runs = 0;
	const bspscene_thread_pool host = { count_run, &runs };
	assert_true(write_plainly(scene, writer, 4, &host) == write_plainly(scene, writer, 1, NULL));
	return runs;
}

/* The writer has one job for all pictures, and a second job for the arrays of a large mesh. The arrays of small meshes
 * are no job. */
static void test_arrays_of_meshes(void **state)
{
	(void)state;
	static const char *const formats[] = { "fbx", "usda" };
	bspscene_scene *large = bspscene_load_file(BSPT_FIXTURES "/atrium/quake3/maps/atrium_styles.bsp", NULL, NULL);
	bspscene_scene *small = bspscene_load_file(BSPT_FIXTURES "/source/maps/room.bsp", NULL, NULL);
	assert_true(large && small);
	for (int i = 0; i < 2; i++) {
		uint64_t expected = write_plainly(large, formats[i], 1, NULL);
		assert_int_equal(count_runs(small, formats[i]), 1);
		assert_true(count_runs(large, formats[i]) > 1);
		for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
			assert_true(expected && write_plainly(large, formats[i], counts[k], NULL) == expected);
		}
	}
	bspscene_scene_free(large);
	bspscene_scene_free(small);
}

/* The sky of this map is small, but it is drawn in two tasks. */
static void test_sky_threads(void **state)
{
	static const writing panorama = {
		"usda", BSPSCENE_WRITE_LIGHTING_LIGHTMAP, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false, false, false
	};
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	(void)state;
	bspscene_source *place = bspscene_source_open(BSPT_FIXTURES "/atrium/quake2_q2map/maps/atrium.bsp", NULL, &error);
	bspscene_scene *scene = place ? bspscene_source_load(place, 0, &options, &error) : NULL;
	assert_true(scene && bspscene_sky_size(scene) >= 16);
	check_counts(scene, &panorama);
	bspscene_scene_free(scene);
	bspscene_source_free(place);
}

/* ---- Images as files --------------------------------------------------------------------------------------- */

enum { MOST_IMAGES = 64 };

typedef struct image_list {
	const bspscene_scene *scene;
	uint32_t numbers[MOST_IMAGES], count;
} image_list;

static bool write_images(const image_list *list, const bspscene_write_options *given, uint32_t threads,
                         uint64_t fail_after, bspt_sink *sink, bspscene_error *error)
{
	bspscene_output output = bspt_sink_output(sink);
	sink->fail_after = fail_after;
	bspscene_write_options options = *given;
	options.threads = threads;
	return bspscene_write_images(list->scene, list->numbers, list->count, &options, &output, error);
}

/* Writes the images one after the other by bspscene_write_png, and returns a hash. */
static uint64_t hash_pngs(const image_list *list)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	for (uint32_t i = 0; i < list->count; i++) {
		const bspscene_image *image = list->scene->images[list->numbers[i]];
		char name[256];
		snprintf(name, sizeof name, "%s.png", image->name);
		assert_true(output.begin(output.user, name));
		assert_true(bspscene_write_png(image->width, image->height, 4, image->data, output.write, output.user, NULL));
		assert_true(output.end(output.user));
	}
	return sink.hash;
}

/* Checks that any number of threads fails in the same way, after the same bytes. */
static void check_failure(const image_list *list, const bspscene_write_options *options, uint64_t fail_after,
                          bspscene_status status)
{
	bspscene_error first, error;
	bspt_sink expected, sink;
	assert_false(write_images(list, options, 1, fail_after, &expected, &first));
	assert_int_equal(first.status, status);
	for (size_t i = 1; i < sizeof counts / sizeof *counts; i++) {
		assert_false(write_images(list, options, counts[i], fail_after, &sink, &error));
		assert_int_equal(error.status, status);
		assert_string_equal(error.message, first.message);
		assert_true(sink.hash == expected.hash && sink.files == expected.files);
	}
}

/* Returns the least memory with which one thread writes all images. */
static uint64_t least_memory(const image_list *list, bspscene_write_options options)
{
	bspt_sink sink;
	uint64_t low = list->scene->memory_size, high = low + (UINT64_C(1) << 26);
	while (high - low > 1000) {
		options.memory_limit = low + (high - low) / 2;
		bool enough = write_images(list, &options, 1, UINT64_MAX, &sink, NULL);
		*(enough ? &high : &low) = options.memory_limit;
	}
	return high;
}

static void test_image_files(void **state)
{
	(void)state;
	bspscene_error error;
	bspt_sink sink;
	bspscene_load_options load;
	bspscene_load_options_init(&load);
	bspscene_source *place = bspscene_source_open(BSPT_FIXTURES "/atrium/quake/maps/atrium.bsp", NULL, &error);
	image_list list = { .scene = place ? bspscene_source_load(place, 0, &load, &error) : NULL };
	assert_non_null(list.scene);
	for (uint32_t i = 0; i < list.scene->image_count && list.count < MOST_IMAGES; i++) {
		if (list.scene->images[i]->format == BSPSCENE_IMAGE_RGBA) list.numbers[list.count++] = i;
	}
	assert_true(list.count > 8);
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		assert_true(write_images(&list, &options, counts[i], UINT64_MAX, &sink, &error));
		assert_true(sink.hash == hash_pngs(&list) && sink.files == list.count);
	}
	check_failure(&list, &options, sink.size / 2, BSPSCENE_ERROR_IO);
	options.output_limit = sink.size / 2;
	check_failure(&list, &options, UINT64_MAX, BSPSCENE_ERROR_OUTPUT_LIMIT);
	options.output_limit = 0;
	options.memory_limit = least_memory(&list, options);
	assert_true(write_images(&list, &options, 8, UINT64_MAX, &sink, &error));
	options.memory_limit -= 1001;
	check_failure(&list, &options, UINT64_MAX, BSPSCENE_ERROR_MEMORY_LIMIT);
	bspscene_scene_free((bspscene_scene *)(uintptr_t)list.scene);
	bspscene_source_free(place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads), cmocka_unit_test(test_locale), cmocka_unit_test(test_threads_of_a_call),
		cmocka_unit_test(test_arrays_of_meshes), cmocka_unit_test(test_sky_threads),
		cmocka_unit_test(test_image_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
