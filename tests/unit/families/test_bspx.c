/* Promise: BSPX lumps are lumps that newer compilers append to maps of Quake and Quake II. They are found wherever
 * their directory states, and every kind is read as it is defined. A lump that does not fit the map is counted and left
 * out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/quake/bspx.h"
#include "stages/light/light.h"
#include "support/make/bspx_room.h"
#include "support/make/bytes_writer.h"
#include "support/check/scene_find.h"

/* ---- Reading ---------------------------------------------------------------------------------------------- */

enum { NAME = 24 };

typedef struct fixture {
	bspi_ctx ctx;
	bspi_map map;
	bspt_bytes file;
} fixture;

static void read_file(fixture *f, bspt_bytes file)
{
	memset(f, 0, sizeof *f);
	f->file = file;
	f->ctx.file = "test.bsp";
	f->ctx.name = "test";
	f->ctx.budget.limit = 64u << 20;
	bspi_begin_memory(&f->ctx);
	if (!bspi_read_map(&f->ctx, bspi_bytes_of(file.data, file.size), &f->map)) fail_msg("%s", f->ctx.error.message);
}

static void read_lump(fixture *f, const bspi_family *family, const char *name, const bspt_writer *bytes)
{
	read_file(f, bspt_room_with_bspx(family, &(bspt_bspx){ name, bspt_written(bytes) }, 1));
}

static void end(fixture *f)
{
	bspi_end_memory(&f->ctx);
	assert_int_equal(f->ctx.budget.used, 0);
	free(f->file.data);
}

static uint32_t warnings_of(const fixture *f, bspscene_warning_code code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < f->ctx.warning_count; i++) {
		if (f->ctx.warnings[i].code == code) count += f->ctx.warnings[i].count;
	}
	return count;
}

/* ---- The directory ---------------------------------------------------------------------------------------- */

/* Each file has one lump that ends at byte `lump_end`, and the BSPX tag at byte `tag_at`. */
static const struct directory_case {
	const char *what;
	uint32_t lump_end, tag_at;
	const char *tag;
	/* Number of entries that the directory states; offset and size in its only entry. The bytes "data" follow. */
	uint32_t count, offset, size;
	bool found;
} directory_cases[] = {
	{ "right behind the last lump", 64, 64, "BSPX", 1, 104, 4, true },
	{ "behind a gap to the next multiple of 4", 61, 64, "BSPX", 1, 104, 4, true },
	{ "not at a multiple of 4", 61, 61, "BSPX", 1, 101, 4, false },
	{ "four bytes too late", 64, 68, "BSPX", 1, 108, 4, false },
	{ "another tag", 64, 64, "BSPY", 1, 104, 4, false },
	{ "an empty directory", 64, 64, "BSPX", 0, 104, 4, false },
	{ "more entries announced than there are", 64, 64, "BSPX", UINT32_MAX, 104, 4, true },
	{ "a lump past the end", 64, 64, "BSPX", 1, 104, 5, false },
	{ "a lump that begins past the end", 64, 64, "BSPX", 1, 4096, 4, false },
	{ "offset and size that overflow together", 64, 64, "BSPX", 1, UINT32_MAX, UINT32_MAX, false },
	{ "an empty lump", 64, 64, "BSPX", 1, 104, 0, false },
};

static void the_directory_is_where_it_must_be(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof directory_cases / sizeof *directory_cases; i++) {
		const struct directory_case *c = &directory_cases[i];
		bspt_writer file = { .size = c->tag_at };
		bspt_put(&file, c->tag, 4);
		bspt_put_u32(&file, c->count);
		bspt_put_name(&file, "WANTED", NAME);
		bspt_put_u32(&file, c->offset);
		bspt_put_u32(&file, c->size);
		bspt_put(&file, "data", 4);
		bspi_lump lumps[BSPI_MAX_LUMPS];
		for (uint32_t k = 0; k < BSPI_MAX_LUMPS; k++) lumps[k] = (bspi_lump){ .name = "", .bytes = BSPI_NO_BYTES };
		lumps[3] = (bspi_lump){ .name = "lump", .bytes = bspi_bytes_of(file.data, c->lump_end) };
		bspi_bytes whole = bspi_bytes_of(file.data, file.size);
		bspi_bytes found = bspi_bspx_find(whole, lumps, "WANTED");
		if ((found.size == 4 && !memcmp(found.data, "data", 4)) != c->found) fail_msg("%s", c->what);
		assert_int_equal(bspi_bspx_find(whole, lumps, "UNWANTED").size, 0);
		/* The lump is found only in the complete file. If the file is truncated anywhere after its first lump, it is
		 * not found. */
		for (size_t size = c->lump_end; size < file.size; size++) {
			assert_int_equal(bspi_bspx_find(bspi_bytes_of(file.data, size), lumps, "WANTED").size, 0);
		}
	}
}

