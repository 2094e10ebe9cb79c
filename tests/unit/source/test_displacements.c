/* Promise: displacements of Source maps have weights of four textures if the map has them, tags of triangles, and four
 * sets of luxels if bumped. They belong to the node of their surroundings. Displacements without exactly four corners
 * are dropped. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/make/build_map.h"
#include "support/check/scene_find.h"

/* Indices of two faces in the room of build_source.c. TERRAIN has 5 x 5 vertices with weights. FINE_TERRAIN has
 * 9 x 9 vertices without weights. */
enum { TERRAIN = 4, FINE_TERRAIN = 5, WEIGHTED = 25, PLAIN = 81, BLEND_SIZE = 80 };

/* ---- Weights ---------------------------------------------------------------------------------------------- */

/* Checks the weights of the four textures. Each texture has its full weight at one corner of the ground, as
 * build_source.c makes it. */
static void check_weights(const bspscene_scene *scene)
{
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *terrain = bspt_find_face(scene, mesh, TERRAIN);
	const bspscene_face *plain = bspt_find_face(scene, mesh, FINE_TERRAIN);
	assert_non_null(mesh->blend_weights);
	assert_true(terrain && plain && terrain->vertex_count == WEIGHTED && plain->vertex_count == PLAIN);
	const float *weights = mesh->blend_weights + 4 * (size_t)terrain->first_vertex;
	for (uint32_t i = 0; i < WEIGHTED; i++, weights += 4) {
		float along = (float)(i % 5) / 4, up = (float)(i / 5) / 4;
		const float want[4] = { (1 - along) * (1 - up), along * (1 - up), (1 - along) * up, along * up };
		for (int k = 0; k < 4; k++) assert_float_equal(weights[k], want[k], 1e-6);
		/* Programs with only two textures use blend_alphas, which is the weight of the second texture. */
		assert_float_equal(mesh->blend_alphas[terrain->first_vertex + i], want[1], 1e-6);
	}
	weights = mesh->blend_weights + 4 * (size_t)plain->first_vertex;
	for (uint32_t i = 0; i < 4 * PLAIN; i++) assert_float_equal(weights[i], 0, 0);
	for (uint32_t i = 0; i < PLAIN; i++) {
		assert_float_equal(mesh->blend_alphas[plain->first_vertex + i], (float)i / 255, 1e-6);
	}
}

static void weights_are_those_of_their_vertices(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_vbsp.variants[i];
		if (!strcmp(variant->name, "vindictus")) continue; /* this variant stores no weights */
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
		check_weights(scene);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 0);
		bspscene_scene_free(scene);
	}
}

/* Black Mesa stores the weights in a lump that other games use for the system levels of overlays. The size of the lump
 * tells the two uses apart. */
static void black_mesas_lump_is_told_by_its_size(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	static const struct { size_t size; bool taken; } cases[] = {
		{ WEIGHTED * BLEND_SIZE, true }, { WEIGHTED * BLEND_SIZE - 4, false },
		{ (WEIGHTED + 1) * BLEND_SIZE, false }, { 0, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[(WEIGHTED + 1) * BLEND_SIZE] = { 0 };
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspt_encode(&bspi_vbsp_disp_blend, parts.map.disp_blends, WEIGHTED, bytes);
		parts.raw[VBSP_OVERLAY_LEVELS] = bspi_bytes_of(bytes, cases[i].size);
		parts.map.disp_blends_count = 0;
		bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
		if (cases[i].taken) check_weights(scene);
		else assert_null(bspt_find_mesh(scene, "worldspawn")->blend_weights);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), !cases[i].taken);
		bspscene_scene_free(scene);
	}
}

/* The lump with the weights does not state to which displacements they belong. If its size does not fit the
 * displacements that are flagged for it, it is ignored. Then the alphas are used, as without the lump. */
