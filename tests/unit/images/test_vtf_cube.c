/* test_vtf_cube.c - a VTF is a cube map if the file has six complete square sides, whatever else it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "images/images.h"
#include "support/make/build_texture.h"

enum { ENVIRONMENT = 0x4000 };

static void cubes_have_six_whole_sides(void **state)
{
	static const struct { const char *name; bspt_vtf vtf; bool cube; } cases[] = {
		{ "6 faces", { .minor = 5, .flags = ENVIRONMENT, .pictures_behind = 5 * 16 }, true },
		{ "7 faces", { .minor = 4, .flags = ENVIRONMENT, .pictures_behind = 6 * 16 }, true },
		{ "smaller levels", { .minor = 5, .levels = 2, .flags = ENVIRONMENT, .pictures_before = 6 * 4,
		                      .pictures_behind = 5 * 16 }, true },
		{ "the last face is cut", { .minor = 5, .levels = 2, .flags = ENVIRONMENT, .pictures_before = 6 * 4,
		                            .pictures_behind = 5 * 16 - 1 }, false },
		{ "no cube", { .minor = 5 }, false },
		{ "six times as high as wide", { .minor = 5, .height = 12, .pictures_behind = 5 * 16 }, false },
	};
	static const uint8_t picture[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bspt_vtf vtf = cases[i].vtf;
		vtf.width = 2;
		if (!vtf.height) vtf.height = 2;
		vtf.picture = picture;
		vtf.size = sizeof picture;
		bspt_bytes bytes = bspt_encode_vtf(&vtf);
		if (bspi_vtf_is_cube(bspi_bytes_of(bytes.data, bytes.size)) != cases[i].cube) fail_msg("%s", cases[i].name);
		free(bytes.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(cubes_have_six_whole_sides) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
