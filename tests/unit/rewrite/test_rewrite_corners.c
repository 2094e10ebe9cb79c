/* test_rewrite_corners.c - rewrite gives corners of faces new texture coordinates, normals and colors. Only the bytes
 * of these values change, with or without changed entities. Impossible values are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/rewrite.h>

#include "support/captured.h"
#include "support/make/build_map.h"

enum { DIRECTORY = 8, ENTRY = 8, DRAW_VERTICES = 10, DRAW_INDICES, SURFACES = 13 };
enum { POLYGON = 1, PATCH, SOUP, FOLIAGE = 5 };

/* The layout of draw vertices in one kind of file, in bytes: the size of a vertex and the offsets of its values.
 * `surface` is the size of a surface record. */
typedef struct vertex_kind {
	const char *path;
	size_t size, uv, normal, color, surface;
} vertex_kind;

static const vertex_kind kinds[] = {
	{ BSPT_FIXTURES "/atrium/quake3/maps/atrium.bsp", 44, 12, 28, 40, 104 },
	{ BSPT_FIXTURES "/atrium/jediacademy/maps/atrium.bsp", 80, 12, 52, 64, 148 },
	{ BSPT_FIXTURES "/atrium/et/maps/atrium.bsp", 44, 12, 28, 40, 104 },
};

typedef struct rewritten {
	bool ok;
	bspscene_error error;
	bspscene_rewrite_report report;
	bspt_captured captured;
} rewritten;

static rewritten *rewrite(bspt_bytes map, const bspscene_rewrite_options *options, const char *entities)
{
	rewritten *r = test_calloc(1, sizeof *r);
	bspscene_stream stream;
	bspscene_edited_entities given;
	bspscene_stream_init(&stream);
	bspscene_edited_entities_init(&given);
	stream.data = map.data;
	stream.size = map.size;
	given.text = entities;
	given.text_size = entities ? strlen(entities) : 0;
	bspscene_output output = bspt_capture(&r->captured);
	bspscene_rewrite_report_init(&r->report);
	r->ok = bspscene_rewrite(&stream, NULL, entities ? &given : NULL, options, &output, &r->report, &r->error);
	return r;
}

static rewritten *rewrite_corners(bspt_bytes map, const bspscene_edited_corner *corners, uint32_t count)
{
	bspscene_rewrite_options options;
	bspscene_rewrite_options_init(&options);
	options.corners = corners;
	options.corner_count = count;
	return rewrite(map, &options, NULL);
}

static rewritten *rewrite_text(bspt_bytes map, const char *text, const char *entities)
{
	bspscene_rewrite_options options;
	bspscene_rewrite_options_init(&options);
	options.corner_text = text;
	options.corner_text_size = strlen(text);
	return rewrite(map, &options, entities);
}

static void drop(rewritten *r)
{
	bspscene_entity_changes_free(r->report.changes);
	bspt_captured_free(&r->captured);
	test_free(r);
}

static bspi_bytes output_of(const rewritten *r)
{
	if (!r->ok) fail_msg("%s", r->error.message);
	assert_int_equal(r->captured.file_count, 1);
	return bspi_bytes_of(r->captured.files[0].bytes.data, r->captured.files[0].bytes.size);
}

static size_t lump_at(const uint8_t *map, int lump)
{
	return bspi_load_u32(map + DIRECTORY + ENTRY * lump);
}

/* Finds the first surface of a type, and its first vertex. */
static uint32_t find_surface(bspt_bytes map, const vertex_kind *kind, uint32_t type, uint32_t *vertex)
{
	size_t at = lump_at(map.data, SURFACES);
	for (uint32_t i = 0;; i++) {
		const uint8_t *surface = map.data + at + i * kind->surface;
		if (bspi_load_u32(surface + 8) != type) continue;
		*vertex = bspi_load_u32(surface + 12);
		return i;
	}
}

