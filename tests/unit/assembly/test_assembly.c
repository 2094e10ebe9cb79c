/* Promise: an assembly of UFO: Alien Invasion is listed and loaded like a map. Tiles fill it by the rules of its .ump
 * file; each tile is moved, but otherwise the same as if it were loaded alone. Another seed chooses other tiles. Errors
 * are reported. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>
#include <bspscene/source.h>

#include "assembly/assembly.h"
#include "support/check/check_scene.h"
#include "support/bspt.h"

#define SQUARE 256.0f
#define FOLDER "ufoai"

static bspscene_scene *load_with(const char *map, const bspscene_load_options *options, bspscene_error *error)
{
	bspscene_source *place = bspscene_source_open(bspt_fixture_path(FOLDER), NULL, error);
	assert_non_null(place);
	uint32_t number = bspscene_source_find_map(place, map, error);
	bspscene_scene *scene = number == BSPSCENE_NO_INDEX ? NULL : bspscene_source_load(place, number, options, error);
	bspscene_source_free(place);
	return scene;
}

static bspscene_scene *load(const char *map, uint32_t seed)
{
	bspscene_load_options options;
	bspscene_error error;
	bspscene_load_options_init(&options);
	options.seed = seed;
	bspscene_scene *scene = load_with(map, &options, &error);
	if (!scene) fail_msg("%s: %s", map, error.message);
	bspt_report report = { 0 };
	bspt_context(&report, "%s, seed %u", map, seed);
	bspt_check_scene(scene, &options, &report);
	bspt_assert_clean(&report);
	return scene;
}

/* ---- A .ump file for tests -------------------------------------------------------------------------------- */

/* A file system with the files of the fixture, in which another text may replace one file. */
typedef struct own_files {
	bspscene_file_system *files;
	/* Path of the replaced file (NULL for none) and its text (NULL if the file does not exist). */
	const char *path, *text;
} own_files;

static bool open_own(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const own_files *own = user;
	if (!own->path || strcmp(path, own->path) != 0) return bspscene_file_system_open(own->files, stream, path, kind);
	if (!own->text) return false;
	stream->data = own->text;
	stream->size = strlen(own->text);
	return true;
}

static bspscene_scene *load_text(const char *text, const char *name, const char *path, const char *file,
                                 bspscene_error *error)
{
	own_files own = { bspt_mount_fixtures(FOLDER, NULL), path, file };
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.name = name;
	options.open_file = open_own;
	options.file_user = &own;
	bspscene_scene *scene = bspscene_load_memory(text, strlen(text), &options, error);
	bspscene_file_system_free(own.files);
	return scene;
}

#define LAWN "tile +lawn { 3 3 0 0 0 0 +a 0 0 0 0 }\n"
#define ROW(size, rules) "base yard/y_\n" LAWN "assembly row { size \"" size "\" " rules " }\n"

static void expect_failure(const char *text, const char *name, bspscene_status status, const char *words)
{
	bspscene_error error;
	bspscene_scene *scene = load_text(text, name, NULL, NULL, &error);
	assert_null(scene);
	if (error.status != status || !strstr(error.message, words)) fail_msg("%d %s", (int)error.status, error.message);
}

static uint32_t warned(const bspscene_scene *scene, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		if (scene->warnings[i]->code == code) count += scene->warnings[i]->count;
	}
	return count;
}

/* ---- Which assemblies exist, and their names --------------------------------------------------------------- */

static void assemblies_are_maps_of_their_game(void **state)
{
	static const char *const names[] = { "room", "yard.ump/garden", "yard.ump/plot", "yard/y_house", "yard/y_lawn" };
	enum { COUNT = sizeof names / sizeof *names };
	bspscene_error error;
	bspscene_source *place = bspscene_source_open(bspt_fixture_path(FOLDER), NULL, &error);
	(void)state;
	assert_int_equal(bspscene_source_map_count(place), COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		bool found = false;
		for (uint32_t k = 0; k < COUNT; k++) found = found || !strcmp(bspscene_source_map_name(place, k), names[i]);
		if (!found) fail_msg("%s is not listed", names[i]);
	}
	uint32_t garden = bspscene_source_find_map(place, "maps/yard.ump/GARDEN", &error);
	assert_string_equal(bspscene_source_map_path(place, garden), "maps/yard.ump/garden");
	assert_int_equal(bspscene_source_find_map(place, "garden", &error), garden);
	bspscene_source_free(place);
}

/* If a .ump file is opened as a source, its assemblies are the source's maps. Tiles are found in the game that contains
 * the file. */
