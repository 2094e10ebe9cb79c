/* Promise: no global state. Loads and writes in many threads at once, and under a locale that writes 1,5 for 1.5, give
 * what one thread gives under the C locale. */
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/bspt.h"
#include "support/comma_locale.h"

static const char *const maps[] = {
	"atrium/quake3/maps/atrium.bsp", "atrium/quake3/maps/atrium_external.bsp", "atrium/quake3/maps/atrium_styles.bsp",
};
enum { MAP_COUNT = sizeof maps / sizeof *maps, THREAD_COUNT = 6 };

static uint64_t hash_output(const bspscene_scene *scene, const char *writer)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	return bspscene_write(scene, writer, NULL, &output, NULL) ? sink.hash : 0;
}

/* Everything that loading and writing a fixture gives. 0: it failed. */
static uint64_t hash_map(size_t index)
{
	bspscene_files *files = bspscene_files_create();
	char game[1024], path[1200];
	snprintf(game, sizeof game, "%s/atrium/quake3", BSPT_FIXTURES);
	snprintf(path, sizeof path, "%s/%s", BSPT_FIXTURES, maps[index]);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspt_use_files(&options, files);
	bool mounted = files && bspscene_files_mount_game(files, game, NULL);
	bspscene_scene *scene = mounted ? bspscene_load_file(path, &options, NULL) : NULL;
	uint64_t hash = scene ? bspt_scene_hash(scene) : 0;
	static const char *const writers[] = { "glb", "fbx", "usdz", "obj" };
	for (int i = 0; scene && i < 4; i++) hash = hash * 31 + hash_output(scene, writers[i]);
	bspscene_scene_free(scene);
	bspscene_files_free(files);
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

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_threads), cmocka_unit_test(test_locale) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
