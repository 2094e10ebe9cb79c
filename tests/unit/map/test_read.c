/* Promise: a file's format is recognized by its contents alone, and its lumps are found whatever order, gaps and
 * oddities the directory has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/map/map_reading.h"

enum { DIRECTORY_AT = 8, ENTRY_SIZE = 8, IBSP_LUMPS = 17 };
enum {
	SHADERS = 1, PLANES, NODES, LEAFS, LEAF_SURFACES, LEAF_BRUSHES, MODELS, DRAW_VERTICES = 10, DRAW_INDICES, FOGS,
	SURFACES, LIGHTMAPS, LIGHT_GRID, VISIBILITY,
};

static bspt_bytes room(void)
{
	return bspt_build_room(&bspi_family_quake3, &bspi_family_quake3.variants[0]);
}

static void store_u32(uint8_t *p, uint32_t value)
{
	for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t *entry(bspt_bytes file, uint32_t slot)
{
	return file.data + DIRECTORY_AT + ENTRY_SIZE * slot;
}

static uint32_t lump_offset(bspt_bytes file, uint32_t slot) { return bspi_load_u32(entry(file, slot)); }
static uint32_t lump_size(bspt_bytes file, uint32_t slot) { return bspi_load_u32(entry(file, slot) + 4); }

/* ---- Which family ----------------------------------------------------------------------------------------- */

static void every_variant_is_found(void **state)
{
	(void)state;
	for (uint32_t f = 0; f < bspi_family_count; f++) {
		for (uint32_t v = 0; v < bspi_families[f]->variant_count; v++) {
			const bspi_variant *variant = &bspi_families[f]->variants[v], *found = NULL;
			bspt_parts parts;
			if (!bspt_room_parts(bspi_families[f], variant, &parts)) continue;
			bspt_bytes file = bspt_build_room(bspi_families[f], variant);
			/* 64 bytes are enough to find the family; only variants that share a version need more. */
			assert_ptr_equal(bspi_find_family(bspi_bytes_of(file.data, 64), &found), bspi_families[f]);
			assert_int_equal(found->version, variant->version);
			assert_string_equal(found->magic, variant->magic);
			bspt_reading whole;
			if (!bspt_read_bytes(&whole, file.data, file.size, true)) {
				fail_msg("%s: %s", variant->title, whole.ctx.error.message);
			}
			/* Some families have further models that are levels of the world or clip models. These are merged with the
			 * world. */
			uint32_t merged = whole.map.forest ? 258 : 0;
			assert_int_equal(whole.map.models_count, parts.map.models_count - merged);
			bspt_end_reading(&whole);
			free(file.data);
		}
	}
}

