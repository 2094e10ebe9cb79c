/* Promise: a wall that is a displacement is divided, moved, lit and textured as in the engine, in every version of its
 * map; an invalid one is dropped and counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/source/build_vbsp.h"

enum { GRID = 5, GRID_VERTICES = GRID * GRID };

/* Turns the wall into a displacement that begins at the wall's third corner. Each vertex has another height and another
 * alpha. */
static void build_displacement(bspt_vbsp *file, const char *variant, int32_t power, float distance, float alpha)
{
	bspi_dispinfo info = { .start = { 64, 64, 0 }, .power = power };
	bspi_disp_vertex moves[GRID_VERTICES];
	for (int i = 0; i < GRID_VERTICES; i++) {
		moves[i] = (bspi_disp_vertex){ { 0, 0, 2 }, distance * (float)i, alpha * (float)i };
	}
	bspi_face bent[BSPT_VBSP_FACES];
	memcpy(bent, bspt_vbsp_faces, sizeof bent);
	bent[BSPT_WALL].dispinfo = 0;
	bspt_vbsp_build(file, bspt_find_variant(&bspi_family_vbsp, variant));
	bspt_vbsp_records(file, VBSP_FACES, BSPI_ARRAY_faces, bent, BSPT_VBSP_FACES);
	bspt_vbsp_records(file, VBSP_DISPINFO, BSPI_ARRAY_dispinfos, &info, 1);
	bspt_vbsp_records(file, VBSP_DISP_VERTICES, BSPI_ARRAY_disp_vertices, moves, GRID_VERTICES);
}

static const bspscene_face *find_face(const bspscene_scene *scene, uint32_t source)
{
	for (uint32_t i = 0; i < scene->face_count; i++) {
		if (scene->faces[i].record == source) return &scene->faces[i];
	}
	fail_msg("face %u is not drawn", (unsigned)source);
	return NULL;
}

static void check_displaced(const bspscene_scene *scene, const bspscene_face *face)
{
	const bspscene_mesh *mesh = scene->meshes[face->mesh];
	assert_int_equal(face->vertex_count, GRID_VERTICES);
	assert_int_equal(face->index_count, 6 * 16);
	for (uint32_t i = 0; i < GRID_VERTICES; i++) {
		const float *at = mesh->positions + 3 * (face->first_vertex + i);
		const float *normal = mesh->normals + 3 * (face->first_vertex + i);
		float row = (float)(i / GRID), column = (float)(i % GRID), blend = 0.1f * (float)i;
		assert_float_equal(at[0], 64 - 16 * column, 1e-4);
		assert_float_equal(at[1], 64 - 16 * row, 1e-4);
		assert_float_equal(at[2], 0.5f * (float)i, 1e-4);
		assert_float_equal(mesh->blend_alphas[face->first_vertex + i], blend < 1 ? blend : 1, 1e-5);
		/* The surface is a plane. It falls by 0.5 for every 16 units along x, and by 2.5 for every 16 units along y. */
		assert_float_equal(normal[0] / normal[2], 0.5f / 16, 1e-4);
		assert_float_equal(normal[1] / normal[2], 2.5f / 16, 1e-4);
		assert_true(normal[2] > 0.9f);
		/* On the flat face, texels are 4 x and 8 - 4 y, in a texture of 512 x 256. */
		const float *uv = mesh->uvs + 2 * (face->first_vertex + i);
		assert_float_equal(uv[0], 4 * at[0] / 512, 1e-5);
		assert_float_equal(uv[1], (8 - 4 * at[1]) / 256, 1e-5);
	}
	/* The grid has 5 x 5 vertices and the face has 5 x 5 luxels. Each vertex lies on the center of a luxel. */
	const bspscene_lightmap_page *page = &scene->lightmap_sets[0].pages[face->lightmap_page];
	for (uint32_t i = 0; i < GRID_VERTICES; i++) {
		const float *uv = mesh->lightmap_uvs + 2 * (face->first_vertex + i);
		assert_float_equal(uv[0] * (float)page->width, (float)face->lightmap_x + (float)(i % GRID) + 0.5f, 1e-3);
		assert_float_equal(uv[1] * (float)page->height, (float)face->lightmap_y + (float)(i / GRID) + 0.5f, 1e-3);
	}
	/* These are the triangles of an even and an odd cell, between which the diagonal alternates. */
	static const uint32_t triangles[] = { 0, 6, 5, 0, 1, 6, 1, 2, 6, 2, 7, 6 };
	for (size_t i = 0; i < sizeof triangles / sizeof *triangles; i++) {
		assert_int_equal(mesh->indices[face->first_index + i] - face->first_vertex, triangles[i]);
	}
}

static void displacements_are_cut_and_moved(void **state)
{
	(void)state;
	static bspt_vbsp file;
	static const char *const variants[] = { "vampire", "source19", "source20", "left4dead2", "strata" };
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
		build_displacement(&file, variants[i], 2, 0.25f, 25.5f);
		bspscene_error error;
		bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
		if (!scene) fail_msg("%s: %s", variants[i], error.message);
		assert_int_equal(scene->counts->displacements, 1);
		const bspscene_face *face = find_face(scene, BSPT_WALL);
		check_displaced(scene, face);
		bspscene_scene_free(scene);
	}
}

static void bad_displacements_are_dropped(void **state)
{
	(void)state;
	static bspt_vbsp file;
	static const struct { int32_t power; float distance; } cases[] = {
		{ 1, 0 }, { 5, 0 }, { -1, 0 }, { 3, 0 }, { 2, 1e30f }, { 2, 3e38f },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_vbsp_load f;
		build_displacement(&file, "source20", cases[i].power, cases[i].distance, 0);
		assert_true(bspt_vbsp_read(&f, &file));
		if (f.map.faces[BSPT_WALL].kind != BSPI_FACE_DROPPED) fail_msg("case %zu is kept", i);
		assert_int_equal(bspt_vbsp_warnings(&f, BSPSCENE_WARNING_FACE_DROPPED), 1);
		bspt_vbsp_end(&f);
	}
	bspt_vbsp_load f;
	build_displacement(&file, "source20", 2, 0, 0);
	bspt_vbsp_entry(&file, VBSP_DISPINFO, 0, 0, 0, 0);
	assert_true(bspt_vbsp_read(&f, &file));
	assert_int_equal(f.map.faces[BSPT_WALL].kind, BSPI_FACE_DROPPED);
	bspt_vbsp_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(displacements_are_cut_and_moved),
		cmocka_unit_test(bad_displacements_are_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
