/* Promise: compressed single maps, as download servers store them, appear wherever maps are listed, and an archive with
 * only models lists its models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/source.h>

#include "support/make/build_archive.h"
#include "support/make/build_map.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef bspt_bytes pack_fn(const void *data, size_t size);

static const struct {
	const char *path;
	pack_fn *pack;                     /* NULL if the file is not compressed */
} files[] = {
	{ "maps/plain.bsp", NULL }, { "maps/zipped.bsp.gz", bspt_gzip }, { "maps/X.BSP.XZ", bspt_xz },
#ifdef BSPI_HAVE_BZIP2
	{ "maps/burrows.bsp.bz2", bspt_bzip2 },
#endif
#ifdef BSPI_HAVE_ZSTD
	{ "maps/standard.bsp.zst", bspt_zstd },
#endif
	/* These are compressed copies of the first file, and files whose names are similar to its name. */
	{ "maps/plain.bsp.gz", bspt_gzip }, { "maps/plain.bsp.xz", bspt_xz }, { "maps/plain.bsp!.bsp", NULL },
	{ "maps/plain.bsp.old.bsp", NULL }, { "maps/notes.txt.gz", bspt_gzip },
};

static bspt_bytes make_archive(void)
{
	bspt_member members[COUNT(files)] = { 0 };
	bspt_bytes map = bspt_build_named_room("quake3");
	for (size_t i = 0; i < COUNT(files); i++) {
		members[i].name = files[i].path;
		members[i].packed = files[i].pack ? files[i].pack(map.data, map.size) : map;
	}
	bspt_bytes archive = bspt_zip(members, COUNT(members));
	for (size_t i = 0; i < COUNT(files); i++) {
		if (files[i].pack) free(members[i].packed.data);
	}
	free(map.data);
	return archive;
}

static bspscene_source *open_archive(bspt_bytes archive)
{
	bspscene_source_options options;
	bspscene_error error;
	bspscene_source_options_init(&options);
	options.data = archive.data;
	options.size = archive.size;
	bspscene_source *source = bspscene_source_open("server.zip", &options, &error);
	if (!source) fail_msg("%s", error.message);
	return source;
}

static bool has_map(const bspscene_source *source, const char *name)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < bspscene_source_map_count(source); i++) {
		found += !strcmp(bspscene_source_map_name(source, i), name);
	}
	assert_true(found <= 1);
	return found;
}

static void packed_maps_are_listed_once_and_load(void **state)
{
	(void)state;
	static const char *const names[] = {
		"plain", "zipped", "X", "plain.bsp!", "plain",
#ifdef BSPI_HAVE_BZIP2
		"burrows",
#endif
#ifdef BSPI_HAVE_ZSTD
		"standard",
#endif
	};
	bspt_bytes archive = make_archive();
	bspscene_source *source = open_archive(archive);
	for (size_t i = 0; i < COUNT(names); i++) {
		bspscene_error error;
		if (!strcmp(names[i], "plain")) continue; /* Two files have this name, so find_map would refuse it. */
		if (!has_map(source, names[i])) fail_msg("%s is not listed", names[i]);
		uint32_t map = bspscene_source_find_map(source, names[i], &error);
		assert_true(map != BSPSCENE_NO_INDEX);
		bspscene_scene *scene = bspscene_source_load(source, map, NULL, &error);
		if (!scene) fail_msg("%s: %s", names[i], error.message);
		bspscene_scene_free(scene);
	}
	/* Only the map itself and "plain.bsp.old.bsp" are listed, no copy. */
	assert_int_equal(bspscene_source_map_count(source), COUNT(names));
	assert_string_equal(bspscene_source_map_path(source, bspscene_source_find_map(source, "maps/plain.bsp", NULL)),
	                    "maps/plain.bsp");
	bspscene_source_free(source);
	free(archive.data);
}

static void models_alone_are_listed(void **state)
{
	(void)state;
	uint8_t head[] = "IDP3\17\0\0\0model";
	const bspt_bytes md3 = { head, sizeof head };
	const bspt_member members[] = {
		{ .name = "models/sample/obelisk.md3", .packed = md3 }, { .name = "models/sample/obelisk.tga", .text = "x" },
		{ .name = "models/sample/text.ase", .text = "*3DSMAX_ASCIIEXPORT" }, { .name = "models/b.md3", .packed = md3 },
	};
	for (size_t count = 3; count <= 4; count++) {
		bspscene_error error;
		bspt_bytes archive = bspt_zip(members, count);
		bspscene_source *source = open_archive(archive);
		assert_int_equal(bspscene_source_map_count(source), count - 2);
		assert_true(has_map(source, "models/sample/obelisk.md3"));
		uint32_t only = bspscene_source_find_map(source, NULL, &error);
		if (count == 3) assert_int_equal(only, 0);
		else assert_string_equal(error.message, "server.zip: has 2 models, choose one: models/b.md3, "
		                                        "models/sample/obelisk.md3");
		bspscene_source_free(source);
		free(archive.data);
	}
	/* An archive with a map and models lists the map only. */
	bspt_bytes map = bspt_build_named_room("quake3");
	const bspt_member mixed[] = { members[0], { .name = "maps/a.bsp", .packed = map } };
	bspt_bytes archive = bspt_zip(mixed, COUNT(mixed));
	bspscene_source *source = open_archive(archive);
	assert_int_equal(bspscene_source_map_count(source), 1);
	assert_string_equal(bspscene_source_map_name(source, 0), "a");
	bspscene_source_free(source);
	free(archive.data);
	free(map.data);
}

static void write_below(const char *folder, const char *name, const void *data, size_t size)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	bspt_write_file(path, data, size);
}

/* Checks that opening `folder` + `name` fails with a message that ends in `ending`. */
static void expect_error(const char *folder, const char *name, const char *ending)
{
	char path[1024];
	bspscene_error error;
	snprintf(path, sizeof path, "%s%s", folder, name);
	bspscene_source *source = bspscene_source_open(path, NULL, &error);
	assert_non_null(source);
	assert_int_equal(bspscene_source_find_map(source, NULL, &error), BSPSCENE_NO_INDEX);
	const char *found = strstr(error.message, ": has no maps (*.bsp)");
	if (!found || strcmp(found, ending)) fail_msg("%s", error.message);
	bspscene_source_free(source);
}

static void errors_name_models_that_can_be_opened(void **state)
{
	(void)state;
	char folder[512], models[600];
	const bspt_member members[] = { { .name = "notes.txt", .text = "x" } };
	bspt_bytes archive = bspt_zip(members, 1);
	bspt_make_directory(folder, sizeof folder);
	snprintf(models, sizeof models, "%s/models", folder);
	bspt_make_folder(models);
	write_below(folder, "notes.pk3", archive.data, archive.size);
	write_below(folder, "models/text.ase", "*3DSMAX_ASCIIEXPORT", 19);
	expect_error(folder, "", ": has no maps (*.bsp)");
	write_below(folder, "models/a.md3", "IDP3\17\0\0\0model", 14);
	expect_error(folder, "",
	             ": has no maps (*.bsp), only models; to open a model, give its path as the map's name, for example "
	             "models/a.md3");
	expect_error(folder, "/notes.pk3", ": has no maps (*.bsp)");
	bspt_remove_directory(folder);
	free(archive.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed_maps_are_listed_once_and_load), cmocka_unit_test(models_alone_are_listed),
		cmocka_unit_test(errors_name_models_that_can_be_opened),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
