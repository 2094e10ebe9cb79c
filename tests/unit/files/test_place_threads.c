/* test_place_threads.c - promise: a source does not change after it is opened. Eight threads load eight maps from one
 * mounted game, packed in every way, and each gets what one thread gets. Built with -DBSPSCENE_SANITIZE=thread (preset
 * tsan), ThreadSanitizer watches every access. Once, threads shared libzip's handle, which is for one thread only. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/source.h>

#include "support/make/build_archive.h"
#include "support/make/build_map.h"

enum { MAP_COUNT = 8, ROUNDS = 3 };

static const char *const families[MAP_COUNT] = {
	"quake3", "quake3", "quake3", "quake3", "quake2", "quake", "goldsrc", "source"
};

static bspt_bytes build_map(const char *name)
{
	for (uint32_t i = 0; i < bspi_family_count; i++) {
		const bspi_family *family = bspi_families[i];
		if (!strcmp(family->about.name, name)) return bspt_build_room(family, &family->variants[0]);
	}
	fail_msg("no family %s", name);
	return (bspt_bytes){ NULL, 0 };
}

/* Makes game/pak0.pk3 with six maps and a script, game/pak1.pak with another map, and game/maps/7.bsp. */
static void make_game(const char *root)
{
	static const char script[] = "textures/test/wall { { map textures/test/wall.tga } }";
	static const char *const names[MAP_COUNT] = {
		"maps/0.bsp", "maps/1.bsp", "maps/2.bsp", "maps/3.bsp", "maps/4.bsp", "maps/5.bsp", "maps/6.bsp", "maps/7.bsp"
	};
	bspt_member members[MAP_COUNT] = { { .name = "scripts/test.shader", .text = script, .method = 8 } };
	bspt_bytes maps[MAP_COUNT];
	char path[400];
	for (int i = 0; i < MAP_COUNT; i++) maps[i] = build_map(families[i]);
	for (int i = 0; i < 6; i++) {
		bool packed = i % 2;
		members[i + 1] = (bspt_member){
			.name = names[i], .method = packed ? 8 : 0,
			.packed = packed ? bspt_deflate(maps[i].data, maps[i].size) : maps[i],
			.claims = true, .claimed_size = (uint32_t)maps[i].size,
		};
	}
	bspt_bytes zip = bspt_zip(members, 7), pak = bspt_pak(&(bspt_member){ .name = names[6], .packed = maps[6] }, 1, 56);
	snprintf(path, sizeof path, "%s/pak0.pk3", root);
	bspt_write_file(path, zip.data, zip.size);
	snprintf(path, sizeof path, "%s/pak1.pak", root);
	bspt_write_file(path, pak.data, pak.size);
	snprintf(path, sizeof path, "%s/maps", root);
	bspt_make_folder(path);
	snprintf(path, sizeof path, "%s/%s", root, names[7]);
	bspt_write_file(path, maps[7].data, maps[7].size);
	for (int i = 1; i < 6; i += 2) free(members[i + 1].packed.data);
	for (int i = 0; i < MAP_COUNT; i++) free(maps[i].data);
	free(zip.data);
	free(pak.data);
}

typedef struct job {
	const bspscene_source *place;
	uint32_t map;
	uint64_t hash;                     /* hash of the scene, 0 if the load failed */
} job;

static uint64_t load_one(const bspscene_source *place, uint32_t map)
{
	bspscene_scene *scene = bspscene_source_load(place, map, NULL, NULL);
	uint64_t hash = scene ? bspt_scene_hash(scene) : 0;
	bspscene_scene_free(scene);
	return hash;
}

static void *run_job(void *user)
{
	job *j = user;
	j->hash = load_one(j->place, j->map);
	return NULL;
}

static void eight_threads_load_eight_maps(void **state)
{
	(void)state;
	char root[200];
	bspscene_error error;
	uint64_t want[MAP_COUNT];
	bspt_make_directory(root, sizeof root);
	make_game(root);
	bspscene_source *place = bspscene_source_open(root, NULL, &error);
	if (!place) fail_msg("%s", error.message);
	assert_int_equal(bspscene_source_map_count(place), MAP_COUNT);
	for (uint32_t i = 0; i < MAP_COUNT; i++) {
		want[i] = load_one(place, i);
		assert_true(want[i] != 0);
	}
	for (int round = 0; round < ROUNDS; round++) {
		pthread_t threads[MAP_COUNT];
		job jobs[MAP_COUNT];
		for (uint32_t i = 0; i < MAP_COUNT; i++) {
			jobs[i] = (job){ .place = place, .map = i };
			if (pthread_create(&threads[i], NULL, run_job, &jobs[i])) bspt_die("start", "a thread");
		}
		for (uint32_t i = 0; i < MAP_COUNT; i++) {
			pthread_join(threads[i], NULL);
			assert_true(jobs[i].hash == want[i]);
		}
	}
	bspscene_source_free(place);
	bspt_remove_directory(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(eight_threads_load_eight_maps) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
