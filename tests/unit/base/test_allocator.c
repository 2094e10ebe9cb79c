/* Promise: a load, a bake and a writing take their memory from the caller's allocator, free all of it, and end with an
 * out-of-memory error whichever allocation is the first to fail. The argument is the tier: quick (default) tests
 * failures of some of a map's allocations, full and slow of more, exhaustive of all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_archive.h"
#include "support/make/build_map.h"
#include "support/hostile/counted_memory.h"

/* One map of each family. */
static const struct {
	const char *map, *textures;        /* paths relative to fixtures/ */
} cases[] = {
	{ "atrium/quake3/maps/atrium.bsp", "atrium/quake3" },
	{ "atrium/quake3/maps/atrium_external.bsp", "atrium/quake3" },
	{ "atrium/qfusion/maps/atrium_unlit.bsp", "atrium/quake3" },
	{ "atrium/quake/maps/atrium_bspx.bsp", "atrium/quake" },
	{ "atrium/hexen2/maps/atrium.bsp", "atrium/hexen2" },
	{ "atrium/goldsrc/maps/atrium_wad.bsp", "atrium/goldsrc" },
	{ "atrium/quake2_q2map/maps/atrium.bsp", "atrium/quake2_q2map" },
	{ "source/maps/room.bsp", "source" },
	{ "nightfire/maps/room.bsp", "nightfire" },
	{ "mohaa/maps/room.bsp", "mohaa" },
	{ "ufoai/maps/room.bsp", "ufoai" },
	{ "callofduty/maps/room.bsp", "callofduty" },
	{ "genesis3d/maps/room.bsp", "genesis3d" },
};
extern const bspi_family bspi_family_quake3, bspi_family_vbsp;

enum { CASE_COUNT = sizeof cases / sizeof *cases };

/* The largest number of allocations of a map whose failure is tested. Builds with sanitizers allocate each array
 * separately, so maps have thousands of allocations there. */
static uint64_t most_failures = 40;

static bspscene_load_options options_with(const bspscene_allocator *allocator, bspscene_file_system *files)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.lightmap_page_size = 256;
	options.allocator = allocator;
	bspt_use_files(&options, files);
	return options;
}

static void test_all_comes_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASE_COUNT; i++) {
		bspscene_error error;
		bspt_counted counted = { 0 };
		bspscene_allocator allocator = bspt_counted_allocator(&counted);
		bspscene_file_system *files = bspt_mount_fixtures(cases[i].textures, NULL);
		bspscene_load_options options = options_with(&allocator, files), plain = options_with(NULL, files);
		const char *path = bspt_fixture_path(cases[i].map);
		bspscene_scene *scene = bspscene_load_file(path, &options, &error);
		bspscene_scene *usual = bspscene_load_file(path, &plain, NULL);
		if (!scene || !usual) fail_msg("%s: %s", cases[i].map, error.message);
		memset(&allocator, 0, sizeof allocator); /* The load must use its own copy of the allocator. */
		assert_true(counted.calls > 1 && counted.bytes >= scene->memory_size);
		assert_true(bspt_scene_hash(scene) == bspt_scene_hash(usual));
		bspscene_scene_free(usual);
		bspscene_scene_free(scene);
		assert_true(counted.pieces == 0 && counted.bytes == 0);
		bspscene_file_system_free(files);
	}
}

typedef struct victim {
	const char *name;
	const void *data; size_t size;     /* the bytes to load; NULL to load the fixture `name` */
	bspscene_file_system *files;
} victim;

static bspscene_scene *load(const victim *v, bspt_counted *counted, bspscene_error *error)
{
	bspscene_allocator allocator = bspt_counted_allocator(counted);
	bspscene_load_options options = options_with(&allocator, v->files);
	if (!v->data) return bspscene_load_file(bspt_fixture_path(v->name), &options, error);
	return bspscene_load_memory(v->data, v->size, &options, error);
}

/* Loads while allocation `n` (from 1) and all later ones fail. If `enough` is true, the load must succeed. Otherwise
 * it must report that memory is exhausted. */
static void starve(const victim *v, uint64_t n, bool enough)
{
	bspscene_error error;
	bspt_counted counted = { .fail_at = n };
	bspscene_scene *scene = load(v, &counted, &error);
	if (enough && !scene) fail_msg("%s: %u allocations are not enough", v->name, (unsigned)n);
	if (!enough && scene) fail_msg("%s: allocation %u fails: a scene", v->name, (unsigned)n);
	if (!scene && (error.status != BSPSCENE_ERROR_OUT_OF_MEMORY || !strstr(error.message, "out of memory"))) {
		fail_msg("%s: allocation %u fails: %s", v->name, (unsigned)n, error.message);
	}
	bspscene_scene_free(scene);
	if (counted.pieces) fail_msg("%s: allocation %u fails: something leaks", v->name, (unsigned)n);
}

static void starve_everywhere(const victim *v)
{
	bspt_counted counted = { 0 };
	bspscene_scene_free(load(v, &counted, NULL));
	uint64_t count = counted.calls, step = count / most_failures + 1;
	assert_true(count > 1);
	for (uint64_t n = 1; n <= count; n += step) starve(v, n, false);
	starve(v, count + 1, true);
}

