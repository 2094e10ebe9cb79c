/* Promise: an edge is an inner edge of a chart if exactly two of the chart's triangles have both of its vertices.
 * Inserted vertices that are not needed are removed again, but not on folds, or where the removal would be visible. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "baking/vertex_light/chart.h"

/* ---- Inner edges ------------------------------------------------------------------------------------------ */

enum { MOST_TRIANGLES = 3, VERTICES = 6 };

/* Lightmap coordinates of a square on the page, counterclockwise. Vertex 4 is at the same position as vertex 0, and
 * vertex 5 at that of vertex 2. */
static const float uvs[VERTICES * 2] = { 0.1f, 0.1f, 0.9f, 0.1f, 0.9f, 0.9f, 0.1f, 0.9f, 0.1f, 0.1f, 0.9f, 0.9f };
static uint32_t places[VERTICES] = { 0, 1, 2, 3, 0, 2 };

static uint32_t count_inner(const uint32_t *indices, uint32_t triangles, const bspscene_face *faces,
                            uint32_t face_count, bool colors)
{
	const uint8_t luxels[8 * 8 * 3] = { 0 };
	const bspscene_lightmap_page page = {
		.width = 8, .height = 8, .format = BSPSCENE_LIGHTMAP_PAGE_RGB8, .data = luxels
	};
	bspscene_section section = { .vertex_count = VERTICES, .index_count = 3 * triangles, .face_count = face_count };
	const bspscene_section *sections[1] = { &section };
	const bspscene_mesh mesh = { .vertex_count = VERTICES, .lightmap_uvs = uvs, .index_count = 3 * triangles,
		                         .indices = indices, .sections = sections, .section_count = 1 };
	bspi_light_source source = { .page = &page, .colors = colors };
	bspi_light_mesh light = { .mesh = &mesh, .faces = faces, .sources = &source, .places = places };
	bspi_ctx ctx = { .file = "test", .name = "test", .budget.limit = 1u << 20 };
	uint64_t luxels_left = 1u << 20;
	uint32_t inner = 0;
	bspi_begin_memory(&ctx);
	assert_true(bspi_find_edges(&ctx, &light) && bspi_find_charts(&ctx, &light, &luxels_left));
	for (uint32_t i = 0; i < light.edge_count; i++) inner += light.edges[i].inner;
	bspi_end_memory(&ctx);
	return inner;
}