static void other_numbers_of_weights_are_left_out(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source21");
	static const struct { uint32_t count, flags[2]; int32_t power; } cases[] = {
		{ WEIGHTED - 1, { BSPI_DISP_BLENDED, 0 }, 2 },
		{ WEIGHTED, { 0, 0 }, 2 },
		{ WEIGHTED, { BSPI_DISP_BLENDED, BSPI_DISP_BLENDED }, 2 },
		{ WEIGHTED, { 0, BSPI_DISP_BLENDED }, 2 },
		{ WEIGHTED, { BSPI_DISP_BLENDED, 0 }, -1 },
		{ WEIGHTED, { BSPI_DISP_BLENDED, 0 }, INT32_MAX },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspi_dispinfo infos[2] = { parts.map.dispinfos[0], parts.map.dispinfos[1] };
		for (int k = 0; k < 2; k++) infos[k].flags = cases[i].flags[k];
		infos[0].power = cases[i].power;
		parts.map.dispinfos = infos;
		parts.map.disp_blends_count = cases[i].count;
		bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
		const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
		const bspscene_face *terrain = bspt_find_face(scene, mesh, TERRAIN);
		assert_null(mesh->blend_weights);
		if (terrain) assert_float_equal(mesh->blend_alphas[terrain->first_vertex + 24], 24 / 255.0f, 1e-6);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
		bspscene_scene_free(scene);
	}
}

/* Alphas in real maps may be outside of 0..255 too. */
static void odd_weights_stay_between_0_and_1(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source21");
	const float odd[] = { -2112, 1.5f, NAN, INFINITY, -INFINITY, 3e38f };
	const float want[] = { 0, 1, 0, 1, 0, 1 };
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_disp_blend blends[WEIGHTED];
	for (uint32_t i = 0; i < WEIGHTED; i++) {
		for (uint32_t k = 0; k < 4; k++) blends[i].weights[k] = odd[(i + k) % 6];
	}
	bspi_disp_vertex moves[WEIGHTED + PLAIN];
	memcpy(moves, parts.map.disp_vertices, sizeof moves);
	for (uint32_t i = 0; i < PLAIN; i++) moves[WEIGHTED + i].alpha = odd[i % 6] * 255;
	parts.map.disp_blends = blends;
	parts.map.disp_vertices = moves;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const float *weights = mesh->blend_weights + 4 * (size_t)bspt_find_face(scene, mesh, TERRAIN)->first_vertex;
	for (uint32_t i = 0; i < 4 * WEIGHTED; i++) assert_float_equal(weights[i], want[(i / 4 + i % 4) % 6], 0);
	const float *alphas = mesh->blend_alphas + bspt_find_face(scene, mesh, FINE_TERRAIN)->first_vertex;
	for (uint32_t i = 0; i < PLAIN; i++) assert_float_equal(alphas[i], want[i % 6], 0);
	bspscene_scene_free(scene);
}

/* ---- Tags ------------------------------------------------------------------------------------------------- */

static void tags_are_those_of_their_triangles(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		const bspi_variant *variant = &bspi_family_vbsp.variants[i];
		if (!strcmp(variant->name, "source2003")) continue; /* this variant stores no tags */
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspi_disp_triangle tags[32 + 128] = { { 0 } };
		for (int32_t k = 0; k < 32; k++) tags[k].tags = k == 7 ? BSPSCENE_TRIANGLE_TAG_REMOVED : k % 31;
		parts.map.disp_triangles = tags;
		bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
		const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
		const bspscene_face *terrain = bspt_find_face(scene, mesh, TERRAIN);
		assert_non_null(mesh->triangle_tags);
		assert_int_equal(terrain->index_count, 3 * 31);
		/* One triangle was removed, so the triangles after it move up by one, and their tags move with them. */
		for (uint32_t k = 0; k < mesh->index_count / 3; k++) {
			uint32_t own = k - terrain->first_index / 3;
			uint32_t want = own < 31 ? (own < 7 ? own : own + 1) % 31 : 0;
			if (want & BSPSCENE_TRIANGLE_TAG_REMOVED) fail_msg("triangle %u is removed", (unsigned)k);
			assert_int_equal(mesh->triangle_tags[k], want);
		}
		bspscene_scene_free(scene);
		/* Without any tag there is no array. */
		memset(tags, 0, sizeof tags);
		scene = bspt_load_parts(variant, &parts, NULL);
		assert_null(bspt_find_mesh(scene, "worldspawn")->triangle_tags);
		bspscene_scene_free(scene);
	}
}

/* ---- Faces ------------------------------------------------------------------------------------------------ */

static void faces_with_other_corners_are_dropped(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	for (int32_t edges = 3; edges <= 5; edges += 2) {
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspi_face faces[8];
		memcpy(faces, parts.map.faces, sizeof faces);
		faces[FINE_TERRAIN].edge_count = edges;
		parts.map.faces = faces;
		bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
		const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
		assert_null(bspt_find_face(scene, mesh, FINE_TERRAIN));
		assert_non_null(bspt_find_face(scene, mesh, TERRAIN));
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_FACE_DROPPED), 1);
		bspscene_scene_free(scene);
	}
}

