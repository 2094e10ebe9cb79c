/* test_rewrite_axes.c - rewrite gives a face whose vertices are shared new texture coordinates by changing the axes of
 * its projection. No other face changes, and no light moves. The test reads the maps with its own code. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/rewrite.h>

#include "base/bytes.h"
#include "support/captured.h"

enum { ENTITIES, PLANES, TEXTURES, VERTICES, TEXINFOS = 6, FACES, LIGHT, EDGES = 12, SURFEDGES, LUMPS = 14 };
enum { FACE_EDGE = 4, FACE_COUNT = 8, FACE_TEXINFO = 10, MOST_CORNERS = 64 };

/* Quake and Source have different offsets and sizes of records. The numbers of the lumps, and the offset of the edges
 * in a face, are the same. */
typedef struct kind {
	const char *path;
	size_t directory, entry, face, texinfo;
} kind;

static const kind source = { BSPT_FIXTURES "/source/maps/room.bsp", 8, 16, 56, 72 };
static const kind quake = { BSPT_FIXTURES "/atrium/quake/maps/atrium.bsp", 4, 8, 20, 40 };

typedef struct map {
	const kind *kind;
	bspi_bytes file;
} map;

static const uint8_t *lump(const map *m, int number, uint32_t *size)
{
	const uint8_t *place = m->file.data + m->kind->directory + m->kind->entry * (size_t)number;
	if (size) *size = bspi_load_u32(place + 4);
	return m->file.data + bspi_load_u32(place);
}

static const uint8_t *face_of(const map *m, uint32_t face) { return lump(m, FACES, NULL) + face * m->kind->face; }

static uint32_t texinfo_of(const map *m, uint32_t face) { return bspi_load_u16(face_of(m, face) + FACE_TEXINFO); }

static uint32_t corner_count(const map *m, uint32_t face) { return bspi_load_u16(face_of(m, face) + FACE_COUNT); }

