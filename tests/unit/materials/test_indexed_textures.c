/* Promise: palette textures in files next to the map are found by the engine's rules in WAD2 and WAD3 archives and WAL
 * files. Nothing outside of the files is read, whatever their headers claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "materials/indexed/wad.h"
#include "support/make/bytes_writer.h"
#include "support/bspt.h"
#include "support/make/made_game.h"

/* ---- WAD -------------------------------------------------------------------------------------------------- */

enum { WAD_HEADER = 12, WAD_ENTRY = 32, MIPTEX = 0x43, QUAKE_MIPTEX = 0x44, PICTURE = 0x42 };

typedef struct wad_entry {
	const char *name;
	uint32_t offset, size;
	uint8_t type;
} wad_entry;

/* Writes a WAD. At offset 12 it has sixteen bytes of data, "0123456789abcdef", then the entries. */
static void put_wad(bspt_writer *w, const char *magic, uint32_t count, uint32_t directory, const wad_entry *entries,
                    size_t entry_count)
{
	bspt_put(w, magic, 4);
	bspt_put_u32(w, count);
	bspt_put_u32(w, directory);
	bspt_put(w, "0123456789abcdef", 16);
	for (size_t i = 0; i < entry_count; i++) {
		bspt_put_u32(w, entries[i].offset);
		bspt_put_u32(w, entries[i].size);
		bspt_put_u32(w, entries[i].size);
		bspt_put_u8(w, entries[i].type);
		for (int k = 0; k < 3; k++) bspt_put_u8(w, 0);
		bspt_put_name(w, entries[i].name, 16);
	}
}

static const struct wad_case {
	const char *what, *magic;
	uint32_t count, directory;
	wad_entry entries[3];
	size_t entry_count;
	bool readable;                     /* if false, the WAD is counted as invalid and has no entries */
	const char *wanted, *found;        /* name to look up; first bytes of the found entry, or "" */
} wad_cases[] = {
	{ "WAD3", "WAD3", 1, 28, { { "brick", 14, 4, MIPTEX } }, 1, true, "brick", "23456789abcdef" },
	{ "WAD2", "WAD2", 1, 28, { { "brick", 12, 4, QUAKE_MIPTEX } }, 1, true, "brick", "0123" },
	{ "letters of any case", "WAD3", 1, 28, { { "BriCK", 12, 4, MIPTEX } }, 1, true, "bRIck", "0123" },
	{ "a name of sixteen letters", "WAD3", 1, 28, { { "sixteen_letters_", 12, 4, MIPTEX } }, 1, true,
	  "sixteen_letters_", "0123" },
	{ "the beginning of a name", "WAD3", 1, 28, { { "brick_2", 12, 4, MIPTEX } }, 1, true, "brick", "" },
	{ "more than a name", "WAD3", 1, 28, { { "brick", 12, 4, MIPTEX } }, 1, true, "brick_2", "" },
	{ "no name at all", "WAD3", 1, 28, { { "", 12, 4, MIPTEX } }, 1, true, "", "" },
	{ "a picture, not a texture", "WAD3", 1, 28, { { "brick", 12, 4, PICTURE } }, 1, true, "brick", "" },
	{ "a picture before the texture", "WAD3", 2, 28, { { "brick", 12, 4, PICTURE }, { "brick", 20, 4, MIPTEX } }, 2,
	  true, "brick", "89ab" },
	{ "entries that overlap", "WAD3", 2, 28, { { "stone", 12, 16, MIPTEX }, { "brick", 13, 16, MIPTEX } }, 2, true,
	  "brick", "1234" },
	{ "entries in the directory itself", "WAD3", 1, 28, { { "brick", 28, 4, MIPTEX } }, 1, true, "brick", "\x1c" },
	{ "a size past the end", "WAD3", 1, 28, { { "brick", 20, UINT32_MAX, MIPTEX } }, 1, true, "brick", "89abcdef" },
	{ "begins at the end", "WAD3", 1, 28, { { "brick", 60, 0, MIPTEX } }, 1, true, "brick", "" },
	{ "begins past the end", "WAD3", 1, 28, { { "brick", UINT32_MAX, 4, MIPTEX } }, 1, true, "brick", "" },
	{ "empty", "WAD3", 0, 28, { { "", 0, 0, 0 } }, 0, true, "brick", "" },
	{ "another archive", "PACK", 1, 28, { { "brick", 12, 4, MIPTEX } }, 1, false, "brick", "" },
	{ "WAD of another game", "IWAD", 1, 28, { { "brick", 12, 4, MIPTEX } }, 1, false, "brick", "" },
	{ "more entries than there are", "WAD3", 2, 28, { { "brick", 12, 4, MIPTEX } }, 1, false, "brick", "" },
	{ "as many as a number can say", "WAD3", UINT32_MAX, 28, { { "brick", 12, 4, MIPTEX } }, 1, false, "brick", "" },
	{ "a directory past the end", "WAD3", 1, 61, { { "brick", 12, 4, MIPTEX } }, 1, false, "brick", "" },
	{ "a directory far past the end", "WAD3", 1, UINT32_MAX, { { "brick", 12, 4, MIPTEX } }, 1, false, "brick", "" },
};

