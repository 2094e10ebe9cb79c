/* Promise: displacements of Source maps meet without cracks and have common normals. This holds for any orientation and
 * subdivision, and if neighbors share only a part of an edge. If neighbors have the same subdivision, no vertex is
 * moved. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "families/vbsp/vbsp_tables.h"
#include "support/source/build_displacements.h"
#include "support/check/scene_find.h"

enum { MOST_VERTICES = 17 * 17 };

/* Returns the height of a hilly surface, which is not straight along any line. */
static float hills(float x, float y)
{
	return 24 * sinf(x / 37 + 1) * cosf(y / 29 + 2) + (x * x - x * y) / 1024;
}

static void normal_of_hills(float x, float y, float out[3])
{
	out[0] = -24 / 37.0f * cosf(x / 37 + 1) * cosf(y / 29 + 2) - (2 * x - y) / 1024;
	out[1] = 24 / 29.0f * sinf(x / 37 + 1) * sinf(y / 29 + 2) + x / 1024;
	out[2] = 1;
}

static float cosine(const float a[3], const float b[3])
{
	float lengths = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
	return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / sqrtf(lengths);
}

/* Vertices of the displacements in a loaded scene. */
typedef struct seen {
	const bspt_displacement *piece;
	uint32_t side;
	const float *positions, *normals;
} seen;

static seen see(const bspscene_scene *scene, const bspt_displacement *pieces, uint32_t index)
{
	const bspscene_mesh *mesh = bspt_find_mesh(scene, "worldspawn");
	const bspscene_face *face = bspt_find_face(scene, mesh, index);
	uint32_t side = (1u << pieces[index].power) + 1;
	assert_non_null(face);
	assert_int_equal(face->vertex_count, side * side);
	size_t first = 3 * (size_t)face->first_vertex;
	return (seen){ &pieces[index], side, mesh->positions + first, mesh->normals + first };
}

static float distance_from(const float *vertex, const float at[2])
{
	return hypotf(vertex[0] - at[0], vertex[1] - at[1]);
}

/* Gets the height and the normal that a displacement's border has at a point of the ground. Returns false if the point
 * is not on the border. */
static bool border_at(const seen *s, const float at[2], float *height, float normal[3])
{
	const bspt_displacement *p = s->piece;
	bool beside = at[0] < p->x || at[0] > p->x + p->size || at[1] < p->y || at[1] > p->y + p->size;
	bool inside = at[0] > p->x && at[0] < p->x + p->size && at[1] > p->y && at[1] < p->y + p->size;
	if (beside || inside) return false;
	/* Interpolates between the two nearest vertices, which are on the border too. */
	uint32_t near = 0, next = UINT32_MAX;
	for (uint32_t i = 1; i < s->side * s->side; i++) {
		if (distance_from(s->positions + 3 * i, at) < distance_from(s->positions + 3 * near, at)) near = i;
	}
	float cell = p->size / (float)(s->side - 1), way = distance_from(s->positions + 3 * near, at) / cell;
	for (uint32_t i = 0; i < s->side * s->side; i++) {
		float from_next = distance_from(s->positions + 3 * i, at) / cell;
		if (i != near && fabsf(from_next + way - 1) < 1e-3f) next = i;
	}
	if (way < 1e-3f) next = near;
	assert_int_not_equal(next, UINT32_MAX);
	*height = s->positions[3 * near + 2] * (1 - way) + s->positions[3 * next + 2] * way;
	const float *from = s->normals + 3 * near, *to = s->normals + 3 * next;
	for (int k = 0; k < 3; k++) normal[k] = from[k] * (1 - way) + to[k] * way;
	return true;
}

/* Checks every vertex on a border. It must lie on the borders of all other displacements at this point, and have their
 * normal. */
static void check_seams(const char *what, const seen *pieces, uint32_t count)
{
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t i = 0; i < pieces[a].side * pieces[a].side; i++) {
			const float *at = pieces[a].positions + 3 * i, *own = pieces[a].normals + 3 * i;
			for (uint32_t b = 0; b < count; b++) {
				float height, n[3];
				if (a == b || !border_at(&pieces[b], at, &height, n)) continue;
				if (fabsf(at[2] - height) > 1e-3f) {
					fail_msg("%s: vertex %u of %u is at %g, the border of %u at %g", what, (unsigned)i, (unsigned)a,
					         (double)at[2], (unsigned)b, (double)height);
				}
				if (cosine(own, n) < 0.99999f) {
					fail_msg("%s: vertex %u of %u leans away from %u", what, (unsigned)i, (unsigned)a, (unsigned)b);
				}
			}
		}
	}
}

/* Counts the vertices that were moved. Other vertices must be where the file has them, with the normals of the hills.
 * Only vertices on an edge that is finer than the neighbor's edge may be moved, and only vertically. */
static uint32_t count_moved(const seen *s)
{
	uint32_t moved = 0;
	for (uint32_t i = 0; i < s->side * s->side; i++) {
		const float *at = s->positions + 3 * i;
		float place[2], upright[3];
		bspt_displacement_place(s->piece, i, place);
		assert_true(distance_from(at, place) < 1e-3f);
		normal_of_hills(at[0], at[1], upright);
		assert_true(cosine(s->normals + 3 * i, upright) > 0.9f);
		uint32_t x = i % s->side, y = i / s->side;
		bool on_border = y == 0 || x == 0 || y == s->side - 1 || x == s->side - 1;
		bool is_moved = fabsf(at[2] - hills(place[0], place[1])) > 1e-3f;
		assert_true(on_border || !is_moved);
		moved += is_moved;
	}
	return moved;
}

