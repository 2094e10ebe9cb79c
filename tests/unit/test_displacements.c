/* Promise: displacements of Source maps carry what their compiler gave them: weights of four textures where these are proven
 * to belong to them, and nothing where they are not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "families/vbsp_tables.h"
#include "support/build_map.h"
#include "support/check_scene.h"
#include "support/scene_find.h"

/* Faces of the room, in build_source.c: 5 x 5 vertices with weights, 9 x 9 without. */
enum { TERRAIN = 4, FINE_TERRAIN = 5, WEIGHTED = 25, PLAIN = 81, BLEND_SIZE = 80 };

static const bspi_variant *variant_named(const char *name)
{
	for (uint32_t i = 0; i < bspi_family_vbsp.variant_count; i++) {
		if (!strcmp(bspi_family_vbsp.variants[i].name, name)) return &bspi_family_vbsp.variants[i];
	}
	fail_msg("no variant %s", name);
	return NULL;
}

static bspscene_scene *load(const bspi_variant *variant, const bspt_parts *parts)
{
	bspscene_error error;
	bspt_bytes file = bspt_encode_parts(variant, parts);
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
	if (!scene) fail_msg("%s: %s", variant->title, error.message);
	free(file.data);
	return scene;
}

/* ---- Weights ---------------------------------------------------------------------------------------------- */

/* A quarter of the ground for each corner's texture, see build_source.c. */
static void check_weights(const bspscene_scene *scene)
{
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *terrain = bspt_find_face(scene, mesh, TERRAIN), *plain = bspt_find_face(scene, mesh, FINE_TERRAIN);
	assert_non_null(mesh->blend_weights);
	assert_true(terrain && plain && terrain->vertex_count == WEIGHTED && plain->vertex_count == PLAIN);
	const float *weights = mesh->blend_weights + 4 * (size_t)terrain->first_vertex;
	for (uint32_t i = 0; i < WEIGHTED; i++, weights += 4) {
		float along = (float)(i % 5) / 4, up = (float)(i / 5) / 4;
		const float want[4] = { (1 - along) * (1 - up), along * (1 - up), (1 - along) * up, along * up };
		for (int k = 0; k < 4; k++) assert_float_equal(weights[k], want[k], 1e-6);
		/* Who knows two textures only gets the second one's share. */
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
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspscene_scene *scene = load(variant, &parts);
		check_weights(scene);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 0);
		bspscene_scene_free(scene);
	}
}

/* The weights of Black Mesa are in the lump that elsewhere says what overlays ask of a machine. */
static void black_mesas_lump_is_told_by_its_size(void **state)
{
	(void)state;
	const bspi_variant *variant = variant_named("source20");
	static const struct { size_t size; bool taken; } cases[] = {
		{ WEIGHTED * BLEND_SIZE, true }, { WEIGHTED * BLEND_SIZE - 4, false }, { (WEIGHTED + 1) * BLEND_SIZE, false }, { 0, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[(WEIGHTED + 1) * BLEND_SIZE] = { 0 };
		bspt_parts parts;
		assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
		bspt_encode(&bspi_vbsp_disp_blend, parts.map.disp_blends, WEIGHTED, bytes);
		parts.raw[VBSP_OVERLAY_LEVELS] = bspi_bytes_of(bytes, cases[i].size);
		parts.map.disp_blends_count = 0;
		bspscene_scene *scene = load(variant, &parts);
		if (cases[i].taken) check_weights(scene);
		else assert_null(bspt_find_mesh(scene, "worldspawn")->blend_weights);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), !cases[i].taken);
		bspscene_scene_free(scene);
	}
}

/* Nothing in the lump says whose weights they are: when the number is not that of the flagged displacements' vertices, they
 * are nobody's, and the alphas count as without the lump. */
static void other_numbers_of_weights_are_left_out(void **state)
{
	(void)state;
	const bspi_variant *variant = variant_named("source21");
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
		bspscene_scene *scene = load(variant, &parts);
		const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
		const bspscene_face *terrain = bspt_find_face(scene, mesh, TERRAIN);
		assert_null(mesh->blend_weights);
		if (terrain) assert_float_equal(mesh->blend_alphas[terrain->first_vertex + 24], 24 / 255.0f, 1e-6);
		assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_LUMP_BAD), 1);
		bspscene_scene_free(scene);
	}
}

/* Real alphas leave 0..255 too. */
static void odd_weights_stay_between_0_and_1(void **state)
{
	(void)state;
	const bspi_variant *variant = variant_named("source21");
	const float odd[] = { -2112, 1.5f, NAN, INFINITY, -INFINITY, 3e38f };
	const float want[] = { 0, 1, 0, 1, 0, 1 };
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_vbsp, variant, &parts));
	bspi_disp_blend blends[WEIGHTED];
	for (uint32_t i = 0; i < WEIGHTED; i++) {
		for (uint32_t k = 0; k < 4; k++) blends[i].weights[k] = odd[(i + k) % 6];
	}
	parts.map.disp_blends = blends;
	bspscene_scene *scene = load(variant, &parts);
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const float *weights = mesh->blend_weights + 4 * (size_t)bspt_find_face(scene, mesh, TERRAIN)->first_vertex;
	for (uint32_t i = 0; i < 4 * WEIGHTED; i++) assert_float_equal(weights[i], want[(i / 4 + i % 4) % 6], 0);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_those_of_their_vertices),
		cmocka_unit_test(black_mesas_lump_is_told_by_its_size),
		cmocka_unit_test(other_numbers_of_weights_are_left_out),
		cmocka_unit_test(odd_weights_stay_between_0_and_1),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
