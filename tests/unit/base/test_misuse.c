/* Promise: every function accepts all arguments that the headers allow, and refuses all others with a message. Tested
 * are NULL for options, reports and errors, structs of every size, and objects that are freed before other objects that
 * were made from them. Structs are allocated with their exact size and inputs are freed, so that AddressSanitizer
 * detects invalid reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/bake.h>
#include <bspscene/binding.h>
#include <bspscene/file_system.h>
#include <bspscene/formats.h>
#include <bspscene/image.h>
#include <bspscene/relight.h>
#include <bspscene/rewrite.h>
#include <bspscene/sky.h>
#include <bspscene/source.h>

#include "support/bspt.h"

#define ATRIUM "atrium/quake3/maps/atrium.bsp"

static bspt_bytes map;
static bspscene_scene *scene;          /* the scene loaded from `map` */

static int begin(void **state)
{
	(void)state;
	map = bspt_read_fixture(ATRIUM);
	scene = bspscene_load_memory(map.data, map.size, NULL, NULL);
	return scene ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	bspscene_scene_free(scene);
	free(map.data);
	return 0;
}

static bspscene_stream map_stream(void)
{
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	stream.data = map.data;
	stream.size = map.size;
	return stream;
}

static bool write_nothing(void *user, const void *data, size_t size)
{
	(void)user;
	(void)data;
	(void)size;
	return true;
}

/* ---- NULL ------------------------------------------------------------------------------------------------- */

static void nothing_can_be_freed(void **state)
{
	(void)state;
	bspscene_scene_free(NULL);
	bspscene_file_system_free(NULL);
	bspscene_source_free(NULL);
	bspscene_edited_light_free(NULL);
	bspscene_entity_changes_free(NULL);
	bspscene_pixels pixels = { 0 };
	bspscene_pixels_free(&pixels);
	bspscene_image image = { .format = BSPSCENE_IMAGE_MISSING };
	assert_true(bspscene_image_decode(&image, &pixels, NULL));
	bspscene_pixels_free(&pixels);
	bspscene_pixels_free(&pixels);
}

static void options_reports_and_errors_may_be_null(void **state)
{
	(void)state;
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	bspscene_stream stream = map_stream();
	const uint8_t pixel[3] = { 1, 2, 3 };
	uint8_t sides[6 * 3];
	bspscene_pixels pixels;
	bspscene_image image = { .format = BSPSCENE_IMAGE_MISSING };
	assert_true(bspscene_probe(map.data, map.size, NULL));
	assert_false(bspscene_probe(NULL, 0, NULL));
	assert_true(bspscene_write(scene, "obj", NULL, &output, NULL));
	assert_true(bspscene_image_decode_with(&image, NULL, &pixels, NULL));
	bspscene_pixels_free(&pixels);
	assert_true(bspscene_write_picture(1, 1, 3, pixel, NULL, write_nothing, NULL, NULL));
	assert_false(bspscene_sky_cube(scene, NULL, 1, sides, NULL) && !bspscene_sky_size(scene));
	bspscene_scene_free(bspscene_bake_light(scene, NULL, NULL));
	bspscene_scene_free(bspscene_bake_textures(scene, NULL, NULL));
	assert_true(bspscene_rewrite(&stream, NULL, NULL, NULL, NULL, NULL, NULL));
	bspscene_edited_light light;
	bspscene_edited_light_init(&light);
	assert_true(bspscene_relight(&stream, NULL, &light, NULL, NULL, NULL, NULL));
	assert_null(bspscene_read_atlas("{", 1, NULL, NULL));
	assert_null(bspscene_open("no such place", NULL, NULL));
	assert_null(bspscene_source_open("no such place", NULL, NULL));
	bspscene_file_system *files = bspscene_file_system_create(NULL);
	assert_false(bspscene_file_system_mount(files, "no such place", NULL));
	assert_false(bspscene_file_system_mount_game(files, "no such place", NULL));
	assert_false(bspscene_file_system_mount_memory(files, "nothing", "", 0, NULL));
	assert_null(bspscene_file_system_search_path(files, 0));
	assert_null(bspscene_file_system_unreadable(files, "nothing"));
	assert_false(bspscene_file_system_open(files, &stream, "nothing", BSPSCENE_FILE_MAP));
	bspscene_file_system_free(files);
}

