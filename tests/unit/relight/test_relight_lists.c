/* test_relight_lists.c - relight also writes light that is on no page: of vertices, and of points of the light grid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check/baked.h"
#include "support/make/build_map.h"

enum { DIRECTORY = 8, ENTRY = 8, DRAW_VERTICES = 10, LIGHT_GRID = 15, VERTEX = 44, COLOR_AT = 40, POINT = 8 };

static const bspscene_lightmap_encoding encodings[] = {
	BSPSCENE_LIGHTMAP_ENCODING_RAW,
	BSPSCENE_LIGHTMAP_ENCODING_DISPLAY,
	BSPSCENE_LIGHTMAP_ENCODING_HDR,
};

static bspt_bytes read_atrium(void)
{
	return bspt_read_file(BSPT_FIXTURES "/atrium/quake3/maps/atrium.bsp");
}

static bspscene_light_list *find_list(bspt_baked *b, const char *name)
{
	for (uint32_t i = 0; i < b->light.list_count; i++) {
		if (!strcmp(b->lists[i].name, name)) return &b->lists[i];
	}
	fail_msg("the map has no \"%s\"", name);
	return NULL;
}

static uint8_t *luxel_of(const bspscene_light_list *list, uint32_t index)
{
	return (uint8_t *)(uintptr_t)list->luxels.data + index * bspt_page_luxel_size(&list->luxels);
}

/* Copies the brightest luxel of a list to luxel `index`. Returns the index of the brightest. */
static uint32_t give_brightest(bspscene_light_list *list, uint32_t index)
{
	size_t size = bspt_page_luxel_size(&list->luxels);
	uint32_t best = 0;
	for (uint32_t i = 0; i < list->count; i++) {
		if (memcmp(luxel_of(list, i), luxel_of(list, best), size) > 0) best = i;
	}
	memcpy(luxel_of(list, index), luxel_of(list, best), size);
	return best;
}

/* Returns the offset in the file of a luxel's three bytes. The luxel is number `index` of the list `name`. */
static size_t place_of(bspt_bytes map, const char *name, uint32_t index)
{
	bool vertex = !strcmp(name, "vertices");
	size_t lump = bspi_load_u32(map.data + DIRECTORY + ENTRY * (vertex ? DRAW_VERTICES : LIGHT_GRID));
	if (vertex) return lump + index * (size_t)VERTEX + COLOR_AT;
	return lump + index * (size_t)POINT + (strcmp(name, "grid_directed") ? 0 : 3);
}

static void check_change(bspt_bytes map, bspscene_lightmap_encoding encoding, const char *name)
{
	bspt_baked b, again;
	assert_true(bspt_bake(&b, map, encoding));
	bspscene_light_list *list = find_list(&b, name);
	uint32_t index = list->count / 2;
	uint32_t best = give_brightest(list, index);
	size_t at = place_of(map, name, index), size = bspt_page_luxel_size(&list->luxels);
	assert_memory_not_equal(map.data + at, map.data + place_of(map, name, best), 3);
	bspt_relit *r = bspt_relight(&b, map);
	if (!r->ok) fail_msg("%s", r->error.message);
	assert_true(r->report.points_changed == 1 && r->report.changed == 0 && !r->report.identical);
	bspt_bytes out = bspt_relit_map(r);
	assert_int_equal(out.size, map.size);
	for (size_t i = 0; i < map.size; i++) {
		if (out.data[i] != map.data[i]) assert_true(i >= at && i < at + 3);
	}
	assert_true(bspt_bake(&again, out, encoding));
	/* The encoding of display values has finer steps than the bytes of the file. So only other encodings must give
	 * equal luxels. */
	if (encoding != BSPSCENE_LIGHTMAP_ENCODING_DISPLAY) {
		assert_memory_equal(luxel_of(find_list(&again, name), index), luxel_of(list, index), size);
		assert_memory_equal(out.data + at, map.data + place_of(map, name, best), 3);
	}
	assert_string_not_equal(again.light.light_hash, b.light.light_hash);
	assert_string_equal(again.light.layout_hash, b.light.layout_hash);
	bspt_relit_free(r);
	bspt_baked_free(&again);
	bspt_baked_free(&b);
	test_free(out.data);
}

