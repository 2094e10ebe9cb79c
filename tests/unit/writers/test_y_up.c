/* Promise: cameras that look along x in games look along -z in files, and stay upright; the center of the map is where
 * cameras without a position stand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sky/sky_source.h"
#include "writers/y_up.h"

/* v + 2 w (u x v) + 2 u x (u x v), where the quaternion is (u, w) */
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
	assert_true(middle[0] == 10 && middle[1] == 40 && middle[2] == 0); /* invalid bounds along z */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_looks_along_x_looks_along_minus_z),
		cmocka_unit_test(the_middle_is_half_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
