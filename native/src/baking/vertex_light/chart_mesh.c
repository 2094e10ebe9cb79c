/* chart_mesh.c - splits and flips triangles of a chart and keeps neighbors up to date. See chart.h. */
#include "baking/vertex_light/chart.h"

#include <math.h>

#include "base/bytes.h"

/* Least value of twice a triangle's area, in square half luxels. Rounding could invert smaller triangles. */
#define SMALLEST_AREA 1e-7
/* A flip to an edge that is not Delaunay must reduce the sum of squared errors to at most this fraction of it. A flip
 * to a Delaunay edge may increase the sum, to at most 1 / BETTER of it. */
#define BETTER 0.8f

bool bspi_chart_grow(bspi_chart *chart, void *array, uint32_t count, uint32_t *capacity, size_t size)
{
	void **at = array;
	if (count < *capacity) return true;
	uint32_t larger = *capacity < UINT32_MAX / 16 ? 2 * count + 64 : count;
	void *grown = larger > count ? bspi_arena_alloc_unset(&chart->task->arena, larger, size) : NULL;
	if (!grown) return false;
	if (count) memcpy(grown, *at, count * size);
	*at = grown;
	*capacity = larger;
	return true;
}

bool bspi_chart_add_vertex(bspi_chart *chart, double x, double y, uint32_t *out)
{
	BSPI_TRY(bspi_chart_grow(chart, &chart->vertices, chart->vertex_count, &chart->vertex_capacity,
	                         sizeof *chart->vertices));
	*out = chart->vertex_count++;
	chart->vertices[*out] = (bspi_chart_vertex){ .x = x, .y = y, .origin = BSPSCENE_NO_INDEX };
	return true;
}

static bool add_triangle(bspi_chart *chart, uint32_t group, uint32_t *out)
{
	BSPI_TRY(bspi_chart_grow(chart, &chart->triangles, chart->triangle_count, &chart->triangle_capacity,
	                         sizeof *chart->triangles));
	*out = chart->triangle_count++;
	chart->triangles[*out] = (bspi_chart_triangle){ .group = group };
	return true;
}

bool bspi_chart_push(bspi_chart *chart, uint32_t triangle, uint32_t k)
{
	BSPI_TRY(bspi_chart_grow(chart, &chart->stack, chart->stack_count, &chart->stack_capacity, sizeof *chart->stack));
	chart->stack[chart->stack_count++] = triangle << 2 | k;
	return true;
}

bool bspi_chart_touch(bspi_chart *chart, uint32_t triangle)
{
	if (chart->triangles[triangle].touched) return true;
	BSPI_TRY(bspi_chart_grow(chart, &chart->touched, chart->touched_count, &chart->touched_capacity,
	                         sizeof *chart->touched));
	chart->triangles[triangle].touched = true;
	chart->touched[chart->touched_count++] = triangle;
	return true;
}

/* For corner k of a triangle, after[k] is the next corner, and before[k] is the one after that. */
static const uint32_t after[3] = { 1, 2, 0 }, before[3] = { 2, 0, 1 };

/* An edge of a triangle: the triangle beyond it, and its flags. */
typedef struct edge {
	uint32_t beyond;
	bool fold, looked_at;
} edge;

static edge edge_of(const bspi_chart_triangle *t, uint32_t k)
{
	return (edge){ t->n[k], t->folds[k], t->looked_at[k] };
}

static void set(bspi_chart *chart, uint32_t index, const uint32_t v[3], edge first, edge second, edge third)
{
	bspi_chart_triangle *t = &chart->triangles[index];
	const edge edges[3] = { first, second, third };
	for (int k = 0; k < 3; k++) {
		t->v[k] = v[k];
		t->n[k] = edges[k].beyond;
		t->folds[k] = edges[k].fold;
		t->looked_at[k] = edges[k].looked_at;
		chart->vertices[v[k]].triangle = index;
	}
	t->scanned = false;
	t->version++;
}

static void relink(bspi_chart *chart, edge to, uint32_t from, uint32_t now, uint32_t a, uint32_t b)
{
	if (to.beyond == BSPSCENE_NO_INDEX) return;
	bspi_chart_triangle *t = &chart->triangles[to.beyond];
	for (int k = 0; k < 3; k++) {
		if (t->n[k] == from && t->v[(k + 1) % 3] == a && t->v[(k + 2) % 3] == b) t->n[k] = now;
	}
}

void bspi_chart_replace(bspi_chart *chart, uint32_t triangle, const uint32_t v[3], const uint32_t n[3],
                        const bool folds[3])
{
	set(chart, triangle, v, (edge){ n[0], folds[0], false }, (edge){ n[1], folds[1], false },
	    (edge){ n[2], folds[2], false });
	chart->has_flipped = true;
	for (int k = 0; k < 3; k++) {
		bspi_chart_triangle *other = n[k] == BSPSCENE_NO_INDEX ? NULL : &chart->triangles[n[k]];
		for (int j = 0; other && j < 3; j++) {
			if (other->v[(j + 1) % 3] == v[(k + 2) % 3] && other->v[(j + 2) % 3] == v[(k + 1) % 3]) {
				other->n[j] = triangle;
			}
		}
	}
}

