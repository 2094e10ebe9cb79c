/* test_binary_material.c - material files of Call of Duty 2 and 4 tell which pictures a surface shows and how it is
 * blended. Invalid files are counted. If a surface has no material file, the picture of the same name is used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/text.h"
#include "materials/shader/binary_material.h"
#include "support/make/made_game.h"

enum { SIZE = 256, SECOND = 52, FOURTH = 48 };
enum { OPAQUE = 0x28128812, TESTED = 0xb012, BLENDED = 0x8965, TWO_SIDED = 0x4812 };
enum { ZERO = BSPSCENE_BLEND_ZERO, ONE = BSPSCENE_BLEND_ONE, SRC_COLOR = BSPSCENE_BLEND_SRC_COLOR };
enum { ALPHA = BSPSCENE_BLEND_SRC_ALPHA, REST = BSPSCENE_BLEND_ONE_MINUS_SRC_ALPHA };

typedef struct made {
	uint8_t bytes[SIZE];
	size_t size;
} made;

static void put(made *file, size_t at, uint32_t value)
{
	for (int i = 0; i < 4; i++) file->bytes[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static uint32_t add_text(made *file, const char *text)
{
	uint32_t at = (uint32_t)file->size;
	memcpy(file->bytes + at, text, strlen(text) + 1);
	file->size += strlen(text) + 1;
	return at;
}

/* Makes a material with a color map and a normal map: the header, entries, then strings. */
static void make(made *file, uint32_t count_at, uint32_t states, const char *technique)
{
	static const char *const texts[] = { "normalMap", "brick_n", "colorMap", "brick_c" };
	memset(file, 0, sizeof *file);
	file->size = count_at + 16 + 24;
	put(file, 0, add_text(file, "brick"));
	put(file, count_at - 8, states);
	put(file, count_at, 2);
	put(file, count_at + 4, add_text(file, technique));
	put(file, count_at + 8, count_at + 16);
	for (size_t i = 0; i < 4; i++) put(file, count_at + 16 + i / 2 * 12 + i % 2 * 8, add_text(file, texts[i]));
}

/* The render states and techniques are from real files. */
static void files_are_read(void **state)
{
	static const struct {
		uint32_t states;
		const char *technique;
		int src, dst, cutoff;
		bool two_sided, unlit;
	} cases[] = {
		{ OPAQUE, "l_sm_r0c0n0s0", ONE, ZERO, 0, false, false },
		{ TESTED, "l_sm_t0c0n0s0", ONE, ZERO, 128, false, false },
		{ 0x8127012, "l_sm_t0c0", ONE, ZERO, 128, true, false },
		{ 0x8129012, "unlit_alphatest", ONE, ZERO, 1, false, true },
		{ BLENDED, "phong_blend_spec", ALPHA, REST, 0, false, false },
		{ 0x8128922, "effect_add", ONE, ONE, 0, false, true },
		{ 0x8124925, "2d", ALPHA, ONE, 0, true, true },
		{ 0x8128931, "unlit_multiply", ZERO, SRC_COLOR, 0, false, true },
		{ 0x812b165, "l_sm_b0c0", ALPHA, REST, 128, false, false },
		{ 0x89ff, "l_sm_b0c0", ALPHA, REST, 0, false, false }, /* blend factors that the library does not know */
		{ TWO_SIDED, "ambient_replace", ONE, ZERO, 0, true, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (uint32_t count_at = FOURTH; count_at <= SECOND; count_at += SECOND - FOURTH) {
			made file;
			bspi_binary_material read;
			make(&file, count_at, cases[i].states, cases[i].technique);
			assert_true(bspi_read_binary_material(bspi_bytes_of(file.bytes, file.size), count_at, &read));
			assert_string_equal(read.color, "brick_c");
			assert_string_equal(read.normals, "brick_n");
			assert_true((int)read.src == cases[i].src && (int)read.dst == cases[i].dst);
			assert_int_equal((int)(read.cutoff * 255 + 0.75f), cases[i].cutoff);
			assert_int_equal(read.two_sided, cases[i].two_sided);
			assert_int_equal(read.unlit, cases[i].unlit);
		}
	}
}

/* The file is truncated at every byte, and every offset in it is changed to point outside. */
static void nothing_is_read_outside(void **state)
{
	made file;
	bspi_binary_material read;
	(void)state;
	make(&file, SECOND, OPAQUE, "phong");
	for (size_t size = 0; size < file.size; size++) {
		uint8_t *cut = malloc(size ? size : 1);
		assert_non_null(cut);
		memcpy(cut, file.bytes, size);
		assert_false(bspi_read_binary_material(bspi_bytes_of(cut, size), SECOND, &read));
		free(cut);
	}
	static const size_t offsets[] = { 0, SECOND + 8, SECOND + 16, SECOND + 24 };
	for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
		make(&file, SECOND, OPAQUE, "phong");
		put(&file, offsets[i], 0xfffffff0);
		assert_false(bspi_read_binary_material(bspi_bytes_of(file.bytes, file.size), SECOND, &read));
	}
	make(&file, SECOND, OPAQUE, "phong");
	put(&file, SECOND, 0xffff);
	assert_false(bspi_read_binary_material(bspi_bytes_of(file.bytes, file.size), SECOND, &read));
}

