/* chart_scan.c - where the light of a triangle is furthest from the game's. See chart.h. */
#include "passes/vertex_light/chart.h"

#include <math.h>

/* Half luxels: how close to the border new vertices may not be, which would make slivers of it. */
#define BORDER 0.1
#define BORDER_URGENT 0.02             /* where it is off by twice as much as it may */
/* Inner edges that are shorter, or of triangles that are lower, have no points of their own to be looked at. */
#define SHORTEST_LINE 1.5
#define LOWEST 0.02
#define MOST_ON_LINE 200
#define ROUNDING 1e-9

static int32_t floor_of(double value)
{
	int32_t whole = (int32_t)value;
	return whole - (value < (double)whole);
}

static int32_t ceil_of(double value)
{
	int32_t whole = (int32_t)value;
	return whole + (value > (double)whole);
}

/* A triangle as rows of half luxels. */
typedef struct area {
	const bspi_chart_vertex *first;    /* of its corners */
	double from[3][2], slopes[3];      /* of edges that bound rows: a point, and x over y */
	int8_t sides[3];                   /* on the left: -1, on the right: 1, not at all */
	float across[3], down[3];          /* light over x and y */
	int32_t first_row, last_row;
} area;

/* The rows that it reaches; false: none of them. */
static bool find_rows(const bspi_chart *chart, const bspi_chart_vertex *const v[3], int32_t step, area *out)
{
	double low = v[0]->y < v[1]->y ? v[0]->y : v[1]->y, high = v[0]->y > v[1]->y ? v[0]->y : v[1]->y;
	out->first_row = ceil_of((v[2]->y < low ? v[2]->y : low) - ROUNDING);
	out->last_row = floor_of((v[2]->y > high ? v[2]->y : high) + ROUNDING);
	if (out->first_row < chart->first[1]) out->first_row = chart->first[1];
	int32_t end = chart->first[1] + (int32_t)chart->size[1] - 1;
	if (out->last_row > end) out->last_row = end;
	if (step == 2 && !(out->first_row & 1)) out->first_row++;
	return out->first_row <= out->last_row;
}

/* Middles of luxels are at odd numbers. */
static bool begin_area(const bspi_chart *chart, const uint32_t corners[3], int32_t step, area *out)
{
	const bspi_chart_vertex *const v[3] = { &chart->vertices[corners[0]], &chart->vertices[corners[1]],
	                                        &chart->vertices[corners[2]] };
	if (!find_rows(chart, v, step, out)) return false;
	double bx = v[1]->x - v[0]->x, by = v[1]->y - v[0]->y, cx = v[2]->x - v[0]->x, cy = v[2]->y - v[0]->y;
	double size = bx * cy - cx * by;
	if (!(size > ROUNDING)) return false;
	for (int k = 0; k < 3; k++) {
		const bspi_chart_vertex *from = v[k], *to = v[(k + 1) % 3];
		double down = to->y - from->y;
		out->sides[k] = (int8_t)(down > 0 ? 1 : down < 0 ? -1 : 0);
		out->slopes[k] = down != 0 ? (to->x - from->x) / down : 0;
		out->from[k][0] = from->x;
		out->from[k][1] = from->y;
	}
	double part = 1 / size;
	out->first = v[0];
	for (int i = 0; i < 3; i++) {
		double to_b = (double)(v[1]->light[i] - v[0]->light[i]), to_c = (double)(v[2]->light[i] - v[0]->light[i]);
		out->across[i] = (float)((to_b * cy - to_c * by) * part);
		out->down[i] = (float)((to_c * bx - to_b * cx) * part);
	}
	return true;
}

/* The half luxels of a row that are inside, the light of the first one, and the game's. */
static inline bool begin_row(const bspi_chart *chart, const area *t, int32_t y, int32_t step, int32_t *first,
                             int32_t *last, float light[3], const uint16_t **levels)
{
	double low = (double)chart->first[0], high = low + (double)chart->size[0] - 1;
	for (int k = 0; k < 3; k++) {
		double x = t->from[k][0] + ((double)y - t->from[k][1]) * t->slopes[k];
		if (t->sides[k] < 0 && x - ROUNDING > low) low = x - ROUNDING;
		if (t->sides[k] > 0 && x + ROUNDING < high) high = x + ROUNDING;
	}
	if (low > high) return false;
	*first = ceil_of(low);
	*last = floor_of(high);
	if (step == 2 && !(*first & 1)) ++*first;
	if (*first > *last) return false;
	float dx = (float)((double)*first - t->first->x), dy = (float)((double)y - t->first->y);
	for (int i = 0; i < 3; i++) light[i] = t->first->light[i] + t->across[i] * dx + t->down[i] * dy;
	*levels = chart->levels + ((size_t)(y - chart->first[1]) * chart->size[0] + (size_t)(*first - chart->first[0])) *
	                          BSPI_GRID_WIDTH;
	return true;
}