static void a_text_alone_is_a_place(void **state)
{
	bspscene_error error;
	bspscene_source *place = bspscene_source_open(bspt_fixture_path(FOLDER "/maps/yard.ump"), NULL, &error);
	(void)state;
	assert_non_null(place);
	assert_int_equal(bspscene_source_kind_of(place), BSPSCENE_SOURCE_MAP);
	assert_int_equal(bspscene_source_map_count(place), 2);
	assert_int_equal(bspscene_source_find_map(place, NULL, &error), BSPSCENE_NO_INDEX);
	assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	bspscene_scene *scene = bspscene_source_load(place, bspscene_source_find_map(place, "plot", &error), NULL, &error);
	assert_non_null(scene);
	assert_string_equal(scene->name, "yard_plot");
	assert_string_equal(scene->family, "ufoai");
	bspscene_scene_free(scene);
	bspscene_source_free(place);
}

/* A map is named by file and assembly, with or without folders. A longer string that only ends with such a name is
 * refused. */
static void names_are_of_file_and_assembly(void **state)
{
	static const char longer[] = "no yard.ump/row";
	static const char *const names[] = { "maps/yard.ump/row", longer + 3 };
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		bspscene_error error;
		bspscene_scene *scene = load_text(ROW("1 1", "+lawn \"1 1\""), names[i], NULL, NULL, &error);
		if (!scene) fail_msg("%s: %s", names[i], error.message);
		assert_string_equal(scene->name, "yard_row");
		bspscene_scene_free(scene);
	}
}

/* ---- Positions of tiles ----------------------------------------------------------------------------------- */

static const bspscene_entity *find_entity(const bspscene_scene *scene, const char *classname)
{
	for (uint32_t i = 0; i < scene->entity_count; i++) {
		if (!strcmp(scene->entities[i]->classname, classname)) return scene->entities[i];
	}
	fail_msg("no %s", classname);
	return NULL;
}

static uint32_t count_entities(const bspscene_scene *scene, const char *classname)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->entity_count; i++) count += !strcmp(scene->entities[i]->classname, classname);
	return count;
}

static uint32_t world_faces(const bspscene_scene *scene)
{
	return scene->counts->faces;
}

/* Every seed gives one house and seven lawns. The seed chooses where the house is. */
static void a_seed_chooses_where_tiles_lie(void **state)
{
	uint64_t hashes[8];
	uint32_t other = 0;
	(void)state;
	bspscene_scene *house = load("yard/y_house", 0), *lawn = load("yard/y_lawn", 0);
	uint32_t wanted = world_faces(house) + 7 * world_faces(lawn);
	for (uint32_t seed = 0; seed < 8; seed++) {
		bspscene_scene *scene = load("garden", seed), *again = load("garden", seed);
		hashes[seed] = bspt_scene_hash(scene);
		assert_true(hashes[seed] == bspt_scene_hash(again));
		other += seed && hashes[seed] != hashes[0];
		assert_int_equal(world_faces(scene), wanted);
		assert_int_equal(count_entities(scene, "info_player_start"), 1);
		assert_int_equal(count_entities(scene, "info_alien_start"), 7);
		assert_int_equal(count_entities(scene, "worldspawn"), 1);
		assert_float_equal(scene->bounds.min[0], -SQUARE, 0);
		assert_float_equal(scene->bounds.max[0], 2 * SQUARE, 0);
		assert_float_equal(scene->bounds.min[1], -SQUARE, 0);
		assert_float_equal(scene->bounds.max[1], 2 * SQUARE, 0);
		assert_int_equal(scene->warning_count, 0);
		bspscene_scene_free(scene);
		bspscene_scene_free(again);
	}
	assert_true(other >= 3);
	bspscene_scene_free(house);
	bspscene_scene_free(lawn);
}

/* The assembly has four squares; the house is on squares 2 and 3. */
static void what_stands_on_a_tile_moves_with_it(void **state)
{
	(void)state;
	bspscene_scene *scene = load("plot", 0), *house = load("yard/y_house", 0);
	const bspscene_entity *door = find_entity(scene, "func_door"), *window = find_entity(scene, "func_breakable");
	const bspscene_entity *alone = find_entity(house, "func_door"), *start = find_entity(scene, "info_player_start");
	const float *place = scene->nodes[door->node]->transform, *before = house->nodes[alone->node]->transform;
	assert_float_equal(place[3], before[3] - SQUARE, 0);
	assert_float_equal(place[7], before[7], 0);
	assert_float_equal(scene->nodes[window->node]->transform[3], -SQUARE, 0);
	assert_float_equal(scene->nodes[start->node]->transform[3], 40 - SQUARE, 0);
	/* The door is rotated about its own center. Its mesh must be relative to this center, too. */
	const bspscene_mesh *mesh = scene->meshes[scene->nodes[door->node]->mesh];
	const bspscene_mesh *same = house->meshes[house->nodes[alone->node]->mesh];
	assert_int_equal(mesh->vertex_count, same->vertex_count);
	assert_memory_equal(mesh->positions, same->positions, 3 * sizeof(float) * mesh->vertex_count);
	bspscene_scene_free(scene);
	bspscene_scene_free(house);
}

