/* Promise: additions of Xash3D's compilers and of Afterburner files to GoldSrc's format are supported or do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "families/quake/quake_common.h"
#include "support/make/build_map.h"
#include "support/make/build_picture.h"
#include "support/check/scene_find.h"

enum { FLOOR, WALL };

/* Loads the room with these texinfo flags for the wall. The light lump is large enough for luxels of any size that the
 * flags select. */
static bspscene_scene *load_room(const char *name, uint32_t wall_flags)
{
	static uint8_t light[4096];
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, name);
	bspt_parts parts;
	bspi_texinfo texinfos[8];
	bspt_room_parts(&bspi_family_goldsrc, variant, &parts);
	assert_true(parts.map.texinfos_count <= 8);
	memcpy(texinfos, parts.map.texinfos, parts.map.texinfos_count * sizeof *texinfos);
	texinfos[WALL].flags = wall_flags;
	parts.map.texinfos = texinfos;
	parts.raw[QUAKE_LIGHTING] = bspi_bytes_of(light, sizeof light);
	return bspt_load_parts(variant, &parts, NULL);
}

static const bspscene_face *face_of(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record == source) return &scene->faces[i];
	}
	fail_msg("no face %u", (unsigned)source);
	return NULL;
}

/* The flag 8 of a texinfo halves the size of luxels; the other flags change nothing. 128 units are then 17 luxels
 * instead of 9. */
static void test_luxel_flags(void **state)
{
	(void)state;
	static const struct { uint32_t flags, side; } cases[] = { { 0, 9 }, { 2, 9 }, { 4, 9 }, { 8, 17 }, { 8 | 2, 17 } };
	static const char *const names[] = { "goldsrc", "afterburner" };
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			bspscene_scene *scene = load_room(names[n], cases[i].flags);
			assert_string_equal(scene->variant, names[n]);
			assert_int_equal(face_of(scene, WALL)->lightmap_width, cases[i].side);
			assert_int_equal(face_of(scene, WALL)->lightmap_height, cases[i].side);
			assert_int_equal(face_of(scene, FLOOR)->lightmap_width, 9);
			bspscene_scene_free(scene);
		}
	}
}

/* Xash3D's FACEINFO states the width of luxels in units, which need not be a power of two. The upper half of a
 * texinfo's flags is an index into FACEINFO. So 128 units have 9 luxels of 16 units, 33 of 4 units, or 12 of 12 units.
 * If luxels are measured in world units, a warning says so. */
static void test_face_infos(void **state)
{
	enum { HEADER = 124, INFO = 22, INFOS = 2, STEP_AT = 16, MORE = 8 + 12 * 8 + INFOS * INFO };
	enum { FLAGS_AT = 36, TEXINFO = 40 };
	static const struct { uint32_t flags, side, warnings; } cases[] = {
		{ 0u << 16, 33, 0 }, { 1u << 16, 12, 0 }, { 2u << 16, 9, 0 }, { 0xffffu << 16, 9, 0 },
		{ 1u << 16 | 8, 17, 0 }, { 0xffffu << 16 | 2, 9, 1 },
	};
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "goldsrc");
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		static uint8_t light[8192];
		bspt_parts parts;
		bspt_room_parts(&bspi_family_goldsrc, variant, &parts);
		parts.raw[QUAKE_LIGHTING] = bspi_bytes_of(light, sizeof light);
		bspt_bytes plain = bspt_encode_parts(variant, &parts);
		uint8_t *file = calloc(plain.size + MORE, 1), *infos = file + HEADER + MORE - INFOS * INFO;
		memcpy(file, plain.data, HEADER);
		memcpy(file + HEADER, "XASH\4\0\0\0", 8);
		file[HEADER + 8 + 8] = (uint8_t)(infos - file);
		file[HEADER + 8 + 8 + 4] = INFOS * INFO;
		infos[STEP_AT] = 4;
		infos[INFO + STEP_AT] = 12;
		memcpy(file + HEADER + MORE, plain.data + HEADER, plain.size - HEADER);
		for (size_t slot = 0; slot < QUAKE_LUMP_COUNT; slot++) {
			uint8_t *offset = file + 4 + 8 * slot;
			uint32_t moved = bspi_load_u32(offset) + MORE;
			for (int k = 0; k < 4; k++) offset[k] = (uint8_t)(moved >> 8 * k);
		}
		uint8_t *flags = file + bspi_load_u32(file + 4 + 8 * QUAKE_TEXINFO) + TEXINFO * WALL + FLAGS_AT;
		for (int k = 0; k < 4; k++) flags[k] = (uint8_t)(cases[c].flags >> 8 * k);
		bspscene_scene *scene = bspscene_load_memory(file, plain.size + MORE, NULL, NULL);
		assert_non_null(scene);
		if (face_of(scene, WALL)->lightmap_width != cases[c].side) {
			fail_msg("flags %x: %u", cases[c].flags, face_of(scene, WALL)->lightmap_width);
		}
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_UNSUPPORTED), cases[c].warnings);
		bspscene_scene_free(scene);
		free(file);
		free(plain.data);
	}
}