/* ---- Splitting -------------------------------------------------------------------------------------------- */

bool bspi_chart_split_border(bspi_chart *chart, uint32_t triangle, uint32_t k, uint32_t p, uint32_t *last)
{
	uint32_t other;
	const bspi_chart_triangle old = chart->triangles[triangle];
	BSPI_TRY(add_triangle(chart, old.group, &other));
	uint32_t a = old.v[k], b = old.v[(k + 1) % 3], c = old.v[(k + 2) % 3];
	edge ca = edge_of(&old, (k + 1) % 3), ab = edge_of(&old, (k + 2) % 3), border = { BSPSCENE_NO_INDEX, false, false };
	set(chart, triangle, (const uint32_t[3]){ a, b, p }, border, (edge){ other, false, false }, ab);
	set(chart, other, (const uint32_t[3]){ a, p, c }, border, ca, (edge){ triangle, false, false });
	relink(chart, ca, triangle, other, a, c);
	*last = other;
	return true;
}

bool bspi_chart_split_inside(bspi_chart *chart, uint32_t triangle, uint32_t p)
{
	uint32_t u, w;
	const bspi_chart_triangle old = chart->triangles[triangle];
	BSPI_TRY(add_triangle(chart, old.group, &u) && add_triangle(chart, old.group, &w));
	const uint32_t *v = old.v;
	set(chart, triangle, (const uint32_t[3]){ p, v[1], v[2] }, edge_of(&old, 0), (edge){ u, false, false },
	    (edge){ w, false, false });
	set(chart, u, (const uint32_t[3]){ p, v[2], v[0] }, edge_of(&old, 1), (edge){ w, false, false },
	    (edge){ triangle, false, false });
	set(chart, w, (const uint32_t[3]){ p, v[0], v[1] }, edge_of(&old, 2), (edge){ triangle, false, false },
	    (edge){ u, false, false });
	relink(chart, edge_of(&old, 1), triangle, u, v[0], v[2]);
	relink(chart, edge_of(&old, 2), triangle, w, v[1], v[0]);
	const uint32_t parts[3] = { triangle, u, w };
	for (int i = 0; i < 3; i++) BSPI_TRY(bspi_chart_push(chart, parts[i], 0) && bspi_chart_touch(chart, parts[i]));
	return true;
}

/* The new vertex p is corner 0 of each of the four triangles. */
bool bspi_chart_split_edge(bspi_chart *chart, uint32_t triangle, uint32_t k, uint32_t p)
{
	uint32_t u, w, j = bspi_chart_edge_back(chart, triangle, k);
	const bspi_chart_triangle old = chart->triangles[triangle], other = chart->triangles[old.n[k]];
	uint32_t n = old.n[k], a = old.v[k], b = old.v[(k + 1) % 3], c = old.v[(k + 2) % 3], d = other.v[j];
	bool fold = old.folds[k];
	BSPI_TRY(add_triangle(chart, old.group, &u) && add_triangle(chart, other.group, &w));
	edge ca = edge_of(&old, (k + 1) % 3), ab = edge_of(&old, (k + 2) % 3);
	edge bd = edge_of(&other, (j + 1) % 3), dc = edge_of(&other, (j + 2) % 3);
	set(chart, triangle, (const uint32_t[3]){ p, a, b }, ab, (edge){ n, fold, false }, (edge){ u, false, false });
	set(chart, u, (const uint32_t[3]){ p, c, a }, ca, (edge){ triangle, false, false }, (edge){ w, fold, false });
	set(chart, n, (const uint32_t[3]){ p, b, d }, bd, (edge){ w, false, false }, (edge){ triangle, fold, false });
	set(chart, w, (const uint32_t[3]){ p, d, c }, dc, (edge){ u, fold, false }, (edge){ n, false, false });
	relink(chart, ca, triangle, u, a, c);
	relink(chart, dc, n, w, c, d);
	const uint32_t parts[4] = { triangle, u, n, w };
	for (int i = 0; i < 4; i++) BSPI_TRY(bspi_chart_push(chart, parts[i], 0) && bspi_chart_touch(chart, parts[i]));
	return true;
}

/* ---- Flipping --------------------------------------------------------------------------------------------- */

static bool in_circle(const bspi_chart *chart, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	const bspi_chart_vertex *v = chart->vertices;
	double ax = v[a].x - v[d].x, ay = v[a].y - v[d].y, bx = v[b].x - v[d].x, by = v[b].y - v[d].y;
	double cx = v[c].x - v[d].x, cy = v[c].y - v[d].y;
	double as = ax * ax + ay * ay, bs = bx * bx + by * by, cs = cx * cx + cy * cy;
	double inside = ax * (by * cs - bs * cy) - ay * (bx * cs - bs * cx) + as * (bx * cy - by * cx);
	return inside > 1e-9 * (1 + as * bs + cs);
}

