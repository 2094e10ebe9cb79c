/* chart_measure.c - how far the light of a chart is from the game's, as display values at every half luxel. See
 * chart.h. */
#include "passes/vertex_light/chart_rows.h"

#include "images/display.h"

/* In tenths of a step of 255. */
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

/* What is allowed is a difference of display values already, and in proportion to it what is less, nearly. */
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

void bspi_chart_measure(bspi_chart *chart, bspi_light_measure *out)
{
	for (uint32_t i = 0; i < chart->triangle_count; i++) {
		bspi_chart_rows rows;
		bspi_chart_row row;
		if (chart->triangles[i].gone || !bspi_chart_begin_rows(chart, chart->triangles[i].v, 1, &rows)) continue;
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