static inline float error_at(const bspi_light_step *steps, const uint16_t *levels, const float light[3])
{
	float red = bspi_light_error(&steps[levels[0]], light[0]);
	float green = bspi_light_error(&steps[levels[1]], light[1]);
	float blue = bspi_light_error(&steps[levels[2]], light[2]);
	float most = red > green ? red : green;
	return most > blue ? most : blue;
}

/* Is a point so close to an edge at the border that a vertex there would be one too many? */
static bool is_at_border(const bspi_chart *chart, const bspi_chart_triangle *t, double x, double y, float error)
{
	double near = error > 2 ? BORDER_URGENT : BORDER;
	for (int k = 0; k < 3; k++) {
		if (t->n[k] != BSPSCENE_NO_INDEX) continue;
		const bspi_chart_vertex *a = &chart->vertices[t->v[(k + 1) % 3]], *b = &chart->vertices[t->v[(k + 2) % 3]];
		double dx = b->x - a->x, dy = b->y - a->y, cross = dx * (y - a->y) - dy * (x - a->x);
		if (cross * cross < near * near * (dx * dx + dy * dy)) return true;
	}
	return false;
}

static void scan_inside(bspi_chart *chart, bspi_chart_triangle *triangle, int32_t step)
{
	area t;
	const bspi_light_step *steps = chart->source->steps;
	const uint16_t *levels;
	int32_t first, last;
	float light[3];
	if (!begin_area(chart, triangle->v, step, &t)) return;
	for (int32_t row = t.first_row; row <= t.last_row; row += step) {
		if (!begin_row(chart, &t, row, step, &first, &last, light, &levels)) continue;
		chart->looks_left -= last - first + 1;
		for (int32_t x = first; x <= last; x += step, levels += (size_t)step * BSPI_GRID_WIDTH) {
			float error = error_at(steps, levels, light);
			if (error > triangle->worst && !levels[3] && !is_at_border(chart, triangle, x, row, error)) {
				triangle->worst = error;
				triangle->x = x;
				triangle->y = row;
			}
			for (int i = 0; i < 3; i++) light[i] += t.across[i] * (float)step;
		}
	}
}

bool bspi_chart_exceeds(bspi_chart *chart, const uint32_t v[3])
{
	area t;
	const bspi_light_step *steps = chart->source->steps;
	const uint16_t *levels;
	int32_t first, last;
	float light[3];
	if (!begin_area(chart, v, 1, &t)) return false;
	for (int32_t row = t.first_row; row <= t.last_row; row++) {
		if (!begin_row(chart, &t, row, 1, &first, &last, light, &levels)) continue;
		chart->looks_left -= last - first + 1;
		for (int32_t x = first; x <= last; x++, levels += BSPI_GRID_WIDTH) {
			if (error_at(steps, levels, light) > 1) return true;
			for (int i = 0; i < 3; i++) light[i] += t.across[i];
		}
	}
	return false;
}

void bspi_chart_visit(const bspi_chart *chart, const uint32_t v[3], bspi_chart_visit_fn *visit, void *user)
{
	area t;
	const bspi_light_step *steps = chart->source->steps;
	const uint16_t *levels;
	int32_t first, last;
	float light[3];
	if (!begin_area(chart, v, 1, &t)) return;
	for (int32_t row = t.first_row; row <= t.last_row; row++) {
		if (!begin_row(chart, &t, row, 1, &first, &last, light, &levels)) continue;
		for (int32_t x = first; x <= last; x++, levels += BSPI_GRID_WIDTH) {
			visit(user, steps, levels, light, error_at(steps, levels, light));
			for (int i = 0; i < 3; i++) light[i] += t.across[i];
		}
	}
}

/* ---- Lines ------------------------------------------------------------------------------------------------ */