static void a_vertex_or_point_changes_its_own_bytes(void **state)
{
	(void)state;
	static const char *const names[] = { "vertices", "grid_ambient", "grid_directed" };
	bspt_bytes map = read_atrium();
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
		for (size_t k = 0; k < sizeof names / sizeof *names; k++) check_change(map, encodings[i], names[k]);
	}
	free(map.data);
}

typedef struct room_list {
	const bspi_family *family;
	const char *variant, *name;
	size_t entry; /* offset of the lump's entry in the directory */
	size_t stride, at; /* size of a record, and offset of the luxel in the record */
} room_list;

static void check_room_list(const room_list *wanted, bspscene_lightmap_encoding encoding)
{
	bspt_bytes room = bspt_build_room(wanted->family, bspt_find_variant(wanted->family, wanted->variant));
	bspt_baked b;
	assert_true(bspt_bake(&b, room, encoding));
	bspscene_light_list *list = find_list(&b, wanted->name);
	uint32_t index = list->count - 1;
	size_t at = bspi_load_u32(room.data + wanted->entry) + index * wanted->stride + wanted->at, different = 0;
	uint8_t *luxel = luxel_of(list, index);
	for (size_t i = 0; i < bspt_page_luxel_size(&list->luxels); i++) luxel[i] ^= 0x18;
	bspt_relit *r = bspt_relight(&b, room);
	if (!r->ok) fail_msg("%s", r->error.message);
	assert_true(r->report.points_changed == 1 && r->report.changed == 0);
	bspt_bytes out = bspt_relit_map(r);
	assert_int_equal(out.size, room.size);
	for (size_t i = 0; i < room.size; i++) {
		if (out.data[i] == room.data[i]) continue;
		if (i < at || i >= at + 3) fail_msg("%s of %s: byte %zu changed", wanted->name, wanted->variant, i);
		different++;
	}
	assert_in_range(different, 1, 3);
	bspt_relit_free(r);
	bspt_baked_free(&b);
	test_free(out.data);
	free(room.data);
}

/* In Raven's maps, vertices and grid records have four colors, and several grid points share a record. In Medal of
 * Honor's maps, all grid points share a palette of colors. */
static void shared_records_and_palettes_are_lists_too(void **state)
{
	(void)state;
	enum { RAVEN_VERTEX = 80, RECORD = 30, MOHAA_PALETTE = 12 + 8 * 16, RAVEN_GRID = DIRECTORY + ENTRY * LIGHT_GRID };
	const bspi_family *raven = &bspi_family_quake3, *uebertools = &bspi_family_uebertools;
	const room_list lists[] = {
		{ raven, "raven", "vertices3", DIRECTORY + ENTRY * DRAW_VERTICES, RAVEN_VERTEX, 64 + 3 * 4 },
		{ raven, "raven", "grid_ambient", RAVEN_GRID, RECORD, 0 },
		{ raven, "raven", "grid_ambient3", RAVEN_GRID, RECORD, 9 },
		{ raven, "raven", "grid_directed", RAVEN_GRID, RECORD, 12 },
		{ raven, "raven", "grid_directed3", RAVEN_GRID, RECORD, 21 },
		{ raven, "qfusion", "grid_directed2", RAVEN_GRID, RECORD, 18 },
		{ uebertools, "mohaa", "grid_palette", MOHAA_PALETTE, 3, 0 },
	};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		for (size_t k = 0; k < sizeof encodings / sizeof *encodings; k++) check_room_list(&lists[i], encodings[k]);
	}
}

static void check_refused(const bspt_baked *b, bspt_bytes map, bspscene_status status, const char *words)
{
	bspt_relit *r = bspt_relight(b, map);
	assert_false(r->ok);
	assert_int_equal(r->captured.file_count, 0);
	assert_int_equal(r->error.status, status);
	if (!strstr(r->error.message, words)) fail_msg("%s", r->error.message);
	bspt_relit_free(r);
}

