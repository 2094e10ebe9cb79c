/* Promise: what Xash3D's compilers and the Afterburner files say on top of GoldSrc's format is
 * understood or does no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/quake_common.h"
#include "support/build_map.h"

enum { FLOOR, WALL };

/* The room with texinfo flags of its own for the wall, and light enough for any of them. */
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
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, NULL);
	assert_non_null(scene);
	free(file.data);
	return scene;
}

static const bspscene_face *face_of(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].source == source) return &scene->faces[i];
	}
	fail_msg("no face %u", (unsigned)source);
	return NULL;
}

/* Bit 8 halves the luxels; the other bits change nothing. 128 units are 9 luxels, or 17. */
static void test_luxel_flags(void **state)
{
	(void)state;
	static const struct { uint32_t flags, side; } cases[] = { { 0, 9 }, { 2, 9 }, { 4, 9 }, { 8, 17 }, { 8 | 2, 17 } };
	static const char *const names[] = { "goldsrc", "afterburner" };
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			bspscene_scene *scene = load_room(names[n], cases[i].flags);
			assert_string_equal(scene->variant, names[n]);
			assert_int_equal(face_of(scene, WALL)->width, cases[i].side);
			assert_int_equal(face_of(scene, WALL)->height, cases[i].side);
			assert_int_equal(face_of(scene, FLOOR)->width, 9);
			bspscene_scene_free(scene);
		}
	}
}

/* Afterburner has a header of further lumps right behind the directory, which nobody needs. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_luxel_flags),
		cmocka_unit_test(test_further_lumps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
