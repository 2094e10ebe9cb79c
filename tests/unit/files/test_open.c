/* Promise: bspscene_open loads a map with everything of its game, from a file, an archive or a game directory, with the
 * same result as the separate calls. bspscene_write_file writes all files or none, with the bytes of bspscene_write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/binding.h>
#include <bspscene/formats.h>
#include <bspscene/source.h>

#include "support/bspt.h"
#include "support/buffer.h"
#include "support/captured.h"

#define GAME "atrium/quake3"
#define ATRIUM GAME "/maps/atrium.bsp"

static bspscene_scene *open_map(const char *path, const char *map)
{
	bspscene_error error;
	bspscene_open_options options;
	bspscene_open_options_init(&options);
	options.map = map;
	bspscene_scene *scene = bspscene_open(bspt_fixture_path(path), &options, &error);
	if (!scene) fail_msg("%s", error.message);
	assert_int_equal(error.status, BSPSCENE_OK);
	return scene;
}

static void textures_come_by_themselves(void **state)
{
	(void)state;
	bspscene_error error;
	bspscene_scene *bare = bspscene_load_file(bspt_fixture_path(ATRIUM), NULL, NULL);
	bspscene_scene *by_file = bspscene_open(bspt_fixture_path(ATRIUM), NULL, &error);
	bspscene_scene *by_game = open_map(GAME, "atrium");
	assert_non_null(bare);
	assert_non_null(by_file);
	assert_true(bare->counts->textures_missing > 0);
	assert_true(by_file->counts->textures_found > 0);
	assert_int_equal(by_file->counts->textures_missing, 0);
	assert_true(bspt_scene_hash(by_file) == bspt_scene_hash(by_game));
	bspscene_source *place = bspscene_source_open(bspt_fixture_path(ATRIUM), NULL, &error);
	bspscene_scene *by_steps = bspscene_source_load(place, 0, NULL, &error);
	assert_non_null(by_steps);
	assert_true(bspt_scene_hash(by_steps) == bspt_scene_hash(by_file));
	bspscene_source_free(place);
	bspscene_scene_free(bare);
	bspscene_scene_free(by_file);
	bspscene_scene_free(by_game);
	bspscene_scene_free(by_steps);
}

static void what_is_not_there_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *path, *map;
		bspscene_status status;
	} cases[] = {
		{ GAME, NULL, BSPSCENE_ERROR_BAD_OPTIONS },    /* a game has several maps, so a map must be chosen */
		{ GAME, "attic", BSPSCENE_ERROR_NOT_FOUND },
		{ GAME "/maps/none.bsp", NULL, BSPSCENE_ERROR_NOT_FOUND },
		{ GAME "/textures/sample/brick.tga", NULL, BSPSCENE_ERROR_UNKNOWN_FORMAT },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_error error;
		bspscene_open_options options;
		bspscene_open_options_init(&options);
		options.map = cases[i].map;
		assert_null(bspscene_open(bspt_fixture_path(cases[i].path), &options, &error));
		assert_int_equal(error.status, cases[i].status);
		assert_true(strlen(error.message) > 0);
		assert_null(bspscene_open(bspt_fixture_path(cases[i].path), &options, NULL));
	}
	bspscene_error error;
	bspscene_open_options sizeless = { 0 };
	assert_null(bspscene_open(bspt_fixture_path(ATRIUM), &sizeless, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
}

static void loads_are_as_asked(void **state)
{
	(void)state;
	bspscene_error error;
	bspscene_load_options load;
	bspscene_open_options options;
	bspscene_load_options_init(&load);
	bspscene_open_options_init(&options);
	load.parts = BSPSCENE_PARTS_NO_GEOMETRY;
	options.load = &load;
	bspscene_scene *scene = bspscene_open(bspt_fixture_path(ATRIUM), &options, &error);
	assert_non_null(scene);
	assert_int_equal(scene->mesh_count, 0);
	assert_true(scene->entity_count > 0);
	bspscene_scene_free(scene);
}

static bool find_none(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	(void)user;
	(void)stream;
	(void)path;
	(void)kind;
	return false;
}

/* bspscene_source_prepare_load completes options as bspscene_source_load does. Callers of relight and rewrite need the
 * completed options. */
static void places_complete_options(void **state)
{
	(void)state;
	bspscene_load_options options, own, sizeless = { 0 };
	bspscene_load_options_init(&options);
	bspscene_load_options_init(&own);
	own.open_file = find_none;
	bspscene_source *place = bspscene_source_open(bspt_fixture_path(ATRIUM), NULL, NULL);
	assert_non_null(place);
	bspscene_stream stream;
	bspscene_stream_init(&stream);
	bspscene_source_prepare_load(place, 0, &options);
	assert_string_equal(options.name, bspscene_source_map_path(place, 0));
	assert_ptr_equal(options.file_user, bspscene_source_file_system(place));
	assert_true(bspscene_source_open_map(place, 0, &stream, NULL));
	bspscene_scene *by_stream = bspscene_load_stream(&stream, &options, NULL);
	bspscene_scene *by_place = bspscene_source_load(place, 0, NULL, NULL);
	assert_non_null(by_stream);
	assert_non_null(by_place);
	assert_int_equal(by_stream->counts->textures_missing, 0);
	assert_true(bspt_scene_hash(by_stream) == bspt_scene_hash(by_place));

	bspscene_source_prepare_load(place, 0, &own);
	assert_true(own.open_file == find_none && !own.list_files && !own.file_user && own.name);
	/* Options whose struct_size is not set stay unchanged, because the load will refuse them. */
	bspscene_source_prepare_load(place, 0, &sizeless);
	assert_true(!sizeless.open_file && !sizeless.name);
	bspscene_scene_free(by_stream);
	bspscene_scene_free(by_place);
	bspscene_source_free(place);
}

/* ---- Writing ---------------------------------------------------------------------------------------------- */

static bool is_there(const char *path, const bspt_bytes *wanted)
{
	FILE *file = fopen(path, "rb");
	if (!file) return false;
	uint8_t *bytes = malloc(wanted->size + 1);
	assert_non_null(bytes);
	size_t size = fread(bytes, 1, wanted->size + 1, file);
	fclose(file);
	bool same = size == wanted->size && !memcmp(bytes, wanted->data, size);
	free(bytes);
	return same;
}

static void files_are_what_the_writer_gives(void **state)
{
	static const char *const names[] = { "bspt_open.glb", "bspt_open.gltf", "bspt_open.OBJ", "bspt_open.usdz",
		                             "bspt_open.json" };
	(void)state;
	bspscene_scene *scene = open_map(ATRIUM, NULL);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		bspscene_error error;
		bspt_captured captured;
		bspscene_write_options options;
		bspscene_write_options_init(&options);
		options.file_name = names[i];
		bspscene_output output = bspt_capture(&captured);
		/* bspscene_find_writer finds a writer by the name of a file, except the writer of atlases, which is only found
		 * by its own name */
		const bspscene_writer *writer = bspscene_find_writer(names[i]);
		assert_true(bspscene_write(scene, writer ? writer->name : "atlas", &options, &output, &error));
		if (!bspscene_write_file(scene, names[i], NULL, &error)) fail_msg("%s", error.message);
		assert_int_equal(error.status, BSPSCENE_OK);
		for (size_t f = 0; f < captured.file_count; f++) {
			if (!is_there(captured.files[f].name, &captured.files[f].bytes)) fail_msg("%s", captured.files[f].name);
			remove(captured.files[f].name);
		}
		bspt_captured_free(&captured);
	}
	bspscene_scene_free(scene);
}