static void fixtures_are_told_apart(void **state)
{
	(void)state;
	static const struct {
		const char *file, *variant;
		int32_t version;
	} cases[] = {
		{ "atrium/quake3/maps/atrium.bsp", "quake3", 46 },
		{ "atrium/quake3/maps/atrium_nometa.bsp", "quake3", 46 },
		{ "atrium/eliteforce/maps/atrium.bsp", "quake3", 46 },
		{ "atrium/rtcw/maps/atrium.bsp", "rtcw", 47 },
		{ "atrium/et/maps/atrium.bsp", "et", 47 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_bytes file = bspt_read_fixture(cases[i].file);
		bspt_reading f;
		if (!bspt_read_bytes(&f, file.data, file.size, true)) fail_msg("%s: %s", cases[i].file, f.ctx.error.message);
		assert_string_equal(f.map.family, "quake3");
		assert_string_equal(f.map.variant, cases[i].variant);
		assert_int_equal(f.map.version, cases[i].version);
		bspt_end_reading(&f);
		free(file.data);
	}
}

static const char *variant_of(bspt_bytes file)
{
	const bspi_variant *variant = NULL;
	return bspi_find_family(bspi_bytes_of(file.data, file.size), &variant) ? variant->name : "none";
}

/* Three games use version 47. If nothing in the file tells which, the variant of the oldest game is chosen, whose title
 * names all three. */
static void evidence_decides_47(void **state)
{
	(void)state;
	bspt_bytes file = room();
	store_u32(file.data + 4, 47);
	assert_string_equal(variant_of(file), "rtcw");

	uint8_t *type = file.data + lump_offset(file, SURFACES) + 8;
	uint32_t planar = bspi_load_u32(type);
	store_u32(type, 5);
	assert_string_equal(variant_of(file), "et");
	store_u32(type, planar);

	uint8_t *message = file.data + lump_offset(file, 0);
	while (memcmp(message, "\"message\" \"A room\"", 18)) message++;
	memcpy(message, "\"mapcoordsmins\"\"\" ", 18);
	assert_string_equal(variant_of(file), "et");
	memcpy(message, "\"message\" \"A room\"", 18);

	/* The directory may have an 18th entry, for advertisements. The room has only 17 entries, so the bytes at the place
	 * of the 18th are data. */
	assert_string_equal(variant_of(file), "rtcw");
	const uint8_t false_entry[8] = { 0, 1, 0, 0, 0, 1, 0, 0 };
	uint8_t kept[8];
	memcpy(kept, entry(file, 17), sizeof kept);
	memcpy(entry(file, 17), false_entry, sizeof false_entry);
	assert_string_equal(variant_of(file), "rtcw");
	memcpy(entry(file, 17), kept, sizeof kept);
	bspt_bytes longer = { calloc(file.size + 8 + 256, 1), file.size + 8 + 256 };
	memcpy(longer.data, file.data, DIRECTORY_AT + IBSP_LUMPS * ENTRY_SIZE);
	memcpy(longer.data + DIRECTORY_AT + 18 * ENTRY_SIZE, file.data + DIRECTORY_AT + 17 * ENTRY_SIZE,
	       file.size - DIRECTORY_AT - 17 * ENTRY_SIZE);
	for (uint32_t slot = 0; slot < IBSP_LUMPS; slot++) {
		store_u32(entry(longer, slot), lump_offset(file, slot) + ENTRY_SIZE);
	}
	store_u32(entry(longer, 17), (uint32_t)file.size + 8);
	store_u32(entry(longer, 17) + 4, 256);
	assert_string_equal(variant_of(longer), "quakelive");
	store_u32(entry(longer, 17) + 4, 255);
	assert_string_equal(variant_of(longer), "rtcw");
	free(longer.data);
	free(file.data);
}

/* Soldier of Fortune also uses the magic IBSP 46, and SiN uses RBSP 1. Their directories are longer than Quake III's,
 * so their data begins later, and their records have other sizes. A Quake III map whose data begins at the same offset
 * by chance is still a Quake III map. */
static void twins_are_refused_by_name(void **state)
{
	(void)state;
	static const struct {
		const char *magic, *name, *own;
		uint32_t version, header;
	} cases[] = {
		{ "IBSP", "Soldier of Fortune", "quake3", 46, 184 },
		{ "RBSP", "SiN", "raven", 1, 168 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t data[512] = { 0 };
		bspt_bytes file = { data, sizeof data };
		memcpy(data, cases[i].magic, 4);
		store_u32(data + 4, cases[i].version);
		store_u32(entry(file, PLANES), cases[i].header);
		store_u32(entry(file, PLANES) + 4, 20);
		bspt_reading f;
		assert_false(bspt_read_bytes(&f, data, sizeof data, false));
		assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
		assert_non_null(strstr(f.ctx.error.message, cases[i].name));
		bspt_end_reading(&f);
		store_u32(entry(file, PLANES) + 4, 32);
		assert_string_equal(variant_of(file), cases[i].own);
	}
}

/* ---- Directory and lumps ---------------------------------------------------------------------------------- */

static void lumps_outside_the_file_are_named(void **state)
{
	(void)state;
	static const struct {
		uint32_t offset, size;
	} cases[] = {
		{ 0x40000000, 16 },  { 0xffffffff, 16 },         { 0x80000000, 16 },   { 144, 0xffffffff },
		{ 144, 0x80000000 }, { 0x7fffffff, 0x7fffffff }, { 0xfffffff0, 0x20 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_bytes file = room();
		bspt_reading f;
		store_u32(entry(file, SURFACES), cases[i].offset);
		store_u32(entry(file, SURFACES) + 4, cases[i].size);
		assert_false(bspt_read_bytes(&f, file.data, file.size, false));
		assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_LUMP);
		assert_string_equal(f.ctx.error.lump, "surfaces");
		assert_int_equal(f.ctx.error.offset, cases[i].offset);
		bspt_end_reading(&f);
		free(file.data);
	}
}

static void the_last_byte_counts(void **state)
{
	(void)state;
	bspt_bytes file = room();
	uint32_t last = 0;
	for (uint32_t slot = 0; slot < IBSP_LUMPS; slot++) {
		uint32_t lump_end = lump_offset(file, slot) + lump_size(file, slot);
		last = lump_end > last ? lump_end : last;
	}
	bspt_reading f;
	assert_true(bspt_read_bytes(&f, file.data, last, true));
	bspt_end_reading(&f);
	assert_true(bspt_read_bytes(&f, file.data, last - 1, false));
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_LUMP_BAD);
	bspt_end_reading(&f);
	assert_false(bspt_read_bytes(&f, file.data, last - 1, true));
	assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_DATA);
	bspt_end_reading(&f);
	for (size_t size = 8; size < DIRECTORY_AT + IBSP_LUMPS * ENTRY_SIZE; size++) {
		assert_false(bspt_read_bytes(&f, file.data, size, false));
		assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_HEADER);
		bspt_end_reading(&f);
	}
	free(file.data);
}