static float load_float(const uint8_t *bytes)
{
	uint32_t bits = bspi_load_u32(bytes);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Changes all values of one corner, and checks that nothing else changed. Then writes the same values again, which must
 * change nothing. */
static void check_kind(const vertex_kind *kind, uint32_t type)
{
	bspt_bytes map = bspt_read_file(kind->path);
	uint32_t vertex, face = find_surface(map, kind, type, &vertex);
	const bspscene_edited_corner corner = {
		.face = face, .corner = 2, .flags = BSPSCENE_CORNER_UV | BSPSCENE_CORNER_NORMAL | BSPSCENE_CORNER_COLOR,
		.uv = { 0.375f, -2.5f }, .normal = { 0, 3, 4 }, .color = { 1, 2, 3, 77 },
	};
	rewritten *r = rewrite_corners(map, &corner, 1);
	bspi_bytes out = output_of(r);
	assert_true(!r->report.identical && r->report.corners_changed == 1 && r->report.changes->change_count == 0);
	size_t at = lump_at(map.data, DRAW_VERTICES) + (vertex + 2) * kind->size;
	assert_int_equal(out.size, map.size);
	for (size_t i = 0; i < map.size; i++) {
		size_t in = i - at;
		bool own = (in >= kind->uv && in < kind->uv + 8) || (in >= kind->normal && in < kind->normal + 12) ||
		           (in >= kind->color && in < kind->color + 4);
		if (i < at || !own) assert_int_equal(out.data[i], map.data[i]);
	}
	const uint8_t *record = out.data + at;
	assert_true(load_float(record + kind->uv) == 0.375f && load_float(record + kind->uv + 4) == -2.5f);
	assert_true(load_float(record + kind->normal) == 0 && load_float(record + kind->normal + 4) == 0.6f &&
	            load_float(record + kind->normal + 8) == 0.8f);
	assert_memory_equal(record + kind->color, corner.color, 4);
	bspt_bytes new = { test_malloc(out.size), out.size };
	memcpy(new.data, out.data, out.size);
	rewritten *again = rewrite_corners(new, &corner, 1);
	output_of(again);
	assert_true(again->report.identical && again->report.corners_changed == 0);
	drop(again);
	test_free(new.data);
	drop(r);
	free(map.data);
}

static void a_corner_changes_its_own_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		check_kind(&kinds[i], POLYGON);
		check_kind(&kinds[i], PATCH);
		/* Compilers merge a misc_model into the map as a triangle soup. */
		check_kind(&kinds[i], SOUP);
	}
}

/* Each value of a byte is a valid color, in JSON too. */
static void all_bytes_are_colors(void **state)
{
	const vertex_kind *kind = &kinds[0];
	bspt_bytes map = bspt_read_file(kind->path);
	uint32_t vertex, face = find_surface(map, kind, POLYGON, &vertex);
	(void)state;
	for (int value = 0; value < 256; value++) {
		char text[128];
		const uint8_t want[4] = { (uint8_t)value, (uint8_t)(255 - value), 255, 0 };
		snprintf(text, sizeof text, "{\"corners\": [{\"face\": %u, \"corner\": 1, \"color\": [%d, %d, 255, 0]}]}",
		         (unsigned)face, value, 255 - value);
		rewritten *r = rewrite_text(map, text, NULL);
		const uint8_t *record = output_of(r).data + lump_at(map.data, DRAW_VERTICES) + (vertex + 1) * kind->size;
		assert_memory_equal(record + kind->color, want, sizeof want);
		drop(r);
	}
	free(map.data);
}

static void store_number(uint8_t *out, uint32_t value)
{
	for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> 8 * i);
}

/* In Enemy Territory, foliage is a mesh with a copy at each of its last vertices. A change of a corner of the mesh
 * appears in all copies. */
static void all_copies_of_foliage_show_a_corner(void **state)
{
	enum { COPIES = 2, TYPE = 8, COUNT = 16, FIRST_INDEX = 20, INDEX_COUNT = 24, WIDTH = 96, HEIGHT = 100 };
	const vertex_kind *kind = &kinds[2];
	bspt_bytes map = bspt_read_file(kind->path);
	uint32_t vertex, face = find_surface(map, kind, SOUP, &vertex), shown = 0;
	uint8_t *surface = map.data + lump_at(map.data, SURFACES) + face * kind->surface;
	uint32_t own = bspi_load_u32(surface + COUNT) - COPIES;
	(void)state;
	store_number(surface + TYPE, FOLIAGE);
	store_number(surface + WIDTH, COPIES);
	store_number(surface + HEIGHT, own);
	for (uint32_t i = 0; i < bspi_load_u32(surface + INDEX_COUNT); i++) {
		size_t at = lump_at(map.data, DRAW_INDICES) + 4 * (size_t)(bspi_load_u32(surface + FIRST_INDEX) + i);
		store_number(map.data + at, bspi_load_u32(map.data + at) % own);
	}
	const bspscene_edited_corner corner = { .face = face, .corner = 1, .flags = BSPSCENE_CORNER_UV, .uv = { 0, -77 } };
	rewritten *r = rewrite_corners(map, &corner, 1);
	bspi_bytes out = output_of(r);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(out.data, out.size, NULL, &error);
	if (!scene) fail_msg("%s", error.message);
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *f = &scene->faces[i];
		if (f->record != face) continue;
		assert_int_equal(f->vertex_count, COPIES * own);
		for (uint32_t v = f->first_vertex; v < f->first_vertex + f->vertex_count; v++) {
			shown += scene->meshes[f->mesh]->uvs[2 * (size_t)v + 1] == -77;
		}
	}
	assert_int_equal(shown, COPIES);
	bspscene_scene_free(scene);
	drop(r);
	free(map.data);
}

