/* sky_sides.c - see sky_sides.h. Follows the engine's tr_sky.c: RB_ClipSkyPolygons projects sky surfaces onto the sides
 * of the box. FillCloudBox draws all squares that they touch. */
#include "drawing/sky_sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/numbers.h"

/* For each side, maps the world's X, Y and Z axes to the side's coordinates: 1 is s, 2 is t, 3 is depth. A negative
 * number reverses the direction: -1 is -s. */
static const int axes[BSPI_SKY_SIDES][3] = {
	[BSPI_SKY_RIGHT] = { 3, -1, 2 }, [BSPI_SKY_LEFT] = { -3, 1, 2 }, [BSPI_SKY_BACK] = { 1, 3, 2 },
	[BSPI_SKY_FRONT] = { -1, -3, 2 }, [BSPI_SKY_UP] = { -2, -1, 3 }, [BSPI_SKY_DOWN] = { 2, -1, -3 },
};

static inline int box_side(const float d[3], float uv[2])
{
	float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]), s, t;
	int side;
	if (x >= y && x >= z) {
		side = d[0] > 0 ? BSPI_SKY_RIGHT : BSPI_SKY_LEFT;
		s = (d[0] > 0 ? -d[1] : d[1]) / x;
		t = d[2] / x;
	} else if (y >= z) {
		side = d[1] > 0 ? BSPI_SKY_BACK : BSPI_SKY_FRONT;
		s = (d[1] > 0 ? d[0] : -d[0]) / y;
		t = d[2] / y;
	} else {
		side = d[2] > 0 ? BSPI_SKY_UP : BSPI_SKY_DOWN;
		s = -d[1] / z;
		t = (d[2] > 0 ? -d[0] : d[0]) / z;
	}
	uv[0] = (s + 1) * 0.5f;
	uv[1] = 1 - (t + 1) * 0.5f;
	return side;
}

int bspi_box_side(const float direction[3], float uv[2])
{
	return box_side(direction, uv);
}

void bspi_box_sides(const float (*directions)[3], uint32_t count, uint8_t *sides, float (*uvs)[2])
{
	for (uint32_t i = 0; i < count; i++) sides[i] = (uint8_t)box_side(directions[i], uvs[i]);
}

/* ---- Squares ---------------------------------------------------------------------------------------------- */

static inline bspi_sky_spot spot_of(int side, const float uv[2])
{
	const float last = BSPI_SKY_SQUARES - 1;
	float s = uv[0] * BSPI_SKY_SQUARES, t = (1 - uv[1]) * BSPI_SKY_SQUARES;
	int at_s = (int)bspi_smaller(bspi_larger(s, 0), last), at_t = (int)bspi_smaller(bspi_larger(t, 0), last);
	float in_s = s - (float)at_s, in_t = t - (float)at_t;
	bool far_half = in_s + in_t > 1;
	uint32_t square = (uint32_t)((side * BSPI_SKY_SQUARES + at_t) * BSPI_SKY_SQUARES + at_s);
	return (bspi_sky_spot){ 2 * square + far_half, { far_half ? 1 - in_s : in_s, far_half ? 1 - in_t : in_t } };
}

bspi_sky_spot bspi_sky_spot_of(int side, const float uv[2])
{
	return spot_of(side, uv);
}

void bspi_sky_spots_of(const uint8_t *sides, const float (*uvs)[2], uint32_t count, bspi_sky_spot *out)
{
	for (uint32_t i = 0; i < count; i++) out[i] = spot_of(sides[i], uvs[i]);
}

int bspi_sky_corner(uint32_t triangle, int number, int at[2])
{
	bool far_half = triangle & 1;
	int square = (int)(triangle / 2);
	at[0] = square % BSPI_SKY_SQUARES + (number == 1 ? !far_half : far_half);
	at[1] = square / BSPI_SKY_SQUARES % BSPI_SKY_SQUARES + (number == 2 ? !far_half : far_half);
	return square / (BSPI_SKY_SQUARES * BSPI_SKY_SQUARES);
}