static void empty_lumps_may_be_anywhere(void **state)
{
	(void)state;
	static const uint32_t offsets[] = { 0, 0x40000000, 0xffffffff, 7 };
	for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
		bspt_bytes file = room();
		bspt_reading f;
		store_u32(entry(file, VISIBILITY), offsets[i]);
		store_u32(entry(file, VISIBILITY) + 4, 0);
		if (!bspt_read_bytes(&f, file.data, file.size, true)) fail_msg("%s", f.ctx.error.message);
		assert_int_equal(f.map.cluster_count, 0);
		assert_null(f.map.vis_rows);
		bspt_end_reading(&f);
		free(file.data);
	}
}

/* q3map2 writes 18 entries and its name after them; lumps of released maps begin at odd offsets. */
static void gaps_order_and_alignment_do_not_matter(void **state)
{
	(void)state;
	enum { GAP = 61 };
	static const size_t header = DIRECTORY_AT + IBSP_LUMPS * ENTRY_SIZE;
	bspt_bytes file = room();
	bspt_bytes moved = { malloc(file.size + GAP), file.size + GAP };
	assert_non_null(moved.data);
	memcpy(moved.data, file.data, header);
	memset(moved.data + header, 0xee, GAP);
	memcpy(moved.data + header + GAP, file.data + header, file.size - header);
	for (uint32_t slot = 0; slot < IBSP_LUMPS; slot++) store_u32(entry(moved, slot), lump_offset(file, slot) + GAP);
	bspt_reading f, g;
	assert_true(bspt_read_bytes(&f, file.data, file.size, true));
	assert_true(bspt_read_bytes(&g, moved.data, moved.size, true));
	assert_int_equal(f.map.draw_vertices_count, g.map.draw_vertices_count);
	assert_memory_equal(f.map.draw_vertices, g.map.draw_vertices,
	                    f.map.draw_vertices_count * sizeof *f.map.draw_vertices);
	assert_memory_equal(f.map.faces, g.map.faces, f.map.faces_count * sizeof *f.map.faces);
	assert_memory_equal(f.map.leafs, g.map.leafs, f.map.leafs_count * sizeof *f.map.leafs);
	bspt_end_reading(&f);
	bspt_end_reading(&g);
	free(file.data);
	free(moved.data);
}