static float float_at(const uint8_t *bytes)
{
	uint32_t bits = bspi_load_u32(bytes);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void size_of(const map *m, uint32_t face, double out[2])
{
	const uint8_t *record = lump(m, TEXINFOS, NULL) + texinfo_of(m, face) * m->kind->texinfo;
	const uint8_t *textures = lump(m, TEXTURES, NULL), *texture;
	if (m->kind == &source) texture = textures + 32 * (size_t)bspi_load_u32(record + 68);
	else texture = textures + bspi_load_u32(textures + 4 + 4 * (size_t)bspi_load_u32(record + 32));
	out[0] = bspi_load_u32(texture + 16);
	out[1] = bspi_load_u32(texture + 20);
}

/* Gets texture coordinates, where 1 is the texture's whole size. */
static void uv_of(const map *m, uint32_t face, uint32_t corner, float out[2])
{
	const uint8_t *record = lump(m, TEXINFOS, NULL) + texinfo_of(m, face) * m->kind->texinfo;
	uint32_t first = bspi_load_u32(face_of(m, face) + FACE_EDGE);
	int32_t edge = bspi_load_i32(lump(m, SURFEDGES, NULL) + 4 * (size_t)(first + corner));
	const uint8_t *ends = lump(m, EDGES, NULL) + 4 * (size_t)(edge < 0 ? -edge : edge);
	const uint8_t *p = lump(m, VERTICES, NULL) + 12 * (size_t)bspi_load_u16(ends + (edge < 0 ? 2 : 0));
	double size[2];
	size_of(m, face, size);
	for (size_t i = 0; i < 2; i++) {
		double sum = (double)float_at(record + 16 * i + 12);
		for (size_t c = 0; c < 3; c++) sum += (double)float_at(p + 4 * c) * (double)float_at(record + 16 * i + 4 * c);
		out[i] = (float)(sum / size[i]);
	}
}

typedef struct rewritten {
	bool ok;
	bspscene_error error;
	bspscene_rewrite_report report;
	bspt_captured captured;
	map map;
} rewritten;

static void rewrite(const map *m, const bspscene_edited_corner *corners, uint32_t count, const char *entities,
                    rewritten *out)
{
	bspscene_stream stream;
	bspscene_rewrite_options options;
	bspscene_edited_entities given;
	memset(out, 0, sizeof *out);
	bspscene_stream_init(&stream);
	bspscene_rewrite_options_init(&options);
	bspscene_edited_entities_init(&given);
	bspscene_rewrite_report_init(&out->report);
	stream.data = m->file.data;
	stream.size = m->file.size;
	options.corners = corners;
	options.corner_count = count;
	given.text = entities;
	given.text_size = entities ? strlen(entities) : 0;
	bspscene_output output = bspt_capture(&out->captured);
	out->ok = bspscene_rewrite(&stream, NULL, entities ? &given : NULL, &options, &output, &out->report, &out->error);
	if (out->ok) out->map = (map){ m->kind, bspi_bytes_of(out->captured.files[0].bytes.data,
		                                                  out->captured.files[0].bytes.size) };
}

static void drop(rewritten *r)
{
	bspscene_entity_changes_free(r->report.changes);
	bspt_captured_free(&r->captured);
}

static map open_map(const kind *of)
{
	bspt_bytes bytes = bspt_read_file(of->path);
	return (map){ of, bspi_bytes_of(bytes.data, bytes.size) };
}

static void close_map(const map *m) { free((void *)m->file.data); }

/* Writes the corners of a face with transformed coordinates. `matrix` has a 2 x 2 matrix and then a shift, in units of
 * the texture's size. Returns the number of corners. */
static uint32_t ask(const map *m, uint32_t face, const double matrix[6], bspscene_edited_corner *out)
{
	uint32_t count = corner_count(m, face);
	for (uint32_t i = 0; i < count; i++) {
		float uv[2];
		uv_of(m, face, i, uv);
		out[i] = (bspscene_edited_corner){ .face = face, .corner = i, .flags = BSPSCENE_CORNER_UV };
		for (size_t k = 0; k < 2; k++) {
			out[i].uv[k] =
				(float)(matrix[2 * k] * (double)uv[0] + matrix[2 * k + 1] * (double)uv[1] + matrix[4 + k]);
		}
	}
	return count;
}

static const double as_it_is[6] = { 1, 0, 0, 1, 0, 0 }, turned[6] = { 0.9, -0.6, 0.6, 0.9, 0.25, 3.125 };

static void check_face(const map *m, const bspscene_edited_corner *corners, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		float uv[2];
		uv_of(m, corners[i].face, corners[i].corner, uv);
		for (int k = 0; k < 2; k++) assert_true(fabsf(uv[k] - corners[i].uv[k]) < 1e-4f);
	}
}

/* Checks that all lumps except projections and faces keep their bytes, and that all faces except one keep their
 * projections. */
static void check_others(const map *was, const map *is, uint32_t changed)
{
	uint32_t size, new_size;
	for (int i = 0; i < LUMPS; i++) {
		const uint8_t *old = lump(was, i, &size), *new = lump(is, i, &new_size);
		if (i == TEXINFOS || i == FACES) continue;
		assert_int_equal(size, new_size);
		assert_memory_equal(old, new, size);
	}
	lump(was, FACES, &size);
	for (uint32_t i = 0; i < size / was->kind->face; i++) {
		if (i == changed) continue;
		assert_memory_equal(face_of(was, i), face_of(is, i), was->kind->face);
		assert_memory_equal(lump(was, TEXINFOS, NULL) + texinfo_of(was, i) * was->kind->texinfo,
		                    lump(is, TEXINFOS, NULL) + texinfo_of(is, i) * was->kind->texinfo, was->kind->texinfo);
	}
}