/* A picture of four gray pixels. */
static const uint8_t picture[] = "IWi\6\3\0\2\0\2\0\1\0................12345678";

static void surfaces_show_their_pictures(void **state)
{
	made brick, glass, glow;
	bspt_game g;
	uint32_t count;
	(void)state;
	make(&brick, SECOND, TWO_SIDED, "phong");
	make(&glass, SECOND, BLENDED, "phong_blend");
	make(&glow, SECOND, 0x8922, "effect_add");
	bspt_game_start(&g);
	g.map.rules.materials = BSPI_MATERIALS_CALLOFDUTY2;
	bspt_game_add(&g, "materials/brick", brick.bytes, brick.size);
	bspt_game_add(&g, "materials/glass", glass.bytes, glass.size);
	bspt_game_add(&g, "materials/glow", glow.bytes, glow.size);
	bspt_game_add(&g, "materials/broken", brick.bytes, 60);
	bspt_game_add(&g, "images/brick_c.iwi", picture, sizeof picture - 1);
	bspt_game_add(&g, "images/brick_n.iwi", picture, sizeof picture - 1);
	bspt_game_add(&g, "images/plain.iwi", picture, sizeof picture - 1);
	const char *const names[] = { "brick", "glass", "broken", "plain", "nothing", "glow" };
	for (size_t i = 0; i < 6; i++) bspt_game_use(&g, names[i], 0, 0);
	bspt_game_make(&g);

	const bspscene_material *wall = bspt_game_material(&g, 0), *pane = bspt_game_material(&g, 1);
	assert_string_equal(bspt_game_image(&g, wall->base_image), "images/brick_c");
	assert_string_equal(bspt_game_image(&g, wall->normal_image), "images/brick_n");
	assert_string_equal(wall->script_file, "materials/brick");
	assert_true(wall->cull == BSPSCENE_CULL_NONE && wall->alpha_mode == BSPSCENE_ALPHA_MODE_OPAQUE);
	assert_int_equal(pane->base_image, wall->base_image);
	assert_true(pane->alpha_mode == BSPSCENE_ALPHA_MODE_BLEND && !pane->unlit);
	assert_int_equal(pane->pass_count, 1);
	assert_int_equal(bspt_game_stage(&g, 1, 0)->color_gen, BSPSCENE_COLOR_GEN_LIGHT);
	const bspscene_material *light = bspt_game_material(&g, 5);
	assert_true(light->unlit && light->pass_count == 1);
	assert_int_equal(bspt_game_stage(&g, 5, 0)->dst_blend, BSPSCENE_BLEND_ONE);
	assert_string_equal(bspt_game_image(&g, bspt_game_material(&g, 3)->base_image), "images/plain");
	assert_string_equal(bspt_game_warning(&g, BSPSCENE_WARNING_SHADER_BAD, &count),
	                    "textures: materials/broken is not a material file, or is damaged");
	assert_int_equal(count, 1);
	bspt_game_warning(&g, BSPSCENE_WARNING_TEXTURE_MISSING, &count);
	assert_int_equal(count, 2);
	bspt_game_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read), cmocka_unit_test(nothing_is_read_outside),
		cmocka_unit_test(surfaces_show_their_pictures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
