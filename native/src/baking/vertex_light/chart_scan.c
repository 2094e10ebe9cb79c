/* chart_scan.c - finds the largest light error of a triangle. See chart.h. */
#include "baking/vertex_light/chart_rows.h"

#include <math.h>

/* New vertices keep this distance in half luxels from the border, because triangles would be slivers otherwise. */
#define BORDER 0.1
#define BORDER_URGENT 0.02             /* the distance if the error is above BSPI_CHART_URGENT */
/* Inner edges shorter than SHORTEST_LINE half luxels are not scanned. An edge is not divided if the triangles on both
 * sides are lower than LOWEST half luxels. If only one is so low, the edge is divided only for an error above
 * BSPI_CHART_URGENT. */
#define SHORTEST_LINE 1.5
#define LOWEST 0.02
#define MOST_ON_LINE 200

/* Finds the rows that a triangle reaches. Returns false if there are none. */
static bool find_rows(const bspi_chart *chart, const bspi_chart_vertex *const v[3], int32_t step,
                      bspi_chart_rows *out)
{
	double low = v[0]->y < v[1]->y ? v[0]->y : v[1]->y, high = v[0]->y > v[1]->y ? v[0]->y : v[1]->y;
	out->first = bspi_ceil_of((v[2]->y < low ? v[2]->y : low) - BSPI_CHART_ROUNDING);
	out->last = bspi_floor_of((v[2]->y > high ? v[2]->y : high) + BSPI_CHART_ROUNDING);
	if (out->first < chart->first[1]) out->first = chart->first[1];
	int32_t end = chart->first[1] + (int32_t)chart->size[1] - 1;
	if (out->last > end) out->last = end;
	if (step == 2) out->first |= 1;
	return out->first <= out->last;
}

/* Finds the edges that bound the rows. The corners are in the order of a positive area. So an edge along which y grows
 * bounds the triangle at larger x (right), and an edge along which y falls bounds it at smaller x (left). */
static void find_bounds(const bspi_chart_vertex *const v[3], bspi_chart_rows *out)
{
	uint32_t left = 0, right = 0;
	for (int k = 0; k < 3; k++) {
		const bspi_chart_vertex *from = v[k], *to = v[k == 2 ? 0 : k + 1];
		double down = to->y - from->y;
		if (down == 0) continue;
		bspi_chart_bound *bound = down > 0 ? &out->right[right++] : &out->left[left++];
		bound->x = from->x;
		bound->y = from->y;
		bound->slope = (to->x - from->x) / down;
	}
	if (left == 1) out->left[1] = out->left[0];
	if (right == 1) out->right[1] = out->right[0];
}

/* See chart_rows.h. With step 2, only rows with centers of luxels count; their coordinates are odd. */
bool bspi_chart_begin_rows(const bspi_chart *chart, const uint32_t corners[3], int32_t step, bspi_chart_rows *out)
{
	const bspi_chart_vertex *const v[3] = { &chart->vertices[corners[0]], &chart->vertices[corners[1]],
	                                        &chart->vertices[corners[2]] };
	if (!find_rows(chart, v, step, out)) return false;
	double bx = v[1]->x - v[0]->x, by = v[1]->y - v[0]->y, cx = v[2]->x - v[0]->x, cy = v[2]->y - v[0]->y;
	double size = bx * cy - cx * by;
	if (!(size > BSPI_CHART_ROUNDING)) return false;
	find_bounds(v, out);
	float across[3], down[3];
	double part = 1 / size;
	for (int i = 0; i < 3; i++) {
		double to_b = (double)(v[1]->light[i] - v[0]->light[i]), to_c = (double)(v[2]->light[i] - v[0]->light[i]);
		across[i] = (float)((to_b * cy - to_c * by) * part);
		down[i] = (float)((to_c * bx - to_b * cx) * part);
	}
	out->across = bspi_four_of(across[0], across[1], across[2]);
	out->down = bspi_four_of(down[0], down[1], down[2]);
	out->light = bspi_four_of(v[0]->light[0], v[0]->light[1], v[0]->light[2]);
	out->x = v[0]->x;
	out->y = v[0]->y;
	out->low = (double)chart->first[0];
	out->high = out->low + (double)chart->size[0] - 1;
	return true;
}