static bool is_shared(const map *m, uint32_t face)
{
	uint32_t size, users = 0;
	lump(m, FACES, &size);
	for (uint32_t i = 0; i < size / m->kind->face; i++) users += texinfo_of(m, i) == texinfo_of(m, face);
	return users > 1;
}

/* The texture of each wall of a Source room is rotated. A wall that shares its projection gets a new one. */
static void source_faces_are_turned(void **state)
{
	const map m = open_map(&source);
	uint32_t size, shared = 0, alone = 0;
	(void)state;
	lump(&m, FACES, &size);
	for (uint32_t face = 0; face < size / source.face; face++) {
		bspscene_edited_corner corners[MOST_CORNERS];
		rewritten r, again;
		if (texinfo_of(&m, face) == 0xffff) continue;
		uint32_t count = ask(&m, face, turned, corners), sizes[2];
		rewrite(&m, corners, count, NULL, &r);
		if (!r.ok) fail_msg("face %u: %s", face, r.error.message);
		assert_int_equal(r.report.corners_changed, count);
		assert_false(r.report.identical);
		check_face(&r.map, corners, count);
		check_others(&m, &r.map, face);
		lump(&m, TEXINFOS, &sizes[0]);
		lump(&r.map, TEXINFOS, &sizes[1]);
		bool own = is_shared(&m, face);
		assert_int_equal(sizes[1], sizes[0] + (own ? source.texinfo : 0));
		shared += own;
		alone += !own;

		/* The written map has the requested coordinates. */
		ask(&r.map, face, as_it_is, corners);
		rewrite(&r.map, corners, count, NULL, &again);
		assert_true(again.ok && again.report.identical && !again.report.corners_changed);
		assert_int_equal(again.map.file.size, r.map.file.size);
		assert_memory_equal(again.map.file.data, r.map.file.data, r.map.file.size);
		drop(&again);
		drop(&r);
	}
	assert_true(shared > 0 && alone > 0);
	close_map(&m);
}

/* Corners that the list does not name keep their coordinates. Faces that were cut from one wall share a projection
 * again after the change. */
static void a_whole_map_is_turned_at_once(void **state)
{
	const map m = open_map(&source);
	static bspscene_edited_corner corners[MOST_CORNERS * MOST_CORNERS];
	uint32_t size, count = 0, sizes[2];
	rewritten r;
	(void)state;
	lump(&m, FACES, &size);
	for (uint32_t face = 0; face < size / source.face; face++) {
		if (texinfo_of(&m, face) != 0xffff) count += ask(&m, face, turned, corners + count);
	}
	static const char longer[] = "{\n\"classname\" \"worldspawn\"\n\"message\" \"a longer one than before\"\n}\n";
	rewrite(&m, corners, count, longer, &r);
	if (!r.ok) fail_msg("%s", r.error.message);
	check_face(&r.map, corners, count);
	lump(&m, TEXINFOS, &sizes[0]);
	lump(&r.map, TEXINFOS, &sizes[1]);
	assert_int_equal(sizes[0], sizes[1]);
	drop(&r);
	close_map(&m);
}

/* Quake's light is placed by the texture axes. So the axes may only be moved by whole luxels; other changes of the face
 * are refused. */
