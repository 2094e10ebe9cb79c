/* chart_thin.c - removes inner vertices of a chart that are not needed any more. See chart.h. */
#include "baking/vertex_light/chart.h"

#include <math.h>

enum { MOST_AROUND = 16 };
#define INNER 0x80000000u

#define SMALLEST_EAR 1e-3

/* The triangles around a vertex, in order. For triangle i, vertices[i] is the first vertex of the edge opposite of the
 * vertex, beyond[i] is the triangle beyond this edge, and star[i] is the index of the triangle itself. */
typedef struct ring {
	uint32_t count, vertices[MOST_AROUND], beyond[MOST_AROUND], star[MOST_AROUND];
	bool folds[MOST_AROUND];
} ring;

/* One of the triangles that fill the ring after the vertex in its middle is removed. Each of its neighbors, n, is
 * either the index of a triangle outside of the ring, or INNER plus the index of another part. */
typedef struct part {
	uint32_t v[3], n[3];
	bool folds[3];
} part;

static bool find_ring(const bspi_chart *chart, uint32_t vertex, ring *out)
{
	uint32_t first = chart->vertices[vertex].triangle, current = first;
	out->count = 0;
	do {
		const bspi_chart_triangle *t = &chart->triangles[current];
		uint32_t k = t->v[0] == vertex ? 0 : t->v[1] == vertex ? 1 : 2;
		if (out->count == MOST_AROUND || t->folds[(k + 1) % 3]) return false;
		out->vertices[out->count] = t->v[(k + 1) % 3];
		out->beyond[out->count] = t->n[k];
		out->folds[out->count] = t->folds[k];
		out->star[out->count++] = current;
		current = t->n[(k + 1) % 3];
		if (current == BSPSCENE_NO_INDEX) return false;
	} while (current != first);
	return out->count > 3;
}

static double height_of(const bspi_chart *chart, const uint32_t v[3])
{
	double longest = 0;
	for (int k = 0; k < 3; k++) {
		double squared = bspi_chart_squared_length(chart, v[k], v[(k + 1) % 3]);
		if (squared > longest) longest = squared;
	}
	return bspi_chart_area(chart, v[0], v[1], v[2]) / sqrt(longest);
}

/* Returns the squared diameter of the circle through three corners of the ring. Returns infinity if the corners form
 * no ear, or if the result is not below `least`. */
static double badness(const bspi_chart *chart, const ring *r, const uint32_t at[3], double least)
{
	uint32_t a = r->vertices[at[0]], b = r->vertices[at[1]], c = r->vertices[at[2]];
	double area = bspi_chart_area(chart, a, b, c);
	if (area < SMALLEST_EAR) return INFINITY;
	double sides = bspi_chart_squared_length(chart, a, b) * bspi_chart_squared_length(chart, b, c);
	double bad = sides * bspi_chart_squared_length(chart, c, a) / (area * area);
	if (bad >= least) return INFINITY;
	for (uint32_t i = 0; i < r->count; i++) {
		uint32_t d = r->vertices[i];
		if (d == a || d == b || d == c) continue;
		if (bspi_chart_area(chart, a, b, d) > -1e-9 && bspi_chart_area(chart, b, c, d) > -1e-9 &&
		    bspi_chart_area(chart, c, a, d) > -1e-9) {
			return INFINITY;
		}
	}
	return bad;
}

static part part_of(const ring *r, const uint32_t at[3])
{
	return (part){
		.v = { r->vertices[at[0]], r->vertices[at[1]], r->vertices[at[2]] },
		.n = { r->beyond[at[1]], BSPSCENE_NO_INDEX, r->beyond[at[0]] },
		.folds = { r->folds[at[1]], false, r->folds[at[0]] },
	};
}