/* ---- Sizes of structs ------------------------------------------------------------------------------------- */

/* A function that passes the caller's struct `given` to the library. It returns true if the library accepted the
 * struct. */
typedef bool use_fn(void *given, bspscene_error *error);

static bool use_load(void *given, bspscene_error *error)
{
	bspscene_scene *loaded = bspscene_load_memory(map.data, map.size, given, error);
	bspscene_scene_free(loaded);
	return loaded;
}

static bool use_write(void *given, bspscene_error *error)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	return bspscene_write(scene, "obj", given, &output, error);
}

static bool use_write_images(void *given, bspscene_error *error)
{
	bspt_sink sink;
	bspscene_output output = bspt_sink_output(&sink);
	return bspscene_write_images(scene, NULL, 0, given, &output, error);
}

static bool use_write_file(void *given, bspscene_error *error)
{
	char folder[512], path[600];
	bspt_make_directory(folder, sizeof folder);
	snprintf(path, sizeof path, "%s/a.obj", folder);
	bool ok = bspscene_write_file(scene, path, given, error);
	bspt_remove_directory(folder);
	return ok;
}

static bool use_bake(void *given, bspscene_error *error)
{
	bspscene_scene *baked = bspscene_bake_light(scene, given, error);
	bspscene_scene_free(baked);
	return baked;
}

static bool use_bake_textures(void *given, bspscene_error *error)
{
	bspscene_scene *baked = bspscene_bake_textures(scene, given, error);
	bspscene_scene_free(baked);
	return baked;
}

/* Passes the struct to calls for the sky. Only whether it is accepted matters; other errors, such as a missing sky, do
 * not. */
static bool use_sky(void *given, bspscene_error *error)
{
	uint8_t sides[6 * 3];
	bspscene_sky_cube(scene, given, 1, sides, error);
	return error->status != BSPSCENE_ERROR_BAD_OPTIONS;
}

static bool use_decode(void *given, bspscene_error *error)
{
	bspscene_pixels pixels;
	bspscene_image image = { .format = BSPSCENE_IMAGE_MISSING };
	bool ok = bspscene_image_decode_with(&image, given, &pixels, error);
	bspscene_pixels_free(&pixels);
	return ok;
}

static bool use_picture(void *given, bspscene_error *error)
{
	const uint8_t pixel[3] = { 1, 2, 3 };
	return bspscene_write_picture(1, 1, 3, pixel, given, write_nothing, NULL, error);
}

static bool use_open(void *given, bspscene_error *error)
{
	bspscene_scene *opened = bspscene_open(bspt_fixture_path(ATRIUM), given, error);
	bspscene_scene_free(opened);
	return opened;
}

static bool use_source(void *given, bspscene_error *error)
{
	bspscene_source *source = bspscene_source_open(bspt_fixture_path(ATRIUM), given, error);
	bspscene_source_free(source);
	return source;
}

static bool use_relight(void *given, bspscene_error *error)
{
	bspscene_stream stream = map_stream();
	bspscene_edited_light light;
	bspscene_edited_light_init(&light);
	return bspscene_relight(&stream, NULL, &light, given, NULL, NULL, error);
}

static bool use_light(void *given, bspscene_error *error)
{
	bspscene_stream stream = map_stream();
	return bspscene_relight(&stream, NULL, given, NULL, NULL, NULL, error);
}

static bool use_rewrite(void *given, bspscene_error *error)
{
	bspscene_stream stream = map_stream();
	return bspscene_rewrite(&stream, NULL, NULL, given, NULL, NULL, error);
}