static void wads_are_searched_as_engines_do(void **state)
{
	(void)state;
	bspt_guard guard = bspt_guard_make(4096);
	for (size_t i = 0; i < sizeof wad_cases / sizeof *wad_cases; i++) {
		const struct wad_case *c = &wad_cases[i];
		bspt_writer bytes = { .size = 0 };
		bspt_game game;
		bspi_wad wad;
		uint32_t refused;
		put_wad(&bytes, c->magic, c->count, c->directory, c->entries, c->entry_count);
		bspt_game_start(&game);
		bspt_game_add(&game, "test.wad", bspt_guard_place(&guard, bytes.data, bytes.size), bytes.size);
		assert_true(bspi_wad_open(&game.ctx, "test.wad", &wad));
		bspt_game_warning(&game, BSPSCENE_WARNING_FILE_STALE, &refused);
		if (refused == c->readable) fail_msg("%s: readable or not", c->what);
		bspi_bytes found = bspi_wad_find(&wad, c->wanted);
		size_t length = strlen(c->found);
		if ((found.size > 0) != (length > 0)) fail_msg("%s: found or not", c->what);
		bool same = found.size >= length && !memcmp(found.data, c->found, length);
		if (length && !same) fail_msg("%s: found something else", c->what);
		if (found.size) assert_ptr_equal(found.data + found.size, wad.bytes.data + wad.bytes.size);
		bspt_game_end(&game);
	}
	bspt_guard_free(&guard);
}

static void wads_may_end_anywhere(void **state)
{
	(void)state;
	static const wad_entry entry = { "brick", 12, 4, MIPTEX };
	bspt_writer bytes = { .size = 0 };
	bspt_guard guard = bspt_guard_make(4096);
	put_wad(&bytes, "WAD3", 1, 28, &entry, 1);
	for (size_t size = 0; size < bytes.size; size++) {
		bspt_game game;
		bspi_wad wad;
		bspt_game_start(&game);
		bspt_game_add(&game, "test.wad", bspt_guard_place(&guard, bytes.data, size), size);
		assert_true(bspi_wad_open(&game.ctx, "test.wad", &wad));
		assert_int_equal(bspi_wad_find(&wad, "brick").size, 0);
		assert_int_equal(game.ctx.error.status, BSPSCENE_OK);
		bspt_game_end(&game);
	}
	bspt_guard_free(&guard);
}

/* ---- WAL -------------------------------------------------------------------------------------------------- */

enum { WAL_HEADER = 100, PALETTE = 768 };

/* Cases of WAL files with 4 x 2 indices. The palette is the last 768 bytes of colormap.pcx, where color n is n, 0, 255
 * - n. */
