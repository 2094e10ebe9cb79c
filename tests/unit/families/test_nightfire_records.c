/* Promise: the records of a Nightfire map are read as docs/formats/nightfire.md describes them; damaged records are
 * mended or left out, and counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"

/* Surfaces of the room in tests/support/make/build_nightfire.c. */
enum { FLOOR, WALL, SKY, NODRAW, EMPTY, L, GRATE, SIGN, WATER, DOOR, TRIGGER, PANE, SURFACES };

#define nightfire (&bspi_family_nightfire.variants[0])

/* ---- Records ---------------------------------------------------------------------------------------------- */

typedef struct fixture {
	bspi_ctx ctx;
	bspi_map map;
	bspt_bytes file;
} fixture;

static void read_parts(fixture *f, const bspt_parts *parts)
{
	memset(f, 0, sizeof *f);
	f->ctx.file = "test.bsp";
	f->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&f->ctx);
	f->file = bspt_encode_parts(nightfire, parts);
	bool read = bspi_read_map(&f->ctx, bspi_bytes_of(f->file.data, f->file.size), &f->map);
	if (!read) fail_msg("%s", f->ctx.error.message);
}

static void end(fixture *f)
{
	bspi_end_memory(&f->ctx);
	free(f->file.data);
}

/* A side names its surface first, then its plane. */
static void test_brushes(void **state)
{
	(void)state;
	fixture f;
	bspt_parts parts;
	bspt_room_parts(&bspi_family_nightfire, nightfire, &parts);
	read_parts(&f, &parts);
	assert_int_equal(f.ctx.warning_count, 0);
	assert_int_equal(f.map.brushes_count, 2);
	assert_int_equal(f.map.brushes[1].contents, 0x202);
	assert_int_equal(f.map.brushes[1].texture, -1);
	assert_int_equal(f.map.brush_sides[f.map.brushes[1].first_side].texture, DOOR);
	assert_int_equal(f.map.brush_sides[f.map.brushes[1].first_side].plane, f.map.faces[DOOR].plane);
	assert_int_equal(f.map.leafs[4].leaf_brush_count, 1);
	end(&f);
}

/* The builder of the room uses the same layout tables as the reader, so an error in them would not show elsewhere. This
 * test compares 32-bit words of some records with the description of the format. */
static void test_records(void **state)
{
	(void)state;
	enum { F1 = 0x3f800000, F64 = 0x42800000, F96 = 0x42c00000, F128 = 0x43000000, ANY = 0x7fffffff };
	static const struct { const char *name; uint32_t slot, size, record; int32_t words[14]; } records[] = {
		{ "plane", 1, 20, 6, { F1, 0, 0, F64, ANY } },
		{ "texture", 2, 64, 0, { 0x6c6c6177, 0x72622f73 } },
		{ "material", 3, 64, 3, { 0x5f646c77, 0x73616c67 } },
		{ "vertex", 4, 12, 16, { F96, F64, 0 } },
		{ "vertex normal", 5, 12, 16, { (int32_t)0xbf4ccccd, 0, 0x3f19999a } },
		{ "draw index", 6, 4, 11, { 5 } },
		{ "node", 8, 36, 0, { 6, -2, -3, 0, 0, 0, F128, F128, F128 } },
		{ "surface", 9, 48, L, { 9, 16, 6, 6, 12, 0, 0, 3, 1, 4, (int32_t)0xffffff00, 3 * 387 } },
		{ "tool surface", 9, 48, EMPTY, { 1, 0, 0, 0, 0, 0x100, 2, 0, 0, 2, -1, -1 } },
		{ "leaf", 11, 48, 2, { 1, 4, 0, 0, 0, F64, F128, F128, 2, 7, 0, 0 } },
		{ "leaf of a model", 11, 48, 4, { 1, -1, ANY, ANY, ANY, ANY, ANY, ANY, 9, 1, 1, 1 } },
		{ "leaf surface", 12, 4, 1, { 8 } },
		{ "leaf brush", 13, 4, 1, { 1 } },
		{ "model", 14, 56, 2, { ANY, ANY, ANY, ANY, ANY, ANY, 0, 0, 0, 0, 0, 0, 10, 1 } },
		{ "brush", 15, 12, 1, { 0x202, 3, 2 } },
		{ "brush side", 16, 8, 3, { DOOR, 11 } },
		{ "projection", 17, 32, 1, { 0, 0x3f000000, 0, 0x41800000, 0, 0, (int32_t)0xbf000000, (int32_t)0xc1000000 } },
	};
	bspt_bytes file = bspt_build_room(&bspi_family_nightfire, nightfire);
	assert_int_equal(bspi_load_i32(file.data), 42);
	for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
		const uint8_t *entry = file.data + 4 + 8 * records[i].slot;
		const uint8_t *record = file.data + bspi_load_u32(entry) + records[i].record * records[i].size;
		assert_int_equal(bspi_load_u32(entry + 4) % records[i].size, 0);
		for (uint32_t word = 0; word < records[i].size / 4 && word < 14; word++) {
			int32_t wanted = records[i].words[word], got = bspi_load_i32(record + 4 * word);
			bool name = records[i].size == 64 && word > 1;
			if (wanted == ANY || name || got == wanted) continue;
			fail_msg("%s: word %u is %d", records[i].name, (unsigned)word, (int)got);
		}
	}
	free(file.data);
}