/* Afterburner writes a header of additional lumps directly after the directory. Readers can ignore it. */
static void test_further_lumps(void **state)
{
	(void)state;
	enum { HEADER = 124, MORE = 8 + 12 * 8 };
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "afterburner");
	bspt_bytes plain = bspt_build_room(&bspi_family_goldsrc, variant);
	uint8_t *file = calloc(plain.size + MORE, 1);
	assert_non_null(file);
	memcpy(file, plain.data, HEADER);
	memcpy(file + HEADER, "XASH\4\0\0\0", 8);
	memcpy(file + HEADER + MORE, plain.data + HEADER, plain.size - HEADER);
	for (size_t slot = 0; slot < QUAKE_LUMP_COUNT; slot++) {
		uint8_t *offset = file + 4 + 8 * slot;
		uint32_t moved = bspi_load_u32(offset) + MORE;
		for (int k = 0; k < 4; k++) offset[k] = (uint8_t)(moved >> 8 * k);
	}
	bspscene_scene *a = bspscene_load_memory(plain.data, plain.size, NULL, NULL);
	bspscene_scene *b = bspscene_load_memory(file, plain.size + MORE, NULL, NULL);
	assert_true(a && b && bspt_scene_hash(a) == bspt_scene_hash(b));
	bspscene_scene_free(a);
	bspscene_scene_free(b);
	free(plain.data);
	free(file);
}

/* Opens textures/wall.png, the only picture of the game, which has 64 x 32 pixels. */
static bool open_wall(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_bytes *picture = user;
	(void)kind;
	if (strcmp(path, "textures/wall.png")) return false;
	*stream = (bspscene_stream){ .data = picture->data, .size = picture->size, .origin = "a game" };
	return true;
}

static const bspscene_material *material_of(const bspscene_scene *scene, uint32_t source)
{
	const bspscene_face *face = face_of(scene, source);
	return scene->materials[scene->meshes[face->mesh]->sections[face->section]->material];
}

/* Afterburner's texture lump has names but no pixels. The pixels are in textures/NAME.png, whose size also divides the
 * uvs. Once, the names were read as miptexes. */
static void test_texture_files(void **state)
{
	(void)state;
	static uint8_t rows[64 * 32 * 3];
	bspt_png png = { .width = 64, .height = 32, .color_type = 2, .depth = 8, .rows = rows };
	bspt_bytes picture = bspt_encode_png(&png);
	bspt_bytes room = bspt_build_room(&bspi_family_goldsrc, bspt_find_variant(&bspi_family_goldsrc, "afterburner"));
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.open_file = open_wall;
	options.file_user = &picture;
	bspscene_scene *scene = bspscene_load_memory(room.data, room.size, &options, NULL);
	assert_non_null(scene);
	const bspscene_material *wall = material_of(scene, WALL);
	assert_string_equal(wall->name, "wall");
	assert_int_equal(wall->width, 64);
	assert_int_equal(wall->height, 32);
	assert_true(wall->base_image < scene->image_count);
	assert_string_equal(scene->images[wall->base_image]->path, "textures/wall.png");
	/* The wall is 128 units long and high, so the picture repeats twice across and four times up. */
	const bspscene_face *face = face_of(scene, WALL);
	const float *uvs = scene->meshes[face->mesh]->uvs + 2 * face->first_vertex;
	for (uint32_t k = 0; k < 2; k++) {
		float low = uvs[k], high = uvs[k];
		for (uint32_t i = 1; i < face->vertex_count; i++) {
			low = uvs[2 * i + k] < low ? uvs[2 * i + k] : low;
			high = uvs[2 * i + k] > high ? uvs[2 * i + k] : high;
		}
		assert_true(high - low == (k ? 4 : 2));
	}
	/* A warning names the texture that has no file. */
	bool named = false;
	for (uint32_t i = 0; i < scene->warning_count; i++) named |= strstr(scene->warnings[i]->message, "!water") != NULL;
	assert_true(named);
	bspscene_scene_free(scene);
	free(room.data);
	free(picture.data);
}

/* The lump states more names than it has, and the existing ones are used. */
static void test_too_few_names(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "afterburner");
	bspt_parts parts;
	bspt_room_parts(&bspi_family_goldsrc, variant, &parts);
	parts.raw[QUAKE_TEXTURES].size -= 1;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	bool warned = false;
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		warned |= scene->warnings[i]->code == BSPSCENE_WARNING_LUMP_TAIL;
	}
	assert_true(warned);
	assert_string_equal(material_of(scene, WALL)->name, "wall");
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_luxel_flags),
		cmocka_unit_test(test_face_infos),
		cmocka_unit_test(test_further_lumps),
		cmocka_unit_test(test_texture_files),
		cmocka_unit_test(test_too_few_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