static void bad_entries_are_counted(void **state)
{
	(void)state;
	bspt_writer lump = { .size = 16 };
	bspt_bytes file = bspt_room_with_bspx(&bspi_family_quake, &(bspt_bspx){ "UNKNOWN", bspt_written(&lump) }, 1);
	fixture f;
	read_file(&f, file);
	assert_int_equal(f.ctx.warning_count, 1);
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_UNSUPPORTED);
	assert_string_equal(f.ctx.warnings[0].message, "BSPX: lumps of these names are not read: UNKNOWN");
	end(&f);

	file = bspt_room_with_bspx(&bspi_family_quake, &(bspt_bspx){ "UNKNOWN", bspt_written(&lump) }, 1);
	file.size--;
	read_file(&f, file);
	assert_int_equal(warnings_of(&f, BSPSCENE_WARNING_LUMP_BAD), 1);
	end(&f);
}

/* ---- Sizes ------------------------------------------------------------------------------------------------ */

/* The numbers of the room's elements. Lumps have some bytes for each luxel or face, so these numbers give the valid
 * sizes of lumps. */
enum { LUXELS = 258, FACES = 5, CORNERS = 20, VERTICES = 12 };

static const struct size_case {
	const char *name;
	uint32_t size;
} sizes[] = {
	{ "RGBLIGHTING", LUXELS * 3 }, { "LIGHTINGDIR", LUXELS * 3 }, { "LIGHTING_E5BGR9", LUXELS * 4 },
	{ "LMSHIFT", FACES }, { "LMOFFSET", FACES * 4 }, { "LMSTYLE", FACES * 4 }, { "DECOUPLED_LM", FACES * 40 },
	{ "FACENORMALS", 4 + CORNERS * 12 }, { "VERTEXNORMALS", VERTICES * 12 },
};

static void lumps_of_another_size_are_left_out(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		static const int changes[] = { 0, -1, 1, -4, 4, 12 };
		for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
			bspt_writer lump = { .size = sizes[i].size + (size_t)changes[k] };
			fixture f;
			read_lump(&f, &bspi_family_quake, sizes[i].name, &lump);
			if ((warnings_of(&f, BSPSCENE_WARNING_LUMP_BAD) == 0) != (changes[k] == 0)) {
				fail_msg("%s with %d bytes more", sizes[i].name, changes[k]);
			}
			end(&f);
		}
	}
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

static void colors_take_the_place_of_gray(void **state)
{
	(void)state;
	bspt_writer rgb = { .size = LUXELS * 3 };
	for (size_t i = 0; i < rgb.size; i++) rgb.data[i] = (uint8_t)(i % 3 * 100);
	fixture f;
	read_lump(&f, &bspi_family_quake, "RGBLIGHTING", &rgb);
	assert_int_equal(f.map.rules.light_encoding, BSPI_LIGHT_RGB8);
	assert_int_equal(f.map.lighting.size, rgb.size);
	assert_memory_equal(f.map.lighting.data, rgb.data, rgb.size);
	end(&f);

	bspt_writer directions = { .size = LUXELS * 3 };
	memset(directions.data, 77, directions.size);
	read_lump(&f, &bspi_family_quake, "LIGHTINGDIR", &directions);
	assert_int_equal(f.map.rules.light_encoding, BSPI_LIGHT_GRAY8);
	assert_int_equal(f.map.light_directions.size, directions.size);
	assert_int_equal(f.map.light_directions.data[9], 77);
	end(&f);

	bspt_writer hdr = { .size = LUXELS * 4 };
	read_lump(&f, &bspi_family_quake, "LIGHTING_E5BGR9", &hdr);
	assert_int_equal(f.map.rules.light_encoding, BSPI_LIGHT_GRAY8);
	assert_int_equal(f.map.hdr_encoding, BSPI_LIGHT_E5BGR9);
	assert_int_equal(f.map.lighting_hdr.size, hdr.size);
	end(&f);
}