/* ---- Damage ----------------------------------------------------------------------------------------------- */

static bool is_kept(const bspi_map *map, uint32_t surface) { return map->faces[surface].kind == BSPI_FACE_PROJECTED; }

static const char *texture_name(const bspi_map *map, uint32_t surface)
{
	return map->textures[map->faces[surface].texture].name;
}

/* Each case has the damage, the expected warning, and a condition that must hold after the load. `s` is the list of
 * surface records, and `x` is the list with the second half of each record. */
#define CASES(X) \
	X(s[WALL].plane = 99, REFERENCE, is_kept(m, WALL) && m->faces[WALL].normal[0] == 0) \
	X(s[WALL].texinfo = 6, REFERENCE, is_kept(m, WALL) && m->texinfos[WALL].texture_vectors[0][1] == 0) \
	X(s[WALL].texinfo = -1, REFERENCE, is_kept(m, WALL)) \
	X(s[WALL].light_projection = 6, LIGHTMAP, is_kept(m, WALL) && m->faces[WALL].light_offset == -1) \
	X(x[WALL].value = 4, REFERENCE, is_kept(m, WALL) && m->textures[m->faces[WALL].texture].effect == -1) \
	X(x[WALL].texture = 6, REFERENCE, is_kept(m, WALL) && !strcmp(texture_name(m, WALL), "missing")) \
	X(s[WALL].vertex_count = 3, FACE_DROPPED, !is_kept(m, WALL) && is_kept(m, FLOOR)) \
	X(s[WALL].first_vertex = -1, FACE_DROPPED, !is_kept(m, WALL)) \
	X(s[WALL].first_index = 13, FACE_DROPPED, !is_kept(m, WALL)) \
	X(s[WALL].index_count = 5, TRIANGLE_DROPPED, is_kept(m, WALL) && m->faces[WALL].index_count == 3) \
	X(leafs[2].vis_offset = 6, LUMP_BAD, m->cluster_count == 2 && m->vis_rows[m->vis_row_size] == 0xff) \
	X(leafs[5].vis_offset = 0, OK, m->cluster_count == 5 && m->leafs[5].cluster == 4 && m->leafs[3].cluster == -1) \
	X(leafs[2].first_leaf_face = 99, TREE, m->leafs[2].leaf_face_count == 0)

enum { BSPSCENE_WARNING_OK = BSPSCENE_WARNING_FORCE_32BIT };
#define COUNT_ONE(spoil, code, kept) +1
enum { CASE_COUNT = 0 CASES(COUNT_ONE) };

static void spoil_case(int wanted, bspi_face *s, bspi_texinfo *x, bspi_leaf *leafs)
{
	int number = 0;
#define SPOIL_ONE(spoil, code, kept) if (number++ == wanted) { spoil; }
	CASES(SPOIL_ONE)
}

static void expect_warning(const fixture *f, int wanted, const char *what)
{
	if ((f->ctx.warning_count == 0) != (wanted == (int)BSPSCENE_WARNING_OK)) {
		fail_msg("%s: %u warnings", what, f->ctx.warning_count);
	}
	if (f->ctx.warning_count && (int)f->ctx.warnings[0].code != wanted) {
		fail_msg("%s: %s", what, f->ctx.warnings[0].message);
	}
}

static void check_case(int wanted, const fixture *f)
{
	const bspi_map *m = &f->map;
	int number = 0;
#define CHECK_ONE(spoil, warning, kept) \
	if (number++ == wanted) { \
		if (!(kept)) fail_msg("%s: not as expected", #spoil); \
		expect_warning(f, (int)BSPSCENE_WARNING_##warning, #spoil); \
	}
	CASES(CHECK_ONE)
}

static void test_damage(void **state)
{
	(void)state;
	for (int i = 0; i < CASE_COUNT; i++) {
		bspi_face surfaces[SURFACES];
		bspi_texinfo looks[SURFACES];
		bspi_leaf leafs[6];
		bspt_parts parts;
		fixture f;
		bspt_room_parts(&bspi_family_nightfire, nightfire, &parts);
		memcpy(surfaces, parts.map.faces, sizeof surfaces);
		memcpy(looks, parts.map.texinfos, sizeof looks);
		memcpy(leafs, parts.map.leafs, sizeof leafs);
		spoil_case(i, surfaces, looks, leafs);
		parts.map.faces = surfaces;
		parts.map.texinfos = looks;
		parts.map.leafs = leafs;
		read_parts(&f, &parts);
		check_case(i, &f);
		end(&f);
	}
}

/* Rows without a bit for each leaf are ignored, so all is visible. */
static void test_short_rows(void **state)
{
	(void)state;
	bspt_parts parts;
	bspi_leaf leafs[12] = { { .contents = 2 } };
	bspt_room_parts(&bspi_family_nightfire, nightfire, &parts);
	for (int i = 1; i < 12; i++) leafs[i] = (bspi_leaf){ .contents = 1, .vis_offset = i - 1 };
	parts.map.leafs = leafs;
	parts.map.leafs_count = 12;
	fixture f;
	read_parts(&f, &parts);
	assert_int_equal(f.map.cluster_count, 0);
	assert_int_equal(f.ctx.warning_count, 1);
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_LUMP_BAD);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_brushes),
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_short_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