void bspi_side_direction(int side, float s, float t, float out[3])
{
	const float values[3] = { s, t, 1 };
	bspi_side_point(side, values, out);
}

/* ---- Clipping --------------------------------------------------------------------------------------------- */

/* Clips a polygon, whose corners are s, t and depth, to |s| <= depth and |t| <= depth. */
static uint32_t cut(float (*corners)[3], uint32_t count)
{
	for (int plane = 0; plane < 4; plane++) {
		float kept[BSPI_SKY_CUT_CORNERS][3];
		uint32_t kept_count = 0;
		for (uint32_t i = 0; i < count; i++) {
			const float *a = corners[i], *b = corners[(i + 1) % count];
			float sign = plane & 1 ? -1 : 1;
			float inside_a = a[2] - sign * a[plane / 2], inside_b = b[2] - sign * b[plane / 2];
			if (inside_a >= 0) memcpy(kept[kept_count++], a, sizeof kept[0]);
			if ((inside_a >= 0) == (inside_b >= 0) || kept_count == BSPI_SKY_CUT_CORNERS) continue;
			float share = inside_a / (inside_a - inside_b);
			for (int k = 0; k < 3; k++) kept[kept_count][k] = a[k] + (b[k] - a[k]) * share;
			kept_count++;
		}
		count = kept_count;
		memcpy(corners, kept, count * sizeof kept[0]);
	}
	return count;
}

uint32_t bspi_cut_to_side(int side, float (*points)[3], float (*corners)[3])
{
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			int axis = axes[side][k];
			corners[i][abs(axis) - 1] = axis < 0 ? -points[i][k] : points[i][k];
		}
	}
	return cut(corners, 3);
}

void bspi_side_point(int side, const float corner[3], float out[3])
{
	for (int i = 0; i < 3; i++) out[i] = axes[side][i] < 0 ? -corner[-axes[side][i] - 1] : corner[axes[side][i] - 1];
}

/* ---- Covers ----------------------------------------------------------------------------------------------- */

static void cover_side(float (*points)[3], int side, bspi_sky_cover *cover)
{
	const float nearest = 0.001f;
	float corners[BSPI_SKY_CUT_CORNERS][3];
	uint32_t count = bspi_cut_to_side(side, points, corners);
	for (uint32_t i = 0; i < count; i++) {
		if (corners[i][2] < nearest) continue;
		for (int k = 0; k < 2; k++) {
			float at = corners[i][k] / corners[i][2];
			cover->least[side][k] = fminf(cover->least[side][k], at);
			cover->most[side][k] = fmaxf(cover->most[side][k], at);
		}
	}
}

void bspi_cover_triangle(float (*points)[3], bspi_sky_cover *cover)
{
	for (int side = 0; side < BSPI_SKY_SIDES; side++) cover_side(points, side, cover);
}

void bspi_cover_squares(bspi_sky_cover *cover)
{
	const float half = BSPI_SKY_SQUARES / 2.0f;
	for (int side = 0; side < BSPI_SKY_SIDES; side++) {
		for (int k = 0; k < 2; k++) {
			cover->least[side][k] = floorf(cover->least[side][k] * half) / half;
			cover->most[side][k] = ceilf(cover->most[side][k] * half) / half;
		}
	}
}

void bspi_cover_nothing(bspi_sky_cover *cover)
{
	for (int i = 0; i < BSPI_SKY_SIDES * 2; i++) {
		cover->least[i / 2][i % 2] = INFINITY;
		cover->most[i / 2][i % 2] = -INFINITY;
	}
}

bool bspi_is_covered(const bspi_sky_cover *cover, const float direction[3])
{
	float uv[2];
	int side = bspi_box_side(direction, uv);
	const float at[2] = { uv[0] * 2 - 1, 1 - uv[1] * 2 };
	for (int k = 0; k < 2; k++) {
		if (!(at[k] >= cover->least[side][k] && at[k] <= cover->most[side][k])) return false;
	}
	return true;
}