/* Triangulates the ring by ear clipping. Returns false if no ear is left. */
static bool fill_ring(const bspi_chart *chart, ring r, part *parts)
{
	uint32_t count = 0;
	while (r.count > 3) {
		double least = INFINITY;
		uint32_t best = 0;
		for (uint32_t i = 0; i < r.count; i++) {
			uint32_t ear = i + 1 < r.count ? i + 1 : 0, end = ear + 1 < r.count ? ear + 1 : 0;
			double bad = badness(chart, &r, (const uint32_t[3]){ i, ear, end }, least);
			if (bad >= least) continue;
			least = bad;
			best = i;
		}
		if (!(least < INFINITY)) return false;
		uint32_t ear = (best + 1) % r.count;
		parts[count] = part_of(&r, (const uint32_t[3]){ best, ear, (best + 2) % r.count });
		r.beyond[best] = INNER | count++;
		r.folds[best] = false;
		r.count--;
		for (uint32_t i = ear; i < r.count; i++) {
			r.vertices[i] = r.vertices[i + 1];
			r.beyond[i] = r.beyond[i + 1];
			r.folds[i] = r.folds[i + 1];
		}
	}
	parts[count] = part_of(&r, (const uint32_t[3]){ 0, 1, 2 });
	parts[count].n[1] = r.beyond[2];
	parts[count].folds[1] = r.folds[2];
	return bspi_chart_area(chart, parts[count].v[0], parts[count].v[1], parts[count].v[2]) > SMALLEST_EAR;
}

/* ---- Errors without a vertex ------------------------------------------------------------------------------ */

/* True if the error without the vertex would be too large. The point of the vertex is tested first, because the error
 * is usually largest there. */
static bool misses(const bspi_chart *chart, uint32_t vertex, const part *p)
{
	const bspi_chart_vertex *at = &chart->vertices[vertex];
	double whole = bspi_chart_area(chart, p->v[0], p->v[1], p->v[2]), shares[3];
	for (int k = 0; k < 3; k++) {
		shares[k] = bspi_chart_area(chart, vertex, p->v[(k + 1) % 3], p->v[(k + 2) % 3]) / whole;
		if (shares[k] < 0) return false;
	}
	float light[3] = { 0, 0, 0 };
	for (int k = 0; k < 3; k++) {
		for (int c = 0; c < 3; c++) light[c] += chart->vertices[p->v[k]].light[c] * (float)shares[k];
	}
	return bspi_chart_error(chart, at->levels, light) > 1;
}

static bool is_as_good(bspi_chart *chart, uint32_t vertex, const ring *r, const part *parts)
{
	uint32_t count = r->count - 2;
	double lowest = INFINITY, x, y;
	for (uint32_t i = 0; i < count; i++) if (misses(chart, vertex, &parts[i])) return false;
	for (uint32_t i = 0; i < r->count; i++) lowest = fmin(lowest, height_of(chart, chart->triangles[r->star[i]].v));
	for (uint32_t i = 0; i < count; i++) {
		double height = height_of(chart, parts[i].v);
		if (height < BSPI_CHART_LOWEST && height < lowest) return false;
	}
	for (uint32_t i = 0; i < count; i++) if (bspi_chart_exceeds(chart, parts[i].v)) return false;
	for (uint32_t i = 0; i + 1 < count; i++) {
		if (bspi_chart_scan_line(chart, parts[i].v[0], parts[i].v[2], &x, &y) > 1) return false;
	}
	return true;
}

/* ---- Removing a vertex ------------------------------------------------------------------------------------ */

static void replace(bspi_chart *chart, const ring *r, part *parts)
{
	uint32_t count = r->count - 2;
	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			uint32_t n = parts[i].n[k];
			if (n == BSPSCENE_NO_INDEX || !(n & INNER)) continue;
			parts[i].n[k] = r->star[n & ~INNER];
			parts[n & ~INNER].n[1] = r->star[i];
		}
	}
	for (uint32_t i = count; i < r->count; i++) chart->triangles[r->star[i]].gone = true;
	for (uint32_t i = 0; i < count; i++) bspi_chart_replace(chart, r->star[i], parts[i].v, parts[i].n, parts[i].folds);
}

bool bspi_chart_thin(bspi_chart *chart)
{
	if (bspi_chart_is_over(chart)) return true;
	for (uint32_t vertex = chart->vertex_count; vertex-- > chart->first_inner && chart->samples_left > 0;) {
		ring r;
		part parts[MOST_AROUND];
		if (chart->vertices[vertex].stays || !find_ring(chart, vertex, &r)) continue;
		if (!fill_ring(chart, r, parts) || !is_as_good(chart, vertex, &r, parts)) continue;
		replace(chart, &r, parts);
		chart->vertices[vertex].stays = true;
	}
	return true;
}
