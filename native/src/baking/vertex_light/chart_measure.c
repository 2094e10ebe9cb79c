/* chart_measure.c - measures how far a chart's light is from the game's, as display values at every half luxel and
 * along edges. See chart.h. */
#include "baking/vertex_light/chart_rows.h"

#include <math.h>

#include "images/display.h"

/* Most samples along an edge. Shorter edges have about one for each half luxel. */
enum { MOST_ON_EDGE = 400 };
/* An edge is not measured if its two triangles together are narrower than this many half luxels, because they look like
 * a line. If a luxel has 16 game units, this is one game unit. */
#define NARROWEST 0.125
/* Light along edges shorter than this many half luxels is nearly monotonic, so their ends are enough. */
#define SHORT 1.5

/* Returns the largest difference between the channels of two colors, as display values in tenths of 1/255. */
static float difference(const bspi_light_step *steps, const uint16_t *levels, const float light[3])
{
	float most = 0;
	for (int c = 0; c < 3; c++) {
		float away = bspi_display_from_linear(light[c] > 0 ? light[c] : 0) - steps[levels[c]].display;
		away = away < 0 ? -away : away;
		most = away > most ? away : most;
	}
	return most * 2550;
}

/* Adds the errors at a row's half luxels to the histogram, as display values. An error of at most 1 is multiplied by
 * the allowed difference of display values, which is nearly exact. A larger error is computed exactly. */
static void measure_row(const bspi_chart *chart, const bspi_chart_row *row, bspi_four across, bspi_light_measure *out)
{
	float allowed = chart->mesh->error * 2550;
	size_t count = (size_t)(row->last - row->first) + 1;
	bspi_four light = row->light;
	const float *game = chart->game + row->at * BSPI_GAME_WIDTH;
	for (size_t i = 0; i < count; i++, game += BSPI_GAME_WIDTH) {
		float error = bspi_four_largest(bspi_chart_errors(game, light)), tenths = error * allowed;
		if (error > 1) {
			float numbers[4];
			bspi_four_store(numbers, light);
			tenths = difference(chart->source->steps, chart->levels + (row->at + i) * BSPI_GRID_WIDTH, numbers);
		}
		out->counts[tenths < BSPI_MEASURE_BINS - 1 ? (uint32_t)tenths : BSPI_MEASURE_BINS - 1]++;
		light = bspi_four_sum(light, across);
	}
	out->count += count;
}

/* ---- Edges -------------------------------------------------------------------------------------------------- */

static bool may_be_off(const bspi_chart *chart, const bspi_chart_vertex *a, const bspi_chart_vertex *b, double length)
{
	const bspi_light_step *steps = chart->source->steps;
	float most = 0;
	for (int c = 0; c < 3; c++) most = fmaxf(most, fabsf(steps[a->levels[c]].display - steps[b->levels[c]].display));
	return length >= SHORT || most * BSPI_MOST_OFF > chart->mesh->error;
}

static void measure_edge(const bspi_chart *chart, const bspi_chart_vertex *from, const bspi_chart_vertex *to,
                         double length, bspi_light_measure *out)
{
	int count = length < MOST_ON_EDGE ? (int)length + 2 : MOST_ON_EDGE;
	for (int i = 1; i < count; i++) {
		double share = (double)i / count;
		uint16_t levels[3];
		float light[3];
		bspi_chart_levels_at(chart, from->x + (to->x - from->x) * share, from->y + (to->y - from->y) * share, levels);
		for (int c = 0; c < 3; c++) light[c] = from->light[c] + (to->light[c] - from->light[c]) * (float)share;
		if (bspi_chart_error(chart, levels, light) <= 1) continue;
		out->most_on_edges = fmaxf(out->most_on_edges, difference(chart->source->steps, levels, light));
	}
}

/* Returns twice the area of a triangle, or 0 for one beyond the border. */
static double size_of(const bspi_chart *chart, uint32_t triangle)
{
	if (triangle == BSPSCENE_NO_INDEX) return 0;
	const uint32_t *v = chart->triangles[triangle].v;
	return bspi_chart_area(chart, v[0], v[1], v[2]);
}

/* Measures a triangle's edges. Each inner edge is measured once, and not if it was scanned and found close enough. */
static void measure_edges(const bspi_chart *chart, uint32_t index, bspi_light_measure *out)
{
	const bspi_chart_triangle *t = &chart->triangles[index];
	for (uint32_t k = 0; k < 3; k++) {
		if (t->looked_at[k] || (t->n[k] != BSPSCENE_NO_INDEX && t->n[k] < index)) continue;
		const bspi_chart_vertex *from = &chart->vertices[t->v[(k + 1) % 3]], *to = &chart->vertices[t->v[(k + 2) % 3]];
		double dx = to->x - from->x, dy = to->y - from->y, length = sqrt(dx * dx + dy * dy);
		if (size_of(chart, index) + size_of(chart, t->n[k]) < NARROWEST * length) continue;
		if (may_be_off(chart, from, to, length)) measure_edge(chart, from, to, length, out);
	}
}

/* ---- All of it ---------------------------------------------------------------------------------------------- */

void bspi_chart_measure(bspi_chart *chart, bspi_light_measure *out)
{
	for (uint32_t i = 0; i < chart->triangle_count; i++) {
		bspi_chart_rows rows;
		bspi_chart_row row;
		if (chart->triangles[i].gone) continue;
		measure_edges(chart, i, out);
		if (!bspi_chart_begin_rows(chart, chart->triangles[i].v, 1, &rows)) continue;
		for (int32_t y = rows.first; y <= rows.last; y++) {
			if (bspi_chart_row_at(chart, &rows, y, 1, &row)) measure_row(chart, &row, rows.across, out);
		}
	}
}

float bspi_measure_quantile(const bspi_light_measure *measure, double share)
{
	uint64_t beyond = (uint64_t)((1 - share) * (double)measure->count), sum = 0;
	for (uint32_t i = BSPI_MEASURE_BINS; i-- > 0;) {
		sum += measure->counts[i];
		if (sum > beyond) return (float)(i + 1) / 10;
	}
	return 0;
}
