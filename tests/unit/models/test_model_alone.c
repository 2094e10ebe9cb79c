/* Promise: a model file that is loaded alone gives a scene of that model, with its sibling files and the requested
 * skin, as in a map. An unreadable model is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>
#include <bspscene/source.h>

#include "models/alone/model_map.h"
#include "support/captured.h"
#include "support/check/check_scene.h"
#include "support/models/build_model.h"
#include "support/models/furnished.h"
#include "support/mounted.h"

/* Loads model `number`. The game has its sibling files, but not the model itself. */
static bspscene_scene *load(bspt_furnished *g, uint32_t number, bspscene_error *error)
{
	static char names[2][64];
	bspt_model_file file = bspt_build_model(number);
	bspt_furnished_begin(g);
	for (uint32_t i = 0; i < file.sibling_count; i++) {
		const char *end = strrchr(file.path, '.');
		if (!end) end = strchr(file.path, '/');
		snprintf(names[i], sizeof names[i], "%.*s%s", (int)(end - file.path), file.path,
		         file.siblings[i].ending);
		bspt_furnished_add(g, names[i], file.siblings[i].bytes.data, file.siblings[i].bytes.size);
	}
	g->options.name = file.path;
	return bspscene_load_memory(file.bytes.data, file.bytes.size, &g->options, error);
}

static void check(const bspscene_scene *scene, const bspscene_load_options *options)
{
	bspt_report report = { 0 };
	bspt_check_scene(scene, options, &report);
	bspt_assert_clean(&report);
}

/* These formats cannot be loaded alone: a box map is loaded as a map, and a TIKI needs several files. */
static bool is_never_alone(const char *format)
{
	return !strcmp(format, "box_map") || !strcmp(format, "tiki");
}

static void every_format_is_a_scene(void **state)
{
	(void)state;
	bool seen[32] = { false };
	assert_true(bspi_model_format_count <= sizeof seen / sizeof *seen);
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_furnished g;
		bspscene_error error;
		const char *format = bspt_build_model(i).format;
		if (is_never_alone(format)) continue;
		bspscene_scene *scene = load(&g, i, &error);
		if (!scene) fail_msg("%s: %s", format, error.message);
		check(scene, &g.options);
		assert_string_equal(scene->family, "model");
		assert_string_equal(scene->variant, format);
		assert_int_equal(scene->mesh_count, 1);
		assert_int_equal(scene->prop_count, 1);
		assert_true(scene->meshes[0]->index_count >= 6);
		if (strcmp(format, "sprite") != 0) {
			assert_int_equal(scene->meshes[0]->index_count, 3 * BSPT_MODEL_TRIANGLES);
			assert_true(strcmp(format, "md3") != 0 || !strcmp(scene->name, "crate"));
		}
		for (uint32_t k = 0; k < bspi_model_format_count; k++) {
			seen[k] = seen[k] || !strcmp(bspi_model_formats[k]->id, format);
		}
		bspscene_scene_free(scene);
		bspt_furnished_end(&g);
	}
	for (uint32_t k = 0; k < bspi_model_format_count; k++) {
		const char *id = bspi_model_formats[k]->id;
		if (!seen[k] && !is_never_alone(id)) {
			fail_msg(
				"no test makes a model of the format %s; write a function that encodes the crate, and add its row to "
				"`models` in tests/support/models/build_model.c",
				id);
		}
	}
}

/* glTF has normals and no light, so the viewer lights the model. */
static void a_viewer_lights_it(void **state)
{
	(void)state;
	bspt_furnished g;
	bspscene_error error;
	bspt_captured captured = { .fail_at_call = 0 };
	bspt_report report = { 0 };
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		if (strcmp(bspt_build_model(i).format, "md3") != 0) continue;
		bspscene_scene *scene = load(&g, i, &error);
		assert_non_null(scene);
		bspscene_output output = bspt_capture(&captured);
		assert_true(bspscene_write(scene, "glb", NULL, &output, &error));
		bspt_gltf gltf = bspt_gltf_open(&captured, &report);
		assert_non_null(bspt_gltf_at(&gltf, "meshes/0/primitives/0/attributes/NORMAL"));
		assert_null(bspt_gltf_at(&gltf, "materials/0/extensions/KHR_materials_unlit"));
		bspt_gltf_close(&gltf);
		bspt_captured_free(&captured);
		bspscene_scene_free(scene);
		bspt_furnished_end(&g);
	}
}

