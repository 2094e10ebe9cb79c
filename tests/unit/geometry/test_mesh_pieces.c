/* Promise: the surfaces of a large mesh are written by as many threads as the caller allows, with the same result for
 * any number: file order within sections, also if some surfaces have no triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stages/geometry/geometry.h"
#include "support/check/faces.h"

enum { FACES = 2 * BSPI_SURFACES_PER_PIECE + 500, CORNERS = 4, STYLE = 7 };

/* A case says which faces have no triangles (or one triangle instead of two), and how many consecutive faces share a
 * material. */
typedef struct pieces_case {
	uint32_t empty_from, empty_to, every; /* the affected faces: every n-th from `empty_from` to `empty_to` */
	uint32_t material_run;
	bool by_half;                      /* true if the affected faces keep one of their two triangles */
} pieces_case;

static const pieces_case cases[] = {
	{ 0, 0, 1, FACES, false },
	{ 0, FACES, 7, FACES, false },                                             /* each piece has gaps */
	{ 0, FACES, 7, FACES, true },
	{ 0, FACES, 5, 3000, true },
	{ 0, 10, 1, 3000, false },                                                 /* sections continue in the next piece */
	{ BSPI_SURFACES_PER_PIECE, 2 * BSPI_SURFACES_PER_PIECE, 1, FACES, false }, /* one piece has no triangles */
	{ BSPI_SURFACES_PER_PIECE, BSPI_SURFACES_PER_PIECE + 9, 1, BSPI_SURFACES_PER_PIECE, false },
	{ 0, FACES - 1, 1, 2000, false },                                          /* only the last face has triangles */
	{ 0, FACES, 1, FACES, false },                                             /* no face has triangles */
};
enum { CASES = sizeof cases / sizeof *cases };

static bool is_less(const pieces_case *c, uint32_t face)
{
	return face >= c->empty_from && face < c->empty_to && face % c->every == 0;
}

static bool is_empty(const pieces_case *c, uint32_t face)
{
	return is_less(c, face) && !c->by_half;
}

static float place_of(uint32_t face) { return (float)face * 8; }

static void add_faces(bspt_faces *f, const pieces_case *c)
{
	static const uint32_t seen[] = { 0, 1, 2, 0, 2, 3 }, nothing[] = { 1, 1, 2, 2, 0, 0 };
	static const uint32_t half[] = { 0, 1, 2, 2, 3, 3 };
	const uint32_t *less = c->by_half ? half : nothing;
	bspi_draw_vertex_styles *styles = bspi_push(&f->ctx, &f->ctx.scratch, bspi_draw_vertex_styles, FACES * CORNERS);
	assert_non_null(styles);
	for (uint32_t i = 0; i < FACES; i++) {
		float x = place_of(i);
		const float corners[CORNERS][3] = { { x, 0, 0 }, { x, 4, 0 }, { x + 4, 4, 0 }, { x + 4, 0, 0 } };
		bspi_face *face = bspt_add_triangles(f, corners, CORNERS, is_less(c, i) ? less : seen, 6);
		face->texture = (int32_t)(i / c->material_run);
		face->vertex_styles[1] = STYLE;
		for (uint32_t k = 0; k < CORNERS; k++) {
			uint8_t *steady = f->map.draw_vertices[CORNERS * i + k].color;
			steady[0] = (uint8_t)i;
			styles[CORNERS * i + k].color[0][0] = (uint8_t)(i >> 8);
		}
	}
	f->map.draw_vertex_styles = styles;
	f->map.draw_vertex_styles_count = FACES * CORNERS;
}