static inline float error_at(const bspi_light_step *steps, const int32_t levels[3], const float light[3])
{
	float red = bspi_light_error(&steps[levels[0]], light[0]);
	float green = bspi_light_error(&steps[levels[1]], light[1]);
	float blue = bspi_light_error(&steps[levels[2]], light[2]);
	float most = red > green ? red : green;
	return most > blue ? most : blue;
}

/* True if a vertex here would be too close to a border edge. */
static bool is_at_border(const bspi_chart *chart, const bspi_chart_triangle *t, double x, double y, float error)
{
	double near = error > BSPI_CHART_URGENT ? BORDER_URGENT : BORDER;
	for (int k = 0; k < 3; k++) {
		if (t->n[k] != BSPSCENE_NO_INDEX) continue;
		const bspi_chart_vertex *a = &chart->vertices[t->v[(k + 1) % 3]], *b = &chart->vertices[t->v[(k + 2) % 3]];
		double dx = b->x - a->x, dy = b->y - a->y, cross = dx * (y - a->y) - dy * (x - a->x);
		if (cross * cross < near * near * (dx * dx + dy * dy)) return true;
	}
	return false;
}

/* Finds the largest error of a row and adds up squared errors. */
static void scan_row(const bspi_chart *chart, bspi_chart_triangle *triangle, const bspi_chart_row *row, int32_t y,
                     bspi_four growth, bspi_four *squares)
{
	int32_t step = chart->step;
	bspi_four light = row->light, worst = bspi_four_same(triangle->worst);
	const float *game = chart->game + row->at * BSPI_GAME_WIDTH;
	for (int32_t x = row->first; x <= row->last; x += step) {
		bspi_four errors = bspi_chart_errors(game, light);
		light = bspi_four_sum(light, growth);
		game += (size_t)step * BSPI_GAME_WIDTH;
		*squares = bspi_four_sum(*squares, bspi_four_product(errors, errors));
		if (!bspi_four_above(errors, worst)) continue;
		float error = bspi_four_largest(errors);
		size_t at = row->at + (size_t)(x - row->first);
		uint16_t tried = chart->levels[at * BSPI_GRID_WIDTH + 3];
		if (tried && (tried == BSPI_GIVEN_UP || error <= BSPI_CHART_URGENT)) continue;
		if (is_at_border(chart, triangle, x, y, error)) continue;
		triangle->worst = error;
		triangle->x = x;
		triangle->y = y;
		worst = bspi_four_same(error);
	}
}

void bspi_chart_scan_inside(bspi_chart *chart, bspi_chart_triangle *triangle)
{
	bspi_chart_rows rows;
	bspi_chart_row row;
	int32_t step = chart->step;
	if (triangle->scanned) return;
	triangle->scanned = true;
	triangle->worst = 1;
	triangle->squares = 0;
	if (!bspi_chart_begin_rows(chart, triangle->v, step, &rows)) return;
	bspi_four growth = bspi_four_times(rows.across, (float)step), squares = bspi_four_same(0);
	for (int32_t y = rows.first; y <= rows.last; y += step) {
		if (!bspi_chart_row_at(chart, &rows, y, step, &row)) continue;
		chart->samples_left -= row.last - row.first + 1;
		scan_row(chart, triangle, &row, y, growth, &squares);
	}
	float channels[4];
	bspi_four_store(channels, squares);
	triangle->squares = channels[0] + channels[1] + channels[2];
}

bool bspi_chart_exceeds(bspi_chart *chart, const uint32_t v[3])
{
	bspi_chart_rows rows;
	bspi_chart_row row;
	bspi_four limit = bspi_four_same(1);
	if (!bspi_chart_begin_rows(chart, v, 1, &rows)) return false;
	for (int32_t y = rows.first; y <= rows.last; y++) {
		if (!bspi_chart_row_at(chart, &rows, y, 1, &row)) continue;
		chart->samples_left -= row.last - row.first + 1;
		const float *game = chart->game + row.at * BSPI_GAME_WIDTH;
		for (int32_t x = row.first; x <= row.last; x++, game += BSPI_GAME_WIDTH) {
			if (bspi_four_above(bspi_chart_errors(game, row.light), limit)) return true;
			row.light = bspi_four_sum(row.light, rows.across);
		}
	}
	return false;
}

/* ---- Lines ------------------------------------------------------------------------------------------------ */

/* Returns the game's levels at a position, interpolated between the four half luxels around it and rounded. The fourth
 * number is not a level. */