/* A partial record at the end of a lump is left out and counted; a strict load refuses it. */
static void tails_are_counted(void **state)
{
	(void)state;
	static const uint32_t slots[] = {
		SHADERS, PLANES, NODES, LEAFS, LEAF_SURFACES, LEAF_BRUSHES, MODELS, DRAW_VERTICES, DRAW_INDICES, FOGS, SURFACES,
	};
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
		bspt_bytes file = room();
		bspt_reading f;
		store_u32(entry(file, slots[i]) + 4, lump_size(file, slots[i]) + 3);
		assert_true(lump_offset(file, slots[i]) + lump_size(file, slots[i]) <= file.size);
		if (!bspt_read_bytes(&f, file.data, file.size, false)) fail_msg("slot %u: %s", slots[i], f.ctx.error.message);
		assert_int_equal(f.ctx.warning_count, 1);
		assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_LUMP_TAIL);
		assert_int_equal(f.ctx.warnings[0].count, 1);
		bspt_end_reading(&f);
		assert_false(bspt_read_bytes(&f, file.data, file.size, true));
		assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_BAD_DATA);
		bspt_end_reading(&f);
		free(file.data);
	}
}

/* Raven's draw vertices are read into two arrays; a partial record at the end is still counted once. */
static void a_lump_has_one_tail(void **state)
{
	(void)state;
	const bspi_variant *variant = bspi_family_quake3.variants;
	while (strcmp(variant->name, "raven")) variant++;
	bspt_bytes file = bspt_build_room(&bspi_family_quake3, variant);
	bspt_reading f;
	store_u32(entry(file, DRAW_VERTICES) + 4, lump_size(file, DRAW_VERTICES) - 1);
	/* The incomplete last vertex belongs to the door, so the door is dropped, too. */
	assert_true(bspt_read_bytes(&f, file.data, file.size, false));
	assert_int_equal(f.ctx.warning_count, 2);
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_LUMP_TAIL);
	assert_int_equal(f.ctx.warnings[0].count, 1);
	assert_int_equal(f.map.draw_vertices_count, f.map.draw_vertex_styles_count);
	bspt_end_reading(&f);
	free(file.data);
}

/* ---- Quake III -------------------------------------------------------------------------------------------- */

static void vis_must_fit_its_lump(void **state)
{
	(void)state;
	static const struct {
		int32_t clusters, row_size;
		uint32_t size;
		bool kept;
	} cases[] = {
		{ 2, 8, 24, true },
		{ 2, 4, 24, true },
		{ 2, 8, 23, false },
		{ 3, 8, 24, false },
		{ -1, 8, 24, false },
		{ 2, -8, 24, false },
		{ 2, 0, 24, false },
		{ -1, 0, 24, false },
		{ 9, 1, 24, false },
		{ 2, 1, 24, true },
		{ INT32_MAX, INT32_MAX, 24, false },
		{ 2, 8, 4, false },
		{ INT32_MIN, INT32_MIN, 24, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_bytes file = room();
		uint8_t *vis = file.data + lump_offset(file, VISIBILITY);
		store_u32(vis, (uint32_t)cases[i].clusters);
		store_u32(vis + 4, (uint32_t)cases[i].row_size);
		store_u32(entry(file, VISIBILITY) + 4, cases[i].size);
		bspt_reading f;
		assert_true(bspt_read_bytes(&f, file.data, file.size, false));
		if ((f.map.cluster_count > 0) != cases[i].kept) fail_msg("case %zu", i);
		assert_int_equal(f.ctx.warning_count, !cases[i].kept);
		if (!cases[i].kept) assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_LUMP_BAD);
		bspt_end_reading(&f);
		free(file.data);
	}
}