/* A displacement belongs to the 3D skybox if its center lies there, although no leaf lists its face. It belongs to a
 * brush model if its face is in the model's range of faces. */
static void displacements_are_where_they_lie(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_vertex vertices[32];
	bspi_dispinfo infos[2] = { parts.map.dispinfos[0], parts.map.dispinfos[1] };
	memcpy(vertices, parts.map.vertices, sizeof vertices);
	for (uint32_t i = 0; i < 4; i++) vertices[4 * FINE_TERRAIN + i].position[0] += 744;
	infos[1].start[0] += 744;
	parts.map.vertices = vertices;
	parts.map.dispinfos = infos;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, NULL);
	assert_non_null(bspt_find_face(scene, bspt_find_mesh(scene, "skybox"), FINE_TERRAIN));
	assert_null(bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), FINE_TERRAIN));
	assert_non_null(bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), TERRAIN));
	bspscene_scene_free(scene);

	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_model models[2] = { parts.map.models[0], parts.map.models[1] };
	models[0].face_count = TERRAIN;
	models[1].first_face = TERRAIN;
	models[1].face_count = 4;
	parts.map.models = models;
	scene = bspt_load_parts(variant, &parts, NULL);
	const bspscene_mesh *door = bspt_find_mesh(scene, "*1");
	assert_non_null(bspt_find_face(scene, door, TERRAIN));
	assert_non_null(door->blend_weights);
	assert_null(bspt_find_mesh(scene, "worldspawn")->blend_alphas);
	bspscene_scene_free(scene);
}

/* For bumped displacements, four sets of luxels follow each other in the file. Each set has the size of the face. The
 * pages must have the values of the file. */
static void bumped_displacements_have_four_sets(void **state)
{
	(void)state;
	enum { BUMPLIGHT = 0x800, GRASS = 5, SIDE = 9 };
	static uint8_t light[16384];
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	bspt_parts parts;
	bspscene_load_options options;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_texinfo infos[6];
	memcpy(infos, parts.map.texinfos, sizeof infos);
	infos[GRASS].flags |= BUMPLIGHT;
	parts.map.texinfos = infos;
	for (size_t i = 0; i < sizeof light; i++) light[i] = (uint8_t)(i * 7 % 253);
	parts.raw[VBSP_LIGHTING] = bspi_bytes_of(light, sizeof light);
	bspscene_load_options_init(&options);
	options.lightmap_encoding = BSPSCENE_LIGHTMAP_ENCODING_RAW;
	bspscene_scene *scene = bspt_load_parts(variant, &parts, &options);
	const bspscene_face *face = bspt_find_face(scene, bspt_find_mesh(scene, "worldspawn"), TERRAIN);
	assert_true(face->lightmap_width == SIDE && face->lightmap_height == SIDE);
	uint32_t sets = 0;
	for (uint32_t i = 0; i < scene->lightmap_set_count; i++) {
		const bspscene_lightmap_set *set = &scene->lightmap_sets[i];
		const bspscene_lightmap_page *page = &set->pages[face->lightmap_page];
		if (set->style || set->kind == BSPSCENE_LIGHTMAP_SET_DIRECTION) continue;
		uint32_t number =
			set->kind == BSPSCENE_LIGHTMAP_SET_LIGHT ? 0 : 1 + (uint32_t)(set->kind - BSPSCENE_LIGHTMAP_SET_BUMP_0);
		const uint8_t *stored = light + parts.map.faces[TERRAIN].light_offset + (size_t)(4 * SIDE * SIDE * number);
		for (uint32_t y = 0; y < SIDE; y++) {
			const uint8_t *row =
				(const uint8_t *)page->data + 4 * ((size_t)(face->lightmap_y + y) * page->width + face->lightmap_x);
			assert_memory_equal(row, stored + (size_t)(4 * SIDE * y), 4 * SIDE);
		}
		sets |= 1u << number;
	}
	assert_int_equal(sets, 0xf);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_are_those_of_their_triangles),
		cmocka_unit_test(faces_with_other_corners_are_dropped),
		cmocka_unit_test(displacements_are_where_they_lie),
		cmocka_unit_test(bumped_displacements_have_four_sets),
		cmocka_unit_test(weights_are_those_of_their_vertices),
		cmocka_unit_test(black_mesas_lump_is_told_by_its_size),
		cmocka_unit_test(other_numbers_of_weights_are_left_out),
		cmocka_unit_test(odd_weights_stay_between_0_and_1),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