/* With the option -novanilla, ericw-tools writes an empty lump of gray light. The number of luxels is then known from
 * the sizes of the other lumps. */
static void light_without_gray(void **state)
{
	(void)state;
	enum { LIGHTING_ENTRY = 4 + 8 * 8, SIZE_AT = 4 };
	bspt_writer rgb = { .size = LUXELS * 3 }, hdr = { .size = LUXELS * 4 }, other = { .size = LUXELS * 3 - 3 };
	memset(rgb.data, 90, rgb.size);
	const bspt_bspx colored[] = { { "RGBLIGHTING", bspt_written(&rgb) }, { "LIGHTINGDIR", bspt_written(&rgb) } };
	const bspt_bspx bright[] = { { "LIGHTING_E5BGR9", bspt_written(&hdr) }, { "LIGHTINGDIR", bspt_written(&other) } };
	for (int i = 0; i < 2; i++) {
		fixture f;
		bspt_bytes file = bspt_room_with_bspx(&bspi_family_quake, i ? bright : colored, 2);
		memset(file.data + LIGHTING_ENTRY + SIZE_AT, 0, 4);
		read_file(&f, file);
		assert_int_equal(f.map.lighting.size, i ? 0 : rgb.size);
		assert_int_equal(f.map.lighting_hdr.size, i ? hdr.size : 0);
		assert_int_equal(f.map.light_directions.size, i ? 0 : rgb.size);
		assert_int_equal(warnings_of(&f, BSPSCENE_WARNING_LUMP_BAD), i);
		end(&f);
		file = bspt_room_with_bspx(&bspi_family_quake, i ? bright : colored, 2);
		memset(file.data + LIGHTING_ENTRY + SIZE_AT, 0, 4);
		bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, NULL);
		free(file.data);
		assert_true(scene && scene->lightmap_page_count && scene->counts->lightmap_faces && !scene->is_full_bright);
		bspscene_scene_free(scene);
	}
}

/* The size of the lump tells how many styles each face has. Style numbers of 16 bits are mapped to free style numbers
 * of 8 bits. */
static void styles_of_any_width(void **state)
{
	static const struct { const char *name; uint32_t size, width, blocks, taken, want; } cases[] = {
		{ "LMSTYLE", 1, 1, 1, 0, 254 },    { "LMSTYLE", 1, 6, 6, 0, 254 },     { "LMSTYLE", 1, 16, 16, 0, 254 },
		{ "LMSTYLE", 1, 20, 16, 0, 254 },  { "LMSTYLE16", 2, 4, 4, 0, 254 },   { "LMSTYLE16", 2, 12, 12, 0, 254 },
		{ "LMSTYLE16", 2, 4, 4, 254, 253 },
	};
	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		bspt_writer lump = { .size = 0 };
		for (uint32_t i = 0; i < FACES * cases[c].width; i++) {
			uint32_t slot = i % cases[c].width, none = cases[c].size == 1 ? 255 : 65535;
			uint32_t style = i / cases[c].width ? none : slot ? 40 + slot : cases[c].size == 1 ? 254 : 300;
			if (cases[c].taken && i / cases[c].width == 2 && !slot) style = cases[c].taken; /* another face has it */
			if (cases[c].size == 1) bspt_put_u8(&lump, style);
			else bspt_put_u16(&lump, style);
		}
		fixture f;
		read_lump(&f, &bspi_family_quake, cases[c].name, &lump);
		assert_int_equal(bspi_block_styles(&f.map.faces[0]), cases[c].blocks);
		assert_int_equal(bspi_block_styles(&f.map.faces[1]), 0);
		assert_int_equal(bspi_block_style(&f.map.faces[0], 0), cases[c].want);
		for (uint32_t k = 1; k < cases[c].blocks; k++) assert_int_equal(bspi_block_style(&f.map.faces[0], k), 40 + k);
		assert_int_equal(warnings_of(&f, BSPSCENE_WARNING_LIMIT), cases[c].width > 16);
		end(&f);
	}
}

