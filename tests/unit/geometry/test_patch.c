/* Promise: no point of a patch's triangles is further from the patch's surface than patch_error. Patches that share a
 * border have the same vertices there, to the last bit. Normals, uvs and colors follow the surface, even if control
 * points coincide. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "stages/geometry/geometry.h"
#include "support/check/faces.h"
#include "support/check/patch_cracks.h"
#include "support/check/patch_error.h"
#include "support/random.h"

typedef float point[3];

static uint64_t seed;

/* Returns a random number from -size to size. */
static float random_float(float size)
{
	return ((float)(bspt_random(&seed) >> 8) / 8388608.0f - 1) * size;
}

/* ---- Distance from the surface ----------------------------------------------------------------------------- */

static double error_of(const bspt_faces *f, uint32_t face)
{
	return bspt_patch_error(&f->build, bspt_face_of(f, face));
}

/* Makes control points of a random sheet, which is bent, bumped and twisted, so that every kind of patch occurs. */
static void make_sheet(point *controls, uint32_t width, uint32_t height, float size, float bump)
{
	float bend = random_float(size), twist = random_float(size);
	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width; x++) {
			float *p = controls[y * width + x];
			float u = (float)x / (float)(width - 1), v = (float)y / (float)(height - 1);
			p[0] = u * size;
			p[1] = -v * size;
			p[2] = bend * u * u + twist * u * v + random_float(bump);
		}
	}
}

static void test_error_bound(void **state)
{
	(void)state;
	static const float errors[] = { 0.5f, 4, 32 };
	static const float bumps[] = { 0, 30, 200 };
	seed = 7;
	for (int i = 0; i < 60; i++) {
		point controls[7 * 5];
		bspt_faces f;
		bspt_begin_faces(&f);
		f.ctx.options.patch_error = errors[i % 3];
		make_sheet(controls, 7, 5, 400, bumps[i / 3 % 3]);
		/* Some control points are repeated, which makes sharp corners or uneven spacing. */
		if (i % 4 == 3) bspi_copy3(controls[2], controls[1]);
		if (i % 5 == 4) bspi_copy3(controls[16], controls[17]);
		bspt_add_patch(&f, (const point *)controls, 7, 5);
		bspt_build_faces(&f);
		assert_int_equal(f.ctx.warning_count, 0);
		double error = error_of(&f, 0);
		if (error > (double)errors[i % 3]) {
			fail_msg("patch %d: %g from its surface, %g allowed", i, error, (double)errors[i % 3]);
		}
		bspt_end_faces(&f);
	}
}

/* The patch is bent in both directions. The error of each bend, 3.9 units, is allowed, but their sum exceeds 4. */
static void test_dome(void **state)
{
	(void)state;
	point controls[9];
	for (uint32_t i = 0; i < 9; i++) {
		controls[i][0] = 100 * (float)(i % 3);
		controls[i][1] = -100 * (float)(i / 3);
		controls[i][2] = 7.8f * (float)((i % 3 == 1) + (i / 3 == 1));
	}
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_patch(&f, (const point *)controls, 3, 3);
	bspt_build_faces(&f);
	assert_true(error_of(&f, 0) <= 4);
	bspt_end_faces(&f);
}

/* If a surface is bent in one direction only, it must get exactly as many strips as tr_curve.c of Quake III makes. The
 * surface is a quarter of a cylinder. */