/* If writing fails, existing files stay, and nothing incomplete is left. */
static void all_or_nothing(void **state)
{
	static uint8_t text[] = "before";
	const bspt_bytes before = { text, sizeof text - 1 };
	(void)state;
	bspscene_scene *scene = open_map(ATRIUM, NULL);
	bspscene_error error;
	bspscene_write_options options;
	bspscene_write_options_init(&options);
	options.output_limit = 1000;
	FILE *file = fopen("bspt_all.gltf", "wb");
	assert_non_null(file);
	fwrite(text, 1, before.size, file);
	fclose(file);
	assert_false(bspscene_write_file(scene, "bspt_all.gltf", &options, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_OUTPUT_LIMIT);
	assert_true(is_there("bspt_all.gltf", &before));
	assert_null(fopen("bspt_all.gltf.part", "rb"));
	assert_null(fopen("bspt_all.bin", "rb"));
	assert_true(bspscene_write_file(scene, "bspt_all.glb", NULL, &error)); /* without the limit, writing succeeds */
	remove("bspt_all.gltf");
	remove("bspt_all.glb");

	assert_false(bspscene_write_file(scene, "bspt_none/atrium.glb", NULL, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_IO);
	assert_non_null(strstr(error.message, "bspt_none/atrium.glb"));
	assert_false(bspscene_write_file(scene, "atrium.docx", NULL, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	assert_non_null(strstr(error.message, ".glb"));
	assert_false(bspscene_write_file(scene, "atrium.docx", NULL, NULL));
	bspscene_scene_free(scene);
}

/* A file that already has the temporary name (of a download or another writer) is neither truncated nor removed. */
static void what_others_write_stays(void **state)
{
	static uint8_t text[] = "theirs";
	const bspt_bytes theirs = { text, sizeof text - 1 };
	bspscene_error error;
	(void)state;
	bspscene_scene *scene = open_map(ATRIUM, NULL);
	FILE *file = fopen("bspt_theirs.glb.part", "wb");
	assert_non_null(file);
	fwrite(text, 1, theirs.size, file);
	fclose(file);
	if (!bspscene_write_file(scene, "bspt_theirs.glb", NULL, &error)) fail_msg("%s", error.message);
	assert_true(is_there("bspt_theirs.glb.part", &theirs));
	assert_null(fopen("bspt_theirs.glb.1.part", "rb"));
	assert_int_equal(remove("bspt_theirs.glb"), 0);
	assert_int_equal(remove("bspt_theirs.glb.part"), 0);
	bspscene_scene_free(scene);
}

static void pages_are_files(void **state)
{
	(void)state;
	bspscene_scene *scene = open_map(ATRIUM, NULL);
	bspscene_error error;
	assert_true(scene->lightmap_set_count && scene->lightmap_page_count);
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[0];
	bspt_buffer wanted = BSPT_BUFFER;
	assert_true(bspscene_write_lightmap_page(page, bspt_buffer_write, &wanted, &error));
	if (!bspscene_write_lightmap_page_file(page, "bspt_page.png", &error)) fail_msg("%s", error.message);
	const bspt_bytes bytes = { wanted.data, wanted.size };
	assert_true(is_there("bspt_page.png", &bytes));
	assert_null(fopen("bspt_page.png.part", "rb"));
	remove("bspt_page.png");
	assert_false(bspscene_write_lightmap_page_file(page, "bspt_none/page.png", &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_IO);
	assert_non_null(strstr(error.message, "bspt_none/page.png"));
	assert_false(bspscene_write_lightmap_page_file(page, "bspt_none/page.png", NULL));
	bspt_buffer_free(&wanted);
	bspscene_scene_free(scene);
}

static void halves_become_floats(void **state)
{
	(void)state;
	static const uint16_t halves[] = { 0, 0x3c00, 0xc000, 0x3555, 0x7bff, 0x0001 };
	static const float floats[] = { 0, 1, -2, 0.333251953125f, 65504, 5.9604644775390625e-8f };
	float got[6];
	bspscene_halves_to_floats(halves, 6, got);
	assert_memory_equal(got, floats, sizeof floats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(textures_come_by_themselves),
		cmocka_unit_test(what_is_not_there_is_said),
		cmocka_unit_test(loads_are_as_asked),
		cmocka_unit_test(places_complete_options),
		cmocka_unit_test(files_are_what_the_writer_gives),
		cmocka_unit_test(all_or_nothing),
		cmocka_unit_test(what_others_write_stays),
		cmocka_unit_test(pages_are_files),
		cmocka_unit_test(halves_become_floats),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
