/* Promise: a Nightfire map shows each surface with the triangles, the normals, the texture, the material and the light
 * that its records name, and has the visibility of its rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/material.h>

#include "base/vec.h"
#include "support/make/build_map.h"
#include "support/make/build_picture.h"

/* Surfaces of the room in tests/support/make/build_nightfire.c. */
enum { FLOOR, WALL, SKY, NODRAW, EMPTY, L, GRATE, SIGN, WATER, DOOR, TRIGGER, PANE, SURFACES };

#define nightfire (&bspi_family_nightfire.variants[0])

static bspscene_scene *load(const bspt_parts *parts, bspscene_load_options *options)
{
	return bspt_load_parts(nightfire, parts, options);
}

static bspscene_scene *load_room(uint32_t include, bspscene_lightmap_encoding encoding)
{
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.strict = true;
	options.include_mask = include;
	options.lightmap_encoding = encoding;
	bspt_parts parts;
	bspt_room_parts(&bspi_family_nightfire, nightfire, &parts);
	return load(&parts, &options);
}

static const bspscene_face *find_face(const bspscene_scene *scene, uint32_t surface)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record == surface) return &scene->faces[i];
	}
	return NULL;
}

static const bspscene_face *face_of(const bspscene_scene *scene, uint32_t surface)
{
	const bspscene_face *face = find_face(scene, surface);
	if (!face) fail_msg("no face of surface %u", (unsigned)surface);
	return face;
}

static const bspscene_section *section_of(const bspscene_scene *scene, uint32_t surface)
{
	const bspscene_face *face = face_of(scene, surface);
	return scene->meshes[face->mesh]->sections[face->section];
}

static const bspscene_material *material_of(const bspscene_scene *scene, uint32_t surface)
{
	return scene->materials[section_of(scene, surface)->material];
}

/* ---- Geometry --------------------------------------------------------------------------------------------- */

static float signed_area(const bspscene_mesh *mesh, const uint32_t *triangle, const float normal[3])
{
	const float *a = mesh->positions + 3 * triangle[0];
	float u[3], v[3], cross[3];
	bspi_sub(u, mesh->positions + 3 * triangle[1], a);
	bspi_sub(v, mesh->positions + 3 * triangle[2], a);
	bspi_cross(cross, u, v);
	return bspi_dot(cross, normal) / 2;
}

/* The scene has the triangles of the file, and they face as the plane does. A fan of triangles would cover more than
 * the L-shaped surface. */
static void test_triangles(void **state)
{
	(void)state;
	static const struct { uint32_t surface, vertices, triangles; float area, normal[3]; } cases[] = {
		{ FLOOR, 4, 2, 128 * 128, { 0, 0, 1 } }, { WALL, 4, 2, 128 * 128, { 1, 0, 0 } },
		{ SKY, 4, 2, 128 * 128, { 0, 0, -1 } }, { NODRAW, 4, 2, 128 * 128, { -1, 0, 0 } },
		{ L, 6, 4, 3 * 32 * 32, { -1, 0, 0 } }, { DOOR, 4, 2, 16 * 64, { -1, 0, 0 } },
	};
	bspscene_scene *scene = load_room(BSPSCENE_SURFACE_ALL, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_face *face = face_of(scene, cases[i].surface);
		const bspscene_mesh *mesh = scene->meshes[face->mesh];
		float area = 0;
		assert_int_equal(face->vertex_count, cases[i].vertices);
		assert_int_equal(face->index_count, 3 * cases[i].triangles);
		for (uint32_t k = 0; k < face->index_count; k += 3) {
			float part = signed_area(mesh, mesh->indices + face->first_index + k, cases[i].normal);
			assert_true(part > 0);
			area += part;
		}
		assert_true(area == cases[i].area);
	}
	assert_null(find_face(scene, EMPTY));
	assert_int_equal(scene->counts->polygons, SURFACES - 1);
	bspscene_scene_free(scene);
}