static void types_become_kinds(void **state)
{
	(void)state;
	static const bspi_face_kind kinds[] = {
		BSPI_FACE_TRIANGLES, BSPI_FACE_PATCH,     BSPI_FACE_TRIANGLES,
		BSPI_FACE_FLARE,     BSPI_FACE_TRIANGLES, BSPI_FACE_TRIANGLES,
	};
	bspt_bytes file = room();
	bspt_reading f;
	assert_true(bspt_read_bytes(&f, file.data, file.size, true));
	assert_int_equal(f.map.faces_count, sizeof kinds / sizeof *kinds);
	for (uint32_t i = 0; i < f.map.faces_count; i++) {
		assert_int_equal(f.map.faces[i].kind, kinds[i]);
		assert_int_equal(f.map.faces[i].soup, i == 2);
		assert_int_equal(f.map.faces[i].styles[0], 0);
		assert_int_equal(f.map.faces[i].styles[1], 255);
	}
	bspt_end_reading(&f);
	/* Type 5 (foliage) exists in Enemy Territory only, and type 6 nowhere. */
	for (uint32_t type = 5; type <= 6; type++) {
		store_u32(file.data + lump_offset(file, SURFACES) + 8, type);
		assert_true(bspt_read_bytes(&f, file.data, file.size, false));
		assert_int_equal(f.map.faces[0].kind, BSPI_FACE_DROPPED);
		assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_FACE_DROPPED);
		bspt_end_reading(&f);
	}
	free(file.data);
}

/* The expected numbers were read from the file by hand. */
static void the_atrium_is_read(void **state)
{
	(void)state;
	bspt_bytes file = bspt_read_fixture("atrium/quake3/maps/atrium.bsp");
	bspt_reading f;
	assert_true(bspt_read_bytes(&f, file.data, file.size, true));
	const bspi_map *map = &f.map;
	assert_int_equal(map->textures_count, lump_size(file, SHADERS) / 72);
	assert_int_equal(map->planes_count, lump_size(file, PLANES) / 16);
	assert_int_equal(map->nodes_count, lump_size(file, NODES) / 36);
	assert_int_equal(map->leafs_count, lump_size(file, LEAFS) / 48);
	assert_int_equal(map->models_count, lump_size(file, MODELS) / 40);
	assert_int_equal(map->draw_vertices_count, lump_size(file, DRAW_VERTICES) / 44);
	assert_int_equal(map->draw_indices_count, lump_size(file, DRAW_INDICES) / 4);
	assert_int_equal(map->faces_count, lump_size(file, SURFACES) / 104);
	assert_int_equal(map->lighting.size, lump_size(file, LIGHTMAPS));
	assert_int_equal(map->light_grid.size, lump_size(file, LIGHT_GRID));
	assert_int_equal(map->light_grid_index.size, 0);

	uint32_t counts[BSPI_FACE_TERRAIN + 1] = { 0 }, soups = 0;
	for (uint32_t i = 0; i < map->faces_count; i++) {
		counts[map->faces[i].kind]++;
		soups += map->faces[i].soup;
	}
	assert_int_equal(counts[BSPI_FACE_TRIANGLES], 210);
	assert_int_equal(soups, 1);
	assert_int_equal(counts[BSPI_FACE_PATCH], 10);
	assert_int_equal(counts[BSPI_FACE_FLARE], 1);

	/* Planes come in opposite pairs; a field read at the wrong offset would break them. */
	for (uint32_t i = 0; i + 1 < map->planes_count; i += 2) {
		for (int k = 0; k < 3; k++) assert_true(map->planes[i].normal[k] == -map->planes[i + 1].normal[k]);
		assert_true(map->planes[i].distance == -map->planes[i + 1].distance);
	}
	/* Bounds of nodes are integers in the file and floats in memory. */
	assert_true(map->nodes[0].mins[0] < -512 && map->nodes[0].maxs[0] > 511 && map->nodes[0].maxs[0] < 1024);
	bspt_end_reading(&f);
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_variant_is_found),
		cmocka_unit_test(fixtures_are_told_apart),
		cmocka_unit_test(evidence_decides_47),
		cmocka_unit_test(twins_are_refused_by_name),
		cmocka_unit_test(lumps_outside_the_file_are_named),
		cmocka_unit_test(the_last_byte_counts),
		cmocka_unit_test(empty_lumps_may_be_anywhere),
		cmocka_unit_test(gaps_order_and_alignment_do_not_matter),
		cmocka_unit_test(tails_are_counted),
		cmocka_unit_test(a_lump_has_one_tail),
		cmocka_unit_test(vis_must_fit_its_lump),
		cmocka_unit_test(types_become_kinds),
		cmocka_unit_test(the_atrium_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