static void faces_take_shift_offset_and_styles(void **state)
{
	(void)state;
	bspt_writer shift = { .size = 0 }, offset = { .size = 0 }, style = { .size = 0 };
	for (uint32_t i = 0; i < FACES; i++) {
		bspt_put_u8(&shift, i == 4 ? 200 : i + 2);
		bspt_put_u32(&offset, i == 2 ? UINT32_MAX : i);
		for (uint32_t k = 0; k < 4; k++) bspt_put_u8(&style, k ? 255 : i);
	}
	const bspt_bspx lumps[] = {
		{ "LMSHIFT", bspt_written(&shift) }, { "LMOFFSET", bspt_written(&offset) }, { "LMSTYLE", bspt_written(&style) },
	};
	fixture f;
	read_file(&f, bspt_room_with_bspx(&bspi_family_quake, lumps, 3));
	for (uint32_t i = 0; i < FACES; i++) {
		const bspi_face *face = &f.map.faces[i];
		/* face 4 has an invalid shift, so it gets the usual 16 texels */
		assert_int_equal(face->luxel_shift, i == 4 ? 0 : i + 2);
		assert_int_equal(face->light_offset, i == 2 ? -1 : (int32_t)i);
		assert_int_equal(face->styles[0], i);
		assert_int_equal(face->styles[1], 255);
	}
	end(&f);
}

/* Face 1 has 7 x 3 luxels with its own projection, the other faces have none. DECOUPLED_LM overrides LMSHIFT. */
static void faces_take_projections_of_their_own(void **state)
{
	(void)state;
	bspt_writer decoupled = { .size = 0 }, shift = { .size = FACES };
	for (uint32_t i = 0; i < FACES; i++) {
		bspt_put_u16(&decoupled, i == 1 ? 7 : 0);
		bspt_put_u16(&decoupled, i == 1 ? 3 : 0);
		bspt_put_u32(&decoupled, i == 1 ? 5 : 0);
		bspt_put_floats(&decoupled, 8, 0.0, 0.125, 0.0, 1.5, 0.0, 0.0, -0.25, 2.0);
	}
	memset(shift.data, 3, FACES);
	const bspt_bspx lumps[] = { { "LMSHIFT", bspt_written(&shift) }, { "DECOUPLED_LM", bspt_written(&decoupled) } };
	for (int quake2 = 0; quake2 < 2; quake2++) {
		fixture f;
		read_file(&f, bspt_room_with_bspx(quake2 ? &bspi_family_quake2 : &bspi_family_quake, lumps, 2));
		const bspi_face *face = &f.map.faces[1];
		assert_int_equal(face->luxel_shift, 0);
		assert_int_equal(face->lightmap_width, 7);
		assert_int_equal(face->lightmap_height, 3);
		assert_int_equal(face->light_offset, 5);
		const bspi_light_projection *projection = &f.map.light_projections[face->light_projection];
		assert_float_equal(projection->vectors[0][1], 0.125f, 0);
		assert_float_equal(projection->vectors[0][3], 1.5f, 0);
		assert_float_equal(projection->vectors[1][2], -0.25f, 0);
		assert_int_equal(f.map.faces[0].light_offset, -1);
		end(&f);
	}
}

/* ---- Normals ---------------------------------------------------------------------------------------------- */

/* Returns the normals of the scene face that was made of record `source`. They are in the order of the file's
 * corners. */
static const float *normals_of(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		const bspscene_face *face = &scene->faces[i];
		if (face->record == source) return scene->meshes[face->mesh]->normals + 3 * (size_t)face->first_vertex;
	}
	fail_msg("face %u is not in the scene", source);
	return NULL;
}

static void expect_normal(const float *normal, float x, float y, float z)
{
	assert_float_equal(normal[0], x, 1e-6f);
	assert_float_equal(normal[1], y, 1e-6f);
	assert_float_equal(normal[2], z, 1e-6f);
}

/* There are three normals: up, tilted, and an invalid one. The floor (face 0) uses them at its corners. The wall (face
 * 1) names a normal that does not exist. */
