/* y_up.c - see y_up.h. */
#include "writers/y_up.h"

#include <math.h>
#include <string.h>

#include "base/pose.h"

#define RADIANS (3.14159265f / 180)

/* ---- Nodes ------------------------------------------------------------------------------------------------ */

/* For each axis of the system with Y up: which axis of the game it is, and with which sign. */
static const int axis[3] = { 0, 2, 1 };
static const float sign[3] = { 1, 1, -1 };

bspi_trs bspi_y_up_transform(const float transform[12], float meters_per_unit)
{
	float turned[12];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) turned[4 * r + c] = sign[r] * sign[c] * transform[4 * axis[r] + axis[c]];
		turned[4 * r + 3] = sign[r] * transform[4 * axis[r] + 3] * meters_per_unit;
	}
	return bspi_pose_of(turned);
}

void bspi_y_up_matrix(const float transform[12], float meters_per_unit, float out[16])
{
	memset(out, 0, 16 * sizeof *out);
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) out[4 * c + r] = sign[r] * sign[c] * transform[4 * axis[r] + axis[c]];
		out[12 + r] = sign[r] * transform[4 * axis[r] + 3] * meters_per_unit;
	}
	out[15] = 1;
}

bspi_trs bspi_y_up_pose(const bspscene_bone_pose *pose, float meters_per_unit)
{
	bspi_trs out = { .rotation = { [3] = pose->rotation[3] } };
	for (int i = 0; i < 3; i++) {
		out.translation[i] = sign[i] * pose->translation[axis[i]] * meters_per_unit;
		out.rotation[i] = sign[i] * pose->rotation[axis[i]];
		out.scale[i] = pose->scale[axis[i]];
	}
	return out;
}

void bspi_look_along_x(float q[4])
{
	const float h = 0.70710678f;       /* rotates by 90 degrees about -Y, as the quaternion (0, -h, 0, h) */
	float turned[4] = { q[0] * h + q[2] * h, q[1] * h - q[3] * h, q[2] * h - q[0] * h, q[3] * h + q[1] * h };
	for (int i = 0; i < 4; i++) q[i] = turned[i];
}

/* ---- Vertices --------------------------------------------------------------------------------------------- */

void bspi_y_up_position(const bspscene_scene *scene, const bspscene_mesh *mesh, uint32_t vertex, float out[3])
{
	const float *p = mesh->positions + 3 * (size_t)vertex, scale = scene->meters_per_unit;
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

/* See y_up.h. The game's near plane is at 4 game units. */
bspi_view bspi_view_of(const bspscene_scene *scene, const bspscene_camera *camera)
{
	float fov = fminf(fmaxf(camera->fov_degrees, 1), 170) * RADIANS, aspect = 4.0f / 3.0f, size[3];
	float near_plane = 4 * scene->meters_per_unit;
	for (int i = 0; i < 3; i++) size[i] = fmaxf(scene->bounds.max[i] - scene->bounds.min[i], 0);
	float far_plane = 2 * sqrtf(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]) * scene->meters_per_unit;
	float height_angle = 2 * (float)atan((float)tan(fov / 2) / aspect);
	return (bspi_view){ aspect, height_angle, near_plane, fmaxf(far_plane, 1000 * near_plane) };
}
