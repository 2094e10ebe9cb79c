/* probe_fit.c - converts linear light from six sides to a record of a light grid, which has an ambient color and a
 * directed one. This is the inverse of stages/probes/probe_light.c: six sides that probe_light.c made from a record
 * give the same record again. */
#include "relight/relit_probes.h"

#include <math.h>
#include <string.h>

#define LEAST_LIGHT 1e-6               /* smallest difference of light between opposite sides that gives a direction */

typedef double cube[BSPI_SIDES][3];

static double luminance(const double light[3])
{
	return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
}

/* Finds the direction from which light is brightest. All styles share the direction of the record, so their light is
 * summed. Returns false if the light has no direction. */
static bool find_direction(const double (*cubes)[BSPI_SIDES][3], uint32_t count, double out[3])
{
	double length = 0;
	for (int axis = 0; axis < 3; axis++) {
		out[axis] = 0;
		for (uint32_t i = 0; i < count; i++) {
			out[axis] += luminance(cubes[i][2 * axis]) - luminance(cubes[i][2 * axis + 1]);
		}
		length += out[axis] * out[axis];
	}
	length = sqrt(length);
	for (int axis = 0; axis < 3; axis++) out[axis] /= length > LEAST_LIGHT ? length : 1;
	return length > LEAST_LIGHT;
}

/* Stores a direction as zenith and azimuth. If it is straight up or down, the azimuth does not matter and stays as it
 * is. */
static void store_direction(const double direction[3], uint8_t out[2])
{
	const double turn = 6.283185307179586 / BSPI_GRID_DIRECTIONS;
	double zenith = acos(fmin(fmax(direction[2], -1), 1)) / turn, azimuth = atan2(direction[1], direction[0]) / turn;
	out[0] = (uint8_t)(zenith + 0.5);
	if (out[0] % (BSPI_GRID_DIRECTIONS / 2)) out[1] = (uint8_t)((int)floor(azimuth + 0.5) & 0xff);
}

/* Splits light into ambient and directed light by least squares, channel by channel. */
static void split(const double (*light)[3], const double direction[3], double ambient[3], double directed[3])
{
	double seen = fabs(direction[0]) + fabs(direction[1]) + fabs(direction[2]);
	for (int i = 0; i < 3; i++) {
		double sum = 0, along = 0;
		for (int axis = 0; axis < 3; axis++) {
			along += (light[2 * axis][i] - light[2 * axis + 1][i]) * direction[axis];
			sum += light[2 * axis][i] + light[2 * axis + 1][i];
		}
		directed[i] = fmax(along, 0);
		ambient[i] = fmax((sum - directed[i] * seen) / BSPI_SIDES, 0);
	}
}

static bool is_black(const uint8_t color[3])
{
	return !(color[0] | color[1] | color[2]);
}

/* If the ambient light is stored as black, sets its brightest channel to 1. Otherwise the engine would take the point
 * for the inside of a wall (tr_light.c, R_SetupEntityLightingGrid). */
static void keep_out_of_walls(const double ambient[3], const double directed[3], uint8_t out[3])
{
	int brightest = 0;
	double light[3];
	for (int i = 0; i < 3; i++) light[i] = ambient[i] + directed[i];
	for (int i = 1; i < 3; i++) brightest = light[i] > light[brightest] ? i : brightest;
	if (is_black(out) && luminance(light) > LEAST_LIGHT) out[brightest] = 1;
}

/* Stores the light of one style. Returns the factor by which it is too bright. */
static double store_set(const bspi_luxel_code *code, const double (*light)[3], const double direction[3],
                        uint8_t *ambient_bytes, uint8_t *directed_bytes)
{
	double ambient[3], directed[3], rest[3];
	split(light, direction, ambient, directed);
	double factor = bspi_light_to_luxel(code, ambient, ambient_bytes);
	keep_out_of_walls(ambient, directed, ambient_bytes);
	for (int i = 0; i < 3; i++) {
		double shown = pow(ambient[i] + directed[i], 1 / BSPI_LIGHT_GAMMA) - ambient_bytes[i] / 255.0 * code->scale;
		rest[i] = pow(fmax(shown, 0), BSPI_LIGHT_GAMMA);
	}
	return fmax(factor, bspi_light_to_luxel(code, rest, directed_bytes));
}

double bspi_fit_record(const bspi_probes *probes, const bspi_probe *items, const bspi_edited_light_of *news,
                       uint32_t count, const bspi_luxel_code *code, uint8_t *record)
{
	cube lights[BSPI_GRID_SETS];
	double direction[3], factor = 1;
	bool lit = false;
	for (uint32_t i = 0; i < count; i++) memcpy(lights[i], news[i].light, sizeof lights[i]);
	bool known = find_direction((const double (*)[BSPI_SIDES][3])lights, count, direction);
	if (!known) bspi_probe_direction(record + bspi_direction_at(probes), direction);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *ambient = record + bspi_ambient_at(items[i].set);
		uint8_t *directed = record + bspi_directed_at(probes, items[i].set);
		if (news[i].changed) {
			factor = fmax(factor, store_set(code, (const double (*)[3])lights[i], direction, ambient, directed));
		}
		lit = lit || !is_black(directed);
	}
	if (known && lit) store_direction(direction, record + bspi_direction_at(probes));
	return factor;
}