static void test_levels(void **state)
{
	(void)state;
	static const struct {
		float radius, error;
		uint32_t strips;
	} cases[] = {
		{ 8, 4, 1 }, { 11, 4, 1 }, { 12, 4, 2 }, { 45, 4, 2 }, { 46, 4, 4 }, { 100, 4, 4 }, { 181, 4, 4 },
		{ 182, 4, 8 }, { 100, 1, 8 }, { 100, 64, 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		float r = cases[i].radius;
		const point controls[9] = {
			{ r, 0, 64 }, { r, r, 64 }, { 0, r, 64 }, { r, 0, 0 }, { r, r, 0 }, { 0, r, 0 }, { r, 0, -64 },
			{ r, r, -64 }, { 0, r, -64 },
		};
		bspt_faces f;
		bspt_begin_faces(&f);
		f.ctx.options.patch_error = cases[i].error;
		bspt_add_patch(&f, controls, 3, 3);
		bspt_build_faces(&f);
		assert_int_equal(bspt_surface_of(&f, 0)->patch_columns, cases[i].strips + 1);
		assert_int_equal(bspt_surface_of(&f, 0)->patch_rows, 2);
		assert_int_equal(f.scene.meshes[0]->index_count, 6 * cases[i].strips);
		bspt_end_faces(&f);
	}
}

/* In FAKK, a patch may request a smaller error than the caller, never a larger one. */
static void test_own_tolerance(void **state)
{
	(void)state;
	static const point controls[9] = {
		{ 100, 0, 64 }, { 100, 100, 64 }, { 0, 100, 64 }, { 100, 0, 0 }, { 100, 100, 0 }, { 0, 100, 0 },
		{ 100, 0, -64 }, { 100, 100, -64 }, { 0, 100, -64 },
	};
	static const struct { float own; uint32_t strips; } cases[] = { { 0, 4 }, { 1, 8 }, { 90, 4 } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_faces f;
		bspt_begin_faces(&f);
		bspt_add_patch(&f, controls, 3, 3)->subdivisions = cases[i].own;
		bspt_build_faces(&f);
		assert_int_equal(bspt_surface_of(&f, 0)->patch_columns, cases[i].strips + 1);
		bspt_end_faces(&f);
	}
}

/* ---- Neighbors -------------------------------------------------------------------------------------------- */

/* Reorders a patch as another editor could have stored it: transposed, and in reverse. */
static void reorder(point *controls, uint32_t side, bool transpose, bool flip_x, bool flip_y)
{
	point copy[25];
	memcpy(copy, controls, side * side * sizeof *copy);
	for (uint32_t y = 0; y < side; y++) {
		for (uint32_t x = 0; x < side; x++) {
			uint32_t from_x = flip_x ? side - 1 - x : x, from_y = flip_y ? side - 1 - y : y;
			bspi_copy3(controls[y * side + x], copy[transpose ? from_x * side + from_y : from_y * side + from_x]);
		}
	}
}

/* Adds a sheet of 9 patches with 5 x 5 control points each. Neighbors share their borders, and each patch stores its
 * points in another order. */
static void add_quilt(bspt_faces *f, float bump)
{
	point sheet[13 * 13];
	make_sheet(sheet, 13, 13, 900, bump);
	for (uint32_t patch = 0; patch < 9; patch++) {
		point controls[25];
		for (uint32_t i = 0; i < 25; i++) {
			bspi_copy3(controls[i], sheet[(patch / 3 * 4 + i / 5) * 13 + patch % 3 * 4 + i % 5]);
		}
		reorder(controls, 5, patch % 2, patch / 2 % 2, patch / 4 % 2);
		bspt_add_patch(f, (const point *)controls, 5, 5);
	}
}

static void test_shared_borders(void **state)
{
	(void)state;
	seed = 3;
	for (int i = 0; i < 20; i++) {
		bspt_faces f;
		bspt_begin_faces(&f);
		f.ctx.options.patch_error = i % 2 ? 4 : 0.7f;
		add_quilt(&f, 5.0f * (float)i);
		bspt_build_faces(&f);
		bspt_cracks cracks = bspt_find_cracks(&f.build);
		assert_true(cracks.touching > 9 * 8);
		assert_int_equal(cracks.torn + cracks.apart + cracks.on_straight + cracks.open, 0);
		for (uint32_t patch = 0; patch < 9; patch++) {
			assert_true(error_of(&f, patch) <= (double)f.ctx.options.patch_error);
		}
		bspt_end_faces(&f);
	}
}

/* On one side of the border is one curve. On the other side are two curves that together have the same shape, but a
 * bump there needs finer strips. Borders made of different curves may crack, and the search for cracks must find this
 * one. */
static void test_cracks_are_found(void **state)
{
	(void)state;
	static const point one[9] = {
		{ 0, 0, 0 }, { 64, 0, 64 }, { 128, 0, 0 }, { 0, 64, 0 }, { 64, 64, 64 }, { 128, 64, 0 }, { 0, 128, 0 },
		{ 64, 128, 64 }, { 128, 128, 0 },
	};
	static const point halves[15] = {
		{ 0, -128, 0 }, { 32, -128, 256 }, { 64, -128, 0 }, { 96, -128, 256 }, { 128, -128, 0 },
		{ 0, -64, 0 }, { 32, -64, 32 }, { 64, -64, 32 }, { 96, -64, 32 }, { 128, -64, 0 },
		{ 0, 0, 0 }, { 32, 0, 32 }, { 64, 0, 32 }, { 96, 0, 32 }, { 128, 0, 0 },
	};
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_patch(&f, one, 3, 3);
	bspt_add_patch(&f, halves, 5, 3);
	bspt_build_faces(&f);
	assert_true(bspt_find_cracks(&f.build).open > 0);
	bspt_end_faces(&f);
}

/* Adds two bent strips that share a border, except for a difference of `gap`. The second one needs finer strips. */
static void add_pair(bspt_faces *f, float gap)
{
	const point first[9] = {
		{ 0, 128, 0 }, { 64, 128, 32 }, { 128, 128, 0 }, { 0, 64, 0 }, { 64, 64, 32 }, { 128, 64, 0 }, { 0, 0, 0 },
		{ 64, 0, 32 }, { 128, 0, 0 },
	};
	const point second[9] = {
		{ gap, 0, 0 }, { 64, gap, 32 }, { 128, 0, -gap }, { 0, -64, 0 }, { 64, -64, 100 }, { 128, -64, 0 },
		{ 0, -128, 0 }, { 64, -128, 300 }, { 128, -128, 0 },
	};
	bspt_add_patch(f, first, 3, 3);
	bspt_add_patch(f, second, 3, 3);
}

/* Compilers round control points by up to a tenth of a unit, and this rounding is undone. Larger differences were made
 * by mappers, and are kept. */
static void test_welding(void **state)
{
	(void)state;
	static const struct { float gap; bool welded; } cases[] = {
		{ 0, true }, { -0.0f, true }, { 1e-4f, true }, { 0.09f, true }, { 0.125f, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_faces f;
		bspt_begin_faces(&f);
		add_pair(&f, cases[i].gap);
		bspt_build_faces(&f);
		bspt_cracks cracks = bspt_find_cracks(&f.build);
		bool same_columns = bspt_surface_of(&f, 0)->patch_columns == bspt_surface_of(&f, 1)->patch_columns;
		assert_int_equal(same_columns, cases[i].welded);
		assert_int_equal(cracks.torn, 0);
		assert_int_equal(cracks.apart + cracks.open == 0, cases[i].welded);
		const float *moved = f.scene.meshes[0]->positions + 3 * (size_t)bspt_face_of(&f, 1)->first_vertex;
		assert_true(moved[0] == (cases[i].welded ? 0 : cases[i].gap));
		bspt_end_faces(&f);
	}
}

/* A patch of another model with the same border is not a neighbor, because models move. */
static void test_models_are_apart(void **state)
{
	(void)state;
	bspt_faces f;
	bspt_begin_faces(&f);
	add_pair(&f, 0);
	f.map.models[0].face_count = 1;
	f.map.models[1] = (bspi_model){ .first_face = 1, .face_count = 1 };
	f.map.models_count = 2;
	bspt_build_faces(&f);
	assert_int_equal(f.scene.mesh_count, 2);
	assert_true(bspt_surface_of(&f, 0)->patch_columns < bspt_surface_of(&f, 1)->patch_columns);
	bspt_end_faces(&f);
}

/* If a patch exceeds the limit of vertices, it and its neighbor are reduced together, with a warning. */
static void test_limit(void **state)
{
	(void)state;
	point wide[31 * 3], end[3 * 3];
	for (uint32_t i = 0; i < 31 * 3; i++) {
		wide[i][0] = (float)(i % 31) * 100;
		wide[i][1] = -(float)(i / 31) * 100;
		wide[i][2] = i % 2 ? 900 : 0;
	}
	for (uint32_t i = 0; i < 9; i++) {
		bspi_copy3(end[i], wide[i / 3 * 31 + i % 3]);
		end[i][1] += 200;
	}
	for (uint32_t i = 0; i < 3; i++) bspi_copy3(end[6 + i], wide[i]);
	bspt_faces f;
	bspt_begin_faces(&f);
	f.ctx.options.patch_error = 0.25f;
	bspt_add_patch(&f, (const point *)end, 3, 3);
	bspt_add_patch(&f, (const point *)wide, 31, 3);
	bspt_build_faces(&f);
	assert_in_range(bspt_surface_of(&f, 1)->patch_columns, 64, BSPI_PATCH_VERTICES);
	assert_int_equal(bspt_surface_of(&f, 0)->patch_columns - 1, (bspt_surface_of(&f, 1)->patch_columns - 1) / 15);
	assert_int_equal(f.ctx.warning_count, 1);
	assert_int_equal(f.ctx.warnings[0].code, BSPSCENE_WARNING_LIMIT);
	assert_int_equal(f.ctx.warnings[0].count, 1);
	bspt_cracks cracks = bspt_find_cracks(&f.build);
	assert_int_equal(cracks.torn + cracks.apart + cracks.on_straight + cracks.open, 0);
	bspt_end_faces(&f);
}

/* ---- Normals ----------------------------------------------------------------------------------------------- */

static const bspscene_mesh *only_mesh(const bspt_faces *f)
{
	assert_int_equal(f->scene.mesh_count, 1);
	return f->scene.meshes[0];
}

/* Every vertex normal, and every triangle, of a round pillar faces away from its axis; the seam is smooth. */
static void test_tube(void **state)
{
	(void)state;
	static const float ring[9][2] = {
		{ 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 }, { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 }, { 1, 0 },
	};
	point controls[27];
	for (uint32_t i = 0; i < 27; i++) {
		controls[i][0] = ring[i % 9][0] * 64;
		controls[i][1] = ring[i % 9][1] * 64;
		controls[i][2] = 64 * (float)(i / 9);
	}
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_patch(&f, (const point *)controls, 9, 3);
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = only_mesh(&f);
	uint32_t columns = bspt_surface_of(&f, 0)->patch_columns;
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		float out[3] = { mesh->positions[3 * i], mesh->positions[3 * i + 1], 0 };
		assert_true(bspi_normalize(out));
		/* The patch is a parabola. Its normals deviate by up to 6.6 degrees from those of the circle. */
		assert_true(bspi_dot(out, mesh->normals + 3 * (size_t)i) > 0.993f);
	}
	assert_memory_equal(mesh->normals, mesh->normals + 3 * (size_t)(columns - 1), 3 * sizeof(float));
	for (uint32_t i = 0; i < mesh->index_count; i += 3) {
		float u[3], v[3], n[3];
		const float *a = mesh->positions + 3 * (size_t)mesh->indices[i];
		bspi_sub(u, mesh->positions + 3 * (size_t)mesh->indices[i + 1], a);
		bspi_sub(v, mesh->positions + 3 * (size_t)mesh->indices[i + 2], a);
		bspi_cross(n, u, v);
		assert_true(bspi_dot(n, mesh->normals + 3 * (size_t)mesh->indices[i]) > 0);
	}
	bspt_end_faces(&f);
}

/* A tube whose control points form an edge at its seam is shaded as if round, as in the engine. */
static void test_seam(void **state)
{
	(void)state;
	static const float drop[5][2] = { { 96, 0 }, { 32, 64 }, { -32, 0 }, { 32, -64 }, { 96, 0 } };
	point controls[15];
	for (uint32_t i = 0; i < 15; i++) {
		bspi_copy3(controls[i], (float[3]){ drop[i % 5][0], drop[i % 5][1], 64 * (float)(i / 5) });
	}
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_patch(&f, (const point *)controls, 5, 3);
	bspt_build_faces(&f);
	const float *normals = only_mesh(&f)->normals,
	            *last = normals + 3 * (size_t)(bspt_surface_of(&f, 0)->patch_columns - 1);
	assert_true(normals[0] > 0.9999f && last[0] > 0.9999f);
	bspt_end_faces(&f);
}

/* The patch is a quarter of a dome. Its first row is one point, so it has no tangent along the row. */
static void test_pole(void **state)
{
	(void)state;
	static const point controls[9] = {
		{ 0, 0, 100 }, { 0, 0, 100 }, { 0, 0, 100 }, { 0, 100, 100 }, { 100, 100, 100 }, { 100, 0, 100 }, { 0, 100, 0 },
		{ 100, 100, 0 }, { 100, 0, 0 },
	};
	bspt_faces f;
	bspt_begin_faces(&f);
	f.ctx.options.patch_error = 2;
	bspt_add_patch(&f, controls, 3, 3);
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = only_mesh(&f);
	uint32_t columns = bspt_surface_of(&f, 0)->patch_columns, rows = bspt_surface_of(&f, 0)->patch_rows;
	for (uint32_t i = 0; i < columns; i++) assert_true(mesh->normals[3 * i + 2] > 0.999f);
	/* Each quad of the first row keeps one triangle. */
	assert_int_equal(mesh->index_count, 6 * (columns - 1) * (rows - 1) - 3 * (columns - 1));
	bspt_end_faces(&f);
}

static void check_mesh(const bspscene_mesh *mesh)
{
	for (uint32_t i = 0; i < mesh->vertex_count; i++) {
		const float *n = mesh->normals + 3 * (size_t)i;
		assert_true(fabsf(bspi_dot(n, n) - 1) < 1e-5f && bspi_are_finite(mesh->positions + 3 * (size_t)i, 3));
	}
	for (uint32_t i = 0; i < mesh->index_count; i++) {
		uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
		const float *a = mesh->positions + 3 * (size_t)mesh->indices[i],
		            *b = mesh->positions + 3 * (size_t)mesh->indices[next];
		assert_memory_not_equal(a, b, 3 * sizeof(float));
	}
}

/* Patches on both sides of a border share one curve, also if two of its control points coincide. */
static void test_borders_of_doubled_points(void **state)
{
	(void)state;
	for (int end = 0; end < 2; end++) {
		/* To the left of the border x = 0 is a sheet that bends along y. To the right of it is a flat sheet. */
		const float middle = end ? 128.0f : 0;
		const point bent[9] = {
			{ -64, 0, 0 }, { -32, 0, 0 }, { 0, 0, 0 }, { -64, 64, 300 }, { -32, 64, 200 }, { 0, middle, 0 },
			{ -64, 128, 0 }, { -32, 128, 0 }, { 0, 128, 0 },
		};
		const point flat[9] = {
			{ 0, 0, 0 }, { 32, 0, 0 }, { 64, 0, 0 }, { 0, middle, 0 }, { 32, 64, 0 }, { 64, 64, 0 },
			{ 0, 128, 0 }, { 32, 128, 0 }, { 64, 128, 0 },
		};
		bspt_faces f;
		bspt_begin_faces(&f);
		bspt_add_patch(&f, bent, 3, 3);
		bspt_add_patch(&f, flat, 3, 3);
		bspt_build_faces(&f);
		assert_true(bspt_surface_of(&f, 0)->patch_rows > 3);
		assert_int_equal(bspt_surface_of(&f, 0)->patch_rows, bspt_surface_of(&f, 1)->patch_rows);
		bspt_end_faces(&f);
	}
}

/* For any coinciding points there are unit normals, finite numbers, and no triangle with two corners in one place. */
static void test_coinciding_points(void **state)
{
	(void)state;
	seed = 11;
	for (uint32_t mask = 1; mask < 512; mask++) {
		point controls[9];
		make_sheet(controls, 3, 3, 200, 60);
		uint32_t place = 0, coinciding = 0;
		while (!(mask >> place & 1)) place++;
		for (uint32_t i = 0; i < 9; i++) {
			if (!(mask >> i & 1)) continue;
			bspi_copy3(controls[i], controls[place]);
			coinciding++;
		}
		bspt_faces f;
		bspt_begin_faces(&f);
		bspt_add_patch(&f, (const point *)controls, 3, 3);
		bspt_build_faces(&f);
		/* With all points but one coinciding, a patch may be a line, which has no triangles. */
		assert_true(f.scene.mesh_count == 1 || coinciding >= 8);
		if (f.scene.mesh_count) check_mesh(f.scene.meshes[0]);
		bspt_end_faces(&f);
	}
}

/* ---- Everything else that a vertex has --------------------------------------------------------------------- */

static void test_attributes(void **state)
{
	(void)state;
	static const point controls[9] = {
		{ 0, 0, 0 }, { 64, 0, 200 }, { 128, 0, 0 }, { 0, -64, 0 }, { 64, -64, 200 }, { 128, -64, 0 }, { 0, -128, 0 },
		{ 64, -128, 200 }, { 128, -128, 0 },
	};
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_patch(&f, controls, 3, 3);
	for (uint32_t i = 0; i < 9; i++) {
		bspi_draw_vertex *v = &f.map.draw_vertices[i];
		v->uv[0] = (float)(i % 3) * (float)(i % 3);
		v->uv[1] = (float)(i / 3);
		for (uint32_t k = 0; k < 4; k++) v->color[k] = (uint8_t)(k == 3 ? 20 * i : 10 * (i % 3));
	}
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = only_mesh(&f);
	uint32_t columns = bspt_surface_of(&f, 0)->patch_columns, last = mesh->vertex_count - 1, middle = columns / 2;
	assert_true(mesh->uvs[0] == 0 && mesh->uvs[1] == 0 && mesh->uvs[2 * last] == 4 && mesh->uvs[2 * last + 1] == 2);
	assert_true(mesh->uvs[2 * middle] == 0.25f * 0 + 0.5f * 1 + 0.25f * 4);
	assert_int_equal(mesh->colors[4 * last], 20);
	assert_int_equal(mesh->colors[4 * last + 3], 160);
	assert_int_equal(mesh->colors[4 * middle], 10);
	assert_int_equal(mesh->colors[4 * middle + 3], 20);
	bspt_end_faces(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_bound), cmocka_unit_test(test_dome), cmocka_unit_test(test_levels),
		cmocka_unit_test(test_own_tolerance),
		cmocka_unit_test(test_shared_borders), cmocka_unit_test(test_cracks_are_found), cmocka_unit_test(test_welding),
		cmocka_unit_test(test_models_are_apart), cmocka_unit_test(test_limit), cmocka_unit_test(test_tube),
		cmocka_unit_test(test_seam), cmocka_unit_test(test_pole),
		cmocka_unit_test(test_borders_of_doubled_points),
		cmocka_unit_test(test_coinciding_points), cmocka_unit_test(test_attributes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