/* ---- Tiles look as they do alone --------------------------------------------------------------------------- */

static const bspscene_lightmap_set *light_of(const bspscene_scene *scene)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		if (scene->lightmap_sets[i].kind == BSPSCENE_LIGHTMAP_SET_LIGHT) return &scene->lightmap_sets[i];
	}
	fail_msg("no light");
	return NULL;
}

static bool same_luxels(const bspscene_scene *a, const bspscene_face *x, const bspscene_scene *b,
                        const bspscene_face *y)
{
	if (x->lightmap_page == BSPSCENE_NO_INDEX || y->lightmap_page == BSPSCENE_NO_INDEX)
		return x->lightmap_page == y->lightmap_page;
	const bspscene_lightmap_page *p = &light_of(a)->pages[x->lightmap_page], *q = &light_of(b)->pages[y->lightmap_page];
	bool same = x->lightmap_width == y->lightmap_width && x->lightmap_height == y->lightmap_height;
	for (uint32_t row = 0; same && row < x->lightmap_height; row++) {
		const uint8_t *one = (const uint8_t *)p->data + 3 * ((size_t)(x->lightmap_y + row) * p->width + x->lightmap_x);
		const uint8_t *two = (const uint8_t *)q->data + 3 * ((size_t)(y->lightmap_y + row) * q->width + y->lightmap_x);
		same = !memcmp(one, two, 3 * (size_t)x->lightmap_width);
	}
	return same;
}

/* True if the faces have the same normals and texture coordinates, and the same positions after a shift along X. */
static bool same_corners(const bspscene_scene *a, const bspscene_face *x, const bspscene_scene *b,
                         const bspscene_face *y, float shift)
{
	const bspscene_mesh *m = a->meshes[x->mesh], *n = b->meshes[y->mesh];
	bool same = x->vertex_count == y->vertex_count;
	for (uint32_t i = 0; same && i < x->vertex_count; i++) {
		size_t at = x->first_vertex + i, other = y->first_vertex + i;
		same = fabsf(m->positions[3 * at] - n->positions[3 * other] - shift) < 1e-3f;
		for (size_t k = 0; k < 2; k++) {
			same = same && fabsf(m->positions[3 * at + 1 + k] - n->positions[3 * other + 1 + k]) < 1e-3f &&
			       fabsf(m->uvs[2 * at + k] - n->uvs[2 * other + k]) < 1e-4f;
		}
		for (size_t k = 0; k < 3; k++) same = same && m->normals[3 * at + k] == n->normals[3 * other + k];
	}
	return same;
}

/* Counts faces of `tile` that are also in `whole`. */
static uint32_t count_same(const bspscene_scene *whole, const bspscene_scene *tile, float shift)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < tile->face_count; i++) {
		for (uint32_t k = 0; k < whole->face_count; k++) {
			if (!same_corners(whole, &whole->faces[k], tile, &tile->faces[i], shift)) continue;
			if (!same_luxels(whole, &whole->faces[k], tile, &tile->faces[i])) continue;
			count++;
			break;
		}
	}
	return count;
}

static void tiles_look_as_they_do_alone(void **state)
{
	(void)state;
	bspscene_scene *scene = load("plot", 0), *house = load("yard/y_house", 0), *lawn = load("yard/y_lawn", 0);
	uint32_t brushes = 0;
	for (uint32_t i = 0; i < house->face_count; i++) brushes += house->meshes[house->faces[i].mesh]->model != 0;
	assert_int_equal(count_same(scene, house, -SQUARE), house->face_count - brushes);
	assert_int_equal(count_same(scene, house, 0), brushes);
	assert_int_equal(count_same(scene, lawn, -2 * SQUARE), lawn->face_count);
	assert_int_equal(count_same(scene, lawn, SQUARE), lawn->face_count);
	assert_int_equal(scene->material_count, 8); /* the tiles have 6 and 5 materials, 3 of them the same */
	bspscene_scene_free(scene);
	bspscene_scene_free(house);
	bspscene_scene_free(lawn);
}