static void broken_ones_are_errors(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		bspscene_error error;
		if (strcmp(file.format, "md3") != 0) continue;
		uint8_t cut[100];
		memcpy(cut, file.bytes.data, sizeof cut);
		assert_null(bspscene_load_memory(cut, sizeof cut, NULL, &error));
		assert_int_equal(error.status, BSPSCENE_ERROR_BAD_LUMP);
		assert_non_null(strstr(error.message, "the model cannot be read"));
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		options.model_pose.sequence = "a\" \"skin\" \"1";
		assert_null(bspscene_load_memory(file.bytes.data, file.bytes.size, &options, &error));
		assert_int_equal(error.status, BSPSCENE_ERROR_BAD_OPTIONS);
	}
}

static void game_paths(void **state)
{
	(void)state;
	static const struct {
		const char *name, *path;
	} cases[] = {
		{ "models/a.md3", "models/a.md3" },
		{ "/games/oa/baseoa/models/w/A.md3", "models/w/a.md3" },
		{ "C:\\games\\id1\\progs\\ogre.mdl", "progs/ogre.mdl" },
		{ "/tmp/models.old/a.md3", "a.md3" },
		{ "/home/me/models/hl/models/b.mdl", "models/b.mdl" },
		{ "../x/y.mdl", "y.mdl" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char path[BSPI_PATH_SIZE];
		assert_true(bspi_model_game_path(cases[i].name, path));
		assert_string_equal(path, cases[i].path);
	}
}

/* A model in a game's directory is found by its path in the game, and so are the files that it names. */
static void a_place_knows_its_game(void **state)
{
	const bspt_mounted *p = *state;
	bspscene_error error;
	bspt_mounted_folder(p, "game");
	bspt_mounted_folder(p, "game/models");
	bspt_mounted_folder(p, "game/models/deep");
	bspt_mounted_folder(p, "models");
	bspt_mounted_folder(p, "models/loose");
	bspt_mounted_folder(p, "models/loose/models");
	bspt_mounted_folder(p, "models/loose/models/deep");
	bspt_mounted_text(p, "game/gameinfo.txt", "\"GameInfo\" { }");
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		if (strcmp(file.format, "md3") != 0) continue;
		bspt_write_file(bspt_mounted_at(p, "game/models/deep/crate.md3"), file.bytes.data, file.bytes.size);
		bspt_write_file(bspt_mounted_at(p, "alone.md3"), file.bytes.data, file.bytes.size);
		bspt_write_file(bspt_mounted_at(p, "models/loose/models/deep/crate.md3"), file.bytes.data, file.bytes.size);
	}
	bspscene_source *place = bspscene_source_open(bspt_mounted_at(p, "game/models/deep/crate.md3"), NULL, &error);
	assert_non_null(place);
	assert_int_equal(bspscene_source_kind_of(place), BSPSCENE_SOURCE_MAP);
	assert_string_equal(bspscene_source_map_path(place, 0), "models/deep/crate.md3");
	assert_non_null(strstr(bspscene_source_game(place), "/game"));
	bspscene_scene *scene = bspscene_source_load(place, 0, NULL, &error);
	assert_non_null(scene);
	assert_string_equal(scene->meshes[0]->name, "models/deep/crate.md3");
	bspscene_scene_free(scene);
	bspscene_source_free(place);
	scene = bspscene_open(bspt_mounted_at(p, "alone.md3"), NULL, &error);
	assert_non_null(scene);
	assert_string_equal(scene->meshes[0]->name, "alone.md3");
	bspscene_scene_free(scene);
	/* Without a game, the last folder of the path that is named "models" is taken as the models folder of a game. */
	place = bspscene_source_open(bspt_mounted_at(p, "models/loose/models/deep/crate.md3"), NULL, &error);
	assert_non_null(place);
	assert_string_equal(bspscene_source_map_path(place, 0), "models/deep/crate.md3");
	bspscene_source_free(place);
	bspscene_open_options in_game;
	bspscene_open_options_init(&in_game);
	in_game.map = "models/Deep/crate.md3";
	scene = bspscene_open(bspt_mounted_at(p, "game"), &in_game, &error);
	assert_non_null(scene);
	assert_string_equal(scene->meshes[0]->name, "models/deep/crate.md3");
	bspscene_scene_free(scene);
	in_game.map = "models/none.md3";
	assert_null(bspscene_open(bspt_mounted_at(p, "game"), &in_game, &error));
	assert_int_equal(error.status, BSPSCENE_ERROR_NOT_FOUND);
}

