/* y_up.c - see y_up.h. */
#include "writers/y_up.h"

#include <math.h>

#define RADIANS (3.14159265f / 180)

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

/* The game axis under each axis with Y up, and its sign. */
static const int axis[3] = { 0, 2, 1 };
static const float sign[3] = { 1, 1, -1 };

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Makes `v` of unit length and square to `other` (which may be NULL). False when nothing is left of it. */
static bool straighten(double v[3], const double *other)
{
	double along = other ? dot(v, other) : 0;
	for (int i = 0; i < 3; i++) v[i] -= other ? along * other[i] : 0;
	double length = sqrt(dot(v, v));
	if (!(length > 1e-9)) return false;
	for (int i = 0; i < 3; i++) v[i] /= length;
	return true;
}

/* m[row][column] is a rotation. */
static void quaternion(double m[3][3], float out[4])
{
	double q[4], trace = m[0][0] + m[1][1] + m[2][2];
	int big = m[0][0] > m[1][1] ? (m[0][0] > m[2][2] ? 0 : 2) : (m[1][1] > m[2][2] ? 1 : 2);
	if (trace > 0) {
		double s = 2 * sqrt(trace + 1);
		q[0] = (m[2][1] - m[1][2]) / s;
		q[1] = (m[0][2] - m[2][0]) / s;
		q[2] = (m[1][0] - m[0][1]) / s;
		q[3] = s / 4;
	} else {
		int j = (big + 1) % 3, k = (big + 2) % 3;
		double s = 2 * sqrt(1 + m[big][big] - m[j][j] - m[k][k]);
		q[big] = s / 4;
		q[j] = (m[j][big] + m[big][j]) / s;
		q[k] = (m[k][big] + m[big][k]) / s;
		q[3] = (m[k][j] - m[j][k]) / s;
	}
	double length = sqrt(dot(q, q) + q[3] * q[3]);
	for (int i = 0; i < 4; i++) out[i] = (float)(q[i] / length);
}

/* Nodes may be turned, scaled and mirrored; there is no shear: no game has any. */
bspi_trs bspi_y_up_transform(const float transform[12], float metres_per_unit)
{
	bspi_trs out = BSPI_TRS_NONE;
	double columns[3][3], m[3][3];
	for (int c = 0; c < 3; c++) {
		out.translation[c] = sign[c] * transform[4 * axis[c] + 3] * metres_per_unit;
		for (int r = 0; r < 3; r++) columns[c][r] = (double)(sign[r] * sign[c] * transform[4 * axis[r] + axis[c]]);
		out.scale[c] = (float)sqrt(dot(columns[c], columns[c]));
	}
	double x[3] = { columns[0][0], columns[0][1], columns[0][2] };
	double y[3] = { columns[1][0], columns[1][1], columns[1][2] };
	if (!straighten(x, NULL) || !straighten(y, x)) return out;
	double z[3] = { x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0] };
	if (dot(z, columns[2]) < 0) out.scale[2] = -out.scale[2];
	for (int r = 0; r < 3; r++) {
		m[r][0] = x[r];
		m[r][1] = y[r];
		m[r][2] = z[r];
	}
	quaternion(m, out.rotation);
	for (int i = 0; i < 3; i++) {
		if (fabsf(out.scale[i] - 1) < 1e-5f) out.scale[i] = 1;
	}
	return out;
}

void bspi_look_along_x(float q[4])
{
	const float h = 0.70710678f;       /* a quarter turn about -Y: (0, -h, 0, h) */
	float turned[4] = { q[0] * h + q[2] * h, q[1] * h - q[3] * h, q[2] * h - q[0] * h, q[3] * h + q[1] * h };
	for (int i = 0; i < 4; i++) q[i] = turned[i];
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

void bspi_y_up_position(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t vertex, float out[3])
{
	const float *p = mesh->positions + 3 * (size_t)vertex, scale = scene->metres_per_unit;
	out[0] = p[0] * scale;
	out[1] = p[2] * scale;
	out[2] = -p[1] * scale;
}

void bspi_y_up_normal(const bspscene_mesh *mesh, uint32_t vertex, bool flip, float out[3])
{
	const float *n = mesh->normals + 3 * (size_t)vertex;
	float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	float scale = length > 1e-6f ? 1 / length : 0, turned = flip ? -scale : scale;
	out[0] = n[0] * turned;
	out[1] = scale > 0 ? n[2] * turned : 1;
	out[2] = -n[1] * turned;
}

/* ---- Cameras ---------------------------------------------------------------------------------------------- */

/* The game's near plane is 4 units away. */
bspi_view bspi_view_of(const bspscene_scene *scene, const bspscene_camera *camera)
{
	float fov = fminf(fmaxf(camera->fov_degrees, 1), 170) * RADIANS, aspect = 4.0f / 3.0f, size[3];
	float near_plane = 4 * scene->metres_per_unit;
	for (int i = 0; i < 3; i++) size[i] = fmaxf(scene->bounds.max[i] - scene->bounds.min[i], 0);
	float far_plane = 2 * sqrtf(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]) * scene->metres_per_unit;
	float height_angle = 2 * (float)atan((float)tan(fov / 2) / aspect);
	return (bspi_view){ aspect, height_angle, near_plane, fmaxf(far_plane, 1000 * near_plane) };
}
