/* Promise: Call of Duty 4's maps are read from chunks that follow each other. If the map has layered surfaces, these
 * are used. A lightmap page of the scene has the light that the game computes: ambient light plus directed light plus
 * the light of the sun. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/make/build_map.h"
#include "support/map/map_reading.h"
#include "support/store.h"

enum { LIGHT = 1, SIDE_EDGES = 6, PLANE_SIDE = 512, SIDE = 1024, PLANE = PLANE_SIDE * PLANE_SIDE * 4, PAGE = 3 * PLANE,
       DIRECTORY_AT = 12, FILE_PLANES = 2, BOX_SIDES = 6 };

static const bspi_variant *variant(void) { return &bspi_family_callofduty4.variants[0]; }

static bspt_parts room(void)
{
	bspt_parts parts;
	assert_true(bspt_room_parts(&bspi_family_callofduty4, variant(), &parts));
	return parts;
}

static void read_well(bspt_reading *f, bspt_bytes file)
{
	if (!bspt_read_bytes(f, file.data, file.size, true)) fail_msg("%s", f->ctx.error.message);
}

/* A chunk of odd length does not shift the following ones. */
static void chunks_follow_each_other(void **state)
{
	(void)state;
	bspt_parts parts = room();
	parts.raw[SIDE_EDGES] = bspi_bytes_of("\4\4\4\4\4", 5);
	bspt_bytes file = bspt_encode_parts(variant(), &parts);
	bspt_reading f;
	read_well(&f, file);
	assert_int_equal(f.map.faces_count, 2);
	assert_int_equal(f.map.models_count, 2);
	assert_int_equal(f.map.models[1].face_count, 0);
	assert_int_equal(f.map.models[1].brush_count, 1);
	assert_int_equal(f.map.planes_count, FILE_PLANES + 2 * BOX_SIDES);
	assert_true(f.map.planes[FILE_PLANES + 1].distance == 256);
	assert_int_equal(f.map.faces[0].texture, 1);
	assert_int_equal(f.map.faces[1].texture, 0);
	assert_int_equal(f.map.faces[0].lightmap[0], BSPI_PAGE_BY_VERTEX);
	bspt_end_reading(&f);
	free(file.data);
}

static void simple_surfaces_stand_in(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspi_model models[2] = { parts.map.models[0], parts.map.models[1] };
	parts.map.faces_count = parts.map.draw_vertices_count = parts.map.draw_indices_count = 0;
	models[0].face_count = 0;
	parts.map.models = models;
	bspt_bytes file = bspt_encode_parts(variant(), &parts);
	bspt_reading f;
	read_well(&f, file);
	assert_int_equal(f.map.faces_count, 2);
	assert_int_equal(f.map.models[0].face_count, 2);
	assert_int_equal(f.map.faces[1].texture, 1);
	assert_int_equal(f.map.draw_vertices_count, 7);
	bspt_end_reading(&f);
	free(file.data);
}

/* ---- Broken directories ----------------------------------------------------------------------------------- */

static void expect_refused(bspt_bytes file, bspscene_status status, const char *says)
{
	bspt_reading f;
	assert_false(bspt_read_bytes(&f, file.data, file.size, false));
	if (f.ctx.error.status != status || !strstr(f.ctx.error.message, says)) fail_msg("%s", f.ctx.error.message);
	bspt_end_reading(&f);
}

static void directories_that_lie_are_refused(void **state)
{
	(void)state;
	bspt_parts parts = room();
	bspt_bytes file = bspt_encode_parts(variant(), &parts);
	uint32_t count = bspi_load_u32(file.data + 8), size = bspi_load_u32(file.data + DIRECTORY_AT + 4);
	bspt_store_u32(file.data + 8, 0x20000000);
	expect_refused(file, BSPSCENE_ERROR_BAD_HEADER, "ends in its header");
	bspt_store_u32(file.data + 8, count);
	bspt_store_u32(file.data + DIRECTORY_AT + 4, 0xfffffffe);
	expect_refused(file, BSPSCENE_ERROR_BAD_LUMP, "reach past the end of the file");
	bspt_store_u32(file.data + DIRECTORY_AT + 4, size);
	bspt_store_u32(file.data + DIRECTORY_AT, 4);
	expect_refused(file, BSPSCENE_ERROR_BAD_LUMP, "twice");

	/* Makes a chunk's type unknown, so that it is skipped. */
	bspt_store_u32(file.data + DIRECTORY_AT, 55);
	bspt_reading f;
	assert_true(bspt_read_bytes(&f, file.data, file.size, false));
	assert_true(f.ctx.warning_count > 0); /* warns because no surface has a material */
	assert_int_equal(f.map.models_count, 2);
	bspt_end_reading(&f);
	free(file.data);
}

/* ---- Light ------------------------------------------------------------------------------------------------ */

static uint8_t page[PAGE + 5];

/* Fills the page with ambient light 20 40 60 and directed light 100 80 60, both in the order B G R. `slope` is the byte
 * of the light's direction, where 128 means straight from above. `seen` is the share of the sun's light that arrives:
 * 255 means all of it. */