static const bspscene_material *find_material(const bspscene_scene *scene, const char *name)
{
	for (uint32_t i = 0; i < scene->material_count; i++) {
		if (!strcmp(scene->materials[i]->name, name)) return scene->materials[i];
	}
	fail_msg("no material %s", name);
	return NULL;
}

/* materials/yard.mat applies to the tiles in that folder and to the .ump file next to it. */
static void materials_are_those_of_the_theme(void **state)
{
	static const char *const maps[] = { "yard/y_lawn", "plot" };
	(void)state;
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		bspscene_scene *scene = load(maps[i], 0);
		assert_true(find_material(scene, "test/wall")->pass_count > find_material(scene, "test/dirt0")->pass_count);
		bspscene_scene_free(scene);
	}
}

/* If a load requests collision geometry, hidden surfaces or single parts, assemblies have them like any map. */
static void parts_of_an_assembly_load_too(void **state)
{
	bspscene_load_options options;
	bspscene_error error;
	(void)state;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	for (int part = BSPSCENE_PARTS_ALL; part <= BSPSCENE_PARTS_ENTITIES; part++) {
		options.parts = (bspscene_parts)part;
		bspscene_scene *scene = load_with("plot", &options, &error);
		if (!scene) fail_msg("part %d: %s", part, error.message);
		assert_int_equal(count_entities(scene, "func_door"), 1);
		bspscene_scene_free(scene);
	}
}

/* ---- Errors and unusual .ump files ------------------------------------------------------------------------- */

