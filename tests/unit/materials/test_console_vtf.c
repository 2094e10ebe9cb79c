/* test_console_vtf.c - textures of Xbox 360 and PS3 become the VTF of a PC, from plain and compressed files.
 * Inconsistent ones are refused with a reason before memory is allocated. tests/peers compares pixels with vtfpp. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "images/images.h"
#include "materials/vtf/console_vtf.h"
#include "support/make/build_archive.h"
#include "support/make/build_texture.h"
#include "support/source/source_game.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { HEAD = 68, VTF3_HEAD = 72, ZIP_HEAD = 4, PROPERTIES = 5, ONE_LEVEL = 0x100, CUBE = 0x4000 };
enum { BGRA = 12, DXT1 = 13, UV88 = 22, RGBA16 = 25, ATI2N = 34, OLD_ATI2N = 37 };

typedef struct console_case {
	const char *magic;
	uint32_t console, flags, width, height, frames, format;
	const char *picture;               /* pixels as the console stores them */
	const char *want;                  /* pixels as a PC stores them */
	size_t size;
} console_case;

static void put_big(uint8_t *p, uint32_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) p[i] = (uint8_t)(value >> 8 * (size - 1 - i));
}

/* Writes the header of a VTFX or VTF3 with one resource; returns its size. */
static size_t put_head(uint8_t *out, const console_case *c)
{
	size_t size = c->magic[3] == '3' ? VTF3_HEAD : HEAD;
	memset(out, 0, size);
	memcpy(out, c->magic, 4);
	put_big(out + 4, c->console, 4);
	put_big(out + 8, 8, 4);
	put_big(out + 12, (uint32_t)size, 4);
	put_big(out + 16, c->flags, 4);
	put_big(out + 20, c->width, 2);
	put_big(out + 22, c->height, 2);
	put_big(out + 24, 1, 2);
	put_big(out + 26, c->frames, 2);
	out[31] = 1;
	for (int i = 0; i < 4; i++) put_big(out + 32 + 4 * i, 0x3f800000, 4);
	put_big(out + 48, c->format, 4);
	out[size - 8] = 0x30;
	put_big(out + size - 4, (uint32_t)size, 4);
	return size;
}

static size_t put_packed(uint8_t *out, const void *data, size_t size)
{
	bspt_bytes stream = bspt_lzma(data, size, false);
	memcpy(out, "LZMA", 4);
	for (int i = 0; i < 4; i++) out[4 + i] = (uint8_t)(size >> 8 * i);
	size_t rest = stream.size - ZIP_HEAD;
	for (int i = 0; i < 4; i++) out[8 + i] = (uint8_t)((rest - PROPERTIES) >> 8 * i);
	memcpy(out + 12, stream.data + ZIP_HEAD, rest);
	free(stream.data);
	return 12 + rest;
}

static void expect_turned(const console_case *c, bspi_bytes file)
{
	bspi_ctx ctx = { .budget.limit = 1u << 20 };
	const char *why = NULL;
	bspi_bytes out;
	bspi_begin_memory(&ctx);
	bool ok = bspi_turn_console_vtf(&ctx, file, &out, &why);
	if (!ok) fail_msg("%s %u: %s", c->magic, c->format, why ? why : "warned");
	uint32_t levels = c->flags & ONE_LEVEL ? 1 : 2, format = c->format == OLD_ATI2N ? ATI2N : c->format;
	bspt_vtf pc = { .minor = 2, .format = format, .width = c->width, .height = c->height, .flags = c->flags,
	                .frames = c->frames, .first_frame = c->flags & CUBE ? 0xffff : 0, .depth = 1, .levels = levels,
	                .picture = c->want, .size = c->size };
	bspt_bytes want = bspt_encode_vtf(&pc);
	for (int i = 0; i < 3; i++) memcpy(want.data + 32 + 4 * i, "\0\0\x80\x3f", 4);
	memcpy(want.data + 48, "\0\0\x80\x3f", 4);
	assert_int_equal(out.size, want.size);
	assert_memory_equal(out.data, want.data, want.size);
	free(want.data);
	bspi_end_memory(&ctx);
	assert_int_equal(ctx.budget.used, 0);
}

