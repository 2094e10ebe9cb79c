/* chart_rows.h - rasterizes a triangle of a chart to rows of half luxels, with the light between its corners. See
 * chart.h. */
#ifndef BSPI_CHART_ROWS_H
#define BSPI_CHART_ROWS_H

#include "drawing/four.h"
#include "baking/vertex_light/chart.h"

/* Points that lie at most this far outside an edge count as inside. In half luxels. */
#define BSPI_CHART_ROUNDING 1e-9

/* An edge that bounds the rows on the left or right: a point on it, and dx/dy. */
typedef struct bspi_chart_bound {
	double x, y, slope;
} bspi_chart_bound;

typedef struct bspi_chart_rows {
	bspi_chart_bound left[2], right[2]; /* edges that bound the rows on each side; a single edge is stored twice */
	double low, high;                  /* smallest and largest x of the chart */
	double x, y;                       /* a corner of the triangle, the origin of `light` */
	bspi_four light, across, down;     /* light at (x, y), and its change per half luxel in x and in y */
	int32_t first, last;
} bspi_chart_rows;

/* The half luxels of a row inside the triangle, and the light at the first one. */
typedef struct bspi_chart_row {
	int32_t first, last;
	size_t at;                         /* index of the first one in the chart's grid */
	bspi_four light;
} bspi_chart_row;

/* Finds the rows that a triangle reaches. Returns false if there is none. chart_scan.c */
bool bspi_chart_begin_rows(const bspi_chart *chart, const uint32_t corners[3], int32_t step, bspi_chart_rows *out);

static inline int32_t bspi_floor_of(double value)
{
	int32_t whole = (int32_t)value;
	return whole - (value < (double)whole);
}

static inline int32_t bspi_ceil_of(double value)
{
	int32_t whole = (int32_t)value;
	return whole + (value > (double)whole);
}

static inline double bspi_chart_bound_at(const bspi_chart_bound *bound, double y)
{
	return bound->x + (y - bound->y) * bound->slope;
}

/* Returns false if the row has no half luxel inside. */
static inline bool bspi_chart_row_at(const bspi_chart *chart, const bspi_chart_rows *rows, int32_t y, int32_t step,
                                     bspi_chart_row *out)
{
	double low = rows->low, high = rows->high, row = (double)y;
	for (int i = 0; i < 2; i++) {
		double left = bspi_chart_bound_at(&rows->left[i], row) - BSPI_CHART_ROUNDING;
		double right = bspi_chart_bound_at(&rows->right[i], row) + BSPI_CHART_ROUNDING;
		low = left > low ? left : low;
		high = right < high ? right : high;
	}
	if (low > high) return false;
	out->first = bspi_ceil_of(low);
	out->last = bspi_floor_of(high);
	if (step == 2) out->first |= 1;
	if (out->first > out->last) return false;
	float dx = (float)((double)out->first - rows->x), dy = (float)(row - rows->y);
	bspi_four moved = bspi_four_sum(rows->light, bspi_four_times(rows->across, dx));
	out->light = bspi_four_sum(moved, bspi_four_times(rows->down, dy));
	out->at = (size_t)(y - chart->first[1]) * chart->size[0] + (size_t)(out->first - chart->first[0]);
	return true;
}

/* Returns the errors of the three channels, in units of the allowed error. `game` points to the numbers of a half
 * luxel in chart->game. */
static inline bspi_four bspi_chart_errors(const float *game, bspi_four light)
{
	bspi_four away = bspi_four_difference(light, bspi_four_load(game));
	return bspi_four_larger(bspi_four_product(away, bspi_four_load(game + 4)),
	                        bspi_four_product(away, bspi_four_load(game + 8)));
}

#endif