static void inner_edges_are_shared_by_two_triangles(void **state)
{
	(void)state;
	static const struct {
		const char *what; uint32_t triangles, indices[3 * MOST_TRIANGLES], faces, inner; bool colors;
	} cases[] = {
		{ "a square", 2, { 0, 1, 2, 0, 2, 3 }, 1, 1, false },
		/* Vertex colors may jump between triangles, so each triangle is a chart of its own. */
		{ "with vertex colors", 2, { 0, 1, 2, 0, 2, 3 }, 1, 0, true },
		{ "of two faces", 2, { 0, 1, 2, 0, 2, 3 }, 2, 0, false },
		{ "another vertex at its begin", 2, { 0, 1, 2, 4, 2, 3 }, 1, 0, false },
		{ "another one at its end", 2, { 0, 1, 2, 0, 5, 3 }, 1, 0, false },
		{ "others at both", 2, { 0, 1, 2, 4, 5, 3 }, 1, 0, false },
		{ "the same order of both", 2, { 0, 1, 2, 0, 1, 3 }, 1, 0, false },
		{ "a third triangle", 3, { 0, 1, 2, 0, 2, 3, 0, 1, 2 }, 1, 0, false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t each = cases[i].triangles / cases[i].faces;
		const bspscene_face faces[2] = {
			{ .vertex_count = VERTICES, .index_count = 3 * each },
			{ .vertex_count = VERTICES, .first_index = 3 * each, .index_count = 3 * each },
		};
		uint32_t inner = count_inner(cases[i].indices, cases[i].triangles, faces, cases[i].faces, cases[i].colors);
		if (inner != cases[i].inner) fail_msg("%s: %u", cases[i].what, inner);
	}
}

/* ---- Thinning --------------------------------------------------------------------------------------------- */

/* A hexagon of six triangles around an inserted vertex. The vertex is corner 0, 1 or 2 of the triangles in turn. The
 * linear light is 0.5 everywhere, and may be wrong by up to 0.1. */
enum { AROUND = 6, MIDDLE = AROUND, SIDE = 17, CENTER = 8 };

typedef struct hexagon {
	bspi_chart chart;
	bspi_light_source source;
	bspi_chart_vertex vertices[AROUND + 1];
	bspi_chart_triangle triangles[AROUND];
	uint16_t levels[SIDE * SIDE * BSPI_GRID_WIDTH];
	float game[SIDE * SIDE * BSPI_GAME_WIDTH];
} hexagon;

static const bspi_light_step steps[] = { { 0.5f, 10, -10, 0.5f, 0.4f, 0.6f } };

static void make_hexagon(hexagon *h, uint32_t turn)
{
	memset(h, 0, sizeof *h);
	for (uint32_t i = 0; i <= AROUND; i++) {
		double away = i < AROUND ? 7.5 : 0;
		h->vertices[i] = (bspi_chart_vertex){
			.x = CENTER + away * cos(i * 1.0471975512), .y = CENTER + away * sin(i * 1.0471975512),
			.light = { 0.5f, 0.5f, 0.5f }, .stays = i < AROUND, .origin = BSPSCENE_NO_INDEX,
			.triangle = i % AROUND,
		};
	}
	for (uint32_t i = 0; i < AROUND; i++) {
		const uint32_t v[3] = { MIDDLE, i, (i + 1) % AROUND };
		const uint32_t n[3] = { BSPSCENE_NO_INDEX, (i + 1) % AROUND, (i + AROUND - 1) % AROUND };
		for (uint32_t k = 0; k < 3; k++) {
			uint32_t at = (k + i + turn) % 3;
			h->triangles[i].v[at] = v[k];
			h->triangles[i].n[at] = n[k];
			h->triangles[i].looked_at[at] = true;
		}
	}
	for (uint32_t i = 0; i < SIDE * SIDE; i++) {
		for (uint32_t k = 0; k < 3; k++) {
			float *game = h->game + i * BSPI_GAME_WIDTH + k;
			game[0] = steps[0].light;
			game[4] = steps[0].above;
			game[8] = steps[0].below;
		}
	}
	h->source.steps = steps;
	h->chart = (bspi_chart){
		.source = &h->source, .vertices = h->vertices, .vertex_count = AROUND + 1, .triangles = h->triangles,
		.triangle_count = AROUND, .first_inner = AROUND, .levels = h->levels, .game = h->game,
		.size = { SIDE, SIDE }, .samples_left = 1 << 20, .most_inner = UINT64_MAX,
	};
}

/* Returns how many triangles are left, and checks their area and neighbors. */
static uint32_t thin(hexagon *h)
{
	uint32_t left = 0;
	double area = 0;
	assert_true(bspi_chart_thin(&h->chart));
	for (uint32_t i = 0; i < AROUND; i++) {
		const bspi_chart_triangle *t = &h->triangles[i];
		if (t->gone) continue;
		left++;
		area += bspi_chart_area(&h->chart, t->v[0], t->v[1], t->v[2]);
		for (uint32_t k = 0; k < 3; k++) {
			assert_true(t->n[k] == BSPSCENE_NO_INDEX || !h->triangles[t->n[k]].gone);
			assert_true(t->n[k] == BSPSCENE_NO_INDEX || bspi_chart_edge_back(&h->chart, i, k) < 3);
		}
	}
	assert_true(fabs(area - 7.5 * 7.5 * 6 * 0.8660254038) < 1e-3);
	return left;
}

static void what_is_not_needed_is_taken_out(void **state)
{
	(void)state;
	for (uint32_t turn = 0; turn < 3; turn++) {
		static hexagon h;
		make_hexagon(&h, turn);
		assert_int_equal(thin(&h), AROUND - 2);
		/* The inserted vertex is needed if a corner of the hexagon has other light. */
		make_hexagon(&h, turn);
		h.vertices[0].light[1] = 1;
		assert_int_equal(thin(&h), AROUND);
		make_hexagon(&h, turn);
		h.vertices[MIDDLE].stays = true;
		assert_int_equal(thin(&h), AROUND);
		for (uint32_t i = 0; i < AROUND; i++) {
			make_hexagon(&h, turn);
			for (uint32_t k = 0; k < 3; k++) {
				bspi_chart_triangle *one = &h.triangles[i], *next = &h.triangles[(i + 1) % AROUND];
				if (one->n[k] == (i + 1) % AROUND) one->folds[k] = true;
				if (next->n[k] == i) next->folds[k] = true;
			}
			assert_int_equal(thin(&h), AROUND);
		}
	}
}

/* ---- Refining --------------------------------------------------------------------------------------------- */

/* A triangle without neighbors, on a grid with a point at every half luxel. At the grid point (DARK_X, DARK_Y), the
 * light is lower than at all others, by 1.5 times the allowed error. */
enum { MOST = 400, DARK_X = 1, DARK_Y = 8 };

typedef struct lone_triangle {
	bspi_chart chart;
	bspi_light_source source;
	bspi_chart_vertex vertices[MOST];
	bspi_chart_triangle triangles[MOST];
	bspi_chart_group group;
	bspi_chart_entry queue[8 * MOST];
	uint32_t stack[8 * MOST], touched[8 * MOST];
	uint16_t levels[SIDE * SIDE * BSPI_GRID_WIDTH];
	float game[SIDE * SIDE * BSPI_GAME_WIDTH];
} lone_triangle;

static const bspi_light_step two_steps[] = {
	{ 0.5f, 10, -10, 0.5f, 0.4f, 0.6f }, { 0.35f, 10, -10, 0.35f, 0.25f, 0.45f },
};

/* Makes the triangle. The x coordinate of its left side is `left`, in half luxels. */
static void make_lone_triangle(lone_triangle *l, double left)
{
	const double corners[3][2] = { { left, 0.5 }, { 15.5, 8 }, { left, 15.5 } };
	memset(l, 0, sizeof *l);
	for (uint32_t i = 0; i < 3; i++) {
		l->vertices[i] = (bspi_chart_vertex){
			.x = corners[i][0], .y = corners[i][1], .light = { 0.5f, 0.5f, 0.5f }, .stays = true,
			.origin = BSPSCENE_NO_INDEX,
		};
		memcpy(l->group.corners[i], corners[i], sizeof corners[i]);
		l->triangles[0].v[i] = i;
		l->triangles[0].n[i] = BSPSCENE_NO_INDEX;
	}
	for (uint32_t i = 0; i < SIDE * SIDE; i++) {
		bool dark = i == DARK_Y * SIDE + DARK_X;
		for (uint32_t k = 0; k < 3; k++) {
			float *game = l->game + i * BSPI_GAME_WIDTH + k;
			l->levels[i * BSPI_GRID_WIDTH + k] = dark;
			game[0] = two_steps[dark].light;
			game[4] = two_steps[dark].above;
			game[8] = two_steps[dark].below;
		}
	}
	l->source.steps = two_steps;
	l->chart = (bspi_chart){
		.source = &l->source, .vertices = l->vertices, .vertex_count = 3, .vertex_capacity = MOST,
		.triangles = l->triangles, .triangle_count = 1, .triangle_capacity = MOST, .groups = &l->group,
		.group_count = 1, .first_inner = 3, .levels = l->levels, .game = l->game, .size = { SIDE, SIDE },
		.stack = l->stack, .stack_capacity = 8 * MOST, .touched = l->touched, .touched_capacity = 8 * MOST,
		.queue = l->queue, .queue_capacity = 8 * MOST, .samples_left = 1 << 20, .most_inner = UINT64_MAX,
	};
	l->group.area = bspi_chart_area(&l->chart, 0, 1, 2);
}

/* If the error at a grid point is too large, a vertex is inserted there. None is inserted if the point lies on the
 * triangle's border, or so close to it that a sliver would remain. */
static void what_is_off_near_the_border_gets_a_vertex(void **state)
{
	static const struct { double left; bool found; } cases[] = { { 0.5, true }, { 0.8, true }, { 0.95, false } };
	static lone_triangle l;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool found = false;
		make_lone_triangle(&l, cases[i].left);
		assert_true(bspi_chart_refine(&l.chart, 1));
		for (uint32_t v = l.chart.first_inner; v < l.chart.vertex_count; v++) {
			found |= l.vertices[v].x == DARK_X && l.vertices[v].y == DARK_Y;
		}
		if (found != cases[i].found) fail_msg("left side at %g: %u vertices", cases[i].left, l.chart.vertex_count);
	}
}

/* At each grid point inside the triangle, the interpolated light is compared with the game's light. They differ at one
 * point. */
static void light_is_measured_where_it_is(void **state)
{
	static const bspi_light_mesh mesh = { .error = 0.01f };
	static lone_triangle l;
	bspi_light_measure measure = { .count = 0 };
	(void)state;
	make_lone_triangle(&l, 0.5);
	l.chart.mesh = &mesh;
	bspi_chart_measure(&l.chart, &measure);
	assert_in_range(measure.count, 100, SIDE * SIDE);
	assert_int_equal(measure.counts[0], measure.count - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inner_edges_are_shared_by_two_triangles),
		cmocka_unit_test(what_is_not_needed_is_taken_out),
		cmocka_unit_test(what_is_off_near_the_border_gets_a_vertex),
		cmocka_unit_test(light_is_measured_where_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
