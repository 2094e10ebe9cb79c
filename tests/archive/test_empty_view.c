/* Promise: a picture shows nothing if it is black, or has one color except for a narrow strip. Once, a start close to a
 * wall, with its edge in the picture, counted as a view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "archive/pictures/pictures.h"

enum { WIDTH = 100, HEIGHT = 10, SIZE = WIDTH * HEIGHT * 3 };

static void views_of_nothing(void **state)
{
	static const struct { const char *what; uint8_t wall, strip; uint32_t columns; bool nothing; } cases[] = {
		{ "a wall", 90, 90, 0, true }, { "a wall and its edge", 90, 200, 3, true },
		{ "a wall and a way past it", 90, 200, 4, false }, { "almost one color", 90, 94, 50, true },
		{ "two colors", 90, 95, 50, false }, { "black", 7, 0, 50, true }, { "dark", 8, 0, 50, false },
		{ "white and a dark edge", 255, 0, 3, true },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t rgb[SIZE];
		for (uint32_t at = 0; at < SIZE; at++) {
			rgb[at] = at / 3 % WIDTH < cases[i].columns ? cases[i].strip : cases[i].wall;
		}
		if (cli_shows_nothing(rgb, WIDTH, HEIGHT) != cases[i].nothing) fail_msg("%s", cases[i].what);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(views_of_nothing) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
