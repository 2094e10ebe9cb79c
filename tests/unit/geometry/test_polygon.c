/* Promise: a convex polygon becomes triangles that cover it exactly once, use every vertex (so that there are no
 * T-junctions) and have an area each, also if compilers left vertices inside straight sides. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "support/check/faces.h"

#define SMALLEST_HEIGHT 0.02           /* least height of a triangle, in game units */

/* Corners are clockwise seen from above, which is the front. */
typedef struct polygon_case {
	const char *what;
	double area;
	uint32_t count;
	float corners[16][3];
} polygon_case;

static const polygon_case cases[] = {
	{ "triangle", 2048, 3, { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 0, 0 } } },
	{ "quad", 4096, 4, { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 0, 0 } } },
	{ "starts in a side", 4096, 5, { { 0, 32, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 0, 0 }, { 0, 0, 0 } } },
	{ "starts at a divided side", 4096, 5, { { 0, 0, 0 }, { 0, 32, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 0, 0 } } },
	{ "ends at a divided side", 4096, 5, { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 0, 0 }, { 32, 0, 0 } } },
	{ "all sides divided", 4096, 8,
	  { { 0, 0, 0 }, { 0, 10, 0 }, { 0, 64, 0 }, { 20, 64, 0 }, { 64, 64, 0 }, { 64, 30, 0 }, { 64, 0, 0 },
	    { 40, 0, 0 } } },
	{ "all sides divided twice", 4096, 12,
	  { { 0, 0, 0 }, { 0, 10, 0 }, { 0, 40, 0 }, { 0, 64, 0 }, { 1, 64, 0 }, { 63, 64, 0 }, { 64, 64, 0 },
	    { 64, 32, 0 }, { 64, 31, 0 }, { 64, 0, 0 }, { 40, 0, 0 }, { 20, 0, 0 } } },
	{ "triangle, one side divided: its tip must not go first", 2048, 6,
	  { { 0, 0, 0 }, { 32, 64, 0 }, { 64, 0, 0 }, { 48, 0, 0 }, { 32, 0, 0 }, { 16, 0, 0 } } },
	{ "the same, begun elsewhere", 2048, 6,
	  { { 48, 0, 0 }, { 32, 0, 0 }, { 16, 0, 0 }, { 0, 0, 0 }, { 32, 64, 0 }, { 64, 0, 0 } } },
	{ "vertices a hair off their side", 4096, 6,
	  { { 0, 0, 0 }, { -0.001f, 20, 0 }, { 0.001f, 40, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 0, 0 } } },
	{ "far from the origin", 1024, 5,
	  { { 100000, 100000, 64 }, { 100000, 100016, 64 }, { 100000, 100032, 64 }, { 100032, 100032, 64 },
	    { 100032, 100000, 64 } } },
};

static const float *position(const bspscene_mesh *mesh, uint32_t corner)
{
	return mesh->positions + 3 * (size_t)mesh->indices[corner];
}

/* Returns the signed area as seen from above, which is negative if the triangle is clockwise. */
static double signed_area(const float *a, const float *b, const float *c)
{
	double ux = (double)b[0] - (double)a[0], uy = (double)b[1] - (double)a[1];
	double vx = (double)c[0] - (double)a[0], vy = (double)c[1] - (double)a[1];
	return (ux * vy - uy * vx) / 2;
}

static double longest_side(const float *a, const float *b, const float *c)
{
	double ab = hypot((double)b[0] - (double)a[0], (double)b[1] - (double)a[1]);
	double bc = hypot((double)c[0] - (double)b[0], (double)c[1] - (double)b[1]);
	double ca = hypot((double)a[0] - (double)c[0], (double)a[1] - (double)c[1]);
	return fmax(ab, fmax(bc, ca));
}