static const struct wal_case {
	const char *what;
	uint32_t width, height, pixels, flags;
	size_t cut;
	bspscene_image_format format;
	uint32_t uv_width;                 /* width by which uvs are divided; 0 if unknown */
	bool refused;                      /* true if it is counted as an invalid image */
} wal_cases[] = {
	{ "whole", 4, 2, WAL_HEADER, 0, 0, BSPSCENE_IMAGE_RGBA, 4, false },
	{ "a liquid, which repeats after 64 texels", 4, 2, WAL_HEADER, 0x8, 0, BSPSCENE_IMAGE_RGBA, 64, false },
	{ "holes where they may be", 4, 2, WAL_HEADER, 0x10, 0, BSPSCENE_IMAGE_RGBA, 4, false },
	{ "pixels past the end: its size is good still", 4, 2, WAL_HEADER + 1, 0, 0, BSPSCENE_IMAGE_MISSING, 4, false },
	{ "pixels far past the end", 4, 2, UINT32_MAX, 0, 0, BSPSCENE_IMAGE_MISSING, 4, false },
	{ "a cut row", 4, 2, WAL_HEADER, 0, 1, BSPSCENE_IMAGE_MISSING, 4, false },
	{ "a cut header", 4, 2, WAL_HEADER, 0, 9, BSPSCENE_IMAGE_MISSING, 0, true },
	{ "no width", 0, 2, WAL_HEADER, 0, 0, BSPSCENE_IMAGE_MISSING, 0, true },
	{ "a height beyond all reason", 4, 8193, WAL_HEADER, 0, 0, BSPSCENE_IMAGE_MISSING, 0, true },
	{ "sides whose product overflows", 65536, 65536, WAL_HEADER, 0, 0, BSPSCENE_IMAGE_MISSING, 0, true },
	{ "larger than it is", 8192, 8192, WAL_HEADER, 0, 0, BSPSCENE_IMAGE_MISSING, 8192, false },
};

static void wals_that_lie_are_found_out(void **state)
{
	(void)state;
	static uint8_t colormap[10 + PALETTE];
	for (int i = 0; i < 256; i++) {
		colormap[10 + 3 * i] = (uint8_t)i;
		colormap[10 + 3 * i + 2] = (uint8_t)(255 - i);
	}
	bspt_guard guard = bspt_guard_make(4096);
	for (size_t i = 0; i < sizeof wal_cases / sizeof *wal_cases; i++) {
		const struct wal_case *c = &wal_cases[i];
		static const uint8_t indices[] = { 0, 1, 2, 3, 4, 5, 6, 255 };
		bspt_writer wal = { .size = 0 };
		bspt_put_name(&wal, "another/name", 32);
		bspt_put_u32(&wal, c->width);
		bspt_put_u32(&wal, c->height);
		for (int k = 0; k < 4; k++) bspt_put_u32(&wal, c->pixels);
		bspt_put_name(&wal, "", WAL_HEADER - wal.size);
		bspt_put(&wal, indices, sizeof indices);
		wal.size -= c->cut;

		bspt_game game;
		uint32_t refused;
		bspt_game_start(&game);
		game.map.rules.materials = BSPI_MATERIALS_QUAKE2;
		bspt_game_add(&game, "pics/colormap.pcx", colormap, sizeof colormap);
		bspt_game_add(&game, "textures/test/brick.wal", bspt_guard_place(&guard, wal.data, wal.size), wal.size);
		bspt_game_use(&game, "test/brick", c->flags, 0);
		game.textures[0].miptex = BSPI_NO_BYTES;
		bspt_game_make(&game);
		const bspscene_material *material = bspt_game_material(&game, 0);
		const bspscene_image *image = game.scene.images[material->base_image];
		bspt_game_warning(&game, BSPSCENE_WARNING_IMAGE_BAD, &refused);
		if (image->format != c->format || material->width != c->uv_width || (refused > 0) != c->refused) {
			fail_msg("%s: format %d, width %u, %u refused", c->what, (int)image->format, material->width, refused);
		}
		if (image->format == BSPSCENE_IMAGE_RGBA) {
			const uint8_t *pixels = image->data;
			assert_int_equal(image->size, sizeof indices * 4);
			assert_memory_equal(pixels + 4 * 3, ((uint8_t[]){ 3, 0, 252, 255 }), 4);
			/* Index 255 is transparent in translucent textures only. */
			assert_int_equal(pixels[4 * 7 + 3], c->flags & 0x10 ? 0 : 255);
		}
		bspt_game_end(&game);
	}
	bspt_guard_free(&guard);
}