static const char faces[] = "A0B1C2D3E4F5G6H7I8J9K0L1M2N3O4P5Q6R7S8T9U0V1W2X3";
static const char turned_faces[] = "0A1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q7R8S9T0U1V2W3X";

static const console_case turned[] = {
	{ "VTFX", 0x360, ONE_LEVEL, 1, 1, 1, BGRA, "\4\3\2\1", "\1\2\3\4", 4 },
	{ "VTFX", 0x360, ONE_LEVEL, 1, 2, 1, UV88, "\2\1\4\3", "\1\2\3\4", 4 },
	{ "VTFX", 0x360, ONE_LEVEL, 4, 4, 1, DXT1, "badcfehg", "abcdefgh", 8 },
	{ "VTFX", 0x360, ONE_LEVEL, 1, 1, 1, RGBA16, "badcfehg", "abcdefgh", 8 },
	{ "VTFX", 0x360, ONE_LEVEL | CUBE, 1, 1, 1, RGBA16, faces, turned_faces, 48 }, /* as a real map has it */
	{ "VTFX", 0x360, ONE_LEVEL, 4, 4, 1, ATI2N, "badcfehgjilknmpo", "abcdefghijklmnop", 16 },
	{ "VTFX", 0x360, ONE_LEVEL, 4, 4, 1, OLD_ATI2N, "badcfehgjilknmpo", "abcdefghijklmnop", 16 },
	{ "VTFX", 0x360, 0, 2, 1, 2, UV88, "1a2b3c4d5e6f", "a1b2c3d4e5f6", 12 },
	{ "VTF3", 0x333, 0, 2, 1, 1, DXT1, "abcdefghijklmnop", "abcdefghijklmnop", 16 },
	{ "VTFX", 0x333, 0, 2, 1, 2, DXT1, "frame1.0frame1.1frame2.0frame2.1", "frame1.1frame2.1frame1.0frame2.0", 32 },
};

static void what_consoles_have(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(turned); i++) {
		uint8_t file[256];
		size_t head = put_head(file, &turned[i]);
		memcpy(file + head, turned[i].picture, turned[i].size);
		assert_true(bspi_is_console_vtf(bspi_bytes_of(file, head)));
		expect_turned(&turned[i], bspi_bytes_of(file, head + turned[i].size));
		size_t packed = put_packed(file + head, turned[i].picture, turned[i].size);
		expect_turned(&turned[i], bspi_bytes_of(file, head + packed));
	}
}

static void what_does_not_fit(void **state)
{
	(void)state;
	static const struct { size_t at; unsigned width; uint32_t value; size_t cut; const char *words; } cases[] = {
		{ 0, 0, 0, 20, "the file ends in its header" },
		{ 4, 4, 0x361, 0, "it is for an unknown console, or its version is not 8" },
		{ 8, 4, 7, 0, "it is for an unknown console, or its version is not 8" },
		{ 20, 2, 0, 0, "its size is not possible" },
		{ 22, 2, 0, 0, "its size is not possible" },
		{ 24, 2, 0, 0, "its size is not possible" },
		{ 26, 2, 0, 0, "its size is not possible" },
		{ 20, 4, 0xffffffff, 0, "its size is not possible" },
		{ 24, 4, 0xffffffff, 0, "its size is not possible" },
		{ 48, 4, 1000, 0, "its pixel format is unknown" },
		{ 31, 1, 0, 0, "it has no picture in it" },
		{ 60, 1, 1, 0, "it has no picture in it" },
		{ 64, 4, 1000, 0, "it has no picture in it" },
		{ 4, 4, 0x333, 0, "PS3 textures are read as DXT1, DXT3 and DXT5 only" },
		{ 22, 2, 2, 0, "the file ends before its largest mip level" },
		{ 0, 0, 0, 1, "the file ends before its largest mip level" },
	};
	const console_case c = { "VTFX", 0x360, ONE_LEVEL, 1, 1, 1, BGRA, "", "", 4 };
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint8_t file[HEAD + 4];
		bspi_ctx ctx = { .budget.limit = 1u << 20 };
		const char *why = NULL;
		bspi_bytes out;
		put_head(file, &c);
		put_big(file + cases[i].at, cases[i].value, cases[i].width);
		bspi_begin_memory(&ctx);
		assert_false(bspi_turn_console_vtf(&ctx, bspi_bytes_of(file, sizeof file - cases[i].cut), &out, &why));
		if (!why || strcmp(why, cases[i].words)) fail_msg("%zu: \"%s\" instead of \"%s\"", i, why, cases[i].words);
		bspi_end_memory(&ctx);
	}
}

