/* Promise: the three ways to load give the same scene, optional arguments may be NULL, and every exit closes streams,
 * frees memory and sets the error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/binding.h>

#include "support/bspt.h"

#define ATRIUM "atrium/quake3/maps/atrium.bsp"

static void three_ways_one_scene(void **state)
{
	(void)state;
	bspt_bytes file = bspt_read_fixture(ATRIUM);
	bspscene_error error;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = "atrium";

	memset(&error, 0xee, sizeof error);
	bspscene_scene *by_name = bspscene_load_file(bspt_fixture_path(ATRIUM), NULL, &error);
	assert_non_null(by_name);
	assert_int_equal(error.status, BSPSCENE_OK);
	assert_string_equal(error.message, "");
	assert_string_equal(error.lump, "");
	assert_int_equal(error.record, BSPSCENE_NO_INDEX);
	assert_true(error.offset == UINT64_MAX);

	bspscene_scene *by_memory = bspscene_load_memory(file.data, file.size, &options, NULL);
	bspt_stream source = { file.data, file.size, 0, 1000, SIZE_MAX, 0 };
	bspscene_stream stream = bspt_stream_open(&source, UINT64_MAX);
	bspscene_scene *by_stream = bspscene_load_stream(&stream, &options, NULL);
	assert_int_equal(source.closed, 1);
	/* The scene must not point into the input. */
	memset(file.data, 0xee, file.size);
	free(file.data);
	assert_non_null(by_memory);
	assert_non_null(by_stream);
	uint64_t hash = bspt_scene_hash(by_name);
	assert_true(bspt_scene_hash(by_memory) == hash);
	assert_true(bspt_scene_hash(by_stream) == hash);
	bspscene_scene_free(by_name);
	bspscene_scene_free(by_memory);
	bspscene_scene_free(by_stream);
	bspscene_scene_free(NULL);
}

static void the_scene_says_what_it_is(void **state)
{
	(void)state;
	static const struct {
		const char *file, *variant;
		int32_t version;
		bool first_value_wins;
	} cases[] = {
		{ ATRIUM, "quake3", 46, true },
		{ "atrium/et/maps/atrium.bsp", "et", 47, true },
		{ "atrium/rtcw/maps/atrium.bsp", "rtcw", 47, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(cases[i].file), NULL, NULL);
		assert_non_null(scene);
		assert_string_equal(scene->name, "atrium");
		assert_string_equal(scene->family, "quake3");
		assert_string_equal(scene->variant, cases[i].variant);
		assert_int_equal(scene->version, cases[i].version);
		assert_int_equal(scene->first_key_wins, cases[i].first_value_wins);
		assert_true(scene->meters_per_unit == 0.0254f);
		bspscene_scene_free(scene);
	}
}

static void names_come_from_the_caller(void **state)
{
	(void)state;
	static const struct {
		const char *given, *name, *message;
	} cases[] = {
		{ NULL, "map", "map: " },
		{ "hall", "hall", "hall: " },
		{ "maps/hall.bsp", "hall", "maps/hall.bsp: " },
		{ "maps\\hall.v2.BSP", "hall.v2", "maps\\hall.v2.BSP: " },
		{ "caf\xe9", "caf\xc3\xa9", "caf" },
	};
	bspt_bytes file = bspt_read_fixture(ATRIUM);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_load_options options;
		bspscene_error error;
		bspscene_load_options_init(&options);
		options.name = cases[i].given;
		bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
		assert_non_null(scene);
		assert_string_equal(scene->name, cases[i].name);
		bspscene_scene_free(scene);
		assert_null(bspscene_load_memory(file.data, 100, &options, &error));
		assert_int_equal(strncmp(error.message, cases[i].message, strlen(cases[i].message)), 0);
	}
	free(file.data);
}

static void failures_name_the_file(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		bspscene_status status;
	} cases[] = {
		{ "atrium/quake3/maps/none.bsp", BSPSCENE_ERROR_NOT_FOUND },
		{ "atrium/quake3/maps", BSPSCENE_ERROR_IO },
		{ "atrium/quake3/textures/sample/brick.tga", BSPSCENE_ERROR_UNKNOWN_FORMAT },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_error error;
		const char *path = bspt_fixture_path(cases[i].path);
		assert_null(bspscene_load_file(path, NULL, &error));
		assert_int_equal(error.status, cases[i].status);
		assert_int_equal(strncmp(error.message, path, strlen(path)), 0);
		assert_null(strchr(error.message, '\n'));
		assert_null(bspscene_load_file(path, NULL, NULL));
	}
	assert_null(bspscene_load_memory(NULL, 0, NULL, NULL));
}

/* Streams are also closed if options are refused, because the load owns them. */
static void streams_are_closed_on_every_exit(void **state)
{
	(void)state;
	bspt_bytes file = bspt_read_fixture(ATRIUM);
	for (int fault = 0; fault < 3; fault++) {
		bspscene_load_options options;
		bspscene_error error;
		bspscene_load_options_init(&options);
		if (fault == 0) options.struct_size = 3;
		if (fault == 1) options.memory_limit = 1000;
		if (fault == 2) options.allocation_limit = 1;
		bspt_stream source = { file.data, file.size, 0, 0, SIZE_MAX, 0 };
		bspscene_stream stream = bspt_stream_open(&source, file.size);
		assert_null(bspscene_load_stream(&stream, &options, &error));
		const bspscene_status status[] = {
			BSPSCENE_ERROR_BAD_OPTIONS, BSPSCENE_ERROR_MEMORY_LIMIT, BSPSCENE_ERROR_LIMIT,
		};
		assert_int_equal(error.status, status[fault]);
		assert_int_equal(source.closed, 1);
	}
	free(file.data);
}

