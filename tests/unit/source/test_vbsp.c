/* Promise: a Source map of every version is read correctly, with the right light for its faces. Textures are split by
 * flags, invalid faces are counted, and maps of unsupported games are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/source/build_vbsp.h"

static void every_version_reads_as_written(void **state)
{
	(void)state;
	static bspt_vbsp file;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_vbsp.variants[i];
		bspt_vbsp_load f;
		bspt_vbsp_build(&file, variant);
		/* Dota 2 is only recognized by displacements, which this room does not have. */
		if (variant->lumps == bspi_vbsp_rows_dota22) continue;
		if (!bspt_vbsp_read(&f, &file)) fail_msg("%s: %s", variant->title, f.ctx.error.message);
		bspt_vbsp_check(&f, variant);
		bspt_vbsp_end(&f);
	}
}

/* Maps that were compiled only for HDR displays have luxels, styles and offsets in HDR lumps alone. In other maps,
 * these lumps are used if the caller requests HDR pages. */
static void hdr_light_comes_with_its_faces(void **state)
{
	(void)state;
	static bspt_vbsp file;
	static const struct { bool plain_light; bspscene_lightmap_encoding encoding; bool hdr; } cases[] = {
		{ false, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, true },
		{ true, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY, false },
		{ true, BSPSCENE_LIGHTMAP_ENCODING_HDR, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_vbsp_load f;
		bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
		bspi_face lit[BSPT_VBSP_FACES];
		memcpy(lit, bspt_vbsp_faces, sizeof lit);
		lit[BSPT_WALL].light_offset = 12;
		bspt_vbsp_records(&file, VBSP_FACES_HDR, BSPI_ARRAY_faces, lit, BSPT_VBSP_FACES);
		uint8_t light[256] = { 77 };
		bspt_vbsp_lump(&file, VBSP_LIGHTING_HDR, light, sizeof light, 1);
		if (!cases[i].plain_light) bspt_vbsp_entry(&file, VBSP_LIGHTING, 0, 0, 1, 0);
		assert_true(bspt_vbsp_read_with(&f, &file, cases[i].encoding, false));
		assert_int_equal(f.map.faces[BSPT_WALL].light_offset, cases[i].hdr ? 12 : 4);
		assert_int_equal(f.map.lighting.data[0], cases[i].hdr ? 77 : 0);
		assert_int_equal(f.ctx.warning_count, 0);
		bspt_vbsp_end(&f);
	}
}

/* Maps of consoles have only one list of faces. It is in the HDR lump, also if the map has no HDR light. */
static void faces_of_hdr_are_the_only_ones_where_there_are_no_others(void **state)
{
	(void)state;
	static bspt_vbsp file;
	bspt_vbsp_load f;
	bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
	bspt_vbsp_records(&file, VBSP_FACES_HDR, BSPI_ARRAY_faces, bspt_vbsp_faces, BSPT_VBSP_FACES);
	bspt_vbsp_entry(&file, VBSP_FACES, 0, 0, 1, 0);
	assert_true(bspt_vbsp_read(&f, &file));
	assert_int_equal(f.map.faces_count, BSPT_VBSP_FACES);
	assert_int_equal(f.map.faces[BSPT_WALL].light_offset, 4);
	bspt_vbsp_end(&f);
}

/* A map may be encrypted with a key that can be read from the file itself. It gives the same scene as the plain map. If
 * it is refused, the message calls it a map of Tactical Intervention. */
static void keyed_maps_read_like_plain_ones(void **state)
{
	(void)state;
	enum { KEY_AT = 384, KEY_SIZE = 32, SHOWN = KEY_AT + KEY_SIZE };
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	bspt_bytes room = bspt_build_room(&bspi_family_vbsp, variant);
	/* Compilers leave unused entries of the directory zero. If such bytes are encrypted, they show the key. */
	memset(room.data + KEY_AT, 0, KEY_SIZE);
	bspscene_scene *plain = bspscene_load_memory(room.data, room.size, NULL, NULL);
	assert_non_null(plain);
	for (size_t i = 0; i < room.size; i++) room.data[i] ^= (uint8_t)(i % KEY_SIZE * 7 + 1);
	bspscene_format format;
	bspscene_format_init(&format);
	assert_true(bspscene_probe(room.data, SHOWN, &format));
	assert_string_equal(format.variant, "source20");
	assert_false(bspscene_probe(room.data, SHOWN - 1, &format));
	bspscene_error error;
	bspscene_scene *keyed = bspscene_load_memory(room.data, room.size, NULL, &error);
	if (!keyed) fail_msg("%s", error.message);
	assert_string_equal(keyed->variant, "source20");
	assert_memory_equal(keyed->counts, plain->counts, sizeof *plain->counts);
	assert_int_equal(keyed->warning_count, plain->warning_count);
	bspscene_scene_free(keyed);
	bspscene_scene_free(plain);
	bspi_foreign told = bspi_describe_foreign(bspi_bytes_of(room.data, room.size));
	assert_true(told.map);
	assert_non_null(strstr(told.text, "Tactical Intervention"));
	free(room.data);
}

/* Games with the same version are distinguished by the size of a record, or by names in the game lump if the records
 * are compressed. */
static void relatives_are_told_by_their_contents(void **state)
{
	(void)state;
	const bspi_variant *variant = NULL;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *own = &bspi_family_vbsp.variants[i];
		bspt_bytes room = bspt_build_room(&bspi_family_vbsp, own);
		assert_ptr_equal(bspi_find_family(bspi_bytes_of(room.data, room.size), &variant), &bspi_family_vbsp);
		if (variant != own) fail_msg("%s is taken for %s", own->title, variant->title);
		if (!strcmp(own->name, "vindictus")) {
			bool second = own->lumps == bspi_vbsp_rows_vindictus2;
			bspt_store_u32(room.data + 8 + 16 * VBSP_MODELS, (uint32_t)room.size);
			bspt_store_u32(room.data + 8 + 16 * VBSP_FACES + 8, second ? 2 : 1);
			bspi_find_family(bspi_bytes_of(room.data, room.size), &variant);
			if (variant != own) fail_msg("%s is taken for %s", own->title, variant->title);
		}
		free(room.data);
	}
}

