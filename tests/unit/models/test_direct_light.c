/* Promise: a model can list only a few lamps. All further lamps are added to the ambient light of its position. Their
 * light is shared among six directions, by the cosine of the angle to each. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "stages/light/direct_light.h"

static void light_of_six_sides_is_added(void **state)
{
	static const float ambient[6][3] = {
		{ 1, 0, 0 }, { 2, 0, 0 }, { 4, 0, 0 }, { 8, 0, 0 }, { 16, 0, 1 }, { 32, 0, 1 },
	};
	static const bspi_direct_light direct = {
		.cube = { { 0, 1, 3 }, { 0, 2, 3 }, { 0, 4, 3 }, { 0, 8, 3 }, { 0, 16, 3 }, { 0, 32, 3 } },
	};
	static const struct { float normal[3], want[3]; } cases[] = {
		{ { 1, 0, 0 }, { 1, 1, 3 } },  { { -1, 0, 0 }, { 2, 2, 3 } },   { { 0, 1, 0 }, { 4, 4, 3 } },
		{ { 0, -1, 0 }, { 8, 8, 3 } }, { { 0, 0, 1 }, { 16, 16, 4 } }, { { 0, 0, -1 }, { 32, 32, 4 } },
		{ { 0.6f, -0.8f, 0 }, { 5.48f, 5.48f, 3 } }, { { -0.6f, 0, 0.8f }, { 10.96f, 10.96f, 3.64f } },
	};
	static const float place[3] = { 0, 0, 0 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int softly = 0; softly < 2; softly++) {
			float got[3];
			bspi_direct_light_on(&direct, ambient, place, cases[i].normal, softly, got);
			for (int k = 0; k < 3; k++) {
				if (fabsf(got[k] - cases[i].want[k]) < 1e-4f) continue;
				fail_msg("case %zu: %g %g %g", i, (double)got[0], (double)got[1], (double)got[2]);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(light_of_six_sides_is_added) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