/* Returns how many vertices were moved. */
static uint32_t check_map(const char *what, const bspi_variant *variant, const bspt_displacement *pieces,
                          uint32_t count)
{
	bspt_bytes file = bspt_build_displacements(variant, pieces, count, hills);
	bspscene_error error;
	bspscene_scene *scene = bspscene_load_memory(file.data, file.size, NULL, &error);
	if (!scene) fail_msg("%s: %s", what, error.message);
	seen all[BSPT_MOST_DISPLACEMENTS];
	uint32_t moved = 0;
	for (uint32_t i = 0; i < count; i++) {
		all[i] = see(scene, pieces, i);
		moved += count_moved(&all[i]);
	}
	check_seams(what, all, count);
	assert_int_equal(bspt_count_warnings(scene, BSPSCENE_WARNING_REFERENCE), 0);
	bspscene_scene_free(scene);
	free(file.data);
	return moved;
}

/* Two neighbors meet on each of the four sides, with every start corner and power. In another run, two displacements of
 * half the size replace the second neighbor. A finer edge has further vertices between those of the coarser edge. */
static void every_two_neighbors_meet(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	static const float sides[4][2] = { { -128, 0 }, { 0, 128 }, { 128, 0 }, { 0, -128 } };
	for (uint32_t i = 0; i < 4 * 4 * 4 * 9; i++) {
		uint32_t side = i % 4, start = i / 4 % 4, other = i / 16 % 4;
		int32_t power = 2 + (int32_t)(i / 64 % 3), other_power = 2 + (int32_t)(i / 192);
		const float *to = sides[side];
		char what[64];
		snprintf(what, sizeof what, "side %u, corners %u and %u, powers %d and %d", (unsigned)side, (unsigned)start,
		         (unsigned)other, (int)power, (int)other_power);
		const bspt_displacement whole[2] = {
			{ 0, 0, 128, start, (start + other) % 4, power, false },
			{ to[0], to[1], 128, other, side, other_power, false },
		};
		int32_t fine = power > other_power ? power : other_power, coarse = power + other_power - fine;
		uint32_t between = (1u << fine) - (1u << coarse);
		assert_int_equal(check_map(what, variant, whole, 2), between);
		/* The halves begin at different corners; one has the power of the whole, the other `other_power`. */
		float x = side == 0 ? -64 : side == 2 ? 128 : 0, y = side == 3 ? -64 : side == 1 ? 128 : 0;
		const bspt_displacement halves[3] = {
			whole[0], { x, y, 64, other, start, other_power, false },
			{ x + (side % 2 ? 64 : 0), y + (side % 2 ? 0 : 64), 64, (other + start) % 4, other, power, false },
		};
		check_map(what, variant, halves, 3);
	}
}

/* Displacements that touch only at a corner find each other by the list of neighbors at this corner. */
static void corners_alone_meet(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	for (uint32_t i = 0; i < 16; i++) {
		const bspt_displacement pieces[] = {
			{ 0, 0, 128, i % 4, 0, 3, false }, { 128, 128, 128, i / 4, 0, 2, false },
			{ 128, -64, 64, i % 4, 0, 4, false },
		};
		char what[32];
		snprintf(what, sizeof what, "corners %u and %u", (unsigned)(i % 4), (unsigned)(i / 4));
		assert_int_equal(check_map(what, variant, pieces, 3), 0);
	}
}

/* If one of two neighbors lists the other, that is enough for both. Two displacements also find each other if a third
 * one lists both. */
static void one_sided_lists_will_do(void **state)
{
	(void)state;
	const bspi_variant *variant = bspt_find_variant(&bspi_family_vbsp, "source20");
	for (uint32_t known = 0; known < 4; known++) {
		bspt_displacement pieces[4] = {
			{ 0, 0, 128, 0, 0, 2, true }, { 128, 0, 128, 1, 0, 2, true },
			{ 0, 128, 128, 2, 0, 2, true }, { 128, 128, 128, 3, 0, 2, true },
		};
		/* These two displacements are at opposite corners, so their lists have all pairs of neighbors. */
		pieces[known].knows_nobody = pieces[known ^ 3].knows_nobody = false;
		assert_int_equal(check_map("one-sided lists", variant, pieces, 4), 0);
	}
}

/* Three or four displacements meet at each corner. Some have two displacements of half their size on one side. Every
 * version of the map format is tried, with random orientations and powers. */
static void quilts_have_no_seams(void **state)
{
	(void)state;
	static const float places[][3] = {
		{ 0, 0, 128 }, { 128, 0, 64 }, { 128, 64, 64 }, { 192, 0, 64 }, { 192, 64, 64 }, { 256, 0, 128 },
		{ 0, 128, 64 }, { 64, 128, 64 }, { 0, 192, 64 }, { 64, 192, 64 }, { 128, 128, 128 }, { 256, 128, 128 },
	};
	enum { COUNT = sizeof places / sizeof *places };
	uint32_t lot = 1;
	for (uint32_t round = 0; round < 64; round++) {
		bspt_displacement pieces[COUNT];
		char what[16];
		for (uint32_t i = 0; i < COUNT; i++) {
			lot = lot * 1664525 + 1013904223;
			pieces[i] = (bspt_displacement){
				.x = places[i][0], .y = places[i][1], .size = places[i][2], .start = lot >> 30,
				.first = lot >> 28 & 3, .power = 2 + (int32_t)((lot >> 20 & 255) % 3),
			};
		}
		snprintf(what, sizeof what, "quilt %u", (unsigned)round);
		check_map(what, &bspi_family_vbsp.variants[round % bspi_family_vbsp.variant_count], pieces, COUNT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_two_neighbors_meet),
		cmocka_unit_test(corners_alone_meet),
		cmocka_unit_test(one_sided_lists_will_do),
		cmocka_unit_test(quilts_have_no_seams),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