#define REQUIRE(c, condition) \
	do { \
		if (!(condition)) fail_msg("%s: " #condition, (c)->what); \
	} while (0)

static void check_triangles(const polygon_case *c, const bspscene_mesh *mesh)
{
	bool used[16] = { false };
	double sum = 0;
	REQUIRE(c, mesh->vertex_count == c->count);
	REQUIRE(c, mesh->index_count == 3 * (c->count - 2));
	for (uint32_t i = 0; i < mesh->index_count; i += 3) {
		double area = signed_area(position(mesh, i), position(mesh, i + 1), position(mesh, i + 2));
		double height = 2 * area / longest_side(position(mesh, i), position(mesh, i + 1), position(mesh, i + 2));
		REQUIRE(c, height > SMALLEST_HEIGHT);
		sum += area;
		for (uint32_t k = 0; k < 3; k++) used[mesh->indices[i + k]] = true;
	}
	REQUIRE(c, fabs(sum - c->area) < 0.2);
	for (uint32_t i = 0; i < c->count; i++) REQUIRE(c, used[i]);
}

static void test_triangles(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_faces f;
		bspt_begin_faces(&f);
		bspt_add_polygon(&f, cases[i].corners, cases[i].count);
		bspt_build_faces(&f);
		check_triangles(&cases[i], f.scene.meshes[0]);
		bspt_end_faces(&f);
	}
}

/* Compilers left polygons like these in maps of LibreQuake and Quake II. Some have spikes on their sides, others have
 * corners that rounding moved inward. Their triangles must cover the area once and face forward. */
static void test_polygons_that_are_not_quite_convex(void **state)
{
	static const polygon_case odd[] = {
		{ "a spike on a side", 4096, 7,
		  { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 1, 0 }, { 64, 0.5f, 0 }, { 64, 1, 0 }, { 64, 0, 0 } } },
		{ "a spike beyond a corner", 4096, 6,
		  { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64.1f, 64.2f, 0 }, { 64, 64, 0 }, { 64, 0, 0 } } },
		{ "a spike on a spike", 4096, 8,
		  { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 66, 64, 0 }, { 67, 65, 0 }, { 66, 64, 0 }, { 64, 64, 0 },
		    { 64, 0, 0 } } },
		{ "a spike where it starts", 4096, 6,
		  { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 0, 0 }, { 0, 0, 0 }, { -1, 0, 0 } } },
		{ "one point twice", 4096, 5, { { 0, 0, 0 }, { 0, 64, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 64, 0, 0 } } },
		{ "a side bent inwards", 4090.4, 5,
		  { { 0, 0, 0 }, { 0, 64, 0 }, { 64, 64, 0 }, { 63.825f, 32, 0 }, { 64, 0, 0 } } },
	};
	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		double sum = 0;
		bspt_faces f;
		bspt_begin_faces(&f);
		bspt_add_polygon(&f, odd[i].corners, odd[i].count);
		bspt_build_faces(&f);
		const bspscene_mesh *mesh = f.scene.meshes[0];
		for (uint32_t k = 0; k < mesh->index_count; k += 3) {
			double area = signed_area(position(mesh, k), position(mesh, k + 1), position(mesh, k + 2));
			REQUIRE(&odd[i], area > 0);
			sum += area;
		}
		REQUIRE(&odd[i], fabs(sum - odd[i].area) < 0.2);
		bspt_end_faces(&f);
	}
}

/* A polygon without area gives no triangles. */
static void test_straight_polygon(void **state)
{
	(void)state;
	static const float corners[][3] = { { 0, 0, 0 }, { 8, 0, 0 }, { 16, 0, 0 }, { 24, 0, 0 }, { 12, 0, 0 } };
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_polygon(&f, corners, 5);
	bspt_build_faces(&f);
	assert_int_equal(f.scene.mesh_count, 0);
	bspt_end_faces(&f);
}