/* If one texinfo draws a texdata and another hides it, the scene has two textures. */
static void flags_part_textures(void **state)
{
	(void)state;
	static bspt_vbsp file;
	bspt_vbsp_load f;
	bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
	uint32_t texinfos = bspi_load_u32(file.data + 8 + 16 * VBSP_TEXINFO);
	bspt_store_u32(file.data + texinfos + 72 * BSPT_BUMPED + 64, 0x880);
	assert_true(bspt_vbsp_read(&f, &file));
	const bspi_texture *wall = &f.map.textures[f.map.faces[BSPT_WALL].texture];
	const bspi_texture *other = &f.map.textures[f.map.faces[BSPT_BUMPED].texture];
	assert_int_equal(f.map.textures_count, 3);
	assert_string_equal(wall->name, other->name);
	assert_int_equal(wall->surface_flags, 0);
	assert_int_equal(other->surface_flags, 0x880);
	bspt_vbsp_end(&f);
}

static void bad_faces_are_counted(void **state)
{
	(void)state;
	static bspt_vbsp file;
	bspt_vbsp_load f;
	bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
	bspi_face bad[BSPT_VBSP_FACES];
	memcpy(bad, bspt_vbsp_faces, sizeof bad);
	bad[BSPT_WALL].lightmap_width = -1;
	bad[BSPT_BUMPED].lightmap_height = INT32_MAX;
	bad[BSPT_SKY].texinfo = -1;
	bspt_vbsp_records(&file, VBSP_FACES, BSPI_ARRAY_faces, bad, BSPT_VBSP_FACES);
	assert_true(bspt_vbsp_read(&f, &file));
	assert_int_equal(bspt_vbsp_warnings(&f, BSPSCENE_WARNING_LIGHTMAP), 2);
	assert_int_equal(f.map.faces[BSPT_WALL].light_offset, -1);
	assert_int_equal(f.map.faces[BSPT_BUMPED].light_offset, -1);
	assert_int_equal(f.map.faces[BSPT_SKY].kind, BSPI_FACE_DROPPED);
	assert_int_equal(bspt_vbsp_warnings(&f, BSPSCENE_WARNING_FACE_DROPPED), 0);
	bspt_vbsp_end(&f);
}

static void other_games_are_named(void **state)
{
	(void)state;
	static bspt_vbsp file;
	static const struct { const char *variant; uint32_t version, face_size; const char *says; } cases[] = {
		{ "source20", 100, 56, "Counter-Strike Online 2" }, { "source20", 29, 56, "Titanfall" },
		{ "source20", 42, 56, "Desolation" }, { "source20", 43, 56, "Desolation" },
		{ "source20", 99, 56, "unknown version" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_vbsp_load f;
		bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, cases[i].variant));
		bspt_store_u32(file.data + 4, cases[i].version);
		bspt_vbsp_lump(&file, VBSP_FACES, NULL, (size_t)BSPT_VBSP_FACES * cases[i].face_size, 1);
		assert_false(bspt_vbsp_read(&f, &file));
		assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
		if (!strstr(f.ctx.error.message, cases[i].says)) fail_msg("%s: %s", cases[i].says, f.ctx.error.message);
		bspt_vbsp_end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_version_reads_as_written),
		cmocka_unit_test(hdr_light_comes_with_its_faces),
		cmocka_unit_test(faces_of_hdr_are_the_only_ones_where_there_are_no_others),
		cmocka_unit_test(keyed_maps_read_like_plain_ones),
		cmocka_unit_test(relatives_are_told_by_their_contents),
		cmocka_unit_test(flags_part_textures),
		cmocka_unit_test(bad_faces_are_counted),
		cmocka_unit_test(other_games_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
