/* Promise: Medal of Honor's height fields become the triangles that the engine draws, lit by their rectangle of the
 * lightmap page, and belong to the world; placed models become static props; and the fields that Elite Force II swaps
 * are corrected. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"

enum { SIDE = 9, POINTS = SIDE * SIDE, TRIANGLES = 2 * 8 * 8 };

static bspscene_scene *load_room(const char *name)
{
	bspt_bytes file = bspt_build_room(&bspi_family_uebertools, bspt_find_variant(&bspi_family_uebertools, name));
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.strict = true;
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, &options, &error);
	if (!scene) fail_msg("%s: %s", name, error.message);
	free(file.data);
	return scene;
}

/* Returns the scene face of terrain patch `number`. Terrain patches are numbered after the six faces of the file. */
static const bspscene_face *terrain_face(const bspscene_scene *scene, uint32_t number)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record == 6 + number) return &scene->faces[i];
	}
	fail_msg("no face of terrain %u", number);
	return NULL;
}

static void test_points(void **state)
{
	(void)state;
	static const char *const names[] = { "mohaa-beta", "mohaa-demo", "mohaa", "spearhead", "breakthrough" };
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		bspscene_scene *scene = load_room(names[n]);
		const bspscene_face *face = terrain_face(scene, 0);
		const bspscene_mesh *mesh = scene->meshes[face->mesh];
		assert_string_equal(mesh->name, "worldspawn");
		assert_int_equal(face->vertex_count, POINTS);
		assert_int_equal(face->index_count, 3 * TRIANGLES);
		for (uint32_t i = 0; i < POINTS; i++) {
			uint32_t x = i % SIDE, y = i / SIDE;
			const float *p = mesh->positions + 3 * (face->first_vertex + i);
			const float *uv = mesh->uvs + 2 * (face->first_vertex + i);
			assert_true(p[0] == (float)x * 64 - 512 && p[1] == (float)y * 64 + 256);
			assert_true(p[2] == (float)(x * (8 - x) * y) * 2 - 64);
			assert_true(uv[0] == (float)x && uv[1] == (float)y / 2);
		}
		bspscene_scene_free(scene);
	}
}

/* The hill faces up, the ceiling down. */
static void test_sides(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room("mohaa");
	for (uint32_t number = 0; number < 2; number++) {
		const bspscene_face *face = terrain_face(scene, number);
		const bspscene_mesh *mesh = scene->meshes[face->mesh];
		float area = 0;
		for (uint32_t i = 0; i < face->index_count; i += 3) {
			const uint32_t *t = mesh->indices + face->first_index + i;
			const float *a = mesh->positions + 3 * t[0], *b = mesh->positions + 3 * t[1];
			const float *c = mesh->positions + 3 * t[2];
			float twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
			assert_true(number ? twice < 0 : twice > 0);
			area += fabsf(twice) / 2;
		}
		assert_true(area == 512 * 512);
		for (uint32_t i = 0; i < POINTS; i++) {
			float up = mesh->normals[3 * (face->first_vertex + i) + 2];
			assert_true(number ? up < 0 : up > 0);
		}
	}
	bspscene_scene_free(scene);
}

/* In the grid of a height field, every diagonal ends at a point of odd x and y. */
static void test_diagonals(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room("mohaa");
	const bspscene_face *face = terrain_face(scene, 0);
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	uint32_t diagonals = 0;
	for (uint32_t i = 0; i < face->index_count; i++) {
		uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
		uint32_t a = mesh->indices[face->first_index + i] - face->first_vertex;
		uint32_t b = mesh->indices[face->first_index + next] - face->first_vertex;
		if (a % SIDE == b % SIDE || a / SIDE == b / SIDE) continue;
		bool odd_a = a % SIDE % 2 && a / SIDE % 2, odd_b = b % SIDE % 2 && b / SIDE % 2;
		assert_true(odd_a != odd_b);
		diagonals++;
	}
	assert_int_equal(diagonals, TRIANGLES);
	bspscene_scene_free(scene);
}