/* Passes the struct to rewrite. There are no entities, so the call fails because worldspawn is missing, but only after
 * it accepted the struct. */
static bool use_entities(void *given, bspscene_error *error)
{
	bspscene_stream stream = map_stream();
	bspscene_rewrite(&stream, NULL, given, NULL, NULL, NULL, error);
	return error->status != BSPSCENE_ERROR_BAD_OPTIONS;
}

static const struct {
	const char *name;
	size_t size;
	use_fn *use;
} options[] = {
	{ "load_options", sizeof(bspscene_load_options), use_load },
	{ "write_options", sizeof(bspscene_write_options), use_write },
	{ "write_options of images", sizeof(bspscene_write_options), use_write_images },
	{ "write_options of a file", sizeof(bspscene_write_options), use_write_file },
	{ "write_options of textures", sizeof(bspscene_write_options), use_bake_textures },
	{ "bake_options", sizeof(bspscene_bake_options), use_bake },
	{ "sky_options", sizeof(bspscene_sky_options), use_sky },
	{ "decode_options", sizeof(bspscene_decode_options), use_decode },
	{ "picture_options", sizeof(bspscene_picture_options), use_picture },
	{ "open_options", sizeof(bspscene_open_options), use_open },
	{ "source_options", sizeof(bspscene_source_options), use_source },
	{ "relight_options", sizeof(bspscene_relight_options), use_relight },
	{ "edited_light", sizeof(bspscene_edited_light), use_light },
	{ "rewrite_options", sizeof(bspscene_rewrite_options), use_rewrite },
	{ "edited_entities", sizeof(bspscene_edited_entities), use_entities },
};

/* Passes a zeroed struct of `size` bytes to a function, with `stated` as its struct_size and `last` as its last byte.
 * The function must accept it if `taken` is true, and must refuse it otherwise. */
static void expect(size_t i, size_t size, size_t stated, uint8_t last, bool taken)
{
	bspscene_error error = { .status = BSPSCENE_OK };
	size_t allocated = size > sizeof size ? size : sizeof size;
	uint8_t *given = calloc(1, allocated);
	assert_non_null(given);
	given[allocated - 1] = last;
	memcpy(given, &stated, sizeof stated);
	if (options[i].use(given, &error) != taken) {
		fail_msg("%s of %zu bytes that says %zu: %s", options[i].name, size, stated, error.message);
	}
	if (!taken) {
		assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
		assert_true(strlen(error.message) > 20);
	}
	free(given);
}

static void structs_of_every_size_are_answered(void **state)
{
	static const size_t nonsense[] = { 0, 1, 7, 4097, (size_t)1 << 30, SIZE_MAX };
	(void)state;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		size_t size = options[i].size;
		expect(i, size, size, 0, true);
		expect(i, size + 64, size + 64, 0, true);
		expect(i, size + 64, size + 64, 1, false);
		for (size_t k = 0; k < sizeof nonsense / sizeof *nonsense; k++) expect(i, size, nonsense[k], 0, false);
	}
}

/* Structs that the library fills get as many members as the caller's size has room for. */
static void results_of_every_size_are_filled(void **state)
{
	(void)state;
	for (size_t size = sizeof(size_t); size <= sizeof(bspscene_format) + 32; size++) {
		bspscene_format *format = calloc(1, size);
		assert_non_null(format);
		memcpy(format, &size, sizeof size);
		assert_true(bspscene_probe(map.data, map.size, format));
		if (size >= offsetof(bspscene_format, variant)) assert_string_equal(format->family, "quake3");
		free(format);
	}
	/* The caller owns the list of changes. A report that is too short for it must leak nothing. */
	for (size_t size = sizeof(size_t); size <= sizeof(bspscene_rewrite_report) + 32; size++) {
		bspscene_stream stream = map_stream();
		bspscene_rewrite_report *report = calloc(1, size);
		assert_non_null(report);
		memcpy(report, &size, sizeof size);
		assert_true(bspscene_rewrite(&stream, NULL, NULL, NULL, NULL, report, NULL));
		if (size >= offsetof(bspscene_rewrite_report, corners_changed)) {
			assert_true(report->identical);
			bspscene_entity_changes_free(report->changes);
		}
		free(report);
	}
}