static void set_page(uint8_t slope, uint8_t seen)
{
	static const uint8_t around[3] = { 20, 40, 60 }, directed[3] = { 100, 80, 60 };
	for (size_t i = 0; i < (size_t)PLANE_SIDE * PLANE_SIDE; i++) {
		memcpy(page + 4 * i, around, 3);
		memcpy(page + PLANE + 4 * i, directed, 3);
		page[4 * i + 3] = slope;
		page[PLANE + 4 * i + 3] = 128;
	}
	memset(page + 2 * (size_t)PLANE, seen, PLANE);
}

static void expect_light(const bspi_map *map, int x, int y, const double expected[3])
{
	const uint8_t *texel = map->lighting.data + 3 * ((size_t)y * SIDE + (size_t)x);
	for (int k = 0; k < 3; k++) {
		if (fabs(texel[k] - expected[k]) > 0.6) fail_msg("%d at %d %d: %d is not %g", k, x, y, texel[k], expected[k]);
	}
}

static void pages_are_sums(void **state)
{
	static const struct { uint8_t slope, seen; } cases[] = { { 128, 0 }, { 128, 255 }, { 192, 128 }, { 255, 255 } };
	static const double sun[3] = { 0.5, 0.25, 0.25 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		set_page(cases[i].slope, cases[i].seen);
		bspt_parts parts = room();
		parts.raw[LIGHT] = bspi_bytes_of(page, PAGE);
		bspt_bytes file = bspt_encode_parts(variant(), &parts);
		bspt_reading f;
		read_well(&f, file);
		assert_int_equal(f.map.lighting.size, SIDE * SIDE * 3);
		assert_int_equal(f.map.faces[0].lightmap[0], 0);
		double x = (cases[i].slope / 255.0 - 0.5) * 4, y = (128 / 255.0 - 0.5) * 4, z = 1 / sqrt(x * x + y * y + 1);
		double flat[3] = { (60 + 60 * z) / 2, (40 + 80 * z) / 2, (20 + 100 * z) / 2 }, lit[3];
		for (int k = 0; k < 3; k++) lit[k] = flat[k] + sun[k] * cases[i].seen / 2;
		expect_light(&f.map, 384, 384, lit);                  /* on the floor */
		expect_light(&f.map, 257, 300, lit);
		expect_light(&f.map, 255, 300, lit);                  /* on the border of the floor */
		expect_light(&f.map, 240, 300, flat);                 /* outside of the floor */
		expect_light(&f.map, 870, 270, flat);                 /* on the wall, which has no primary light */
		bspt_end_reading(&f);
		free(file.data);
	}
}

/* Returns a pseudo-random byte for each texel. */
static uint8_t any_of(size_t i) { return (uint8_t)((i * 2654435761u) >> 13); }

static double between_texels(int x, int y, size_t channel)
{
	double u = fmin(fmax((x + 0.5) / 2 - 0.5, 0), PLANE_SIDE - 1), sum = 0;
	double v = fmin(fmax((y + 0.5) / 2 - 0.5, 0), PLANE_SIDE - 1);
	for (size_t k = 0; k < 4; k++) {
		double column = floor(u) + (double)(k & 1), row = floor(v) + (double)(k >> 1);
		double share = (1 - fabs(u - column)) * (1 - fabs(v - row));
		if (share > 0) sum += share * page[4 * ((size_t)row * PLANE_SIDE + (size_t)column) + channel];
	}
	return sum;
}

static void pages_are_smooth_between_texels(void **state)
{
	(void)state;
	memset(page, 0, sizeof page);
	for (size_t i = 0; i < PLANE; i++) page[i] = any_of(i);
	bspt_parts parts = room();
	parts.raw[LIGHT] = bspi_bytes_of(page, PAGE);
	bspt_bytes file = bspt_encode_parts(variant(), &parts);
	bspt_reading f;
	read_well(&f, file);
	for (int y = 0; y < SIDE; y += y < 3 || y > SIDE - 5 ? 1 : 7) {
		for (int x = 0; x < SIDE; x += x < 3 || x > SIDE - 5 ? 1 : 7) {
			double light[3];
			for (size_t k = 0; k < 3; k++) light[k] = between_texels(x, y, 2 - k) / 2;
			expect_light(&f.map, x, y, light);
		}
	}
	bspt_end_reading(&f);
	free(file.data);
}

/* Returns how far a texel lies inside a triangle, in texels. The result is negative for texels outside. */
static double depth_in(const float corners[3][2], int x, int y)
{
	double least = INFINITY;
	for (int i = 0; i < 3; i++) {
		const float *p = corners[i], *q = corners[(i + 1) % 3], *r = corners[(i + 2) % 3];
		double along[2] = { (double)q[0] - p[0], (double)q[1] - p[1] }, at[2] = { x + 0.5 - p[0], y + 0.5 - p[1] };
		double turn = along[0] * ((double)r[1] - p[1]) - along[1] * ((double)r[0] - p[0]);
		double far = (along[0] * at[1] - along[1] * at[0]) / hypot(along[0], along[1]);
		least = fmin(least, turn > 0 ? far : -far);
	}
	return least;
}