static void missing_tiles_are_told(void **state)
{
	bspscene_error error;
	(void)state;
	const char *two = "base yard/y_\n" LAWN "tile +gone { 3 3 0 0 0 0 +a 0 0 0 0 }\n"
	                  "assembly row { size \"2 1\" +lawn \"1 1\" +gone \"1 1\" }\n";
	bspscene_scene *scene = load_text(two, NULL, NULL, NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	assert_int_equal(warned(scene, BSPSCENE_WARNING_FILE_MISSING), 1);
	assert_int_equal(count_entities(scene, "info_alien_start"), 1);
	bspscene_scene_free(scene);
	const char *none = "base no/\n" LAWN "assembly row { size \"2 1\" +lawn \"2 2\" }\n";
	expect_failure(none, NULL, BSPSCENE_ERROR_NOT_FOUND, "none of the 2 tiles");
}

static void a_tile_that_is_no_map_is_an_error(void **state)
{
	bspscene_error error;
	(void)state;
	assert_null(load_text(ROW("1 1", "+lawn \"1 1\""), NULL, "maps/yard/y_lawn.bsp", "not a map", &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_UNKNOWN_FORMAT);
	assert_non_null(strstr(error.message, "y_lawn.bsp"));
}

static void rules_that_cannot_be_kept_are_errors(void **state)
{
	(void)state;
	expect_failure(ROW("2 1", "+lawn \"0 1\""), NULL, BSPSCENE_ERROR_BAD_LUMP, "no way was found to fill 2 x 1");
	expect_failure(ROW("2 1", ""), NULL, BSPSCENE_ERROR_BAD_LUMP, "no way");
	expect_failure(ROW("1 1", "+lawn \"2 2\""), NULL, BSPSCENE_ERROR_BAD_LUMP, "no way");
	expect_failure(ROW("1 1", "+lawn \"1 1\""), "maps/yard.ump/street", BSPSCENE_ERROR_NOT_FOUND, "street");
	expect_failure("base yard/y_\n" LAWN, NULL, BSPSCENE_ERROR_NOT_FOUND, "no assembly");
}

/* Unknown rules in the text give a warning, and known ones are used. */
static void odd_rules_are_left_out(void **state)
{
	bspscene_error error;
	(void)state;
	const char *odd = ROW("2 1", "+lawn \"0 5\" +none \"1 1\" fix +lawn \"99 9\" tileset none \"0 1\" fix +lawn \"no\" "
	                             "size \"99 2\" grid \"0 0\" seeds { 1 2 3 } +lawn \"x\"");
	bspscene_scene *scene = load_text(odd, NULL, NULL, NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	assert_int_equal(warned(scene, BSPSCENE_WARNING_REFERENCE), 7);
	assert_int_equal(count_entities(scene, "info_alien_start"), 2);
	bspscene_scene_free(scene);
}

/* Tiles that another .ump file defines keep their own paths. */
static void a_text_may_take_over_tiles(void **state)
{
	bspscene_error error;
	(void)state;
	const char *text = "extends other\nbase wrong/\nassembly row { size \"2 1\" yard/y_lawn \"2 2\" }\n";
	const char *other = "extends yet_another\nbase yard/y_\n" LAWN "assembly mine { size \"1 1\" +lawn \"1 1\" }\n";
	bspscene_scene *scene = load_text(text, NULL, "maps/other.ump", other, &error);
	if (!scene) fail_msg("%s", error.message);
	assert_int_equal(count_entities(scene, "info_alien_start"), 2);
	bspscene_scene_free(scene);
	scene = load_text(text, NULL, "maps/other.ump", NULL, &error);
	assert_null(scene);
}

/* If two fixed tiles overlap, the map has both of them, as in the engine. */
static void fixed_tiles_may_overlap(void **state)
{
	bspscene_error error;
	(void)state;
	bspscene_scene *scene = load_text(ROW("1 1", "fix +lawn \"0 0\" fix +lawn \"0 0\""), NULL, NULL, NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	assert_int_equal(count_entities(scene, "info_alien_start"), 2);
	bspscene_scene_free(scene);
}

/* Digits and letters in a tile's grid are kinds of ground. Tiles may overlap only on ground of a common kind. */
static void kinds_of_ground_part_tiles(void **state)
{
	static const struct {
		const char *first, *second;
		bool meet;
	} cases[] = {
		{ "1", "1", true }, { "1", "2", false }, { "5", "5", true }, { "5", "A", false }, { "a", "A", true },
		{ "z", "z", true }, { "1", "a1", true }, { "12", "23", true }, { "0", "5", true }, { "0", "b", true },
	};
	bspscene_error error;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[400];
		snprintf(text, sizeof text,
		         "base yard/y_\ntile +lawn { 1 1 +%s }\ntile +house { 3 1 %s +0 %s }\n"
		         "assembly row { size \"2 1\" +lawn \"1 1\" +house \"1 1\" }\n",
		         cases[i].first, cases[i].second, cases[i].second);
		bspscene_scene *scene = load_text(text, NULL, NULL, NULL, &error);
		if (!scene != !cases[i].meet) fail_msg("%s and %s: %s", cases[i].first, cases[i].second, error.message);
		bspscene_scene_free(scene);
	}
	expect_failure("base yard/y_\ntile +lawn { 1 1 +6 }\nassembly row { size \"1 1\" +lawn \"1 1\" }\n", NULL,
	               BSPSCENE_ERROR_BAD_LUMP, "");
}

/* The beginning of a file tells whether it is a .ump text. Text that only has a similar beginning is not. */
static void texts_that_only_begin_like_one_are_none(void **state)
{
	static const struct {
		const char *text;
		bool is_one;
	} cases[] = {
		{ "base yard/y_\ntile +lawn { 1 1 +6 }\nassembly row { size \"1 1\" +lawn \"1 1\" }\n", true },
		{ "base yard/y_\nassem", true }, /* cut off within a word */
		{ "base yard/y_\ntile +lawn { 1 1 ", true },
		{ "base of this letter is a text\nabout other things\n", false },
		{ "tile +lawn { 1 1 +6 }\nand then words\n", false },
		{ "words\n", false },
		{ "", false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool is_one = bspi_is_assembly_text(bspi_bytes_of(cases[i].text, strlen(cases[i].text)));
		if (is_one != cases[i].is_one) fail_msg("\"%s\" is%s one", cases[i].text, is_one ? "" : " not");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assemblies_are_maps_of_their_game),
		cmocka_unit_test(a_text_alone_is_a_place),
		cmocka_unit_test(names_are_of_file_and_assembly),
		cmocka_unit_test(a_seed_chooses_where_tiles_lie),
		cmocka_unit_test(what_stands_on_a_tile_moves_with_it),
		cmocka_unit_test(tiles_look_as_they_do_alone),
		cmocka_unit_test(materials_are_those_of_the_theme),
		cmocka_unit_test(parts_of_an_assembly_load_too),
		cmocka_unit_test(missing_tiles_are_told),
		cmocka_unit_test(a_tile_that_is_no_map_is_an_error),
		cmocka_unit_test(rules_that_cannot_be_kept_are_errors),
		cmocka_unit_test(odd_rules_are_left_out),
		cmocka_unit_test(a_text_may_take_over_tiles),
		cmocka_unit_test(fixed_tiles_may_overlap),
		cmocka_unit_test(kinds_of_ground_part_tiles),
		cmocka_unit_test(texts_that_only_begin_like_one_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