static void test_every_allocation_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASE_COUNT; i++) {
		bspscene_file_system *files = bspt_mount_fixtures(cases[i].textures, NULL);
		starve_everywhere(&(victim){ .name = cases[i].map, .files = files });
		bspscene_file_system_free(files);
	}
}

/* zlib, libbz2 and liblzma report damaged data and failed allocations by the same error. */
static void test_packed_maps(void **state)
{
	(void)state;
	bspt_bytes map = bspt_build_room(&bspi_family_quake3, bspt_find_variant(&bspi_family_quake3, "quake3"));
	bspt_bytes gzip = bspt_gzip(map.data, map.size);
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	starve_everywhere(&(victim){ "room.bsp.gz", gzip.data, gzip.size, files });
#ifdef BSPI_HAVE_BZIP2
	bspt_bytes bzip2 = bspt_bzip2(map.data, map.size);
	starve_everywhere(&(victim){ "room.bsp.bz2", bzip2.data, bzip2.size, files });
	free(bzip2.data);
#endif
	bspscene_file_system_free(files);
	free(gzip.data);
	free(map.data);
}

/* In this case the load itself opens files inside the map. */
static void test_pakfile(void **state)
{
	enum { PAKFILE = 40, VARIANT = 4 };
	static const uint16_t methods[] = { 0, 8, 14 };
	(void)state;
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		const bspt_member wall = {
			.name = "materials/test/wall.vmt", .method = methods[i], .text = "LightmappedGeneric { $basetexture a }",
		};
		const bspi_variant *variant = &bspi_family_vbsp.variants[VARIANT];
		bspt_parts parts;
		bspt_bytes zip = bspt_zip(&wall, 1);
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		parts.raw[PAKFILE] = bspi_bytes_of(zip.data, zip.size);
		bspt_bytes map = bspt_encode_parts(variant, &parts);
		starve_everywhere(&(victim){ "room with a pakfile", map.data, map.size, files });
		free(map.data);
		free(zip.data);
	}
	bspscene_file_system_free(files);
}

static bool write_starved(const bspscene_scene *scene, const char *writer, uint64_t n, uint64_t *calls)
{
	bspscene_error error;
	bspt_sink sink;
	bspt_counted counted = { .fail_at = n };
	bspscene_allocator allocator = bspt_counted_allocator(&counted);
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.allocator = &allocator;
	bool written = bspscene_write(scene, writer, &options, &output, &error);
	*calls = counted.calls;
	if (written != (!n || counted.calls < n)) fail_msg("%s: written after allocation %u failed", writer, (unsigned)n);
	if (!written && error.status != BSPSCENE_ERROR_OUT_OF_MEMORY) fail_msg("%s: %s", writer, error.message);
	if (counted.pieces) fail_msg("%s: allocation %u fails: something leaks", writer, (unsigned)n);
	return written;
}

/* Pictures of Quake are decoded and encoded again; those of Quake III are copied. */
static void test_writers(void **state)
{
	static const size_t maps[] = { 0, 3 };
	(void)state;
	for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
		bspscene_file_system *files = bspt_mount_fixtures(cases[maps[m]].textures, NULL);
		bspscene_load_options options = options_with(NULL, files);
		bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(cases[maps[m]].map), &options, NULL);
		assert_non_null(scene);
		for (uint32_t i = 0; bspscene_writers()[i]; i++) {
			const char *writer = bspscene_writers()[i]->name;
			uint64_t count, calls;
			assert_true(write_starved(scene, writer, 0, &count) && count > 1);
			uint64_t step = count / (most_failures / 8) + 1;
			for (uint64_t n = 1; n <= count; n += step) assert_false(write_starved(scene, writer, n, &calls));
		}
		bspscene_scene_free(scene);
		bspscene_file_system_free(files);
	}
}

/* The baked scene is freed by its own allocator, even if the old scene has another one. */
static void test_bake(void **state)
{
	(void)state;
	bspt_counted counted = { 0 };
	bspscene_allocator allocator = bspt_counted_allocator(&counted);
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path("atrium/quake3/maps/atrium_styles.bsp"), NULL, NULL);
	assert_non_null(scene);
	bspscene_bake_options options;
	bspscene_bake_options_init(&options);
	options.allocator = &allocator;
	options.vertices = true;
	bspscene_scene *baked = bspscene_bake_light(scene, &options, NULL);
	assert_true(baked && counted.pieces);
	uint64_t count = counted.calls, step = count / most_failures + 1;
	bspscene_scene_free(baked);
	assert_true(!counted.pieces);
	for (uint64_t n = 1; n <= count; n += step) {
		bspscene_error error;
		counted = (bspt_counted){ .fail_at = n };
		assert_null(bspscene_bake_light(scene, &options, &error));
		assert_true(error.status == BSPSCENE_ERROR_OUT_OF_MEMORY && !counted.pieces);
	}
	bspscene_scene_free(scene);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "full")) most_failures = 75;
	if (argc > 1 && !strcmp(argv[1], "slow")) most_failures = 150;
	if (argc > 1 && !strcmp(argv[1], "exhaustive")) most_failures = UINT32_MAX;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_comes_back),
		cmocka_unit_test(test_every_allocation_fails),
		cmocka_unit_test(test_packed_maps),
		cmocka_unit_test(test_pakfile),
		cmocka_unit_test(test_writers),
		cmocka_unit_test(test_bake),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