/* Between half luxels, of the nearest of them: what differs is less than what is asked. */
void bspi_chart_levels_at(const bspi_chart *chart, double x, double y, uint16_t out[3])
{
	int32_t most[2] = { (int32_t)chart->size[0] - 1, (int32_t)chart->size[1] - 1 };
	double at[2] = { x - (double)chart->first[0], y - (double)chart->first[1] };
	int32_t low[2], high[2];
	float share[2];
	for (int k = 0; k < 2; k++) {
		at[k] = at[k] < 0 ? 0 : at[k] > (double)most[k] ? (double)most[k] : at[k];
		low[k] = (int32_t)at[k];
		high[k] = low[k] < most[k] ? low[k] + 1 : low[k];
		share[k] = (float)(at[k] - (double)low[k]);
	}
	size_t width = chart->size[0];
	const uint16_t *corners[4] = {
		chart->levels + ((size_t)low[1] * width + (size_t)low[0]) * BSPI_GRID_WIDTH,
		chart->levels + ((size_t)low[1] * width + (size_t)high[0]) * BSPI_GRID_WIDTH,
		chart->levels + ((size_t)high[1] * width + (size_t)low[0]) * BSPI_GRID_WIDTH,
		chart->levels + ((size_t)high[1] * width + (size_t)high[0]) * BSPI_GRID_WIDTH,
	};
	for (int i = 0; i < 3; i++) {
		float top = (float)corners[0][i] + (float)(corners[1][i] - corners[0][i]) * share[0];
		float bottom = (float)corners[2][i] + (float)(corners[3][i] - corners[2][i]) * share[0];
		out[i] = (uint16_t)(top + (bottom - top) * share[1] + 0.5f);
	}
}

float bspi_chart_scan_line(bspi_chart *chart, uint32_t a, uint32_t b, double *x, double *y)
{
	const bspi_chart_vertex *from = &chart->vertices[a], *to = &chart->vertices[b];
	double dx = to->x - from->x, dy = to->y - from->y, length = sqrt(dx * dx + dy * dy);
	float worst = 0;
	if (length < SHORTEST_LINE) return 0;
	int count = length < MOST_ON_LINE ? (int)(length * 0.6) + 2 : MOST_ON_LINE;
	chart->looks_left -= 2 * count;
	for (int i = 1; i < count; i++) {
		double share = (double)i / count, px = from->x + dx * share, py = from->y + dy * share;
		float light[3];
		uint16_t levels[3];
		bspi_chart_levels_at(chart, px, py, levels);
		for (int c = 0; c < 3; c++) light[c] = from->light[c] + (to->light[c] - from->light[c]) * (float)share;
		float error = error_at(chart->source->steps, levels, light);
		if (error <= worst) continue;
		worst = error;
		*x = px;
		*y = py;
	}
	return worst;
}

static bool is_low(const bspi_chart *chart, uint32_t triangle, double length_squared)
{
	const uint32_t *v = chart->triangles[triangle].v;
	double size = bspi_chart_area(chart, v[0], v[1], v[2]);
	return size * size < LOWEST * LOWEST * length_squared;
}

static void scan_edges(bspi_chart *chart, bspi_chart_triangle *triangle)
{
	uint32_t index = (uint32_t)(triangle - chart->triangles);
	for (uint32_t k = 0; k < 3; k++) {
		uint32_t beyond = triangle->n[k], a = triangle->v[(k + 1) % 3], b = triangle->v[(k + 2) % 3];
		/* The other one looks at it for both. */
		if (beyond == BSPSCENE_NO_INDEX || beyond < index) continue;
		double x = 0, y = 0;
		float worst = bspi_chart_scan_line(chart, a, b, &x, &y);
		if (worst <= triangle->worst || worst <= 1) continue;
		double dx = chart->vertices[b].x - chart->vertices[a].x, dy = chart->vertices[b].y - chart->vertices[a].y;
		if (is_low(chart, index, dx * dx + dy * dy) || is_low(chart, beyond, dx * dx + dy * dy)) continue;
		triangle->worst = worst;
		triangle->x = x;
		triangle->y = y;
	}
}

float bspi_chart_error(const bspi_chart *chart, const uint16_t levels[3], const float light[3])
{
	return error_at(chart->source->steps, levels, light);
}

void bspi_chart_scan(bspi_chart *chart, bspi_chart_triangle *triangle, int32_t step)
{
	triangle->worst = 0;
	scan_inside(chart, triangle, step);
	if (step == 1) scan_edges(chart, triangle);
}
