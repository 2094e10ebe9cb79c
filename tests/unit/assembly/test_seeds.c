/* Promise: a seed always chooses the same tiles of an assembly; the choices are recorded here, because a link with a
 * map's name and a seed must show the same map in later versions. All positions are equally likely. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/bspt.h"

#define SQUARE 256.0f
#define TILES \
	"base yard/y_\n" \
	"tile +lawn { 3 3 0 0 0 0 +a 0 0 0 0 }\n" \
	"tile +house { 4 3 0 0 0 0 0 +h +h 0 0 0 0 0 }\n"

static bspscene_scene *load(const char *text, uint32_t seed)
{
	bspscene_error error;
	bspscene_load_options options;
	bspscene_file_system *files = bspt_mount_fixtures("ufoai", NULL);
	bspscene_load_options_init(&options);
	options.seed = seed;
	options.open_file = bspscene_file_system_open;
	options.file_user = files;
	bspscene_scene *scene = bspscene_load_memory(text, strlen(text), &options, &error);
	if (!scene) fail_msg("seed %u: %s", seed, error.message);
	bspscene_file_system_free(files);
	return scene;
}

/* Lists the square of each house as "X,Y". Each house has one door, and the list is in the order of these entities. */
static void list_houses(const bspscene_scene *scene, char *out, size_t size)
{
	size_t at = 0;
	*out = 0;
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		const bspscene_entity *entity = scene->entities[i];
		if (strcmp(entity->classname, "func_door") != 0) continue;
		const float *place = scene->nodes[entity->node]->transform;
		int x = (int)floorf(place[3] / SQUARE), y = (int)floorf(place[7] / SQUARE);
		at += (size_t)snprintf(out + at, size - at, "%s%d,%d", at ? " " : "", x, y);
		assert_true(at < size);
	}
}

static void a_seed_is_kept_for_good(void **state)
{
	static const char text[] = TILES "assembly row { size \"4 4\" +house \"3 3\" +lawn \"10 10\" }\n";
	static const char *const wanted[] = {
		"0,-2 -1,0 0,-1",  "-2,1 0,1 -1,-2",   "0,0 -2,0 0,-1", "-2,-1 0,1 -2,-2",
		"-2,1 0,-1 -2,-1", "-2,-2 -2,1 -2,-1", "0,-1 0,-2 0,1", "-2,1 -2,-2 -2,-1",
	};
	(void)state;
	for (uint32_t seed = 0; seed < sizeof wanted / sizeof *wanted; seed++) {
		char houses[128];
		bspscene_scene *scene = load(text, seed);
		list_houses(scene, houses, sizeof houses);
		assert_string_equal(houses, wanted[seed]);
		bspscene_scene_free(scene);
	}
}

/* A house of two squares fits into the grid in six positions. */
static void each_place_is_as_likely(void **state)
{
	enum { SEEDS = 120, PLACES = 6, LEAST = SEEDS / PLACES / 2 };
	static const char text[] = TILES "assembly row { size \"3 3\" +house \"1 1\" +lawn \"7 7\" }\n";
	uint32_t counts[3][3] = { { 0 } }, places = 0;
	(void)state;
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		char house[128];
		int x, y;
		bspscene_scene *scene = load(text, seed);
		list_houses(scene, house, sizeof house);
		assert_int_equal(sscanf(house, "%d,%d", &x, &y), 2);
		assert_true(x >= -1 && x < 2 && y >= -1 && y < 2);
		counts[y + 1][x + 1]++;
		bspscene_scene_free(scene);
	}
	for (int i = 0; i < 9; i++) {
		uint32_t count = counts[i / 3][i % 3];
		places += count > 0;
		if (count && count < LEAST) fail_msg("%u of %d at one place", count, SEEDS);
	}
	assert_int_equal(places, PLACES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_seed_is_kept_for_good),
		cmocka_unit_test(each_place_is_as_likely),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