static void corners_take_their_normals(void **state)
{
	(void)state;
	bspt_writer lump = { .size = 0 };
	bspt_put_u32(&lump, 3);
	bspt_put_floats(&lump, 9, 0.0, 0.0, 1.0, 0.6, 0.0, 0.8, 5.0, 0.0, 0.0);
	static const uint32_t of_floor[4] = { 0, 1, 2, 1 };
	for (uint32_t i = 0; i < CORNERS; i++) {
		bspt_put_u32(&lump, i < 4 ? of_floor[i] : i == 6 ? 3 : 0);
		bspt_put_u32(&lump, UINT32_MAX);        /* the indices of tangents, which are not read */
		bspt_put_u32(&lump, UINT32_MAX);
	}
	bspscene_scene *scene = bspt_load_bspx(&bspi_family_quake, "FACENORMALS", &lump);
	const float *floor = normals_of(scene, 0), *wall = normals_of(scene, 1);
	expect_normal(floor, 0, 0, 1);
	expect_normal(floor + 3, 0.6f, 0, 0.8f);
	expect_normal(floor + 6, 0, 0, 1);     /* the plane's normal replaces the invalid one */
	expect_normal(floor + 9, 0.6f, 0, 0.8f);
	for (size_t i = 0; i < 4; i++) expect_normal(wall + 3 * i, 1, 0, 0);
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_REFERENCE), 2);
	bspscene_scene_free(scene);
}

/* Vertex normals are used by faces whose texinfo says so. */
static void marked_faces_take_the_normals_of_vertices(void **state)
{
	(void)state;
	bspt_writer lump = { .size = 0 };
	for (uint32_t i = 0; i < VERTICES; i++) bspt_put_floats(&lump, 3, i % 2 ? 0.6 : 0.0, 0.0, i % 2 ? 0.8 : 1.0);
	bspt_bytes file = bspt_room_with_bspx(&bspi_family_quake, &(bspt_bspx){ "VERTEXNORMALS", bspt_written(&lump) }, 1);
	enum { TEXINFO_SLOT = 6, TEXINFO_FLAGS = 36, SMOOTH = 0x800 };
	uint32_t texinfos = bspi_load_u32(file.data + 4 + 8 * TEXINFO_SLOT);
	file.data[texinfos + TEXINFO_FLAGS + 1] = SMOOTH >> 8; /* the floor has texinfo 0 */
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, NULL);
	free(file.data);
	assert_non_null(scene);
	const float *floor = normals_of(scene, 0), *wall = normals_of(scene, 1);
	/* The vertices of the floor are 0, 3, 2 and 1, in this order. */
	expect_normal(floor, 0, 0, 1);
	expect_normal(floor + 3, 0.6f, 0, 0.8f);
	expect_normal(floor + 6, 0, 0, 1);
	expect_normal(floor + 9, 0.6f, 0, 0.8f);
	expect_normal(wall, 1, 0, 0);
	bspscene_scene_free(scene);
}

/* ---- Brushes ---------------------------------------------------------------------------------------------- */

enum { WEDGE_PLANES = 1 };

static void put_brush(bspt_writer *lump, double low, double high, int contents, uint32_t planes)
{
	bspt_put_floats(lump, 6, low, low, low, high, high, high);
	bspt_put_u16(lump, (uint32_t)contents);
	bspt_put_u16(lump, planes);
	for (uint32_t i = 0; i < planes; i++) bspt_put_floats(lump, 4, 0.6, 0.0, 0.8, low);
}

static void put_block(bspt_writer *lump, uint32_t version, uint32_t model, uint32_t brushes, uint32_t planes)
{
	bspt_put_u32(lump, version);
	bspt_put_u32(lump, model);
	bspt_put_u32(lump, brushes);
	bspt_put_u32(lump, planes);
}

