/* sky_divide.c - see sky_divide.h.
 *
 * Hosts interpolate texture coordinates linearly over a triangle. But the sky is projected from the eye, which
 * divides by the depth. Consider an edge between depths n and f. The error is largest where the depth is sqrt(n * f),
 * so edges are split there. This largest error is the distance between the texture coordinates of the two ends,
 * multiplied by (sqrt(f) - sqrt(n)) / (sqrt(f) + sqrt(n)). */
#include "sky/sky_divide.h"

#include <math.h>
#include <string.h>

#include "drawing/numbers.h"
#include "drawing/sky_sides.h"

/* Largest depth of the recursion, in which triangles are split into two. Each split at least halves the error of the
 * split edge. */
#define MOST_SPLITS 48
/* Smallest depth in game units. A surface through the eye would have undefined coordinates. */
#define NEAREST 0.01f

static float depth_of(const float corner[3])
{
	return bspi_larger(corner[2], NEAREST);
}

static void place(const float corner[3], float uv[2])
{
	float depth = depth_of(corner);
	uv[0] = bspi_smaller(bspi_larger((corner[0] / depth + 1) * 0.5f, 0), 1);
	uv[1] = bspi_smaller(bspi_larger((1 - corner[1] / depth) * 0.5f, 0), 1);
}

/* Returns the largest error of texture coordinates along an edge, in texels. */
static float error_of(const bspi_sky_divider *divider, const float a[3], const float b[3])
{
	float uv_a[2], uv_b[2], root_a = sqrtf(depth_of(a)), root_b = sqrtf(depth_of(b));
	place(a, uv_a);
	place(b, uv_b);
	float length = bspi_larger(fabsf(uv_a[0] - uv_b[0]), fabsf(uv_a[1] - uv_b[1]));
	return length * (float)divider->size * fabsf(root_a - root_b) / (root_a + root_b);
}

/* Splits an edge. The result is the same if the ends are exchanged, so neighboring triangles split their common edge
 * alike. */
static void split(const float a[3], const float b[3], float out[3])
{
	const float *nearer = a[2] < b[2] ? a : b, *farther = nearer == a ? b : a;
	float root_near = sqrtf(depth_of(nearer)), root_far = sqrtf(depth_of(farther));
	float share = root_near / (root_near + root_far);
	for (int i = 0; i < 3; i++) out[i] = nearer[i] + (farther[i] - nearer[i]) * share;
}

static void hand_out(const bspi_sky_divider *divider, int side, float (*corners)[3])
{
	bspi_sky_vertex out[3];
	for (int i = 0; i < 3; i++) {
		bspi_side_point(side, corners[i], out[i].position);
		for (int k = 0; k < 3; k++) out[i].position[k] += divider->eye[k];
		place(corners[i], out[i].uv);
	}
	divider->take(divider->user, (uint32_t)side, out);
}

/* Splits the triangle in two at the edge with the largest error, until all errors are small enough. */
static void divide(bspi_sky_divider *divider, int side, float (*corners)[3], int splits)
{
	float worst = BSPI_SKY_EDGE_ERROR;
	int edge = -1;
	for (int i = 0; i < 3; i++) {
		float error = error_of(divider, corners[i], corners[(i + 1) % 3]);
		if (!(error > worst)) continue;
		worst = error;
		edge = i;
	}
	if (edge < 0 || splits == MOST_SPLITS || !divider->splits_left) {
		hand_out(divider, side, corners);
		return;
	}
	divider->splits_left--;
	float middle[3], half[3][3];
	split(corners[edge], corners[(edge + 1) % 3], middle);
	for (int end = 0; end < 2; end++) {
		memcpy(half, corners, sizeof half);
		memcpy(half[(edge + end) % 3], middle, sizeof middle);
		divide(divider, side, half, splits + 1);
	}
}

void bspi_divide_sky(bspi_sky_divider *divider, float (*corners)[3])
{
	float points[3][3], cut[BSPI_SKY_CUT_CORNERS][3], part[3][3];
	for (int i = 0; i < 9; i++) points[i / 3][i % 3] = corners[i / 3][i % 3] - divider->eye[i % 3];
	for (int side = 0; side < BSPI_SKY_SIDES; side++) {
		uint32_t count = bspi_cut_to_side(side, points, cut);
		for (uint32_t i = 2; i < count; i++) {
			memcpy(part[0], cut[0], sizeof part[0]);
			memcpy(part[1], cut[i - 1], 2 * sizeof part[1]);
			divide(divider, side, part, 0);
		}
	}
}
