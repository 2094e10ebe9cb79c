/* Promise: if surfaces before a displacement are dropped, all of the displacement's data moves up with its vertices and
 * triangles: positions, texture coordinates, weights and tags. One thread writes each surface directly at its final
 * position. Several threads write surfaces elsewhere, and then move them. The mesh is the same in both cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stages/geometry/geometry.h"
#include "support/check/faces.h"

/* The polygons fill one piece and begin a second one. The displacements are in the second. */
enum {
	POLYGONS = BSPI_SURFACES_PER_PIECE + 50,
	DISPLACEMENTS = 6,
	POWER = 2,
	SIDE = (1 << POWER) + 1,
	VERTICES = SIDE * SIDE,
	TRIANGLES = 2 << 2 * POWER,
	SIZE = 64
};

typedef struct records {
	bspi_dispinfo infos[DISPLACEMENTS];
	bspi_disp_vertex vertices[DISPLACEMENTS * VERTICES];
	bspi_disp_blend blends[DISPLACEMENTS * VERTICES];
	bspi_disp_triangle triangles[DISPLACEMENTS * TRIANGLES];
} records;

/* Returns a weight that differs for each vertex and each channel. */
static float weight_of(uint32_t displacement, uint32_t vertex, int channel)
{
	return (float)(4 * (displacement * VERTICES + vertex) + (uint32_t)channel + 1) / (4 * DISPLACEMENTS * VERTICES + 1);
}

static float alpha_of(uint32_t displacement, uint32_t vertex)
{
	return (float)(displacement * VERTICES + vertex + 1);
}

static uint8_t tag_of(uint32_t displacement, uint32_t triangle)
{
	return (displacement + triangle) % 3 ? BSPSCENE_TRIANGLE_TAG_WALKABLE : BSPSCENE_TRIANGLE_TAG_SURFACE;
}

static void fill_records(records *r)
{
	for (uint32_t d = 0; d < DISPLACEMENTS; d++) {
		r->infos[d] = (bspi_dispinfo) {
			.start = { (float)(d * SIZE), 0, 0 },
			.first_vertex = (int32_t)(d * VERTICES),
			.first_triangle = (int32_t)(d * TRIANGLES),
			.power = POWER,
			.flags = BSPI_DISP_BLENDED,
			.first_blend = (int32_t)(d * VERTICES),
		};
		for (uint32_t k = 0; k < 8; k++) r->infos[d].neighbors[k].dispinfo = -1;
		for (uint32_t v = 0; v < VERTICES; v++) {
			r->vertices[d * VERTICES + v] = (bspi_disp_vertex) {
				.direction = { 0, 0, 1 },
				.distance = (float)v,
				.alpha = alpha_of(d, v),
			};
			for (int k = 0; k < 4; k++) r->blends[d * VERTICES + v].weights[k] = weight_of(d, v, k);
		}
		for (uint32_t t = 0; t < TRIANGLES; t++) r->triangles[d * TRIANGLES + t].tags = tag_of(d, t);
	}
}

static void add_polygons(bspt_faces *f)
{
	for (uint32_t i = 0; i < POLYGONS; i++) {
		float x = (float)(i % 100) * 8, y = 1000 + (float)(i / 100) * 8,
			  width = i % 3 ? 4 : 0; /* every third polygon has no area */
		const float corners[4][3] = { { x, y, 0 }, { x, y + 4, 0 }, { x + width, y + 4, 0 }, { x + width, y, 0 } };
		bspt_add_polygon(f, corners, 4);
	}
}

