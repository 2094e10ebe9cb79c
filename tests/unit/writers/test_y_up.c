/* Promise: a point (x, y, z) of the game is (x, z, -y) in files, in meters. This holds for nodes, bones and matrices. A
 * camera looks along x in games, and along -z in files. It stays upright and keeps the game's field of view. Cameras
 * without a position stand at the center of the map. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sky/sky_source.h"
#include "writers/y_up.h"

/* Rotates a vector by a quaternion (u, w): v + 2 w (u x v) + 2 u x (u x v). */
static void turn(const float q[4], const double v[3], double out[3])
{
	double once[3], twice[3];
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		once[i] = (double)q[j] * v[k] - (double)q[k] * v[j];
	}
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		twice[i] = (double)q[j] * once[k] - (double)q[k] * once[j];
	}
	for (int i = 0; i < 3; i++) out[i] = v[i] + 2 * (double)q[3] * once[i] + 2 * twice[i];
}

static void what_looks_along_x_looks_along_minus_z(void **state)
{
	static const float turns[][4] = {
		{ 0, 0, 0, 1 }, { 0.6f, 0, 0, 0.8f }, { 0, 0.6f, 0, 0.8f }, { 0, 0, 0.6f, 0.8f },
		{ 0.1f, -0.3f, 0.5f, 0.806226f },
	};
	static const double forwards[3] = { 1, 0, 0 }, up[3] = { 0, 1, 0 }, minus_z[3] = { 0, 0, -1 };
	(void)state;
	for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
		float q[4];
		double was[3], is[3], was_up[3], is_up[3];
		for (int k = 0; k < 4; k++) q[k] = turns[i][k];
		turn(q, forwards, was);
		turn(q, up, was_up);
		bspi_look_along_x(q);
		turn(q, minus_z, is);
		turn(q, up, is_up);
		for (int k = 0; k < 3; k++) assert_true(fabs(is[k] - was[k]) < 1e-5 && fabs(is_up[k] - was_up[k]) < 1e-5);
	}
}

static void the_middle_is_half_way(void **state)
{
	const bspscene_scene scene = { .bounds = { .min = { -10, 20, 1 }, .max = { 30, 60, -1 } } };
	float middle[3];
	(void)state;
	bspi_sky_middle(&scene, middle);
	assert_true(middle[0] == 10 && middle[1] == 40 && middle[2] == 0); /* along z the bounds are invalid */
}

/* ---- Transforms -------------------------------------------------------------------------------------------- */

#define METERS 0.025f

/* Moves a point of the game by a transform, then turns it to the axes of files. */
static void moved_in_game(const float m[12], const double p[3], double out[3])
{
	double moved[3];
	for (int r = 0; r < 3; r++) {
		moved[r] = (double)m[4 * r + 3];
		for (int c = 0; c < 3; c++) moved[r] += (double)m[4 * r + c] * p[c];
	}
	out[0] = moved[0] * (double)METERS;
	out[1] = moved[2] * (double)METERS;
	out[2] = -moved[1] * (double)METERS;
}

/* Scales, turns and moves a point of a file. */
static void moved_in_file(const bspi_trs *trs, const double p[3], double out[3])
{
	double scaled[3];
	for (int i = 0; i < 3; i++) scaled[i] = p[i] * (double)trs->scale[i];
	turn(trs->rotation, scaled, out);
	for (int i = 0; i < 3; i++) out[i] += (double)trs->translation[i];
}

static void assert_same(const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++) assert_true(fabs(a[i] - b[i]) < 1e-4);
}

/* The transform rotates about z by the angle with cosine 0.6 and sine 0.8. It scales each axis differently, and moves
 * along all axes. */
static void what_is_moved_then_turned_is_turned_then_moved(void **state)
{
	static const float size[3] = { 2, 3, 5 };
	static const double points[][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { -7, 11, 13 } };
	const float turned[3][3] = { { 0.6f, -0.8f, 0 }, { 0.8f, 0.6f, 0 }, { 0, 0, 1 } };
	const bspscene_bone_pose pose = { { 40, -100, 260 }, { 0, 0, 0.4472136f, 0.8944272f }, { 2, 3, 5 } };
	float m[12], columns[16];
	(void)state;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) m[4 * r + c] = turned[r][c] * size[c];
		m[4 * r + 3] = pose.translation[r];
	}
	bspi_trs node = bspi_y_up_transform(m, METERS), bone = bspi_y_up_pose(&pose, METERS);
	bspi_y_up_matrix(m, METERS, columns);
	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		const double *p = points[i], meters = (double)METERS,
					 of_file[3] = { p[0] * meters, p[2] * meters, -p[1] * meters };
		double want[3], got[3];
		moved_in_game(m, p, want);
		moved_in_file(&node, of_file, got);
		assert_same(got, want);
		moved_in_file(&bone, of_file, got);
		assert_same(got, want);
		for (int r = 0; r < 3; r++) {
			got[r] = (double)columns[12 + r];
			for (int c = 0; c < 3; c++) got[r] += (double)columns[4 * c + r] * of_file[c];
		}
		assert_same(got, want);
	}
	assert_true(columns[3] == 0 && columns[7] == 0 && columns[11] == 0 && columns[15] == 1);
}

/* The game's field of view is the horizontal angle for a picture of 4:3, and formats need the vertical angle. From
 * any point of the map, everything must be in front of the far plane. The diagonal of the map's bounds is 130,000
 * game units. */
static void cameras_see_what_the_game_shows(void **state)
{
	const bspscene_scene scene = { .meters_per_unit = METERS, .bounds = { { 0, -40000, 0 }, { 30000, 0, 120000 } } };
	static const double degree = 3.14159265358979 / 180;
	(void)state;
	for (int fov = 30; fov <= 150; fov += 60) {
		const bspscene_camera camera = { .fov_degrees = (float)fov };
		bspi_view view = bspi_view_of(&scene, &camera);
		assert_true(fabs((double)view.aspect - 4 / 3.0) < 1e-6);
		assert_true(fabs(tan((double)view.height_angle / 2) * 4 / 3 / tan(fov * degree / 2) - 1) < 1e-4);
		assert_true(fabs((double)view.near_plane - 4 * (double)METERS) < 1e-6);
		assert_true(fabs((double)view.far_plane / (2 * 130000 * (double)METERS) - 1) < 1e-5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_moved_then_turned_is_turned_then_moved),
		cmocka_unit_test(cameras_see_what_the_game_shows),
		cmocka_unit_test(what_looks_along_x_looks_along_minus_z),
		cmocka_unit_test(the_middle_is_half_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
