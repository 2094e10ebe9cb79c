/* Promise: a Source map of every version reads as it was written, with the light that belongs to its faces; textures
 * are parted where flags part them; bad faces are counted, and other games' maps are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
		if (!bspt_vbsp_read(&f, &file)) fail_msg("%s: %s", variant->title, f.ctx.error.message);
		bspt_vbsp_check(&f, variant);
		bspt_vbsp_end(&f);
	}
}

/* Maps for HDR displays only have luxels, styles and offsets in the lumps of their own; so has
 * every map for HDR pages. */
static void hdr_light_comes_with_its_faces(void **state)
{
	(void)state;
	static bspt_vbsp file;
	static const struct { bool plain_light; bspscene_lightmap_encoding encoding; bool hdr; } cases[] = {
		{ false, BSPSCENE_LIGHTMAP_DISPLAY, true },
		{ true, BSPSCENE_LIGHTMAP_DISPLAY, false },
		{ true, BSPSCENE_LIGHTMAP_HDR, true },
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

/* Overlaid with a key, of which nothing but the place is known. */
static void encrypted_maps_are_named(void **state)
{
	(void)state;
	static bspt_vbsp file;
	bspt_vbsp_load f;
	bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "source20"));
	for (size_t i = 0; i < file.size; i++) file.data[i] ^= (uint8_t)(i % 32 * 7 + 1);
	assert_false(bspt_vbsp_read(&f, &file));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	assert_non_null(strstr(f.ctx.error.message, "Tactical Intervention"));
	bspt_vbsp_end(&f);
}

/* Infra's number is that of Dota 2's beta, whose displacements are larger. */
static void dota_is_told_from_infra(void **state)
{
	(void)state;
	static bspt_vbsp file;
	bspt_vbsp_load f;
	bspt_vbsp_build(&file, bspt_find_variant(&bspi_family_vbsp, "infra"));
	bspt_vbsp_lump(&file, VBSP_DISPINFO, NULL, 3 * 180, 0);
	assert_false(bspt_vbsp_read(&f, &file));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	assert_non_null(strstr(f.ctx.error.message, "Dota 2"));
	bspt_vbsp_end(&f);
}

/* One texdata, drawn by one texinfo and hidden by another, is two textures. */
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
		{ "source20", 20, 72, "Vindictus" }, { "source20", 20, 76, "Vindictus" }, { "source20", 23, 56, "Dota 2" },
		{ "source20", 29, 56, "Titanfall" }, { "source20", 42, 56, "Desolation" }, { "source20", 43, 56, "Desolation" },
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
		cmocka_unit_test(encrypted_maps_are_named),
		cmocka_unit_test(dota_is_told_from_infra),
		cmocka_unit_test(flags_part_textures),
		cmocka_unit_test(bad_faces_are_counted),
		cmocka_unit_test(other_games_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