static void add_displacements(bspt_faces *f, records *r)
{
	for (uint32_t d = 0; d < DISPLACEMENTS; d++) {
		float x = (float)(d * SIZE);
		const float corners[4][3] = { { x, 0, 0 }, { x, SIZE, 0 }, { x + SIZE, SIZE, 0 }, { x + SIZE, 0, 0 } };
		bspi_face *face = bspt_add_polygon(f, corners, 4);
		face->kind = BSPI_FACE_DISPLACEMENT;
		face->dispinfo = (int32_t)d;
	}
	f->map.dispinfos = r->infos;
	f->map.dispinfos_count = DISPLACEMENTS;
	f->map.disp_vertices = r->vertices;
	f->map.disp_vertices_count = DISPLACEMENTS * VERTICES;
	f->map.disp_blends = r->blends;
	f->map.disp_blends_count = DISPLACEMENTS * VERTICES;
	f->map.disp_triangles = r->triangles;
	f->map.disp_triangles_count = DISPLACEMENTS * TRIANGLES;
}

static void build(bspt_faces *f, records *r, uint32_t threads)
{
	bspt_begin_faces(f);
	fill_records(r);
	add_polygons(f);
	add_displacements(f, r);
	f->ctx.options.threads = threads;
	bspt_build_faces(f);
}

static void check_displacement(const bspscene_mesh *mesh, const bspscene_face *face, uint32_t number)
{
	assert_int_equal(face->vertex_count, VERTICES);
	assert_int_equal(face->index_count, 3 * TRIANGLES);
	for (uint32_t v = 0; v < VERTICES; v++) {
		uint32_t at = face->first_vertex + v;
		assert_true(mesh->positions[3 * at + 2] == (float)v);
		assert_float_equal(mesh->blend_alphas[at], alpha_of(number, v) / 255, 1e-6);
		for (int k = 0; k < 4; k++)
			assert_float_equal(mesh->blend_weights[4 * at + (uint32_t)k], weight_of(number, v, k), 0);
	}
	for (uint32_t t = 0; t < TRIANGLES; t++) {
		assert_int_equal(mesh->triangle_tags[face->first_index / 3 + t], tag_of(number, t));
	}
}

static void check_array(const char *name, const void *one, const void *other, size_t size)
{
	if (!one != !other || (one && memcmp(one, other, size))) fail_msg("%s differ by threads", name);
}

static void check_same(const bspscene_mesh *a, const bspscene_mesh *b)
{
	assert_int_equal(a->vertex_count, b->vertex_count);
	assert_int_equal(a->index_count, b->index_count);
	size_t floats = a->vertex_count * sizeof(float);
	check_array("positions", a->positions, b->positions, 3 * floats);
	check_array("normals", a->normals, b->normals, 3 * floats);
	check_array("uvs", a->uvs, b->uvs, 2 * floats);
	check_array("lightmap uvs", a->lightmap_uvs, b->lightmap_uvs, 2 * floats);
	check_array("blend alphas", a->blend_alphas, b->blend_alphas, floats);
	check_array("blend weights", a->blend_weights, b->blend_weights, 4 * floats);
	check_array("colors", a->colors, b->colors, 4 * (size_t)a->vertex_count);
	check_array("indices", a->indices, b->indices, a->index_count * sizeof(uint32_t));
	check_array("tags", a->triangle_tags, b->triangle_tags, a->index_count / 3);
}

static void displacements_move_whole(void **state)
{
	static const uint32_t thread_counts[] = { 1, 2, 8 };
	bspt_faces by_one, f;
	static records of_one, r;
	(void)state;
	build(&by_one, &of_one, 1);
	for (size_t i = 0; i < sizeof thread_counts / sizeof *thread_counts; i++) {
		build(&f, &r, thread_counts[i]);
		assert_int_equal(f.scene.mesh_count, 1);
		assert_true(f.scene.face_count < POLYGONS);
		for (uint32_t d = 0; d < DISPLACEMENTS; d++) {
			const bspscene_face *face = bspt_face_of(&f, POLYGONS + d);
			assert_non_null(face);
			check_displacement(f.scene.meshes[0], face, d);
		}
		check_same(by_one.scene.meshes[0], f.scene.meshes[0]);
		bspt_end_faces(&f);
	}
	bspt_end_faces(&by_one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(displacements_move_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
