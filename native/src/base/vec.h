/* vec.h - vectors of three floats and row-major 3x4 transforms, as the scene stores them. */
#ifndef BSPI_VEC_H
#define BSPI_VEC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <bspscene/mesh.h>

/* A position with a larger coordinate, in game units, counts as corrupt. Maps of these engines end at 131072. */
#define BSPI_LARGEST_COORDINATE 1048576.0f

static inline bool bspi_equal3(const float a[3], const float b[3])
{
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}
static inline void bspi_copy3(float out[3], const float a[3]) { memcpy(out, a, 3 * sizeof *out); }
static inline float bspi_dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void bspi_sub(float out[3], const float a[3], const float b[3])
{
	for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

static inline void bspi_cross(float out[3], const float a[3], const float b[3])
{
	float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
	out[0] = x;
	out[1] = y;
	out[2] = z;
}

static inline float bspi_distance_squared(const float a[3], const float b[3])
{
	float d[3];
	bspi_sub(d, a, b);
	return bspi_dot(d, d);
}

/* Normalizes a vector. Returns false and leaves it unchanged if it is zero or not finite. */
static inline bool bspi_normalize(float v[3])
{
	float length = sqrtf(bspi_dot(v, v));
	if (!(length > 1e-12f) || !isfinite(length)) return false;
	for (int i = 0; i < 3; i++) v[i] /= length;
	return true;
}

static inline bool bspi_is_position(const float p[3])
{
	for (int i = 0; i < 3; i++) {
		if (!(fabsf(p[i]) <= BSPI_LARGEST_COORDINATE)) return false;
	}
	return true;
}

static inline bool bspi_are_finite(const float *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!isfinite(values[i])) return false;
	}
	return true;
}

#define BSPI_EMPTY_BOUNDS ((bspscene_bounds){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } })
/* Empty bounds: finite, with min > max. */
#define BSPI_NO_BOUNDS ((bspscene_bounds){ { 1, 1, 1 }, { -1, -1, -1 } })

static inline void bspi_bounds_add(bspscene_bounds *b, const float p[3])
{
	for (int i = 0; i < 3; i++) {
		if (p[i] < b->min[i]) b->min[i] = p[i];
		if (p[i] > b->max[i]) b->max[i] = p[i];
	}
}

static inline void bspi_bounds_join(bspscene_bounds *b, const bspscene_bounds *other)
{
	for (int i = 0; i < 3; i++) {
		if (other->min[i] < b->min[i]) b->min[i] = other->min[i];
		if (other->max[i] > b->max[i]) b->max[i] = other->max[i];
	}
}

static inline bool bspi_bounds_empty(const bspscene_bounds *b) { return !(b->min[0] <= b->max[0]); }

static inline void bspi_transform_identity(float out[12])
{
	static const float identity[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
	memcpy(out, identity, sizeof identity);
}

static inline void bspi_transform_point(float out[3], const float m[12], const float p[3])
{
	float x = p[0], y = p[1], z = p[2];
	for (int i = 0; i < 3; i++) out[i] = m[4 * i] * x + m[4 * i + 1] * y + m[4 * i + 2] * z + m[4 * i + 3];
}

/* Computes out = a * b, which applies b first. */
static inline void bspi_transform_multiply(float out[12], const float a[12], const float b[12])
{
	float r[12];
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 4; j++) {
			r[4 * i + j] = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j] +
			               (j == 3 ? a[4 * i + 3] : 0);
		}
	}
	memcpy(out, r, sizeof r);
}

/* Engine angles in degrees: positive pitch looks down, yaw turns counter-clockwise from +X, positive roll drops the
 * right side. Rz(yaw) * Ry(pitch) * Rx(roll); columns are forward, left, up. */
static inline void bspi_transform_angles(float out[12], const float origin[3], float pitch, float yaw, float roll)
{
	const float to_radians = 0.017453292519943295f;
	float sp = (float)sin(pitch * to_radians), cp = (float)cos(pitch * to_radians);
	float sy = (float)sin(yaw * to_radians), cy = (float)cos(yaw * to_radians);
	float sr = (float)sin(roll * to_radians), cr = (float)cos(roll * to_radians);
	float m[12] = {
		cp * cy, sr * sp * cy - cr * sy, cr * sp * cy + sr * sy, origin[0],
		cp * sy, sr * sp * sy + cr * cy, cr * sp * sy - sr * cy, origin[1],
		-sp, sr * cp, cr * cp, origin[2],
	};
	memcpy(out, m, sizeof m);
}

#endif
