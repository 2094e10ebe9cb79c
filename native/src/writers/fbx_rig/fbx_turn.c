/* fbx_turn.c - see fbx_rig.h. Two triples of Euler angles describe the same rotation, and whole turns may be added to
 * each angle. Of all these triples, the one nearest to the previous key is chosen. */
#include "writers/fbx_rig/fbx_rig.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979
#define SAME 0.99996192f               /* cosine of half a degree; if two quaternions differ less, their rotations
                                        * differ by less than a degree */
#define UPRIGHT 89.999

/* ---- Quaternions ------------------------------------------------------------------------------------------ */

static double dot4(const float a[4], const float b[4])
{
	double sum = 0;
	for (int i = 0; i < 4; i++) sum += (double)a[i] * (double)b[i];
	return sum;
}

/* Computes the middle of two quaternions on the shorter arc (slerp). */
static void middle(const float a[4], const float b[4], float out[4])
{
	double sign = dot4(a, b) < 0 ? -1 : 1, sum[4], length = 0;
	for (int i = 0; i < 4; i++) {
		sum[i] = (double)a[i] + sign * (double)b[i];
		length += sum[i] * sum[i];
	}
	for (int i = 0; i < 4; i++) out[i] = length > 1e-12 ? (float)(sum[i] / sqrt(length)) : a[i];
}

static void quaternion_of(const float angles[3], float out[4])
{
	double c[3], s[3];
	for (int i = 0; i < 3; i++) {
		double half = (double)angles[i] * PI / 360;
		c[i] = cos(half);
		s[i] = sin(half);
	}
	out[0] = (float)(s[0] * c[1] * c[2] - c[0] * s[1] * s[2]);
	out[1] = (float)(c[0] * s[1] * c[2] + s[0] * c[1] * s[2]);
	out[2] = (float)(c[0] * c[1] * s[2] - s[0] * s[1] * c[2]);
	out[3] = (float)(c[0] * c[1] * c[2] + s[0] * s[1] * s[2]);
}

/* ---- Angles ----------------------------------------------------------------------------------------------- */

static double way_to(double angles[3], const float from[3])
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		angles[i] += 360 * floor(((double)from[i] - angles[i]) / 360 + 0.5);
		sum += fabs(angles[i] - (double)from[i]);
	}
	return sum;
}

/* Returns the Euler angles of a quaternion. Several triples of angles describe it; the one nearest to `from` is
 * chosen. */
static void angles_near(const float quaternion[4], const float from[3], float out[3])
{
	double first[3], second[3];
	bspi_fbx_angles_of(quaternion, first);
	if (fabs(first[1]) > UPRIGHT) {
		/* Gimbal lock: x and z turn about the same axis. z keeps its previous value, and x gets the rest. */
		first[0] += ((double)from[2] - first[2]) * (first[1] > 0 ? 1 : -1);
		first[2] = (double)from[2];
	}
	for (int i = 0; i < 3; i++) second[i] = i == 1 ? 180 - first[1] : first[i] + 180;
	const double *nearer = way_to(second, from) < way_to(first, from) ? second : first;
	for (int i = 0; i < 3; i++) out[i] = (float)nearer[i];
}

/* ---- Keys ------------------------------------------------------------------------------------------------- */

/* True if the mean of two keys' angles is within a degree of the wanted rotation. */
static bool is_between(const float a[3], const float b[3], const float wanted[4])
{
	float mean[3], found[4];
	for (int i = 0; i < 3; i++) mean[i] = (a[i] + b[i]) / 2;
	quaternion_of(mean, found);
	return (float)fabs(dot4(found, wanted)) >= SAME;
}

/* Divides the time from the key `from` to the next frame into `parts` equal parts, and adds a key at the end of each.
 * Returns false if the rotation in the middle of a part is off by more than a degree. */
static bool divide(const float (*turns)[4], uint32_t parts, const bspi_fbx_turn_key *from, bspi_fbx_turn_key *out)
{
	const uint32_t step = 2 * BSPI_FBX_MOST_PARTS / parts;
	bool fits = true;
	for (uint32_t i = 0; i < parts; i++) {
		const bspi_fbx_turn_key *last = i ? &out[i - 1] : from;
		out[i].part = from->part + (float)(i + 1) / (float)parts;
		angles_near(turns[step * (i + 1)], last->angles, out[i].angles);
		fits = fits && is_between(last->angles, out[i].angles, turns[step * i + step / 2]);
	}
	return fits;
}

uint32_t bspi_fbx_turn_keys(const float (*quaternions)[4], uint32_t count, bspi_fbx_turn_key *out)
{
	enum { PIECES = 2 * BSPI_FBX_MOST_PARTS };
	static const float none[3];
	float turns[PIECES + 1][4];
	uint32_t key = 0;
	out[0].part = 0;
	angles_near(quaternions[0], none, out[0].angles);
	for (uint32_t i = 1; i < count; i++) {
		memcpy(turns[0], quaternions[i - 1], sizeof turns[0]);
		memcpy(turns[PIECES], quaternions[i], sizeof turns[0]);
		for (uint32_t step = PIECES; step > 1; step /= 2) {
			for (uint32_t at = 0; at < PIECES; at += step) middle(turns[at], turns[at + step], turns[at + step / 2]);
		}
		uint32_t parts = 1;
		while (!divide((const float(*)[4])turns, parts, &out[key], &out[key + 1]) && parts < BSPI_FBX_MOST_PARTS) {
			parts *= 2;
		}
		key += parts;
		/* The time is the frame's number, not a sum of parts, so that rounding errors do not add up. */
		out[key].part = (float)i;
	}
	return key + 1;
}