/* Checks that the face has the positions and the light that belong to its record. */
static void check_face(const pieces_case *c, const bspscene_mesh *mesh, const bspscene_face *face)
{
	assert_int_equal(face->index_count, is_less(c, face->record) ? 3 : 6);
	assert_int_equal(mesh->vertex_color_sets[0].style, STYLE);
	for (uint32_t i = 0; i < CORNERS; i++) {
		uint32_t vertex = face->first_vertex + i;
		float x = place_of(face->record) + (i < 2 ? 0 : 4);
		assert_true(mesh->positions[3 * vertex] == x && mesh->normals[3 * vertex + 2] == 1);
		assert_int_equal(mesh->colors[4 * vertex], face->record & 0xff);
		assert_int_equal(mesh->vertex_color_sets[0].colors[4 * vertex], face->record >> 8);
	}
	for (uint32_t i = 0; i < face->index_count; i++) {
		uint32_t vertex = mesh->indices[face->first_index + i];
		assert_in_range(vertex, face->first_vertex, face->first_vertex + CORNERS - 1);
	}
}

static void check_mesh(const bspt_faces *f, const pieces_case *c)
{
	uint32_t face = 0, sections = 0;
	const bspscene_mesh *mesh = f->scene.mesh_count ? f->scene.meshes[0] : NULL;
	for (uint32_t record = 0, last = BSPSCENE_NO_INDEX; record < FACES; record++) {
		uint32_t material = record / c->material_run;
		if (is_empty(c, record)) continue;
		assert_non_null(mesh);
		sections += material != last;
		last = material;
		assert_true(face < f->scene.face_count);
		assert_int_equal(f->scene.faces[face].record, record);
		assert_int_equal(f->scene.faces[face].section, sections - 1);
		assert_int_equal(mesh->sections[sections - 1]->material, material);
		check_face(c, mesh, &f->scene.faces[face++]);
	}
	assert_int_equal(f->scene.face_count, face);
	assert_int_equal(f->scene.mesh_count, face > 0);
	if (!mesh) return;
	assert_int_equal(mesh->section_count, sections);
	assert_true(mesh->bounds.min[0] == place_of(f->scene.faces[0].record));
	assert_true(mesh->bounds.max[0] == place_of(f->scene.faces[face - 1].record) + 4);
}

/* ---- Progress ---------------------------------------------------------------------------------------------- */

typedef struct told {
	uint32_t count, cancel_at;         /* `cancel_at` is the number of the call that cancels, 0 for none */
	double last;
} told;

static bspscene_progress_result tell(void *user, const char *stage, double fraction)
{
	told *t = user;
	(void)stage;
	assert_true(fraction >= t->last);
	t->last = fraction;
	return ++t->count == t->cancel_at ? BSPSCENE_PROGRESS_CANCEL : BSPSCENE_PROGRESS_CONTINUE;
}

static bool build_with(bspt_faces *f, const pieces_case *c, uint32_t threads, told *t)
{
	bspt_begin_faces(f);
	add_faces(f, c);
	f->ctx.options.threads = threads;
	f->ctx.options.progress = tell;
	f->ctx.options.progress_user = t;
	if (t->cancel_at) return bspt_run_faces(f);
	bspt_build_faces(f);
	return true;
}

static const uint32_t thread_counts[] = { 1, 2, 3, 8 };

static void test_pieces(void **state)
{
	(void)state;
	for (int i = 0; i < CASES; i++) {
		for (size_t k = 0; k < sizeof thread_counts / sizeof *thread_counts; k++) {
			bspt_faces f;
			told t = { .count = 0 };
			assert_true(build_with(&f, &cases[i], thread_counts[k], &t));
			check_mesh(&f, &cases[i]);
			bspt_end_faces(&f);
		}
	}
}

/* Progress is called as often with any number of threads. The load ends when a call returns cancel. */
static void test_progress(void **state)
{
	(void)state;
	uint32_t calls = 0;
	for (size_t k = 0; k < sizeof thread_counts / sizeof *thread_counts; k++) {
		bspt_faces f;
		told t = { .count = 0 };
		assert_true(build_with(&f, &cases[0], thread_counts[k], &t));
		bspt_end_faces(&f);
		if (!k) calls = t.count;
		assert_true(t.count == calls && calls >= 2);
		told canceled = { .cancel_at = calls };
		assert_false(build_with(&f, &cases[0], thread_counts[k], &canceled));
		assert_int_equal(f.ctx.error.status, BSPSCENE_ERROR_CANCELED);
		assert_int_equal(canceled.count, calls);
		bspt_end_faces(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_progress),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
