/* Promise: the order of these lists of the interface never changes: writers, maps of a source, entities and their
 * pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/source.h>

#include "support/make/build_archive.h"
#include "support/metamorphic/move_map.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void writers_are_in_the_order_of_menus(void **state)
{
	static const char *const names[] = { "glb", "gltf", "fbx", "usda", "usdz", "obj", "atlas" };
	const bspscene_writer *const *writers = bspscene_writers();
	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_non_null(writers[i]);
		assert_string_equal(writers[i]->name, names[i]);
	}
	if (writers[COUNT(names)]) fail_msg("add the writer %s to the names of this test", writers[COUNT(names)]->name);
}

static void maps_are_sorted_by_path_without_case(void **state)
{
	static const char *const stored[] = { "maps/b.bsp", "maps/C.bsp", "maps/a/z.bsp", "maps/A.bsp", "maps/a_1.bsp" };
	static const char *const wanted[] = { "A", "a/z", "a_1", "b", "C" };
	bspt_bytes map = bspt_build_named_room("quake3");
	bspt_member members[COUNT(stored)] = { 0 };
	bspscene_source_options options;
	bspscene_error error;
	(void)state;
	for (size_t i = 0; i < COUNT(stored); i++) {
		members[i].name = stored[i];
		members[i].packed = map;
	}
	bspt_bytes archive = bspt_zip(members, COUNT(members));
	bspscene_source_options_init(&options);
	options.data = archive.data;
	options.size = archive.size;
	bspscene_source *source = bspscene_source_open("maps.pk3", &options, &error);
	if (!source) fail_msg("%s", error.message);
	assert_int_equal(bspscene_source_map_count(source), COUNT(wanted));
	for (size_t i = 0; i < COUNT(wanted); i++) {
		assert_string_equal(bspscene_source_map_name(source, (uint32_t)i), wanted[i]);
	}
	bspscene_source_free(source);
	free(archive.data);
	free(map.data);
}

static char *copy_of(const char *text)
{
	char *copy = malloc(strlen(text) + 1);
	assert_non_null(copy);
	return strcpy(copy, text);
}

/* Entities and pairs are in the order of the text, also if a key is repeated. */
static void entities_are_in_file_order(void **state)
{
	static const char text[] =
		"{\n\"classname\" \"worldspawn\"\n}\n{\n\"classname\" \"light\"\n\"z\" \"1\"\n\"a\" \"2\"\n"
		"\"z\" \"3\"\n\"origin\" \"0 0 0\"\n}\n{\n\"classname\" \"info_null\"\n}\n{\n"
		"\"classname\" \"a_first\"\n}\n";
	static const char *const classes[] = { "worldspawn", "light", "info_null", "a_first" };
	static const char *const pairs[][2] = { { "classname", "light" }, { "z", "1" }, { "a", "2" }, { "z", "3" } };
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake3, "quake3");
	bspt_own_parts own;
	(void)state;
	bspt_own_parts_take(&own, &bspi_family_quake3, variant);
	bspt_own_parts_set_text(&own, copy_of(text));
	bspscene_scene *scene = bspt_load_parts(variant, &own.parts, NULL);
	assert_int_equal(scene->entity_count, COUNT(classes));
	for (size_t i = 0; i < COUNT(classes); i++) assert_string_equal(scene->entities[i]->classname, classes[i]);
	const bspscene_pair *first = scene->pairs + scene->entities[1]->first_pair;
	for (size_t i = 0; i < COUNT(pairs); i++) {
		assert_string_equal(first[i].key, pairs[i][0]);
		assert_string_equal(first[i].value, pairs[i][1]);
	}
	bspscene_scene_free(scene);
	bspt_own_parts_free(&own);
}

/* bspscene_start_camera gives intermissions first, and then player starts, both in the order of the file. It leaves out
 * the camera of a portal. */
static void the_first_views_are_those_of_players(void **state)
{
	static const char *const classes[] = {
		"misc_camera", "info_player_deathmatch", "info_player_intermission", "misc_portal_camera",
		"info_player_start", "info_player_intermission",
	};
	static const uint32_t wanted[] = { 2, 5, 1, 4 };
	const bspi_variant *variant = bspt_find_variant(&bspi_family_quake3, "quake3");
	char text[1024] = "{\n\"classname\" \"worldspawn\"\n}\n";
	bspt_own_parts own;
	(void)state;
	for (size_t i = 0; i < COUNT(classes); i++) {
		size_t length = strlen(text);
		snprintf(text + length, sizeof text - length, "{\n\"classname\" \"%s\"\n\"origin\" \"0 0 0\"\n}\n", classes[i]);
	}
	bspt_own_parts_take(&own, &bspi_family_quake3, variant);
	bspt_own_parts_set_text(&own, copy_of(text));
	bspscene_scene *scene = bspt_load_parts(variant, &own.parts, NULL);
	for (uint32_t i = 0; i < COUNT(wanted); i++) {
		uint32_t camera = bspscene_start_camera(scene, i);
		assert_int_equal(scene->cameras[camera]->entity, wanted[i] + 1);
	}
	assert_int_equal(bspscene_start_camera(scene, COUNT(wanted)), BSPSCENE_NO_INDEX);
	bspscene_scene_free(scene);
	bspt_own_parts_free(&own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writers_are_in_the_order_of_menus),
		cmocka_unit_test(maps_are_sorted_by_path_without_case),
		cmocka_unit_test(entities_are_in_file_order),
		cmocka_unit_test(the_first_views_are_those_of_players),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