static void lists_of_something_else_are_refused(void **state)
{
	(void)state;
	bspt_bytes map = read_atrium();
	bspt_baked b;
	assert_true(bspt_bake(&b, map, BSPSCENE_LIGHTMAP_ENCODING_HDR));
	bspscene_light_list good = b.lists[0];
	b.lists[0].count++;
	check_refused(&b, map, BSPSCENE_ERROR_OTHER_MAP, "luxels in the atlas, but");
	b.lists[0] = good;
	b.lists[0].name = "vertices9";
	check_refused(&b, map, BSPSCENE_ERROR_OTHER_MAP, "but the map does not");
	b.lists[0] = good;
	b.lists[0].luxels.height = 0;
	check_refused(&b, map, BSPSCENE_ERROR_BAD_DATA, "does not hold");
	b.lists[0] = good;
	b.lists[0].luxels.format = BSPSCENE_LIGHTMAP_PAGE_RGB8;
	check_refused(&b, map, BSPSCENE_ERROR_BAD_DATA, "does not hold");
	b.lists[0] = good;
	bspscene_light_list second = b.lists[1];
	b.lists[1] = good;
	check_refused(&b, map, BSPSCENE_ERROR_BAD_DATA, "is there twice");
	b.lists[1] = second;
	bspt_baked_free(&b);
	free(map.data);
}

/* ---- Which luxel a vertex of a mesh has --------------------------------------------------------------------- */

/* Numbers of vertices. `whole`: on faces where every vertex has a luxel. `with` and `without`: on all other faces,
 * vertices that have a luxel and vertices that have none. */
typedef struct owned {
	size_t whole, with, without;
} owned;

static void check_face(const bspt_baked *b, const bspscene_light_list *list, const bspscene_face *face, owned *all)
{
	const bspscene_mesh *mesh = b->scene->meshes[face->mesh];
	const uint32_t *sources = mesh->vertex_records + face->first_vertex;
	size_t with = 0, right = 0;
	for (uint32_t i = 0; i < face->vertex_count; i++) {
		if (sources[i] == BSPSCENE_NO_INDEX) continue;
		assert_in_range(sources[i], 0, list->count - 1);
		right += !memcmp(mesh->colors + 4 * ((size_t)face->first_vertex + i), luxel_of(list, sources[i]), 3);
		with++;
	}
	if (right == face->vertex_count) {
		all->whole += with;
		return;
	}
	all->with += with;
	all->without += face->vertex_count - with;
}

static owned check_vertices(bspt_bytes map)
{
	owned all = { 0, 0, 0 };
	bspt_baked b;
	assert_true(bspt_bake(&b, map, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY));
	for (uint32_t i = 0; i < b.scene->face_count; i++) {
		check_face(&b, find_list(&b, "vertices"), &b.scene->faces[i], &all);
	}
	bspt_baked_free(&b);
	return all;
}

/* Every vertex has a luxel, except for vertices of curves that lie between control points. */
static void vertices_say_which_luxel_they_have(void **state)
{
	(void)state;
	bspt_bytes map = read_atrium();
	owned atrium = check_vertices(map);
	assert_int_equal(atrium.whole, 1139 + 24); /* vertices of polygons and of triangle lists */
	/* The curves have 296 control points, and 211 of their vertices lie on control points. */
	assert_int_equal(atrium.with, 211);
	assert_int_equal(atrium.without, 312);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(map.data, map.size, NULL, &error);
	assert_non_null(scene);
	for (uint32_t m = 0; m < scene->mesh_count; m++) assert_null(scene->meshes[m]->vertex_records);
	bspscene_scene_free(scene);
	free(map.data);
}

/* Vertices of terrain have no luxel, because they are not stored in the file. */
static void made_vertices_have_none(void **state)
{
	(void)state;
	const bspi_family *uebertools = &bspi_family_uebertools;
	bspt_bytes room = bspt_build_room(uebertools, bspt_find_variant(uebertools, "mohaa"));
	owned mohaa = check_vertices(room);
	assert_int_equal(mohaa.whole, 11);
	assert_int_equal(mohaa.with, 6);
	assert_int_equal(mohaa.without, 166);
	free(room.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vertex_or_point_changes_its_own_bytes),
		cmocka_unit_test(shared_records_and_palettes_are_lists_too),
		cmocka_unit_test(lists_of_something_else_are_refused),
		cmocka_unit_test(vertices_say_which_luxel_they_have),
		cmocka_unit_test(made_vertices_have_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
