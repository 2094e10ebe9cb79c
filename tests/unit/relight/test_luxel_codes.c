/* Promise: light that is written back is as close to the requested light as its encoding allows. Floats are rounded to
 * the nearest step of the smallest exponent that can hold them. Gray is computed from the channels as the caller
 * chose. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "relight/relight_parts.h"

static const bspi_rules rules = { .overbright = 1, .intensity = 1, .light_limit = 1 };

/* The test encodes 6000 colors with light from 1/64 to 64. Their three channels differ. */
static void floats_are_rounded_to_the_nearest_step(void **state)
{
	enum { STEPS = 6000 };
	bspi_luxel_code code;
	(void)state;
	bspi_init_luxel_code(&code, &rules, BSPI_LIGHT_RGBEXP32, 1);
	for (int i = 0; i < STEPS; i++) {
		double light = pow(2, 12.0 * i / STEPS - 6), asked[3] = { light / 3, light, light / 7 }, got[3];
		uint8_t luxel[4];
		assert_true(bspi_light_to_luxel(&code, asked, luxel) == 1);
		bspi_luxel_to_light(&code, luxel, got);
		double step = ldexp(1 / 255.0, (int8_t)luxel[3]);
		assert_true(luxel[1] >= 128);
		for (int k = 0; k < 3; k++) {
			if (fabs(got[k] - asked[k]) > 0.5001 * step) fail_msg("%g became %g", asked[k], got[k]);
		}
	}
}

/* The gray value weights each channel by the eye's sensitivity, or takes only the brightest channel. */
static void gray_is_what_was_chosen(void **state)
{
	static const double weights[3] = { 0.299, 0.587, 0.114 };
	bspi_luxel_code code;
	(void)state;
	bspi_init_luxel_code(&code, &rules, BSPI_LIGHT_GRAY8, 1);
	for (int k = 0; k < 3; k++) {
		double light[3] = { 0, 0, 0 };
		uint8_t gray;
		light[k] = pow(200 / 255.0, 2.2);
		code.luma = true;
		bspi_light_to_luxel(&code, light, &gray);
		assert_int_equal(gray, (int)(200 * weights[k] + 0.5));
		code.luma = false;
		bspi_light_to_luxel(&code, light, &gray);
		assert_int_equal(gray, 200);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(floats_are_rounded_to_the_nearest_step),
		cmocka_unit_test(gray_is_what_was_chosen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