static void light_does_not_move(void **state)
{
	const map m = open_map(&quake);
	bspscene_edited_corner corners[MOST_CORNERS];
	uint32_t face = 0;
	rewritten r;
	double size[2];
	(void)state;
	while (bspi_load_i32(face_of(&m, face) + 16) < 0) face++;
	size_of(&m, face, size);
	const double luxels[6] = { 1, 0, 0, 1, 32 / size[0], -16 / size[1] }, texels[6] = { 1, 0, 0, 1, 3 / size[0], 0 };
	uint32_t count = ask(&m, face, luxels, corners);
	rewrite(&m, corners, count, NULL, &r);
	if (!r.ok) fail_msg("%s", r.error.message);
	check_face(&r.map, corners, count);
	check_others(&m, &r.map, face);
	drop(&r);
	/* A shift that is a whole number of luxels except for rounding is accepted. */
	const double nearly[6] = { 1, 0, 0, 1, 31.9995 / size[0], -16.0005 / size[1] };
	ask(&m, face, nearly, corners);
	rewrite(&m, corners, count, NULL, &r);
	if (!r.ok) fail_msg("%s", r.error.message);
	drop(&r);
	const double *const refused[] = { texels, turned };
	for (int i = 0; i < 2; i++) {
		ask(&m, face, refused[i], corners);
		rewrite(&m, corners, count, NULL, &r);
		assert_int_equal(r.error.status, BSPSCENE_ERROR_UNSUPPORTED_FORMAT);
		assert_non_null(strstr(r.error.message, "whole luxels"));
		assert_false(r.ok || r.captured.file_count);
		drop(&r);
	}
	close_map(&m);
}

static void what_no_projection_gives_is_refused(void **state)
{
	static const struct { uint32_t face, corner, parts; bspscene_status status; const char *says; } cases[] = {
		{ 0, 0, BSPSCENE_CORNER_UV, BSPSCENE_ERROR_BAD_DATA, "no projection of a texture" },
		{ 0, 99, BSPSCENE_CORNER_UV, BSPSCENE_ERROR_BAD_DATA, "corner 99 does not exist" },
		{ 9999, 0, BSPSCENE_CORNER_UV, BSPSCENE_ERROR_BAD_DATA, "face 9999 does not exist" },
		{ 0, 0, BSPSCENE_CORNER_NORMAL, BSPSCENE_ERROR_UNSUPPORTED_FORMAT, "so normals and colors cannot change" },
	};
	const map m = open_map(&source);
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspscene_edited_corner corner = {
			.face = cases[i].face, .corner = cases[i].corner, .flags = cases[i].parts, .uv = { 7.5f, 7.5f },
			.normal = { 0, 0, 1 },
		};
		rewritten r;
		rewrite(&m, &corner, 1, NULL, &r);
		assert_false(r.ok || r.captured.file_count);
		assert_int_equal(r.error.status, cases[i].status);
		if (!strstr(r.error.message, cases[i].says)) fail_msg("%s", r.error.message);
		drop(&r);
	}
	close_map(&m);
}

/* Damage to the lumps that lead to projections gives a map or an error with a message. */
static void damage_does_no_harm(void **state)
{
	static const int lumps[] = { PLANES, TEXTURES, VERTICES, TEXINFOS, FACES, EDGES, SURFEDGES };
	const map m = open_map(&source);
	bspscene_edited_corner corners[MOST_CORNERS];
	uint32_t count = ask(&m, 0, turned, corners), random = 1, written = 0;
	(void)state;
	for (int i = 0; i < 400; i++) {
		uint8_t *bytes = malloc(m.file.size);
		uint32_t size;
		assert_non_null(bytes);
		memcpy(bytes, m.file.data, m.file.size);
		random = random * 1664525u + 1013904223u;
		const uint8_t *begin = lump(&m, lumps[(random >> 24) % (sizeof lumps / sizeof *lumps)], &size);
		size_t at = (size_t)(begin - m.file.data) + (random >> 8) % size;
		bytes[at] = (uint8_t)(random >> 4);
		rewritten r;
		rewrite(&(map){ &source, bspi_bytes_of(bytes, m.file.size) }, corners, count, NULL, &r);
		assert_true(r.ok || r.error.message[0]);
		written += r.ok;
		drop(&r);
		free(bytes);
	}
	assert_true(written > 0);
	close_map(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(source_faces_are_turned),
		cmocka_unit_test(a_whole_map_is_turned_at_once),
		cmocka_unit_test(light_does_not_move),
		cmocka_unit_test(what_no_projection_gives_is_refused),
		cmocka_unit_test(damage_does_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