static void keep_errors(bspi_chart_triangle *to, const bspi_chart_triangle *from)
{
	to->worst = from->worst;
	to->x = from->x;
	to->y = from->y;
	to->squares = from->squares;
	to->scanned = from->scanned;
}

/* True if the triangles `first` and `second`, after a flip, are better than `from` and `neighbor`, before it. They
 * must have a smaller error or, if the new edge is Delaunay, about the same error. Two triangles whose errors are
 * allowed are flipped only to a Delaunay edge. */
static bool is_better(bspi_chart *chart, bspi_chart_triangle *from, bspi_chart_triangle *neighbor,
                      bspi_chart_triangle *first, bspi_chart_triangle *second, bool delaunay)
{
	bspi_chart_scan_inside(chart, from);
	bspi_chart_scan_inside(chart, neighbor);
	if (!delaunay && from->worst <= 1 && neighbor->worst <= 1) return false;
	float now = from->squares + neighbor->squares, most = delaunay ? now / BETTER : now * BETTER;
	bspi_chart_scan_inside(chart, first);
	if (first->squares > most) return false;
	bspi_chart_scan_inside(chart, second);
	return first->squares + second->squares <= most;
}

/* Flips edge k to the other diagonal if that is better. Returns false if the edge stays. */
static bool flip_edge(bspi_chart *chart, uint32_t triangle, uint32_t k)
{
	const bspi_chart_triangle *t = &chart->triangles[triangle];
	uint32_t n = t->n[k];
	if (n == BSPSCENE_NO_INDEX || t->folds[k] || t->group != chart->triangles[n].group) return false;
	uint32_t j = bspi_chart_edge_back(chart, triangle, k);
	if (j == 3) return false;
	uint32_t a = t->v[k], b = t->v[after[k]], c = t->v[before[k]], d = chart->triangles[n].v[j];
	bool delaunay = in_circle(chart, a, b, c, d), by_error = chart->step && chart->samples_left > 0;
	double least = delaunay ? SMALLEST_AREA : BSPI_CHART_LOWEST * sqrt(bspi_chart_squared_length(chart, a, d));
	if (!delaunay && !by_error) return false;
	if (bspi_chart_area(chart, a, b, d) < least || bspi_chart_area(chart, a, d, c) < least) return false;
	const bspi_chart_triangle old = *t, other = chart->triangles[n];
	bspi_chart_triangle first = { .v = { a, b, d }, .n = { other.n[(j + 1) % 3], n, old.n[(k + 2) % 3] } };
	bspi_chart_triangle second = { .v = { a, d, c }, .n = { other.n[(j + 2) % 3], old.n[(k + 1) % 3], triangle } };
	if (by_error && !is_better(chart, &chart->triangles[triangle], &chart->triangles[n], &first, &second, delaunay)) {
		return false;
	}
	edge ca = edge_of(&old, (k + 1) % 3), ab = edge_of(&old, (k + 2) % 3);
	edge bd = edge_of(&other, (j + 1) % 3), dc = edge_of(&other, (j + 2) % 3);
	set(chart, triangle, (const uint32_t[3]){ a, b, d }, bd, (edge){ n, false, false }, ab);
	set(chart, n, (const uint32_t[3]){ a, d, c }, dc, ca, (edge){ triangle, false, false });
	relink(chart, bd, n, triangle, d, b);
	relink(chart, ca, triangle, n, a, c);
	if (by_error) {
		keep_errors(&chart->triangles[triangle], &first);
		keep_errors(&chart->triangles[n], &second);
	}
	chart->has_flipped = true;
	return true;
}

/* The limit ends the loop. Flips to Delaunay edges would end without it, apart from rounding, but flips for a smaller
 * error may make an edge that is not Delaunay. */
bool bspi_chart_flip(bspi_chart *chart, bool whole)
{
	uint64_t most = 64 + 16 * (uint64_t)chart->triangle_count;
	while (chart->stack_count) {
		uint32_t triangle = chart->stack[--chart->stack_count] >> 2, k = chart->stack[chart->stack_count] & 3;
		uint32_t other = chart->triangles[triangle].n[k];
		if (!most || !flip_edge(chart, triangle, k)) continue;
		most--;
		BSPI_TRY(bspi_chart_touch(chart, triangle) && bspi_chart_touch(chart, other));
		BSPI_TRY(bspi_chart_push(chart, triangle, 0) && bspi_chart_push(chart, other, 0));
		if (whole) BSPI_TRY(bspi_chart_push(chart, triangle, 2) && bspi_chart_push(chart, other, 1));
	}
	return true;
}