static void test_light(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room("mohaa");
	const bspscene_face *lit = terrain_face(scene, 0), *unlit = terrain_face(scene, 1);
	assert_int_equal(lit->lightmap_width, 2 * 8 + 1);
	assert_int_equal(lit->lightmap_height, 2 * 8 + 1);
	assert_true(lit->lightmap_page < scene->lightmap_page_count);
	const float *uvs = scene->meshes[lit->mesh]->lightmap_uvs + 2 * lit->first_vertex;
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[lit->lightmap_page];
	for (uint32_t i = 0; i < POINTS; i++) {
		assert_true(fabsf(uvs[2 * i] * (float)page->width - ((float)(lit->lightmap_x + i % SIDE * 2) + 0.5f)) < 1e-3f);
		assert_true(fabsf(uvs[2 * i + 1] * (float)page->height - ((float)(lit->lightmap_y + i / SIDE * 2) + 0.5f)) <
		            1e-3f);
	}
	assert_int_equal(unlit->lightmap_page, BSPSCENE_NO_INDEX);
	bspscene_scene_free(scene);
}

/* The model is rotated by 90 degrees and twice as large. */
static void test_placements(void **state)
{
	(void)state;
	bspscene_scene *scene = load_room("mohaa");
	assert_int_equal(scene->counts->static_props, 1);
	const bspscene_prop *prop = scene->props[scene->prop_count - 1];
	assert_string_equal(prop->model, "static/tree.tik");
	assert_int_equal(prop->entity, BSPSCENE_NO_INDEX);
	assert_true(prop->is_static);
	static const float expected[12] = { 0, -2, 0, 64, 2, 0, 0, 32, 0, 0, 2, 0 };
	for (int i = 0; i < 12; i++) assert_true(fabsf(scene->nodes[prop->node]->transform[i] - expected[i]) < 1e-5f);
	bspscene_scene_free(scene);
}

/* The same room loads for all these games. Elite Force II stores two fields of a brush in the reverse order. The box of
 * the fog is right only if both fields are read correctly. */
static void test_fog_boxes(void **state)
{
	(void)state;
	static const char *const names[] = {
		"fakk2", "alice", "eliteforce2-demo", "eliteforce2", "mohaa-beta", "mohaa-demo",
	};
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		bspscene_scene *scene = load_room(names[n]);
		assert_int_equal(scene->fog_count, 1);
		for (int i = 0; i < 3; i++) {
			assert_true(scene->fogs[0]->bounds.min[i] == 0 && scene->fogs[0]->bounds.max[i] == 256);
		}
		bspscene_scene_free(scene);
	}
}

/* Bit 30 of Elite Force II's page numbers marks changing light. */
static void test_dynamic_pages(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_uebertools, "eliteforce2");
	bspt_parts parts;
	bspi_face faces[16];
	bspt_room_parts(&bspi_family_uebertools, variant, &parts);
	memcpy(faces, parts.map.faces, parts.map.faces_count * sizeof *faces);
	parts.map.faces = faces;
	for (uint32_t i = 0; i < parts.map.faces_count; i++) {
		if (faces[i].lightmap[0] >= 0) faces[i].lightmap[0] |= 1 << 30;
	}
	bspt_bytes file = bspt_encode_parts(variant, &parts);
	bspscene_load_options options;
	bspscene_load_options_init(&options);
	options.strict = true;
	bspscene_scene *marked = bspscene_load_memory(file.data, file.size, &options, NULL);
	bspscene_scene *plain = load_room("eliteforce2");
	assert_non_null(marked);
	assert_true(bspt_scene_hash(marked) == bspt_scene_hash(plain));
	bspscene_scene_free(marked);
	bspscene_scene_free(plain);
	free(file.data);
}

