/* Promise: the light of a lamp follows the formula in lighting.h, tested with random lamps and points. Two vertices
 * with different bones or weights are not merged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <bspscene/bspscene.h>

#include "writers/vertex_frames.h"

static uint32_t seed = 53;

static double between(double low, double high)
{
	seed = seed * 1664525u + 1013904223u;
	return low + (high - low) * (double)(seed >> 8) / (1 << 24);
}

/* Returns the light by the formula: clamp((c - cone[1]) / (cone[0] - cone[1]), 0, 1) ^ exponent, divided by the
 * attenuation. Here c is the cosine of the angle between the lamp's direction and the direction from lamp to point. */
static double expected(const bspscene_model_lamp *lamp, const float point[3])
{
	double to_lamp[3], squared = 0, cosine = 0;
	for (int i = 0; i < 3; i++) {
		to_lamp[i] = (double)lamp->origin[i] - (double)point[i];
		squared += to_lamp[i] * to_lamp[i];
	}
	double distance = fmax(sqrt(squared), 1);
	if (lamp->radius > 0 && distance >= (double)lamp->radius) return 0;
	for (int i = 0; i < 3; i++) cosine -= to_lamp[i] / sqrt(squared) * (double)lamp->direction[i];
	double inner = (double)lamp->cone[0], outer = (double)lamp->cone[1];
	double spot = outer < -1 ? 1 : pow(fmin(fmax((cosine - outer) / (inner - outer), 0), 1), (double)lamp->exponent);
	return spot /
	       ((double)lamp->fade[0] + (double)lamp->fade[1] * distance + (double)lamp->fade[2] * distance * distance);
}

static void lamps_fade_as_written(void **state)
{
	(void)state;
	uint32_t partly = 0;
	for (int i = 0; i < 2000; i++) {
		bspscene_model_lamp lamp = { .radius = i % 3 ? 0 : 60, .exponent = i % 2 ? 1 : (float)between(0.5, 3) };
		float point[3], toward[3], length = 0;
		for (int k = 0; k < 3; k++) {
			lamp.origin[k] = (float)between(-50, 50);
			point[k] = (float)between(-50, 50);
			lamp.direction[k] = (float)between(-1, 1);
			lamp.fade[k] = (float)between(0.01, 1);
			length += lamp.direction[k] * lamp.direction[k];
		}
		for (int k = 0; k < 3; k++) lamp.direction[k] /= sqrtf(length);
		lamp.cone[1] = i % 5 ? (float)between(-0.9, 0.6) : -2;
		lamp.cone[0] = i % 5 ? lamp.cone[1] + (float)between(0.1, 0.39) : -2;
		double want = expected(&lamp, point), got = (double)bspscene_lamp_attenuation(&lamp, point, toward);
		if (fabs(want - got) > 1e-5 + 1e-3 * want) fail_msg("lamp %d: %g, not %g", i, got, want);
		partly += want > 0;
	}
	assert_true(partly > 500);
}

static void movement_is_told_by_each_bone_and_weight(void **state)
{
	enum { VERTICES = 4 };
	(void)state;
	uint8_t joints[4 * VERTICES] = { 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0 };
	float weights[4 * VERTICES] = { 0.5f, 0.5f, 0, 0, 0.25f, 0.75f, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0 };
	const bspscene_mesh mesh = { .vertex_count = VERTICES, .joints = joints, .weights = weights };
	assert_true(bspi_vertex_movement(&mesh, 0) == bspi_vertex_movement(&mesh, 2));
	assert_true(bspi_vertex_movement(&mesh, 0) != bspi_vertex_movement(&mesh, 1));
	assert_true(bspi_vertex_movement(&mesh, 0) != bspi_vertex_movement(&mesh, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lamps_fade_as_written),
		cmocka_unit_test(movement_is_told_by_each_bone_and_weight),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