/* Writing the present values of every vertex of a mesh gives the same map. */
static void corners_as_they_are_give_the_map(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		bspt_bytes map = bspt_read_file(kinds[k].path);
		bspscene_error error;
		bspscene_load_options options;
		bspscene_load_options_init(&options);
		options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
		options.keep_map_light = true;
		bspscene_scene *scene = bspscene_load_memory(map.data, map.size, &options, &error);
		assert_non_null(scene);
		bspscene_edited_corner *corners = test_calloc(1 << 16, sizeof *corners);
		uint32_t count = 0;
		for (uint32_t i = 0; i < scene->face_count; i++) {
			const bspscene_face *face = &scene->faces[i];
			const bspscene_mesh *mesh = scene->meshes[face->mesh];
			const uint32_t *source = mesh->vertex_records ? mesh->vertex_records + face->first_vertex : NULL;
			bool whole = source && source[0] != BSPSCENE_NO_INDEX;
			for (uint32_t n = 1; whole && n < face->vertex_count; n++) whole = source[n] == source[0] + n;
			for (uint32_t n = 0; whole && n < face->vertex_count; n++) {
				size_t at = (size_t)face->first_vertex + n;
				bspscene_edited_corner *corner = &corners[count++];
				*corner = (bspscene_edited_corner) { .face = face->record, .corner = n, .flags = 7 };
				memcpy(corner->uv, mesh->uvs + 2 * at, sizeof corner->uv);
				memcpy(corner->normal, mesh->normals + 3 * at, sizeof corner->normal);
				memcpy(corner->color, mesh->colors + 4 * at, sizeof corner->color);
			}
		}
		assert_true(count > 500);
		rewritten *r = rewrite_corners(map, corners, count);
		bspi_bytes out = output_of(r);
		assert_int_equal(r->report.corners_changed, 0);
		assert_true(r->report.identical && out.size == map.size);
		assert_memory_equal(out.data, map.data, map.size);
		drop(r);
		test_free(corners);
		bspscene_scene_free(scene);
		free(map.data);
	}
}

/* Vertices after the text move with their lump and get their new values there. */
static void entities_and_corners_change_together(void **state)
{
	(void)state;
	const vertex_kind *kind = &kinds[0];
	bspt_bytes map = bspt_read_file(kind->path);
	uint32_t vertex, face = find_surface(map, kind, POLYGON, &vertex);
	char text[160];
	snprintf(text, sizeof text, "{\"corners\": [{\"face\": %u, \"corner\": 1, \"uv\": [0.5, 1]}]}", face);
	rewritten *r = rewrite_text(map, text, "{\n\"classname\" \"worldspawn\"\n}\n");
	bspi_bytes out = output_of(r);
	assert_true(out.size < map.size && r->report.corners_changed == 1 && r->report.changes->removed > 0);
	const uint8_t *old = map.data + lump_at(map.data, DRAW_VERTICES) + (vertex + 1) * kind->size;
	const uint8_t *new = out.data + lump_at(out.data, DRAW_VERTICES) + (vertex + 1) * kind->size;
	assert_true(load_float(new + kind->uv) == 0.5f && load_float(new + kind->uv + 4) == 1);
	assert_memory_equal(new + kind->normal, old + kind->normal, kind->size - kind->normal);
	assert_memory_equal(new, old, kind->uv);
	drop(r);
	free(map.data);
}

/* ---- What is refused ------------------------------------------------------------------------------------------ */

static const struct {
	const char *text, *words;
} wrong_texts[] = {
	{ "{", "line 1" },
	{ "[]", "\"corners\" is not a list" },
	{ "{\"corners\": [1]}", "is not a JSON object with a corner" },
	{ "{\"corners\": [{\"face\": -1, \"corner\": 0, \"uv\": [0, 0]}]}", "\"face\" is not a whole number" },
	{ "{\"corners\": [{\"face\": 0, \"uv\": [0, 0]}]}", "\"corner\" is not a whole number" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0}]}", "has no new uv, normal or color" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0, \"uv\": [0]}]}", "not a list of 2 numbers" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0, \"uv\": [0, \"1\"]}]}", "not a list of 2 numbers" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0, \"uv\": [0, 1e300]}]}",
	  "a texture coordinate is larger than" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0, \"normal\": [0, 0, 0]}]}", "the normal has no direction" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0, \"color\": [0, 0, 256, 0]}]}",
	  "is not a whole number from 0 to 255" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0, \"color\": [0, 0, 0.5, 0]}]}",
	  "is not a whole number from 0 to 255" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0, \"hue\": [0, 0, 0, 0]}]}", "is not a known member" },
	{ "{\"corners\": [{\"face\": 99999, \"corner\": 0, \"uv\": [0, 0]}]}", "face 99999 does not exist" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 999, \"uv\": [0, 0]}]}", "corner 999 does not exist" },
	{ "{\"corners\": [{\"face\": 0, \"corner\": 0, \"uv\": [0, 0]}, {\"face\": 0, \"corner\": 0, \"uv\": [0, 1]}]}",
	  "has different new values" },
};