/* ---- What options choose ---------------------------------------------------------------------------------- */

enum { SPARE = 4096 };

/* Returns a copy of the first model of `format`, with spare bytes after it. */
static uint8_t *open_model(const char *format, size_t *size)
{
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		bspt_model_file file = bspt_build_model(i);
		if (strcmp(file.format, format) != 0) continue;
		uint8_t *bytes = calloc(file.bytes.size + SPARE, 1);
		assert_non_null(bytes);
		memcpy(bytes, file.bytes.data, *size = file.bytes.size);
		return bytes;
	}
	fail_msg("there is no %s", format);
	return NULL;
}

/* Copies `count` bytes to the end of the file. Returns their offset. */
static uint32_t append(uint8_t *bytes, size_t *size, const void *from, size_t count)
{
	uint32_t at = (uint32_t)*size;
	memcpy(bytes + at, from, count);
	*size += count;
	return at;
}

static void put(uint8_t *bytes, size_t at, uint32_t value)
{
	for (int i = 0; i < 4; i++) bytes[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static bspscene_scene *load_bytes(const uint8_t *bytes, size_t size, const bspscene_load_options *options)
{
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(bytes, size, options, &error);
	if (!scene) fail_msg("%s", error.message);
	check(scene, options);
	return scene;
}

static uint32_t skins_of(const uint8_t *bytes, size_t size, const bspscene_load_options *options)
{
	bspscene_scene *scene = load_bytes(bytes, size, options);
	assert_int_equal(scene->prop_count, 1);
	uint32_t count = scene->props[0]->skin_count;
	bspscene_scene_free(scene);
	return count;
}

/* Returns the height of the model, and the name of its material. */
static float height_of(const uint8_t *bytes, size_t size, const bspscene_load_options *options, char material[64])
{
	bspscene_scene *scene = load_bytes(bytes, size, options);
	const bspscene_mesh *mesh = scene->meshes[0];
	float low = mesh->positions[2], high = low;
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		float z = mesh->positions[3 * i + 2];
		low = z < low ? z : low;
		high = z > high ? z : high;
	}
	snprintf(material, 64, "%s", scene->materials[mesh->sections[0]->material]->name);
	bspscene_scene_free(scene);
	return high - low;
}

/* The model has two skins and two frames. The second frame is twice as large. */
static void skins_and_frames(void **state)
{
	(void)state;
	size_t size;
	uint8_t *bytes = open_model("md2", &size);
	char one[64] = "models/one.pcx", two[64] = "models/two.pcx", name[64];
	put(bytes, 20, 2);
	put(bytes, 44, append(bytes, &size, one, sizeof one));
	append(bytes, &size, two, sizeof two);
	size_t frame_size = bspi_load_u32(bytes + 16), frames = bspi_load_u32(bytes + 56);
	put(bytes, 40, 2);
	put(bytes, 56, append(bytes, &size, bytes + frames, frame_size));
	uint32_t second = append(bytes, &size, bytes + frames, frame_size);
	const uint32_t twice = 0x40000000;
	for (uint32_t axis = 0; axis < 3; axis++) put(bytes, second + 4 * axis, twice);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	assert_int_equal(skins_of(bytes, size, &options), 2);
	float height = height_of(bytes, size, &options, name);
	assert_string_equal(name, "models/one.pcx");
	options.model_pose.skin = 1;
	assert_true(height_of(bytes, size, &options, name) == height);
	assert_string_equal(name, "models/two.pcx");
	options.model_pose.frame = 1;
	assert_true(height_of(bytes, size, &options, name) == 2 * height);
	options.model_pose.skin = options.model_pose.frame = 7; /* numbers out of range mean the first skin and frame */
	assert_true(height_of(bytes, size, &options, name) == height);
	assert_string_equal(name, "models/one.pcx");
	free(bytes);
}

/* A body part has two models, of which the second has other vertices. */
static void bodies(void **state)
{
	(void)state;
	enum { MODEL = 112, VERTICES_AT = 88 };
	size_t size;
	uint8_t *bytes = open_model("goldsrc_mdl", &size);
	char name[64];
	size_t part = bspi_load_u32(bytes + 208), model = bspi_load_u32(bytes + part + 72);
	uint32_t vertices =
		append(bytes, &size, bytes + bspi_load_u32(bytes + model + VERTICES_AT), 12 * BSPT_MODEL_VERTICES);
	for (uint32_t i = 0; i < 3 * BSPT_MODEL_VERTICES; i++) {
		float value;
		memcpy(&value, bytes + vertices + 4 * i, sizeof value);
		value *= 3;
		memcpy(bytes + vertices + 4 * i, &value, sizeof value);
	}
	put(bytes, part + 64, 2);
	put(bytes, part + 72, append(bytes, &size, bytes + model, MODEL));
	put(bytes, append(bytes, &size, bytes + model, MODEL) + VERTICES_AT, vertices);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	float height = height_of(bytes, size, &options, name);
	options.model_pose.body = 1;
	float other = height_of(bytes, size, &options, name);
	assert_true(other > 2.99f * height && other < 3.01f * height);
	/* There are two bodies, so number 2 is the first one again, as in the game. */
	options.model_pose.body = 2;
	assert_true(height_of(bytes, size, &options, name) == height);
	free(bytes);
}

/* A position turns with the bone of its vertex. A normal turns with its own bone, which may be another one. The first
 * bone is rotated by -90 degrees around Z, which turns X to -Y. The second bone is not rotated. */
static void normals_turn_with_their_own_bone(void **state)
{
	enum { BONE = 112, ANGLES_AT = 76, NORMAL_BONES_AT = 96, NORMALS_AT = 100 };
	static const float turned[2][3] = { { 0, -1, 0 }, { 1, 0, 0 } };
	(void)state;
	size_t size;
	uint8_t *bytes = open_model("goldsrc_mdl", &size);
	size_t part = bspi_load_u32(bytes + 208), model = bspi_load_u32(bytes + part + 72);
	uint32_t bones = append(bytes, &size, bytes + bspi_load_u32(bytes + 144), BONE);
	memset(bytes + append(bytes, &size, bytes + bones, BONE) + ANGLES_AT, 0, 3 * sizeof(float));
	put(bytes, 140, 2);
	put(bytes, 144, bones);
	put(bytes, 164, 0); /* no sequence: bones have their own angles */
	const uint32_t one = 0x3f800000;
	put(bytes, bspi_load_u32(bytes + model + NORMALS_AT), one);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	float positions[3 * BSPT_MODEL_VERTICES];
	for (uint8_t bone = 0; bone < 2; bone++) {
		bytes[bspi_load_u32(bytes + model + NORMAL_BONES_AT)] = bone;
		bspscene_scene *scene = load_bytes(bytes, size, &options);
		const bspscene_mesh *mesh = scene->meshes[0];
		for (uint32_t i = 0; i < 3 * mesh->vertex_count; i++) {
			assert_float_equal(mesh->normals[i], turned[bone][i % 3], 1e-5);
		}
		assert_true(mesh->vertex_count >= BSPT_MODEL_VERTICES);
		if (bone) assert_memory_equal(positions, mesh->positions, sizeof positions);
		memcpy(positions, mesh->positions, sizeof positions);
		bspscene_scene_free(scene);
	}
	free(bytes);
}

/* A sequence may move the whole entity along some axes. Along these axes, the bone that it moves stays at the
 * origin. */
static void bones_that_move_the_entity_stay(void **state)
{
	enum { MOTION_TYPE_AT = 68, MOTION_BONE_AT = 72, PLACE_AT = 64 };
	static const float place[3] = { 16, 32, 64 };
	(void)state;
	size_t size;
	uint8_t *bytes = open_model("goldsrc_mdl", &size);
	size_t bones = bspi_load_u32(bytes + 144), sequence = bspi_load_u32(bytes + 168);
	float first[3] = { 0 };
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	for (uint32_t turn = 0; turn < 3 * 8; turn++) {
		const uint32_t type = turn % 8, moving_bone = turn / 8 == 2 ? 7 : 0;
		const bool placed = turn >= 8;
		if (placed) memcpy(bytes + bones + PLACE_AT, place, sizeof place);
		put(bytes, sequence + MOTION_TYPE_AT, type);
		put(bytes, sequence + MOTION_BONE_AT, moving_bone);
		bspscene_scene *scene = load_bytes(bytes, size, &options);
		const float *position = scene->meshes[0]->positions;
		if (!turn) memcpy(first, position, sizeof first);
		for (uint32_t k = 0; k < 3; k++) {
			bool held = moving_bone == 0 && (type >> k & 1);
			assert_float_equal(position[k], first[k] + (placed && !held ? place[k] : 0), 1e-3);
		}
		bspscene_scene_free(scene);
	}
	free(bytes);
}

/* A surface of an MD3 without a shader has the one that the .skin file next to the model names. */
static void skin_files_name_shaders(void **state)
{
	static const struct {
		const char *skin, *material;
	} cases[] = {
		{ "tag_head,\ncrate,models/rust.tga\n", "models/rust.tga" },
		{ "crates,no\nCRATE, models/rust.tga \r\ncrate,no\n", "models/rust.tga" },
		{ "crat,no\ncrate,models/rust.tga", "models/rust.tga" },
		{ "crate\n,no\n", "models/crate.md3_0" }, /* without a name, the material is named after the model */
	};
	enum { SHADER_AT = 108 + 108 }; /* offset in the file that build_md3 makes */
	(void)state;
	for (uint32_t i = 0; i < bspt_model_count; i++) {
		if (strcmp(bspt_build_model(i).format, "md3") != 0) continue;
		for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
			bspt_furnished g;
			bspscene_error error;
			bspt_model_file file = bspt_build_model(i);
			bspt_bytes bytes = { malloc(file.bytes.size), file.bytes.size };
			assert_non_null(bytes.data);
			memcpy(bytes.data, file.bytes.data, bytes.size);
			memset(bytes.data + SHADER_AT, 0, 64);
			bspt_furnished_begin(&g);
			bspt_furnished_add(&g, "models/crate_default.skin", cases[k].skin, strlen(cases[k].skin));
			g.options.name = file.path;
			bspscene_scene *scene = bspscene_load_memory(bytes.data, bytes.size, &g.options, &error);
			if (!scene) fail_msg("%s", error.message);
			assert_string_equal(scene->materials[scene->meshes[0]->sections[0]->material]->name, cases[k].material);
			bspscene_scene_free(scene);
			bspt_furnished_end(&g);
			free(bytes.data);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_a_scene),
		cmocka_unit_test(a_viewer_lights_it),
		cmocka_unit_test(broken_ones_are_errors),
		cmocka_unit_test(game_paths),
		cmocka_unit_test(skins_and_frames),
		cmocka_unit_test(bodies),
		cmocka_unit_test(normals_turn_with_their_own_bone),
		cmocka_unit_test(bones_that_move_the_entity_stay),
		cmocka_unit_test(skin_files_name_shaders),
		cmocka_unit_test_setup_teardown(a_place_knows_its_game, bspt_mounted_begin, bspt_mounted_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