/* The polygon has more corners than any in games, so many that a quadratic search would take long. */
static void test_large_polygon(void **state)
{
	(void)state;
	enum { COUNT = 20000 };
	float (*corners)[3] = malloc(COUNT * sizeof *corners);
	assert_non_null(corners);
	for (int i = 0; i < COUNT; i++) {
		double angle = -2 * 3.14159265358979 * i / COUNT;
		corners[i][0] = (float)(50000 * cos(angle));
		corners[i][1] = (float)(50000 * sin(angle));
		corners[i][2] = 0;
	}
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_polygon(&f, (const float (*)[3])corners, COUNT);
	bspt_build_faces(&f);
	double sum = 0;
	const bspscene_mesh *mesh = f.scene.meshes[0];
	for (uint32_t i = 0; i < mesh->index_count; i += 3) {
		sum += signed_area(position(mesh, i), position(mesh, i + 1), position(mesh, i + 2));
	}
	assert_int_equal(mesh->index_count, 3 * (COUNT - 2));
	assert_true(fabs(sum / (3.14159265358979 * 50000.0 * 50000.0) - 1) < 1e-6);
	bspt_end_faces(&f);
	free(corners);
}

static void test_normal_follows_side(void **state)
{
	(void)state;
	bspt_faces f;
	bspt_begin_faces(&f);
	bspt_add_polygon(&f, cases[1].corners, 4);
	bspt_add_polygon(&f, cases[1].corners, 4)->side = 1;
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = f.scene.meshes[0];
	for (uint32_t i = 0; i < 8; i++) assert_true(mesh->normals[3 * i + 2] == (i < 4 ? 1.0f : -1.0f));
	bspt_end_faces(&f);
}

/* The plane faces up, but the corners turn the other way. */
static void test_a_face_against_its_plane_is_turned(void **state)
{
	static const float corners[4][3] = { { 0, 0, 0 }, { 64, 0, 0 }, { 64, 64, 0 }, { 0, 64, 0 } };
	(void)state;
	bspt_faces f;
	bspt_begin_faces(&f);
	bspi_face *face = bspt_add_polygon(&f, corners, 4);
	f.map.planes[face->plane].normal[2] = 1;
	bspt_build_faces(&f);
	const bspscene_mesh *mesh = f.scene.meshes[0];
	assert_int_equal(mesh->index_count, 6);
	for (uint32_t i = 0; i < mesh->index_count; i += 3) {
		assert_true(signed_area(position(mesh, i), position(mesh, i + 1), position(mesh, i + 2)) > 0);
	}
	bspt_end_faces(&f);
}

static void test_uvs(void **state)
{
	(void)state;
	static const struct {
		uint32_t width, height;
		float s_offset;
		/* expected uv of the corner (64, 64, 0), whose texels are (x + s_offset, -y) */
		float want[2];
	} uv_cases[] = {
		{ 128, 32, 0, { 0.5f, -2 } },
		{ 128, 32, 16, { 0.625f, -2 } },
		{ 0, 0, 0, { 1, -1 } },        /* if the size is unknown, 64 is assumed */
		{ 128, 32, 3e38f, { 0, -2 } }, /* texture coordinates that are not finite become 0 */
	};
	for (size_t i = 0; i < sizeof uv_cases / sizeof *uv_cases; i++) {
		bspt_faces f;
		bspt_begin_faces(&f);
		f.materials[3].width = uv_cases[i].width;
		f.materials[3].height = uv_cases[i].height;
		f.map.texinfos[0].texture_vectors[0][3] = uv_cases[i].s_offset;
		bspt_add_polygon(&f, cases[1].corners, 4)->texture = 3;
		bspt_build_faces(&f);
		const float *uv = f.scene.meshes[0]->uvs + 2 * 2;
		assert_true(uv[0] == uv_cases[i].want[0] && uv[1] == uv_cases[i].want[1]);
		bspt_end_faces(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_triangles), cmocka_unit_test(test_polygons_that_are_not_quite_convex),
		cmocka_unit_test(test_straight_polygon), cmocka_unit_test(test_large_polygon),
		cmocka_unit_test(test_a_face_against_its_plane_is_turned), cmocka_unit_test(test_normal_follows_side),
		cmocka_unit_test(test_uvs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