static inline void levels_at(const bspi_chart *chart, double x, double y, int32_t out[4])
{
	int32_t most[2] = { (int32_t)chart->size[0] - 1, (int32_t)chart->size[1] - 1 };
	double at[2] = { x - (double)chart->first[0], y - (double)chart->first[1] };
	int32_t low[2];
	float share[2];
	for (int k = 0; k < 2; k++) {
		at[k] = at[k] < 0 ? 0 : at[k] > (double)most[k] ? (double)most[k] : at[k];
		low[k] = (int32_t)at[k];
		share[k] = (float)(at[k] - (double)low[k]);
	}
	size_t right = low[0] < most[0] ? BSPI_GRID_WIDTH : 0;
	size_t below = low[1] < most[1] ? (size_t)chart->size[0] * BSPI_GRID_WIDTH : 0;
	const uint16_t *corner = chart->levels + ((size_t)low[1] * chart->size[0] + (size_t)low[0]) * BSPI_GRID_WIDTH;
	bspi_four top = bspi_four_between(bspi_four_words(corner), bspi_four_words(corner + right), share[0]);
	corner += below;
	bspi_four bottom = bspi_four_between(bspi_four_words(corner), bspi_four_words(corner + right), share[0]);
	bspi_four_store_whole(out, bspi_four_sum(bspi_four_between(top, bottom, share[1]), bspi_four_same(0.5f)));
}

void bspi_chart_levels_at(const bspi_chart *chart, double x, double y, uint16_t out[3])
{
	int32_t levels[4];
	levels_at(chart, x, y, levels);
	for (int i = 0; i < 3; i++) out[i] = (uint16_t)levels[i];
}

float bspi_chart_scan_line(bspi_chart *chart, uint32_t a, uint32_t b, double *x, double *y)
{
	const bspi_chart_vertex *from = &chart->vertices[a], *to = &chart->vertices[b];
	double dx = to->x - from->x, dy = to->y - from->y, length = sqrt(dx * dx + dy * dy);
	float worst = 0;
	if (length < SHORTEST_LINE) return 0;
	int count = length < MOST_ON_LINE ? (int)(length * 0.6) + 2 : MOST_ON_LINE;
	chart->samples_left -= 2 * count;
	for (int i = 1; i < count; i++) {
		double share = (double)i / count, px = from->x + dx * share, py = from->y + dy * share;
		float light[3];
		int32_t levels[4];
		levels_at(chart, px, py, levels);
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

/* Finds the largest error on the edges. Skips edges that were scanned before and are close enough. */
static void scan_edges(bspi_chart *chart, bspi_chart_triangle *triangle)
{
	uint32_t index = (uint32_t)(triangle - chart->triangles);
	for (uint32_t k = 0; k < 3; k++) {
		uint32_t beyond = triangle->n[k], a = triangle->v[(k + 1) % 3], b = triangle->v[(k + 2) % 3];
		if (beyond == BSPSCENE_NO_INDEX || triangle->looked_at[k]) continue;
		double x = 0, y = 0;
		float worst = bspi_chart_scan_line(chart, a, b, &x, &y);
		if (worst <= 1) {
			uint32_t back = bspi_chart_edge_back(chart, index, k);
			triangle->looked_at[k] = true;
			if (back < 3) chart->triangles[beyond].looked_at[back] = true;
			continue;
		}
		if (worst <= triangle->worst) continue;
		double dx = chart->vertices[b].x - chart->vertices[a].x, dy = chart->vertices[b].y - chart->vertices[a].y;
		bool low = is_low(chart, index, dx * dx + dy * dy), low_beyond = is_low(chart, beyond, dx * dx + dy * dy);
		if ((low && low_beyond) || ((low || low_beyond) && worst <= BSPI_CHART_URGENT)) continue;
		triangle->worst = worst;
		triangle->x = x;
		triangle->y = y;
	}
}

float bspi_chart_error(const bspi_chart *chart, const uint16_t levels[3], const float light[3])
{
	return error_at(chart->source->steps, (const int32_t[3]){ levels[0], levels[1], levels[2] }, light);
}

void bspi_chart_scan(bspi_chart *chart, bspi_chart_triangle *triangle)
{
	bspi_chart_scan_inside(chart, triangle);
	/* Edges are scanned only if the inside has no error above 1, because otherwise the triangle is divided anyway. */
	if (chart->step == 1 && triangle->worst <= 1) scan_edges(chart, triangle);
}