static void streams_without_a_size_are_refused(void **state)
{
	(void)state;
	bspscene_error error;
	bspscene_stream stream = { .data = map.data, .size = map.size };
	bspscene_edited_light light;
	bspscene_edited_light_init(&light);
	assert_null(bspscene_load_stream(&stream, NULL, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_false(bspscene_relight(&stream, NULL, &light, NULL, NULL, NULL, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_false(bspscene_rewrite(&stream, NULL, NULL, NULL, NULL, NULL, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	bspscene_file_system *files = bspt_mount_fixtures("atrium/quake3", NULL);
	bspscene_stream_init(&stream);
	assert_true(bspscene_file_system_open(files, &stream, "maps/atrium.bsp", BSPSCENE_FILE_MAP));
	if (stream.close) stream.close(stream.user);
	stream = (bspscene_stream){ 0 };
	assert_false(bspscene_file_system_open(files, &stream, "maps/atrium.bsp", BSPSCENE_FILE_MAP));
	bspscene_file_system_free(files);
}

/* ---- Order of freeing ------------------------------------------------------------------------------------- */

static void scenes_outlive_what_made_them(void **state)
{
	(void)state;
	bspscene_source *source = bspscene_source_open(bspt_fixture_path("atrium/quake3"), NULL, NULL);
	assert_non_null(source);
	uint32_t index = bspscene_source_find_map(source, "atrium", NULL);
	bspscene_scene *of_source = bspscene_source_load(source, index, NULL, NULL);
	assert_non_null(of_source);
	uint64_t hash = bspt_scene_hash(of_source);
	bspscene_source_free(source);
	assert_true(bspt_scene_hash(of_source) == hash);
	bspscene_file_system *files = bspt_mount_fixtures("atrium/quake3", NULL);
	bspscene_load_options load;
	bspscene_load_options_init(&load);
	bspt_use_files(&load, files);
	bspscene_scene *of_files = bspscene_load_memory(map.data, map.size, &load, NULL);
	assert_non_null(of_files);
	hash = bspt_scene_hash(of_files);
	bspscene_file_system_free(files);
	assert_true(bspt_scene_hash(of_files) == hash);
	bspscene_scene_free(of_files);
	bspscene_scene_free(of_source);
}

static void changes_outlive_the_scenes_they_compare(void **state)
{
	(void)state;
	bspscene_scene *one = bspscene_load_memory(map.data, map.size, NULL, NULL);
	bspscene_scene *other = bspscene_load_file(bspt_fixture_path("atrium/quake/maps/atrium.bsp"), NULL, NULL);
	assert_true(one && other);
	bspscene_entity_changes *changes = bspscene_compare_entities(one, other, NULL);
	assert_non_null(changes);
	assert_true(changes->change_count > 0);
	bspscene_scene_free(one);
	bspscene_scene_free(other);
	size_t letters = 0;
	for (uint32_t i = 0; i < changes->change_count; i++) {
		const bspscene_entity_change *change = changes->changes[i];
		letters += strlen(change->classname) + strlen(change->targetname) + strlen(change->origin);
		for (uint32_t k = 0; k < change->key_count; k++) letters += strlen(change->keys[k]->key);
	}
	assert_true(letters > 0);
	bspscene_entity_changes_free(changes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_can_be_freed),
		cmocka_unit_test(options_reports_and_errors_may_be_null),
		cmocka_unit_test(structs_of_every_size_are_answered),
		cmocka_unit_test(results_of_every_size_are_filled),
		cmocka_unit_test(streams_without_a_size_are_refused),
		cmocka_unit_test(scenes_outlive_what_made_them),
		cmocka_unit_test(changes_outlive_the_scenes_they_compare),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
