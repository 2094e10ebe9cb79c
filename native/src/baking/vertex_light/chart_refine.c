/* chart_refine.c - greedy insertion (Garland and Heckbert 1995): inserts a vertex where the light error is largest
 * until it is small enough. The triangles wait in a binary heap by their error. See chart.h. */
#include "baking/vertex_light/chart.h"

#include <math.h>

/* Distances in half luxels. A vertex nearer than NEAR_EDGE to an inner edge is inserted on that edge. On an edge, a
 * vertex nearer than NEAR_END to a corner is not inserted, or nearer than NEAR_URGENT if the error is above
 * BSPI_CHART_URGENT. */
#define NEAR_EDGE 0.25
#define NEAR_END 0.2
#define NEAR_URGENT 0.04
#define SMALLEST_PART 1e-3             /* twice the smallest area that splitting an edge may leave */

/* ---- The worst triangle ----------------------------------------------------------------------------------- */

/* True if `a` leaves the heap before `b`: larger errors come first. Equal errors are ordered by index, so that the
 * result is the same everywhere. */
static bool is_before(const bspi_chart_entry *a, const bspi_chart_entry *b)
{
	return a->worst != b->worst ? a->worst > b->worst : a->triangle < b->triangle;
}

static bool push_triangle(bspi_chart *chart, uint32_t triangle)
{
	const bspi_chart_triangle *t = &chart->triangles[triangle];
	if (!(t->worst > 1)) return true;
	BSPI_TRY(bspi_chart_grow(chart, &chart->queue, chart->queue_count, &chart->queue_capacity, sizeof *chart->queue));
	const bspi_chart_entry added = { t->worst, triangle, t->version };
	uint32_t at = chart->queue_count++;
	for (; at && is_before(&added, &chart->queue[(at - 1) / 2]); at = (at - 1) / 2) {
		chart->queue[at] = chart->queue[(at - 1) / 2];
	}
	chart->queue[at] = added;
	return true;
}

static bspi_chart_entry pop_triangle(bspi_chart *chart)
{
	bspi_chart_entry *queue = chart->queue, first = queue[0], moved = queue[--chart->queue_count];
	uint32_t at = 0, count = chart->queue_count;
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= count) break;
		if (child + 1 < count && is_before(&queue[child + 1], &queue[child])) child++;
		if (!is_before(&queue[child], &moved)) break;
		queue[at] = queue[child];
		at = child;
	}
	queue[at] = moved;
	return first;
}

/* ---- A new vertex ----------------------------------------------------------------------------------------- */

static bool add_vertex(bspi_chart *chart, double x, double y, uint32_t group, bool stays, uint32_t *out)
{
	BSPI_TRY(bspi_chart_add_vertex(chart, x, y, out));
	bspi_chart_vertex *v = &chart->vertices[*out];
	v->group = group;
	v->stays = stays;
	bspi_chart_levels_at(chart, x, y, v->levels);
	for (int i = 0; i < 3; i++) v->light[i] = chart->source->steps[v->levels[i]].light;
	return true;
}

static double area_with(const bspi_chart *chart, double x, double y, uint32_t b, uint32_t c)
{
	const bspi_chart_vertex *v = chart->vertices;
	return (v[b].x - x) * (v[c].y - y) - (v[c].x - x) * (v[b].y - y);
}

/* Returns the edge nearest to a point, and their distance. */
static uint32_t nearest_edge(const bspi_chart *chart, const bspi_chart_triangle *t, double x, double y,
                             double *distance)
{
	uint32_t nearest = 0;
	*distance = INFINITY;
	for (uint32_t k = 0; k < 3; k++) {
		const bspi_chart_vertex *b = &chart->vertices[t->v[(k + 1) % 3]], *c = &chart->vertices[t->v[(k + 2) % 3]];
		double dx = c->x - b->x, dy = c->y - b->y;
		double away = fabs(area_with(chart, x, y, t->v[(k + 1) % 3], t->v[(k + 2) % 3])) / sqrt(dx * dx + dy * dy);
		if (away >= *distance) continue;
		*distance = away;
		nearest = k;
	}
	return nearest;
}

/* Moves a point to the line of edge k. Returns false if it is then too close to a corner. */
static bool project(const bspi_chart *chart, const bspi_chart_triangle *t, uint32_t k, double *x, double *y)
{
	double near = t->worst > BSPI_CHART_URGENT ? NEAR_URGENT : NEAR_END;
	const bspi_chart_vertex *b = &chart->vertices[t->v[(k + 1) % 3]], *c = &chart->vertices[t->v[(k + 2) % 3]];
	double dx = c->x - b->x, dy = c->y - b->y, squared = dx * dx + dy * dy, length = sqrt(squared);
	double share = ((*x - b->x) * dx + (*y - b->y) * dy) / squared;
	if (!(share * length > near && (1 - share) * length > near)) return false;
	*x = b->x + dx * share;
	*y = b->y + dy * share;
	return true;
}