static void what_no_map_can_have_is_refused(void **state)
{
	(void)state;
	bspt_bytes map = bspt_read_file(kinds[0].path);
	for (size_t i = 0; i < sizeof wrong_texts / sizeof *wrong_texts; i++) {
		rewritten *r = rewrite_text(map, wrong_texts[i].text, NULL);
		if (r->ok || r->captured.file_count) fail_msg("%s: taken", wrong_texts[i].text);
		if (!strstr(r->error.message, wrong_texts[i].words)) fail_msg("%s: %s", wrong_texts[i].text, r->error.message);
		drop(r);
	}
	const bspscene_edited_corner odd[] = {
		{ .face = 0, .corner = 0, .flags = 8 },
		{ .face = 0, .corner = 0, .flags = BSPSCENE_CORNER_UV, .uv = { NAN, 0 } },
		{ .face = 0, .corner = 0, .flags = BSPSCENE_CORNER_NORMAL, .normal = { INFINITY, 0, 0 } },
	};
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		rewritten *r = rewrite_corners(map, &odd[i], 1);
		assert_true(!r->ok && r->error.status == BSPSCENE_ERROR_BAD_DATA);
		drop(r);
	}
	free(map.data);
}

static void families_without_vertices_are_refused(void **state)
{
	(void)state;
	bspt_bytes room = bspt_build_room(&bspi_family_quake, bspi_family_quake.variants);
	const bspscene_edited_corner corner = { .face = 0, .corner = 0, .flags = BSPSCENE_CORNER_COLOR };
	rewritten *r = rewrite_corners(room, &corner, 1);
	assert_true(!r->ok && r->error.status == BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
	drop(r);
	free(room.data);
}

/* Vertices that are also bytes of another lump cannot change alone. */
static void shared_bytes_are_refused(void **state)
{
	(void)state;
	enum { EFFECTS = 12 };
	bspt_bytes map = bspt_read_file(kinds[0].path);
	memcpy(map.data + DIRECTORY + ENTRY * EFFECTS, map.data + DIRECTORY + ENTRY * DRAW_VERTICES, 4);
	const uint8_t size[4] = { 72, 0, 0, 0 };
	memcpy(map.data + DIRECTORY + ENTRY * EFFECTS + 4, size, sizeof size);
	const bspscene_edited_corner corner = { .face = 0, .corner = 0, .flags = BSPSCENE_CORNER_UV, .uv = { 9, 9 } };
	rewritten *r = rewrite_corners(map, &corner, 1);
	assert_true(!r->ok && r->error.status == BSPSCENE_ERROR_BAD_LUMP);
	drop(r);
	free(map.data);
}

/* Corner files that are truncated anywhere, and rooms with a damaged byte, give a map that loads or an error with a
 * message. */
static void damage_does_no_harm(void **state)
{
	(void)state;
	static const char text[] = "{\"corners\": [{\"face\": 1, \"corner\": 0, \"uv\": [0.5, 1e2], \"normal\": [0, 0, 1], "
	                           "\"color\": [1, 2, 3, 4]}]}";
	bspt_bytes room = bspt_build_room(&bspi_family_quake3, bspt_find_variant(&bspi_family_quake3, "quake3"));
	uint32_t taken = 0;
	for (size_t length = 0; length < sizeof text - 1; length++) {
		char cut[sizeof text] = "";
		memcpy(cut, text, length);
		rewritten *r = rewrite_text(room, cut, NULL);
		assert_true(!r->ok && r->error.message[0] && !r->captured.file_count);
		drop(r);
	}
	for (size_t i = 0; i < 1500 && i < room.size; i++) {
		uint8_t kept = room.data[i];
		room.data[i] ^= (uint8_t)(1u << i % 8);
		rewritten *r = rewrite_text(room, text, NULL);
		assert_true(r->ok || (r->error.message[0] && !r->captured.file_count));
		taken += r->ok;
		drop(r);
		room.data[i] = kept;
	}
	assert_true(taken > 100);
	free(room.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_corner_changes_its_own_bytes),
		cmocka_unit_test(all_bytes_are_colors),
		cmocka_unit_test(all_copies_of_foliage_show_a_corner),
		cmocka_unit_test(corners_as_they_are_give_the_map),
		cmocka_unit_test(entities_and_corners_change_together),
		cmocka_unit_test(what_no_map_can_have_is_refused),
		cmocka_unit_test(families_without_vertices_are_refused),
		cmocka_unit_test(shared_bytes_are_refused),
		cmocka_unit_test(damage_does_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