/* A stored normal is used unless it is zero. Otherwise the vertex gets the normal of the plane. */
static void test_normals(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room(0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	const bspscene_face *face = face_of(scene, L);
	const float *normals = scene->meshes[face->mesh]->normals + 3 * face->first_vertex;
	assert_true(fabsf(normals[0] + 0.8f) < 1e-6f && fabsf(normals[2] - 0.6f) < 1e-6f);
	assert_true(fabsf(normals[3] + 0.8f) < 1e-6f && fabsf(normals[4] - 0.6f) < 1e-6f);
	assert_true(normals[6] == -1 && normals[7] == 0 && normals[8] == 0);
	face = face_of(scene, WALL);
	for (uint32_t i = 0; i < 4; i++) assert_true(scene->meshes[face->mesh]->normals[3 * (face->first_vertex + i)] == 1);
	assert_null(scene->meshes[face->mesh]->colors);
	bspscene_scene_free(scene);
}

/* ---- Textures and materials ------------------------------------------------------------------------------- */

/* Opens a picture of 64 x 32 for every name in textures/. */
static bool open_picture(void *user, bspscene_stream *stream, const char *path, bspscene_file_kind kind)
{
	const bspt_bytes *picture = user;
	size_t length = strlen(path);
	(void)kind;
	if (strncmp(path, "textures/", 9) || strcmp(path + length - 4, ".png")) return false;
	*stream = (bspscene_stream){ .data = picture->data, .size = picture->size, .origin = "a game" };
	return true;
}

static void test_texture_coordinates(void **state)
{
	(void)state;
	static uint8_t rows[64 * 32 * 3];
	bspt_png png = { .width = 64, .height = 32, .color_type = 2, .depth = 8, .rows = rows };
	bspt_bytes picture = bspt_encode_png(&png);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.open_file = open_picture;
	options.file_user = &picture;
	options.strict = true;
	bspt_parts parts;
	bspt_room_parts(&bspi_family_nightfire, nightfire, &parts);
	bspscene_scene *scene = load(&parts, &options);
	assert_int_equal(scene->counts->textures_missing, 0);
	const bspscene_face *face = face_of(scene, WALL);
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	assert_int_equal(material_of(scene, WALL)->width, 64);
	assert_string_equal(scene->images[material_of(scene, WALL)->base_image]->path,
	                    "textures/a/name/of/sixty-four/characters/so/that/the/field/has/no/end/yet.png");
	for (uint32_t i = face->first_vertex; i < face->first_vertex + face->vertex_count; i++) {
		const float *p = mesh->positions + 3 * i, *uv = mesh->uvs + 2 * i;
		/* The fourth number of each projection is an offset in texels, which is added without scaling. */
		assert_true(uv[0] == (0.5f * p[1] + 16) / 64 && uv[1] == (-0.5f * p[2] - 8) / 32);
	}
	bspscene_scene_free(scene);
	free(picture.data);
}

/* One texture with three materials becomes three materials of the scene. */
static void test_materials(void **state)
{
	(void)state;
	static const struct {
		uint32_t surface;
		const char *name, *file;
		bspscene_material_kind kind;
		bspscene_surface_kind include;
		bspscene_alpha_mode alpha;
		bool unlit;
	} cases[] = {
		{ FLOOR, "walls/brick", "materials/wld_lightmap.rma",
		  BSPSCENE_MATERIAL_NORMAL, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_ALPHA_MODE_OPAQUE, false },
		{ L, "walls/brick", "materials/wld_glass.rma",
		  BSPSCENE_MATERIAL_NORMAL, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_ALPHA_MODE_BLEND, false },
		{ SIGN, "walls/brick", "materials/wld_fullbright.rma",
		  BSPSCENE_MATERIAL_NORMAL, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_ALPHA_MODE_OPAQUE, true },
		{ GRATE, "metal/{grate", "materials/wld_masked.rma",
		  BSPSCENE_MATERIAL_NORMAL, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_ALPHA_MODE_MASK, false },
		{ WATER, "liquids/water", "materials/wld_lightmap.rma",
		  BSPSCENE_MATERIAL_LIQUID, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_ALPHA_MODE_OPAQUE, false },
		{ SKY, "special/sky", "materials/wld_lightmap.rma",
		  BSPSCENE_MATERIAL_SKY, BSPSCENE_SURFACE_SKY, BSPSCENE_ALPHA_MODE_OPAQUE, true },
		{ NODRAW, "special/nodraw", "materials/wld_lightmap.rma",
		  BSPSCENE_MATERIAL_TOOL, BSPSCENE_SURFACE_NODRAW, BSPSCENE_ALPHA_MODE_OPAQUE, false },
		{ TRIGGER, "special/nodraw", "materials/wld_lightmap.rma",
		  BSPSCENE_MATERIAL_TOOL, BSPSCENE_SURFACE_TRIGGER, BSPSCENE_ALPHA_MODE_OPAQUE, false },
		{ DOOR, "walls/brick", "materials/wld_lightmap.rma",
		  BSPSCENE_MATERIAL_NORMAL, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_ALPHA_MODE_OPAQUE, false },
		/* its entity's render mode blends it */
		{ PANE, "walls/brick", "materials/wld_lightmap.rma",
		  BSPSCENE_MATERIAL_NORMAL, BSPSCENE_SURFACE_VISIBLE, BSPSCENE_ALPHA_MODE_BLEND, true },
	};
	bspscene_scene *scene = load_room(BSPSCENE_SURFACE_ALL, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bspscene_material *material = material_of(scene, cases[i].surface);
		assert_string_equal(material->name, cases[i].name);
		assert_string_equal(material->script_file, cases[i].file);
		assert_int_equal(material->kind, cases[i].kind);
		assert_int_equal(material->surface_kind, cases[i].include);
		assert_int_equal(material->alpha_mode, cases[i].alpha);
		assert_int_equal(material->unlit, cases[i].unlit);
	}
	assert_true(material_of(scene, PANE)->color[3] == 128 / 255.0f);
	assert_string_equal(scene->materials[scene->sky_material]->sky->name, "gfx/env/night_winter_");
	bspscene_scene_free(scene);
}

/* Surfaces for editors only are hidden; they are shown if their kind is requested. */
static void test_hidden(void **state)
{
	(void)state;
	static const struct { uint32_t surface, include; } cases[] = {
		{ SKY, BSPSCENE_SURFACE_SKY }, { NODRAW, BSPSCENE_SURFACE_NODRAW }, { TRIGGER, BSPSCENE_SURFACE_TRIGGER },
	};
	bspscene_scene *scene = load_room(0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_null(find_face(scene, cases[i].surface));
		bspscene_scene *shown = load_room(cases[i].include, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
		face_of(shown, cases[i].surface);
		assert_int_equal(shown->face_count, scene->face_count + 1);
		bspscene_scene_free(shown);
	}
	bspscene_scene_free(scene);
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

/* Light is projected by the file's own light projections, in luxels, even if they are rotated or moved. Nothing is
 * rounded to steps of 16 texels. */
static const struct lit { uint32_t surface, width, height; float s[4], t[4]; uint8_t styles[4]; } lit[] = {
	{ FLOOR, 9, 9, { 0.0625f, 0, 0, 0 }, { 0, -0.0625f, 0, 8 }, { 0, 1, 255, 255 } },
	{ WALL, 15, 15, { 0, 0.05f, 0.05f, 0.3f }, { 0, -0.05f, 0.05f, 7 }, { 0, 255, 255, 255 } },
	{ L, 9, 9, { 0, 0.125f, 0, 0 }, { 0, 0, -0.125f, 8 }, { 0, 255, 255, 255 } },
	{ GRATE, 17, 17, { 0, 0.25f, 0, 0 }, { 0, 0, 0.25f, 0 }, { 32, 255, 255, 255 } },
	{ WATER, 5, 5, { 0.0625f, 0, 0, 0 }, { 0, -0.0625f, 0, 4 }, { 0, 255, 255, 255 } },
	{ DOOR, 5, 17, { 0, 0.25f, 0, 2 }, { 0, 0, 0.25f, 0 }, { 0, 255, 255, 255 } },
};
enum { LIT_COUNT = sizeof lit / sizeof *lit };

static const uint8_t *luxels_of(const bspscene_scene *scene, uint32_t page, uint8_t style)
{
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		if (scene->lightmap_sets[i].style == style) return scene->lightmap_sets[i].pages[page].data;
	}
	fail_msg("no pages of style %u", style);
	return NULL;
}

/* The lightmap coordinates of vertices lead to every luxel of every style. */
static void test_luxels(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room(0, BSPSCENE_LIGHTMAP_ENCODING_RAW);
	uint32_t stored = 0;                   /* index in the light lump; its blocks are in the order of `lit` */
	for (size_t i = 0; i < LIT_COUNT; i++) {
		const bspscene_face *face = face_of(scene, lit[i].surface);
		assert_int_equal(section_of(scene, lit[i].surface)->lighting, BSPSCENE_LIGHTING_LIGHTMAP);
		assert_int_equal(face->lightmap_width, lit[i].width);
		assert_int_equal(face->lightmap_height, lit[i].height);
		assert_memory_equal(face->styles, lit[i].styles, 4);
		uint32_t page_width = scene->lightmap_sets[0].pages[face->lightmap_page].width;
		for (uint32_t slot = 0; slot < 4 && lit[i].styles[slot] != 255; slot++) {
			const uint8_t *page = luxels_of(scene, face->lightmap_page, lit[i].styles[slot]);
			for (uint32_t k = 0; k < face->lightmap_width * face->lightmap_height; k++, stored++) {
				const uint8_t *at = page + 3 * ((face->lightmap_y + k / face->lightmap_width) * page_width +
				                                face->lightmap_x + k % face->lightmap_width);
				for (uint32_t c = 0; c < 3; c++) assert_int_equal(at[c], (3 * stored + c) * 7 % 251);
			}
		}
	}
	bspscene_scene_free(scene);
}

static void test_light_coordinates(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room(0, BSPSCENE_LIGHTMAP_ENCODING_RAW);
	for (size_t i = 0; i < LIT_COUNT; i++) {
		const bspscene_face *face = face_of(scene, lit[i].surface);
		const bspscene_mesh *mesh = scene->meshes[face->mesh];
		const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[face->lightmap_page];
		for (uint32_t v = face->first_vertex; v < face->first_vertex + face->vertex_count; v++) {
			const float *p = mesh->positions + 3 * v, *uv = mesh->lightmap_uvs + 2 * v;
			float s = uv[0] * (float)page->width - (float)face->lightmap_x - 0.5f;
			float t = uv[1] * (float)page->height - (float)face->lightmap_y - 0.5f;
			assert_true(fabsf(s - (bspi_dot(p, lit[i].s) + lit[i].s[3])) < 1e-3f);
			assert_true(fabsf(t - (bspi_dot(p, lit[i].t) + lit[i].t[3])) < 1e-3f);
		}
	}
	bspscene_scene_free(scene);
}

/* Surfaces with a flag that means "never lit" are fullbright, although they have a light offset. So are surfaces
 * without a light offset. */
static void test_never_lit(void **state)
{
	(void)state;
	static const uint32_t flags[] = { 0x1, 0x2, 0x4, 0x10, 0x20, 0x40, 0x100 };
	bspt_parts parts;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.include_mask = BSPSCENE_SURFACE_ALL;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		bspi_texinfo looks[SURFACES];
		bspt_room_parts(&bspi_family_nightfire, nightfire, &parts);
		memcpy(looks, parts.map.texinfos, sizeof looks);
		looks[WALL].flags = flags[i];
		parts.map.texinfos = looks;
		bspscene_scene *scene = load(&parts, &options);
		assert_int_equal(section_of(scene, WALL)->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
		assert_int_equal(section_of(scene, FLOOR)->lighting, BSPSCENE_LIGHTING_LIGHTMAP);
		assert_int_equal(section_of(scene, NODRAW)->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
		bspscene_scene_free(scene);
	}
}

/* ---- The world -------------------------------------------------------------------------------------------- */

static void test_tree(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room(0, BSPSCENE_LIGHTMAP_ENCODING_DISPLAY);
	static const uint32_t clusters[] = {
		BSPSCENE_NO_INDEX, 0, 1, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX, BSPSCENE_NO_INDEX,
	};
	static const uint32_t contents[] = { 2, 1, 1, 2, 1, 1 };
	assert_int_equal(scene->tree->leaf_count, 6);
	for (uint32_t i = 0; i < scene->tree->leaf_count; i++) {
		assert_int_equal(scene->tree->leafs[i].cluster, clusters[i]);
		assert_int_equal(scene->tree->leafs[i].contents, contents[i]);
	}
	assert_int_equal(scene->tree->node_count, 1);
	assert_true(scene->tree->planes[0] == 1 && scene->tree->planes[3] == 64);
	assert_true(scene->tree->children[0] == -2 && scene->tree->children[1] == -3);
	/* Rows are padded to four bytes, and not compressed. */
	assert_int_equal(scene->vis->cluster_count, 2);
	assert_int_equal(scene->vis->row_size, 4);
	assert_int_equal(scene->vis->rows[0] & 3, 3);
	assert_int_equal(scene->vis->rows[4] & 3, 2);
	assert_int_equal(face_of(scene, L)->leaf, 1);
	assert_int_equal(face_of(scene, WALL)->leaf, 2);
	assert_int_equal(face_of(scene, WALL)->cluster, 1);
	assert_int_equal(face_of(scene, DOOR)->leaf, 4);
	assert_int_equal(face_of(scene, DOOR)->cluster, BSPSCENE_NO_INDEX);
	assert_int_equal(scene->counts->models, 4);
	bspscene_scene_free(scene);
}

/* A map without the lumps that later passes of the compiler write, or with truncated ones, still loads. */
static void test_missing_lumps(void **state)
{
	(void)state;
	bspt_parts parts;
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	bspt_room_parts(&bspi_family_nightfire, nightfire, &parts);
	parts.map.vertex_normals_count = 2;
	parts.map.effects_count = 0;
	parts.raw[7] = parts.raw[10] = BSPI_NO_BYTES;
	bspscene_scene *scene = load(&parts, &options);
	assert_int_equal(scene->vis->cluster_count, 0);
	assert_int_equal(section_of(scene, FLOOR)->lighting, BSPSCENE_LIGHTING_FULLBRIGHT);
	assert_int_equal(material_of(scene, L)->alpha_mode, BSPSCENE_ALPHA_MODE_OPAQUE);
	assert_string_equal(material_of(scene, L)->script_file, "");
	for (uint32_t i = 0; i < scene->warning_count; i++) {
		assert_int_equal(scene->warnings[i]->code, BSPSCENE_WARNING_TEXTURE_MISSING);
	}
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_triangles),
		cmocka_unit_test(test_normals),
		cmocka_unit_test(test_texture_coordinates),
		cmocka_unit_test(test_materials),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_luxels),
		cmocka_unit_test(test_light_coordinates),
		cmocka_unit_test(test_never_lit),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_missing_lumps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
