/* probe_light.c - converts stored probes to linear light from six sides, and that light to luxels of the list
 * "probes". */
#include "stages/probes/probes.h"

#include <math.h>
#include <string.h>

#include "images/images.h"

#define LARGEST_HALF 65504.0

void bspi_probe_direction(const uint8_t stored[2], double out[3])
{
	const double turn = 6.283185307179586 / BSPI_GRID_DIRECTIONS, zenith = stored[0] * turn, azimuth = stored[1] * turn;
	out[0] = cos(azimuth) * sin(zenith);
	out[1] = sin(azimuth) * sin(zenith);
	out[2] = cos(zenith);
}

static void light_of_record(const bspi_probes *probes, const bspi_probe *probe, double out[BSPI_SIDES][3])
{
	const uint8_t *ambient = probe->stored + bspi_ambient_at(probe->set);
	const uint8_t *directed = probe->stored + bspi_directed_at(probes, probe->set);
	double direction[3];
	bspi_probe_direction(probe->stored + bspi_direction_at(probes), direction);
	for (int side = 0; side < BSPI_SIDES; side++) {
		double toward = fmax(side % 2 ? -direction[side / 2] : direction[side / 2], 0);
		for (int i = 0; i < 3; i++) {
			double away = probes->light[ambient[i]];
			out[side][i] = away + (probes->light[ambient[i] + directed[i]] - away) * toward;
		}
	}
}

/* Reads an ambient cube. The linear light is the byte times 2^exponent. For luxels, the byte is divided by 255 first;
 * for cubes it is not (docs/formats/source.md, "Ambient light"). */
static void light_of_cube(const uint8_t *stored, double out[BSPI_SIDES][3])
{
	for (int side = 0; side < BSPI_SIDES; side++, stored += 4) {
		for (int i = 0; i < 3; i++) out[side][i] = ldexp(stored[i], (int8_t)stored[3]);
	}
}

void bspi_probe_light(const bspi_probes *probes, const bspi_probe *probe, double out[BSPI_SIDES][3])
{
	if (probes->kind == BSPI_GRID_PROBES) {
		light_of_record(probes, probe, out);
	} else if (probes->kind == BSPI_CUBE_PROBES) {
		light_of_cube(probe->stored, out);
	} else {
		for (int k = 0; k < 3 * BSPI_SIDES; k++) out[k / 3][k % 3] = probes->light[probe->stored[k % 3]];
	}
}

/* ---- As luxels -------------------------------------------------------------------------------------------- */

static bool is_hdr(const bspi_build *build)
{
	return build->ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_HDR;
}

bspscene_lightmap_page_format bspi_probe_format(const bspi_build *build)
{
	return is_hdr(build) ? BSPSCENE_LIGHTMAP_PAGE_RGB16F : BSPSCENE_LIGHTMAP_PAGE_RGB8;
}

size_t bspi_probe_luxel_size(const bspi_build *build)
{
	return is_hdr(build) ? 3 * sizeof(uint16_t) : 3;
}

void bspi_probe_luxels(const bspi_build *build, const bspi_probes *probes, const bspi_probe *probe, void *out)
{
	const double intensity = (double)build->map->rules.intensity;
	double light[BSPI_SIDES][3];
	uint16_t halves[3 * BSPI_SIDES];
	uint8_t *bytes = out;
	bspi_probe_light(probes, probe, light);
	for (int k = 0; k < 3 * BSPI_SIDES; k++) {
		double value = light[k / 3][k % 3];
		if (is_hdr(build)) halves[k] = bspi_half_from_float((float)fmin(value, LARGEST_HALF));
		else bytes[k] = (uint8_t)fmin(255 * pow(value, 1 / BSPI_LIGHT_GAMMA) / intensity + 0.5, 255);
	}
	if (is_hdr(build)) memcpy(out, halves, sizeof halves);
}

bool bspi_encode_probes(bspi_build *build, bspscene_map_light *stored, bspscene_light_list *list, bool *found)
{
	enum { ROW = 256 * BSPI_SIDES, LONG_ROW = 16384 / BSPI_SIDES * BSPI_SIDES };
	bspi_ctx *ctx = build->ctx;
	bspi_probes probes;
	*found = false;
	if (!ctx->options.light_probes || ctx->options.lightmap_encoding == BSPSCENE_LIGHTMAP_ENCODING_RAW) return true;
	BSPI_TRY(bspi_find_probes(build, &ctx->stage, &probes));
	if (probes.kind == BSPI_NO_PROBES) return true;
	size_t luxels = (size_t)probes.count * BSPI_SIDES, size = bspi_probe_luxel_size(build);
	uint32_t width = luxels > (size_t)ROW * LONG_ROW ? LONG_ROW : ROW, height = (uint32_t)((luxels - 1) / width + 1);
	uint8_t *data = bspi_push_zeroed(ctx, &ctx->result, (size_t)width * height, size);
	bspscene_light_probe *shown = bspi_push_unset(ctx, &ctx->result, probes.count, sizeof *shown);
	BSPI_TRY(data && shown);
	for (uint32_t i = 0; i < probes.count; i++) {
		shown[i] = probes.items[i].shown;
		bspi_probe_luxels(build, &probes, &probes.items[i], data + (size_t)i * BSPI_SIDES * size);
	}
	stored->probes = shown;
	stored->probe_count = probes.count;
	stored->probes_without_lamps = probes.kind == BSPI_CUBE_PROBES;
	*list = (bspscene_light_list) { BSPI_PROBE_LIST, (uint32_t)luxels,
		                            { width, height, bspi_probe_format(build), data, NULL } };
	*found = true;
	return true;
}
