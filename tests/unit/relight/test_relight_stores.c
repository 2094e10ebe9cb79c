/* test_relight_stores.c - relight writes light that a map stores in unusual ways: at any offset, compressed, twice, or
 * in a file next to the map. If the light overlaps another lump, the write is refused. The amount of data in atlases is
 * limited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/check/baked.h"
#include "support/make/build_archive.h"
#include "support/make/build_map.h"
#include "support/store.h"

static const uint8_t wanted_color[3] = { 10, 200, 30 };

enum { LUXELS_LUMP = 8 }; /* number of GoldSrc's lump of luxels */

/* ---- Luxels that begin anywhere --------------------------------------------------------------------------- */

/* Light offsets count bytes. So a luxel of one face may begin inside a luxel of another face. */
static void luxels_may_begin_anywhere(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "goldsrc");
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_goldsrc, variant, &parts));
	bspi_face faces[64];
	assert_true(parts.map.faces_count <= 64);
	memcpy(faces, parts.map.faces, parts.map.faces_count * sizeof *faces);
	parts.map.faces = faces;
	for (uint32_t i = 0; i < parts.map.faces_count; i++) faces[i].light_offset += faces[i].light_offset == 0;
	bspt_bytes room = bspt_encode_parts(variant, &parts);
	bspt_baked b, again;
	assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	uint32_t place = 0;
	while (place < b.light.rect_count && faces[b.places[place].face_record].light_offset != 1) place++;
	assert_true(place < b.light.rect_count);
	memcpy(bspt_baked_luxel(&b, 0, place, 0, 0), wanted_color, sizeof wanted_color);
	bspt_relit *r = bspt_relight(&b, room);
	bspt_bytes map = bspt_relit_map(r);
	assert_true(bspt_bake(&again, map, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	assert_memory_equal(bspt_baked_luxel(&again, 0, place, 0, 0), wanted_color, sizeof wanted_color);
	bspt_baked_free(&again);
	bspt_relit_free(r);
	bspt_baked_free(&b);
	test_free(map.data);
	free(room.data);
}

/* ---- Two blocks of one style ------------------------------------------------------------------------------ */

/* If a face has two blocks of the same style, lightmap pages show the last block, and relight writes into that
 * block. */
static void the_last_block_of_a_style_is_shown(void **state)
{
	(void)state;
	enum { BLOCKS = 2 * 32 * 32 * 3, MOST = 1 << 16 };
	const bspi_variant *variant = bspt_find_variant(&bspi_family_goldsrc, "goldsrc");
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_goldsrc, variant, &parts));
	bspi_face faces[64];
	assert_true(parts.map.faces_count <= 64);
	memcpy(faces, parts.map.faces, parts.map.faces_count * sizeof *faces);
	parts.map.faces = faces;
	uint32_t lit = 0;
	while (faces[lit].light_offset < 0 || faces[lit].styles[0] == 255) assert_true(++lit < parts.map.faces_count);
	bspi_bytes *stored = &parts.raw[LUXELS_LUMP];
	static uint8_t light[MOST];
	assert_true(stored->size + BLOCKS <= MOST);
	memcpy(light, stored->data, stored->size);
	for (size_t i = 0; i < BLOCKS; i++) light[stored->size + i] = (uint8_t)(i * 7 % 251);
	faces[lit].light_offset = (int32_t)stored->size;
	faces[lit].styles[1] = faces[lit].styles[0];
	faces[lit].styles[2] = 255;
	*stored = bspi_bytes_of(light, stored->size + BLOCKS);
	bspt_bytes room = bspt_encode_parts(variant, &parts);
	bspt_baked b, again;
	assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	bspt_relit *r = bspt_relight(&b, room);
	assert_true(r->ok && r->report.identical);
	bspt_relit_free(r);
	uint32_t place = 0, set = 0;
	while (b.places[place].face_record != lit) assert_true(++place < b.light.rect_count);
	while (!bspt_baked_luxel(&b, set, place, 0, 0)) assert_true(++set < b.light.lightmap_set_count);
	uint32_t luxels = b.places[place].width * b.places[place].height;
	const uint8_t *second = light + faces[lit].light_offset + 3 * (size_t)luxels;
	assert_memory_equal(bspt_baked_luxel(&b, set, place, 0, 0), second, 3);
	memcpy(bspt_baked_luxel(&b, set, place, 0, 0), wanted_color, sizeof wanted_color);
	r = bspt_relight(&b, room);
	assert_true(r->ok && r->report.changed == 1);
	bspt_bytes map = bspt_relit_map(r);
	assert_true(bspt_bake(&again, map, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	assert_memory_equal(bspt_baked_luxel(&again, set, place, 0, 0), wanted_color, sizeof wanted_color);
	bspt_relit_free(r);
	bspt_baked_free(&again);
	bspt_baked_free(&b);
	test_free(map.data);
	free(room.data);
}

static void disputed_directions_have_the_mean(void **state)
{
	(void)state;
	bspt_bytes map = bspt_read_file(BSPT_FIXTURES "/atrium/quake3/maps/atrium_deluxe.bsp");
	bspt_baked b, again;
	assert_true(bspt_bake(&b, map, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	uint32_t set = 0;
	while (set < b.light.lightmap_set_count && b.sets[set].kind != BSPSCENE_LIGHTMAP_SET_DIRECTION) set++;
	assert_true(set < b.light.lightmap_set_count && b.light.rect_count > 2);
	b.places[1] = b.places[0];
	b.places[1].x--;
	b.places[1].y--;
	b.light.rect_count = 2;
	memset(bspt_baked_luxel(&b, set, 0, 0, 0), 100, 3);
	memset(bspt_baked_luxel(&b, set, 1, 0, 0), 200, 3);
	bspt_relit *r = bspt_relight(&b, map);
	assert_true(r->ok && r->report.conflicts > 0);
	bspt_bytes new = bspt_relit_map(r);
	assert_true(bspt_bake(&again, new, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	const uint8_t *luxel = bspt_baked_luxel(&again, set, 0, 0, 0);
	assert_true(luxel[0] == 150 && luxel[1] == 150 && luxel[2] == 150);
	bspt_baked_free(&again);
	bspt_relit_free(r);
	bspt_baked_free(&b);
	test_free(new.data);
	free(map.data);
}

/* ---- Compressed lumps ------------------------------------------------------------------------------------- */

enum { VALVE_HEADER = 17, ZIP_HEADER = 4, PROPERTIES = 5 };

/* Reads a number of the directory; consoles store them big-endian. */
static uint32_t load_number(const bspi_variant *variant, const uint8_t *at)
{
	uint32_t number = bspi_load_u32(at);
	return variant->magic[0] == 'P' ? bspi_swap_u32(number) : number;
}

static void store_number(const bspi_variant *variant, uint8_t *at, uint32_t number)
{
	bspt_store_u32(at, variant->magic[0] == 'P' ? bspi_swap_u32(number) : number);
}

/* Returns the room with a compressed light lump after the other data, as in repacked maps. */
static bspt_bytes compress_light(const bspi_variant *variant, bspt_bytes room, uint32_t slot)
{
	size_t entry = bspt_directory_at(variant) + 16 * (size_t)slot;
	uint32_t offset = load_number(variant, room.data + entry), size = load_number(variant, room.data + entry + 4);
	bspt_bytes packed = bspt_lzma(room.data + offset, size, false);
	size_t stream = packed.size - ZIP_HEADER - PROPERTIES;
	bspt_bytes out = { test_calloc(1, room.size + VALVE_HEADER + stream), room.size + VALVE_HEADER + stream };
	memcpy(out.data, room.data, room.size);
	memset(out.data + offset, 0, size);
	uint8_t *lump = out.data + room.size;
	memcpy(lump, "LZMA", 4);
	bspt_store_u32(lump + 4, size);
	bspt_store_u32(lump + 8, (uint32_t)stream);
	memcpy(lump + 12, packed.data + ZIP_HEADER, PROPERTIES);
	memcpy(lump + VALVE_HEADER, packed.data + ZIP_HEADER + PROPERTIES, stream);
	store_number(variant, out.data + entry, (uint32_t)room.size);
	store_number(variant, out.data + entry + 4, (uint32_t)(VALVE_HEADER + stream));
	store_number(variant, out.data + entry + 12, size);
	free(packed.data);
	return out;
}

/* True if two maps differ only in the directory entry at `entry` and in the bytes at `hole`. */
static bool same_elsewhere(bspt_bytes a, bspt_bytes b, size_t entry, size_t hole, size_t hole_size)
{
	for (size_t i = 0; i < a.size; i++) {
		bool spared = (i >= entry && i < entry + 16) || (i >= hole && i < hole + hole_size);
		if (!spared && a.data[i] != b.data[i]) return false;
	}
	return true;
}

static void check_compressed_light(const bspi_variant *variant)
{
	size_t entry = bspt_directory_at(variant) + 16 * (size_t)VBSP_LIGHTING;
	bspt_bytes room = bspt_build_room(&bspi_family_vbsp, variant);
	bspt_bytes packed = compress_light(variant, room, VBSP_LIGHTING);
	bspt_baked b, again;
	assert_true(bspt_bake(&b, packed, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	/* A lump without changes stays compressed. */
	bspt_relit *r = bspt_relight(&b, packed);
	assert_true(r->ok && r->report.identical);
	assert_int_equal(r->captured.files[0].bytes.size, packed.size);
	assert_memory_equal(r->captured.files[0].bytes.data, packed.data, packed.size);
	bspt_relit_free(r);

	static const uint8_t light[4] = { 128, 201, 3, 1 };
	memcpy(bspt_baked_luxel(&b, 0, 0, 0, 0), light, sizeof light);
	r = bspt_relight(&b, packed);
	if (!r->ok) fail_msg("%s", r->error.message);
	assert_true(r->report.changed == 1 && !r->report.identical);
	bspt_bytes map = bspt_relit_map(r);
	assert_int_equal(load_number(variant, map.data + entry) % 4, 0);
	assert_int_equal(bspi_load_u32(map.data + entry + 8), bspi_load_u32(packed.data + entry + 8));
	assert_int_equal(bspi_load_u32(map.data + entry + 12), 0);
	assert_true(same_elsewhere(packed, map, entry, room.size, packed.size - room.size));
	assert_true(bspt_bake(&again, map, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	assert_memory_equal(bspt_baked_luxel(&again, 0, 0, 0, 0), light, sizeof light);
	bspt_relit_free(r);
	bspt_baked_free(&again);
	bspt_baked_free(&b);
	test_free(map.data);
	test_free(packed.data);
	free(room.data);
}

static void compressed_light_is_written_uncompressed(void **state)
{
	(void)state;
	uint32_t count = 0;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_vbsp.variants[i];
		if (strcmp(variant->name, "source20")) continue;
		check_compressed_light(variant);
		count++;
	}
	assert_int_equal(count, 2); /* one variant of PCs and one of consoles */
}

/* ---- HDR light in addition to gray light ------------------------------------------------------------------ */

static bool open_lit(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_bytes *lit = user;
	(void)kind;
	if (!strstr(path, ".lit")) return false;
	stream->data = lit->data;
	stream->size = lit->size;
	return true;
}

/* A gray Quake map may have a .lit file with HDR colors. New colored light is written into this file, in its own
 * format. */
static void colors_of_a_gray_map_go_into_its_hdr_light(void **state)
{
	(void)state;
	bspt_bytes room = bspt_build_room(&bspi_family_quake, bspt_find_variant(&bspi_family_quake, "quake"));
	enum { GRAY_LUMP = 8, LIT_HEADER = 8, ENTRY = 8 };
	uint32_t luxels = bspi_load_u32(room.data + 4 + ENTRY * GRAY_LUMP + 4);
	bspt_bytes lit = { test_calloc(1, LIT_HEADER + 4 * (size_t)luxels), LIT_HEADER + 4 * (size_t)luxels };
	memcpy(lit.data, "QLIT\1\0\1\0", LIT_HEADER);
	for (size_t i = 0; i < luxels; i++) bspt_store_u32(lit.data + LIT_HEADER + 4 * i, 16u << 27 | (uint32_t)i);
	bspscene_load_options load;
	bspscene_load_options_init(&load);
	load.open_file = open_lit;
	load.file_user = &lit;
	load.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	load.light_range = BSPSCENE_LIGHT_RANGE_LDR;
	load.keep_map_light = true;
	bspt_baked b;
	assert_true(bspt_bake_as(&b, room, &load));
	assert_string_equal(b.light.light, "gray");
	memcpy(bspt_baked_luxel(&b, 0, 0, 0, 0), wanted_color, sizeof wanted_color);
	bspt_relit *r = bspt_relight_as(&b, room, &load, NULL);
	if (!r->ok) fail_msg("%s", r->error.message);
	assert_int_equal(r->captured.file_count, 2);
	bspt_bytes out = r->captured.files[1].bytes;
	assert_string_equal(r->captured.files[1].name, "map.lit");
	assert_int_equal(out.size, lit.size);
	size_t at = LIT_HEADER;
	while (at < out.size && !memcmp(out.data + at, lit.data + at, 4)) at += 4;
	assert_true(at < out.size);
	uint32_t bits = bspi_load_u32(out.data + at);
	/* Green is the brightest channel, then blue, then red. */
	assert_true((bits >> 9 & 511) > (bits >> 18 & 511) && (bits >> 18 & 511) > (bits & 511));
	bspt_relit_free(r);
	bspt_baked_free(&b);
	test_free(lit.data);
	free(room.data);
}

/* ---- Light where other things are -------------------------------------------------------------------------- */

/* Changes all pages of `room` and expects relight to refuse them. Frees `room`. */
static void check_refused(bspt_bytes room, const char *words)
{
	bspt_baked b;
	assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_RAW));
	bspt_relit *r = bspt_relight(&b, room); /* without changes, relight gives no error */
	assert_true(r->ok && r->report.identical);
	bspt_relit_free(r);
	for (uint32_t i = 0; i < b.light.rect_count; i++) {
		memset(bspt_baked_luxel(&b, 0, i, 0, 0), 99, 3);
	}
	r = bspt_relight(&b, room);
	assert_false(r->ok);
	assert_int_equal(r->captured.file_count, 0);
	if (!strstr(r->error.message, words)) fail_msg("%s", r->error.message);
	bspt_relit_free(r);
	bspt_baked_free(&b);
	free(room.data);
}

/* Lumps overlap, so writing light would change other data. */
static void light_of_two_lumps_is_refused(void **state)
{
	(void)state;
	enum { DIRECTORY = 4, ENTRY = 8, VISIBILITY = 4, LIGHTING = 8 };
	bspt_bytes room = bspt_build_room(&bspi_family_goldsrc, bspt_find_variant(&bspi_family_goldsrc, "goldsrc"));
	memcpy(room.data + DIRECTORY + ENTRY * VISIBILITY, room.data + DIRECTORY + ENTRY * LIGHTING, ENTRY);
	check_refused(room, "it shares bytes with");
}

/* The damaged bytes are in the header, which belongs to no lump. So the damage is only found when the new map is
 * loaded. */
static void a_map_that_would_not_load_is_not_written(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	bspt_bytes room = bspt_build_room(&bspi_family_vbsp, variant);
	size_t entry = bspt_directory_at(variant) + 16 * (size_t)VBSP_LIGHTING;
	bspt_store_u32(room.data + entry, 0);
	bspt_store_u32(room.data + entry + 4, (uint32_t)bspt_directory_at(variant) + 64 * 16);
	check_refused(room, "cannot be loaded");
}

/* ---- Bounds ----------------------------------------------------------------------------------------------- */

/* The atlas repeats faces, and its pages have very many styles. It is refused before any luxels are compared. */
static void what_atlases_show_is_bounded(void **state)
{
	(void)state;
	enum { SETS = 1 << 20, PLACES = 1 << 12 };
	bspt_bytes room = bspt_build_room(&bspi_family_goldsrc, bspt_find_variant(&bspi_family_goldsrc, "goldsrc"));
	bspt_baked b;
	assert_true(bspt_bake(&b, room, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY));
	bspscene_lightmap_set *sets = test_calloc(SETS, sizeof *sets);
	bspscene_lightmap_rect *places = test_calloc(PLACES, sizeof *places);
	for (size_t i = 0; i < SETS; i++) sets[i] = b.sets[0];
	for (size_t i = 0; i < PLACES; i++) places[i] = b.places[0];
	bspt_baked many = b;
	many.light.lightmap_sets = sets;
	many.light.lightmap_set_count = SETS;
	many.light.rects = places;
	many.light.rect_count = PLACES;
	bspt_relit *r = bspt_relight(&many, room);
	assert_false(r->ok);
	assert_int_equal(r->error.status, BSPSCENE_ERROR_BAD_DATA);
	assert_non_null(strstr(r->error.message, "have more than"));
	bspt_relit_free(r);
	test_free(sets);
	test_free(places);
	bspt_baked_free(&b);
	free(room.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(luxels_may_begin_anywhere),
		cmocka_unit_test(the_last_block_of_a_style_is_shown),
		cmocka_unit_test(disputed_directions_have_the_mean),
		cmocka_unit_test(compressed_light_is_written_uncompressed),
		cmocka_unit_test(colors_of_a_gray_map_go_into_its_hdr_light),
		cmocka_unit_test(light_of_two_lumps_is_refused),
		cmocka_unit_test(a_map_that_would_not_load_is_not_written),
		cmocka_unit_test(what_atlases_show_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