/* Checks that the sun lights the texels of the triangle and a margin of 1.5 texels, because pictures are interpolated
 * between texels. */
static void expect_sun_in(const float corners[3][2])
{
	enum { MARGIN = 6 };
	static const double sun[3] = { 0.5, 0.25, 0.25 };
	bspt_parts parts = room();
	bspi_face faces[2] = { parts.map.faces[0], parts.map.faces[1] };
	bspi_draw_vertex vertices[7];
	assert_int_equal(parts.map.draw_vertices_count, sizeof vertices / sizeof *vertices);
	memcpy(vertices, parts.map.draw_vertices, sizeof vertices);
	faces[0].index_count = 3;
	parts.map.faces = faces;
	parts.map.draw_vertices = vertices;
	for (uint32_t i = 0; i < 3; i++) {
		float *at = vertices[parts.map.draw_indices[faces[0].first_index + (int32_t)i].value].lightmap;
		for (int k = 0; k < 2; k++) at[k] = corners[i][k] / SIDE;
	}
	parts.raw[LIGHT] = bspi_bytes_of(page, PAGE);
	bspt_bytes file = bspt_encode_parts(variant(), &parts);
	bspt_reading f;
	read_well(&f, file);
	double z = 1 / sqrt(2 * pow((128 / 255.0 - 0.5) * 4, 2) + 1);
	double flat[3] = { (60 + 60 * z) / 2, (40 + 80 * z) / 2, (20 + 100 * z) / 2 }, lit[3];
	for (int k = 0; k < 3; k++) lit[k] = flat[k] + sun[k] * 255 / 2;
	for (int y = 100 - MARGIN; y < 150 + MARGIN; y++) {
		for (int x = 100 - MARGIN; x < 150 + MARGIN; x++) {
			double depth = depth_in(corners, x, y);
			/* Outside of the triangle's box, at its sharp corners, the lit margin is shorter. */
			bool beside = x < 99 || x > 150 || y < 99 || y > 150;
			if (depth < -1.51 || (depth > -1.49 && !beside)) expect_light(&f.map, x, y, depth > -1.5 ? lit : flat);
		}
	}
	bspt_end_reading(&f);
	free(file.data);
}

static void the_sun_reaches_triangles(void **state)
{
	/* The corners of the triangle are given in all six orders, which include both winding orders. So each corner of the
	 * list is in turn the leftmost, topmost, rightmost and lowest one. */
	static const float corners[3][2] = { { 100, 117 }, { 150, 100 }, { 131, 150 } };
	static const int orders[][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }, { 1, 0, 2 }, { 0, 2, 1 } };
	(void)state;
	set_page(128, 255);
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		float turned[3][2];
		for (int k = 0; k < 3; k++) memcpy(turned[k], corners[orders[i][k]], sizeof turned[k]);
		expect_sun_in((const float(*)[2])turned);
	}
}

/* Light is clamped to the range of a page; a truncated page is left out. */
static void light_ends_where_pages_do(void **state)
{
	(void)state;
	memset(page, 255, sizeof page);
	for (size_t i = 0; i < 2 * (size_t)PLANE; i += 4) page[i + 3] = 128;
	bspt_parts parts = room();
	parts.raw[LIGHT] = bspi_bytes_of(page, PAGE + 5);
	bspt_bytes file = bspt_encode_parts(variant(), &parts);
	bspt_reading f;
	assert_true(bspt_read_bytes(&f, file.data, file.size, false));
	assert_int_equal(f.map.lighting.size, SIDE * SIDE * 3);
	assert_true(f.ctx.warning_count == 1);
	const double white[3] = { 255, 255, 255 };
	expect_light(&f.map, 384, 384, white);
	bspt_end_reading(&f);
	free(file.data);
}

static void scenes_have_the_light(void **state)
{
	(void)state;
	set_page(128, 255);
	bspt_parts parts = room();
	parts.raw[LIGHT] = bspi_bytes_of(page, PAGE);
	bspscene_scene *scene = bspt_load_parts(variant(), &parts, NULL);
	assert_int_equal(scene->lightmap_set_count, 1);
	assert_true(scene->lightmap_sets[0].intensity == 2);
	assert_int_equal(scene->camera_count, 2);
	assert_int_equal(scene->mesh_count, 1);
	bspscene_scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks_follow_each_other),
		cmocka_unit_test(simple_surfaces_stand_in),
		cmocka_unit_test(directories_that_lie_are_refused),
		cmocka_unit_test(pages_are_sums),
		cmocka_unit_test(pages_are_smooth_between_texels),
		cmocka_unit_test(the_sun_reaches_triangles),
		cmocka_unit_test(light_ends_where_pages_do),
		cmocka_unit_test(scenes_have_the_light),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
