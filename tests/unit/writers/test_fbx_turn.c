/* Promise: rotations in FBX follow the game's quaternions between frames. FBX interpolates three angles separately.
 * Without care, this is wrong by half a turn where an angle jumps from 179 to -179 degrees, or where one angle is near
 * a right angle. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random.h"
#include "writers/fbx_rig/fbx_rig.h"

#define DEGREE 0.017453292519943295
enum { FRAMES = 5, STEPS = 64, TURNS = 2000 };

static void angles_to_quaternion(const double degrees[3], double out[4])
{
	double q[4] = { 0, 0, 0, 1 };
	for (int axis = 0; axis < 3; axis++) { /* rotations about x, then y, then z */
		double s = sin(degrees[axis] * DEGREE / 2), c = cos(degrees[axis] * DEGREE / 2), t[4] = { 0, 0, 0, c };
		t[axis] = s;
		const double product[4] = {
			t[3] * q[0] + t[0] * q[3] + t[1] * q[2] - t[2] * q[1],
			t[3] * q[1] - t[0] * q[2] + t[1] * q[3] + t[2] * q[0],
			t[3] * q[2] + t[0] * q[1] - t[1] * q[0] + t[2] * q[3],
			t[3] * q[3] - t[0] * q[0] - t[1] * q[1] - t[2] * q[2],
		};
		for (int i = 0; i < 4; i++) q[i] = product[i];
	}
	for (int i = 0; i < 4; i++) out[i] = q[i];
}

static double length_of(const double q[4])
{
	return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static double apart(const double a[4], const double b[4])
{
	double between[4], beyond[4];
	for (int i = 0; i < 4; i++) {
		between[i] = a[i] / length_of(a) - b[i] / length_of(b);
		beyond[i] = a[i] / length_of(a) + b[i] / length_of(b);
	}
	return 4 * asin(fmin(length_of(between), length_of(beyond)) / 2) / DEGREE;
}

static void slerp(const float a[4], const float b[4], double part, double out[4])
{
	double along = 0, from = 1 - part, to = part;
	for (int i = 0; i < 4; i++) along += (double)a[i] * (double)b[i];
	double sign = along < 0 ? -1 : 1, angle = acos(fmin(fabs(along), 1));
	if (angle > 1e-4) {
		from = sin((1 - part) * angle) / sin(angle);
		to = sin(part * angle) / sin(angle);
	}
	for (int i = 0; i < 4; i++) out[i] = from * (double)a[i] + sign * to * (double)b[i];
}

/* Returns the largest angle, in degrees, between the interpolated keys and the quaternions. At the frames themselves,
 * the angle must be less than 0.02 degrees. */
static double stray(const float (*quaternions)[4], const bspi_fbx_turn_key *keys, uint32_t count)
{
	double largest = 0;
	uint32_t key = 0;
	for (uint32_t step = 0; step <= (FRAMES - 1) * STEPS; step++) {
		double at = step / (double)STEPS, mixed[3], found[4], wanted[4];
		while (key + 2 < count && (double)keys[key + 1].part <= at) key++;
		const bspi_fbx_turn_key *a = &keys[key], *b = &keys[key + 1];
		double part = (at - (double)a->part) / (double)(b->part - a->part);
		for (int i = 0; i < 3; i++) mixed[i] = (1 - part) * (double)a->angles[i] + part * (double)b->angles[i];
		angles_to_quaternion(mixed, found);
		uint32_t frame = step == (FRAMES - 1) * STEPS ? FRAMES - 2 : step / STEPS;
		slerp(quaternions[frame], quaternions[frame + 1], at - frame, wanted);
		double aside = apart(found, wanted);
		if (step % STEPS == 0) assert_true(aside < 0.02);
		largest = fmax(largest, aside);
	}
	return largest;
}

static double random_number(uint64_t *state)
{
	return (bspt_random(state) >> 8) / 8388608.0 - 1;
}

static void make_frames(uint64_t *state, double most, float out[FRAMES][4])
{
	double degrees[3], q[4];
	for (int i = 0; i < 3; i++) degrees[i] = 180 * random_number(state);
	for (int frame = 0; frame < FRAMES; frame++) {
		angles_to_quaternion(degrees, q);
		double sign = random_number(state) < 0 ? -1 : 1; /* q and -q are the same rotation */
		for (int i = 0; i < 4; i++) out[frame][i] = (float)(sign * q[i]);
		for (int i = 0; i < 3; i++) degrees[i] += most * random_number(state);
	}
}

/* In each frame, a bone rotates by up to `most` degrees about each axis, from any pose. `allowed` is the allowed
 * error in degrees. */
static void mixed_angles_follow_the_quaternions(void **state)
{
	static const struct { double most, allowed; } cases[] = { { 5, 0.2 }, { 20, 1.5 }, { 60, 4.5 } };
	uint64_t seed = 7;
	uint32_t most_keys = 0;
	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		uint32_t keys_of_all = 0;
		double largest = 0;
		for (int turn = 0; turn < TURNS; turn++) {
			float quaternions[FRAMES][4];
			bspi_fbx_turn_key keys[BSPI_FBX_MOST_PARTS * FRAMES];
			make_frames(&seed, cases[c].most, quaternions);
			uint32_t count = bspi_fbx_turn_keys((const float(*)[4])quaternions, FRAMES, keys);
			keys_of_all += count;
			most_keys = count > most_keys ? count : most_keys;
			largest = fmax(largest, stray((const float(*)[4])quaternions, keys, count));
		}
		print_message("up to %g degrees: %.3f aside, %.2f keys a frame\n", cases[c].most, largest,
		              keys_of_all / (double)(TURNS * FRAMES));
		assert_true(largest < cases[c].allowed);
	}
	assert_true(most_keys <= BSPI_FBX_MOST_PARTS * (FRAMES - 1) + 1);
}

/* If a bone rotates about one axis, each frame gets one key. Angles continue to grow beyond a whole turn. */
static void whole_turns_are_counted_on(void **state)
{
	float quaternions[FRAMES * 2][4];
	bspi_fbx_turn_key keys[BSPI_FBX_MOST_PARTS * FRAMES * 2];
	(void)state;
	for (int axis = 0; axis < 3; axis += 2) {
		for (int frame = 0; frame < FRAMES * 2; frame++) {
			double degrees[3] = { 0 }, q[4];
			degrees[axis] = 70.0 * frame;
			angles_to_quaternion(degrees, q);
			for (int i = 0; i < 4; i++) quaternions[frame][i] = (float)q[i];
		}
		uint32_t count = bspi_fbx_turn_keys((const float(*)[4])quaternions, FRAMES * 2, keys);
		assert_int_equal(count, FRAMES * 2);
		for (uint32_t i = 0; i < count; i++) assert_true(fabs((double)keys[i].angles[axis] - 70.0 * i) < 0.01);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixed_angles_follow_the_quaternions),
		cmocka_unit_test(whole_turns_are_counted_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