/* The size of a cell in the light grid differs between the games. */
static void test_light_grid(void **state)
{
	(void)state;
	static const struct { const char *name; uint32_t side, height; float step[3]; } cases[] = {
		{ "mohaa-beta", 9, 9, { 32, 32, 32 } }, { "mohaa-demo", 9, 9, { 32, 32, 32 } },
		{ "mohaa", 9, 9, { 32, 32, 32 } },
		{ "spearhead", 6, 5, { 48, 48, 64 } }, { "breakthrough", 4, 4, { 80, 80, 80 } },
	};
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		bspscene_scene *scene = load_room(cases[n].name);
		const bspscene_light_grid *grid = scene->light_grid;
		uint32_t side = cases[n].side, height = cases[n].height;
		assert_true(grid->counts[0] == side && grid->counts[1] == side && grid->counts[2] == height);
		assert_memory_equal(grid->step, cases[n].step, sizeof grid->step);
		for (uint32_t i = 0; i < side * side * height; i++) {
			uint32_t x = i % side, y = i / side % side, z = i / side / side;
			uint32_t index = bspt_column_index(x, y, z);
			for (uint32_t c = 0; c < 3; c++) {
				/* The overbright bits of these games double the stored light. */
				assert_int_equal(grid->ambient[3 * i + c], index ? 2 * ((3 * index + c) * 11 % 101) : 0);
				assert_int_equal(grid->directed[3 * i + c], 0);
			}
		}
		bspscene_scene_free(scene);
	}
}

/* In a column of the light grid that ends early, all further samples are dark. If the offsets of columns do not fit the
 * bounds, the scene has no light grid. */
static void test_damaged_grid(void **state)
{
	(void)state;
	enum { OFFSETS = 17, COLUMNS = 18 };
	static const struct { uint32_t slot; size_t less; bool grid; } cases[] = {
		{ COLUMNS, 1, true }, { OFFSETS, 2, false },
	};
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		bspt_parts parts;
		const bspi_variant *variant = bspt_find_variant(&bspi_family_uebertools, "mohaa");
		bspt_room_parts(&bspi_family_uebertools, variant, &parts);
		parts.raw[cases[n].slot].size -= cases[n].less;
		bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
		uint32_t bad = 0;
		for (uint32_t i = 0; i < scene->warning_count; i++) {
			bad += scene->warnings[i]->code == BSPSCENE_WARNING_LUMP_BAD;
		}
		assert_int_equal(bad, 1);
		assert_int_equal(scene->light_grid->counts[0], cases[n].grid ? 9 : 0);
		/* Here only the last run of the last column is missing, so only its last sample is dark. */
		if (cases[n].grid) assert_int_equal(scene->light_grid->ambient[3 * (2 * 81 + 80)], 0);
		if (cases[n].grid) assert_true(scene->light_grid->ambient[3 * (2 * 81 + 79)] > 0);
		bspscene_scene_free(scene);
	}
}

/* If the world claims more faces than the file has, terrain still appears once. */
static void test_claimed_terrain(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_uebertools, "mohaa");
	bspt_parts parts;
	bspt_room_parts(&bspi_family_uebertools, variant, &parts);
	bspi_model models[] = { parts.map.models[0] };
	models[0].face_count = (int32_t)parts.map.faces_count + 2;
	parts.map.models = models;
	parts.map.models_count = 1;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	uint32_t found[2] = { 0, 0 };
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record >= parts.map.faces_count) found[scene->faces[i].record - parts.map.faces_count]++;
	}
	assert_true(found[0] == 1 && found[1] == 1);
	bspscene_scene_free(scene);
}

/* The engine checks the version only, so a file may have the magic of the other games of the series. */
static void test_either_magic(void **state)
{
	(void)state;
	bspt_bytes file = bspt_build_room(&bspi_family_uebertools, bspt_find_variant(&bspi_family_uebertools, "spearhead"));
	memcpy(file.data, "2015", 4);
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, NULL);
	assert_non_null(scene);
	assert_string_equal(scene->variant, "spearhead");
	bspscene_scene_free(scene);
	free(file.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_sides),
		cmocka_unit_test(test_diagonals),
		cmocka_unit_test(test_light),
		cmocka_unit_test(test_placements),
		cmocka_unit_test(test_fog_boxes),
		cmocka_unit_test(test_dynamic_pages),
		cmocka_unit_test(test_light_grid),
		cmocka_unit_test(test_damaged_grid),
		cmocka_unit_test(test_claimed_terrain),
		cmocka_unit_test(test_either_magic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