/* Surface flags have the effects of ref_gl/gl_rsurf.c and gl_warp.c of Quake II: translucent surfaces are drawn last,
 * without light. */
static void surface_flags_say_how_quake2_draws(void **state)
{
	static const struct {
		uint32_t flags;
		bspscene_alpha_mode alpha_mode;
		float alpha, sort, scroll;
		bool unlit;
	} cases[] = {
		{ 0, BSPSCENE_ALPHA_MODE_OPAQUE, 1, 3, 0, false },
		{ 0x8, BSPSCENE_ALPHA_MODE_OPAQUE, 1, 3, 0, true },
		{ 0x10, BSPSCENE_ALPHA_MODE_BLEND, 0.33f, 9, 0, true },
		{ 0x20, BSPSCENE_ALPHA_MODE_BLEND, 0.66f, 9, 0, true },
		{ 0x40, BSPSCENE_ALPHA_MODE_OPAQUE, 1, 3, -1.6f, false },
		{ 0x48, BSPSCENE_ALPHA_MODE_OPAQUE, 1, 3, -0.5f, true },
		{ 0x70, BSPSCENE_ALPHA_MODE_BLEND, 0.33f, 9, -1.6f, true },
		{ 0x2000000, BSPSCENE_ALPHA_MODE_MASK, 1, 3, 0, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_game game;
		bspt_game_start(&game);
		game.map.rules.materials = BSPI_MATERIALS_QUAKE2;
		bspt_game_use(&game, "test/brick", cases[i].flags, 0);
		game.textures[0].miptex = BSPI_NO_BYTES;
		bspt_game_make(&game);
		const bspscene_material *m = bspt_game_material(&game, 0);
		if (m->alpha_mode != cases[i].alpha_mode || m->color[3] != cases[i].alpha || m->sort != cases[i].sort ||
		    m->scroll[0] != cases[i].scroll || m->unlit != cases[i].unlit) {
			fail_msg("flags %x: mode %d, alpha %g, sort %g, scroll %g, unlit %d", cases[i].flags, (int)m->alpha_mode,
			         (double)m->color[3], (double)m->sort, (double)m->scroll[0], m->unlit);
		}
		if (m->alpha_mode == BSPSCENE_ALPHA_MODE_MASK) assert_float_equal(m->alpha_cutoff, 0.666f, 0);
		bspt_game_end(&game);
	}
}

/* A name in Windows-1252 becomes UTF-8 in the scene and is counted. */
static void names_of_old_code_pages_are_told(void **state)
{
	static const struct {
		const char *name, *shown;
		uint32_t count;
	} cases[] = {
		{ "test/brick", "test/brick", 0 }, { "test/caf\xe9", "test/caf\xc3\xa9", 1 },
		{ "test/caf\xc3\xa9", "test/caf\xc3\xa9", 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_game game;
		uint32_t count = 0;
		bspt_game_start(&game);
		bspt_game_use(&game, cases[i].name, 0, 0);
		bspt_game_make(&game);
		assert_string_equal(bspt_game_material(&game, 0)->name, cases[i].shown);
		bspt_game_warning(&game, BSPSCENE_WARNING_TEXT, &count);
		assert_int_equal(count, cases[i].count);
		bspt_game_end(&game);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wads_are_searched_as_engines_do),
		cmocka_unit_test(wads_may_end_anywhere),
		cmocka_unit_test(wals_that_lie_are_found_out),
		cmocka_unit_test(names_of_old_code_pages_are_told),
		cmocka_unit_test(surface_flags_say_how_quake2_draws),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
