/* pose.c - see pose.h. */
#include "base/pose.h"

#include <math.h>

#include "base/vec.h"

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Makes `v` orthogonal to `other`, unless `other` is NULL, and scales it to length 1. Returns false if the length is
 * zero before scaling. */
static bool straighten(double v[3], const double *other)
{
	double along = other ? dot(v, other) : 0;
	for (int i = 0; i < 3; i++) v[i] -= other ? along * other[i] : 0;
	double length = sqrt(dot(v, v));
	if (!(length > 1e-9)) return false;
	for (int i = 0; i < 3; i++) v[i] /= length;
	return true;
}

/* Converts a rotation m[row][column] to a quaternion. */
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

bspscene_bone_pose bspi_pose_of(const float transform[12])
{
	bspscene_bone_pose out = BSPI_POSE_NONE;
	double columns[3][3], m[3][3];
	for (int c = 0; c < 3; c++) {
		out.translation[c] = transform[4 * c + 3];
		for (int r = 0; r < 3; r++) columns[c][r] = (double)transform[4 * r + c];
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

void bspi_transform_quaternion(float out[12], const float quaternion[4], const float place[3])
{
	float x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
	float length = sqrtf(x * x + y * y + z * z + w * w);
	bool usable = length > 1e-6f && isfinite(length);
	x = usable ? x / length : 0;
	y = usable ? y / length : 0;
	z = usable ? z / length : 0;
	w = usable ? w / length : 1;
	const float m[12] = {
		1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),     place[0],
		2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),     place[1],
		2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y), place[2],
	};
	memcpy(out, m, sizeof m);
}

void bspi_pose_transform(const bspscene_bone_pose *pose, float out[12])
{
	bspi_transform_quaternion(out, pose->rotation, pose->translation);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) out[4 * r + c] *= pose->scale[c];
	}
}

bool bspi_transform_invert(const float transform[12], float out[12])
{
	double m[3][4], inverse[3][3], determinant = 0;
	for (int i = 0; i < 12; i++) m[i / 4][i % 4] = (double)transform[i];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
			inverse[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
		}
	}
	for (int i = 0; i < 3; i++) determinant += m[0][i] * inverse[i][0];
	bspi_transform_identity(out);
	if (!(fabs(determinant) > 1e-12) || !isfinite(determinant)) return false;
	for (int r = 0; r < 3; r++) {
		double moved = 0;
		for (int c = 0; c < 3; c++) {
			out[4 * r + c] = (float)(inverse[r][c] / determinant);
			moved -= inverse[r][c] / determinant * m[c][3];
		}
		out[4 * r + 3] = (float)moved;
	}
	return true;
}