/* A map finds the console's texture under the file name of the console or under that of the PC. */
static void a_map_finds_it(void **state)
{
	(void)state;
	static const struct { const char *path; size_t packed_cut; const char *words; } cases[] = {
		{ "materials/a/wall.360.vtf", 0, "" }, { "materials/a/wall.ps3.vtf", 0, "" }, { "materials/a/wall.vtf", 0, "" },
		{ "materials/a/wall.360.vtf", 1, "its LZMA stream of" },
		{ "materials/a/wall.360.vtf", 40, "the file ends before its largest mip level" },
	};
	const console_case *c = &turned[2];
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint8_t file[256];
		size_t head = put_head(file, c), size = put_packed(file + head, c->picture, c->size);
		if (cases[i].packed_cut > 20) size = 0;
		bspt_game g;
		bspt_source_start(&g, NULL, 0);
		bspt_game_add(&g, "materials/a/b.vmt", "X{$basetexture a/wall}", 22);
		bspt_game_add(&g, cases[i].path, file, head + size - (size ? cases[i].packed_cut : 0));
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_image *image = g.scene.images[bspt_game_material(&g, 0)->base_image];
		if (*cases[i].words) {
			assert_int_equal(image->format, BSPSCENE_IMAGE_MISSING);
			const char *bad = bspt_game_warning(&g, BSPSCENE_WARNING_IMAGE_BAD, NULL);
			if (!*bad) bad = bspt_game_warning(&g, BSPSCENE_WARNING_LUMP_BAD, NULL);
			if (!strstr(bad, cases[i].words)) fail_msg("%zu: \"%s\" instead of \"%s\"", i, bad, cases[i].words);
		} else {
			assert_int_equal(image->format, BSPSCENE_IMAGE_VTF);
			assert_int_equal(image->width, 4);
			assert_string_equal(image->path, cases[i].path);
			assert_memory_equal(image->data, "VTF", 4);
		}
		bspt_game_end(&g);
	}
}

/* A picture of another format may have the file name of a console's texture. It is decoded by its own format, and its
 * bytes stay valid as long as the scene. */
static void a_name_alone_makes_no_console(void **state)
{
	(void)state;
	static const char *const paths[] = { "materials/a/wall.360.vtf", "materials/a/wall.ps3.vtf" };
	for (size_t i = 0; i < COUNT(paths); i++) {
		bspt_game g;
		bspt_source_start(&g, NULL, 0);
		bspt_game_add(&g, "materials/a/b.vmt", "X{$basetexture a/wall}", 22);
		bspt_game_add(&g, paths[i], bspt_tga24, sizeof bspt_tga24);
		bspt_game_use(&g, "a/b", 0, 0);
		bspt_game_make(&g);
		const bspscene_image *image = g.scene.images[bspt_game_material(&g, 0)->base_image];
		bspi_arena_reset(&g.ctx.scratch);
		assert_int_equal(image->format, BSPSCENE_IMAGE_TGA);
		assert_int_equal(image->size, sizeof bspt_tga24);
		const uint8_t *data = image->data;
		for (size_t k = 0; k < sizeof bspt_tga24; k++) assert_int_equal(data[k], bspt_tga24[k]);
		bspt_game_end(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_consoles_have), cmocka_unit_test(what_does_not_fit), cmocka_unit_test(a_map_finds_it),
		cmocka_unit_test(a_name_alone_makes_no_console),
	};
	return cmocka_run_group_tests(tests, bspt_source_make_textures, bspt_source_free_textures);
}