static bool parts_have_area(const bspi_chart *chart, uint32_t triangle, uint32_t k, double x, double y)
{
	const bspi_chart_triangle *t = &chart->triangles[triangle];
	uint32_t j = bspi_chart_edge_back(chart, triangle, k);
	if (j == 3) return false;
	uint32_t a = t->v[k], b = t->v[(k + 1) % 3], c = t->v[(k + 2) % 3], d = chart->triangles[t->n[k]].v[j];
	return area_with(chart, x, y, a, b) > SMALLEST_PART && area_with(chart, x, y, c, a) > SMALLEST_PART &&
	       area_with(chart, x, y, b, d) > SMALLEST_PART && area_with(chart, x, y, d, c) > SMALLEST_PART;
}

/* Inserts a vertex on edge k of a triangle. *done tells whether it could be inserted. */
static bool insert_on_edge(bspi_chart *chart, uint32_t triangle, uint32_t k, double x, double y, bool *done)
{
	const bspi_chart_triangle *t = &chart->triangles[triangle];
	uint32_t vertex;
	double on_x = x, on_y = y;
	if (!project(chart, t, k, &on_x, &on_y)) return true;
	bool fold = t->folds[k];
	if (fold || !parts_have_area(chart, triangle, k, x, y)) {
		x = on_x;
		y = on_y;
		if (!parts_have_area(chart, triangle, k, x, y)) return true;
	}
	BSPI_TRY(add_vertex(chart, x, y, t->group, fold, &vertex));
	*done = true;
	return bspi_chart_split_edge(chart, triangle, k, vertex);
}

static bool insert(bspi_chart *chart, uint32_t triangle, bool *done)
{
	const bspi_chart_triangle *t = &chart->triangles[triangle];
	double x = t->x, y = t->y, distance;
	uint32_t k = nearest_edge(chart, t, x, y, &distance), vertex;
	*done = false;
	if (distance < NEAR_EDGE && t->n[k] != BSPSCENE_NO_INDEX) {
		BSPI_TRY(insert_on_edge(chart, triangle, k, x, y, done));
		if (*done || t->worst <= BSPI_CHART_URGENT) return true;
	}
	for (int i = 0; i < 3; i++) {
		if (area_with(chart, x, y, t->v[(i + 1) % 3], t->v[(i + 2) % 3]) < SMALLEST_PART) return true;
	}
	BSPI_TRY(add_vertex(chart, x, y, t->group, false, &vertex));
	*done = true;
	return bspi_chart_split_inside(chart, triangle, vertex);
}

/* Marks the half luxel with the triangle's largest error, because no vertex can be inserted there. Then scans the
 * triangle again, to find another half luxel. A mark for an error that is not urgent is ignored if the error there
 * becomes urgent. */
static bool give_up(bspi_chart *chart, uint32_t triangle)
{
	bspi_chart_triangle *t = &chart->triangles[triangle];
	double x = t->x - (double)chart->first[0], y = t->y - (double)chart->first[1];
	if (x != floor(x) || y != floor(y)) return true;
	chart->levels[((size_t)y * chart->size[0] + (size_t)x) * BSPI_GRID_WIDTH + 3] =
		t->worst > BSPI_CHART_URGENT ? BSPI_GIVEN_UP : BSPI_NOT_URGENT;
	t->scanned = false;
	bspi_chart_scan(chart, t);
	return push_triangle(chart, triangle);
}

/* ---- Inserting until errors are small enough -------------------------------------------------------------- */

static bool rescan_touched(bspi_chart *chart)
{
	for (uint32_t i = 0; i < chart->touched_count; i++) {
		bspi_chart_triangle *t = &chart->triangles[chart->touched[i]];
		t->touched = false;
		bspi_chart_scan(chart, t);
		BSPI_TRY(push_triangle(chart, chart->touched[i]));
	}
	chart->touched_count = 0;
	return true;
}

bool bspi_chart_refine(bspi_chart *chart, int32_t step)
{
	uint64_t most = (uint64_t)chart->size[0] * chart->size[1];
	chart->queue_count = 0;
	chart->step = step;
	for (uint32_t i = 0; i < chart->triangle_count; i++) {
		chart->triangles[i].scanned = false;
		bspi_chart_scan(chart, &chart->triangles[i]);
		BSPI_TRY(push_triangle(chart, i));
	}
	while (chart->queue_count && chart->vertex_count - chart->first_inner < most && chart->samples_left > 0 &&
	       !bspi_chart_is_over(chart)) {
		const bspi_chart_entry worst = pop_triangle(chart);
		bool done;
		if (chart->triangles[worst.triangle].version != worst.version) continue;
		BSPI_TRY(insert(chart, worst.triangle, &done));
		if (done) BSPI_TRY(bspi_chart_flip(chart, false) && rescan_touched(chart));
		else BSPI_TRY(give_up(chart, worst.triangle));
	}
	return true;
}
