/* chart_measure.c - how far the light of a chart is from the game's, as display values at every half luxel. See
 * chart.h. */
#include "passes/vertex_light/chart.h"

#include "images/display.h"

typedef struct measuring {
	bspi_light_measure *out;
	float tenths;                      /* of a step of 255 that an error of 1 is */
} measuring;

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
static void add_point(void *user, const bspi_light_step *steps, const uint16_t *levels, const float light[3],
                      float error)
{
	const measuring *m = user;
	float tenths = error > 1 ? difference(steps, levels, light) : error * m->tenths;
	m->out->count++;
	m->out->counts[tenths < BSPI_MEASURE_BINS - 1 ? (uint32_t)tenths : BSPI_MEASURE_BINS - 1]++;
}

void bspi_chart_measure(bspi_chart *chart, bspi_light_measure *out)
{
	measuring m = { out, chart->mesh->error * 2550 };
	for (uint32_t i = 0; i < chart->triangle_count; i++) {
		if (!chart->triangles[i].gone) bspi_chart_visit(chart, chart->triangles[i].v, add_point, &m);
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