/* Checks the stages that the header lists, each beginning at 0. Canceling at any of them must work. */
static bspscene_progress_result watch(void *user, const char *stage, double fraction)
{
	static const char *const words[] = { "read", "geometry", "lightmaps", "textures" };
	uint32_t *seen = user;
	size_t word = 0;
	while (word < 4 && strcmp(words[word], stage)) word++;
	assert_true(word < 4);
	assert_true(fraction >= 0 && fraction <= 1);
	*seen |= 1u << word;
	return BSPSCENE_PROGRESS_CONTINUE;
}

static void progress_uses_four_words(void **state)
{
	(void)state;
	uint32_t seen = 0;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.progress = watch;
	options.progress_user = &seen;
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(ATRIUM), &options, NULL);
	assert_non_null(scene);
	assert_int_equal(seen, 0xf);
	bspscene_scene_free(scene);
}

static void beginnings_are_probed(void **state)
{
	(void)state;
	bspt_bytes file = bspt_read_fixture(ATRIUM);
	const size_t sizes[] = { 64, file.size };
	for (int i = 0; i < 2; i++) {
		bspscene_format format;
		bspscene_format_init(&format);
		assert_true(bspscene_probe(file.data, sizes[i], &format));
		assert_string_equal(format.family, "quake3");
		assert_string_equal(format.variant, "quake3");
		assert_string_equal(format.title, "Quake III Arena (IBSP 46)");
		assert_int_equal(format.version, 46);
		assert_true(bspscene_probe(file.data, sizes[i], NULL));
	}
	assert_false(bspscene_probe(file.data, 7, NULL));
	assert_false(bspscene_probe(NULL, 0, NULL));
	assert_false(bspscene_probe("PK\3\4 and so on", 14, NULL));
	free(file.data);
}

/* bspscene_probe fills a format struct of any size: it sets the members that fit, and writes nothing after the struct.
 * If struct_size was never set, it writes nothing. */
static void formats_fit_their_callers(void **state)
{
	(void)state;
	bspt_bytes file = bspt_read_fixture(ATRIUM);
	union {
		bspscene_format format;
		unsigned char bytes[sizeof(bspscene_format) + 16];
	} room, whole;
	memset(&whole, 0, sizeof whole);
	whole.format.struct_size = sizeof whole;
	assert_true(bspscene_probe(file.data, file.size, &whole.format));
	for (size_t size = 0; size <= sizeof room; size++) {
		memset(&room, 0xa5, sizeof room);
		room.format.struct_size = size;
		whole.format.struct_size = size;
		assert_true(bspscene_probe(file.data, file.size, &room.format));
		size_t filled = size < sizeof size ? sizeof size : size;
		assert_memory_equal(&room, &whole, filled);
		for (size_t i = filled; i < sizeof room; i++) assert_int_equal(room.bytes[i], 0xa5);
	}
	free(file.data);
}

static void structs_without_a_size_are_refused(void **state)
{
	(void)state;
	bspscene_error error = { 0 };
	bspscene_stream stream = { 0 };
	assert_null(bspscene_load_stream(&stream, NULL, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_non_null(strstr(error.message, "bspscene_stream_init"));
	bspscene_load_options options = { 0 };
	assert_null(bspscene_load_file(bspt_fixture_path(ATRIUM), &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	assert_non_null(strstr(error.message, "bspscene_load_options_init"));
	options.struct_size = sizeof options; /* struct_size alone makes a zeroed struct valid */
	bspscene_scene *scene = bspscene_load_file(bspt_fixture_path(ATRIUM), &options, &error);
	assert_non_null(scene);
	bspscene_scene_free(scene);
}

static void bindings_can_compare_layouts(void **state)
{
	(void)state;
	enum { NEWEST = BSPSCENE_STRUCT_LIGHTMAP_BLOCKS };
	for (int id = 0; id <= NEWEST; id++) {
		if (!bspscene_struct_size((bspscene_struct_id)id)) fail_msg("add the size of struct %d to api.c", id);
	}
	if (bspscene_struct_size((bspscene_struct_id)(NEWEST + 1))) {
		fail_msg("set NEWEST in this test to the last struct of bspscene_struct_id");
	}
	assert_int_equal(bspscene_struct_size(BSPSCENE_STRUCT_SCENE), sizeof(bspscene_scene));
	assert_int_equal(bspscene_struct_size(BSPSCENE_STRUCT_VERTEX_COLOR_SET), sizeof(bspscene_vertex_color_set));
	assert_int_equal(bspscene_struct_size((bspscene_struct_id)-1), 0);
	assert_string_equal(bspscene_version(), BSPSCENE_VERSION_STRING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_ways_one_scene),
		cmocka_unit_test(the_scene_says_what_it_is),
		cmocka_unit_test(names_come_from_the_caller),
		cmocka_unit_test(failures_name_the_file),
		cmocka_unit_test(streams_are_closed_on_every_exit),
		cmocka_unit_test(progress_uses_four_words),
		cmocka_unit_test(beginnings_are_probed),
		cmocka_unit_test(formats_fit_their_callers),
		cmocka_unit_test(structs_without_a_size_are_refused),
		cmocka_unit_test(bindings_can_compare_layouts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