static void models_take_their_brushes(void **state)
{
	(void)state;
	bspt_writer lump = { .size = 0 };
	put_block(&lump, 1, 0, 2, WEDGE_PLANES);
	put_brush(&lump, 0, 64, -2, WEDGE_PLANES);
	put_brush(&lump, -8, 8, -3, 0);
	put_block(&lump, 1, 1, 1, 0);
	put_brush(&lump, 16, 32, -8, 0);
	fixture f;
	read_lump(&f, &bspi_family_quake, "BRUSHLIST", &lump);
	assert_int_equal(f.ctx.warning_count, 0);
	assert_int_equal(f.map.brushes_count, 3);
	assert_int_equal(f.map.models[0].first_brush, 0);
	assert_int_equal(f.map.models[0].brush_count, 2);
	assert_int_equal(f.map.models[1].first_brush, 2);
	assert_int_equal(f.map.models[1].brush_count, 1);
	assert_int_equal(f.map.brushes[0].contents, -2);
	assert_int_equal(f.map.brushes[0].side_count, 7);
	assert_int_equal(f.map.brushes[2].contents, -8);
	/* The six planes of the brush's box come first, each facing outward; then the planes that it stores. */
	static const float expected[7][4] = {
		{ -1, 0, 0, 0 }, { 1, 0, 0, 64 }, { 0, -1, 0, 0 }, { 0, 1, 0, 64 }, { 0, 0, -1, 0 }, { 0, 0, 1, 64 },
		{ 0.6f, 0, 0.8f, 0 },
	};
	for (int i = 0; i < 7; i++) {
		const bspi_plane *plane = &f.map.planes[f.map.brush_sides[f.map.brushes[0].first_side + i].plane];
		for (int k = 0; k < 3; k++) assert_float_equal(plane->normal[k], expected[i][k], 0);
		assert_float_equal(plane->distance, expected[i][3], 0);
	}
	end(&f);
}

static void maps_with_brushes_keep_their_own(void **state)
{
	(void)state;
	bspt_writer lump = { .size = 0 };
	put_block(&lump, 1, 0, 1, 0);
	put_brush(&lump, 0, 64, -2, 0);
	fixture f;
	read_lump(&f, &bspi_family_quake2, "BRUSHLIST", &lump);
	assert_int_equal(f.map.brushes_count, 1);
	assert_int_equal(f.map.brushes[0].contents, 1);
	end(&f);
}

static void broken_brush_lists_end_where_they_break(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		uint32_t version, model, announced, cut;
		uint32_t brushes, of_model;        /* expected number of brushes: all that are read, and the model's */
	} cases[] = {
		{ "another version", 2, 0, 1, 0, 0, 0 },
		{ "a model that does not exist", 1, 7, 1, 0, 1, 0 },
		{ "more brushes than there are", 1, 0, 2, 0, 1, 0 },
		{ "as many as a number can say", 1, 0, UINT32_MAX, 0, 1, 0 },
		{ "a cut plane", 1, 0, 1, 1, 0, 0 },
		{ "a cut brush", 1, 0, 1, 20, 0, 0 },
		{ "whole", 1, 0, 1, 0, 1, 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_writer lump = { .size = 0 };
		put_block(&lump, cases[i].version, cases[i].model, cases[i].announced, WEDGE_PLANES);
		put_brush(&lump, 0, 64, -2, WEDGE_PLANES);
		lump.size -= cases[i].cut;
		fixture f;
		read_lump(&f, &bspi_family_quake, "BRUSHLIST", &lump);
		bool broken = cases[i].of_model == 0 && cases[i].model == 0;
		if (f.map.brushes_count != cases[i].brushes || (uint32_t)f.map.models[0].brush_count != cases[i].of_model ||
		    (warnings_of(&f, BSPSCENE_WARNING_LUMP_BAD) > 0) != broken) fail_msg("%s", cases[i].what);
		end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_directory_is_where_it_must_be),
		cmocka_unit_test(bad_entries_are_counted),
		cmocka_unit_test(lumps_of_another_size_are_left_out),
		cmocka_unit_test(colors_take_the_place_of_gray),
		cmocka_unit_test(light_without_gray),
		cmocka_unit_test(styles_of_any_width),
		cmocka_unit_test(faces_take_shift_offset_and_styles),
		cmocka_unit_test(faces_take_projections_of_their_own),
		cmocka_unit_test(corners_take_their_normals),
		cmocka_unit_test(marked_faces_take_the_normals_of_vertices),
		cmocka_unit_test(models_take_their_brushes),
		cmocka_unit_test(maps_with_brushes_keep_their_own),
		cmocka_unit_test(broken_brush_lists_end_where_they_break),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
